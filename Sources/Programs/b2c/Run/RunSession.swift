import Bundles
import CommandFiles
import CommandKit
import Diagnostics
import Exchanges
import JOSE
import JSON
import Reports
import ScenarioRunner
import Scenarios
import TenantFiles

/// One run: reads the scenarios of a plan, runs them, writes what is asked for, and ends with the exit code.
struct RunSession {
    let plan: RunPlan
    private let command: RunCommand
    private var common: CommonOptions { command.common }
    /// The bundle that is repeated; `nil`: files are run.
    private let replay: Replay?
    /// The bundle to write; `nil`: none.
    private let bundle: BundleOutput?
    /// What failed before, where it is used or kept.
    private let lastFailed: LastFailed?
    private let secrets: [(name: String, value: String)]
    private let files: RunFiles
    private let findings: RunFindings
    private let outputs: RunReports
    private let coverage: PolicyCoverage?
    private let times = RunTimes(now: { Machine.uptime })
    /// Whether nothing is written: it only looks whether a bundle repeats.
    private let isSilent: Bool

    /// Takes the report as it is shown, with what ran.
    var observe: ((RunReport, ChosenSuite) -> Void)?

    /// - Throws: ``Failure`` for options that contradict each other, and for files of the command line that cannot be read.
    init(_ command: RunCommand) throws {
        try self.init(command, replay: try Replay(command), isSilent: false)
    }

    /// A run of a bundle that is not yet written, as somebody will run it who has it, with the same secrets given.
    init(_ command: RunCommand, of bundle: ReproductionBundle) throws {
        try self.init(command, replay: Replay(bundle), isSilent: true)
    }

    private init(_ command: RunCommand, replay: Replay?, isSilent: Bool) throws {
        self.command = command
        self.replay = replay
        self.isSilent = isSilent
        bundle = replay == nil ? try BundleOutput(command) : nil
        plan = try replay.map { try RunPlan(repeating: $0.bundle, command) } ?? RunPlan(command)
        // A run that only keeps the file writes a new one in place of a damaged one.
        lastFailed =
            plan.choosesLastFailed
            ? try LastFailed() : replay == nil ? (try? LastFailed()) ?? LastFailed(failed: []) : nil
        // What the command line says comes last and so counts.
        secrets = try (plan.secretsFile.map { try SecretsFile.read($0) } ?? []) + plan.secrets
        files = RunFiles(replay: replay, bundle: bundle)
        outputs = try RunReports(
            command.reports, command.common, isSilent: isSilent,
            others: [("--bundle", bundle?.path), ("--part", plan.partFile), ("--timings", plan.timingsFile)])
        findings = RunFindings(
            common: command.common, isSilent: isSilent, read: files.read, strictness: plan.strictness, outputs: outputs)
        coverage = outputs.countsCoverage ? PolicyCoverage() : nil
    }

    // MARK: Whole runs

    /// Runs what is chosen and writes the reports.
    ///
    /// - Throws: ``Failure`` with the exit code where the run is not as expected, or did not begin.
    func perform() async throws {
        let (suite, run): (ChosenSuite, Ended)
        do {
            guard let played = try await played() else { return }
            (suite, run) = played
        } catch let failure as Failure where !command.filter.list {
            outputs.show(notRun: failure)
            RunRecords(plan: plan, lastFailed: nil, times: times, outputs: outputs).keep(failure)
            throw failure
        }
        observe?(run.shown, suite)
        let counted = coverage?.report
        let records = RunRecords(plan: plan, lastFailed: lastFailed, times: times, outputs: outputs)
        try outputs.show(
            RunReports.Result(
                report: run.shown, times: times,
                origin: plan.seeds.isDrawn ? RunOrigin(Machine.environment) : nil, coverage: counted,
                bundle: replay?.path, isBelowLines: common.isVerbose || plan.isFollowed)
        ) { records.keep(run.shown, of: suite, coverage: counted) }
        // Whatever follows, the last line says where the reports are.
        defer { outputs.finish() }
        try await writeBundle(of: run)
        try compareWithBundle(run)
        try await end(run, isCovered: try await outputs.checkGate(on: counted))
    }

