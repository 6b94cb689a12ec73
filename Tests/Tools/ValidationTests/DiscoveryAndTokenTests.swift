import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing
import Validation

struct DiscoveryTests {
    private let tenant = "11111111-2222-3333-4444-555555555555"

    private func document(_ patch: JSONValue) -> String {
        let base = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi"
        let good: JSONValue = [
            "issuer": .string("https://contoso.b2clogin.com/\(tenant)/v2.0/"),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "response_types_supported": ["code", "id_token"],
        ]
        return JSONWriter.pretty(good.merging(patch: patch))
    }

    static let documents: [(JSONValue, [String])] = [
        ([:], []),
        (["token_endpoint": nil], ["B2C-DISC-001"]),
        (["issuer": 3], ["B2C-DISC-001"]),
        (
            ["token_endpoint": "http://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token"],
            ["B2C-DISC-002"]
        ),
        (["issuer": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/"], ["B2C-DISC-003"]),
        (["issuer": "https://contoso.b2clogin.com/11111111-2222-3333-4444-555555555555/v2.0"], ["B2C-DISC-003"]),
        (
            ["token_endpoint": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_edit/oauth2/v2.0/token"],
            ["B2C-DISC-004"]
        ),
        (["response_types_supported": ["id_token"]], ["B2C-DISC-009"]),
    ]

    @Test(arguments: documents)
    func `a discovery document`(patch: JSONValue, rules: [String]) {
        let result = Validator.validate(project(("openid-configuration.json", document(patch))))
        #expect(result.diagnostics.map(\.rule) == rules)
    }

    static let asked: [(address: String, patch: JSONValue, rules: [String])] = [
        ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", [:], ["B2C-DISC-005"]),
        ("https://login.contoso.example/contoso.onmicrosoft.com/b2c_1_susi", [:], ["B2C-DISC-004", "B2C-DISC-005"]),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_edit", [:], ["B2C-DISC-004", "B2C-DISC-005"]),
        (
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi",
            ["id_token_signing_alg_values_supported": ["HS256"], "scopes_supported": ["email"]],
            ["B2C-DISC-005", "B2C-DISC-009"]
        ),
    ]

    @Test(arguments: asked)
    func `a document is held against the address it came from`(
        address: String, patch: JSONValue, rules: [String]
    ) throws {
        let document = try JSONDocument(file: "d", bytes: Array(document(patch).utf8))
        let url = try #require(WebURL(address + "/v2.0/.well-known/openid-configuration"))
        let found = Set(DiscoverySubject.findings(document: document, address: url).map(\.diagnostic.rule))
        #expect(found.sorted() == rules)
    }

    @Test func `a document is held against the tenant file`() throws {
        func judge(_ id: String, _ policy: String, patch: JSONValue = [:]) throws -> [String] {
            let tenant = try Tenant(
                json: ["name": "contoso", "id": .string(id), "policies": ["susi": ["id": .string(policy)]]])
            let document = try JSONDocument(file: "d", bytes: Array(document(patch).utf8))
            return DiscoverySubject.findings(document: document, tenant: tenant).map(\.diagnostic.rule)
        }
        #expect(try judge(tenant, "B2C_1_susi").isEmpty)
        #expect(try judge("21111111-2222-3333-4444-555555555555", "B2C_1_susi") == ["B2C-DISC-003"])
        #expect(try judge(tenant, "B2C_1_other") == ["B2C-DISC-004"])
        let elsewhere: JSONValue = ["issuer": .string("https://login.other.example/\(tenant)/v2.0/")]
        #expect(try judge(tenant, "B2C_1_susi", patch: elsewhere) == ["B2C-DISC-003"])
        // A mock on this machine stands for any host.
        let mock: JSONValue = ["issuer": .string("https://localhost:9443/\(tenant)/v2.0/")]
        #expect(try judge(tenant, "B2C_1_susi", patch: mock).isEmpty)
    }

    @Test func `a key set`() {
        let good = JSONValue.object(TestKeys.named("one").jwk.json)
        func judge(_ keys: JSONValue...) -> [String] {
            placed(
                Validator.validate(
                    project(("keys.json", JSONWriter.compact(["keys": .array(keys)])))))
        }
        #expect(judge(good).isEmpty)
        #expect(judge(good, good) == ["B2C-DISC-008@1"])
        #expect(judge(good.merging(patch: ["d": "x"])) == ["B2C-DISC-007@1"])
        #expect(judge(good.merging(patch: ["kid": nil])) == ["B2C-DISC-006@1"])
        #expect(judge(good.merging(patch: ["n": nil])) == ["B2C-DISC-006@1"])
    }
}

struct TokenTests {
    private let key = TestKeys.named("one")
    private let claims: JSONValue = [
        "iss": "https://contoso.b2clogin.com/11111111-2222-3333-4444-555555555555/v2.0/", "aud": "api",
        "tfp": "B2C_1_susi", "exp": 1_767_272_400, "nbf": 1_767_268_800, "iat": 1_767_268_800, "scp": "tasks.read",
    ]

    private func token(_ patch: JSONValue = [:]) -> String {
        let header: JSONObject = ["alg": "RS256", "kid": .string(key.kid), "typ": "JWT"]
        return JWS.sign(header: header, claims: claims.merging(patch: patch).objectValue ?? [:], key: key)
    }

    private func failed(
        _ token: String, _ change: (inout TokenSubject.TokenExpectation) -> Void = { _ in }
    ) -> [String] {
        var expected = TokenSubject.TokenExpectation(
            keys: JWKSet(keys: [key.jwk]), audiences: ["api"], policies: ["b2c_1_SUSI"],
            scopes: ["https://contoso.onmicrosoft.com/tasks/tasks.read"], now: noon)
        change(&expected)
        return TokenSubject(token, expected: expected).checks.filter { $0.outcome == .failed }.map(\.rule)
    }

    @Test func `a good token passes, and each thing wrong with one is named`() throws {
        #expect(failed(token()).isEmpty)
        #expect(failed(" \(token())\n").isEmpty)
        #expect(failed("m1.abc") == ["B2C-TOK-001"])
        #expect(failed(String(token().dropLast(8)) + "AAAAAAAA") == ["B2C-TOK-003"])
        #expect(failed(token(), { $0.keys = JWKSet(keys: [TestKeys.named("two").jwk]) }) == ["B2C-TOK-003"])
        #expect(failed(token(["iss": "https://login.example/x"])) == ["B2C-TOK-004"])
        #expect(failed(token(), { $0.issuer = "https://other.example/" }) == ["B2C-TOK-004"])
        // The issuer of a mock-server is good if the discovery document says so.
        let local = "http://localhost:9400/11111111-2222-3333-4444-555555555555/v2.0/"
        #expect(failed(token(["iss": .string(local)]), { $0.issuer = local }).isEmpty)
        #expect(failed(token(["iss": .string(local)]), { $0.issuer = local + "x" }) == ["B2C-TOK-004"])
        #expect(failed(token(), { $0.audiences = ["other"] }) == ["B2C-TOK-005"])
        #expect(failed(token(["tfp": nil])) == ["B2C-TOK-006"])
        #expect(failed(token(["tfp": "B2C_1_edit"])) == ["B2C-TOK-006"])
        #expect(failed(token(["tfp": nil, "acr": "b2c_1_susi"])).isEmpty)
        #expect(failed(token(), { $0.scopes = ["tasks.write"] }) == ["B2C-TOK-008"])
        #expect(failed(token(["exp": "1767272400"])) == ["B2C-TOK-009"])
    }

    @Test(arguments: [
        ("http://127.0.0.1:9400", "http://localhost:9400", "127.0.0.1:9400", "localhost:9400"),
        ("http://localhost:9401", "http://localhost:9400", "localhost:9401", "localhost:9400"),
        ("https://contoso.b2clogin.com", "https://login.contoso.test", "contoso.b2clogin.com", "login.contoso.test"),
    ])
    func `a token of another host names both`(of: String, read: String, actual: String, wanted: String) {
        let path = "/11111111-2222-3333-4444-555555555555/v2.0/"
        let expected = TokenSubject.TokenExpectation(issuer: read + path, now: noon)
        let checks = TokenSubject(token(["iss": .string(of + path)]), expected: expected).checks
        #expect(
            checks.first { $0.rule == "B2C-TOK-004" }?.text
                == "hosts differ: the issuer of the token is at \(actual), that of the discovery document at \(wanted)")
    }

    @Test(arguments: [
        (TimeSpan.minutes(64), [] as [String]), (.minutes(66), ["B2C-TOK-007"]), (.minutes(-4), []),
        (.minutes(-6), ["B2C-TOK-007"]),
    ])
    func `times have a tolerance of five minutes`(after: TimeSpan, rules: [String]) {
        #expect(failed(token(), { $0.now = noon + after }) == rules)
    }
}
