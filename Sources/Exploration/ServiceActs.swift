import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TrustFramework

/// What services answer: identity providers and the web APIs of RESTful profiles.
struct ServiceActs {
    let policy: ResolvedPolicy
    let person: Roster.Person
    let classes: ClaimClasses
    let now: Timestamp

    // MARK: Providers

    /// The browser is at a provider.
    func acts(at redirect: ProviderRedirect) -> [Act] {
        let items = redirect.url.queryItems
        let nonce = items["nonce"] ?? ""
        let name = redirect.technicalProfile
        func back(_ more: [(name: String, value: String)]) -> JourneyEvent {
            .providerReturned(AuthorizationResponse(parameters: FormItems([("state", redirect.state)] + more)))
        }
        let email = person.text("email") ?? ""
        let full: [(name: String, value: String)] =
            (items["response_type"] ?? "code").contains("code")
            ? [("code", "full \(nonce)")] : [("id_token", idToken(name, nonce, [], items["client_id"] ?? ""))]
        let bare: [(name: String, value: String)] =
            (items["response_type"] ?? "code").contains("code")
            ? [("code", "bare \(nonce)")] : [("id_token", idToken(name, nonce, ["email"], items["client_id"] ?? ""))]
        return [
            Act(
                event: back(full), words: "signs in at \(name)", change: { $0.proved.insert(email.lowercased()) },
                script: [.provider(profile: name, .full)]),
            Act(
                event: back(bare), words: "signs in at \(name), which gives no e-mail address",
                change: { $0.hasGap = true }, script: [.provider(profile: name, .withoutAddress)]),
            Act(
                event: back([("error", "access_denied"), ("error_description", "the person refused")]),
                words: "refuses at \(name)", change: { $0.isFaulted = true },
                script: [.provider(profile: name, .refused)]),
        ]
    }

    private static let signer = TestKeys.key(0)

    private func idToken(_ profile: String, _ nonce: String, _ absent: [String], _ audience: String) -> String {
        var claims = self.claims(of: profile, without: absent)
        let profile = policy.profile(profile).map { policy[$0] }
        let prefix = profile?.metadata["ValidTokenIssuerPrefixes"]?.split(separator: ",").first.map(String.init)
        claims["iss"] = .string(prefix ?? profile?.metadata["issuer"] ?? Self.issuer)
        claims["aud"] = .string(profile?.metadata["IdTokenAudience"] ?? audience)
        claims["nonce"] = nonce.isEmpty ? nil : .string(nonce)
        claims["exp"] = .integer(now.secondsSinceEpoch + 3600)
        return JWS.sign(
            header: ["alg": "RS256", "typ": "JWT", "kid": .string(Self.signer.kid)], claims: claims, key: Self.signer)
    }

    private static let issuer = "https://provider.example.test"

    /// What a provider says of the person, under the names that the profile reads.
    private func claims(of id: String, without absent: [String]) -> JSONObject {
        var claims = JSONObject()
        guard let handle = policy.profile(id) else { return claims }
        let profile = policy[handle]
        claims[profile.handler == .openIdConnectProvider ? "sub" : "id"] = .string(Roster.subject)
        for output in profile.outputClaims where output.defaultValue == nil && claims[output.wireName] == nil {
            let name = output.wireName
            let type = policy[output.claim]
            if absent.contains(where: { name.lowercased().contains($0) || type.id.lowercased().contains($0) }) {
                continue
            }
            claims[name] = value(name, type)
        }
        return claims
    }

    private func value(_ name: String, _ type: ClaimType) -> JSONValue? {
        let key = type.id.lowercased()
        if ["issueruserid", "socialidpuserid", "numericuserid"].contains(key) || name == "oid" {
            return type.dataType == .int || type.dataType == .long ? 1843 : .string(Roster.subject)
        }
        if key.contains("mail") || name.lowercased().contains("mail") { return person.record["email"] }
        for field in ["displayName", "givenName", "surname", "city", "country", "phone"]
        where key.contains(field.lowercased()) {
            return person.record[field]
        }
        if name.hasPrefix("{") { return nil }
        let literal = classes.values(of: type).first
        switch type.dataType {
        case .boolean: return .bool(literal.map { $0.lowercased() == "true" } ?? true)
        case .int, .long: return .integer(literal.flatMap { Int64($0) } ?? 1)
        case .date: return "1990-05-17"
        case .dateTime: return "1990-05-17T00:00:00Z"
        case .stringCollection: return .array([.string(literal ?? name)])
        default: return .string(literal ?? name)
        }
    }

