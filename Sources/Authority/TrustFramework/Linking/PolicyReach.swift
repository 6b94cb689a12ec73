import Diagnostics

extension PolicyDocument {
    /// The parts of a merged document that its relying party can reach, in the same order: what `b2c policy show` prints.
    ///
    /// A reference that leads nowhere is kept as it is; the linker reports it.
    public func reachable() -> PolicyDocument {
        var walk = PolicyReach(self)
        walk.walk()
        return walk.pruned()
    }

    /// Elements that none of some relying parties can reach: what they are, their ids and places, in the order of the
    /// document.
    public func unreachable(from parties: [RelyingPartyElement]) -> [UnreachableElement] {
        var walk = PolicyReach(self)
        walk.isBroad = true
        for party in parties { walk.start(party) }
        walk.walk()
        return walk.unreached()
    }

    /// Places of everything that `unreachable` looks at.
    public var reachablePlaces: [SourceLocation] { PolicyReach(self).elements().map(\.element.location) }
}

/// Something that nothing refers to.
public struct UnreachableElement: Sendable, Hashable {
    /// Such as `ClaimType`.
    public let kind: String
    public let id: String
    public let location: SourceLocation
}

/// Follows references from the relying party on.
private struct PolicyReach {
    enum Kind: Hashable {
        case claim, transformation, content, control, profile, journey, predicate, validation, texts
    }

    private struct Key: Hashable {
        let kind: Kind
        let id: String
    }

    private let document: PolicyDocument
    private var seen: Set<Key> = []
    private var pending: [Key] = []

    /// Every metadata text that is a claim's id counts as a reference to it.
    var isBroad = false

    init(_ document: PolicyDocument) { self.document = document }

    /// Begins at a relying party too.
    mutating func start(_ party: RelyingPartyElement) {
        see(.journey, party.defaultUserJourney?.id)
        for endpoint in party.endpoints { see(.journey, endpoint.journey) }
        for profile in party.profiles { see(profile) }
    }

    func unreached() -> [UnreachableElement] {
        elements().filter { !has($0.kind, $0.element.id) }.map(\.element)
    }

    /// Everything that references can lead to, in the order of the document.
    func elements() -> [(kind: Kind, element: UnreachableElement)] {
        var all: [(kind: Kind, element: UnreachableElement)] = []
        func add<E>(
            _ kind: Kind, named name: String, _ elements: [E], id: (E) -> String, at place: (E) -> SourceLocation
        ) {
            for element in elements {
                all.append((kind, UnreachableElement(kind: name, id: id(element), location: place(element))))
            }
        }
        let blocks = document.buildingBlocks
        add(.claim, named: "ClaimType", blocks.claimTypes, id: \.id, at: \.location)
        add(.transformation, named: "ClaimsTransformation", blocks.claimsTransformations, id: \.id, at: \.location)
        add(.content, named: "ContentDefinition", blocks.contentDefinitions, id: \.id, at: \.location)
        add(.control, named: "DisplayControl", blocks.displayControls, id: \.id, at: \.location)
        for provider in document.claimsProviders {
            add(.profile, named: "TechnicalProfile", provider.technicalProfiles, id: \.id, at: \.location)
        }
        add(.journey, named: "UserJourney", document.userJourneys, id: \.id, at: \.location)
        add(.journey, named: "UserJourney", document.subJourneys, id: \.id, at: \.location)
        return all
    }

    private mutating func see(_ kind: Kind, _ id: String?) {
        guard let id else { return }
        let key = Key(kind: kind, id: id.uppercased())
        if seen.insert(key).inserted { pending.append(key) }
    }

    private func has(_ kind: Kind, _ id: String) -> Bool { seen.contains(Key(kind: kind, id: id.uppercased())) }

    mutating func walk() {
        if let party = document.relyingParty { start(party) }
        // The error page belongs to every policy.
        see(.content, "api.error")
        let blocks = document.buildingBlocks
        func byID<E>(_ elements: [E], _ id: (E) -> String) -> [String: [E]] {
            Dictionary(grouping: elements) { id($0).uppercased() }
        }
        let journeys = byID(document.allJourneys, \.id)
        let profiles = byID(document.technicalProfiles, \.id)
        let claims = byID(blocks.claimTypes, \.id)
        let transformations = byID(blocks.claimsTransformations, \.id)
        let definitions = byID(blocks.contentDefinitions, \.id)
        let controls = byID(blocks.displayControls, \.id)
        let validations = byID(blocks.predicateValidations + blocks.inputValidations, \.id)
        while let key = pending.popLast() {
            switch key.kind {
            case .journey: for journey in journeys[key.id] ?? [] { see(journey) }
            case .profile: for profile in profiles[key.id] ?? [] { see(profile) }
            case .claim: for claim in claims[key.id] ?? [] { see(claim) }
            case .transformation:
                for item in transformations[key.id] ?? [] {
                    for claim in item.inputClaims + item.outputClaims { see(.claim, claim.claim) }
                }
            case .content:
                for item in definitions[key.id] ?? [] {
                    for reference in item.localizedResources { see(.texts, reference.resources) }
                }
            case .control: for control in controls[key.id] ?? [] { see(control) }
            case .validation:
                for item in validations[key.id] ?? [] {
                    for predicate in item.groups.flatMap(\.predicates) { see(.predicate, predicate.id) }
                }
            case .predicate, .texts: break
            }
        }
    }

