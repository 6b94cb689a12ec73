import B2CProtocol
import Diagnostics
import HTTPMessages
import JOSE
import Reports
import ScenarioRunner
import Scenarios
import TrustFramework

/// One call of `b2c run`: what was meant by the arguments and the environment, and what is done.
struct Run {
    private let command: RunCommand
    private let common: CommonOptions
    private let selection: Selection
    private let jobs: Int
    private let seed: UInt64?
    private let bail: Bool
    private let variables: [(name: String, value: String)]
    private let secrets: [(name: String, value: String)]
    private let targetName: String?
    private let allowsLiveChanges: Bool
    private let services: (any Transport)?
    /// The WebDriver server for people's browsers, or the program that is one; nil: the stand-in.
    private let driver: String?
    private let showsBrowser: Bool
    private let printsJSON: Bool
    private let showsSecrets: Bool
    private let junitFile: String?
    private let jsonFile: String?
    private let traceFile: String?
    private let coverageText: String?
    private let coverageJSON: String?
    private let coverageCobertura: String?
    private let coverage: PolicyCoverage?
    private let policies = PolicyShelf(files: .disk)

    init(_ command: RunCommand) throws {
        self.command = command
        common = command.common
        let target = command.manner.target ?? Machine.environment("B2C_TARGET")
        targetName = target == TargetArgument.inProcess ? nil : target
        services = command.manner.services.transport
        let running = command.manner.running
        allowsLiveChanges = running.allowsLiveChanges
        driver = running.driver
        showsBrowser = running.showsBrowser
        if driver != nil, targetName == nil {
            throw Failure.usage("a real browser needs a network: use --browser with --target, such as mock-server")
        }
        let filter = command.filter
        let tags = filter.tags.isEmpty ? Twin.list("B2C_TAGS") : filter.tags.flatMap(Twin.words)
        let cases = filter.cases.isEmpty ? [Machine.environment("B2C_CASE")].compactMap { $0 } : filter.cases
        selection = Selection(tags: tags, name: filter.name ?? Machine.environment("B2C_NAME"), cases: cases)
        jobs = try running.jobCount()
        seed = try running.seed ?? Twin.number("B2C_SEED", as: UInt64.self)
        bail = command.manner.bail || Twin.isOn("B2C_BAIL")
        variables = try running.variables()
        secrets = try running.secrets()
        printsJSON = command.reports.json || Twin.isOn("B2C_JSON")
        showsSecrets = command.reports.showSecrets || Twin.isOn("B2C_SHOW_SECRETS")
        junitFile = command.reports.reportJunit ?? Machine.environment("B2C_REPORT_JUNIT")
        jsonFile = command.reports.reportJson ?? Machine.environment("B2C_REPORT_JSON")
        traceFile = command.reports.traceJson ?? Machine.environment("B2C_TRACE_JSON")
        coverageText = command.reports.coverageText ?? Machine.environment("B2C_COVERAGE_TEXT")
        coverageJSON = command.reports.coverageJson ?? Machine.environment("B2C_COVERAGE_JSON")
        coverageCobertura = command.reports.coverageCobertura ?? Machine.environment("B2C_COVERAGE_COBERTURA")
        let isCounted = [coverageText, coverageJSON, coverageCobertura].contains { $0 != nil }
        coverage = isCounted ? PolicyCoverage() : nil
    }

    func perform() async throws {
        try checkFolders()
        let targetFile = try targetName.map { try TargetArgument.read($0, common) }
        let scenarios = try chosenScenarios(targetFile)
        if command.filter.list {
            list(scenarios)
            return
        }
        let result = try await result(of: scenarios, targetFile, keepOutcomes: traceFile != nil)
        try show(result)
        guard !result.isGood else { return }
        let couldNot = result.scenarios.allSatisfy { $0.status.isGood || $0.status == .blocked }
        throw Failure.silent(couldNot ? .machine : .expectation)
    }

    /// Runs everything that is chosen and brings the report without secrets, every step's outcome in it; nothing is
    /// written but what is wrong and how far it is.
    func report() async throws -> RunReport {
        let targetFile = try targetName.map { try TargetArgument.read($0, common) }
        return try await result(of: try chosenScenarios(targetFile), targetFile, keepOutcomes: true)
    }

