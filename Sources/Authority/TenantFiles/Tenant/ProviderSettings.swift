import JSON
import Records

/// `providers.NAME`.
public struct ProviderSettings: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var type = ProviderType.oidc
    public var exchange = ""
    public var domain = ""
    public var issuer = ""
    public var claims = JSONObject()
    public var redirectUris: [String]?
    public var userAgents = ProviderUserAgents.any
    public var session = true
    public var logout = ProviderLogout.works
    public var opensNewTab = false

    public init() {}

    package static let title = "provider"
    package static let summary = "An identity provider, answered by a stub."
    package static let settings: [Setting<ProviderSettings>] = {
        var table = SettingsTable<ProviderSettings>()
        table.add("type", \.type, .word(), "The protocol.")
        table.add(
            "exchange", \.exchange, .nonEmpty, "Id of the claims exchange, as the page button carries it.",
            default: "`FacebookExchange` for `facebook` and so on")
        table.add(
            "domain", \.domain, .nonEmpty, "Value of `domain_hint`, and of the `idp` claim.",
            default: "`facebook.com` for `facebook` and so on")
        table.add(
            "issuer", \.issuer, .url, "Issuer and base address of the provider.",
            default: "`https://NAME.provider.test`")
        table.add("claims", \.claims, .object, "Claims it sends for everybody.")
        table.add(
            "redirectUris", \.redirectUris, .textsOr("any", "Every redirect URI is good."),
            "Redirect URIs it insists on.")
        table.add("userAgents", \.userAgents, .word(), "Browsers it accepts.")
        table.add("session", \.session, .bool, "It remembers who has signed in.")
        table.add("logout", \.logout, .word(), "What its sign-out does.")
        table.add("opensNewTab", \.opensNewTab, .bool, "What its sign-in page leads to shows in a new tab.")
        return table.rows
    }()
}
