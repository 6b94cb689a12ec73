import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

/// The token endpoint of the directory that a B2C tenant is, at login.microsoftonline.com.
@Suite struct DirectoryTokenTests {
    @Test func `the directory has its discovery document and keys`() throws {
        var world = try TestWorld.graph()
        let base = "https://login.microsoftonline.com/"
        let text = base + "contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration"
        let address = try #require(WebURL(text))
        let document = try #require(world.send(.get(address)).json)
        let id = world.tenant.id.description
        #expect(document["issuer"]?.stringValue == "\(base)\(id)/v2.0")
        #expect(document["token_endpoint"]?.stringValue == "\(base)\(id)/oauth2/v2.0/token")
        #expect(document["msgraph_host"] == "graph.microsoft.com")
        let keys = try #require(document["jwks_uri"]?.stringValue.flatMap { WebURL($0) })
        let set = try #require(world.send(.get(keys)).json.flatMap { JWKSet(json: $0) })
        let token = try #require(JWS(compact: try world.graphToken()))
        if case .failure(let error) = token.verify(in: set) { Issue.record("\(error)") }
    }

    @Test func `an app gets its own token`() throws {
        var world = try TestWorld.graph(["User.Read.All", "Mail.Send"])
        let response = try world.directoryToken()
        #expect(response.status == 200)
        #expect(response.headers["Cache-Control"] == "no-store, no-cache")
        let answer = try #require(response.json?.objectValue)
        #expect(answer.keys == ["token_type", "expires_in", "ext_expires_in", "access_token"])
        #expect(answer["expires_in"] == 3599)
        let claims = try #require(JWS(compact: answer["access_token"]?.stringValue ?? "")?.claims)
        #expect(
            claims.keys == [
                "aud", "iss", "iat", "nbf", "exp", "app_displayname", "appid", "appidacr", "idp", "idtyp", "oid",
                "roles",
                "sub", "tid", "uti", "ver", "wids",
            ])
        #expect(claims["iss"]?.stringValue == "https://sts.windows.net/\(world.tenant.id)/")
        #expect(claims["roles"] == ["User.Read.All", "Mail.Send"])
        #expect(claims["wids"] == ["fe930be7-5e62-47db-91af-98c3a49a38b1"])
        #expect(claims["oid"] == claims["sub"])
        #expect(claims["exp"] == .integer(world.now.secondsSinceEpoch + 3599))
    }

    @Test(arguments: [
        ("https://graph.microsoft.com/.default", "https://graph.microsoft.com"),
        ("https://graph.microsoft.com//.default", "https://graph.microsoft.com"),
        ("https://GRAPH.microsoft.com/.DEFAULT", "https://graph.microsoft.com"),
        ("00000003-0000-0000-c000-000000000000/.default", "00000003-0000-0000-c000-000000000000"),
        ("https://graph.microsoft.com/.default openid offline_access profile", "https://graph.microsoft.com"),
        ("OpenID profile https://graph.microsoft.com/.default", "https://graph.microsoft.com"),
    ])
    func `each way to ask for Graph has its audience`(_ scope: String, _ audience: String) throws {
        var world = try TestWorld.graph()
        let token = try world.directoryToken([("scope", scope)]).json?["access_token"]?.stringValue
        #expect(JWS(compact: token ?? "")?.claims?["aud"]?.stringValue == audience)
        #expect(try world.graph("GET", "/users", token: token).status == 200)
    }

    /// The endpoint of version 1.0, with the resource in the place of the scope and texts in the place of numbers.
    @Test(arguments: [
        ("https://graph.microsoft.com", "https://graph.microsoft.com"),
        ("https://graph.microsoft.com/", "https://graph.microsoft.com"),
        ("00000003-0000-0000-c000-000000000000", "00000003-0000-0000-c000-000000000000"),
    ])
    func `the older endpoint has its form`(_ resource: String, _ audience: String) throws {
        var world = try TestWorld.graph()
        let url = TestWorld.tokenURL.replacing("/v2.0", with: "")
        let answer = try #require(
            try world.directoryToken([("scope", nil), ("resource", resource)], url: url).json?.objectValue)
        #expect(
            answer.keys == [
                "token_type", "expires_in", "ext_expires_in", "expires_on", "not_before", "resource", "access_token",
            ])
        #expect(answer["expires_in"] == "3599" && answer["resource"]?.stringValue == resource)
        #expect(answer["expires_on"]?.stringValue == String(world.now.secondsSinceEpoch + 3599))
        let token = try #require(answer["access_token"]?.stringValue)
        #expect(JWS(compact: token)?.claims?["aud"]?.stringValue == audience)
        #expect(try world.graph("GET", "/users", token: token).status == 200)
        for (changes, number) in [
            ([("scope", nil)], 900_144), ([("scope", nil), ("resource", "https://graph.windows.net")], 500_011),
        ] as [([(String, String?)], JSONValue)] {
            #expect(try world.directoryToken(changes, url: url).json?["error_codes"] == [number])
        }
        // Policies have no such endpoint.
        let ofPolicy = try #require(WebURL(url + "?p=b2c_1_susi"))
        #expect(world.send(.post(ofPolicy, form: ["grant_type": "client_credentials"])).status == 404)
    }

    @Test func `credentials in the header are taken`() throws {
        var world = try TestWorld.graph()
        let basic = Base64.encode(Array("\(world.clientID("web")):s3cret%2B%2F%3D".utf8))
        let response = try world.directoryToken(
            [("client_id", nil), ("client_secret", nil)], headers: ["Authorization": "Basic " + basic])
        #expect(response.status == 200, "\(response.text)")
    }

    /// An app without permissions gets a token all the same, and Graph refuses it.
    @Test(
        arguments: [
            ["apps": ["web": ["registration": ["graph": [], "userAdministrator": false]]]],
            ["apps": ["web": ["registration": ["consent": "adminOnly", "userAdministrator": false]]]],
        ] as [JSONValue])
    func `an app without permissions gets a token without roles`(_ patch: JSONValue) throws {
        var world = try TestWorld.graph(patch: patch)
        let token = try world.graphToken()
        let claims = try #require(JWS(compact: token)?.claims)
        #expect(claims["roles"] == nil && claims["wids"] == nil)
        let response = try world.graph("GET", "/users", token: token)
        #expect(response.status == 403)
        #expect(response.json?["error", "code"] == "Authorization_RequestDenied")
        #expect(response.refusal?.contains("User.Read.All") == true)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var what: String
        var changes: [(String, String?)]
        var status = 400
        var error: String
        var number: Int64

        var testDescription: String { what }
    }

    @Test(arguments: [
        Refused(what: "no grant", changes: [("grant_type", nil)], error: "invalid_request", number: 900_144),
        Refused(what: "no app", changes: [("client_id", nil)], error: "invalid_request", number: 900_144),
        Refused(what: "no scope", changes: [("scope", nil)], error: "invalid_request", number: 900_144),
        Refused(
            what: "unknown app", changes: [("client_id", "99999999-2222-4333-8444-555555555555")],
            error: "unauthorized_client", number: 700_016),
        Refused(
            what: "disabled app", changes: [("client_id", "41111111-2222-4333-8444-555555555555")],
            error: "unauthorized_client", number: 7_000_112),
        Refused(
            what: "no secret", changes: [("client_secret", nil)], status: 401, error: "invalid_client",
            number: 7_000_216),
        Refused(
            what: "wrong secret", changes: [("client_secret", "guessed")], status: 401, error: "invalid_client",
            number: 7_000_215),
        Refused(
            what: "assertion", changes: [("client_secret", nil), ("client_assertion", "a.b.c")],
            error: "invalid_client", number: 700_027),
        Refused(
            what: "one permission", changes: [("scope", "https://graph.microsoft.com/User.Read.All")],
            error: "invalid_scope", number: 1_002_012),
        Refused(
            what: "two scopes",
            changes: [("scope", "https://graph.microsoft.com/.default https://graph.microsoft.com/User.Read.All")],
            error: "invalid_scope", number: 1_002_012),
        Refused(
            what: "no resource", changes: [("scope", "openid offline_access profile")], error: "invalid_scope",
            number: 1_002_012),
        Refused(
            what: "another resource", changes: [("scope", "https://graph.windows.net/.default")],
            error: "invalid_resource", number: 500_011),
        Refused(
            what: "another grant", changes: [("grant_type", "password")], error: "unsupported_grant_type",
            number: 70003),
    ])
    func `each refusal has its code`(_ refused: Refused) throws {
        var world = try TestWorld.graph()
        let response = try world.directoryToken(refused.changes)
        #expect(response.status == refused.status)
        #expect(response.json?["error"]?.stringValue == refused.error)
        #expect(response.json?["error_codes"] == [.integer(refused.number)])
        #expect(response.json?["error_description"]?.stringValue?.hasPrefix("AADSTS\(refused.number): ") == true)
        #expect(response.refusal?.isEmpty == false)
        #expect(!response.text.contains("s3cret"))
    }

    @Test func `another tenant is refused`() throws {
        var world = try TestWorld.graph()
        let response = try world.directoryToken(
            url: "https://login.microsoftonline.com/fabrikam.onmicrosoft.com/oauth2/v2.0/token")
        #expect(response.status == 400)
        #expect(response.json?["error_codes"] == [90002])
    }

    @Test func `only a POST is taken`() throws {
        var world = try TestWorld.graph()
        let response = world.send(.get(try #require(WebURL(TestWorld.tokenURL))))
        #expect(response.status == 400)
        #expect(response.json?["error_codes"] == [900_561])
    }

    /// The policies' own endpoints are where they were: at the host of the cloud with a policy, elsewhere without one.
    @Test func `addresses of policies stay`() throws {
        var world = try TestWorld.graph()
        let form: FormItems = ["grant_type": "client_credentials", "client_id": world.clientID("web")]
        let ofPolicy = "https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token?p=b2c_1_susi"
        let answer = world.send(.post(try #require(WebURL(ofPolicy)), form: form))
        #expect(answer.json?["error_description"]?.stringValue?.hasPrefix("AADB2C90079") == true)
        let ofTenant = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/token"
        let address = try #require(WebURL(ofTenant))
        #expect(world.send(.post(address, form: form)).status == 404)
    }
}
