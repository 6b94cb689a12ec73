import Diagnostics
import JourneyLogs
import TrustFramework

extension SessionComparison.StepDifference.AffectedElement {
    /// Where the element is in the policy's files: the line that refers to a technical profile or sets a claim, not the
    /// beginning of what contains it.
    package func location(in policy: ResolvedPolicy) -> SourceLocation? {
        switch self {
        case .step(let journey, let order):
            let handle = journey.flatMap { policy.journey($0) } ?? policy.relyingParty.defaultJourney
            return Self.step(order, of: journey, in: policy)?.location ?? policy[handle].location
        case .profile(let id, let journey, let order):
            return Self.reference(to: id, journey, order, policy) ?? Self.step(order, of: journey, in: policy)?.location
        case .message(let id, let text):
            guard let profile = policy.profile(id).map({ policy[$0] }) else { return nil }
            return profile.metadata.items.last { $0.value == text }?.location
                ?? policy.localizedResources.lazy.flatMap(\.strings).first { $0.text == text }?.location
                ?? profile.location
        case .claim(let id, let journey, let order, let setter):
            func sets(_ claim: ClaimTypeHandle) -> Bool { sameID(policy[claim].id, id) }
            switch setter {
            case .profile(let name):
                guard let profile = policy.profile(name).map({ policy[$0] }) else { break }
                return profile.outputClaims.last { sets($0.claim) }?.location ?? profile.location
            case .transformation(let name):
                guard let transformation = policy.transformation(name).map({ policy[$0] }) else { break }
                return transformation.outputClaims.last { sets($0.claim) }?.location ?? transformation.location
            case nil: break
            }
            return Self.step(order, of: journey, in: policy)?.location
        }
    }

    private static func step(_ order: Int, of journey: String?, in policy: ResolvedPolicy) -> OrchestrationStep? {
        let handle = journey.flatMap { policy.journey($0) } ?? policy.relyingParty.defaultJourney
        return policy[handle].steps.first { $0.order == order }
    }

    /// Technical profiles that a step names: its claims exchanges and the pages that it selects.
    private static func named(by step: OrchestrationStep) -> [(profile: ProfileHandle, place: SourceLocation)] {
        step.exchanges.map { ($0.profile, $0.location) } + step.selections.map { ($0.profile, $0.location) }
    }

    private static func reference(
        to id: String, _ journey: String?, _ order: Int, _ policy: ResolvedPolicy
    ) -> SourceLocation? {
        guard let step = step(order, of: journey, in: policy) else { return nil }
        let named = named(by: step)
        if let found = named.first(where: { sameID(policy[$0.profile].id, id) }) { return found.place }
        let pages = named.map { policy[$0.profile] }.filter(\.handler.showsPage)
        return pages.lazy.flatMap(\.validationProfiles).first { sameID(policy[$0.profile].id, id) }?.location
            // The page that does not call it.
            ?? pages.first?.location
    }
}
