import Bundles
import CommandKit
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JOSE
import JSON
import Reports
import ScenarioRunner
import Scenarios
import TenantFiles
import TrustFramework

/// One call of `b2c run`: what was meant by the arguments and the environment, and what is done.
struct Run {
    private let command: RunCommand
    private let common: CommonOptions
    private let selection: Selection
    private let jobs: Int
    private let seed: UInt64?
    /// The seeds of `--seeds`; `nil`: the run has one.
    private let seeds: SeedList?
    /// How often everything runs, with a seed each; `nil`: that was not asked for.
    private let repeats: Int?
    /// How often what failed at a network target runs again.
    private let retries: Int
    private let failsOnFlaky: Bool
    private let maxFailures: Int?
    private let shard: Shard?
    /// What failed before, where it is used or kept.
    private let lastFailed: LastFailed?
    private let choosesLastFailed: Bool
    private let variables: [(name: String, value: String)]
    private let secrets: [(name: String, value: String)]
    private let targetName: String?
    private let allowsLiveChanges: Bool
    private let services: (any Transport)?
    /// The WebDriver server for people's browsers, or the program that is one; nil: the stand-in.
    private let driver: String?
    private let showsBrowser: Bool
    private let showsSecrets: Bool
    private let times = RunTimes(now: { Machine.uptime })
    private let coverage: PolicyCoverage?
    private let outputs: RunReports
    /// The file for `b2c merge`; `nil`: none.
    private let partFile: String?
    /// Wall times of former runs; `nil`: none are kept.
    private let timingsFile: String?
    private let policies: PolicyShelf
    /// The bundle that is run again; `nil`: files are.
    private let replay: Replay?
    /// The bundle to write; `nil`: none.
    private let bundle: BundleOutput?
    /// Whether somebody follows the run step by step.
    private let isFollowed: Bool

    /// Takes the report as it is shown, with what ran.
    var observe: ((RunReport, ChosenSuite) -> Void)?

    /// Whether nothing is written: it only looks whether a bundle repeats.
    private let isSilent: Bool

    /// Whether warnings of scripts keep them from running.
    private var isStrict: Bool { replay == nil && (command.manner.strict || Twin.isOn("B2C_STRICT")) }

    init(_ command: RunCommand) throws {
        try self.init(command, replay: try Replay(command), isSilent: false)
    }

    /// A run of a bundle that is not yet written, as somebody will run it who has it, with the same secrets given.
    init(_ command: RunCommand, of bundle: ReproductionBundle) throws {
        try self.init(command, replay: Replay(bundle), isSilent: true)
    }

