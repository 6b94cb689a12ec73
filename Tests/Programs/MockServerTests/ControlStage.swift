import AuthorityHosting
import Determinism
import Exchanges
import Foundation
import HTTPMessages
import JSON
import TestSupport
import Testing

@testable import MockServerCore

/// A control interface over worlds of its own, without a socket.
struct ControlStage {
    static let start = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
    static let tenant: JSONValue = [
        "name": "contoso",
        "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
        "apis": ["tasks": ["appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read"]]],
        "apps": [
            "ios": ["client": ["kind": "msal-ios", "policy": "susi"], "platform": ["bundleId": "com.contoso.tasks"]]
        ],
        "rest": [
            "tier": ["match": ["url": "https://loyalty.contoso.test/tier"], "reply": ["status": 200], "delay": "PT3S"]
        ],
        "users": ["ada": ["email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"]],
    ]

    let worlds: Worlds
    let api: ControlAPI

    init() async throws {
        let world = await ServerWorld(
            name: Worlds.defaultName, seed: SeededGenerator(seed: 1),
            tenant: try CompiledTenant.compile(Self.tenant), time: WorldTime(frozenAt: Self.start))
        worlds = Worlds(default: world)
        api = ControlAPI(worlds: worlds)
    }

    var world: ServerWorld { get throws { try #require(worlds.world(named: nil)) } }

    func message(
        _ method: String, _ path: String, _ body: JSONValue? = nil, headers: Headers = [:],
        world: String = Worlds.defaultName
    ) async throws -> ResponseMessage {
        let url = try #require(WebURL("http://localhost:9400\(ControlAPI.prefix)\(path)"))
        var request = RequestMessage(method: method, url: url, headers: headers)
        if let body {
            request.body = JSONWriter.compactBytes(body)
            if request.headers["Content-Type"] == nil { request.headers["Content-Type"] = "application/json" }
        }
        guard case .message(let message) = await api.answer(request, world: world) else {
            throw ControlStageProblem.isStream
        }
        return message
    }

    /// A call that must end with this status; its JSON.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil, expect status: Int = 200,
        world: String = Worlds.defaultName, at location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let message = try await message(method, path, body, world: world)
        #expect(message.status == status, "\(message.text)", sourceLocation: location)
        return message.json ?? .null
    }

    /// What the world answers to a request from outside.
    func send(_ text: String, number: String? = nil) async throws -> Delivery {
        await (try world).delivery(of: .get(try #require(WebURL(text))), number: number)
    }
}

enum ControlStageProblem: Error { case isStream }
