/// Unpacks a DEFLATE stream (RFC 1951): what other programs write into archives by default.
struct Inflate {
    /// Why a stream cannot be unpacked.
    enum Problem: String, Error {
        case endsEarly = "its packed data ends too early"
        case unknownBlock = "its packed data has a block of an unknown kind"
        case badLength = "a stored block in its packed data contradicts itself"
        case badCode = "its packed data holds a code that no table defines"
        case badTable = "its packed data has a table of codes that contradicts itself"
        case badDistance = "its packed data refers back to before its beginning"
        case tooLong = "it unpacks to more than the archive's directory says"
        case tooShort = "it unpacks to less than the archive's directory says"
        case bytesLeft = "bytes follow the end of its packed data"
    }

    private let source: ArraySlice<UInt8>
    private var place: Int
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    private let size: Int

    private init(_ source: ArraySlice<UInt8>, size: Int) {
        self.source = source
        place = source.startIndex
        self.size = size
        output.reserveCapacity(size)
    }

    /// The unpacked bytes.
    ///
    /// - Parameter size: how many there must be, not one more or less: a stream never takes more memory than was agreed.
    static func bytes(_ source: ArraySlice<UInt8>, size: Int) throws(Problem) -> [UInt8] {
        var inflate = Inflate(source, size: size)
        try inflate.run()
        return inflate.output
    }

    private mutating func run() throws(Problem) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try coded(Self.fixedLiterals, Self.fixedDistances)
            case 2: try dynamic()
            default: throw .unknownBlock
            }
        }
        guard output.count == size else { throw .tooShort }
        // Whole bytes that were read ahead are not part of the stream.
        guard place - bitCount / 8 == source.endIndex else { throw .bytesLeft }
    }

    // MARK: Bits

    /// The next bits, the first in the lowest place; at most 32.
    private mutating func take(_ count: Int) throws(Problem) -> Int {
        while bitCount < count {
            guard place < source.endIndex else { throw .endsEarly }
            bits |= UInt64(source[place]) << UInt64(bitCount)
            place += 1
            bitCount += 8
        }
        let value = Int(bits & ((1 << UInt64(count)) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func put(_ byte: UInt8) throws(Problem) {
        guard output.count < size else { throw .tooLong }
        output.append(byte)
    }

    // MARK: Blocks

    private mutating func stored() throws(Problem) {
        let rest = bitCount % 8
        bits >>= UInt64(rest)
        bitCount -= rest
        let length = try take(16)
        guard try take(16) == length ^ 0xFFFF else { throw .badLength }
        for _ in 0..<length { try put(UInt8(truncatingIfNeeded: try take(8))) }
    }

    private mutating func coded(_ literals: Codes, _ distances: Codes) throws(Problem) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try put(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengths.count else { throw .badCode }
            let (base, extra) = Self.lengths[symbol - 257]
            let length = base + (try take(extra))
            let code = try self.symbol(distances)
            guard code < Self.distances.count else { throw .badCode }
            let (start, more) = Self.distances[code]
            let distance = start + (try take(more))
            guard distance <= output.count else { throw .badDistance }
            for _ in 0..<length { try put(output[output.count - distance]) }
        }
    }

    /// The order in which the lengths of the codes for code lengths stand (RFC 1951 3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func dynamic() throws(Problem) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw .badTable }
        var sizes = [Int](repeating: 0, count: Self.order.count)
        for index in 0..<codeCount { sizes[Self.order[index]] = try take(3) }
        let codes = try Codes(sizes)
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            let symbol = try symbol(codes)
            switch symbol {
            case 0...15:
                all.append(symbol)
            case 16:
                guard let last = all.last else { throw .badTable }
                all += Array(repeating: last, count: try take(2) + 3)
            case 17:
                all += Array(repeating: 0, count: try take(3) + 3)
            default:
                all += Array(repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == literalCount + distanceCount, all[256] > 0 else { throw .badTable }
        try coded(try Codes(Array(all[..<literalCount])), try Codes(Array(all[literalCount...])))
    }

    // MARK: Codes

    /// A canonical code (RFC 1951 3.2.2): within one length the codes are consecutive numbers in the order of the
    /// symbols, so counting how many there are of each length is enough to read it.
    private struct Codes {
        /// How many codes there are of each length.
        var counts = [Int](repeating: 0, count: 16)
        /// The symbols in the order of their codes.
        var symbols: [Int] = []

        init() {}

        init(_ sizes: [Int]) throws(Problem) {
            for size in sizes where size > 0 { counts[size] += 1 }
            var room = 1
            for count in counts.dropFirst() {
                room = room * 2 - count
                guard room >= 0 else { throw .badTable }
            }
            // One code alone may leave the other one unused, and a block without any distance has no code at all.
            guard room == 0 || counts.reduce(0, +) <= 1 else { throw .badTable }
            for size in 1...15 {
                for (symbol, own) in sizes.enumerated() where own == size { symbols.append(symbol) }
            }
        }
    }

    private mutating func symbol(_ codes: Codes) throws(Problem) -> Int {
        var code = 0
        var first = 0
        var index = 0
        for size in 1...15 {
            code |= try take(1)
            let count = codes.counts[size]
            if code - first < count { return codes.symbols[index + code - first] }
            index += count
            first = (first + count) << 1
            code <<= 1
        }
        throw .badCode
    }

    private static let fixedLiterals: Codes = fixed(
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8))
    private static let fixedDistances: Codes = fixed(Array(repeating: 5, count: 32))

    private static func fixed(_ sizes: [Int]) -> Codes {
        // Whole by construction, so the check cannot fail; an empty table would read nothing at all.
        (try? Codes(sizes)) ?? Codes()
    }

    /// Shortest length and extra bits of the codes 257 to 285 (RFC 1951 3.2.5).
    private static let lengths: [(Int, Int)] = steps(from: 3, groups: [8, 4, 4, 4, 4, 4]) + [(258, 0)]

    /// Shortest distance and extra bits of the codes 0 to 29 (RFC 1951 3.2.5).
    private static let distances: [(Int, Int)] = steps(from: 1, groups: [4] + Array(repeating: 2, count: 13))

    /// Ranges that follow one another, those of each group with one extra bit more than those before.
    private static func steps(from start: Int, groups: [Int]) -> [(Int, Int)] {
        var next = start
        var all: [(Int, Int)] = []
        for (extra, count) in groups.enumerated() {
            for _ in 0..<count {
                all.append((next, extra))
                next += 1 << extra
            }
        }
        return all
    }
}
