import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys

/// What the first half of a user-info request established, kept while its journey runs.
struct UserInfoExchange: Sendable {
    let address: PolicyAddress
    let facts: RequestFacts
    var journey: Journey
}

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
        let journey = Journey(
            .userInfo, policy: target.policy.resolved, random: random.stream("journey \(correlationID)"))
        return advance(UserInfoExchange(address: target, facts: facts, journey: journey), .begin, call)
    }

    private func bearerToken(_ request: RequestMessage) -> String? {
        guard let header = request.headers["Authorization"] else { return request.form?["access_token"] }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    mutating func advance(_ exchange: consuming UserInfoExchange, _ event: JourneyEvent, _ call: Call) -> Reply {
        let target = exchange.address
        let stop = run(&exchange.journey, event, at: target, exchange.facts, call)
        switch stop {
        case .issue(let issuance):
            return .send(
                Draft(
                    headers: .service(gatewayRequestID: gatewayID()),
                    body: .json(
                        issuance.userInfo ?? JSONObject(), contentType: "application/json; charset=utf-8")),
                after: .zero)
        case .callout(let request, let timeout):
            return callOut(request, timeout, PendingCallout(call: call, shape: .userInfo(exchange)))
        case .failed(let failure), .refused(let failure):
            if case .notSimulated = failure.kind {
                events.append(.notSimulated(exchange: call.exchange.number, what: failure.text))
            }
            return userInfoError(call, why: failure.detail)
        case .page, .answer, .provider:
            return userInfoError(call, why: "the journey of the user-info endpoint asked for a page")
        }
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
