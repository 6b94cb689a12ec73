import B2CProtocol
import Determinism
import JOSE
import JSON
import TrustFramework

extension AuthorizeCheck {
    /// A policy whose journey has a GetClaims step wants a hint; others pass over it (Microsoft docs: id-token-hint).
    static let idTokenHint = AuthorizeCheck(
        name: "the ID token hint is good, where the policy reads one",
        codes: [.c90272, .c90210, .c90208, .c90209, .c90232, .c90233]
    ) { request, call throws(Refusal) in
        guard let profile = call.policy.hintProfile else { return }
        guard let text = request.value("id_token_hint") else {
            throw Refusal(
                .c90272, error: OAuthErrorName.invalidRequest,
                why: "the journey has a GetClaims step and there is no id_token_hint")
        }
        guard let jws = JWS(compact: text), let claims = jws.claims else {
            throw Refusal(
                .c90210, error: OAuthErrorName.invalidRequest, why: "id_token_hint is not a JSON web token")
        }
        try HintRules(profile: profile, call: call).check(jws, claims)
        request.hintClaims = claims
    }
}

/// What a hint must fulfil: the metadata and the key of the profile that the GetClaims step names.
private struct HintRules {
    let profile: TechnicalProfile
    let call: AuthorizeCheck.Inputs

    func check(_ jws: JWS, _ claims: JSONObject) throws(Refusal) {
        let invalid = OAuthErrorName.invalidRequest
        // The journey fetches keys, since a check makes no calls.
        guard profile.hintMetadata != nil || isSigned(jws) else {
            throw Refusal(
                .c90233, error: invalid,
                why: "the signature of id_token_hint is of no key the profile \(profile.id) knows")
        }
        let now = call.now.secondsSinceEpoch
        guard let expiry = claims["exp"]?.intValue, expiry > now, (claims["nbf"]?.intValue ?? now) <= now else {
            throw Refusal(.c90208, error: invalid, why: "id_token_hint is not valid at \(call.now.rfc3339)")
        }
        if let wanted = profile.metadata["IdTokenAudience"] {
            let audiences = list(wanted)
            guard let audience = claims["aud"]?.stringValue, audiences.contains(audience) else {
                throw Refusal(
                    .c90209, [wanted], error: invalid,
                    why: "the audience of id_token_hint is not \(wanted) (IdTokenAudience of \(profile.id))")
            }
        }
        if let wanted = profile.metadata["issuer"] {
            guard let issuer = claims["iss"]?.stringValue, list(wanted).contains(issuer) else {
                throw Refusal(
                    .c90232, [wanted], error: invalid,
                    why: "the issuer of id_token_hint is not \(wanted) (issuer of \(profile.id))")
            }
        }
    }

    private func list(_ text: String) -> [String] {
        text.split(separator: ",").map { part in
            let bytes = part.utf8.drop { $0 == 32 }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// With a shared secret HS256 by that secret; else RS256 by one of the tenant's published keys.
    private func isSigned(_ jws: JWS) -> Bool {
        if let key = profile.cryptographicKeys.first(where: { sameID($0.id, "client_secret") }) {
            let secret = call.configuration.environment.secrets.secret(key.storageReferenceID)
            return jws.header["alg"] == "HS256" && jws.verifyHS256(secret: Array(secret.utf8))
        }
        guard let kid = jws.header["kid"]?.stringValue, let key = call.configuration.keys.publishedKey(kid: kid) else {
            return false
        }
        return jws.verify(with: key.jwk)
    }
}

extension HostedPolicy {
    /// The profile that reads an ID token hint in the default journey.
    fileprivate var hintProfile: TechnicalProfile? {
        let journey = resolved[resolved.relyingParty.defaultJourney]
        guard let step = journey.steps.first(where: { $0.type == .getClaims }) else { return nil }
        return step.issuer.map { resolved[$0] }
    }
}
