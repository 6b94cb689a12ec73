import Determinism
import TrustFramework

/// The checks of a field's value. The page's script makes them too; the server does not rely on it.
struct FieldRules {
    let texts: PageTexts
    let policy: ResolvedPolicy
    let now: Timestamp
    /// The profile whose metadata may hold messages.
    let page: ProfileHandle?
    /// The claim of a sign-in page whose value must be an address (`setting.operatingMode` is `Email`).
    var addressClaim: ClaimTypeHandle?
    /// Sign-in pages check predicates from layout 2.1.0 on.
    var checksPredicates = true

    /// What is wrong with a value, in the page's language; `nil` when nothing is.
    func fault(_ text: String, of type: ClaimType) throws(ProfileFailure) -> String? {
        if ClaimValue(text, as: type.dataType) == nil {
            return message("UserMessageIfInvalidInput", type)
        }
        if type.userInputType == .emailBox, !Self.isAddress(text) { return pattern(type) }
        if let addressClaim, policy.claimType(type.id) == addressClaim, !Self.isAddress(text) {
            let words = texts.furniture("invalid_generic")?.replacing("{0}", with: texts.displayName(type))
            return words ?? message("UserMessageIfInvalidInput", type)
        }
        let options = texts.options(type)
        if !options.isEmpty {
            let chosen =
                type.userInputType == .checkboxMultiSelect
                ? text.split(separator: ",").map(String.init) : [text]
            if !chosen.allSatisfy({ value in options.contains { $0.value == value } }) {
                return message("UserMessageIfInvalidInput", type)
            }
        }
        if let restriction = type.pattern {
            let holds = try TextPattern.matches(
                restriction.regularExpression, text, at: restriction.location)
            if !holds { return pattern(type) }
        }
        if checksPredicates, let handle = type.validation { return try fault(text, policy[handle], type) }
        return nil
    }

    private func pattern(_ type: ClaimType) -> String {
        texts.patternHelp(type) ?? message("UserMessageIfIncorrectPattern", type)
    }

    private func message(_ key: String, _ type: ClaimType) -> String {
        let standard =
            key == "UserMessageIfIncorrectPattern"
            ? "Incorrect pattern for: {0}" : "{0} has invalid input."
        return texts.message(
            key, standard: standard, page: page, failed: nil, [texts.displayName(type)])
    }

    /// The first group that does not hold: its lead-in, then the rules that failed.
    private func fault(
        _ text: String, _ validation: PredicateValidation, _ type: ClaimType
    ) throws(ProfileFailure) -> String? {
        for group in validation.groups {
            let failed = try Predicates.failing(group, text, in: policy, now: now)
            let passed = group.predicates.count - failed.count >= group.matchAtLeast
            guard passed == group.reject else { continue }
            let rules = (group.reject ? group.predicates : failed).map { texts.help(policy[$0]) }
            let lead = texts.help(group, of: validation)
            let all = (lead.isEmpty ? [] : [lead]) + rules
            return all.isEmpty ? message("UserMessageIfInvalidInput", type) : all.joined(separator: " ")
        }
        return nil
    }

    /// Something, an at sign, a host name.
    static func isAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, at + 1 < bytes.count else { return false }
        let dot = UInt8(ascii: ".")
        var previous = dot
        for byte in bytes[(at + 1)...] {
            if byte == UInt8(ascii: "@") || (byte == dot && previous == dot) { return false }
            previous = byte
        }
        // Only text outside ASCII needs Unicode's notion of white space.
        let hasSpace =
            bytes.contains { $0 >= 0x80 }
            ? text.contains(where: \.isWhitespace) : bytes.contains { $0 == 32 || (9...13).contains($0) }
        return previous != dot && !hasSpace
    }
}

/// Predicates of a value (Microsoft docs: predicates).
enum Predicates {
    static func holds(_ predicate: Predicate, _ text: String, now: Timestamp) throws(ProfileFailure)
        -> Bool
    {
        switch predicate.method {
        case .isLengthRange:
            let least = predicate.parameter("Minimum").flatMap { Int($0.trimmingSpaces) } ?? 0
            let most = predicate.parameter("Maximum").flatMap { Int($0.trimmingSpaces) } ?? Int.max
            // .NET counts UTF-16 code units.
            return text.utf16.count >= least && text.utf16.count <= most
        case .matchesRegex:
            guard let expression = predicate.parameter("RegularExpression") else { return true }
            return try TextPattern.matches(expression, text, at: predicate.location)
        case .includesCharacters:
            guard let set = predicate.parameter("CharacterSet") else { return true }
            return Self.includes(set, text)
        case .isDateRange:
            guard let day = ClaimText.date(text) else { return false }
            // Days written yyyy-mm-dd compare as texts.
            let today = String(now.rfc3339.prefix(10))
            func bound(_ name: String) -> String? {
                predicate.parameter(name).map {
                    sameID($0.trimmingSpaces, "Today") ? today : $0.trimmingSpaces
                }
            }
            return (bound("Minimum").map { day >= $0 } ?? true)
                && (bound("Maximum").map { day <= $0 } ?? true)
        }
    }

    /// Whether a character of the set occurs. The set is the inside of a character class. Where it is not one (brackets
    /// that the writer did not escape) its characters count one by one, as B2C's page script takes them (inferred).
    private static func includes(_ set: String, _ text: String) -> Bool {
        var inside = ""
        var escaped = false
        for character in set {
            if !escaped, character == "[" || character == "]" { inside += "\\" }
            inside.append(character)
            escaped = !escaped && character == "\\"
        }
        if let pattern = try? TextPattern("[\(inside)]") { return pattern.matches(text) }
        return text.contains { set.contains($0) }
    }

    /// The predicates of a group that a value does not satisfy.
    static func failing(
        _ group: PredicateGroup, _ text: String, in policy: ResolvedPolicy, now: Timestamp
    ) throws(ProfileFailure) -> [PredicateHandle] {
        var failing: [PredicateHandle] = []
        for predicate in group.predicates where try !holds(policy[predicate], text, now: now) {
            failing.append(predicate)
        }
        return failing
    }

    /// Whether a value satisfies all groups of a validation.
    static func holds(
        _ validation: PredicateValidation, _ text: String, in policy: ResolvedPolicy, now: Timestamp
    ) throws(ProfileFailure) -> Bool {
        for group in validation.groups {
            let failed = try failing(group, text, in: policy, now: now).count
            if (group.predicates.count - failed >= group.matchAtLeast) == group.reject { return false }
        }
        return true
    }
}
