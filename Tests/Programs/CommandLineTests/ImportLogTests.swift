import Foundation
import JSON
import TestSupport
import Testing

/// `b2c import har --log`: a HAR file and a log of the journey recorder of the same sign-ins. A server records both.
@Suite(.blocking) struct ImportLogTests {
    private static let root = TestFiles.root().path
    private static let policies = "\(root)/scenarios/policies"

    /// Nina signs up, the service refuses once, and she signs in ten minutes later.
    private static let script = """
        { "name": "Nina signs up", "tenant": "\(root)/scenarios/tenants/contoso.json", "app": "ios",
          "configure": {
            "users": { "nina": { "displayName": "Nina Grace Newcomer" } },
            "rest": { "tier": { "match": { "url": "https://loyalty.contoso.test/tier" }, "reply": [
              { "status": 409, "json": { "version": "1.0.0", "status": 409, "userMessage": "Not now, Nina." } },
              { "status": 200, "json": { "tier": "Platinum-77310" } } ] } } },
          "steps": [
            { "id": "up", "acquireToken": { "policy": "loyalty" }, "user": [{ "press": "signUp" }, "nina"],
              "expect": { "pending": {} } },
            { "resume": "up", "user": "nina" },
            { "advanceClock": "PT10M" },
            { "restart": { "what": "browser", "wipe": ["cookies"] } },
            { "acquireToken": { "policy": "loyalty", "prompt": "login" }, "user": "nina" } ] }
        """

    /// Values of people that may be in nothing that is written or shown.
    private static let personal = [
        "Nina", "Grace", "Newcomer", "nina@example.test", "Newcomer-2026", "Platinum-77310", "ada@example.test",
        "Analytical-1843", "\"Ada\"",
    ]

    /// A folder with `flow.har` and `log.jsonl` of a script's run.
    private func recorded(_ script: String) throws -> Tool {
        let tool = try Tool()
        try tool.write(script, to: "script.json")
        try record("script.json", with: tool)
        return tool
    }

    private func record(_ path: String, with tool: Tool, tenant: String? = nil) throws {
        let command = try #require(Tool.path)
        let run = try tool.run(
            ["exec"] + (tenant.map { ["--tenant", $0] } ?? []) + [
                "--", "sh", "-c", "exec \"$0\" run \"$1\" --seed 5 --target \"$B2C_URL\" --trace-har flow.har", command,
                path,
            ], environment: ["B2C_JOURNEY_RECORDER": "log.jsonl"])
        #expect(run.status == 0, "\(run.out)\(run.error)")
    }

