/// Replaces many secrets in a text in one pass.
package struct TextMask {
    /// One spelling of a secret.
    package struct Pattern: Hashable {
        let bytes: [UInt8]
        let replacement: [UInt8]
        /// Masked only where no letter or digit stands beside it. So are digits alone, since a one-time code is no part
        /// of a longer figure, and ordinary words.
        let isWhole: Bool

        package init(_ text: String, label: String, isWhole: Bool = false) {
            bytes = Array(text.utf8)
            replacement = Array(label.utf8)
            self.isWhole = isWhole || bytes.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// The patterns that begin with a byte, longest first.
    private var byFirst: [[Pattern]] = Array(repeating: [], count: 256)
    private let isEmpty: Bool

    package init(_ patterns: [Pattern]) {
        isEmpty = patterns.isEmpty
        let longestFirst = patterns.enumerated().sorted { left, right in
            left.element.bytes.count != right.element.bytes.count
                ? left.element.bytes.count > right.element.bytes.count : left.offset < right.offset
        }
        for (_, pattern) in longestFirst {
            if let first = pattern.bytes.first { byFirst[Int(first)].append(pattern) }
        }
    }

    /// The text with every secret replaced, also one that was cut off by an ellipsis.
    package func masked(_ text: String) -> String {
        guard !isEmpty else { return text }
        let source = Array(text.utf8)
        var result: [UInt8] = []
        var copied = 0
        var place = 0
        while place < source.count {
            guard let match = match(source, at: place) else {
                place += 1
                continue
            }
            result += source[copied..<place]
            result += match.replacement
            place += match.length
            copied = place
        }
        guard copied > 0 else { return text }
        result += source[copied...]
        return String(decoding: result, as: UTF8.self)
    }

    private func match(_ source: [UInt8], at place: Int) -> (length: Int, replacement: [UInt8])? {
        for pattern in byFirst[Int(source[place])] {
            let end = place + pattern.bytes.count
            if end <= source.count, source[place..<end].elementsEqual(pattern.bytes) {
                if pattern.isWhole, Self.isWordByte(source, place - 1) || Self.isWordByte(source, end) { continue }
                return (pattern.bytes.count, pattern.replacement)
            }
            if pattern.isWhole, Self.isWordByte(source, place - 1) { continue }
            if let cut = Self.cutLength(source, place, pattern.bytes) { return (cut, pattern.replacement) }
        }
        return nil
    }

    /// How much of a secret stands here before `...`, where a long value was cut: at least four bytes of it.
    private static func cutLength(_ source: [UInt8], _ place: Int, _ secret: [UInt8]) -> Int? {
        var length = 0
        while length < secret.count, place + length < source.count, source[place + length] == secret[length] {
            length += 1
        }
        guard length >= 4, length < secret.count, place + length + 3 <= source.count else { return nil }
        return source[(place + length)..<(place + length + 3)].allSatisfy { $0 == UInt8(ascii: ".") } ? length : nil
    }

    private static func isWordByte(_ source: [UInt8], _ place: Int) -> Bool {
        guard source.indices.contains(place) else { return false }
        switch source[place] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
        default: return false
        }
    }
}
