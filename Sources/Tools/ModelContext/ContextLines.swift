import JSON

/// Splits bytes into lines. A line over the limit is dropped up to its end, so memory stays bounded, and reported once.
package struct ContextLines {
    /// A line that is too long.
    package struct Problem: Hashable, Sendable {
        /// The most bytes that a line may have.
        package var limit: Int
    }

    /// What the bytes contain.
    package enum Item: Hashable, Sendable {
        /// Without its line feed.
        case line([UInt8])
        case tooLong(Problem)
    }

    private let limit: Int
    private var line: [UInt8] = []
    private var isDropping = false

    /// - Parameter limit: The most bytes of a line without its line feed; by default as many as ``JSONParser`` reads.
    package init(limit: Int = JSONLimits.bytes) { self.limit = limit }

    /// What the next bytes complete.
    package mutating func take(_ bytes: ArraySlice<UInt8>) -> [Item] {
        var items: [Item] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            add(rest[..<end], &items)
            if !isDropping { items.append(.line(line)) }
            line = []
            isDropping = false
            rest = rest[(end + 1)...]
        }
        add(rest, &items)
        return items
    }

    /// The last line, where the bytes end without a line feed.
    package mutating func end() -> [Item] { line.isEmpty ? [] : take([0x0A]) }

    private mutating func add(_ part: ArraySlice<UInt8>, _ items: inout [Item]) {
        guard !isDropping else { return }
        guard part.count <= limit - line.count else {
            line = []
            isDropping = true
            return items.append(.tooLong(Problem(limit: limit)))
        }
        line += part
    }
}
