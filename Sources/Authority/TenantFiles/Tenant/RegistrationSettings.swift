import B2CProtocol
import Records

/// `apps.NAME.registration.redirectUris`.
public struct RedirectURISets: TenantRecord {
    public var native: [String] = []
    public var spa: [String] = []
    public var web: [String] = []

    public init() {}

    package static let title = "redirect URIs"
    package static let summary =
        "Registered redirect URIs by platform type; the type decides on secrets, PKCE, CORS and refresh-token life."
    package static let settings: [Setting<RedirectURISets>] = {
        var table = SettingsTable<RedirectURISets>()
        table.add("native", \.native, .texts, "Mobile and desktop apps: no secret, PKCE recommended.")
        table.add(
            "spa", \.spa, .texts,
            "Single-page apps: no secret, PKCE required, CORS at the token endpoint, refresh tokens of 24 hours.")
        table.add("web", \.web, .texts, "Server apps: client secret required.")
        return table.rows
    }()
}

/// `apps.NAME.registration.implicit`.
public struct ImplicitSettings: TenantRecord {
    public var idToken = false
    public var accessToken = false

    public init() {}

    package static let title = "implicit grant"
    package static let summary = "Tokens that the authorize endpoint may return."
    package static let settings: [Setting<ImplicitSettings>] = {
        var table = SettingsTable<ImplicitSettings>()
        table.add("idToken", \.idToken, .bool, "ID tokens from the authorize endpoint are allowed.")
        table.add("accessToken", \.accessToken, .bool, "Access tokens from the authorize endpoint are allowed.")
        return table.rows
    }()
}

/// `apps.NAME.registration`.
public struct RegistrationSettings: TenantRecord {
    public var clientId = ""
    public var secrets: [String] = []
    /// Whose tokens the app may present in place of a secret.
    public var federatedCredentials: [FederatedCredentialSettings] = []
    public var enabled = true
    /// Front-channel logout URL, which single sign-out loads in a hidden frame.
    public var logoutUrl: String?
    public var redirectUris = RedirectURISets()
    public var scopes: [String] = []
    public var consent = ConsentKind.granted
    public var implicit = ImplicitSettings()
    public var ropc = false
    public var signInAudience = SignInAudience.any
    /// Granted application permissions of Microsoft Graph.
    public var graph: [GraphPermissionName] = []
    /// The app has the directory role User Administrator.
    public var userAdministrator = false

    public init() {}

    package static let title = "registration"
    package static let summary = "What the tenant knows of an app."
    package static let settings: [Setting<RegistrationSettings>] = {
        var table = SettingsTable<RegistrationSettings>()
        table.add(
            "clientId", \.clientId, .nonEmpty, "Application (client) id.",
            default: "derived from the names of tenant and app")
        table.add("secrets", \.secrets, .texts, "Client secrets; none for public clients.")
        table.add(
            "federatedCredentials", \.federatedCredentials, Codec<FederatedCredentialSettings>.record().list(),
            "Tokens of other issuers, such as GitHub or Azure DevOps, that the app may present in place of a secret at the token endpoint of the directory. The mock compares `iss`, `sub`, `aud` and `exp`. It does not check the signature.",
            limit: .tenants(.b2c, "apps on their own are simulated for B2C alone"))
        table.add("enabled", \.enabled, .bool, "False: the app is disabled, AADB2C90092.")
        table.add(
            "logoutUrl", \.logoutUrl, .optionalURL,
            "Front-channel logout URL, which single sign-out of a custom policy loads in a hidden frame. A server app drops its accounts there, a browser app too if its storage is `local`, unless the browser keeps frames of other sites apart.",
            limit: .tenants(.b2c, "single sign-out is simulated for B2C alone"))
        table.add(
            "redirectUris", \.redirectUris, .record(), "Registered redirect URIs.",
            default: "the one the client uses, under the platform type of its kind")
        table.add(
            "scopes", \.scopes, .texts, "Granted API permissions as full scope names.",
            default: "all scopes of all `apis`")
        table.add("consent", \.consent, .word(), "Who has consented.")
        table.add(
            "implicit", \.implicit, .record(), "Tokens that the authorize endpoint may return.",
            limit: .tenants(.b2c, "the implicit grant is simulated for B2C alone"))
        table.add(
            "ropc", \.ropc, .bool, "The resource owner password grant is enabled.",
            limit: .tenants(.b2c, "the password grant is simulated for B2C alone"))
        table.add(
            "signInAudience", \.signInAudience, .word(), "Whose accounts the app is registered for.",
            limit: .tenants(.b2c, "on a directory tenant the authority of the request decides"))
        table.add(
            "graph", \.graph, Codec<GraphPermissionName>.word().list(),
            "Application permissions of Microsoft Graph that an administrator has granted: what the app may do to people without a person, such as `User.ReadWrite.All`.",
            limit: .tenants(.b2c, "apps on their own are simulated for B2C alone"))
        table.add(
            "userAdministrator", \.userAdministrator, .bool,
            "The directory role User Administrator is assigned to the app, which Microsoft Graph needs to set a person's new password.",
            limit: .tenants(.b2c, "apps on their own are simulated for B2C alone"))
        return table.rows
    }()
}
