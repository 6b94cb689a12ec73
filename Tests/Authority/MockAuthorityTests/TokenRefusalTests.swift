import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

/// One row: what is changed in a good redemption of a code, and how it is refused.
struct CodeRefusal: CustomTestStringConvertible, Sendable {
    var name: String
    var app = "ios"
    var redeemingApp: String?
    var policy = "B2C_1_susi"
    var changes: [(String, String?)] = []
    var wait: TimeSpan = .zero
    var redeemedBefore = false
    var code: String
    var error = "invalid_grant"

    var testDescription: String { name }

    /// What the service says, with the values of the request: rows by name.
    static let messages = [
        "no grant type": "The request is missing required parameter: grant_type.",
        "no code": "The request is missing required parameter: code.",
        "unknown grant type": "The supplied grant_type [device_code] is not supported.",
        "unknown client":
            "The client id 'nobody' specified in the request is not registered in tenant 'contoso.onmicrosoft.com'.",
        "code of another policy":
            "The provided grant has not been issued for this endpoint. Actual Value : B2C_1_edit and Expected Value : B2C_1_susi",
        "another redirect URI":
            "The redirect URI 'https://web.contoso.test/other' provided in the request is not registered for the client id '31111111-2222-4333-8444-555555555555'.",
        "no verifier": "The supplied code_verifier is invalid",
        "verifier too short": "The supplied code_verifier is invalid",
        "web app without secret": "Clients must send a client_secret when redeeming a confidential grant.",
        "web app with another secret":
            "The specified client_secret does not match the expected value for this client. Please correct the client_secret and try again.",
        "scope of no API":
            "The scope 'https://contoso.onmicrosoft.com/none/read' provided in the request is not supported.",
    ]

    static let all: [CodeRefusal] = [
        .init(name: "no grant type", changes: [("grant_type", nil)], code: "AADB2C90083", error: "invalid_request"),
        .init(
            name: "unknown grant type", changes: [("grant_type", "device_code")], code: "AADB2C90086",
            error: "unsupported_grant_type"),
        .init(name: "no client", changes: [("client_id", nil)], code: "AADB2C90083", error: "invalid_request"),
        .init(name: "unknown client", changes: [("client_id", "nobody")], code: "AADB2C90018", error: "invalid_client"),
        .init(name: "no code", changes: [("code", nil)], code: "AADB2C90083", error: "invalid_request"),
        .init(name: "code cut short", changes: [("code", "eyJraWQi.abc")], code: "AADB2C90090"),
        .init(name: "code of another policy", policy: "B2C_1_edit", code: "AADB2C90088"),
        .init(name: "code of another client", redeemingApp: "spa", code: "AADB2C90279"),
        .init(name: "code expired", wait: .minutes(11), code: "AADB2C90080"),
        .init(name: "code redeemed before", redeemedBefore: true, code: "AADB2C90080"),
        .init(
            name: "another redirect URI", app: "web",
            changes: [("redirect_uri", "https://web.contoso.test/other"), ("client_secret", "s3cret+/=")],
            code: "AADB2C90006", error: "redirect_uri_mismatch"),
        .init(
            name: "secret of a public client", changes: [("client_secret", "x")], code: "AADB2C90084",
            error: "invalid_request"),
        .init(name: "no verifier", changes: [("code_verifier", nil)], code: "AADB2C90183"),
        .init(name: "verifier too short", changes: [("code_verifier", "short")], code: "AADB2C90183"),
        .init(name: "another verifier", changes: [("code_verifier", TestWorld.verifier + "x")], code: "AADB2C90182"),
        .init(name: "web app without secret", app: "web", code: "AADB2C90079", error: "invalid_request"),
        .init(
            name: "web app with another secret", app: "web", changes: [("client_secret", "guess")],
            code: "AADB2C90081", error: "invalid_client"),
        .init(
            name: "scope of no API", changes: [("scope", "openid https://contoso.onmicrosoft.com/none/read")],
            code: "AADB2C90117", error: "invalid_request"),
    ]
}

