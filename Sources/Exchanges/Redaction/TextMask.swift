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

    /// A pattern and its place when the longest come first: where several stand at one place, the longest is meant.
    private struct Ranked {
        let pattern: Pattern
        let rank: Int
    }

    /// All patterns in the order of their bytes, so that those with a common beginning stand together. A log holds
    /// thousands of tokens that begin alike: looking at each of them at each place of a text takes minutes.
    private let sorted: [Ranked]
    /// The part of `sorted` that begins with a byte.
    private var byFirst: [Range<Int>] = Array(repeating: 0..<0, count: 256)

    package init(_ patterns: [Pattern]) {
        let longestFirst = patterns.filter { !$0.bytes.isEmpty }.enumerated().sorted { left, right in
            left.element.bytes.count != right.element.bytes.count
                ? left.element.bytes.count > right.element.bytes.count : left.offset < right.offset
        }
        sorted = longestFirst.enumerated().map { Ranked(pattern: $1.element, rank: $0) }
            .sorted { left, right in
                left.pattern.bytes == right.pattern.bytes
                    ? left.rank < right.rank : left.pattern.bytes.lexicographicallyPrecedes(right.pattern.bytes)
            }
        var start = 0
        while start < sorted.count {
            let first = sorted[start].pattern.bytes[0]
            let end = sorted[start...].firstIndex { $0.pattern.bytes[0] != first } ?? sorted.count
            byFirst[Int(first)] = start..<end
            start = end
        }
    }

    /// The text with every secret replaced, also one that was cut off by an ellipsis.
    package func masked(_ text: String) -> String {
        guard !sorted.isEmpty else { return text }
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

    /// The longest pattern that stands at a place, whole or cut, and how much of the text it covers there.
    private func match(_ source: [UInt8], at place: Int) -> (length: Int, replacement: [UInt8])? {
        // What begins with the bytes from `place` on, as many of them as `length` says.
        var alike = byFirst[Int(source[place])]
        guard !alike.isEmpty else { return nil }
        let isInWord = Self.isWordByte(source, place - 1)
        var best: (rank: Int, length: Int, replacement: [UInt8])?
        var length = 1
        func take(_ found: Int, _ ranked: Ranked) {
            guard ranked.rank < best?.rank ?? .max else { return }
            best = (ranked.rank, found, ranked.pattern.replacement)
        }
        while !alike.isEmpty {
            while let first = alike.first, sorted[first].pattern.bytes.count == length {
                let ranked = sorted[first]
                if !ranked.pattern.isWhole || !(isInWord || Self.isWordByte(source, place + length)) {
                    take(length, ranked)
                }
                alike = (first + 1)..<alike.upperBound
            }
            if length >= Self.shortestCut, Self.isEllipsis(source, place + length) {
                for ranked in sorted[alike] where ranked.pattern.bytes[length] != UInt8(ascii: ".") {
                    if !(ranked.pattern.isWhole && isInWord) { take(length, ranked) }
                }
            }
            guard place + length < source.count else { break }
            alike = narrowed(alike, to: source[place + length], at: length)
            length += 1
        }
        return best.map { ($0.length, $0.replacement) }
    }

    /// The patterns of a range with a byte at an index; all of the range agree before it and go beyond it.
    private func narrowed(_ range: Range<Int>, to byte: UInt8, at index: Int) -> Range<Int> {
        func first(_ isBeyond: (UInt8) -> Bool) -> Int {
            var low = range.lowerBound
            var high = range.upperBound
            while low < high {
                let middle = low + (high - low) / 2
                if isBeyond(sorted[middle].pattern.bytes[index]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let start = first { $0 >= byte }
        return start..<max(start, first { $0 > byte })
    }

    /// So much of a secret at least has to stand before `...` for it to be one that was cut.
    private static let shortestCut = 4

    private static func isEllipsis(_ source: [UInt8], _ place: Int) -> Bool {
        place + 3 <= source.count && source[place..<(place + 3)].allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func isWordByte(_ source: [UInt8], _ place: Int) -> Bool {
        guard source.indices.contains(place) else { return false }
        switch source[place] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
        default: return false
        }
    }
}
