/// The only source of randomness: xoshiro256**, seeded through splitmix64.
///
/// It is written out here because the standard library does not promise that `random(in:using:)` and `shuffled(using:)`
/// draw the same from one version to the next, and a seed in a bug report must keep its meaning. Nothing it yields is a
/// secret.
public struct SeededGenerator: Sendable, Codable, Hashable {
    /// What streams are derived from; draws do not change it.
    private let path: UInt64
    private var s0: UInt64
    private var s1: UInt64
    private var s2: UInt64
    private var s3: UInt64

    public init(seed: UInt64) {
        self.init(path: StableHash.mix(seed &+ 0x9e37_79b9_7f4a_7c15))
    }

    /// An independent stream of a seed by its path, such as `sign-in.json/authority/journey 3`.
    public init(seed: UInt64, stream: String) {
        self = SeededGenerator(seed: seed).stream(stream)
    }

    private init(path: UInt64) {
        self.path = path
        var state = path
        func draw() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            return StableHash.mix(state)
        }
        s0 = draw()
        s1 = draw()
        s2 = draw()
        s3 = draw()
    }

    /// An independent stream below this one. What was drawn here before makes no difference, and
    /// `g.stream("a").stream("b")` is `g.stream("a/b")`: a stream is its path.
    public func stream(_ name: String) -> SeededGenerator {
        SeededGenerator(path: StableHash.fnv1a(name, from: StableHash.fnv1a("/", from: path)))
    }

    public mutating func next() -> UInt64 {
        let product = s1 &* 5
        let result = (product << 7 | product >> 57) &* 9
        let shifted = s1 << 17
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = s3 << 45 | s3 >> 19
        return result
    }

    /// An even draw from 0 up to and without `n`; 0 when `n` is not positive.
    public mutating func below(_ n: Int) -> Int {
        guard n > 1 else { return 0 }
        let bound = UInt64(n)
        // The high half of a product is even over 0..<bound once the few low halves that would favour some are refused.
        let threshold = (0 &- bound) % bound
        while true {
            let product = next().multipliedFullWidth(by: bound)
            if product.low >= threshold { return Int(product.high) }
        }
    }

    public mutating func bytes(_ n: Int) -> [UInt8] {
        guard n > 0 else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(n)
        while bytes.count < n {
            let word = next()
            for index in 0..<min(8, n - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
            }
        }
        return bytes
    }

    /// A random (version 4) identifier.
    public mutating func guid() -> GUID {
        let high = next()
        return GUID.random(high: high, low: next())
    }

    /// So many decimal digits, zeros in front included: one-time codes.
    public mutating func digits(_ n: Int) -> String {
        guard n > 0 else { return "" }
        return String(decoding: (0..<n).map { _ in UInt8(48 + below(10)) }, as: UTF8.self)
    }

    /// From 0 up to and without 1, with 53 random bits.
    public mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    public mutating func shuffled<T>(_ array: [T]) -> [T] {
        var array = array
        guard array.count > 1 else { return array }
        for index in stride(from: array.count - 1, to: 0, by: -1) {
            array.swapAt(index, below(index + 1))
        }
        return array
    }
}
