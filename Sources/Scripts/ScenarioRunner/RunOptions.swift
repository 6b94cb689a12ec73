import Browser
import HTTPMessages
import Scenarios
import TrustFramework

/// How a run is to go.
public struct RunOptions: Sendable {
    /// Everything random derives from it.
    public var seed: UInt64
    /// Draws the order of parallel lanes from the seed, to find out whether a verdict depends on it. Otherwise they take
    /// turns in the order written, whatever the seed.
    public var drawsOrder = false
    /// How many scenarios run at the same time.
    public var jobs: Int
    /// Nothing after so many failures, in the order of files and cases, counts as run; `nil`: everything runs.
    public var maxFailures: Int?
    public var variables: [(name: String, value: String)]
    public var secrets: [(name: String, value: String)]
    public var environment: [String: String]
    /// Plays the later steps of a script too after one has failed; its verdict stays. For a caller that wants to know of all
    /// failures at once. A call that a failed step leaves open is given up, unless the step expects that it waits: otherwise
    /// every later call of that client fails because of it.
    public var goesOnAfterFailures = false
    /// Keeps the outcome of every step, not only of failed ones.
    public var keepOutcomes: Bool
    /// Keeps the records of all requests of each scenario.
    public var keepLog = false
    /// Keeps them, and the outcomes of all steps, of scenarios that do not end well.
    public var keepLogOfFailures = false
    /// Whether the logs of a step are of use after it. Real services and browsers may still be at work then.
    var keepsLogs: Bool { keepLog || keepLogOfFailures || follower != nil || target != nil }
    /// What ``Runner/startFindings(_:options:inputsAreKnown:)`` made ready; `nil`: nothing was checked before.
    public var prepared: PreparedRuns?
    /// Where scenarios run; nil: in this process.
    public var target: RunTarget?
    /// Runs only the cases of these names; empty: all.
    public var cases: [String]
    /// Reads a file by the path that scripts resolve to.
    public var readFile: @Sendable (String) -> [UInt8]?
    /// The custom policies of tenant files.
    public var policies: PolicyShelf
    /// Counts what is exercised of custom policies in this process; `nil`: nothing is counted.
    public var coverage: PolicyCoverage?
    /// The way to real services, for REST stubs with `passThrough`; `nil`: such a call fails.
    public var services: (any Transport)?
    /// What people do on pages where neither the script nor their record says it; `nil`: they stop there.
    public var answers: (any PageAnswers)?
    /// Somebody who follows the run step by step; `nil`: nobody. Runs with one job then.
    public var follower: (any StepFollower)?
    /// An experiment that looks at every step; `nil`: there is none.
    var proof: ProofWatch?
    /// Writes a file that a script asks for; returns a sentence when it cannot.
    public var writeFile: @Sendable (String, [UInt8]) -> String?

    /// - Parameter policies: `nil`: custom policies whose parents are in the same file only, since no folder is listed.
    public init(
        seed: UInt64, jobs: Int = 1, maxFailures: Int? = nil, variables: [(name: String, value: String)] = [],
        secrets: [(name: String, value: String)] = [], environment: [String: String] = [:], keepOutcomes: Bool = false,
        cases: [String] = [], target: RunTarget? = nil,
        readFile: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }, policies: PolicyShelf? = nil,
        coverage: PolicyCoverage? = nil,
        writeFile: @escaping @Sendable (String, [UInt8]) -> String? = { path, _ in "nothing may be written to \(path)" }
    ) {
        self.seed = seed
        self.jobs = jobs
        self.maxFailures = maxFailures
        self.variables = variables
        self.secrets = secrets
        self.environment = environment
        self.keepOutcomes = keepOutcomes
        self.cases = cases
        self.target = target
        self.readFile = readFile
        self.policies = policies ?? PolicyShelf(files: PolicyFiles(read: readFile))
        self.coverage = coverage
        self.writeFile = writeFile
    }
}
