/// Texts inside HTML.
enum HTML {
    /// For the content of an element or a quoted attribute.
    static func text(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard let first = bytes.firstIndex(where: isSpecial) else { return nil }
            var escaped: [UInt8] = []
            escaped.reserveCapacity(bytes.count + 128)
            var start = 0
            var place: Int? = first
            while let special = place {
                escaped.append(contentsOf: bytes[start..<special])
                escaped.append(contentsOf: entity(of: bytes[special]).utf8)
                start = special + 1
                place = bytes[start...].firstIndex(where: isSpecial)
            }
            escaped.append(contentsOf: bytes[start...])
            return String(decoding: escaped, as: UTF8.self)
        } ?? text
    }

    static func attribute(_ text: String) -> String { self.text(text) }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        // All five are below 64: one bit each.
        byte < 64 && specials &>> UInt64(byte) & 1 == 1
    }

    private static let specials: UInt64 = 1 << 0x26 | 1 << 0x3C | 1 << 0x3E | 1 << 0x22 | 1 << 0x27

    private static func entity(of byte: UInt8) -> String {
        switch byte {
        case 0x26: "&amp;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        case 0x22: "&quot;"
        default: "&#39;"
        }
    }
}
