import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TrustFramework

extension Authority {
    /// The end-session endpoint (OpenID Connect RP-Initiated Logout as the service does it; Microsoft docs:
    /// session-behavior). The redirect target is taken as it is unless the policy insists on an ID token.
    mutating func logout(_ call: Call, _ target: PolicyAddress) -> Reply {
        if call.cookies.hasQuotedValue { return badRequest(call) }
        let parameters = call.parameters
        let correlationID = random.guid()
        do throws(Refusal) {
            let request = try LogoutRequest(parameters, target, at: call.now)
            return signOut(request, call, target)
        } catch {
            return errorPage(error, call, correlationID: correlationID)
        }
    }

    private mutating func signOut(_ request: LogoutRequest, _ call: Call, _ target: PolicyAddress) -> Reply {
        var cookies: [CookieDraft] = []
        var frames: [String] = []
        var provider: String?
        // With sessions per application the cookie is found by the app's id only: without it the session stays (reported).
        if let scope = Sessions.scope(
            of: target.policy.resolved, tenantDomain: target.configuration.tenant.domain,
            clientID: request.clientID ?? "")
        {
            let name = StateCookies.sessionName(scope: scope)
            if let value = call.cookies[name] {
                if let (id, _) = texts.read(cookie: value) {
                    frames = otherApps(of: SessionID(id), than: request.clientID, target)
                    provider = providerSignOut(of: SessionID(id), call, target)
                    tenancy.sessions.end(SessionID(id))
                }
                cookies.append(expiredCookie(name, in: call.cookieScope, at: call.now))
            }
        }
        let headers = Draft.CommonHeaders.service(gatewayRequestID: gatewayID())
        let language = OwnLanguage(call)
        let template = pageTemplate(of: target.policy)
        func signedOut(next: String?) -> Reply {
            let html = SignedOutPage.html(frames: frames, next: next, language: language, template: template)
            let policy = HeaderField(name: "Content-Security-Policy", value: PageScripts.goOnPolicy)
            return .send(
                Draft(
                    fields: [policy], headers: headers, cookies: cookies,
                    body: .text(html, contentType: htmlContentType)), after: .zero)
        }
        if let provider {
            return .send(Draft(headers: headers, cookies: cookies, body: .redirect(provider)), after: .zero)
        }
        guard let uri = request.redirectURI else {
            return signedOut(next: nil)
        }
        let next = Self.address(uri, state: request.state)
        guard frames.isEmpty else { return signedOut(next: next) }
        return .send(Draft(headers: headers, cookies: cookies, body: .redirect(next)), after: .zero)
    }

    /// Where the browser is sent first when the session came from a provider that can sign out: its end-session endpoint,
    /// without a hint, to come back with this same request (that it is a redirect of the whole page is inferred). The
    /// session is over by then, so the second time goes through.
    private func providerSignOut(of session: SessionID, _ call: Call, _ target: PolicyAddress) -> String? {
        let policy = target.policy.resolved
        guard let profileID = tenancy.sessions[session]?.identityProvider, let handle = policy.profile(profileID) else {
            return nil
        }
        let metadata = policy[handle].metadata
        guard metadata.bool("SingleLogoutEnabled", default: true) else { return nil }
        let provider = target.configuration.tenant.providers.first {
            metadata["METADATA"] == $0.endpoint(.discovery)
        }
        let known = provider.flatMap { $0.logout == .none ? nil : $0.endpoint(.logout) }
        guard let endpoint = metadata["end_session_endpoint"] ?? known, !ScriptAddress.isOne(endpoint) else {
            return nil
        }
        let back = ["post_logout_redirect_uri": call.request.url.description] as FormItems
        return endpoint + (endpoint.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + back.encoded
    }

    /// Sign-out addresses of the other apps of the session: single sign-out, which user flows do not have.
    private func otherApps(of session: SessionID, than clientID: String?, _ target: PolicyAddress) -> [String] {
        guard !target.policy.isUserFlow, let session = tenancy.sessions[session] else { return [] }
        return session.participants.compactMap { participant in
            guard participant.lowercased() != clientID?.lowercased() else { return nil }
            let address = target.configuration.app(participant)?.settings.logoutUrl
            return address.flatMap { ScriptAddress.isOne($0) ? nil : $0 }
        }
    }

    /// The target with `state` as the service appends it.
    private static func address(_ uri: String, state: String?) -> String {
        guard let state else { return uri }
        let target = RedirectURIRules.responseTarget(uri)
        let separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return target + separator + (["state": state] as FormItems).dotNetEncoded
    }
}

/// A sign-out request that passed its checks.
struct LogoutRequest: Sendable {
    var redirectURI: String?
    var state: String?
    /// From `client_id`, else the audience of the hint.
    var clientID: String?

