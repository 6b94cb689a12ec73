/// Character references of XML 1.0.
package enum XMLEntities {
    /// What is written as a reference in addition to `&`, `<`, `>` and the carriage return, which a reader would turn into a
    /// line feed (XML 1.0, 2.11).
    package struct Additions: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `"`
        package static let quotes = Additions(rawValue: 1)
        /// Line feeds and tabs, which a reader turns into blanks in an attribute (XML 1.0, 3.3.3).
        package static let lines = Additions(rawValue: 2)
        /// Characters that XML cannot have even as a reference, such as most control characters, become U+FFFD.
        package static let invalid = Additions(rawValue: 4)
        /// What an attribute in double quotes cannot have.
        package static let attribute: Additions = [.quotes, .lines]
    }

    /// A text for the content of an element or, with ``Additions/attribute``, for an attribute.
    package static func escaped(_ text: String, also additions: Additions = []) -> String {
        var text = text
        return text.withUTF8 { bytes -> String? in
            var escaped: [UInt8] = []
            var start = 0
            var at = 0
            while at < bytes.count {
                guard let (written, length) = replacement(bytes, at: at, additions) else {
                    at += 1
                    continue
                }
                if escaped.isEmpty { escaped.reserveCapacity(bytes.count + 128) }
                escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<at]))
                escaped.append(contentsOf: written.utf8)
                at += length
                start = at
            }
            guard start > 0 else { return nil }
            escaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
            return String(decoding: escaped, as: UTF8.self)
        } ?? text
    }

    /// What is written instead of the character at an offset, and how many bytes it has; `nil`: it stays.
    @inline(__always)
    private static func replacement(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ additions: Additions
    ) -> (String, length: Int)? {
        switch bytes[place] {
        case UInt8(ascii: "&"): return ("&amp;", 1)
        case UInt8(ascii: "<"): return ("&lt;", 1)
        case UInt8(ascii: ">"): return ("&gt;", 1)
        case UInt8(ascii: "\r"): return ("&#13;", 1)
        case UInt8(ascii: "\""): return additions.contains(.quotes) ? ("&quot;", 1) : nil
        case UInt8(ascii: "\n"): return additions.contains(.lines) ? ("&#10;", 1) : nil
        case UInt8(ascii: "\t"): return additions.contains(.lines) ? ("&#9;", 1) : nil
        case 0..<0x20: return additions.contains(.invalid) ? ("\u{FFFD}", 1) : nil
        // U+FFFE and U+FFFF.
        case 0xEF where place + 2 < bytes.count && bytes[place + 1] == 0xBF && bytes[place + 2] >= 0xBE:
            return additions.contains(.invalid) ? ("\u{FFFD}", 3) : nil
        default: return nil
        }
    }
}

extension XMLEntities {
    /// A text with its references replaced. What is not a reference stays.
    package static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            rest = rest[rest.utf8.index(after: ampersand)...]
            let name = rest.utf8.prefix { $0 != UInt8(ascii: ";") }
            if name.endIndex < rest.endIndex, let character = character(of: String(Substring(name))) {
                result.unicodeScalars.append(character)
                rest = rest[rest.utf8.index(after: name.endIndex)...]
            } else {
                result += "&"
            }
        }
        return result + rest
    }

    /// The character that a reference stands for: one of the five names of XML, or a number.
    ///
    /// - Parameter name: What is between `&` and `;`, such as `amp` or `#xA0`.
    package static func character(of name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            // `UInt32` reads a sign too.
            guard digits.first?.isHexDigit == true else { return nil }
            return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
        }
    }
}
