/// Replaces many secrets in a text in one pass.
package struct TextMask {
    /// One spelling of a secret.
    package struct Pattern: Hashable {
        let bytes: [UInt8]
        let replacement: [UInt8]
        /// Masked only between characters that are neither letters nor digits. This also holds for digits alone, since
        /// a one-time code is not part of a longer number, and for ordinary words.
        let isWhole: Bool

        package init(_ text: String, label: String, isWhole: Bool = false) {
            bytes = Array(text.utf8)
            replacement = Array(label.utf8)
            self.isWhole = isWhole || bytes.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// A pattern and its rank by length, the longest first: if several match at one place, the longest is masked.
    private struct Ranked {
        let pattern: Pattern
        let rank: Int
    }

    /// All patterns in the order of their bytes, so that those with a common beginning are neighbours. A log holds
    /// thousands of tokens that begin alike: looking at each of them at each place of a text takes minutes.
    private let sorted: [Ranked]
    /// What takes the place of a pattern, by its rank.
    private let replacements: [[UInt8]]
    /// The part of `sorted` that begins with a byte.
    private var byFirst: [Range<Int>] = Array(repeating: 0..<0, count: 256)
    /// Which four bytes a pattern may begin with, as bits by their hash: nearly every place of a text is passed over by them.
    private var beginnings: [UInt64] = []
    /// Patterns of fewer bytes can stand anywhere.
    private var hasShortPattern = false

    package init(_ patterns: [Pattern]) {
        let longestFirst = patterns.filter { !$0.bytes.isEmpty }.enumerated().sorted { left, right in
            left.element.bytes.count != right.element.bytes.count
                ? left.element.bytes.count > right.element.bytes.count : left.offset < right.offset
        }
        replacements = longestFirst.map(\.element.replacement)
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
        noteBeginnings()
    }

    // MARK: Beginnings

    private static let beginningLength = 4
    private static let beginningBits = 15

    private mutating func noteBeginnings() {
        guard !sorted.isEmpty else { return }
        beginnings = Array(repeating: 0, count: 1 << (Self.beginningBits - 6))
        for ranked in sorted {
            guard ranked.pattern.bytes.count >= Self.beginningLength else {
                hasShortPattern = true
                continue
            }
            let bit = ranked.pattern.bytes.withUnsafeBytes { Self.beginning($0, at: 0) }
            beginnings[bit >> 6] |= 1 << UInt64(bit & 63)
        }
    }

    /// The number of the bit of four bytes.
    private static func beginning(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B1) >> UInt32(32 - beginningBits))
    }

    /// The first place from `start` on where a pattern may begin; the end of the text if there is none.
    private func candidate(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        if hasShortPattern { return start }
        let raw = UnsafeRawBufferPointer(source)
        let end = raw.count - Self.beginningLength
        return beginnings.withUnsafeBufferPointer { beginnings in
            var place = start
            while place <= end {
                let bit = Self.beginning(raw, at: place)
                if beginnings[bit >> 6] >> UInt64(bit & 63) & 1 == 1 { return place }
                place += 1
            }
            return raw.count
        }
    }

    // MARK: Replacing

    /// The text with every secret replaced, also one that was cut off by an ellipsis.
    package func masked(_ text: String) -> String { replaced(text) ?? text }

    /// The same; `nil` if the text has no secret.
    func replaced(_ text: String) -> String? {
        guard !sorted.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { source in
            var result: [UInt8] = []
            var copied = 0
            var place = candidate(source, from: 0)
            while place < source.count {
                if let match = match(source, at: place) {
                    result += source[copied..<place]
                    result += match.replacement
                    place += match.length
                    copied = place
                } else {
                    place += 1
                }
                place = candidate(source, from: place)
            }
            guard copied > 0 else { return nil }
            result += source[copied...]
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// The longest pattern that matches at a place, whole or cut, and how much of the text it covers there.
    private func match(
        _ source: UnsafeBufferPointer<UInt8>, at place: Int
    ) -> (length: Int, replacement: [UInt8])? {
        // What begins with the bytes from `place` on, as many of them as `length` says.
        var alike = byFirst[Int(source[place])]
        guard !alike.isEmpty else { return nil }
        let isInWord = Self.isWordByte(source, place - 1)
        var best: (rank: Int, length: Int)?
        var length = 1
        while !alike.isEmpty {
            while let first = alike.first, sorted[first].pattern.bytes.count == length {
                let isBroken = sorted[first].pattern.isWhole && (isInWord || Self.isWordByte(source, place + length))
                if !isBroken, sorted[first].rank < best?.rank ?? .max { best = (sorted[first].rank, length) }
                alike = (first + 1)..<alike.upperBound
            }
            if length >= Self.shortestCut, Self.isEllipsis(source, place + length) {
                for ranked in sorted[alike] where ranked.pattern.bytes[length] != UInt8(ascii: ".") {
                    let isBroken = ranked.pattern.isWhole && isInWord
                    if !isBroken, ranked.rank < best?.rank ?? .max { best = (ranked.rank, length) }
                }
            }
            guard place + length < source.count else { break }
            alike = narrowed(alike, to: source[place + length], at: length)
            length += 1
        }
        return best.map { ($0.length, replacements[$0.rank]) }
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

    /// At least so many bytes of a secret have to precede `...` for it to count as one that was cut.
    private static let shortestCut = 4

    private static func isEllipsis(_ source: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        place + 3 <= source.count && source[place..<(place + 3)].allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private static func isWordByte(_ source: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        guard source.indices.contains(place) else { return false }
        switch source[place] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
        default: return false
        }
    }
}
