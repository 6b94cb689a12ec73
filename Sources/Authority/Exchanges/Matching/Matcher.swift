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
        mismatches(actual, expected: expected, at: pointer, inWords: true)
    }

    /// Whether the value matches.
    public static func matches(_ actual: JSONValue?, _ expected: JSONValue) -> Bool {
        verdict(of: actual, expected) == .match
    }

    /// What the matcher says of the value, without words: most of the time of a comparison goes into them.
    package static func verdict(of actual: JSONValue?, _ expected: JSONValue) -> Verdict {
        Verdict(mismatches(actual, expected: expected, at: .root, inWords: false))
    }

    /// - Parameter inWords: Whether somebody reads the differences. If not, they say only whether the matcher applies.
    package static func mismatches(
        _ actual: JSONValue?, expected: JSONValue, at pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        switch expected {
        case .object(let object): objectMismatches(actual, members: object, of: expected, at: pointer, inWords: inWords)
        case .array(let elements):
            arrayMismatches(actual, elements: elements, of: expected, at: pointer, inWords: inWords)
        default: literalMismatches(actual, expected, pointer, inWords: inWords)
        }
    }

    private static func literalMismatches(
        _ actual: JSONValue?, _ expected: JSONValue, _ pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        guard inWords else {
            guard let actual else { return [.wordless(isInapplicable: true)] }
            return actual.sameValue(as: expected) ? [] : [.wordless(isInapplicable: false)]
        }
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
        _ actual: JSONValue?, elements: [JSONValue], of expected: JSONValue, at pointer: JSONPointer,
        inWords: Bool
    ) -> [Mismatch] {
        guard case .array(let found)? = actual else {
            guard inWords else { return [.wordless(isInapplicable: actual?.isNull != true)] }
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "expected an array, actual \(Wording.found(actual))", isInapplicable: actual?.isNull != true)
            ]
        }
        guard found.count == elements.count else {
            guard inWords else { return [.wordless(isInapplicable: false)] }
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text:
                        "expected \(Wording.count(elements.count, "element")), actual \(found.count): \(Wording.json(.array(found)))"
                )
            ]
        }
        return zip(found, elements).enumerated().flatMap { index, pair in
            mismatches(
                pair.0, expected: pair.1, at: inWords ? pointer.appending(index) : pointer, inWords: inWords)
        }
    }

    private static func objectMismatches(
        _ actual: JSONValue?, members object: JSONObject, of expected: JSONValue, at pointer: JSONPointer,
        inWords: Bool
    ) -> [Mismatch] {
        var result: [Mismatch] = []
        var wantsMembers = object.isEmpty
        for (name, wanted) in object.members {
            if name.hasPrefix("$") {
                result += testMismatches(actual, test: name, wanted: wanted, at: pointer, inWords: inWords)
            } else {
                wantsMembers = true
                guard case .object(let found)? = actual else { continue }
                let member = found[name]
                let inside = inWords ? pointer.appending(name) : pointer
                var differences = mismatches(member, expected: wanted, at: inside, inWords: inWords)
                // Only a missing member can be present under a name that looks the same.
                if inWords, !differences.isEmpty, member == nil,
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
            // `null` stands for "no such thing", so it differs from an object; so does anything from `{}`.
            let isInapplicable = actual == nil || !(actual?.isNull == true || object.isEmpty)
            result.append(
                inWords
                    ? Mismatch(
                        pointer: pointer, wanted: expected, found: actual,
                        text: "expected an object, actual \(Wording.found(actual))", isInapplicable: isInapplicable)
                    : .wordless(isInapplicable: isInapplicable))
        }
        return result
    }

    private static func testMismatches(
        _ actual: JSONValue?, test name: String, wanted: JSONValue, at pointer: JSONPointer, inWords: Bool
    ) -> [Mismatch] {
        guard let test = MatcherTest(rawValue: name) else {
            guard inWords else { return [.wordless(isInapplicable: true)] }
            return [
                Mismatch(
                    pointer: pointer, wanted: wanted, found: actual,
                    text: name == MatcherTest.times
                        ? "`$times` is allowed only in the elements of a log's array"
                        : "`\(name)` is not a test; a member that begins with `$` is named through `$equals`",
                    isInapplicable: true)
            ]
        }
        return ValueTest(test: test, wanted: wanted, pointer: pointer, inWords: inWords).mismatches(actual)
    }

    /// The plain difference between what was wanted and what was found. Nothing can be said of an absent value.
    package static func difference(_ pointer: JSONPointer, _ wanted: JSONValue, _ found: JSONValue?) -> Mismatch {
        var mismatch = Mismatch(
            pointer: pointer, wanted: wanted, found: found,
            text: "expected \(Wording.json(wanted)), actual \(Wording.found(found))", isInapplicable: found == nil)
        mismatch.add(note: LookAlike.note(wanted, found))
        return mismatch
    }

    /// The differences from a `$not` without words, by what the negated matcher says.
    package static func negated(_ verdict: Verdict) -> [Mismatch] {
        verdict == .different ? [] : [.wordless(isInapplicable: verdict == .inapplicable)]
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