    /// Checks everything and runs what is chosen; `nil`: it was listed.
    private func played() async throws -> (ChosenSuite, Ended)? {
        try outputs.checkFolders()
        if bundle != nil { try plan.checkBundle() }
        let target = try targetFile()
        try plan.checkSeeds(isLive: target?.settings.kind == .live)
        try await outputs.gate?.check()
        let suite = try suite(target)
        guard !command.filter.list else {
            list(suite.scenarios)
            return nil
        }
        if plan.isFollowed { try StepTerminal.check(human) }
        let keepsOutcomes = outputs.needsTrace || bundle != nil || replay != nil
        return (suite, try await run(suite, target, keepsOutcomes: keepsOutcomes))
    }

    /// Runs what is chosen and returns the report without secrets, every step's outcome in it. Nothing is written but what is
    /// wrong and how far it is.
    func report() async throws -> RunReport {
        let target = try targetFile()
        return try await run(try suite(target), target, keepsOutcomes: true).shown
    }

    /// The report without secrets, every step's outcome in it, where nothing is shown of the run.
    func masked() async throws -> RunReport {
        try await run(try suite(nil), nil, keepsOutcomes: true).masked
    }

    // MARK: What runs

    private func targetFile() throws -> TargetFile? {
        try plan.target.map { try TargetArgument.read($0) }
    }

    /// The scenarios that run here.
    private func suite(_ target: TargetFile?) throws -> ChosenSuite {
        let reader = SuiteReader(findings: findings)
        let found =
            try replay.map { try reader.scenarios(in: $0) }
            ?? reader.scenarios(named: command.paths, usual: command.project?.paths ?? [], target: target)
        let (scenarios, failedBefore) = try plan.choose(found, lastFailed: lastFailed)
        if let failedBefore, !outputs.isQuiet, !command.filter.list {
            human.write(
                failedBefore == 0
                    ? "nothing failed in the last run: everything runs\n"
                    : "\(failedBefore) \(failedBefore == 1 ? "scenario" : "scenarios") failed in the last run\n")
        }
        var suite = ChosenSuite(scenarios)
        if let shard = plan.shard {
            suite.keep(shard, of: try plan.timingsFile.map { try Timings(file: $0) })
        }
        bundle?.keep(suite.scenarios)
        return suite
    }

    private func list(_ scenarios: [Scenario]) {
        let variants = scenarios.flatMap { CaseExpansion.variants(of: $0) }
        if outputs.printsJSON {
            Machine.out.write(data: JSONWriter.pretty(.array(variants.map { ListLine.json($0) })) + "\n")
            return
        }
        let style = common.style(for: Machine.out)
        Machine.out.write(variants.map { ListLine.text($0, style: style) + "\n" }.joined())
    }

    // MARK: Running

    /// A run that is over.
    private struct Ended {
        /// As it is shown.
        var shown: RunReport
        /// Without any secret.
        var masked: RunReport
        var scenarios: [Scenario]
        var options: RunOptions
        /// Whether somebody who followed it left before its end.
        var wasLeft = false
        /// Whether somebody who followed it changed it.
        var wasChanged = false
    }

    private func run(_ suite: ChosenSuite, _ target: TargetFile?, keepsOutcomes: Bool) async throws -> Ended {
        let scenarios = suite.scenarios
        let inputs = RunInputs(
            for: scenarios, variables: plan.variables, secrets: secrets, target: target,
            repeating: replay?.bundle.environment.map { ($0.name, $0.value) })
        var options = options(inputs, seed: plan.seed(of: suite, draw: Machine.drawSeed))
        options.keepOutcomes = keepsOutcomes
        var driver: DriverProgram?
        defer { driver?.stop() }
        if let target {
            driver = try await plan.browser?.startDriver(for: target)
            options.target = try await opened(target, inputs, driver)
        }
        try replay?.checkSecrets(options.secrets.map(\.name) + options.environment.keys)
        options.prepared = try await prepared(scenarios, options)
        if !isSilent, let complaint = SignatureProvider.complaint { Machine.error.write("warning: \(complaint)\n") }
        let redaction = inputs.redaction(of: scenarios, showsSecrets: plan.showsSecrets)
        let console = plan.isFollowed ? StepTerminal.console(common.style(for: human), redaction, human) : nil
        options.follower = console
        let attempts = RunAttempts(
            plan: plan, scenarios: scenarios, redaction: redaction, times: times, common: common, outputs: outputs,
            isSilent: isSilent)
        let raw = await attempts.report(options, seeds: try plan.seeds.list(draw: Machine.drawSeed))
        options.seed = raw.seed
        let shown = await redaction.redactedInParallel(raw, jobs: options.jobs)
        var run = Ended(shown: shown, masked: shown, scenarios: scenarios, options: options)
        if plan.showsSecrets, bundle != nil || replay != nil {
            run.masked = await inputs.redaction(of: scenarios, showsSecrets: false)
                .redactedInParallel(raw, jobs: options.jobs)
        }
        run.wasLeft = await console?.hasLeft == true
        run.wasChanged = await console?.hasChanged == true || run.wasLeft
        return run
    }

