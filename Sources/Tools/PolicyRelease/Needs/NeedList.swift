import Diagnostics

/// Needs by name.
struct NeedList<Need> {
    private(set) var all: [Need] = []
    private var indices: [String: Int] = [:]

    /// Changes the need of a name, which is made where there is none.
    ///
    /// - Parameter name: Compared exactly; ids, whose letter case does not count, are given in capitals.
    mutating func change(_ name: String, else make: @autoclosure () -> Need, _ change: (inout Need) -> Void) {
        let index = indices[name] ?? all.count
        if index == all.count {
            all.append(make())
            indices[name] = index
        }
        change(&all[index])
    }
}

extension Array where Element: Equatable {
    /// Appends an element unless it is there.
    mutating func include(_ element: Element) {
        if !contains(element) { append(element) }
    }
}

/// Finds the place in the file for a place in the text that was made from it by filling in settings.
struct OriginalPlaces {
    private let source: SourceText
    /// Offsets at which lines begin.
    private let starts: [Int]

    init(_ policy: BuiltPolicy) {
        source = policy.source
        starts = [0] + policy.bytes.indices.filter { policy.bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// - Parameter location: In the text as it is uploaded.
    func original(_ location: SourceLocation) -> SourceLocation {
        guard let line = location.line, starts.indices.contains(line - 1) else { return location }
        var offset = starts[line - 1]
        for _ in 1..<max(location.column ?? 1, 1) where offset < source.bytes.count {
            offset += 1
            // Columns count code points.
            while offset < source.bytes.count, source.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        var found = source.location(at: offset)
        found.length = location.length
        if location.column == nil { found.column = nil }
        return found
    }
}
