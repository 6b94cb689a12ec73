import Diagnostics
import ScenarioRunner

/// Lines that a CI service reads out of a job's output and turns into annotations.
public enum WorkflowCommands {
    /// How many annotations a run prints: GitHub Actions shows ten errors a step and drops the rest without a word.
    public static let limit = 10

    /// Annotations of GitHub Actions, one for each failure up to the limit, and how many more there are.
    ///
    /// - Parameter path: Names a file from the folder of the repository.
    public static func gitHub(_ report: RunReport, path: (String) -> String = { $0 }) -> String {
        limited(ReportIssue.all(in: report, path: path), "failure", rest: "in the step summary", line: gitHub)
    }

    /// Issues of Azure Pipelines, one for each failure up to the limit, and how many more there are.
    ///
    /// - Parameter path: Names a file from the folder of the repository.
    public static func azure(_ report: RunReport, path: (String) -> String = { $0 }) -> String {
        limited(ReportIssue.all(in: report, path: path), "failure", rest: "in the summary", line: azure)
    }

    /// Annotations for findings, errors first, up to the limit of each severity.
    ///
    /// - Parameter path: Names a file from the folder of the repository.
    package static func text(
        _ findings: [Diagnostic], of service: LogService, path: (String) -> String = { $0 }
    ) -> String {
        let issues = ReportIssue.all(findings, sources: [], path: path)
        return [Severity.error, .warning].map { severity in
            limited(
                issues.filter { $0.severity == severity }, severity.rawValue, rest: "in the log",
                line: service == .gitHub ? gitHub : azure)
        }
        .joined()
    }

    static func gitHub(_ issue: ReportIssue) -> String {
        let kind =
            switch issue.severity {
            case .error: "error"
            case .warning: "warning"
            case .advice: "notice"
            }
        var properties: [String] = []
        if let place = issue.place {
            properties.append("file=\(gitHubProperty(place.file))")
            if let line = place.line { properties.append("line=\(line)") }
            if let column = place.column {
                properties.append("col=\(column)")
                if issue.isFinding { properties.append("endColumn=\(column + max(place.length, 1))") }
            }
        }
        properties.append("title=\(gitHubProperty(issue.title))")
        return "::\(kind) \(properties.joined(separator: ","))::\(gitHubData(issue.headline))"
    }

    /// Azure Pipelines knows errors and warnings.
    static func azure(_ issue: ReportIssue) -> String {
        var properties = ["type=\(issue.severity == .error ? "error" : "warning")"]
        if let place = issue.place {
            properties.append("sourcepath=\(azureProperty(place.file))")
            if let line = place.line { properties.append("linenumber=\(line)") }
            if let column = place.column { properties.append("columnnumber=\(column)") }
        }
        return "##vso[task.logissue \(properties.joined(separator: ";"))]"
            + azureData("\(issue.title): \(issue.headline)")
    }

    /// The line that shows a Markdown file on the summary page of Azure Pipelines.
    public static func azureSummary(path: String) -> String { "##vso[task.uploadsummary]\(azureData(path))\n" }

    private static func limited(
        _ issues: [ReportIssue], _ noun: String, rest place: String, line: (ReportIssue) -> String
    ) -> String {
        var lines = issues.prefix(limit).map(line)
        let rest = issues.count - lines.count
        if rest > 0 { lines.append("\(rest) more \(noun)\(rest == 1 ? " is" : "s are") \(place)") }
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: Escaping

    /// Text after `::` (the toolkit's `escapeData`).
    static func gitHubData(_ text: String) -> String { escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"]) }

    /// The value of a property (the toolkit's `escapeProperty`).
    static func gitHubProperty(_ text: String) -> String {
        escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
    }

    /// Text behind `]`; a percent sign is `%AZP25` (agents since 2.180).
    static func azureData(_ text: String) -> String {
        // A command is obeyed anywhere in a line, so also inside another one.
        escaped(PrintedText.withoutMarks(text), ["%": "%AZP25", "\r": "%0D", "\n": "%0A"])
    }

    /// The value of a property.
    static func azureProperty(_ text: String) -> String {
        escaped(
            PrintedText.withoutMarks(text), ["%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"])
    }

    private static func escaped(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = table[scalar] { result += escape } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
