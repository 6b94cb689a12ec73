import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

@Suite struct SignInTests {
    @Test func `a whole sign-in gives tokens that the published keys confirm`() throws {
        var world = try TestWorld()
        let start = try world.authorize(
            "ios", [("scope", "https://contoso.onmicrosoft.com/tasks/read openid profile offline_access")])
        #expect(start.status == 200)
        let end = try world.signIn(on: start)
        #expect(end.status == 302)
        let location = try #require(end.headers["Location"])
        #expect(location.hasPrefix("msauth.com.contoso.tasks://auth/?state=st%2f1&client_info="))
        let code = try #require(end.location?.queryItems["code"])
        #expect(code.hasPrefix("eyJraWQi"))
        #expect(code.split(separator: ".").count == 5)

        let response = try world.token(
            "ios",
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", TestWorld.verifier),
                ("client_info", "1"),
                ("scope", "https://contoso.onmicrosoft.com/tasks/read openid profile offline_access"),
            ])
        #expect(response.status == 200, "\(response.text)")
        let body = try #require(response.json?.objectValue)
        #expect(
            body.keys == [
                "access_token", "id_token", "token_type", "not_before", "expires_in", "expires_on", "resource",
                "client_info", "scope", "refresh_token", "refresh_token_expires_in",
            ])
        let now = world.now.secondsSinceEpoch
        #expect(body["not_before"] == .integer(now))
        #expect(body["expires_in"] == .integer(3600))
        #expect(body["expires_on"] == .integer(now + 3600))
        #expect(body["scope"] == "https://contoso.onmicrosoft.com/tasks/read")
        #expect(body["refresh_token_expires_in"] == .integer(1_209_600))
        let ada = try #require(world.tenant.user(named: "ada")).objectId
        let info = try #require(ClientInfo(encoded: body["client_info"]?.stringValue ?? ""))
        #expect(info == ClientInfo(uid: "\(ada)-b2c_1_susi", utid: world.tenant.id.description))

        let idToken = try world.verified(body["id_token"])
        let issuer = "https://contoso.b2clogin.com/\(world.tenant.id)/v2.0/"
        #expect(
            idToken.keys == [
                "exp", "nbf", "ver", "iss", "sub", "aud", "nonce", "iat", "auth_time", "oid", "name", "emails", "tfp",
                "at_hash",
            ])
        #expect(idToken["iss"] == .string(issuer))
        #expect(idToken["ver"] == "1.0")
        #expect(idToken["sub"] == .string(ada.description))
        #expect(idToken["aud"] == .string(world.clientID("ios")))
        #expect(idToken["nonce"] == "n-0S6_WzA2Mj")
        #expect(idToken["exp"] == .integer(now + 3600))
        #expect(idToken["auth_time"] == .integer(now))
        #expect(idToken["tfp"] == "B2C_1_susi")
        #expect(idToken["name"] == "Ada")
        #expect(idToken["emails"] == ["ada@example.test"])
        #expect(idToken["at_hash"] == .string(TokenHash.s256(body["access_token"]?.stringValue ?? "")))

        let accessToken = try world.verified(body["access_token"])
        let api = try #require(world.tenant.api(named: "tasks"))
        #expect(
            accessToken.keys == [
                "iss", "exp", "nbf", "aud", "oid", "sub", "name", "emails", "tfp", "nonce", "scp", "azp", "ver", "iat",
            ])
        #expect(accessToken["aud"] == .string(api.clientId))
        #expect(accessToken["scp"] == "read")
        #expect(accessToken["azp"] == .string(world.clientID("ios")))
        #expect(body["resource"] == .string(api.clientId))
    }

    @Test func `the same seed gives the same bytes`() throws {
        var texts: [String] = []
        for _ in 0..<2 {
            var world = try TestWorld(seed: 7)
            let tokens = try world.tokens(scope: "openid offline_access")
            texts.append(JSONWriter.compact(tokens))
        }
        #expect(texts[0] == texts[1])
        var other = try TestWorld(seed: 8)
        let tokens = try other.tokens(scope: "openid offline_access")
        #expect(JSONWriter.compact(tokens) != texts[0])
    }

    @Test func `a refresh keeps the time of the sign-in, and rotates`() throws {
        var world = try TestWorld()
        let first = try world.tokens(scope: "https://contoso.onmicrosoft.com/tasks/read openid offline_access")
        world.now += .minutes(61)
        let refresh = try #require(first["refresh_token"]?.stringValue)
        let response = try world.token(
            "ios", [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_info", "1")])
        #expect(response.status == 200, "\(response.text)")
        let second = try #require(response.json)
        #expect(second["refresh_token"] != first["refresh_token"])
        let before = try world.verified(first["id_token"])
        let after = try world.verified(second["id_token"])
        #expect(after["auth_time"] == before["auth_time"])
        #expect(after["iat"] == .integer(world.now.secondsSinceEpoch))
        #expect(after["name"] == "Ada")
        #expect(after["emails"] == before["emails"])
        #expect(after["sub"] == before["sub"])
        #expect(second["scope"] == first["scope"])
    }
}
