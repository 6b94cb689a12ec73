import Determinism
import JOSE
import JSON
import TenantFiles

/// One thing that a client looks at in a token answer. Which of them it makes is `client.checks` of its app.
struct TokenCheck: Sendable {
    /// An answer, and what it is compared with.
    struct Subject: Sendable {
        let answer: TokenAnswer
        let context: RequestContext
        let metadata: ProviderMetadata
        let configuration: ClientConfiguration
        let nonce: ExpectedNonce
        let now: Timestamp

        var checks: ClientChecks { configuration.checks }
    }

    /// What is looked at, for the developer.
    let name: String
    /// What is wrong; `nil` where nothing is, or nothing is looked at.
    let problem: @Sendable (Subject) -> LibraryError?

    /// The checks in the order in which they are made.
    static let all: [TokenCheck] = [
        accessToken, account, issuer, audience, expiry, issuedAt, nonce, accessTokenHash, policy,
    ]

    /// What is wrong with an answer; `nil` when nothing is.
    static func problem(with subject: Subject) -> LibraryError? {
        for check in all {
            if let problem = check.problem(subject) { return problem }
        }
        return nil
    }

    // MARK: Of the answer

    private static let accessToken = TokenCheck(name: "there is an access token") { subject in
        subject.checks.accessToken == .required && subject.answer.accessToken == nil
            ? refused("there is no access token") : nil
    }

    private static let account = TokenCheck(name: "the account is the one asked for") { subject in
        guard subject.checks.account, let account = subject.context.account,
            subject.answer.clientInfo?.homeAccountID != account.identifier
        else { return nil }
        return LibraryError(.mismatchedAccount, "The answer is for another account than the one asked for.")
    }

    // MARK: Of the ID token (OpenID Connect Core 3.1.3.7)

    private static let issuer = ofClaims("the issuer is that of the metadata") { claims, subject in
        subject.checks.issuer && claims["iss"]?.stringValue != subject.metadata.issuer
            ? "the issuer is not \(subject.metadata.issuer)" : nil
    }

    private static let audience = ofClaims("the audience is the client") { claims, subject in
        subject.checks.audience && !audiences(claims).contains(subject.configuration.clientID)
            ? "the audience is not the client id" : nil
    }

    private static let expiry = ofClaims("the token is good now") { claims, subject in
        guard subject.checks.expiry else { return nil }
        guard let expiry = claims["exp"]?.intValue,
            Timestamp(seconds: expiry) + subject.checks.skew > subject.now
        else { return "it has expired" }
        guard let start = claims["nbf"]?.intValue else { return nil }
        return Timestamp(seconds: start) - subject.checks.skew > subject.now ? "it is not valid yet" : nil
    }

    private static let issuedAt = ofClaims("the token was issued just now") { claims, subject in
        guard let window = subject.checks.issuedAtWindow else { return nil }
        guard let issued = claims["iat"]?.intValue else { return "it does not say when it was issued" }
        let distance = Timestamp(seconds: issued) - subject.now
        return distance > window || .zero - distance > window ? "it was not issued just now" : nil
    }

    private static let nonce = ofClaims("the nonce is the one expected") { claims, subject in
        subject.nonce.problem(claims["nonce"]?.stringValue, subject.checks.nonce)
    }

    private static let accessTokenHash = ofClaims("at_hash is that of the access token") { claims, subject in
        guard let token = subject.answer.accessToken else { return nil }
        let found = claims["at_hash"]?.stringValue
        switch subject.checks.atHash {
        case .off: return nil
        case .ifPresent where found == nil: return nil
        case .ifPresent, .required:
            return found.map { sameText($0, hash(of: token)) } == true ? nil : "the claim at_hash is missing or wrong"
        }
    }

    private static let policy = ofClaims("the policy is that of the authority") { claims, subject in
        guard let name = subject.checks.policyClaim,
            let policy = subject.context.authority.url.path.split(separator: "/").last,
            claims[name]?.stringValue?.lowercased() != policy.lowercased()
        else { return nil }
        return "the claim \(name) does not name the policy \(policy)"
    }

    // MARK: Helpers

    /// A check of the claims of the ID token; an answer without one passes.
    private static func ofClaims(
        _ name: String, _ reason: @escaping @Sendable (JSONObject, Subject) -> String?
    ) -> TokenCheck {
        TokenCheck(name: name) { subject in
            subject.answer.claims.flatMap { reason($0, subject) }.map(refused)
        }
    }

    private static func refused(_ why: String) -> LibraryError {
        LibraryError(.serverInvalidResponse, "The ID token is refused: \(why).")
    }

    private static func audiences(_ claims: JSONObject) -> [String] {
        if let one = claims["aud"]?.stringValue { return [one] }
        return (claims["aud"]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    /// The left half of the token's SHA-256 (OpenID Connect Core 3.1.3.6).
    private static func hash(of token: String) -> String {
        Base64URL.encode(Array(SHA2.sha256(Array(token.utf8)).prefix(16)))
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
}

extension ProviderMetadata {
    /// What is wrong with the issuer of the metadata of an authority.
    func problem(of authority: MSALAuthority, _ check: DiscoveryIssuerCheck) -> LibraryError? {
        let agrees: Bool
        switch check {
        case .off: agrees = true
        case .host:
            agrees = issuer.split(separator: "/").dropFirst().first.map { $0.lowercased() } == authority.url.host
        case .exact:
            agrees = ["/", ""].contains {
                issuer + $0 + ".well-known/openid-configuration" == authority.metadataURL.description
            }
        }
        guard !agrees else { return nil }
        return LibraryError(.authorityValidation, "The metadata's issuer \(issuer) is not the authority's.")
    }
}
