import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// The checks an API makes of a token, in the order of Microsoft.IdentityModel: signature, lifetime, audience, issuer,
/// then what the API itself demands.
struct TokenValidator: Sendable {
    private let validation: APIValidation
    private let api: APISettings
    /// Ids in lower case of the policies a token may name; `nil`: not checked.
    private let policies: [String]?
    /// The same, to look one up.
    private let policySet: Set<String>
    private let ownAddresses: OwnAddresses?

    init(settings: APISettings, tenant: Tenant, ownAddresses: OwnAddresses?) {
        self.ownAddresses = ownAddresses
        api = settings
        validation = settings.validation
        policies = settings.validation.policyClaim.map { names in
            names.map { (tenant.policy(named: $0)?.id ?? $0).lowercased() }
        }
        policySet = Set(policies ?? [])
    }

    /// Whether keys or issuers of discovery documents are needed at all.
    var needsMetadata: Bool { validation.signature || (validation.issuer && validation.issuers == nil) }

    func algorithmProblem(_ token: JWS) -> String? {
        let algorithm = token.header["alg"]?.stringValue ?? ""
        guard !validation.algorithms.contains(algorithm) else { return nil }
        return "the algorithm \(algorithm.isEmpty ? "(none given)" : algorithm) is not accepted; accepted: "
            + validation.algorithms.joined(separator: ", ")
    }

    /// Why the token is refused, or nil.
    func problem(_ token: JWS, _ claims: JSONObject, metadata: MetadataCache, at now: Timestamp) -> String? {
        if validation.signature, let problem = signatureProblem(token, metadata.documents?.keys) { return problem }
        if validation.expiry, let problem = lifetimeProblem(claims, at: now) { return problem }
        if validation.audience, let problem = audienceProblem(claims) { return problem }
        if validation.issuer, let problem = issuerProblem(claims, metadata.documents?.issuers ?? []) { return problem }
        if let problem = policyProblem(claims) { return problem }
        for name in validation.requireClaims where claims[name] == nil {
            return "the token has no claim \(name)"
        }
        return nil
    }

    private func signatureProblem(_ token: JWS, _ keys: JWKSet?) -> String? {
        let keys = keys ?? JWKSet(keys: [])
        switch token.header["alg"]?.stringValue {
        case "none":
            return token.signature.isEmpty ? nil : "the token says alg none and has a signature"
        case "HS256":
            // An API that accepts HS256 beside RS256 takes the public key for a secret: the confusion attack works.
            let kid = token.header["kid"]?.stringValue
            let candidates = keys.keys.filter { kid == nil || $0.kid == kid }
            let isValid = candidates.contains { key in
                key.pem.map { token.verifyHS256(secret: Array($0.utf8)) } ?? false
            }
            return isValid ? nil : "the signature is not valid"
        default:
            switch token.verify(in: keys) {
            case .success: return nil
            case .failure(.unknownKey(let kid)):
                let known = keys.keys.compactMap(\.kid).joined(separator: ", ")
                return "the signature key was not found: kid \(kid ?? "(none)") is none of the keys read"
                    + (known.isEmpty ? "" : " (\(known))")
            case .failure(.badSignature): return "the signature is not valid"
            case .failure(let error): return "the signature cannot be checked: \(error)"
            }
        }
    }

    private func lifetimeProblem(_ claims: JSONObject, at now: Timestamp) -> String? {
        guard let expiry = claims["exp"]?.seconds else { return "the token has no expiry" }
        // The tolerance is counted in favour of the token on both sides.
        if now >= expiry + validation.skew {
            return "the token expired at \(expiry.rfc3339); the API's clock shows \(now.rfc3339)"
        }
        if let start = claims["nbf"]?.seconds, now < start - validation.skew {
            return "the token is not valid before \(start.rfc3339); the API's clock shows \(now.rfc3339)"
        }
        return nil
    }

    private func audienceProblem(_ claims: JSONObject) -> String? {
        let audiences = claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue ?? ""]
        guard !audiences.contains(where: { validation.audiences.contains($0) }) else { return nil }
        return "the audience '\(audiences.joined(separator: ", "))' is invalid; accepted: "
            + validation.audiences.joined(separator: ", ")
    }

    private func issuerProblem(_ claims: JSONObject, _ published: [String]) -> String? {
        let issuer = claims["iss"]?.stringValue ?? ""
        let accepted = validation.issuers ?? published
        let tenant = claims["tid"]?.stringValue ?? ""
        let isAccepted = accepted.contains { pattern in
            // The document for all tenants of a directory leaves the tenant open.
            issuer == pattern || (!tenant.isEmpty && issuer == pattern.replacing("{tenantid}", with: tenant))
                || isOwnTwin(issuer, of: pattern)
        }
        guard !isAccepted else { return nil }
        return "the issuer '\(issuer)' is invalid; accepted: \(accepted.joined(separator: ", "))"
    }

    /// Whether an issuer is a published one under an address of the mock.
    private func isOwnTwin(_ issuer: String, of pattern: String) -> Bool {
        guard let own = WebURL(issuer), ownAddresses?.contains(own) == true else { return false }
        return own.path == WebURL(pattern)?.path
    }

    private func policyProblem(_ claims: JSONObject) -> String? {
        guard let policies else { return nil }
        guard let policy = claims["tfp"]?.stringValue ?? claims["acr"]?.stringValue else {
            return "the token names no policy, neither in tfp nor in acr"
        }
        guard !policySet.contains(policy.lowercased()) else { return nil }
        return "the policy '\(policy)' is not accepted; accepted: \(policies.joined(separator: ", "))"
    }

    /// The scopes of which the token has none, if so. `scp` holds an app's roles too, when no person is there.
    func missingScope(_ claims: JSONObject, of route: APIRoute) -> (text: String, scopes: String)? {
        let wanted = route.scopes ?? api.scopes
        guard !wanted.isEmpty else { return nil }
        let granted = (claims["scp"]?.stringValue ?? "").split(separator: " ").map(String.init)
        guard !wanted.contains(where: { granted.contains($0) }) else { return nil }
        let has = granted.isEmpty ? "has none" : "has \(granted.joined(separator: " "))"
        return ("the token needs scope \(wanted.joined(separator: " or ")) and \(has)", wanted.joined(separator: " "))
    }
}

extension JSONValue {
    /// A NumericDate (RFC 7519, section 2).
    fileprivate var seconds: Timestamp? {
        intValue.map { Timestamp(seconds: $0) } ?? doubleValue.map { Timestamp(seconds: 0) + .seconds($0) }
    }
}
