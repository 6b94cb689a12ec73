import Diagnostics
import JSON
import Journeys
import TrustFramework

/// What of a policy an exploration has reached.
struct Coverage {
    /// An orchestration step.
    struct StepKey: Hashable, Comparable {
        var journey: JourneyHandle
        var order: Int

        static func < (a: StepKey, b: StepKey) -> Bool { (a.journey, a.order) < (b.journey, b.order) }
    }

    let policy: ResolvedPolicy
    private(set) var ran: Set<StepKey> = []
    /// Preconditions that held when they were asked, by place; and those that did not.
    private(set) var held: [StepKey: Set<Int>] = [:]
    private(set) var passed: Set<StepKey> = []
    private(set) var profiles: Set<ProfileHandle> = []
    private(set) var transformations: Set<TransformationHandle> = []
    /// A way in which a technical profile fails.
    private struct WayToFail: Hashable {
        var profile: ProfileHandle
        /// Its code and the name of its message.
        var name: String
    }

    /// Profiles that ran without an error, and the ways in which profiles failed.
    private(set) var succeeded: Set<ProfileHandle> = []
    private var failures: Set<WayToFail> = []
    /// Directory profiles that made an account.
    private(set) var created: Set<ProfileHandle> = []
    /// The shortest path on which a profile succeeded.
    private(set) var firstSuccess: [ProfileHandle: Int] = [:]

    init(_ policy: ResolvedPolicy) { self.policy = policy }

    /// How many parts have run, both ways of preconditions counted apart.
    var count: Int {
        ran.count + passed.count + held.values.reduce(0) { $0 + $1.count } + profiles.count + transformations.count
            + succeeded.count + failures.count
    }

    /// What a move did.
    ///
    /// - Parameter trail: The path that leads to the move.
    mutating func take(_ trace: [TraceEntry], _ journey: Journey, at trail: Int) {
        for (handle, step) in journey.steps(in: policy) { mark(StepKey(journey: handle, order: step.order)) }
        profiles.formUnion(journey.profiles)
        for entry in trace {
            switch entry {
            case .step(let step): take(step)
            case .profile(let profile):
                take(profile, at: trail)
            case .transformation(let transformation):
                if let handle = policy.transformation(transformation.transformation) { transformations.insert(handle) }
            }
        }
    }

    /// A profile that a precondition skipped, or that is disabled, has not run. One that a session makes unnecessary counts.
    private mutating func take(_ trace: TraceEntry.ProfileTrace, at trail: Int) {
        guard let handle = policy.profile(trace.profile) else { return }
        guard trace.skipped == nil else {
            if case .session = trace.skipped { profiles.insert(handle) }
            return
        }
        profiles.insert(handle)
        if let failure = trace.failure {
            failures.insert(WayToFail(profile: handle, name: failure))
            return
        }
        if succeeded.insert(handle).inserted { firstSuccess[handle] = trail }
        let isNew = trace.out.claims.contains { item in
            let output = policy[handle].outputClaims.first { $0.claim == item.claim }
            return output.map { sameID($0.wireName, "newClaimsPrincipalCreated") } ?? false
                && item.value.booleanValue == true
        }
        if isNew { created.insert(handle) }
    }

    private mutating func mark(_ key: StepKey) {
        ran.insert(key)
        passed.insert(key)
    }

    private mutating func take(_ trace: TraceEntry.StepTrace) {
        let key = StepKey(journey: trace.handle, order: trace.step)
        guard !trace.ran else { return mark(key) }
        held[key, default: []].formUnion(trace.decision?.holding ?? [])
    }

    /// The journeys that the relying party's default journey leads to, itself first.
    func journeys() -> [JourneyHandle] {
        policy.journeys(from: [policy.relyingParty.defaultJourney]).map(\.handle).sorted()
    }

    /// How much was reached, in a line.
    var summary: String {
        let all = journeys().flatMap { journey in
            policy[journey].steps.map { StepKey(journey: journey, order: $0.order) }
        }
        return
            "\(all.count { ran.contains($0) }) of \(all.count) orchestration steps, \(profiles.count) technical profiles"
    }
}