    private init(_ command: RunCommand, replay: Replay?, isSilent: Bool) throws {
        self.command = command
        common = command.common
        self.replay = replay
        self.isSilent = isSilent
        bundle = replay == nil ? try BundleOutput(command) : nil
        policies = PolicyShelf(files: replay?.policies ?? bundle?.policies ?? .disk)
        let target = replay == nil ? command.manner.target ?? Machine.environment("B2C_TARGET") : nil
        targetName = target == TargetArgument.inProcess ? nil : target
        services = replay == nil ? command.manner.services.transport : nil
        let running = command.manner.running
        allowsLiveChanges = running.allowsLiveChanges
        driver = replay == nil ? running.driver : nil
        showsBrowser = running.showsBrowser
        if driver != nil, targetName == nil {
            throw Failure.usage("a real browser needs a network: use --browser with --target, such as mock-server")
        }
        let filter = command.filter
        if let bundle = replay?.bundle {
            selection = Selection(tags: [], name: nil, cases: bundle.cases)
            seed = bundle.seed
            seeds = nil
            repeats = nil
            maxFailures = bundle.bail ? 1 : nil
            variables = bundle.variables.map { ($0.name, $0.value) }
        } else {
            let tags = filter.tags.isEmpty ? Twin.list("B2C_TAGS") : filter.tags.flatMap(Twin.words)
            let cases = filter.cases.isEmpty ? [Machine.environment("B2C_CASE")].compactMap { $0 } : filter.cases
            selection = Selection(tags: tags, name: filter.name ?? Machine.environment("B2C_NAME"), cases: cases)
            repeats = try Self.repeats(command)
            seeds =
                try repeats.map {
                    try SeedList(
                        $0, from: running.seed ?? Twin.number("B2C_SEED", as: UInt64.self) ?? Machine.drawSeed())
                } ?? Self.seeds(command)
            seed = seeds == nil ? try running.seed ?? Twin.number("B2C_SEED", as: UInt64.self) : nil
            maxFailures = try Self.maxFailures(command)
            variables = try running.variables()
        }
        failsOnFlaky = command.manner.failOnFlaky || Twin.isOn("B2C_FAIL_ON_FLAKY")
        retries = replay == nil ? try command.manner.retries ?? Twin.number("B2C_RETRIES", as: Int.self) ?? 0 : 0
        guard (0...100).contains(retries) else { throw Failure.usage("--retries \(retries): expected 0 to 100") }
        // From the environment it may be meant for other runs.
        if command.manner.retries != nil, retries > 0, targetName == nil {
            throw Failure.usage(
                "--retries needs --target: in this process the same seed gives the same result; --repeat tries other seeds"
            )
        }
        let part = replay == nil ? filter.shard ?? Machine.environment("B2C_SHARD") : nil
        shard = try part.map { try Shard($0, option: filter.shard == nil ? "B2C_SHARD" : "--shard") }
        choosesLastFailed = replay == nil && (filter.lastFailed || Twin.isOn("B2C_LAST_FAILED"))
        // A run that only keeps the file writes a new one in the place of a damaged one.
        lastFailed =
            choosesLastFailed
            ? try LastFailed()
            : replay == nil ? (try? LastFailed()) ?? LastFailed(failed: []) : nil
        isFollowed = command.manner.step || Twin.isOn("B2C_STEP")
        jobs = isFollowed ? 1 : try running.jobCount()
        if isFollowed, let asked = running.jobs, asked != 1 {
            throw Failure.usage("--step follows one scenario at a time: leave --jobs \(asked) out")
        }
        secrets = try running.secrets()
        showsSecrets = command.manner.showSecrets || Twin.isOn("B2C_SHOW_SECRETS")
        timingsFile = replay == nil ? filter.timings ?? Machine.environment("B2C_TIMINGS") : nil
        partFile = replay == nil ? filter.part ?? Machine.environment("B2C_PART") : nil
        outputs = try RunReports(
            command.reports, command.common, isSilent: isSilent,
            others: [("--bundle", bundle?.path), ("--part", partFile), ("--timings", timingsFile)])
        coverage = outputs.countsCoverage ? PolicyCoverage() : nil
    }

    /// How many failures end the run; `nil`: none does.
    private static func maxFailures(_ command: RunCommand) throws -> Int? {
        // An option on the command line counts before the environment, also before the twin of the other option.
        let given = command.manner.maxFailures
        let most = command.manner.bail ? given : try given ?? Twin.number("B2C_MAX_FAILURES", as: Int.self)
        if let most, most < 1 { throw Failure.usage("--max-failures \(most): the smallest number is 1") }
        let bails = command.manner.bail || given == nil && Twin.isOn("B2C_BAIL")
        if bails, let most, most > 1 {
            throw Failure.usage("--bail stops after one failure, and --max-failures after \(most): use one of them")
        }
        return bails ? 1 : most
    }

    /// What `--repeat` or its environment variable asks for.
    private static func repeats(_ command: RunCommand) throws -> Int? {
        guard let count = try command.manner.repeat ?? Twin.number("B2C_REPEAT", as: Int.self) else { return nil }
        guard (1...1_000_000).contains(count) else {
            throw Failure.usage("--repeat \(count): expected a number from 1 to 1000000")
        }
        if command.manner.seeds != nil {
            throw Failure.usage("--repeat and --seeds both say which seeds run: use one of them")
        }
        if command.manner.step {
            throw Failure.usage("--repeat runs scenarios many times, and --step one by hand: use one of them")
        }
        return count
    }

