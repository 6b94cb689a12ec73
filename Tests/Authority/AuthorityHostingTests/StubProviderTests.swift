import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing

/// Identity providers.
@Suite struct StubProviderTests {
    private static let redirect = "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/authresp"

    /// A provider with two people. One of them has an account there.
    struct World {
        var tenant: Tenant
        var settings: ProviderSettings
        var provider: StubProvider
        var clock: TestClock

        init(_ type: String = "oidc", _ more: JSONObject = [:]) throws {
            var entry: JSONObject = ["type": .string(type), "claims": ["tier": "free"]]
            for (key, value) in more.members { entry[key] = value }
            tenant = try Tenant(json: [
                "name": "contoso",
                "policies": ["susi": ["id": "B2C_1_susi", "providers": ["idp"]]],
                "providers": ["idp": .object(entry)],
                "users": [
                    "ada": [
                        "email": "ada@example.test", "displayName": "Ada", "givenName": "Augusta", "surname": "King",
                        "providers": ["idp": ["email": "ada@idp.test", "nickname": "countess", "family_name": nil]],
                    ],
                    "nina": ["email": "nina@example.test"],
                ],
            ])
            settings = try #require(tenant.provider(named: "idp"))
            clock = TestClock()
            provider = StubProvider(
                settings: settings, tenant: tenant, seed: SeededGenerator(seed: 7), clock: clock)
        }

        func send(_ request: RequestMessage) async throws -> ResponseMessage {
            try await provider.respond(to: request, ExchangeContext(from: .browser))
        }

        func authorize(_ changes: [(String, String?)] = []) throws -> WebURL {
            var query: FormItems = [
                "client_id": "client", "redirect_uri": StubProviderTests.redirect, "response_type": "code",
                "scope": "openid email", "state": "s t=1", "nonce": "n1",
            ]
            for (name, value) in changes { query[name] = value }
            var address = try url(settings.endpoint(.authorize))
            address.queryItems = query
            return address
        }

        func signIn(
            _ address: WebURL,
            _ form: FormItems = ["username": "ada@example.test", "password": "x", "action": "accept"],
            cookie: String? = nil
        ) async throws -> ResponseMessage {
            var request = RequestMessage.post(address, form: form)
            request.headers["Cookie"] = cookie
            return try await send(request)
        }

        func token(_ form: FormItems, headers: Headers = [:]) async throws -> ResponseMessage {
            try await send(.post(try url(settings.endpoint(.token)), form: form, headers: headers))
        }

        /// Signs Ada in and redeems the code.
        func tokens(_ changes: [(String, String?)] = []) async throws -> JSONValue {
            let answer = try await signIn(try authorize(changes))
            let code = try #require(answer.location?.queryItems["code"])
            let response = try await token([
                "grant_type": "authorization_code", "code": code, "client_id": "client", "client_secret": "anything",
                "redirect_uri": StubProviderTests.redirect,
            ])
            #expect(response.status == 200)
            return try #require(response.json)
        }
    }

    @Test(
        arguments: ["query", "fragment", "form_post"],
        ["javascript:alert(1)", "JAVASCRIPT:1", "data:text/html,x", "vbscript:1", "blob:https://a.test/1"])
    func `no address that runs script is a target`(mode: String, target: String) async throws {
        let world = try World()
        for prompt in ["none", nil] {
            let address = try world.authorize([
                ("redirect_uri", target), ("response_mode", mode), ("prompt", prompt),
            ])
            let answer = try await world.send(.get(address))
            #expect(answer.status == 400 && answer.headers["Location"] == nil)
            #expect(!answer.text.contains("<form"))
        }
        var logout = try url(world.settings.endpoint(.logout))
        logout.queryItems = ["post_logout_redirect_uri": target]
        let out = try await world.send(.get(logout))
        #expect(out.status == 400 && out.headers["Location"] == nil)
    }

    @Test func `pages are framed by nobody, are what they say they are, and run no script but the form's own`()
        async throws
    {
        let world = try World()
        let pages = [
            try await world.send(.get(try world.authorize())),
            try await world.send(.get(try world.authorize([("redirect_uri", nil)]))),
        ]
        for page in pages {
            #expect(page.headers["X-Frame-Options"] == "DENY")
            #expect(page.headers["X-Content-Type-Options"] == "nosniff")
            #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
            #expect(page.headers["Content-Security-Policy"]?.contains("script-src") == false)
        }
        let post = try await world.send(
            .get(try world.authorize([("prompt", "none"), ("response_mode", "form_post")])))
        let script = try #require(post.text.firstMatch(of: /<script>(.*?)<\/script>/)?.1)
        let hash = Base64.encode(SHA2.sha256(Array(String(script).utf8)))
        #expect(post.headers["Content-Security-Policy"]?.contains("script-src 'sha256-\(hash)'") == true)
    }

