import Diagnostics
import Exchanges
import JSON
import ScenarioRunner
import Validation

/// The report as JSON, version 1; `docs/report.md` describes it.
///
/// The order of everything is fixed and nothing depends on the machine, so two runs with one seed give equal bytes.
public enum JSONReport {
    /// Raised when a member changes its meaning or goes; new members may come without.
    public static let version: Int64 = 1

    /// The report as a text that ends in a line feed.
    ///
    /// - Parameter outcomes: which steps bring their outcome documents.
    public static func text(_ report: RunReport, outcomes: Outcomes = .failed) -> String {
        JSONStream.text { write(report, outcomes: outcomes, to: &$0) }
    }

    /// Writes the report, one scenario after the other.
    public static func write(_ report: RunReport, outcomes: Outcomes = .failed, to stream: inout JSONStream) {
        stream.object { stream in
            for (name, value) in head(report).members { stream.member(name, value) }
            stream.key("scenarios")
            stream.array { stream in
                for index in report.scenarios.indices { stream.element(scenario(report.scenarios[index], outcomes)) }
            }
        }
    }

    /// Which steps bring their outcome documents, where the run kept them.
    public enum Outcomes: Sendable {
        case failed, all
    }

    /// The report as a value.
    public static func json(_ report: RunReport, outcomes: Outcomes = .failed) -> JSONValue {
        var object = head(report)
        object["scenarios"] = .array(report.scenarios.map { scenario($0, outcomes) })
        return .object(object)
    }

    /// The report of a run that did not begin, with what kept it from that.
    public static func text(notRunBecauseOf findings: [Diagnostic]) -> String {
        let object: JSONObject = [
            "version": .integer(version), "result": .string(RunStatus.notRun.rawValue),
            "counts": .object(counts(RunReport(seed: 0, target: "", scenarios: []))), "scenarios": [],
            "findings": .array(findings.map { .object(FindingsReport.json(Finding($0))) }),
        ]
        return JSONWriter.pretty(.object(object)) + "\n"
    }

    /// The members before the scenarios.
    private static func head(_ report: RunReport) -> JSONObject {
        var object = JSONObject()
        object["version"] = .integer(version)
        object["target"] = .string(report.target)
        // A text, since a seed may need all 64 bits and JSON numbers are often read as doubles.
        object["seed"] = .string(String(report.seed))
        if report.drawsOrder { object["order"] = "drawn" }
        if let seeds = report.seeds {
            var numbers: JSONObject = ["given": .integer(Int64(seeds.given)), "passed": .integer(Int64(seeds.passed))]
            if !seeds.failed.isEmpty { numbers["failed"] = .array(seeds.failed.map { .string(String($0)) }) }
            object["seeds"] = .object(numbers)
        }
        object["result"] = .string(report.isGood ? "passed" : "failed")
        object["counts"] = .object(counts(report))
        return object
    }

    private static func counts(_ report: RunReport) -> JSONObject {
        var counts = JSONObject()
        counts["total"] = .integer(Int64(report.scenarios.count))
        for status in RunStatus.allCases { counts[status.rawValue] = .integer(Int64(report.count(status))) }
        return counts
    }

    private static func scenario(_ scenario: ScenarioReport, _ outcomes: Outcomes) -> JSONValue {
        var object = JSONObject()
        object["file"] = .string(scenario.file)
        object["name"] = .string(scenario.name)
        if let caseName = scenario.caseName { object["case"] = .string(caseName) }
        object["tags"] = .array(scenario.tags.map(JSONValue.string))
        object["result"] = .string(scenario.status.rawValue)
        if let reason = scenario.reason { object["reason"] = .string(reason) }
        object["started"] = .string(scenario.started.rfc3339)
        object["elapsed"] = seconds(scenario.elapsed.milliseconds)
        object["exchanges"] = .integer(Int64(scenario.exchanges))
        object["steps"] = .array(scenario.steps.map { step($0, outcomes) })
        return .object(object)
    }

    private static func step(_ step: StepReport, _ outcomes: Outcomes) -> JSONValue {
        var object = JSONObject()
        if let id = step.id { object["id"] = .string(id) }
        object["title"] = .string(step.title)
        object["verb"] = .string(step.verb)
        if let client = step.client { object["client"] = .string(client) }
        object["location"] = .object(location(step.location))
        object["result"] = .string(step.status.rawValue)
        object["at"] = .string(step.at.rfc3339)
        object["elapsed"] = seconds(step.elapsed.milliseconds)
        if !step.problems.isEmpty { object["problems"] = .array(step.problems.map(JSONValue.string)) }
        if !step.mismatches.isEmpty { object["mismatches"] = .array(step.mismatches.map(mismatch)) }
        if !step.tellingExchanges.isEmpty { object["exchanges"] = .array(step.tellingExchanges) }
        if let source = step.source { object["source"] = .object(source.json) }
        if outcomes == .all || step.status == .failed, let outcome = step.outcome { object["outcome"] = outcome }
        if !step.steps.isEmpty { object["steps"] = .array(step.steps.map { self.step($0, outcomes) }) }
        return .object(object)
    }

    private static func location(_ location: SourceLocation) -> JSONObject {
        var object = JSONObject()
        object["file"] = .string(location.file)
        if let line = location.line { object["line"] = .integer(Int64(line)) }
        if let column = location.column { object["column"] = .integer(Int64(column)) }
        if let pointer = location.pointer { object["pointer"] = .string(pointer) }
        return object
    }

    private static func mismatch(_ mismatch: Mismatch) -> JSONValue {
        var object = JSONObject()
        object["pointer"] = .string(mismatch.pointer.description)
        object["text"] = .string(mismatch.text)
        object["wanted"] = mismatch.wanted
        if let found = mismatch.found { object["found"] = found }
        return .object(object)
    }

    private static func seconds(_ milliseconds: Int64) -> JSONValue {
        milliseconds.isMultiple(of: 1000) ? .integer(milliseconds / 1000) : .number(Double(milliseconds) / 1000)
    }
}
