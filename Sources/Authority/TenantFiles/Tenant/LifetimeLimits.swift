import Determinism
import JSON

/// How long tokens and sessions of a user flow may live on a real tenant (Microsoft docs: configure-tokens,
/// session-behavior). The mock takes other values too, so that a test need not wait: they are worth a warning.
public enum LifetimeLimits {
    /// A lifetime that the service refuses.
    public struct LifetimeFinding: Hashable, Sendable {
        /// The setting, in the tenant.
        public var pointer: JSONPointer
        /// The setting that it does not go with; `nil` where it is wrong by itself.
        public var partner: JSONPointer?
        /// What is wrong.
        public var message: String
        /// What the service takes.
        public var remedy: String
    }

    /// The rule of all findings.
    public static let rule = "B2C-CFG-011"

    private struct Limit {
        var part: String
        var key: String
        var range: ClosedRange<TimeSpan>
        var words: String
    }

    private static let limits = [
        Limit(part: "tokens", key: "accessToken", range: .minutes(5) ... .hours(24), words: "PT5M to P1D"),
        Limit(part: "tokens", key: "idToken", range: .minutes(5) ... .hours(24), words: "PT5M to P1D"),
        Limit(part: "tokens", key: "refreshToken", range: .days(1) ... .days(90), words: "P1D to P90D"),
        Limit(part: "tokens", key: "slidingWindow", range: .days(1) ... .days(365), words: "P1D to P365D"),
        Limit(part: "session", key: "lifetime", range: .minutes(15) ... .hours(24), words: "PT15M to P1D"),
    ]

    /// What the service refuses of the lifetimes that a tenant writes. Values with `{{...}}` are not known yet.
    public static func findings(in tenant: JSONValue) -> [LifetimeFinding] {
        let policies = tenant["policies"]?.objectValue ?? JSONObject()
        let shared = policies["*"]
        var all: [LifetimeFinding] = []
        for (name, policy) in policies.members where name != "*" || policies.count == 1 {
            // The settings under `*` are the defaults of each policy.
            let whole = name == "*" ? policy : shared.map { $0.merging(patch: policy) } ?? policy
            let found = findings(of: whole) { part, key in
                let owner = name != "*" && (policy[part, key] ?? .null).isNull && shared?[part, key] != nil ? "*" : name
                return JSONPointer(tokens: ["policies", owner, part, key])
            }
            for finding in found where !all.contains(finding) { all.append(finding) }
        }
        return all
    }

    /// What the service refuses of a tenant only since a patch was applied, each at the member of the patch.
    public static func findings(in tenant: JSONValue, patchedBy patch: JSONValue) -> [LifetimeFinding] {
        guard patch["policies"] != nil else { return [] }
        let before = Set(findings(in: tenant))
        return findings(in: tenant.merging(patch: patch)).filter { !before.contains($0) }.map { finding in
            var finding = finding
            let places = [finding.pointer, finding.partner].compactMap { $0 }
            finding.pointer = places.first { patch.value(at: $0) != nil } ?? written(finding.pointer, in: patch)
            return finding
        }
    }

    /// The part of a place that a patch writes: a removed object has no members.
    private static func written(_ place: JSONPointer, in patch: JSONValue) -> JSONPointer {
        var tokens = place.tokens
        while !tokens.isEmpty, patch.value(at: JSONPointer(tokens: tokens)) == nil { tokens.removeLast() }
        return JSONPointer(tokens: tokens)
    }

    private static func findings(
        of policy: JSONValue, at place: (_ part: String, _ key: String) -> JSONPointer
    ) -> [LifetimeFinding] {
        var all: [LifetimeFinding] = []
        for limit in limits {
            guard let text = policy[limit.part, limit.key]?.stringValue, let span = TimeSpan(iso8601: text),
                !limit.range.contains(span)
            else { continue }
            all.append(
                LifetimeFinding(
                    pointer: place(limit.part, limit.key),
                    message: "`\(limit.key)` is \(text), which B2C does not take",
                    remedy: "It goes from \(limit.words)."))
        }
        // A value out of range says enough.
        guard all.allSatisfy({ !["refreshToken", "slidingWindow"].contains($0.pointer.tokens.last) }) else {
            return all
        }
        let tokens = policy["tokens"]
        let written = ["refreshToken", "slidingWindow"].filter { !(tokens?[$0] ?? .null).isNull }
        guard let key = written.first, let refresh = span(tokens?["refreshToken"], else: TokenSettings().refreshToken),
            let window = span(tokens?["slidingWindow"], else: TokenSettings().slidingWindow), refresh > window
        else { return all }
        all.append(
            LifetimeFinding(
                pointer: place("tokens", key),
                partner: place("tokens", key == "refreshToken" ? "slidingWindow" : "refreshToken"),
                message: "a refresh token lives for \(refresh.iso8601), longer than the sliding window of "
                    + window.iso8601,
                remedy: "The sliding window is at least as long as `refreshToken`."))
        return all
    }

    /// A written span, or the default; `nil` for no limit and for what is not known yet.
    private static func span(_ value: JSONValue?, else standard: TimeSpan?) -> TimeSpan? {
        guard let value, !value.isNull else { return standard }
        return value.stringValue.flatMap { TimeSpan(iso8601: $0) }
    }
}
