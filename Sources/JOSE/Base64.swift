/// Base64 with the alphabet and padding of RFC 4648, section 4.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64Coding.encode(bytes, alphabet: Base64Coding.standard, padded: true)
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
        Base64Coding.encode(bytes, alphabet: Base64Coding.url, padded: false)
    }

    /// `nil` for anything but the one encoding of some bytes. Padding is refused, and so are stray bits in the last
    /// character: if they were let through, a changed signature could pass for the same one.
    public static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { Base64Coding.decode($0, values: Base64Coding.urlValues) }
    }

    static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        Base64Coding.decode(characters, values: Base64Coding.urlValues)
    }

    /// Adds the encoding of some bytes to a text under construction.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let characters = [UInt8](unsafeUninitializedCapacity: Base64Coding.length(bytes.count, padded: false)) {
            (buffer, count) in
            count = Base64Coding.write(bytes, to: buffer, alphabet: Base64Coding.url, padded: false)
        }
        text.append(contentsOf: characters)
    }
}

/// Concrete types only: a generic function called from another module is not specialised, and these are called several
/// times a token.
enum Base64Coding {
    static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    static let standardValues = values(of: standard)
    static let urlValues = values(of: url)

    private static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    static func length(_ count: Int, padded: Bool) -> Int {
        padded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    static func encode(_ bytes: [UInt8], alphabet: [UInt8], padded: Bool) -> String {
        String(unsafeUninitializedCapacity: length(bytes.count, padded: padded)) { buffer in
            write(bytes, to: buffer, alphabet: alphabet, padded: padded)
        }
    }

    static func write(
        _ bytes: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>, alphabet: [UInt8], padded: Bool
    ) -> Int {
        guard let out = buffer.baseAddress else { return 0 }
        return bytes.withUnsafeBufferPointer { input in
            alphabet.withUnsafeBufferPointer { letters in
                var position = 0
                var index = 0
                while index + 2 < input.count {
                    let word = Int(input[index]) << 16 | Int(input[index + 1]) << 8 | Int(input[index + 2])
                    out[position] = letters[word >> 18]
                    out[position + 1] = letters[word >> 12 & 63]
                    out[position + 2] = letters[word >> 6 & 63]
                    out[position + 3] = letters[word & 63]
                    position += 4
                    index += 3
                }
                let rest = input.count - index
                guard rest > 0 else { return position }
                let word = Int(input[index]) << 16 | (rest == 2 ? Int(input[index + 1]) << 8 : 0)
                out[position] = letters[word >> 18]
                out[position + 1] = letters[word >> 12 & 63]
                position += 2
                if rest == 2 {
                    out[position] = letters[word >> 6 & 63]
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

    static func decode(_ input: UnsafeBufferPointer<UInt8>, values: [UInt8]) -> [UInt8]? {
        let rest = input.count % 4
        guard rest != 1 else { return nil }
        var valid = true
        let decoded = [UInt8](unsafeUninitializedCapacity: input.count / 4 * 3 + 2) { out, written in
            var count = 0
            defer { written = count }
            values.withUnsafeBufferPointer { value in
                // 255 marks what is no letter; it is the only value with its top bits set.
                var seen: UInt8 = 0
                var index = 0
                while index + 3 < input.count {
                    let a = value[Int(input[index])]
                    let b = value[Int(input[index + 1])]
                    let c = value[Int(input[index + 2])]
                    let d = value[Int(input[index + 3])]
                    seen |= a | b | c | d
                    out[count] = a << 2 | b >> 4
                    out[count + 1] = b << 4 | c >> 2
                    out[count + 2] = c << 6 | d
                    count += 3
                    index += 4
                }
                if rest >= 2 {
                    let a = value[Int(input[index])]
                    let b = value[Int(input[index + 1])]
                    seen |= a | b
                    out[count] = a << 2 | b >> 4
                    count += 1
                    if rest == 2 {
                        valid = b & 15 == 0
                    } else {
                        let c = value[Int(input[index + 2])]
                        seen |= c
                        out[count] = b << 4 | c >> 2
                        count += 1
                        valid = c & 3 == 0
                    }
                }
                if seen > 63 { valid = false }
            }
        }
        return valid ? decoded : nil
    }
}
