import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import Clients

@Suite struct AuthorityTests {
    struct Form: Sendable {
        var url: String
        var kind = MSALAuthority.Kind.b2c
        var text: String
        var realm: String
        var environment: String
    }

    static let forms: [Form] = [
        Form(
            url: Stage.susi, text: Stage.susi, realm: "contoso.onmicrosoft.com", environment: "contoso.b2clogin.com"),
        Form(
            url: Stage.susi + "?p=1#f", text: Stage.susi, realm: "contoso.onmicrosoft.com",
            environment: "contoso.b2clogin.com"),
        Form(
            url: "https://Login.Contoso.Test:8443/TFP/Tenant/Policy",
            text: "https://Login.Contoso.Test:8443/TFP/Tenant/Policy",
            realm: "Tenant", environment: "login.contoso.test:8443"),
        Form(
            url: "https://contoso.b2clogin.com:443/t/B2C_1_x", text: "https://contoso.b2clogin.com:443/t/B2C_1_x",
            realm: "/t/B2C_1_x", environment: "contoso.b2clogin.com"),
        Form(url: "http://h/tfp/t/p", text: "http://h/tfp/t/p", realm: "/tfp/t/p", environment: "h:80"),
        Form(
            url: "https://login.microsoftonline.com/Common/x/y", kind: .aad,
            text: "https://login.microsoftonline.com/common", realm: "common",
            environment: "login.microsoftonline.com"),
        Form(
            url: "https://login.test:444/Tenant?x", kind: .aad, text: "https://login.test:444/tenant", realm: "tenant",
            environment: "login.test:444"),
    ]

    @Test(arguments: forms)
    func `each class normalises in its own way`(form: Form) throws {
        let url = try #require(WebURL(form.url))
        let authority = form.kind == .b2c ? MSALAuthority.b2c(url) : try MSALAuthority.aad(url).get()
        #expect(authority.text == form.text)
        #expect(authority.realm == form.realm)
        if form.environment != "h:80" { #expect(authority.environment == form.environment) }
    }

    @Test func `the metadata's address is below the authority, with or without a slash at its end`() throws {
        for text in [Stage.susi, Stage.susi + "/"] {
            let authority = MSALAuthority.b2c(try #require(WebURL(text)))
            #expect(authority.metadataURL.description == Stage.susi + "/v2.0/.well-known/openid-configuration")
        }
    }

    @Test func `instance discovery once a host; the cache is kept under the preferred name and found under all`()
        async throws
    {
        let stage = try Stage(Stage.workforce)
        let result = try await stage.acquire().result
        #expect(
            stage.authority.requests.first?.url.description.hasPrefix(
                "https://login.microsoftonline.com/common/discovery/instance?api-version=1.1&authorization_endpoint=")
                == true)
        #expect(result?["authority"] == .string("https://login.microsoftonline.com/\(FakeAuthority.tenantID)"))
        let token = try await stage.cache()["accessTokens"]?[0]
        #expect(token?["environment"] == "login.windows.net")
        #expect(token?["realm"] == .string(FakeAuthority.tenantID))
        stage.authority.forget()
        #expect(try await stage.silent().row == .success)
        #expect(stage.authority.requests.isEmpty)
        #expect(try await stage.silent(SilentParameters(forceRefresh: true)).row == .success)
        #expect(
            stage.authority.requests.map(\.url.path) == [
                "/\(FakeAuthority.tenantID)/v2.0/.well-known/openid-configuration",
                "/\(FakeAuthority.tenantID)/oauth2/v2.0/token",
            ])
    }

    @Test func `a silent call of a directory tenant may fail offline although its token is good`() async throws {
        let stage = try Stage(Stage.workforce)
        try await stage.signIn()
        await stage.client.restart()
        stage.authority.change { $0.instanceAnswers = [.fail(.offline), .fail(.offline)] }
        #expect(try await stage.silent().row == .foreign("NSURLErrorDomain", -1009))
        #expect(try await stage.silent().row == .success)
    }

    @Test func `an unknown host is asked for at the world-wide one; a refusal is remembered`() async throws {
        let url = "https://login.contoso.test/common"
        let stage = try Stage(
            Stage.workforce, patch: Stage.client(["authority": .string(url), "knownAuthorities": []]))
        let refusal = FakeAuthority.Answer.json(400, ["error": "invalid_instance", "error_description": "AADSTS50049"])
        stage.authority.change { $0.instanceAnswers = [refusal] }
        let outcome = try await stage.acquire()
        #expect(outcome.row == .msal(-50000, -42010))
        #expect(outcome.error?.oauthError == "invalid_instance")
        #expect(stage.authority.requests.map(\.url.host) == ["login.microsoftonline.com"])
        #expect(try await stage.acquire().row == .msal(-50000, -42010))
        #expect(stage.authority.requests.count == 1)

        let known = try Stage(
            Stage.workforce, patch: Stage.client(["authority": .string(url), "knownAuthorities": [.string(url)]]))
        known.authority.change { $0.instanceAnswers = [refusal] }
        #expect(try await known.acquire().row == .success)
    }

    @Test(arguments: [
        [:] as JSONValue, [], ["tenant_discovery_endpoint": "https://x.test", "metadata": [["aliases": []]]],
    ])
    func `broken instance metadata are refused`(json: JSONValue) async throws {
        let stage = try Stage(Stage.workforce)
        stage.authority.change { $0.instanceAnswers = [.json(200, json)] }
        let outcome = try await stage.acquire()
        #expect(outcome.row == .msal(-50000, -42010) || outcome.row == .msal(-50000, -42600))
    }

    @Test func `a custom domain writes the tenant as its id; another host of the tenant can be named`() async throws {
        let stage = try Stage(patch: ["hosts": ["contoso.b2clogin.com", "login.contoso.test"]])
        let custom = try await stage.browse(
            InteractiveParameters(authority: AuthorityChoice(host: "login.contoso.test")))
        #expect(
            custom.url.description.hasPrefix(
                "https://login.contoso.test/tfp/\(FakeAuthority.tenantID)/B2C_1_susi/oauth2/v2.0/authorize?"))
    }

    @Test func `a browser is sent to the authority's host, whatever host the metadata names`() async throws {
        let stage = try Stage()
        stage.authority.change {
            $0.metadataAnswers = [
                .json(
                    200,
                    [
                        "issuer": "i", "authorization_endpoint": "https://elsewhere.test/path/authorize?p=lost",
                        "token_endpoint": "https://elsewhere.test/path/token?p=kept",
                    ])
            ]
        }
        let step = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        guard case .browse(let request, let session) = step else {
            Issue.record("no browser")
            return
        }
        #expect(request.url.host == "contoso.b2clogin.com")
        #expect(request.url.path == "/path/authorize")
        #expect(request.url.queryItems["p"] == nil)
        _ = try await stage.client.finish(session, try stage.end(session, .code("c")), lane: stage.lane)
        #expect(stage.authority.tokenRequests.first?.url.description == "https://elsewhere.test/path/token?p=kept")
    }
}
