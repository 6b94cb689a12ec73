import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

@Suite struct DiscoveryTests {
    /// The whole document, member for member and in order.
    @Test func `the document is the recorded one`() throws {
        var world = try TestWorld()
        let response = world.send(.get(try world.url(.discovery)))
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi"
        let golden = """
            {"issuer":"https://contoso.b2clogin.com/\(world.tenant.id)/v2.0/",\
            "authorization_endpoint":"\(base)/oauth2/v2.0/authorize",\
            "token_endpoint":"\(base)/oauth2/v2.0/token",\
            "end_session_endpoint":"\(base)/oauth2/v2.0/logout",\
            "jwks_uri":"\(base)/discovery/v2.0/keys",\
            "response_modes_supported":["query","fragment","form_post"],\
            "response_types_supported":["code","code id_token","code token","code id_token token","id_token",\
            "id_token token","token","token id_token"],\
            "scopes_supported":["openid"],"subject_types_supported":["pairwise"],\
            "id_token_signing_alg_values_supported":["RS256"],\
            "token_endpoint_auth_methods_supported":["client_secret_post","client_secret_basic"],\
            "claims_supported":["name","sub","oid","emails","tfp","iss","iat","exp","aud","acr","nonce","auth_time"]}
            """
        let wanted = try JSONParser.parse(golden)
        let found = try #require(response.json)
        #expect(found.objectValue?.keys == wanted.objectValue?.keys)
        for member in try #require(wanted.objectValue).members where member.key != "claims_supported" {
            #expect(found[member.key] == member.value, "\(member.key)")
        }
        let claims = found["claims_supported"]?.arrayValue ?? []
        #expect(Set(claims) == Set(wanted["claims_supported"]?.arrayValue ?? []))
        #expect(Array(claims.suffix(7)) == ["iss", "iat", "exp", "aud", "acr", "nonce", "auth_time"])
    }

    /// No session comes of a password, so there is none to end. All other endpoints stay.
    @Test func `a policy for passwords has no end_session_endpoint`() throws {
        var world = try TestWorld()
        let document = world.send(.get(try world.url(.discovery))).json?.objectValue
        let ofPasswords = world.send(.get(try world.url(.discovery, policy: "B2C_1_ropc"))).json?.objectValue
        #expect(ofPasswords?.keys == document?.keys.filter { $0 != "end_session_endpoint" })
    }

    /// Each form of address answers in its own form, with the tenant as it was asked and the policy in lower case.
    @Test(arguments: [
        (
            "https://contoso.b2clogin.com/CONTOSO.onmicrosoft.com/B2C_1_SuSi/v2.0/.well-known/openid-configuration",
            "https://contoso.b2clogin.com/CONTOSO.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token"
        ),
        (
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration?p=B2C_1_susi",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/token?p=b2c_1_susi"
        ),
        (
            "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token"
        ),
        (
            "https://login.contoso.test/login.contoso.test/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "https://login.contoso.test/login.contoso.test/b2c_1_susi/oauth2/v2.0/token"
        ),
    ]) func `the document has the form of its address`(_ asked: String, _ token: String) throws {
        var world = try TestWorld(patch: ["hosts": ["contoso.b2clogin.com", "login.contoso.test"]])
        let response = world.send(.get(try #require(WebURL(asked))))
        #expect(response.json?["token_endpoint"]?.stringValue == token)
        let host = try #require(WebURL(asked)?.host)
        #expect(response.json?["issuer"]?.stringValue == "https://\(host)/\(world.tenant.id)/v2.0/")
    }

    /// Documents are written once, for each address and each state of the tenant.
    @Test func `documents follow address and tenant`() throws {
        var world = try TestWorld(patch: ["hosts": ["contoso.b2clogin.com", "login.contoso.test"]])
        func body(_ endpoint: AuthorityEndpoint, _ host: String = TestWorld.host) throws -> [UInt8] {
            let answer = world.send(.get(try world.url(endpoint, host: host)))
            #expect(answer.status == 200)
            #expect(answer.headers.all("Content-Type") == ["application/json; charset=utf-8"])
            return answer.body
        }
        let (discovery, keys) = (try body(.discovery), try body(.keys))
        #expect(try body(.discovery) == discovery)
        #expect(try body(.discovery, "login.contoso.test") != discovery)
        #expect(try body(.keys, "login.contoso.test") == keys)
        try world.configure(["policies": ["susi": ["tokens": ["issuer": "policy"]]]])
        #expect(try body(.discovery) != discovery)
        #expect(try body(.keys) == keys)
        try world.configure(["keySets": ["service": ["use": "k2", "publish": ["k1", "k2"]]]])
        #expect(try body(.keys) != keys)
    }

    /// A client that makes up hosts gets its documents, and the memory does not grow with them.
    @Test func `made-up hosts are forgotten`() throws {
        var world = try TestWorld()
        world.authority.servesAnyAddress = true
        for number in 0..<(2 * PublishedDocuments.limit + 1) {
            let host = "host\(number).example"
            let answer = world.send(.get(try world.url(.discovery, host: host)))
            #expect(answer.json?["token_endpoint"]?.stringValue?.hasPrefix("https://\(host)/") == true)
        }
        let policy = try #require(world.authority.configuration.policy("B2C_1_susi"))
        #expect(policy.documents.count <= PublishedDocuments.limit)
    }

    @Test func `a tenant is found by its GUID`() throws {
        var world = try TestWorld()
        let text = "https://contoso.b2clogin.com/\(world.tenant.id)/B2C_1_susi/v2.0/.well-known/openid-configuration"
        let response = world.send(.get(try #require(WebURL(text))))
        #expect(
            response.json?["jwks_uri"]?.stringValue
                == "https://contoso.b2clogin.com/\(world.tenant.id)/b2c_1_susi/discovery/v2.0/keys")
    }

    /// A B2C tenant is a directory too; the sign-in of the directory's own people is not simulated.
    @Test(arguments: ["/oauth2/authorize", "/oauth2/v2.0/authorize", "/oauth2/v2.0/logout"])
    func `other directory endpoints are not served`(_ path: String) throws {
        var world = try TestWorld()
        let url = try #require(WebURL("https://login.microsoftonline.com/contoso.onmicrosoft.com\(path)"))
        let form: FormItems = [
            "grant_type": "client_credentials", "client_id": world.clientID("web"), "client_secret": "s3cret+/=",
            "scope": "https://graph.microsoft.com/.default",
        ]
        for request in [RequestMessage.get(url), .post(url, form: form)] {
            let response = world.send(request)
            #expect(response.status == 404)
            #expect(response.refusal != nil)
        }
    }

    @Test func `the issuer names the policy if the tenant says so`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["tokens": ["issuer": "policy"]]]])
        let issuer = "https://contoso.b2clogin.com/tfp/\(world.tenant.id)/b2c_1_susi/v2.0/"
        #expect(world.send(.get(try world.url(.discovery))).json?["issuer"]?.stringValue == issuer)
        let tokens = try world.tokens()
        #expect(try world.verified(tokens["id_token"])["iss"]?.stringValue == issuer)
    }

    @Test func `keys have the members recorded`() throws {
        var world = try TestWorld()
        let response = world.send(.get(try world.url(.keys)))
        let keys = try #require(response.json?["keys"]?.arrayValue)
        #expect(keys.count == 1)
        #expect(keys[0].objectValue?.keys == ["kid", "nbf", "use", "kty", "e", "n"])
        #expect(keys[0]["nbf"] == .integer(1_493_763_266))
        #expect(keys[0]["e"] == "AQAB")
    }

    /// A roll-over with overlap: new tokens under the new key, old ones still good, until the old key goes.
    @Test func `keys roll over`() throws {
        var world = try TestWorld()
        let old = try world.tokens()
        try world.configure(["keySets": ["service": ["use": "k2", "publish": ["k1", "k2"]]]])
        world.jar.removeAll()
        let new = try world.tokens()
        func kid(_ tokens: JSONValue) -> String? {
            JWS(compact: tokens["id_token"]?.stringValue ?? "")?.header["kid"]?.stringValue
        }
        #expect(kid(old) == TestKeys.named("k1").kid)
        #expect(kid(new) == TestKeys.named("k2").kid)
        _ = try world.verified(old["id_token"])
        _ = try world.verified(new["id_token"])
        try world.configure(["keySets": ["service": ["use": "k2", "publish": ["k2"]]]])
        let published = world.send(.get(try world.url(.keys))).json.flatMap { JWKSet(json: $0) }
        #expect(published?[kid: TestKeys.named("k1").kid] == nil)
        #expect(published?.keys.first?.nbf == world.now.secondsSinceEpoch)
    }

    @Test func `the token's header names its key`() throws {
        var world = try TestWorld()
        let token = try world.tokens()["id_token"]?.stringValue ?? ""
        #expect(JWS(compact: token)?.header.keys == ["alg", "kid", "typ"])
    }

    @Test func `the token endpoint answers a preflight`() throws {
        var world = try TestWorld()
        for (origin, allowed) in [("https://tasks.contoso.test", true), ("https://web.contoso.test", false)] {
            let response = world.send(
                RequestMessage(method: "OPTIONS", url: try world.url(.token), headers: ["Origin": origin]))
            #expect((response.headers["Access-Control-Allow-Origin"] != nil) == allowed)
        }
    }
}
