import CommandFiles
import CommandKit
import Reports
import ScenarioRunner
import Scenarios

/// Runs scenarios as a plan says: once, once for each seed, or again what failed. Shows how far they are.
struct RunAttempts {
    let plan: RunPlan
    let scenarios: [Scenario]
    let redaction: Redaction
    let times: RunTimes
    let common: CommonOptions
    /// Where people read, and whether they want to know of failures alone.
    let outputs: RunReports
    /// Whether nothing of the run is shown.
    let isSilent: Bool

    /// The report of everything that ran.
    ///
    /// - Parameter seeds: The seeds of several runs; `nil`: there is one, with the seed of the options.
    func report(_ options: RunOptions, seeds: SeedList?) async -> RunReport {
        if let seeds { return await reportOfSeeds(seeds, options) }
        return await retried(await once(options), options)
    }

    /// One run of everything.
    private func once(_ options: RunOptions) async -> RunReport {
        let (times, progress) = (times, isSilent ? nil : progress)
        let report = await Runner.run(scenarios, options: options) { event in
            times.take(event)
            progress?.take(event)
        }
        progress?.end()
        return report
    }

    /// Runs again what failed at a network target, up to `--retries` times; what passes then is flaky.
    private func retried(_ first: RunReport, _ options: RunOptions) async -> RunReport {
        var report = first
        for attempt in 0..<plan.retries {
            let failed = Set(
                report.scenarios.filter { $0.status == .failed || $0.status == .blocked }.map(RunKey.init))
            guard !failed.isEmpty else { break }
            if !isSilent, !outputs.isQuiet {
                let what = failed.count == 1 ? "1 scenario" : "\(failed.count) scenarios"
                outputs.human.write("attempt \(attempt + 2) of \(what) that failed\n")
            }
            let again = scenarios.keeping { failed.contains(RunKey(file: $0.file, caseName: $1)) }
            for var result in await Runner.run(again, options: options).scenarios where result.status.isGood {
                let key = RunKey(result)
                guard let place = report.scenarios.firstIndex(where: { RunKey($0) == key }) else { continue }
                if result.status == .passed {
                    result.status = .flaky
                    result.reason = "failed, and passed at attempt \(attempt + 2)"
                }
                report.scenarios[place] = result
            }
        }
        return report
    }

    /// The run of the first seed that fails, else that of the last one. With `--repeat` all seeds run.
    private func reportOfSeeds(_ seeds: SeedList, _ options: RunOptions) async -> RunReport {
        var options = options
        var passed = 0
        var failed: [UInt64] = []
        var last: RunReport?
        let runsAll = if case .repeated = plan.seeds { true } else { false }
        let bar = common.isVerbose || !Machine.error.isTerminal ? nil : Machine.error
        for seed in seeds.seeds {
            options.seed = seed
            let report: RunReport
            if common.isVerbose {
                outputs.human.write("seed \(seed)\n")
                report = await once(options)
            } else {
                bar?.write("\r\u{1b}[K\(passed)/\(seeds.count) seeds passed, seed \(seed)")
                report = await Runner.run(scenarios, options: options)
            }
            if failed.isEmpty { last = report }
            if report.isGood {
                passed += 1
                continue
            }
            failed.append(seed)
            if !runsAll { break }
        }
        bar?.write("\r\u{1b}[K")
        // A list names one seed at least.
        var report = last ?? RunReport(seed: 0, target: "", scenarios: [])
        report.seeds = RunReport.Seeds(given: seeds.count, passed: passed, failed: runsAll ? failed : [])
        return report
    }

    /// How far the run is. A terminal gets a line on the error output, where it does not disturb; elsewhere the report says it
    /// all.
    private var progress: RunProgress {
        let manner: RunProgress.Manner =
            if common.isVerbose || plan.isFollowed {
                .lines(verbose: common.isVerbose)
            } else if outputs.isQuiet || !Machine.error.isTerminal || !Machine.out.isTerminal {
                .silent
            } else {
                .terminal(columns: Machine.error.columns)
            }
        let output: Output = if case .terminal = manner { Machine.error } else { outputs.human }
        return RunProgress(
            order: scenarios.flatMap { CaseExpansion.variants(of: $0).map(RunKey.init) }, manner: manner,
            maxFailures: plan.maxFailures, style: common.style(for: output), redaction: redaction
        ) { output.write($0) }
    }
}
