import HTTPMessages
import JSON
import ScenarioRunner

/// The requests of a run as HTTP Archive 1.2, which browsers' tools and proxies open.
///
/// A scenario is a page of the archive, a request an entry. Time is that of the scenario's own world. What the format
/// has no member for stands in members that begin with `_`, as it allows: `_step`, `_endpoint`, `_from`, `_client`,
/// `_policy`, `_number`, `_frame`, `_altered`, `_blocked`, `_refusal` (why the mock refused), `_tokens` (what is in the
/// tokens of the answer), and in requests `_fragment`, which the format takes out of URLs.
///
/// Sizes are -1 where a message has a body: what went over the wire is not what is in the archive once secrets are taken
/// out of it.
public enum HARReport {
    /// The archive as a text that ends in a line feed; equal runs give equal bytes.
    ///
    /// - Parameters:
    ///   - report: After redaction, with the logs of its scenarios.
    ///   - version: Of the program that writes it.
    public static func text(_ report: RunReport, version: String) -> String {
        JSONWriter.pretty(json(report, version: version)) + "\n"
    }

    /// The archive as a value.
    public static func json(_ report: RunReport, version: String) -> JSONValue {
        var pages: [JSONValue] = []
        var entries: [JSONValue] = []
        for (index, scenario) in report.scenarios.enumerated() where !scenario.log.isEmpty {
            let id = "page_\(index + 1)"
            pages.append([
                "startedDateTime": .string(HARText.instant(scenario.started.rfc3339)), "id": .string(id),
                "title": .string("\(scenario.file): \(scenario.title)"), "pageTimings": .object(JSONObject()),
                "_result": .string(scenario.status.rawValue),
            ])
            // Readers want the oldest first; call-outs of a server on the network are told of after the request that
            // made them.
            let ordered = scenario.log.enumerated().sorted {
                ($0.element["at"]?.stringValue ?? "", $0.offset) < ($1.element["at"]?.stringValue ?? "", $1.offset)
            }
            entries += ordered.map { HAREntryText(record: $0.element, page: id).json }
        }
        return [
            "log": [
                "version": "1.2", "creator": ["name": "b2c-harness", "version": .string(version)],
                "pages": .array(pages), "entries": .array(entries),
                "comment": .string("target: \(report.target), seed: \(report.seed)"),
            ]
        ]
    }
}
