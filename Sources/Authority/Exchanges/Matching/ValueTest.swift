import Determinism
import JSON

/// One `$` test with its argument.
struct ValueTest {
    let test: MatcherTest
    let wanted: JSONValue
    let pointer: JSONPointer
    /// Whether somebody reads the differences, see ``Matcher``.
    let inWords: Bool

    /// Every difference; empty when `actual` passes.
    func mismatches(_ actual: JSONValue?) -> [Mismatch] {
        switch test {
        case .equals:
            if actual?.sameValue(as: wanted) == true { return [] }
            return [inWords ? Matcher.difference(pointer, wanted, actual) : .wordless(isInapplicable: actual == nil)]
        case .not:
            let inner = mismatches(actual, wanted)
            guard inWords else { return Matcher.negated(Verdict(inner)) }
            return Matcher.negated(inner, what: "anything", wanted: wanted, actual: actual, at: pointer).map { [$0] }
                ?? []
        case .all:
            guard let all = wanted.arrayValue else { return [needs("a list of matchers", actual)] }
            return all.flatMap { mismatches(actual, $0) }
        case .any:
            return anyMismatches(actual)
        case .exists:
            guard let there = wanted.boolValue else { return [needs("true or false", actual)] }
            if there == (actual != nil) { return [] }
            return [
                fault(actual, there ? "expected a value, actual nothing" : "expected nothing, actual \(json(actual))")
            ]
        default:
            guard let actual else { return [inapplicable(nil, "expected \(phrase), actual nothing")] }
            return mismatches(ofValue: actual)
        }
    }

    /// Every difference from another matcher, here or in what the test is about.
    private func mismatches(_ actual: JSONValue?, _ matcher: JSONValue, inside: Bool = false) -> [Mismatch] {
        Matcher.mismatches(
            actual, expected: matcher, at: inside && inWords ? pointer.appending(test.rawValue) : pointer,
            inWords: inWords)
    }

    private func mismatches(ofValue actual: JSONValue) -> [Mismatch] {
        switch test {
        case .type:
            return wanted.stringValue == actual.typeName ? [] : [wrong(actual)]
        case .contains:
            return containsMismatches(actual)
        case .startsWith:
            return textTest(actual, { $0.utf8.starts(with: $1.utf8) }, looks: { $0.starts(with: $1) })
        case .endsWith:
            return textTest(
                actual, { $0.utf8.reversed().starts(with: $1.utf8.reversed()) },
                looks: { $0.reversed().starts(with: $1.reversed()) })
        case .matches:
            return patternMismatches(actual)
        case .lessThan: return ordered(actual) { $0 < 0 }
        case .atMost: return ordered(actual) { $0 <= 0 }
        case .greaterThan: return ordered(actual) { $0 > 0 }
        case .atLeast: return ordered(actual) { $0 >= 0 }
        case .length:
            guard let length = Self.length(of: actual) else {
                return [
                    inapplicable(actual, "expected a text, array or object of a certain size, actual \(json(actual))")
                ]
            }
            return mismatches(.integer(Int64(length)), wanted, inside: true)
        case .unordered:
            return unorderedMismatches(actual)
        case .time:
            return timeMismatches(actual)
        case .json, .base64url, .jwt, .url:
            return decodedMismatches(actual)
        case .equals, .not, .all, .any, .exists:
            return []
        }
    }

    // MARK: Alternatives

    private func anyMismatches(_ actual: JSONValue?) -> [Mismatch] {
        guard let alternatives = wanted.arrayValue else { return [needs("a list of matchers", actual)] }
        var nearest: (alternative: JSONValue, count: Int)?
        var oneIsInapplicable = false
        for alternative in alternatives {
            let found = Matcher.mismatches(actual, expected: alternative, at: pointer, inWords: false)
            if found.isEmpty { return [] }
            oneIsInapplicable = oneIsInapplicable || Verdict(found) == .inapplicable
            if found.count < nearest?.count ?? Int.max { nearest = (alternative, found.count) }
        }
        guard inWords else { return [.wordless(isInapplicable: oneIsInapplicable)] }
        var text =
            "expected one of \(Wording.count(alternatives.count, "alternative")), actual \(Wording.found(actual))"
        if let nearest, let first = mismatches(actual, nearest.alternative).first, first.pointer != pointer {
            text += "; nearest, \(first)"
        }
        return [fault(actual, text, isInapplicable: oneIsInapplicable)]
    }

