import AuthorityHosting
import B2CProtocol
import Determinism
import Exchanges
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Testing

/// Directory tenant: tokens.
@Suite struct WorkforceTokenTests {
    @Test func `members come in the service's order`() async throws {
        let world = try WorkforceWorld()
        let members = try await world.tokens()
        #expect(
            members.objectValue?.keys == [
                "token_type", "scope", "expires_in", "ext_expires_in", "access_token", "refresh_token", "id_token",
                "client_info",
            ])
        #expect(members["token_type"] == "Bearer")
        #expect(members["expires_in"] == 3599)
    }

    @Test(arguments: [
        ("user.read openid profile", "User.Read openid profile", "User.Read openid profile", "graph"),
        ("https://graph.microsoft.com/User.Read", "https://graph.microsoft.com/User.Read", "User.Read", "graph"),
        ("openid profile email", "openid profile email", "openid profile email", "graph"),
        ("https://tasks.contoso.test//read", "https://tasks.contoso.test//read", "read", "tasks"),
        ("https://tasks.contoso.test/READ offline_access", "https://tasks.contoso.test/read", "read", "tasks"),
        (
            "https://tasks.contoso.test//.default openid",
            "https://tasks.contoso.test//read https://tasks.contoso.test//.default", "read", "tasks"
        ),
        (
            "https://graph.microsoft.com/.default",
            "https://graph.microsoft.com/User.Read https://graph.microsoft.com/.default", "User.Read", "graph"
        ),
    ])
    func `the answer and the token name the granted scopes`(
        asked: String, answered: String, granted: String, resource: String
    ) async throws {
        let world = try WorkforceWorld()
        let members = try await world.tokens(scope: asked)
        #expect(members["scope"]?.stringValue == answered)
        let claims = try WorkforceWorld.claims(members, "access_token")
        #expect(claims["scp"]?.stringValue == granted)
        let audience =
            resource == "graph"
            ? "00000003-0000-0000-c000-000000000000" : world.tenant.api(named: "tasks")?.clientId
        #expect(claims["aud"]?.stringValue == audience)
        #expect(claims["ver"] == (resource == "graph" ? "1.0" : "2.0"))
        #expect((members["id_token"] != nil) == asked.contains("openid"))
        #expect((members["refresh_token"] != nil) == asked.contains("offline_access"))
    }

    @Test func `personal accounts lose scopes for work accounts alone`() async throws {
        let world = try WorkforceWorld()
        let scope = "User.Read People.Read openid"
        #expect(try await world.tokens("pat", scope: scope)["scope"] == "User.Read openid")
        #expect(try await world.tokens("ada", scope: scope)["scope"] == "User.Read People.Read openid")
    }

    @Test func `granted scopes of the resource ride along`() async throws {
        let world = try WorkforceWorld()
        let answer = try await world.press(
            try await world.signIn(
                try await world.authorize("common", [("scope", "User.Read Mail.Read openid offline_access")])))
        let members = try #require(try await world.redeem(answer, "common", [("scope", "user.read")]).json)
        #expect(members["scope"] == "User.Read Mail.Read")
        #expect(members["refresh_token"] == nil)
    }

    @Test func `what was consented to earlier rides along`() async throws {
        let world = try WorkforceWorld()
        let first = try await world.press(
            try await world.signIn(try await world.authorize("common", [("scope", "Mail.Read openid")])))
        #expect(try await world.redeem(first, "common", [("scope", nil)]).json?["scope"] == "Mail.Read openid")
        let second = try await world.press(
            try await world.authorize("common", [("scope", "Calendars.Read openid")]))
        let members = try #require(try await world.redeem(second, "common", [("scope", nil)]).json)
        #expect(members["scope"] == "Calendars.Read Mail.Read openid")
        #expect(try WorkforceWorld.claims(members, "access_token")["scp"] == "Calendars.Read Mail.Read openid")
        // Another resource's token says nothing of Graph.
        let tasks = try await world.authorize("common", [("scope", "https://tasks.contoso.test/read openid")])
        #expect(
            try await world.redeem(tasks, "common", [("scope", nil)]).json?["scope"]
                == "https://tasks.contoso.test/read")
    }

    @Test func `the token is for Graph`() async throws {
        let world = try WorkforceWorld()
        let graph = GraphStub(tenant: world.tenant, seed: SeededGenerator(seed: 1), clock: world.clock)
        for (name, mail) in [("ada", "ada@contoso.test"), ("fay", "fay@fabrikam.test"), ("pat", nil)] {
            for segment in ["common", "contoso.onmicrosoft.com"] {
                let token = try await world.tokens(name, at: segment)["access_token"]?.stringValue ?? ""
                let response = try await graph.respond(
                    to: .get(
                        try url("https://graph.microsoft.com/v1.0/me"), headers: ["Authorization": "Bearer \(token)"]),
                    ExchangeContext())
                #expect(response.status == 200, "\(response.refusal ?? "")")
                #expect(response.json?["mail"] == mail.map { .string($0) } ?? .null)
                #expect(
                    response.json?["displayName"]?.stringValue
                        == world.tenant.user(named: name)?.attributes["displayName"]?.stringValue)
            }
        }
    }

    @Test func `the token is for the tenant's API`() async throws {
        let world = try WorkforceWorld()
        let network = VirtualNetwork()
        network.attach(world.host, hosts: AuthorityHost.hosts(of: world.tenant))
        let settings = try #require(world.tenant.api(named: "tasks"))
        let api = ProtectedAPI(settings: settings, tenant: world.tenant, clock: world.clock, transport: network)
        for name in ["ada", "pat"] {
            let token = try await world.tokens(name, scope: "https://tasks.contoso.test/read")["access_token"]
            let response = try await api.respond(
                to: .get(
                    try url(settings.baseUrl + "/x"),
                    headers: ["Authorization": "Bearer \(token?.stringValue ?? "")"]), ExchangeContext())
            // The default route takes any scope of the API.
            #expect(response.status == 200, "\(response.refusal ?? "")")
        }
    }

    @Test(
        arguments: [
            ([("code", nil)], 400, "invalid_request", "900144"), ([("code", "x")], 400, "invalid_grant", "70000"),
            ([("grant_type", nil)], 400, "invalid_request", "900144"),
            ([("grant_type", "password")], 400, "unsupported_grant_type", "70003"),
            ([("client_id", nil)], 400, "invalid_request", "900144"),
            ([("client_id", "x")], 400, "unauthorized_client", "700016"),
            ([("client_id", "21111111-2222-4333-8444-555555555555")], 400, "invalid_grant", "70000"),
            ([("client_id", "41111111-2222-4333-8444-555555555555")], 400, "unauthorized_client", "7000112"),
            ([("redirect_uri", "x")], 400, "invalid_client", "500112"),
            ([("code_verifier", nil)], 400, "invalid_grant", "501481"),
            ([("code_verifier", "x")], 400, "invalid_grant", "501481"),
            ([("client_secret", "x")], 401, "invalid_client", "700025"),
            ([("client_assertion", "x")], 400, "invalid_client", "700027"),
            ([("scope", "User.Read https://tasks.contoso.test/read")], 400, "invalid_request", "28000"),
            ([("scope", "Nothing.Such")], 400, "invalid_client", "650053"),
            ([("scope", "Mail.Read")], 400, "invalid_grant", "65001"),
        ] as [([(String, String?)], Int, String, String)])
    func `other codes are not redeemed`(changes: [(String, String?)], status: Int, error: String, code: String)
        async throws
    {
        let world = try WorkforceWorld()
        let answer = try await world.signIn(try await world.authorize())
        let response = try await world.redeem(answer, "common", changes)
        #expect(response.status == status)
        #expect(response.json?["error"]?.stringValue == error)
        #expect(WorkforceWorld.code(response) == code)
        #expect(response.refusal?.hasPrefix("AADSTS\(code)") == true)
    }

    @Test func `the body of an error has the shape of Entra's`() async throws {
        let world = try WorkforceWorld()
        let body = try #require(try await world.refresh("x").json)
        #expect(
            body.objectValue?.keys == [
                "error", "error_description", "error_codes", "timestamp", "trace_id", "correlation_id", "error_uri",
                "suberror",
            ])
        #expect(body["error_codes"] == [70000])
        #expect(body["timestamp"] == "2026-01-15 12:00:00Z")
        #expect(body["error_uri"] == "https://login.microsoftonline.com/error?code=70000")
        #expect(body["suberror"] == "bad_token")
        let text = try #require(body["error_description"]?.stringValue)
        #expect(text.hasPrefix("AADSTS70000: "))
        #expect(text.contains(" Trace ID: \(body["trace_id"]?.stringValue ?? "-") "))
        #expect(text.hasSuffix(" Timestamp: 2026-01-15 12:00:00Z"))
    }

    @Test func `codes work once and for ten minutes`() async throws {
        let world = try WorkforceWorld()
        let answer = try await world.signIn(try await world.authorize())
        #expect(try await world.redeem(answer).status == 200)
        #expect(WorkforceWorld.code(try await world.redeem(answer)) == "54005")
        let late = try await world.authorize()
        world.clock.time.advance(by: .minutes(10))
        #expect(WorkforceWorld.code(try await world.redeem(late)) == "70008")
    }

    @Test func `refresh tokens rotate, and old ones stay good`() async throws {
        let world = try WorkforceWorld()
        let first = try await world.tokens()["refresh_token"]?.stringValue ?? ""
        let second = try await world.refresh(first)
        #expect(second.status == 200)
        #expect(second.json?["refresh_token"]?.stringValue != first)
        #expect(try await world.refresh(first).status == 200)
        // One token serves another resource that the person has granted, and another tenant that knows them.
        let tasks = try await world.refresh(first, "common", [("scope", "https://tasks.contoso.test/read")])
        #expect(tasks.json?["scope"] == "https://tasks.contoso.test/read")
        let tenanted = try await world.refresh(first, "contoso.onmicrosoft.com")
        #expect(tenanted.status == 200)
        #expect(WorkforceWorld.code(try await world.refresh(first, "fabrikam.onmicrosoft.com")) == "50020")
        #expect(WorkforceWorld.code(try await world.refresh(first, "consumers")) == "50020")
    }

    @Test(
        arguments: [
            ("inactive", "700082", "token_expired"), ("password", "50173", nil), ("revoked", "50173", nil),
            ("disabled", "50057", nil), ("deleted", "50034", "user_account_deleted"),
            ("nonsense", "70000", "bad_token"),
        ] as [(String, String, String?)])
    func `dead refresh tokens are refused`(what: String, code: String, suberror: String?) async throws {
        let world = try WorkforceWorld()
        var token = try await world.tokens()["refresh_token"]?.stringValue ?? ""
        world.clock.time.advance(by: .minutes(1))
        switch what {
        case "inactive": world.clock.time.advance(by: .days(90))
        case "password": try await world.configure(["users": ["ada": ["password": "New-1"]]])
        case "revoked":
            try await world.configure(["users": ["ada": ["refreshTokensValidFrom": "2026-01-15T12:00:01Z"]]])
        case "disabled": try await world.configure(["users": ["ada": ["accountEnabled": false]]])
        case "deleted": try await world.configure(["users": ["ada": nil]])
        default: token = String(token.reversed())
        }
        let response = try await world.refresh(token)
        #expect(response.status == 400)
        #expect(response.json?["error"] == "invalid_grant")
        #expect(WorkforceWorld.code(response) == code)
        #expect(response.json?["suberror"]?.stringValue == suberror)
    }

    @Test func `inactivity counts from the last use`() async throws {
        let world = try WorkforceWorld()
        var token = try await world.tokens()["refresh_token"]?.stringValue ?? ""
        for _ in 0..<3 {
            world.clock.time.advance(by: .days(89))
            let response = try await world.refresh(token)
            #expect(response.status == 200)
            token = response.json?["refresh_token"]?.stringValue ?? ""
        }
    }

    @Test func `refresh tokens of single-page apps last a day`() async throws {
        let world = try WorkforceWorld()
        let spa: [(String, String?)] = [
            ("client_id", "31111111-2222-4333-8444-555555555555"), ("redirect_uri", "https://spa.contoso.test/"),
        ]
        let answer = try await world.signIn(try await world.authorize("common", spa))
        let first = try await world.redeem(answer, "common", spa, headers: ["Origin": "https://spa.contoso.test"])
        #expect(first.headers["Access-Control-Allow-Origin"] == "https://spa.contoso.test")
        world.clock.time.advance(by: .hours(20))
        let second = try await world.refresh(first.json?["refresh_token"]?.stringValue ?? "", "common", spa)
        #expect(second.status == 200)
        world.clock.time.advance(by: .hours(4))
        let third = try await world.refresh(second.json?["refresh_token"]?.stringValue ?? "", "common", spa)
        #expect(WorkforceWorld.code(third) == "700084")
        for (origin, allowed) in [("https://spa.contoso.test", true), ("https://evil.test", false)] {
            let preflight = try await world.send(
                RequestMessage(
                    method: "OPTIONS", url: try world.address("/common/oauth2/v2.0/token"),
                    headers: ["Origin": origin, "Access-Control-Request-Method": "POST"]))
            #expect((preflight.headers["Access-Control-Allow-Origin"] == origin) == allowed)
        }
    }

    @Test(
        arguments: [
            ("s3cret", false, 200, nil), ("s3cret", true, 200, nil), ("wrong", false, 401, "7000215"),
            ("wrong", true, 401, "7000215"), (nil, false, 401, "7000218"),
        ] as [(String?, Bool, Int, String?)])
    func `web apps prove themselves`(secret: String?, asHeader: Bool, status: Int, code: String?) async throws {
        let world = try WorkforceWorld()
        let id = "21111111-2222-4333-8444-555555555555"
        let web: [(String, String?)] = [("client_id", id), ("redirect_uri", "https://web.contoso.test/cb")]
        let answer = try await world.signIn(try await world.authorize("common", web))
        var headers: Headers = [:]
        if asHeader { headers["Authorization"] = BasicCredentials(user: id, password: secret ?? "").header }
        let response = try await world.redeem(
            answer, "common", web + [("client_secret", asHeader ? nil : secret)], headers: headers)
        #expect(response.status == status)
        #expect(WorkforceWorld.code(response) == code)
    }

    @Test func `only a POST is taken`() async throws {
        let world = try WorkforceWorld()
        let response = try await world.send(.get(world.address("/common/oauth2/v2.0/token")))
        #expect(WorkforceWorld.code(response) == "900561")
    }

    @Test(
        arguments: [
            (nil, nil, 200), (WorkforceWorld.redirect, nil, 302), ("https://evil.test/", nil, 200),
            (WorkforceWorld.redirect, "ada@contoso.test", 302),
        ] as [(String?, String?, Int)])
    func `a sign-out ends the session`(target: String?, hint: String?, status: Int) async throws {
        let world = try WorkforceWorld()
        _ = try await world.tokens("ada")
        _ = try await world.tokens("bob")
        var query: FormItems = ["state": "bye"]
        query["post_logout_redirect_uri"] = target
        query["logout_hint"] = hint
        let answer = try await world.browse(.get(world.address("/common/oauth2/v2.0/logout", query)))
        #expect(answer.status == status)
        if status == 302 {
            #expect(answer.headers["Location"] == WorkforceWorld.redirect + "?state=bye")
        } else {
            #expect(answer.text.contains("<meta name=\"b2c-harness-page\" content=\"signedOut\">"))
        }
        let after = try await world.authorize("common", [("prompt", "none")])
        if hint == nil {
            #expect(after.location?.queryItems["error"] == "login_required")
        } else {
            #expect(after.location?.queryItems["client_info"] == (try world.person("bob").clientInfo.encoded))
        }
    }

    @Test func `commands show and change`() async throws {
        let world = try WorkforceWorld()
        let members = try await world.tokens()
        guard case .value(let users) = await world.host.command(.inspect(.users)),
            case .value(let sessions) = await world.host.command(.inspect(.sessions)),
            case .value(let minted) = await world.host.command(
                .mint(MintOrder(from: members["id_token"]?.stringValue, claims: ["extra": 1], lifetime: .hours(-1))))
        else {
            Issue.record("expected values")
            return
        }
        #expect(users["ada", "registered"] == true)
        #expect(users["nobody", "registered"] == false)
        #expect(sessions == [["accounts": ["ada"]]])
        let claims = try WorkforceWorld.claims(minted, "token")
        #expect(claims["extra"] == 1)
        #expect(claims["exp"]?.intValue == TestClock.start.secondsSinceEpoch - 3600)
        #expect(await world.host.command(.reset) == .done)
        #expect(await world.host.command(.inspect(.sessions)) == .value([]))
        #expect(WorkforceWorld.code(try await world.refresh(members["refresh_token"]?.stringValue ?? "")) == "70000")
        guard
            case .refused(let why) = await world.host.command(
                .obey(PeerOrders(refusal: RefusalOrders(code: "AADB2C90035")), exchange: "1"))
        else {
            Issue.record("expected a refusal")
            return
        }
        #expect(why.contains("not built yet"))
        let events = world.host.drainEvents()
        #expect(
            events.contains { if case .refused(_, let reason) = $0 { reason.contains("AADSTS70000") } else { false } })
    }

    @Test func `the same seed gives the same bytes`() async throws {
        var texts: [String] = []
        for seed: UInt64 in [1, 1, 2] {
            let world = try WorkforceWorld(seed: seed)
            texts.append(JSONWriter.compact(try await world.tokens()))
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0] != texts[2])
    }
}
