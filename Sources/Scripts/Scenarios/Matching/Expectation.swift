import Exchanges
import JSON

/// Compares a step's outcome with its `expect`.
///
/// Members are matched as ``Matcher`` does, the five logs as ``LogMatcher`` does, also in the outcomes inside a group's
/// `steps`. An outcome that is an error or pending fails unless the expectation names that and matches.
public enum Expectation {
    /// Every difference; empty when the step is as expected.
    ///
    /// - Parameter expected: With everything filled in; `nil` when the step expects nothing but success.
    public static func mismatches(outcome: JSONValue, expected: JSONValue?) -> [Mismatch] {
        mismatches(outcome: outcome, expected: expected, inWords: true)
    }

    /// Whether a step is as expected.
    package static func holds(outcome: JSONValue, expected: JSONValue?) -> Bool {
        mismatches(outcome: outcome, expected: expected, inWords: false).isEmpty
    }

    /// - Parameter inWords: Whether somebody reads the differences, see ``Matcher``.
    private static func mismatches(outcome: JSONValue, expected: JSONValue?, inWords: Bool) -> [Mismatch] {
        var result: [Mismatch] = []
        for member in ["error", "pending"] {
            guard let found = outcome[member], !covers(outcome, expected, member) else { continue }
            guard inWords else { return [.wordless(isInapplicable: false)] }
            result.append(
                Mismatch(
                    pointer: JSONPointer(tokens: [member]), wanted: .object(JSONObject([("$exists", .bool(false))])),
                    found: found, text: "the step \(ending(member, found))"))
        }
        if let expected { result += outcomeMismatches(outcome, expected, .root, inWords: inWords) }
        return result
    }

    /// Differences of an outcome without the rule that success is expected.
    private static func outcomeMismatches(
        _ outcome: JSONValue, _ expected: JSONValue, _ pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        guard case .object(let object) = expected else {
            return Matcher.mismatches(outcome, expected: expected, at: pointer, inWords: inWords)
        }
        return object.members.flatMap { name, wanted -> [Mismatch] in
            if let log = LogName(rawValue: name) {
                return LogMatcher.mismatches(
                    outcome[name]?.arrayValue ?? [], expected: wanted, log: log, at: pointer.appending(name),
                    inWords: inWords)
            }
            switch name {
            case "steps":
                return stepsMismatches(outcome[name], wanted, pointer.appending(name), inWords: inWords)
            case MatcherTest.all.rawValue:
                return (wanted.arrayValue ?? []).flatMap { outcomeMismatches(outcome, $0, pointer, inWords: inWords) }
            case MatcherTest.any.rawValue:
                return anyMismatches(outcome, wanted, pointer, inWords: inWords)
            case MatcherTest.not.rawValue:
                return negated(outcome, wanted, pointer, inWords: inWords)
            default:
                if name.hasPrefix("$") {
                    return Matcher.mismatches(
                        outcome, expected: .object(JSONObject([(name, wanted)])), at: pointer, inWords: inWords)
                }
                return memberMismatches(outcome, member: name, wanted: wanted, at: pointer, inWords: inWords)
            }
        }
    }

    /// An outcome is a whole of logs and members: in words it is not shown.
    private static func negated(
        _ outcome: JSONValue, _ wanted: JSONValue, _ pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        let inner = outcomeMismatches(outcome, wanted, pointer, inWords: inWords)
        guard inWords else { return Matcher.negated(Verdict(inner)) }
        guard var mismatch = Matcher.negated(inner, what: "an outcome", wanted: wanted, actual: nil, at: pointer) else {
            return []
        }
        if inner.isEmpty { mismatch.text = "expected an outcome that does not match \(Wording.json(wanted))" }
        return [mismatch]
    }

