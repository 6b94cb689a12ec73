import JSON

/// Compares a value with what a script expects of it: literals mean equal, objects "at least these members" at any
/// depth, arrays exactly these elements in this order, and members that begin with `$` are tests of the value itself.
public enum Matcher {
    /// Every difference; empty when the value matches.
    ///
    /// - Parameters:
    ///   - actual: The value; `nil` for an absent one, which is not the same as `null`.
    ///   - expected: The matcher, with everything filled in.
    ///   - pointer: The place of `actual`, put in front of the places of differences.
    public static func mismatches(
        _ actual: JSONValue?, expected: JSONValue, at pointer: JSONPointer = .root
    ) -> [Mismatch] {
        switch expected {
        case .object(let object): objectMismatches(actual, members: object, of: expected, at: pointer)
        case .array(let elements): arrayMismatches(actual, elements: elements, of: expected, at: pointer)
        default: literalMismatches(actual, expected, pointer)
        }
    }

    /// Whether the value matches.
    public static func matches(_ actual: JSONValue?, _ expected: JSONValue) -> Bool {
        mismatches(actual, expected: expected).isEmpty
    }

    private static func literalMismatches(
        _ actual: JSONValue?, _ expected: JSONValue, _ pointer: JSONPointer
    ) -> [Mismatch] {
        guard let actual else { return [difference(pointer, expected, nil)] }
        guard !actual.sameValue(as: expected) else { return [] }
        if actual.typeName != expected.typeName, !actual.isNull, !expected.isNull {
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "expected the \(expected.typeName) \(Wording.json(expected)), actual the "
                        + "\(actual.typeName) \(Wording.json(actual))")
            ]
        }
        return [difference(pointer, expected, actual)]
    }

    private static func arrayMismatches(
        _ actual: JSONValue?, elements: [JSONValue], of expected: JSONValue, at pointer: JSONPointer
    ) -> [Mismatch] {
        guard case .array(let found)? = actual else {
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "expected an array, actual \(Wording.found(actual))", isInapplicable: actual?.isNull != true)
            ]
        }
        guard found.count == elements.count else {
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text:
                        "expected \(Wording.count(elements.count, "element")), actual \(found.count): \(Wording.json(.array(found)))"
                )
            ]
        }
        return zip(found, elements).enumerated().flatMap { index, pair in
            mismatches(pair.0, expected: pair.1, at: pointer.appending(index))
        }
    }

    private static func objectMismatches(
        _ actual: JSONValue?, members object: JSONObject, of expected: JSONValue, at pointer: JSONPointer
    ) -> [Mismatch] {
        var result: [Mismatch] = []
        var wantsMembers = object.isEmpty
        for (name, wanted) in object.members {
            if name.hasPrefix("$") {
                result += testMismatches(actual, test: name, wanted: wanted, at: pointer)
            } else {
                wantsMembers = true
                guard case .object(let found)? = actual else { continue }
                let inside = pointer.appending(name)
                var differences = mismatches(found[name], expected: wanted, at: inside)
                // Only a missing member can be present under a name that looks the same.
                if !differences.isEmpty, found[name] == nil,
                    let note = found.keys.lazy.compactMap({ LookAlike.note(name, $0) }).first
                {
                    for index in differences.indices where differences[index].pointer == inside {
                        differences[index].add(note: "a member has a name that looks like this one: \(note)")
                    }
                }
                result += differences
            }
        }
        if wantsMembers, actual?.objectValue == nil {
            result.append(
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "expected an object, actual \(Wording.found(actual))",
                    // `null` stands for "no such thing", so it differs from an object; so does anything from `{}`.
                    isInapplicable: actual == nil || !(actual?.isNull == true || object.isEmpty)))
        }
        return result
    }

    private static func testMismatches(
        _ actual: JSONValue?, test name: String, wanted: JSONValue, at pointer: JSONPointer
    ) -> [Mismatch] {
        guard let test = MatcherTest(rawValue: name) else {
            return [
                Mismatch(
                    pointer: pointer, wanted: wanted, found: actual,
                    text: name == MatcherTest.times
                        ? "`$times` is allowed only in the elements of a log's array"
                        : "`\(name)` is not a test; a member that begins with `$` is named through `$equals`",
                    isInapplicable: true)
            ]
        }
        return ValueTest(test: test, wanted: wanted, pointer: pointer).mismatches(actual)
    }

    /// The plain difference between what was wanted and what was found. Nothing can be said of an absent value.
    package static func difference(_ pointer: JSONPointer, _ wanted: JSONValue, _ found: JSONValue?) -> Mismatch {
        var mismatch = Mismatch(
            pointer: pointer, wanted: wanted, found: found,
            text: "expected \(Wording.json(wanted)), actual \(Wording.found(found))", isInapplicable: found == nil)
        mismatch.add(note: LookAlike.note(wanted, found))
        return mismatch
    }

    /// The mismatch of a `$not`; `nil` where the negated matcher differs, so that `$not` holds.
    ///
    /// - Parameters:
    ///   - inner: what the negated matcher found.
    ///   - what: "anything" or "an outcome".
    package static func negated(
        _ inner: [Mismatch], what: String, wanted: JSONValue, actual: JSONValue?, at pointer: JSONPointer
    ) -> Mismatch? {
        let negation = JSONValue.object(JSONObject([(MatcherTest.not.rawValue, wanted)]))
        let text = "expected \(what) that does not match \(Wording.json(wanted)), "
        switch Verdict(inner) {
        case .different: return nil
        case .match:
            return Mismatch(
                pointer: pointer, wanted: negation, found: actual, text: text + "actual \(Wording.found(actual))")
        case .inapplicable:
            let cause = inner[0]
            let below = cause.pointer.tokens.count > pointer.tokens.count
            let why =
                cause.found == nil
                ? "\(below ? "\(cause.pointer)" : "it") is absent; use $exists to test absence"
                : "this does not apply\(below ? " at \(cause.pointer)" : ""): \(cause.text)"
            return Mismatch(
                pointer: pointer, wanted: negation, found: actual, text: text + "but \(why)", isInapplicable: true)
        }
    }
}
