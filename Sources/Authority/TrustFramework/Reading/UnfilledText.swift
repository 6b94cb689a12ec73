/// Placeholders in a text that nothing has filled in: `{Settings:NAME}`, and those of other deployment tools such as
/// `{name}`, `{{name}}`, `${name}`, `$(name)`, `#{name}#`, `@name@` and `__name__`, and of articles: `[name]` and `<name>`.
public enum UnfilledText {
    /// What may be between the two ends.
    private enum Inside {
        case anything
        /// Addresses have `@` and `_` too, so what they enclose must be a word.
        case word
        /// Not the colons of an IPv6 address. A query has brackets of its own.
        case label
    }

    /// Longer openings first, so that `{{name}}` is one placeholder.
    private static let forms: [(opening: [UInt8], closing: [UInt8], inside: Inside)] = {
        let forms: [(String, String, Inside)] = [
            ("#{", "}#", .anything), ("{{", "}}", .anything), ("${", "}", .anything), ("#{", "}", .anything),
            ("{", "}", .anything), ("$(", ")", .anything), ("@", "@", .word), ("__", "__", .word), ("[", "]", .label),
            ("<", ">", .label),
        ]
        return forms.map { (Array($0.0.utf8), Array($0.1.utf8), $0.2) }
    }()

    /// The placeholders as they are written, in their order, each once.
    public static func placeholders(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        var found: [String] = []
        var at = 0
        while at < bytes.count {
            guard let end = end(at: at, in: bytes, isQuery: at > query) else {
                at += 1
                continue
            }
            let placeholder = String(decoding: bytes[at..<end], as: UTF8.self)
            if !found.contains(placeholder) { found.append(placeholder) }
            at = end
        }
        return found
    }

    /// Where the placeholder ends that begins at a byte; `nil` where none begins.
    private static func end(at start: Int, in bytes: [UInt8], isQuery: Bool) -> Int? {
        for form in forms where bytes[start...].starts(with: form.opening) {
            if isQuery, form.inside == .label { continue }
            let name = start + form.opening.count
            var end = name
            while end < bytes.count, !bytes[end...].starts(with: form.closing),
                isName(bytes[end], form.inside)
            {
                end += 1
            }
            guard end > name, end < bytes.count, bytes[end...].starts(with: form.closing) else { continue }
            // An address of IPv6 has brackets too.
            if form.opening == [UInt8(ascii: "[")], bytes[name..<end].contains(UInt8(ascii: ":")) { continue }
            return end + form.closing.count
        }
        return nil
    }

    private static func isName(_ byte: UInt8, _ inside: Inside) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return true
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"): return false
        case UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "<"): return inside == .anything
        default: return inside != .word && byte >= 0x20
        }
    }
}