    // MARK: Calls

    func acts(at request: RequestMessage, again: Bool) -> [Act] {
        guard let handle = request.profile.flatMap({ policy.profile($0) }) else { return [] }
        let profile = policy[handle]
        if profile.handler.isFederation { return federation(request, profile) }
        guard profile.handler == .rest else { return federation(request, profile) }
        let name = profile.id
        let late = Act(
            event: .finished(.failed(.timeout)), words: "\(name) does not answer", change: { $0.isFaulted = true },
            script: again ? [] : [.call(profile: name, url: Self.address(request), status: nil, json: .null)])
        // The service calls again; whoever did not answer does not.
        if again { return [late] }
        var acts: [Act] = []
        let outputs = profile.outputClaims.filter { $0.defaultValue == nil || !$0.alwaysUseDefaultValue }
        var whole = JSONObject()
        for output in outputs { whole[output.wireName] = value(output.wireName, policy[output.claim]) }
        acts.append(answer(request, name, 200, .object(whole), "answers"))
        for output in outputs {
            let type = policy[output.claim]
            for literal in classes.values(of: type).dropFirst() + (classes.values(of: type).count == 1 ? ["other"] : [])
            {
                var other = whole
                other[output.wireName] = type.dataType == .boolean ? .bool(literal == "true") : .string(literal)
                acts.append(answer(request, name, 200, .object(other), "answers with \(output.wireName) \(literal)"))
            }
        }
        if !outputs.isEmpty {
            acts.append(answer(request, name, 200, [:], "answers without claims") { $0.hasGap = true })
        }
        let refusal: JSONValue = ["version": "1.0.0", "status": 409, "userMessage": "Refused by the service."]
        acts.append(answer(request, name, 409, refusal, "refuses") { $0.isFaulted = true })
        acts.append(answer(request, name, 500, [:], "fails with 500") { $0.isFaulted = true })
        return acts + [late]
    }

    /// The address without its query, which may hold what is drawn at random.
    private static func address(_ request: RequestMessage) -> String {
        String(request.url.description.prefix { $0 != "?" })
    }

    private func answer(
        _ request: RequestMessage, _ name: String, _ status: Int, _ json: JSONValue, _ words: String,
        change: @escaping @Sendable (inout PathFacts) -> Void = { _ in }
    ) -> Act {
        Act(
            event: .finished(.answered(.json(status, json))), words: "\(name) \(words)", change: change,
            script: [.call(profile: name, url: Self.address(request), status: status, json: json)])
    }

    /// What a provider's back channel says: it follows from the code.
    private func federation(_ request: RequestMessage, _ profile: TechnicalProfile) -> [Act] {
        func good(_ json: JSONValue) -> [Act] {
            [Act(event: .finished(.answered(.json(200, json))), words: "")]
        }
        let form = request.form
        let address = request.url.description
        if let metadata = profile.metadata["METADATA"], address == metadata || address.hasSuffix("openid-configuration")
        {
            return good([
                "issuer": .string(Self.issuer), "authorization_endpoint": .string(Self.issuer + "/authorize"),
                "token_endpoint": .string(Self.issuer + "/token"), "jwks_uri": .string(Self.issuer + "/keys"),
            ])
        }
        let code = form?["code"] ?? request.url.queryItems["code"]
        if let code {
            let absent = code.hasPrefix("bare ") ? ["email"] : []
            let nonce = String(code.dropFirst(5))
            let audience = form?["client_id"] ?? profile.metadata["client_id"] ?? ""
            var answer: JSONObject = [
                "access_token": .string(absent.isEmpty ? "full" : "bare"), "token_type": "Bearer",
            ]
            if profile.handler == .openIdConnectProvider {
                answer["id_token"] = .string(idToken(profile.id, nonce, absent, audience))
            }
            return good(.object(answer))
        }
        if profile.handler == .openIdConnectProvider {
            return good(.object(JWKSet(keys: [Self.signer.jwk]).json))
        }
        let token = request.url.queryItems["access_token"] ?? request.headers["Authorization"] ?? ""
        return good(.object(claims(of: profile.id, without: token.hasSuffix("bare") ? ["email"] : [])))
    }
}
