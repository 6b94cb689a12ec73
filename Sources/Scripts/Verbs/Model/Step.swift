import Exchanges
import JSON

/// One step of a scenario: a verb with its parameters, and modifiers. Texts may still hold `{{...}}`; they are filled
/// in when the step runs.
public struct Step: Sendable {
    /// Name of the step, by which later steps know its outcome.
    public var id: String?
    /// Title for reports.
    public var name: String?
    /// Prose for reports.
    public var description: String?
    /// The step's place in the script.
    public var pointer: JSONPointer
    /// What it does.
    public var verb: Verb
    /// The value of the verb's key, as written. For groups it is the list of steps, read into ``steps``.
    public var parameters: JSONValue
    /// Which client acts; `nil` hands on the group's, and in the end the scenario's app.
    public var client: String?
    /// Who sits at the browser; `nil` when nobody does.
    public var user: JSONValue?
    /// Fault rules in force during this step: a list, or a `{{...}}` that becomes one.
    public var faults: JSONValue?
    /// What the outcome must match.
    public var expect: JSONValue?
    /// By case name, what the outcome must match in that case instead.
    public var expectIn: [(caseName: String, expectation: JSONValue)]
    /// The cases in which the step runs; `nil` in all.
    public var only: [String]?
    /// Steps inside the completion handler.
    public var then: [Step]
    /// How often the step runs, one after another: a number, or a `{{...}}` that becomes one; `nil` once.
    public var repeatCount: JSONValue?
    /// How many equal branches there are: a number, or a `{{...}}` that becomes one; `nil` one.
    public var copies: JSONValue?
    /// The steps of a group.
    public var steps: [Step]

    /// Whether the step runs in a case; `nil` is the run of a scenario without cases.
    public func runs(in caseName: String?) -> Bool {
        guard let only else { return true }
        return caseName.map { only.containsText($0) } ?? false
    }

    /// What the outcome must match in a case.
    public func expectation(in caseName: String?) -> JSONValue? {
        caseName.flatMap { name in expectIn.first { sameText($0.caseName, name) } }?.expectation ?? expect
    }

    /// The step itself and every step inside it, in the order of the text.
    public var withInner: [Step] {
        [self] + (steps + then).flatMap(\.withInner)
    }

    /// The elements of `user`, each with its place.
    package var actions: [(action: JSONValue, pointer: JSONPointer)] {
        (user?.arrayValue ?? []).enumerated().map { ($1, pointer.appending("user").appending($0)) }
    }

    /// What the step is called in a report: its name, else its id, else verb and place.
    public var title: String {
        name ?? id ?? "\(verb.rawValue) at \(pointer)"
    }

    /// The names of the barriers that the step and everything in it waits at, also at the hands of the user, in the
    /// order of the text and without repetition.
    public var barriers: [String] {
        var found: [String] = []
        for step in withInner {
            if let name = step.call(Barrier.self)?.value, !found.contains(name) {
                found.append(name)
            }
            for (action, _) in step.actions {
                if let name = action["barrier"]?.stringValue, !found.contains(name) { found.append(name) }
            }
        }
        return found
    }
}
