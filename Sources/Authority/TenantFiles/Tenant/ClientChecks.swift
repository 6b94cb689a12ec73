import Determinism
import Records

/// `apps.NAME.client.stateCookie`.
public struct StateCookieSettings: TenantRecord {
    public var sameSite = SameSiteKind.none
    public var secure = true
    /// How long the browser keeps it; `nil` for as long as the browser runs.
    public var lifetime: TimeSpan? = .minutes(15)

    /// - Parameter lifetime: By default that of ASP.NET Core (RemoteAuthenticationOptions, `RemoteAuthenticationTimeout`).

    public init() {}

    package static let title = "state cookie"
    package static let summary = "Cookie in which a web app keeps state and nonce."
    package static let settings: [Setting<StateCookieSettings>] = {
        var table = SettingsTable<StateCookieSettings>()
        table.add("sameSite", \.sameSite, .word(), "SameSite attribute.")
        table.add("secure", \.secure, .bool, "Secure attribute.")
        table.add(
            "lifetime", \.lifetime, .spanOr("off", "It lives as long as the browser."),
            "How long a sign-in may take: after that the browser no longer has the cookie.")
        return table.rows
    }()
}

/// `apps.NAME.client.checks`.
public struct ClientChecks: TenantRecord {
    public var knownAuthority = true
    public var discoveryIssuer = DiscoveryIssuerCheck.off
    public var state = true
    public var nonce = NonceCheck.off
    public var issuer = false
    public var audience = false
    public var expiry = false
    public var skew = TimeSpan.minutes(5)
    public var issuedAtWindow: TimeSpan?
    public var atHash = PresenceCheck.off
    public var account = false
    public var policyClaim: String?
    /// Comparison of the callback URL.
    public var redirectUri = RedirectCheck.off
    public var accessToken = AccessTokenCheck.optional
    public var reservedScopes = ScopeCheck.reject
    public var clientIdScope = ScopeCheck.accept

    public init() {}

    package static let title = "checks"
    package static let summary = "What a client verifies. The defaults depend on its kind."
    package static let settings: [Setting<ClientChecks>] = {
        var table = SettingsTable<ClientChecks>()
        table.add("knownAuthority", \.knownAuthority, .bool, "The authority must be in `knownAuthorities`.")
        table.add("discoveryIssuer", \.discoveryIssuer, .word(), "Issuer of the discovery document.")
        table.add("state", \.state, .bool, "`state` of the answer.")
        table.add("nonce", \.nonce, .word(), "`nonce` of the ID token.")
        table.add("issuer", \.issuer, .bool, "`iss` of the ID token.")
        table.add("audience", \.audience, .bool, "`aud` of the ID token.")
        table.add("expiry", \.expiry, .bool, "`exp` of the ID token, with tolerance `skew`.")
        table.add("skew", \.skew, .span, "Tolerance of the clock checks.")
        table.add(
            "issuedAtWindow", \.issuedAtWindow, .spanOr("off", "`iat` is not looked at."),
            "Greatest distance of `iat` from the device clock.")
        table.add("atHash", \.atHash, .word(), "`at_hash` of the ID token.")
        table.add("account", \.account, .bool, "The answer is for the account that was asked for.")
        table.add("policyClaim", \.policyClaim, .optionalText, "Claim that must name the policy.")
        table.add(
            "redirectUri", \.redirectUri, .word(),
            "How the callback URL is compared with the redirect URI; one that differs is not taken as an answer.")
        table.add("accessToken", \.accessToken, .word(), "Whether an answer may lack the access token.")
        table.add(
            "reservedScopes", \.reservedScopes, .word(), "`openid`, `profile`, `offline_access` given by the developer."
        )
        table.add("clientIdScope", \.clientIdScope, .word(), "The client id as scope.")
        return table.rows
    }()
}
