import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// One reason to refuse a token request, of what is compared: a grant, or the request alone.
struct TokenRequestCheck<Subject: Sendable>: Sendable {
    /// What is checked, for the developer.
    let name: String
    /// Codes it may refuse with.
    let codes: [B2CErrorCode]
    let run: @Sendable (Subject) throws(Refusal) -> Void
}

/// A request that is compared with something, and the checks of it in their order.
protocol TokenAttempt: Sendable {
    static var checks: [TokenRequestCheck<Self>] { get }
}

extension TokenAttempt {
    /// Makes the checks until one refuses.
    func check() throws(Refusal) {
        for check in Self.checks { try check.run(self) }
    }
}

// MARK: Grants

/// A grant that belongs to a policy and a client.
protocol BoundAttempt: TokenAttempt {
    var request: TokenRequest { get }
    var target: PolicyAddress { get }
    var policyID: String { get }
    var clientID: String { get }
}

extension BoundAttempt {
    static var ofPolicy: TokenRequestCheck<Self> {
        TokenRequestCheck(name: "the grant is of the policy", codes: [.c90088]) { attempt throws(Refusal) in
            let asked = attempt.target.policy.id
            guard attempt.policyID != asked else { return }
            let endpointFirst = attempt.target.configuration.tenant.authority.grantMismatchOrder == .actualIsEndpoint
            throw Refusal(
                .c90088, endpointFirst ? [asked, attempt.policyID] : [attempt.policyID, asked],
                why: "the grant is of policy \(attempt.policyID) and was sent to \(asked)")
        }
    }

    static var ofClient: TokenRequestCheck<Self> {
        TokenRequestCheck(name: "the grant is of the client", codes: [.c90279]) { attempt throws(Refusal) in
            let asking = attempt.request.app.clientID
            guard attempt.clientID != asking else { return }
            throw Refusal(
                .c90279, [asking], error: OAuthErrorName.invalidGrant,
                why: "the grant belongs to client \(attempt.clientID), not \(asking)")
        }
    }
}

/// A code that is known.
struct CodeAttempt: BoundAttempt {
    let request: TokenRequest
    let target: PolicyAddress
    let grant: CodeGrant

    var policyID: String { grant.policyID }
    var clientID: String { grant.clientID }

    static let checks: [TokenRequestCheck<CodeAttempt>] = [ofPolicy, ofClient, redirectURI, secret, verifier]

    /// RFC 6749, 4.1.3: the URI of the authorization request again. Published clients of native apps send what is before
    /// its `://`, or its percent-decoded form, and are served. That nothing else is taken, and of web and single-page
    /// apps the URI alone, is inferred. Without the parameter nothing is compared: one of Microsoft's articles calls it
    /// optional.
    private static let redirectURI = TokenRequestCheck<CodeAttempt>(
        name: "the redirect URI is that of the code", codes: [.c90006]
    ) { attempt throws(Refusal) in
        let (request, grant) = (attempt.request, attempt.grant)
        var taken = [grant.redirectURI]
        if grant.platform == .native {
            taken.append(PercentCoding.decode(grant.redirectURI, plusIsSpace: false))
            if let mark = grant.redirectURI.firstRange(of: "://") {
                taken.append(String(grant.redirectURI[..<mark.lowerBound]))
            }
        }
        guard let uri = request.value("redirect_uri"), !taken.contains(where: { sameText($0, uri) }) else { return }
        throw Refusal(
            .c90006, [uri, request.app.clientID],
            why: "redirect_uri is \(uri), the code was sent to \(grant.redirectURI)")
    }

    private static let secret = TokenRequestCheck<CodeAttempt>(
        name: "the secret fits the platform", codes: [.c90079, .c90081, .c90084]
    ) { attempt throws(Refusal) in try attempt.request.checkSecret(for: attempt.grant.platform) }

    /// PKCE (RFC 7636, 4.6).
    private static let verifier = TokenRequestCheck<CodeAttempt>(
        name: "the verifier fits the challenge", codes: [.c90182, .c90183]
    ) { attempt throws(Refusal) in
        guard let challenge = attempt.grant.challenge else { return }
        guard let verifier = attempt.request.value("code_verifier") else {
            throw Refusal(.c90183, why: "the code was asked with a challenge and code_verifier is missing")
        }
        guard PKCE.isWellFormed(verifier: verifier) else {
            throw Refusal(
                .c90183, why: "code_verifier is not 43 to 128 characters of the alphabet of RFC 7636")
        }
        guard challenge.accepts(verifier) else {
            throw Refusal(.c90182, why: "code_verifier does not match the challenge of the authorization request")
        }
    }
}

/// A code that was redeemed or has expired: only the client that it belongs to learns so.
struct SpentCodeAttempt: BoundAttempt {
    let request: TokenRequest
    let target: PolicyAddress
    let code: SpentCode

    var policyID: String { code.policyID }
    var clientID: String { code.clientID }

    static let checks: [TokenRequestCheck<SpentCodeAttempt>] = [ofPolicy, ofClient]
}

/// A refresh token that is known.
struct RefreshAttempt: BoundAttempt {
    let request: TokenRequest
    let target: PolicyAddress
    let grant: RefreshGrant
    let now: Timestamp

    var policyID: String { grant.terms.policyID }
    var clientID: String { grant.terms.clientID }

