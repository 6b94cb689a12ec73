import JSON
import ScenarioRunner

/// The report as one HTML file that opens offline: overview, search and filters, and of each failed scenario what
/// differed, the command that repeats it and its requests as a sequence.
///
/// The page holds its data as JSON: the JSON report with the outcomes of failed steps, and the records of requests of
/// scenarios that did not end well. Equal runs give equal bytes.
public enum HTMLReport {
    /// The page as a text that ends in a line feed.
    ///
    /// - Parameters:
    ///   - report: After redaction, with the logs of its scenarios.
    ///   - version: Of the program that writes it.
    public static func text(_ report: RunReport, version: String) -> String {
        let data = JSONWriter.script(json(report, version: version))
        return HTMLReportPage.head + data + HTMLReportPage.tail + "\n"
    }

    /// The data of the page.
    public static func json(_ report: RunReport, version: String) -> JSONValue {
        var details: [JSONValue] = []
        for scenario in report.scenarios {
            guard !scenario.status.isGood, scenario.status != .notRun else {
                details.append(.null)
                continue
            }
            let text = FailureText(scenario, option: report.seedOption).text
            details.append(["failure": .string(text), "log": .array(scenario.log)])
        }
        return [
            "version": .string(version), "report": JSONReport.json(report), "details": .array(details),
        ]
    }
}
