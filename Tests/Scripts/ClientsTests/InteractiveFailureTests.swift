import B2CProtocol
import Clients
import Determinism
import HTTPMessages
import JSON
import Testing

/// Every row of the interactive table, played.
@Suite struct InteractiveFailureTests {
    typealias Answer = FakeAuthority.Answer

    /// How a row makes its failure happen.
    enum Play: Sendable {
        /// The browser comes back so.
        case redirect(@Sendable () -> Stage.Callback)
        /// The token endpoint answers so, as often as it is asked.
        case token([Answer])
        /// The metadata endpoint answers so.
        case metadata([Answer])
        /// The settings are patched so.
        case settings(JSONValue, then: Stage.Callback.Plain)
        /// Something of its own.
        case own
    }

    static func error(_ error: String, _ description: String? = nil, subError: String? = nil) -> Play {
        .redirect { .error(error, description: description, subError: subError) }
    }

    static func refusal(
        _ error: String, status: Int = 400, description: String = "AADB2C90080: no\r\n", more: JSONObject = [:]
    ) -> Play {
        var body: JSONObject = ["error": .string(error), "error_description": .string(description)]
        for (name, value) in more.members { body[name] = value }
        return .token([.json(status, .object(body))])
    }

    static let plays: [String: Play] = [
        "I1": .redirect { .end(.userClosed) },
        "I2": error("access_denied", "AADB2C90118: The user has forgotten their password."),
        "I3": error("access_denied", "AADB2C90091: The user has cancelled entering self-asserted information."),
        "I4.absent": .redirect { .query("code=c") },
        "I4.empty": .redirect { .query("code=c&state=") },
        "I4.other": .redirect { .query("error=access_denied&state=b3RoZXI") },
        "I5": .redirect { .items([("session_state", "1")]) },
        "I6": error("invalid_request", "AADB2C90013: no"),
        "I7": error("invalid_scope"),
        "I8": error("invalid_client"),
        "I9": error("unauthorized_client", "AADB2C90057: no"),
        "I10": error("server_error", "AADB2C90037: no"),
        "I11": error("interaction_required"),
        "I12.login": error("login_required", "AADB2C90077: no"),
        "I12.consent": error("consent_required"),
        "I12.unavailable": error("temporarily_unavailable"),
        "I12.other": error("something_new"),
        "I13.expired": error("invalid_grant", subError: "transfer_token_expired"),
        "I13.denied": error("access_denied", subError: "tts_denied"),
        "I13.skipped": error("access_denied", subError: "user_skipped"),
        "I14": error("invalid_grant", subError: "insufficient_device_strength"),
        "I15": refusal("invalid_grant"),
        "I16.client": refusal("invalid_client"),
        "I16.scope": refusal("invalid_scope"),
        "I16.request": refusal("invalid_request"),
        "I16.unauthorized": refusal("unauthorized_client"),
        "I16.server": refusal("server_error"),
        "I16.denied": refusal("access_denied"),
        "I16.401": refusal("invalid_client", status: 401),
        "I16.other": refusal("something_new"),
        "I17": refusal("interaction_required"),
        "I18": refusal("invalid_request", more: ["error_codes": [50142]]),
        "I19": refusal(
            "unauthorized_client",
            more: [
                "suberror": "protection_policy_required", "adi": "ada@example.test",
                "client_info": .string(FakeAuthority.clientInfo(uid: "U")),
            ]),
        "I20": refusal("invalid_grant", status: 200),
        "I21.403": .token([.raw(403, "no")]),
        "I21.404": .token([.raw(404, "no")]),
        "I21.429": .token([.raw(429, "no", ["Retry-After": "17"])]),
        "I21.302": .token([.raw(302, "", ["Location": "https://contoso.b2clogin.com/"])]),
        "I22": .token([.raw(503, "down"), .raw(503, "down")]),
        "I22.once": .token([.raw(500, "down"), .tokens([:])]),
        "I23.400": .token([.raw(400, "<html>")]),
        "I23.200": .token([.raw(200, "<html>")]),
        "I24.array": .token([.json(200, [])]),
        "I24.scalar": .token([.json(200, 7)]),
        "I25": .token([.tokens(["token_type": "mac"])]),
        "I25.absent": .token([.tokens(["token_type": nil])]),
        "I26": .token([.tokens(["client_info": nil])]),
        "I27": .token([.tokens(["access_token": nil, "id_token": nil])]),
        "I27b": .token([.tokens(["access_token": nil, "scope": nil])]),
        "I28": .token([.tokens(["id_token": nil])]),
        "I29": .token([.tokens(["scope": .string("openid \(Stage.write)")])]),
        "I29.email": .own,
        "I29.case": .token([.tokens(["scope": .string(Stage.read.uppercased())])]),
        "I30": .token([.tokens(["scope": nil])]),
        "I31": .own,
        "I32.offline": .token([.fail(.offline), .fail(.offline)]),
        "I32.dns": .token([.fail(.dns), .fail(.dns)]),
        "I32.tls": .token([.fail(.tls)]),
        "I32.timeout": .token([.fail(.timeout), .fail(.timeout)]),
        "I32.metadata": .metadata([.fail(.offline), .fail(.offline)]),
        "I33.embedded": .settings(Stage.platform(["webview": "wkWebView"]), then: .end(.failed(.dns))),
        "I33.system": .redirect { .end(.failed(.dns)) },
        "I34": .own,
        "I35": .settings(Stage.client(["knownAuthorities": []]), then: .code),
        "I36.404": .metadata([.raw(404, "no")]),
        "I36.5xx": .metadata([.raw(502, "down"), .raw(502, "down")]),
        "I36.400": .metadata([.json(400, ["error": "invalid_tenant", "error_description": "no"])]),
        "I37.authorize": .metadata([.json(200, without("authorization_endpoint"))]),
        "I37.token": .metadata([.json(200, without("token_endpoint"))]),
        "I37.issuer": .metadata([.json(200, without("issuer"))]),
        "I37.end": .metadata([.json(200, with("end_session_endpoint", 7))]),
        "I38": .redirect { .end(.blocked("no browser is available")) },
        "I39": .settings(Stage.platform(["keychainGroups": ["another.group"]]), then: .code),
        "I40": .own,
    ]

