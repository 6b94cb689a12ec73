import CommandFiles
import CommandKit
import Diagnostics
import Exchanges
import Exploration
import JSON
import PolicyTools
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework

/// An expectation of a script that a run did not meet.
package struct FailedExpectation: Hashable, Sendable {
    /// The value in the script that is wrong.
    package var place: TextRange
    /// What was found instead; `nil`: nothing.
    package var actual: JSONValue?
    package var message: String
    /// The cases in which it was not met; empty: the script has none.
    package var cases: [String]

    package init(place: TextRange, actual: JSONValue?, message: String, cases: [String] = []) {
        (self.place, self.actual, self.message, self.cases) = (place, actual, message, cases)
    }

    /// Its cases in words; `nil`: it has none.
    package var caseNames: String? {
        cases.isEmpty ? nil : "case\(cases.count == 1 ? "" : "s") \(namesList(cases, limit: 5))"
    }
}

/// What a run shows.
package struct LanguageReport: Sendable {
    package var title: String
    /// Plain text, as the command of the same name prints it without color.
    package var text: String
    /// A page that needs nothing else; `nil`: there is none.
    package var html: String?
    /// More for programs.
    package var facts: JSONObject
    package var failures: [FailedExpectation]
    /// The scripts that ran, by path.
    package var scripts: [String: SourceText]

    package init(
        title: String, text: String, html: String? = nil, facts: JSONObject = [:], failures: [FailedExpectation] = [],
        scripts: [String: SourceText] = [:]
    ) {
        (self.title, self.text, self.html, self.facts) = (title, text, html, facts)
        (self.failures, self.scripts) = (failures, scripts)
    }
}

/// Why something did not run, in sentences for the person.
package struct LanguageRefusal: Error, Sendable {
    package var text: String

    package init(_ text: String) { self.text = text }
}

