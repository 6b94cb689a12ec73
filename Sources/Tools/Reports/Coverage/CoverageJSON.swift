import JSON
import ScenarioRunner

/// Coverage as JSON: `{files: [{file, items: [{kind, id, line, hits, skipped, passed}]}], totals: {KIND: {covered, all}}}`.
public enum CoverageJSON {
    /// The report, ending in a line feed.
    public static func text(_ report: CoverageReport) -> String {
        var totals = JSONObject()
        for kind in CoverageReport.Kind.allCases {
            let items = report.items(kind)
            totals[kind.rawValue] = [
                "covered": .integer(Int64(items.count(where: \.isCovered))), "all": .integer(Int64(items.count)),
            ]
        }
        let files = report.files.map { file -> JSONValue in
            ["file": .string(file.path), "items": .array(file.items.map { .object(item($0)) })]
        }
        return JSONWriter.pretty(["totals": .object(totals), "files": .array(files)]) + "\n"
    }

    private static func item(_ item: CoverageReport.Item) -> JSONObject {
        var object: JSONObject = [
            "kind": .string(item.kind.rawValue), "id": .string(item.id), "line": .integer(Int64(item.line)),
            "hits": .integer(Int64(item.hits)),
        ]
        if let branches = item.branches {
            object["skipped"] = .integer(Int64(branches.skipped))
            object["passed"] = .integer(Int64(branches.passed))
        }
        return object
    }
}
