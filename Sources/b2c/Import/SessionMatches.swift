import Capture
import Determinism
import Diagnostics
import JourneyLogs

/// Which session of a log each sign-in of a capture is.
struct SessionMatches {
    /// A sign-in with its session.
    struct Pair {
        var signIn: CaptureImport.SignIn
        var session: LogSession
        /// How they were matched, in words.
        var because: String
    }

    /// In the order of the capture.
    private(set) var pairs: [Pair] = []
    /// Sign-ins without a session: the reason and the remedy, a sentence or two each.
    private(set) var problems: [String] = []

    private let log: RecorderLog
    private var taken: [Int: CaptureImport.SignIn] = [:]

    /// Clocks of a browser and of the service differ by less (inferred).
    private static let tolerance: TimeSpan = .seconds(60)

    init(_ signIns: [CaptureImport.SignIn], _ log: RecorderLog) {
        self.log = log
        var rest: [CaptureImport.SignIn] = []
        for signIn in signIns where isRecorded(signIn) && !matchByID(signIn) { rest.append(signIn) }
        for signIn in rest { matchByTime(signIn) }
        pairs.sort { $0.signIn.origin < $1.signIn.origin }
    }

    /// User flows are not recorded.
    private mutating func isRecorded(_ signIn: CaptureImport.SignIn) -> Bool {
        guard let policy = signIn.policy else {
            problems.append("\(signIn.place): the request names no policy, so no session of the log can be its own.")
            return false
        }
        guard policy.hasPrefix("b2c_1_") else { return true }
        problems.append(
            "\(signIn.place): \(policy) is a user flow, and the journey recorder records custom policies only.")
        return false
    }

    private func fits(_ entry: RecorderLog.Entry, _ signIn: CaptureImport.SignIn) -> Bool {
        entry.policyID.map { $0.lowercased() == signIn.policy } ?? true
    }

    // MARK: By correlation id

    /// - Returns: Whether the sign-in needs no other match.
    private mutating func matchByID(_ signIn: CaptureImport.SignIn) -> Bool {
        for id in signIn.correlationIDs {
            let found = log.entries.indices.filter { log.entries[$0].correlationID.lowercased() == id }
            guard let index = found.first(where: { fits(log.entries[$0], signIn) }) else { continue }
            if let other = taken[index] {
                problems.append(
                    "\(signIn.place): it has the correlation id of \(other.place), so the log does not show which of the "
                        + "two it is. What the log has is with \(other.place).")
                return true
            }
            take(index, signIn, because: "by its correlation id")
            return true
        }
        return false
    }

    private mutating func take(_ index: Int, _ signIn: CaptureImport.SignIn, because: String) {
        taken[index] = signIn
        pairs.append(Pair(signIn: signIn, session: log.session(log.entries[index]), because: because))
    }

    // MARK: By policy, tenant and time

    private mutating func matchByTime(_ signIn: CaptureImport.SignIn) {
        let near = log.entries.indices.filter { index in
            guard taken[index] == nil, fits(log.entries[index], signIn), let start = log.entries[index].start?.timestamp
            else { return false }
            return start >= signIn.started - Self.tolerance && start <= signIn.ended + Self.tolerance
        }
        let own = near.filter { !Self.differ(signIn.tenant, log.session(log.entries[$0]).tenant) }
        guard let index = own.first else {
            problems.append("\(signIn.place): \(reason(signIn))")
            return
        }
        guard own.count == 1 else {
            let ids = own.map { log.entries[$0].correlationID }
            problems.append(
                "\(signIn.place): \(own.count) sessions of \(signIn.policy ?? "the policy") began while it ran "
                    + "(\(namesList(ids, limit: 5))), and the capture has none of their correlation ids. Export the log with only "
                    + "one of them: | where customDimensions.CorrelationId == '\(ids[0])'")
            return
        }
        let because =
            signIn.correlationIDs.isEmpty
            ? "the capture has no correlation id" : "the log has none of the correlation ids of the capture"
        take(index, signIn, because: "by policy and time, because \(because)")
    }

    /// Whether two tenants are certainly not the same. A GUID and a domain cannot be compared.
    private static func differ(_ tenant: String?, _ other: String?) -> Bool {
        let domain = ".onmicrosoft.com"
        guard let tenant = tenant?.lowercased(), let other = other?.lowercased(), tenant.hasSuffix(domain),
            other.hasSuffix(domain)
        else { return false }
        return tenant != other
    }

    /// Why the log has no session for a sign-in, and what to do.
    private func reason(_ signIn: CaptureImport.SignIn) -> String {
        let policy = signIn.policy ?? "the policy"
        if let tenant = signIn.tenant, !log.tenants.isEmpty, log.tenants.allSatisfy({ Self.differ(tenant, $0) }) {
            return
                "the log is of \(namesList(log.tenants, limit: 3)), and the sign-in went to \(tenant). Export the log from the "
                + "Application Insights resource that the policies of \(tenant) name."
        }
        let sessions = log.entries.filter { $0.policyID?.lowercased() == policy }
        guard !sessions.isEmpty else {
            let known = Set(log.entries.compactMap(\.policyID)).sorted()
            return "the log has no session of \(policy)"
                + (known.isEmpty ? "" : "; it has sessions of \(namesList(known, limit: 5))")
                + ". Check that the policy has JourneyInsights with the key of this resource, and that the query does not leave "
                + "it out."
        }
        let starts = sessions.compactMap { $0.start?.timestamp }
        let nearest = starts.min { abs(($0 - signIn.started).milliseconds) < abs(($1 - signIn.started).milliseconds) }
        return "no session of the log has its correlation id, and none of \(policy) began between "
            + "\((signIn.started - Self.tolerance).rfc3339) and \((signIn.ended + Self.tolerance).rfc3339)"
            + (nearest.map { "; the nearest began at \($0.rfc3339)" } ?? "")
            + ". Export the log of that time, with all rows: Application Insights receives them minutes later."
    }
}
