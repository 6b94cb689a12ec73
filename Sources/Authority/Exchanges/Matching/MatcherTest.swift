/// The tests that a matcher can make of a value: members of it whose names begin with `$`.
public enum MatcherTest: String, CaseIterable, Sendable {
    case equals = "$equals"
    case not = "$not"
    case all = "$all"
    case any = "$any"
    case exists = "$exists"
    case type = "$type"
    case contains = "$contains"
    case startsWith = "$startsWith"
    case endsWith = "$endsWith"
    case matches = "$matches"
    case lessThan = "$lt"
    case atMost = "$lte"
    case greaterThan = "$gt"
    case atLeast = "$gte"
    case length = "$length"
    case unordered = "$unordered"
    case time = "$time"
    case json = "$json"
    case base64url = "$base64url"
    case jwt = "$jwt"
    case url = "$url"

    /// What holds of a value that passes, one sentence.
    public var doc: String {
        switch self {
        case .equals:
            "The value is exactly this, with no further members; also the way to name a member that begins with `$`."
        case .not:
            "The value differs from this matcher. An absent value, or one of a type that the matcher says nothing about, "
                + "fails; `$exists` tests absence."
        case .all: "The value matches every matcher of this list."
        case .any: "The value matches at least one matcher of this list."
        case .exists: "The value is there (`true`) or is absent (`false`)."
        case .type: "The value is of this JSON type."
        case .contains: "The text holds this text; the array holds an element that matches."
        case .startsWith: "The text begins with this."
        case .endsWith: "The text ends with this."
        case .matches: "The text has a place that this regular expression matches; it is not anchored by itself."
        case .lessThan: "The number, instant or duration is less than this."
        case .atMost: "The number, instant or duration is at most this."
        case .greaterThan: "The number, instant or duration is greater than this."
        case .atLeast: "The number, instant or duration is at least this."
        case .length: "The number of characters, elements or members matches this."
        case .unordered: "The array has exactly these elements in any order; each is a matcher."
        case .time: "The instant, or number of seconds since 1970, equals this instant within two seconds."
        case .json: "The text, read as JSON, matches this."
        case .base64url: "The text, decoded from base64url to UTF-8 text, matches this."
        case .jwt: "The text, taken apart as a JSON Web Token into `header` and `claims`, matches this."
        case .url: "The text, taken apart as a URL into `scheme`, `host`, `path`, `query` and `fragment`, matches this."
        }
    }

    /// Whether the test makes sense of a number of log records.
    package var countsRecords: Bool {
        switch self {
        case .equals, .not, .all, .any, .lessThan, .atMost, .greaterThan, .atLeast: true
        default: false
        }
    }

    /// How many matches an element of a log's array must have; allowed only there.
    public static let times = "$times"
}

/// The words of `$type`.
public enum JSONTypeName: String, CaseIterable, Sendable {
    case string, number, boolean, object, array, null
}
