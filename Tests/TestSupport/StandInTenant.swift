import Determinism
import HTTPMessages
import JOSE
import JSON
import Synchronization

/// A tenant as the real service serves one, on a free loopback port: written from what is published of it (recordings such
/// as p0l0/pygruenbeck_cloud, tests/responses; Microsoft docs: openid-connect, cookie-definitions), not from our mock. It is
/// as strict as the service is said to be: cookies have to come back byte for byte, posts need all their fields, tokens of a
/// page fit one page.
///
/// Its host is `contoso.b2clogin.com`; requests for other names that reach it are counted in ``strays``.
public final class StandInTenant: Sendable {
    public static let host = "contoso.b2clogin.com"
    static let domain = "contoso.onmicrosoft.com"
    static let directory = "0f6b7a52-6d9c-4c0f-9a31-5f2f0e0a9b11"

    /// How pages are served. The service has served all of these.
    public struct Manner: Sendable {
        public enum Settings: String, Sendable, CaseIterable {
            /// `SETTINGS` is JSON.
            case json
            /// With a sanitizer policy: names without quotes, single quotes, a function, a trailing comma.
            case script
        }

        public enum Verification: String, Sendable, CaseIterable {
            /// `VERIFY` on the field, page layout 1.x.
            case legacy
            case displayControl
        }

        public var settings = Settings.script
        public var verification = Verification.displayControl
        /// The id of the field for the name on the sign-in page.
        public var signInField = "signInName"
        /// Calls for codes hand out another anti-forgery token.
        public var rotatesToken = false
        /// A second page asks for a code on the phone: `sms` or `call`.
        public var secondFactor: String?
        /// The link for forgotten passwords goes on inside the flow.
        public var resetsInside = false
        /// Pages ask for a captcha.
        public var captcha = false
        /// Posts carry the id of the page.
        public var wantsPageView = false

        public init() {}
    }

    /// Somebody who has an account.
    public struct Account: Sendable {
        public var password: String
        public var name: String

        public init(password: String, name: String) {
            self.password = password
            self.name = name
        }
    }

    /// What the stand-in answers instead of what it would, once for each request that it is asked about.
    public typealias Interruption = @Sendable (_ request: RequestMessage, _ number: Int) -> LoopbackReply?

    public var port: Int { server.withLock { $0?.port ?? 0 } }
    private let server = Mutex<LoopbackServer?>(nil)
    private let manner: Manner
    private let state: Mutex<State>
    private let now: @Sendable () -> Timestamp
    private let interruption: Interruption
    /// Where codes are sent: address or number, and code.
    private let outbox: @Sendable (String, String) -> Void

    struct State {
        var accounts: [String: Account]
        var journeys: [String: Journey] = [:]
        var grants: [String: Grant] = [:]
        var codes: [String: String] = [:]
        var count = 0
        var requests: [RequestMessage] = []
        var complaints: [String] = []
        var strays = 0
        var times: [Timestamp] = []
        /// Names that are between typing their password and getting their tokens.
        var inside: [String] = []
        var overlaps = 0
    }

    enum PageKind { case signIn, signUp, proveAddress, newPassword, profile, phone }

    /// A visit between /authorize and the answer to the app.
    struct Journey {
        var id: String
        var policy: String
        var query: FormItems
        var page: PageKind
        var pages: [PageKind]
        var token = ""
        var cookies: [(name: String, value: String)] = []
        var isAccepted = false
        var user = ""
        var proven = ""
        var polls = 0
        var isNew = false
    }

    struct Grant {
        var user: String
        var policy: String
        var query: FormItems
    }

    public init(
        _ manner: Manner = Manner(), accounts: [String: Account],
        now: @escaping @Sendable () -> Timestamp = { RealTime().now() },
        interruption: @escaping Interruption = { _, _ in nil },
        outbox: @escaping @Sendable (String, String) -> Void = { _, _ in }
    ) throws {
        self.outbox = outbox
        self.manner = manner
        self.now = now
        self.interruption = interruption
        state = Mutex(State(accounts: accounts))
        let listening = try LoopbackServer { [weak self] request in self?.reply(to: request) ?? .drop }
        server.withLock { $0 = listening }
    }

