import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import MockAuthority

extension StubProvider {
    /// The authorization endpoint: GET shows the page or answers from the session, POST is the page's form.
    func authorize(_ request: RequestMessage) -> ResponseMessage {
        let query = request.url.queryItems
        let asked: Asked
        switch check(query, userAgent: request.headers["User-Agent"]) {
        case .failure(let problem): return problem.response
        case .success(let good): asked = good
        }
        if request.method == "POST" { return submitted(request, asked) }
        let person = settings.session ? sessionPerson(request) : nil
        let prompts = (query["prompt"] ?? "").split(separator: " ")
        if let person, !prompts.contains("login"), !prompts.contains("select_account"),
            let account = people.account(named: person)
        {
            return answer(asked, account)
        }
        if prompts.contains("none") {
            return deliver(
                asked, ["error": "login_required", "error_description": "Nobody is signed in at \(title)."],
                refusal: "prompt=none and no session")
        }
        return page(request, typed: query["login_hint"] ?? "", error: nil)
    }

    /// A checked authorization request.
    struct Asked {
        var clientID: String
        var redirectURI: String
        var responseType: ResponseType
        var responseMode: ResponseMode
        var scopes: ScopeList
        var state: String?
        var nonce: String?
        var challenge: (text: String, method: PKCE.Method)?
    }

    private struct Problem: Error {
        var response: ResponseMessage
    }

    private func check(_ query: FormItems, userAgent: String?) -> Result<Asked, Problem> {
        if settings.userAgents == .systemBrowser, Self.isEmbedded(userAgent ?? "") {
            return .failure(
                errorPage("disallowed_useragent: \(title) does not show its sign-in page in an embedded web view.", 403)
            )
        }
        guard let clientID = query["client_id"], !clientID.isEmpty else {
            return .failure(errorPage("invalid_request: client_id is missing."))
        }
        guard let redirectURI = query["redirect_uri"], WebURL(redirectURI) != nil else {
            return .failure(errorPage("invalid_request: redirect_uri is missing or not an address."))
        }
        guard !ScriptAddress.isOne(redirectURI) else {
            return .failure(
                errorPage("invalid_request: redirect_uri would run script in the page that leads there: \(redirectURI)")
            )
        }
        if let registered = settings.redirectUris, !registered.contains(redirectURI) {
            return .failure(
                errorPage(
                    "redirect_uri_mismatch: \(redirectURI) is not registered here; registered is "
                        + (registered.isEmpty ? "none" : registered.joined(separator: ", ")) + "."))
        }
        let scopes = ScopeList(parsing: query["scope"] ?? "")
        var asked = Asked(
            clientID: clientID, redirectURI: redirectURI, responseType: .code, responseMode: .query, scopes: scopes,
            state: query["state"], nonce: query["nonce"])
        if let mode = query["response_mode"].flatMap(ResponseMode.init(rawValue:)) { asked.responseMode = mode }
        let typeText = query["response_type"] ?? "code"
        guard let type = ResponseType(parsing: typeText), type == .code || (type == .idToken && settings.type == .oidc)
        else {
            return .failure(
                Problem(
                    response: deliver(
                        asked,
                        [
                            "error": "unsupported_response_type",
                            "error_description": "response_type \(typeText) is not offered.",
                        ], refusal: "response_type \(typeText)")))
        }
        asked.responseType = type
        if type == .idToken, query["response_mode"] == nil { asked.responseMode = .fragment }
        if let challenge = query["code_challenge"] {
            let method = PKCE.Method(rawValue: query["code_challenge_method"] ?? "plain") ?? .plain
            asked.challenge = (challenge, method)
        }
        return .success(asked)
    }

    private func submitted(_ request: RequestMessage, _ asked: Asked) -> ResponseMessage {
        let form = request.form ?? FormItems()
        if form["action"] == "cancel" || form["action"] == "deny" {
            return deliver(
                asked, ["error": "access_denied", "error_description": "The person cancelled at \(title)."],
                refusal: "the person pressed cancel")
        }
        let typed = form["username"] ?? ""
        guard !typed.isEmpty, let password = form["password"], !password.isEmpty else {
            return page(request, typed: typed, error: "Enter your e-mail address and your password.")
        }
        switch people.find(typed) {
        case .nobody:
            return page(
                request, typed: typed, error: "\(title) knows nobody called \(typed).",
                refusal: "nobody in the tenant file has the e-mail address or user name \(typed)")
        case .stranger(let person):
            return page(
                request, typed: typed, error: "\(typed) has no account at \(title).",
                refusal: "give \(person) an account here: \"providers\": { \"\(settings.name)\": {} }")
        case .account(let account):
            var response = answer(asked, account)
            let session = opaque()
            sessions.insert(session, account.person, until: clock.now() + .days(1), now: clock.now())
            response.headers.append(
                "Set-Cookie", "\(cookieName)=\(session); Path=/; Secure; HttpOnly; SameSite=None")
            return response
        }
    }

