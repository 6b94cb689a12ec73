import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import Synchronization
import TestSupport

/// A stand-in for a real tenant, on a loopback port. It shares no code with the mock authority: pages, cookies and
/// answers have the forms recorded from live tenants, also the inconvenient ones, in words of our own.
///
/// It insists on what the service insists on: cookies come back byte for byte, the header and the cookie of the
/// anti-forgery token agree, the page's script headers are there.
final class RecordedTenant: Sendable {
    static let host = "fabrikamb2c.b2clogin.com"
    static let domain = "fabrikamb2c.onmicrosoft.com"
    static let clientId = "3c7c2e05-9a0d-4f0e-8f0e-6b6a3c1d2e4f"

    /// How addresses are proved.
    enum Verification: Sendable {
        /// Page layouts 1.x: VERIFICATION_REQUEST and VALIDATION_REQUEST posts.
        case legacy
        /// Page layouts 2.x: display controls.
        case displayControl
    }

    struct Person: Sendable {
        var password: String
        var name: String
        var objectId: String
    }

    private struct Transaction: Sendable {
        var policy: String
        var query: FormItems
        var page = "signIn"
        var csrf = ""
        var email: String?
        var isVerified = false
        var isAccepted = false
        var code: String?
        var typed = FormItems()
    }

    private struct State: Sendable {
        var people: [String: Person] = [:]
        var transactions: [String: Transaction] = [:]
        var grants: [String: (email: String, policy: String, nonce: String?)] = [:]
        var mails: [(to: String, code: String)] = []
        var count = 0
        var throttled = 0
        var requests: [RequestMessage] = []
    }

    let verification: Verification
    private let clock: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let key = TestKeys.named("k1")

    /// - Parameter throttled: So many requests to the authorize endpoint are answered 429 first.
    init(_ verification: Verification, throttled: Int = 0, clock: @escaping @Sendable () -> Timestamp) {
        self.verification = verification
        self.clock = clock
        state.withLock { state in
            state.throttled = throttled
            state.people["ada@example.test"] = Person(
                password: "Analytical-1843", name: "Ada", objectId: "6a1d2c3b-0000-4000-8000-000000000001")
        }
    }

    var requests: [RequestMessage] { state.withLock { $0.requests } }

    /// The newest code sent to an address.
    func mail(to address: String) -> String? { state.withLock { $0.mails.last { $0.to == address }?.code } }

    func person(_ email: String) -> Person? { state.withLock { $0.people[email] } }

    // MARK: Routing

    func reply(to request: RequestMessage) -> LoopbackReply {
        state.withLock { $0.requests.append(request) }
        return .response(state.withLock { answer(request, &$0) })
    }

    private func answer(_ request: RequestMessage, _ state: inout State) -> ResponseMessage {
        var parts = request.url.path.split(separator: "/").map(String.init)
        if parts.first == "tfp" { parts.removeFirst() }
        guard parts.count >= 3, parts[0].lowercased() == Self.domain else {
            return .html(404, "<html><body>not here</body></html>")
        }
        let policy = parts[1]
        let rest = parts[2...].joined(separator: "/")
        switch (request.method, rest) {
        case ("GET", "v2.0/.well-known/openid-configuration"): return .json(200, metadata(policy))
        case ("GET", "discovery/v2.0/keys"): return .json(200, ["keys": [.object(key.jwk.json)]])
        case ("GET", "oauth2/v2.0/authorize"): return authorize(request, policy, &state)
        case ("POST", "oauth2/v2.0/token"): return token(request, policy, &state)
        case ("GET", "oauth2/v2.0/logout"):
            return .redirect(request.url.queryItems["post_logout_redirect_uri"] ?? "https://\(Self.host)/")
        default: return page(request, rest, &state)
        }
    }

    private func metadata(_ policy: String) -> JSONValue {
        let base = "https://\(Self.host)/\(Self.domain)/\(policy.lowercased())"
        return [
            "issuer": "https://\(Self.host)/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/",
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
            "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "response_types_supported": ["code", "code id_token", "id_token"],
            "scopes_supported": ["openid"], "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "claims_supported": ["name", "emails", "idp", "iss", "iat", "exp", "aud", "acr", "nonce", "auth_time"],
        ]
    }