    /// What `--seeds` or its environment variable asks for. What is said on the command line counts: `--seed` there has no part of the
    /// twin, nor `--seeds` of the twin of `--seed`.
    private static func seeds(_ command: RunCommand) throws -> SeedList? {
        let running = command.manner.running
        let twin = running.seed == nil ? Machine.environment("B2C_SEEDS") : nil
        let option = command.manner.seeds == nil ? "B2C_SEEDS" : "--seeds"
        guard let text = command.manner.seeds ?? twin else { return nil }
        let list = try SeedList(text, option: option)
        if running.seed != nil {
            throw Failure.usage("--seed runs one seed, and --seeds several: leave one of them out")
        }
        if command.manner.seeds == nil, Machine.environment("B2C_SEED") != nil {
            throw Failure.usage("B2C_SEED sets one seed, and B2C_SEEDS several: set only one of them")
        }
        if command.manner.step || Twin.isOn("B2C_STEP") {
            throw Failure.usage("\(option) runs scenarios once for each seed, and --step one by hand: use one of them")
        }
        return list
    }

    func perform() async throws {
        try outputs.checkFolders()
        try checkBundle()
        let targetFile = try targetName.map { try TargetArgument.read($0, common) }
        if partFile != nil, seeds != nil {
            throw Failure.usage("--part keeps one run, and --seeds and --repeat make several: leave one of them out")
        }
        if seeds != nil, targetFile?.settings.kind == .live {
            throw Failure.usage(
                "--seeds runs scenarios again and again from the start, and a real tenant keeps what happened: leave "
                    + "--target \(targetName ?? "") out, or name a mock-server")
        }
        try await outputs.gate?.check()
        let suite = try chosenSuite(targetFile)
        let scenarios = suite.scenarios
        if command.filter.list {
            list(scenarios)
            return
        }
        let keepOutcomes = outputs.needsTrace || bundle != nil || replay != nil
        if isFollowed { try StepTerminal.check(human) }
        let (result, masked, options) = try await results(of: suite, targetFile, keepOutcomes: keepOutcomes)
        let console = options.follower as? StepConsole
        let wasLeft = await console?.hasLeft == true
        let wasChanged = await console?.hasChanged == true || wasLeft
        observe?(result, suite)
        let counted = coverage?.report
        try outputs.show(
            RunReports.Result(
                report: result, times: times, coverage: counted, bundle: replay?.path,
                isBelowLines: common.isVerbose || isFollowed)
        ) { keep(result, suite, counted) }
        // Whatever follows, the last line says where the reports are.
        defer { outputs.finish() }
        if let bundle {
            let made = bundle.made(scenarios, options, cases: selection.cases, report: masked)
            human.write(try await bundle.write(made, options, scenarios))
        }
        if let replay, wasChanged {
            human.write("not compared with the run in \(replay.path), since it was changed by hand\n")
        } else if let verdict = replay?.verdict(on: masked) {
            human.write(verdict.text)
            if !verdict.isGood { throw Failure.silent(.expectation) }
        }
        let isCovered = try await outputs.checkGate(on: counted)
        let isFlaky = failsOnFlaky && result.count(.flaky) > 0
        guard !result.isGood || !isCovered || isFlaky else { return try await prove(scenarios, options) }
        if result.isGood { throw Failure.silent(.expectation) }
        if wasLeft { throw Failure.silent(.machine) }
        if bundle == nil, replay == nil, targetFile == nil, !outputs.isQuiet {
            let style = common.style(for: human)
            human.write(style.label(outputs.hint) + "\n")
        }
        let couldNot = result.scenarios.allSatisfy { $0.status.isGood || $0.status == .blocked }
        throw Failure.silent(couldNot ? .machine : .expectation)
    }

    /// Tries the lines of scenarios that ran as expected, where that was asked for.
    private func prove(_ scenarios: [Scenario], _ options: RunOptions) async throws {
        guard !isSilent, replay == nil, command.manner.prove || Twin.isOn("B2C_PROVE") else { return }
        if targetName != nil {
            Machine.error.write("--prove tries nothing: it runs scenarios in this process, and --target elsewhere\n")
            return
        }
        guard try await Proving(command.manner.proving, common).report(on: scenarios, options) else { return }
        throw Failure.silent(.expectation)
    }

