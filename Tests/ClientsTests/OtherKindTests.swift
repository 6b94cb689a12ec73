import B2CProtocol
import Browser
import HTTPMessages
import JSON
import Testing

@testable import Clients

/// What sets the other kinds of clients apart from MSAL for Apple systems.
@Suite struct OtherKindTests {
    private func stage(_ kind: ClientKind, _ more: JSONValue = [:]) throws -> Stage {
        let client: JSONValue = [
            "kind": .string(kind.rawValue),
            "checks": [
                "nonce": "off", "issuer": false, "audience": false, "expiry": false, "issuedAtWindow": "P9999D",
            ],
        ]
        return try Stage(patch: Stage.client(client.merging(patch: more)))
    }

    @Test("A script without permission of the server sees a dead network")
    func crossOrigin() async throws {
        let stage = try stage(.msalBrowser)
        guard
            case .finished(let outcome) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else {
            Issue.record("the metadata was read")
            return
        }
        #expect(outcome.error?.kind == .network)
        #expect(outcome.error?.domain == "BrowserAuthError")
        #expect(outcome.count("corsBlocked") == 1)
        #expect(stage.authority.requests.first?.headers["Origin"] == "https://app.contoso.test")
    }

    @Test("Other libraries name neither device nor client_info, and the scopes as written")
    func requests() async throws {
        for kind in [ClientKind.appAuth, .web] {
            let stage = try stage(kind)
            let query = try await stage.browse(InteractiveParameters(scopes: ["openid", Stage.read])).url.queryItems
            #expect(query["scope"] == "openid \(Stage.read)")
            #expect(query["client_info"] == nil && query["x-client-SKU"] == nil && query["haschrome"] == nil)
            let plain = try await stage.browse().url.queryItems
            #expect(plain["scope"] == "openid offline_access \(Stage.read)")
        }
    }

    @Test("A server app sends its secret, and misses a cookie that may not come along")
    func serverApp() async throws {
        let secret: JSONValue = ["clientSecret": "s3cret"]
        let stage = try stage(.web, secret)
        _ = try await stage.acquire()
        #expect(stage.authority.requests.last?.form?["client_secret"] == "s3cret")
        let strict = try self.stage(.web, secret.merging(patch: ["stateCookie": ["sameSite": "strict"]]))
        #expect(try await strict.acquire().error?.kind == .invalidResponse)
    }
}
