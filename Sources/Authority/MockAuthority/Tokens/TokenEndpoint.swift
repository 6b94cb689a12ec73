import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

extension Authority {
    /// The token endpoint: the client, then the grant, then the journey that the grant runs, then the tokens.
    mutating func token(_ call: Call, _ target: PolicyAddress) -> Reply {
        let correlationID = random.guid()
        do throws(Refusal) {
            guard call.request.method == "POST" else {
                throw Refusal(.c90226, why: "the token endpoint was asked with \(call.request.method)")
            }
            let form = call.form
            guard let grantType = form["grant_type"], !grantType.isEmpty else {
                throw Refusal(.c90083, ["grant_type"], why: "grant_type is missing, or the body is not a form")
            }
            let request = try client(form, call, target)
            if let assertion = request.value("client_assertion_type") {
                throw Refusal(.c99027, [target.policy.id], why: "client_assertion_type is \(assertion)")
            }
            switch grantType {
            case "authorization_code": return try redeemCode(request, call, at: target, correlationID: correlationID)
            case "refresh_token": return try redeemRefreshToken(request, call, at: target, correlationID: correlationID)
            case "password": return try password(request, call, at: target, correlationID: correlationID)
            case "client_credentials":
                return try clientCredentials(request, call, at: target, correlationID: correlationID)
            default:
                throw Refusal(.c90086, [grantType], why: "grant_type is \(grantType)")
            }
        } catch {
            return tokenError(error, call, at: target, correlationID: correlationID)
        }
    }

    private func client(_ form: FormItems, _ call: Call, _ target: PolicyAddress) throws(Refusal) -> TokenRequest {
        let (clientID, secret) = ClientCredentials.read(call.request, form: form)
        guard let clientID else {
            // A published client that refreshes without it knows no other failure than invalid_grant; that the service
            // compares nothing with the client of the grant, and does not take that one, is inferred.
            guard form["grant_type"] != "refresh_token" else {
                throw Refusal(
                    .c90279, [""], error: OAuthErrorName.invalidGrant,
                    why: "client_id is missing, so it is not that of the refresh token")
            }
            throw Refusal(.c90083, ["client_id"], why: "client_id is missing")
        }
        let tenant = target.configuration.tenant.domain
        guard let app = target.configuration.app(clientID) else {
            throw Refusal(
                .c90018, [clientID, tenant], error: OAuthErrorName.invalidClient,
                why: "no app of the tenant has the client id \(clientID)")
        }
        guard app.settings.enabled else {
            throw Refusal(
                .c90092, [app.clientID, tenant], why: "registration.enabled of app \(app.name) is false")
        }
        return TokenRequest(form: form, app: app, secret: secret)
    }

    /// Every error is HTTP 400 with two members, the description of three lines (recorded).
    mutating func tokenError(
        _ refusal: Refusal, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) -> Reply {
        refuse(call, refusal.why)
        if let what = refusal.notSimulated {
            events.append(.notSimulated(exchange: call.exchange.number, what: what))
        }
        let body: JSONObject = [
            "error": .string(refusal.oauthError),
            "error_description": .string(refusal.description(correlationID: correlationID, at: call.now)),
        ]
        return .send(
            Draft(
                status: 400, fields: crossOrigin(call, target), headers: .service(gatewayRequestID: gatewayID()),
                cookies: tokenCookies(call),
                body: .json(body, contentType: "application/json; charset=utf-8"), refusal: refusal.why),
            after: .zero)
    }

    /// Browsers may read the answer if the page's origin is one of the app's `spa` redirect URIs.
    func crossOrigin(_ call: Call, _ target: PolicyAddress) -> [HeaderField] {
        guard let origin = call.request.headers["Origin"] else { return [] }
        let clientID = ClientCredentials.read(call.request, form: call.form).clientID
        guard let app = clientID.flatMap({ target.configuration.app($0) }), app.isSinglePageOrigin(origin) else {
            return []
        }
        return [
            HeaderField(name: "Access-Control-Allow-Origin", value: origin),
            HeaderField(name: "Access-Control-Expose-Headers", value: "Content-Length,Content-Encoding"),
        ]
    }

    // MARK: success

    /// Answers with the tokens of an issuance, and a new refresh token if the scopes or the platform ask for one.
    mutating func tokens(
        _ issuance: Issuance, _ terms: TokenTerms, _ call: Call, at target: PolicyAddress
    ) throws(Refusal) -> Reply {
        let (request, scopes) = (terms.request, terms.scopes)
        guard let settings = target.policy.issuer else {
            throw Refusal(
                nil, message: "not simulated: an issuer other than JWT",
                why: "policy \(target.policy.id) issues no JSON web tokens")
        }
        let factory = TokenFactory(
            configuration: target.configuration, policy: target.policy, origin: target.origin, app: request.app,
            issuance: issuance, settings: settings, nonce: terms.nonce, now: call.now)
        var response = TokenResponse(
            factory: factory, scopes: scopes, wantsClientInfo: request.wantsClientInfo,
            wantsIDToken: request.wantsIDToken)
        // A single-page app gets one whether it asks or not (announced in
        // AzureAD/microsoft-authentication-library-for-js#1999; seen with three published clients; that the platform
        // decides is inferred).
        let isRenewable = scopes.offlineAccess || (terms.platform == .spa && request.form["grant_type"] != "password")
        if isRenewable, let identity = issuance.refresh {
            response.refreshToken = issueRefreshToken(identity, terms, factory, at: call.now)
        }
        return .send(
            Draft(
                fields: crossOrigin(call, target), headers: .service(gatewayRequestID: gatewayID()),
                cookies: tokenCookies(call),
                body: .parameters(response.parameters(), .json)), after: .zero)
    }

    private mutating func issueRefreshToken(
        _ identity: RefreshIdentity, _ terms: TokenTerms, _ factory: TokenFactory, at now: Timestamp
    ) -> (text: String, expiresIn: TimeSpan) {
        let started = terms.chain?.started ?? now
        var expires = now + factory.settings.refreshTokenLifetime
        var end = terms.chain?.end
        if terms.platform == .spa {
            // 24 hours from the sign-in, whatever the policy says; a new token does not prolong them (the latter inferred).
            end = end ?? now + .hours(24)
            expires = end ?? expires
        }
        if let window = factory.settings.slidingWindow { expires = min(expires, started + window) }
        let id = random.guid()
        var identity = identity
        identity.issuedAt = now
        keepRefreshToken(
            id,
            RefreshGrant(
                terms: GrantTerms(
                    policyID: factory.policy.id, clientID: factory.app.clientID, platform: terms.platform,
                    scopes: terms.scopes, identity: identity),
                nonce: terms.nonce, identity: identity, expires: expires,
                chain: RefreshChain(started: started, end: end)),
            until: expires + RefreshGrant.kept)
        let key = factory.policy.grantKeys[0]
        let text = texts.grant(id, header: key.header, ciphertextLength: OpaqueText.refreshTokenLength)
        return (text, expires - now)
    }
}
