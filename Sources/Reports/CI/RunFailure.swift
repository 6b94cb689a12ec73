import Diagnostics
import ScenarioRunner

/// A scenario that makes a run fail, as the annotations of CI services show it.
struct RunFailure {
    /// What `RunStatus` calls it: `failed`, `unexpectedPass` or `blocked`.
    var status: RunStatus
    /// The script, and the line and column of the innermost step that failed.
    var place: SourceLocation
    /// The scenario's name, with its case.
    var title: String
    /// One line, the most important thing.
    var headline: String
    /// Everything that the console shows below the title, without colours, and the command that repeats it.
    var text: String

    /// The failures of a report in its order.
    ///
    /// - Parameter path: Names a file as the reader of the report finds it.
    static func all(in report: RunReport, path: (String) -> String = { $0 }) -> [RunFailure] {
        report.scenarios.filter { [.failed, .unexpectedPass, .blocked].contains($0.status) }.map { scenario in
            let text = FailureText(scenario, option: report.seedOption)
            var place =
                FailureText.innermostFailed(scenario.steps).first?.location ?? SourceLocation(file: scenario.file)
            place.file = path(place.file)
            return RunFailure(
                status: scenario.status, place: place,
                title: Shown.text(scenario.title), headline: text.headline, text: text.text)
        }
    }
}
