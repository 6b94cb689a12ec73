import TrustFramework

/// Findings that rest on what is not tried.
extension Exploration {
    /// What is not tried, as advice at the elements that need it.
    func notTried() -> [ExplorationFinding] {
        untried.map { ExplorationFinding(rule: .notTried, names: [$0.what, $0.element], location: $0.location) }
    }

    /// A finding as it is, or, where it rests on something that is not tried, as advice that it is not decided.
    func settled(_ finding: ExplorationFinding, _ isDecided: Bool) -> ExplorationFinding {
        var finding = finding
        finding.isUndecided = !isDecided
        return finding
    }

    /// Claims whose values the exploration cannot vary, and everything that claims transformations make of them.
    var undecidedClaims: Set<ClaimTypeHandle> {
        var found = Set(untried.flatMap(\.claims))
        guard !found.isEmpty else { return [] }
        while true {
            let before = found.count
            for transformation in policy.transformations
            where transformation.inputClaims.contains(where: { found.contains($0.claim) }) {
                found.formUnion(transformation.outputClaims.map(\.claim))
            }
            if found.count == before { return found }
        }
    }

    /// Whether a step rests on something that is not tried: one of its preconditions asks for a claim that is not decided.
    func isDecided(_ preconditions: [Precondition], _ undecided: Set<ClaimTypeHandle>) -> Bool {
        !preconditions.contains { !undecided.isDisjoint(with: $0.claims) }
    }

    /// Whether what a page needs is tried: its fields, and what its validation technical profiles read.
    func isDecided(page name: String, _ undecided: Set<ClaimTypeHandle>) -> Bool {
        guard !undecided.isEmpty, let handle = policy.profile(name) else { return true }
        let profile = policy[handle]
        let called = [profile] + profile.validationProfiles.map { policy[$0.profile] }
        for profile in called {
            let claims = profile.inputClaims + profile.outputClaims + profile.persistedClaims
            if claims.contains(where: { undecided.contains($0.claim) }) { return false }
            for handle in profile.inputTransformations + profile.outputTransformations {
                let claims = policy[handle].inputClaims + policy[handle].outputClaims
                if claims.contains(where: { undecided.contains($0.claim) }) { return false }
            }
        }
        return true
    }
}
