import B2CProtocol
import Determinism
import HTTPMessages
import Journeys

extension Authority {
    // MARK: refresh_token

    mutating func redeemRefreshToken(
        _ request: TokenRequest, _ call: Call, _ target: PolicyAddress, _ correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard let text = request.value("refresh_token") else {
            throw Refusal(.c90083, ["refresh_token"], why: "refresh_token is missing")
        }
        let id = try grantID(text, length: OpaqueText.refreshTokenLength, target)
        guard let grant = refreshTokens.row(id, at: call.now) ?? spentRefreshTokens.row(id, at: call.now) else {
            throw expired(
                issuedAt: call.now, until: call.now, at: call.now, why: "the refresh token is long past its time")
        }
        try checkBinding(policyID: grant.terms.policyID, clientID: grant.terms.clientID, request, target)
        guard call.now < grant.expires else {
            throw expired(
                issuedAt: grant.issuedAt, until: grant.expires, at: call.now,
                byWindow: target.policy.issuer?.slidingWindow.map { grant.chain.started + $0 } == grant.expires,
                why: "the refresh token has expired"
                    + (grant.terms.platform == .spa ? ": those of single-page apps live 24 hours" : ""))
        }
        if grant.isRedeemed, target.policy.rejectsReuse {
            throw Refusal(
                .c90129, why: "the refresh token was redeemed before and tokens.refreshTokenReuse is reject")
        }
        try authenticate(request, platform: grant.terms.platform)
        let scopes = try requestedScopes(request, granted: grant.terms.scopes, target)
        if var row = refreshTokens.remove(id) {
            row.isRedeemed = true
            spentRefreshTokens.insert(id, row, expires: row.expires + RefreshGrant.kept)
        }
        var facts = facts(of: request, scopes: scopes, call, target, correlationID)
        facts.nonce = grant.nonce
        facts.refresh = grant.identity
        return advance(
            TokenExchange(
                address: target, request: request, scopes: scopes, nonce: grant.nonce, platform: grant.terms.platform,
                facts: facts,
                journey: Journey(
                    .refresh, policy: target.policy.resolved, random: random.stream("journey \(correlationID)")),
                chain: grant.chain, correlationID: correlationID), .begin, call)
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

    /// Runs the journey of a token request on.
    mutating func advance(_ exchange: consuming TokenExchange, _ event: JourneyEvent, _ call: Call) -> Reply {
        let target = exchange.address
        let stop = run(&exchange.journey, event, at: target, exchange.facts, call)
        let correlationID = exchange.correlationID
        do throws(Refusal) {
            switch stop {
            case .issue(let issuance):
                return try tokens(
                    issuance, scopes: exchange.scopes, nonce: exchange.nonce, platform: exchange.platform,
                    chain: exchange.chain, exchange.request, call, target)
            case .callout(let request, let timeout):
                return callOut(request, timeout, PendingCallout(call: call, shape: .token(exchange)))
            case .failed(let failure), .refused(let failure):
                throw Refusal(failure)
            case .page, .answer, .provider:
                throw Refusal(
                    .c90037, why: "the journey of a token request asked for a page: policy \(target.policy.id)")
            }
        } catch {
            return tokenError(error, call, target, correlationID)
        }
    }
}
