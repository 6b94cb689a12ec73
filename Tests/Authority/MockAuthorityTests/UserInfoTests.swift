import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

/// What the authorization profile of a user-info journey asks of the bearer token.
@Suite struct UserInfoTests {
    /// A token, how it is sent, and the expected result.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var claims: JSONValue = [:]
        var metadata: [(key: String, value: String)] = [("issuer", issuer), ("audience", audience)]
        /// Scheme, host and port of the request.
        var origin = "https://contoso.b2clogin.com"
        /// Whether the authority listens at other addresses than the tenant's.
        var isOnTheNetwork = false
        /// Part of the reason of a refusal; absent where the token passes.
        var refusal: String?
        var testDescription: String { name }
    }

    static let tenantID = "6c4ca06f-2a0b-4f52-a83d-8f0c130b4b2a"
    static let issuer = "https://contoso.b2clogin.com/\(tenantID)/v2.0/"
    static let audience = #"[ "app-1", "app-2" ]"#

    /// Claims with the tenant's issuer at another address.
    static func issuer(at origin: String, path: String = "/\(tenantID)/v2.0/") -> JSONValue {
        ["iss": .string(origin + path)]
    }

    static let rows: [Row] = [
        Row(name: "good"),
        Row(name: "second audience of the list", claims: ["aud": "app-2"]),
        Row(name: "several audiences in the token", claims: ["aud": ["app-9", "app-2"]]),
        Row(name: "audience left to the token", claims: ["aud": "app-9"], metadata: [("issuer", issuer)]),
        Row(
            name: "audiences with commas", claims: ["aud": "app-2"],
            metadata: [("issuer", issuer), ("IdTokenAudience", "app-1, app-2")]),
        Row(
            name: "none of the audiences with commas", claims: ["aud": "app-3"],
            metadata: [("issuer", issuer), ("IdTokenAudience", "app-1, app-2")], refusal: "takes app-1, app-2"),
        Row(name: "other audience", claims: ["aud": "app-3"], refusal: "the audience of the bearer token is app-3"),
        Row(name: "not valid yet", claims: ["nbf": .integer(4_000_000_000)], refusal: "not valid before 2096-10-02"),
        Row(name: "no audience", claims: ["aud": nil], refusal: "the audience of the bearer token is (none)"),
        Row(
            name: "other tenant", claims: issuer(at: "https://contoso.b2clogin.com", path: "/0f/v2.0/"),
            refusal: "the issuer of the bearer token is https://contoso.b2clogin.com/0f/v2.0/"),
        Row(
            name: "other form of the issuer",
            claims: issuer(at: "https://contoso.b2clogin.com", path: "/tfp/\(tenantID)/b2c_1a_hint/v2.0/"),
            refusal: "takes \(issuer)"),
        Row(
            name: "no slash at the end",
            claims: issuer(at: "https://contoso.b2clogin.com", path: "/\(tenantID)/v2.0"), refusal: "takes \(issuer)"),
        Row(name: "no issuer in the token", claims: ["iss": nil], refusal: "the issuer of the bearer token is (none)"),
        Row(
            name: "no issuer in the profile", metadata: [("audience", audience)],
            refusal: "technical profile Authorize names no issuer"),
        Row(
            name: "other host of the tenant", claims: issuer(at: "https://login.contoso.test"),
            refusal: "takes \(issuer)"),
        Row(
            name: "loopback issuer where only the tenant's hosts are served",
            claims: issuer(at: "http://127.0.0.1:9463"), refusal: "http://127.0.0.1:9463"),
        // A mock that listens somewhere names itself in its tokens, and policies name the service.
        Row(
            name: "mock at loopback", claims: issuer(at: "http://127.0.0.1:9463"), origin: "http://127.0.0.1:9463",
            isOnTheNetwork: true),
        Row(
            name: "mock at another name of loopback", claims: issuer(at: "http://localhost:9463"),
            origin: "http://127.0.0.1:9463", isOnTheNetwork: true),
        Row(
            name: "mock at a name of its own", claims: issuer(at: "http://mock:9463"), origin: "http://mock:9463",
            isOnTheNetwork: true),
        Row(
            name: "mock at the tenant's host with a port", claims: issuer(at: "https://contoso.b2clogin.com:8443"),
            origin: "https://contoso.b2clogin.com:8443", isOnTheNetwork: true),
        Row(name: "the tenant's issuer at a mock", origin: "http://127.0.0.1:9463", isOnTheNetwork: true),
        Row(
            name: "policy made for a mock", claims: issuer(at: "http://127.0.0.1:9463"),
            metadata: [("issuer", "http://localhost:9463/\(tenantID)/v2.0/")], origin: "http://127.0.0.1:9463",
            isOnTheNetwork: true),
        Row(
            name: "other host of the tenant with a port", claims: issuer(at: "https://login.contoso.test:8443"),
            origin: "https://login.contoso.test:8443", isOnTheNetwork: true, refusal: "takes \(issuer)"),
        Row(
            name: "other tenant at a mock", claims: issuer(at: "http://127.0.0.1:9463", path: "/0f/v2.0/"),
            origin: "http://127.0.0.1:9463", isOnTheNetwork: true, refusal: "takes \(issuer)"),
        Row(
            name: "made-up host at a mock", claims: issuer(at: "https://login.evil.test"),
            origin: "http://127.0.0.1:9463", isOnTheNetwork: true, refusal: "login.evil.test"),
        Row(
            name: "policy that names a made-up host", claims: issuer(at: "http://127.0.0.1:9463"),
            metadata: [("issuer", "https://login.evil.test/\(tenantID)/v2.0/")], origin: "http://127.0.0.1:9463",
            isOnTheNetwork: true, refusal: "takes https://login.evil.test/"),
        Row(
            name: "other audience at a mock",
            claims: ["iss": .string("http://127.0.0.1:9463/\(tenantID)/v2.0/"), "aud": "app-3"],
            origin: "http://127.0.0.1:9463", isOnTheNetwork: true, refusal: "the audience of the bearer token is app-3"),
    ]

    @Test(arguments: rows) func `the profile's claims are asked for`(_ row: Row) throws {
        var world = try TestWorld(
            patch: ["hosts": ["contoso.b2clogin.com", "login.contoso.test"]],
            custom: [try CustomPolicies.userInfo(metadata: row.metadata)])
        #expect(world.tenant.id.description == Self.tenantID)
        world.authority.servesAnyAddress = row.isOnTheNetwork
        let now = world.now.secondsSinceEpoch
        let good: JSONValue = ["iss": .string(Self.issuer), "aud": "app-1", "sub": "s-1", "exp": .integer(now + 600)]
        let key = TestKeys.named("tenant")
        let token = JWS.sign(
            header: ["alg": "RS256", "kid": .string(key.kid)],
            claims: try #require(good.merging(patch: row.claims).objectValue), key: key)
        let url = try #require(
            WebURL("\(row.origin)/contoso.onmicrosoft.com/B2C_1A_hint/openid/v2.0/userinfo"))
        let response = world.send(
            RequestMessage(method: "GET", url: url, headers: ["Authorization": "Bearer \(token)"]))
        if let refusal = row.refusal {
            #expect(response.status == 401)
            #expect(response.headers["WWW-Authenticate"] == #"Bearer error="invalid_token""#)
            #expect(response.refusal?.contains(refusal) == true, "\(response.refusal ?? "")")
        } else {
            #expect(response.status == 200, "\(response.refusal ?? "")")
            #expect(response.json == ["objectId": "s-1"])
        }
    }
}
