import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import TenantFiles

/// What stays the same through all steps of one call.
struct RequestContext: Sendable {
    /// The scopes the developer asked for.
    var scopes: [String]
    /// The authority as the app wrote it: the key of the URL map.
    var requestedAuthority: MSALAuthority
    /// The authority requests go to.
    var authority: MSALAuthority
    var redirectURI: String
    var correlationID: GUID
    var account: MSALAccount?
    var claims: String?
    /// Added to the authorize and token URLs.
    var extraQuery: [(name: String, value: String)]
    /// The library that sends the requests.
    var library: any LibraryBehaviour
    /// The secret of a confidential client.
    var clientSecret: String?

    /// Scopes the library adds to every request.
    static let reservedScopes = ["openid", "profile", "offline_access"]

    /// What requests carry: the developer's scopes, those that the library adds, then `more`, each once.
    func scopeText(adding more: [String] = []) -> String {
        var seen: Set<String> = []
        return library.scopes(scopes, adding: more).filter { seen.insert($0).inserted }.joined(separator: " ")
    }

    /// `X-AnchorMailbox`, by which Microsoft's front ends route; the account's ids, else a user name.
    func anchorMailbox(loginHint: String? = nil) -> String? {
        if let account, !account.objectID.isEmpty { return "Oid:\(account.objectID)@\(account.tenantID)" }
        let name = account?.username ?? loginHint
        return name.flatMap { $0.isEmpty ? nil : "UPN:\($0)" }
    }

    /// The correlation id as `NSUUID` writes it.
    var correlationText: String { correlationID.uppercase }
}

/// The code verifier of one interactive request (RFC 7636).
struct CodeVerifier: Sendable, Hashable {
    /// 43 characters: 32 random bytes in base64url.
    var text: String
    /// SHA-256 of the text in base64url.
    var challenge: String { Base64URL.encode(SHA2.sha256(Array(text.utf8))) }

    init(_ random: inout SeededGenerator) {
        text = Base64URL.encode(random.bytes(32))
    }
}

/// Builds the library's requests.
enum RequestFactory {
    /// The query of `/authorize` in the library's order (MSIDWebviewFactory.m, MSIDAADWebviewFactory.m,
    /// MSIDAADV2WebviewFactory.m). Neither nonce nor response_mode is among the items.
    static func authorizeQuery(
        _ context: RequestContext, clientID: String, responseType: String = "code", challenge: String, state: String,
        prompt: PromptKind, loginHint: String?, domainHint: String?, extraScopesToConsent: [String],
        identity: DeviceIdentity
    ) -> FormItems {
        var query = FormItems()
        query.append("client_id", clientID)
        query.append("response_type", responseType)
        query.append("redirect_uri", context.redirectURI)
        query.append("scope", context.scopeText(adding: extraScopesToConsent))
        if ResponseType.asksForCode(responseType) {
            query.append("code_challenge", challenge)
            query.append("code_challenge_method", "S256")
        }
        query.append("state", state)
        if context.library.sendsMSALParameters { query.append("client_info", "1") }
        if identity.hasChrome { query.append("haschrome", "1") }
        if let prompt = promptText(prompt) { query.append("prompt", prompt) }
        let hint = context.account?.username ?? loginHint
        if let hint, !hint.isEmpty { query.append("login_hint", hint) }
        if identity.namesAccount { appendAccount(context.account, to: &query) }
        if identity.sendsMailbox, let mailbox = context.anchorMailbox(loginHint: loginHint) {
            query.append("X-AnchorMailbox", mailbox)
        }
        if let domainHint, !domainHint.isEmpty { query.append("domain_hint", domainHint) }
        if let claims = context.claims { query.append("claims", claims) }
        if context.library.sendsMSALParameters {
            if identity.wantsCallID { query.append("return-client-request-id", "true") }
            query.append("client-request-id", context.correlationText)
        }
        for pair in identity.query { query.append(pair.name, pair.value) }
        for item in context.extraQuery { query.append(item.name, item.value) }
        return query
    }

    /// The query of the end-session endpoint. There is no id_token_hint.
    static func endSessionQuery(_ context: RequestContext, state: String, identity: DeviceIdentity) -> FormItems {
        var query = FormItems()
        query.append("post_logout_redirect_uri", context.redirectURI)
        query.append("state", state)
        query.append("return-client-request-id", "true")
        query.append("client-request-id", context.correlationText)
        query.append("haschrome", "1")
        appendAccount(context.account, to: &query)
        for pair in identity.query { query.append(pair.name, pair.value) }
        for item in context.extraQuery { query.append(item.name, item.value) }
        return query
    }

