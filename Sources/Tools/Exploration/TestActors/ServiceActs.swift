import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TrustFramework

/// What services answer: identity providers and the web APIs of RESTful profiles.
struct ServiceActs {
    private let cast: TestActors
    private let person: TestPerson
    private let now: Timestamp
    /// The person has entered somebody else's name: a service refuses the secret that goes with it.
    private let namesAnother: Bool

    init(_ cast: TestActors, start: Explorer.Start, place: PathState) {
        self.cast = cast
        // A provider keeps its own session, which in a shared browser is that of the person before.
        let asksProvider =
            switch place.stop {
            case .provider: true
            case .callout(let request, _):
                request.profile.flatMap { cast.policy.profile($0) }.map { cast.policy[$0].handler.isFederation }
                    ?? false
            default: false
            }
        person = asksProvider ? start.signedIn ?? start.person : start.person
        now = place.now
        namesAnother = place.facts.namesAnother
    }

    private var policy: ResolvedPolicy { cast.policy }
    private var classes: ClaimClasses { cast.classes }
    private var values: ValueClasses { cast.values }

    // MARK: Providers

    /// What a provider says of the person, and how that differs from the usual.
    private struct Said {
        var words: String
        var claims: JSONObject
        /// The claims of it that are not the usual ones.
        var difference: JSONObject?
        var lacksAddress = false
        var lacksClaim = false
        var isHandedOver = false
    }

    /// Answers of a provider with one claim that is not the usual one, at most.
    private static let mostAnswers = 8

    /// The answers of a provider, the usual one first, then the one without an address. The place in the list is the code
    /// that the provider hands out, so that the back channel says the same.
    private func said(by id: String) -> [Said] {
        let usual = claims(of: id)
        var all = [
            Said(words: "", claims: usual),
            Said(
                words: ", which gives no e-mail address", claims: claims(of: id, withAddress: false),
                lacksAddress: true),
        ]
        guard let handle = policy.profile(id) else { return all }
        for output in policy[handle].outputClaims {
            let name = output.wireName
            guard let standard = usual[name], output.defaultValue == nil else { continue }
            func add(_ value: JSONValue?, _ words: String, isHandedOver: Bool = false) {
                guard value != standard, all.count < Self.mostAnswers else { return }
                var claims = usual
                claims[name] = value
                all.append(
                    Said(
                        words: ", which gives \(words)", claims: claims, difference: [name: value ?? .null],
                        lacksClaim: value == nil, isHandedOver: isHandedOver))
            }
            let type = policy[output.claim]
            if isMail(output), isKey(output.claim) {
                let address = TestPeople.second.text("email") ?? ""
                add(.string(address), "an address that another account has", isHandedOver: true)
            }
            for value in values.of(output.claim, for: person.name) {
                guard let value = json(value, type.dataType) else { continue }
                add(value, "\(name) \(value.stringValue ?? value.description)")
            }
            if values.presence.contains(output.claim), !isMail(output) { add(nil, "no \(name)") }
        }
        return all
    }

    /// Whether the directory is asked for accounts by a claim.
    private func isKey(_ claim: ClaimTypeHandle) -> Bool {
        values.reach.profiles.contains { handle in
            policy[handle].handler == .directory && policy[handle].inputClaims.contains { $0.claim == claim }
        }
    }

    private func isMail(_ output: ProfileClaim) -> Bool {
        cast.purposes.of(output.claim, as: output.wireName) == .email
            || ClaimPurpose(partner: output.wireName) == .email
    }

    /// The browser is at a provider.
    func acts(at redirect: ProviderRedirect) -> [Act] {
        let items = redirect.url.queryItems
        let nonce = items["nonce"] ?? ""
        let name = redirect.technicalProfile
        func back(_ more: [(name: String, value: String)]) -> JourneyEvent {
            .providerReturned(AuthorizationResponse(parameters: FormItems([("state", redirect.state)] + more)))
        }
        let email = person.text("email") ?? ""
        let usesCode = (items["response_type"] ?? "code").contains("code")
        var acts = said(by: name).enumerated().map { number, said in
            let answer: (name: String, value: String) =
                usesCode
                ? ("code", "\(number) \(nonce)")
                : (
                    "id_token",
                    idToken(of: name, for: items["client_id"] ?? "", saying: said.claims, nonce: nonce)
                )
            let difference = said.difference
            let script: ScriptAct.ProviderAnswer =
                said.lacksAddress ? .withoutAddress : difference.map { .other($0) } ?? .full
            let texts = said.claims.members.flatMap { member in
                ([member.value] + (member.value.arrayValue ?? [])).compactMap(\.stringValue).filter { $0.contains("@") }
            }
            let other = said.isHandedOver ? TestPeople.second.text("email")?.lowercased() : nil
            return Act(
                event: back([answer]), words: "signs in at \(name)\(said.words)",
                change: { facts in
                    if said.lacksAddress { facts.hasGap = true } else { facts.proved.insert(email.lowercased()) }
                    if said.lacksClaim { facts.hasGap = true }
                    for text in texts { facts.proved.insert(text.lowercased()) }
                    if let other {
                        facts.handedOver.insert(other)
                        facts.detour = .handedOver
                    }
                }, script: [.provider(profile: name, script)])
        }
        acts.append(
            Act(
                event: back([("error", "access_denied"), ("error_description", "the person refused")]),
                words: "refuses at \(name)", change: { $0.isFaulted = true },
                script: [.provider(profile: name, .refused)]))
        return acts
    }

