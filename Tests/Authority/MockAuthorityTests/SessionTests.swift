import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

@Suite struct SessionTests {
    @Test func `a session answers without a page`() throws {
        var world = try TestWorld()
        _ = try world.code()
        world.now += .minutes(5)
        let second = try world.authorize("ios", [("prompt", "none")])
        #expect(second.location?.queryItems["code"] != nil)
        let again = try world.authorize("ios", [("prompt", "login")])
        #expect(PageSettings.read(html: again.text) != nil)
    }

    @Test func `the time of the sign-in stays`() throws {
        var world = try TestWorld()
        let first = try world.verified(try world.tokens()["id_token"])
        world.now += .minutes(5)
        let second = try world.verified(try world.tokens()["id_token"])
        #expect(second["auth_time"] == first["auth_time"])
        #expect(second["iat"] != first["iat"])
    }

    /// Who shares a session, by scope: another app, another policy.
    @Test(arguments: [
        ("tenant", true, true), ("application", false, true), ("policy", true, false), ("suppressed", false, false),
    ]) func `a session has its scope`(_ scope: String, _ otherApp: Bool, _ otherPolicy: Bool) throws {
        var world = try TestWorld(
            patch: [
                "policies": [
                    "*": ["session": ["scope": .string(scope)]],
                    "susi2": ["id": "B2C_1_susi2", "type": "signUpOrSignIn"],
                ]
            ])
        _ = try world.code()
        #expect((try world.authorize("spa").isRedirect) == otherApp)
        #expect((try world.authorize("ios", policy: "B2C_1_susi2").isRedirect) == otherPolicy)
        #expect((try world.authorize("ios").isRedirect) == (scope != "suppressed"))
    }

    @Test func `lifetimes are rolling or absolute`() throws {
        for rolling in [true, false] {
            var world = try TestWorld(
                patch: ["policies": ["susi": ["session": ["lifetime": "PT1H", "rolling": .bool(rolling)]]]])
            _ = try world.code()
            world.now += .minutes(40)
            #expect(try world.authorize().isRedirect)
            world.now += .minutes(40)
            #expect(try world.authorize().isRedirect == rolling)
            world.now += .hours(2)
            #expect(try !world.authorize().isRedirect)
        }
    }

    @Test func `keep me signed in has its lifetime`() throws {
        for kept in [true, false] {
            var world = try TestWorld(patch: ["policies": ["susi": ["keepSignedIn": "P7D"]]])
            let page = try #require(PageSettings.read(html: try world.authorize().text))
            #expect(page.isOn("enableRememberMe"))
            _ = try world.signIn(on: try world.authorize(), rememberMe: kept)
            let cookie = try #require(world.jar.all.first { $0.name.hasPrefix("x-ms-cpim-sso:") })
            #expect((cookie.expires != nil) == kept)
            world.jar.endSession()
            world.now += .days(6)
            #expect(try world.authorize().isRedirect == kept)
        }
    }

    // MARK: sign-out

    @Test func `a sign-out ends the session`() throws {
        var world = try TestWorld()
        _ = try world.code()
        let out = world.browse(
            .get(
                try world.url(
                    .logout, query: ["post_logout_redirect_uri": "https://anywhere.example/out", "state": "a b"])))
        #expect(out.status == 302)
        #expect(out.headers["Location"] == "https://anywhere.example/out?state=a+b")
        #expect(try !world.authorize().isRedirect)
    }

    @Test func `a sign-out without a target shows a page`() throws {
        var world = try TestWorld()
        let out = world.browse(.get(try world.url(.logout)))
        #expect(out.status == 200)
        #expect(out.text.contains("data-name=\"SignedOut\""))
    }

    @Test func `a native target is used unchanged`() throws {
        var world = try TestWorld()
        let out = world.browse(
            .get(
                try world.url(
                    .logout,
                    query: ["post_logout_redirect_uri": "msauth.com.contoso.tasks://auth", "state": "x"])))
        #expect(out.headers["Location"] == "msauth.com.contoso.tasks://auth/?state=x")
    }

    /// With the hint required: what is refused, and with which code.
    @Test func `a hint is required if the tenant says so`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["session": ["requireIdTokenInLogout": true]]]])
        let token = try #require(try world.tokens()["id_token"]?.stringValue)
        func signOut(_ hint: String?, _ uri: String) throws -> ResponseMessage {
            var query: FormItems = ["post_logout_redirect_uri": uri]
            if let hint { query.append("id_token_hint", hint) }
            return world.browse(.get(try world.url(.logout, query: query)))
        }
        let registered = "com.contoso.tasks://oauth/done"
        #expect(code(in: try signOut(nil, registered).text) == "AADB2C90272")
        #expect(code(in: try signOut("no token", registered).text) == "AADB2C90240")
        #expect(code(in: try signOut(token + "A", registered).text) == "AADB2C90239")
        #expect(code(in: try signOut(token, "https://anywhere.example/").text) == "AADB2C90006")
        #expect(try signOut(token, registered).headers["Location"] == registered)
        world.now += .hours(2)
        #expect(code(in: try signOut(token, registered).text) == "AADB2C90235")
    }

    @Test(
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", "javascript://a.test/%0aalert(1)", " javascript:1",
            "java\tscript:1", "data:text/html,x", "vbscript:x", "blob:https://a.test/x", "filesystem:https://a.test/x",
        ])
    func `a target that runs script is refused`(uri: String) throws {
        var world = try TestWorld()
        let out = world.browse(.get(try world.url(.logout, query: ["post_logout_redirect_uri": uri])))
        #expect(code(in: out.text) == "AADB2C90067")
        #expect(out.headers["Location"] == nil)
    }

    @Test func `a malformed target is refused`() throws {
        var world = try TestWorld()
        let out = world.browse(.get(try world.url(.logout, query: ["post_logout_redirect_uri": "out.html"])))
        #expect(code(in: out.text) == "AADB2C90067")
    }

    /// Sessions of one app: without the app's id the redirect works and the session stays.
    @Test func `a sign-out of application scope needs the client`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["session": ["scope": "application"]]]])
        _ = try world.code()
        _ = world.browse(.get(try world.url(.logout)))
        #expect(try world.authorize().isRedirect)
        _ = world.browse(.get(try world.url(.logout, query: ["client_id": world.clientID("ios")])))
        #expect(try !world.authorize().isRedirect)
    }

    @Test func `tokens outlive the session`() throws {
        var world = try TestWorld()
        let tokens = try world.tokens(scope: "openid offline_access")
        _ = world.browse(.get(try world.url(.logout)))
        let refreshed = try world.token(
            "ios", [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"]?.stringValue)])
        #expect(refreshed.status == 200)
    }
}
