import B2CProtocol
import Diagnostics
import Exchanges
import JSON
import TrustFramework

/// Checks the names inside the matchers of an invariant: a misspelled one matches nothing, so the invariant would pass
/// for nothing.
struct InvariantNames {
    /// Something wrong, without its file.
    struct Problem {
        var rule: ExplorationRule
        var message: String
        var remedy: String?
        var pointer: JSONPointer
        var isKey = false
    }

    let policy: ResolvedPolicy
    private let people: [TestPerson]
    private(set) var problems: [Problem] = []
    /// Technical profiles that were named, in lower case.
    private(set) var watched: Set<String> = []

    init(_ policy: ResolvedPolicy) {
        self.policy = policy
        people = Explorer(policy).cast.roster.people
    }

    /// Members that only one event has.
    private static let ofEvent: [String: Invariants.Event] = [
        "claims": .token, "error": .failure, "page": .page, "call": .call,
    ]

    /// Checks a matcher of an event.
    mutating func check(_ object: JSONObject, _ event: Invariants.Event, _ pointer: JSONPointer) {
        for (key, value) in object.members {
            let place = pointer.appending(key)
            if key.hasPrefix("$") {
                checkOperator(key, value, place)
                let parts = value.arrayValue ?? [value]
                for (index, part) in parts.enumerated() {
                    guard let inner = part.objectValue else { continue }
                    check(inner, event, value.arrayValue == nil ? place : place.appending(index))
                }
                continue
            }
            guard Invariants.members.contains(key) else {
                unknown(key, "an event has no member `\(key)`", among: Invariants.members, at: place)
                continue
            }
            if let needed = Self.ofEvent[key], needed != event {
                problems.append(
                    Problem(
                        rule: .invariantEvent, message: "a \(event.rawValue) has no `\(key)`",
                        remedy: "Write \"at\": \"\(needed.rawValue)\", or remove `\(key)`.", pointer: place, isKey: true
                    ))
                continue
            }
            checkMember(key, value, place)
        }
    }

    private mutating func checkMember(_ key: String, _ value: JSONValue, _ pointer: JSONPointer) {
        checkOperators(value, pointer)
        switch key {
        case "profiles":
            for (text, place) in Self.literals(value, pointer) {
                named(text, "technical profile", among: policy.profiles.map(\.id), place)
                watched.insert(text.lowercased())
            }
        case "claims":
            let names = policy.relyingParty.outputClaims.map(\.wireName)
            for (name, place) in Self.keys(value, pointer) where !names.contains(name) {
                unknown(
                    name, "a token of \(policy.id) has no claim `\(name)`", among: names, at: place,
                    rule: .invariantProfile)
            }
        case "person":
            let names = Set(people.flatMap(\.record.keys)).union(["name", "hasAccount", "accountEnabled"]).sorted()
            for (name, place) in Self.keys(value, pointer) where !names.contains(name) {
                unknown(name, "a person has no member `\(name)`", among: names, at: place)
            }
            if let name = value["name"] {
                for (text, place) in Self.literals(name, pointer.appending("name")) {
                    named(text, "person", among: people.map(\.name), place)
                }
            }
        case "page":
            let pages = policy.profiles.filter { $0.handler.showsPage }.map(\.id) + policy.contentDefinitions.map(\.id)
            for (text, place) in Self.literals(value, pointer) { named(text, "page", among: pages, place) }
        case "error":
            for (name, place) in Self.keys(value, pointer) where !["code", "text"].contains(name) {
                unknown(name, "a failure has no member `\(name)`", among: ["code", "text"], at: place)
            }
            guard let code = value["code"] else { return }
            for (text, place) in Self.literals(code, pointer.appending("code")) where B2CErrorCode.named(text) == nil {
                unknown(
                    text, "there is no error code \(text)", among: [], at: place, isKey: false,
                    rule: .invariantProfile)
            }
        case "call":
            let names = ["method", "url", "profile"]
            for (name, place) in Self.keys(value, pointer) where !names.contains(name) {
                unknown(name, "a call has no member `\(name)`", among: names, at: place)
            }
            guard let profile = value["profile"] else { return }
            for (text, place) in Self.literals(profile, pointer.appending("profile")) {
                named(text, "technical profile", among: policy.profiles.map(\.id), place)
            }
        default:
            if case .bool = value { return }
            guard value.objectValue == nil else { return }
            problems.append(
                Problem(
                    rule: .invariantShape, message: "`\(key)` is true or false", remedy: "Write true or false.",
                    pointer: pointer))
        }
    }