    private static func memberMismatches(
        _ outcome: JSONValue, member name: String, wanted: JSONValue, at pointer: JSONPointer,
        inWords: Bool
    ) -> [Mismatch] {
        let found = Matcher.mismatches(
            outcome[name], expected: wanted, at: pointer.appending(name), inWords: inWords)
        guard !found.isEmpty, outcome[name] == nil, let instead = endings.first(where: { outcome[$0] != nil }) else {
            return found
        }
        // "result absent" and the like say less than how the step ended instead. An ending that is expected and did not
        // come is a difference, not something that nothing can be said of: the step ended in another way.
        guard name == "result" || name == "error" || name == "pending" else { return found }
        guard inWords else { return [.wordless(isInapplicable: false)] }
        return [
            Mismatch(
                pointer: pointer.appending(name), wanted: wanted, found: nil,
                text: "expected \(Wording.json(wanted)), but the step \(ending(instead, outcome[instead] ?? .null))")
        ]
    }

    private static func stepsMismatches(
        _ steps: JSONValue?, _ wanted: JSONValue, _ pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        guard case .array(let elements) = wanted, case .array(let found)? = steps, found.count == elements.count else {
            return Matcher.mismatches(steps, expected: wanted, at: pointer, inWords: inWords)
        }
        return zip(found, elements).enumerated().flatMap { index, pair in
            outcomeMismatches(pair.0, pair.1, pointer.appending(index), inWords: inWords)
        }
    }

    private static func anyMismatches(
        _ outcome: JSONValue, _ wanted: JSONValue, _ pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        let alternatives = wanted.arrayValue ?? []
        var nearest: (alternative: JSONValue, count: Int)?
        var oneIsInapplicable = false
        for alternative in alternatives {
            let found = outcomeMismatches(outcome, alternative, pointer, inWords: false)
            if found.isEmpty { return [] }
            oneIsInapplicable = oneIsInapplicable || Verdict(found) == .inapplicable
            if found.count < nearest?.count ?? Int.max { nearest = (alternative, found.count) }
        }
        guard inWords else { return [.wordless(isInapplicable: oneIsInapplicable)] }
        let found = nearest.map { outcomeMismatches(outcome, $0.alternative, pointer, inWords: true) } ?? []
        return [
            Mismatch(
                pointer: pointer, wanted: .object(JSONObject([(MatcherTest.any.rawValue, wanted)])), found: nil,
                text: "none of \(Wording.count(alternatives.count, "alternative")) matches; nearest, "
                    + found.prefix(3).map(\.description).joined(separator: "; "),
                isInapplicable: oneIsInapplicable)
        ]
    }

    /// Whether a part of the expectation that applies to the outcome names a member.
    private static func covers(_ outcome: JSONValue, _ expected: JSONValue?, _ member: String) -> Bool {
        guard case .object(let object)? = expected else { return false }
        if object[member] != nil { return true }
        if let all = object[MatcherTest.all.rawValue]?.arrayValue, all.contains(where: { covers(outcome, $0, member) })
        {
            return true
        }
        guard let alternatives = object[MatcherTest.any.rawValue]?.arrayValue else { return false }
        return alternatives.contains {
            covers(outcome, $0, member) && outcomeMismatches(outcome, $0, .root, inWords: false).isEmpty
        }
    }

    private static let endings = ["error", "pending", "result"]

    private static func ending(_ member: String, _ value: JSONValue) -> String {
        switch member {
        case "error": "ended in the error \(errorTitle(value))"
        case "pending": "is pending: \(Wording.json(value["reason"] ?? value))\(pageTitle(value))"
        default: "succeeded"
        }
    }

    private static func errorTitle(_ error: JSONValue) -> String {
        let parts = ["kind", "name", "code", "internalName", "oauthError", "b2cCode"].compactMap { name in
            error[name].map { "\(name) \(Interpolation.text(of: $0))" }
        }
        let text = parts.isEmpty ? Wording.json(error) : parts.joined(separator: ", ")
        guard let description = error["description"]?.stringValue else { return text }
        return text + ": " + Wording.json(.string(description))
    }

    private static func pageTitle(_ pending: JSONValue) -> String {
        guard let name = pending["page"]?["name"]?.stringValue else { return "" }
        let error = pending["page"]?["error"]?.stringValue.map { ", which says \(Wording.json(.string($0)))" } ?? ""
        return " `\(name)`\(error)"
    }
}
