import Determinism
import HTTPMessages
import JSON
import ScenarioRunner

/// The requests of a run as HTTP Archive 1.2, which browsers' tools and proxies open.
///
/// A scenario is a page of the archive, a request an entry. What the format has no member for is in members that
/// begin with `_`, as it allows: `_step`, `_endpoint`, `_from`, `_client`, `_policy`, `_number`, `_frame`, `_altered`,
/// `_blocked`, `_refusal` (why the mock refused), `_tokens` (what is in the tokens of the answer), and in requests
/// `_fragment`, which the format takes out of URLs. `_resourceType` is a member that Chromium's tools write and read:
/// they tell documents from what scripts ask for by it.
///
/// Time is that of the scenario's own world, made so that tools which sort by it show what happened: they know
/// milliseconds and no order below them, they mix pages whose times overlap, and what took no time counts as still under
/// way. So an entry begins at least a millisecond after the one before, it takes at least one, and a page begins after
/// the one before has ended. Where that moved an entry, `_at` has the world's own time.
///
/// Sizes are those of what is in the archive, written as HTTP/1.1: secrets that were taken out are not in them.
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
        var clock: Timestamp?
        for (index, scenario) in report.scenarios.enumerated() where !scenario.log.isEmpty {
            let id = "page_\(index + 1)"
            // A page comes after the one before, whatever time it is in its world.
            let start = clock.map { max($0 + .seconds(1), scenario.started) } ?? scenario.started
            pages.append([
                "startedDateTime": .string(HARText.instant(start.rfc3339)), "id": .string(id),
                "title": .string("\(scenario.file): \(scenario.title)"), "pageTimings": .object(JSONObject()),
                "_result": .string(scenario.status.rawValue),
            ])
            // Readers want the oldest first; call-outs of a server on the network are reported after the request that
            // made them.
            let texts = scenario.log.map { HAREntryText(record: $0, page: id) }
            let ordered = texts.enumerated().sorted {
                ($0.element.at ?? scenario.started, $0.offset) < ($1.element.at ?? scenario.started, $1.offset)
            }
            var next = start
            for text in ordered.map(\.element) {
                let began = max(next, text.at.map { $0 + (start - scenario.started) } ?? next)
                next = began + .milliseconds(1)
                let ended = began + .milliseconds(text.time)
                clock = max(clock ?? ended, ended)
                entries.append(text.json(began: began))
            }
        }
        return [
            "log": [
                "version": "1.2", "creator": ["name": "b2c-harness", "version": .string(version)],
                "pages": .array(pages), "entries": .array(entries),
                "comment": .string(
                    "target: \(report.target), seed: \(report.seed)\(report.drawsOrder ? ", drawn order" : "")"),
            ]
        ]
    }
}
