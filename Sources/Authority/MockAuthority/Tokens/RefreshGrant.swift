import B2CProtocol
import Determinism
import HTTPMessages
import Journeys

extension Authority {
    // MARK: refresh_token

    mutating func redeemRefreshToken(
        _ request: TokenRequest, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard let text = request.value("refresh_token") else {
            throw Refusal(.c90083, ["refresh_token"], why: "refresh_token is missing")
        }
        let id = try grantID(text, length: OpaqueText.refreshTokenLength, target)
        guard let grant = refreshTokens.row(id, at: call.now) ?? spentRefreshTokens.row(id, at: call.now) else {
            throw Refusal.expired(
                issuedAt: call.now, until: call.now, at: call.now, why: "the refresh token is long past its time")
        }
        try RefreshAttempt(request: request, target: target, grant: grant, now: call.now).check()
        let scopes = try requestedScopes(request, granted: grant.terms.scopes, target)
        if var row = refreshTokens.remove(id) {
            row.isRedeemed = true
            spentRefreshTokens.insert(id, row, expires: row.expires + RefreshGrant.kept)
        }
        var facts = facts(of: request, scopes: scopes, call, target, correlationID)
        facts.nonce = grant.nonce
        facts.refresh = grant.identity
        let terms = TokenTerms(
            request: request, scopes: scopes, nonce: grant.nonce, platform: grant.terms.platform, chain: grant.chain)
        return begin(.refresh, facts, call, at: target, answer: .tokens(terms))
    }

    /// What the journey of a token request may know.
    func facts(
        of request: TokenRequest, scopes: GrantedScopes, _ call: Call, _ target: PolicyAddress, _ correlationID: GUID
    ) -> RequestFacts {
        // Journeys see all parameters but the secret ones.
        var parameters = request.form
        for name in ["client_secret", "password", "refresh_token", "code"] { parameters[name] = nil }
        var facts = RequestFacts(
            correlationID: correlationID, host: target.host, scheme: target.scheme, tenantSegment: target.tenantSegment,
            policyID: target.policy.id, clientID: request.app.clientID,
            redirectURI: request.value("redirect_uri") ?? "", responseType: request.value("response_type") ?? "",
            scopes: scopes.all, query: parameters)
        facts.acceptLanguage = call.request.headers["Accept-Language"]
        facts.uiLocales = request.value("ui_locales")
        facts.ipAddress = call.exchange.remoteAddress
        facts.userAgent = call.request.headers["User-Agent"] ?? ""
        return facts
    }
}
