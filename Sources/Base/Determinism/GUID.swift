/// A 128-bit identifier as Microsoft writes it: 8-4-4-4-12 hexadecimal digits.
public struct GUID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The first eight bytes in the order written.
    public let high: UInt64
    /// The last eight bytes in the order written.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// All zeros.
    public static let empty = GUID(high: 0, low: 0)

    /// Reads the 36-character form in any letter case; no braces, no white space.
    public init?(_ text: String) {
        var text = text
        let words = text.withUTF8 { bytes -> (high: UInt64, low: UInt64)? in
            guard bytes.count == 36 else { return nil }
            var words: (high: UInt64, low: UInt64) = (0, 0)
            for position in 0..<36 {
                let byte = bytes[position]
                if position == 8 || position == 13 || position == 18 || position == 23 {
                    guard byte == UInt8(ascii: "-") else { return nil }
                    continue
                }
                let lower = byte | 0x20
                let digit: UInt8
                if byte &- 48 <= 9 {
                    digit = byte - 48
                } else if lower &- 97 <= 5 {
                    digit = lower - 87
                } else {
                    return nil
                }
                if position < 18 {
                    words.high = words.high << 4 | UInt64(digit)
                } else {
                    words.low = words.low << 4 | UInt64(digit)
                }
            }
            return words
        }
        guard let words else { return nil }
        self.init(high: words.high, low: words.low)
    }

    /// Reads 16 bytes in the order written; `nil` for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Lower case with dashes.
    public var description: String { text(letters: UInt8(ascii: "a")) }

    /// Upper case with dashes.
    public var uppercase: String { text(letters: UInt8(ascii: "A")) }

    private func text(letters: UInt8) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            let text = UnsafeMutableRawBufferPointer(buffer)
            func group(_ digits: UInt64, at start: Int) {
                text.storeBytes(
                    of: UInt32(truncatingIfNeeded: digits).littleEndian, toByteOffset: start, as: UInt32.self)
            }
            func digits(_ word: UInt64) -> UInt64 { Self.digits(of: word, letters: letters) }
            text.storeBytes(of: digits(high >> 32).littleEndian, toByteOffset: 0, as: UInt64.self)
            group(digits(high), at: 9)
            group(digits(high) >> 32, at: 14)
            group(digits(low >> 32), at: 19)
            group(digits(low >> 32) >> 32, at: 24)
            text.storeBytes(of: digits(low).littleEndian, toByteOffset: 28, as: UInt64.self)
            text[8] = UInt8(ascii: "-")
            text[13] = UInt8(ascii: "-")
            text[18] = UInt8(ascii: "-")
            text[23] = UInt8(ascii: "-")
            return 36
        }
    }

    /// The hexadecimal digits of a word's lower half, the first in the lowest byte: all eight at a time.
    private static func digits(of word: UInt64, letters: UInt8) -> UInt64 {
        // Each digit to a byte of its own, the last one in the lowest.
        var digits = word & 0xFFFF_FFFF
        digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
        digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
        digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
        let ones: UInt64 = 0x0101_0101_0101_0101
        let isLetter = ((digits &+ ones &* 6) >> 4) & ones
        return (digits &+ ones &* 48 &+ isLetter &* UInt64(letters - 58)).byteSwapped
    }

    /// 16 bytes in the order written.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for word in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    /// 16 bytes as .NET's `Guid.ToByteArray` gives them: the first three groups little-endian.
    public var dotNetBytes: [UInt8] {
        let b = bytes
        return [b[3], b[2], b[1], b[0], b[5], b[4], b[7], b[6]] + b[8...]
    }

    public static func < (a: GUID, b: GUID) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }

    /// The identifier that belongs to a text: the same on every run and machine. It carries the version and variant
    /// bits of a random (version 4) identifier, so that nothing treats it otherwise.
    public static func derived(from name: String) -> GUID {
        let first = StableHash.fnv1a(name)
        let second = StableHash.fnv1a(name, from: StableHash.mix(first))
        return random(high: StableHash.mix(first), low: StableHash.mix(second &+ 0x9e37_79b9_7f4a_7c15))
    }

    /// The words with version 4 and the RFC 9562 variant set.
    static func random(high: UInt64, low: UInt64) -> GUID {
        GUID(
            high: high & 0xffff_ffff_ffff_0fff | 0x0000_0000_0000_4000,
            low: low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }
}
