import Determinism
import JSON

/// Long texts that stand for a sixteen-byte id.
///
/// Grants and the `m1.` cookies of a live tenant are sealed state of 0.8 to 1.5 KB. Here the state is a row, and the
/// text is the row's id, masked, among filler that is derived from the id: it need not be kept, and writing the real
/// text again shows whether a text was altered.
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
        filler.append(342 - Self.idLength, of: .url, to: &text)
        for length in [16, ciphertextLength, 22] {
            text.append(Self.dot)
            filler.append(length, of: .url, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The header part of a text with five parts, however long they are; `nil` when there are more or fewer.
    static func header(ofGrant text: String) -> String? {
        let parts = text.utf8.split(separator: dot, maxSplits: 5, omittingEmptySubsequences: false)
        return parts.count == 5 ? String(parts[0]) : nil
    }

    /// The header part and the id of a text with five parts of the right lengths; `nil` when it has another shape.
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

    /// Characters of the last part of the service's cookies, padding included.
    static let cookieLength = 1232

    /// The value of a journey-state or session cookie: `round` makes each rewriting a different text.
    ///
    /// `m1.`, sixteen characters, the id as padded base64 of sixteen bytes, `.0.` and padded base64 (recorded). The
    /// alphabet is that of RFC 4648, section 4: clients whose jars put values with `/` or `=` in quotes fail here as they
    /// do at the service.
    ///
    /// - Parameter length: Characters of the last part, a multiple of four.
    func cookie(_ id: GUID, round: Int, length: Int = cookieLength) -> String {
        String(decoding: cookieBytes(id, round: round, length: length), as: UTF8.self)
    }

    /// The same as bytes.
    func cookieBytes(_ id: GUID, round: Int, length: Int = cookieLength) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity(length + 64)
        text.append(contentsOf: [UInt8(ascii: "m"), UInt8(ascii: "1"), Self.dot])
        var filler = Filler(seed: id.high ^ secret, id.low &+ UInt64(truncatingIfNeeded: round) &* 0x9E37)
        Self.append(UInt64(truncatingIfNeeded: round) & 0xFFFF_FFFF, digits: Self.roundDigits, of: .standard, to: &text)
        filler.append(Self.roundLength - Self.roundDigits, of: .standard, to: &text)
        text.append(Self.dot)
        appendMaskedPadded(id, to: &text)
        text.append(contentsOf: [Self.dot, UInt8(ascii: "0"), Self.dot])
        filler.append(length - 1, of: .standard, to: &text)
        // Before one character of padding the last digit has two bits that say nothing: they are zero (RFC 4648, 3.5).
        if let last = text.last {
            text[text.count - 1] = Digits.standard.letters[Int(Digits.standard.values[Int(last)] & 60)]
        }
        text.append(Self.padding)
        return text
    }

    /// The id and round that a cookie value stands for; `nil` when a byte of it was changed.
    func read(cookie: String, length: Int = cookieLength) -> (id: GUID, round: Int)? {
        var cookie = cookie
        return cookie.withUTF8 { read(cookie: $0, length: length) }
    }

    /// The same from its bytes.
    func read(cookie bytes: UnsafeBufferPointer<UInt8>, length: Int = cookieLength) -> (id: GUID, round: Int)? {
        let idStart = 3 + Self.roundLength + 1
        guard bytes.count == idStart + Self.idLength + 2 + 3 + length, bytes[0] == UInt8(ascii: "m"),
            bytes[1] == UInt8(ascii: "1"),
            let round = Self.value(UnsafeBufferPointer(rebasing: bytes[3..<3 + Self.roundDigits]), of: .standard),
            let id = unmaskedPadded(UnsafeBufferPointer(rebasing: bytes[idStart..<idStart + Self.idLength]))
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
    /// Characters of a cookie's first part, and those of them that write the round.
    private static let roundLength = 16
    private static let roundDigits = 6
    private static let padding = UInt8(ascii: "=")

    /// An alphabet of sixty-four characters.
    private struct Digits: Sendable {
        let letters: [UInt8]
        /// Every two letters, the first in the low byte.
        let pairs: [UInt16]
        /// The value of each letter; 255 for what is none.
        let values: [UInt8]

        init(last two: String) {
            let letters = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + two).utf8)
            self.letters = letters
            pairs = (0..<4096).map { UInt16(letters[$0 & 63]) | UInt16(letters[$0 >> 6]) << 8 }
            var values = [UInt8](repeating: 0xFF, count: 256)
            for (index, letter) in letters.enumerated() { values[Int(letter)] = UInt8(index) }
            self.values = values
        }

        /// RFC 4648, section 5.
        static let url = Digits(last: "-_")
        /// RFC 4648, section 4.
        static let standard = Digits(last: "+/")
    }

    private func masked(_ id: GUID) -> (high: UInt64, low: UInt64) {
        var mask = Filler(seed: secret, 0x6D61_736B)
        let high = id.high ^ mask.next()
        return (high, id.low ^ mask.next())
    }

    private func appendMasked(_ id: GUID, to text: inout [UInt8]) {
        let (high, low) = masked(id)
        Self.append(high, digits: 11, of: .url, to: &text)
        Self.append(low, digits: 11, of: .url, to: &text)
    }

    private func unmasked(_ digits: UnsafeBufferPointer<UInt8>) -> GUID? {
        guard digits.count == Self.idLength,
            let high = Self.value(UnsafeBufferPointer(rebasing: digits[..<11]), of: .url),
            let low = Self.value(UnsafeBufferPointer(rebasing: digits[11...]), of: .url)
        else { return nil }
        return unmasked(high, low)
    }

    /// The masked id as padded base64 of its sixteen bytes.
    private func appendMaskedPadded(_ id: GUID, to text: inout [UInt8]) {
        let (high, low) = masked(id)
        Self.append(high >> 4, digits: 10, of: .standard, to: &text)
        Self.append(high << 2 | low >> 62, digits: 1, of: .standard, to: &text)
        Self.append(low >> 2, digits: 10, of: .standard, to: &text)
        Self.append(low << 4, digits: 1, of: .standard, to: &text)
        text.append(Self.padding)
        text.append(Self.padding)
    }

    private func unmaskedPadded(_ digits: UnsafeBufferPointer<UInt8>) -> GUID? {
        func part(_ range: Range<Int>) -> UInt64? {
            Self.value(UnsafeBufferPointer(rebasing: digits[range]), of: .standard)
        }
        guard digits.count == Self.idLength, let first = part(0..<10), let middle = part(10..<11),
            let second = part(11..<21), let last = part(21..<22)
        else { return nil }
        return unmasked(first << 4 | middle >> 2, middle << 62 | second << 2 | last >> 4)
    }

    private func unmasked(_ high: UInt64, _ low: UInt64) -> GUID {
        var mask = Filler(seed: secret, 0x6D61_736B)
        let first = high ^ mask.next()
        return GUID(high: first, low: low ^ mask.next())
    }

    private static func append(_ value: UInt64, digits: Int, of alphabet: Digits, to text: inout [UInt8]) {
        var shift = 6 * (digits - 1)
        while shift >= 0 {
            text.append(alphabet.letters[Int(truncatingIfNeeded: value >> UInt64(shift)) & 63])
            shift -= 6
        }
    }

    private static func value(_ digits: UnsafeBufferPointer<UInt8>, of alphabet: Digits) -> UInt64? {
        alphabet.values.withUnsafeBufferPointer { values in
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
        mutating func append(_ count: Int, of alphabet: Digits, to text: inout [UInt8]) {
            alphabet.pairs.withUnsafeBufferPointer { pairs in
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
