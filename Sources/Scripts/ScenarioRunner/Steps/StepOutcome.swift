import Determinism
import JSON

/// The outcome of a step. Its JSON is written once, when an expectation, a `{{...}}` or a report asks for it.
final class StepOutcome: Sendable {
    let yield: StepResult
    let logs: StepLogs
    let elapsed: TimeSpan
    /// The outcomes of the steps of a group; `nil` for one that could not begin.
    let steps: [StepOutcome?]?
    private let written: Deferred<JSONValue>

    init(_ yield: StepResult, logs: StepLogs, elapsed: TimeSpan, steps: [StepOutcome?]? = nil) {
        written = Deferred { .object(Self.write(yield, logs: logs, elapsed: elapsed, steps: steps)) }
        self.yield = yield
        self.logs = logs
        self.elapsed = elapsed
        self.steps = steps
    }

    var json: JSONValue { written.value }

    private static func write(
        _ yield: StepResult, logs: StepLogs, elapsed: TimeSpan, steps: [StepOutcome?]?
    ) -> JSONObject {
        var outcome = yield.json
        outcome["elapsed"] =
            elapsed.milliseconds % 1000 == 0 ? .integer(elapsed.milliseconds / 1000) : .number(elapsed.seconds)
        outcome["requests"] = .array(logs.records.map(\.json))
        var pages = yield.pages.map(\.json)
        var events = yield.events.map { JSONValue.object($0) }
        for case let step? in steps ?? [] {
            pages += step.json["pages"]?.arrayValue ?? []
            events += step.json["events"]?.arrayValue ?? []
        }
        outcome["pages"] = .array(pages)
        outcome["messages"] = .array(logs.messages)
        outcome["events"] = .array(events)
        outcome["trace"] = .array(logs.trace)
        if let steps { outcome["steps"] = .array(steps.map { $0?.json ?? .object(JSONObject()) }) }
        return outcome
    }
}
