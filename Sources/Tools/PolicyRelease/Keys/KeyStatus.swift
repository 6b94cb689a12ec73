import Determinism

/// Which key of a set the service uses at a moment, which one comes next, and when there is none.
///
/// Keys are sorted by activation date, those without one last. A key takes over when its date passes. When the active key
/// expires, another valid one takes over; a key without dates is the safety net. Where none is valid, the policy fails in
/// what needs the key (Microsoft docs: policy-keys-overview). Of several valid keys without an activation date the first one
/// stays active, since none of the others has a date that passes (inferred).
public struct KeyStatus: Hashable, Sendable {
    /// A key that takes over.
    public struct KeyTakeover: Hashable, Sendable {
        public var key: PolicyKey
        public var begins: Timestamp
    }

    /// The set.
    public var id: String
    /// `nil`: the service has no key to use.
    public var active: PolicyKey?
    /// The key that takes over next; `nil`: none does.
    public var next: KeyTakeover?
    /// The first moment without an active key: now, where there is none; `nil`: never.
    public var gap: Timestamp?
    /// When the gap ends; `nil`: there is none, or it does not end.
    public var resumes: Timestamp?
    /// Keys whose time is over, disabled ones too.
    public var expired: [PolicyKey]
    /// Disabled keys whose time is not over.
    public var disabled: [PolicyKey]

    public init(_ set: KeySet, now: Timestamp) {
        id = set.id
        active = set.activeKey(at: now)
        expired = set.keys.filter { $0.expires.map { $0 <= now } ?? false }
        let expired = expired
        disabled = set.keys.filter { !$0.isEnabled && !expired.contains($0) }
        let usable = set.keys.filter { $0.isEnabled && !expired.contains($0) }
        let moments = Set(usable.flatMap { [$0.activates, $0.expires].compactMap { $0 } }).filter { $0 > now }.sorted()
        if active == nil { gap = now }
        for moment in moments {
            let key = set.activeKey(at: moment)
            if let key {
                if key != active, next == nil { next = KeyTakeover(key: key, begins: moment) }
                if gap != nil, resumes == nil { resumes = moment }
            } else if gap == nil {
                gap = moment
            }
        }
    }

    /// Whole days until there is no active key; 0: there is none now; `nil`: there always is one.
    public func daysToGap(now: Timestamp) -> Int64? { gap.map { max(0, ($0 - now).milliseconds / 86_400_000) } }

    /// Why there is no active key now, as the end of a sentence.
    public var reason: String {
        if let resumes { return "its next key becomes active on \(resumes.rfc3339)" }
        switch (expired.isEmpty, disabled.isEmpty) {
        case (true, true): return "it has no keys"
        case (false, true): return "all its keys have expired"
        case (true, false): return "all its keys are disabled"
        case (false, false): return "its keys have expired or are disabled"
        }
    }
}

extension KeySet {
    /// The key that the service uses; see ``KeyStatus``.
    public func activeKey(at moment: Timestamp) -> PolicyKey? {
        let valid = keys.filter { key in
            key.isEnabled && key.activates.map { $0 <= moment } ?? true && key.expires.map { $0 > moment } ?? true
        }
        return valid.max { ($0.activates ?? .earliest) < ($1.activates ?? .earliest) }
    }

    /// Whether it has a key that is used now or later.
    func hasUsableKey(at now: Timestamp) -> Bool {
        keys.contains { $0.isEnabled && $0.expires.map { $0 > now } ?? true }
    }
}