    /// Runs everything that is chosen and brings the report without secrets, every step's outcome in it; nothing is
    /// written but what is wrong and how far it is.
    func report() async throws -> RunReport {
        let targetFile = try targetName.map { try TargetArgument.read($0, common) }
        return try await results(of: try chosenSuite(targetFile), targetFile, keepOutcomes: true).shown
    }

    /// The report without secrets, every step's outcome in it, where nothing is shown of the run.
    func masked() async throws -> RunReport {
        try await results(of: try chosenSuite(nil), nil, keepOutcomes: true).masked
    }

    /// The report as it is shown, the same without any secret, and how it was run.
    private func results(
        of suite: ChosenSuite, _ targetFile: TargetFile?, keepOutcomes: Bool
    ) async throws -> (shown: RunReport, masked: RunReport, options: RunOptions) {
        let scenarios = suite.scenarios
        var options = options(for: scenarios, targetFile)
        // All shards need one seed, and only the suite is the same everywhere.
        if seed == nil, shard != nil { options.seed = suite.seed }
        options.keepOutcomes = keepOutcomes
        options.keepLog = outputs.needsRequests
        // Whatever reports are asked for: labels of secrets are counted over everything that is kept.
        options.keepLogOfFailures = true
        let program = try await startDriver(targetFile)
        defer { program?.stop() }
        if let targetFile { options.target = try await open(targetFile, options, program?.address) }
        try replay?.checkSecrets(options.secrets.map(\.name) + options.environment.keys)
        let items = scenarios.map { RunItem(scenario: $0) }
        var findings =
            ScenarioInputs.findings(
                scenarios, variables: options.variables, secrets: options.secrets, environment: options.environment)
            + policyFindings(scenarios)
        let inputsAreKnown = !findings.contains {
            $0.rule == ScenarioRule.missingInput.rawValue && $0.severity == .error
        }
        let start = await Runner.startFindings(scenarios, options: options, inputsAreKnown: inputsAreKnown)
        for finding in start.findings where !findings.contains(finding) { findings.append(finding) }
        if findings.hasErrors {
            throw nothingRan(findings, [])
        }
        options.prepared = start.prepared
        if !isSilent, let complaint = SignatureProvider.complaint { Machine.error.write("warning: \(complaint)\n") }
        let redaction = redaction(scenarios, options, showsSecrets: showsSecrets)
        if isFollowed {
            options.follower = StepTerminal.console(common.style(for: human), redaction, human)
        }
        let raw: RunReport
        if let seeds {
            raw = await firstFailure(of: items, seeds, options, scenarios, redaction)
            options.seed = raw.seed
        } else {
            raw = await retried(await reports(of: items, options, scenarios, redaction), scenarios, options)
        }
        let shown = await redaction.redactedInParallel(raw)
        let isMaskedToo = showsSecrets && (bundle != nil || replay != nil)
        let masked =
            isMaskedToo
            ? await self.redaction(scenarios, options, showsSecrets: false).redactedInParallel(raw) : shown
        return (shown, masked, options)
    }

    /// One run of everything, told while it goes on.
    private func reports(
        of items: [RunItem], _ options: RunOptions, _ scenarios: [Scenario], _ redaction: Redaction
    ) async -> RunReport {
        let progress = progress(scenarios, redaction, options)
        let isSilent = isSilent
        let times = times
        let report = await Runner.run(items, options: options) { event in
            times.take(event)
            if !isSilent { progress.take(event) }
        }
        if !isSilent { progress.end() }
        return report
    }

    /// Runs again what failed at a network target, up to `--retries` times; what passes then is flaky.
    private func retried(_ report: RunReport, _ scenarios: [Scenario], _ options: RunOptions) async -> RunReport {
        struct Key: Hashable {
            var file: String
            var name: String?
        }
        var report = report
        var attempt = 1
        while attempt <= retries {
            let failed = Set(
                report.scenarios.filter { $0.status == .failed || $0.status == .blocked }
                    .map { Key(file: $0.file, name: $0.caseName) })
            guard !failed.isEmpty else { break }
            if !isSilent, !outputs.isQuiet {
                let what = failed.count == 1 ? "1 scenario" : "\(failed.count) scenarios"
                human.write("attempt \(attempt + 1) of \(what) that failed\n")
            }
            let items = scenarios.keeping { failed.contains(Key(file: $0.file, name: $1)) }.map {
                RunItem(scenario: $0)
            }
            for var again in await Runner.run(items, options: options).scenarios where again.status.isGood {
                guard
                    let place = report.scenarios.firstIndex(where: {
                        $0.file == again.file && $0.caseName == again.caseName
                    })
                else { continue }
                if again.status == .passed {
                    again.status = .flaky
                    again.reason = "failed, and passed at attempt \(attempt + 1)"
                }
                report.scenarios[place] = again
            }
            attempt += 1
        }
        return report
    }

