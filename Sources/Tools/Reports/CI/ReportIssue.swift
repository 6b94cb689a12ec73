import Diagnostics
import ScenarioRunner

/// What a CI service shows at a line of a file: a scenario that makes a run fail, or a finding.
struct ReportIssue {
    /// What kind of thing it is: `failed`, `unexpectedPass` or `blocked`, or the id of a rule.
    var kind: String
    var severity = Severity.error
    /// Where it is; `nil`: at no line of a file.
    var place: SourceLocation?
    /// Whether it is a finding, not a scenario that failed.
    var isFinding = false
    /// The scenario's name with its case, or the id of a rule.
    var title: String
    /// One line, the most important thing.
    var headline: String
    /// Everything that the console shows of it, without colours.
    var text: String

    /// The failures of a run in its order, each where the script expects what did not happen.
    ///
    /// - Parameter path: Names a file as the reader of the report finds it.
    static func all(in report: RunReport, path: (String) -> String = { $0 }) -> [ReportIssue] {
        report.scenarios.filter { [.failed, .unexpectedPass, .blocked].contains($0.status) }.map { scenario in
            let text = FailureText(scenario, option: report.seedOption)
            var place = text.place ?? SourceLocation(file: scenario.file)
            place.file = path(place.file)
            return ReportIssue(
                kind: scenario.status.rawValue, place: place, title: Shown.text(scenario.title),
                headline: text.headline, text: text.text)
        }
    }

    /// Findings in their order.
    ///
    /// - Parameters:
    ///   - sources: Texts whose lines may be shown.
    ///   - path: Names a file as the reader of the report finds it.
    static func all(
        _ findings: [Diagnostic], sources: [SourceText], path: (String) -> String = { $0 }
    ) -> [ReportIssue] {
        let renderer = DiagnosticRenderer(color: false, sources: sources)
        return findings.map { finding in
            var place = finding.location
            place?.file = finding.location.map { path($0.file) } ?? ""
            return ReportIssue(
                kind: finding.rule, severity: finding.severity, place: place, isFinding: true, title: finding.rule,
                headline: finding.message + (finding.remedy.map { ". \($0)" } ?? ""), text: renderer.render(finding))
        }
    }
}
