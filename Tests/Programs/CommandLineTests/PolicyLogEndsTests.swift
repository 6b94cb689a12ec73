import Foundation
import JSON
import TestSupport
import Testing

/// `b2c policy log --write` for every way in which a session ends: the scenario passes and ends as the log does.
///
/// The logs are those that a server writes of the same sign-ins.
@Suite(.blocking) struct PolicyLogEndsTests {
    /// A sign-in that a script plays at the server.
    private struct End {
        var name: String
        var policy = "loyalty"
        var user: JSONValue
        var faults: JSONValue = []
        /// The end in the list of sessions.
        var word: String
        /// A member of the written expectation, and a text that it contains.
        var expected: (member: String, text: String)
    }

    private static func answer(_ status: Int64, _ body: JSONValue = .null) -> JSONValue {
        var respond: JSONObject = ["status": .integer(status)]
        if body != .null { respond["json"] = body }
        return [["match": ["endpoint": "rest"], "respond": .object(respond)]]
    }

    private static func network(_ word: String) -> JSONValue {
        [["match": ["endpoint": "rest"], "network": .string(word)]]
    }

    private static let signUp: JSONValue = [["press": "signUp"], "nina"]
    private static let providerError: JSONValue = [
        [
            "match": ["endpoint": "page", "path": ["$endsWith": "/oauth2/authresp"]],
            "request": [
                "form": ["code": .null, "error": "invalid_request", "error_description": "prompt is invalid."]
            ],
        ]
    ]

    private static let ends: [End] = [
        End(
            name: "a message of a service on a page", user: signUp,
            faults: answer(409, ["version": "1.0.0", "status": 409, "userMessage": "This card is not known."]),
            word: "waiting", expected: ("pending", "This card is not known.")),
        End(
            name: "a failing service on a page", user: signUp, faults: answer(500), word: "waiting",
            expected: ("pending", "Unable to process your request right now")),
        End(
            name: "a service without an answer on a page", user: signUp, faults: network("timeout"), word: "waiting",
            expected: ("pending", "Unable to process your request right now")),
        End(
            name: "a message of a service in a step", policy: "restInUrl", user: ["ada"],
            faults: answer(409, ["version": "1.0.0", "status": 409, "userMessage": "This card is not known."]),
            word: "error", expected: ("error", "This")),
        End(
            name: "a failing service in a step", policy: "restInUrl", user: ["ada"], faults: answer(500), word: "error",
            expected: ("error", "AADB2C90075")),
        End(
            name: "a service without an answer in a step", policy: "restInUrl", user: ["ada"],
            faults: network("timeout"), word: "error", expected: ("error", "AADB2C90075")),
        End(
            name: "a service without an address", policy: "restInUrl", user: ["ada"], faults: network("dns"),
            word: "error", expected: ("error", "AADB2C90075")),
        End(
            name: "an exception of a claims exchange", policy: "restInUrl", user: ["ada"],
            faults: [["match": ["endpoint": "rest"], "respond": ["status": 200, "body": "<html>"]]], word: "error",
            expected: ("error", "AADB2C90037")),
        End(
            name: "an error of a provider", policy: "providerOidc", user: [["press": "WorkExchange"], "sam"],
            faults: providerError, word: "error", expected: ("error", "AADB2C90273")),
        End(
            name: "a refusal at a provider", policy: "providerOidc",
            user: [["press": "WorkExchange"], ["on": "provider", "press": "deny"]], word: "error",
            expected: ("error", "AADB2C90273")),
        End(name: "the first page open", user: [], word: "waiting", expected: ("pending", "signIn")),
        End(name: "a later page open", user: [["press": "signUp"]], word: "waiting", expected: ("pending", "signUp")),
        End(
            name: "a provider's page open", policy: "providerOidc", user: [["press": "WorkExchange"]], word: "waiting",
            expected: ("pending", "provider")),
        End(
            name: "cancelled", user: [["press": "signUp"], ["press": "cancel"]], word: "error",
            expected: ("error", "AADB2C90091")),
        End(
            name: "a wrong password", user: [["as": "ada", "fill": ["password": "Wrong-guess-1843"]]], word: "waiting",
            expected: ("pending", "Your password is incorrect")),
        End(
            name: "a wrong password, then the right one",
            user: [["as": "ada", "fill": ["password": "Wrong-guess-1843"]], "ada"], word: "token",
            expected: ("trace", "login-NonInteractive")),
        End(
            name: "cancelled after a refusal", user: [["press": "signUp"], ["as": "ada"], ["press": "cancel"]],
            word: "error", expected: ("error", "AADB2C90091")),
        End(
            name: "a sign-up with an address that has an account", user: [["press": "signUp"], "ada"], word: "waiting",
            expected: ("pending", "already exists")),
        End(
            name: "an unknown account", user: [["as": "nina"]], word: "waiting",
            expected: ("pending", "We can't seem to find your account")),
        End(
            name: "a token after sign-up", user: signUp, word: "token",
            expected: ("trace", "LocalAccountSignUpWithLogonEmail")),
        End(
            name: "a token of a provider", policy: "providerOidc", user: [["press": "WorkExchange"], "sam"],
            word: "token",
            expected: ("trace", "Work-OIDC")),
        End(
            name: "a token of a provider whose account is known", policy: "providerOidc",
            user: [["press": "WorkExchange"], "kay"], word: "token", expected: ("trace", "Work-OIDC")),
    ]

