import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Testing

@Suite struct ClaimsTests {
    /// What each scope returns (Microsoft docs: access-tokens).
    @Test(arguments: [
        ("openid", false, true, false),
        ("openid offline_access", false, true, true),
        ("{client}", true, false, false),
        ("openid offline_access {client}", true, true, true),
        ("https://contoso.onmicrosoft.com/tasks/read openid profile offline_access", true, true, true),
        ("https://contoso.onmicrosoft.com/tasks/read", true, false, false),
        ("https://contoso.onmicrosoft.com/tasks/read https://contoso.onmicrosoft.com/tasks/write", true, false, false),
    ]) func `tokens depend on the scope`(_ scope: String, _ access: Bool, _ id: Bool, _ refresh: Bool) throws {
        var world = try TestWorld()
        let parts = scope.split(separator: "{client}", omittingEmptySubsequences: false)
        let tokens = try world.tokens(scope: parts.joined(separator: world.clientID("ios")))
        #expect((tokens["access_token"] != nil) == access)
        #expect((tokens["id_token"] != nil) == id)
        #expect((tokens["refresh_token"] != nil) == refresh)
        #expect((tokens["expires_in"] != nil) == access)
        #expect((tokens["resource"] != nil) == access)
        #expect(tokens["token_type"] == "Bearer")
    }

    @Test func `the client id is a scope`() throws {
        var world = try TestWorld()
        let tokens = try world.tokens(scope: "openid offline_access \(world.clientID("ios"))")
        let claims = try world.verified(tokens["access_token"])
        #expect(claims["aud"]?.stringValue == world.clientID("ios"))
        #expect(claims["scp"] == nil)
        #expect(tokens["scope"]?.stringValue == world.clientID("ios"))
    }

    /// More scopes than granted: the granted ones are given, and `scp` names only them.
    @Test func `a token has granted scopes only`() throws {
        var world = try TestWorld()
        let tokens = try world.tokens(
            scope: "openid https://contoso.onmicrosoft.com/tasks/read https://contoso.onmicrosoft.com/tasks/write")
        #expect(try world.verified(tokens["access_token"])["scp"] == "read")
        #expect(tokens["scope"] == "https://contoso.onmicrosoft.com/tasks/read")
    }