    private static let signer = TestKeys.key(0)

    private func idToken(
        of profile: String, for audience: String, saying claims: JSONObject, nonce: String
    ) -> String {
        var claims = claims
        let profile = policy.profile(profile).map { policy[$0] }
        let prefix = profile?.metadata["ValidTokenIssuerPrefixes"]?.split(separator: ",").first.map(String.init)
        claims["iss"] = .string(prefix ?? profile?.metadata["issuer"] ?? Self.issuer)
        claims["aud"] = .string(profile?.metadata["IdTokenAudience"] ?? audience)
        claims["nonce"] = nonce.isEmpty ? nil : .string(nonce)
        claims["exp"] = .integer(now.secondsSinceEpoch + 3600)
        return Self.signed(claims, hasWrongKey: false)
    }

    /// A token that the made-up issuer signs, or somebody with another key.
    static func signed(_ claims: JSONObject, hasWrongKey: Bool) -> String {
        let key = hasWrongKey ? TestKeys.key(1) : signer
        return JWS.sign(
            header: ["alg": "RS256", "typ": "JWT", "kid": .string(signer.kid)], claims: claims, key: key)
    }

    static let issuer = "https://provider.example.test"

    /// What a provider says of the person, under the names that the profile reads.
    private func claims(of id: String, withAddress: Bool = true) -> JSONObject {
        var claims = JSONObject()
        guard let handle = policy.profile(id) else { return claims }
        let profile = policy[handle]
        claims[profile.handler == .openIdConnectProvider ? "sub" : "id"] = .string(TestPeople.subject)
        for output in profile.outputClaims where output.defaultValue == nil && claims[output.wireName] == nil {
            if withAddress || !isMail(output) { claims[output.wireName] = value(output) }
        }
        return claims
    }

    private func value(_ output: ProfileClaim) -> JSONValue? {
        let (name, claim) = (output.wireName, output.claim)
        let type = policy[claim]
        let purpose = cast.purposes.of(claim, as: name)
        if cast.purposes.of(claim) == .subject || name == "oid" {
            return type.dataType == .int || type.dataType == .long ? 1843 : .string(TestPeople.subject)
        }
        if name.lowercased().contains("verified") { return type.dataType == .boolean ? true : "true" }
        switch purpose {
        case .email: return person.record["email"]
        case .displayName?, .givenName?, .surname?, .city?, .country?, .phone?:
            if type.dataType == .string, values.of(claim).isEmpty { return purpose.flatMap { person.record[$0.key] } }
        default: break
        }
        if name.hasPrefix("{") { return nil }
        let literal = classes.values(of: type).first ?? values.of(claim, for: person.name).first
        if let literal, let known = json(literal, type.dataType) { return known }
        return type.dataType.example ?? (type.dataType == .stringCollection ? .array([.string(name)]) : .string(name))
    }

    /// A value as a service writes one of a type; `nil` where it is none of the type.
    private func json(_ text: String, _ type: DataType) -> JSONValue? {
        switch type {
        case .boolean: ["true", "false"].contains(text.lowercased()) ? .bool(text.lowercased() == "true") : nil
        case .int, .long: Int64(text).map { .integer($0) }
        case .stringCollection: .array([.string(text)])
        default: .string(text)
        }
    }

    /// A value that a type does not allow.
    private func wrong(_ type: DataType) -> JSONValue {
        switch type {
        case .boolean: "perhaps"
        case .int, .long: "many"
        case .date, .dateTime: "soon"
        case .stringCollection: 7
        default: ["text": "inside"]
        }
    }

    // MARK: Calls

    /// - Parameters:
    ///   - again: The last attempt was not answered, and the service calls again.
    ///   - forged: What somebody handed in who is not entitled to it. A service that is sent it refuses.
    func acts(at request: RequestMessage, again: Bool, forged: String? = nil) -> [Act] {
        guard let handle = request.profile.flatMap({ policy.profile($0) }) else { return [] }
        let profile = policy[handle]
        guard profile.handler == .rest else { return federation(request, profile) }
        let name = profile.id
        let url = Self.address(request)
        let late = Act(
            event: .finished(.failed(.timeout)), words: "\(name) does not answer", change: { $0.isFaulted = true },
            script: again ? [] : [.call(profile: name, url: url, status: nil, json: .null)])
        // The policy calls again; a service that did not answer still does not.
        if again { return [late] }
        func answer(_ answer: Answer) -> Act {
            Act(
                event: .finished(.answered(.json(answer.status, answer.json))), words: "\(name) \(answer.words)",
                change: { facts in
                    if answer.isFault { facts.isFaulted = true }
                    if answer.hasGap { facts.hasGap = true }
                }, script: [.call(profile: name, url: url, status: answer.status, json: answer.json)])
        }
        let faults = Self.faults.map(answer) + [late]
        if namesAnother, cast.purpose.checksSecret(profile) { return faults }
        if let forged, !forged.isEmpty, (request.text + " " + request.url.description).contains(forged) {
            return faults
        }
        return answers(of: profile).map(answer) + faults
    }

