import Exchanges
import JSON
import Verbs

/// One run of a scenario: the scenario itself, or one of its cases.
public struct ScenarioVariant: Sendable {
    /// What runs.
    public var scenario: Scenario
    /// Which variant; `nil` in a scenario without cases.
    public var variant: ScenarioCase?

    /// Name of the case; `nil` in a scenario without cases.
    public var caseName: String? { variant?.name }

    /// Scenario and case, as reports name the run.
    public var title: String {
        variant.map { "\(scenario.name) (\($0.name))" } ?? scenario.name
    }

    /// The name of the run's random stream below a seed: the name of the file, and the case where there is one.
    ///
    /// Without the folder, so that a scenario draws the same values wherever it lies and from wherever it is run. Runs
    /// of two files with one name draw the same values too, each in a world of its own. A `/` within a case is written
    /// `~1`, as a JSON pointer does, so that no case is part of the path of another.
    public var stream: String {
        let file = ScenarioPath.name(of: scenario.file)
        return caseName.map { "\(file)/\(JSONPointer(tokens: [$0]).description.dropFirst())" } ?? file
    }

    /// Values of the case for `{{...}}`.
    public var values: JSONObject { variant?.values ?? JSONObject() }

    /// Why the run is skipped: the scenario's reason, else the case's.
    public var skip: String? { scenario.skip ?? variant?.skip }

    /// Patches over the tenant file before the first step, in order.
    public var configure: [JSONValue] { placedPatches.map(\.patch) }

    /// The same, each with its place in the script.
    public var placedPatches: [(pointer: JSONPointer, patch: JSONValue)] {
        [
            scenario.configure.map { (JSONPointer(tokens: ["configure"]), $0) },
            variant.flatMap { variant in variant.configure.map { (variant.pointer.appending("configure"), $0) } },
        ].compactMap { $0 }
    }

    /// Lists of fault rules around all steps, innermost first: the case's, then the scenario's.
    public var faults: [(pointer: JSONPointer, rules: JSONValue)] {
        var lists: [(pointer: JSONPointer, rules: JSONValue)] = []
        if let variant, let rules = variant.faults { lists.append((variant.pointer.appending("faults"), rules)) }
        if let rules = scenario.faults { lists.append((JSONPointer(tokens: ["faults"]), rules)) }
        return lists
    }

    /// The steps that run, with inner steps that do not taken out as well.
    public var steps: [Step] { Self.running(scenario.steps, in: caseName) }

    /// The steps that always run at the end.
    public var finally: [Step] { Self.running(scenario.finally, in: caseName) }

    private static func running(_ steps: [Step], in caseName: String?) -> [Step] {
        steps.compactMap { step in
            guard step.runs(in: caseName) else { return nil }
            var step = step
            step.steps = running(step.steps, in: caseName)
            step.then = running(step.then, in: caseName)
            return step
        }
    }
}

/// A scenario runs once for each of its cases, or once when it has none.
public enum CaseExpansion {
    /// The runs in the order of the text.
    public static func variants(of scenario: Scenario) -> [ScenarioVariant] {
        if scenario.cases.isEmpty { return [ScenarioVariant(scenario: scenario, variant: nil)] }
        return scenario.cases.map { ScenarioVariant(scenario: scenario, variant: $0) }
    }
}

/// What a command-line argument selects: a file or folder, and perhaps the step to stop after.
public struct ScenarioSelection: Hashable, Sendable {
    /// File or folder.
    public var path: String
    /// Id of the last step to run; `nil` runs all.
    public var step: String?

    /// Reads `file.json#step`. A `#` that is not followed by a possible id belongs to the path.
    public init(parsing argument: String) {
        guard let mark = argument.lastIndex(of: "#") else {
            path = argument
            return
        }
        let step = String(argument[argument.index(after: mark)...])
        guard ValueReference.isName(step) else {
            path = argument
            return
        }
        path = String(argument[..<mark])
        self.step = step
    }
}

extension Scenario {
    /// The same scenario without the steps after the one with this id; `finally` stays. `nil` when no step is called
    /// so. Branches of a `parallel` step stay whole, since they run together.
    public func ending(after id: String) -> Scenario? {
        guard let steps = Self.cut(steps, after: id) else { return nil }
        var scenario = self
        scenario.steps = steps
        scenario.lastStep = id
        return scenario
    }

    private static func cut(_ steps: [Step], after id: String) -> [Step]? {
        for (index, step) in steps.enumerated() where step.withInner.contains(where: { $0.id == id }) {
            var last = step
            if step.id != id, step.verb == .steps, let inner = cut(step.steps, after: id) { last.steps = inner }
            return steps.prefix(index) + [last]
        }
        return nil
    }
}
