import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import TestSupport
import Testing
import TrustFramework

@testable import MockServerCore

/// Policies that are managed over Microsoft Graph, at a server.
@Suite struct PolicyManagementTests {
    private static let clientID = "11111111-2222-4333-8444-555555555555"
    private static let tenant: JSONValue = StateStage.tenant.merging(patch: [
        "apps": [
            "desk": [
                "registration": [
                    "clientId": .string(clientID), "secrets": ["S3cret-of-the-pipeline"],
                    "graph": ["Policy.ReadWrite.TrustFramework"],
                ]
            ]
        ]
    ])

    private func policy(_ name: String, mode: String = "Production") throws -> String {
        String(decoding: try TestFiles.bytes("scenarios/policies/\(name).xml"), as: UTF8.self)
            .replacing("yourtenant.onmicrosoft.com", with: "contoso.onmicrosoft.com")
            .replacing(" PolicyId=", with: " DeploymentMode=\"\(mode)\" PolicyId=")
    }

    private func token(_ stage: StateStage) async throws -> String {
        let form: FormItems = [
            "grant_type": "client_credentials", "client_id": Self.clientID,
            "client_secret": "S3cret-of-the-pipeline", "scope": "https://graph.microsoft.com/.default",
        ]
        let answer = await stage.send(
            "POST", "/contoso.onmicrosoft.com/oauth2/v2.0/token", host: "login.microsoftonline.com",
            body: form.encoded)
        return try #require(answer?.json?["access_token"]?.stringValue, "\(answer?.text ?? "")")
    }

    private func graph(
        _ method: String, _ target: String, _ body: String = "", _ stage: StateStage
    ) async throws -> ResponseMessage {
        var headers: Headers = ["Authorization": "Bearer \(try await token(stage))"]
        if !body.isEmpty { headers["Content-Type"] = "application/xml" }
        let answer = await stage.front.answer(
            IncomingRequest(
                method: method, scheme: "https", host: "graph.microsoft.com",
                target: "/beta/trustFramework/policies" + target, headers: headers, body: Array(body.utf8),
                peer: "127.0.0.1", isLoopback: true))
        guard case .message(let message) = answer else { return ResponseMessage(status: 0) }
        return message
    }

    private func discovery(_ policy: String, _ stage: StateStage) async -> Int? {
        await stage.send("GET", "/contoso.onmicrosoft.com/\(policy)/v2.0/.well-known/openid-configuration")?.status
    }

    @Test func `uploads are kept by the state file, and their half hour too`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        #expect(try await graph("PUT", "/B2C_1A_SampleBase/$value", policy("Base"), stage).status == 201)
        #expect(try await graph("PUT", "/B2C_1A_Defaults/$value", policy("Defaults"), stage).status == 201)
        #expect(await discovery("B2C_1A_Defaults", stage) == 200)
        #expect(try await graph("DELETE", "/B2C_1A_Defaults", "", stage).status == 204)
        try await stage.restart()
        #expect(await discovery("B2C_1A_Defaults", stage) == 200)
        #expect(try await graph("GET", "/B2C_1A_Defaults/$value", "", stage).status == 404)
        #expect(try await graph("GET", "/B2C_1A_SampleBase/$value", "", stage).text == (try policy("Base")))
        stage.clock.time.advance(by: .minutes(30))
        #expect(await discovery("B2C_1A_Defaults", stage) == 404)
    }

    @Test func `a policy comes back byte for byte, also below the path for other hosts`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        let metadata = "https://login.microsoftonline.com/contoso.onmicrosoft.com/.well-known/openid-configuration"
        let sent = try policy("Base") + "<!-- \(metadata) -->"
        #expect(try await graph("PUT", "/B2C_1A_SampleBase/$value", sent, stage).status == 201)
        let answer = await stage.front.answer(
            IncomingRequest(
                method: "GET", scheme: "http", host: "localhost:9400",
                target: "/_hosts/graph.microsoft.com/beta/trustFramework/policies/B2C_1A_SampleBase/$value",
                headers: ["Authorization": "Bearer \(try await token(stage))"], body: [], peer: "127.0.0.1",
                isLoopback: true))
        guard case .message(let message) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(message.text == sent)
    }

    @Test func `an upload changes neither the tenant file nor what was set at run time`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        let before = try await stage.control("GET", "/tenant")["written"]
        #expect(try await graph("PUT", "/B2C_1A_SampleBase/$value", policy("Base"), stage).status == 201)
        #expect(try await graph("PUT", "/B2C_1A_Defaults/$value", policy("Defaults"), stage).status == 201)
        #expect(try await stage.control("GET", "/tenant")["written"] == before)
        #expect(stage.world.tenant.tenant.policy(id: "B2C_1A_Defaults") != nil)
        try await stage.control("PATCH", "/tenant", ["patch": ["users": ["bob": ["displayName": "Robert"]]]])
        #expect(await discovery("B2C_1A_Defaults", stage) == 200)
        #expect(await discovery("B2C_1_susi", stage) == 200)
        try await stage.control("POST", "/reset", [:], expect: 204)
        #expect(await discovery("B2C_1A_Defaults", stage) == 200)
        try await stage.control("POST", "/reset", ["to": "start"], expect: 204)
        #expect(await discovery("B2C_1A_Defaults", stage) == 404)
        try await stage.restart()
        #expect(await discovery("B2C_1A_Defaults", stage) == 404)
    }

    @Test func `the rules of the validation refuse a broken policy with the texts of the service`() async throws {
        let stage = try await StateStage(tenant: Self.tenant)
        #expect(try await graph("PUT", "/B2C_1A_SampleBase/$value", policy("Base"), stage).status == 201)
        let broken = try policy("Defaults")
            .replacing("TechnicalProfileReferenceId=\"Fill\"", with: "TechnicalProfileReferenceId=\"Full\"")
        let answer = try await graph("PUT", "/B2C_1A_Defaults/$value", broken, stage)
        #expect(answer.status == 400)
        let message = try #require(answer.json?["error", "message"]?.stringValue)
        #expect(message.hasPrefix("Validation failed: "), "\(message)")
        #expect(message.contains("error(s) found in policy \"B2C_1A_DEFAULTS\" of tenant \"contoso.onmicrosoft.com\"."))
    }
}
