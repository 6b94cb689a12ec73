import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import TenantFiles
import Testing

/// Policy keys that Microsoft Graph has changed.
@Suite struct PolicyKeyTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// A world whose policy reads an ID token hint and signs with keys of its own.
    private static func world(_ keys: [PolicyKeySettings]) throws -> TestWorld {
        let policy = try CustomPolicies.hint()
        var world = try TestWorld(
            patch: ["policyKeys": ["B2C_1A_HintSecret": ["secret": .string(secret)]]], custom: [policy])
        try configure(&world, keys)
        return world
    }

    private static func configure(_ world: inout TestWorld, _ keys: [PolicyKeySettings]) throws {
        var tenant = world.tenant
        tenant.policyKeys.removeAll { key in keys.contains { $0.name == key.name } }
        tenant.policyKeys += keys
        _ = world.authority.handle(
            .command(.configure(tenant: tenant, policies: [try CustomPolicies.hint()], patch: [:])), at: world.now)
    }

    private static func key(_ name: String, _ change: (inout PolicyKeySettings) -> Void) -> PolicyKeySettings {
        var key = PolicyKeySettings()
        key.name = name
        change(&key)
        return key
    }

    private static func authorize(_ world: inout TestWorld) throws -> ResponseMessage {
        let seconds = world.now.secondsSinceEpoch
        let claims: JSONObject = [
            "iss": "https://inviter.contoso.test/", "aud": "other", "email": "new@example.test",
            "nbf": .integer(seconds), "exp": .integer(seconds + 600),
        ]
        let hint = JWS.signHS256(header: ["alg": "HS256", "typ": "JWT"], claims: claims, secret: Array(secret.utf8))
        return try world.authorize("ios", policy: "B2C_1A_hint", [("id_token_hint", hint)])
    }

    private static func idToken(_ world: inout TestWorld) throws -> String {
        let response = try authorize(&world)
        let code = try #require(response.location?.queryItems["code"], "\(response.refusal ?? response.text)")
        let tokens = try world.token(
            "ios", policy: "B2C_1A_hint",
            [("grant_type", "authorization_code"), ("code", code), ("code_verifier", TestWorld.verifier)])
        return try #require(tokens.json?["id_token"]?.stringValue, "\(tokens.text)")
    }

    @Test(arguments: ["B2C_1A_TokenSigningKeyContainer", "b2c_1a_tokenencryptionkeycontainer"])
    func `a policy whose key set has no active key fails`(_ name: String) throws {
        var world = try Self.world([Self.key(name) { $0.isActive = false }])
        let response = try Self.authorize(&world)
        #expect(response.location?.queryItems["error"] == "server_error", "\(response.refusal ?? response.text)")
        #expect(response.location?.queryItems["error_description"]?.hasPrefix("AADB2C90220") == true)
        try Self.configure(&world, [Self.key(name) { $0.key = "k1" }])
        #expect(try Self.authorize(&world).location?.queryItems["code"] != nil)
    }

    @Test func `tokens of an earlier key verify while its set publishes it`() throws {
        let name = "B2C_1A_TokenSigningKeyContainer"
        var world = try Self.world([Self.key(name) { $0.key = "k1" }])
        let earlier = try Self.idToken(&world)
        try Self.configure(
            &world,
            [
                Self.key(name) {
                    $0.key = "k4"
                    $0.publish = ["k1", "k4"]
                }
            ])
        let later = try Self.idToken(&world)
        #expect(JWS(compact: earlier)?.header["kid"]?.stringValue == TestKeys.named("k1").kid)
        #expect(JWS(compact: later)?.header["kid"]?.stringValue == TestKeys.named("k4").kid)
        for token in [earlier, later] {
            #expect(try world.verified(.string(token), policy: "B2C_1A_hint")["email"] == "new@example.test")
        }
    }
}
