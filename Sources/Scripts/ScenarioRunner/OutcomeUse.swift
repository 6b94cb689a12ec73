import Exchanges
import JSON
import Scenarios
import Verbs

/// Which outcomes a script reads once their steps are over: only these are kept until the scenario ends.
struct OutcomeUse: Sendable {
    /// Whether any outcome may be read: by a follower, or by text that a step takes from elsewhere and fills in again.
    private var isAny: Bool
    /// Everything that any text of the script names first.
    private var roots: Set<String> = []

    init(of variant: ScenarioVariant, _ options: RunOptions) {
        isAny = options.follower != nil
        // Case values and variables are filled in when they are used.
        var values: [String: [JSONValue]] = [:]
        for member in variant.values.members + variant.scenario.variables.members {
            values[member.key, default: []].append(member.value)
        }
        for variable in options.variables { values[variable.name, default: []].append(.string(variable.value)) }
        for value in values.values.joined() { add(value) }
        for (_, rules) in variant.faults { add(rules) }
        for step in variant.steps + variant.finally { add(step, values) }
    }

    /// Whether the outcome of a step may be read later.
    func reads(_ id: String) -> Bool { isAny || roots.contains(id) }

    private mutating func add(_ step: Step, _ values: [String: [JSONValue]]) {
        for text in [step.name, step.client] { if let text { add(.string(text)) } }
        let parts = [step.user, step.faults, step.expect, step.repeatCount, step.copies]
        for value in parts.compactMap({ $0 }) { add(value) }
        for (_, expectation) in step.expectIn { add(expectation) }
        if !step.verb.isGroup { add(step.parameters) }
        if case .string? = step.user, let user = step.user, !isKnown(user, values) { isAny = true }
        for inner in step.steps + step.then { add(inner, values) }
    }

    private mutating func add(_ value: JSONValue) {
        guard Interpolation.isNeeded(in: value) else { return }
        for occurrence in Interpolation.occurrences(in: value).references { roots.insert(occurrence.reference.root) }
    }

    /// Whether a `user` that is a text stands for something the script itself spells out. A list from elsewhere is filled in
    /// once more, and may name any step.
    private func isKnown(_ user: JSONValue, _ values: [String: [JSONValue]]) -> Bool {
        Interpolation.occurrences(in: user).references.allSatisfy { occurrence in
            values[occurrence.reference.root]?.allSatisfy { !Interpolation.isNeeded(in: $0) } ?? false
        }
    }
}
