import Determinism
import Diagnostics
import Exchanges
import JSON

/// How a scenario, a case or a step ended.
public enum RunStatus: String, Sendable, Hashable, CaseIterable {
    case passed
    case failed
    /// Not run for a reason that the script or the target gives.
    case skipped
    /// Failed where the script says that it is known to fail.
    case expectedFailure
    /// Known to fail, and passed: counts as failed.
    case unexpectedPass
    /// Passed only when it was repeated, because the target had asked for a pause.
    case flaky
    /// Cannot be run on this target, for a reason found on the way.
    case blocked
    /// Never started, because the run stopped before.
    case notRun

    /// Whether the run as a whole may still succeed.
    public var isGood: Bool { self == .passed || self == .skipped || self == .expectedFailure || self == .flaky }
}

/// One step of one run.
public struct StepReport: Sendable {
    public var id: String?
    public var title: String
    public var verb: String
    public var location: SourceLocation
    public var client: String?
    public var status: RunStatus
    /// What the script expected and did not find.
    public var mismatches: [Mismatch]
    /// What kept the step from being carried out as written, in sentences.
    public var problems: [String]
    /// True time at its start.
    public var at: Timestamp
    public var elapsed: TimeSpan
    /// The outcome document. Kept for failed steps, and for all when asked for.
    public var outcome: JSONValue?
    /// Numbers of the exchanges that explain a failure, most relevant first.
    public var tellingExchanges: [JSONValue]
    public var steps: [StepReport]
    /// Of a failed step: the lines of the script that its first difference is about. `nil`: the place is not in the script.
    public var source: SourceExcerpt?
    /// Of a failed step: where the script expects what did not happen. `nil`: the step itself is the place.
    public var expectation: SourceLocation?
}

/// One scenario in one case.
public struct ScenarioReport: Sendable {
    public var file: String
    public var name: String
    public var caseName: String?
    public var tags: [String]
    public var status: RunStatus
    /// Why it was skipped, or what else there is to say about the status.
    public var reason: String?
    public var steps: [StepReport]
    /// World time, not wall time.
    public var started: Timestamp
    public var elapsed: TimeSpan
    public var exchanges: Int
    /// The records of all requests in the order of their departure, as the `requests` log has them, with the members
    /// `arrived` (instant), `step` (title) and `tokens` (of the answer, by name: `header` and `claims`). Kept when asked
    /// for (``RunOptions/keepLog``).
    public var log: [JSONValue] = []

    /// Name and case.
    public var title: String { Self.title(name, caseName) }

    /// Name and case of a run that has no report yet.
    public static func title(_ name: String, _ caseName: String?) -> String {
        caseName.map { "\(name) [\($0)]" } ?? name
    }

    /// The first step that failed, at any depth.
    public var failedStep: StepReport? { StepReport.firstFailed(steps) }
}

extension StepReport {
    /// The step and those in it without the outcomes of what passed.
    var withoutOutcome: StepReport {
        var step = self
        if status != .failed { step.outcome = nil }
        step.steps = steps.map(\.withoutOutcome)
        return step
    }
}

extension StepReport {
    /// Where a script expects what a difference is about, whether or not it has a value of its own there.
    ///
    /// - Parameter root: The script.
    package func expectation(of mismatch: Mismatch, caseName: String?, in root: JSONValue) -> JSONPointer? {
        guard let step = location.pointer.flatMap({ JSONPointer($0) }) else { return nil }
        let ownCase = caseName.map { step.appending("expectIn").appending($0) }
        let expected = ownCase.flatMap { root.value(at: $0) == nil ? nil : $0 } ?? step.appending("expect")
        return JSONPointer(tokens: expected.tokens + mismatch.pointer.tokens)
    }

    /// The innermost step below this one that failed first.
    public var failedStep: StepReport? { Self.firstFailed(steps) }

    static func firstFailed(_ steps: [StepReport]) -> StepReport? {
        for step in steps where step.status == .failed {
            return firstFailed(step.steps) ?? step
        }
        return nil
    }
}

/// A whole run.
public struct RunReport: Sendable {
    public var seed: UInt64
    public var target: String
    public var scenarios: [ScenarioReport]
    /// Whether the order of parallel lanes was drawn from the seed (``RunOptions/drawsOrder``).
    public var drawsOrder: Bool
    /// The seeds of which this run is the first that failed, or the last; `nil`: there was one.
    public var seeds: Seeds?
    /// Whether scenarios ran by the machine's clock, as those at a real tenant do, and not by clocks of their own.
    public var usesRealTime: Bool

    /// How many seeds there were to run.
    public struct Seeds: Hashable, Sendable {
        /// How many were asked for.
        public var given: Int
        /// How many of them passed; the rest failed or did not run.
        public var passed: Int
        /// Seeds that failed, where all of them ran.
        public var failed: [UInt64]

        public init(given: Int, passed: Int, failed: [UInt64] = []) {
            self.given = given
            self.passed = passed
            self.failed = failed
        }
    }

    public init(
        seed: UInt64, target: String, scenarios: [ScenarioReport], drawsOrder: Bool = false, usesRealTime: Bool = false
    ) {
        self.seed = seed
        self.target = target
        self.scenarios = scenarios
        self.drawsOrder = drawsOrder
        self.usesRealTime = usesRealTime
    }

    public func count(_ status: RunStatus) -> Int { scenarios.count { $0.status == status } }

    /// Whether everything is as expected.
    public var isGood: Bool { scenarios.allSatisfy { $0.status.isGood } }
}

/// An event of a run, for progress.
public enum RunEvent: Sendable {
    case started(file: String, title: String)
    case finished(ScenarioReport)
}
