import Diagnostics
import Exchanges
import Foundation
import JSON
import Scenarios
import TestSupport
import Testing
import Verbs

/// Scenarios that a program makes as values.
@Suite struct ScenarioDraftTests {
    /// The shipped scripts, by their paths.
    private static let shipped: [String] = {
        let root = TestFiles.root().appendingPathComponent("scenarios")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".json") }.map { "scenarios/\($0)" }.filter { path in
            (try? JSONParser.parse(TestFiles.bytes(path)))?["steps"] != nil
        }.sorted()
    }()

    @Test func `a step is written as it was read`() throws {
        #expect(Self.shipped.count > 80)
        for path in Self.shipped {
            let scenario = try ScenarioReader.read(
                file: path, bytes: TestFiles.bytes(path), tenants: ScenarioFiles.tenants)
            for (key, steps) in [("steps", scenario.steps), ("finally", scenario.finally)] {
                let written = JSONValue.array(steps.map { .object($0.json) })
                let read = withoutReasons(scenario.document.root[key] ?? [])
                #expect(written.sameValue(as: read), "\(path) \(key)")
            }
        }
    }

    /// Steps without what their author says about `--prove`, which plays no part in a run.
    private func withoutReasons(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(withoutReasons))
        case .object(let object):
            return .object(
                JSONObject(object.members.filter { $0.key != "proves" }.map { ($0.key, withoutReasons($0.value)) }))
        default: return value
        }
    }

    /// The text that a value has when a finding points into it is the one that is written to a file.
    @Test func `a value has the findings of its text`() throws {
        let root = try JSONParser.parse(TestFiles.bytes("scenarios/happy-sign-in.json"))
        var count = 0
        for (value, change) in ScenarioFiles.mutants(of: root) {
            let text = Array(JSONWriter.pretty(value).utf8)
            let expected = ScenarioFiles.findings("x.json", text)
            #expect(findings(JSONDocument(file: "scenarios/x.json", value: value)) == expected, "\(change)")
            if !expected.isEmpty { count += 1 }
        }
        #expect(count > 100)
    }

    private func findings(_ document: JSONDocument) -> String {
        do throws(InvalidInput) {
            _ = try ScenarioReader.read(document, tenants: ScenarioFiles.tenants)
            return ""
        } catch {
            return DiagnosticRenderer(color: false, sources: [document.source]).render(error.diagnostics)
        }
    }

    private var draft: ScenarioDraft {
        var draft = ScenarioDraft(name: "n", tenant: .file("tenants/contoso.json"), app: "ios")
        var call = AcquireToken()
        call.target.policy = "susi"
        var advance = AdvanceClock()
        advance.value = .hours(1)
        draft.steps = [
            Step(call, id: "one", user: [.press("signUp"), .person("nina")]),
            Step(advance, expect: ["result": ["now": "{{one/result/expiresOn}}"]]),
        ]
        return draft
    }

    @Test func `a draft is checked and runs as a file does, and its steps have no line`() throws {
        let scenario = try draft.scenario(file: "scenarios/draft.json", tenants: ScenarioFiles.tenants)
        let read = try ScenarioFiles.read("draft.json", bytes: Array(JSONWriter.pretty(.object(draft.json)).utf8))
        #expect(scenario.steps.map(\.json) == read.steps.map(\.json))
        #expect(scenario.steps.map(\.pointer) == read.steps.map(\.pointer))
        #expect(scenario.location(of: scenario.steps[1].pointer).description == "scenarios/draft.json")
        #expect(read.location(of: read.steps[1].pointer).line != nil)
    }

    @Test func `a draft that cannot run says where`() throws {
        var draft = draft
        draft.steps[0].user = ["nobody"]
        draft.clock = "noon"
        let error = #expect(throws: InvalidInput.self) {
            _ = try draft.scenario(file: "scenarios/draft.json", tenants: ScenarioFiles.tenants)
        }
        let pointers = error?.diagnostics.compactMap { $0.location?.pointer } ?? []
        #expect(pointers == ["/clock", "/steps/0/user/0"], "\(error.map { "\($0)" } ?? "")")
        #expect(error?.diagnostics.allSatisfy { $0.location?.line != nil } == true)
    }

    @Test func `the order of members is that of an import or of an exploration`() {
        var draft = draft
        draft.clock = "2025-01-01T00:00:00Z"
        draft.configure = [:]
        draft.faults = []
        draft.steps = [.wait(seconds: 86_400), .refresh(policy: "susi")]
        draft.steps[1].client = "ios"
        draft.steps[1].expect = [:]
        #expect(draft.json.keys == ["name", "tenant", "app", "clock", "configure", "steps", "faults"])
        #expect(draft.json["steps"]?[0] == ["advanceClock": "PT86400S"])
        #expect(draft.json["steps"]?[1]?.objectValue?.keys == ["client", "acquireTokenSilent", "expect"])
        draft.order = .explored
        #expect(draft.json.keys == ["name", "tenant", "app", "configure", "clock", "faults", "steps"])
        #expect(draft.json["steps"]?[1]?.objectValue?.keys == ["acquireTokenSilent", "expect", "client"])
    }

    @Test func `a tenant may be a value that no file holds`() throws {
        let tenant = try JSONParser.parse(TestFiles.bytes("scenarios/tenants/contoso.json"))
        let library = TenantLibrary(values: ["scenarios/tenants/contoso.json": tenant])
        let scenario = try draft.scenario(file: "scenarios/draft.json", tenants: library)
        #expect(scenario.tenant.tenant.name == "contoso" && scenario.tenant.folder == "scenarios/tenants")
        let none = #expect(throws: InvalidInput.self) {
            _ = try draft.scenario(file: "draft.json", tenants: library)
        }
        #expect(none?.diagnostics.first?.rule == ScenarioRule.noTenantFile.rawValue)
    }
}
