import ArgumentParser
import CommandFiles
import CommandKit
import Exploration
import JSON
import PolicyTools
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
        let trace = try await PolicyTrace(of: try PolicyPlay(place.source, try play.settings()))
        let outcome = trace.outcome
        if isPiped {
            // The page says everything that the text says.
        } else if json {
            let steps = outcome.steps.map { costed($0, trace.playing.policy) }
            Machine.out.write(data: JSONWriter.pretty(steps.count == 1 ? steps[0] : .array(steps)) + "\n")
        } else {
            Machine.out.write(trace.text(common.style(for: Machine.out)))
        }
        if let html { try OutputFile.save(try trace.page(), to: html) }
        if !isPiped, !json { for line in trace.madeUp { Machine.out.write(line + "\n") } }
        if !trace.isGood {
            Machine.error.write(outcome.account(common.style(for: Machine.error)))
            throw Failure.silent(.expectation)
        }
    }

    /// An outcome with what it costs in a tenant.
    private func costed(_ outcome: JSONValue, _ policy: ResolvedPolicy) -> JSONValue {
        let cost = TenantCost(outcome: outcome, policy: policy).json.merging(patch: ["limits": TenantCost.limitsJSON])
        return outcome.merging(patch: ["cost": cost])
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
