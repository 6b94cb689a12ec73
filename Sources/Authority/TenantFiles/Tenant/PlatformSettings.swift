import B2CProtocol
import Records

/// `apps.NAME.platform.manifest`.
public struct ManifestFilter: TenantRecord {
    public var scheme = ""
    public var host = ""
    public var path = ""

    public init() {}

    package static let title = "intent filter"
    package static let summary = "Intent filter of the Android activity that takes the redirect."
    package static let settings: [Setting<ManifestFilter>] = {
        var table = SettingsTable<ManifestFilter>()
        table.add("scheme", \.scheme, .text, "Scheme of the filter.")
        table.add("host", \.host, .text, "Host of the filter.")
        table.add("path", \.path, .text, "Path of the filter.")
        return table.rows
    }()
}

/// `apps.NAME.platform`.
public struct PlatformSettings: TenantRecord {
    public var os = OperatingSystem.ios
    public var apiLevel = 2
    public var bundleId = ""
    public var teamId = ""
    public var origin = ""
    public var urlSchemes: [String] = []
    public var querySchemes: [String] = ["msauthv2", "msauthv3"]
    public var precheck = true
    public var keychainGroups: [String] = []
    public var keychainGroup = ""
    public var networkEntitlement = true
    public var presenter = PresenterKind.visible
    public var webview = WebviewKind.default
    public var ephemeral = false
    public var forwardsOpenUrl = true
    public var manifest: ManifestFilter?
    public var signatureHash: String?

    public init() {}

    package static let title = "platform"
    package static let summary = "What the app bundle and the system say."
    package static let settings: [Setting<PlatformSettings>] = {
        var table = SettingsTable<PlatformSettings>()
        table.add("os", \.os, .word(), "The system.", default: "that of the client kind", limit: .system)
        table.add(
            "apiLevel", \.apiLevel, .integer(1...2), "Major version of the MSAL programming interface.",
            limit: .kinds([.msalIOS, .msalMacOS], "only MSAL for Apple systems has these versions"))
        table.add(
            "bundleId", \.bundleId, .nonEmpty, "Bundle identifier.", default: "`com.TENANT.APP`",
            limit: .kinds([.msalIOS, .msalMacOS, .msalAndroid, .appAuth], "a web app has no bundle"))
        table.add(
            "teamId", \.teamId, .nonEmpty, "Team identifier of the signing certificate.",
            default: "derived from the name of the tenant, so that apps of one tenant share it",
            limit: .kinds([.msalIOS, .msalMacOS], "only Apple systems share keychain groups by team"))
        table.add(
            "origin", \.origin, .url, "Origin of a web app.", default: "`https://APP.TENANT.test`",
            limit: .kinds([.msalBrowser, .web], "an installed app has no origin"))
        table.add(
            "urlSchemes", \.urlSchemes, .texts, "URL schemes in Info.plist.", default: "the scheme of the redirect URI",
            limit: .kinds([.msalIOS, .msalMacOS, .appAuth], "only apps for Apple systems have an Info.plist"))
        table.add(
            "querySchemes", \.querySchemes, .texts, "LSApplicationQueriesSchemes in Info.plist.",
            limit: .kinds([.msalIOS, .msalMacOS], "only MSAL for Apple systems looks for brokers by their schemes"))
        table.add(
            "precheck", \.precheck, .bool, "The library checks the URL schemes when it is created.",
            limit: .kinds([.msalIOS, .msalAndroid], "its library does not check how the redirect URI is registered"))
        table.add(
            "keychainGroups", \.keychainGroups, .texts, "Keychain groups in the entitlements.",
            default: "the group in use",
            limit: .kinds([.msalIOS, .msalMacOS], "only MSAL for Apple systems keeps its cache in a keychain group"))
        table.add(
            "keychainGroup", \.keychainGroup, .text, "Keychain group in use; empty: private to the app.",
            default: "`com.microsoft.adalcache` on iOS, `com.microsoft.identity.universalstorage` on macOS",
            limit: .kinds([.msalIOS, .msalMacOS], "only MSAL for Apple systems keeps its cache in a keychain group"))
        table.add(
            "networkEntitlement", \.networkEntitlement, .bool, "macOS: the sandbox lets the app open connections.",
            limit: .macOS)
        table.add(
            "presenter", \.presenter, .word(), "View controller handed to the library.",
            limit: .kinds([.msalIOS, .msalMacOS], "only MSAL for Apple systems is handed a view controller"))
        table.add("webview", \.webview, .word(), "Browser that shows the pages.", limit: .webview)
        table.add(
            "ephemeral", \.ephemeral, .bool, "The browser session shares no cookies with the system browser.",
            limit: .ephemeral)
        table.add(
            "forwardsOpenUrl", \.forwardsOpenUrl, .bool, "The app hands URLs that it is opened with to the library.",
            limit: .kinds([.msalIOS, .appAuth], "only iOS opens apps with a URL that the app hands on"))
        table.add(
            "manifest", \.manifest, .optionalRecord(),
            "Android: intent filter of the activity that takes the redirect.", default: "the parts of the redirect URI",
            limit: .kinds([.msalAndroid], "only Android apps have intent filters"))
        table.add(
            "signatureHash", \.signatureHash, .optionalText, "Android: base64 hash of the signing key.",
            default: "one made from the tenant's name",
            limit: .kinds([.msalAndroid], "only Android redirect URIs hold the hash of the signing key"))
        return table.rows
    }()
}
