import ArgumentParser
import Bundles
import CommandFiles
import CommandKit
import Scenarios

/// What one call of `b2c run` means, by its options and the environment together: which scenarios run, in which order, with
/// which seeds, how often and where.
///
/// A value that knows no files: options that contradict each other are found before anything is read. ``RunSession`` carries
/// it out.
package struct RunPlan {
    /// The WebDriver server that gives people a real browser.
    package struct WebDriverServer: Equatable {
        /// The address of a server that runs, or a program to start.
        package var driver: String
        /// Whether its windows are shown.
        package var showsWindow: Bool
    }

    // MARK: Which scenarios

    /// The filters.
    package private(set) var selection = ScenarioFilter()
    /// The part of the suite that runs here; `nil`: all of it.
    package private(set) var shard: Shard?
    /// Whether only those run that failed in the last run.
    package private(set) var choosesLastFailed = false

    // MARK: How they run

    package private(set) var seeds: Seeds = .one(nil)
    /// Whether the order of parallel lanes is drawn from the seed, too.
    package private(set) var drawsOrder = false
    /// How many scenarios run at the same time; `nil`: one for each core.
    package private(set) var jobs: Int?
    /// Nothing runs after so many failures; `nil`: everything runs.
    package private(set) var maxFailures: Int?
    /// How often what failed at a network target runs again.
    package private(set) var retries = 0
    /// Whether somebody follows the run step by step.
    package private(set) var isFollowed = false
    /// What makes warnings of scripts errors, which keep them from running; `nil`: nothing does.
    package private(set) var strictness: String?
    /// Whether warnings of scripts keep them from running.
    package var isStrict: Bool { strictness != nil }
    /// Whether a run that is as expected fails where a scenario is flaky.
    package private(set) var failsOnFlaky = false
    /// Whether every line of the scenarios is tried afterwards.
    package private(set) var proves = false

    // MARK: Where, and with what

    /// The target, as named; `nil`: in this process.
    package private(set) var target: String?
    package private(set) var allowsLiveChanges = false
    /// Whether REST stubs may call the real service.
    package private(set) var allowsRealServices = false
    /// `nil`: people use the stand-in.
    package private(set) var browser: WebDriverServer?
    /// Values of variables, as given.
    package private(set) var variables: [(name: String, value: String)] = []
    /// Secrets of the command line. They count before those of ``secretsFile``.
    package private(set) var secrets: [(name: String, value: String)] = []
    package private(set) var secretsFile: String?

    // MARK: What is kept of it

    package private(set) var showsSecrets = false
    /// The file for `b2c merge`; `nil`: none.
    package private(set) var partFile: String?
    /// Wall times of earlier runs, by which shards are divided; `nil`: none are kept.
    package private(set) var timingsFile: String?

    /// The run that options ask for.
    ///
    /// - Parameter variable: Brings a variable of the environment. An option takes precedence over its variable.
    /// - Throws: ``Failure`` for options that contradict each other, and for values that are not possible.
    init(_ command: RunCommand, variable: EnvironmentOption.Lookup = Machine.environment) throws {
        try self.init(anyOf: command, variable: variable)
        let (filter, manner) = (command.filter, command.manner)
        try setPlace(manner, variable: variable)
        selection = ScenarioFilter(filter, variable: variable)
        seeds = try Seeds(manner, variable: variable)
        if case .each = seeds { drawsOrder = true }
        maxFailures = try Self.maxFailures(manner, variable: variable)
        variables = try manner.running.variables()
        retries = try self.retries(manner, variable: variable)
        shard = try Shard(filter, variable: variable)
        choosesLastFailed = filter.lastFailed || EnvironmentOption.isOn("B2C_LAST_FAILED", variable: variable)
        strictness = Self.strictness(manner.strict, command.project?.strictPlace, variable: variable)
        proves = manner.prove || EnvironmentOption.isOn("B2C_PROVE", variable: variable)
        timingsFile = filter.timings ?? variable("B2C_TIMINGS")
        partFile = filter.part ?? variable("B2C_PART")
    }

    /// The run of a command line, such as `--tags smoke --seeds 1..9`.
    package init(arguments: [String], variable: EnvironmentOption.Lookup) throws {
        try self.init(try RunCommand.parse(arguments), variable: variable)
    }

    /// The run that a bundle repeats. What it holds counts alone, whatever the environment says.
    init(
        repeating bundle: ReproductionBundle, _ command: RunCommand,
        variable: EnvironmentOption.Lookup = Machine.environment
    )
        throws
    {
        try self.init(anyOf: command, variable: variable)
        selection = ScenarioFilter(cases: bundle.cases)
        seeds = .one(bundle.seed)
        drawsOrder = bundle.drawsOrder
        maxFailures = bundle.bail ? 1 : nil
        variables = bundle.variables.map { ($0.name, $0.value) }
    }

    /// What options say about the run of a bundle as well.
    private init(anyOf command: RunCommand, variable: EnvironmentOption.Lookup) throws {
        let manner = command.manner
        let running = manner.running
        failsOnFlaky = manner.flaky.fails(variable: variable)
        isFollowed = manner.step || EnvironmentOption.isOn("B2C_STEP", variable: variable)
        jobs = isFollowed ? 1 : try running.jobCount(variable: variable)
        if isFollowed, let asked = running.jobs, asked != 1 {
            throw Failure.usage("--step follows one scenario at a time: leave --jobs \(asked) out")
        }
        allowsLiveChanges = running.allowsLiveChanges(variable: variable)
        secrets = try running.givenSecrets()
        secretsFile = running.secretsFile ?? variable("B2C_SECRETS_FILE")
        showsSecrets = manner.showSecrets || EnvironmentOption.isOn("B2C_SHOW_SECRETS", variable: variable)
    }

    /// Sets where scenarios run.
    private mutating func setPlace(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws {
        let named = manner.target ?? variable("B2C_TARGET")
        target = named == TargetArgument.inProcess ? nil : named
        allowsRealServices = manner.services.areAllowed(variable: variable)
        browser = manner.running.realBrowser(variable: variable)
        if browser != nil, target == nil {
            throw Failure.usage("a real browser needs a network: use --browser with --target, such as mock-server")
        }
    }

    /// How many failures end the run; `nil`: none does.
    private static func maxFailures(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws -> Int? {
        // An option takes precedence over the environment, also over the variable of the other option.
        let given = manner.maxFailures
        let most =
            manner.bail
            ? given : try given ?? EnvironmentOption.number("B2C_MAX_FAILURES", as: Int.self, variable: variable)
        if let most, most < 1 { throw Failure.usage("--max-failures \(most): the smallest number is 1") }
        let bails = manner.bail || given == nil && EnvironmentOption.isOn("B2C_BAIL", variable: variable)
        if bails, let most, most > 1 {
            throw Failure.usage("--bail stops after one failure, and --max-failures after \(most): use one of them")
        }
        return bails ? 1 : most
    }

    /// What makes warnings errors; `nil`: nothing does.
    ///
    /// - Parameters:
    ///   - option: Whether the option is given.
    ///   - project: Where the project file sets it; `nil`: nowhere.
    package static func strictness(
        _ option: Bool, _ project: String?, variable: EnvironmentOption.Lookup = Machine.environment
    ) -> String? {
        if option { return "--strict" }
        guard EnvironmentOption.isOn("B2C_STRICT", variable: variable) else { return nil }
        return Machine.isSet("B2C_STRICT") ? "B2C_STRICT" : project ?? "B2C_STRICT"
    }

    private func retries(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws -> Int {
        let count = try manner.retries ?? EnvironmentOption.number("B2C_RETRIES", as: Int.self, variable: variable) ?? 0
        guard (0...100).contains(count) else { throw Failure.usage("--retries \(count): expected 0 to 100") }
        // From the environment it may be meant for other runs.
        if manner.retries != nil, count > 0, target == nil {
            throw Failure.usage(
                "--retries needs --target: in this process the same seed gives the same result; --repeat tries other seeds"
            )
        }
        return count
    }
}

// MARK: - Which scenarios

extension RunPlan {
    /// The scenarios that run, of all shards together, cut after their step.
    ///
    /// - Parameters:
    ///   - scripts: Everything that was found, each with the step after which it ends.
    ///   - lastFailed: What failed before; it counts where ``choosesLastFailed`` says so.
    /// - Returns: The scenarios, and how many of their runs failed before; `nil`: that was not asked for.
    /// - Throws: ``Failure`` for a filter that nothing matches.
    package func choose(
        _ scripts: [(scenario: Scenario, step: String?)], lastFailed: LastFailed?
    ) throws -> (scenarios: [Scenario], failedBefore: Int?) {
        let chosen = try selection.choose(scripts)
        guard choosesLastFailed, let lastFailed else { return (chosen, nil) }
        let (failed, count) = lastFailed.choose(chosen)
        return (failed, count)
    }

    /// The seed of a run that has one: as given; for a shard the suite's, which every machine has; else a drawn one.
    package func seed(of suite: ChosenSuite, draw: () -> UInt64) -> UInt64 {
        if case .one(let seed?) = seeds { return seed }
        return shard == nil ? draw() : suite.seed
    }
}
