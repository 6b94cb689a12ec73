import Markup
import TrustFramework

/// The names in a policy file.
enum PolicyOccurrences {
    /// What a value names.
    private struct NameRule: Sendable {
        var kind: SymbolKind
        var isDeclaration = false
    }

    /// Stands for an element's text among its attributes.
    private static let text = ""

    /// Which value names what, by element, with `*` for any element, and attribute.
    private static let rules: [String: [String: NameRule]] = {
        var rules: [String: [String: NameRule]] = [:]
        func add(_ kind: SymbolKind, _ attribute: String, of elements: [String], isDeclaration: Bool = false) {
            for element in elements {
                rules[element, default: [:]][attribute] = NameRule(kind: kind, isDeclaration: isDeclaration)
            }
        }
        for (element, kind) in declared { add(kind, "Id", of: [element], isDeclaration: true) }
        add(.policy, "PolicyId", of: ["TrustFrameworkPolicy"], isDeclaration: true)
        add(.policy, text, of: ["PolicyId"])
        add(.inputValidation, "Id", of: ["InputValidationReference"])
        add(.predicateValidation, "Id", of: ["PredicateValidationReference"])
        add(.predicate, "Id", of: ["PredicateReference"])
        add(.claimsTransformation, "ReferenceId", of: ["InputClaimsTransformation", "OutputClaimsTransformation"])
        add(
            .technicalProfile, "ReferenceId",
            of: [
                "ValidationTechnicalProfile", "IncludeTechnicalProfile", "UseTechnicalProfileForSessionManagement",
                "AuthorizationTechnicalProfile",
            ])
        add(.technicalProfile, text, of: ["IncludeClaimsFromTechnicalProfile"])
        add(.userJourney, "ReferenceId", of: ["DefaultUserJourney"])
        add(.claimType, "ClaimType", of: ["SubjectNamingInfo"])
        for (attribute, kind) in references { add(kind, attribute, of: ["*"]) }
        return rules
    }()

    /// Elements that their `Id` declares.
    private static let declared: [(element: String, kind: SymbolKind)] = [
        ("ClaimType", .claimType), ("TechnicalProfile", .technicalProfile),
        ("ClaimsTransformation", .claimsTransformation), ("UserJourney", .userJourney), ("SubJourney", .subJourney),
        ("ContentDefinition", .contentDefinition), ("DisplayControl", .displayControl), ("Predicate", .predicate),
        ("InputValidation", .inputValidation), ("PredicateValidation", .predicateValidation),
        ("LocalizedResources", .localizedResources), ("ClaimsExchange", .claimsExchange),
    ]

    /// Attributes that name one kind wherever they are.
    private static let references: [(attribute: String, kind: SymbolKind)] = [
        ("ClaimTypeReferenceId", .claimType), ("DisplayControlReferenceId", .displayControl),
        ("TechnicalProfileReferenceId", .technicalProfile),
        ("CpimIssuerTechnicalProfileReferenceId", .technicalProfile),
        ("DefaultCpimIssuerTechnicalProfileReferenceId", .technicalProfile),
        ("SubJourneyReferenceId", .subJourney), ("UserJourneyReferenceId", .userJourney),
        ("ContentDefinitionReferenceId", .contentDefinition),
        ("LocalizedResourcesReferenceId", .localizedResources), ("TargetClaimsExchangeId", .claimsExchange),
        ("ValidationClaimsExchangeId", .claimsExchange), ("StorageReferenceId", .policyKey),
    ]