    private func result(
        of scenarios: [Scenario], _ targetFile: TargetFile?, keepOutcomes: Bool
    ) async throws -> RunReport {
        var options = options(for: scenarios, targetFile)
        options.keepOutcomes = keepOutcomes
        let program = try await startDriver(targetFile)
        defer { program?.stop() }
        if let targetFile { options.target = try await open(targetFile, options, program?.address) }
        let items = scenarios.map { RunItem(scenario: $0) }
        let findings =
            ScenarioInputs.findings(
                scenarios, variables: options.variables, secrets: options.secrets, environment: options.environment)
            + policyFindings(scenarios)
        if findings.hasErrors {
            report(findings, [])
            Machine.error.write("nothing ran\n")
            throw Failure.silent(.input)
        }
        if let complaint = SignatureProvider.complaint { Machine.error.write("warning: \(complaint)\n") }
        let redaction = redaction(scenarios, options)
        let progress = progress(scenarios, redaction, options)
        let raw = await Runner.run(items, options: options) { progress.take($0) }
        progress.end()
        return redaction.redacted(raw)
    }

    // MARK: Before

    /// A run of an hour must not end in a report that has no folder to go to.
    private func checkFolders() throws {
        let files = [
            ("--report-junit", junitFile), ("--report-json", jsonFile), ("--trace-json", traceFile),
            ("--coverage-text", coverageText), ("--coverage-json", coverageJSON),
            ("--coverage-cobertura", coverageCobertura),
        ]
        for (option, file) in files {
            guard let file else { continue }
            let folder = FilePath.folder(file)
            if FileSystem.kind(folder) != .folder {
                throw Failure.usage("\(option) \(file): there is no folder \(folder)")
            }
            if FileSystem.kind(file) == .folder { throw Failure.usage("\(option) \(file): this is a folder") }
        }
    }

    /// Starts the WebDriver server where it is a program; nil: there is nothing to start.
    private func startDriver(_ target: TargetFile?) async throws -> DriverProgram? {
        guard let driver, let target else { return nil }
        if target.settings.proxy != nil {
            throw Failure.usage("--browser does not go through the `proxy` of the target file: leave one of them out")
        }
        guard Self.address(driver) == nil else { return nil }
        switch await DriverProgram.start(driver) {
        case .success(let program): return program
        case .failure(let problem):
            throw Failure(
                status: .machine,
                text: "b2c: no real browser: \(problem.text). Install chromedriver, or name one by --browser-driver.")
        }
    }

    private static func address(_ driver: String) -> WebURL? {
        driver.hasPrefix("http://") || driver.hasPrefix("https://") ? WebURL(driver) : nil
    }

    private func open(
        _ file: TargetFile, _ options: RunOptions, _ started: WebURL?
    ) async throws -> RunTarget {
        try TargetArgument.checkCredentials(of: file, common)
        let target: RunTarget
        do throws(InvalidInput) {
            target = try await RunTarget(
                file, secrets: options.secrets + options.environment.map { ($0.key, $0.value) },
                environment: options.environment, allowsLiveChanges: allowsLiveChanges,
                services: TargetServices(run: { await Subprocess.output(of: $0) }, ask: { await Subprocess.ask($0) }),
                browser: (started ?? driver.flatMap { Self.address($0) }).map {
                    BrowserDriver(server: $0, showsWindow: showsBrowser, sandbox: !Machine.isRoot)
                },
                readFile: options.readFile)
        } catch {
            report(error.diagnostics, [])
            throw Failure.silent(.input)
        }
        if let reason = await target.unreachable() {
            throw Failure(status: .machine, text: "b2c: the target \(target.name) cannot be used: \(reason)")
        }
        return target
    }

    private func chosenScenarios(_ target: TargetFile?) throws -> [Scenario] {
        var finder = FileFinder()
        for path in command.paths.isEmpty ? FileFinder.usualPaths : command.paths { finder.add(path) }
        var findings = finder.findings
        for path in command.paths {
            for file in finder.files where file.content == .tenant && file.path == FilePath.normalised(path) {
                findings.append(
                    Diagnostic(
                        rule: "B2C-CLI-002", "this is a tenant file, not a scenario",
                        remedy: "`b2c check \(path)` checks it.", at: SourceLocation(file: file.path)))
            }
        }
        let scripts = Scripts(finder.files, tenant: target.flatMap { TargetArgument.tenant(of: $0) })
        findings += scripts.findings
        if common.isVerbose { for text in finder.passedOver { Machine.error.write("passed over: \(text)\n") } }
        report(findings.filter { $0.severity > .advice || common.isVerbose }, finder.files)
        if findings.hasErrors {
            Machine.error.write("nothing ran\n")
            throw Failure.silent(.input)
        }
        return try selection.choose(scripts.scenarios)
    }

    /// Custom policies are linked before anything runs: what is wrong in them is wrong in every script.
    private func policyFindings(_ scenarios: [Scenario]) -> [Diagnostic] {
        var seen: Set<String> = []
        var findings: [Diagnostic] = []
        for scenario in scenarios {
            let tenant = scenario.tenant
            guard tenant.tenant.policies.contains(where: { $0.type == .custom }),
                seen.insert(tenant.document.source.file).inserted
            else { continue }
            findings += PolicyChecks.findings(
                of: tenant.tenant, in: tenant.document, at: tenant.pointer, shelf: policies,
                remarks: common.isVerbose)
        }
        return findings
    }

