import JSON

/// What a header field may hold (RFC 9110, sections 5.1 and 5.5): the one rule for scripts, tenant files, policies, the
/// network inside the process and the real one.
public enum HeaderRules {
    /// Whether a byte may be in a field name or a method (RFC 9110, section 5.6.2).
    @inline(__always)
    public static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: "!#$%&'*+.^`|~".utf8.contains(byte)
        }
    }

    /// Whether a byte may be in a field value: anything but control characters; the tab is allowed.
    @inline(__always)
    public static func isValue(_ byte: UInt8) -> Bool { (byte >= 32 && byte != 127) || byte == 9 }

    /// Whether a text can be the name of a field, or a method.
    public static func isToken(_ text: String) -> Bool { !text.isEmpty && allBytes(of: text, isToken) }

    /// Whether a text can be the value of a field. Values have kilobytes, and a test from another module is called for each
    /// byte.
    public static func isValue(_ text: String) -> Bool { allBytes(of: text, isValue) }

    @inline(__always)
    private static func allBytes(of text: String, _ isRight: (UInt8) -> Bool) -> Bool {
        // A text that is one piece of memory, as nearly all are, is looked through several times faster that way.
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isRight) } ?? text.utf8.allSatisfy(isRight)
    }
}

extension HeaderField {
    /// Why the field cannot be sent; `nil` when it can.
    public var problem: String? {
        guard HeaderRules.isToken(name) else {
            return "the header field name `\(HeaderField.shown(name))` is not valid: letters, digits and "
                + "!#$%&'*+-.^_`|~ are allowed"
        }
        guard let byte = value.utf8.first(where: { !HeaderRules.isValue($0) }) else { return nil }
        return "the value of the header field `\(name)` contains \(HeaderField.described(byte)), which cannot be sent: "
            + "control characters are not allowed in header values"
    }

    private static func described(_ byte: UInt8) -> String {
        switch byte {
        case 0: "a null character (U+0000)"
        case 10: "a line feed (U+000A)"
        case 13: "a carriage return (U+000D)"
        default: "a control character (U+00\(hex(byte)))"
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }

    /// A name without what would break the line of a message.
    private static func shown(_ name: String) -> String {
        String(decoding: name.utf8.map { HeaderRules.isValue($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension Headers {
    /// Why these fields cannot be sent, of the first that cannot; `nil` when all can.
    public var problem: String? {
        // By index: iterating would copy, and so retain, every field on the way.
        for index in fields.indices
        where !HeaderRules.isValue(fields[index].value) || !HeaderRules.isToken(fields[index].name) {
            return fields[index].problem
        }
        return nil
    }
}

extension Shape {
    /// The value of a header field in a file.
    public static let headerValue = Shape.pattern(
        "^[^\u{0}-\u{8}\u{a}-\u{1f}\u{7f}]*$", hint: "text without line breaks and other control characters")
}