    // MARK: What it has seen

    /// Requests that were not as B2C's own page script makes them, in words.
    public var complaints: [String] { state.withLock { $0.complaints } }
    public var requests: [RequestMessage] { state.withLock { $0.requests } }
    /// When requests arrived, by the clock given.
    public var times: [Timestamp] { state.withLock { $0.times } }
    public var strays: Int { state.withLock { $0.strays } }
    /// How often somebody typed a password while the same person was signing in elsewhere.
    public var overlaps: Int { state.withLock { $0.overlaps } }
    public func account(_ name: String) -> Account? { state.withLock { $0.accounts[name] } }
    /// The newest code sent to an address or number.
    public func code(to address: String) -> String? { state.withLock { $0.codes[address] } }

    // MARK: Routing

    private func reply(to request: RequestMessage) -> LoopbackReply {
        let at = now()
        let number = state.withLock { state in
            state.requests.append(request)
            state.times.append(at)
            return state.requests.count
        }
        if let other = interruption(request, number) { return other }
        guard request.url.host == Self.host else {
            state.withLock { $0.strays += 1 }
            return .response(.text(404, "no such host"))
        }
        return .response(state.withLock { answer(to: request, &$0, at) })
    }

    private func answer(to request: RequestMessage, _ state: inout State, _ at: Timestamp) -> ResponseMessage {
        var parts = request.url.path.split(separator: "/").map(String.init)
        // Three forms of addresses are served; this one is asked for by MSAL for iOS.
        if parts.first == "tfp" { parts.removeFirst() }
        guard parts.count > 2, [Self.domain, Self.directory].contains(parts[0].lowercased()) else {
            return .text(404, "Not Found")
        }
        let policy = Self.registered(parts[1])
        let rest = parts.dropFirst(2).joined(separator: "/")
        switch (request.method, rest) {
        case ("GET", "v2.0/.well-known/openid-configuration"): return discovery(parts[1])
        case ("GET", "discovery/v2.0/keys"):
            return .json(200, .object(JWKSet(keys: [TestKeys.key(0).jwk]).json))
        case ("GET", "oauth2/v2.0/authorize"): return authorize(request, policy, &state)
        case ("POST", "oauth2/v2.0/token"): return token(request, &state, at)
        case ("GET", "oauth2/v2.0/logout"): return logout(request)
        default: return hosted(request, policy, rest, &state)
        }
    }

    /// Policies are found in any letter case; pages name them as they are registered.
    private static func registered(_ name: String) -> String {
        ["B2C_1_susi", "B2C_1_reset", "B2C_1_edit", "B2C_1_signup"].first { $0.lowercased() == name.lowercased() }
            ?? name
    }