    /// Without `client_info=1` the response has the older members, and never both.
    @Test func `the older response has profile_info`() throws {
        var world = try TestWorld()
        let code = try world.code(
            "ios", [("scope", "https://contoso.onmicrosoft.com/tasks/read openid offline_access")])
        let response = try world.token(
            "ios", [("grant_type", "authorization_code"), ("code", code), ("code_verifier", TestWorld.verifier)])
        let body = try #require(response.json?.objectValue)
        #expect(
            body.keys == [
                "access_token", "id_token", "token_type", "not_before", "expires_in", "expires_on", "resource",
                "id_token_expires_in", "profile_info", "scope", "refresh_token", "refresh_token_expires_in",
            ])
        let info = try #require(ProfileInfo.decode(body["profile_info"]?.stringValue ?? ""))
        #expect(info.keys == ["ver", "tid", "sub", "name", "preferred_username", "idp"])
        #expect(info["name"] == "Ada")
        #expect(info["idp"] == "LocalAccount")
    }

    @Test func `numbers are texts if the policy says so`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["tokens": ["jsonNumbers": false]]]])
        let tokens = try world.tokens(scope: "openid https://contoso.onmicrosoft.com/tasks/read")
        #expect(tokens["expires_in"] == "3600")
        #expect(tokens["not_before"]?.stringValue == String(world.now.secondsSinceEpoch))
    }

    @Test func `acr replaces tfp if the policy says so`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["tokens": ["policyClaim": "acr"]]]])
        let claims = try world.verified(try world.tokens()["id_token"])
        #expect(claims["acr"] == "b2c_1_susi")
        #expect(claims["tfp"] == nil)
    }

    @Test func `the subject says that it is not supported`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["tokens": ["subject": "notSupported"]]]])
        let tokens = try world.tokens()
        let claims = try world.verified(tokens["id_token"])
        #expect(claims["sub"] == "Not supported currently. Use oid claim.")
        let ada = try #require(world.tenant.user(named: "ada")).objectId
        let info = try #require(ClientInfo(encoded: tokens["client_info"]?.stringValue ?? ""))
        #expect(info.uid == "\(ada)-b2c_1_susi")
    }

    @Test func `tokens have their lifetimes`() throws {
        var world = try TestWorld(
            patch: [
                "policies": ["susi": ["tokens": ["accessToken": "PT5M", "idToken": "PT10M", "refreshToken": "P1D"]]]
            ])
        let now = world.now.secondsSinceEpoch
        let tokens = try world.tokens(scope: "openid offline_access https://contoso.onmicrosoft.com/tasks/read")
        #expect(tokens["expires_in"] == .integer(300))
        #expect(tokens["refresh_token_expires_in"] == .integer(86_400))
        #expect(try world.verified(tokens["access_token"])["exp"] == .integer(now + 300))
        #expect(try world.verified(tokens["id_token"])["exp"] == .integer(now + 600))
    }

    // MARK: the authorize endpoint's own tokens

    /// Response members by response type, in order.
    @Test(arguments: [
        ("code", ["state", "client_info", "code"]),
        ("code id_token", ["state", "client_info", "code", "id_token"]),
        ("id_token code", ["state", "client_info", "code", "id_token"]),
        ("code token", ["state", "client_info", "code", "access_token", "token_type", "expires_in", "scope"]),
        (
            "code id_token token",
            ["state", "client_info", "code", "access_token", "token_type", "expires_in", "scope", "id_token"]
        ),
        ("id_token", ["id_token", "client_info", "state"]),
        ("token", ["access_token", "token_type", "expires_in", "scope", "client_info", "state"]),
        (
            "id_token token",
            ["access_token", "token_type", "expires_in", "scope", "id_token", "client_info", "state"]
        ),
    ]) func `members depend on the response type`(_ type: String, _ members: [String]) throws {
        var world = try TestWorld()
        let start = try world.authorize(
            "ios",
            [("response_type", type), ("scope", "openid https://contoso.onmicrosoft.com/tasks/read")])
        let end = try world.signIn(on: start)
        let location = try #require(end.location, "\(end.refusal ?? "")")
        let items = type == "code" ? location.queryItems : location.fragmentItems
        #expect(items.items.map(\.name) == members)
        if let idToken = items["id_token"] {
            let claims = try world.verified(.string(idToken))
            #expect((claims["c_hash"] != nil) == (items["code"] != nil))
            #expect((claims["at_hash"] != nil) == (items["access_token"] != nil))
        }
    }

    @Test func `a response comes by form post`() throws {
        var world = try TestWorld()
        let end = try world.signIn(on: try world.authorize("web", [("response_mode", "form_post")]))
        #expect(end.status == 200)
        #expect(end.text.contains("action='https://web.contoso.test/cb'"))
        #expect(end.text.contains("name='code' value='eyJraWQi"))
        #expect(end.text.contains("<noscript>"))
    }

    @Test func `a response comes in the fragment`() throws {
        var world = try TestWorld()
        let end = try world.signIn(on: try world.authorize("spa", [("response_mode", "fragment")]))
        #expect(end.headers["Location"]?.hasPrefix("https://tasks.contoso.test/#state=st%2f1&client_info=") == true)
    }

    @Test func `a response has no client_info and state unless asked`() throws {
        var world = try TestWorld()
        let end = try world.signIn(on: try world.authorize("ios", [("client_info", nil), ("state", nil)]))
        #expect(end.location?.queryItems.items.map(\.name) == ["code"])
    }
}
