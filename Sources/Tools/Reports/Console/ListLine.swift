import JSON
import ScenarioRunner
import Scenarios

/// A line of `b2c run --list`.
public enum ListLine {
    /// File, title, tags, and why it would not run.
    public static func text(_ variant: ScenarioVariant, style: Style) -> String {
        let scenario = variant.scenario
        let caseName = variant.caseName.map { " [\(Shown.text($0))]" } ?? ""
        let tags =
            scenario.tags.isEmpty
            ? "" : "  " + style.cyan(scenario.tags.map { "#\(Shown.text($0))" }.joined(separator: " "))
        let skip = variant.skip.map { style.yellow("  skipped: \(Shown.text($0))") } ?? ""
        return "\(style.dim(Shown.text(scenario.file) + ":")) \(Shown.text(scenario.name))\(caseName)\(tags)\(skip)"
    }

    /// The same for programs.
    public static func json(_ variant: ScenarioVariant) -> JSONValue {
        let scenario = variant.scenario
        var object: JSONObject = [
            "file": .string(scenario.file), "name": .string(scenario.name),
            "title": .string(ScenarioReport.title(scenario.name, variant.caseName)),
            "tags": .array(scenario.tags.map { .string($0) }),
        ]
        object["case"] = variant.caseName.map { .string($0) }
        object["skip"] = variant.skip.map { .string($0) }
        return .object(object)
    }
}