    // MARK: Authorize

    private func authorize(_ request: RequestMessage, _ policy: String, _ state: inout State) -> ResponseMessage {
        if state.throttled > 0 {
            state.throttled -= 1
            return ResponseMessage(status: 429, headers: ["Retry-After": "1"], body: Array("Too many requests".utf8))
        }
        state.count += 1
        let id = "0d9c3c6e-1f2a-4b3c-8d4e-\(String(repeating: "0", count: 10))\(10 + state.count)"
        var transaction = Transaction(policy: policy, query: request.url.queryItems)
        let name = policy.lowercased()
        if name.hasSuffix("_reset") { transaction.page = "verify" }
        if name.hasSuffix("_captcha") { transaction.page = "captcha" }
        if name.hasSuffix("_script") { return scripted() }
        var response = show(id, &transaction)
        state.transactions[id] = transaction
        // The values hold characters that a careful library quotes; the service then answers 400 for ever.
        response.headers.append(
            "Set-Cookie",
            "x-ms-cpim-cache|\(Self.short(id))_0=\(Self.sealed(id)); path=/; secure; HttpOnly; SameSite=None")
        response.headers.append(
            "Set-Cookie",
            "x-ms-cpim-trans=\(Self.base64(#"{"T_DIC":[{"I":"\#(id)"}],"C_ID":"\#(id)"}"#)); path=/; "
                + "secure; HttpOnly; SameSite=None")
        response.headers.append("x-ms-gateway-requestid", id)
        return response
    }

    /// A page that is nothing without its script.
    private func scripted() -> ResponseMessage {
        .html(
            200,
            "<!DOCTYPE html><html><head><title>One moment</title><script src=\"/app.js\"></script></head><body>"
                + "<noscript>JavaScript is needed here.</noscript><div id=\"root\"></div></body></html>")
    }

    private static func short(_ id: String) -> String { String(id.filter { $0 != "-" }.prefix(22)) }
    private static func sealed(_ id: String) -> String { "m1.a/b+c==.\(short(id)).0.Zm9v/+==" }
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    // MARK: Pages

