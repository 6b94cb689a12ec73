import B2CTesting
import Foundation
import JOSE
import JSON
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A tenant inside a test.
@Suite struct TestTenantTests {
    private func json(_ data: Data) throws -> JSONValue { try JSONParser.parse(Array(data)) }

    @Test func `a session of the app reaches it at its own host names`() async throws {
        let tenant = try await TestTenant()
        let (data, response) = try await tenant.session.data(from: tenant.metadataURL())
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let document = try json(data)
        #expect(document["issuer"]?.stringValue?.hasPrefix("https://contoso.b2clogin.com/") == true)
        let keys = try #require(document["jwks_uri"]?.stringValue.flatMap { URL(string: $0) })
        let published = try json(try await tenant.session.data(from: keys).0)["keys"]?.arrayValue ?? []
        let token = try #require(JWS(compact: try await tenant.token(as: "ada")))
        #expect(published.contains { $0["kid"] == token.header["kid"] })
    }

    @Test func `people sign in; somebody without an account signs up with the code of the inbox`() async throws {
        let tenant = try await TestTenant()
        #expect(JWS(compact: try await tenant.token(as: "ada"))?.claims?["scp"] == "read")
        #expect(JWS(compact: try await tenant.token(as: "ada", app: "spa", kind: .id))?.claims?["name"] == "Ada")
        #expect(tenant.inbox(of: "nina").isEmpty)
        #expect(JWS(compact: try await tenant.token(as: "nina", kind: .id))?.claims?["name"] == "Nina")
        #expect(tenant.inbox(of: "nina").last?.code != nil)
        #expect(tenant.inbox(of: "ada").isEmpty)
    }

    @Test func `an app's settings are those of its tokens`() async throws {
        let tenant = try await TestTenant()
        let claims = try #require(JWS(compact: try await tenant.token(as: "ada"))?.claims)
        #expect(claims["aud"] == .string(try tenant.audience()))
        #expect(try tenant.scopes().first?.hasSuffix("/\(claims["scp"]?.stringValue ?? "")") == true)
        #expect(try tenant.redirectURI().contains("://") && (try tenant.redirectURI(of: "spa")).hasPrefix("http"))
    }

