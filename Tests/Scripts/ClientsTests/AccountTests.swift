import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import Testing

@Suite struct AccountTests {
    private func identifiers(_ outcome: ClientOutcome) -> [String] {
        (outcome.result?["accounts"]?.arrayValue ?? []).compactMap { $0["identifier"]?.stringValue }
    }

    private func signInTwice(_ stage: Stage) async throws {
        try await stage.signIn()
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
    }

    @Test func `accounts are listed by filters`() async throws {
        let stage = try Stage()
        #expect(identifiers(await stage.client.accounts()).isEmpty)
        try await signInTwice(stage)
        #expect(identifiers(await stage.client.accounts()) == [Stage.home, Stage.editHome])
        #expect(identifiers(await stage.client.accounts(AccountFilter(policy: "edit"))) == [Stage.editHome])
        #expect(
            identifiers(await stage.client.accounts(AccountFilter(identifier: Stage.home.uppercased()))) == [Stage.home]
        )
        #expect(identifiers(await stage.client.accounts(AccountFilter(identifier: "nobody"))).isEmpty)
        let placeholder = AccountFilter(username: MSALAccount.missingUsername.uppercased())
        #expect(identifiers(await stage.client.accounts(placeholder)).count == 2)
    }

    @Test(arguments: [true, false])
    func `somebody known to several tenants is one account, as the home tenant knows them`(homeFirst: Bool) async throws
    {
        let stage = try Stage()
        try await stage.signIn()
        let cache = try await stage.cache()
        let home = try #require(cache["accounts"]?[0])
        let guest = home.merging(patch: ["realm": "fabrikam.onmicrosoft.com", "username": "guest@fabrikam.test"])
        let document: JSONValue = [
            "accounts": .array(homeFirst ? [home, guest] : [guest, home]),
            "refreshTokens": try #require(cache["refreshTokens"]),
        ]
        _ = try await stage.client.importCache(document, replacing: true)
        let listed = await stage.client.accounts()
        #expect(identifiers(listed) == [Stage.home])
        #expect(listed.result?["accounts"]?[0]?["username"] == home["username"])
    }

    @Test func `a policy's name at the end of another's is not taken for it`() async throws {
        let stage = try Stage(patch: ["policies": ["nested": ["id": "B2C_1_b2c_1_susi", "type": "signUpOrSignIn"]]])
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "nested")))
        let found = await stage.client.accounts(AccountFilter(policy: "susi"))
        #expect(identifiers(found).isEmpty)
        let nested = await stage.client.accounts(AccountFilter(policy: "nested"))
        #expect(identifiers(nested).first?.contains("b2c_1_susi.") == true)
    }

    @Test func `the user name is preferred_username, and nothing else`() async throws {
        let stage = try Stage()
        let token = FakeAuthority.idToken(
            policy: "B2C_1_susi",
            extra: ["preferred_username": "ada@example.test", "emails": ["other@example.test"], "given_name": "Ada"])
        stage.authority.change { $0.tokenAnswer = .tokens(["id_token": .string(token)]) }
        let result = try await stage.signIn()
        #expect(result["account", "username"] == "ada@example.test")
        #expect(try await stage.cache()["accounts"]?[0]?["given_name"] == "Ada")
    }

    @Test func `the newest access token is that of the last result, after a restart the one stored last`() async throws
    {
        let stage = try Stage()
        #expect(await stage.client.newestAccessToken() == nil)
        try await signInTwice(stage)
        #expect(await stage.client.newestAccessToken() == "access-2")
        let first = SilentParameters(account: .identifier(Stage.home))
        _ = try await stage.silent(first)
        #expect(await stage.client.newestAccessToken() == "access-1")
        await stage.client.restart()
        #expect(await stage.client.newestAccessToken() == "access-2")
    }

    // MARK: Current account

    @Test func `the current account follows sign-in and sign-out`() async throws {
        let stage = try Stage()
        func pair() async -> [String?] {
            let result = await stage.client.currentAccount().result
            return [result?["current", "identifier"]?.stringValue, result?["previous", "identifier"]?.stringValue]
        }
        #expect(await pair() == [nil, nil])
        try await stage.signIn()
        #expect(await pair() == [Stage.home, nil])
        #expect(await pair() == [Stage.home, Stage.home])
        await stage.client.restart()
        #expect(await pair() == [Stage.home, Stage.home])
        _ = await stage.client.removeAccount(.unsaid)
        #expect(await pair() == [nil, Stage.home])
        #expect(await pair() == [nil, nil])
        try await stage.signIn()
        #expect(await pair() == [Stage.home, nil])
        _ = await stage.client.removeAccount(.unsaid)
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        #expect(await pair() == [Stage.editHome, Stage.home])
    }

    @Test func `with two accounts signed in there is no current one`() async throws {
        let stage = try Stage()
        try await signInTwice(stage)
        #expect(await stage.client.currentAccount().row == .msal(-50000, -42102))
    }

    // MARK: Which account a call means

    @Test func `a call that names no account takes the only one; with several it fails naming them`() async throws {
        let stage = try Stage()
        #expect(try await stage.silent().row == .msal(-50002))
        try await stage.signIn()
        #expect(try await stage.silent().row == .success)
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        let error = try #require(try await stage.silent().error)
        #expect(error.code == "ambiguousAccount")
        #expect(error.description?.contains(Stage.home) == true && error.description?.contains("policy edit") == true)
        let chosen = SilentParameters(account: .selected(policy: "susi", username: nil, objectID: nil))
        #expect(try await stage.silent(chosen).row == .success)
        let person = SilentParameters(
            account: .selected(policy: "susi", username: nil, objectID: FakeAuthority.person))
        #expect(try await stage.silent(person).row == .success)
        let nobody = SilentParameters(account: .selected(policy: "reset", username: nil, objectID: nil))
        #expect(try await stage.silent(nobody).row == .msal(-50002))
    }

    @Test func `an account object keeps its meaning as JSON`() async throws {
        let stage = try Stage()
        let result = try await stage.signIn()
        let account = try #require(result["account"].flatMap { MSALAccount(json: $0) })
        #expect(account.result.json == result["account"])
        #expect(MSALAccount(json: "text") == nil)
        #expect(MSALAccount(identifier: "a.b.c", environment: "").objectID == "")
    }

    // MARK: Removing

    @Test func `removing an account: tokens go, the record stays, the next sign-in must not use the session`()
        async throws
    {
        let stage = try Stage()
        let account = try #require(try await stage.signIn()["account"].flatMap { MSALAccount(json: $0) })
        let outcome = await stage.client.removeAccount(.object(account))
        #expect(outcome.result == [:])
        #expect(outcome.count("cacheDelete") == 3)
        #expect(stage.authority.requests.isEmpty)
        let cache = try await stage.cache()
        #expect(cache["accounts"]?.arrayValue?.count == 1)
        #expect(cache["accessTokens"] == [])
        let entry = cache["accountMetadata"]?[0]?["account_metadata_map", Stage.home]
        #expect(entry?["sign_in_state"] == "signed_out")
        #expect(entry?["athority_map", "URLMap-"] == [:])
        #expect(identifiers(await stage.client.accounts()).isEmpty)
        #expect(try await stage.silent(SilentParameters(account: .object(account))).row == .msal(-50002))
        #expect(stage.authority.requests.isEmpty)
        let withAccount = try await stage.browse(
            InteractiveParameters(prompt: .selectAccount, account: .object(account)))
        #expect(withAccount.url.queryItems["prompt"] == "login")
        let consent = try await stage.browse(InteractiveParameters(prompt: .consent, account: .object(account)))
        #expect(consent.url.queryItems["prompt"] == "consent")
        #expect(try await stage.browse().url.queryItems["prompt"] == nil)
        try await stage.signIn()
        #expect(try await stage.silent(SilentParameters(account: .object(account))).row == .success)
    }

    @Test func `removing touches neither other policies nor other apps; nobody to remove is not an error`() async throws
    {
        let keychain = Keychain()
        let first = try Stage(keychain: keychain)
        let second = try Stage(
            patch: Stage.client(["clientId": "22222222-2222-4222-8222-222222222222"]), keychain: keychain)
        try await signInTwice(first)
        try await second.signIn()
        _ = await first.client.removeAccount(.identifier(Stage.home))
        #expect(identifiers(await first.client.accounts()) == [Stage.editHome])
        #expect(identifiers(await second.client.accounts()) == [Stage.home])
        #expect(try await second.silent().row == .success)
        #expect(await first.client.removeAccount(.none).row == .success)
    }

    // MARK: Signing out

    @Test func `sign-out without browser sends nothing`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        let outcome = try await stage.signOut(SignOutParameters())
        #expect(outcome.result == ["signedOut": true])
        #expect(stage.authority.requests.isEmpty)
        #expect(identifiers(await stage.client.accounts()).isEmpty)
    }

    @Test func `a sign-out from the browser has its request and its ends`() async throws {
        let stage = try Stage()
        try await stage.signIn(InteractiveParameters(authority: AuthorityChoice(policy: "edit")))
        let parameters = SignOutParameters(fromBrowser: true, extraQueryParameters: [("x", "1")])
        guard case .browse(let request, let session) = try await stage.client.signOut(parameters, lane: stage.lane)
        else {
            Issue.record("no browser")
            return
        }
        #expect(request.url.path == "/tfp/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/logout")
        #expect(
            request.url.queryItems.items.map(\.name) == [
                "post_logout_redirect_uri", "state", "return-client-request-id", "client-request-id", "haschrome",
                "login_req", "domain_req", "x-client-SKU", "x-client-Ver", "x-client-OS", "x-client-CPU", "x-client-DM",
                "x-app-name", "x-app-ver", "x",
            ])
        #expect(request.url.queryItems["id_token_hint"] == nil)
        #expect(identifiers(await stage.client.accounts()).isEmpty)
        #expect(
            try await stage.client.finish(session, try stage.end(session, .items([])), lane: stage.lane).result
                == ["signedOut": true])

        let endings: [(Stage.Callback, FailureOutcome)] = [
            (.end(.userClosed), .success), (.query("state=b3RoZXI"), .msal(-50000, -42501)),
        ]
        for (callback, outcome) in endings {
            try await stage.signIn()
            #expect(try await stage.signOut(SignOutParameters(fromBrowser: true), callback).row == outcome)
            #expect(identifiers(await stage.client.accounts()).isEmpty)
        }
    }

    struct Obstacle: Sendable {
        var client: JSONValue = [:]
        var platform: JSONValue = [:]
        var outcome: FailureOutcome
        var isGone: Bool
    }

    static let obstacles: [Obstacle] = [
        Obstacle(client: ["knownAuthorities": []], outcome: .msal(-50000, -42008), isGone: true),
        Obstacle(platform: ["presenter": "withoutWindow"], outcome: .msal(-50000, -42000), isGone: false),
        Obstacle(platform: ["presenter": "none"], outcome: .msal(-50000, -42000), isGone: false),
    ]

    @Test(arguments: obstacles)
    func `a failed sign-out from the browser says why, and whether the account is gone`(row: Obstacle) async throws {
        let keychain = Keychain()
        try await Stage(keychain: keychain).signIn()
        let patch: JSONValue = ["apps": ["app": ["client": row.client, "platform": row.platform]]]
        let stage = try Stage(patch: patch, keychain: keychain)
        #expect(try await stage.signOut(SignOutParameters(fromBrowser: true)).row == row.outcome)
        #expect(identifiers(await stage.client.accounts()).isEmpty == row.isGone)
    }

    @Test func `web parameters are checked even if no browser is needed, and may be omitted`() async throws {
        let cases: [(String, FailureOutcome)] = [("withoutWindow", .msal(-50000, -42000)), ("none", .success)]
        for (presenter, outcome) in cases {
            let keychain = Keychain()
            try await Stage(keychain: keychain).signIn()
            let stage = try Stage(patch: Stage.platform(["presenter": .string(presenter)]), keychain: keychain)
            #expect(try await stage.signOut(SignOutParameters()).row == outcome)
            #expect(identifiers(await stage.client.accounts()).isEmpty == (outcome == .success))
        }
    }

    static let metadataFailures: [(FakeAuthority.Answer, FailureOutcome)] = [
        (.fail(.offline), .foreign("NSURLErrorDomain", -1009)), (.raw(503, "down"), .msal(-50000, -42007)),
        (
            .json(
                200,
                [
                    "issuer": "i", "authorization_endpoint": "https://a.test/authorize",
                    "token_endpoint": "https://a.test/token",
                ]), .msal(-50000, -42008)
        ),
    ]

    @Test(arguments: metadataFailures)
    func `sign-out fails when metadata fails, the local data being gone`(
        answer: FakeAuthority.Answer, outcome: FailureOutcome
    ) async throws {
        let stage = try Stage()
        try await stage.signIn()
        await stage.client.restart()
        stage.authority.change { $0.metadataAnswers = [answer, answer] }
        #expect(try await stage.signOut(SignOutParameters(fromBrowser: true)).row == outcome)
        #expect(identifiers(await stage.client.accounts()).isEmpty)
    }

    @Test func `wiping removes what removing an account leaves`() async throws {
        let keychain = Keychain()
        let first = try Stage(keychain: keychain)
        let second = try Stage(
            patch: Stage.client(["clientId": "22222222-2222-4222-8222-222222222222"]), keychain: keychain)
        try await signInTwice(first)
        try await second.signIn()
        _ = try await first.signOut(SignOutParameters(account: .identifier(Stage.home), wipeAccount: true))
        var cache = try await first.cache()
        #expect(cache["refreshTokens"]?.arrayValue?.map { $0["home_account_id"] } == [.string(Stage.editHome)])
        #expect(cache["accounts"]?.arrayValue?.map { $0["home_account_id"] } == [.string(Stage.editHome)])
        _ = try await first.signOut(SignOutParameters(account: .identifier(Stage.editHome), wipeCache: true))
        cache = try await first.cache()
        for list in ["accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata"] {
            #expect(cache[list] == [])
        }
        let again = try await first.browse(InteractiveParameters(account: .identifier(Stage.editHome)))
        #expect(again.url.queryItems["prompt"] == "login")
    }
}
