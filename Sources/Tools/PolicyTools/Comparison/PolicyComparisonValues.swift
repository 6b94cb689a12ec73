import Determinism
import JSON
import Journeys
import TrustFramework

/// Values on both sides of what two states of a policy allow a claim to be, where they differ: lengths, dates, characters,
/// expressions, and the numbers and texts that claims transformations compare it with.
struct LimitValues {
    /// Values of one claim.
    struct Claim {
        var id: String
        var values: [String]
        /// Whether a rule of the claim itself differs, and not only one of a transformation.
        var isRestriction: Bool
    }

    /// Values of one claim at most.
    static let most = 60

    private(set) var claims: [Claim] = []

    init(_ old: ResolvedPolicy, _ new: ResolvedPolicy) {
        for type in new.claimTypes {
            guard let before = old.claimType(type.id).map({ old[$0] }) else { continue }
            let rules = [Self.rules(before, old), Self.rules(type, new)]
            guard Set(rules[0]) != Set(rules[1]) else { continue }
            add(
                type.id, Self.signs(rules[0], rules[1]) + rules.flatMap { Self.values($0) }, isRestriction: true)
        }
        for policy in [old, new] {
            let other = policy === old ? new : old
            for transformation in policy.transformations {
                let parameters = transformation.inputParameters.map { [$0.id, $0.value] }
                let partner = other.transformation(transformation.id).map { other[$0] }
                guard partner?.inputParameters.map({ [$0.id, $0.value] }) != parameters else { continue }
                let values = transformation.inputParameters.flatMap { Self.around($0.value) }
                for input in transformation.inputClaims {
                    add(policy[input.claim].id, values, isRestriction: false)
                }
            }
        }
    }

    private mutating func add(_ id: String, _ values: [String], isRestriction: Bool) {
        let place =
            claims.firstIndex { sameID($0.id, id) }
            ?? {
                claims.append(Claim(id: id, values: [], isRestriction: false))
                return claims.count - 1
            }()
        claims[place].isRestriction = claims[place].isRestriction || isRestriction
        for value in values where !value.isEmpty && !claims[place].values.contains(value) {
            guard claims[place].values.count < Self.most else { return }
            claims[place].values.append(value)
        }
    }

    // MARK: Rules

    /// One rule of a claim, as a value that can be compared.
    private struct ClaimRule: Hashable {
        var method: PredicateMethod
        var parameters: [[String]]
        /// How many rules of its group have to hold, and whether the group turns them round.
        var group: [String]

        func parameter(_ name: String) -> String? { parameters.first { sameID($0[0], name) }?[1] }
    }

    /// Whether a claim may be the same with both policies, whatever its rules are called.
    static func isAlike(_ claim: String, _ old: ResolvedPolicy, _ new: ResolvedPolicy) -> Bool {
        guard let before = old.claimType(claim), let after = new.claimType(claim) else { return false }
        return Set(rules(old[before], old)) == Set(rules(new[after], new))
    }

    private static func rules(_ type: ClaimType, _ policy: ResolvedPolicy) -> [ClaimRule] {
        var rules: [ClaimRule] = []
        if let pattern = type.pattern {
            rules.append(
                ClaimRule(
                    method: .matchesRegex, parameters: [["RegularExpression", pattern.regularExpression]], group: []))
        }
        for group in type.validation.map({ policy[$0].groups }) ?? [] {
            for handle in group.predicates {
                let predicate = policy[handle]
                rules.append(
                    ClaimRule(
                        method: predicate.method, parameters: predicate.parameters.map { [$0.key, $0.value] },
                        group: ["\(group.matchAtLeast)", "\(group.reject)"]))
            }
        }
        return rules
    }

