import Determinism
import JSON

/// Who has consented to the permissions of an app.
public enum ConsentKind: String, SettingWord {
    /// An administrator has consented for everybody.
    case granted
    /// Each person is asked at first use.
    case user
    /// Only an administrator may consent; others are told so.
    case adminOnly

    public var doc: String {
        switch self {
        case .granted:
            "An administrator has consented for everybody."
        case .user:
            "Each person is asked at first use."
        case .adminOnly:
            "Only an administrator may consent; others are told so."
        }
    }
}

/// Registered redirect URIs by platform type; the type decides on secrets, PKCE, CORS and refresh-token life.
public struct RedirectURISets: SettingsRecord {
    /// Mobile and desktop apps: no secret, PKCE recommended.
    public var native: [String]
    /// Single-page apps: no secret, PKCE required, CORS at the token endpoint, refresh tokens of 24 hours.
    public var spa: [String]
    /// Server apps: client secret required.
    public var web: [String]

    public init(
        native: [String] = [],
        spa: [String] = [],
        web: [String] = []
    ) {
        self.native = native
        self.spa = spa
        self.web = web
    }

    static let title = "redirect URIs"
    static let summary =
        "Registered redirect URIs by platform type; the type decides on secrets, PKCE, CORS and refresh-token life."
    static let initial = RedirectURISets()
    static let settings: [Setting<RedirectURISets>] = {
        var table = SettingsTable<RedirectURISets>()
        table.add(
            "native", \.native, .texts,
            "Mobile and desktop apps: no secret, PKCE recommended.")
        table.add(
            "spa", \.spa, .texts,
            "Single-page apps: no secret, PKCE required, CORS at the token endpoint, refresh tokens of 24 hours.")
        table.add(
            "web", \.web, .texts,
            "Server apps: client secret required.")
        return table.rows
    }()
}

/// Tokens that the authorize endpoint may return.
public struct ImplicitSettings: SettingsRecord {
    /// ID tokens from the authorize endpoint are allowed.
    public var idToken: Bool
    /// Access tokens from the authorize endpoint are allowed.
    public var accessToken: Bool

    public init(
        idToken: Bool = false,
        accessToken: Bool = false
    ) {
        self.idToken = idToken
        self.accessToken = accessToken
    }

    static let title = "implicit grant"
    static let summary = "Tokens that the authorize endpoint may return."
    static let initial = ImplicitSettings()
    static let settings: [Setting<ImplicitSettings>] = {
        var table = SettingsTable<ImplicitSettings>()
        table.add(
            "idToken", \.idToken, .bool,
            "ID tokens from the authorize endpoint are allowed.")
        table.add(
            "accessToken", \.accessToken, .bool,
            "Access tokens from the authorize endpoint are allowed.")
        return table.rows
    }()
}

/// What the tenant knows of an app.
public struct RegistrationSettings: SettingsRecord {
    /// Application (client) id.
    public var clientId: String
    /// Client secrets; none for public clients.
    public var secrets: [String]
    /// False: the app is disabled, AADB2C90092.
    public var enabled: Bool
    /// Front-channel logout URL, called at single sign-out.
    public var logoutUrl: String?
    /// Registered redirect URIs.
    public var redirectUris: RedirectURISets
    /// Granted API permissions as full scope names.
    public var scopes: [String]
    /// Who has consented.
    public var consent: ConsentKind
    /// Tokens that the authorize endpoint may return.
    public var implicit: ImplicitSettings
    /// The resource owner password grant is enabled.
    public var ropc: Bool

    public init(
        clientId: String = "",
        secrets: [String] = [],
        enabled: Bool = true,
        logoutUrl: String? = nil,
        redirectUris: RedirectURISets = RedirectURISets(),
        scopes: [String] = [],
        consent: ConsentKind = .granted,
        implicit: ImplicitSettings = ImplicitSettings(),
        ropc: Bool = false
    ) {
        self.clientId = clientId
        self.secrets = secrets
        self.enabled = enabled
        self.logoutUrl = logoutUrl
        self.redirectUris = redirectUris
        self.scopes = scopes
        self.consent = consent
        self.implicit = implicit
        self.ropc = ropc
    }

    static let title = "registration"
    static let summary = "What the tenant knows of an app."
    static let initial = RegistrationSettings()
    static let settings: [Setting<RegistrationSettings>] = {
        var table = SettingsTable<RegistrationSettings>()
        table.add(
            "clientId", \.clientId, .nonEmpty,
            "Application (client) id.",
            default: "derived from the names of tenant and app")
        table.add(
            "secrets", \.secrets, .texts,
            "Client secrets; none for public clients.")
        table.add(
            "enabled", \.enabled, .bool,
            "False: the app is disabled, AADB2C90092.")
        table.add(
            "logoutUrl", \.logoutUrl, .optionalURL,
            "Front-channel logout URL, called at single sign-out.")
        table.add(
            "redirectUris", \.redirectUris, .record(),
            "Registered redirect URIs.",
            default: "the one the client uses, under the platform type of its kind")
        table.add(
            "scopes", \.scopes, .texts,
            "Granted API permissions as full scope names.",
            default: "all scopes of all `apis`")
        table.add(
            "consent", \.consent, .word(),
            "Who has consented.")
        table.add(
            "implicit", \.implicit, .record(),
            "Tokens that the authorize endpoint may return.")
        table.add(
            "ropc", \.ropc, .bool,
            "The resource owner password grant is enabled.")
        return table.rows
    }()
}