    /// The address a browser is sent to: path of the endpoint, host of the authority, and nothing of the endpoint's own
    /// query.
    static func browserURL(_ endpoint: WebURL, authority: WebURL, query: FormItems) -> WebURL {
        WebURL(
            scheme: endpoint.scheme, host: authority.host, port: authority.port, path: endpoint.path,
            query: query.percentEncoded)
    }

    enum Grant: Sendable {
        case code(String, verifier: String)
        case refreshToken(String)

        var isCode: Bool {
            if case .code = self { true } else { false }
        }
    }

    /// The body of a token request.
    static func tokenForm(_ context: RequestContext, clientID: String, grant: Grant) -> FormItems {
        var form = FormItems()
        form.append("client_id", clientID)
        form.append("scope", context.scopeText())
        if grant.isCode || context.library.sendsRedirectWithRefresh {
            form.append("redirect_uri", context.redirectURI)
        }
        switch grant {
        case .code(let code, let verifier):
            form.append("grant_type", "authorization_code")
            form.append("code", code)
            form.append("code_verifier", verifier)
        case .refreshToken(let token):
            form.append("grant_type", "refresh_token")
            form.append("refresh_token", token)
        }
        if context.library.sendsMSALParameters { form.append("client_info", "1") }
        if let secret = context.clientSecret { form.append("client_secret", secret) }
        if let claims = context.claims { form.append("claims", claims) }
        return form
    }

    /// A token request: the endpoint keeps its query, the call's extra parameters follow it.
    ///
    /// - Parameter call: What the telemetry headers name: the API's number and why the cache did not do (inferred).
    static func tokenRequest(
        _ context: RequestContext, endpoint: WebURL, form: FormItems, identity: DeviceIdentity, call: TelemetryCall
    ) -> RequestMessage {
        var url = endpoint
        if !context.extraQuery.isEmpty {
            var extra = FormItems()
            for item in context.extraQuery { extra.append(item.name, item.value) }
            let own = url.query.map { $0.isEmpty ? "" : $0 + "&" } ?? ""
            url.query = own + extra.percentEncoded
        }
        var headers = identity.headers(correlationID: context.correlationText)
        for header in context.library.tokenHeaders(call, mailbox: context.anchorMailbox()) {
            headers.append(header.name, header.value)
        }
        headers.append("Content-Type", "application/x-www-form-urlencoded")
        return .post(url, form: form, headers: headers)
    }

    /// A request for metadata.
    static func metadataRequest(_ url: WebURL, correlationID: String, identity: DeviceIdentity) -> RequestMessage {
        .get(url, headers: identity.headers(correlationID: correlationID))
    }

    /// `prompt` as it is sent; nothing for promptIfNecessary.
    static func promptText(_ prompt: PromptKind) -> String? {
        switch prompt {
        case .promptIfNecessary: nil
        case .selectAccount: "select_account"
        case .login: "login"
        case .consent: "consent"
        case .create: "create"
        }
    }

    private static func appendAccount(_ account: MSALAccount?, to query: inout FormItems) {
        guard let account, !account.objectID.isEmpty else { return }
        query.append("login_req", account.objectID)
        query.append("domain_req", account.tenantID)
    }
}

/// What the telemetry headers of a token request say. That the numbers are these is inferred.
struct TelemetryCall: Sendable, Hashable {
    var api: Int
    var refreshReason: Int

    static let interactive = TelemetryCall(api: 35, refreshReason: 0)

    static func silent(_ reason: RefreshReason) -> TelemetryCall {
        TelemetryCall(api: 28, refreshReason: reason.rawValue)
    }

    /// The headers of MSAL for phones and macOS.
    func nativeHeaders(mailbox: String?) -> [(name: String, value: String)] {
        (mailbox.map { [("X-AnchorMailbox", $0)] } ?? []) + [
            ("x-ms-PkeyAuth", "1.0"), ("x-client-current-telemetry", "4|\(api),\(refreshReason)|"),
            ("x-client-last-telemetry", "4|0|||"),
        ]
    }

    enum RefreshReason: Int, Sendable {
        case forced = 1
        case noCachedToken = 2
        case expired = 3
        case proactive = 4
    }
}