    @Test func `an unknown name is reported with the known ones`() async throws {
        let tenant = try await TestTenant()
        func text(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return ""
            } catch { return "\(error)" }
        }
        #expect(await text { _ = try await tenant.token(as: "adda") }.contains("Did you mean ada?"))
        #expect(await text { _ = try await tenant.token(as: "ada", app: "iso") }.contains("ios"))
        #expect(await text { _ = try tenant.authority(policy: "sussi") }.contains("susi"))
        let bare = try await TestTenant(
            .json(#"{"name":"contoso","policies":{"susi":{}},"apps":{"a":{"registration":{"redirectUris":{}}}}}"#))
        #expect(await text { _ = try bare.redirectURI() }.contains("the app `a` has no redirect URI: add one"))
        #expect(await text { _ = try tenant.scopes(of: "task") }.contains("Did you mean tasks?"))
        #expect(
            await text { _ = try await TestTenant(.json(#"{"name":"contoso","polices":{}}"#)) }.contains("polices"))
    }

    @Test func `two tenants share nothing, at the same time`() async throws {
        async let first = TestTenant(seed: 1)
        async let second = TestTenant(seed: 2)
        let (one, two) = try await (first, second)
        one.faults.fail(at: "/openid-configuration", with: .status(503))
        one.advance(by: 3600)
        let failed = try await one.session.data(from: one.metadataURL()).1 as? HTTPURLResponse
        let good = try await two.session.data(from: two.metadataURL()).1 as? HTTPURLResponse
        #expect(failed?.statusCode == 503 && good?.statusCode == 200)
        #expect(one.now.timeIntervalSince(two.now) > 3500)
        _ = try await one.token(as: "nina")
        #expect(!one.inbox(of: "nina").isEmpty && two.inbox().isEmpty)
    }

    @Test func `faults strike as often as they are asked to, as the system reports them`() async throws {
        let tenant = try await TestTenant()
        tenant.faults.fail(with: .offline)
        await #expect(throws: URLError.self) { _ = try await tenant.session.data(from: tenant.metadataURL()) }
        let answer = try await tenant.session.data(from: tenant.metadataURL()).1 as? HTTPURLResponse
        #expect(answer?.statusCode == 200)
    }

    @Test func `changed tokens are what an API must refuse`() async throws {
        let tenant = try await TestTenant()
        let good = try await tenant.token(as: "ada")
        func claims(_ token: String) -> JSONObject { JWS(compact: token)?.claims ?? [:] }
        let expired = claims(try await tenant.changed(good, expiresIn: -600))
        #expect(Double(expired["exp"]?.intValue ?? .max) < tenant.now.timeIntervalSince1970)
        #expect(claims(try await tenant.changed(good, claims: #"{"scp":"x"}"#))["scp"] == "x")
        let kid = JWS(compact: good)?.header["kid"]
        #expect(JWS(compact: try await tenant.changed(good, signedBy: .unknown))?.header["kid"] != kid)
        #expect(JWS(compact: try await tenant.changed(good, signedBy: .none))?.header["alg"] == "none")
    }

    /// A tenant whose app has a secret and one redirect URI.
    private func tenant(_ kind: String, _ platform: String, _ uri: String) async throws -> TestTenant {
        try await TestTenant(
            .json(
                """
                { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } },
                  "apis": { "tasks": { "scopes": ["read"] } },
                  "apps": { "app": { "client": { "kind": "\(kind)", "policy": "susi", "redirectUri": "\(uri)" },
                    "registration": { "secrets": ["s3cret-of-the-app"], "redirectUris": { "\(platform)": ["\(uri)"] } } } },
                  "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
                """))
    }

    @Test(arguments: [
        ("web", "web", "https://app.contoso.test/callback"), ("msal-browser", "spa", "https://app.contoso.test/"),
        ("appauth", "native", "com.contoso.app://oauth/callback"),
    ])
    func `the secret goes with web addresses alone`(kind: String, platform: String, uri: String) async throws {
        let tenant = try await tenant(kind, platform, uri)
        #expect(JWS(compact: try await tenant.token(as: "ada"))?.claims?["scp"] == "read")
    }

    @Test(arguments: ["https://app.contoso.test/callback", "https://app.contoso.test/callback?from=b2c"])
    func `a form post becomes a query, behind that of the redirect URI`(uri: String) async throws {
        let tenant = try await tenant("web", "web", uri)
        var parts = try #require(
            URLComponents(string: "\(try tenant.authority(policy: "susi"))/oauth2/v2.0/authorize"))
        parts.queryItems = [
            URLQueryItem(name: "client_id", value: try tenant.clientID()),
            URLQueryItem(name: "redirect_uri", value: uri), URLQueryItem(name: "response_type", value: "code"),
            URLQueryItem(name: "response_mode", value: "form_post"), URLQueryItem(name: "scope", value: "openid"),
            URLQueryItem(name: "state", value: "s"), URLQueryItem(name: "nonce", value: "n"),
        ]
        let end = try await tenant.signIn(as: "ada", at: try #require(parts.url))
        #expect(end.absoluteString.count { $0 == "?" } == 1, "\(end)")
        let items = URLComponents(url: end, resolvingAgainstBaseURL: false)?.queryItems ?? []
        #expect(items.first { $0.name == "state" }?.value == "s")
        #expect(items.contains { $0.name == "code" })
        #expect(items.contains { $0.name == "from" && $0.value == "b2c" } == uri.contains("?"))
    }

    @Test func `a session of a tenant that is gone reaches nothing`() async throws {
        var tenant: TestTenant? = try await TestTenant()
        let session = try #require(tenant?.session)
        let url = try #require(try tenant?.metadataURL())
        tenant = nil
        await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
    }
}
