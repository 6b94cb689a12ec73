import Determinism

/// The next key of a set, beside the one that is active.
public struct KeyRotation: Hashable, Sendable {
    /// Why there is no rotation.
    public struct NoRotation: Error, Hashable, Sendable {
        public var reason: String
        public var remedy: String
    }

    public var entry: KeyManifest.Entry
    /// The set as it is.
    public var status: KeyStatus
    /// When the next key takes over; `nil`: a certificate, which has its own dates.
    public var activates: Timestamp?
    /// When the next key ends; `nil`: never, or a certificate.
    public var expires: Timestamp?

    /// How far ahead the next key becomes active at least: three hours, as the service requires of secrets, and the half
    /// hour for which it caches policies and keys (inferred for keys), so that apps can read the new public key first.
    public static let lead = TimeSpan.minutes(210)

    /// - Parameters:
    ///   - set: As the tenant has it; `nil`: it has none.
    ///   - activates: When the next key takes over; `nil`: as early as possible.
    public init(
        _ entry: KeyManifest.Entry, set: KeySet?, activates wanted: Timestamp? = nil, now: Timestamp
    ) throws(NoRotation) {
        guard let set else {
            throw NoRotation(
                reason: "the tenant has no key set \(entry.id)", remedy: "Create it: b2c policy keys deploy.")
        }
        if let conflict = KeyPlan.conflict(entry, set) {
            throw NoRotation(reason: "\(set.id): \(conflict.reason)", remedy: conflict.remedy)
        }
        status = KeyStatus(set, now: now)
        guard status.active != nil || status.next != nil else {
            throw NoRotation(
                reason: "\(set.id) has no active key: \(status.reason)",
                remedy: "Add one that is active at once: b2c policy keys deploy.")
        }
        // A second run, after one whose answer was lost, must not add a second key: it could not be removed.
        if let next = status.next, next.key.activates.map({ $0 > now }) ?? false {
            throw NoRotation(
                reason: "\(set.id) has a next key already: \(next.key.kid) becomes active on \(next.begins.rfc3339)",
                remedy: "Wait until then, or disable it: b2c policy keys rotate \(set.id) --disable \(next.key.kid).")
        }
        self.entry = entry
        guard entry.type != .certificate else {
            activates = nil
            expires = nil
            guard wanted == nil else {
                throw NoRotation(
                    reason: "\(set.id) holds certificates, which have their own dates", remedy: "Remove --activates.")
            }
            return
        }
        let earliest = now + Self.lead
        if let wanted, wanted < earliest {
            throw NoRotation(
                reason:
                    "a key that becomes active on \(wanted.rfc3339) is too early: the service and apps that cache keys "
                    + "need \(Self.lead.iso8601)",
                remedy: "Use \(earliest.rfc3339) or later, the default.")
        }
        let begins = wanted ?? earliest
        activates = begins
        expires = entry.expires?.moment(from: begins)
        if let expires, expires <= begins {
            throw NoRotation(
                reason: "\(set.id): the next key would expire on \(expires.rfc3339), before it becomes active",
                remedy: "Write a later \"expires\" in the manifest, or a span such as \"365d\".")
        }
        if let gap = status.gap, gap < begins, wanted != nil {
            throw NoRotation(
                reason: "\(set.id) has no active key from \(gap.rfc3339) on, before the next one would become active",
                remedy: "Use an earlier --activates.")
        }
    }

    /// Why a key cannot be disabled; `nil`: it can.
    public static func refusal(disabling kid: String, in set: KeySet, now: Timestamp) -> NoRotation? {
        guard let key = set.keys.first(where: { $0.kid == kid }) else {
            return NoRotation(
                reason: "\(set.id) has no key \(kid)",
                remedy: set.keys.isEmpty
                    ? "It has no keys." : "Its keys are \(set.keys.map(\.kid).joined(separator: ", ")).")
        }
        guard key.isEnabled else {
            return NoRotation(reason: "\(kid) is disabled already", remedy: "There is nothing to do.")
        }
        var rest = set
        rest.keys = set.keys.map { one in
            var one = one
            if one.kid == kid { one.isEnabled = false }
            return one
        }
        guard set.activeKey(at: now) != nil, rest.activeKey(at: now) == nil else { return nil }
        return NoRotation(
            reason: "\(kid) is the only active key of \(set.id), and policies that use the set would fail",
            remedy:
                "Add the next key first: b2c policy keys rotate \(set.id). Disable this one when the next is active.")
    }
}
