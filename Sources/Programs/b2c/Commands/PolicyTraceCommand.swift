import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Exploration
import JSON
import PolicyTools
import Reports
import ScenarioRunner
import TrustFramework

/// `b2c policy trace`.
struct PolicyTraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Signs a person in once and prints each step of the policy: whether it ran, why, and the claims.",
        discussion: """
            Behind each claim stands what put it there. Somebody who has no account yet signs up, or signs in at an \
            identity provider. Secrets are masked unless --show-secrets.
            """)

    @OptionGroup var place: PolicyPlace

    @OptionGroup(title: "Who and how") var play: PlayOptions

    @Flag(name: .long, help: "Print the outcome as JSON: requests, pages, messages, events and the trace records.")
    var json = false

    @Option(name: .long, help: ArgumentHelp("Also write a page to look at in a browser.", valueName: "file"))
    var html: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let isPiped = html == OutputFile.standardOutput
        if isPiped, json {
            throw Failure.usage("--json and --html - both go to the standard output: give the page a file of its own")
        }
        let playing = try PolicyPlay(place.source, try play.settings())
        let (outcome, person, madeUp) = try await playing.perform()
        if isPiped {
            // The page says everything that the text says.
        } else if json {
            let steps = outcome.steps.map { costed($0, playing.policy) }
            Machine.out.write(data: JSONWriter.pretty(steps.count == 1 ? steps[0] : .array(steps)) + "\n")
        } else {
            printText(outcome, playing)
        }
        if let html { try write(html, outcome, of: person, playing) }
        if !isPiped, !json { for line in madeUp { Machine.out.write(line + "\n") } }
        if outcome.failure != nil || !outcome.report.isGood {
            Machine.error.write(outcome.account(common.style(for: Machine.error)))
            throw Failure.silent(.expectation)
        }
    }

    private func printText(_ outcome: SignIn.Outcome, _ playing: PolicyPlay) {
        let style = common.style(for: Machine.out)
        for (index, step) in outcome.steps.enumerated() {
            if index > 0 { Machine.out.write("\n" + style.heading("refresh") + "\n") }
            Machine.out.write(TraceText(style: style).text(TraceModel(outcome: step)))
            if let claims = outcome.claims(.idToken, step: index) {
                let lines = JSONWriter.pretty(.object(claims)).split(separator: "\n").map { "  \($0)" }
                Machine.out.write("token of \(playing.policy.id)\n\(lines.joined(separator: "\n"))\n")
            }
            let cost = TenantCost(outcome: step, policy: playing.policy)
            guard cost.requests > 0 else { continue }
            Machine.out.write(
                "cost in a tenant: \(cost.requests) requests; at most \(cost.perSecond) such sign-ins a second: \(cost.words)\n"
                    + "  \(TenantCost.limits)\n")
        }
    }

    /// An outcome with what it costs in a tenant.
    private func costed(_ outcome: JSONValue, _ policy: ResolvedPolicy) -> JSONValue {
        let cost = TenantCost(outcome: outcome, policy: policy).json.merging(patch: ["limits": TenantCost.limitsJSON])
        return outcome.merging(patch: ["cost": cost])
    }

    private func write(_ file: String, _ outcome: SignIn.Outcome, of person: String, _ playing: PolicyPlay) throws {
        var page = TraceHTML(
            title: "\(playing.policy.id), \(person) signs in",
            facts: [
                ("policies", playing.policies.shown), ("person", person),
                (
                    "pages",
                    outcome.pages.compactMap { $0["name"]?.stringValue }
                        .joined(separator: ", ")
                ),
            ],
            token: outcome.claims(.idToken), failure: outcome.failure, drawing: JourneyGraph(playing.policy).svg)
        if page.token == nil, page.failure == nil { page.failure = "no ID token was issued" }
        page.sources = try sources(of: outcome, playing)
        try OutputFile.save(page.text(outcome.steps.first ?? [:], version: ToolVersion.text), to: file)
    }

    /// The XML of what took part, secrets masked. User flows have none.
    private func sources(of outcome: SignIn.Outcome, _ playing: PolicyPlay) throws -> [TraceHTML.Source] {
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
                TraceHTML.Source(
                    kind: $0.kind, id: $0.id, file: file, line: $0.location.line ?? 1,
                    text: playing.play.showsSecrets ? $0.text : SecretText.masked($0.text))
            }
        }
    }
}

/// `b2c policy run`.
struct PolicyRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Plays one sign-in at a policy and prints the claims of its tokens as JSON.",
        discussion: """
            What the person does, the request and changes of the tenant come from --inputs. Ends with 4 when no token \
            was issued.
            """)

    @OptionGroup var place: PolicyPlace

    @OptionGroup(title: "Who and how") var play: PlayOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let playing = try PolicyPlay(place.source, try play.settings())
        let (outcome, person, _) = try await playing.perform()
        var result: JSONObject = ["policy": .string(playing.policy.id), "person": .string(person)]
        result["outcome"] = .string(outcome.failure == nil ? "token" : "noToken")
        result["failure"] = outcome.failure.map { .string($0) }
        result["claims"] = outcome.claims(.idToken).map { .object($0) }
        result["accessToken"] = outcome.claims(.accessToken).map { .object($0) }
        if playing.play.refresh { result["afterRefresh"] = outcome.claims(.idToken, step: 1).map { .object($0) } }
        if play.showSecrets {
            result["tokens"] = outcome.result
        }
        result["pages"] = .array(
            outcome.pages.map { page in
                var shown = JSONObject()
                for member in ["name", "contentDefinition", "technicalProfile", "step", "error"] {
                    if let value = page[member], !value.isNull { shown[member] = value }
                }
                return .object(shown)
            })
        result["calls"] = .array(
            outcome.requests.filter { $0["endpoint"]?.stringValue == "rest" }
                .map { call in
                    [
                        "method": call["method"] ?? .null, "url": call["url"] ?? .null,
                        "status": call["response", "status"] ?? .null,
                    ]
                })
        Machine.out.write(data: JSONWriter.pretty(.object(result)) + "\n")
        if !outcome.report.isGood || outcome.failure != nil {
            Machine.error.write(outcome.account(common.style(for: Machine.error)))
            throw Failure.silent(.expectation)
        }
    }
}
