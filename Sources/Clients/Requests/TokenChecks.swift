import Determinism
import JOSE
import JSON
import TenantFiles

/// Checks MSAL for iOS and macOS does not make, for apps whose settings switch them on.
enum TokenChecks {
    /// What is wrong with an answer; `nil` when nothing is, or nothing is looked at.
    static func problem(
        _ answer: TokenAnswer, _ context: RequestContext, _ metadata: ProviderMetadata,
        _ configuration: ClientConfiguration, nonce: ExpectedNonce, now: Timestamp
    ) -> LibraryError? {
        let checks = configuration.checks
        if checks.accessToken == .required, answer.accessToken == nil { return refused("there is no access token") }
        if checks.account, let account = context.account, answer.clientInfo?.homeAccountID != account.identifier {
            return LibraryError(.mismatchedAccount, "The answer is for another account than the one asked for.")
        }
        guard let claims = answer.claims else { return nil }
        if checks.issuer, claims["iss"]?.stringValue != metadata.issuer {
            return refused("the issuer is not \(metadata.issuer)")
        }
        if checks.audience, !audiences(claims).contains(configuration.clientID) {
            return refused("the audience is not the client id")
        }
        if let problem = timeProblem(claims, checks, now) { return refused(problem) }
        if let problem = nonce.problem(claims["nonce"]?.stringValue, checks.nonce) { return refused(problem) }
        if let token = answer.accessToken,
            let problem = presence(checks.atHash, claims["at_hash"]?.stringValue, accessTokenHash(token), "at_hash")
        {
            return refused(problem)
        }
        if let name = checks.policyClaim, let policy = context.authority.url.path.split(separator: "/").last,
            claims[name]?.stringValue?.lowercased() != policy.lowercased()
        {
            return refused("the claim \(name) does not name the policy \(policy)")
        }
        return nil
    }

    /// What is wrong with the issuer of the metadata.
    static func discoveryProblem(
        _ metadata: ProviderMetadata, _ authority: MSALAuthority, _ checks: ClientChecks
    ) -> LibraryError? {
        let agrees: Bool
        switch checks.discoveryIssuer {
        case .off: agrees = true
        case .host: agrees = issuerHost(metadata.issuer) == authority.url.host
        case .exact:
            agrees =
                metadata.issuer + "/.well-known/openid-configuration" == authority.metadataURL.description
                || metadata.issuer + ".well-known/openid-configuration" == authority.metadataURL.description
        }
        guard !agrees else { return nil }
        return LibraryError(.authorityValidation, "The metadata's issuer \(metadata.issuer) is not the authority's.")
    }

    private static func issuerHost(_ issuer: String) -> String? {
        issuer.split(separator: "/").dropFirst().first.map { $0.lowercased() }
    }

    private static func audiences(_ claims: JSONObject) -> [String] {
        if let one = claims["aud"]?.stringValue { return [one] }
        return (claims["aud"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    private static func timeProblem(_ claims: JSONObject, _ checks: ClientChecks, _ now: Timestamp) -> String? {
        if checks.expiry {
            guard let expiry = claims["exp"]?.intValue, Timestamp(seconds: expiry) + checks.skew > now else {
                return "it has expired"
            }
            if let start = claims["nbf"]?.intValue, Timestamp(seconds: start) - checks.skew > now {
                return "it is not valid yet"
            }
        }
        if let window = checks.issuedAtWindow {
            guard let issued = claims["iat"]?.intValue else { return "it does not say when it was issued" }
            let distance = Timestamp(seconds: issued) - now
            if distance > window || .zero - distance > window { return "it was not issued just now" }
        }
        return nil
    }

    private static func presence(_ check: PresenceCheck, _ found: String?, _ wanted: String, _ name: String) -> String?
    {
        switch check {
        case .off: return nil
        case .ifPresent where found == nil: return nil
        case .ifPresent, .required:
            return found.map { sameText($0, wanted) } == true ? nil : "the claim \(name) is missing or wrong"
        }
    }

    /// The nonce that an ID token should have.
    enum ExpectedNonce: Sendable {
        /// The token answers a code; the request had this nonce, or none.
        case sent(String?)
        /// The token answers a refresh; this is the nonce of the ID token before it, where that is known.
        case refreshed(String?)

        func problem(_ found: String?, _ check: NonceCheck) -> String? {
            let isRight: Bool
            switch (self, check) {
            case (_, .off), (.sent(nil), _), (.refreshed, .atSignIn): isRight = true
            case (.sent(let nonce?), .ifPresent): isRight = found == nil || found == nonce
            case (.sent(let nonce?), .atSignIn), (.sent(let nonce?), .required): isRight = found == nonce
            case (.refreshed(let before), .ifPresent): isRight = found == nil || before == nil || found == before
            case (.refreshed(let before), .required): isRight = found != nil && (before == nil || found == before)
            }
            return isRight ? nil : "the claim nonce is missing or wrong"
        }
    }

    /// OIDC Core 3.1.3.6: the left half of the token's SHA-256.
    private static func accessTokenHash(_ token: String) -> String {
        Base64URL.encode(Array(SHA2.sha256(Array(token.utf8)).prefix(16)))
    }

    private static func refused(_ why: String) -> LibraryError {
        LibraryError(.serverInvalidResponse, "The ID token is refused: \(why).")
    }
}
