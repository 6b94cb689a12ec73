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
        text(report, path, rest: "in the step summary") { failure in
            var properties = ["file=\(gitHubProperty(failure.place.file))"]
            if let line = failure.place.line { properties.append("line=\(line)") }
            if let column = failure.place.column { properties.append("col=\(column)") }
            properties.append("title=\(gitHubProperty(failure.title))")
            return "::error \(properties.joined(separator: ","))::\(gitHubData(failure.headline))"
        }
    }

    /// Issues of Azure Pipelines, one for each failure up to the limit, and how many more there are.
    ///
    /// - Parameter path: Names a file from the folder of the repository.
    public static func azure(_ report: RunReport, path: (String) -> String = { $0 }) -> String {
        text(report, path, rest: "in the summary") { failure in
            var properties = ["type=error", "sourcepath=\(azureProperty(failure.place.file))"]
            if let line = failure.place.line { properties.append("linenumber=\(line)") }
            if let column = failure.place.column { properties.append("columnnumber=\(column)") }
            return "##vso[task.logissue \(properties.joined(separator: ";"))]"
                + azureData("\(failure.title): \(failure.headline)")
        }
    }

    /// The line that shows a Markdown file on the summary page of Azure Pipelines.
    public static func azureSummary(path: String) -> String { "##vso[task.uploadsummary]\(azureData(path))\n" }

    private static func text(
        _ report: RunReport, _ path: (String) -> String, rest place: String, line: (RunFailure) -> String
    ) -> String {
        let failures = RunFailure.all(in: report, path: path)
        var lines = failures.prefix(limit).map(line)
        let rest = failures.count - lines.count
        if rest > 0 { lines.append("\(rest) more \(rest == 1 ? "failure is" : "failures are") \(place)") }
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