    private func discovery(_ policy: String) -> ResponseMessage {
        let base = "https://\(Self.host)/\(Self.domain)/\(policy.lowercased())"
        return .json(
            200,
            [
                "issuer": .string("https://\(Self.host)/\(Self.directory)/v2.0/"),
                "authorization_endpoint": .string(base + "/oauth2/v2.0/authorize"),
                "token_endpoint": .string(base + "/oauth2/v2.0/token"),
                "end_session_endpoint": .string(base + "/oauth2/v2.0/logout"),
                "jwks_uri": .string(base + "/discovery/v2.0/keys"),
                "response_modes_supported": ["query", "fragment", "form_post"],
                "response_types_supported": ["code", "id_token"], "scopes_supported": ["openid"],
                "subject_types_supported": ["pairwise"], "id_token_signing_alg_values_supported": ["RS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
                "claims_supported": ["name", "oid", "sub", "tfp"],
            ])
    }

    private func authorize(_ request: RequestMessage, _ policy: String, _ state: inout State) -> ResponseMessage {
        state.count += 1
        let id = "a3e25dda-0371-43d8-8fd9-\(String(100_000_000_000 + state.count))"
        let pages: [PageKind]
        switch policy {
        case "B2C_1_reset": pages = [.proveAddress, .newPassword]
        case "B2C_1_edit": pages = [.signIn, .profile]
        case "B2C_1_signup": pages = [.signUp]
        default: pages = manner.secondFactor == nil ? [.signIn] : [.signIn, .phone]
        }
        let journey = Journey(
            id: id, policy: policy, query: request.url.queryItems, page: pages[0], pages: Array(pages.dropFirst()))
        return show(journey, &state)
    }

    // MARK: Cookies and tokens of pages

    /// The page comes up: a new token, and all cookies with it.
    private func show(_ journey: Journey, _ state: inout State) -> ResponseMessage {
        var journey = journey
        journey.isAccepted = false
        renew(&journey, &state)
        state.journeys[journey.id] = journey
        return .html(200, page(journey, state), headers: cookieFields(journey))
    }

    private func renew(_ journey: inout Journey, _ state: inout State) {
        state.count += 1
        let n = state.count
        // base64 of four parts; `=` ends it, `+` and `/` cannot occur (decoded from recordings).
        var parts = "QUJDREVGR0g\(n)==;2026-01-15T12:00:00.1234567Z;aWlpaWlpaWlpaWlpaWlpaQ==;{\"OrchestrationStep\":1}"
        while parts.utf8.count % 3 == 0 { parts += " " }
        journey.token = Base64.encode(Array(parts.utf8))
        let transaction =
            "{\"T_DIC\":[{\"I\":\"\(journey.id)\",\"T\":\"\(Self.domain)\",\"P\":\"\(journey.policy.lowercased())\",\"C\":\"c\",\"S\":\(n),\"M\":{},\"D\":0,\"E\":\"\"}],\"C_ID\":\"\(journey.id)\"}"
        journey.cookies = [
            ("x-ms-cpim-slice", "001-000"), ("x-ms-cpim-csrf", journey.token),
            ("x-ms-cpim-cache|2l3io3ed2eop2vq5tcrnuw_0", "m1.\(n)/AbC+d==.eF.0.x+y/z="),
            ("x-ms-cpim-cache|2l3io3ed2eop2vq5tcrnuw_1", "m1.\(n).z=="),
            ("x-ms-cpim-sso:\(Self.domain)_0", "m1.s\(n)/=="),
            ("x-ms-cpim-trans", Base64.encode(Array(transaction.utf8))),
        ]
    }

    private func cookieFields(_ journey: Journey) -> Headers {
        var headers: Headers = ["Cache-Control": "no-store, must-revalidate, no-cache", "X-Frame-Options": "DENY"]
        for cookie in journey.cookies {
            headers.append(
                "Set-Cookie",
                "\(cookie.name)=\(cookie.value); domain=\(Self.host); path=/; SameSite=None; secure; HttpOnly")
        }
        return headers
    }

    /// Why a request of a page does not fit; nil where it does. The service answers some with a bare 400, some with its
    /// page for exceptions.
    private func complaint(_ request: RequestMessage, _ journey: Journey) -> String? {
        let sent = (request.headers["Cookie"] ?? "").components(separatedBy: "; ")
        for cookie in journey.cookies where !sent.contains("\(cookie.name)=\(cookie.value)") {
            return "the cookie \(cookie.name) has not come back as it was set"
        }
        let query = request.url.query ?? ""
        guard query.contains("tx=\(Self.transaction(journey))"), query.contains("p=\(journey.policy)") else {
            return "tx and p are not those of the page: \(query)"
        }
        if request.method == "GET" {
            return query.contains("csrf_token=\(journey.token)&") ? nil : "the token of the address is not the page's"
        }
        if request.headers["X-CSRF-TOKEN"] != journey.token { return "X-CSRF-TOKEN is not the page's" }
        if request.headers["X-Requested-With"] != "XMLHttpRequest" { return "X-Requested-With is missing" }
        if request.headers["Origin"] != "https://\(Self.host)" { return "Origin is missing" }
        if request.headers["Referer"]?.hasPrefix("https://\(Self.host)/") != true { return "Referer is missing" }
        if manner.wantsPageView, request.headers["x-ms-cpim-pageviewid"] != Self.pageView(journey) {
            return "x-ms-cpim-pageviewid is missing"
        }
        return nil
    }

    private static func transaction(_ journey: Journey) -> String {
        "StateProperties=" + Base64URL.encode(Array("{\"TID\":\"\(journey.id)\"}".utf8))
    }

    private static func pageView(_ journey: Journey) -> String { "11111111-0000-0000-0000-" + journey.id.suffix(12) }

    // MARK: Requests of pages

    private func hosted(
        _ request: RequestMessage, _ policy: String, _ rest: String, _ state: inout State
    ) -> ResponseMessage {
        let wanted = request.url.query ?? ""
        guard var journey = state.journeys.values.first(where: { wanted.contains(Self.transaction($0)) }) else {
            state.complaints.append("\(rest): no such transaction")
            return .text(400, "Bad Request")
        }
        if let complaint = complaint(request, journey) {
            state.complaints.append("\(request.method) \(rest): \(complaint)")
            return complaint.contains("cookie") ? .text(400, "Bad Request") : exception()
        }
        defer { if state.journeys[journey.id] != nil { state.journeys[journey.id] = journey } }
        let form = FormItems(parsing: request.body)
        if request.method == "POST" {
            let answer = post(rest, form, &journey, &state)
            guard manner.rotatesToken, rest != "SelfAsserted" || form["request_type"] != "RESPONSE" else {
                return answer
            }
            renew(&journey, &state)
            var renewed = answer
            for field in cookieFields(journey).fields where field.name == "Set-Cookie" {
                renewed.headers.append(field.name, field.value)
            }
            return renewed
        }
        return navigate(rest, request.url.queryItems, &journey, &state)
    }

    private func exception() -> ResponseMessage {
        .html(
            200,
            "<!DOCTYPE html><html><body><div id=\"api\" data-name=\"GlobalException\"><h2>We are having trouble signing you in.</h2><div class=\"error-page-detail\">AADB2C: An exception has occurred.</div></div></body></html>"
        )
    }

    private static func page(_ status: String, _ code: String? = nil, _ message: String? = nil) -> ResponseMessage {
        var body = JSONObject()
        body["status"] = .string(status)
        if let code { body["errorCode"] = .string(code) }
        if let message { body["message"] = .string(message) }
        return ResponseMessage(
            status: 200, headers: ["Content-Type": "text/json; charset=utf-8"],
            body: JSONWriter.compactBytes(.object(body)))
    }

    private func post(
        _ rest: String, _ form: FormItems, _ journey: inout Journey, _ state: inout State
    ) -> ResponseMessage {
        if rest.hasPrefix("SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/") {
            return prove(
                form["email"] ?? "", code: rest.hasSuffix("VerifyCode") ? form["emailVerificationCode"] ?? "" : nil,
                &journey, &state)
        }
        switch (rest, form["request_type"]) {
        case ("SelfAsserted", "VERIFICATION_REQUEST"):
            return prove(form["claim_value"] ?? "", code: nil, &journey, &state)
        case ("SelfAsserted", "VALIDATION_REQUEST"):
            return prove(form["claim_value"] ?? "", code: form["user_input"] ?? "", &journey, &state)
        case ("SelfAsserted", "RESPONSE"):
            return submit(form, &journey, &state)
        case ("Phonefactor/verify", "VERIFICATION_REQUEST"):
            state.codes["+441234567890"] = "70\(1000 + state.count)"
            return form["id"] == "1" ? Self.page("200") : Self.page("448")
        case ("Phonefactor/verify", "VALIDATION_REQUEST"):
            if manner.secondFactor == "call" {
                journey.polls += 1
                journey.isAccepted = journey.polls > 2
                return Self.page(journey.isAccepted ? "200" : "449")
            }
            journey.isAccepted = form["verification_code"] == state.codes["+441234567890"]
            return Self.page(journey.isAccepted ? "200" : "449")
        default:
            state.complaints.append("nothing of the page posts \(rest)")
            return exception()
        }
    }

    private func prove(
        _ address: String, code: String?, _ journey: inout Journey, _ state: inout State
    ) -> ResponseMessage {
        guard let code else {
            let fresh = "\(200_000 + state.count)"
            state.codes[address] = fresh
            outbox(address, fresh)
            return Self.page("200")
        }
        guard code == state.codes[address] else {
            return Self.page("400", nil, "That code is incorrect. Please try again.")
        }
        journey.proven = address
        return Self.page("200")
    }

    private func submit(_ form: FormItems, _ journey: inout Journey, _ state: inout State) -> ResponseMessage {
        switch journey.page {
        case .signIn:
            let user = form[manner.signInField] ?? ""
            guard let account = state.accounts[user] else {
                return Self.page("400", "AADB2C90053", "We can't seem to find your account")
            }
            guard account.password == form["password"] else {
                return Self.page("400", "AADB2C90054", "Your password is incorrect")
            }
            if state.inside.contains(user) { state.overlaps += 1 }
            state.inside.append(user)
            journey.user = user
        case .signUp, .proveAddress:
            let email = form["email"] ?? ""
            guard journey.proven == email else {
                return Self.page("400", nil, "The claim email has not been verified")
            }
            journey.user = email
            if journey.page == .signUp {
                guard form["newPassword"] == form["reenterPassword"], let password = form["newPassword"] else {
                    return Self.page("400", nil, "The passwords differ")
                }
                state.accounts[email] = Account(password: password, name: form["displayName"] ?? "")
                journey.isNew = true
            } else if state.accounts[email] == nil {
                return Self.page("400", "AADB2C90053", "An account could not be found for the provided user ID.")
            }
        case .newPassword:
            guard let password = form["newPassword"], password == form["reenterPassword"] else {
                return Self.page("400", nil, "The passwords differ")
            }
            state.accounts[journey.user]?.password = password
        case .profile:
            state.accounts[journey.user]?.name = form["displayName"] ?? ""
        case .phone:
            return exception()
        }
        journey.isAccepted = true
        return Self.page("200")
    }

    private func navigate(
        _ rest: String, _ query: FormItems, _ journey: inout Journey, _ state: inout State
    ) -> ResponseMessage {
        let action = rest.split(separator: "/").last.map(String.init) ?? ""
        switch action {
        case "confirmed":
            if journey.page == .signIn, query["rememberMe"] == nil {
                state.complaints.append("confirmed of the sign-in page needs rememberMe")
            }
            guard journey.isAccepted else {
                return finish(
                    journey, &state, error: "server_error",
                    "AADB2C90255: The claims exchange specified in technical profile 'x' did not complete as expected.")
            }
            guard !journey.pages.isEmpty else { return finish(journey, &state) }
            journey.page = journey.pages.removeFirst()
        case "unified" where query["local"] == "signup": journey.page = .signUp
        case "unified" where query["claimsexchange"] == "ForgotPassword":
            journey.page = .proveAddress
            journey.pages = [.newPassword]
        case "unified":
            return .redirect(
                "https://login.live.test/oauth20_authorize.srf?client_id=x&state=\(Self.transaction(journey))")
        case "forgotPassword":
            return finish(
                journey, &state, error: "access_denied", "AADB2C90118: The user has forgotten their password.")
        default:
            return finish(
                journey, &state, error: "access_denied",
                "AADB2C90091: The user has cancelled entering self-asserted information.")
        }
        defer { journey = state.journeys[journey.id] ?? journey }
        return show(journey, &state)
    }

    // MARK: Answers to the app

    private func finish(
        _ journey: Journey, _ state: inout State, error: String? = nil, _ description: String = ""
    ) -> ResponseMessage {
        state.journeys[journey.id] = nil
        var items = FormItems()
        if let given = journey.query["state"] { items.append("state", given) }
        if let error {
            items.append("error", error)
            items.append(
                "error_description",
                "\(description)\r\nCorrelation ID: \(journey.id)\r\nTimestamp: 2026-01-15 12:00:00Z\r\n")
        } else {
            if journey.query["client_info"] == "1" {
                items.append("client_info", Self.clientInfo(journey.user, journey.policy))
            }
            let code = "eyJraWQiOiJ4In0.\(journey.id).a.b.c"
            state.grants[code] = Grant(user: journey.user, policy: journey.policy, query: journey.query)
            items.append("code", code)
        }
        var target = journey.query["redirect_uri"] ?? ""
        // An address without a path gets one (p0l0/pygruenbeck_cloud, tests/conftest.py).
        if let scheme = target.range(of: "://"), !target[scheme.upperBound...].contains("/") { target += "/" }
        var headers: Headers = [:]
        for cookie in journey.cookies where cookie.name.contains("trans") || cookie.name.contains("cache") {
            headers.append(
                "Set-Cookie",
                "\(cookie.name)=; domain=\(Self.host); expires=Fri, 15-Jan-2016 12:00:00 GMT; path=/; SameSite=None; secure; HttpOnly"
            )
        }
        if journey.query["response_mode"] == "form_post" {
            let inputs = items.items.map {
                "<input type='hidden' name='\($0.name)' id='\($0.name)_id' value='\($0.value)'/>"
            }.joined()
            return .html(
                200,
                "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Logging in...</title><meta name='CACHE-CONTROL' content='NO-CACHE'/></head><body><form id='auto' method='post' action='\(target)'>\(inputs)<noscript><p>Script is disabled.</p><input type='submit' value='Submit'/></noscript></form><script>document.getElementById('auto').submit();</script></body></html>",
                headers: headers)
        }
        headers["Content-Type"] = "text/html; charset=utf-8"
        var answer = ResponseMessage.redirect(
            target + (target.contains("?") ? "&" : "?") + items.dotNetEncoded, headers: headers)
        answer.body = Array("<html><head><title>Object moved</title></head><body></body></html>".utf8)
        return answer
    }

    private static func clientInfo(_ user: String, _ policy: String) -> String {
        let info: JSONValue = [
            "uid": .string("\(oid(user))-\(policy.lowercased())"), "utid": .string(directory),
        ]
        return Base64URL.encode(JSONWriter.compactBytes(info))
    }

    private static func oid(_ user: String) -> String {
        "5c0d1e2f-0000-4000-8000-" + String(100_000_000_000 + user.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 899_999 })
    }

