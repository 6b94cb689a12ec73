import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

extension Authority {
    /// The journey has issued: answers the app's authorization request.
    mutating func finish(_ transaction: consuming Transaction, _ issuance: Issuance, _ call: Call) -> Reply {
        let target = transaction.address
        let request = transaction.request
        let id = transaction.id
        guard let settings = target.policy.issuer else {
            return end(
                transaction,
                with: Refusal(
                    nil, message: "not simulated: an issuer other than JWT", delivery: .page,
                    why: "policy \(target.policy.id) issues no JSON web tokens"), call)
        }
        // The session first, then what is taken away (recorded).
        var cookies = issuance.session.map { [sessionCookie($0, in: call.cookieScope)] } ?? []
        cookies += endCookies(transaction, call)
        transactions.remove(id)
        let factory = TokenFactory(
            configuration: target.configuration, policy: target.policy, origin: target.origin, app: request.app,
            issuance: issuance, settings: settings, nonce: request.nonce, now: call.now)
        let parameters = authorizationResponse(request, factory, call.now)
        return .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()), cookies: cookies,
                body: .parameters(parameters, delivery(request.responseMode, to: request.redirectURI))), after: .zero)
    }

    /// With a code: state, client_info, code, then tokens (recorded). Tokens alone: as Microsoft's samples of the
    /// implicit flow have them, state last.
    private mutating func authorizationResponse(
        _ request: AuthorizeRequest, _ factory: TokenFactory, _ now: Timestamp
    ) -> [Parameter] {
        var parameters: [Parameter] = []
        let state = request.state.map { Parameter("state", text: $0) }
        let clientInfo =
            request.wantsClientInfo
            ? TokenResponse.clientInfo(factory).map { Parameter("client_info", text: $0) } : nil
        let hasCode = request.responseType.contains(.code)
        if hasCode {
            if let state { parameters.append(state) }
            if let clientInfo { parameters.append(clientInfo) }
            parameters.append(Parameter("code", text: issueCode(request, factory, now)))
        }
        var hashes: [TokenDraft.HashClaim] = []
        if request.responseType.contains(.token), let audience = request.scopes.audience,
            let token = factory.accessToken(audience: audience, scopes: request.scopes.names)
        {
            parameters.append(Parameter("access_token", .token(token)))
            parameters.append(Parameter("token_type", text: "Bearer"))
            parameters.append(
                Parameter("expires_in", text: String(factory.settings.accessTokenLifetime.milliseconds / 1000)))
            parameters.append(Parameter("scope", text: request.scopes.responseText))
            hashes.append(.init(claim: "at_hash", of: "access_token"))
        }
        if request.responseType.contains(.idToken) {
            if hasCode { hashes.append(.init(claim: "c_hash", of: "code")) }
            if let token = factory.idToken(hashes: hashes) { parameters.append(Parameter("id_token", .token(token))) }
        }
        if !hasCode {
            if let clientInfo { parameters.append(clientInfo) }
            if let state { parameters.append(state) }
        }
        return parameters
    }

    private mutating func issueCode(_ request: AuthorizeRequest, _ factory: TokenFactory, _ now: Timestamp) -> String {
        let id = random.guid()
        let key = factory.policy.grantKeys[0]
        let expires = now + factory.configuration.tenant.authority.codeLifetime
        codes.insert(
            id,
            CodeGrant(
                policyID: factory.policy.id, clientID: request.app.clientID, redirectURI: request.redirectURI,
                platform: request.platform, scopes: request.scopes, nonce: request.nonce,
                challenge: request.challenge, issuance: factory.issuance, issuedAt: now, expires: expires),
            expires: expires)
        return texts.grant(id, header: key.header, ciphertextLength: OpaqueText.codeLength)
    }
}
