import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles
import Testing

@Suite struct InteractiveTests {
    @Test func `a sign-in asks for metadata, opens the browser, redeems the code and stores everything`() async throws {
        let stage = try Stage()
        let outcome = try await stage.acquire()
        let result = try #require(outcome.result)
        #expect(
            stage.authority.requests.map(\.url.description) == [
                Stage.susi + "/v2.0/.well-known/openid-configuration", Stage.susi + "/oauth2/v2.0/token",
            ])
        #expect(result["accessToken", "raw"] == "access-1")
        #expect(result["idToken", "claims", "tfp"] == "B2C_1_susi")
        #expect(result["scopes"] == [.string(Stage.read)])
        #expect(result["expiresOn"] == .string((Stage.start + .hours(1)).rfc3339))
        #expect(result["account", "identifier"] == .string(Stage.home))
        #expect(result["account", "objectId"] == .string("\(FakeAuthority.person)-b2c_1_susi"))
        #expect(result["account", "tenantId"] == .string(FakeAuthority.tenantID))
        #expect(result["account", "username"] == .string(MSALAccount.missingUsername))
        #expect(result["account", "policy"] == "susi")
        #expect(result["account", "claims", "name"] == "Ada")
        #expect(result["tenantProfile", "identifier"] == .string(FakeAuthority.person))
        #expect(result["tenantProfile", "isHomeTenantProfile"] == true)
        #expect(result["authority"] == .string(Stage.susiGUID))
        #expect(result["fromCache"] == false)
        #expect(
            outcome.events.compactMap { $0["item"]?.stringValue } == [
                "accessToken", "idToken", "refreshToken", "account", "appMetadata", "accountMetadata",
            ])
        #expect(outcome.events.last == ["type": "completion", "queue": "main"])
    }

    @Test func `the authorize query holds the library's items in its order`() async throws {
        let stage = try Stage()
        let parameters = InteractiveParameters(
            prompt: .selectAccount, loginHint: "ada@example.test", domainHint: "facebook.com",
            extraQueryParameters: [("ui_locales", "de")], extraScopesToConsent: [Stage.write],
            claimsRequest: #"{"id_token":{}}"#, correlationID: GUID("01234567-89ab-4def-8123-456789abcdef"))
        let request = try await stage.browse(parameters)
        let items = request.url.queryItems
        #expect(
            items.items.map(\.name) == [
                "client_id", "response_type", "redirect_uri", "scope", "code_challenge", "code_challenge_method",
                "state",
                "client_info", "haschrome", "prompt", "login_hint", "X-AnchorMailbox", "domain_hint", "claims",
                "return-client-request-id", "client-request-id", "x-client-SKU", "x-client-Ver", "x-client-OS",
                "x-client-CPU", "x-client-DM", "x-app-name", "x-app-ver", "ui_locales",
            ])
        #expect(items["scope"] == "\(Stage.read) openid profile offline_access \(Stage.write)")
        #expect(items["redirect_uri"] == "msauth.com.contoso.tasks://auth")
        #expect(items["prompt"] == "select_account")
        #expect(items["X-AnchorMailbox"] == "UPN:ada@example.test")
        #expect(items["client-request-id"] == "01234567-89AB-4DEF-8123-456789ABCDEF")
        #expect(items["x-client-SKU"] == "MSAL.iOS")
        #expect(items["code_challenge"]?.count == 43)
        let state = try #require(items["state"].flatMap { Base64URL.decode($0) })
        #expect(GUID(String(decoding: state, as: UTF8.self))?.uppercase == String(decoding: state, as: UTF8.self))
        #expect(items["nonce"] == nil && items["response_mode"] == nil && items["dropped"] == nil)
        #expect(request.url.path == "/tfp/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize")
        #expect(request.callback == .scheme("msauth.com.contoso.tasks"))
        #expect(request.jar == .shared)
    }

    @Test func `an account of an earlier sign-in sends its ids, and its stand-in user name as login hint`() async throws
    {
        let stage = try Stage()
        try await stage.signIn()
        let request = try await stage.browse(
            InteractiveParameters(account: .identifier(Stage.home), loginHint: "other"))
        let items = request.url.queryItems
        #expect(items["login_hint"] == MSALAccount.missingUsername)
        #expect(items["login_req"] == "\(FakeAuthority.person)-b2c_1_susi")
        #expect(items["domain_req"] == FakeAuthority.tenantID)
        #expect(items["X-AnchorMailbox"] == "Oid:\(FakeAuthority.person)-b2c_1_susi@\(FakeAuthority.tenantID)")
        #expect(items["prompt"] == nil)
    }

    @Test(arguments: [
        (PromptKind.promptIfNecessary, nil as String?), (.selectAccount, "select_account"), (.login, "login"),
        (.consent, "consent"), (.create, "create"),
    ])
    func `each prompt sends its parameters`(prompt: PromptKind, sent: String?) async throws {
        let request = try await Stage().browse(InteractiveParameters(prompt: prompt))
        #expect(request.url.queryItems["prompt"] == sent)
    }

    @Test func `the token request redeems the code with the verifier of the challenge`() async throws {
        let stage = try Stage(patch: Stage.client(["extraQueryParameters": ["campaignId": "a b"]]))
        let step = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        guard case .browse(let request, let session) = step else {
            Issue.record("no browser")
            return
        }
        _ = try await stage.client.finish(session, try stage.end(session, .code("c+/=")), lane: stage.lane)
        let message = try #require(stage.authority.tokenRequests.first)
        let form = try #require(message.form)
        #expect(
            form.items.map(\.name) == [
                "client_id", "scope", "redirect_uri", "grant_type", "code", "code_verifier", "client_info",
            ])
        #expect(form["code"] == "c+/=")
        #expect(form["scope"] == "\(Stage.read) openid profile offline_access")
        let verifier = try #require(form["code_verifier"])
        #expect(verifier.count == 43)
        #expect(request.url.queryItems["code_challenge"] == Base64URL.encode(SHA2.sha256(Array(verifier.utf8))))
        #expect(message.url.query == "campaignId=a%20b")
        #expect(request.url.queryItems["campaignId"] == "a b")
        #expect(String(decoding: message.body, as: UTF8.self).contains("tasks%2Fread+openid"))
        #expect(message.headers["Accept"] == "application/json")
        #expect(message.headers["x-client-SKU"] == "MSAL.iOS")
        #expect(message.headers["client-request-id"] == request.url.queryItems["client-request-id"])
    }

    @Test func `on macOS the library names the system`() async throws {
        let stage = try Stage(
            patch: ["apps": ["app": ["client": ["kind": "msal-macos"]]]])
        let items = try await stage.browse().url.queryItems
        #expect(items["x-client-SKU"] == "MSAL.OSX")
        #expect(items["x-client-DM"] == nil)
    }

    @Test func `metadata is asked for once a process and policy`() async throws {
        let stage = try Stage()
        _ = try await stage.acquire()
        _ = try await stage.acquire()
        #expect(stage.authority.requests.filter { $0.method == "GET" }.count == 1)
        _ = try await stage.acquire(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        #expect(stage.authority.requests.filter { $0.method == "GET" }.count == 2)
        await stage.client.restart()
        _ = try await stage.acquire()
        #expect(stage.authority.requests.filter { $0.method == "GET" }.count == 3)
    }

    @Test func `two policies give two accounts of one person`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        let accounts = await stage.client.accounts().result?["accounts"]?.arrayValue ?? []
        #expect(accounts.map { $0["identifier"] } == [.string(Stage.home), .string(Stage.editHome)])
        #expect(accounts.map { $0["policy"] } == ["susi", "edit"])
    }

    @Test func `a web session of each kind takes its own callbacks`() async throws {
        let redirect = "msauth.com.contoso.tasks://auth"
        let cases: [(JSONValue, CallbackRule?, JarKind)] = [
            (["webview": "default"], .scheme("msauth.com.contoso.tasks"), .shared),
            (["webview": "authenticationSession", "ephemeral": true], .scheme("msauth.com.contoso.tasks"), .ephemeral),
            (
                ["webview": "safariViewController"],
                .schemeAndHost(scheme: "msauth.com.contoso.tasks", host: "auth"), .shared
            ),
            (["webview": "wkWebView"], .prefixIgnoringCase(redirect), .embedded),
            // Nobody on the device takes the scheme; an authentication session looks for it itself.
            (["webview": "safariViewController", "precheck": false, "urlSchemes": []], nil, .shared),
            (
                ["webview": "authenticationSession", "precheck": false, "urlSchemes": []],
                .scheme("msauth.com.contoso.tasks"), .shared
            ),
        ]
        for (patch, rule, jar) in cases {
            let request = try await Stage(patch: Stage.platform(patch)).browse()
            #expect(request.callback == rule)
            #expect(request.jar == jar)
        }
    }

    @Test
    func `an https address is a page like any other to a session of the system, and an answer to an embedded view`()
        async throws
    {
        let uri = "https://contoso.b2clogin.com/oauth2/nativeclient"
        for (webview, rule) in [("authenticationSession", nil), ("wkWebView", CallbackRule.prefixIgnoringCase(uri))] {
            let patch = Stage.client(["redirectUri": .string(uri)])
                .merging(patch: Stage.platform(["precheck": false, "webview": .string(webview)]))
            #expect(try await Stage(patch: patch).browse().callback == rule)
        }
    }

    @Test func `one interactive call runs at a time, and cancelling ends it`() async throws {
        let stage = try Stage()
        let first = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        guard case .browse(_, let session) = first else {
            Issue.record("no browser")
            return
        }
        let second = try await stage.acquire()
        #expect(second.row == .msal(-50000, -42402))
        #expect(second.error?.kind == .interactionInProgress)
        let cancelled = await stage.client.cancelInteraction()
        #expect(cancelled.outcome.result == ["cancelled": true])
        #expect(cancelled.session == session)
        let ended = try await stage.client.finish(
            session, .pending(Pending(reason: "page")), lane: stage.lane)
        #expect(ended.row == .msal(-50005))
        #expect(ended.error?.oauthError == nil)
        #expect(await stage.client.cancelInteraction().outcome.result == ["cancelled": false])
        #expect(try await stage.acquire().row == .success)
    }

    @Test func `a pending end leaves the session open, and an answered one recognizes nothing more`() async throws {
        let stage = try Stage()
        let step = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        guard case .browse(_, let session) = step else {
            Issue.record("no browser")
            return
        }
        let waiting = try await stage.client.finish(session, .pending(Pending(reason: "page")), lane: stage.lane)
        guard case .pending(let why) = waiting.ending else {
            Issue.record("not pending")
            return
        }
        #expect(why.reason == "page")
        let end = try stage.end(session, .code("c"))
        #expect(try await stage.client.finish(session, end, lane: stage.lane).row == .success)
        guard case .pending(let again) = try await stage.client.finish(session, end, lane: stage.lane).ending else {
            Issue.record("the second callback was taken")
            return
        }
        #expect(again.reason == "callbackNotRecognised")
    }

    @Test func `the app hands over URLs it is opened with; foreign ones are not taken`() async throws {
        let stage = try Stage(patch: Stage.platform(["webview": "safariViewController"]))
        let foreign = try #require(WebURL("other.scheme://auth?code=1"))
        let own = try #require(WebURL("msauth.com.contoso.tasks://auth?code=1"))
        #expect(await stage.client.deliver(own).outcome.result == ["handled": false])
        let step = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
        guard case .browse(_, let session) = step else {
            Issue.record("no browser")
            return
        }
        #expect(await stage.client.deliver(foreign).outcome.result == ["handled": false])
        let taken = await stage.client.deliver(own)
        #expect(taken.outcome.result == ["handled": true])
        #expect(taken.session == session)
        #expect(
            try await stage.client.finish(session, .callback(own, form: nil), lane: stage.lane).row
                == .msal(-50000, -42501))
    }

    @Test func `the same seed gives the same requests`() async throws {
        var urls: [String] = []
        for _ in 0..<2 { urls.append(try await Stage(seed: 7).browse().url.description) }
        #expect(urls[0] == urls[1])
        #expect(try await Stage(seed: 8).browse().url.description != urls[0])
    }
}
