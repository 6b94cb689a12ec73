import ArgumentParser
import CommandKit
import Determinism
import Diagnostics
import Exploration
import JSON
import Reports
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

              b2c policy explore policies --policy B2C_1A_signup_signin
              b2c policy explore signin --tenant tenant.json --format sarif --output explore.sarif

            Ends with 0 when there is no error, 4 when there is one, 2 when a file cannot be read.
            """)

    @OptionGroup var place: PolicyPlace

    @Option(name: .long, help: ArgumentHelp("Acts of a path at most.", valueName: "n"))
    var depth: Int = 40

    @Option(name: .long, help: ArgumentHelp("States at most.", valueName: "n"))
    var states: Int = 50_000

    @Option(name: .long, help: ArgumentHelp("Moves at most.", valueName: "n"))
    var moves: Int = ExplorationLimits.defaultMoves

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Seconds at most: a guard. A result that it ends depends on the machine.", valueName: "seconds"))
    var time: Int = 300

    @Option(name: .long, help: ArgumentHelp("Where randomness comes from. (B2C_SEED; default: 1)", valueName: "n"))
    var seed: UInt64?

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
        for (name, number) in [("--depth", depth), ("--states", states), ("--moves", moves), ("--time", time)]
        where number < 1 {
            throw Failure.usage("\(name) is \(number); it must be at least 1")
        }
        let found = try place.read(common)
        let settings = try found.settings()
        let policy = try found.linked(settings, common)
        let seed = try seed ?? Twin.number("B2C_SEED", as: UInt64.self) ?? 1
        let limits = ExplorationLimits(depth: depth, states: states, moves: moves, seed: seed)
        let start = Machine.clock.now()
        let (end, tooFar) = start.secondsSinceEpoch.addingReportingOverflow(Int64(time))
        let exploration: Exploration
        do throws(InvalidInput) {
            exploration = try Explorer.explore(
                policy, tenant: found.tenant.name, switches: found.tenant.authority.defaults, limits: limits,
                invariants: try readInvariants(policy),
                isOutOfTime: { !tooFar && Machine.clock.now().secondsSinceEpoch >= end })
        } catch {
            PlacedPolicies.report(error.diagnostics, common)
            throw Failure.silent(.input) as any Error
        }
        let result = ValidationResult(findings: exploration.findings, judged: [(.policy, 1)])
        let report = FindingsReport(
            result, sources: Scripts.sources(of: result.diagnostics, known: []), version: ToolVersion.text)
        let color = output == nil && common.style(for: Machine.out).usesColor
        let chosen = Machine.environment("B2C_FORMAT").flatMap { FindingsFormat(rawValue: $0.lowercased()) }
        let format = format == .text ? chosen ?? .text : format
        let text = report.text(format, color: color)
        if let output { try format.save(text, to: output) } else { format.write(text, to: Machine.out) }
        Machine.error.write(
            (exploration.summary + [
                "limits: depth \(depth), states \(states), moves \(moves), time \(time) s, seed \(seed)"
            ])
            .joined(separator: "\n") + "\n")
        var lines: [String] = []
        if let write {
            let folder = try ExplorationFolder(write, found, settings, policy, seed: seed)
            lines += try await folder.write(exploration.counterExamples(policy: settings.name))
        }
        if let suite {
            let folder = try ExplorationFolder(suite, found, settings, policy, seed: seed)
            lines += try await folder.write(exploration.suite(policy: settings.name))
        }
        if !lines.isEmpty { Machine.error.write(lines.joined(separator: "\n") + "\n") }
        if result.hasErrors { throw Failure.silent(.expectation) }
    }

    private func readInvariants(_ policy: ResolvedPolicy) throws(InvalidInput) -> Invariants {
        guard let invariants else { return Invariants() }
        let path = FilePath.relative(invariants, to: Machine.currentFolder)
        guard let bytes = try? FileSystem.read(path) else {
            throw InvalidInput(
                Diagnostic(
                    rule: "B2C-EXP-100", "\(path) cannot be read", remedy: "Name a file with invariants.",
                    at: SourceLocation(file: path)))
        }
        return try Invariants(file: path, bytes: bytes, policy: policy)
    }
}
