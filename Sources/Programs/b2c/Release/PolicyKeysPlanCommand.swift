import ArgumentParser
import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools

/// `b2c policy keys plan`.
struct PolicyKeysPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Compares the manifest with the tenant and shows what a deployment does.",
        discussion: """
            Ends with 0 if every set has a key, with 4 if there is something to create, to rotate or to correct. No \
            secret is read.
            """)

    @OptionGroup var manifest: KeyManifestOptions

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    @OptionGroup var graphOptions: GraphOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let entries = try manifest.read(common)
        var graph = try graphOptions.graph()
        let now = Machine.clock.now()
        let plan = try await KeyPlan.read(entries, &graph, now: now)
        if json {
            Machine.out.write(data: JSONWriter.pretty(.object(plan.json(now: now))) + "\n")
        } else {
            Machine.out.write(plan.text(isVerbose: common.isVerbose))
        }
        guard plan.isDone else { throw Failure.silent(.expectation) }
    }
}

/// `b2c policy keys deploy`.
struct PolicyKeysDeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Creates the key sets of the manifest, with a key each.",
        discussion: """
            A set that has a key which is used now or later stays unchanged: run it as often as you like. Secrets are read \
            before the first write, and none is sent twice. The next key of a set: `b2c policy keys rotate`.
            """)

    @OptionGroup var manifest: KeyManifestOptions

    @Flag(name: .long, help: "Do not ask before writing.")
    var yes = false

    @OptionGroup var graphOptions: GraphOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let entries = try manifest.read(common)
        let graph = try graphOptions.graph()
        var sender = KeySender(graph)
        let now = Machine.clock.now()
        let plan = try await KeyPlan.read(entries, &sender.graph, now: now)
        Machine.out.write(plan.text(isVerbose: common.isVerbose))
        let refused = plan.steps.filter(\.isRefused)
        guard refused.isEmpty else {
            throw Failure.input("nothing was written: correct \(namesList(refused.map(\.entry.id))) first")
        }
        let steps = plan.steps.filter(\.writes)
        guard !steps.isEmpty else { return Machine.out.write("nothing to do\n") }
        // All of them before the first write: a variable that is not set stops the deployment as a whole.
        let materials = try steps.map { try manifest.material($0.entry) }
        try Confirmation.ask(
            "Add \(ReleaseText.count(steps.count, "key")) to the tenant?", isGiven: yes)
        for (number, (step, material)) in zip(steps, materials).enumerated() {
            let outcome: KeySender.Outcome
            do throws(PolicyGraphProblem) {
                outcome = try await sender.deploy(step, material, now: now)
            } catch {
                let rest = steps.dropFirst(number + 1).map(\.entry.id)
                Machine.error.write(
                    "\(step.entry.id): no key was added. \(number) of \(steps.count) are done"
                        + (rest.isEmpty ? "" : ", and \(namesList(rest)) was not begun")
                        + ". Run the command again after the fix: what is done is not sent again.\n")
                throw error.failure as any Error
            }
            switch outcome {
            case .added(let key, let isNew):
                Machine.out.write("\(isNew ? "created " : "")\(step.entry.id): added \(KeyText.of(key))\n")
            case .none: Machine.out.write("\(step.entry.id): it has a key by now, and nothing was sent\n")
            }
        }
    }
}

extension KeyPlan.KeyPlanStep {
    fileprivate var isRefused: Bool { if case .refused = action { true } else { false } }
}

extension KeyPlan {
    /// Reads the sets of the tenant and plans.
    fileprivate static func read(_ manifest: KeyManifest, _ graph: inout PolicyGraph, now: Timestamp) async throws
        -> KeyPlan
    {
        do throws(PolicyGraphProblem) {
            return KeyPlan(manifest, sets: try await graph.keySets(), now: now)
        } catch {
            throw error.failure as any Error
        }
    }

    /// For people, in 80 columns.
    func text(isVerbose: Bool) -> String {
        var out = ReleaseText(isVerbose: isVerbose)
        if steps.isEmpty { out.line("the manifest has no key sets") }
        for step in steps {
            let word = step.action.word.padded(8)
            switch step.action {
            case .create, .add:
                let begins = step.activates.map { "active from \($0.rfc3339)" } ?? "active at once"
                let ends = step.expires.map { "expires \($0.rfc3339)" } ?? "never expires"
                let dates = step.entry.type == .certificate ? "with its own dates" : "\(begins), \(ends)"
                out.line("\(word) \(step.entry.id): \(step.entry.requirement.phrase)")
                out.line("\(step.entry.source.phrase), \(dates)", indent: 9)
            case .none:
                let key = step.status?.active ?? step.status?.next?.key
                let ending = step.status?.gap.map { ", no active key from \($0.rfc3339)" } ?? ""
                out.line("\(word) \(step.entry.id): has \(key.map { KeyText.of($0) } ?? "a key")\(ending)")
            case .rotationDue:
                let gap = step.status?.gap.map { " from \($0.rfc3339)" } ?? ""
                out.line("\(word) \(step.entry.id): no active key\(gap)")
                out.line("b2c policy keys rotate \(step.entry.id)", indent: 9)
            case .refused(let reason, let remedy):
                out.line("\(word) \(step.entry.id): \(reason)")
                out.line(remedy, indent: 9)
            }
        }
        return out.text
    }
}
