import Diagnostics

/// Replaces many texts in others in one pass: labels for secrets, stand-ins for what people typed. Other types decide what
/// is replaced, and by what.
package struct TextMask {
    /// One spelling of a secret.
    package struct Spelling: Hashable {
        package let text: String
        let label: String
        /// Masked only between characters that are neither letters nor digits.
        let isWhole: Bool

        /// Digits alone are masked as a whole: a one-time code is not part of a longer number.
        package init(_ text: String, label: String, isWhole: Bool = false) {
            self.init(exactly: text, label: label, isWhole: isWhole || text.utf8.allSatisfy { 0x30...0x39 ~= $0 })
        }

        /// A pattern that is masked in longer numbers too.
        package init(exactly text: String, label: String, isWhole: Bool = false) {
            self.text = text
            self.label = label
            self.isWhole = isWhole
        }
    }

    private let patterns: [Spelling]
    private let search: PatternSearch
    private let isExact: Bool

    /// - Parameter isExact: For texts that programs read: nothing but the patterns is replaced, however long it takes.
    package init(_ patterns: [Spelling], isExact: Bool = false) {
        self.patterns = patterns
        self.isExact = isExact
        search = PatternSearch(patterns.map { ($0.text, $0.isWhole) }, findsCut: !isExact)
    }

    /// The text with every secret replaced, also one that was cut off by an ellipsis, unless the mask is exact.
    package func masked(_ text: String) -> String { replaced(text) ?? text }

    /// The same; `nil` if the text has no secret. A text that takes too many looks is not shown at all.
    func replaced(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { replaced($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Replaces in bytes that need not be a text; returns whether there was anything to replace.
    package func replace(_ bytes: inout [UInt8]) -> Bool {
        guard let result = bytes.withUnsafeBufferPointer({ replaced($0) }) else { return false }
        bytes = result
        return true
    }

    private func replaced(_ source: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !search.isEmpty else { return nil }
        var looks = isExact ? Int.max : Self.looksPerByte * (source.count + Self.leastBytes)
        var pieces = TextPieces()
        while let found = search.next(in: source, from: pieces.end, looks: &looks) {
            pieces.put(patterns[found.index].label, at: found.range)
        }
        guard looks > 0 else {
            return Array(
                ("<\(source.count) bytes that repeat the beginning of secrets, more than \(Self.looksPerByte) bytes"
                    + " of them at each place: not searched, so not shown>").utf8)
        }
        return pieces.bytes(in: source)
    }

    /// Ordinary texts take less than one look at each byte.
    private static let looksPerByte = 32
    /// A shorter text has the looks of one of so many bytes.
    private static let leastBytes = 1 << 12
}
