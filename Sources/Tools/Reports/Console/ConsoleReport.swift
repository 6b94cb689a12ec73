import Determinism
import ScenarioRunner

/// What a person reads when a run is over.
public struct ConsoleReport: Sendable {
    private let style: Style
    private let isVerbose: Bool
    private let repeating: String?
    private let isQuiet: Bool

    /// - Parameters:
    ///   - isVerbose: Names skipped scenarios with their reasons, and the steps of failed ones with whole requests. Otherwise
    ///     a failure takes at most 15 lines of 80 columns.
    ///   - bundle: The bundle that is run again, which repeats what failed; `nil`: the script's file does, with the seed.
    ///   - isQuiet: Failures only: no text where there are none.
    public init(style: Style, isVerbose: Bool = false, isQuiet: Bool = false, bundle: String? = nil) {
        self.style = style
        self.isQuiet = isQuiet
        repeating = bundle.map { "b2c run \(Shown.shellWord($0))" }
        self.isVerbose = isVerbose
    }

    /// Failures in the order of files and cases, then the counts.
    ///
    /// - Parameter wall: The wall time of the run; `nil`: not shown.
    public func text(_ report: RunReport, wall: TimeSpan? = nil) -> String {
        var blocks = failures(report)
        let skipped = report.scenarios.filter { $0.status == .skipped || $0.status == .expectedFailure }
        if isVerbose, !skipped.isEmpty {
            blocks.append(
                skipped.map { line($0) }.joined(separator: "\n"))
        }
        // With `isVerbose` each of them had its line already.
        let flaky = report.scenarios.filter { $0.status == .flaky }
        if !isVerbose, !isQuiet, !flaky.isEmpty { blocks.append(flaky.map { line($0) }.joined(separator: "\n")) }
        if !isQuiet { blocks.append((folders(report) + [summary(report, wall: wall)]).joined(separator: "\n")) }
        if blocks.isEmpty { return "" }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// One line for a scenario that has come to its end.
    public func line(_ scenario: ScenarioReport) -> String {
        let line = "\(mark(scenario.status)) \(place(scenario))"
        guard let reason = scenario.reason, scenario.status != .passed else { return line }
        return line + style.dim(" (\(Shown.text(reason, limit: 300)))")
    }

    /// The steps of a scenario, one a line, for `--verbose`.
    public func steps(_ scenario: ScenarioReport) -> [String] {
        steps(scenario.steps, indent: "       ")
    }

    private func steps(_ steps: [StepReport], indent: String) -> [String] {
        steps.flatMap { step -> [String] in
            let elapsed = step.elapsed.milliseconds == 0 ? "" : style.dim(" after \(step.elapsed.iso8601)")
            return ["\(indent)\(mark(step.status)) \(Shown.text(step.title)) \(style.dim(step.verb))\(elapsed)"]
                + self.steps(step.steps, indent: indent + "  ")
        }
    }

    /// From so many failures with one cause on, the first is shown and the others are named.
    private static let fewestEqual = 3
    /// How many of the others are named.
    private static let mostNamed = 5

    private func failures(_ report: RunReport) -> [String] {
        let bad = report.scenarios.filter { [.failed, .unexpectedPass, .blocked].contains($0.status) }
        guard !isVerbose else { return bad.map { failure($0, report.seedOption) } }
        var byCause: [String: [ScenarioReport]] = [:]
        for scenario in bad {
            if let cause = FailureText.cause(scenario) { byCause[cause, default: []].append(scenario) }
        }
        var isShown: Set<String> = []
        return bad.compactMap { scenario in
            guard let cause = FailureText.cause(scenario), let equal = byCause[cause], equal.count >= Self.fewestEqual
            else { return failure(scenario, report.seedOption) }
            guard isShown.insert(cause).inserted else { return nil }
            let others = equal.dropFirst()
            var lines = [failure(scenario, report.seedOption), "  the same in \(others.count) more scenarios:"]
            lines += others.prefix(Self.mostNamed).map {
                "    " + Shown.text("\($0.file): \($0.title)", limit: BriefFailure.columns - 7)
            }
            if others.count > Self.mostNamed {
                lines.append("    and \(others.count - Self.mostNamed) more; -v shows all")
            }
            return lines.joined(separator: "\n")
        }
    }

    private func failure(_ scenario: ScenarioReport, _ option: String) -> String {
        guard isVerbose || scenario.status == .unexpectedPass else {
            let title = "\(mark(scenario.status)) \(place(scenario))"
            let brief = BriefFailure(
                scenario, title: Style.plain(title), repeating: repeating ?? FailureText.command(scenario, option),
                style: style)
            return ([title] + brief.lines.map { "  \($0)" }).joined(separator: "\n")
        }
        let body = FailureText(scenario, option: option, style: style, repeating: repeating).lines.map { "  \($0)" }
        let steps = isVerbose ? self.steps(scenario.steps, indent: "  ") : []
        return (["\(mark(scenario.status)) \(place(scenario))"] + steps + body).joined(separator: "\n")
    }

    private func place(_ scenario: ScenarioReport) -> String {
        "\(style.dim(Shown.text(scenario.file) + ":")) \(Shown.text(scenario.title))"
    }

    private func mark(_ status: RunStatus) -> String {
        switch status {
        case .passed: style.green("ok  ")
        case .failed: style.red("FAIL")
        case .skipped: style.yellow("skip")
        case .expectedFailure: style.yellow("xfail")
        case .unexpectedPass: style.red("XPASS")
        case .flaky: style.yellow("flaky")
        case .blocked: style.red("BLOCK")
        case .notRun: style.dim("-   ")
        }
    }

    /// From so many scenarios on the summary shows each folder.
    private static let fewest = 100

    /// `  63 passed             scenarios/accounts`, a line for each folder of a large run.
    private func folders(_ report: RunReport) -> [String] {
        guard report.scenarios.count >= Self.fewest else { return [] }
        var names: [String] = []
        var byFolder: [String: [ScenarioReport]] = [:]
        for scenario in report.scenarios {
            let folder = scenario.file.split(separator: "/").dropLast().joined(separator: "/")
            if byFolder[folder] == nil { names.append(folder) }
            byFolder[folder, default: []].append(scenario)
        }
        guard names.count > 1 else { return [] }
        let rows = names.map { name -> (counts: String, name: String, isGood: Bool) in
            let scenarios = byFolder[name] ?? []
            let passed = scenarios.count { $0.status == .passed }
            let bad = scenarios.count { !$0.status.isGood && $0.status != .notRun }
            let rest = scenarios.count - passed - bad
            var parts = ["\(passed) passed"]
            if bad > 0 { parts.append("\(bad) failed") }
            if rest > 0 { parts.append("\(rest) skipped or not run") }
            return (parts.joined(separator: ", "), name.isEmpty ? "." : name, bad == 0)
        }
        let width = rows.map(\.counts.count).max() ?? 0
        return rows.map { row in
            let counts = row.counts + String(repeating: " ", count: width - row.counts.count)
            return "  \(row.isGood ? counts : style.red(counts))  \(style.dim(Shown.text(row.name)))"
        }
    }

    /// `12 scenarios in 9 files: 10 passed, 1 failed, 1 skipped (seed 42, 0.4 s)`.
    public func summary(_ report: RunReport, wall: TimeSpan? = nil) -> String {
        let time = wall.map { ", \(WallTime.text($0))" } ?? ""
        return counts(report) + style.dim(" (\(report.seedText)\(time))") + seeds(report)
    }

    /// `12 scenarios in 9 files: 10 passed, 1 failed, 1 skipped`.
    func counts(_ report: RunReport) -> String {
        var files: Set<String> = []
        for scenario in report.scenarios { files.insert(scenario.file) }
        let total = report.scenarios.count
        let head =
            "\(total) \(total == 1 ? "scenario" : "scenarios") in \(files.count) \(files.count == 1 ? "file" : "files"): "
        var parts = [report.isGood ? style.green("\(report.count(.passed)) passed") : "\(report.count(.passed)) passed"]
        func add(_ status: RunStatus, _ word: String, _ paint: (String) -> String) {
            let count = report.count(status)
            if count > 0 { parts.append(paint("\(count) \(word)")) }
        }
        add(.failed, "failed", style.red)
        add(.unexpectedPass, "passed against expectation", style.red)
        add(.expectedFailure, "failed as expected", style.yellow)
        add(.flaky, "passed when repeated", style.yellow)
        add(.blocked, "blocked", style.red)
        add(.skipped, "skipped", style.yellow)
        add(.notRun, "not run", style.dim)
        return head + parts.joined(separator: ", ")
    }

    /// `36 of 1000 seeds passed, seed 37 failed`.
    private func seeds(_ report: RunReport) -> String {
        guard let seeds = report.seeds else { return "" }
        let passed = "\n\(seeds.passed) of \(seeds.given) \(seeds.given == 1 ? "seed" : "seeds") passed"
        if report.isGood { return style.green(passed) }
        guard seeds.failed.count > 1 else { return "\(passed), " + style.red("seed \(report.seed) failed") }
        let shown = seeds.failed.prefix(10).map(String.init).joined(separator: ", ")
        let more = seeds.failed.count > 10 ? " and \(seeds.failed.count - 10) more" : ""
        return "\(passed), " + style.red("seeds \(shown)\(more) failed") + "; shown is the first of them"
    }
}

extension RunReport {
    /// The option that repeats the run.
    var seedOption: String { "\(drawsOrder ? "--seeds" : "--seed") \(seed)" }

    /// The seed in words, with the order of lanes where it was drawn.
    var seedText: String { "seed \(seed)" + (drawsOrder ? ", drawn order" : "") }
}