    private func containsMismatches(_ actual: JSONValue) -> [Mismatch] {
        switch actual {
        case .array(let elements):
            guard !elements.contains(where: { Matcher.matches($0, wanted) }) else { return [] }
            return [
                wrong(
                    actual, note: elements.lazy.compactMap { LookAlike.note(wanted, $0) }.first,
                    isInapplicable: fitsNone(elements, wanted))
            ]
        case .string(let text):
            guard let part = wanted.stringValue else { return [wrong(actual, isInapplicable: true)] }
            guard !Self.holds(text, part) else { return [] }
            func looks(_ characters: [Character], _ part: [Character]) -> Bool {
                part.count <= characters.count
                    && (0...(characters.count - part.count)).contains { characters[$0...].starts(with: part) }
            }
            return [wrong(actual, note: LookAlike.note(part: part, of: text, looks))]
        default:
            return [inapplicable(actual, "expected a text or an array, actual \(json(actual))")]
        }
    }

    /// Whether a matcher applies to none of the elements, as with a misspelt member. Elements may differ in kind, so one
    /// to which it applies is enough.
    private func fitsNone(_ elements: [JSONValue], _ matcher: JSONValue) -> Bool {
        !elements.isEmpty
            && elements.allSatisfy { Matcher.verdict(of: $0, matcher) == .inapplicable }
    }