    private func report(_ findings: [Diagnostic], _ files: [FoundFile]) {
        FindingsPrinter(
            color: common.style(for: Machine.error).usesColor, sources: Scripts.sources(of: findings, known: files)
        )
        .print(findings)
    }

    private func list(_ scenarios: [Scenario]) {
        let style = common.style(for: Machine.out)
        var text = ""
        for scenario in scenarios {
            for variant in CaseExpansion.variants(of: scenario) {
                text += ListLine.text(variant, style: style) + "\n"
            }
        }
        Machine.out.write(text)
    }

    private func options(for scenarios: [Scenario], _ target: TargetFile?) -> RunOptions {
        let asked = AskedNames(scenarios, target.map { [$0.document.root] } ?? [])
        var variables = variables
        for name in scenarios.flatMap({ $0.variables.keys }) where !variables.contains(where: { $0.name == name }) {
            if let value = Machine.environment("B2C_VARIABLE_\(name)") { variables.append((name, value)) }
        }
        var secrets = secrets
        for name in asked.secrets where !secrets.contains(where: { $0.name == name }) {
            if let value = Machine.environment("B2C_SECRET_\(name)") { secrets.append((name, value)) }
        }
        var environment: [String: String] = [:]
        for name in asked.environment + asked.secrets { environment[name] = Machine.environment(name) }
        var options = RunOptions(
            seed: seed ?? Machine.drawSeed(), jobs: jobs, bail: bail, variables: variables, secrets: secrets,
            environment: environment,
            readFile: { try? FileSystem.read($0) }, policies: policies, coverage: coverage,
            writeFile: { path, bytes in
                do throws(FileSystem.Problem) {
                    try FileSystem.write(bytes, to: path)
                    return nil
                } catch {
                    return "\(path) cannot be written: \(error.text)"
                }
            })
        options.services = services
        return options
    }

    private func redaction(_ scenarios: [Scenario], _ options: RunOptions) -> Redaction {
        var known = options.secrets.map { KnownSecret($0.value, label: "secret \($0.name)", everywhere: true) }
        for name in AskedNames(scenarios).secrets {
            guard let value = options.environment[name] else { continue }
            known.append(KnownSecret(value, label: "secret \(name)", everywhere: true))
        }
        var byFile: [String: [KnownSecret]] = [:]
        for scenario in scenarios where byFile[scenario.file] == nil {
            byFile[scenario.file] = KnownSecret.secrets(of: scenario.tenant.tenant)
        }
        return Redaction(known: known, byFile: byFile, showsSecrets: showsSecrets)
    }

    private func progress(_ scenarios: [Scenario], _ redaction: Redaction, _ options: RunOptions) -> RunProgress {
        let order = scenarios.flatMap { scenario in
            CaseExpansion.variants(of: scenario).map { RunProgress.Key(file: scenario.file, caseName: $0.caseName) }
        }
        // A terminal gets its line on the error output, where it is in nobody's way.
        let manner: RunProgress.Manner =
            if common.isVerbose || !Machine.error.isTerminal || !Machine.out.isTerminal {
                .lines(verbose: common.isVerbose)
            } else {
                .terminal(columns: Machine.error.columns)
            }
        let output: Output = if case .terminal = manner { Machine.error } else { human }
        return RunProgress(
            order: order, manner: manner, stopsAtFailure: bail, style: common.style(for: output), redaction: redaction
        ) { output.write($0) }
    }

    // MARK: After

    /// Where people read.
    private var human: Output { printsJSON ? Machine.error : Machine.out }

    private func show(_ report: RunReport) throws {
        let text = ConsoleReport(style: common.style(for: human), isVerbose: common.isVerbose).text(report)
        human.write((report.isGood ? "" : "\n") + text)
        if printsJSON { Machine.out.write(JSONReport.text(report)) }
        var problems: [String] = []
        func save(_ file: String?, _ text: () -> String) {
            guard let file else { return }
            do throws(FileSystem.Problem) {
                try FileSystem.write(Array(text().utf8), to: file)
            } catch {
                problems.append("b2c: \(file) cannot be written: \(error.text)")
            }
        }
        save(junitFile) { JUnitReport.text(report) }
        save(jsonFile) { JSONReport.text(report) }
        save(traceFile) { JSONReport.text(report, outcomes: .all) }
        if let coverage = coverage?.report {
            save(coverageText) { CoverageText.text(coverage) }
            save(coverageJSON) { CoverageJSON.text(coverage) }
            save(coverageCobertura) { CoberturaReport.text(coverage) }
        }
        if !problems.isEmpty { throw Failure(status: .machine, text: problems.joined(separator: "\n")) }
    }
}