    /// The run of the first seed that fails, else that of the last one. With `--repeat` all seeds run.
    private func firstFailure(
        of items: [RunItem], _ seeds: SeedList, _ options: RunOptions, _ scenarios: [Scenario], _ redaction: Redaction
    ) async -> RunReport {
        var options = options
        var passed = 0
        var failed: [UInt64] = []
        var last: RunReport?
        let bar = common.isVerbose || !Machine.error.isTerminal ? nil : Machine.error
        for seed in seeds.seeds {
            options.seed = seed
            let report: RunReport
            if common.isVerbose {
                human.write("seed \(seed)\n")
                report = await reports(of: items, options, scenarios, redaction)
            } else {
                bar?.write("\r\u{1b}[K\(passed)/\(seeds.count) seeds passed, seed \(seed)")
                report = await Runner.run(items, options: options)
            }
            if report.isGood {
                passed += 1
                if failed.isEmpty { last = report }
                continue
            }
            if failed.isEmpty { last = report }
            failed.append(seed)
            if repeats == nil { break }
        }
        bar?.write("\r\u{1b}[K")
        // A list names one seed at least.
        var report = last ?? RunReport(seed: 0, target: "", scenarios: [])
        report.seeds = RunReport.Seeds(given: seeds.count, passed: passed, failed: repeats == nil ? [] : failed)
        return report
    }

    // MARK: Before

