import Determinism
import TrustFramework

/// What a search through all ways of a policy needs beside the events: it copies a journey at every choice.
extension Journey {
    /// Takes another random stream. Two journeys that differ in what they drew alone are equal afterwards, as far as
    /// identifiers and codes to come are concerned.
    public mutating func reseed(_ random: SeededGenerator) { self.random = random }

    /// The codes that can still be handed in, newest first, with the addresses that they are for.
    public func livingCodes(at now: Timestamp) -> [(code: String, address: String)] { codes.living(at: now) }

    /// The orchestration steps that are under way, outermost first: several within a sub journey.
    public func steps(in policy: ResolvedPolicy) -> [(journey: JourneyHandle, step: OrchestrationStep)] {
        frames.compactMap { frame in
            guard case .steps(let steps) = frame, let place = steps.current else { return nil }
            let all = policy[steps.journey].steps
            return all.indices.contains(place) ? (steps.journey, all[place]) : nil
        }
    }

    /// The technical profiles that are under way, outermost first.
    public var profiles: [ProfileHandle] {
        frames.compactMap { frame in
            switch frame {
            case .page(let page): page.profile
            case .profile(let profile): profile.profile
            case .list, .steps: nil
            }
        }
    }
}
