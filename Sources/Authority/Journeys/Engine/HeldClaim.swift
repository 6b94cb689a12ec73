import TrustFramework

/// The default of an input claim while its technical profile runs. Everything inside the profile sees it as a claim:
/// the action, validation profiles, output claims and output transformations. Unless it is an output claim, it is
/// removed when the profile ends (inferred from published policies: they read such defaults in validation profiles and
/// output transformations).
struct HeldClaim: Sendable, Hashable, Codable {
    var claim: ClaimTypeHandle
    var value: ClaimValue
    /// What the bag held before.
    var before: ClaimValue?
}

extension Journey {
    /// Puts the defaults of a profile's input claims into the bag, where they are the values of these claims.
    mutating func hold(_ profile: TechnicalProfile, _ turn: Turn) -> [HeldClaim] {
        var held: [HeldClaim] = []
        for input in profile.inputClaims where input.defaultValue != nil {
            let before = claims[input.claim]
            guard before == nil || input.alwaysUseDefaultValue, let value = value(of: input, for: profile, turn),
                value != before
            else { continue }
            held.append(HeldClaim(claim: input.claim, value: value, before: before))
            claims[input.claim] = value
        }
        return held
    }

    /// Takes defaults out of the bag when their profile is done, unless it gives them as its output or something inside it
    /// has written the claim.
    /// - Parameter isDone: The profile succeeded; else its output claims do not count.
    mutating func release(_ held: [HeldClaim], of profile: TechnicalProfile, isDone: Bool, _ turn: Turn) {
        for item in held where claims[item.claim] == item.value {
            if isDone, profile.outputClaims.contains(where: { $0.claim == item.claim }) { continue }
            if isDone, writes(item.claim, profile, turn) { continue }
            claims[item.claim] = item.before
        }
    }

    /// Whether an output transformation gives the claim, or a validation profile whose claims leave the page.
    private func writes(_ claim: ClaimTypeHandle, _ profile: TechnicalProfile, _ turn: Turn) -> Bool {
        func isOutput(_ list: [TransformationHandle]) -> Bool {
            list.contains { turn.policy[$0].outputClaims.contains { $0.claim == claim } }
        }
        if isOutput(profile.outputTransformations) { return true }
        if turn.call.environment.switches.innerClaimsEndWithPage { return false }
        return profile.validationProfiles.contains { validation in
            let called = turn.policy[validation.profile]
            return called.outputClaims.contains { $0.claim == claim } || isOutput(called.outputTransformations)
        }
    }
}
