import CommandKit
import JSON
import ModelContext
import Synchronization
import Testing

/// `scenario_run`.
struct ScenarioRunToolTests {
    @Test func `scenarios that pass are counted, with progress`() async throws {
        let calls = try AgentCalls("run-good")
        let path = try calls.script(to: "good.json")
        let progress = Mutex<[String]>([])
        let answer = try await calls.call(
            "scenario_run", ["path": .string(path)],
            ContextCall(progress: { done, total, text in
                progress.withLock { $0.append("\(done) of \(total ?? 0) \(text)") }
            }))
        #expect(answer.verdict == "1 of 1 scenario passed." && !answer.isError)
        #expect(answer.structured["counts"]?["passed"] == 1)
        #expect(answer.structured["scenarios"]?[0]?["name"] == "Ada signs in")
        #expect(progress.withLock { $0 } == ["1 of 1 passed: Ada signs in"])
    }

    @Test func `a scenario that fails is a verdict with the difference and its place, first in the list`() async throws
    {
        let calls = try AgentCalls("run-bad")
        _ = try calls.script(to: "good.json")
        let path = try calls.script("B2C_1_other", named: "Wrong policy", to: "wrong.json")
        let answer = try await calls.call("scenario_run", ["path": .string(calls.folder)])
        #expect(!answer.isError && answer.structured["result"] == "failed")
        #expect(answer.verdict == "1 of 2 scenarios passed. 1 did not: Wrong policy (failed at step in).")
        let step = answer.structured["scenarios"]?[0]?["failedSteps"]?[0]
        #expect(step?["id"] == "in" && step?["index"] == 0 && step?["verb"] == "acquireToken")
        #expect(step?["file"] == .string(path) && step?["line"] == 3)
        let difference = step?["differences"]?[0]
        #expect(difference?["pointer"] == "/result/idToken/claims/tfp")
        #expect(difference?["expected"] == "B2C_1_other" && difference?["actual"] == "B2C_1_susi")
        let link = try #require(answer.links.first)
        let whole = try JSONParser.parse(try #require(calls.catalog.read(link.uri)).text)
        #expect(whole["counts"]?["failed"] == 1)
        let text = calls.everything(answer)
        #expect(text.contains("acquireToken") && !text.contains(AgentCalls.password))
        // Of what begins like a token, `client_info` alone is in the whole report, and is not a secret.
        #expect(!text.contains(/eyJ[\w-]+\.[\w-]+/))
    }

    @Test(arguments: [
        ("broken.json", #"{ "name": "a", "steps": [ "#, "B2C-JSON-001"),
        ("verb.json", #"{ "name": "a", "tenant": "tenant.json", "steps": [ { "acquireTokn": {} } ] }"#, "acquireToken"),
        ("log.yaml", "steps:\n", "YAML"),
    ])
    func `a file that cannot be run is an error with findings`(
        _ name: String, _ text: String, _ expected: String
    ) async throws {
        let calls = try AgentCalls("run-\(name)")
        let path = try calls.save(text, to: name)
        let answer = try await calls.call("scenario_run", ["path": .string(path)])
        #expect(answer.isError && answer.verdict.hasPrefix("Nothing ran"))
        let finding = answer.structured["findings"]?[0]
        #expect(finding?["file"] == .string(path))
        #expect(JSONWriter.compact(answer.structured["findings"] ?? .null).contains(expected))
    }

    @Test func `what is not there, outside or real is refused`() async throws {
        let calls = try AgentCalls("run-refused")
        let path = try calls.script(to: "good.json")
        let live = try calls.save(#"{ "kind": "live", "tenant": "tenant.json" }"#, to: "live.json")
        let rows: [(JSONObject, String)] = [
            (["path": .string(path), "target": .string(live)], "b2c mcp --allow-live"),
            (["path": .string(path), "case": "never"], "Omit `case`"),
            (["path": "/etc/hostname"], "outside of the root"), (["path": "../x.json"], "outside of the root"),
            (["path": .string(path), "target": "/etc/hostname"], "outside of the root"),
        ]
        for (arguments, expected) in rows {
            let answer = try await calls.call("scenario_run", arguments)
            #expect(answer.isError && answer.verdict.contains(expected), "\(answer.verdict)")
        }
        let missing = try await calls.call("scenario_run", ["path": .string(path + ".x")])
        #expect(missing.isError && missing.structured["findings"]?[0]?["rule"] == "B2C-CLI-001")
    }

    @Test func `a script reads no file outside of the root`() async throws {
        let calls = try AgentCalls("run-outside")
        let outside = try #require(Machine.makeTemporaryFolder())
        defer { FileSystem.removeFolder(outside) }
        let tenant = FilePath.join(outside, "tenant.json")
        try FileSystem.write(try FileSystem.read(FilePath.join(calls.folder, "tenant.json")), to: tenant)
        let name = FilePath.relative(tenant, to: FilePath.absolute(calls.folder))
        let path = try calls.save(
            #"{ "name": "a", "tenant": "\#(name)", "app": "ios", "steps": [ { "restart": "app" } ] }"#, to: "a.json")
        let answer = try await calls.call("scenario_run", ["path": .string(path)])
        #expect(answer.isError && answer.structured["findings"]?[0]?["file"] == .string(path))
    }

    @Test func `a cancelled run ends without running the rest`() async throws {
        let calls = try AgentCalls("run-cancelled")
        let path = try calls.script(to: "good.json")
        let answer = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await calls.call("scenario_run", ["path": .string(path)])
        }.value
        #expect(answer.structured["counts"]?["notRun"] == 1 || answer.isError)
        #expect(answer.structured["counts"]?["passed"] != 1)
    }
}