    /// Sends the browser back with a code or token.
    private func answer(_ asked: Asked, _ account: ProviderPeople.ProviderAccount) -> ResponseMessage {
        if asked.responseType == .idToken {
            return deliver(asked, ["id_token": idToken(account, clientID: asked.clientID, nonce: asked.nonce)])
        }
        let code = opaque()
        let now = clock.now()
        codes.insert(
            code,
            ProviderCode(
                account: account, clientID: asked.clientID, redirectURI: asked.redirectURI, scopes: asked.scopes,
                nonce: asked.nonce, challenge: asked.challenge), until: now + .minutes(5), now: now)
        return deliver(asked, ["code": code])
    }

    private func deliver(_ asked: Asked, _ members: FormItems, refusal: String? = nil) -> ResponseMessage {
        var items = members
        if let state = asked.state { items.append("state", state) }
        var response: ResponseMessage
        switch asked.responseMode {
        case .query:
            let mark = asked.redirectURI.contains("?") ? "&" : "?"
            response = .redirect(asked.redirectURI + mark + items.encoded)
        case .fragment: response = .redirect(asked.redirectURI + "#" + items.encoded)
        case .formPost:
            response = .html(
                200, PlainPage.autoPost(to: asked.redirectURI, items),
                headers: ["Content-Security-Policy": PageScripts.submitPolicy, "X-Content-Type-Options": "nosniff"])
        }
        response.headers.append("Cache-Control", "no-store")
        response.refusal = refusal
        return response
    }

    // MARK: pages

    private func page(
        _ request: RequestMessage, typed: String, error: String?, refusal: String? = nil
    ) -> ResponseMessage {
        let html = PlainPage.form(
            name: "provider", title: "Sign in to \(title)", lines: ["Use your account at \(title)."], error: error,
            // Relative, for the provider may be found below a path of another host.
            action: "?" + (request.url.query ?? ""),
            inputs: [
                PlainPage.TextInput(
                    id: "username", label: "E-mail address or user name", value: typed, isRequired: true),
                PlainPage.TextInput(id: "password", label: "Password", type: "password", isRequired: true),
            ],
            buttons: [
                PlainPage.Button(id: "accept", value: "accept", text: "Sign in"),
                PlainPage.Button(id: "cancel", value: "cancel", text: "Cancel"),
            ], opensNewTab: settings.opensNewTab)
        var response = ResponseMessage.html(200, html, headers: Self.pageFields)
        response.headers.append("Cache-Control", "no-store")
        response.refusal = refusal
        return response
    }

    /// Fields of a page without script, which nobody frames.
    private static let pageFields: Headers = [
        "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": PageScripts.nonePolicy + "; frame-ancestors 'none'",
    ]

    private func errorPage(_ text: String, _ status: Int = 400) -> Problem {
        var response = ResponseMessage.html(
            status, PlainPage.message(title: "\(title) cannot sign you in", text: text), headers: Self.pageFields)
        response.refusal = text
        return Problem(response: response)
    }

    /// The provider's name as people write it.
    var title: String { settings.name.prefix(1).uppercased() + settings.name.dropFirst() }

    /// Google's rule for embedded views, by what WebKit and Android views leave out of or add to the user agent.
    private static func isEmbedded(_ userAgent: String) -> Bool {
        userAgent.contains("; wv)") || (userAgent.contains("AppleWebKit/") && !userAgent.contains("Safari/"))
    }

    // MARK: session

    private var cookieName: String { "\(settings.name)_session" }

    private func sessionPerson(_ request: RequestMessage) -> String? {
        cookie(of: request).flatMap { sessions.value($0, at: clock.now()) }
    }

    private func cookie(of request: RequestMessage) -> String? {
        for field in request.headers.all("Cookie") {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(cookieName + "=") { return String(pair.dropFirst(cookieName.count + 1)) }
            }
        }
        return nil
    }

    /// The end-session endpoint (OpenID Connect RP-Initiated Logout 1.0).
    func logout(_ request: RequestMessage) -> ResponseMessage {
        var items = request.url.queryItems
        if let form = request.form { items.append(contentsOf: form) }
        if settings.logout == .needsHint {
            let hint = items["id_token_hint"].flatMap { JWS(compact: $0) }
            guard let hint, hint.verify(with: key.jwk) else {
                return errorPage("\(title) signs out only with the id_token_hint of the session.").response
            }
        }
        if let session = cookie(of: request) { sessions.remove(session) }
        var response: ResponseMessage
        if let target = items["post_logout_redirect_uri"], ScriptAddress.isOne(target) {
            return errorPage("post_logout_redirect_uri would run script in the page that leads there: \(target)")
                .response
        }
        if let target = items["post_logout_redirect_uri"], WebURL(target) != nil {
            let state = items["state"].map {
                "\(target.contains("?") ? "&" : "?")state=\(PercentCoding.encodeComponent($0))"
            }
            response = .redirect(target + (state ?? ""))
        } else {
            response = .html(
                200, PlainPage.message(title: "Signed out", text: "You are signed out of \(title).", page: "signedOut"),
                headers: Self.pageFields)
        }
        response.headers.append(
            "Set-Cookie",
            "\(cookieName)=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure; HttpOnly; SameSite=None")
        return response
    }
}
