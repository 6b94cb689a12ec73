import CommandKit
import Explanations
import JSON
import ModelContext
import Reports
import ScenarioRunner
import Scenarios
import Testing
import TrustFramework

/// `scenario_write`.
struct ScenarioWriteToolTests {
    @Test func `a capture becomes a scenario that runs, and is not written twice`() async throws {
        let calls = try AgentCalls("write-har")
        let path = try calls.script(to: "good.json")
        let read: @Sendable (String) -> [UInt8]? = { try? FileSystem.read($0) }
        let tenants = TenantLibrary(files: read, policies: PolicyShelf(files: .none))
        let scenario = try ScenarioReader.read(file: path, bytes: try FileSystem.read(path), tenants: tenants)
        var options = RunOptions(seed: 1, readFile: read)
        options.keepLog = true
        let report = await Runner.run(scenario, options: options)
        let capture = try calls.save(HARReport.text(report, version: "1"), to: "capture.har")
        let order: JSONObject = [
            "from": "har", "source": .string(capture), "folder": .string(calls.folder), "name": "imported",
        ]
        let answer = try await calls.call("scenario_write", order)
        let script = FilePath.join(calls.folder, "imported.json")
        #expect(!answer.isError && answer.structured["files"]?[0] == .string(script), "\(answer.verdict)")
        #expect(answer.structured["next"] == .string("scenario_run \(script)"))
        #expect(answer.structured["steps"]?[0] != nil && answer.structured["notCarriedOver"] != nil)
        #expect(!calls.everything(answer).contains(AgentCalls.password))
        let run = try await calls.call("scenario_run", ["path": .string(script)])
        #expect(run.verdict == "1 of 1 scenario passed.")
        let before = try FileSystem.read(script)
        let again = try await calls.call("scenario_write", order)
        #expect(again.isError && again.verdict.contains("exists. Choose another `name`"))
        #expect(try FileSystem.read(script) == before)
    }

    @Test(.enabled(if: ShippedScripts.home != nil))
    func `the scenario of a cause is copied, and files that exist stay`() async throws {
        let calls = try AgentCalls("write-explain")
        let order: JSONObject = ["from": "explain", "source": "B47", "folder": .string(calls.folder)]
        let answer = try await calls.call("scenario_write", order)
        let next = try #require(answer.structured["next"]?.stringValue, "\(answer.verdict)")
        let script = String(next.dropFirst("scenario_run ".count))
        #expect(answer.structured["files"]?.arrayValue?.contains(.string(script)) == true)
        #expect(try await calls.call("scenario_run", ["path": .string(script)]).structured["result"] == "passed")
        try FileSystem.write(Array("{}".utf8), to: script)
        let again = try await calls.call("scenario_write", order)
        #expect(again.structured["kept"]?.arrayValue?.contains(.string(script)) == true)
        #expect(try FileSystem.read(script) == Array("{}".utf8))
    }

    @Test func `what nothing can be made of is an error with the next step`() async throws {
        let calls = try AgentCalls("write-refused")
        let text = try calls.save("hello", to: "hello.har")
        let rows: [(JSONObject, String)] = [
            (["from": "har", "source": .string(text)], "findings"),
            (["from": "har", "source": "nowhere.har"], "There is no file nowhere.har"),
            (["from": "har", "source": "-"], "There is no file -"),
            (["from": "har", "source": .string(text), "folder": "../out"], "outside of the root"),
            (["from": "har", "source": .string(text), "name": "../../../../../out"], "outside of the root"),
            (["from": "log", "source": .string(text)], "A log needs `policies`"),
            (["from": "explain", "source": "B2C-POL-001"], "No shipped scenario plays this"),
        ]
        for (arguments, expected) in rows {
            let answer = try await calls.call("scenario_write", arguments)
            #expect(answer.isError && calls.everything(answer).contains(expected), "\(calls.everything(answer))")
        }
    }
}
