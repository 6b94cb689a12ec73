import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import Testing

/// The decision table of silent calls, and every row of the silent table.
@Suite struct SilentTests {
    typealias Answer = FakeAuthority.Answer

    // MARK: Decision table

    /// One row: the state of the cache and the server, the request, and the expected result.
    struct Decision: Sendable, CustomTestStringConvertible {
        var name: String
        /// Changes to the answer of the sign-in.
        var signIn: [String: JSONValue?] = [:]
        /// How long after it the silent call comes.
        var later = TimeSpan.zero
        var scopes: [String]?
        var forceRefresh = false
        var claims: String?
        var answers: [Answer] = []
        var outcome: FailureOutcome
        var requests: Int
        /// The access token of the result.
        var token: String?
        /// How many access tokens and refresh tokens are cached afterwards.
        var cached: (Int, Int)?
        var settings: JSONValue = [:]

        var testDescription: String { name }
    }

    static let refused: Answer = .json(
        400, ["error": "invalid_grant", "error_description": "AADB2C90080: The provided grant has expired.\r\n"])
    static let down = Answer.raw(503, "down")

    static let decisions: [Decision] = [
        Decision(
            name: "good token that covers the scopes: no request", outcome: .success, requests: 0, token: "access-1",
            cached: (1, 1)),
        Decision(
            name: "token good for less than five minutes: refreshed, the old one deleted",
            later: .minutes(55) + .seconds(1), outcome: .success, requests: 1, token: "access-2", cached: (1, 1)),
        Decision(
            name: "token good for just more than five minutes: used", later: .minutes(55) - .seconds(1),
            outcome: .success, requests: 0, token: "access-1"),
        Decision(
            name: "scopes not covered: refreshed, a second access token", scopes: [Stage.write], outcome: .success,
            requests: 1, token: "access-2", cached: (2, 1)),
        Decision(
            name: "scopes not covered and not granted", scopes: [Stage.write],
            answers: [.tokens(["scope": .string(Stage.read)])], outcome: .msal(-50003), requests: 1),
        Decision(
            name: "expired, no refresh token: no request", signIn: ["refresh_token": nil], later: .hours(2),
            outcome: .msal(-50002), requests: 0, cached: (0, 0)),
        Decision(
            name: "expired, refresh token expired: it stays in the cache", later: .hours(2), answers: [refused],
            outcome: .msal(-50002), requests: 1, cached: (0, 1)),
        Decision(
            name: "expired, server down", later: .hours(2), answers: [down, down], outcome: .msal(-50000, -42007),
            requests: 2),
        Decision(
            name: "expired, offline", later: .hours(2), answers: [.fail(.offline), .fail(.offline)],
            outcome: .foreign("NSURLErrorDomain", -1009), requests: 2),
        Decision(
            name: "refresh_on passed, server down: the good token is used", signIn: ["refresh_in": 600],
            later: .minutes(20), answers: [down, down], outcome: .success, requests: 2, token: "access-1"),
        Decision(
            name: "refresh_on passed, offline: it does not", signIn: ["refresh_in": 600], later: .minutes(20),
            answers: [.fail(.offline), .fail(.offline)], outcome: .foreign("NSURLErrorDomain", -1009), requests: 2),
        Decision(
            name: "refresh_on passed, invalid_grant: although the token is still good", signIn: ["refresh_in": 600],
            later: .minutes(20), answers: [refused], outcome: .msal(-50002), requests: 1),
        Decision(
            name: "refresh_on not reached: used", signIn: ["refresh_in": 600], later: .minutes(9), outcome: .success,
            requests: 0, token: "access-1"),
        Decision(
            name: "forceRefresh", forceRefresh: true, outcome: .success, requests: 1, token: "access-2",
            cached: (1, 1)),
        Decision(
            name: "forceRefresh without refresh token", signIn: ["refresh_token": nil], forceRefresh: true,
            outcome: .msal(-50002), requests: 0),
        Decision(
            name: "claims request, interaction_required", claims: #"{"access_token":{}}"#,
            answers: [.json(400, ["error": "interaction_required", "error_description": "no"])], outcome: .msal(-50002),
            requests: 1),
        Decision(
            name: "claims request, granted", claims: #"{"access_token":{}}"#, outcome: .success, requests: 1,
            token: "access-2"),
        Decision(
            name: "expired, extended lifetime, server down, switched off", signIn: ["ext_expires_in": 86400],
            later: .hours(2), answers: [down, down], outcome: .msal(-50000, -42007), requests: 2, cached: (1, 1)),
        Decision(
            name: "expired, extended lifetime, server down, switched on", signIn: ["ext_expires_in": 86400],
            later: .hours(2), answers: [down, down], outcome: .success, requests: 2, token: "access-1",
            settings: Stage.client(["extendedLifetime": true])),
        Decision(
            name: "answer without refresh token: the old one stays", forceRefresh: true,
            answers: [.tokens(["refresh_token": nil])], outcome: .success, requests: 1, cached: (1, 1)),
        Decision(
            name: "neither expires_on nor expires_in: an hour", signIn: ["expires_on": nil, "expires_in": nil],
            later: .minutes(54), outcome: .success, requests: 0),
        Decision(
            name: "expires_on as text is preferred", signIn: ["expires_on": "1768485600", "expires_in": "60"],
            later: .minutes(100), outcome: .success, requests: 0),
        Decision(
            name: "ID token missing from the cache's answer, so refreshed again", later: .hours(2),
            answers: [.tokens(["id_token": nil])], outcome: .msal(-50000, -42600), requests: 1),
        Decision(
            name: "no buffer", later: .minutes(59), outcome: .success, requests: 0,
            settings: Stage.client(["expiryBuffer": "PT0S"])),
    ]