    private static func expectNothingPersonal(_ text: String) {
        for value in personal { #expect(!text.contains(value), "\(value) is in\n\(text)") }
    }

    @Test(.enabled(if: Tool.hasServer))
    func `the log gives answers of services and the policy's steps`() throws {
        let tool = try recorded(Self.script)
        defer { tool.remove() }
        let made = try tool.run(
            "import", "har", "flow.har", "--log", "log.jsonl", "--policies", Self.policies, "--output", "made",
            "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let (tenant, scenario) = (try tool.read("made/tenants/flow.json"), try tool.read("made/flow.json"))
        Self.expectNothingPersonal(tenant + scenario + made.out + made.error)
        #expect(made.out.contains(", by its correlation id; "), "\(made.out)")
        #expect(!made.out.contains("The capture and the log differ"), "\(made.out)")
        let written = try JSONParser.parse(tenant)
        #expect(written["policies", "loyalty", "type"] == "custom")
        let replies = written["rest", "REST-Tier", "reply"]?.arrayValue ?? []
        #expect(replies.map { $0["status"] } == [409, 200], "\(tenant)")
        #expect(written["rest", "REST-Tier", "match", "url"] == "https://loyalty.contoso.test/tier")
        let steps = try JSONParser.parse(scenario)["steps"]?.arrayValue ?? []
        let first = try #require(steps.first)
        // The service refuses by itself.
        #expect(first["faults"] == nil, "\(scenario)")
        let trace = first["expect", "trace"]?.arrayValue ?? []
        let services = trace.filter { $0["profile"] == "REST-Tier" }
        #expect(services.map { $0["error"] != nil } == [true, false], "\(scenario)")
        // The token of the mock and that of the log have the same claim.
        #expect(trace.contains { $0["claims", "tier"]?.stringValue == replies.last?["json", "tier"]?.stringValue })
        #expect(first["description"]?.stringValue?.hasPrefix("Steps in the log: 1 ran (") == true)
        #expect(
            steps.last?["description"]?.stringValue?.contains("2 skipped (objectId exists)") == true)
        for command in [
            ["check", "made"], ["run", "made/flow.json", "--seed", "1"], ["run", "made/flow.json", "--seed", "2"],
        ] {
            let run = try tool.run(command)
            #expect(run.status == 0, "\(run.out)\(run.error)")
        }
    }

    @Test(.enabled(if: Tool.hasServer))
    func `without the policies a user flow runs, and the stubs are there`() throws {
        let tool = try recorded(Self.script)
        defer { tool.remove() }
        let made = try tool.run("import", "har", "flow.har", "--log", "log.jsonl", "--output", "made", "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let (tenant, scenario) = (try tool.read("made/tenants/flow.json"), try tool.read("made/flow.json"))
        Self.expectNothingPersonal(tenant + scenario + made.out + made.error)
        #expect(tenant.contains("\"REST-Tier\"") && tenant.contains("\"signUpOrSignIn\""))
        #expect(scenario.contains("Steps in the log: ") && !scenario.contains("\"trace\""))
        let run = try tool.run("run", "made/flow.json")
        #expect(run.status == 0, "\(run.out)\(run.error)")
    }

    /// Shipped scripts of custom policies, with words that only the log can have put there.
    static let shipped: [(path: String, words: [String])] = [
        ("custom-policies/extension-attributes", ["\"trace\""]),
        ("custom-policies/provider-oidc", ["\"trace\"", "\"profile\": "]),
        ("custom-policies/rest-basic", ["\"rest\"", "\"trace\""]),
        ("custom-policies/preconditions", ["\"ran\": false"]),
        ("custom-policies/sub-journey-call", ["\"journey\": "]),
    ]

    @Test(.enabled(if: Tool.hasServer), arguments: shipped)
    func `what is made of a shipped script passes`(_ flow: (path: String, words: [String])) throws {
        let tool = try Tool()
        defer { tool.remove() }
        try record("\(Self.root)/scenarios/\(flow.path).json", with: tool)
        let made = try tool.run(
            "import", "har", "flow.har", "--log", "log.jsonl", "--policies", Self.policies, "--output", "made",
            "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let texts = try tool.read("made/tenants/flow.json") + tool.read("made/flow.json")
        for word in flow.words { #expect(texts.contains(word), "\(word) is not in\n\(texts)") }
        Self.expectNothingPersonal(texts)
        for command in [["check", "made"], ["run", "made/flow.json", "--seed", "6"]] {
            let run = try tool.run(command)
            #expect(run.status == 0, "\(made.out)\(run.out)\(run.error)\n\(texts)")
        }
    }

    /// What a service does wrong in a step, and what the files have of it: a status of its stub, or a word of a fault.
    static let failures: [(fault: String, status: JSONValue?, network: JSONValue?)] = [
        (#""respond": { "status": 503 }"#, 503, nil), (#""respond": { "status": 404 }"#, 404, nil),
        (#""network": "timeout""#, nil, "timeout"), (#""network": "dns""#, nil, "dns"),
        (#""network": "refused""#, nil, "refused"),
    ]

    @Test(.enabled(if: Tool.hasServer), arguments: failures)
    func `a service fails in the script as it failed in the log`(
        _ row: (fault: String, status: JSONValue?, network: JSONValue?)
    ) throws {
        let tool = try Tool()
        defer { tool.remove() }
        let samples = "\(Self.root)/scenarios/tenants/samples.json"
        try tool.write(
            """
            { "name": "A failing service", "tenant": "\(samples)", "app": "ios",
              "configure": { "rest": { "tier": { "match": { "host": "loyalty.contoso.test" }, "reply": {} } } },
              "steps": [{ "acquireToken": { "policy": "restInUrl" }, "user": "ada",
                "faults": [{ "match": { "endpoint": "rest" }, \(row.fault) }], "expect": { "error": {} } }] }
            """, to: "script.json")
        try record("script.json", with: tool, tenant: samples)
        let made = try tool.run(
            "import", "har", "flow.har", "--log", "log.jsonl", "--policies", Self.policies, "--output", "made",
            "--name", "flow")
        #expect(made.status == 0, "\(made.out)\(made.error)")
        let tenant = try JSONParser.parse(try tool.read("made/tenants/flow.json"))
        let scenario = try JSONParser.parse(try tool.read("made/flow.json"))
        let replies = tenant["rest", "REST-Tier", "reply"]?.arrayValue?.map { $0["status"] } ?? []
        #expect(replies == (row.status.map { [$0] } ?? []))
        #expect(scenario["steps"]?.arrayValue?.first?["faults"]?.arrayValue?.first?["network"] == row.network)
        for command in [["check", "made"], ["run", "made/flow.json", "--seed", "6"]] {
            let run = try tool.run(command)
            #expect(run.status == 0, "\(run.out)\(run.error)")
        }
    }

    // MARK: Matches and differences

    /// Changes of a log, with what is said about it.
    static let mismatches: [(change: String, status: Int32, said: String)] = [
        ("other ids", 0, "by policy and time, because the log has none of the correlation ids of the capture"),
        ("other ids, twice", 2, "2 sessions of b2c_1a_loyalty began while it ran ("),
        ("other tenant", 2, "the log is of fabrikam.onmicrosoft.com, and the sign-in went to contoso.onmicrosoft.com"),
        ("other policy", 2, "the log has no session of b2c_1a_loyalty; it has sessions of B2C_1A_other"),
        ("other time", 2, "; the nearest began at 2026-01-16T"),
        ("without the end", 0, "the app got its answer, and the log ends at step 2: rows of the end are missing."),
        ("not a log", 2, "log.jsonl:1:1: error: "),
    ]

    @Test(.enabled(if: Tool.hasServer))
    func `a log that does not fit is said with the reason and the remedy`() throws {
        let tool = try recorded(Self.script)
        defer { tool.remove() }
        let log = try tool.read("log.jsonl")
        let rows = try log.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        // The first of the two sessions alone: a match of it decides.
        let id = try #require(rows[0]["customDimensions", "CorrelationId"]?.stringValue)
        let first = log.split(separator: "\n").filter { $0.contains(id) }.joined(separator: "\n")
        let other = first.replacing(id, with: "00000000-0000-4000-8000-0000000000aa")
        for (change, status, said) in Self.mismatches {
            let changed =
                switch change {
                case "other ids": other
                case "other ids, twice":
                    other + "\n" + first.replacing(id, with: "00000000-0000-4000-8000-0000000000bb")
                case "other tenant": other.replacing("contoso.onmicrosoft.com", with: "fabrikam.onmicrosoft.com")
                case "other policy": other.replacing("B2C_1A_loyalty", with: "B2C_1A_other")
                case "other time": other.replacing("2026-01-15T", with: "2026-01-16T")
                case "without the end": first.split(separator: "\n").dropLast().joined(separator: "\n")
                default: "<html></html>"
                }
            try tool.write(changed, to: "log.jsonl")
            let made = try tool.run(
                "import", "har", "flow.har", "--log", "log.jsonl", "--output", "made", "--name", "flow", "--force")
            #expect(made.status == status, "\(change): \(made.out)\(made.error)")
            #expect((made.out + made.error).contains(said), "\(change): \(made.out)\(made.error)")
        }
    }

    @Test(.enabled(if: Tool.hasServer))
    func `what only one of the two shows is reported`() throws {
        let tool = try recorded(Self.script)
        defer { tool.remove() }
        let archive = try JSONParser.parse(try tool.read("flow.har"))
        let entries = archive["log", "entries"]?.arrayValue ?? []
        func written(_ kept: [JSONValue]) throws -> Tool.Outcome {
            try tool.write(
                JSONWriter.compact(archive.merging(patch: ["log": ["entries": .array(kept)]])), to: "part.har")
            return try tool.run(
                "import", "har", "part.har", "--log", "log.jsonl", "--output", "made", "--name", "flow", "--force")
        }
        // The capture ends at the page.
        let posts = entries.indices.filter { entries[$0]["request", "method"] == "POST" }
        let cut = try written(Array(entries[..<posts[0]]))
        #expect(cut.status == 0, "\(cut.error)")
        #expect(
            cut.out.contains(
                "the capture ends before the sign-in does: the log goes on to step 3 and ends with a token"))
        // The capture shows an error that the log does not have.
        let answer = try #require(entries.firstIndex { $0["response", "status"] == 302 })
        let headers = (entries[answer]["response", "headers"]?.arrayValue ?? []).map { field -> JSONValue in
            guard field["name"]?.stringValue?.lowercased() == "location", let text = field["value"]?.stringValue else {
                return field
            }
            let target =
                text.split(separator: "?")[0]
                + "?error=server_error&error_description=AADB2C90037%3A+An+error+occurred."
            return field.merging(patch: ["value": .string(String(target))])
        }
        var failed = Array(entries[...answer])
        failed[answer] = failed[answer].merging(patch: ["response": ["headers": .array(headers), "redirectURL": ""]])
        let error = try written(failed)
        #expect(error.status == 0, "\(error.error)")
        #expect(error.out.contains("the capture shows the error AADB2C90037, and the log has none"), "\(error.out)")
        // Nothing of it is a sign-in.
        let none = try written(
            entries.filter { $0["request", "url"]?.stringValue?.contains("openid-configuration") == true })
        #expect(none.status == 2, "\(none.out)")
        #expect(none.error.contains("no authorization request, token request"), "\(none.error)")
    }

    @Test func `options that do not go together are refused`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let run = try tool.run("import", "har", "flow.har", "--base", "policies")
        #expect(run.status == 1)
        #expect(run.error.contains("--base goes with --policies FOLDER"))
    }
}