@Suite struct TokenRefusalTests {
    /// Everything the checks say they refuse with is a row of this file, of OtherGrantTests or, for an app of a directory, of
    /// scenarios/errors/90068-90248-app-of-a-directory.json.
    @Test func `every code of the checks is tested`() {
        let tested = Set(
            CodeRefusal.all.map(\.code) + [
                "AADB2C90010", "AADB2C90057", "AADB2C90086", "AADB2C90129", "AADB2C90224", "AADB2C90248",
            ])
        let checks =
            CodeAttempt.checks.map { ($0.name, $0.codes) } + SpentCodeAttempt.checks.map { ($0.name, $0.codes) }
            + RefreshAttempt.checks.map { ($0.name, $0.codes) } + PasswordAttempt.checks.map { ($0.name, $0.codes) }
        #expect(checks.count == 18)
        for (name, codes) in checks {
            for code in codes { #expect(tested.contains(code.id), "\(code.id) of “\(name)”") }
        }
    }

    @Test(arguments: CodeRefusal.all) func `each refusal of a code has its error`(_ row: CodeRefusal) throws {
        var world = try TestWorld()
        let grant = try world.code(row.app)
        world.now += row.wait
        let good: [(String, String?)] = [
            ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
        ]
        if row.redeemedBefore { #expect(try world.token(row.app, good).status == 200) }
        let response = try world.token(row.redeemingApp ?? row.app, policy: row.policy, good + row.changes)
        try expectError(response, row.code, row.error)
        let description = try #require(response.json?["error_description"]?.stringValue)
        let line = String(description.prefix { $0 != "\r\n" })
        if let message = CodeRefusal.messages[row.name] { #expect(line == "\(row.code): \(message)") }
        if row.code == "AADB2C90080" {
            #expect(
                line.wholeMatch(
                    of:
                        /AADB2C90080: The provided grant has expired\. Please re-authenticate and try again\. Current time: (\d+), Grant issued time: (\d+), Grant expiration time: (\d+)/
                ) != nil)
        }
    }

    private func expectError(_ response: ResponseMessage, _ wanted: String, _ error: String) throws {
        #expect(response.status == 400)
        #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
        let body = try #require(response.json?.objectValue)
        #expect(body.keys == ["error", "error_description"])
        #expect(body["error"]?.stringValue == error)
        let description = try #require(body["error_description"]?.stringValue)
        #expect(code(in: description) == wanted)
        #expect(description.hasSuffix("Z\r\n"))
        #expect(description.contains("\r\nCorrelation ID: "))
        #expect(response.refusal != nil)
        // Every answer of the token endpoint takes the transaction cookie away.
        #expect(response.headers.all("Set-Cookie").contains { $0.hasPrefix("x-ms-cpim-trans=; ") })
    }

    @Test func `a mismatch names both policies in their letter case`() throws {
        for (order, text) in [
            ("actualIsEndpoint", "B2C_1_edit"), ("actualIsGrant", "B2C_1_susi"),
        ] {
            var world = try TestWorld(patch: ["authority": ["grantMismatchOrder": .string(order)]])
            let grant = try world.code()
            let response = try world.token(
                "ios", policy: "b2c_1_EDIT", [("grant_type", "authorization_code"), ("code", grant)])
            let description = try #require(response.json?["error_description"]?.stringValue)
            let first = try #require(description.firstRange(of: text)?.lowerBound)
            let other = text == "B2C_1_edit" ? "B2C_1_susi" : "B2C_1_edit"
            let second = try #require(description.firstRange(of: other)?.lowerBound)
            #expect(first < second)
        }
    }

    @Test func `only a POST is taken`() throws {
        var world = try TestWorld()
        let response = world.send(.get(try world.url(.token, query: ["grant_type": "authorization_code"])))
        try expectError(response, "AADB2C90226", "invalid_request")
    }

    @Test func `the secret may be in the body or in a Basic header`() throws {
        for isBasic in [false, true] {
            var world = try TestWorld()
            let grant = try world.code("web")
            let basic = BasicCredentials(user: world.clientID("web"), password: "s3cret+/=").header
            let response = try world.token(
                "web", headers: isBasic ? ["Authorization": basic] : [:],
                [
                    ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
                    ("client_secret", isBasic ? nil : "s3cret+/="),
                    ("client_id", isBasic ? nil : world.clientID("web")),
                ])
            #expect(response.status == 200, "\(response.text)")
        }
    }

    /// A refresh token and how it is refused later.
    @Test(
        arguments: [
            ("P15D", "AADB2C90080", [:]),
            ("PT1H", "AADB2C90129", ["users": ["ada": ["password": "Changed-2026"]]]),
            ("PT1H", "AADB2C90128", ["users": ["ada": nil]]),
            ("PT1H", "AADB2C90129", ["users": ["ada": ["refreshTokensValidFrom": "2026-01-15T12:30:00Z"]]]),
        ] as [(String, String, JSONValue)]) func `each refusal of a refresh token has its error`(
            _ wait: String, _ wanted: String, _ patch: JSONValue
        ) throws
    {
        var world = try TestWorld()
        let tokens = try world.tokens(scope: "openid offline_access")
        world.now += try #require(TimeSpan(iso8601: wait))
        try world.configure(patch)
        let response = try world.token(
            "ios", [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue)])
        try expectError(response, wanted, "invalid_grant")
    }

    @Test func `refresh tokens are bound to policy and client`() throws {
        var world = try TestWorld()
        let refresh = try world.tokens(scope: "openid offline_access")["refresh_token"]?.stringValue
        let members: [(String, String?)] = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        try expectError(try world.token("ios", policy: "B2C_1_edit", members), "AADB2C90088", "invalid_grant")
        try expectError(try world.token("spa", members), "AADB2C90279", "invalid_grant")
        let asCode: [(String, String?)] = [("grant_type", "authorization_code"), ("code", refresh)]
        try expectError(try world.token("ios", asCode), "AADB2C90085", "invalid_grant")
    }

    /// Only a refresh says so; a published client knows no other failure of it.
    @Test(arguments: ["", nil] as [String?]) func `a refresh without a client is refused`(_ clientID: String?) throws {
        var world = try TestWorld()
        let refresh = try world.tokens(scope: "openid offline_access")["refresh_token"]?.stringValue
        let members: [(String, String?)] = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        try expectError(
            try world.token("ios", members + [("client_id", clientID)]), "AADB2C90279", "invalid_grant")
        #expect(try world.token("ios", members).status == 200)
    }

    @Test func `reuse is allowed unless the policy rejects it`() throws {
        for reuse in ["allow", "reject"] {
            var world = try TestWorld(
                patch: ["policies": ["susi": ["tokens": ["refreshTokenReuse": .string(reuse)]]]])
            let refresh = try world.tokens(scope: "openid offline_access")["refresh_token"]?.stringValue
            let members: [(String, String?)] = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
            #expect(try world.token("ios", members).status == 200)
            let second = try world.token("ios", members)
            if reuse == "allow" {
                #expect(second.status == 200)
            } else {
                try expectError(second, "AADB2C90129", "invalid_grant")
            }
        }
    }

    /// A single-page app's tokens end 24 hours after the sign-in, however often they are renewed.
    @Test func `refresh tokens of single-page apps last a day`() throws {
        var world = try TestWorld()
        var tokens = try world.tokens("spa", scope: "openid offline_access")
        #expect(tokens["refresh_token_expires_in"] == .integer(86_400))
        world.now += .hours(23)
        let renewed = try world.token(
            "spa", headers: ["Origin": "https://tasks.contoso.test"],
            [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue)])
        #expect(renewed.status == 200)
        #expect(renewed.headers["Access-Control-Allow-Origin"] == "https://tasks.contoso.test")
        tokens = try #require(renewed.json)
        #expect(tokens["refresh_token_expires_in"] == .integer(3600))
        world.now += .hours(1) + .minutes(1)
        let late = try world.token(
            "spa", [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue)])
        try expectError(late, "AADB2C90080", "invalid_grant")
        // The instants of now, of issue and of the end are epoch seconds.
        let text = try #require(late.json?["error_description"]?.stringValue)
        let numbers = text.prefix { $0 != "\r\n" }.matches(of: /[0-9]{10}/).compactMap { Int64($0.output) }
        #expect(numbers.count == 3 && numbers[0] > numbers[2] && numbers[2] > numbers[1])
    }

    @Test func `grants sealed with a key that is gone are refused`() throws {
        var world = try TestWorld()
        let grant = try world.code()
        let members: [(String, String?)] = [
            ("grant_type", "authorization_code"), ("code", grant), ("code_verifier", TestWorld.verifier),
        ]
        try world.configure(["keySets": ["grants": ["use": "g2", "publish": ["g2"]]]])
        try expectError(try world.token("ios", members), "AADB2C90090", "invalid_grant")
        try world.configure(["keySets": ["grants": ["use": "g2", "publish": ["grants", "g2"]]]])
        #expect(try world.token("ios", members).status == 200)
    }
}
