import JSON

/// Percent-encoding in the flavours that meet in these protocols.
public enum PercentCoding {
    /// RFC 3986, section 2.3: letters, digits and `- . _ ~` stay, all else becomes `%XX` in upper case.
    public static func encodeComponent(_ text: String) -> String {
        encode(text, keeping: unreserved, spaceAsPlus: false, digits: upperDigits)
    }

    /// As .NET's `HttpUtility.UrlEncode` writes it: `+` for space, `%xx` in lower case, `- _ . ! * ( )` left alone.
    public static func dotNetEncoded(_ text: String) -> String {
        encode(text, keeping: dotNet, spaceAsPlus: true, digits: lowerDigits)
    }

    /// Decodes `%XX`. A percent sign that no two hexadecimal digits follow stays as it is; bytes that are not UTF-8
    /// become U+FFFD.
    public static func decode(_ text: String, plusIsSpace: Bool) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) }) else {
            return text
        }
        var text = text
        return text.withUTF8 { decode($0, plusIsSpace: plusIsSpace) }
    }

    /// The text of some bytes decoded.
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool) -> String {
        let isPlain =
            ByteSearch.offset(of: UInt8(ascii: "%"), in: bytes) == bytes.count
            && (!plusIsSpace || ByteSearch.offset(of: UInt8(ascii: "+"), in: bytes) == bytes.count)
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        let decoded = [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                    let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
                {
                    out[count] = high << 4 | low
                    index += 3
                } else {
                    out[count] = plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
                    index += 1
                }
                count += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The value of a hexadecimal digit.
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    static func encode(_ text: String, keeping kept: ByteSet, spaceAsPlus: Bool, digits: [UInt8]) -> String {
        guard text.utf8.contains(where: { !kept.contains($0) }) else { return text }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count * 3)
        append(text, to: &encoded, keeping: kept, spaceAsPlus: spaceAsPlus, digits: digits)
        return String(decoding: encoded, as: UTF8.self)
    }

    static func append(
        _ text: String, to encoded: inout [UInt8], keeping kept: ByteSet, spaceAsPlus: Bool, digits: [UInt8]
    ) {
        var text = text
        text.withUTF8 { utf8 in
            // Runs of what stays are copied at once.
            var start = 0
            var offset = -1
            while true {
                offset += 1
                kept.table.withUnsafeBufferPointer { isKept in
                    // Nearly all of a grant or a token stays: four at a time.
                    while offset + 4 <= utf8.count,
                        isKept[Int(utf8[offset])] & isKept[Int(utf8[offset + 1])] & isKept[Int(utf8[offset + 2])]
                            & isKept[Int(utf8[offset + 3])] == 1
                    {
                        offset += 4
                    }
                    while offset < utf8.count, isKept[Int(utf8[offset])] == 1 { offset += 1 }
                }
                guard offset < utf8.count else { break }
                let byte = utf8[offset]
                encoded.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<offset]))
                start = offset + 1
                if spaceAsPlus && byte == UInt8(ascii: " ") {
                    encoded.append(UInt8(ascii: "+"))
                } else {
                    encoded.append(UInt8(ascii: "%"))
                    encoded.append(digits[Int(byte >> 4)])
                    encoded.append(digits[Int(byte & 15)])
                }
            }
            encoded.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
    }

    static let upperDigits = Array("0123456789ABCDEF".utf8)
    static let lowerDigits = Array("0123456789abcdef".utf8)
    static let unreserved = ByteSet("-._~")
    /// What `application/x-www-form-urlencoded` leaves alone (WHATWG URL, section 5.2).
    static let form = ByteSet("*-._")
    /// What .NET's `HttpUtility.UrlEncode` leaves alone.
    static let dotNet = ByteSet("-_.!*()")
}

/// A set of ASCII bytes: letters, digits and a few more.
struct ByteSet: Sendable {
    /// For each byte 1 where it is in the set, else 0.
    let table: [UInt8]

    init(_ more: String) {
        let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        var table = [UInt8](repeating: 0, count: 256)
        for byte in (alphanumeric + more).utf8 where byte < 128 { table[Int(byte)] = 1 }
        self.table = table
    }

    func contains(_ byte: UInt8) -> Bool { table[Int(byte)] == 1 }
}
