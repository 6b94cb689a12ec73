import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys

extension Authority {
    /// The user-info endpoint, where the relying party declares one (Microsoft docs: userinfo-endpoint).
    mutating func userInfo(_ call: Call, _ target: PolicyAddress) -> Reply {
        guard let endpoint = target.policy.resolved.relyingParty.journey(endpoint: "UserInfo") else {
            return notFound(call, why: "policy \(target.policy.id) declares no endpoint UserInfo")
        }
        guard let token = bearerToken(call.request) else {
            return userInfoError(call, why: "the request has no bearer token")
        }
        guard let jws = JWS(compact: token), let claims = jws.claims,
            let kid = jws.header["kid"]?.stringValue,
            let key = target.configuration.keys.publishedKey(kid: kid), jws.verify(with: key.jwk)
        else { return userInfoError(call, why: "the bearer token is signed by no published key") }
        guard let expiry = claims["exp"]?.intValue, expiry > call.now.secondsSinceEpoch else {
            return userInfoError(call, why: "the bearer token has expired")
        }
        if let start = claims["nbf"]?.intValue, start > call.now.secondsSinceEpoch {
            return userInfoError(
                call, why: "the bearer token is not valid before \(Timestamp(seconds: start).rfc3339)")
        }
        // The documents know of one profile; what several would do is not said, and each is asked (inferred).
        for handle in target.policy.resolved[endpoint].authorizationProfiles {
            let profile = target.policy.resolved[handle]
            let rules = TokenAuthorization(profile: profile, target: target, call: call)
            if let problem = rules.problem(claims) { return userInfoError(call, why: problem) }
        }
        let correlationID = random.guid()
        var facts = RequestFacts(
            correlationID: correlationID, host: target.host, scheme: target.scheme, tenantSegment: target.tenantSegment,
            policyID: target.policy.id, clientID: claims["azp"]?.stringValue ?? claims["aud"]?.stringValue ?? "",
            responseType: "", scopes: [], query: call.request.url.queryItems)
        let issuedAt = Timestamp(seconds: claims["iat"]?.intValue ?? call.now.secondsSinceEpoch)
        facts.refresh = RefreshIdentity(
            identity: claims["oid"]?.stringValue ?? claims["sub"]?.stringValue ?? "", claimType: "objectId",
            issuedAt: issuedAt,
            authTime: claims["auth_time"]?.intValue.map { Timestamp(seconds: $0) } ?? issuedAt,
            claims: claims.members.compactMap { key, value in ClaimValue(free: value).map { KeptClaim(key, $0) } })
        facts.ipAddress = call.exchange.remoteAddress
        facts.userAgent = call.request.headers["User-Agent"] ?? ""
        return begin(.userInfo, facts, call, at: target, answer: .userInfo)
    }

    private func bearerToken(_ request: RequestMessage) -> String? {
        guard let header = request.headers["Authorization"] else { return request.form?["access_token"] }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// The answer of the endpoint.
    mutating func userInfo(_ issuance: Issuance, _ call: Call) -> Reply {
        .send(
            Draft(
                headers: .service(gatewayRequestID: gatewayID()),
                body: .json(issuance.userInfo ?? JSONObject(), contentType: "application/json; charset=utf-8")),
            after: .zero)
    }

    /// The answer of the endpoint where its journey ends otherwise.
    mutating func userInfoError(_ refusal: Refusal, _ call: Call) -> Reply {
        if let what = refusal.notSimulated {
            events.append(.notSimulated(exchange: call.exchange.number, what: what))
        }
        return userInfoError(call, why: refusal.why)
    }

    /// The shape of errors is not documented: 401 without a body and a challenge (RFC 6750, 3).
    private mutating func userInfoError(_ call: Call, why: String) -> Reply {
        refuse(call, why)
        return .send(
            Draft(
                status: 401, fields: [HeaderField(name: "WWW-Authenticate", value: "Bearer error=\"invalid_token\"")],
                headers: .service(gatewayRequestID: gatewayID()), refusal: why), after: .zero)
    }
}
