import JSON
import Records

/// An identity provider, answered by a stub.
public struct ProviderSettings: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// The protocol.
    public var type: ProviderType
    /// Id of the claims exchange, as the page button carries it.
    public var exchange: String
    /// Value of `domain_hint`, and of the `idp` claim.
    public var domain: String
    /// Issuer and base address of the provider.
    public var issuer: String
    /// Claims it sends for everybody.
    public var claims: JSONObject
    /// Redirect URIs it insists on.
    public var redirectUris: [String]?
    /// Browsers it accepts.
    public var userAgents: ProviderUserAgents
    /// It remembers who has signed in.
    public var session: Bool
    /// What its sign-out does.
    public var logout: ProviderLogout
    /// What its sign-in page leads to shows in a new tab.
    public var opensNewTab: Bool

    public init(
        name: String = "",
        type: ProviderType = .oidc,
        exchange: String = "",
        domain: String = "",
        issuer: String = "",
        claims: JSONObject = JSONObject(),
        redirectUris: [String]? = nil,
        userAgents: ProviderUserAgents = .any,
        session: Bool = true,
        logout: ProviderLogout = .works,
        opensNewTab: Bool = false
    ) {
        self.name = name
        self.type = type
        self.exchange = exchange
        self.domain = domain
        self.issuer = issuer
        self.claims = claims
        self.redirectUris = redirectUris
        self.userAgents = userAgents
        self.session = session
        self.logout = logout
        self.opensNewTab = opensNewTab
    }

    package static let title = "provider"
    package static let summary = "An identity provider, answered by a stub."
    package static let initial = ProviderSettings()
    package static let settings: [Setting<ProviderSettings>] = {
        var table = SettingsTable<ProviderSettings>()
        table.add(
            "type", \.type, .word(),
            "The protocol.")
        table.add(
            "exchange", \.exchange, .nonEmpty,
            "Id of the claims exchange, as the page button carries it.",
            default: "`FacebookExchange` for `facebook` and so on")
        table.add(
            "domain", \.domain, .nonEmpty,
            "Value of `domain_hint`, and of the `idp` claim.",
            default: "`facebook.com` for `facebook` and so on")
        table.add(
            "issuer", \.issuer, .url,
            "Issuer and base address of the provider.",
            default: "`https://NAME.provider.test`")
        table.add(
            "claims", \.claims, .object,
            "Claims it sends for everybody.")
        table.add(
            "redirectUris", \.redirectUris, .textsOr("any", "Every redirect URI is good."),
            "Redirect URIs it insists on.")
        table.add(
            "userAgents", \.userAgents, .word(),
            "Browsers it accepts.")
        table.add(
            "session", \.session, .bool,
            "It remembers who has signed in.")
        table.add(
            "logout", \.logout, .word(),
            "What its sign-out does.")
        table.add(
            "opensNewTab", \.opensNewTab, .bool,
            "What its sign-in page leads to shows in a new tab.")
        return table.rows
    }()
}
