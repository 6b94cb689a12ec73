import JSON

/// Character references of HTML.
package enum HTMLEntities {
    /// Characters that can be written as references.
    package struct Characters: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `&`
        package static let ampersand = Characters(rawValue: 1)
        /// `<`
        package static let less = Characters(rawValue: 2)
        /// `>`
        package static let greater = Characters(rawValue: 4)
        /// `"` and `'`
        package static let quotes = Characters(rawValue: 8)
        /// What the content of an element cannot have.
        package static let content: Characters = [.ampersand, .less, .greater]
        /// What the content of an element and a quoted attribute cannot have.
        package static let all: Characters = [.content, .quotes]
    }

    /// A text with references for characters that would be markup: `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&#39;`.
    package static func escaped(_ text: String, _ characters: Characters = .all) -> String {
        var text = text
        return text.withUTF8 { bytes -> String? in
            var special = ByteSearch.endOfPlainHTML(bytes, from: 0)
            guard special < bytes.count else { return nil }
            var escaped: [UInt8] = []
            escaped.reserveCapacity(bytes.count + 128)
            var start = 0
            while special < bytes.count {
                let (written, kind) = reference(to: bytes[special])
                if characters.contains(kind) {
                    escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<special]))
                    escaped.append(contentsOf: written.utf8)
                    start = special + 1
                }
                special = ByteSearch.endOfPlainHTML(bytes, from: special + 1)
            }
            escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            return String(decoding: escaped, as: UTF8.self)
        } ?? text
    }

    private static func reference(to byte: UInt8) -> (text: String, kind: Characters) {
        switch byte {
        case UInt8(ascii: "&"): ("&amp;", .ampersand)
        case UInt8(ascii: "<"): ("&lt;", .less)
        case UInt8(ascii: ">"): ("&gt;", .greater)
        case UInt8(ascii: "\""): ("&quot;", .quotes)
        default: ("&#39;", .quotes)
        }
    }
}

extension HTMLEntities {
    /// The character whose reference begins a text, and how many bytes the reference has; `nil` if none begins there.
    ///
    /// Reads numbers, the names that XML has too, and `&nbsp;`.
    package static func reference(startOf bytes: ArraySlice<UInt8>) -> (character: Unicode.Scalar, length: Int)? {
        guard bytes.first == UInt8(ascii: "&"),
            let end = bytes.dropFirst().prefix(10).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        let name = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        return character(name).map { ($0, end + 1 - bytes.startIndex) }
    }

    /// A text with its references replaced. What is not a reference stays, as in browsers.
    package static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        var rest = bytes
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: rest[..<ampersand], as: UTF8.self)
            rest = rest[ampersand...]
            if let (character, length) = reference(startOf: rest) {
                text.unicodeScalars.append(character)
                rest = rest.dropFirst(length)
            } else {
                text += "&"
                rest = rest.dropFirst()
            }
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> Unicode.Scalar? {
        if name == "nbsp" { return "\u{A0}" }
        return XMLEntities.character(of: name.hasPrefix("#X") ? "#x" + name.dropFirst(2) : name)
    }
}
