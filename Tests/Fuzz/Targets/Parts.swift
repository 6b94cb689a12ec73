import Determinism
import Diagnostics
import Exchanges
import JSON

@testable import ScenarioRunner

extension FuzzTarget {
    static let part = FuzzTarget(
        name: "part", meaning: "parts of runs that `b2c merge` puts together",
        longest: 4096,
        words: [
            "{\"b2cPart\":1,", "\"index\":1", "\"count\":1", "\"total\":1", "\"place\":0", "\"steps\":[",
            "\"mismatches\":[", "\"end\":1}",
            "\n", "\"coverage\":\"a.xml\"", "\"items\":[", "9223372036854775807", "-1", "\"hasCoverage\":true",
            "\"status\":\"passed\"",
        ],
        seeds: { [Array(sample.text.utf8), Array(empty.text.utf8)] },
        run: { bytes in
            let part: RunPart
            do throws(RunPart.Problem) {
                part = try RunPart(bytes, file: "fuzz.part")
            } catch {
                check(
                    error.description.hasPrefix("fuzz.part "), "a part that is refused is named: \(error.description)")
                return
            }
            let text = part.text
            do throws(RunPart.Problem) {
                let again = try RunPart(Array(text.utf8), file: "again.part")
                check(again.text == text, "a part that is written and read stays the same")
            } catch {
                check(false, "a part that is written can be read: \(error.description)")
            }
            do throws(RunPart.Problem) {
                let whole = try RunPart.merged([("a", part)])
                check(whole.report.scenarios.count == part.total, "a merged run has all scenarios")
            } catch {
                check(!error.description.isEmpty, "parts that cannot be merged have a reason")
            }
        })

    private static let start = Timestamp(seconds: 1_768_478_400)

    private static let empty = RunPart(
        tool: "1", index: 1, count: 2, suite: "s", total: 0, places: [], times: [], wall: .seconds(1),
        report: RunReport(seed: 1, target: "mock", scenarios: []), hasTrace: false, coverage: nil)

    private static let sample: RunPart = {
        let step = StepReport(
            id: "a", title: "Sign in", verb: "acquireToken",
            location: SourceLocation(file: "a.json", line: 1, column: 2),
            client: "ios", status: .failed,
            mismatches: [
                Mismatch(
                    pointer: JSONPointer(tokens: ["result", "a"]), wanted: 1, found: 2, text: "expected 1", record: 3,
                    isInapplicable: false)
            ],
            problems: ["x"], at: start, elapsed: .seconds(1), outcome: ["result": [:]], tellingExchanges: [[:]],
            steps: [], source: SourceExcerpt(first: 1, lines: ["{"], line: 1, column: 1, length: 1))
        let scenario = ScenarioReport(
            file: "a.json", name: "A", caseName: "c", tags: ["t"], status: .failed, reason: "r", steps: [step],
            started: start, elapsed: .seconds(1), exchanges: 2, log: [[:]])
        return RunPart(
            tool: "1", index: 1, count: 1, suite: "s", total: 1, places: [0], times: [.seconds(1)], wall: .seconds(1),
            report: RunReport(seed: 1, target: "mock", scenarios: [scenario]), hasTrace: true,
            coverage: CoverageReport(files: [
                CoverageReport.File(
                    path: "a.xml",
                    items: [
                        CoverageReport.Item(
                            kind: .step, id: "1", line: 3, hits: 4,
                            branches: CoverageReport.Branches(skipped: 1, passed: 2))
                    ])
            ]))
    }()
}