    private static func without(_ name: String) -> JSONValue { with(name, nil) }

    private static func with(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard let url = WebURL(Stage.susi), var object = FakeAuthority.metadata(of: url).objectValue else { return [:] }
        object[name] = value
        return .object(object)
    }

    @Test func `every row has a play, and every play a row`() {
        #expect(Set(FailureTables.interactive.map(\.id)) == Set(Self.plays.keys))
        #expect(Set(FailureTables.interactive.map(\.id)).count == FailureTables.interactive.count)
    }

    @Test(arguments: FailureTables.interactive)
    func `each row ends as the table says`(row: FailureRow) async throws {
        let outcome: ClientOutcome
        switch try #require(Self.plays[row.id]) {
        case .redirect(let callback): outcome = try await Stage().acquire(.init(), callback())
        case .token(let answers):
            let stage = try Stage()
            stage.authority.change {
                $0.tokenAnswers = answers
                $0.tokenAnswer = .raw(599, "asked more often than the row says")
            }
            outcome = try await stage.acquire()
            #expect(stage.authority.tokenRequests.count == answers.count)
        case .metadata(let answers):
            let stage = try Stage()
            stage.authority.change { $0.metadataAnswers = answers }
            outcome = try await stage.acquire()
            #expect(stage.authority.requests.count == answers.count)
        case .settings(let patch, let plain):
            outcome = try await Stage(patch: patch).acquire(.init(), plain.callback)
        case .own: outcome = try await playOwn(row.id)
        }
        #expect(outcome.row == row.outcome, "\(row.id) \(row.input): \(String(describing: outcome.error))")
        if case .foreign(let domain, _) = row.outcome, domain == "NSURLErrorDomain" {
            #expect(outcome.error?.kind == .network)
        }
        if let error = outcome.error { #expect(error.correlationId != nil) }
    }

    private func playOwn(_ id: String) async throws -> ClientOutcome {
        let stage = try Stage()
        switch id {
        case "I29.email":
            stage.authority.change { $0.tokenAnswer = .tokens(["scope": .string(Stage.read)]) }
            return try await stage.acquire(InteractiveParameters(scopes: [Stage.read, "email"]))
        case "I31":
            let other = MSALAccount(identifier: "someone-b2c_1_susi.\(FakeAuthority.tenantID)", environment: "")
            return try await stage.acquire(InteractiveParameters(account: .object(other)))
        case "I34":
            let url = try #require(WebURL("http://contoso.b2clogin.com/"))
            return try await stage.acquire(.init(), .end(.nonHTTPS(url)))
        default:
            _ = try await stage.client.acquireToken(InteractiveParameters(), lane: stage.lane)
            return try await stage.acquire()
        }
    }

    // MARK: What the table's notes say

    @Test(arguments: [
        ("I2", "AADB2C90118"), ("I3", "AADB2C90091"),
    ])
    func `cancel and forgot password have different codes and texts`(id: String, code: String) async throws {
        guard case .redirect(let callback) = Self.plays[id] else { return }
        let error = try #require(try await Stage().acquire(.init(), callback()).error)
        #expect(error.kind == .userCanceled)
        #expect(error.name == "userCanceled")
        #expect(error.oauthError == "access_denied")
        #expect(error.b2cCode == code)
        #expect(error.description?.hasPrefix(code) == true)
        #expect(error.json["b2cCode"] == .string(code))
    }

    @Test func `percent sequences of a redirect are decoded, and the query wins over the fragment`() async throws {
        let callback = Stage.Callback.query(
            "error=access_denied&error_description=AADB2C90118%3a+The+user&state={state}&x=a=b#error=server_error")
        let error = try #require(try await Stage().acquire(.init(), callback).error)
        #expect(error.oauthError == "access_denied")
        #expect(error.description == "AADB2C90118:+The+user")
        #expect(error.b2cCode == "AADB2C90118")
    }

