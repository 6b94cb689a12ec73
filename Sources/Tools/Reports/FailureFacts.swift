import Diagnostics
import JSON
import ScenarioRunner

/// Why a scenario failed, in short, for a program that shows no whole report.
package enum FailureFacts {
    /// The failed steps that have something to say, each with its differences and a line for each request that explains it.
    package static func json(_ scenario: ScenarioReport) -> [JSONValue] {
        FailureText.innermostFailed(scenario.steps).map { step in
            let place = step.expectation ?? step.location
            var facts: JSONObject = ["step": .string(step.title), "verb": .string(step.verb)]
            if let id = step.id { facts["id"] = .string(id) }
            if let client = step.client { facts["client"] = .string(client) }
            if let pointer = step.location.pointer { facts["pointer"] = .string(pointer) }
            let tokens = step.location.pointer.flatMap { JSONPointer($0) }?.tokens ?? []
            if tokens.count > 1, tokens[0] == "steps", let index = Int64(tokens[1]) { facts["index"] = .integer(index) }
            facts["file"] = .string(place.file)
            if let line = place.line { facts["line"] = .integer(Int64(line)) }
            facts["problems"] = .array(step.problems.map { .string(Shown.sentence($0)) })
            let sources = step.outcome.map { ClaimSources(outcome: $0) }
            let mismatches = step.mismatches.withoutRepeats
            facts["differences"] = .array(
                mismatches.map { mismatch in
                    var difference: JSONObject = [
                        "pointer": .string(mismatch.pointer.description), "text": .string(Shown.text(mismatch.text)),
                        "expected": mismatch.wanted,
                    ]
                    if let found = mismatch.found { difference["actual"] = found }
                    if let source = sources?.line(at: mismatch.pointer) { difference["claim"] = .string(source) }
                    return .object(difference)
                })
            let words = (step.problems + mismatches.prefix(20).map { "\($0.pointer) \($0.text)" }).joined(
                separator: " ")
            facts["requests"] = .array(
                step.tellingExchanges.map { exchange in
                    let lines = ExchangeText.brief(
                        exchange, about: words, style: Style(usesColor: false), width: BriefFailure.columns)
                    return .string(lines.joined(separator: ";"))
                })
            return .object(facts)
        }
    }
}