    @Test(arguments: decisions)
    func `cache, refresh token and server decide about a silent call`(decision: Decision) async throws {
        let stage = try Stage(patch: decision.settings)
        stage.authority.change { $0.tokenAnswer = .tokens(decision.signIn) }
        // Without an ID token the sign-in itself would fail; every row here has one.
        try await stage.signIn()
        stage.time.advance(by: decision.later)
        stage.authority.change {
            $0.tokenAnswers = decision.answers
            $0.tokenAnswer = .tokens([:])
        }
        let outcome = try await stage.silent(
            SilentParameters(
                scopes: decision.scopes, forceRefresh: decision.forceRefresh, claimsRequest: decision.claims))
        #expect(outcome.row == decision.outcome, "\(String(describing: outcome.error))")
        #expect(stage.authority.tokenRequests.count == decision.requests)
        if decision.requests == 0 { #expect(stage.authority.requests.isEmpty) }
        if let token = decision.token { #expect(outcome.result?["accessToken", "raw"] == .string(token)) }
        if let cached = decision.cached {
            let cache = try await stage.cache()
            #expect(cache["accessTokens"]?.arrayValue?.count == cached.0)
            #expect(cache["refreshTokens"]?.arrayValue?.count == cached.1)
        }
        if outcome.row == .success {
            #expect(outcome.result?["fromCache"] == .bool(decision.token == "access-1" || decision.requests == 0))
        }
    }

    @Test func `a silent call with another policy's authority takes the first policy's refresh token there`()
        async throws
    {
        let stage = try Stage()
        try await stage.signIn()
        stage.authority.change { $0.tokenAnswer = Self.refused }
        let outcome = try await stage.silent(SilentParameters(authority: AuthorityChoice(policy: "edit")))
        #expect(outcome.row == .msal(-50002))
        let request = try #require(stage.authority.tokenRequests.first)
        #expect(request.url.path == "/tfp/contoso.onmicrosoft.com/B2C_1_edit_profile/oauth2/v2.0/token")
        #expect(request.form?["refresh_token"] == "refresh-1")
        let guid = Stage.susiGUID.replacing("B2C_1_susi", with: "B2C_1_edit_profile")
        let stage2 = try Stage(patch: Stage.client(["knownAuthorities": [.string(Stage.susi), .string(guid)]]))
        try await stage2.signIn()
        let hit = try await stage2.silent(SilentParameters(authority: AuthorityChoice(url: guid)))
        #expect(hit.row == .success)
        #expect(stage2.authority.requests.isEmpty)
    }

    @Test func `after a sign-in silent calls go to the authority with the tenant's GUID`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        _ = try await stage.silent(SilentParameters(forceRefresh: true))
        #expect(
            stage.authority.requests.map(\.url.description) == [
                Stage.susiGUID + "/v2.0/.well-known/openid-configuration", Stage.susiGUID + "/oauth2/v2.0/token",
            ])
        let form = try #require(stage.authority.tokenRequests.first?.form)
        #expect(
            form.items.map(\.name) == [
                "client_id", "scope", "redirect_uri", "grant_type", "refresh_token", "client_info",
            ])
        #expect(form["refresh_token"] == "refresh-1")
        _ = await stage.client.removeAccount(.unsaid)
        stage.authority.forget()
        try await stage.signIn()
        #expect(try await stage.browse().url.path.hasPrefix("/tfp/contoso.onmicrosoft.com/"))
    }

    @Test func `an authority without /tfp/ keeps its whole path as realm, and the account has no claims`() async throws
    {
        let stage = try Stage(patch: Stage.client(["authorityForm": "path"]))
        let result = try await stage.signIn()
        #expect(result["account", "claims"] == nil)
        #expect(result["authority"] == "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi")
        #expect(try await stage.cache()["accessTokens", "0"] == nil)
        let token = try await stage.cache()["accessTokens"]?[0]
        #expect(token?["realm"] == "/contoso.onmicrosoft.com/B2C_1_susi")
        #expect(try await stage.silent().row == .success)
        #expect(stage.authority.requests.isEmpty)
    }

    @Test func `a device clock put back makes cached tokens look as if from the future: they are refreshed`()
        async throws
    {
        let keychain = Keychain()
        let stage = try Stage(keychain: keychain)
        try await stage.signIn()
        let skewed = DeviceState(
            name: "device", settings: stage.tenant.device,
            clock: SkewedClock(stage.time, skew: .minutes(-10), since: Stage.start))
        let app = try #require(stage.tenant.app(named: "app"))
        await stage.client.configure(app: app, tenant: stage.tenant, device: skewed)
        _ = try await stage.silent()
        #expect(stage.authority.tokenRequests.count == 1)
    }

    // MARK: Every row of the table

    static func refusal(_ error: String, more: JSONObject = [:]) -> Answer {
        var body: JSONObject = ["error": .string(error), "error_description": "AADB2C90129: revoked\r\n"]
        for (name, value) in more.members { body[name] = value }
        return .json(400, .object(body))
    }

    /// Answers of the token endpoint to a forced refresh, and what must underlie the error.
    static let refreshes: [String: (answers: [Answer], underlying: FailureOutcome?)] = [
        "Q4": ([refusal("invalid_grant")], .msal(-50000, -42004)),
        "Q5.request": ([refusal("invalid_request")], .msal(-50000, -42002)),
        "Q5.unauthorized": ([refusal("unauthorized_client")], .msal(-50000, -42006)),
        "Q5.denied": ([refusal("access_denied")], .msal(-50005)),
        "Q5.server": ([refusal("server_error")], .msal(-50000, -50006)),
        "Q5.unavailable": ([refusal("temporarily_unavailable")], .msal(-50000, -42104)),
        "Q5.login": ([refusal("login_required")], .msal(-50000, -42104)),
        "Q5.other": ([refusal("something_new")], .msal(-50000, -42104)),
        "Q6": ([refusal("interaction_required")], .msal(-50002)),
        "Q7": ([refusal("invalid_client")], nil),
        "Q8": ([refusal("invalid_scope")], nil),
        "Q9": ([refusal("unauthorized_client", more: ["suberror": "protection_policy_required"])], nil),
        "Q10": ([.tokens(["scope": "openid"])], nil),
        "Q11": ([down, down], nil),
        "Q12.429": ([.raw(429, "no")], nil),
        "Q12.retryAfter": ([.raw(403, "no", ["Retry-After": "30"])], .msal(-50000, -42009)),
        "Q13.offline": ([.fail(.offline), .fail(.offline)], nil),
        "Q13.timeout": ([.fail(.timeout), .fail(.timeout)], nil),
        "Q13.dns": ([.fail(.dns), .fail(.dns)], nil),
        "Q13.tls": ([.fail(.tls)], nil),
        "Q14": ([.raw(400, "<html>")], nil),
        "Q15": ([.tokens(["client_info": nil])], nil),
    ]

    static let others: Set<String> = [
        "Q1", "Q2", "Q3", "Q16", "Q17.ui", "Q17.429", "Q18", "Q19", "Q20", "Q21",
    ]

    @Test func `every row has a play, and every play a row`() {
        #expect(Set(FailureTables.silent.map(\.id)) == Set(Self.refreshes.keys).union(Self.others))
    }

    @Test(arguments: FailureTables.silent)
    func `each row ends as the table says`(row: FailureRow) async throws {
        let outcome: ClientOutcome
        if let refresh = Self.refreshes[row.id] {
            let stage = try Stage()
            try await stage.signIn()
            stage.authority.change { $0.tokenAnswers = refresh.answers }
            outcome = try await stage.silent(SilentParameters(forceRefresh: true))
            #expect(stage.authority.tokenRequests.count == refresh.answers.count)
            #expect(outcome.error?.underlying.map { FailureOutcome($0) } == refresh.underlying)
        } else {
            outcome = try await playOther(row.id)
        }
        #expect(outcome.row == row.outcome, "\(row.id) \(row.input): \(String(describing: outcome.error))")
        let failsAtOnce = ["Q1", "Q2", "Q19", "Q20"].contains(row.id)
        #expect(outcome.events.last?["queue"] == .string(failsAtOnce ? "caller" : "background"))
    }

    private func playOther(_ id: String) async throws -> ClientOutcome {
        switch id {
        case "Q1": return try await untouched(Stage()) { try await $0.silent(SilentParameters(account: .none)) }
        case "Q2":
            let stage = try Stage()
            try await stage.signIn()
            _ = await stage.client.removeAccount(.unsaid)
            return try await untouched(stage) {
                try await $0.silent(SilentParameters(account: .identifier(Stage.home)))
            }
        case "Q3":
            return try await untouched(Stage()) {
                try await $0.silent(SilentParameters(account: .identifier(Stage.home)))
            }
        case "Q16":
            let stage = try Stage()
            try await stage.signIn()
            stage.authority.change { $0.metadataAnswers = [.json(400, ["error": "invalid_tenant"])] }
            return try await stage.silent(SilentParameters(forceRefresh: true))
        case "Q17.ui", "Q17.429":
            let stage = try Stage()
            try await stage.signIn()
            stage.authority.change { $0.tokenAnswer = id == "Q17.ui" ? Self.refused : Self.down }
            _ = try await stage.silent(SilentParameters(forceRefresh: true))
            stage.authority.forget()
            let held = try await untouched(stage) { try await $0.silent(SilentParameters(forceRefresh: true)) }
            let error = try #require(held.error)
            #expect((id == "Q17.ui" ? error.underlying?.throttled : error.throttled) == true)
            #expect(held.count("throttled") == 1)
            return held
        case "Q18":
            let stage = try Stage(patch: Stage.client(["knownAuthorities": [.string(Stage.susi)]]))
            try await stage.signIn()
            return try await untouched(stage) {
                try await $0.silent(SilentParameters(authority: AuthorityChoice(policy: "edit")))
            }
        case "Q19":
            let stage = try Stage()
            try await stage.signIn()
            let other = AuthorityChoice(url: "https://login.microsoftonline.com/common", kind: .aad)
            return try await untouched(stage) { try await $0.silent(SilentParameters(authority: other)) }
        case "Q20":
            return try await untouched(Stage(patch: Stage.platform(["keychainGroups": ["another.group"]]))) {
                try await $0.silent(SilentParameters(account: .identifier(Stage.home)))
            }
        default:
            let stage = try Stage(Stage.workforce)
            try await stage.signIn()
            stage.authority.change {
                $0.metadataAnswers = [
                    .json(
                        200,
                        [
                            "issuer": "https://login.chinacloudapi.cn/x/v2.0",
                            "authorization_endpoint": "https://login.chinacloudapi.cn/x/oauth2/v2.0/authorize",
                            "token_endpoint": "https://login.chinacloudapi.cn/x/oauth2/v2.0/token",
                        ])
                ]
            }
            let outcome = try await stage.silent(SilentParameters(forceRefresh: true))
            #expect(stage.authority.tokenRequests.isEmpty)
            return outcome
        }
    }

    /// The call must not send anything.
    private func untouched(
        _ stage: Stage, _ call: (Stage) async throws -> ClientOutcome
    ) async throws -> ClientOutcome {
        let outcome = try await call(stage)
        #expect(stage.authority.requests.isEmpty)
        return outcome
    }

    @Test func `a wrapped refusal shows the server's texts beneath the library's`() async throws {
        let stage = try Stage()
        try await stage.signIn()
        stage.authority.change { $0.tokenAnswer = Self.refused }
        let error = try #require(try await stage.silent(SilentParameters(forceRefresh: true)).error)
        #expect(error.kind == .interactionRequired)
        #expect(error.oauthError == "invalid_grant")
        #expect(error.b2cCode == "AADB2C90080")
        #expect(error.description?.contains("AADB2C") == false)
        #expect(error.underlying?.description?.hasPrefix("AADB2C90080") == true)
        #expect(error.underlying?.internalName == "invalidGrant")
    }

    // MARK: What is deleted

    struct Deletion: Sendable {
        var error = "invalid_grant"
        var subError: String?
        var refreshTokens = 1
        var accounts = 1
        var state: String? = "signed_in"
    }

    static let deletions: [Deletion] = [
        Deletion(subError: "bad_token", refreshTokens: 0),
        Deletion(subError: "user_account_deleted", refreshTokens: 0, accounts: 0, state: nil),
        Deletion(subError: "consent_required"), Deletion(subError: "token_expired"),
        Deletion(subError: "basic_action"), Deletion(subError: nil),
        Deletion(error: "invalid_request", subError: "bad_token"),
    ]

    @Test(arguments: deletions)
    func `a refusal's suberror decides what leaves the cache`(row: Deletion) async throws {
        let stage = try Stage()
        try await stage.signIn()
        var body: JSONObject = ["error": .string(row.error), "error_description": "no"]
        body["suberror"] = row.subError.map { .string($0) }
        stage.authority.change { $0.tokenAnswer = .json(400, .object(body)) }
        let outcome = try await stage.silent(SilentParameters(forceRefresh: true))
        #expect(outcome.row == .msal(-50002))
        #expect(outcome.error?.subError == row.subError)
        let cache = try await stage.cache()
        #expect(cache["refreshTokens"]?.arrayValue?.count == row.refreshTokens)
        #expect(cache["accounts"]?.arrayValue?.count == row.accounts)
        let entry = cache["accountMetadata"]?[0]?["account_metadata_map", Stage.home]
        #expect(entry?["sign_in_state"]?.stringValue == row.state)
    }

    @Test
    func `a family's refresh token is tried when the app's own is refused, and given up when it is not for this app`()
        async throws
    {
        let stage = try Stage()
        stage.authority.change { $0.tokenAnswer = .tokens(["foci": "1"]) }
        try await stage.signIn()
        let before = try await stage.cache()
        #expect(before["refreshTokens"]?.arrayValue?.count == 2)
        var lists = JSONObject()
        // Another app of the family has renewed the shared token.
        var shared = try #require(before["refreshTokens"]?.arrayValue?.first { $0["family_id"] != nil }?.objectValue)
        shared["secret"] = "renewed"
        lists["refreshTokens"] = [.object(shared)]
        _ = try await stage.client.importCache(.object(lists), replacing: false)
        stage.authority.change {
            $0.tokenAnswers = [
                Self.refused, .json(400, ["error": "invalid_grant", "suberror": "client_mismatch"]),
            ]
        }
        #expect(try await stage.silent(SilentParameters(forceRefresh: true)).row == .msal(-50002))
        #expect(stage.authority.tokenRequests.map { $0.form?["refresh_token"] } == ["refresh-1", "renewed"])
        #expect(try await stage.cache()["appMetadata"]?[0]?["family_id"] == "")
    }
}
