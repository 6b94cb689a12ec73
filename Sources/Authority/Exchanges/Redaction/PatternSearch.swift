/// Finds many texts in others in one pass, each as it is, or only as a whole word.
struct PatternSearch {
    /// The indices of the patterns by rank, the longest first: if several match at one place, the longest is found.
    private let ranked: [Int]
    private let anywhere: PatternTable
    private let asWords: PatternTable
    private let findsCut: Bool
    /// Which four bytes a pattern may begin with, as bits by their hash: nearly every place of a text is passed over by them.
    private var beginnings: [UInt64] = Array(repeating: 0, count: 1 << (beginningBits - 6))
    /// Patterns of fewer bytes can stand anywhere.
    private var hasShortPattern = false

    /// - Parameters:
    ///   - patterns: Empty ones are never found. Those that are whole are found only between characters that are neither
    ///     letters nor digits.
    ///   - findsCut: Whether what was cut off before an ellipsis is found too.
    init(_ patterns: [(text: String, isWhole: Bool)], findsCut: Bool) {
        let lengths = patterns.map(\.text.utf8.count)
        ranked = lengths.indices.filter { lengths[$0] > 0 }.sorted { left, right in
            lengths[left] != lengths[right] ? lengths[left] > lengths[right] : left < right
        }
        var anywhere: [(rank: Int, text: String)] = []
        var asWords: [(rank: Int, text: String)] = []
        for (rank, index) in ranked.enumerated() {
            if patterns[index].isWhole {
                asWords.append((rank, patterns[index].text))
            } else {
                anywhere.append((rank, patterns[index].text))
            }
        }
        self.anywhere = PatternTable(anywhere)
        self.asWords = PatternTable(asWords)
        self.findsCut = findsCut
        for index in ranked { note(patterns[index].text) }
    }

    /// Whether there is nothing to find.
    var isEmpty: Bool { ranked.isEmpty }

    // MARK: Beginnings

    private static let beginningLength = 4
    private static let beginningBits = 15

    private mutating func note(_ text: String) {
        var text = text
        let bit = text.withUTF8 { bytes in
            bytes.count < Self.beginningLength ? nil : Self.beginning(UnsafeRawBufferPointer(bytes), at: 0)
        }
        guard let bit else {
            hasShortPattern = true
            return
        }
        beginnings[bit >> 6] |= 1 << UInt64(bit & 63)
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

    // MARK: Finding

    /// The first place from `start` on with a pattern, and the pattern's index; `nil` if there is none.
    ///
    /// - Parameter looks: How many bytes may be looked at besides those of what is found. One long pattern in a text of the
    ///   same letter is compared up to its end at each place. The search ends when none are left.
    func next(
        in source: UnsafeBufferPointer<UInt8>, from start: Int, looks: inout Int
    ) -> (range: Range<Int>, index: Int)? {
        var place = candidate(source, from: start)
        while place < source.count, looks > 0 {
            if let match = match(source, at: place, &looks) {
                return (place..<(place + match.length), ranked[match.rank])
            }
            place = candidate(source, from: place + 1)
        }
        return nil
    }

    /// The longest pattern at a place, whole or cut, and how much of the text it covers there.
    private func match(
        _ source: UnsafeBufferPointer<UInt8>, at place: Int, _ looks: inout Int
    ) -> PatternTable.Match? {
        let match = anywhere.match(source, at: place, findsCut: findsCut, looks: &looks)
        guard !Self.isWordByte(source, place - 1),
            let word = asWords.match(
                source, at: place, findsCut: findsCut, looks: &looks, isEnd: { !Self.isWordByte(source, $0) })
        else { return match }
        guard let match, match.rank < word.rank else { return word }
        return match
    }

    private static func isWordByte(_ source: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        guard source.indices.contains(place) else { return false }
        switch source[place] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
        default: return false
        }
    }
}
