import Diagnostics
import TrustFramework

extension PolicyChecker {
    /// Claim types, predicates and default values (B2C-POL-047 to B2C-POL-050, B2C-POL-087).
    func claimFindings() -> [Finding] {
        document.buildingBlocks.claimTypes.flatMap(typeFindings) + predicates()
    }

    private func typeFindings(_ type: ClaimTypeElement) -> [Finding] {
        var all: [Finding] = []
        if let input = type.userInputType, let dataType = type.dataType,
            let allowed = Self.inputs[input], !allowed.contains(dataType)
        {
            all.append(
                find(
                    "B2C-POL-048", "a \(dataType.rawValue) cannot be asked for by \(input.rawValue) (\(type.id))",
                    remedy: "\(input.rawValue) takes \(namesList(allowed.map(\.rawValue))).", at: type.location))
        }
        let needsChoices: Set<UserInputType> = [.checkboxMultiSelect, .radioSingleSelect, .dropdownSingleSelect]
        if let input = type.userInputType, needsChoices.contains(input),
            type.restriction?.enumeration.isEmpty != false, !isLocalised(type.id)
        {
            all.append(
                find(
                    "B2C-POL-049", "\(type.id) offers nothing to choose from",
                    remedy: "Add Restriction with Enumeration, or a LocalizedCollection.", at: type.location))
        }
        if let mask = type.mask, mask.type == .regex {
            if let pattern = mask.regex {
                if let problem = Self.patternProblem(pattern) {
                    all.append(
                        find(
                            "B2C-POL-050", "the mask of \(type.id) is not a regular expression: \(problem)",
                            remedy: nil,
                            at: mask.location))
                }
            } else {
                all.append(
                    find(
                        "B2C-POL-050", "the mask of \(type.id) has no Regex", remedy: "Add the attribute.",
                        at: mask.location))
            }
        }
        if type.id.utf8.contains(where: { $0 >= 0x80 }) {
            all.append(
                find(
                    "B2C-POL-087", "the id \(type.id) has letters beyond ASCII", remedy: "Use a-z, digits, . and _.",
                    at: type.location))
        }
        return all
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

    private func predicates() -> [Finding] {
        var all: [Finding] = []
        for predicate in document.buildingBlocks.predicates {
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
                let place = near.flatMap { near in predicate.parameters.first { $0.key == near } }
                all.append(
                    find(
                        "B2C-POL-093", "\(predicate.method.rawValue) of \(predicate.id) needs the parameter \(name)",
                        remedy: near.map { "It is written \"\($0)\" here." } ?? "Add it.",
                        at: place?.location ?? predicate.location,
                        severity: near == nil ? .warning : .error))
            }
            for item in predicate.parameters { all += parameterFindings(item, predicate) }
            if predicate.method == .isLengthRange, let low = parameter("Minimum").flatMap({ Int($0.value) }),
                let high = parameter("Maximum"), let top = Int(high.value), top < low
            {
                all.append(
                    find(
                        "B2C-POL-093", "\(predicate.id) wants at least \(low) and at most \(top) characters",
                        remedy: "No value ever passes.", at: high.location, severity: .warning))
            }
        }
        for validation in document.buildingBlocks.predicateValidations + document.buildingBlocks.inputValidations {
            for group in validation.groups {
                if let least = group.matchAtLeast, least > group.predicates.count {
                    all.append(
                        find(
                            "B2C-POL-093",
                            "MatchAtLeast of \(group.id) is \(least), but it refers to \(group.predicates.count) predicates",
                            remedy: "No value ever passes.", at: group.location, severity: .warning))
                }
            }
        }
        return all
    }

    private func parameterFindings(_ item: MetadataItem, _ predicate: PredicateElement) -> [Finding] {
        switch predicate.method {
        case .isLengthRange where Int(item.value) == nil && !isFilledLater(item.value):
            [
                find(
                    "B2C-POL-093", "\(item.key) of \(predicate.id) is \"\(item.value)\", which is not a whole number",
                    remedy: nil,
                    at: item.location)
            ]
        case .isDateRange
        where !sameID(item.value, "Today") && Self.unreadable(item.value, as: .date) != nil:
            [
                find(
                    "B2C-POL-093", "\(item.key) of \(predicate.id) is \"\(item.value)\"",
                    remedy: "Write a date such as 2026-01-31, or Today.", at: item.location)
            ]
        case .matchesRegex:
            Self.patternProblem(item.value).map {
                [
                    find(
                        "B2C-POL-050", "\(item.key) of \(predicate.id) is not a regular expression: \($0)", remedy: nil,
                        at: item.location)
                ]
            } ?? []
        case .includesCharacters:
            Self.patternProblem("[\(item.value)]").map {
                [
                    find(
                        "B2C-POL-050", "\(item.key) of \(predicate.id) is not a set of characters: \($0)",
                        remedy: "Its characters count one by one.", at: item.location, severity: .warning)
                ]
            } ?? []
        default: []
        }
    }

    // MARK: Default values

    /// Default values that their claim's type does not have.
    func defaults(_ claims: [ClaimReferenceElement]) -> [Finding] {
        claims.compactMap { claim in
            guard let value = claim.defaultValue, let type = claimType(claim.claim)?.dataType,
                let problem = Self.unreadable(value, as: type)
            else { return nil }
            return find(
                "B2C-POL-047", "the default of \(claim.claim) (\(type.rawValue)) is \"\(value)\", \(problem)",
                remedy: nil,
                at: claim.location, severity: value.isEmpty ? .warning : .error)
        }
    }
}