    private static func values(_ rules: [ClaimRule]) -> [String] {
        var lengths: [Int] = []
        var sets: [String] = []
        var examples: [String] = []
        var days: [String] = []
        for rule in rules {
            switch rule.method {
            case .isLengthRange:
                lengths += ["Minimum", "Maximum"].compactMap { rule.parameter($0).flatMap { Int($0) } }
            case .isDateRange:
                days += ["Minimum", "Maximum"].compactMap { rule.parameter($0) }.flatMap(aroundDay)
            case .includesCharacters: sets += [rule.parameter("CharacterSet")].compactMap(\.self)
            case .matchesRegex:
                guard let expression = rule.parameter("RegularExpression") else { continue }
                examples += TextPattern.examples(of: expression).prefix(6)
                lengths += counts(in: expression)
            }
        }
        let wanted = lengths.filter { (1...512).contains($0) }.flatMap { [$0 - 1, $0, $0 + 1] }.filter { $0 > 0 }
        var values = days
        for length in Set(wanted).sorted() {
            for (start, filling) in [("Aa1-", "a"), ("Aa", "a"), ("1", "2")] {
                values.append(text(start, filling, length))
            }
        }
        if !sets.isEmpty || !examples.isEmpty {
            // With and without each kind of character.
            for (start, filling) in [
                ("Aa1-", "a"), ("aa1-", "a"), ("AA1-", "A"), ("Aab-", "a"), ("Aa1b", "a"), ("aabb", "a"), ("1234", "5"),
                ("Aa1 ", "a"), ("Aa1ä", "a"),
            ] { values.append(text(start, filling, max(4, min(12, lengths.max() ?? 12)))) }
        }
        return values + examples
    }

    /// Texts with each sign that is in the expressions or sets of one list of rules and not in those of the other.
    private static func signs(_ one: [ClaimRule], _ other: [ClaimRule]) -> [String] {
        func all(_ rules: [ClaimRule]) -> Set<Character> {
            Set(rules.flatMap { $0.parameters.flatMap { Array($0[1]) } })
        }
        let signs = all(one).symmetricDifference(all(other))
            .filter { $0.isASCII && !$0.isLetter && !$0.isNumber && !$0.isNewline }.sorted()
        let expressions = (one + other).filter { $0.method == .matchesRegex }.compactMap {
            $0.parameter("RegularExpression")
        }
        let examples = expressions.flatMap { TextPattern.examples(of: $0).prefix(2) } + ["Aa1-aaaaaaaa"]
        return signs.flatMap { sign in
            examples.map { example in
                let middle = example.index(example.startIndex, offsetBy: example.count / 2)
                return String(example[..<middle]) + String(sign) + String(example[middle...])
            }
        }
    }

    /// A text of a length that begins so and goes on with one character.
    private static func text(_ start: String, _ filling: String, _ length: Int) -> String {
        String((start + String(repeating: filling, count: max(0, length - start.count))).prefix(length))
    }

    /// The numbers of `{8,16}` in an expression.
    private static func counts(in expression: String) -> [Int] {
        expression.matches(of: /\{(\d{1,3})(?:,(\d{1,3})?)?\}/).flatMap { match in
            [Int(match.output.1), match.output.2.flatMap { Int($0) }].compactMap(\.self)
        }
    }

    // MARK: Neighbours

    /// A value with those beside it.
    private static func around(_ text: String) -> [String] {
        if let number = Int(text), number.magnitude < 1_000_000_000 {
            // bounded: a billion at most
            return [number - 1, number, number + 1].map { "\($0)" }
        }
        let days = aroundDay(text)
        return days.isEmpty ? [text, text + "x"] : days
    }

    /// A day with those before and after it. Today is the day on which scripts begin.
    private static func aroundDay(_ text: String) -> [String] {
        let day = sameID(text, "today") ? "2026-01-15" : String(text.prefix(10))
        guard let noon = Timestamp(rfc3339: day + "T12:00:00Z") else { return [] }
        let span = TimeSpan(milliseconds: 86_400_000)
        return [noon - span, noon, noon + span].map { String($0.rfc3339.prefix(10)) }
    }
}
