import Capture
import Determinism
import Diagnostics
import JourneyLogs

/// Which session of a log each sign-in of a capture is.
struct SessionMatches {
    /// A sign-in with its session.
    struct Pair {
        var signIn: CaptureImport.CapturedSignIn
        var session: LogSession
        /// How they were matched, in words.
        var because: String
    }

    /// In the order of the capture.
    private(set) var pairs: [Pair] = []
    /// Sign-ins without a session: the reason and the remedy, a sentence or two each.
    private(set) var problems: [String] = []

    private let log: RecorderLog
    private var taken: [Int: CaptureImport.CapturedSignIn] = [:]
    /// Positions in the log by correlation id in lower case.
    private let byID: [String: [Int]]
    /// The same by policy in lower case, and of those without one, in the order of their starts.
    private let byPolicy: [String?: [(start: Timestamp, index: Int)]]
    /// Ids of the policies of sessions, in their order, and in lower case.
    private let policies: [String]
    private let policyIDs: Set<String>
    /// Domains of the log's tenants in lower case; `nil` if one of them is not a domain.
    private let domains: Set<String>?
    /// Tenants of sessions, once they were asked for.
    private var tenants: [Int: String?] = [:]

    /// Clocks of a browser and of the service differ by less (inferred).
    private static let tolerance: TimeSpan = .seconds(60)

    init(_ signIns: [CaptureImport.CapturedSignIn], _ log: RecorderLog) {
        self.log = log
        byID = Dictionary(grouping: log.entries.indices) { log.entries[$0].correlationID.lowercased() }
        let started = log.entries.enumerated().compactMap { index, entry in
            entry.start.map { (policy: entry.policyID?.lowercased(), start: $0.timestamp, index: index) }
        }
        byPolicy = Dictionary(grouping: started, by: \.policy).mapValues { entries in
            entries.map { (start: $0.start, index: $0.index) }.sorted { ($0.start, $0.index) < ($1.start, $1.index) }
        }
        policies = Set(log.entries.compactMap(\.policyID)).sorted()
        policyIDs = Set(policies.map { $0.lowercased() })
        let domains = log.tenants.compactMap(Self.domain)
        self.domains = domains.count == log.tenants.count ? Set(domains) : nil
        var rest: [CaptureImport.CapturedSignIn] = []
        for signIn in signIns where isRecorded(signIn) && !matchByID(signIn) { rest.append(signIn) }
        for signIn in rest { matchByTime(signIn) }
        pairs.sort { $0.signIn.origin < $1.signIn.origin }
    }

    /// User flows are not recorded.
    private mutating func isRecorded(_ signIn: CaptureImport.CapturedSignIn) -> Bool {
        guard let policy = signIn.policy else {
            problems.append("\(signIn.place): the request names no policy, so no session of the log can be its own.")
            return false
        }
        guard policy.hasPrefix("b2c_1_") else { return true }
        problems.append(
            "\(signIn.place): \(policy) is a user flow, and the journey recorder records custom policies only.")
        return false
    }

    private func fits(_ entry: RecorderLog.Entry, _ signIn: CaptureImport.CapturedSignIn) -> Bool {
        entry.policyID.map { $0.lowercased() == signIn.policy } ?? true
    }

    // MARK: By correlation id

    /// - Returns: Whether the sign-in needs no other match.
    private mutating func matchByID(_ signIn: CaptureImport.CapturedSignIn) -> Bool {
        for id in signIn.correlationIDs {
            guard let index = byID[id]?.first(where: { fits(log.entries[$0], signIn) }) else { continue }
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

    private mutating func take(_ index: Int, _ signIn: CaptureImport.CapturedSignIn, because: String) {
        taken[index] = signIn
        pairs.append(Pair(signIn: signIn, session: log.session(log.entries[index]), because: because))
    }

    // MARK: By policy, tenant and time

    private mutating func matchByTime(_ signIn: CaptureImport.CapturedSignIn) {
        let own = near(signIn).filter { taken[$0] == nil && !Self.differ(signIn.tenant, tenant($0)) }
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

    /// Sessions of the policy, and of none that is known, that began while a sign-in ran.
    private func near(_ signIn: CaptureImport.CapturedSignIn) -> [Int] {
        var found: [Int] = []
        for policy in Set([signIn.policy, nil]) {
            let entries = byPolicy[policy] ?? []
            var place = Self.place(of: signIn.started - Self.tolerance, in: entries)
            while place < entries.count, entries[place].start <= signIn.ended + Self.tolerance {
                found.append(entries[place].index)
                place += 1
            }
        }
        return found.sorted()
    }

    /// The first position of what did not begin before a moment.
    private static func place(of moment: Timestamp, in entries: [(start: Timestamp, index: Int)]) -> Int {
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = entries[middle].start < moment ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private mutating func tenant(_ index: Int) -> String? {
        if let known = tenants[index] { return known }
        let tenant = log.session(log.entries[index]).tenant
        tenants[index] = .some(tenant)
        return tenant
    }

    /// Whether two tenants are certainly not the same. A GUID and a domain cannot be compared.
    private static func differ(_ tenant: String?, _ other: String?) -> Bool {
        guard let tenant = domain(tenant), let other = domain(other) else { return false }
        return tenant != other
    }

    private static func domain(_ tenant: String?) -> String? {
        tenant.map { $0.lowercased() }.flatMap { $0.hasSuffix(".onmicrosoft.com") ? $0 : nil }
    }

    /// Why the log has no session for a sign-in, and what to do.
    private func reason(_ signIn: CaptureImport.CapturedSignIn) -> String {
        let policy = signIn.policy ?? "the policy"
        if let tenant = signIn.tenant, let domain = Self.domain(tenant), let domains, !domains.isEmpty,
            !domains.contains(domain)
        {
            return
                "the log is of \(namesList(log.tenants, limit: 3)), and the sign-in went to \(tenant). Export the log from the "
                + "Application Insights resource that the policies of \(tenant) name."
        }
        guard policyIDs.contains(policy) else {
            return "the log has no session of \(policy)"
                + (policies.isEmpty ? "" : "; it has sessions of \(namesList(policies, limit: 5))")
                + ". Check that the policy has JourneyInsights with the key of this resource, and that the query does not leave "
                + "it out."
        }
        let starts = byPolicy[policy] ?? []
        let place = Self.place(of: signIn.started, in: starts)
        let nearest = starts[max(0, place - 1)..<min(starts.count, place + 1)].map(\.start)
            .min { abs(($0 - signIn.started).milliseconds) < abs(($1 - signIn.started).milliseconds) }
        return "no session of the log has its correlation id, and none of \(policy) began between "
            + "\((signIn.started - Self.tolerance).rfc3339) and \((signIn.ended + Self.tolerance).rfc3339)"
            + (nearest.map { "; the nearest began at \($0.rfc3339)" } ?? "")
            + ". Export the log of that time, with all rows: Application Insights receives them minutes later."
    }
}
