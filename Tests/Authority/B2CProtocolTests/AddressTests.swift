import B2CProtocol
import HTTPMessages
import Testing

struct AddressTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var url: String
        var tenant: String
        var policy: String?
        var form: AuthorityForm
        var endpoint: AuthorityEndpoint
        var testDescription: String { url }

        init(_ url: String, _ tenant: String, _ policy: String?, _ form: AuthorityForm, _ endpoint: AuthorityEndpoint) {
            self.url = url
            self.tenant = tenant
            self.policy = policy
            self.form = form
            self.endpoint = endpoint
        }
    }

    static let tenant = "contoso.onmicrosoft.com"
    static let guid = "775527ff-9a37-4307-8b3d-cc311f58d925"

    static let endpoints: [(String, AuthorityEndpoint)] = [
        ("v2.0/.well-known/openid-configuration", .discovery), ("discovery/v2.0/keys", .keys),
        ("oauth2/v2.0/authorize", .authorize), ("oauth2/v2.0/token", .token), ("oauth2/v2.0/logout", .logout),
        ("openid/v2.0/userinfo", .userinfo), ("SelfAsserted", .selfAsserted),
        ("Phonefactor/verify", .phoneFactorVerify),
        (
            "SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/SendCode",
            .displayControlAction(control: "emailVerificationControl", action: "SendCode")
        ),
        (
            "api/CombinedSigninAndSignup/confirmed",
            .pageAction(api: "CombinedSigninAndSignup", action: "confirmed")
        ),
        ("client/perftrace", .clientTrace("perftrace")), ("samlp/sso/login", .saml("sso/login")),
        ("samlp/metadata", .saml("metadata")),
    ]

    @Test(arguments: endpoints.map(\.0), [tenant, guid, "login.contoso.test"])
    func `every endpoint is read in every form`(_ path: String, _ segment: String) throws {
        let endpoint = try #require(Self.endpoints.first { $0.0 == path }?.1)
        let forms: [(AuthorityForm, String)] = [
            (.path, "https://h/\(segment)/B2C_1_susi/\(path)"), (.tfp, "https://h/tfp/\(segment)/B2C_1_susi/\(path)"),
            (.query, "https://h/\(segment)/\(path)?p=B2C_1_susi"),
        ]
        for (form, text) in forms {
            let url = try #require(WebURL(text))
            let address = try #require(B2CAddress.parse(url), "\(text)")
            #expect(
                address
                    == B2CAddress(tenantSegment: segment, policy: "B2C_1_susi", form: form, endpoint: endpoint))
            #expect(endpoint.path == path)
            #expect(
                AuthorityURLs.endpoint(
                    endpoint, host: "h", tenantSegment: segment, policy: "B2C_1_susi", form: form) == text)
        }
    }

    static let cases = [
        Case("https://h/TFP/\(tenant)/b2c_1_susi/OAUTH2/V2.0/Authorize", tenant, "b2c_1_susi", .tfp, .authorize),
        Case("https://h/te/\(tenant)/B2C_1_susi/oauth2/v2.0/token", tenant, "B2C_1_susi", .te, .token),
        Case(
            "https://h/\(tenant)/B2C_1_susi/selfasserted?tx=a&p=B2C_1_other", tenant, "B2C_1_susi", .path, .selfAsserted
        ),
        Case("https://h/\(tenant)/oauth2/v2.0/logout", tenant, nil, .query, .logout),
        Case("https://h/\(tenant)/oauth2/v2.0/authorize?P=B2C_1_susi", tenant, "B2C_1_susi", .query, .authorize),
        Case("https://h/\(tenant)/oauth2/v2.0/authorize?p=", tenant, nil, .query, .authorize),
        Case("https://h/\(tenant)/oauth2/authresp", tenant, nil, .query, .authResponse),
        Case("https://h/common/discovery/instance?api-version=1.1", "common", nil, .query, .instanceDiscovery),
        Case("https://h/common/userrealm/ada@example.test?api-version=1.0", "common", nil, .query, .userRealm),
        Case("https://h/organizations/v2.0/.well-known/openid-configuration", "organizations", nil, .query, .discovery),
        Case("https://h/\(tenant)/B2C_1_susi/oauth2/v2.0/authorize/", tenant, "B2C_1_susi", .path, .authorize),
        Case(
            "https://h/static/tenant/templates/AzureBlue/unified.cshtml", "", nil, .path,
            .staticAsset("tenant/templates/AzureBlue/unified.cshtml")),
        Case("https://h/\(tenant)/api/oauth2/v2.0/token", tenant, "api", .path, .token),
    ]

    @Test(arguments: cases)
    func `other spellings are read`(_ example: Case) throws {
        let url = try #require(WebURL(example.url))
        let address = try #require(B2CAddress.parse(url))
        #expect(address.tenantSegment == example.tenant)
        #expect(address.policy == example.policy)
        #expect(address.form == example.form)
        #expect(address.endpoint == example.endpoint)
    }

    @Test(arguments: [
        "https://h/", "https://h", "https://h/\(tenant)", "https://h/\(tenant)/B2C_1_susi",
        "https://h/\(tenant)/B2C_1_susi/oauth2/v1.0/authorize", "https://h/tfp/\(tenant)/B2C_1_susi",
        "https://h/tfp/\(tenant)/oauth2/v2.0/authorize", "https://h/a/b/c/oauth2/v2.0/authorize",
        "https://h/\(tenant)/B2C_1_susi/SelfAsserted/DisplayControlAction/vbeta/x",
        "https://h/\(tenant)/B2C_1_susi/api/CombinedSigninAndSignup",
    ])
    func `other addresses are not endpoints`(_ text: String) throws {
        let url = try #require(WebURL(text))
        #expect(B2CAddress.parse(url) == nil)
    }

    @Test func `authorities are read`() {
        func authority(_ form: AuthorityForm, _ policy: String? = "B2C_1_susi") -> String {
            AuthorityURLs.authority(host: "h.test", tenantSegment: "t", policy: policy, form: form)
        }
        #expect(authority(.tfp) == "https://h.test/tfp/t/B2C_1_susi")
        #expect(authority(.path) == "https://h.test/t/B2C_1_susi")
        #expect(authority(.query) == "https://h.test/t?p=B2C_1_susi")
        #expect(authority(.tfp, nil) == "https://h.test/t")
    }
}
