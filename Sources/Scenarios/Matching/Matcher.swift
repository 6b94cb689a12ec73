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
        case .object(let object): objectMismatches(actual, object, expected, pointer)
        case .array(let elements): arrayMismatches(actual, elements, expected, pointer)
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
                    text: "wanted the \(expected.typeName) \(Wording.json(expected)), found the "
                        + "\(actual.typeName) \(Wording.json(actual))")
            ]
        }
        return [difference(pointer, expected, actual)]
    }

    private static func arrayMismatches(
        _ actual: JSONValue?, _ elements: [JSONValue], _ expected: JSONValue, _ pointer: JSONPointer
    ) -> [Mismatch] {
        guard case .array(let found)? = actual else {
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "wanted an array, found \(Wording.found(actual))")
            ]
        }
        guard found.count == elements.count else {
            return [
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text:
                        "wanted \(Wording.count(elements.count, "element")), found \(found.count): \(Wording.json(.array(found)))"
                )
            ]
        }
        return zip(found, elements).enumerated().flatMap { index, pair in
            mismatches(pair.0, expected: pair.1, at: pointer.appending(index))
        }
    }

    private static func objectMismatches(
        _ actual: JSONValue?, _ object: JSONObject, _ expected: JSONValue, _ pointer: JSONPointer
    ) -> [Mismatch] {
        var result: [Mismatch] = []
        var wantsMembers = object.isEmpty
        for (name, wanted) in object.members {
            if name.hasPrefix("$") {
                result += testMismatches(actual, name, wanted, pointer)
            } else {
                wantsMembers = true
                guard case .object(let found)? = actual else { continue }
                result += mismatches(found[name], expected: wanted, at: pointer.appending(name))
            }
        }
        if wantsMembers, actual?.objectValue == nil {
            result.append(
                Mismatch(
                    pointer: pointer, wanted: expected, found: actual,
                    text: "wanted an object, found \(Wording.found(actual))"))
        }
        return result
    }

    private static func testMismatches(
        _ actual: JSONValue?, _ name: String, _ wanted: JSONValue, _ pointer: JSONPointer
    ) -> [Mismatch] {
        guard let test = MatcherTest(rawValue: name) else {
            return [
                Mismatch(
                    pointer: pointer, wanted: wanted, found: actual,
                    text: name == MatcherTest.times
                        ? "`$times` stands only in the elements of a log's array"
                        : "`\(name)` is no test; a member that begins with `$` is named through `$equals`")
            ]
        }
        return ValueTest(test: test, wanted: wanted, pointer: pointer).mismatches(actual)
    }

    /// The plain difference between what was wanted and what was found.
    static func difference(_ pointer: JSONPointer, _ wanted: JSONValue, _ found: JSONValue?) -> Mismatch {
        Mismatch(
            pointer: pointer, wanted: wanted, found: found,
            text: "wanted \(Wording.json(wanted)), found \(Wording.found(found))")
    }
}
