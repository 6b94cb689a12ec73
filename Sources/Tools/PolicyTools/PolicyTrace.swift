import Diagnostics
import Exploration
import JSON
import Reports
import ScenarioRunner
import TrustFramework

/// A sign-in that was played, for a person: as text, and as a page to look at in a browser.
package struct PolicyTrace {
    package let playing: PolicyPlay
    /// Secrets masked.
    package let outcome: SignIn.Outcome
    /// Who signed in.
    package let person: String
    /// What services without a stub said, a line each.
    package let madeUp: [String]

    /// Plays the sign-in.
    package init(of playing: PolicyPlay) async throws {
        self.playing = playing
        (outcome, person, madeUp) = try await playing.perform()
    }

    /// Whether it ended as it was to end.
    package var isGood: Bool { outcome.failure == nil && outcome.report.isGood }

    /// The policy and the person.
    package var title: String { "\(playing.policy.id), \(person) signs in" }

    /// Each step with its claims, the token, and what it costs in a tenant.
    package func text(_ style: Style) -> String {
        var text = ""
        for (index, step) in outcome.steps.enumerated() {
            if index > 0 { text += "\n" + style.heading("refresh") + "\n" }
            text += TraceText(style: style).text(TraceModel(outcome: step))
            if let claims = outcome.claims(.idToken, step: index) {
                let lines = JSONWriter.pretty(.object(claims)).split(separator: "\n").map { "  \($0)" }
                text += "token of \(playing.policy.id)\n\(lines.joined(separator: "\n"))\n"
            }
            let cost = TenantCost(outcome: step, policy: playing.policy)
            guard cost.requests > 0 else { continue }
            text +=
                "cost in a tenant: \(cost.requests) requests; at most \(cost.perSecond) such sign-ins a second: \(cost.words)\n"
                + "  \(TenantCost.limits)\n"
        }
        return text
    }

    /// The page.
    package func page() throws -> String {
        let pages = outcome.pages.compactMap { $0["name"]?.stringValue }.joined(separator: ", ")
        var page = TraceHTML(
            title: title, facts: [("policies", playing.policies.shown), ("person", person), ("pages", pages)],
            token: outcome.claims(.idToken), failure: outcome.failure, drawing: JourneyGraph(playing.policy).svg)
        if page.token == nil, page.failure == nil { page.failure = "no ID token was issued" }
        page.sources = try sources()
        return page.text(outcome.steps.first ?? [:], version: ToolVersion.text)
    }

    /// The XML of what took part, secrets masked. User flows have none.
    private func sources() throws -> [TraceHTML.ElementSource] {
        guard playing.settings.type == .custom else { return [] }
        var named = Set<String>()
        for record in outcome.trace {
            for name in ["profile", "transformation"] {
                if let id = record[name]?.stringValue { named.insert(id.lowercased()) }
            }
            if let journey = record["journey"]?.stringValue, let step = record["step"]?.intValue {
                named.insert("\(journey) \(step)".lowercased())
            }
        }
        for page in outcome.pages {
            if let id = page["contentDefinition"]?.stringValue { named.insert(id.lowercased()) }
        }
        let files = try playing.policies.shelf.files(
            of: playing.settings, tenant: playing.policies.tenant, folder: playing.policies.folder)
        return try files.flatMap { file, bytes in
            try PolicyExcerpt.all(file: file, bytes: bytes).filter { named.contains($0.id.lowercased()) }.map {
                TraceHTML.ElementSource(
                    kind: $0.kind, id: $0.id, file: file, line: $0.location.line ?? 1,
                    text: playing.play.showsSecrets ? $0.text : SecretText.masked($0.text))
            }
        }
    }
}