    private func opened(_ file: TargetFile, _ inputs: RunInputs, _ driver: DriverProgram?) async throws -> RunTarget {
        var opening = TargetOpening(inputs)
        opening.allowsLiveChanges = plan.allowsLiveChanges
        opening.browser = plan.browser?.driver(startedAt: driver?.address)
        opening.read = files.read
        do {
            return try await opening.open(file)
        } catch let error as InvalidInput {
            throw findings.nothingRan(error.diagnostics, withAdvice: true)
        }
    }

    private func options(_ inputs: RunInputs, seed: UInt64) -> RunOptions {
        var options = RunOptions(
            seed: seed, jobs: plan.jobs ?? Machine.cores, maxFailures: plan.maxFailures, variables: inputs.variables,
            secrets: inputs.secrets, environment: inputs.environment, readFile: files.read, policies: files.policies,
            coverage: coverage, writeFile: files.write)
        options.services = plan.allowsRealServices ? ServiceOptions.transport : nil
        options.drawsOrder = plan.drawsOrder
        options.keepLog = outputs.needsRequests
        // Whatever reports are asked for: labels of secrets are counted over everything that is kept.
        options.keepLogOfFailures = true
        return options
    }

    /// What the runner has made ready before the first request.
    ///
    /// - Throws: ``Failure``, printed, for what keeps any of the scenarios from running.
    private func prepared(_ scenarios: [Scenario], _ options: RunOptions) async throws -> PreparedRuns? {
        let start = await PolicyChecks.start(of: scenarios, options, remarks: common.isVerbose)
        if start.findings.hasErrors { throw findings.nothingRan(start.findings) }
        return start.prepared
    }

    // MARK: Afterwards

    private func writeBundle(of run: Ended) async throws {
        guard let bundle else { return }
        let made = bundle.made(run.scenarios, run.options, cases: plan.selection.cases, report: run.masked)
        human.write(try await bundle.write(made, run.options, run.scenarios))
    }

    /// Compares the repeated run of a bundle with the run in it.
    private func compareWithBundle(_ run: Ended) throws {
        guard let replay else { return }
        guard !run.wasChanged else {
            human.write("not compared with the run in \(replay.path), since it was changed by hand\n")
            return
        }
        let verdict = replay.verdict(on: run.masked)
        human.write(verdict.text)
        if !verdict.isGood { throw Failure.silent(.expectation) }
    }

    /// Ends the command: with the exit code of the run, or by trying its lines where it went as expected.
    private func end(_ run: Ended, isCovered: Bool) async throws {
        let report = run.shown
        let isFlaky = plan.failsOnFlaky && report.count(.flaky) > 0
        guard !report.isGood || !isCovered || isFlaky else { return try await prove(run) }
        if report.isGood { throw Failure.silent(.expectation) }
        if run.wasLeft { throw Failure.silent(.machine) }
        if bundle == nil, replay == nil, plan.target == nil, !outputs.isQuiet {
            human.write(common.style(for: human).label(outputs.hint) + "\n")
        }
        let couldNot = report.scenarios.allSatisfy { $0.status.isGood || $0.status == .blocked }
        throw Failure.silent(couldNot ? .machine : .expectation)
    }

    /// Tries the lines of scenarios that ran as expected, where that was asked for.
    private func prove(_ run: Ended) async throws {
        guard !isSilent, plan.proves else { return }
        if plan.target != nil {
            Machine.error.write("--prove tries nothing: it runs scenarios in this process, and --target elsewhere\n")
            return
        }
        guard try await Proving(command.manner.proving, common).report(on: run.scenarios, run.options) else { return }
        throw Failure.silent(.expectation)
    }

    /// Where people read.
    private var human: Output { outputs.human }
}
