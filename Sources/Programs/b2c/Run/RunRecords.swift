import CommandKit
import Diagnostics
import Reports
import ScenarioRunner

/// What a run keeps for later ones: what failed, its part of a suite, and how long scenarios took.
struct RunRecords {
    let plan: RunPlan
    /// `nil`: nothing is kept of what failed.
    let lastFailed: LastFailed?
    let times: RunTimes
    let outputs: RunReports

    /// Writes the files.
    ///
    /// - Returns: What could not be written, a sentence each.
    func keep(_ report: RunReport, of suite: ChosenSuite, coverage: CoverageReport?) -> [String] {
        var problems: [String] = []
        func save(_ file: String, _ write: () throws(FileSystem.Problem) -> Void) {
            do throws(FileSystem.Problem) {
                try write()
            } catch {
                problems.append("b2c: \(file) cannot be written: \(error.text)")
            }
        }
        // A folder that cannot be written keeps no run from its result, unless the file was asked for.
        if let lastFailed, plan.choosesLastFailed {
            save(LastFailed.file) { () throws(FileSystem.Problem) in try lastFailed.update(report) }
        } else {
            try? lastFailed?.update(report)
        }
        if let file = plan.partFile {
            let text = part(report, of: suite, coverage: coverage).text
            save(file) { () throws(FileSystem.Problem) in try FileSystem.write(Array(text.utf8), to: file) }
        }
        if let file = plan.timingsFile, plan.shard == nil {
            save(file) { () throws(FileSystem.Problem) in
                try Timings.update(file, report.scenarios.map { ($0, times.time(of: $0)) })
            }
        }
        return problems
    }

    /// Keeps what ended a run before it began, for `b2c merge`. A part of another run must not be taken for this one's.
    func keep(_ failure: Failure) {
        guard let file = plan.partFile else { return }
        try? FileSystem.write(Array(RunPart.text(notRunBecauseOf: failure.reported.shown).utf8), to: file)
    }

    /// The run as `b2c merge` reads it.
    private func part(_ report: RunReport, of suite: ChosenSuite, coverage: CoverageReport?) -> RunPart {
        RunPart(
            tool: ToolVersion.text, index: plan.shard?.index ?? 1, count: plan.shard?.count ?? 1, suite: suite.digest,
            total: suite.total, places: suite.places, times: report.scenarios.map { times.time(of: $0) },
            wall: times.total, report: report, hasTrace: outputs.needsTrace && outputs.needsRequests,
            coverage: coverage)
    }
}
