/// The regular expressions behind the text-like shapes; checker and schema use the same ones.
enum ShapeText {
    /// Nine digits a number keep every sum within 64 bits of milliseconds.
    static let duration =
        #"^[-+]?P(?=\d|T\d)(\d{1,9}W)?(\d{1,9}D)?(T(?=\d)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}([.,]\d{1,3})?S)?)?$"#
    /// RFC 3339 section 5.6, seconds up to 59.
    static let instant =
        #"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?"#
        + #"([Zz]|[-+]([01]\d|2[0-3]):[0-5]\d)$"#
    /// RFC 3986: a scheme, and no blanks. `msauth.com.contoso.tasks://auth` and `urn:ietf:wg:oauth:2.0:oob` are URLs.
    static let url = #"^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$"#
    /// A text that is nothing but one `{{...}}`: it becomes the value itself, of any type.
    static let wholeTemplate = #"^\{\{[^{}]+\}\}$"#
    /// A text with a `{{...}}` in it: what it will be is not known yet.
    static let anyTemplate = #"\{\{[^{}]+\}\}"#

    static let durationPattern = try? Pattern(duration, dialect: .schema)
    static let instantPattern = try? Pattern(instant, dialect: .schema)
    static let urlPattern = try? Pattern(url, dialect: .schema)

    /// Whether an expression matches somewhere in a text; not either where that takes too much work.
    static func matches(_ text: String, _ pattern: Pattern?) -> Bool {
        (try? pattern?.hasMatch(in: text)) ?? false
    }

    /// Both templates in one pass; no expression, since every string of a file is asked.
    static func template(in text: String) -> (any: Bool, whole: Bool) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 5 else { return (false, false) }
        var offset = 0
        while offset + 1 < bytes.count {
            guard bytes[offset] == UInt8(ascii: "{"), bytes[offset + 1] == UInt8(ascii: "{") else {
                offset += 1
                continue
            }
            var end = offset + 2
            while end < bytes.count, bytes[end] != UInt8(ascii: "{"), bytes[end] != UInt8(ascii: "}") { end += 1 }
            if end > offset + 2, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "}"),
                bytes[end + 1] == UInt8(ascii: "}")
            {
                return (true, offset == 0 && end + 2 == bytes.count)
            }
            offset += 1
        }
        return (false, false)
    }
}

extension Shape {
    /// What a value must be, in words that follow "must be".
    func phrase(_ named: [String: Shape], depth: Int = 0) -> String {
        switch self {
        case .any: return "any value"
        case .bool: return "true or false"
        case .integer(nil): return "a whole number"
        case .integer(let bounds?):
            if bounds.upperBound == .max { return "a whole number of at least \(bounds.lowerBound)" }
            if bounds.lowerBound == .min { return "a whole number of at most \(bounds.upperBound)" }
            return "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .number: return "a number"
        case .string: return "a string"
        case .nonEmptyString: return "a string that is not empty"
        case .duration: return "an ISO 8601 duration such as \"PT5M\""
        case .instant: return "an RFC 3339 instant such as \"2026-01-15T12:00:00Z\""
        case .url: return "an absolute URL"
        case .pattern(_, let hint): return "a string (\(hint))"
        case .oneOf(let choices):
            let values = choices.filter { $0.notBuiltYet == nil }.map { "\"\($0.value)\"" }
            if values.count == 1 { return values[0] }
            let shown = values.prefix(10)
            return "one of " + shown.joined(separator: ", ") + (values.count > shown.count ? ", ..." : "")
        case .name(let kind): return "the name of \(kind.phrase)"
        case .array: return "an array"
        case .map(_, let keyHint, _): return "an object (\(keyHint) to value)"
        case .object(let object): return "an object (\(object.title))"
        case .anyOf(let shapes):
            guard depth < 8 else { return "one of several shapes" }
            var phrases: [String] = []
            for shape in shapes {
                let phrase = shape.phrase(named, depth: depth + 1)
                if !phrases.contains(phrase) { phrases.append(phrase) }
            }
            guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "nothing" }
            return phrases.dropLast().joined(separator: ", ") + " or " + last
        case .nullable(let shape):
            guard depth < 8 else { return "something or null" }
            return shape.phrase(named, depth: depth + 1) + " or null"
        case .ref(let name):
            guard depth < 8, let shape = named[name] else { return name }
            return shape.phrase(named, depth: depth + 1)
        }
    }
}

extension NameKind {
    /// The kind with its article: "a policy", "an app".
    public var phrase: String {
        switch self {
        case .policy: "a policy"
        case .app: "an app"
        case .person: "a person"
        case .api, .apiName: "an API"
        case .provider: "an identity provider"
        case .client: "a client"
        case .caseName: "a case"
        case .step: "an earlier step"
        case .device: "a device"
        case .browser: "a browser"
        case .keySet: "a key set"
        case .page: "a page"
        case .field: "a field"
        case .scenarioTag: "a tag"
        case .host: "a host"
        case .restStub: "a REST stub"
        case .key: "a key"
        case .claim: "a claim"
        case .variable: "a variable"
        case .barrier: "a barrier"
        case .button: "a button"
        case .control: "a control"
        case .policyKey: "a policy key"
        }
    }
}