    static let checks: [TokenRequestCheck<RefreshAttempt>] = [ofPolicy, ofClient, good, firstUse, secret]

    private static let good = TokenRequestCheck<RefreshAttempt>(
        name: "the refresh token is good", codes: [.c90080]
    ) { attempt throws(Refusal) in
        let grant = attempt.grant
        guard attempt.now >= grant.expires else { return }
        throw Refusal.expired(
            issuedAt: grant.issuedAt, until: grant.expires, at: attempt.now,
            byWindow: attempt.target.policy.issuer?.slidingWindow.map { grant.chain.started + $0 } == grant.expires,
            why: "the refresh token has expired"
                + (grant.terms.platform == .spa ? ": those of single-page apps live 24 hours" : ""))
    }

    private static let firstUse = TokenRequestCheck<RefreshAttempt>(
        name: "the refresh token is used once where the tenant says so", codes: [.c90129]
    ) { attempt throws(Refusal) in
        guard attempt.grant.isRedeemed, attempt.target.policy.rejectsReuse else { return }
        throw Refusal(
            .c90129, why: "the refresh token was redeemed before and tokens.refreshTokenReuse is reject")
    }

    private static let secret = TokenRequestCheck<RefreshAttempt>(
        name: "the secret fits the platform", codes: [.c90079, .c90081, .c90084]
    ) { attempt throws(Refusal) in try attempt.request.checkSecret(for: attempt.grant.terms.platform) }
}

// MARK: Requests without a grant

/// A request with a user name and a password (Microsoft docs: add-ropc-policy).
struct PasswordAttempt: TokenAttempt {
    let request: TokenRequest
    let target: PolicyAddress

    static let checks: [TokenRequestCheck<PasswordAttempt>] = [
        policy, audience, allowed, implicit, publicClient, names,
    ]

    private static let policy = TokenRequestCheck<PasswordAttempt>(
        name: "the policy is made for passwords", codes: [.c90086]
    ) { attempt throws(Refusal) in
        guard !attempt.target.policy.takesPasswords else { return }
        throw Refusal(.c90086, ["password"], why: "policy \(attempt.target.policy.id) is not an ROPC policy")
    }

    private static let audience = TokenRequestCheck<PasswordAttempt>(
        name: "the app is for accounts of any provider", codes: [.c90248]
    ) { attempt throws(Refusal) in
        let app = attempt.request.app
        guard app.settings.signInAudience != .any else { return }
        throw Refusal(
            .c90248,
            why: "registration.signInAudience of app \(app.name) is " + app.settings.signInAudience.rawValue)
    }

    private static let allowed = TokenRequestCheck<PasswordAttempt>(
        name: "the app may use passwords", codes: [.c90224]
    ) { attempt throws(Refusal) in
        let app = attempt.request.app
        guard !app.settings.ropc else { return }
        throw Refusal(.c90224, why: "registration.ropc of app \(app.name) is false")
    }

    private static let implicit = TokenRequestCheck<PasswordAttempt>(
        name: "the app may get both tokens", codes: [.c90057]
    ) { attempt throws(Refusal) in
        let app = attempt.request.app
        guard !(app.settings.implicit.accessToken && app.settings.implicit.idToken) else { return }
        throw Refusal(.c90057, why: "registration.implicit of app \(app.name) does not allow both tokens")
    }

    private static let publicClient = TokenRequestCheck<PasswordAttempt>(
        name: "the client is public", codes: [.c90084]
    ) { attempt throws(Refusal) in
        guard attempt.request.secret != nil else { return }
        throw Refusal(.c90084, why: "the password grant is for public clients and the request has a client_secret")
    }

    private static let names = TokenRequestCheck<PasswordAttempt>(
        name: "user name, password and scope are there", codes: [.c90083, .c90010]
    ) { attempt throws(Refusal) in
        for name in ["username", "password"] where attempt.request.value(name) == nil {
            throw Refusal(.c90083, [name], why: "\(name) is missing")
        }
        guard attempt.request.value("scope") != nil else { throw Refusal(.c90010, why: "scope is missing") }
    }
}

extension TokenRequest {
    /// A `web` grant needs the secret, a public one must not bring any; grants inherit the platform of their URI.
    func checkSecret(for platform: GrantPlatform) throws(Refusal) {
        switch platform {
        case .web:
            guard let secret else {
                throw Refusal(.c90079, why: "the grant went to a web redirect URI and there is no client_secret")
            }
            guard app.settings.secrets.containsText(secret) else {
                throw Refusal(.c90081, why: "client_secret is none of app \(app.name)'s")
            }
        case .native, .spa:
            guard secret == nil else {
                throw Refusal(
                    .c90084,
                    why: "the grant went to a \(platform.rawValue) redirect URI and the request has a client_secret")
            }
        }
    }
}

extension Refusal {
    /// The text names the three instants as epoch seconds (AzureAD/microsoft-authentication-library-for-android#1004), and
    /// says whether the grant's own life or the sliding window of its chain has ended.
    static func expired(
        issuedAt: Timestamp, until: Timestamp, at now: Timestamp, byWindow: Bool = false, why: String
    ) -> Refusal {
        let instants = [now, issuedAt, until].map { String($0.secondsSinceEpoch) }
        return Refusal(
            .c90080, instants, message: byWindow ? nil : B2CErrorCode.c90080.message(variant: 0, instants), why: why)
    }
}
