import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Testing

@Suite struct PasswordGrantTests {
    private static func members(
        _ world: TestWorld, _ changes: [(String, String?)] = []
    ) -> [(String, String?)] {
        [
            ("grant_type", "password"), ("username", "ada@example.test"), ("password", "Analytical-1843"),
            ("scope", "openid \(world.clientID("ios")) offline_access"), ("response_type", "token id_token"),
        ] + changes
    }

    @Test func `the grant gives tokens`() throws {
        var world = try TestWorld()
        let response = try world.token("ios", policy: "B2C_1_ropc", Self.members(world))
        #expect(response.status == 200, "\(response.text)")
        let body = try #require(response.json?.objectValue)
        for name in ["access_token", "id_token", "refresh_token"] { #expect(body[name] != nil, "\(name)") }
        let claims = try world.verified(body["id_token"], policy: "B2C_1_ropc")
        #expect(claims["tfp"] == "B2C_1_ropc")
        // No session comes of it.
        #expect(!response.headers.all("Set-Cookie").contains { $0.hasPrefix("x-ms-cpim-sso") })
    }

    @Test(
        arguments: [
            ("wrong password", "B2C_1_ropc", [("password", "wrong")], "AADB2C90225", "access_denied"),
            ("nobody", "B2C_1_ropc", [("username", "nobody@example.test")], "AADB2C90225", "access_denied"),
            ("no user name", "B2C_1_ropc", [("username", nil)], "AADB2C90083", "invalid_request"),
            ("no scope", "B2C_1_ropc", [("scope", nil)], "AADB2C90010", "invalid_request"),
            ("secret", "B2C_1_ropc", [("client_secret", "x")], "AADB2C90084", "invalid_request"),
            ("no ROPC policy", "B2C_1_susi", [], "AADB2C90086", "unsupported_grant_type"),
        ] as [(String, String, [(String, String?)], String, String)]) func `each refusal has its code`(
            _ name: String, _ policy: String, _ changes: [(String, String?)], _ wanted: String, _ error: String
        ) throws
    {
        var world = try TestWorld()
        let response = try world.token("ios", policy: policy, Self.members(world, changes))
        #expect(response.status == 400)
        #expect(response.json?["error"]?.stringValue == error, "\(name)")
        #expect(code(in: response.json?["error_description"]?.stringValue) == wanted, "\(name)")
    }

    @Test(arguments: [("token", false), ("token id_token", true), ("id_token", true)])
    func `the tokens are those that response_type names`(_ row: (type: String, hasIDToken: Bool)) throws {
        var world = try TestWorld()
        let response = try world.token(
            "ios", policy: "B2C_1_ropc", Self.members(world, [("response_type", row.type)]))
        let body = try #require(response.json?.objectValue)
        #expect(body["access_token"] != nil)
        #expect((body["id_token"] != nil) == row.hasIDToken && (body["id_token_expires_in"] != nil) == row.hasIDToken)
    }

    @Test func `a client assertion is taken in place of no secret`() throws {
        var world = try TestWorld()
        let response = try world.token(
            "ios", policy: "B2C_1_susi",
            [
                ("grant_type", "refresh_token"), ("refresh_token", "x"),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", "a.b.c"),
            ])
        #expect(response.status == 400 && response.json?["error"] == "invalid_request")
        #expect(code(in: response.json?["error_description"]?.stringValue) == "AADB2C99027")
    }

    @Test func `the app must allow the grant`() throws {
        for (patch, wanted) in [
            (["ropc": false] as JSONValue, "AADB2C90224"),
            (["implicit": ["idToken": false, "accessToken": false]], "AADB2C90057"),
        ] {
            var world = try TestWorld(patch: ["apps": ["ios": ["registration": patch]]])
            let response = try world.token("ios", policy: "B2C_1_ropc", Self.members(world))
            #expect(code(in: response.json?["error_description"]?.stringValue) == wanted)
        }
    }

    /// Ten different wrong passwords lock the account for a minute; the same one again counts once.
    @Test func `wrong passwords lock the account`() throws {
        var world = try TestWorld()
        for attempt in 1...10 {
            _ = try world.token(
                "ios", policy: "B2C_1_ropc", Self.members(world, [("password", "wrong-\(attempt)-\(attempt * 7)")]))
        }
        #expect(try world.token("ios", policy: "B2C_1_ropc", Self.members(world)).status == 400)
        world.now += .seconds(61)
        #expect(try world.token("ios", policy: "B2C_1_ropc", Self.members(world)).status == 200)
    }

    @Test func `the same wrong password counts once`() throws {
        var world = try TestWorld()
        for _ in 1...12 {
            _ = try world.token("ios", policy: "B2C_1_ropc", Self.members(world, [("password", "wrong")]))
        }
        #expect(try world.token("ios", policy: "B2C_1_ropc", Self.members(world)).status == 200)
    }
}

@Suite struct ClientCredentialsTests {
    private static let patch: JSONValue = [
        "apps": ["web": ["registration": ["scopes": ["https://contoso.onmicrosoft.com/tasks/read"]]]]
    ]
    private static let good: [(String, String?)] = [
        ("grant_type", "client_credentials"), ("client_secret", "s3cret+/="),
        ("scope", "https://contoso.onmicrosoft.com/tasks/.default"),
    ]

    @Test func `the grant gives tokens`() throws {
        var world = try TestWorld(patch: Self.patch)
        let response = try world.token("web", Self.good)
        let body = try #require(response.json?.objectValue)
        #expect(
            body.keys == ["access_token", "token_type", "not_before", "expires_in", "expires_on", "resource"])
        let claims = try world.verified(body["access_token"])
        #expect(claims["scp"] == "read")
        #expect(claims["azp"]?.stringValue == world.clientID("web"))
        #expect(claims["oid"] == claims["sub"])
        #expect(claims["aud"] == body["resource"])
    }

    /// What MSAL Go and MSAL Java add to each request.
    @Test(arguments: ["openid offline_access profile", "offline_access", "OPENID"])
    func `scopes that libraries add change nothing`(_ added: String) throws {
        var world = try TestWorld(patch: Self.patch)
        let scope = "https://contoso.onmicrosoft.com/tasks/.default"
        for text in ["\(scope) \(added)", "\(added) \(scope)"] {
            let response = try world.token("web", Self.good + [("scope", text)])
            #expect(response.status == 200, "\(response.text)")
            #expect(response.json?["refresh_token"] == nil && response.json?["id_token"] == nil)
        }
    }

    @Test(
        arguments: [
            ([("client_secret", nil)], "AADB2C90079", "invalid_request"),
            ([("client_secret", "guess")], "AADB2C90081", "invalid_client"),
            ([("scope", "https://contoso.onmicrosoft.com/tasks/read")], "AADB2C90085", "invalid_grant"),
            ([("scope", "https://contoso.onmicrosoft.com/other/.default")], "AADB2C90085", "invalid_grant"),
            ([("scope", "https://contoso.onmicrosoft.com/none/.default")], "AADB2C90117", "invalid_request"),
            ([("scope", nil)], "AADB2C90010", "invalid_request"),
            ([("scope", "openid offline_access")], "AADB2C90117", "invalid_request"),
        ] as [([(String, String?)], String, String)]) func `each refusal has its code`(
            _ changes: [(String, String?)], _ wanted: String, _ error: String
        ) throws
    {
        var world = try TestWorld(patch: Self.patch)
        let response = try world.token("web", Self.good + changes)
        #expect(response.status == 400)
        #expect(response.json?["error"]?.stringValue == error)
        #expect(code(in: response.json?["error_description"]?.stringValue) == wanted)
    }
}
