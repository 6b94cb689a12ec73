/// Base32 (RFC 4648, section 6), in which authenticator apps take their secrets.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Upper case, without padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var word = 0
        var bits = 0
        for byte in bytes {
            word = (word << 8 | Int(byte)) & 0xfff
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[word >> bits & 31])
            }
        }
        if bits > 0 { text.append(alphabet[word << (5 - bits) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Either letter case, with or without padding at the end; spaces, with which secrets are shown, do not count.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var word = 0
        var bits = 0
        var padded = false
        for character in text.utf8 where character != UInt8(ascii: " ") {
            if character == UInt8(ascii: "=") {
                padded = true
                continue
            }
            let value: Int
            switch character {
            case 65...90: value = Int(character) - 65
            case 97...122: value = Int(character) - 97
            case 50...55: value = Int(character) - 24
            default: return nil
            }
            guard !padded else { return nil }
            word = (word << 5 | value) & 0xfff
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return bytes
    }
}
