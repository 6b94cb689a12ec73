import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import Reports
import ScenarioRunner

/// `b2c merge`.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Puts the parts of a suite that ran on several machines together.",
        discussion: """
            Writes every report as one run of the whole suite would have. Each machine runs one shard and keeps its part:

              b2c run --shard 1/5 --part part-1.jsonl
              b2c merge part-*.jsonl --report-html report.html

            A missing or doubled part, and parts of another version, seed or suite, are errors. Exit codes are those of run.
            """)

    @Argument(help: "The files that --part wrote, one for each shard.")
    var parts: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the wall times of scenarios, for --timings of the next run. (B2C_TIMINGS)", valueName: "file"))
    var timings: String?

    @OptionGroup var flaky: FlakyOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Reports as this profile of b2c.json has them. (B2C_PROFILE)", valueName: "name"))
    var profile: String?

    @OptionGroup(title: "Reports") var reports: ReportOptions

    @OptionGroup(title: "Output") var common: CommonOptions

    func run() async throws {
        _ = try await reports.reporting(common) { try ProjectSettings.use(profile: profile, common) }
        let timings = timings ?? Machine.environment("B2C_TIMINGS")
        let outputs = try RunReports(reports, common, isSilent: false, others: [("--timings", timings)])
        try outputs.checkFolders()
        try await outputs.gate?.check()
        let whole = try await reports.reporting(common) { try self.whole() }
        if outputs.needsTrace || outputs.needsRequests, !whole.hasTrace {
            throw Failure.usage(
                "the parts hold no trace: run every shard with --trace-json and --trace-har, or leave the option out here"
            )
        }
        if outputs.countsCoverage, whole.coverage == nil {
            throw Failure.usage(
                "the parts hold no coverage: run every shard with a --coverage option too, such as --coverage-text, or leave the "
                    + "option out here")
        }
        let times = Array(zip(whole.report.scenarios, whole.times))
        try outputs.show(
            RunReports.Result(
                report: whole.report, times: RunTimes(times.map { (scenario: $0.0, time: $0.1) }, total: whole.wall),
                coverage: whole.coverage)
        ) {
            guard let timings else { return [] }
            do throws(FileSystem.Problem) {
                try Timings.update(timings, times.map { (report: $0.0, time: $0.1) })
                return []
            } catch {
                return ["b2c: \(timings) cannot be written: \(error.text)"]
            }
        }
        let isCovered = try await outputs.checkGate(on: whole.coverage)
        let isFlaky = flaky.fails() && whole.report.count(.flaky) > 0
        guard !whole.report.isGood || !isCovered || isFlaky else { return }
        let couldNot =
            !whole.report.isGood && whole.report.scenarios.allSatisfy { $0.status.isGood || $0.status == .blocked }
        throw Failure.silent(couldNot ? .machine : .expectation)
    }

    /// The run that the parts make up.
    ///
    /// - Throws: ``Failure``: a part cannot be used, or files kept a shard from running.
    private func whole() throws -> RunPart.Whole {
        let read = try parts.map { (file: $0, bytes: try InputFile.read($0)) }
        // Every shard reads all files.
        let found = read.compactMap { RunPart.findings(in: $0.bytes) }.flatMap(\.self)
        guard found.isEmpty else {
            FindingsPrinter(common, sources: Scripts.sources(of: found, known: [])).print(found)
            Machine.error.write("nothing ran\n")
            var seen: Set<Diagnostic> = []
            throw Failure.found(found.filter { seen.insert($0).inserted })
        }
        do throws(RunPart.Problem) {
            var parts: [(file: String, part: RunPart)] = []
            for (file, bytes) in read { parts.append((file, try RunPart(bytes, file: file))) }
            return try RunPart.merged(parts)
        } catch {
            throw Failure.input("\(error.description)") as any Error
        }
    }
}