    /// Byte-wise, so that "é" in two spellings stays two texts, as on the wire.
    static func holds(_ text: String, _ part: String) -> Bool {
        let text = Array(text.utf8)
        let part = Array(part.utf8)
        guard !part.isEmpty else { return true }
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0] == part[0] && text[$0...].starts(with: part) }
    }

    private func unorderedMismatches(_ actual: JSONValue) -> [Mismatch] {
        guard let matchers = wanted.arrayValue else { return [needs("a list of matchers", actual)] }
        guard case .array(let elements) = actual else {
            return [inapplicable(actual, "expected an array, actual \(json(actual))")]
        }
        guard elements.count == matchers.count else {
            return [
                fault(
                    actual,
                    "expected \(Wording.count(matchers.count, "element")) in any order, actual \(elements.count): \(json(actual))"
                )
            ]
        }
        guard let left = Assignment.firstUnassigned(matchers, elements, Matcher.matches) else { return [] }
        var mismatch = fault(
            actual,
            "no element is left for \(Wording.json(matchers[left])) among \(json(actual))",
            isInapplicable: fitsNone(elements, matchers[left]))
        if inWords { mismatch.add(note: elements.lazy.compactMap { LookAlike.note(matchers[left], $0) }.first) }
        return [mismatch]
    }

    // MARK: Texts

    private func textTest(
        _ actual: JSONValue, _ holds: (String, String) -> Bool, looks: ([Character], [Character]) -> Bool
    ) -> [Mismatch] {
        guard let part = wanted.stringValue else { return [needs("a text", actual)] }
        guard case .string(let text) = actual else { return [wrong(actual, isInapplicable: true)] }
        return holds(text, part) ? [] : [wrong(actual, note: LookAlike.note(part: part, of: text, looks))]
    }

    private func patternMismatches(_ actual: JSONValue) -> [Mismatch] {
        guard let source = wanted.stringValue else { return [needs("a regular expression", actual)] }
        guard case .string(let text) = actual else { return [wrong(actual, isInapplicable: true)] }
        do throws(PatternError) {
            return try Pattern(source).hasMatch(in: text) ? [] : [wrong(actual)]
        } catch {
            return [
                inapplicable(actual, "the regular expression \(Wording.json(wanted)) cannot be used: \(error.message)")
            ]
        }
    }

    private static func length(of value: JSONValue) -> Int? {
        switch value {
        case .string(let text): text.unicodeScalars.count
        case .array(let elements): elements.count
        case .object(let object): object.count
        default: nil
        }
    }

    // MARK: Amounts

    private func ordered(_ actual: JSONValue, _ holds: (Int) -> Bool) -> [Mismatch] {
        guard let limit = Amount(wanted, like: nil) else {
            return [needs("a number, an instant or a duration", actual)]
        }
        guard let amount = Amount(actual, like: limit), let order = amount.order(to: limit) else {
            return [
                inapplicable(actual, "expected \(phrase), actual \(json(actual)), which cannot be compared with it")
            ]
        }
        return holds(order) ? [] : [wrong(actual)]
    }

    private func timeMismatches(_ actual: JSONValue) -> [Mismatch] {
        guard case .instant(let instant)? = Amount(wanted, like: .instant(Timestamp(seconds: 0))) else {
            return [needs("an instant", actual)]
        }
        guard case .instant(let found)? = Amount(actual, like: .instant(instant)) else {
            return [inapplicable(actual, "expected \(phrase), actual \(json(actual)), which is not an instant")]
        }
        let apart = found - instant
        guard apart.milliseconds.magnitude > 2000 else { return [] }
        let side = apart < .zero ? "earlier" : "later"
        return [
            fault(
                actual,
                "expected \(instant.rfc3339) within 2 s, actual \(found.rfc3339), "
                    + "\(TimeSpan(milliseconds: Int64(clamping: apart.milliseconds.magnitude)).iso8601) \(side)")
        ]
    }

    // MARK: Decoding

    private func decodedMismatches(_ actual: JSONValue) -> [Mismatch] {
        guard case .string(let text) = actual else { return [wrong(actual, isInapplicable: true)] }
        switch DecodedText.decode(text, as: test) {
        case .success(let decoded):
            return mismatches(decoded, wanted, inside: true)
        case .failure(let reason):
            return [inapplicable(actual, "expected \(phrase), actual \(json(actual)): \(reason.message)")]
        }
    }

    // MARK: Words

    private var phrase: String {
        switch test {
        case .type: "\(ValuePath.article(wanted.stringValue ?? "?"))"
        case .contains: "something that contains \(Wording.json(wanted))"
        case .startsWith: "a text that starts with \(Wording.json(wanted))"
        case .endsWith: "a text that ends with \(Wording.json(wanted))"
        case .matches: "a text that matches \(Wording.json(wanted))"
        case .lessThan: "less than \(Wording.json(wanted))"
        case .atMost: "at most \(Wording.json(wanted))"
        case .greaterThan: "more than \(Wording.json(wanted))"
        case .atLeast: "at least \(Wording.json(wanted))"
        case .length: "a size that matches \(Wording.json(wanted))"
        case .unordered: "the elements \(Wording.json(wanted)) in any order"
        case .time: "the instant \(Wording.json(wanted))"
        case .json: "JSON text"
        case .base64url: "base64url text"
        case .jwt: "a JSON Web Token"
        case .url: "a URL"
        case .equals, .not, .all, .any, .exists: Wording.json(wanted)
        }
    }

    private func json(_ value: JSONValue?) -> String { Wording.found(value) }

    private func wrong(
        _ actual: JSONValue, note: @autoclosure () -> String? = nil, isInapplicable: Bool = false
    ) -> Mismatch {
        var mismatch = fault(
            actual, "expected \(phrase), actual \(json(actual))", isInapplicable: isInapplicable)
        if inWords { mismatch.add(note: note()) }
        return mismatch
    }

    private func needs(_ argument: String, _ actual: JSONValue?) -> Mismatch {
        inapplicable(actual, "`\(test.rawValue)` needs \(argument), not \(Wording.json(wanted))")
    }

    private func inapplicable(_ actual: JSONValue?, _ text: @autoclosure () -> String) -> Mismatch {
        fault(actual, text(), isInapplicable: true)
    }

    private func fault(
        _ actual: JSONValue?, _ text: @autoclosure () -> String, isInapplicable: Bool = false
    ) -> Mismatch {
        guard inWords else { return .wordless(isInapplicable: isInapplicable) }
        return Mismatch(
            pointer: pointer, wanted: .object(JSONObject([(test.rawValue, wanted)])), found: actual, text: text(),
            isInapplicable: isInapplicable)
    }
}
