import Determinism
import JSON

/// For which types of values a matcher can hold and can fail, as far as its text says. Finds matchers that no value
/// passes and matchers that every value passes.
struct MatcherReach {
    /// Types of values; absence is one of them.
    struct Types: OptionSet {
        let rawValue: UInt8

        static let string = Types(rawValue: 1)
        static let number = Types(rawValue: 2)
        static let boolean = Types(rawValue: 4)
        static let object = Types(rawValue: 8)
        static let array = Types(rawValue: 16)
        static let null = Types(rawValue: 32)
        static let absent = Types(rawValue: 64)
        static let present: Types = [.string, .number, .boolean, .object, .array, .null]
        static let all: Types = [.present, .absent]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The type with the name that `$type` uses.
        init(named name: String) {
            self =
                switch name {
                case "string": .string
                case "number": .number
                case "boolean": .boolean
                case "object": .object
                case "array": .array
                case "null": .null
                default: .all
                }
        }
    }

    /// Types with values that match.
    var matches: Types
    /// Types with values that differ, so that `$not` holds for them.
    var differs: Types
    /// Types with values that do not match, because they differ or because the matcher does not apply.
    var fails: Types

    /// Nothing is known of a value that is filled in later.
    private static let unknown = MatcherReach(matches: .all, differs: .all, fails: .all)

    /// - Parameter matcher: as written in the script.
    static func of(_ matcher: JSONValue) -> MatcherReach {
        switch matcher {
        case .string(let text) where Template.mayHoldReference(text): unknown
        case .object(let object): of(object)
        case .array: MatcherReach(matches: .array, differs: [.array, .null], fails: .all)
        default: literal(matcher)
        }
    }

    private static func literal(_ value: JSONValue) -> MatcherReach {
        let type = Types(named: value.typeName)
        return MatcherReach(
            matches: type, differs: value.isNull ? .present.subtracting(.null) : .present,
            fails: value.isNull ? .all.subtracting(.null) : .all)
    }

    private static func of(_ object: JSONObject) -> MatcherReach {
        let isObject = MatcherReach(
            matches: .object, differs: .present.subtracting(.object), fails: .all.subtracting(.object))
        if object.isEmpty { return isObject }
        var parts: [MatcherReach] = []
        for (name, argument) in object.members where name.hasPrefix("$") && name != MatcherTest.times {
            parts.append(MatcherTest(rawValue: name).map { of($0, argument) } ?? unknown)
        }
        if object.keys.contains(where: { !$0.hasPrefix("$") }) {
            parts.append(MatcherReach(matches: .object, differs: [.object, .null], fails: .all))
        }
        return all(parts)
    }

    private static func all(_ parts: [MatcherReach]) -> MatcherReach {
        var whole = MatcherReach(matches: .all, differs: [], fails: [])
        for part in parts {
            whole.matches.formIntersection(part.matches)
            whole.differs.formUnion(part.differs)
            whole.fails.formUnion(part.fails)
        }
        return whole
    }

    private static func any(_ parts: [MatcherReach]) -> MatcherReach {
        var whole = MatcherReach(matches: [], differs: .all, fails: .all)
        for part in parts {
            whole.matches.formUnion(part.matches)
            whole.differs.formIntersection(part.differs)
            whole.fails.formIntersection(part.fails)
        }
        return whole
    }

    private static func only(_ types: Types) -> MatcherReach {
        MatcherReach(matches: types, differs: types, fails: .all)
    }

    private static func of(_ test: MatcherTest, _ argument: JSONValue) -> MatcherReach {
        if case .string(let text) = argument, Template.mayHoldReference(text), test != .not { return unknown }
        switch test {
        case .equals:
            // What stands here is a value, whatever its members are called.
            return Interpolation.isNeeded(in: argument) ? unknown : literal(argument)
        case .not:
            let inner = of(argument)
            return MatcherReach(
                matches: inner.differs, differs: inner.matches,
                fails: .all.subtracting(inner.differs.subtracting(inner.matches)))
        case .all: return argument.arrayValue.map { all($0.map { of($0) }) } ?? unknown
        case .any: return argument.arrayValue.map { any($0.map { of($0) }) } ?? unknown
        case .exists:
            let there = argument.boolValue != false
            return MatcherReach(
                matches: there ? .present : .absent, differs: there ? .absent : .present,
                fails: there ? .absent : .present)
        case .type:
            let type = Types(named: argument.stringValue ?? "")
            return MatcherReach(
                matches: type, differs: .present.subtracting(type), fails: .all.subtracting(type))
        case .contains: return only(argument.stringValue == nil ? .array : [.string, .array])
        case .startsWith, .endsWith, .matches, .json, .base64url, .jwt, .url: return only(.string)
        case .lessThan, .atMost, .greaterThan, .atLeast:
            // A text is an instant or a duration, which no plain number is compared with.
            return only(argument.doubleValue == nil ? [.string, .number] : .number)
        case .time: return only([.string, .number])
        case .length: return only([.string, .array, .object])
        case .unordered: return only(.array)
        }
    }
}

