import Determinism
import HTTPMessages
import JSON
import ScenarioRunner

/// The requests of a run as HTTP Archive 1.2, which browsers' tools and proxies open.
///
/// A scenario is a page of the archive, a request an entry. What the format has no member for is in members that begin
/// with `_`, as it allows: `_step`, `_endpoint`, `_from`, `_client`, `_policy`, `_number`, `_frame`, `_altered`,
/// `_blocked`, `_refusal` (why the mock refused), `_tokens` (what is in the tokens of the answer), and in requests
/// `_fragment`, which the format takes out of URLs. `_resourceType` is a member that Chromium's tools write and read:
/// it distinguishes documents from what scripts ask for.
///
/// Time is that of the scenario's own world, made so that tools which sort by it show what happened: they know
/// milliseconds and no order below them, they mix pages whose times overlap, and what took no time counts as still
/// under way. So an entry begins at least a millisecond after the previous one, it takes at least one, and a page
/// begins after the previous one has ended. Where that moved an entry, `_at` has the world's own time.
///
/// Sizes are those of what is in the archive, written as HTTP/1.1: secrets that were taken out are not in them.
public enum HARReport {
    /// The archive as a text that ends in a line feed; equal runs give equal bytes.
    ///
    /// - Parameters:
    ///   - report: After redaction, with the logs of its scenarios.
    ///   - version: Of the program that writes it.
    public static func text(_ report: RunReport, version: String) -> String {
        JSONStream.text { write(report, version: version, to: &$0) }
    }

    /// Writes the archive, one request after the other.
    public static func write(_ report: RunReport, version: String, to stream: inout JSONStream) {
        let pages = pages(of: report)
        stream.object { stream in
            stream.key("log")
            stream.object { stream in
                stream.member("version", "1.2")
                stream.member("creator", ["name": "b2c-harness", "version": .string(version)])
                stream.key("pages")
                stream.array { stream in
                    for page in pages { stream.element(page.json(report.scenarios[page.index])) }
                }
                stream.key("entries")
                stream.array { stream in
                    for page in pages {
                        for entry in page.entries {
                            let text = HAREntryText(
                                record: report.scenarios[page.index].log[entry.index], page: page.id)
                            stream.element(text.json(began: entry.began))
                        }
                    }
                }
                stream.member(
                    "comment",
                    .string("target: \(report.target), seed: \(report.seed)\(report.drawsOrder ? ", drawn order" : "")")
                )
            }
        }
    }

    /// One scenario in the archive's time.
    private struct ScenarioPage {
        /// Of the scenario.
        let index: Int
        let start: Timestamp
        /// In the order of the archive: the index in the scenario's log, and when it begins.
        var entries: [(index: Int, began: Timestamp)] = []

        var id: String { "page_\(index + 1)" }

        func json(_ scenario: ScenarioReport) -> JSONValue {
            [
                "startedDateTime": .string(HARText.instant(start.rfc3339)), "id": .string(id),
                "title": .string("\(scenario.file): \(scenario.title)"), "pageTimings": .object(JSONObject()),
                "_result": .string(scenario.status.rawValue),
            ]
        }
    }

    private static func pages(of report: RunReport) -> [ScenarioPage] {
        var pages: [ScenarioPage] = []
        var clock: Timestamp?
        for (index, scenario) in report.scenarios.enumerated() where !scenario.log.isEmpty {
            // A page comes after the previous one, whatever time it is in its world.
            let start = clock.map { max($0 + .seconds(1), scenario.started) } ?? scenario.started
            var page = ScenarioPage(index: index, start: start)
            // Readers want the oldest first; call-outs of a server on the network are reported after the request that
            // made them.
            let times = scenario.log.map { record in
                let text = HAREntryText(record: record, page: page.id)
                return (at: text.at, time: text.time)
            }
            let ordered = times.enumerated().sorted {
                ($0.element.at ?? scenario.started, $0.offset) < ($1.element.at ?? scenario.started, $1.offset)
            }
            var next = start
            for (index, times) in ordered {
                let began = max(next, times.at.map { $0 + (start - scenario.started) } ?? next)
                next = began + .milliseconds(1)
                let ended = began + .milliseconds(times.time)
                clock = max(clock ?? ended, ended)
                page.entries.append((index, began))
            }
            pages.append(page)
        }
        return pages
    }
}
