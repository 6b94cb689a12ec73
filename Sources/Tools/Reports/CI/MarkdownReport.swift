import Determinism
import Markup
import ScenarioRunner

/// The report as Markdown: for the step summary of GitHub Actions, the summary of Azure Pipelines, or a comment.
public enum MarkdownReport {
    /// GitHub drops a step summary of more than 1 MiB; this leaves room for those of other steps.
    static let limit = 900_000

    /// Counts, and each failure with the text of the console.
    ///
    /// - Parameter wall: The wall time of the run; `nil`: not shown.
    public static func text(_ report: RunReport, wall: TimeSpan? = nil) -> String {
        let time = wall.map { ", \(WallTime.text($0))" } ?? ""
        return text(
            ReportIssue.all(in: report),
            "## b2c: \(ConsoleReport(style: Style(usesColor: false)).counts(report))\n\n"
                + "\(escaped(report.target)), \(report.seedText)\(time)\n", noun: "failure")
    }

    /// - Parameter head: The title and what is below it.
    static func text(_ issues: [ReportIssue], _ head: String, noun: String) -> String {
        var text = head
        for (number, issue) in issues.enumerated() {
            let place = issue.place.map { place in
                " <code>\(escaped(place.file + (place.line.map { ":\($0)" } ?? "")))</code>"
            }
            let block = """

                <details><summary>\(escaped(issue.title))\(place ?? "")</summary>

                \(escaped(issue.headline))

                \(fenced(issue.text))

                </details>

                """
            guard text.utf8.count + block.utf8.count <= limit else {
                text += "\n\(issues.count - number) more \(noun)s are in the job's log.\n"
                break
            }
            text += block
        }
        return text
    }

    /// Code that may contain fences itself (CommonMark 4.5).
    private static func fenced(_ code: String) -> String {
        var longest = 2
        var run = 0
        for character in code {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)text\n\(code)\n\(fence)"
    }

    /// Text as HTML and Markdown show it unchanged.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in HTMLEntities.escaped(text, .content) {
            switch character {
            case "\n", "\r", "\r\n": result += " "
            case "\\", "`", "*", "_", "[", "]", "#", "|", "~": result += "\\\(character)"
            default: result.append(character)
            }
        }
        return result
    }
}
