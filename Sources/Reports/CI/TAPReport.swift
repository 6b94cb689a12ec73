import Diagnostics
import JSON
import ScenarioRunner

/// The report in the Test Anything Protocol, version 14.
public enum TAPReport {
    /// The report as a text that ends in a line feed.
    public static func text(_ report: RunReport) -> String {
        var lines = ["TAP version 14", "1..\(report.scenarios.count)"]
        lines.append("# \(report.seedText), target \(oneLine(report.target))")
        for (index, scenario) in report.scenarios.enumerated() {
            let name = "\(index + 1) - \(escaped("\(scenario.file): \(scenario.title)"))"
            switch scenario.status {
            case .passed, .flaky:
                lines.append("ok \(name)")
                if scenario.status == .flaky, let reason = scenario.reason {
                    lines.append("# flaky: \(oneLine(reason))")
                }
            case .skipped, .notRun:
                lines.append("ok \(name) # SKIP \(escaped(scenario.reason ?? scenario.status.rawValue))")
            case .expectedFailure:
                lines.append("not ok \(name) # TODO \(escaped(scenario.reason ?? "is known to fail"))")
            case .failed, .unexpectedPass, .blocked:
                lines.append("not ok \(name)")
                lines += diagnostics(scenario, report)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The block below a failure. Its values are JSON, which the YAML of the protocol contains.
    private static func diagnostics(_ scenario: ScenarioReport, _ report: RunReport) -> [String] {
        let failure = FailureText(scenario, option: report.seedOption)
        return block(
            ReportIssue(
                kind: scenario.status.rawValue, place: failure.place ?? SourceLocation(file: scenario.file),
                title: scenario.title, headline: failure.headline, text: failure.text))
    }

    private static func block(_ issue: ReportIssue) -> [String] {
        var members: [(String, JSONValue)] = [("message", .string(issue.headline)), ("severity", "fail")]
        if let file = issue.place?.file { members.append(("file", .string(file))) }
        if let line = issue.place?.line { members.append(("line", .integer(Int64(line)))) }
        if let column = issue.place?.column { members.append(("column", .integer(Int64(column)))) }
        members.append(("details", .string(issue.text)))
        return ["  ---"] + members.map { "  \($0.0): \(JSONWriter.compact($0.1))" } + ["  ..."]
    }

    /// Findings: errors are what is not ok.
    static func text(_ issues: [ReportIssue]) -> String {
        var lines = ["TAP version 14", "1..\(max(issues.count, 1))"]
        if issues.isEmpty { lines.append("ok 1 - all files") }
        for (index, issue) in issues.enumerated() {
            let place = issue.place.map { "\($0): " } ?? ""
            let isGood = issue.severity != .error
            lines.append("\(isGood ? "ok" : "not ok") \(index + 1) - \(escaped(place + issue.title))")
            lines += isGood ? ["# \(oneLine(issue.headline))"] : block(issue)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A description, in which `#` begins a directive.
    private static func escaped(_ text: String) -> String {
        oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