    @Test func `declined scopes carry both lists and the partial result, and the tokens are in the cache`() async throws
    {
        let stage = try Stage()
        stage.authority.change { $0.tokenAnswer = .tokens(["scope": .string("openid \(Stage.write)")]) }
        let error = try #require(try await stage.acquire().error)
        #expect(error.kind == .declinedScopes)
        #expect(error.grantedScopes == [Stage.write])
        #expect(error.declinedScopes == [Stage.read])
        #expect(error.partialResult?.accessToken?.raw == "access-1")
        #expect(try await stage.cache()["accessTokens"]?.arrayValue?.count == 1)
    }

    @Test func `without an ID token the other tokens are cached; without client_info nothing is`() async throws {
        for (change, count) in [("id_token", 1), ("client_info", 0)] {
            let stage = try Stage()
            stage.authority.change { $0.tokenAnswer = .tokens([change: nil]) }
            _ = try await stage.acquire()
            #expect(try await stage.cache()["refreshTokens"]?.arrayValue?.count == count)
        }
    }

    @Test func `an ID token alone makes a result without access token and scopes`() async throws {
        let stage = try Stage()
        stage.authority.change { $0.tokenAnswer = .tokens(["access_token": nil, "scope": nil]) }
        let result = try #require(try await stage.acquire().result)
        #expect(result["accessToken"] == nil)
        #expect(result["scopes"] == [])
        #expect(result["idToken", "claims", "name"] == "Ada")
    }

    @Test func `HTTP failures have their status; a throttling answer has its delay`() async throws {
        let busy = try Stage()
        busy.authority.change { $0.tokenAnswer = .raw(429, "no", ["Retry-After": "17"]) }
        let error = try #require(try await busy.acquire().error)
        #expect(error.httpStatus == 429)
        #expect(error.retryAfter == 17)
        #expect(error.kind == .throttled)
        let missing = try Stage()
        missing.authority.change { $0.tokenAnswer = .raw(404, "no") }
        let notFound = try #require(try await missing.acquire().error)
        #expect(notFound.underlying.map { FailureOutcome($0) } == .msal(-50000, -42009))
        #expect(notFound.kind == .server)
    }

    @Test(arguments: [
        (Answer.raw(503, "down"), Int64(500)), (.fail(.timeout), 500), (.fail(.reset), 500),
        (.fail(.offline), 2000),
        (.fail(.tls), 0),
    ])
    func `retries wait half a second, without network two`(answer: Answer, milliseconds: Int64) async throws {
        let stage = try Stage()
        stage.authority.change { $0.tokenAnswers = [answer] }
        let outcome = try await stage.acquire()
        #expect(stage.time.now == Stage.start + .milliseconds(milliseconds))
        #expect(outcome.count("retry") == (milliseconds > 0 ? 1 : 0))
        #expect((outcome.row == .success) == (milliseconds > 0))
    }

    @Test func `the number of retries is a setting`() async throws {
        for retries in 0...3 {
            let stage = try Stage(patch: Stage.client(["serverRetries": .integer(Int64(retries))]))
            stage.authority.change { $0.tokenAnswer = .raw(500, "down") }
            _ = try await stage.acquire()
            #expect(stage.authority.tokenRequests.count == retries + 1)
        }
    }

    @Test func `protection policies name the user`() async throws {
        let stage = try Stage()
        guard case .token(let answers) = Self.plays["I19"] else { return }
        stage.authority.change { $0.tokenAnswers = answers }
        let error = try #require(try await stage.acquire().error)
        #expect(error.displayableUserId == "ada@example.test")
        #expect(error.homeAccountId == "u.\(FakeAuthority.tenantID)")
        #expect(error.subError == "protection_policy_required")
    }

    @Test func `a keychain that cannot be written is only logged`() async throws {
        let outcome = try await Stage(patch: Stage.platform(["keychainGroups": ["another.group"]])).acquire()
        #expect(outcome.row == .success)
        #expect(outcome.count("keychainError") > 0)
        #expect(outcome.count("cacheWrite") == 0)
    }

    @Test(arguments: [
        (Stage.susi, true), (Stage.susi + "/", false), (Stage.susi.lowercased(), false),
        ("https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", false), (Stage.susi + "?x=1", true),
        ("https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_susi", true),
    ])
    func `an authority is known only in exactly its spelling`(url: String, known: Bool) async throws {
        let stage = try Stage(patch: Stage.client(["knownAuthorities": [.string(Stage.susi)]]))
        let step = try await stage.client.acquireToken(
            InteractiveParameters(authority: AuthorityChoice(url: url)), lane: stage.lane)
        switch step {
        case .browse: #expect(known)
        case .finished(let outcome):
            #expect(!known)
            #expect(outcome.row == .msal(-50000, -42008))
            #expect(outcome.error?.kind == .configuration)
            #expect(stage.authority.requests.isEmpty)
        }
    }
}

extension Stage.Callback {
    /// The callbacks that need nothing computed, so that a table can hold them.
    enum Plain: Sendable {
        case code
        case end(BrowseEnd)

        var callback: Stage.Callback {
            switch self {
            case .code: .code("the-code")
            case .end(let end): .end(end)
            }
        }
    }
}