    /// Metadata of technical profiles and content definitions whose values are names.
    private static let metadata: [String: SymbolKind] = [
        "ContentDefinitionReferenceId": .contentDefinition, "RefreshTokenUserJourneyId": .userJourney,
        "ClientCredentialsUserJourneyId": .userJourney, "ClaimTypeOnWhichToEnable": .claimType,
        "ClaimUsedForRequestPayload": .claimType, "UseClaimAsBearerToken": .claimType,
        "IpAddressClaimReferenceId": .claimType, "issuer_refresh_token_user_identity_claim_type": .claimType,
        "SignUpTarget": .claimsExchange, "setting.forgotPasswordLinkOverride": .claimsExchange,
        "setting.bottomUnderFormClaimsProviderSelections": .claimsExchange,
    ]

    /// So many parts of an element are looked at where each of many names would look at all of them.
    private static let siblings = 256

    /// What `ElementId` of a localized text names, by its `ElementType`.
    private static let localized: [String: SymbolKind] = [
        "claimtype": .claimType, "displaycontrol": .displayControl, "predicate": .predicate,
        "inputvalidation": .inputValidation, "predicatevalidation": .predicateValidation,
    ]

    /// Placeholders in any text, by what is between the brace and the name.
    private static let placeholders: [(start: [UInt8], kind: SymbolKind)] = [
        (Array("claim:".utf8), .claimType), (Array("settings:".utf8), .setting),
    ]

