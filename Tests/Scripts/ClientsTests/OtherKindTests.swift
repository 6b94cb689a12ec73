import Clients
import HTTPMessages
import JSON
import TenantFiles
import Testing
import Verbs

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

    @Test func `a script without permission of the server sees a dead network`() async throws {
        let stage = try stage(.msalBrowser)
        guard
            case .finished(let outcome) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else {
            Issue.record("the metadata was read")
            return
        }
        #expect(outcome.error?.kind == .network)
        // It has one word for whatever keeps it from the metadata.
        #expect(outcome.error?.domain == "ClientAuthError" && outcome.error?.code == "endpoints_resolution_error")
        #expect(outcome.count("corsBlocked") == 1)
        #expect(stage.authority.requests.first?.headers["Origin"] == "https://app.contoso.test")
    }

    @Test func `other libraries name neither device nor client_info, and the scopes as written`() async throws {
        for kind in [ClientKind.appAuth, .web] {
            let stage = try stage(kind)
            let query = try await stage.browse(InteractiveParameters(scopes: ["openid", Stage.read])).url.queryItems
            #expect(query["scope"] == "openid \(Stage.read)")
            #expect(query["client_info"] == nil && query["x-client-SKU"] == nil && query["haschrome"] == nil)
            let plain = try await stage.browse().url.queryItems
            #expect(plain["scope"] == "openid offline_access \(Stage.read)")
        }
    }

    @Test func `a server app sends its secret, and misses a cookie that may not come along`() async throws {
        let secret: JSONValue = ["clientSecret": "s3cret"]
        let stage = try stage(.web, secret)
        _ = try await stage.acquire()
        #expect(stage.authority.requests.last?.form?["client_secret"] == "s3cret")
        let strict = try self.stage(.web, secret.merging(patch: ["stateCookie": ["sameSite": "strict"]]))
        #expect(try await strict.acquire().error?.kind == .invalidResponse)
    }

    @Test func `a cookie of a server app goes to no other host than it came from`() async throws {
        let stage = try stage(.web, ["clientSecret": "s3cret", "redirectUri": "https://app.test/cb"])
        guard
            case .browse(_, let session) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        let state = PercentCoding.encodeComponent(session.state)
        let url = try #require(WebURL("https://behind-the-proxy.test/cb?code=x&state=\(state)"))
        let outcome = try await stage.client.finish(session, .callback(url, form: nil), lane: stage.lane)
        #expect(outcome.error?.kind == .invalidResponse)
        #expect(outcome.error?.description?.contains("app.test's, not behind-the-proxy.test's") == true)
    }

    @Test(arguments: [
        (nil, 899, true), (nil, 900, false), ("PT1H", 3599, true), ("PT1H", 3600, false), ("off", 86_400, true),
    ])
    func `the cookie of a server app ends, and an answer after that has no state to compare`(
        _ lifetime: String?, _ seconds: Int64, _ isThere: Bool
    ) async throws {
        // The authority of the test says in no token when it was issued, and its codes have no end.
        var settings: JSONValue = ["clientSecret": "s3cret", "checks": ["issuedAtWindow": "off"]]
        if let lifetime { settings = settings.merging(patch: ["stateCookie": ["lifetime": .string(lifetime)]]) }
        let stage = try stage(.web, settings)
        guard
            case .browse(_, let session) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        stage.time.advance(by: .seconds(seconds))
        let outcome = try await stage.client.finish(session, try stage.end(session, .code("x")), lane: stage.lane)
        #expect((outcome.error == nil) == isThere, "\(outcome.error as Any)")
        if !isThere {
            #expect(outcome.error?.kind == .invalidResponse)
            #expect(outcome.error?.description?.contains(lifetime ?? "PT15M") == true)
        }
    }

    static let appAuth: [(Stage.Callback, FakeAuthority.Answer, domain: String, code: Int)] = [
        (.error("access_denied"), .tokens([:]), "oauth_authorization", -4),
        (.error("redirect_uri_mismatch"), .tokens([:]), "oauth_authorization", -61440),
        (.query("error=server_error"), .tokens([:]), "oauth_authorization", -7),
        (.query("state=wrong&code=x"), .tokens([:]), "oauth_authorization", -61439),
        (.end(.userClosed), .tokens([:]), "general", -3),
        (.code("x"), .json(400, ["error": "invalid_grant", "error_description": "x"]), "oauth_token", -10),
        (.code("x"), .json(400, ["error": "unsupported_grant_type", "error_description": "x"]), "oauth_token", -11),
        (.code("x"), .raw(200, "no JSON"), "general", -7),
        (.code("x"), .raw(503, ""), "general", -6),
        (.code("x"), .fail(.reset), "general", -5),
    ]

    @Test(arguments: appAuth.indices)
    func `AppAuth's domains and numbers are those of its header`(index: Int) async throws {
        let row = Self.appAuth[index]
        let stage = try stage(.appAuth)
        stage.authority.change { $0.tokenAnswer = row.1 }
        let error = try await stage.acquire(InteractiveParameters(), row.0).error
        #expect(
            error?.domain == "org.openid.appauth.\(row.domain)" && error?.code == .number(row.code), "\(error as Any)")
    }

    @Test func `closing the window of a sign-out is a cancelled flow to AppAuth, and done to MSAL`() async throws {
        for (kind, cancels) in [(ClientKind.appAuth, true), (.msalIOS, false)] {
            let loose: JSONValue = [
                "nonce": "off", "issuer": false, "audience": false, "expiry": false, "issuedAtWindow": "off",
            ]
            let stage = try kind == .appAuth ? stage(kind, ["checks": loose]) : Stage()
            try await stage.signIn()
            let error = try await stage.signOut(SignOutParameters(fromBrowser: true), .end(.userClosed)).error
            #expect((error?.kind == .userCanceled) == cancels, "\(kind)")
        }
    }

    static let windows: [(address: String, domain: String, code: ClientError.Code)] = [
        ("", "BrowserAuthError", "hash_empty_error"),
        ("#", "BrowserAuthError", "hash_empty_error"),
        ("#/home", "BrowserAuthError", "hash_does_not_contain_known_properties"),
        ("#code=x", "ClientAuthError", "state_not_found"),
        ("#code=x&state=other", "ClientAuthError", "state_mismatch"),
    ]

    @Test(arguments: windows)
    func `MSAL.js says what it finds in the address of its window`(
        _ row: (address: String, domain: String, code: ClientError.Code)
    ) async throws {
        let stage = try Stage(
            patch: Stage.client(["kind": "msal-browser"]).merging(patch: ["browser": ["cors": false]]))
        guard
            case .browse(_, let session) = try await stage.client.acquireToken(
                InteractiveParameters(), lane: stage.lane)
        else { throw StageError.noBrowser }
        let url = try #require(WebURL(session.redirectURI + row.address))
        stage.authority.forget()
        let error = try await stage.client.finish(session, .callback(url, form: nil), lane: stage.lane).error
        #expect(error?.domain == row.domain && error?.code == row.code, "\(error as Any)")
        #expect(stage.authority.requests.isEmpty)
    }

    @Test func `a page without TLS has no crypto, unless it is the machine's own`() async throws {
        for (origin, isRefused) in [
            ("http://app.test", true), ("http://192.168.0.2:3000", true), ("http://localhost:3000", false),
            ("http://127.0.0.1:3000", false), ("https://app.test", false),
        ] {
            let stage = try Stage(
                patch: Stage.client(["kind": "msal-browser"]).merging(
                    patch: Stage.platform(["origin": .string(origin)])))
            let error = await stage.client.createClient().error
            #expect((error?.code == "crypto_nonexistent") == isRefused, "\(origin)")
        }
    }

    @Test func `the frame of a sign-out elsewhere clears a storage that it sees and that tabs share`() async throws {
        for (kind, storage, sees, isCleared) in [
            (ClientKind.msalBrowser, "local", true, true), (.msalBrowser, "local", false, false),
            (.msalBrowser, "session", true, false), (.web, "session", true, true), (.msalIOS, "session", true, false),
        ] {
            let stage = try Stage(
                patch: Stage.client([
                    "kind": .string(kind.rawValue), "storage": .string(storage), "clientSecret": "s3cret",
                    "checks": ["nonce": "off", "issuer": false, "audience": false, "expiry": false],
                ]).merging(patch: ["browser": ["cors": false]]))
            try await stage.signIn()
            let outcome = await stage.client.signedOutElsewhere(seesStorage: sees)
            #expect(outcome.result == ["handled": .bool(isCleared)], "\(kind) \(storage)")
            let left = await stage.client.accounts().result?["accounts"]?.arrayValue?.count
            #expect(left == (isCleared ? 0 : 1), "\(kind) \(storage)")
        }
    }
}