    private func token(_ request: RequestMessage, _ state: inout State, _ at: Timestamp) -> ResponseMessage {
        let form = FormItems(parsing: request.body)
        let grant = form["code"].flatMap { state.grants[$0] } ?? form["refresh_token"].flatMap { state.grants[$0] }
        guard let grant else {
            return .json(
                400,
                [
                    "error": "invalid_grant",
                    "error_description":
                        "AADB2C90080: The provided grant has expired.\r\nCorrelation ID: c\r\nTimestamp: 2026-01-15 12:00:00Z\r\n",
                ])
        }
        state.inside.removeAll { $0 == grant.user }
        state.count += 1
        let refresh = "eyJraWQiOiJ4In0.r\(state.count).a.b.c"
        state.grants[refresh] = grant
        let client = grant.query["client_id"] ?? ""
        let seconds = at.milliseconds / 1000
        let oid = Self.oid(grant.user)
        var claims: JSONObject = [
            "ver": "1.0", "iss": .string("https://\(Self.host)/\(Self.directory)/v2.0/"), "sub": .string(oid),
            "aud": .string(client), "exp": .integer(seconds + 3600), "nbf": .integer(seconds), "iat": .integer(seconds),
            "auth_time": .integer(seconds), "oid": .string(oid),
            "name": .string(state.accounts[grant.user]?.name ?? ""), "emails": .array([.string(grant.user)]),
            "tfp": .string(grant.policy),
        ]
        if let nonce = grant.query["nonce"] { claims["nonce"] = .string(nonce) }
        let key = TestKeys.key(0)
        let signed = JWS.sign(
            header: ["alg": "RS256", "kid": .string(key.kid), "typ": "JWT"], claims: claims, key: key)
        return .json(
            200,
            [
                "access_token": .string(signed), "id_token": .string(signed), "token_type": "Bearer",
                "not_before": .integer(seconds), "expires_in": 3600, "expires_on": .integer(seconds + 3600),
                "resource": .string(client), "client_info": .string(Self.clientInfo(grant.user, grant.policy)),
                "scope": .string(client), "refresh_token": .string(refresh), "refresh_token_expires_in": 1_209_600,
            ])
    }

