/// Texts inside HTML.
enum HTML {
    /// For the content of an element or a quoted attribute.
    static func text(_ text: String) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { entity(of: $0) != nil }) else { return text }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + 64)
        for byte in bytes {
            if let entity = entity(of: byte) {
                escaped.append(contentsOf: entity.utf8)
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    static func attribute(_ text: String) -> String { self.text(text) }

    private static func entity(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
