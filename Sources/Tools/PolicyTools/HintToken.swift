import Determinism
import Exchanges
import Exploration
import HTTPMessages
import JOSE
import JSON
import Journeys
import TenantFiles
import TrustFramework
import Verbs

/// The `id_token_hint` of a policy that reads one (step `GetClaims`), as an issuer that the policy trusts would make it:
/// with a value for each claim that the relying party takes, signed with the key that the profile names.
struct HintToken {
    /// The request parameter, and the member of `request` in an inputs file.
    static let parameter = "id_token_hint"

    private let policy: ResolvedPolicy
    private let profile: TechnicalProfile
    /// The claims without the times, which depend on who signs.
    private let claims: JSONValue

    /// - Parameters:
    ///   - person: Whose values the claims have where the policy asks for claims of a person.
    ///   - given: A patch over the claims; `null` removes one.
    init?(_ policy: ResolvedPolicy, person: UserRecord, given: JSONValue) {
        let steps = policy[policy.relyingParty.defaultJourney].steps
        guard let issuer = steps.first(where: { $0.type == .getClaims })?.issuer else { return nil }
        self.policy = policy
        profile = policy[issuer]
        var claims = JSONObject()
        claims["iss"] = .string(Self.first(profile.metadata["issuer"]) ?? Self.issuer)
        claims["aud"] = .string(Self.first(profile.metadata["IdTokenAudience"]) ?? "app")
        let wanted = policy.relyingParty.inputClaims.filter { $0.defaultValue == nil }
        let values = FormAnswers(policy: policy).values(of: wanted.map(\.claim), for: person)
        for claim in wanted where claims[claim.wireName] == nil {
            claims[claim.wireName] = values[policy[claim.claim].id].map { .string($0) }
        }
        self.claims = JSONValue.object(claims).merging(patch: given)
    }

    private static let issuer = "https://issuer.example.test/"
    private static let keyName = "hint issuer"
    /// Long after the clock of any script.
    private static let never: Int64 = 4_102_444_800

    private static func first(_ list: String?) -> String? {
        list?.split(separator: ",").first.map { String($0.drop { $0 == " " }) }
    }

    /// How the hint gets into a script.
    struct Parts {
        /// Steps before the sign-in.
        var steps: [Step] = []
        /// The value of the parameter.
        var value: String
        /// A patch over the tenant, so that the policy can check the signature.
        var configure: JSONValue = [:]
    }

    /// - Parameter secret: The secret of a policy key.
    func parts(secret: (String) -> String) -> Parts {
        if let container = profile.key("client_secret") {
            let value = JWS.signHS256(
                header: ["alg": "HS256", "typ": "JWT"], claims: timed, secret: Array(secret(container).utf8))
            return Parts(value: value)
        }
        guard let metadata = profile.hintMetadata else {
            // The tenant's own key: the tenant that plays signs.
            return Parts(
                steps: [Step(MintToken(MintOrder(from: nil, claims: claims)), id: "hint")],
                value: "{{hint/result/token}}")
        }
        let key = TestKeys.named(Self.keyName)
        var header: JSONObject = ["alg": "RS256", "typ": "JWT"]
        header["kid"] = key.jwk.kid.map { .string($0) }
        let value = JWS.sign(header: header, claims: timed, key: key)
        let keys = Self.issuer + "keys"
        let document: JSONValue = ["issuer": claims["iss"] ?? .string(Self.issuer), "jwks_uri": .string(keys)]
        let stubs: JSONValue = [
            "hintMetadata": [
                "match": ["url": ["$startsWith": .string(Self.host(metadata))]], "reply": ["json": document],
            ],
            "hintKeys": [
                "match": ["url": .string(keys)], "reply": ["json": .object(JWKSet(keys: [key.jwk]).json)],
            ],
        ]
        return Parts(value: value, configure: ["rest": stubs])
    }

    private var timed: JSONObject {
        var claims = claims.objectValue ?? JSONObject()
        if claims["exp"] == nil { claims["exp"] = .integer(Self.never) }
        return claims
    }

    /// The part of an address before what is filled in when it is called.
    private static func host(_ address: String) -> String {
        String(address.prefix { $0 != "{" })
    }
}
