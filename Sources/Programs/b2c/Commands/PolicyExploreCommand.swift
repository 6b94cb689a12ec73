import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Exploration
import PolicyTools
import Reports
import TenantFiles
import TrustFramework
import Validation

/// `b2c policy explore`.
struct PolicyExploreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore",
        abstract: "Walks every way through a policy and reports what no sign-in should do.",
        discussion: """
            People of every kind come, fill in each page rightly and wrongly, press every button, and services answer in \
            every way. Each finding has the shortest path that shows it.

              b2c policy explore policies
              b2c policy explore policies --policy B2C_1A_signup_signin
              b2c policy explore signin --tenant tenant.json --write findings

            Without --policy every policy that apps can call is explored, each within the same bounds. Ends with 0 when \
            there is no error, 4 when there is one, 2 when a file cannot be read or a policy does not link.
            """)

    @OptionGroup var place: PolicyPlace

    @OptionGroup var walk: WalkOptions

    @OptionGroup var seeding: SeedOptions

    @Option(
        name: .long, help: ArgumentHelp("What must hold of every path: an explore.json.", valueName: "file"))
    var invariants: String?

    @Option(name: .long, help: "How findings are written. (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(name: .long, help: ArgumentHelp("Write them there instead of printing.", valueName: "file"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write each finding as a scenario there, which fails now and passes once the policy is fixed.",
            valueName: "folder"))
    var write: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write few scenarios there that run everything that can be reached, expecting what the policy does now.",
            valueName: "folder"))
    var suite: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try walk.check()
        let found = try place.source.read()
        let seed = try seeding.value()
        var exploring = try PolicyWalk(
            found, limits: walk.limits(seed: seed), seconds: walk.time, invariants: invariants.map { .file($0) })
        let wanted = exploring.wanted
        var lines: [String] = []
        let bar = wanted.count > 1 && Machine.error.isTerminal ? Machine.error : nil
        for (number, settings) in wanted.enumerated() {
            bar?.write("\r\u{1b}[K\(number)/\(wanted.count) policies explored, \(settings.name)")
            guard let explored = try exploring.explore(settings) else { continue }
            lines += try await writeScripts(
                explored.exploration, of: explored.policy, settings: settings, found: found, seed: seed,
                isAlone: wanted.count == 1)
        }
        bar?.write("\r\u{1b}[K")
        let summary = exploring.summary
        let result = summary.result
        var report = FindingsReport(
            result, sources: Scripts.sources(of: result.diagnostics, known: []).map { FileSystem.shown($0) },
            version: ToolVersion.text)
        report.properties = summary.json
        let color = output == nil && common.style(for: Machine.out).usesColor
        let chosen = Machine.environment("B2C_FORMAT").flatMap { FindingsFormat(rawValue: $0.lowercased()) }
        let format = format == .text ? chosen ?? .text : format
        let text = report.text(format, color: color)
        if let output { try format.save(text, to: output) } else { format.write(text, to: Machine.out) }
        Machine.error.write(
            (summary.lines + [
                "limits: depth \(walk.depth), states \(walk.states), moves \(walk.moves), time \(walk.time) s, seed \(seed)"
            ])
            .joined(separator: "\n") + "\n")
        if !lines.isEmpty { Machine.error.write(lines.joined(separator: "\n") + "\n") }
        if !summary.broken.isEmpty { throw Failure.silent(.input) }
        if result.hasErrors { throw Failure.silent(.expectation) }
    }

    /// Writes the scripts that were asked for, and says what was written, in lines. Those of several policies have a folder
    /// each.
    private func writeScripts(
        _ exploration: Exploration, of policy: ResolvedPolicy, settings: PolicySettings, found: PlacedPolicies,
        seed: UInt64, isAlone: Bool
    ) async throws -> [String] {
        func folder(_ path: String) throws -> ExplorationFolder {
            let own = isAlone ? path : FilePath.join(path, settings.name)
            return try ExplorationFolder(own, found: found, settings: settings, policy: policy, seed: seed)
        }
        var lines: [String] = []
        if let write { lines += try await folder(write).write(exploration.counterExamples(policy: settings.name)) }
        if let suite {
            lines += try await folder(suite).write(
                exploration.suite(policy: settings.name), policy: settings.name)
        }
        return lines
    }
}
