import JSON

/// Texts inside HTML.
enum HTML {
    /// For the content of an element or a quoted attribute.
    static func text(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var special = ByteSearch.endOfPlainHTML(bytes, from: 0)
            guard special < bytes.count else { return nil }
            var escaped: [UInt8] = []
            escaped.reserveCapacity(bytes.count + 128)
            var start = 0
            while special < bytes.count {
                escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<special]))
                escaped.append(contentsOf: entity(of: bytes[special]).utf8)
                start = special + 1
                special = ByteSearch.endOfPlainHTML(bytes, from: start)
            }
            escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            return String(decoding: escaped, as: UTF8.self)
        } ?? text
    }

    /// As ``text(_:)``, with letters beyond ASCII as decimal entities, `&#252;`: how `CONTENT` has them (recorded). Marks
    /// such as the typographic apostrophe stay as they are (seen in a published copy of a page).
    static func entities(_ text: String) -> String {
        let escaped = self.text(text)
        guard !escaped.utf8.allSatisfy({ $0 < 0x80 }) else { return escaped }
        var result = ""
        for scalar in escaped.unicodeScalars {
            let isPlain =
                scalar.isASCII
                || (scalar.value > 0xFF && scalar.value < 0x1_0000 && !scalar.properties.isAlphabetic)
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result += "&#\(scalar.value);"
            }
        }
        return result
    }

    static func attribute(_ text: String) -> String { self.text(text) }

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
