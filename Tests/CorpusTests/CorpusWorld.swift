import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import TrustFramework

@testable import Journeys

/// A journey of a case with what the case stubs: users, web APIs, identity providers, codes.
struct CorpusWorld {
    let item: JSONValue
    let policy: ResolvedPolicy
    var tenancy: Tenancy
    var journey: Journey
    var trace: [TraceEntry] = []
    private let call: JourneyCall
    /// The sender's identity for OpenID Connect providers.
    private var nonce = ""
    private static let providerKey = TestKeys.key(3)

    /// Needs that this world can meet, up to the colon.
    static let needs = [
        "directory", "local-account-login", "email-verification", "clock", "otp", "policy-key", "idp", "rest", "mfa",
        "tenant-object-id", "password-expired", "phone-factor",
    ]

    init(_ item: JSONValue, _ policy: ResolvedPolicy) {
        self.item = item
        self.policy = policy
        let standard = Timestamp(rfc3339: "2026-01-15T12:00:00Z") ?? Timestamp(seconds: 0)
        let now = item["clock"]?.stringValue.flatMap { Timestamp(rfc3339: $0) } ?? standard
        let domain = "yourtenant.onmicrosoft.com"
        tenancy = Tenancy(directory: Self.directory(item, domain, now - .days(1)))
        var secrets: [(name: String, secret: String)] = []
        for need in item["needs"]?.arrayValue ?? [] {
            guard let text = need.stringValue, text.hasPrefix("policy-key:") else { continue }
            let parts = text.dropFirst("policy-key:".count).split(separator: "=", maxSplits: 1)
            if parts.count == 2 { secrets.append((String(parts[0]), String(parts[1]))) }
        }
        call = JourneyCall(
            policy: policy, request: Self.request(item, policy, domain), now: now,
            environment: JourneyEnvironment(
                tenantDomain: domain, tenantID: GUID.derived(from: domain), secrets: PolicySecrets(secrets)))
        journey = Journey(.signIn, policy: policy, random: SeededGenerator(seed: 1))
    }

    private static func directory(_ item: JSONValue, _ domain: String, _ created: Timestamp) -> Directory {
        var directory = Directory(domain: domain)
        for user in item["stubs", "users"]?.arrayValue ?? [] {
            let id = user["objectId"]?.stringValue.flatMap(GUID.init) ?? GUID.derived(from: user.description)
            var account = Account(objectID: id, at: created)
            for (key, value) in user.objectValue?.members ?? [] {
                switch key {
                case "objectId": break
                case "password": account.password = value.stringValue
                case "passwordExpired": account.forcePasswordChange = value.boolValue ?? false
                default:
                    if let value = ClaimValue(free: value) {
                        try? directory.write(key, value, to: &account, at: created)
                    }
                }
            }
            try? directory.insert(account)
        }
        return directory
    }

    private static func request(_ item: JSONValue, _ policy: ResolvedPolicy, _ domain: String) -> RequestFacts {
        let parameters = item["request"]?.objectValue ?? [:]
        var query = FormItems()
        for (name, value) in parameters.members { query.append(name, value.stringValue ?? value.description) }
        var request = RequestFacts(
            correlationID: GUID.derived(from: "correlation"), host: "yourtenant.b2clogin.com", tenantSegment: domain,
            policyID: policy.id, clientID: query["client_id"] ?? "client", redirectURI: "https://jwt.ms", query: query)
        request.loginHint = query["login_hint"]
        request.uiLocales = query["ui_locales"] ?? "en"
        request.domainHint = query["domain_hint"]
        request.prompt = query["prompt"]
        request.nonce = query["nonce"]
        return request
    }

    /// Passes an event to the journey and answers what it asks of others, up to the next stop that is the person's.
    mutating func tell(_ event: JourneyEvent) -> JourneyStop {
        var stop = advance(event)
        while true {
            switch stop {
            case .callout(let request, _): stop = advance(.finished(answer(request)))
            case .provider(let redirect):
                nonce = redirect.url.queryItems["nonce"] ?? ""
                stop = advance(
                    .providerReturned(AuthorizationResponse(parameters: ["state": redirect.state, "code": "code"])))
            default: return stop
            }
        }
    }

    private mutating func advance(_ event: JourneyEvent) -> JourneyStop {
        journey.advance(event, in: &tenancy, call, trace: &trace)
    }

    /// The stub of a web API that this request is for, else that of an identity provider.
    private func answer(_ request: RequestMessage) -> CalloutResult {
        var sent = request.json?.objectValue ?? JSONObject()
        for item in request.url.queryItems.items { sent[item.name] = .string(item.value) }
        for item in request.form?.items ?? [] { sent[item.name] = .string(item.value) }
        var target = request.url
        target.query = nil
        for stub in item["stubs", "rest"]?.arrayValue ?? [] where target.description == stub["url"]?.stringValue {
            guard stub["method"]?.stringValue.map({ $0 == request.method }) ?? true else { continue }
            let wanted = stub["match"]?.objectValue?.members ?? []
            guard wanted.allSatisfy({ sent[$0.key]?.sameValue(as: $0.value) == true }) else { continue }
            return .answered(.json(Int(stub["status"]?.intValue ?? 200), stub["json"] ?? [:]))
        }
        return provider(request)
    }

    /// An identity provider: the shape of the request decides between discovery, token, keys and claims.
    private func provider(_ request: RequestMessage) -> CalloutResult {
        guard let claims = item["stubs", "idp"]?.objectValue?.members.first?.value.objectValue else {
            return .failed(.dns)
        }
        let address = request.url.description
        if address.contains("openid-configuration") {
            return .answered(
                .json(
                    200,
                    [
                        "issuer": "https://idp.test", "authorization_endpoint": "https://idp.test/authorize",
                        "token_endpoint": "https://idp.test/token", "jwks_uri": "https://idp.test/keys",
                    ]))
        }
        if request.method == "POST" {
            var token = claims
            token["iss"] = token["iss"] ?? "https://idp.test"
            token["aud"] = token["aud"] ?? .string(clientID)
            token["nonce"] = .string(nonce)
            let header: JSONObject = ["alg": "RS256", "kid": .string(Self.providerKey.kid)]
            let text = JWS.sign(header: header, claims: token, key: Self.providerKey)
            return .answered(.json(200, ["access_token": "access", "id_token": .string(text)]))
        }
        if address.contains("keys") {
            return .answered(.json(200, .object(JWKSet(keys: [Self.providerKey.jwk]).json)))
        }
        return .answered(.json(200, .object(claims)))
    }

    private var clientID: String {
        let id = item["stubs", "idp"]?.objectValue?.members.first?.key ?? ""
        return policy.profile(id).flatMap { policy[$0].metadata["client_id"] } ?? ""
    }
}
