import Diagnostics
import JSON
import JourneyLogs
import TrustFramework

/// Whether the policy of a folder can be the one that wrote a log. It is not if the log names what the policy does not have:
/// steps, technical profiles, claims transformations, claims exchanges, content definitions, sub-journeys, another id.
///
/// A policy that does something else with the same elements is not noticed here; that is a difference to look at.
package struct LogPolicyVersion {
    /// What the log has and the policy does not, in words; `nil` if there is nothing.
    package private(set) var other: String?
    /// One about the version and one about the tenant at most.
    package private(set) var findings: [Diagnostic] = []

    /// Something that the log has and the policy does not.
    private struct Evidence {
        var text: String
        var isIn: (RecorderMessage) -> Bool

        /// Found in the log by its name.
        static func named(_ id: String, _ what: String) -> Evidence {
            Evidence(text: "\(what) \(id)") { JSONWriter.compact($0.json).contains(id) }
        }
    }

    private static let rule = "B2C-LOG-009"
    /// How many names a finding has.
    private static let mostNames = 4

    /// - Parameter folder: Where the policy is, for messages.
    package init(_ story: LoggedSession, _ session: LogSession, _ policy: ResolvedPolicy, of folder: String) {
        let evidence = Self.evidence(story, session, policy)
        if let first = evidence.first {
            var names = evidence.prefix(Self.mostNames).map(\.text).joined(separator: ", ")
            if evidence.count > Self.mostNames { names += " and \(evidence.count - Self.mostNames) more" }
            let place = policy[policy.relyingParty.defaultJourney].location
            other = names
            findings.append(
                Diagnostic(
                    .warning, rule: Self.rule,
                    "the log is of another version of \(policy.id) than \(folder) (\(place)), which does not have: \(names)",
                    remedy:
                        "Compare with the files that were uploaded when the log was written. b2c policy diff OLD NEW shows what "
                        + "changed since. What follows is the comparison with the files as they are.",
                    at: session.requests.first { first.isIn($0.message) }?.location
                        ?? session.requests.first?.location))
        }
        if let there = session.tenant, let here = policy.tenantID, !sameID(there, here), !here.contains("{"),
            !TenantPlaceholder.isOne(here)
        {
            findings.append(
                Diagnostic(
                    .advice, rule: Self.rule,
                    "the log is of the tenant \(there), and \(policy.id) in \(folder) of \(here), which may have another version",
                    remedy: "Compare with the files that were uploaded to \(there).",
                    at: session.requests.first?.location))
        }
    }

    private static func evidence(
        _ story: LoggedSession, _ session: LogSession, _ policy: ResolvedPolicy
    ) -> [Evidence] {
        var found: [Evidence] = []
        func add(_ evidence: Evidence) {
            if !found.contains(where: { $0.text == evidence.text }) { found.append(evidence) }
        }
        if let id = session.policyID, !sameID(id, policy.id) { add(.named(id, "the policy id")) }
        for step in story.steps {
            if let missing = missing(step, policy) { add(missing) }
            if let id = step.contentDefinition, policy.contentDefinition(id) == nil {
                add(.named(id, "the content definition"))
            }
            for item in step.items {
                switch item.kind {
                case .profile where policy.profile(item.id) == nil: add(.named(item.id, "the technical profile"))
                case .validation where policy.profile(item.id) == nil:
                    add(.named(item.id, "the validation technical profile"))
                case .transformation where policy.transformation(item.id) == nil:
                    add(.named(item.id, "the claims transformation"))
                default: break
                }
            }
        }
        let steps = policy.journeys.flatMap(\.steps)
        for id in story.chosen where !steps.contains(where: { $0.exchange(id) != nil }) {
            add(.named(id, "the claims exchange"))
        }
        if let end = end(story, policy) { add(end) }
        return found
    }

    /// A step that its journey does not have, or a journey that the policy does not have.
    private static func missing(_ step: LoggedStep, _ policy: ResolvedPolicy) -> Evidence? {
        guard let handle = policy.journey(step.journey) else {
            // The log has no name for some sub-journeys.
            return step.journey == LoggedSession.unnamedSubJourney ? nil : .named(step.journey, "the sub-journey")
        }
        let journey = policy[handle]
        guard !journey.steps.contains(where: { $0.order == step.order }) else { return nil }
        let last = journey.steps.map(\.order).max() ?? 0
        return Evidence(text: "step \(step.order) of \(journey.id), which ends with step \(last)") {
            isStep(step.order, in: $0)
        }
    }

    private static func isStep(_ order: Int, in message: RecorderMessage) -> Bool {
        message.clips.contains { clip in
            guard case .handlerResult(let result) = clip else { return false }
            return result.statebag?.step == order
        }
    }

    /// A step that issued the token in the log and does something else in the policy.
    private static func end(_ story: LoggedSession, _ policy: ResolvedPolicy) -> Evidence? {
        let main = policy[policy.relyingParty.defaultJourney]
        guard story.end == .token, let last = story.steps.last, sameID(last.journey, main.id),
            let step = main.steps.first(where: { $0.order == last.order }), step.type != .sendClaims, last.items.isEmpty
        else { return nil }
        return Evidence(text: "a token issued by step \(last.order), which is of type \(step.type.rawValue)") {
            isStep(last.order, in: $0)
        }
    }
}