    private func logout(_ request: RequestMessage) -> ResponseMessage {
        guard let target = request.url.queryItems["post_logout_redirect_uri"] else {
            return .html(200, "<html><body><h1>You have signed out</h1></body></html>")
        }
        guard let given = request.url.queryItems["state"] else { return .redirect(target) }
        let items: FormItems = ["state": given]
        return .redirect("\(target)\(target.contains("?") ? "&" : "?")\(items.encoded)")
    }

    // MARK: Pages

    private func page(_ journey: Journey, _ state: State) -> String {
        let api: String
        var fields: [JSONValue] = []
        var config: JSONObject = ["showCancelButton": "True", "operatingMode": "Email", "timeout": "90000"]
        switch journey.page {
        case .signIn:
            api = "CombinedSigninAndSignup"
            fields = [
                Self.field(manner.signInField, "Email Address", "TextBox"),
                Self.field("password", "Password", "Password"),
            ]
            config["forgotPasswordLinkLocation"] = "AfterInput"
            config["showSignupLink"] = "True"
            if manner.resetsInside { config["forgotPasswordLinkOverride"] = "ForgotPassword" }
        case .signUp:
            api = "SelfAsserted"
            fields = address()
            fields += [
                Self.field("newPassword", "New Password", "Password"),
                Self.field("reenterPassword", "Confirm New Password", "Password"),
                Self.field("displayName", "Display Name", "TextBox"),
            ]
        case .proveAddress:
            api = "SelfAsserted"
            fields = address()
        case .newPassword:
            api = "SelfAsserted"
            fields = [
                Self.field("newPassword", "New Password", "Password"),
                Self.field("reenterPassword", "Confirm New Password", "Password"),
            ]
        case .profile:
            api = "SelfAsserted"
            fields = [
                Self.field(
                    "displayName", "Display Name", "TextBox",
                    [("PRE", .string(state.accounts[journey.user]?.name ?? ""))])
            ]
        case .phone:
            api = "Phonefactor"
            config["authenticationMode"] = manner.secondFactor == "call" ? "Phone" : "Sms"
            config["pollIntervalInMilliseconds"] = "5000"
            config["pollLimit"] = "20"
        }
        if manner.captcha, journey.page == .signIn {
            fields.append(Self.field("captchaControlChallengeCode", "Enter the characters", "CaptchaControl"))
        }
        let phones =
            journey.page == .phone
            ? "var UV_PHONE = {\"PhoneNumbers\":[{\"Id\":1,\"MaskedNumber\":\"XXX-XXX-7890\"}]};" : ""
        let choices =
            journey.page == .signIn
            ? "{\"list\":[{\"id\":\"MicrosoftAccountExchange\",\"description\":\"Microsoft\"},{\"id\":\"ForgotPassword\",\"description\":\"Forgot\",\"displayType\":\"TextLink\"}]}"
            : "{\"list\":[]}"
        return """
            <!DOCTYPE html>
            <!-- Build: 1.1.20.0 -->
            <!-- StateVersion: 2.1.1 -->
            <!-- DeploymentMode: Production -->
            <!-- CorrelationId: \(journey.id) -->
            <!-- DataCenter: DB3 -->
            <!-- Slice: 001-000 -->
            <html lang="en"><head><title>Loading...</title>
            <script data-container="true" nonce="Zm9v">
            var CP = \(choices);
            var SA_FIELDS = {"AttributeFields":\(JSONWriter.compact(.array(fields)))};
            \(phones)
            var CONTENT = {"heading":"Sign in","unknown_error":"We are having trouble signing you in. Please try again later.","intro":"Say &quot;var SETTINGS = {&quot; or &lt;/script&gt;","cancel_message":"The user has cancelled entering self-asserted information"};
            var SETTINGS = \(settings(journey, api, config));
            </script>
            <script nonce="Zm9v">window.staticHost = SETTINGS.hosts.static; window.initializationTimeout = 30000; var diagsAlways = true;
            if (SETTINGS.api === "SelfAsserted") { SA_FIELDS.AttributeFields.length; } /* SETTINGS = {"api":"wrong"} */</script>
            </head><body><noscript><p>JavaScript is required.</p></noscript><div id="no_cookie" style="display:none"></div><div id="api"></div></body></html>
            """
    }

