import B2CProtocol
import HTTPMessages
import JSON
import TenantFiles
import Testing

struct ExchangeClassifierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var url: String
        var party: Party
        var endpoint: String
        var policy: String?
        var testDescription: String { "\(party) \(method) \(url)" }

        init(_ party: Party, _ url: String, _ endpoint: String, _ policy: String? = nil, method: String = "GET") {
            self.method = method
            self.url = url
            self.party = party
            self.endpoint = endpoint
            self.policy = policy
        }
    }

    static let host = "https://contoso.b2clogin.com"
    static let base = "\(host)/contoso.onmicrosoft.com"

    static let cases = [
        Case(
            .client, "\(host)/tfp/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            "discovery", "susi"),
        Case(.api, "\(base)/b2c_1_susi/discovery/v2.0/keys", "keys", "susi"),
        Case(.browser, "\(base)/oauth2/v2.0/authorize?p=b2c_1_edit_profile&client_id=x", "authorize", "edit"),
        Case(.client, "\(base)/B2C_1_reset/oauth2/v2.0/token", "token", "reset", method: "POST"),
        Case(.browser, "\(base)/B2C_1_susi/oauth2/v2.0/logout", "logout", "susi"),
        Case(.client, "\(base)/B2C_1A_loyalty/openid/v2.0/userinfo", "userinfo", "loyalty"),
        Case(.browser, "\(base)/B2C_1_susi/SelfAsserted?tx=a&p=B2C_1_susi", "page", "susi", method: "POST"),
        Case(.browser, "\(base)/B2C_1_susi/api/CombinedSigninAndSignup/confirmed?csrf_token=x", "page", "susi"),
        Case(.browser, "\(base)/B2C_1_susi/Phonefactor/verify?tx=a", "page", "susi", method: "POST"),
        Case(
            .browser, "\(base)/B2C_1_susi/SelfAsserted/DisplayControlAction/vbeta/c/SendCode", "page", "susi",
            method: "POST"),
        Case(.browser, "\(base)/oauth2/authresp?state=x", "page"),
        Case(.browser, "\(base)/B2C_1_unknown/oauth2/v2.0/authorize", "authorize"),
        Case(.browser, "\(host)/oauth2/nativeclient?code=x", "callback"),
        Case(.browser, "\(host)/static/tenant/x.css", "other"), Case(.browser, "\(host)/nothing", "other"),
        Case(
            .browser, "https://contos.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize",
            "authorize", "susi"),
        Case(.browser, "msauth.com.contoso.tasks://auth/?code=x", "callback"),
        Case(.browser, "https://tasks.contoso.test/#code=x", "callback"),
        Case(.browser, "https://tasks.contoso.test/elsewhere", "other"),
        Case(.client, "https://tasks.api.contoso.test/tasks", "api"),
        Case(.client, "https://graph.microsoft.com/v1.0/me", "graph"),
        Case(.browser, "https://facebook.provider.test/authorize", "provider"),
        Case(.authority, "https://facebook.provider.test/token", "provider", method: "POST"),
        Case(.authority, "https://loyalty.contoso.test/tier", "rest", method: "POST"),
        Case(.browser, "https://design.contoso.test/pages/unified.html", "template"),
        Case(
            .client, "https://login.microsoftonline.com/common/discovery/instance?api-version=1.1", "instanceDiscovery"),
        Case(
            .client, "https://login.microsoftonline.com/common/userrealm/ada@example.test?api-version=1.0", "userRealm"),
        Case(.client, "https://elsewhere.test/", "other"),
    ]

    static func classifier() throws -> (ExchangeClassifier, Tenant) {
        let patch: JSONValue = [
            "policies": ["edit": ["template": ["url": "https://design.contoso.test/pages/unified.html"]]],
            "apps": ["old": ["client": ["redirectUri": "https://contoso.b2clogin.com/oauth2/nativeclient"]]],
        ]
        let tenant = try Tenant(json: try Contoso.file().json.merging(patch: patch))
        return (ExchangeClassifier(tenant: tenant), tenant)
    }

    @Test(arguments: cases)
    func `each exchange has its word`(_ example: Case) throws {
        let (classifier, _) = try Self.classifier()
        let url = try #require(WebURL(example.url))
        let found = classifier.classify(RequestMessage(method: example.method, url: url), from: example.party)
        #expect(found.endpoint == example.endpoint)
        #expect(found.policy == example.policy)
    }

    @Test func `the app is found wherever the client id is`() throws {
        let (classifier, tenant) = try Self.classifier()
        let id = try #require(tenant.app(named: "ios")).client.clientId
        let token = try #require(WebURL("\(Self.base)/B2C_1_susi/oauth2/v2.0/token"))
        let authorize = try #require(
            WebURL("\(Self.base)/B2C_1_susi/oauth2/v2.0/authorize?client_id=\(id.uppercased())"))
        #expect(classifier.classify(.get(authorize), from: .browser).app == "ios")
        #expect(classifier.classify(.post(token, form: ["client_id": id]), from: .client).app == "ios")
        let header = BasicCredentials(user: id, password: "s").header
        let basic = RequestMessage(method: "POST", url: token, headers: ["Authorization": header])
        #expect(classifier.classify(basic, from: .client).app == "ios")
        #expect(classifier.classify(.post(token, form: ["client_id": "x"]), from: .client).app == nil)
        let callback = try #require(WebURL("com.contoso.desk://oauth/callback?code=x"))
        #expect(classifier.classify(.get(callback), from: .browser).app == "desk")
    }
}
