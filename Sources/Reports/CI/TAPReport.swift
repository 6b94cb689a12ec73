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
        let place = FailureText.innermostFailed(scenario.steps).first?.location
        var members: [(String, JSONValue)] = [
            ("message", .string(failure.headline)), ("severity", "fail"),
            ("file", .string(place?.file ?? scenario.file)),
        ]
        if let line = place?.line { members.append(("line", .integer(Int64(line)))) }
        if let column = place?.column { members.append(("column", .integer(Int64(column)))) }
        members.append(("details", .string(failure.text)))
        return ["  ---"] + members.map { "  \($0.0): \(JSONWriter.compact($0.1))" } + ["  ..."]
    }

    /// A description, in which `#` begins a directive.
    private static func escaped(_ text: String) -> String {
        oneLine(text).replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }

    private static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