    /// The address without its query, which may hold what is drawn at random.
    private static func address(_ request: RequestMessage) -> String {
        String(request.url.description.prefix { $0 != "?" })
    }

    /// What a web API answers.
    private struct Answer {
        /// After the name of the technical profile.
        var words: String
        var status = 200
        var json: JSONValue
        var isFault = false
        /// Claims are absent.
        var hasGap = false
    }

    private static let faults = [
        Answer(
            words: "refuses", status: 409,
            json: ["version": "1.0.0", "status": 409, "userMessage": "Refused by the service."], isFault: true),
        Answer(words: "fails with 500", status: 500, json: [:], isFault: true),
    ]

    /// The answers of a web API: the usual one, each claim with other values, and without claims.
    private func answers(of profile: TechnicalProfile) -> [Answer] {
        let outputs = profile.outputClaims.filter { $0.defaultValue == nil || !$0.alwaysUseDefaultValue }
        var whole = JSONObject()
        for output in outputs { whole[output.wireName] = value(output) }
        var answers = [Answer(words: "answers", json: .object(whole))]
        for output in outputs {
            let type = policy[output.claim]
            var known = classes.values(of: type)
            if known.count == 1 { known.append("other") }
            for text in known + values.of(output.claim, for: person.name) {
                guard let value = json(text, type.dataType), value != whole[output.wireName] else { continue }
                var other = whole
                other[output.wireName] = value
                let words = "answers with \(output.wireName) \(text)"
                guard !answers.contains(where: { $0.words == words }) else { continue }
                answers.append(Answer(words: words, json: .object(other)))
            }
        }
        if !outputs.isEmpty {
            answers.append(Answer(words: "answers without claims", json: [:], hasGap: true))
            var other = JSONObject()
            for output in outputs { other[output.wireName] = wrong(policy[output.claim].dataType) }
            answers.append(
                Answer(words: "answers with wrong types", json: .object(other), isFault: true, hasGap: true))
        }
        if outputs.count > 1 {
            for output in outputs.filter({ values.presence.contains($0.claim) }).prefix(4) {
                var other = whole
                other[output.wireName] = nil
                answers.append(
                    Answer(words: "answers without \(output.wireName)", json: .object(other), hasGap: true))
            }
        }
        return answers
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
        // The number of the provider's answer, then the nonce that goes into the token.
        func said(_ number: Substring?) -> JSONObject {
            let all = self.said(by: profile.id)
            let place = number.flatMap { Int($0) } ?? 0
            return all.indices.contains(place) ? all[place].claims : all[0].claims
        }
        if let code = form?["code"] ?? request.url.queryItems["code"] {
            let parts = code.split(separator: " ", maxSplits: 1)
            let nonce = parts.count > 1 ? String(parts[1]) : ""
            let audience = form?["client_id"] ?? profile.metadata["client_id"] ?? ""
            var answer: JSONObject = ["access_token": .string("token \(parts.first ?? "0")"), "token_type": "Bearer"]
            if profile.handler == .openIdConnectProvider {
                answer["id_token"] = .string(
                    idToken(of: profile.id, for: audience, saying: said(parts.first), nonce: nonce))
            }
            return good(.object(answer)) + handled(profile)
        }
        if profile.handler == .openIdConnectProvider {
            return good(.object(JWKSet(keys: [Self.signer.jwk]).json))
        }
        // Hints are checked with the same keys.
        guard profile.handler.isFederation else { return good(.object(JWKSet(keys: [Self.signer.jwk]).json)) }
        let token = request.url.queryItems["access_token"] ?? request.headers["Authorization"] ?? ""
        return good(.object(said(token.split { $0 == " " || $0 == "+" }.last)))
    }

    /// Errors of the token call that the profile has a handler for.
    private func handled(_ profile: TechnicalProfile) -> [Act] {
        profile.errorHandlers.compactMap { handler in
            let texts = (handler.responseMatch ?? "").split { $0 == "'" || $0 == "\"" }
            guard texts.count == 3 else { return nil }
            let error = String(texts[1])
            return Act(
                event: .finished(.answered(.json(400, ["error": .string(error)]))),
                words: "\(profile.id) answers the token call with \(error)", change: { $0.isFaulted = true },
                script: [.other("a stub provider does not answer with \(error)")])
        }
    }
}
