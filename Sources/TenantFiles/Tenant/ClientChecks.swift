import Determinism
import Records

/// Cookie in which a web app keeps state and nonce.
public struct StateCookieSettings: TenantRecord {
    /// SameSite attribute.
    public var sameSite: SameSiteKind
    /// Secure attribute.
    public var secure: Bool
    /// How long the browser keeps it; `nil` for as long as the browser runs.
    public var lifetime: TimeSpan?

    /// - Parameter lifetime: By default that of ASP.NET Core (RemoteAuthenticationOptions, `RemoteAuthenticationTimeout`).
    public init(
        sameSite: SameSiteKind = .none,
        secure: Bool = true,
        lifetime: TimeSpan? = .minutes(15)
    ) {
        self.sameSite = sameSite
        self.secure = secure
        self.lifetime = lifetime
    }

    package static let title = "state cookie"
    package static let summary = "Cookie in which a web app keeps state and nonce."
    package static let initial = StateCookieSettings()
    package static let settings: [Setting<StateCookieSettings>] = {
        var table = SettingsTable<StateCookieSettings>()
        table.add(
            "sameSite", \.sameSite, .word(),
            "SameSite attribute.")
        table.add(
            "secure", \.secure, .bool,
            "Secure attribute.")
        table.add(
            "lifetime", \.lifetime, .spanOr("off", "It lives as long as the browser."),
            "How long a sign-in may take: after that the browser no longer has the cookie.")
        return table.rows
    }()
}

/// What a client verifies. The defaults depend on its kind.
public struct ClientChecks: TenantRecord {
    /// The authority must be in `knownAuthorities`.
    public var knownAuthority: Bool
    /// Issuer of the discovery document.
    public var discoveryIssuer: DiscoveryIssuerCheck
    /// `state` of the answer.
    public var state: Bool
    /// `nonce` of the ID token.
    public var nonce: NonceCheck
    /// `iss` of the ID token.
    public var issuer: Bool
    /// `aud` of the ID token.
    public var audience: Bool
    /// `exp` of the ID token, with tolerance `skew`.
    public var expiry: Bool
    /// Tolerance of the clock checks.
    public var skew: TimeSpan
    /// Greatest distance of `iat` from the device clock.
    public var issuedAtWindow: TimeSpan?
    /// `at_hash` of the ID token.
    public var atHash: PresenceCheck
    /// The answer is for the account that was asked for.
    public var account: Bool
    /// Claim that must name the policy.
    public var policyClaim: String?
    /// Comparison of the callback URL.
    public var redirectUri: RedirectCheck
    /// Whether an answer may lack the access token.
    public var accessToken: AccessTokenCheck
    /// `openid`, `profile`, `offline_access` given by the developer.
    public var reservedScopes: ScopeCheck
    /// The client id as scope.
    public var clientIdScope: ScopeCheck

    public init(
        knownAuthority: Bool = true,
        discoveryIssuer: DiscoveryIssuerCheck = .off,
        state: Bool = true,
        nonce: NonceCheck = .off,
        issuer: Bool = false,
        audience: Bool = false,
        expiry: Bool = false,
        skew: TimeSpan = .minutes(5),
        issuedAtWindow: TimeSpan? = nil,
        atHash: PresenceCheck = .off,
        account: Bool = false,
        policyClaim: String? = nil,
        redirectUri: RedirectCheck = .off,
        accessToken: AccessTokenCheck = .optional,
        reservedScopes: ScopeCheck = .reject,
        clientIdScope: ScopeCheck = .accept
    ) {
        self.knownAuthority = knownAuthority
        self.discoveryIssuer = discoveryIssuer
        self.state = state
        self.nonce = nonce
        self.issuer = issuer
        self.audience = audience
        self.expiry = expiry
        self.skew = skew
        self.issuedAtWindow = issuedAtWindow
        self.atHash = atHash
        self.account = account
        self.policyClaim = policyClaim
        self.redirectUri = redirectUri
        self.accessToken = accessToken
        self.reservedScopes = reservedScopes
        self.clientIdScope = clientIdScope
    }

    package static let title = "checks"
    package static let summary = "What a client verifies. The defaults depend on its kind."
    package static let initial = ClientChecks()
    package static let settings: [Setting<ClientChecks>] = {
        var table = SettingsTable<ClientChecks>()
        table.add(
            "knownAuthority", \.knownAuthority, .bool,
            "The authority must be in `knownAuthorities`.")
        table.add(
            "discoveryIssuer", \.discoveryIssuer, .word(),
            "Issuer of the discovery document.")
        table.add(
            "state", \.state, .bool,
            "`state` of the answer.")
        table.add(
            "nonce", \.nonce, .word(),
            "`nonce` of the ID token.")
        table.add(
            "issuer", \.issuer, .bool,
            "`iss` of the ID token.")
        table.add(
            "audience", \.audience, .bool,
            "`aud` of the ID token.")
        table.add(
            "expiry", \.expiry, .bool,
            "`exp` of the ID token, with tolerance `skew`.")
        table.add(
            "skew", \.skew, .span,
            "Tolerance of the clock checks.")
        table.add(
            "issuedAtWindow", \.issuedAtWindow, .spanOr("off", "`iat` is not looked at."),
            "Greatest distance of `iat` from the device clock.")
        table.add(
            "atHash", \.atHash, .word(),
            "`at_hash` of the ID token.")
        table.add(
            "account", \.account, .bool,
            "The answer is for the account that was asked for.")
        table.add(
            "policyClaim", \.policyClaim, .optionalText,
            "Claim that must name the policy.")
        table.add(
            "redirectUri", \.redirectUri, .word(),
            "How the callback URL is compared with the redirect URI; one that differs is not taken as an answer.")
        table.add(
            "accessToken", \.accessToken, .word(),
            "Whether an answer may lack the access token.")
        table.add(
            "reservedScopes", \.reservedScopes, .word(),
            "`openid`, `profile`, `offline_access` given by the developer.")
        table.add(
            "clientIdScope", \.clientIdScope, .word(),
            "The client id as scope.")
        return table.rows
    }()
}
