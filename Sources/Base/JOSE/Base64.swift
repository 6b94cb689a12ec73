/// Base64 with the alphabet and padding of RFC 4648, section 4.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64Coding.encode(bytes, pairs: Base64Coding.standardPairs, padded: true)
    }

    /// `nil` for anything but the one encoding of some bytes: padding is required, white space is refused.
    public static func decode(_ text: String) -> [UInt8]? {
        var characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < 2, characters.last == UInt8(ascii: "=") {
            characters.removeLast()
            padding += 1
        }
        // The padding must be what the rest lacks to a multiple of four, which the count above has settled.
        return characters.withUnsafeBufferPointer { Base64Coding.decode($0, values: Base64Coding.standardValues) }
    }
}

/// Base64url without padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64Coding.encode(bytes, pairs: Base64Coding.urlPairs, padded: false)
    }

    /// `nil` for anything but the one encoding of some bytes. Padding is refused, and so are stray bits in the last
    /// character: if they were let through, a changed signature could pass for the same one.
    public static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { Base64Coding.decode($0, values: Base64Coding.urlValues) }
    }

    /// The same from the bytes of a text.
    public static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        Base64Coding.decode(characters, values: Base64Coding.urlValues)
    }

    /// Adds the encoding of some bytes to a text under construction.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let length = Base64Coding.length(bytes.count, padded: false)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { buffer in
            let count = Base64Coding.write(bytes, to: buffer, pairs: Base64Coding.urlPairs, padded: false)
            text.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// Concrete types only: a generic function called from another module is not specialised, and these are called several
/// times a token. The tables hold what several letters come to at once.
enum Base64Coding {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    static let standardPairs = pairs(of: standard)
    static let urlPairs = pairs(of: url)
    static let standardValues = values(of: standard)
    static let urlValues = values(of: url)

    /// The two letters of every twelve bits, the first in the low byte.
    private static func pairs(of alphabet: [UInt8]) -> [UInt16] {
        (0..<4096).map { UInt16(alphabet[$0 >> 6]) | UInt16(alphabet[$0 & 63]) << 8 }
    }

    /// What marks a byte that is not a letter.
    private static let none: UInt32 = 1 << 24

    /// For each of four places what a byte there stands for in the 24 bits of a group.
    private static func values(of alphabet: [UInt8]) -> [UInt32] {
        var values = [UInt32](repeating: none, count: 1024)
        for place in 0..<4 {
            for (value, character) in alphabet.enumerated() {
                values[256 * place + Int(character)] = UInt32(value) << UInt32(18 - 6 * place)
            }
        }
        return values
    }

    static func length(_ count: Int, padded: Bool) -> Int {
        padded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    static func encode(_ bytes: [UInt8], pairs: [UInt16], padded: Bool) -> String {
        String(unsafeUninitializedCapacity: length(bytes.count, padded: padded)) { buffer in
            write(bytes, to: buffer, pairs: pairs, padded: padded)
        }
    }

    static func write(
        _ bytes: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>, pairs: [UInt16], padded: Bool
    ) -> Int {
        let out = UnsafeMutableRawBufferPointer(buffer)
        return bytes.withUnsafeBufferPointer { input in
            pairs.withUnsafeBufferPointer { pairs in
                var position = 0
                var index = 0
                while index + 2 < input.count {
                    let word = Int(input[index]) << 16 | Int(input[index + 1]) << 8 | Int(input[index + 2])
                    let letters = UInt32(pairs[word >> 12]) | UInt32(pairs[word & 4095]) << 16
                    out.storeBytes(of: letters.littleEndian, toByteOffset: position, as: UInt32.self)
                    position += 4
                    index += 3
                }
                let rest = input.count - index
                guard rest > 0 else { return position }
                let word = Int(input[index]) << 16 | (rest == 2 ? Int(input[index + 1]) << 8 : 0)
                out.storeBytes(of: pairs[word >> 12].littleEndian, toByteOffset: position, as: UInt16.self)
                position += 2
                if rest == 2 {
                    out[position] = UInt8(truncatingIfNeeded: pairs[word & 4095])
                    position += 1
                }
                if padded {
                    for _ in rest..<3 {
                        out[position] = UInt8(ascii: "=")
                        position += 1
                    }
                }
                return position
            }
        }
    }

    static func decode(_ input: UnsafeBufferPointer<UInt8>, values: [UInt32]) -> [UInt8]? {
        let rest = input.count % 4
        guard rest != 1 else { return nil }
        var valid = true
        let decoded = [UInt8](unsafeUninitializedCapacity: input.count / 4 * 3 + 2) { out, written in
            var count = 0
            defer { written = count }
            values.withUnsafeBufferPointer { value in
                var seen: UInt32 = 0
                var index = 0
                while index + 3 < input.count {
                    let group =
                        value[Int(input[index])] | value[256 + Int(input[index + 1])]
                        | value[512 + Int(input[index + 2])] | value[768 + Int(input[index + 3])]
                    seen |= group
                    out[count] = UInt8(truncatingIfNeeded: group >> 16)
                    out[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    out[count + 2] = UInt8(truncatingIfNeeded: group)
                    count += 3
                    index += 4
                }
                if rest >= 2 {
                    var group = value[Int(input[index])] | value[256 + Int(input[index + 1])]
                    if rest == 3 { group |= value[512 + Int(input[index + 2])] }
                    seen |= group
                    out[count] = UInt8(truncatingIfNeeded: group >> 16)
                    count += 1
                    if rest == 3 {
                        out[count] = UInt8(truncatingIfNeeded: group >> 8)
                        count += 1
                    }
                    // Bits of the last letter that no byte takes.
                    valid = group & (rest == 2 ? 0xFFFF : 0xFF) == 0
                }
                if seen & none != 0 { valid = false }
            }
        }
        return valid ? decoded : nil
    }
}