/// Whether some amount passes a matcher that compares amounts only, and whether all do.
struct AmountReach {
    /// No amount of the kind passes.
    private(set) var holdsNever = false
    /// Every amount of the kind passes.
    private(set) var holdsAlways = false

    /// A matcher with more limits than this allows, each against each, is not looked at.
    private static let mostComparisons = 4_000_000

    /// The amounts that are tried.
    enum Domain {
        /// Whole numbers from 0: how many there are.
        case counts
        /// Any number from 0.
        case fromZero
        /// HTTP status codes (RFC 9110 section 15).
        case statuses
        /// Anything.
        case any

        /// The numbers of the kind at, just below and just above each one of a list, and at the limits of the kind.
        func samples(around numbers: [Double]) -> [JSONValue] {
            func around(_ step: Double) -> [Double] { numbers.flatMap { [$0 - step, $0, $0 + step] } }
            func whole(_ values: [Double], _ range: ClosedRange<Double>) -> [JSONValue] {
                Set(values.map { $0.rounded(.down) }).filter(range.contains).sorted().map { .integer(Int64($0)) }
            }
            switch self {
            case .any: return around(0.5).map { .number($0) }
            case .fromZero: return ([0] + around(0.5)).filter { $0 >= 0 }.map { .number($0) }
            case .counts: return whole([0] + around(1), 0...2e15)
            case .statuses: return whole([100, 250, 599] + around(1), 100...599)
            }
        }
    }

    /// Between two limits that a matcher names it says the same of every amount, so one amount of each stretch and the
    /// limits themselves are all there is to try. `nil` where the matcher does more than compare amounts of one kind.
    init?(_ matcher: JSONValue, _ domain: Domain) {
        var limits: [JSONValue] = []
        guard Self.collect(matcher, &limits), !limits.isEmpty else { return nil }
        let numbers = limits.compactMap(\.doubleValue)
        var tried: [JSONValue]
        if numbers.count == limits.count {
            guard numbers.allSatisfy({ $0.magnitude < 1e15 }) else { return nil }
            tried = domain.samples(around: numbers)
        } else {
            guard domain == .any else { return nil }
            let instants = limits.compactMap { $0.stringValue.flatMap { Timestamp(rfc3339: $0) } }
            let spans = limits.compactMap { $0.stringValue.flatMap { TimeSpan(iso8601: $0) } }
            let little = TimeSpan(milliseconds: 1)
            if instants.count == limits.count {
                tried = instants.flatMap { [$0 - little, $0, $0 + little] }.map { .string($0.rfc3339) }
            } else if spans.count == limits.count {
                tried = spans.flatMap { [$0 - little, $0, $0 + little] }.map { .string($0.iso8601) }
            } else {
                return nil
            }
        }
        guard tried.count * limits.count <= Self.mostComparisons else { return nil }
        let passed = tried.count { Matcher.matches($0, matcher) }
        holdsNever = passed == 0
        holdsAlways = passed == tried.count
    }

    /// Gathers the limits; false where something else than an amount is tested.
    private static func collect(_ matcher: JSONValue, _ limits: inout [JSONValue]) -> Bool {
        switch matcher {
        case .integer, .number:
            limits.append(matcher)
            return true
        case .object(let object):
            guard !object.isEmpty else { return false }
            for (name, argument) in object.members {
                switch MatcherTest(rawValue: name) {
                case .lessThan, .atMost, .greaterThan, .atLeast, .equals:
                    guard Amount(argument, like: nil) != nil else { return false }
                    limits.append(argument)
                case .not: guard collect(argument, &limits) else { return false }
                case .all, .any:
                    guard let parts = argument.arrayValue, !parts.isEmpty else { return false }
                    for part in parts { guard collect(part, &limits) else { return false } }
                default: return false
                }
            }
            return true
        default: return false
        }
    }
}
