import Diagnostics

/// Finds the place in the file for a place in the text that was made from it by filling in settings.
struct OriginalPlaces {
    private let source: SourceText
    /// Offsets at which lines begin.
    private let starts: [Int]
    /// Code points before each block of bytes: a policy may be one line of a megabyte.
    private let marks: [Int]
    private static let block = 512

    init(_ policy: BuiltPolicy) {
        source = policy.source
        var starts = [0]
        var marks: [Int] = []
        var count = 0
        for (offset, byte) in policy.source.bytes.enumerated() {
            if offset.isMultiple(of: Self.block) { marks.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
            if byte == 0x0A { starts.append(offset + 1) }
        }
        self.starts = starts
        self.marks = marks
    }

    /// - Parameter location: In the text as it is uploaded.
    func original(_ location: SourceLocation) -> SourceLocation {
        guard let line = location.line, starts.indices.contains(line - 1) else { return location }
        let start = starts[line - 1]
        let column = location.column.map { offset(ofCodePoint: codePoints(before: start) + $0 - 1) }
        var found = source.location(at: column ?? start)
        found.length = location.length
        if location.column == nil { found.column = nil }
        return found
    }

    private func codePoints(before offset: Int) -> Int {
        let mark = min(offset / Self.block, marks.count - 1)
        guard mark >= 0 else { return 0 }
        return source.bytes[mark * Self.block..<offset].reduce(marks[mark]) { $1 & 0xC0 != 0x80 ? $0 + 1 : $0 }
    }

    private func offset(ofCodePoint wanted: Int) -> Int {
        var low = 0
        var high = marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle] <= wanted { low = middle } else { high = middle }
        }
        guard low < marks.count else { return 0 }
        var offset = low * Self.block
        var count = marks[low]
        while offset < source.bytes.count {
            if source.bytes[offset] & 0xC0 != 0x80 {
                if count == wanted { break }
                count += 1
            }
            offset += 1
        }
        return offset
    }
}
