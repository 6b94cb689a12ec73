import Determinism
import JSON

/// Long texts that stand for a sixteen-byte id.
///
/// Grants and the `m1.` cookies of a live tenant are sealed state of 0.8 to 1.5 KB. Here the state is a row, and the
/// text is the row's id, masked, among filler that is derived from the id: it need not be kept, and a text that was
/// altered anywhere is told from the real one by writing the real one again.
struct OpaqueText: Sendable {
    /// Different for every authority; makes the texts of two worlds differ.
    let secret: UInt64

    init(secret: UInt64) {
        self.secret = secret
    }

    // MARK: grants: five parts that look like a compact JWE

    /// The kid that user flows of every tenant show in the header of a grant (decoded from Microsoft's samples).
    static let userFlowKeyID = "cpimcore_09252015"

    /// An authorization code or refresh token. `header` is the base64url header part.
    func grant(_ id: GUID, header: String, ciphertextLength: Int) -> String {
        var text = [UInt8]()
        text.reserveCapacity(header.utf8.count + 342 + 16 + ciphertextLength + 22 + 4)
        text.append(contentsOf: header.utf8)
        var filler = Filler(seed: id.high ^ secret, id.low &+ UInt64(ciphertextLength))
        text.append(Self.dot)
        appendMasked(id, to: &text)
        filler.append(342 - Self.idLength, to: &text)
        for length in [16, ciphertextLength, 22] {
            text.append(Self.dot)
            filler.append(length, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The header part and the id of a text with five parts; `nil` when it has another shape.
    func parts(ofGrant text: String) -> (header: String, id: GUID)? {
        var text = text
        return text.withUTF8 { bytes in
            var dots: [Int] = []
            var dot = ByteSearch.offset(of: Self.dot, in: bytes)
            while dot < bytes.count {
                dots.append(dot)
                dot = ByteSearch.offset(of: Self.dot, in: bytes, from: dot + 1)
            }
            guard dots.count == 4, dots[1] - dots[0] == 343, dots[2] - dots[1] == 17, bytes.count - dots[3] == 23,
                let id = unmasked(UnsafeBufferPointer(rebasing: bytes[dots[0] + 1..<dots[0] + 1 + Self.idLength]))
            else { return nil }
            return (String(decoding: UnsafeBufferPointer(rebasing: bytes[..<dots[0]]), as: UTF8.self), id)
        }
    }

    // MARK: cookies: m1.{a}.{b}.0.{c}

    /// The value of a journey-state or session cookie: `round` makes each rewriting a different text.
    func cookie(_ id: GUID, round: Int, length: Int = 1230) -> String {
        String(decoding: cookieBytes(id, round: round, length: length), as: UTF8.self)
    }

    /// The same as bytes.
    func cookieBytes(_ id: GUID, round: Int, length: Int = 1230) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity(length + 80)
        text.append(contentsOf: [UInt8(ascii: "m"), UInt8(ascii: "1"), Self.dot])
        appendMasked(id, to: &text)
        text.append(Self.dot)
        var filler = Filler(seed: id.high ^ secret, id.low &+ UInt64(truncatingIfNeeded: round) &* 0x9E37)
        Self.append(UInt64(truncatingIfNeeded: round) & 0xFFFF_FFFF, digits: 6, to: &text)
        filler.append(16, to: &text)
        text.append(contentsOf: [Self.dot, UInt8(ascii: "0"), Self.dot])
        filler.append(length, to: &text)
        return text
    }

    /// The id and round that a cookie value stands for; `nil` when a byte of it was changed.
    func read(cookie: String, length: Int = 1230) -> (id: GUID, round: Int)? {
        var cookie = cookie
        return cookie.withUTF8 { read(cookie: $0, length: length) }
    }

    /// The same from its bytes.
    func read(cookie bytes: UnsafeBufferPointer<UInt8>, length: Int = 1230) -> (id: GUID, round: Int)? {
        let roundStart = 3 + Self.idLength + 1
        guard bytes.count == roundStart + 22 + 3 + length, bytes[0] == UInt8(ascii: "m"), bytes[1] == UInt8(ascii: "1"),
            let id = unmasked(UnsafeBufferPointer(rebasing: bytes[3..<3 + Self.idLength])),
            let round = Self.value(UnsafeBufferPointer(rebasing: bytes[roundStart..<roundStart + 6]))
        else { return nil }
        let expected = cookieBytes(id, round: Int(round), length: length)
        let isReal = expected.withUnsafeBufferPointer { ByteSearch.areEqual($0, bytes) }
        return isReal ? (id, Int(round)) : nil
    }

    // MARK: random-looking bytes bound to an id

    /// `count` bytes, the same for the same id and use.
    func bytes(_ count: Int, for id: GUID, use: UInt64) -> [UInt8] {
        var filler = Filler(seed: id.high ^ secret ^ use, id.low)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            var word = filler.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    // MARK: parts

    private static let dot = UInt8(ascii: ".")
    /// Digits of base64url that two 64-bit words take, eleven each.
    private static let idLength = 22
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// Every two letters of the alphabet, the first in the low byte.
    private static let pairs: [UInt16] = (0..<4096).map {
        UInt16(alphabet[$0 & 63]) | UInt16(alphabet[$0 >> 6]) << 8
    }
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (index, character) in alphabet.enumerated() { table[Int(character)] = UInt8(index) }
        return table
    }()

    private func appendMasked(_ id: GUID, to text: inout [UInt8]) {
        var mask = Filler(seed: secret, 0x6D61_736B)
        Self.append(id.high ^ mask.next(), digits: 11, to: &text)
        Self.append(id.low ^ mask.next(), digits: 11, to: &text)
    }

    private func unmasked(_ digits: UnsafeBufferPointer<UInt8>) -> GUID? {
        guard digits.count == Self.idLength, let high = Self.value(UnsafeBufferPointer(rebasing: digits[..<11])),
            let low = Self.value(UnsafeBufferPointer(rebasing: digits[11...]))
        else { return nil }
        var mask = Filler(seed: secret, 0x6D61_736B)
        return GUID(high: high ^ mask.next(), low: low ^ mask.next())
    }

    private static func append(_ value: UInt64, digits: Int, to text: inout [UInt8]) {
        var shift = 6 * (digits - 1)
        while shift >= 0 {
            text.append(alphabet[Int(truncatingIfNeeded: value >> UInt64(shift)) & 63])
            shift -= 6
        }
    }

    private static func value(_ digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
        values.withUnsafeBufferPointer { values in
            var value: UInt64 = 0
            for digit in digits {
                let bits = values[Int(digit)]
                guard bits != 0xFF else { return nil }
                value = value << 6 | UInt64(bits)
            }
            return value
        }
    }

    /// SplitMix64: a stream of words that is cheap, fixed for all time and needs no state beyond one word.
    private struct Filler {
        private var state: UInt64

        init(seed: UInt64, _ second: UInt64) {
            state = seed
            state = next() ^ second
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }

        /// Ten letters a word; what the last word gives beyond what is wanted is dropped.
        mutating func append(_ count: Int, to text: inout [UInt8]) {
            OpaqueText.pairs.withUnsafeBufferPointer { pairs in
                withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 9) { buffer in
                    let out = UnsafeMutableRawBufferPointer(buffer)
                    var place = 0
                    while place < count {
                        var word = next()
                        for pair in 0..<5 {
                            let letters = pairs[Int(truncatingIfNeeded: word) & 4095]
                            out.storeBytes(of: letters.littleEndian, toByteOffset: place + 2 * pair, as: UInt16.self)
                            word >>= 12
                        }
                        place += 10
                    }
                    text.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
                }
            }
        }
    }
}
