import Diagnostics
import TrustFramework

extension PolicyChecker {
    /// A claim type (B2C-POL-048 to B2C-POL-050, B2C-POL-087, B2C-POL-088).
    mutating func check(_ type: ClaimTypeElement) {
        if let input = type.userInputType, let dataType = type.dataType,
            let allowed = Self.inputs[input], !allowed.contains(dataType)
        {
            report(
                "B2C-POL-048", "a \(dataType.rawValue) cannot be asked for by \(input.rawValue) (\(type.id))",
                remedy: "\(input.rawValue) takes \(namesList(allowed.map(\.rawValue))).", at: type.location)
        }
        let needsChoices: Set<UserInputType> = [.checkboxMultiSelect, .radioSingleSelect, .dropdownSingleSelect]
        if let input = type.userInputType, needsChoices.contains(input),
            type.restriction?.enumeration.isEmpty != false, !isLocalised(type.id)
        {
            report(
                "B2C-POL-049", "\(type.id) offers nothing to choose from",
                remedy: "Add Restriction with Enumeration, or a LocalizedCollection.", at: type.location)
        }
        if let mask = type.mask, mask.type == .regex {
            check(pattern: mask.regex, "the mask of \(type.id)", at: mask.location)
            if mask.regex == nil {
                report(
                    "B2C-POL-050", "the mask of \(type.id) has no Regex", remedy: "Add the attribute.",
                    at: mask.location)
            }
        }
        if type.id.utf8.contains(where: { $0 >= 0x80 }) {
            report(
                "B2C-POL-087", "the id \(type.id) has letters beyond ASCII", remedy: "Use a-z, digits, . and _.",
                at: type.location)
        }
        if type.dataType == nil {
            report(
                "B2C-POL-088", "no file says what DataType the claim type \(type.id) has",
                remedy: "Add <DataType>string</DataType>.", at: type.location)
        }
    }

    /// Data types by input type ("Microsoft docs: claimsschema"); collections and phone numbers are shown as text.
    private static let inputs: [UserInputType: [DataType]] = [
        .textBox: [.string, .int, .long, .boolean, .phoneNumber, .date, .dateTime, .duration],
        .emailBox: [.string], .password: [.string], .dateTimeDropdown: [.date, .dateTime],
        .radioSingleSelect: [.string, .boolean, .int, .long], .dropdownSingleSelect: [.string, .boolean, .int, .long],
        .checkboxMultiSelect: [.string, .stringCollection],
    ]

    private func isLocalised(_ claim: String) -> Bool {
        document.buildingBlocks.localization?.resources.contains { resources in
            resources.collections.contains { sameID($0.elementID, claim) }
        } ?? false
    }

    // MARK: Predicates

    /// A predicate with its parameters (B2C-POL-050, B2C-POL-093).
    mutating func check(_ predicate: PredicateElement) {
        func parameter(_ id: String) -> MetadataItem? { predicate.parameters.first { sameID($0.key, id) } }
        let wanted: [String] =
            switch predicate.method {
            case .isLengthRange, .isDateRange: ["Minimum", "Maximum"]
            case .matchesRegex: ["RegularExpression"]
            case .includesCharacters: ["CharacterSet"]
            }
        for name in wanted where parameter(name) == nil {
            let others = predicate.parameters.map(\.key).filter { key in !wanted.contains { sameID($0, key) } }
            let near = nearestName(name, among: others)
            reportMissing(
                name, "B2C-POL-093",
                message: "\(predicate.method.rawValue) of \(predicate.id) needs the parameter \(name)",
                writtenAs: predicate.parameters.first { $0.key == near }.map { ($0.key, $0.location) },
                remedy: "Add it.", at: predicate.location,
                severity: near == nil ? .warning : .error)
        }
        for item in predicate.parameters { check(item, of: predicate) }
        if predicate.method == .isLengthRange, let low = parameter("Minimum").flatMap({ Int($0.value) }),
            let high = parameter("Maximum"), let top = Int(high.value), top < low
        {
            report(
                "B2C-POL-093", "\(predicate.id) wants at least \(low) and at most \(top) characters",
                remedy: "No value ever passes.", at: high.location, severity: .warning)
        }
    }

    /// Groups of predicates that no value passes (B2C-POL-093).
    mutating func check(_ validation: PredicateValidationElement) {
        for group in validation.groups {
            guard let least = group.matchAtLeast, least > group.predicates.count else { continue }
            report(
                "B2C-POL-093",
                "MatchAtLeast of \(group.id) is \(least), but it refers to \(group.predicates.count) predicates",
                remedy: "No value ever passes.", at: group.location, severity: .warning)
        }
    }

    private mutating func check(_ item: MetadataItem, of predicate: PredicateElement) {
        switch predicate.method {
        case .isLengthRange where Int(item.value) == nil && !isFilledLater(item.value):
            report(
                "B2C-POL-093", "\(item.key) of \(predicate.id) is \"\(item.value)\", which is not a whole number",
                at: item.location)
        case .isDateRange where !sameID(item.value, "Today") && Self.unreadable(item.value, as: .date) != nil:
            report(
                "B2C-POL-093", "\(item.key) of \(predicate.id) is \"\(item.value)\"",
                remedy: "Write a date such as 2026-01-31, or Today.", at: item.location)
        case .matchesRegex:
            check(pattern: item.value, "\(item.key) of \(predicate.id)", at: item.location)
        case .includesCharacters:
            guard let problem = Self.patternProblem("[\(item.value)]") else { return }
            report(
                "B2C-POL-050", "\(item.key) of \(predicate.id) is not a set of characters: \(problem)",
                remedy: "Its characters count one by one.", at: item.location, severity: .warning)
        default: break
        }
    }

    // MARK: Default values

    /// Default values that their claim's type does not have.
    mutating func defaults(_ claims: [ClaimReferenceElement]) {
        for claim in claims {
            guard let value = claim.defaultValue, let type = claimType(claim.claim)?.dataType,
                let problem = Self.unreadable(value, as: type)
            else { continue }
            report(
                "B2C-POL-047", "the default of \(claim.claim) (\(type.rawValue)) is \"\(value)\", \(problem)",
                at: claim.location, severity: value.isEmpty ? .warning : .error)
        }
    }
}
