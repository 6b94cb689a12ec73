import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Journeys

extension Authority {
    // MARK: client_credentials

    /// An app's own token for an API (Microsoft docs: client-credentials-grant-flow). Any policy serves it; what is
    /// misconfigured gives `invalid_grant` and AADB2C90085 (reported).
    mutating func clientCredentials(
        _ request: TokenRequest, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard let secret = request.secret else {
            throw Refusal(.c90079, why: "the client credentials grant needs a client_secret")
        }
        guard request.app.settings.secrets.containsText(secret) else {
            throw Refusal(.c90081, why: "client_secret is none of app \(request.app.name)'s")
        }
        guard let text = request.value("scope") else { throw Refusal(.c90010, why: "scope is missing") }
        try ScopeRules.checkCharacters(text)
        // That policies take the scopes which libraries add, as the directory does, is inferred.
        let scope = ScopeRules.withoutReserved(text) ?? text
        guard let (resource, name) = target.configuration.resource(ofScope: scope) else {
            throw Refusal(.c90117, [scope], why: "no API has the scope \(scope)")
        }
        guard name.lowercased() == ".default" else {
            throw Refusal(
                .c90085, error: OAuthErrorName.invalidGrant,
                why: "scope must be \(resource.prefix).default for the client credentials grant")
        }
        let roles = request.app.grantedScopes(of: resource)
        guard !roles.isEmpty else {
            throw Refusal(
                .c90085, error: OAuthErrorName.invalidGrant,
                why: "app \(request.app.name) has no permission on API \(resource.name)")
        }
        let terms = AppTerms(request: request, resource: resource, roles: roles)
        guard target.policy.issuer?.clientCredentialsJourney != nil else {
            return try appToken(terms, adding: [], call, target)
        }
        let facts = facts(of: request, scopes: GrantedScopes(fullNames: [scope]), call, target, correlationID)
        return begin(.clientCredentials, facts, call, at: target, answer: .appToken(terms))
    }

    /// The claims in the order of a token that was shown in public; `ver` is 2.0 there.
    mutating func appToken(
        _ terms: AppTerms, adding issued: [IssuedClaim], _ call: Call, _ target: PolicyAddress
    ) throws(Refusal) -> Reply {
        let (request, resource) = (terms.request, terms.resource)
        guard let settings = target.policy.issuer, let ring = target.configuration.keys.ring(target.policy.keySet)
        else {
            throw Refusal(.c90085, why: "policy \(target.policy.id) issues no JSON web tokens")
        }
        let tenant = target.configuration.tenant
        let principal = Self.servicePrincipal(of: request.app.clientID, in: tenant)
        let now = call.now.secondsSinceEpoch
        let lifetime = settings.accessTokenLifetime.milliseconds / 1000
        let issuer = TokenFactory.issuer(
            origin: target.origin, policy: target.policy, tenant: tenant, form: settings.issuerPattern)
        var claims = JSONObject([
            ("tfp", .string(target.policy.id)), ("azpacr", "1"), ("sub", .string(principal)),
            ("aud", .string(resource.clientID)), ("oid", .string(principal)), ("tid", .string(tenant.id.description)),
            ("scp", .string(terms.roles.joined(separator: " "))), ("ver", "2.0"),
            ("azp", .string(request.app.clientID)),
            ("iat", .integer(now)), ("exp", .integer(now + lifetime)), ("iss", .string(issuer)),
            ("nbf", .integer(now)),
        ])
        // A journey names the subject as it likes; what else the issuer writes stays (inferred).
        for claim in issued where claims[claim.name] == nil || claim.name == "sub" || claim.name == "oid" {
            claims[claim.name] = claim.value
        }
        let token = TokenDraft(header: ring.header, claims: claims, key: ring.use, signature: .rs256, hashes: [])
        func number(_ name: String, _ value: Int64) -> Parameter {
            settings.jsonNumbers ? Parameter(name, .number(value)) : Parameter(name, text: String(value))
        }
        return .send(
            Draft(
                fields: crossOrigin(call, target), headers: .service(gatewayRequestID: gatewayID()),
                cookies: tokenCookies(call),
                body: .parameters(
                    [
                        Parameter("access_token", .token(token)), Parameter("token_type", text: "Bearer"),
                        number("not_before", now), number("expires_in", lifetime),
                        number("expires_on", now + lifetime), Parameter("resource", text: resource.clientID),
                    ], .json)), after: .zero)
    }
}