    private func address() -> [JSONValue] {
        if manner.verification == .legacy {
            return [Self.field("email", "Email Address", "EmailBox", [("VERIFY", true)])]
        }
        return [
            Self.field(
                "emailVerificationControl", "", "DisplayControl",
                [
                    ("CONTROL_TYPE", "VerificationControl"),
                    (
                        "DISPLAY_FIELDS",
                        .array([
                            Self.field("email", "Email Address", "TextBox"),
                            Self.field("emailVerificationCode", "Verification Code", "TextBox"),
                        ])
                    ),
                ])
        ]
    }

    private static func field(
        _ id: String, _ label: String, _ type: String, _ more: [(String, JSONValue)] = []
    ) -> JSONValue {
        var field = JSONObject()
        field["UX_INPUT_TYPE"] = .string(type)
        field["USER_INPUT_TYPE"] = .string(type)
        field["IS_TEXT"] = .bool(type == "TextBox")
        field["IS_EMAIL"] = .bool(type == "EmailBox")
        field["IS_PASSWORD"] = .bool(type == "Password")
        field["PAT"] = "^[a-z]*\\\\d{0,4}$|.*"
        field["PAT_DESC"] = "It's not valid: </b>"
        field["VERIFY"] = false
        field["DN"] = .string(label)
        field["U_HELP"] = ""
        field["ID"] = .string(id)
        field["IS_REQ"] = .bool(type != "DisplayControl")
        field["IS_RDO"] = false
        for (key, value) in more { field[key] = value }
        return .object(field)
    }

