import TrustFramework

extension SymbolKind {
    /// The elements that declare things in policies.
    static let declaring: [(kind: SymbolKind, element: String, title: String)] = [
        (.claimType, "ClaimType", "Claim type"), (.technicalProfile, "TechnicalProfile", "Technical profile"),
        (.claimsTransformation, "ClaimsTransformation", "Claims transformation"),
        (.userJourney, "UserJourney", "User journey"), (.subJourney, "SubJourney", "Sub journey"),
        (.contentDefinition, "ContentDefinition", "Content definition"),
        (.displayControl, "DisplayControl", "Display control"), (.predicate, "Predicate", "Predicate"),
        (.predicateValidation, "PredicateValidation", "Predicate validation"),
        (.inputValidation, "InputValidation", "Input validation"),
        (.localizedResources, "LocalizedResources", "Localized resources"),
        (.claimsExchange, "ClaimsExchange", "Claims exchange"), (.policy, "TrustFrameworkPolicy", "Policy"),
    ]
}

extension PolicyDocument {
    /// One line about each element of a kind, by id in capitals; it may be empty.
    ///
    /// - Parameter scope: Of claims exchanges their journey; `nil`: any.
    func facts(
        _ kind: SymbolKind, _ profiles: ProfileTable, scope: String? = nil
    ) -> [String: (id: String, text: String)] {
        typealias ElementFact = (id: String, text: String)
        func table<E>(_ elements: [E], _ id: (E) -> String, _ facts: (E) -> [String?]) -> [String: ElementFact] {
            Dictionary(
                elements.map { element in
                    let text = facts(element).compactMap(\.self).joined(separator: ", ")
                    return (id(element).uppercased(), (id(element), text))
                }, uniquingKeysWith: { first, _ in first })
        }
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        let blocks = buildingBlocks
        return switch kind {
        case .claimType:
            table(blocks.claimTypes, \.id) {
                [$0.dataType?.rawValue, $0.displayName.map { "\"\($0)\"" }, $0.userInputType?.rawValue]
            }
        case .technicalProfile:
            table(technicalProfiles, \.id) { [profiles.handler($0.id)?.tableName ?? "no protocol"] }
        case .claimsTransformation: table(blocks.claimsTransformations, \.id) { [$0.method] }
        case .userJourney: table(userJourneys, \.id) { [count($0.steps.count, "step")] }
        case .subJourney:
            table(subJourneys, \.id) { [$0.subJourneyType?.rawValue, count($0.steps.count, "step")] }
        case .contentDefinition: table(blocks.contentDefinitions, \.id) { [$0.dataURI, $0.loadURI] }
        case .displayControl: table(blocks.displayControls, \.id) { [$0.type.rawValue] }
        case .predicate: table(blocks.predicates, \.id) { [$0.method.rawValue, $0.helpText] }
        case .predicateValidation: table(blocks.predicateValidations, \.id) { [count($0.groups.count, "group")] }
        case .inputValidation: table(blocks.inputValidations, \.id) { [count($0.groups.count, "group")] }
        case .localizedResources:
            table(blocks.localization?.resources ?? [], \.id) { [$0.culture, count($0.strings.count, "text")] }
        case .claimsExchange:
            table(
                (userJourneys.map { ("UserJourney", $0) } + subJourneys.map { ("SubJourney", $0) })
                    .filter { element, journey in
                        scope.map { sameID($0, PolicyOccurrences.scope(ofJourney: element, journey.id)) } ?? true
                    }.flatMap(\.1.steps).flatMap(\.exchanges), \.id
            ) { [$0.profile, profiles.handler($0.profile)?.tableName] }
        case .policyKey:
            Dictionary(
                technicalProfiles.flatMap { profile in
                    profile.cryptographicKeys.map { key in
                        let fact: ElementFact = (key.storageReferenceID, "\(key.id) of \(profile.id)")
                        return (key.storageReferenceID.uppercased(), fact)
                    }
                }, uniquingKeysWith: { $0.text.utf8.count > 160 ? $0 : ($0.id, "\($0.text), \($1.text)") })
        case .policy, .setting, .script: [:]
        }
    }

    /// The policy with nothing in it but one element; `nil` if it has no such element.
    func alone(_ kind: SymbolKind, _ id: String) -> PolicyDocument? {
        var result = PolicyDocument(policyID: policyID, location: location)
        let all = buildingBlocks
        func one<E>(_ elements: [E], _ elementID: (E) -> String) -> [E] {
            elements.first { sameID(elementID($0), id) }.map { [$0] } ?? []
        }
        switch kind {
        case .claimType: result.buildingBlocks.claimTypes = one(all.claimTypes, \.id)
        case .claimsTransformation:
            result.buildingBlocks.claimsTransformations = one(all.claimsTransformations, \.id)
        case .contentDefinition: result.buildingBlocks.contentDefinitions = one(all.contentDefinitions, \.id)
        case .displayControl: result.buildingBlocks.displayControls = one(all.displayControls, \.id)
        case .predicate: result.buildingBlocks.predicates = one(all.predicates, \.id)
        case .predicateValidation:
            result.buildingBlocks.predicateValidations = one(all.predicateValidations, \.id)
        case .inputValidation: result.buildingBlocks.inputValidations = one(all.inputValidations, \.id)
        case .localizedResources:
            result.buildingBlocks.localization = all.localization
            result.buildingBlocks.localization?.supportedLanguages = nil
            result.buildingBlocks.localization?.resources = one(all.localization?.resources ?? [], \.id)
            if result.buildingBlocks.localization?.resources.isEmpty ?? true { return nil }
        case .userJourney: result.userJourneys = one(userJourneys, \.id)
        case .subJourney: result.subJourneys = one(subJourneys, \.id)
        case .technicalProfile:
            result.claimsProviders = claimsProviders.compactMap { provider in
                var provider = provider
                provider.technicalProfiles = one(provider.technicalProfiles, \.id)
                return provider.technicalProfiles.isEmpty ? nil : provider
            }
        case .claimsExchange, .policy, .policyKey, .setting, .script: return nil
        }
        return result.isRelyingPartyAlone ? nil : result
    }
}

extension ProfileHandler {
    /// Whether profiles of this kind manage sessions.
    var managesSessions: Bool {
        switch self {
        case .noopSession, .defaultSession, .externalLoginSession, .oauthSession, .samlSession: true
        default: false
        }
    }

    /// Whether profiles of this kind make tokens.
    var issuesTokens: Bool {
        switch self {
        case .jwtIssuer, .samlIssuer, .jsonIssuer, .oauth2ErrorIssuer: true
        default: false
        }
    }
}
