import B2CProtocol
import Determinism
import Exchanges
import JSON
import Scenarios

/// Other values that a script could have in the place of one.
enum Alternatives {
    /// Values of the same type; none where the value is a list or an object.
    static func of(_ value: JSONValue, named name: String) -> [JSONValue] {
        switch value {
        case .bool(let flag): return [.bool(!flag)]
        case .integer(let number): return [.integer(number &+ 1), 0, .integer(number &+ 200)].filter { $0 != value }
        case .number(let number): return [.number(number + 1)]
        case .string(let text):
            if Interpolation.isNeeded(in: value) { return [] }
            if GUID(text) != nil { return otherGUIDs.filter { $0 != value } }
            if TimeSpan(iso8601: text) != nil { return ["PT1S", "P400D", "PT1H7M"].filter { $0 != value } }
            let words = ScriptWords.choices[name]?.filter { $0 != text }.sorted().prefix(6).map { JSONValue.string($0) }
            return (words ?? []) + [.string(text + OtherValues.otherText)]
        default: return []
        }
    }
}

extension Alternatives {
    private static let otherGUIDs: [JSONValue] = [
        "5f0e3c1a-7b2d-4c68-9a41-d20b6e8f7c35", "c2a94d70-1e6b-4f83-8d5c-3b7f60a9e214",
    ]

    /// The same with another end, if it is a text.
    static func altered(_ value: JSONValue) -> JSONValue {
        value.stringValue.map { .string($0 + OtherValues.otherText) } ?? value
    }

    /// Values far beyond a setting, by which a limit shows that is just not reached: spans thirty times as long and a
    /// thirtieth, of clock differences on both sides; for a count 1 and 100. None for what is neither.
    static func extremes(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let object):
            return object.members.flatMap { name, inner in
                extremes(of: inner).map { other in
                    var changed = object
                    changed[name] = other
                    return .object(changed)
                }
            }
        case .integer: return [1, 100].filter { $0 != value }
        case .string(let text):
            guard !Interpolation.isNeeded(in: value), let span = TimeSpan(iso8601: text) else { return [] }
            let long = span.milliseconds.multipliedReportingOverflow(by: 30)
            guard !long.overflow else { return [] }
            return [long.partialValue, span.milliseconds / 30, -long.partialValue]
                .map { .string(TimeSpan(milliseconds: $0).iso8601) }.filter { $0 != value }
        default: return []
        }
    }

    /// A longer span: what is near a limit is beyond it then.
    static func longer(than span: TimeSpan, times: Int64) -> JSONValue {
        let (length, overflows) = span.milliseconds.multipliedReportingOverflow(by: times)
        return .string(TimeSpan(milliseconds: overflows ? span.milliseconds : length).iso8601)
    }
}

/// The words of scripts and tenant files, as their shapes have them.
enum ScriptWords {
    /// By the name of a key, the words that it takes.
    static let choices: [String: Set<String>] = known.choices

    /// The words among which a member of an outcome has its value; `nil` where it may have any.
    static func domain(of member: String, with value: String) -> Set<String>? {
        outcome[member]?.filter { $0.contains(value) }.min { $0.count < $1.count }
    }

    private static let outcome: [String: [Set<String>]] = {
        var walk = Walk()
        for (_, shape) in OutcomeShapes.named { walk.add(shape, "") }
        return walk.sets
    }()

    /// Every name of a key and every word, and the codes of errors.
    static let all: Set<String> = known.all.union(oauthErrors)

    private static let oauthErrors = Set(B2CErrorCode.all.compactMap(\.oauthError))

    /// The words that a member of an outcome may have.
    static func words(of member: String) -> Set<String> {
        ["error", "oauthError"].contains(member) ? oauthErrors : wire[member] ?? choices[member] ?? []
    }

    /// Values of parameters (RFC 6749, OpenID Connect Core 3.1.2.1).
    private static let wire: [String: Set<String>] = [
        "grant_type": ["authorization_code", "refresh_token", "password", "client_credentials"],
        "response_type": ["code", "id_token", "token"], "response_mode": ["query", "fragment", "form_post"],
        "prompt": ["login", "none", "consent", "select_account"],
    ]

    private static let known: (choices: [String: Set<String>], all: Set<String>) = {
        var walk = Walk()
        for (_, shape) in ScenarioShapes.named { walk.add(shape, "") }
        walk.add(ScenarioShapes.root, "")
        return (walk.choices, walk.all)
    }()

    private struct Walk {
        var choices: [String: Set<String>] = [:]
        var all: Set<String> = []
        var sets: [String: [Set<String>]] = [:]

        mutating func add(_ shape: Shape, _ name: String) {
            switch shape {
            case .oneOf(let words):
                sets[name, default: []].append(Set(words.map(\.value)))
                for word in words {
                    choices[name, default: []].insert(word.value)
                    all.insert(word.value)
                }
            case .array(let inner), .nullable(let inner): add(inner, name)
            case .map(let inner, _, _): add(inner, name)
            case .anyOf(let shapes): for inner in shapes { add(inner, name) }
            case .object(let object):
                for field in object.fields {
                    all.insert(field.name)
                    add(field.shape, field.name)
                }
                if let open = object.open { add(open, name) }
            default: break
            }
        }
    }
}
