import Foundation
import JSON
import TestSupport
import Testing

/// `b2c check --prove` and `b2c run --prove`, as a person sees them.
@Suite(.blocking) struct ProvingTests {
    /// A folder with the shipped tenants, their policies and one script.
    private func project(_ steps: String) throws -> Tool {
        let tool = try Tool()
        let shipped = TestFiles.root().appendingPathComponent("scenarios")
        try FileManager.default.createDirectory(
            at: tool.folder.appendingPathComponent("scenarios"), withIntermediateDirectories: true)
        for folder in ["tenants", "policies"] {
            try FileManager.default.copyItem(
                at: shipped.appendingPathComponent(folder),
                to: tool.folder.appendingPathComponent("scenarios/\(folder)"))
        }
        try tool.write(
            #"{"name":"one","tenant":"tenants/contoso.json","app":"ios","steps":[{"acquireToken":{},"user":"ada"}\#(steps)]}"#,
            to: "scenarios/one.json")
        return tool
    }

    private let vain = #",{"advanceClock":"PT1H"}"#

    @Test func `a line that no run notices is shown with its place`() throws {
        let tool = try project(vain)
        defer { tool.remove() }
        let loose = try tool.run("check", "--prove", "scenarios/one.json")
        #expect(loose.status == 0)
        #expect(loose.error.contains("scenarios/one.json:1:"), "\(loose.error)")
        #expect(loose.error.contains("[B2C-PRV-005]"), "\(loose.error)")
        let strict = try tool.run("check", "--strict", "--prove", "scenarios/one.json")
        #expect(strict.status == 2)
        #expect(try tool.run("check", "--strict", "--no-prove", "scenarios/one.json").status == 0)
    }

    @Test func `what is not tried counts when strict, unless there is a reason`() throws {
        func status(_ reason: String) throws -> Int32 {
            let tool = try project(
                #",{"acquireToken":{"prompt":"login"},"user":"ada","faults":[{"match":{"endpoint":"token"},"rate":0.001,"delay":"PT1S","optional":true}]\#(reason)}"#
            )
            defer { tool.remove() }
            let run = try tool.run("check", "--strict", "--prove", "scenarios/one.json")
            #expect(run.error.contains("B2C-PRV-012") == reason.isEmpty, "\(run.error)")
            return run.status
        }
        #expect(try status("") == 2)
        #expect(try status(#","proves":"the network is slow now and then""#) == 0)
    }

    @Test func `a script whose lines all matter passes`() throws {
        let tool = try project("")
        defer { tool.remove() }
        let checked = try tool.run("check", "--strict", "--prove", "scenarios/one.json")
        #expect(checked.status == 0, "\(checked.error)")
        #expect(checked.error.contains("0 unnoticed"), "\(checked.error)")
        #expect(try tool.run("run", "--prove", "scenarios/one.json").status == 0)
    }

    @Test func `the runs of a check have the seed that it is given`() throws {
        let tool = try project("")
        defer { tool.remove() }
        _ = try tool.run("run", "--seed", "5", "--trace-json", "trace.json", "scenarios/one.json")
        let trace = try JSONParser.parse(try tool.read("trace.json"))
        let id = trace["scenarios"]?[0]?["steps"]?[0]?["outcome", "result", "correlationId"]
        let drawn = try #require(id?.stringValue)
        try tool.write(
            try tool.read("scenarios/one.json").replacing(
                #""user":"ada""#,
                with: #""user":"ada","expect":{"result":{"correlationId":"\#(drawn)"}}"#),
            to: "scenarios/one.json")
        let others = "one fails before any change"
        let failed = try tool.run("check", "--prove", "scenarios/one.json")
        #expect(failed.status == 4 && failed.error.contains(others), "\(failed.error)")
        #expect(
            failed.error.contains("0 unnoticed, 1 scenario failed before any change") && failed.out == "",
            "\(failed.error)")
        let checked = try tool.run("check", "--prove", "--seed", "5", "scenarios/one.json")
        #expect(checked.status == 0 && !checked.error.contains(others), "\(checked.error)")
        let twin = try tool.run(["check", "--prove", "scenarios/one.json"], environment: ["B2C_SEED": "5"])
        #expect(!twin.error.contains(others), "\(twin.error)")
    }

    @Test func `a run fails after it passed when a line proves nothing`() throws {
        let tool = try project(vain)
        defer { tool.remove() }
        let run = try tool.run("run", "--prove", "scenarios/one.json", "--seed", "7")
        #expect(run.status == 4)
        #expect(run.error.contains("[B2C-PRV-005]"), "\(run.error)")
    }

    @Test(arguments: ["json", "sarif", "github", "junit"])
    func `findings go out in the formats of validate`(_ format: String) throws {
        let tool = try project(vain)
        defer { tool.remove() }
        let run = try tool.run(
            "check", "--prove", "--prove-format", format, "--prove-output", "found.txt", "scenarios/one.json")
        #expect(run.status == 0, "\(run.error)")
        let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("found.txt"))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("B2C-PRV-005") && text.contains("one.json"), "\(text)")
        if ["json", "sarif"].contains(format) { _ = try JSONParser.parse([UInt8](bytes)) }
    }

    @Test func `a remark about one file does not keep the others from being tried`() throws {
        let tool = try project(vain)
        defer { tool.remove() }
        try tool.write(
            #"{"name":"two","tenant":"tenants/contoso.json","app":"ios","configure":{"policies":{"susi":{"tokens":{"idToken":"PT20S"}}}},"steps":[{"acquireToken":{},"user":"ada"}]}"#,
            to: "scenarios/two.json")
        let run = try tool.run(
            "check", "--strict", "--prove", "--prove-format", "json", "--prove-output", "found.json",
            "scenarios/one.json", "scenarios/two.json")
        #expect(run.status == 2 && run.error.contains("B2C-CFG-011") && run.out == "", "\(run.error)")
        #expect(try tool.read("found.json").contains("B2C-PRV-005"))
        #expect(try tool.run("check", "--strict", "scenarios/two.json").status == 2)
    }

    @Test func `where more places are found than named, an option lists them`() throws {
        let tool = try project(String(repeating: vain, count: 5))
        defer { tool.remove() }
        let run = try tool.run("check", "--prove", "scenarios/one.json")
        #expect(run.error.contains("and 4 more places: "), "\(run.error)")
        #expect(run.error.contains("--prove-format github lists every place"), "\(run.error)")
    }

    @Test func `a rule is explained`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let shown = try tool.run("explain", "B2C-PRV-003")
        #expect(shown.status == 0)
        #expect(shown.out.contains("Without a setting"), "\(shown.out)")
    }
}
