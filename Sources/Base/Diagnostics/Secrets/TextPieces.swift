/// What takes the places of pieces of a text. All that masks or replaces secrets writes its texts with this.
package struct TextPieces {
    private var pieces: [(range: Range<Int>, text: String)] = []

    package init() {}

    /// Where the last piece ends.
    package var end: Int { pieces.last?.range.upperBound ?? 0 }

    /// Adds what takes the place of some bytes. A piece that begins before the end of the last one is ignored.
    package mutating func put(_ text: String, at range: Range<Int>) {
        if range.lowerBound >= end { pieces.append((range, text)) }
    }

    /// The bytes with all pieces in their places; `nil` without pieces.
    package func bytes(in source: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !pieces.isEmpty else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var copied = 0
        for (range, text) in pieces {
            result += source[copied..<range.lowerBound]
            result += text.utf8
            copied = range.upperBound
        }
        result += source[copied...]
        return result
    }

    /// The text with all pieces in their places; `nil` without pieces.
    package func text(in source: String) -> String? { pieces.isEmpty ? nil : text(in: Array(source.utf8)) }

    /// The text of the bytes with all pieces in their places; `nil` without pieces.
    package func text(in source: [UInt8]) -> String? {
        source.withUnsafeBufferPointer { bytes(in: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }
}