    private mutating func see(_ journey: JourneyElement) {
        see(.profile, journey.defaultIssuer?.id)
        for reference in journey.authorizationProfiles { see(.profile, reference.id) }
        for step in journey.steps {
            see(.content, step.contentDefinition?.id)
            see(.profile, step.issuer?.id)
            see(step.preconditions)
            for exchange in step.exchanges { see(.profile, exchange.profile) }
            for candidate in step.candidates { see(.journey, candidate.id) }
        }
    }

    private mutating func see(_ conditions: [PreconditionElement]) {
        for condition in conditions {
            see(.claim, condition.values.first)
            if condition.type == .claimsExist { for value in condition.values { see(.claim, value) } }
        }
    }

    private mutating func see(_ profile: TechnicalProfileElement) {
        for reference in profile.inputTransformations + profile.outputTransformations {
            see(.transformation, reference.id)
        }
        for claim in profile.inputClaims + profile.persistedClaims + profile.outputClaims { see(.claim, claim.claim) }
        if isBroad {
            for text in profile.metadata.map(\.value)
                + (profile.inputClaims + profile.outputClaims).compactMap(\.defaultValue)
            {
                for part in text.split(separator: "{").dropFirst() {
                    let name = part.prefix { $0 != "}" }
                    see(.claim, String(name.lowercased().hasPrefix("claim:") ? name.dropFirst(6) : name))
                }
            }
        }
        for claim in profile.displayClaims {
            see(.claim, claim.claim)
            see(.control, claim.displayControl)
        }
        for item in profile.metadata {
            switch item.key {
            case "ContentDefinitionReferenceId": see(.content, item.value)
            case "RefreshTokenUserJourneyId", "ClientCredentialsUserJourneyId": see(.journey, item.value)
            case "ClaimTypeOnWhichToEnable", "ClaimUsedForRequestPayload", "UseClaimAsBearerToken":
                see(.claim, item.value)
            case _ where isBroad: see(.claim, item.value)
            default: break
            }
        }
        see(profile.validationProfiles)
        see(.profile, profile.includes?.id)
        see(.profile, profile.includesClaimsFrom?.id)
        see(.profile, profile.sessionProfile?.id)
    }

    private mutating func see(_ validations: [ValidationProfileElement]) {
        for validation in validations {
            see(.profile, validation.profile)
            see(validation.preconditions)
        }
    }

    private mutating func see(_ claim: ClaimTypeElement) {
        see(.validation, claim.predicateValidation?.id)
        see(.validation, claim.inputValidation?.id)
    }

    private mutating func see(_ control: DisplayControlElement) {
        for claim in control.inputClaims + control.outputClaims { see(.claim, claim.claim) }
        for claim in control.displayClaims { see(.claim, claim.claim) }
        for action in control.actions { see(action.profiles) }
    }

    func pruned() -> PolicyDocument {
        var pruned = document
        pruned.buildingBlocks.claimTypes.removeAll { !has(.claim, $0.id) }
        pruned.buildingBlocks.predicates.removeAll { !has(.predicate, $0.id) }
        pruned.buildingBlocks.inputValidations.removeAll { !has(.validation, $0.id) }
        pruned.buildingBlocks.predicateValidations.removeAll { !has(.validation, $0.id) }
        pruned.buildingBlocks.claimsTransformations.removeAll { !has(.transformation, $0.id) }
        pruned.buildingBlocks.contentDefinitions.removeAll { !has(.content, $0.id) }
        pruned.buildingBlocks.displayControls.removeAll { !has(.control, $0.id) }
        pruned.buildingBlocks.localization?.resources.removeAll { !has(.texts, $0.id) }
        for place in pruned.claimsProviders.indices {
            pruned.claimsProviders[place].technicalProfiles.removeAll { !has(.profile, $0.id) }
        }
        pruned.claimsProviders.removeAll { $0.technicalProfiles.isEmpty }
        pruned.userJourneys.removeAll { !has(.journey, $0.id) }
        pruned.subJourneys.removeAll { !has(.journey, $0.id) }
        return pruned
    }
}
