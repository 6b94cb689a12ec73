import Diagnostics
import Journeys
import Synchronization
import TrustFramework

/// Which parts of custom policies a run has exercised. Many scenarios report to it at once; it keeps counts only.
public final class PolicyCoverage: Sendable {
    private struct Key: Hashable {
        var file: String
        var line: Int
        /// Parts of a file without line breaks differ by it.
        var column: Int
        var kind: CoverageReport.Kind
        var id: String

        init(_ location: SourceLocation, _ kind: CoverageReport.Kind, _ id: String) {
            file = location.file
            line = location.line ?? 0
            column = location.column ?? 0
            self.kind = kind
            self.id = id
        }
    }

    private struct Count {
        var hits = 0
        /// Of a precondition: how often it left something out, and how often it did not.
        var skipped = 0
        var passed = 0
    }

    private struct State {
        var counts: [Key: Count] = [:]
        var known: Set<String> = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Makes known what there is to exercise. Policies that are known already, and user flows, change nothing.
    func add(_ policies: [ResolvedPolicy]) {
        for policy in policies where !policy.personality.isUserFlow {
            let isNew = state.withLock { $0.known.insert(policy.id + policy.fingerprint).inserted }
            guard isNew else { continue }
            let keys = Self.everything(in: policy)
            state.withLock { state in
                for key in keys where state.counts[key] == nil { state.counts[key] = Count() }
            }
        }
    }

    /// Takes note of something that a journey did.
    func record(_ entry: TraceEntry) {
        switch entry {
        case .step(let step):
            let policy = step.policy
            guard !policy.personality.isUserFlow else { return }
            if step.ran { hit(Self.key(step.element, of: step.journey)) }
            if let decision = step.decision { count(step.element.preconditions, decision, policy) }
        case .profile(let profile):
            let policy = profile.in.policy
            guard !policy.personality.isUserFlow, profile.skipped == nil, let handle = policy.profile(profile.profile)
            else { return }
            hit(Self.key(policy[handle]))
        case .transformation(let transformation):
            let policy = transformation.in.policy
            guard !policy.personality.isUserFlow,
                let handle = policy.transformation(transformation.transformation)
            else { return }
            hit(Self.key(policy[handle]))
        }
    }

    private func hit(_ key: Key) { state.withLock { $0.counts[key, default: Count()].hits += 1 } }

    /// The first precondition that holds skips the step; those before it, or all, let it pass. Later ones are not asked.
    private func count(_ list: [Precondition], _ decision: PreconditionDecision, _ policy: ResolvedPolicy) {
        for (place, precondition) in list.prefix((decision.skippedBy ?? list.count) + 1).enumerated() {
            let key = Self.key(precondition, policy)
            state.withLock { state in
                state.counts[key, default: Count()].hits += 1
                if place == decision.skippedBy {
                    state.counts[key]?.skipped += 1
                } else {
                    state.counts[key]?.passed += 1
                }
            }
        }
    }

    // MARK: What there is

    private static func everything(in policy: ResolvedPolicy) -> [Key] {
        var keys: [Key] = []
        var seen: Set<ProfileHandle> = []
        func add(_ handle: ProfileHandle) {
            guard seen.insert(handle).inserted else { return }
            let profile = policy[handle]
            keys.append(key(profile))
            for transformation in profile.inputTransformations + profile.outputTransformations {
                keys.append(key(policy[transformation]))
            }
            for validation in profile.validationProfiles { add(validation.profile) }
            for display in profile.displayClaims {
                guard case .control(let control) = display.target else { continue }
                for action in policy[control].actions { action.profiles.forEach { add($0.profile) } }
            }
        }
        var journeys = [policy.relyingParty.defaultJourney] + policy.relyingParty.endpoints.map(\.journey)
        var place = 0
        while place < journeys.count {
            let journey = policy[journeys[place]]
            place += 1
            for step in journey.steps {
                keys.append(key(step, of: journey.id))
                keys += step.preconditions.map { key($0, policy) }
                for exchange in step.exchanges { add(exchange.profile) }
                for sub in step.subJourneys where !journeys.contains(sub) { journeys.append(sub) }
            }
        }
        return keys
    }

    private static func key(_ step: OrchestrationStep, of journey: String) -> Key {
        Key(step.location, .step, "\(journey) \(step.order) \(step.type.rawValue)")
    }

    private static func key(_ precondition: Precondition, _ policy: ResolvedPolicy) -> Key {
        Key(precondition.location, .precondition, precondition.words(in: policy))
    }

    private static func key(_ profile: TechnicalProfile) -> Key { Key(profile.location, .profile, profile.id) }

    private static func key(_ transformation: ClaimsTransformation) -> Key {
        Key(transformation.location, .transformation, transformation.id)
    }

    // MARK: Report

    /// Ids of the technical profiles that ran, in small letters, with those of the built-in base.
    package var profilesThatRan: Set<String> {
        let counts = state.withLock { $0.counts }
        return Set(counts.filter { $0.key.kind == .profile && $0.value.hits > 0 }.map { $0.key.id.lowercased() })
    }

    /// The counts so far, by file and line, without the built-in base, which policy authors need not test.
    public var report: CoverageReport {
        let counts = state.withLock { $0.counts }
        let keys = counts.keys.filter { !$0.file.hasPrefix("built-in ") }.sorted {
            ($0.file, $0.line, $0.kind.rawValue, $0.id, $0.column)
                < ($1.file, $1.line, $1.kind.rawValue, $1.id, $1.column)
        }
        var files: [CoverageReport.File] = []
        for key in keys {
            guard let count = counts[key] else { continue }
            if files.last?.path != key.file { files.append(CoverageReport.File(path: key.file, items: [])) }
            files[files.count - 1].items.append(
                CoverageReport.Item(
                    kind: key.kind, id: key.id, line: key.line, hits: count.hits,
                    branches: key.kind == .precondition ? .init(skipped: count.skipped, passed: count.passed) : nil))
        }
        return CoverageReport(files: files)
    }
}
