import Determinism
import JSON
import TrustFramework

/// The value of a claim. Absence is a claim that is not in the bag; an empty text is a value.
public enum ClaimValue: Hashable, Sendable, Codable {
    /// `string`, `phoneNumber`, `duration`; `date` as `yyyy-mm-dd`; `userIdentity` and the like as their JSON text.
    case text(String)
    case boolean(Bool)
    /// `int` and `long`.
    case integer(Int64)
    case dateTime(Timestamp)
    /// Collections: texts, or the JSON texts of identities.
    case list([String])

    /// The value as preconditions, formats and forms see it: `True`/`False`, decimal digits, ISO 8601. Collections have
    /// no text.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .boolean(let flag): flag ? "True" : "False"
        case .integer(let number): String(number)
        case .dateTime(let instant): ClaimText.dateTime(instant)
        case .list: nil
        }
    }

    public var booleanValue: Bool? {
        switch self {
        case .boolean(let flag): flag
        case .text(let text): ClaimText.boolean(text)
        default: nil
        }
    }

    public var integerValue: Int64? {
        switch self {
        case .integer(let number): number
        case .text(let text): Int64(text)
        default: nil
        }
    }

    public var dateTimeValue: Timestamp? {
        switch self {
        case .dateTime(let instant): instant
        case .text(let text): ClaimText.instant(text)
        default: nil
        }
    }

    public var listValue: [String]? {
        if case .list(let items) = self { items } else { nil }
    }

    /// Whether nothing is in it: an empty text or list. Tokens leave such claims out.
    public var isEmpty: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .list(let items): items.isEmpty
        default: false
        }
    }

    /// The value in a token, a page's settings or a REST body.
    public func json(as type: DataType) -> JSONValue {
        switch self {
        case .text(let text):
            switch type {
            case .userIdentity, .objectIdentity:
                return (try? JSONParser.parse(text)) ?? .string(text)
            default:
                return .string(text)
            }
        case .boolean(let flag): return .bool(flag)
        case .integer(let number): return .integer(number)
        case .dateTime(let instant): return .string(ClaimText.dateTime(instant))
        case .list(let items):
            switch type {
            case .userIdentityCollection, .objectIdentityCollection:
                return .array(items.map { (try? JSONParser.parse($0)) ?? .string($0) })
            default:
                return .array(items.map(JSONValue.string))
            }
        }
    }

    /// The value as a claim of a token. A `dateTime` is a number of seconds since 1970 there; a `date` keeps its text
    /// (Microsoft docs: claimsschema).
    func tokenJSON(as type: DataType) -> JSONValue {
        if case .dateTime(let instant) = self { return .integer(instant.secondsSinceEpoch) }
        return json(as: type)
    }

    /// Reads a JSON value as a claim of this type; `nil` when it does not fit. A single value becomes a list of one. A
    /// number is an instant in seconds since 1970, as tokens have it (inferred).
    public init?(_ json: JSONValue, as type: DataType) {
        switch json {
        case .null: return nil
        case .string(let text): self.init(text, as: type)
        case .bool(let flag):
            switch type {
            case .boolean: self = .boolean(flag)
            case .string: self = .text(flag ? "true" : "false")
            default: return nil
            }
        case .integer(let number) where type == .dateTime || type == .date:
            self.init(ClaimText.dateTime(Timestamp(seconds: number)), as: type)
        case .integer(let number): self.init(String(number), as: type)
        case .number:
            if let whole = json.intValue {
                self.init(String(whole), as: type)
            } else {
                self.init(json.description, as: type)
            }
        case .array(let elements):
            if type.isCollection {
                self = .list(elements.map { $0.stringValue ?? JSONWriter.compact($0) })
            } else if type == .string {
                self = .text(JSONWriter.compact(json))
            } else {
                return nil
            }
        case .object:
            let text = JSONWriter.compact(json)
            if type.isCollection { self = .list([text]) } else { self = .text(text) }
        }
    }

    /// Reads a text (a form field, a `DefaultValue`, a query parameter) as a claim of this type; `nil` when it does not
    /// fit.
    public init?(_ text: String, as type: DataType) {
        switch type {
        case .boolean:
            guard let flag = ClaimText.boolean(text) else { return nil }
            self = .boolean(flag)
        case .int:
            guard let number = Int32(text.trimmingSpaces) else { return nil }
            self = .integer(Int64(number))
        case .long:
            guard let number = Int64(text.trimmingSpaces) else { return nil }
            self = .integer(number)
        case .dateTime:
            guard let instant = ClaimText.instant(text) else { return nil }
            self = .dateTime(instant)
        case .date:
            guard let date = ClaimText.date(text) else { return nil }
            self = .text(date)
        case .stringCollection, .userIdentityCollection, .alternativeSecurityIdCollection, .objectIdentityCollection:
            self = .list([text])
        case .string, .duration, .phoneNumber, .userIdentity, .objectIdentity:
            self = .text(text)
        }
    }
}

/// Texts of typed claims.
enum ClaimText {
    /// `true` and `false` in any letter case.
    static func boolean(_ text: String) -> Bool? {
        switch text.trimmingSpaces.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }

    /// Seven fraction digits, as the service writes the current time: `2022-01-01T00:00:00.1000000Z`; none when whole.
    static func dateTime(_ instant: Timestamp) -> String {
        let text = instant.rfc3339
        guard let dot = text.firstIndex(of: ".") else { return text }
        let fraction = text[text.index(after: dot)...].prefix { $0.isNumber }
        let padded = fraction + String(repeating: "0", count: max(0, 7 - fraction.count))
        return text[..<dot] + "." + padded + "Z"
    }

    /// An ISO 8601 instant. A date alone is its midnight, a time without zone is UTC, and fractions may have up to seven
    /// digits (of which three are kept).
    static func instant(_ text: String) -> Timestamp? {
        var body = Substring(text.trimmingSpaces)
        if body.count == 10, date(String(body)) != nil { return Timestamp(rfc3339: body + "T00:00:00Z") }
        var zone = "Z"
        if let mark = body.dropFirst(10).lastIndex(where: { $0 == "Z" || $0 == "z" || $0 == "+" || $0 == "-" }) {
            zone = String(body[mark...]).uppercased()
            body = body[..<mark]
        }
        if let dot = body.firstIndex(of: ".") {
            let fraction = body[body.index(after: dot)...]
            guard !fraction.isEmpty, fraction.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            body = body[..<dot] + "." + (fraction + "000").prefix(3)
        }
        return Timestamp(rfc3339: String(body) + zone)
    }

    /// A calendar date `yyyy-mm-dd`, also cut from an instant; `nil` when there is no such day.
    static func date(_ text: String) -> String? {
        let day = String(text.trimmingSpaces.prefix(10))
        guard day.count == 10, Timestamp(rfc3339: day + "T00:00:00Z") != nil else { return nil }
        let rest = text.trimmingSpaces.dropFirst(10)
        guard rest.isEmpty || rest.first == "T" else { return nil }
        return day
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmingSpaces: String {
        // Nearly all texts have nothing to trim, which their first and last byte show.
        let text = String(self)
        if let first = text.utf8.first, let last = text.utf8.last, first > 32, first < 128, last > 32, last < 128 {
            return text
        }
        var rest = text[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