/// Starts what lenses name, with the texts of the workspace: those that are open in the editor count.
package struct LanguageRuns: Sendable {
    /// The content of a file as the editor has it; `nil`: there is none.
    package var read: @Sendable (String) -> [UInt8]?
    /// Values for `{Settings:NAME}` of policies of a folder.
    package var values: PolicyValueSource

    package init(
        read: @escaping @Sendable (String) -> [UInt8]?, values: PolicyValueSource = PolicyValueSource()
    ) {
        (self.read, self.values) = (read, values)
    }

    private static let style = Style(usesColor: false)

    /// One sign-in, as `b2c policy trace`. `facts` has `policy`, `person`, `token` (its claims), and without one `failure`.
    ///
    /// - Parameters:
    ///   - file: A policy file, or a tenant file.
    ///   - policy: `nil`: the file's own, or the only one of the tenant.
    ///   - person: `nil`: somebody the policy suits.
    package func trace(file: String, policy: String?, person: String?) async throws -> LanguageReport {
        try await reporting {
            var play = PlaySettings(user: person)
            play.read = read
            let trace = try await PolicyTrace(of: try PolicyPlay(of: try policies(file, policy), play))
            let token = trace.outcome.claims(.idToken) ?? trace.outcome.claims(.accessToken)
            var facts: JSONObject = ["policy": .string(trace.playing.policy.id), "person": .string(trace.person)]
            facts["token"] = token.map { .object($0) }
            if !trace.isGood {
                facts["failure"] = .string(trace.outcome.failure ?? trace.outcome.problem ?? "a step failed")
            }
            return LanguageReport(
                title: trace.title,
                text: trace.text(Self.style) + trace.madeUp.map { $0 + "\n" }.joined()
                    + (trace.isGood ? "" : trace.outcome.account(Self.style)),
                html: try trace.page(), facts: facts)
        }
    }

    /// Every way through a policy, as `b2c policy explore`. `facts` has `policies`: how much was seen of each.
    ///
    /// - Parameter seconds: When to stop.
    package func explore(file: String, policy: String?, seconds: Int) async throws -> LanguageReport {
        try await reporting {
            var walk = try PolicyWalk(
                try policies(file, policy), limits: ExplorationLimits(), seconds: seconds, invariants: nil)
            for settings in walk.wanted {
                _ = try walk.explore(settings)
                try Task.checkCancellation()
            }
            let summary = walk.summary
            let report = FindingsReport(
                summary.result, sources: sources(of: summary.result.diagnostics), version: ToolVersion.text)
            let lines = summary.lines.map { $0 + "\n" }.joined()
            return LanguageReport(
                title: "\(namesList(walk.wanted.map(\.name), limit: 3)) explored",
                text: report.text(.text, color: false) + lines, facts: summary.json)
        }
    }

    /// Runs scenario files in process, as `b2c run`. `facts` has `scenarios`: for each `file`, `name`, `case`, `result`
    /// (`passed`, `failed`, `skipped`, ...), `reason`, `line` (from 1), `message` and `differences`.
    ///
    /// - Parameter caseName: The case that runs; `nil`: all.
    package func run(files paths: [String], caseName: String?) async throws -> LanguageReport {
        try await reporting {
            var scenarios = try scenarios(paths)
            if let caseName { scenarios = try scenarios.with(cases: [caseName]) }
            let inputs = try inputs(for: scenarios)
            var options = inputs.options(files: files)
            options.writeFile = Self.write
            let start = await PolicyChecks.start(of: scenarios, options)
            guard !start.findings.hasErrors else { throw InvalidInput(diagnostics: start.findings) }
            options.prepared = start.prepared
            let raw = await Runner.run(scenarios, options: options)
            try Task.checkCancellation()
            let report = await inputs.redaction(of: scenarios, showsSecrets: false)
                .redactedInParallel(raw, jobs: options.jobs)
            let failures = scenarios.flatMap { scenario in
                Self.failures(
                    zip(raw.scenarios, report.scenarios).filter { $0.0.file == scenario.file }, in: scenario.document)
            }
            return LanguageReport(
                title: "\(report.count(.passed)) of \(report.scenarios.count) passed",
                text: ConsoleReport(style: Self.style).text(report),
                html: HTMLReport.text(report, version: ToolVersion.text),
                facts: ["scenarios": .array(report.scenarios.map(Self.json))], failures: failures,
                scripts: Dictionary(scenarios.map { ($0.file, $0.document.source) }) { $1 })
        }
    }

    /// What scripts ask for, from the environment and from the `b2c.json` nearest to the first of them, in its folder or one
    /// above.
    ///
    /// - Throws: What is wrong with `b2c.json`.
    func inputs(for scenarios: [Scenario]) throws(InvalidInput) -> RunInputs {
        var variables: [String: String] = [:]
        var folder = scenarios.first.map { FilePath.folder($0.file) }
        while let here = folder {
            let file = FilePath.join(here, ProjectSettings.name)
            if let bytes = read(file) {
                variables = try ProjectSettings(bytes: bytes, file: file, profile: nil).variables
                break
            }
            let above = FilePath.folder(here)
            folder = above == here || FilePath.name(here) == ".." ? .none : above
        }
        return RunInputs(for: scenarios, target: nil, variable: { Machine.environment($0) ?? variables[$0] })
    }

    /// The good scripts of files.
    ///
    /// - Throws: What is wrong with them.
    func scenarios(_ paths: [String]) throws -> [Scenario] {
        let found = try paths.map { path in
            guard let bytes = read(path) else {
                throw LanguageRefusal("there is no file \(path). Save it, or choose a scenario of this folder.")
            }
            return FoundFile(path: path, content: .scenario, bytes: bytes)
        }
        let scripts = Scripts(found, read: read, policies: files)
        guard !scripts.findings.hasErrors else { throw InvalidInput(diagnostics: scripts.findings) }
        return scripts.scenarios.map(\.scenario)
    }

    // MARK: Files

    /// The files of the disk, with the texts of the editor.
    var files: PolicyFiles {
        var files = PolicyFiles.disk
        files.read = read
        return files
    }

    private func policies(_ file: String, _ policy: String?) throws -> PlacedPolicies {
        guard file.lowercased().hasSuffix(".xml") else {
            return try PolicySource(tenant: file, policy: policy).read(from: files)
        }
        return try PolicySource(place: file, policy: policy, values: values).read(from: files)
    }

    private func sources(of findings: [Diagnostic]) -> [SourceText] {
        Scripts.sources(of: findings, known: [], read: read).map { FileSystem.shown($0) }
    }

    @Sendable private static func write(_ path: String, _ bytes: [UInt8]) -> String? {
        do {
            try FileSystem.write(bytes, to: path)
            return nil
        } catch {
            return "\(path) cannot be written: \(error.text)"
        }
    }

    // MARK: What failed

    /// What a script expected, each difference once with the cases that have it.
    ///
    /// - Parameter reports: Each report before and after redaction: a value that is masked is not one to expect.
    private static func failures(
        _ reports: [(ScenarioReport, ScenarioReport)], in document: JSONDocument
    ) -> [FailedExpectation] {
        let outline = JSONOutline(document.source)
        var failures: [FailedExpectation] = []
        /// Where each is in the list, by what it is without cases.
        var known: [FailedExpectation: Int] = [:]
        for (report, masked) in reports {
            let caseName = report.caseName
            var seen: Set<TextRange> = []
            func add(_ raw: [StepReport], _ shown: [StepReport]) {
                for (raw, shown) in zip(raw, shown) where raw.status == .failed {
                    add(raw.steps, shown.steps)
                    for (mismatch, masked) in zip(raw.mismatches, shown.mismatches) {
                        guard let wanted = raw.expectation(of: mismatch, caseName: caseName, in: document.root),
                            let (place, isWanted) = place(of: wanted, in: outline), seen.insert(place).inserted
                        else { continue }
                        let isExact = isWanted && mismatch.found == masked.found
                        let new = FailedExpectation(
                            place: place, actual: isExact ? mismatch.found : .none, message: masked.description)
                        let number = known[new] ?? failures.count
                        if number == failures.count { failures.append(new) }
                        known[new] = number
                        if let caseName { failures[number].cases.append(caseName) }
                    }
                }
            }
            add(report.steps, masked.steps)
        }
        return failures
    }

    /// The value at a pointer, else the nearest around it.
    private static func place(
        of wanted: JSONPointer, in outline: JSONOutline
    ) -> (place: TextRange, isWanted: Bool)? {
        var pointer = wanted
        while outline.node(at: pointer) == nil, let parent = pointer.parent { pointer = parent }
        return outline.node(at: pointer).map {
            (TextRange(file: outline.source.file, range: outline.nodes[$0].value), pointer == wanted)
        }
    }

    private static func json(_ scenario: ScenarioReport) -> JSONValue {
        var facts: JSONObject = ["file": .string(scenario.file), "name": .string(scenario.name)]
        facts["case"] = scenario.caseName.map { .string($0) }
        facts["result"] = .string(scenario.status.rawValue)
        facts["reason"] = scenario.reason.map { .string($0) }
        if let step = scenario.failedStep {
            let line = (step.expectation ?? step.location).line
            facts["line"] = line.map { .integer(Int64($0)) }
            let message = step.problems.first ?? step.mismatches.first?.description
            facts["message"] = .string("\(step.title): \(message ?? "failed")")
            facts["differences"] = .array(
                FailureFacts.json(scenario).flatMap { $0["differences"]?.arrayValue ?? [] })
        }
        return .object(facts)
    }

    // MARK: Refusals

    /// A report with the warnings of what made it.
    ///
    /// - Throws: ``LanguageRefusal``, whatever keeps it from being made.
    private func reporting(_ body: () async throws -> LanguageReport) async throws -> LanguageReport {
        let collector = FindingCollector()
        do {
            var report = try await FindingCollector.$current.withValue(collector) { try await body() }
            report.text = collector.warnings.map { "warning: \($0)\n" }.joined() + report.text
            return report
        } catch {
            throw refusal(error, collector.findings)
        }
    }

    private func refusal(_ error: any Error, _ collected: [Diagnostic]) -> LanguageRefusal {
        var text: String?
        var findings = collected
        switch error {
        case let refusal as LanguageRefusal: return refusal
        case let failure as Failure:
            text = failure.text
            findings += failure.findings.filter { !findings.contains($0) }
        case let input as InvalidInput: findings += input.diagnostics
        case is CancellationError: text = "cancelled before its end"
        default: text = "\(error)"
        }
        let renderer = DiagnosticRenderer(color: false, sources: sources(of: findings))
        let parts = [text].compactMap(\.self) + (findings.isEmpty ? [] : [renderer.renderGrouped(findings)])
        return LanguageRefusal(parts.joined(separator: "\n"))
    }
}
