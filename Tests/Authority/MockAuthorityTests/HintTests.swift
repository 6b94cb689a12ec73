import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

@Suite struct HintTests {
    /// A hint and how it is refused: claims patched into a good one, and the secret it is signed with.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var claims: JSONValue = [:]
        var secret = "0123456789abcdef0123456789abcdef"
        var text: String?
        var code: String
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "missing", text: "", code: "AADB2C90272"),
        Row(name: "no token", text: "abc", code: "AADB2C90210"),
        Row(name: "expired", claims: ["exp": 1], code: "AADB2C90208"),
        Row(name: "not yet valid", claims: ["nbf": 4_000_000_000], code: "AADB2C90208"),
        Row(name: "audience", claims: ["aud": "somebody"], code: "AADB2C90209"),
        Row(name: "issuer", claims: ["iss": "https://else.test/"], code: "AADB2C90232"),
        Row(name: "signature", secret: "another", code: "AADB2C90233"),
    ]

    private func world() throws -> TestWorld {
        try TestWorld(
            patch: ["policyKeys": ["B2C_1A_HintSecret": ["secret": "0123456789abcdef0123456789abcdef"]]],
            custom: [try CustomPolicies.hint()])
    }

    private func hint(_ row: Row, at now: Timestamp) -> String {
        let good: JSONValue = [
            "iss": "https://inviter.contoso.test/", "aud": "other", "email": "new@example.test",
            "nbf": .integer(now.secondsSinceEpoch), "exp": .integer(now.secondsSinceEpoch + 600),
        ]
        let claims = good.merging(patch: row.claims).objectValue ?? JSONObject()
        return JWS.signHS256(header: ["alg": "HS256", "typ": "JWT"], claims: claims, secret: Array(row.secret.utf8))
    }

    @Test(arguments: rows) func `each refusal has its code`(_ row: Row) throws {
        var world = try world()
        let text = row.text ?? hint(row, at: world.now)
        let response = try world.authorize("ios", policy: "B2C_1A_hint", [("id_token_hint", text)])
        #expect(response.location?.queryItems["error"] == "invalid_request", "\(response.refusal ?? response.text)")
        #expect(code(in: response.location?.queryItems["error_description"]) == row.code)
    }

    @Test func `a good hint passes`() throws {
        var world = try world()
        let text = hint(Row(name: "", code: ""), at: world.now)
        let response = try world.authorize("ios", policy: "B2C_1A_hint", [("id_token_hint", text)])
        let code = try #require(response.location?.queryItems["code"], "\(response.refusal ?? response.text)")
        let tokens = try world.token(
            "ios", policy: "B2C_1A_hint",
            [("grant_type", "authorization_code"), ("code", code), ("code_verifier", TestWorld.verifier)])
        let claims = try world.verified(tokens.json?["id_token"], policy: "B2C_1A_hint")
        #expect(claims["email"] == "new@example.test")
        // Custom policies sign with the tenant's own key and write no tfp by themselves.
        #expect(
            JWS(compact: tokens.json?["id_token"]?.stringValue ?? "")?.header["kid"]?.stringValue
                == TestKeys.named("tenant").kid)
        #expect(claims["tfp"] == nil)
    }

    /// A relying party may name the only app that it serves.
    @Test(arguments: [(true, "AADB2C90272"), (false, "AADB2C90011")])
    func `a policy of one app refuses others`(_ isOwn: Bool, _ wanted: String) throws {
        let own = try TestWorld().tenant.app(named: "ios")?.registration.clientId ?? ""
        var world = try TestWorld(
            custom: [try CustomPolicies.hint(app: isOwn ? own : "99999999-2222-4333-8444-555555555555")])
        let response = try world.authorize("ios", policy: "B2C_1A_hint", [])
        #expect(response.location?.queryItems["error"] == "invalid_request", "\(response.refusal ?? response.text)")
        #expect(
            code(in: response.location?.queryItems["error_description"]) == wanted,
            "\(world.authority.configuration.policies.map { $0.resolved.relyingParty.metadata })")
    }

    /// Until SAML is simulated, a policy of SAML apps has no OpenID Connect metadata and gives no tokens, and says so.
    @Test func `a policy of SAML apps is not simulated`() throws {
        let secret: JSONValue = ["B2C_1A_HintSecret": ["secret": "0123456789abcdef0123456789abcdef"]]
        var world = try TestWorld(patch: ["policyKeys": secret], custom: [try CustomPolicies.saml()])
        let why = "not simulated: a relying party that speaks SAML2, whose issuer JwtIssuer makes JWTs at saml.xml:"
        let discovery = try world.url(.discovery, policy: "B2C_1A_hint")
        let document = world.send(.get(discovery))
        #expect(document.status == 501)
        #expect(document.json?["error"] == "not_simulated")
        #expect(document.json?["error_description"]?.stringValue?.hasPrefix(why) == true, "\(document.text)")
        let page = world.send(.get(discovery, headers: ["Accept": "text/html"]))
        #expect(page.status == 501 && page.text.contains("SAML2"))
        let metadata = world.send(.get(try world.url(.saml("metadata"), policy: "B2C_1A_hint")))
        #expect(metadata.status == 501)
        #expect(metadata.json?["error_description"]?.stringValue?.contains("SAML") == true)
        let text = hint(Row(name: "", code: ""), at: world.now)
        let response = try world.authorize("ios", policy: "B2C_1A_hint", [("id_token_hint", text)])
        #expect(response.location?.queryItems["code"] == nil)
        let told = (response.location?.queryItems["error_description"] ?? "") + response.text
        #expect(told.contains("a relying party that speaks SAML2"), "\(told)")
    }

    /// User flows pass over a hint.
    @Test func `user flows ignore hints`() throws {
        var world = try TestWorld()
        let response = try world.authorize("ios", [("id_token_hint", "abc")])
        #expect(PageSettings.read(html: response.text) != nil)
    }

    @Test func `user-info only where declared`() throws {
        var world = try world()
        let document = world.send(.get(try world.url(.discovery, policy: "B2C_1A_hint"))).json
        #expect(document?["userinfo_endpoint"]?.stringValue?.hasSuffix("/b2c_1a_hint/openid/v2.0/userinfo") == true)
        #expect(world.send(.get(try world.url(.userinfo, policy: "B2C_1A_hint"))).status == 401)
        #expect(world.send(.get(try world.url(.userinfo))).status == 404)
        #expect(world.send(.get(try world.url(.discovery))).json?["userinfo_endpoint"] == nil)
    }
}