    private static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "loyalty": ["id": "B2C_1A_loyalty", "type": "custom", "file": "policies/Loyalty.xml"],
            "restInUrl": ["id": "B2C_1A_RestInUrl", "type": "custom", "file": "policies/RestInUrl.xml"],
            "providerOidc": ["id": "B2C_1A_ProviderOidc", "type": "custom", "file": "policies/ProviderOidc.xml"],
        ], "apps": ["ios": ["client": ["kind": "msal-ios", "policy": "loyalty"]]],
        "providers": ["work": ["type": "oidc", "domain": "work.example"]],
        "rest": ["tier": ["match": ["host": "loyalty.contoso.test"], "reply": ["json": ["tier": "gold"]]]],
        "users": [
            "ada": ["email": "ada@contoso.test", "password": "Analytical-1843", "displayName": "Ada"],
            "nina": [
                "registered": false, "email": "nina@contoso.test", "password": "Newcomer-2026", "displayName": "Nina",
            ],
            "kay": ["email": "kay@contoso.test", "displayName": "Kay", "providers": ["work": ["sub": "kay-1843"]]],
            "sam": [
                "registered": false, "email": "sam@contoso.test", "displayName": "Sam", "providers": ["work": [:]],
            ],
        ],
    ]

    /// The sign-ins played at a server, and the correlation ids in their order.
    private static func record(_ tool: Tool) throws -> [String] {
        for name in ["Base", "Loyalty", "RestInUrl", "ProviderOidc"] {
            let bytes = try TestFiles.bytes("scenarios/policies/\(name).xml")
            try tool.write(String(decoding: bytes, as: UTF8.self), to: "policies/\(name).xml")
        }
        try tool.write(JSONWriter.compact(tenant), to: "tenant.json")
        try tool.write(#"{ "kind": "mock-server", "url": "{{env/B2C_URL}}" }"#, to: "target.json")
        let cases = ends.map { end in
            (
                end.name,
                ["set": ["policy": .string(end.policy), "user": end.user], "faults": end.faults] as JSONValue
            )
        }
        let script: JSONValue = [
            "name": "Ends", "tenant": "tenant.json", "app": "ios", "cases": .object(JSONObject(cases)),
            "steps": [["acquireToken": ["policy": "{{policy}}"], "user": "{{user}}"]],
        ]
        try tool.write(JSONWriter.pretty(script), to: "ends.json")
        // Steps that end without a token fail here: the log is what counts.
        let b2c = Tool.path ?? ""
        _ = try tool.run(
            [
                "exec", "--tenant", "tenant.json", "--", b2c, "run", "ends.json", "--target", "target.json", "--jobs",
                "1",
            ],
            environment: ["B2C_JOURNEY_RECORDER": tool.folder.appendingPathComponent("log.jsonl").path])
        let list = try tool.run("policy", "log", "log.jsonl", "--format", "json")
        #expect(!list.out.contains("contoso.test/people/ada"), "\(list.out)")
        let sessions = try JSONParser.parse(list.out)["sessions"]?.arrayValue ?? []
        #expect(sessions.map { $0["end"]?.stringValue } == ends.map(\.word))
        return sessions.compactMap { $0["correlationId"]?.stringValue }
    }

    @Test(.enabled(if: Tool.hasServer)) func `the written scenario passes and ends as the log does`() throws {
        let tool = try Tool()
        defer { tool.remove() }
        let ids = try Self.record(tool)
        try #require(ids.count == Self.ends.count)
        var files: [String] = []
        for (number, end) in Self.ends.enumerated() {
            let folder = "end-\(number)"
            let log = try tool.run(
                "policy", "log", "log.jsonl", "--correlation", ids[number], "--policies", "policies", "--write", folder)
            #expect(log.status == 0, "\(end.name): \(log.error)\(log.out)")
            #expect(
                log.error == "wrote \(folder)/session.json, which passes: the simulator does the same\n", "\(end.name)")
            for text in ["ada@contoso.test", "nina@contoso", "sam@contoso", "kay-1843", "%40contoso.test"] {
                #expect(!(log.out + log.error).contains(text), "\(end.name): \(text)")
            }
            guard let text = try? tool.read("\(folder)/session.json") else { continue }
            files.append("\(folder)/session.json")
            let expected = try JSONParser.parse(text)["steps"]?.arrayValue?.last?["expect"]?[end.expected.member]
            #expect(expected?.description.contains(end.expected.text) == true, "\(end.name): \(text)")
        }
        let slow = try #require(Self.ends.firstIndex { $0.name == "a service without an answer in a step" })
        let learn = try tool.run(
            "policy", "log", "log.jsonl", "--correlation", ids[slow], "--policies", "policies", "--learn")
        #expect(learn.out.contains("\n  restTimeout = \"PT10S\"  "), "\(learn.out)")
        #expect(learn.out.contains("\n  `restTimeout`: recorded beside what is documented\n"), "\(learn.out)")
        for command in ["check", "run"] {
            let all = try tool.run([command] + files)
            #expect(all.status == 0, "\(command): \(all.error)\(all.out)")
        }
    }
}