    init(_ parameters: FormItems, _ target: PolicyAddress, at now: Timestamp) throws(Refusal) {
        func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        redirectURI = value("post_logout_redirect_uri")
        state = value("state")
        clientID = value("client_id")
        let enforced = target.policy.resolved.sessionBehavior.enforceIdTokenHintOnLogout
        let hint = value("id_token_hint")
        if enforced {
            guard let hint else {
                throw Refusal(
                    .c90272, delivery: .page,
                    why: "the policy requires id_token_hint in sign-out requests (session.requireIdTokenInLogout)")
            }
            let audience = try IDTokenHint.verify(hint, target, at: now)
            if let uri = redirectURI, target.configuration.app(audience)?.registration(of: uri) == nil {
                throw Refusal(
                    .c90006, [uri, audience], delivery: .page,
                    why: "post_logout_redirect_uri \(uri) is not registered, which counts when the hint is required")
            }
            if clientID == nil { clientID = audience }
        } else if clientID == nil, let hint, let jws = JWS(compact: hint) {
            clientID = jws.claims?["aud"]?.stringValue
        }
        if let uri = redirectURI, WebURL(uri) == nil {
            throw Refusal(
                .c90067, [uri], delivery: .page, why: "post_logout_redirect_uri is not an absolute URI: \(uri)")
        }
        if let uri = redirectURI, ScriptAddress.isOne(uri) {
            throw Refusal(
                .c90067, [uri], delivery: .page,
                why: "post_logout_redirect_uri would run script in the page that leads there: \(uri)")
        }
    }
}

/// An ID token of ours that comes back as a hint.
enum IDTokenHint {
    /// Checks that the token is one of this tenant's, for one of its apps, and still good; gives its audience.
    static func verify(_ text: String, _ target: PolicyAddress, at now: Timestamp) throws(Refusal) -> String {
        guard let jws = JWS(compact: text), let claims = jws.claims else {
            throw Refusal(.c90240, delivery: .page, why: "id_token_hint is not a JSON web token")
        }
        guard let kid = jws.header["kid"]?.stringValue, let key = target.configuration.keys.publishedKey(kid: kid),
            jws.verify(with: key.jwk)
        else {
            throw Refusal(.c90239, delivery: .page, why: "the signature of id_token_hint is of no published key")
        }
        let issuer = claims["iss"]?.stringValue ?? ""
        guard issuer.contains("/\(target.configuration.tenant.id)/") else {
            throw Refusal(.c90238, [issuer], delivery: .page, why: "the issuer of id_token_hint is \(issuer)")
        }
        guard let audience = claims["aud"]?.stringValue, target.configuration.app(audience) != nil else {
            let audience = claims["aud"]?.stringValue ?? ""
            throw Refusal(.c90237, [audience], delivery: .page, why: "the audience of id_token_hint is \(audience)")
        }
        guard let expiry = claims["exp"]?.intValue, expiry > now.secondsSinceEpoch else {
            throw Refusal(.c90235, delivery: .page, why: "id_token_hint has expired")
        }
        return audience
    }
}
