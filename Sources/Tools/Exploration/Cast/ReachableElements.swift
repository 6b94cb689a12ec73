import TrustFramework

/// What a relying party can lead to: its journeys, their technical profiles, and the claims transformations of these. The
/// tables of a policy hold more than that, and what nothing leads to needs no people and no answers.
package struct ReachableElements: Sendable {
    package private(set) var journeys: [JourneyHandle] = []
    /// In the order in which the journeys lead to them.
    package private(set) var profiles: [ProfileHandle] = []
    package private(set) var transformations: [TransformationHandle] = []
    /// Actions of display controls, by their profiles.
    package private(set) var controls: [DisplayControlHandle] = []

    private var known: Set<ProfileHandle> = []

    package init(_ policy: ResolvedPolicy) {
        let party = policy.relyingParty
        var next = [party.defaultJourney] + party.endpoints.map(\.journey)
        if let refresh = policy.tokenIssuer?.refreshJourney.flatMap({ policy.journey($0) }) { next.append(refresh) }
        while let journey = next.first {
            next.removeFirst()
            guard !journeys.contains(journey) else { continue }
            journeys.append(journey)
            for profile in policy[journey].authorizationProfiles { take(profile, policy) }
            for step in policy[journey].steps {
                for selection in step.selections { take(selection.profile, policy) }
                for exchange in step.exchanges { take(exchange.profile, policy) }
                if let issuer = step.issuer { take(issuer, policy) }
                next += step.subJourneys
            }
        }
    }

    private mutating func take(_ handle: ProfileHandle, _ policy: ResolvedPolicy) {
        guard known.insert(handle).inserted else { return }
        profiles.append(handle)
        let profile = policy[handle]
        for transformation in profile.inputTransformations + profile.outputTransformations
        where !transformations.contains(transformation) {
            transformations.append(transformation)
        }
        for validation in profile.validationProfiles { take(validation.profile, policy) }
        for display in profile.displayClaims {
            guard case .control(let control) = display.target, !controls.contains(control) else { continue }
            controls.append(control)
            for action in policy[control].actions { for item in action.profiles { take(item.profile, policy) } }
        }
        if let session = profile.sessionProfile { take(session, policy) }
    }

    /// The preconditions of all steps, validation profiles and actions.
    package func preconditions(_ policy: ResolvedPolicy) -> [Precondition] {
        var all: [Precondition] = []
        for journey in journeys { for step in policy[journey].steps { all += step.preconditions } }
        for profile in profiles {
            for validation in policy[profile].validationProfiles { all += validation.preconditions }
        }
        for control in controls {
            for action in policy[control].actions { for item in action.profiles { all += item.preconditions } }
        }
        return all
    }
}
