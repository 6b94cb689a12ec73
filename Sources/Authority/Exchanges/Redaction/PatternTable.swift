import JSON

/// Texts to be found in others, in the order of their bytes, so that those with a common beginning are neighbours. A log
/// holds thousands of tokens that begin alike: looking at each of them at each place of a text takes minutes.
struct PatternTable {
    struct Match {
        let rank: Int
        /// How many bytes it covers.
        let length: Int
    }

    private struct Entry {
        /// Its bytes in those of all.
        let start: Int
        let count: Int
        let rank: Int
    }

    private let bytes: [UInt8]
    private let sorted: [Entry]
    /// The part of `sorted` that begins with a byte.
    private var byFirst: [Range<Int>] = Array(repeating: 0..<0, count: 256)
    private let ranks: LeastOfRange

    /// - Parameter patterns: None of them empty. The lower a rank, the sooner it is chosen.
    init(_ patterns: [(rank: Int, text: String)]) {
        var bytes: [UInt8] = []
        var sorted: [Entry] = []
        bytes.reserveCapacity(patterns.reduce(0) { $0 + $1.text.utf8.count })
        sorted.reserveCapacity(patterns.count)
        for pattern in patterns {
            sorted.append(Entry(start: bytes.count, count: pattern.text.utf8.count, rank: pattern.rank))
            bytes += pattern.text.utf8
        }
        bytes.withUnsafeBufferPointer { bytes in
            func text(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: bytes[entry.start..<(entry.start + entry.count)])
            }
            sorted.sort { ByteSearch.precedes(text($0), text($1)) }
        }
        self.bytes = bytes
        self.sorted = sorted
        ranks = LeastOfRange(sorted.map(\.rank))
        var start = 0
        while start < sorted.count {
            let first = byte(start, 0)
            var end = start
            while end < sorted.count, byte(end, 0) == first { end += 1 }
            byFirst[Int(first)] = start..<end
            start = end
        }
    }

    private func byte(_ number: Int, _ index: Int) -> UInt8 { bytes[sorted[number].start + index] }

    /// The pattern of the lowest rank at a place, whole or cut by an ellipsis.
    ///
    /// - Parameters:
    ///   - findsCut: Whether a cut pattern counts.
    ///   - looks: Loses how many bytes were looked at, other than those of the match.
    ///   - isEnd: Whether a whole pattern may end before a place.
    func match(
        _ source: UnsafeBufferPointer<UInt8>, at place: Int, findsCut: Bool, looks: inout Int,
        isEnd: (Int) -> Bool = { _ in true }
    ) -> Match? {
        // What begins with the bytes from `place` on, as many of them as `length` says.
        var alike = byFirst[Int(source[place])]
        var best: Match?
        func take(_ rank: Int, _ length: Int) {
            if rank < best?.rank ?? .max { best = Match(rank: rank, length: length) }
        }
        var length = 1
        while !alike.isEmpty {
            while let first = alike.first, sorted[first].count == length {
                if isEnd(place + length) { take(sorted[first].rank, length) }
                alike = (first + 1)..<alike.upperBound
            }
            if findsCut, length >= Self.shortestCut, Self.isEllipsis(source, place + length) {
                let dots = narrowed(alike, to: UInt8(ascii: "."), at: length)
                take(ranks.least(alike.lowerBound..<dots.lowerBound), length)
                take(ranks.least(dots.upperBound..<alike.upperBound), length)
            }
            guard place + length < source.count else { break }
            alike = narrowed(alike, to: source[place + length], at: length)
            length += 1
        }
        looks -= length - (best?.length ?? 0)
        return best
    }

    /// The patterns of a range with a byte at an index; all of the range agree before it and go beyond it.
    private func narrowed(_ range: Range<Int>, to byte: UInt8, at index: Int) -> Range<Int> {
        guard !range.isEmpty else { return range }
        func first(_ isBeyond: (UInt8) -> Bool) -> Int {
            var low = range.lowerBound
            var high = range.upperBound
            while low < high {
                let middle = low + (high - low) / 2
                if isBeyond(self.byte(middle, index)) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let start = self.byte(range.lowerBound, index) >= byte ? range.lowerBound : first { $0 >= byte }
        let end = self.byte(range.upperBound - 1, index) <= byte ? range.upperBound : first { $0 > byte }
        return start..<max(start, end)
    }

    /// At least so many bytes of a secret have to precede `...` for it to count as one that was cut.
    private static let shortestCut = 4

    private static func isEllipsis(_ source: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        place + 3 <= source.count && source[place..<(place + 3)].allSatisfy { $0 == UInt8(ascii: ".") }
    }
}

/// The least number of any range of a list, without a look at each of the range.
private struct LeastOfRange {
    /// The numbers from the middle on; before it, each is the least of the two at twice its index.
    private var tree: [Int]

    init(_ numbers: [Int]) {
        tree = numbers + numbers
        for index in stride(from: numbers.count - 1, to: 0, by: -1) {
            tree[index] = min(tree[2 * index], tree[2 * index + 1])
        }
    }

    /// `Int.max` of an empty range.
    func least(_ range: Range<Int>) -> Int {
        var low = range.lowerBound + tree.count / 2
        var high = range.upperBound + tree.count / 2
        var least = Int.max
        while low < high {
            if low & 1 == 1 {
                least = min(least, tree[low])
                low += 1
            }
            if high & 1 == 1 {
                high -= 1
                least = min(least, tree[high])
            }
            low >>= 1
            high >>= 1
        }
        return least
    }
}
