/// Replaces many secrets in a text in one pass.
package struct TextMask {
    /// One spelling of a secret.
    package struct Pattern: Hashable {
        package let text: String
        let label: String
        /// Masked only between characters that are neither letters nor digits. This also holds for digits alone, since
        /// a one-time code is not part of a longer number, and for ordinary words.
        let isWhole: Bool

        package init(_ text: String, label: String, isWhole: Bool = false) {
            self.text = text
            self.label = label
            self.isWhole = isWhole || text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private let patterns: [Pattern]
    private let search: PatternSearch

    package init(_ patterns: [Pattern]) {
        self.patterns = patterns
        search = PatternSearch(patterns.map { ($0.text, $0.isWhole) }, findsCut: true)
    }

    /// The text with every secret replaced, also one that was cut off by an ellipsis.
    package func masked(_ text: String) -> String { replaced(text) ?? text }

    /// The same; `nil` if the text has no secret. A text that takes too many looks is not shown at all.
    func replaced(_ text: String) -> String? {
        guard !search.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { source in
            var looks = Self.looksPerByte * (source.count + Self.leastBytes)
            var result: [UInt8] = []
            var copied = 0
            while let found = search.next(in: source, from: copied, looks: &looks) {
                result += source[copied..<found.range.lowerBound]
                result += patterns[found.index].label.utf8
                copied = found.range.upperBound
            }
            guard looks > 0 else {
                return
                    "<\(source.count) bytes that repeat the beginning of secrets, more than \(Self.looksPerByte) bytes"
                    + " of them at each place: not searched, so not shown>"
            }
            guard copied > 0 else { return nil }
            result += source[copied...]
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// Ordinary texts take less than one look at each byte.
    private static let looksPerByte = 32
    /// A shorter text has the looks of one of so many bytes.
    private static let leastBytes = 1 << 12
}