    /// A bundle promises the same bytes again, so everything of the run must be in it.
    private func checkBundle() throws {
        guard bundle != nil else { return }
        if isFollowed {
            throw Failure.usage(
                "--bundle holds a run that repeats, and --step one that is changed by hand: use one of them")
        }
        if targetName != nil {
            throw Failure.usage(
                "--bundle holds a run in this process, since nothing else repeats byte for byte: leave --target out")
        }
        if let maxFailures, maxFailures > 1 {
            throw Failure.usage(
                "--bundle holds a whole run or one up to its first failure: use --bail, not --max-failures")
        }
        if repeats != nil {
            throw Failure.usage("--bundle holds one run, and --repeat makes several: use one of them")
        }
        if shard != nil || choosesLastFailed {
            throw Failure.usage(
                "--bundle holds whole files or named cases: name files, or use --case, not \(shard == nil ? "--last-failed" : "--shard")"
            )
        }
        if services != nil {
            throw Failure.usage(
                "--bundle cannot hold what real services answer: leave --allow-real-services out, and stub them by `rest`"
            )
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
            throw Failure.machine(
                "no real browser: \(problem.text). Install chromedriver, or name one by --browser-driver.")
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
                services: TargetServices(
                    run: {
                        await Subprocess.output(of: $0).mapError { TargetProblem($0.text, isLasting: $0.isLasting) }
                    }, ask: { await Subprocess.ask($0) }),
                browser: (started ?? driver.flatMap { Self.address($0) }).map {
                    BrowserDriver(server: $0, showsWindow: showsBrowser, sandbox: !Machine.isRoot)
                },
                readFile: options.readFile)
        } catch {
            report(error.diagnostics, [])
            throw Failure.silent(.input)
        }
        if let reason = await target.browserUnreachable() {
            throw Failure.machine("no real browser: \(reason)")
        }
        if let reason = await target.unreachable() {
            throw Failure.machine("the target \(target.name) cannot be used: \(reason)")
        }
        return target
    }

    private func chosenSuite(_ target: TargetFile?) throws -> ChosenSuite {
        if let replay { return ChosenSuite(try scenarios(in: replay)) }
        var finder = FileFinder()
        let paths = command.paths.isEmpty ? command.project?.paths ?? [] : command.paths
        var findings: [Diagnostic] = []
        for path in paths.isEmpty ? FileFinder.usualPaths : paths {
            if FileSystem.kind(path) == .file, let bytes = try? FileSystem.read(path),
                let finding = ForeignFile.finding(path, bytes)
            {
                findings.append(finding)
            } else {
                finder.add(path)
            }
        }
        findings += finder.findings
        for path in command.paths {
            for file in finder.files where file.content != .scenario && file.path == FilePath.normalised(path) {
                let isTenant = file.content == .tenant
                findings.append(
                    Diagnostic(
                        rule: "B2C-CLI-002",
                        "this is \(isTenant ? "a tenant file" : "the project file"), not a scenario",
                        remedy: isTenant
                            ? "`b2c serve \(path)` serves it, and `b2c check \(path)` checks it. A scenario names it by "
                                + "\"tenant\"."
                            : "`b2c run` without a path runs what it names.", at: SourceLocation(file: file.path)))
            }
        }
        let scripts = Scripts(finder.files, tenant: target.flatMap { TargetArgument.tenant(of: $0) })
        findings += scripts.findings
        if common.isVerbose { for text in finder.passedOver { Machine.error.write("passed over: \(text)\n") } }
        if findings.hasErrors || isStrict && findings.contains(where: { $0.severity == .warning }) {
            throw nothingRan(findings, finder.files)
        }
        report(findings.filter { $0.severity > .advice || common.isVerbose }, finder.files)
        if scripts.scenarios.isEmpty {
            let folder = (paths.isEmpty ? FileFinder.usualPaths : paths).first ?? "."
            throw Failure.usage("there are no scenarios to run here: \(ForeignFile.emptiness(of: folder))")
        }
        var chosen = try selection.choose(scripts.scenarios)
        if choosesLastFailed, let lastFailed {
            let (some, count) = lastFailed.choose(chosen)
            chosen = some
            if !outputs.isQuiet, !command.filter.list {
                human.write(
                    count == 0
                        ? "nothing failed in the last run: everything runs\n"
                        : "\(count) \(count == 1 ? "scenario" : "scenarios") failed in the last run\n")
            }
        }
        var suite = ChosenSuite(chosen)
        if let shard {
            suite.keep(shard, of: try timingsFile.map { try Timings(file: $0) })
        }
        bundle?.keep(suite.scenarios)
        return suite
    }

    /// Writes what later runs read; returns what could not be written.
    private func keep(_ report: RunReport, _ suite: ChosenSuite, _ coverage: CoverageReport?) -> [String] {
        var problems: [String] = []
        func save(_ file: String, _ write: () throws(FileSystem.Problem) -> Void) {
            do throws(FileSystem.Problem) {
                try write()
            } catch {
                problems.append("b2c: \(file) cannot be written: \(error.text)")
            }
        }
        // A folder that cannot be written keeps no run from its result, unless the file was asked for.
        if let lastFailed, choosesLastFailed {
            save(LastFailed.file) { () throws(FileSystem.Problem) in try lastFailed.update(report) }
        } else {
            try? lastFailed?.update(report)
        }
        if let partFile {
            let part = RunPart(
                tool: ToolVersion.text, index: shard?.index ?? 1, count: shard?.count ?? 1, suite: suite.digest,
                total: suite.total, places: suite.places, times: report.scenarios.map { times.time(of: $0) },
                wall: times.total, report: report, hasTrace: outputs.needsTrace && outputs.needsRequests,
                coverage: coverage)
            save(partFile) { () throws(FileSystem.Problem) in try FileSystem.write(Array(part.text.utf8), to: partFile)
            }
        }
        if let timingsFile, shard == nil {
            save(timingsFile) { () throws(FileSystem.Problem) in
                try Timings.update(timingsFile, report.scenarios.map { ($0, times.time(of: $0)) })
            }
        }
        return problems
    }

    private func scenarios(in replay: Replay) throws -> [Scenario] {
        let found = replay.found
        let scripts = Scripts(found, read: { replay.files.read($0) }, policies: replay.policies)
        if scripts.findings.hasErrors { throw nothingRan(scripts.findings, found) }
        report(scripts.findings.filter { $0.severity > .advice || common.isVerbose }, found)
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

    /// Prints what is wrong. Nothing is printed of a run that is not to be seen: the first error says why it cannot be.
    private func nothingRan(_ findings: [Diagnostic], _ files: [FoundFile]) -> Failure {
        if isSilent, let first = findings.first(where: { $0.severity == .error }) {
            return Failure.whole(.input, first.message)
        }
        report(findings.filter { $0.severity > .advice || common.isVerbose }, files)
        Machine.error.write("nothing ran\n")
        return Failure.silent(.input)
    }

    private func report(_ findings: [Diagnostic], _ files: [FoundFile]) {
        guard !isSilent else { return }
        FindingsPrinter(
            color: common.style(for: Machine.error).usesColor,
            sources: Scripts.sources(of: findings, known: files, read: readFile)
        )
        .print(findings)
    }

    /// Reads a file of the disk, or of the bundle that is run again.
    private var readFile: @Sendable (String) -> [UInt8]? {
        if let files = replay?.files { return { files.read($0) } }
        if let recorder = bundle?.recorder { return { recorder.read($0) } }
        return { try? FileSystem.read($0) }
    }

    /// Writes a file; a bundle's scripts write in memory.
    private var writeFile: @Sendable (String, [UInt8]) -> String? {
        if let files = replay?.files {
            return { path, bytes in
                files.write(bytes, to: path)
                return nil
            }
        }
        let recorder = bundle?.recorder
        return { path, bytes in
            do throws(FileSystem.Problem) {
                try FileSystem.write(bytes, to: path)
                recorder?.wrote(path)
                return nil
            } catch {
                return "\(path) cannot be written: \(error.text)"
            }
        }
    }

    private func list(_ scenarios: [Scenario]) {
        if outputs.printsJSON {
            let entries = scenarios.flatMap { CaseExpansion.variants(of: $0) }.map { ListLine.json($0) }
            Machine.out.write(data: JSONWriter.pretty(.array(entries)) + "\n")
            return
        }
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
        for name in scenarios.flatMap({ $0.variables.keys })
        where replay == nil && !variables.contains(where: { $0.name == name }) {
            if let value = Machine.environment("B2C_VARIABLE_\(name)") { variables.append((name, value)) }
        }
        var secrets = secrets
        for name in asked.secrets where !secrets.contains(where: { $0.name == name }) {
            if let value = Machine.environment("B2C_SECRET_\(name)") { secrets.append((name, value)) }
        }
        var environment: [String: String] = [:]
        for name in asked.environment + asked.secrets { environment[name] = Machine.environment(name) }
        if let bundle = replay?.bundle {
            for name in asked.environment where !asked.secrets.contains(name) { environment[name] = nil }
            for value in bundle.environment { environment[value.name] = value.value }
        }
        var options = RunOptions(
            seed: seed ?? Machine.drawSeed(), jobs: jobs, maxFailures: maxFailures, variables: variables,
            secrets: secrets,
            environment: environment,
            readFile: readFile, policies: policies, coverage: coverage, writeFile: writeFile)
        options.services = services
        options.drawsOrder = seeds != nil && repeats == nil || replay?.bundle.drawsOrder ?? false
        return options
    }

    private func redaction(_ scenarios: [Scenario], _ options: RunOptions, showsSecrets: Bool) -> Redaction {
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
        // A terminal gets its line on the error output, where it does not disturb. Elsewhere the report says it all.
        let manner: RunProgress.Manner =
            if common.isVerbose || isFollowed {
                .lines(verbose: common.isVerbose)
            } else if outputs.isQuiet || !Machine.error.isTerminal || !Machine.out.isTerminal {
                .silent
            } else {
                .terminal(columns: Machine.error.columns)
            }
        let output: Output = if case .terminal = manner { Machine.error } else { human }
        return RunProgress(
            order: order, manner: manner, maxFailures: maxFailures, style: common.style(for: output),
            redaction: redaction
        ) { output.write($0) }
    }

    // MARK: After

    /// Where people read.
    private var human: Output { outputs.human }
}
