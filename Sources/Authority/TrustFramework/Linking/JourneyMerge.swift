import Diagnostics

extension JourneyElement {
    /// A child that repeats a journey's id does not replace it: steps merge by `Order`, exchanges by `Id`.
    mutating func overlay(_ child: Self, _ rules: MergeRules) {
        subJourneyType = child.subJourneyType ?? subJourneyType
        nonInteractive = child.nonInteractive ?? nonInteractive
        defaultIssuer = child.defaultIssuer ?? defaultIssuer
        if !child.authorizationProfiles.isEmpty { authorizationProfiles = child.authorizationProfiles }
        preserveOriginalAssertion = child.preserveOriginalAssertion ?? preserveOriginalAssertion
        clientDefinition = child.clientDefinition ?? clientDefinition
        mergeByID(&inert, child.inert, id: \.key) { $0 = $1 }
        for step in child.steps {
            if let place = steps.firstIndex(where: { $0.order == step.order }) {
                steps[place].overlay(step, rules)
            } else {
                steps.append(step)
            }
        }
        steps.sort { $0.order < $1.order }
    }
}

extension OrchestrationStepElement {
    mutating func overlay(_ child: Self, _ rules: MergeRules) {
        location = child.location
        type = child.type ?? type
        contentDefinition = child.contentDefinition ?? contentDefinition
        issuer = child.issuer ?? issuer
        if rules.preconditionsAreUnited {
            preconditions += child.preconditions
        } else if !child.preconditions.isEmpty {
            preconditions = child.preconditions
        }
        displayOption = child.displayOption ?? displayOption
        mergeByID(&selections, child.selections, id: \.mergeID) { $0 = $1 }
        mergeByID(&exchanges, child.exchanges, id: \.id) { $0 = $1 }
        for candidate in child.candidates where !candidates.contains(where: { sameID($0.id, candidate.id) }) {
            candidates.append(candidate)
        }
    }
}

extension ClaimsProviderSelectionElement {
    var mergeID: String { "\(targetClaimsExchangeID ?? "")|\(validationClaimsExchangeID ?? "")" }
}

extension RelyingPartyElement {
    /// A relying party over a relying party (inferred): what the child says counts, the rest stays.
    mutating func overlay(_ child: Self, _ rules: MergeRules) {
        location = child.location
        defaultUserJourney = child.defaultUserJourney ?? defaultUserJourney
        mergeByID(&endpoints, child.endpoints, id: \.id) { $0 = $1 }
        if let own = child.behaviors {
            if behaviors == nil { behaviors = own } else { behaviors?.overlay(own) }
        }
        mergeByID(&profiles, child.profiles, id: \.id) { $0.overlay($1, rules) }
    }
}

extension UserJourneyBehaviorsElement {
    mutating func overlay(_ child: Self) {
        location = child.location
        scope = child.scope ?? scope
        keepAliveInDays = child.keepAliveInDays ?? keepAliveInDays
        enforceIdTokenHintOnLogout = child.enforceIdTokenHintOnLogout ?? enforceIdTokenHintOnLogout
        sessionExpiryType = child.sessionExpiryType ?? sessionExpiryType
        sessionExpiryInSeconds = child.sessionExpiryInSeconds ?? sessionExpiryInSeconds
        mergeByID(&contentDefinitionParameters, child.contentDefinitionParameters, id: \.key) { $0 = $1 }
        journeyFraming = child.journeyFraming ?? journeyFraming
        scriptExecution = child.scriptExecution ?? scriptExecution
        onError = child.onError ?? onError
        mergeByID(&inert, child.inert, id: \.key) { $0 = $1 }
    }
}
