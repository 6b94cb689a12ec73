import AgentTools
import Determinism
import JSON
import ModelContext
import TestSupport
import Testing

/// What `b2c mcp` offers: tools with true schemas, documents, rules, prompts.
@Suite struct AgentCatalogTests {
    private struct StillClock: WallClock {
        func now() -> Timestamp { Timestamp(seconds: 1_798_761_600) }
    }

    /// The catalog for this repository, which is the current folder of tests.
    private static let catalog = AgentCatalog.catalog(
        AgentWorkspace(root: TestFiles.root().path, allowsLive: false), clock: StillClock())

    private static let names = [
        "policy_check", "policy_show", "policy_trace", "policy_explore", "policy_diff", "scenario_run",
        "scenario_write", "explain", "token_read", "rule",
    ]

    @Test func `ten tools have short descriptions without options, and schemas of objects`() {
        #expect(Self.catalog.tools.map(\.name) == Self.names)
        for tool in Self.catalog.tools {
            #expect(tool.description.split(separator: "\n").count <= 4, "\(tool.name)")
            #expect(!tool.description.contains("--"), "\(tool.name)")
            #expect(tool.input["type"] == "object" && tool.input["additionalProperties"] == false, "\(tool.name)")
            #expect(tool.output["type"] == "object", "\(tool.name)")
            #expect(tool.annotations.isReadOnly || tool.name.hasPrefix("scenario_"), "\(tool.name)")
            #expect(!tool.annotations.isDestructive, "\(tool.name)")
        }
        let sentences = AgentCatalog.instructions.split(separator: ".").filter { $0.contains(" ") }
        #expect((3...8).contains(sentences.count))
    }

    /// Calls of the tools that read.
    private static let calls: [(tool: String, arguments: JSONObject)] = [
        ("policy_check", ["folder": "scenarios/policies"]),
        ("policy_show", ["folder": "scenarios/policies"]),
        ("policy_show", ["folder": "scenarios/policies", "policy": "B2C_1A_NoSession"]),
        ("policy_trace", ["folder": "scenarios/policies", "policy": "B2C_1A_NoSession"]),
        ("policy_explore", ["folder": "scenarios/policies", "policy": "B2C_1A_NoSession", "depth": 4, "seconds": 20]),
        (
            "policy_diff",
            ["before": "scenarios/policies", "after": "scenarios/policies", "policy": "B2C_1A_NoSession"]
        ),
        ("scenario_run", ["path": "scenarios/happy-sign-in.json"]),
        ("explain", ["text": "AADB2C90118"]),
        ("token_read", ["token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."]),
        ("rule", ["id": "B2C-EXP-037"]),
        // Errors fit the schema, too.
        ("policy_check", ["folder": "../outside"]),
        ("policy_trace", ["folder": "scenarios/policies", "policy": "B2C_1A_Nowhere"]),
        ("rule", ["id": "B2C-NONE-001"]),
    ]

    @Test(.timeLimit(.minutes(5))) func `an answer fits the schema that its tool states`() async throws {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let server = ContextServer(
            name: "b2c", title: "b2c", version: "1", instructions: AgentCatalog.instructions, catalog: Self.catalog
        ) { sink.yield($0) }
        let client: JSONValue = ["name": "test", "version": "1"]
        server.receive(
            Self.message(
                0, "initialize", ["protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": client]))
        for (id, call) in Self.calls.enumerated() {
            server.receive(
                Self.message(id + 1, "tools/call", ["name": .string(call.tool), "arguments": .object(call.arguments)]))
        }
        var waiting = Set(1...Self.calls.count)
        for await line in lines {
            let answer = try JSONParser.parse(line)
            guard case .integer(let id)? = answer["id"], waiting.remove(Int(id)) != nil else { continue }
            let call = Self.calls[Int(id) - 1]
            let structured = try #require(answer["result", "structuredContent"], "\(call.tool): \(line)")
            let tool = try #require(Self.catalog.tools.first { $0.name == call.tool })
            #expect(ContextSchema.problems(of: structured, in: tool.output) == [], "\(call.tool): \(line)")
            #expect(structured["verdict"]?.stringValue?.isEmpty == false, "\(call.tool): \(line)")
            #expect(JSONWriter.compact(structured).utf8.count <= 16_000, "\(call.tool)")
            if waiting.isEmpty { break }
        }
        await server.finish()
    }

    private static func message(_ id: Int, _ method: String, _ params: JSONValue) -> [UInt8] {
        let message: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(Int64(id)), "method": .string(method), "params": params,
        ]
        return JSONWriter.compactBytes(message)
    }

    @Test func `documents are those of the repository`() throws {
        let resources = Self.catalog.resources()
        #expect(resources.count >= 10)
        for resource in resources where resource.uri.hasPrefix("b2c://docs/") {
            let contents = try #require(Self.catalog.read(resource.uri))
            let file = try TestFiles.bytes("docs/\(resource.name).md")
            #expect(Array(contents.text.utf8) == file && resource.size == file.count, "\(resource.uri)")
            #expect(contents.mimeType == "text/markdown" && contents.uri == resource.uri)
        }
        for unknown in ["b2c://docs/nothing", "b2c://rules/B2C-NONE-1", "b2c://report/99", "file:///etc/passwd", ""] {
            #expect(Self.catalog.read(unknown) == nil, "\(unknown)")
        }
    }

    @Test(arguments: ["B2C-EXP-037", "b2c-pol-001", "B2C-SCN-020"]) func `a rule can be read`(_ id: String) throws {
        let contents = try #require(Self.catalog.read("b2c://rules/\(id)"))
        #expect(contents.text.hasPrefix("# \(id.uppercased())") && contents.text.contains("**demands**: "))
    }

    @Test func `names of pages and rules are completed`() {
        let complete = Self.catalog.complete
        #expect(complete("b2c://docs/{page}", "page", "Sce") == ["scenario-files", "scenario-checks"])
        #expect(complete("b2c://rules/{id}", "id", "b2c-exp-03").count == 10)
        #expect(complete("b2c://rules/{id}", "id", "").count == 100)
        #expect(complete("b2c://nothing/{id}", "id", "").isEmpty)
    }

    @Test func `prompts name the tools in order, take what is given, and are short`() throws {
        #expect(
            Self.catalog.prompts.map(\.name) == ["find_sign_in_failure", "review_policy_change", "write_scenario"])
        for prompt in Self.catalog.prompts {
            let text = prompt.text([:])
            #expect((8...16).contains(text.split(separator: "\n").count), "\(text)")
            let named = text.matches(of: /\b[a-z]+_[a-z]+\b/).map { String($0.0) }
            #expect(named.count > 2 && named.allSatisfy { Self.names.contains($0) }, "\(named)")
            for argument in prompt.arguments {
                #expect(prompt.text([argument.name: "VALUE-\(argument.name)"]).contains("VALUE-\(argument.name)"))
            }
        }
    }
}