    // MARK: Names

    private mutating func named(_ text: String, _ what: String, among names: [String], _ pointer: JSONPointer) {
        guard !names.contains(text) else { return }
        let same = names.first { sameID($0, text) }
        let near = same ?? nearestName(text, among: names)
        problems.append(
            Problem(
                rule: .invariantProfile, message: "\(policy.id) has no \(what) \(text)",
                remedy: near.map { "Did you mean \($0)?" }, pointer: pointer))
    }

    private mutating func unknown(
        _ name: String, _ message: String, among names: [String], at pointer: JSONPointer, isKey: Bool = true,
        rule: ExplorationRule = .invariantKey
    ) {
        let near = nearestName(name, among: names).map { "Did you mean \($0)?" }
        let list = names.isEmpty ? nil : "Expected one of \(names.joined(separator: ", "))."
        problems.append(
            Problem(rule: rule, message: message, remedy: near ?? list, pointer: pointer, isKey: isKey))
    }

    /// Texts that a value must be: the matcher itself, or those of its operators that compare whole texts.
    private static func literals(_ matcher: JSONValue, _ pointer: JSONPointer) -> [(String, JSONPointer)] {
        switch matcher {
        case .string(let text): [(text, pointer)]
        case .array(let list): list.enumerated().flatMap { literals($0.element, pointer.appending($0.offset)) }
        case .object(let object):
            object.members.flatMap { key, value -> [(String, JSONPointer)] in
                switch MatcherTest(rawValue: key) {
                case .equals, .not, .all, .any, .contains, .unordered: literals(value, pointer.appending(key))
                default: []
                }
            }
        default: []
        }
    }

    /// Members that a matcher names, also inside its operators.
    private static func keys(_ matcher: JSONValue, _ pointer: JSONPointer) -> [(String, JSONPointer)] {
        switch matcher {
        case .array(let list): list.enumerated().flatMap { keys($0.element, pointer.appending($0.offset)) }
        case .object(let object):
            object.members.flatMap { key, value -> [(String, JSONPointer)] in
                let place = pointer.appending(key)
                guard key.hasPrefix("$") else { return [(key, place)] }
                switch MatcherTest(rawValue: key) {
                case .not, .all, .any: return keys(value, place)
                default: return []
                }
            }
        default: []
        }
    }

    // MARK: Operators

    private mutating func checkOperators(_ matcher: JSONValue, _ pointer: JSONPointer) {
        switch matcher {
        case .array(let list):
            for (index, value) in list.enumerated() { checkOperators(value, pointer.appending(index)) }
        case .object(let object):
            for (key, value) in object.members {
                let place = pointer.appending(key)
                if key.hasPrefix("$") { checkOperator(key, value, place) }
                if key != MatcherTest.equals.rawValue { checkOperators(value, place) }
            }
        default: return
        }
    }

    private mutating func checkOperator(_ key: String, _ value: JSONValue, _ pointer: JSONPointer) {
        guard let test = MatcherTest(rawValue: key) else {
            let names = MatcherTest.allCases.map(\.rawValue)
            return unknown(
                key, "there is no operator `\(key)`", among: names, at: pointer, rule: .invariantOperator)
        }
        let expected: String? =
            switch test {
            case .all, .any: value.arrayValue?.isEmpty == false ? nil : "a list that is not empty"
            case .unordered: value.arrayValue != nil ? nil : "a list"
            case .exists: value.boolValue != nil ? nil : "true or false"
            case .type: value.stringValue.flatMap(JSONTypeName.init(rawValue:)) != nil ? nil : "the name of a JSON type"
            case .startsWith, .endsWith, .matches: value.stringValue != nil ? nil : "a text"
            default: nil
            }
        guard let expected else { return }
        problems.append(
            Problem(
                rule: .invariantOperator, message: "`\(key)` has a value that it does not take",
                remedy: "Write \(expected).", pointer: pointer))
    }
}
