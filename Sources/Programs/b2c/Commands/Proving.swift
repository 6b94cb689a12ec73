import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Reports
import ScenarioRunner
import Scenarios
import Synchronization
import Validation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How the findings of `--prove` are written.
struct ProvingOptions: ParsableArguments {
    @Option(name: .customLong("prove-format"), help: "How findings of --prove are written. (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(
        name: .customLong("prove-output"),
        help: ArgumentHelp("Write findings of --prove there instead of printing.", valueName: "file"))
    var output: String?
}

/// Tries every line of scenarios, and writes what no run notices.
struct Proving {
    private let options: ProvingOptions
    private let common: CommonOptions

    init(_ options: ProvingOptions, _ common: CommonOptions) {
        self.options = options
        self.common = common
    }

    /// Runs the experiments and writes their findings.
    ///
    /// - Parameter before: What was found before, for the same report.
    /// - Returns: Whether there are any.
    /// - Throws: ``Failure`` where a scenario fails before any change.
    func report(on scenarios: [Scenario], _ given: RunOptions, after before: [Diagnostic] = []) async throws -> Bool {
        var running = given
        running.jobs = Machine.cores
        running.readFile = { try? FileSystem.read($0) }
        let bar = Machine.error.isTerminal ? Machine.error : nil
        let total = scenarios.count
        Interruption.watch()
        let project = try ProjectSettings.ofFolder(profile: nil, common)
        var report = await Proof.run(
            scenarios, options: running, reasons: project?.proves, isStopped: { Interruption.came }
        ) { done in bar?.write("\r\u{1b}[K\(done)/\(total) scenarios tried") }
        report.findings += project?.proves.missing { FileSystem.kind($0) != nil } ?? []
        Interruption.end()
        bar?.write("\r\u{1b}[K")
        try write(report, after: before)
        Machine.error.write(Self.summary(report) + "\n")
        if report.hasFailures { throw Failure.silent(.expectation) }
        return !report.findings.isEmpty
    }

    private func write(_ report: ProofReport, after before: [Diagnostic]) throws {
        let format = FindingsFormat.chosen(options.format)
        let findings = before + report.findings
        let sources = Scripts.sources(of: findings, known: [])
        guard format != .text || options.output != nil else {
            FindingsPrinter(common, sources: sources).print(report.findings)
            for service in LogService.annotating { service.annotate(report.findings, on: Machine.error) }
            let places = Dictionary(grouping: report.findings) { [$0.rule, $0.message] }
            if places.values.contains(where: { $0.count > 4 }) {
                Machine.error.write("--prove-format github lists every place\n")
            }
            return
        }
        let result = ValidationResult(
            findings: findings.map { Finding($0) }, judged: [(.scenario, report.scenarios)])
        try FindingsReport(result, sources: sources, version: ToolVersion.text, command: .check)
            .write(format, to: options.output)
    }

    private static func summary(_ report: ProofReport) -> String {
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let failed = report.findings.count { $0.rule == ProofRule.failsUnchanged.rawValue }
        var parts = [
            "\(count(report.changes, "line")) of \(count(report.scenarios, "scenario")) tried in \(count(report.runs, "run"))",
            "\(report.findings.count - failed) unnoticed",
        ]
        if failed > 0 { parts.append("\(count(failed, "scenario")) failed before any change") }
        if report.reasons > 0 { parts.append("\(report.reasons) with a reason") }
        if report.isStopped { parts.append("stopped before the end") }
        return parts.joined(separator: ", ")
    }
}

/// Ctrl-C ends the experiments, and what is known by then is shown; a second one ends the program.
private enum Interruption {
    private static let flag = Atomic<Bool>(false)

    static var came: Bool { flag.load(ordering: .relaxed) }

    static func watch() {
        signal(SIGINT) { _ in
            Interruption.flag.store(true, ordering: .relaxed)
            signal(SIGINT, SIG_DFL)
        }
    }

    static func end() { signal(SIGINT, SIG_DFL) }
}
