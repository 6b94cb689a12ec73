import Determinism
import Diagnostics

/// What a deployment of a manifest does in a tenant. Pure: the same manifest, sets and time give the same plan.
public struct KeyPlan: Hashable, Sendable {
    /// What is done to a set.
    public enum Action: Hashable, Sendable {
        /// Nobody made the set: it is created, with a key.
        case create
        /// The set has no key that is used now or later: one is added.
        case add
        /// It has a key that is used now or later.
        case none
        /// It has no successor, and the manifest says that it is time for one. A deployment adds no key.
        case rotationDue
        /// The manifest and the tenant contradict each other.
        case refused(reason: String, remedy: String)
    }

    /// One set of the manifest.
    public struct KeyPlanStep: Hashable, Sendable {
        public var entry: KeyManifest.Entry
        public var action: Action
        /// When the key that is added becomes active; `nil`: at once, or it is a certificate, which has its own dates.
        public var activates: Timestamp?
        /// When it ends; `nil`: never, or it is a certificate.
        public var expires: Timestamp?
        /// The set as it is; `nil`: there is none.
        public var status: KeyStatus?

        /// Whether a deployment writes something.
        public var writes: Bool { action == .create || action == .add }
    }

    /// In the order of the manifest.
    public var steps: [KeyPlanStep]

    /// Whether there is nothing to do, to decide or to fix.
    public var isDone: Bool { steps.allSatisfy { $0.action == .none } }

    public init(_ manifest: KeyManifest, sets: [KeySet], now: Timestamp) {
        steps = manifest.entries.map { Self.step($0, sets.first(matching: $0), now) }
    }

    /// How far ahead the activation of a secret has to be: the service refuses an earlier one, and no document says why
    /// (mrochon/IEFPolicies issue 63: it sends now and 182 minutes).
    static let secretLead = TimeSpan.minutes(182)

    private static func step(_ entry: KeyManifest.Entry, _ set: KeySet?, _ now: Timestamp) -> KeyPlanStep {
        var step = KeyPlanStep(entry: entry, action: .none, status: set.map { KeyStatus($0, now: now) })
        func refuse(_ reason: String, _ remedy: String) -> KeyPlanStep {
            step.action = .refused(reason: reason, remedy: remedy)
            return step
        }
        if let set, let refusal = conflict(entry, set) { return refuse(refusal.reason, refusal.remedy) }
        if let set, set.hasUsableKey(at: now) {
            // A key that is there already is never sent again: a secret that was sent twice cannot be removed.
            if let gap = step.status?.gap, gap > now, gap - now < entry.rotateBefore { step.action = .rotationDue }
            return step
        }
        step.action = set == nil ? .create : .add
        guard entry.type != .certificate else { return step }
        // Without a date the key is active at once (inferred from nbf being optional). With the usual lead of a secret the
        // policies would have no key for three hours.
        if let activates = entry.activates?.moment(from: now), activates > now {
            step.activates = entry.type == .secret ? max(activates, now + secretLead) : activates
        }
        step.expires = entry.expires?.moment(from: step.activates ?? now)
        if let expires = step.expires, expires <= (step.activates ?? now) {
            return refuse(
                "it expires on \(expires.rfc3339), before it would become active", "Write a later \"expires\".")
        }
        return step
    }

    /// What keeps a key of the manifest out of a set: a set cannot mix types or uses (AADB2C95032, AADB2C95042).
    static func conflict(_ entry: KeyManifest.Entry, _ set: KeySet) -> (reason: String, remedy: String)? {
        for key in set.keys {
            guard entry.requirement.mismatch(key) != nil else { continue }
            return (
                "the set holds \(key.phrase), the manifest has \(entry.requirement.phrase), and a set cannot hold both",
                "Use another name in the manifest and in StorageReferenceId, or correct \"type\" and \"use\"."
            )
        }
        return nil
    }
}

extension [KeySet] {
    func first(matching entry: KeyManifest.Entry) -> KeySet? { first { KeySet.isSame($0.id, entry.id) } }
}