/// The system an app runs on.
public enum OperatingSystem: String, SettingWord {
    /// iOS or iPadOS.
    case ios
    /// macOS.
    case macos
    /// Android.
    case android
    /// A browser or a web server.
    case web

    public var doc: String {
        switch self {
        case .ios:
            "iOS or iPadOS."
        case .macos:
            "macOS."
        case .android:
            "Android."
        case .web:
            "A browser or a web server."
        }
    }
}

/// The view controller that the app hands to the library for the sign-in page.
public enum PresenterKind: String, SettingWord {
    /// A view controller whose view is in a window.
    case visible
    /// A view controller whose view is in no window.
    case withoutWindow
    /// None is handed over.
    case none

    public var doc: String {
        switch self {
        case .visible:
            "A view controller whose view is in a window."
        case .withoutWindow:
            "A view controller whose view is in no window."
        case .none:
            "None is handed over."
        }
    }
}

/// The browser in which an app shows the sign-in page (MSAL objc MSALWebviewType).
public enum WebviewKind: String, SettingWord {
    /// What the library chooses: the system authentication session.
    case `default`
    /// The system authentication session; shares cookies with the browser unless ephemeral.
    case authenticationSession
    /// SFSafariViewController; the callback comes through the app delegate.
    case safariViewController
    /// An embedded web view with cookies of its own.
    case wkWebView

    public var doc: String {
        switch self {
        case .default:
            "What the library chooses: the system authentication session."
        case .authenticationSession:
            "The system authentication session; shares cookies with the browser unless ephemeral."
        case .safariViewController:
            "SFSafariViewController; the callback comes through the app delegate."
        case .wkWebView:
            "An embedded web view with cookies of its own."
        }
    }
}

/// Intent filter of the Android activity that takes the redirect.
public struct ManifestFilter: SettingsRecord {
    /// Scheme of the filter.
    public var scheme: String
    /// Host of the filter.
    public var host: String
    /// Path of the filter.
    public var path: String

    public init(
        scheme: String = "",
        host: String = "",
        path: String = ""
    ) {
        self.scheme = scheme
        self.host = host
        self.path = path
    }

    static let title = "intent filter"
    static let summary = "Intent filter of the Android activity that takes the redirect."
    static let initial = ManifestFilter()
    static let settings: [Setting<ManifestFilter>] = {
        var table = SettingsTable<ManifestFilter>()
        table.add(
            "scheme", \.scheme, .text,
            "Scheme of the filter.")
        table.add(
            "host", \.host, .text,
            "Host of the filter.")
        table.add(
            "path", \.path, .text,
            "Path of the filter.")
        return table.rows
    }()
}

/// What the app bundle and the system say.
public struct PlatformSettings: SettingsRecord {
    /// The system.
    public var os: OperatingSystem
    /// Major version of the MSAL programming interface.
    public var apiLevel: Int
    /// Bundle identifier.
    public var bundleId: String
    /// Team identifier of the signing certificate.
    public var teamId: String
    /// Origin of a web app.
    public var origin: String
    /// URL schemes in Info.plist.
    public var urlSchemes: [String]
    /// LSApplicationQueriesSchemes in Info.plist.
    public var querySchemes: [String]
    /// The library checks the URL schemes when it is created.
    public var precheck: Bool
    /// Keychain groups in the entitlements.
    public var keychainGroups: [String]
    /// Keychain group in use; empty: private to the app.
    public var keychainGroup: String
    /// macOS: the sandbox lets the app open connections.
    public var networkEntitlement: Bool
    /// View controller handed to the library.
    public var presenter: PresenterKind
    /// Browser that shows the pages.
    public var webview: WebviewKind
    /// The browser session shares no cookies with the system browser.
    public var ephemeral: Bool
    /// The app hands URLs that it is opened with to the library.
    public var forwardsOpenUrl: Bool
    /// Android: intent filter of the activity that takes the redirect.
    public var manifest: ManifestFilter?
    /// Android: base64 hash of the signing key.
    public var signatureHash: String?