    private func show(_ id: String, _ transaction: inout Transaction) -> ResponseMessage {
        transaction.csrf = Self.base64(
            "QUJD;2026-01-15T12:00:00.1234567Z;\(transaction.page);{\"OrchestrationStep\":1}")
        transaction.isAccepted = false
        let tx = "StateProperties=" + Self.base64(#"{"TID":"\#(id)"}"#).replacingOccurrences(of: "=", with: "")
        var response = ResponseMessage.html(200, html(transaction, tx, id))
        response.headers.append(
            "Set-Cookie", "x-ms-cpim-csrf=\(transaction.csrf); domain=\(Self.host); path=/; secure; HttpOnly")
        return response
    }

    private func html(_ transaction: Transaction, _ tx: String, _ id: String) -> String {
        let isSignIn = transaction.page == "signIn"
        // User flows write the settings as a JavaScript literal: unquoted keys, single quotes, a function.
        let literal = #""sanitizerPolicy":{allowedTags:['a','b'],exclusiveFilter:function(f){return f.tag==='}';}},"#
        return """
            <!DOCTYPE html>
            <!-- Build: 1.1.500.0 -->
            <!-- StateVersion: 2.1.1 -->
            <!-- DeploymentMode: Production -->
            <!-- CorrelationId: \(id) -->
            <!-- DataCenter: AMS -->
            <!-- Slice: 001-000 -->
            <html lang="en"><head>
            <script data-container="true" nonce="YWJj+/=">
            var CP = {"list":[\(isSignIn ? #"{"id":"FacebookExchange","description":"Facebook"}"# : "")]};
            var SA_FIELDS = {"AttributeFields":[\(fields(transaction).joined(separator: ","))]};
            var CONTENT = {"cancel_message":"The user has cancelled","unknown_error":"Something &quot;odd&quot;"};
            var SETTINGS = {"remoteResource":"https://\(Self.host)/static/unified.cshtml","retryLimit":3,
            "trimSpacesInPassword":true,"api":"\(isSignIn ? "CombinedSigninAndSignup" : "SelfAsserted")",
            "csrf":"\(transaction.csrf)","transId":"\(tx)","pageViewId":"\(id)","suppressElementCss":false,
            "isPageViewIdSentWithHeader":false,"allowAutoFocusOnPasswordField":true,"pageMode":0,
            "config":{"showSignupLink":"True","operatingMode":"Email","sendHintOnSignup":"False",
            "forgotPasswordLinkLocation":"AfterLabel","enableRememberMe":"True","announceVerCompleteMsg":"True"},
            \(literal)
            "hosts":{"tenant":"/\(Self.domain)/\(transaction.policy)","policy":"\(transaction.policy)",
            "static":"https://\(Self.host)/static/"},"locale":{"lang":"en"},
            "xhrSettings":{"retryEnabled":true,"retryMaxAttempts":3,"retryDelay":200,"retryExponent":2,
            "retryOn":["error","timeout"]}};
            </script>
            <script nonce="YWJj+/=">window.staticHost="https://\(Self.host)/static";window.maxTrace=1000;</script>
            </head><body><noscript>No script here</noscript></body></html>
            """
    }

    private func field(
        _ id: String, _ label: String, _ type: String = "TextBox", verify: Bool = false, pre: String = "",
        more: String = ""
    ) -> String {
        let kinds =
            #""IS_TEXT":\#(type == "TextBox"),"IS_EMAIL":\#(type == "EmailBox"),"IS_PASSWORD":\#(type == "Password")"#
        return
            #"{"UX_INPUT_TYPE":"\#(type)","USER_INPUT_TYPE":"\#(type)",\#(kinds),"ID":"\#(id)","DN":"\#(label)","#
            + #""U_HELP":"","DAY_PRE":"0","MONTH_PRE":"0","YEAR_PRE":"0","PRE":"\#(pre)","VERIFY":\#(verify),"#
            + #""IS_REQ":true,"IS_RDO":false,"PAT":"","PAT_DESC":"","OPTIONS":[]\#(more)}"#
    }

    private func fields(_ transaction: Transaction) -> [String] {
        switch transaction.page {
        case "signIn":
            return [field("email", "Email Address", "EmailBox"), field("password", "Password", "Password")]
        case "signUp":
            return address + [
                field("newPassword", "New Password", "Password"),
                field("reenterPassword", "Confirm New Password", "Password"), field("displayName", "Display Name"),
            ]
        case "verify":
            return address
        case "newPassword":
            return [
                field("newPassword", "New Password", "Password"),
                field("reenterPassword", "Confirm New Password", "Password"),
            ]
        case "captcha":
            return [
                field("email", "Email Address", "EmailBox"),
                field(
                    "captchaControlChallengeCode", "Help us beat the bots", "DisplayControl",
                    more: #","DISPLAY_FIELDS":["#
                        + field("challengeType", "Kind") + "," + field("captchaEntered", "Letters") + "]"),
            ]
        default:
            return [field("displayName", "Display Name", pre: "Ada")]
        }
    }

    private var address: [String] {
        switch verification {
        case .legacy:
            return [field("email", "Email Address", "EmailBox", verify: true)]
        case .displayControl:
            return [
                field(
                    "emailVerificationControl", "Verification", "DisplayControl",
                    more: #","DISPLAY_FIELDS":["#
                        + field("email", "Email Address", "EmailBox") + ","
                        + field("emailVerificationCode", "Verification code") + "]")
            ]
        }
    }

    // MARK: The page's script

    /// Finds the transaction that a request of a page belongs to, and turns away what the service turns away.
    private func page(_ request: RequestMessage, _ rest: String, _ state: inout State) -> ResponseMessage {
        let cookies = request.headers.all("Cookie").joined(separator: "; ")
        guard
            let (id, found) = state.transactions.first(where: { cookies.contains(Self.sealed($0.key)) })
        else { return ResponseMessage(status: 400, body: Array("Bad Request".utf8)) }
        var transaction = found
        // Any later request with quoted values is turned away as well.
        guard cookies.contains("x-ms-cpim-csrf=\(transaction.csrf)"), !cookies.contains("\"") else {
            return ResponseMessage(status: 400, body: Array("Bad Request".utf8))
        }
        let response: ResponseMessage
        if request.method == "POST" {
            guard request.headers["X-CSRF-TOKEN"] == transaction.csrf,
                request.headers["X-Requested-With"] == "XMLHttpRequest",
                request.headers["Origin"] == "https://\(Self.host)", request.headers["Referer"] != nil
            else { return .html(200, "<html><body data-name=\"GlobalException\">AADB2C: an exception</body></html>") }
            response = post(rest, FormItems(parsing: request.body), &transaction, &state)
        } else {
            guard request.url.queryItems["csrf_token"] == transaction.csrf else {
                return ResponseMessage(status: 400, body: Array("Bad Request".utf8))
            }
            response = navigate(id, rest, request.url.queryItems, &transaction, &state)
        }
        state.transactions[id] = transaction
        return response
    }

    private static let fine: JSONValue = ["status": "200"]

    /// Errors come with status 200, their own status as a text.
    private static func wrong(_ code: String?, _ message: String) -> ResponseMessage {
        var body: JSONObject = ["status": "400"]
        if let code { body["errorCode"] = .string(code) }
        body["message"] = .string(message)
        return .json(200, .object(body))
    }

    private func post(
        _ rest: String, _ form: FormItems, _ transaction: inout Transaction, _ state: inout State
    ) -> ResponseMessage {
        switch (rest, form["request_type"]) {
        case ("SelfAsserted", "VERIFICATION_REQUEST") where verification == .legacy:
            return send(to: form["claim_value"] ?? "", &transaction, &state)
        case ("SelfAsserted", "VALIDATION_REQUEST") where verification == .legacy:
            return verify(form["claim_value"] ?? "", form["user_input"] ?? "", &transaction)
        case ("SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/SendCode", _):
            return send(to: form["email"] ?? "", &transaction, &state)
        case ("SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/VerifyCode", _):
            return verify(form["email"] ?? "", form["emailVerificationCode"] ?? "", &transaction)
        case ("SelfAsserted", "RESPONSE"):
            return submit(form, &transaction, &state)
        default:
            return ResponseMessage(status: 400, body: Array("Bad Request".utf8))
        }
    }

    private func send(to email: String, _ transaction: inout Transaction, _ state: inout State) -> ResponseMessage {
        let code = String(481_516 + state.mails.count)
        state.mails.append((email, code))
        transaction.code = code
        transaction.email = email
        return .json(200, Self.fine)
    }

    private func verify(_ email: String, _ code: String, _ transaction: inout Transaction) -> ResponseMessage {
        guard transaction.email == email, transaction.code == code else {
            return Self.wrong(nil, "That code is wrong. Please try again.")
        }
        transaction.isVerified = true
        return .json(200, Self.fine)
    }

    private func submit(
        _ form: FormItems, _ transaction: inout Transaction, _ state: inout State
    ) -> ResponseMessage {
        switch transaction.page {
        case "signIn":
            let email = form["email"] ?? ""
            guard let person = state.people[email] else {
                return Self.wrong("AADB2C90053", "We can't seem to find your account")
            }
            guard person.password == form["password"] else {
                return Self.wrong("AADB2C90054", "Your password is incorrect")
            }
            transaction.email = email
        case "verify", "signUp":
            guard transaction.isVerified, form["email"] == transaction.email else {
                return Self.wrong("AADB2C90075", "The claim 'email' has not been verified")
            }
            if transaction.page == "signUp", state.people[form["email"] ?? ""] != nil {
                return Self.wrong(nil, "A user with the specified ID already exists. Please choose a different one.")
            }
        default: break
        }
        transaction.typed = form
        transaction.isAccepted = true
        return .json(200, Self.fine)
    }

    private func navigate(
        _ id: String, _ rest: String, _ query: FormItems, _ transaction: inout Transaction, _ state: inout State
    ) -> ResponseMessage {
        switch rest {
        case "api/CombinedSigninAndSignup/unified" where query["local"] == "signup":
            transaction.page = "signUp"
            return show(id, &transaction)
        case "api/CombinedSigninAndSignup/unified":
            return .redirect("https://www.facebook.com/dialog/oauth?client_id=1&state=StateProperties%3dx")
        case "api/CombinedSigninAndSignup/forgotPassword":
            return end(transaction, "error=access_denied&error_description=AADB2C90118%3a+The+user+has+forgotten")
        case "api/CombinedSigninAndSignup/error", "api/SelfAsserted/error":
            return end(transaction, "error=access_denied&error_description=AADB2C90091%3a+The+user+has+cancelled")
        case "api/CombinedSigninAndSignup/confirmed", "api/SelfAsserted/confirmed":
            guard transaction.isAccepted else {
                return end(transaction, "error=server_error&error_description=AADB2C90255%3a+The+claims+exchange")
            }
            return confirmed(id, &transaction, &state)
        default:
            return ResponseMessage(status: 404)
        }
    }

    private func confirmed(_ id: String, _ transaction: inout Transaction, _ state: inout State) -> ResponseMessage {
        let email = transaction.email ?? ""
        switch transaction.page {
        case "signIn" where transaction.policy.lowercased().hasSuffix("_edit"):
            transaction.page = "profile"
            return show(id, &transaction)
        case "verify":
            transaction.page = "newPassword"
            return show(id, &transaction)
        case "newPassword":
            state.people[email]?.password = transaction.typed["newPassword"] ?? ""
        case "signUp":
            state.people[email] = Person(
                password: transaction.typed["newPassword"] ?? "", name: transaction.typed["displayName"] ?? "",
                objectId: "6a1d2c3b-0000-4000-8000-0000000000\(20 + state.people.count)")
        case "profile":
            state.people[email]?.name = transaction.typed["displayName"] ?? ""
        default: break
        }
        state.count += 1
        let code = "eyJraWQiOiJ\(state.count).code"
        state.grants[code] = (email, transaction.policy, transaction.query["nonce"])
        return end(transaction, "code=\(code)")
    }

    private func end(_ transaction: Transaction, _ answer: String) -> ResponseMessage {
        let base = transaction.query["redirect_uri"] ?? ""
        let state = transaction.query["state"].map { "state=\(PercentCoding.encodeComponent($0))&" } ?? ""
        return .redirect("\(base)\(base.contains("?") ? "&" : "?")\(state)\(answer)")
    }

    // MARK: Token

    private func token(_ request: RequestMessage, _ policy: String, _ state: inout State) -> ResponseMessage {
        let form = FormItems(parsing: request.body)
        let grant = state.grants[form["code"] ?? form["refresh_token"] ?? ""]
        guard let grant, let person = state.people[grant.email] else {
            return .json(
                400,
                [
                    "error": "invalid_grant",
                    "error_description": "AADB2C90080: The provided grant has expired.\r\nCorrelation ID: x\r\n",
                ])
        }
        let now = clock().secondsSinceEpoch
        func claims(_ audience: String) -> JSONObject {
            var claims: JSONObject = [
                "exp": .integer(now + 3600), "nbf": .integer(now), "ver": "1.0",
                "iss": "https://\(Self.host)/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/",
                "sub": .string(person.objectId), "aud": .string(audience), "iat": .integer(now),
                "auth_time": .integer(now), "name": .string(person.name), "emails": [.string(grant.email)],
                "tfp": .string(grant.policy),
            ]
            if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
            return claims
        }
        let header: JSONObject = ["alg": "RS256", "kid": .string(key.kid), "typ": "JWT"]
        let idToken = JWS.sign(header: header, claims: claims(Self.clientId), key: key)
        let info = Base64URL.encode(
            Array(
                #"{"uid":"\#(person.objectId)-\#(policy.lowercased())","utid":"775527ff-9a37-4307-8b3d-cc311f58d925"}"#
                    .utf8))
        state.count += 1
        let refresh = "eyJraWQiOiJ\(state.count).refresh"
        state.grants[refresh] = grant
        return .json(
            200,
            [
                "access_token": .string(idToken), "id_token": .string(idToken), "token_type": "Bearer",
                "not_before": .integer(now), "expires_in": 3600, "expires_on": .integer(now + 3600),
                "id_token_expires_in": 3600, "client_info": .string(info), "scope": "openid offline_access",
                "profile_info": .string(info), "refresh_token": .string(refresh),
                "refresh_token_expires_in": 1_209_600,
            ])
    }
}