    /// In the order of the text; none overlaps another.
    static func all(in outline: MarkupOutline) -> [NameOccurrence] {
        var all = inBraces(outline)
        for element in outline.elements.indices {
            let item = outline.elements[element]
            for attribute in item.attributes where !attribute.value.isEmpty {
                guard let rule = rule(outline.source.text(attribute.name), of: element, in: outline) else { continue }
                all += occurrence(
                    outline.value(of: attribute), at: attribute.value, by: rule, of: element, in: outline)
            }
            guard item.children.isEmpty, let rule = rule(nil, of: element, in: outline),
                let (name, range) = outline.text(element)
            else { continue }
            all += occurrence(name, at: range, by: rule, of: element, in: outline)
        }
        return all.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// What a value at a place names: of an attribute or, without one, of the element's text. A claims exchange counts in
    /// its journey; metadata name one of any journey, without a scope.
    static func reference(
        attribute: String?, of element: Int, in outline: MarkupOutline
    ) -> (kind: SymbolKind, scope: String?)? {
        rule(attribute, of: element, in: outline).map { ($0.kind, scope(of: $0.kind, element, outline)) }
    }

    private static func rule(_ attribute: String?, of element: Int, in outline: MarkupOutline) -> NameRule? {
        let name = outline.name(element)
        switch (name, attribute) {
        case ("TechnicalProfile", "Id"?) where !isInside(element, of: "ClaimsProvider", in: outline): return nil
        case ("PolicyId", nil) where !isInside(element, of: "BasePolicy", in: outline): return nil
        case ("Value", nil): return precondition(element, in: outline)
        case ("Item", nil):
            let key = outline.value(element, "Key") ?? ""
            guard
                isInside(element, of: "TechnicalProfile", in: outline)
                    || (key.hasPrefix("setting.") && isInside(element, of: "ContentDefinition", in: outline))
            else { return nil }
            return metadata[key].map { NameRule(kind: $0) }
        case ("InputParameter", "Value"?):
            return sameID(outline.value(element, "Id") ?? "", "randomizerSecret") ? NameRule(kind: .policyKey) : nil
        case ("LocalizedString", "ElementId"?), ("LocalizedCollection", "ElementId"?):
            return outline.value(element, "ElementType").flatMap { localized[$0.lowercased()] }.map {
                NameRule(kind: $0)
            }
        case ("LocalizedString", "StringId"?):
            return sameID(outline.value(element, "ElementType") ?? "", "ClaimsProvider")
                ? NameRule(kind: .claimsExchange) : nil
        default: return rules[name]?[attribute ?? text] ?? attribute.flatMap { rules["*"]?[$0] }
        }
    }

    /// The claims of a precondition: those of `ClaimsExist` are all of its values, else the first is one.
    private static func precondition(_ element: Int, in outline: MarkupOutline) -> NameRule? {
        guard let parent = outline.elements[element].parent, outline.name(parent) == "Precondition" else { return nil }
        let isFirst =
            outline.elements[parent].children.prefix(siblings).first { outline.name($0) == "Value" } == element
        return isFirst || outline.value(parent, "Type") == PreconditionType.claimsExist.rawValue
            ? NameRule(kind: .claimType) : nil
    }

    private static func isInside(_ element: Int, of name: String, in outline: MarkupOutline) -> Bool {
        outline.path(element).dropFirst().contains { outline.name($0) == name }
    }

    private static func scope(of kind: SymbolKind, _ element: Int, _ outline: MarkupOutline) -> String? {
        guard kind == .claimsExchange else { return nil }
        return outline.path(element).first { ["UserJourney", "SubJourney"].contains(outline.name($0)) }
            .flatMap { journey in outline.value(journey, "Id").map { scope(ofJourney: outline.name(journey), $0) } }
    }

    /// The scope of what counts in one journey: a user journey and a sub journey may have one id.
    ///
    /// - Parameter element: `UserJourney` or `SubJourney`.
    static func scope(ofJourney element: String, _ id: String) -> String { "\(element) \(id)" }

    /// What a value names, if anything.
    private static func occurrence(
        _ name: String, at range: Range<Int>, by rule: NameRule, of element: Int, in outline: MarkupOutline
    ) -> [NameOccurrence] {
        // What a placeholder completes is not known here.
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "{")),
            outline.name(element) != "SubjectNamingInfo" || isClaim(name, namedBy: element, in: outline)
        else { return [] }
        let item = outline.elements[element]
        return [
            NameOccurrence(
                kind: rule.kind, name: name, range: range, isDeclaration: rule.isDeclaration,
                scope: scope(of: rule.kind, element, outline), whole: rule.isDeclaration ? item.start..<item.end : nil)
        ]
    }

    /// Whether the subject of a relying party is an output claim by its id. Mostly it is the name under which a claim leaves
    /// (`PartnerClaimType`), which is not the claim's.
    private static func isClaim(_ name: String, namedBy element: Int, in outline: MarkupOutline) -> Bool {
        guard let profile = outline.elements[element].parent else { return false }
        let claims = outline.elements[profile].children.prefix(siblings)
            .filter { outline.name($0) == "OutputClaims" }.flatMap { outline.elements[$0].children.prefix(siblings) }
        return !claims.contains { outline.value($0, "PartnerClaimType") == name }
            && claims.contains { outline.value($0, "ClaimTypeReferenceId") == name }
    }

    /// `NAME` of `{Claim:NAME}` and `{Settings:NAME}` outside of comments.
    private static func inBraces(_ outline: MarkupOutline) -> [NameOccurrence] {
        let bytes = outline.source.bytes
        var comments = outline.comments[...]
        var found: [NameOccurrence] = []
        var at = 0
        while at < bytes.count, let open = bytes[at...].firstIndex(of: UInt8(ascii: "{")) {
            at = open + 1
            while let comment = comments.first, comment.upperBound <= open { comments.removeFirst() }
            if let comment = comments.first, comment.contains(open) { continue }
            guard let (start, kind) = placeholders.first(where: { isLike($0.start, bytes[at...]) }) else { continue }
            let name = (at + start.count)..<bytes.count
            let end = bytes[name].firstIndex { $0 < 0x20 || "<>\"{}".utf8.contains($0) } ?? bytes.count
            guard end < bytes.count, bytes[end] == UInt8(ascii: "}"), end > name.lowerBound else { continue }
            let range = name.lowerBound..<end
            found.append(NameOccurrence(kind: kind, name: outline.source.text(range), range: range))
        }
        return found
    }

    /// Whether bytes begin with lower-case ones in any letter case.
    private static func isLike(_ start: [UInt8], _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= start.count && zip(bytes, start).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }
}