    public init(
        os: OperatingSystem = .ios,
        apiLevel: Int = 2,
        bundleId: String = "",
        teamId: String = "",
        origin: String = "",
        urlSchemes: [String] = [],
        querySchemes: [String] = ["msauthv2", "msauthv3"],
        precheck: Bool = true,
        keychainGroups: [String] = [],
        keychainGroup: String = "",
        networkEntitlement: Bool = true,
        presenter: PresenterKind = .visible,
        webview: WebviewKind = .default,
        ephemeral: Bool = false,
        forwardsOpenUrl: Bool = true,
        manifest: ManifestFilter? = nil,
        signatureHash: String? = nil
    ) {
        self.os = os
        self.apiLevel = apiLevel
        self.bundleId = bundleId
        self.teamId = teamId
        self.origin = origin
        self.urlSchemes = urlSchemes
        self.querySchemes = querySchemes
        self.precheck = precheck
        self.keychainGroups = keychainGroups
        self.keychainGroup = keychainGroup
        self.networkEntitlement = networkEntitlement
        self.presenter = presenter
        self.webview = webview
        self.ephemeral = ephemeral
        self.forwardsOpenUrl = forwardsOpenUrl
        self.manifest = manifest
        self.signatureHash = signatureHash
    }

    static let title = "platform"
    static let summary = "What the app bundle and the system say."
    static let initial = PlatformSettings()
    static let settings: [Setting<PlatformSettings>] = {
        var table = SettingsTable<PlatformSettings>()
        table.add(
            "os", \.os, .word(),
            "The system.",
            default: "that of the client kind")
        table.add(
            "apiLevel", \.apiLevel, .integer(1...2),
            "Major version of the MSAL programming interface.")
        table.add(
            "bundleId", \.bundleId, .nonEmpty,
            "Bundle identifier.",
            default: "`com.TENANT.APP`")
        table.add(
            "teamId", \.teamId, .nonEmpty,
            "Team identifier of the signing certificate.",
            default: "derived from the name of the tenant, so that apps of one tenant share it")
        table.add(
            "origin", \.origin, .url,
            "Origin of a web app.",
            default: "`https://APP.TENANT.test`")
        table.add(
            "urlSchemes", \.urlSchemes, .texts,
            "URL schemes in Info.plist.",
            default: "the scheme of the redirect URI")
        table.add(
            "querySchemes", \.querySchemes, .texts,
            "LSApplicationQueriesSchemes in Info.plist.")
        table.add(
            "precheck", \.precheck, .bool,
            "The library checks the URL schemes when it is created.")
        table.add(
            "keychainGroups", \.keychainGroups, .texts,
            "Keychain groups in the entitlements.",
            default: "the group in use")
        table.add(
            "keychainGroup", \.keychainGroup, .text,
            "Keychain group in use; empty: private to the app.",
            default: "`com.microsoft.adalcache` on iOS, `com.microsoft.identity.universalstorage` on macOS")
        table.add(
            "networkEntitlement", \.networkEntitlement, .bool,
            "macOS: the sandbox lets the app open connections.")
        table.add(
            "presenter", \.presenter, .word(),
            "View controller handed to the library.")
        table.add(
            "webview", \.webview, .word(),
            "Browser that shows the pages.")
        table.add(
            "ephemeral", \.ephemeral, .bool,
            "The browser session shares no cookies with the system browser.")
        table.add(
            "forwardsOpenUrl", \.forwardsOpenUrl, .bool,
            "The app hands URLs that it is opened with to the library.")
        table.add(
            "manifest", \.manifest, .optionalRecord(),
            "Android: intent filter of the activity that takes the redirect.")
        table.add(
            "signatureHash", \.signatureHash, .optionalText,
            "Android: base64 hash of the signing key.")
        return table.rows
    }()
}

/// One app in three parts: what the tenant knows, what the code says, what bundle and system say.
public struct AppSettings: SettingsRecord {
    /// The name in the tenant file.
    public var name: String
    /// What the tenant knows of the app.
    public var registration: RegistrationSettings
    /// What the code of the app says.
    public var client: ClientSettings
    /// What the bundle and the system say.
    public var platform: PlatformSettings
    /// Why this app cannot run yet; a scenario that uses it is refused with this text.
    public var unsupported: String?

    public init(
        name: String = "",
        registration: RegistrationSettings = RegistrationSettings(),
        client: ClientSettings = ClientSettings(),
        platform: PlatformSettings = PlatformSettings(),
        unsupported: String? = nil
    ) {
        self.name = name
        self.registration = registration
        self.client = client
        self.platform = platform
        self.unsupported = unsupported
    }

    static let title = "app"
    static let summary =
        "One app in three parts: what the tenant knows, what the code says, what bundle and system say."
    static let initial = AppSettings()
    static let settings: [Setting<AppSettings>] = {
        var table = SettingsTable<AppSettings>()
        table.add(
            "registration", \.registration, .record(),
            "What the tenant knows of the app.")
        table.add(
            "client", \.client, .record(),
            "What the code of the app says.")
        table.add(
            "platform", \.platform, .record(),
            "What the bundle and the system say.")
        return table.rows
    }()
}