    private func settings(_ journey: Journey, _ api: String, _ config: JSONObject) -> String {
        let head = """
            "remoteResource":"https://\(Self.host)/static/tenant/templates/AzureBlue/page.cshtml","retryLimit":3,\
            "trimSpacesInPassword":true,"api":"\(api)","csrf":"\(journey.token)","transId":"\(Self.transaction(journey))",\
            "pageViewId":"\(Self.pageView(journey))","suppressElementCss":false,\
            "isPageViewIdSentWithHeader":\(manner.wantsPageView),"allowAutoFocusOnPasswordField":true,"pageMode":0,\
            "config":\(JSONWriter.compact(.object(config)))
            """
        let tail = """
            "hosts":{"tenant":"/\(Self.domain)/\(journey.policy)","policy":"\(journey.policy)",\
            "static":"https://\(Self.host)/static/"},"locale":{"lang":"en"},\
            "xhrSettings":{"retryEnabled":true,"retryMaxAttempts":3,"retryDelay":200,"retryExponent":2,"retryOn":["error","timeout"]}
            """
        switch manner.settings {
        case .json: return "{\(head),\(tail)}"
        case .script:
            return """
                {\(head),"sanitizerPolicy":{allowedTags:['a','b','it\\'s'],'allowedAttributes':{"*":["class"],a:['href',],},
                  exclusiveFilter: function (frame) { if (frame.tag === "a" && 1 < 2) { return "}" == frame.text; } return false; }, // {
                  nonTextTags : [ 'style' ]},\(tail)}
                """
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let found = rest.firstRange(of: separator) {
            parts.append(String(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return parts + [String(rest)]
    }

    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
