import CommandKit

/// The seeds of `--seeds`, in the order given.
package struct SeedList {
    private let ranges: [ClosedRange<UInt64>]
    /// How many there are.
    package let count: Int

    /// More than anybody waits for.
    private static let most: UInt64 = 1_000_000

    /// Reads `1..1000` or `3,8`, or several of both.
    ///
    /// - Parameter option: What the text was given to, for messages.
    init(_ text: String, option: String) throws {
        func wrong(_ reason: String) -> Failure {
            Failure.usage("\(option) \(reason): write ranges and numbers, such as 1..1000 or 3,8")
        }
        var ranges: [ClosedRange<UInt64>] = []
        var count: UInt64 = 0
        guard text.contains(where: { $0 != " " }) else { throw wrong("names no seed") }
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            let piece = piece.filter { $0 != " " }
            guard let range = Self.range(piece) else {
                throw wrong("takes whole numbers from 0 to \(UInt64.max), not \"\(piece)\"")
            }
            guard range.first <= range.last else {
                throw wrong("counts upwards, and \(piece) goes down")
            }
            for other in ranges where other.overlaps(range.first...range.last) {
                throw wrong("names the seed \(max(other.lowerBound, range.first)) twice")
            }
            guard range.last - range.first < Self.most, count + (range.last - range.first) < Self.most else {
                throw wrong("takes at most \(Self.most) seeds")
            }
            ranges.append(range.first...range.last)
            count += range.last - range.first + 1
        }
        self.ranges = ranges
        self.count = Int(count)
    }

    /// So many seeds in a row.
    init(_ count: Int, from first: UInt64) throws {
        let (last, overflow) = first.addingReportingOverflow(UInt64(count - 1))
        guard !overflow else {
            throw Failure.usage("--repeat \(count) --seed \(first): the seeds end at \(UInt64.max)")
        }
        ranges = [first...last]
        self.count = count
    }

    /// First and last seed of a number or a range.
    private static func range(_ text: String) -> (first: UInt64, last: UInt64)? {
        let parts = text.split(separator: "..", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = number(parts[0]), let last = number(parts[parts.count - 1]) else { return nil }
        return (first, last)
    }

    /// Digits alone: no sign.
    private static func number(_ text: Substring) -> UInt64? {
        text.allSatisfy { ("0"..."9").contains($0) } ? UInt64(text) : nil
    }

    /// All of them.
    package var seeds: some Sequence<UInt64> { ranges.lazy.flatMap { $0 } }
}