    @Test func `discovery names what answers`() async throws {
        let world = try World()
        let document = try #require(try await world.send(.get(url(world.settings.endpoint(.discovery)))).json)
        #expect(document["issuer"]?.stringValue == "https://idp.provider.test")
        #expect(document["authorization_endpoint"]?.stringValue == "https://idp.provider.test/authorize")
        let keys = try await world.send(.get(try url(document["jwks_uri"]?.stringValue ?? "")))
        #expect(JWKSet(json: keys.json ?? .null)?.keys.count == 1)
        let plain = try World("oauth2")
        #expect(try await plain.send(.get(try url(plain.settings.endpoint(.discovery)))).status == 404)
    }

    @Test func `the page asks for name and password`() async throws {
        let world = try World()
        let address = try world.authorize([("login_hint", "ada\"<x>")])
        let page = try await world.send(.get(address))
        #expect(page.status == 200)
        for part in [
            "<meta name=\"b2c-harness-page\" content=\"provider\">", "<form method=\"post\" action=\"?client_id=",
            "<label for=\"username\">", "id=\"username\" name=\"username\"", "ada&quot;&lt;x&gt;",
            "id=\"password\" name=\"password\" type=\"password\"", "id=\"accept\" name=\"action\" value=\"accept\"",
            "id=\"cancel\" name=\"action\" value=\"cancel\"",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
    }

    @Test(
        arguments: [
            ("ada@example.test", nil, nil), ("ADA", nil, nil), ("ada@idp.test", nil, nil),
            ("nina@example.test", "has no account at Idp", "\"providers\": { \"idp\": {} }"),
            ("who@example.test", "knows nobody called who@example.test", "nobody in the tenant file"),
            ("", "Enter your e-mail address", nil),
        ] as [(String, String?, String?)])
    func `anybody known by any of their names may sign in; others see why not`(
        typed: String, error: String?, refusal: String?
    ) async throws {
        let world = try World()
        let answer = try await world.signIn(
            try world.authorize(), ["username": typed, "password": "any", "action": "accept"])
        if let error {
            #expect(answer.status == 200)
            #expect(answer.text.contains(error))
            #expect(answer.text.contains("role=\"alert\""))
            if let refusal { #expect(answer.refusal?.contains(refusal) == true) }
        } else {
            #expect(answer.status == 302)
            #expect(answer.location?.queryItems["state"] == "s t=1")
            #expect(answer.location?.queryItems["code"]?.isEmpty == false)
        }
    }

    @Test(arguments: [
        ("cancel", "query", "?error=access_denied&"), ("deny", "fragment", "#error=access_denied&"),
        ("cancel", "form_post", "name=\"error\" value=\"access_denied\""),
    ])
    func `both ways to give up send access_denied back in the mode asked for`(
        action: String, mode: String, part: String
    ) async throws {
        let world = try World()
        let answer = try await world.signIn(
            try world.authorize([("response_mode", mode)]), ["username": "", "action": .init(action)])
        #expect((answer.headers["Location"] ?? answer.text).contains(part))
        #expect((answer.headers["Location"] ?? answer.text).contains("state"))
    }

    @Test(
        arguments: [
            ([("client_id", nil)], "client_id is missing"), ([("redirect_uri", nil)], "redirect_uri is missing"),
            ([("redirect_uri", "nonsense")], "redirect_uri is missing or not an address"),
            ([("redirect_uri", "https://evil.test/")], "redirect_uri_mismatch"),
        ] as [([(String, String?)], String)])
    func `what is wrong with the request itself never goes to the redirect URI`(
        changes: [(String, String?)], text: String
    ) async throws {
        let world = try World("oidc", ["redirectUris": [.string(Self.redirect)]])
        let page = try await world.send(.get(try world.authorize(changes)))
        #expect(page.status == 400)
        #expect(page.text.contains(text) && page.text.contains("id=\"errorDetail\""))
        #expect(page.refusal?.contains(text) == true)
        #expect(try await world.send(.get(try world.authorize())).status == 200)
    }

    @Test func `the ID token says who signed in`() async throws {
        let world = try World()
        let members = try await world.tokens()
        let token = try #require(JWS(compact: members["id_token"]?.stringValue ?? ""))
        let keys = try await world.send(.get(try url(world.settings.endpoint(.keys))))
        let set = try #require(JWKSet(json: keys.json ?? .null))
        guard case .success = token.verify(in: set) else {
            Issue.record("the signature does not fit")
            return
        }
        let claims = try #require(token.claims)
        let now = TestClock.start.secondsSinceEpoch
        #expect(claims["iss"] == "https://idp.provider.test")
        #expect(claims["aud"] == "client")
        #expect(claims["nonce"] == "n1")
        #expect(claims["exp"]?.intValue == now + 3600)
        #expect(claims["sub"]?.stringValue?.isEmpty == false)
        // The record, over it the claims for everybody, over it the person's own; null takes away.
        #expect(claims["name"] == "Ada")
        #expect(claims["given_name"] == "Augusta")
        #expect(claims["family_name"] == nil)
        #expect(claims["email"] == "ada@idp.test")
        #expect(claims["tier"] == "free")
        #expect(claims["nickname"] == "countess")
    }

    @Test func `the ID token comes at once if it is asked for`() async throws {
        let world = try World()
        let answer = try await world.signIn(
            try world.authorize([("response_type", "id_token"), ("response_mode", "form_post")]))
        #expect(answer.status == 200)
        #expect(answer.text.contains("id=\"auto\" method=\"post\" action=\"\(Self.redirect)\""))
        #expect(answer.text.contains("name=\"id_token\""))
        let refused = try await world.send(.get(try world.authorize([("response_type", "token")])))
        #expect(refused.location?.queryItems["error"] == "unsupported_response_type")
    }

    @Test(arguments: ["header", "query", "wrong", "none"])
    func `user info answers the access token, wherever it is`(place: String) async throws {
        let world = try World("oauth2")
        let members = try await world.tokens([("scope", "email")])
        #expect(members["id_token"] == nil)
        let token = try #require(members["access_token"]?.stringValue)
        var address = try url(world.settings.endpoint(.userinfo))
        var headers: Headers = [:]
        switch place {
        case "header": headers["Authorization"] = "Bearer \(token)"
        case "query": address.queryItems = ["access_token": token]
        case "wrong": headers["Authorization"] = "Bearer x\(token)"
        default: break
        }
        let response = try await world.send(.get(address, headers: headers))
        if place == "header" || place == "query" {
            #expect(response.json?["email"] == "ada@idp.test")
            #expect(response.json?["first_name"] == "Augusta")
            #expect(response.json?["id"]?.stringValue?.isEmpty == false)
        } else {
            #expect(response.status == 401)
            #expect(response.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        }
    }

    @Test(
        arguments: [
            ([], nil), ([("client_secret", nil)], "invalid_client"), ([("client_id", nil)], "invalid_client"),
            ([("client_id", "other")], "invalid_grant"), ([("code", "made up")], "invalid_grant"),
            ([("redirect_uri", "https://evil.test/")], "invalid_grant"),
            ([("grant_type", "refresh_token")], "unsupported_grant_type"),
        ] as [([(String, String?)], String?)])
    func `the token endpoint takes a good code from an authenticated client once`(
        changes: [(String, String?)], error: String?
    ) async throws {
        let world = try World()
        let code = try #require(try await world.signIn(world.authorize()).location?.queryItems["code"])
        var form: FormItems = [
            "grant_type": "authorization_code", "code": code, "client_id": "client", "client_secret": "s",
            "redirect_uri": Self.redirect,
        ]
        for (name, value) in changes { form[name] = value }
        let response = try await world.token(form)
        #expect(response.json?["error"]?.stringValue == error)
        #expect(response.status == (error == nil ? 200 : error == "invalid_client" ? 401 : 400))
        if error == nil {
            #expect(try await world.token(form).json?["error"] == "invalid_grant")
        }
    }

    @Test func `codes expire and proof keys bind`() async throws {
        let world = try World()
        let late = try #require(try await world.signIn(world.authorize()).location?.queryItems["code"])
        world.clock.time.advance(by: .minutes(5))
        let form: FormItems = ["client_id": "client", "client_secret": "s"]
        var expired = form
        expired["code"] = late
        #expect(try await world.token(expired).json?["error"] == "invalid_grant")

        let verifier = "0123456789012345678901234567890123456789012"
        let challenge = PKCE.challenge(verifier)
        let bound: [(String, String?)] = [("code_challenge", challenge), ("code_challenge_method", "S256")]
        for (sent, status) in [(verifier, 200), ("x" + verifier, 400)] {
            let code = try #require(try await world.signIn(world.authorize(bound)).location?.queryItems["code"])
            var proof = form
            proof["code"] = code
            proof["code_verifier"] = sent
            #expect(try await world.token(proof).status == status)
        }
    }

    @Test func `the secret of the tenant's own client is compared`() async throws {
        let world = try World()
        let id = world.settings.clientId(tenant: "contoso")
        let secret = world.tenant.secret(ofPolicyKey: "B2C_1A_IdpSecret")
        for (sent, status) in [(secret, 200), ("wrong", 401)] {
            let answer = try await world.signIn(try world.authorize([("client_id", id)]))
            let code = try #require(answer.location?.queryItems["code"])
            let response = try await world.token(
                ["code": code], headers: ["Authorization": BasicCredentials(user: id, password: sent).header])
            #expect(response.status == status)
        }
    }

    @Test(
        arguments: [
            (true, nil, "code"), (false, nil, "page"), (true, "login", "page"), (true, "select_account", "page"),
            (true, "none", "code"), (false, "none", "login_required"),
        ] as [(Bool, String?, String)])
    func `the session signs in silently unless it is off or the request wants the page`(
        kept: Bool, prompt: String?, expected: String
    ) async throws {
        let world = try World("oidc", ["session": .bool(kept)])
        let first = try await world.signIn(try world.authorize())
        let field = try #require(first.headers["Set-Cookie"])
        #expect(field.contains("; Path=/; Secure; HttpOnly; SameSite=None"))
        let cookie = String(field.prefix { $0 != ";" })
        let second = try await world.send(
            .get(try world.authorize([("prompt", prompt)]), headers: ["Cookie": "a=b; \(cookie)"]))
        let items = second.location?.queryItems
        #expect((items?["error"] ?? (items?["code"] != nil ? "code" : "page")) == expected)
    }

    @Test(arguments: [
        ("works", false, 302, true), ("needsHint", false, 400, false), ("needsHint", true, 302, true),
        ("none", false, 404, false),
    ])
    func `sign-out ends the session as far as the provider offers it`(
        mode: String, withHint: Bool, status: Int, ended: Bool
    ) async throws {
        let world = try World("oidc", ["logout": .string(mode)])
        let first = try await world.signIn(try world.authorize([("response_type", "id_token")]))
        let field = try #require(first.headers["Set-Cookie"])
        let cookie = String(field.prefix { $0 != ";" })
        var address = try url(world.settings.endpoint(.logout))
        var query: FormItems = ["post_logout_redirect_uri": "https://app.test/bye", "state": "x y"]
        if withHint { query["id_token_hint"] = first.location?.fragmentItems["id_token"] }
        address.queryItems = query
        let response = try await world.send(.get(address, headers: ["Cookie": cookie]))
        #expect(response.status == status)
        if status == 302 { #expect(response.headers["Location"] == "https://app.test/bye?state=x%20y") }
        let again = try await world.send(.get(try world.authorize(), headers: ["Cookie": cookie]))
        #expect((again.status == 200) == ended)
    }

    @Test(arguments: [
        ("Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", 403),
        (
            "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1",
            200
        ),
        ("Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/120 Safari/537.36", 403),
        ("Mozilla/5.0 (compatible; b2c-harness)", 200),
    ])
    func `embedded views are recognized by their user agent`(userAgent: String, status: Int) async throws {
        let world = try World("oidc", ["userAgents": "systemBrowser"])
        let page = try await world.send(.get(try world.authorize(), headers: ["User-Agent": userAgent]))
        #expect(page.status == status)
        #expect(page.text.contains("disallowed_useragent") == (status == 403))
    }

    @Test(arguments: [false, true])
    func `a page may go on in a new tab`(opensNewTab: Bool) async throws {
        let world = try World("oidc", ["opensNewTab": .bool(opensNewTab)])
        let page = try await world.send(.get(try world.authorize()))
        #expect(page.text.contains("target=\"_blank\"") == opensNewTab)
    }

    @Test func `what is not played is refused by name`() async throws {
        let world = try World("oidc")
        var saml = world.settings
        saml.type = .saml
        await world.provider.configure(settings: saml, tenant: world.tenant)
        await #expect(throws: TransportError.other("not built yet: SAML provider \"idp\"")) {
            _ = try await world.send(.get(try world.authorize()))
        }
    }

    @Test func `the same seed gives the same answers`() async throws {
        var texts: [String] = []
        for _ in 0..<2 {
            let world = try World()
            let members = try await world.tokens()
            texts.append(JSONWriter.compact(members))
        }
        #expect(texts[0] == texts[1])
    }
}
