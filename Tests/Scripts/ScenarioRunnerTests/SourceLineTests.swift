import Diagnostics
import JSON
import Testing

@testable import ScenarioRunner

/// The lines of the script that a failed step is reported with.
struct SourceLineTests {
    private static func script(_ steps: String, _ more: String = "") -> String {
        """
        { "name": "x", "tenant": "tenants/contoso.json", "app": "ios",\(more)
          "steps": [
            { "acquireToken": {}, "user": "ada" },
            \(steps)
          ] }
        """
    }

    @Test(arguments: [
        // what the step is, what the caret is at
        (
            #"{ "acquireTokenSilent": {}, "expect": { "result": { "account": { "username": "bob" } } } }"#, #""bob""#
        ),
        // Of a value that is around the expected one, the place is where it begins.
        (#"{ "acquireTokenSilent": {}, "expect": { "error": { "kind": "server" } } }"#, "{"),
        (#"{ "acquireToken": { "prompt": "login" }, "user": [ { "press": "forgotPassword" } ] }"#, "{"),
    ])
    func `the caret is at the expectation that does not hold`(_ step: String, _ meant: String) async throws {
        let report = try await Running.run(Self.script(step))
        #expect(report.steps[0].source == nil)
        let failed = report.steps[1]
        #expect(failed.status == .failed)
        let source = try #require(failed.source)
        let line = source.lines[source.line - source.first]
        #expect(line.dropFirst(source.column - 1).prefix(source.length) == meant, "\(source)")
    }

    @Test func `the expectation of a case is its own`() async throws {
        let report = try await Running.run(
            Self.script(
                #"{ "acquireTokenSilent": {}, "expectIn": { "a": { "requests": 7 } }, "expect": { "requests": 0 } }"#,
                #" "cases": { "a": {} },"#))
        let source = try #require(report.steps[1].source)
        let line = source.lines[source.line - source.first]
        #expect(line.dropFirst(source.column - 1).prefix(source.length) == "7", "\(source)")
    }

    @Test func `a part keeps the lines`() async throws {
        let report = try await Running.run(
            Self.script(#"{ "acquireTokenSilent": {}, "expect": { "requests": 7 } }"#))
        let part = RunPart(
            tool: "1", index: 1, count: 1, suite: "s", total: 1, places: [0], times: [.zero], wall: .zero,
            report: RunReport(seed: 7, target: "in process", scenarios: [report]), hasTrace: false, coverage: nil)
        let read = try RunPart(Array(part.text.utf8), file: "a.part")
        let kept = try #require(read.report.scenarios.first?.steps[1].source)
        #expect(kept == report.steps[1].source)
    }

    @Test(arguments: [
        #"{"first":1,"lines":["a"],"line":2,"column":1,"length":1}"#,
        #"{"first":1,"lines":["a"],"line":1,"column":0,"length":1}"#,
        #"{"first":1,"lines":["a"],"line":1,"column":1,"length":9223372036854775807}"#,
        #"{"first":-9223372036854775808,"lines":["a"],"line":9223372036854775807,"column":1,"length":1}"#,
        "{}",
    ])
    func `numbers of a damaged part are not taken`(_ text: String) throws {
        #expect(SourceExcerpt(json: try #require(try JSONParser.parse(text).objectValue)) == nil)
    }
}
