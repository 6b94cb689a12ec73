import B2CProtocol
import Records

/// The library an app uses.
public enum ClientKind: String, SettingWord {
    case msalIOS = "msal-ios"
    case msalMacOS = "msal-macos"
    case msalAndroid = "msal-android"
    case msalBrowser = "msal-browser"
    case msalDotNet = "msal-dotnet"
    case appAuth = "appauth"
    case web

    public var doc: String { traits.doc }

    /// What is known of the library outside of its client. How it behaves is a `LibraryBehaviour` of `Clients`.
    public var traits: ClientTraits {
        switch self {
        case .msalIOS: .msalIOS
        case .msalMacOS: .msalMacOS
        case .msalAndroid: .msalAndroid
        case .msalBrowser: .msalBrowser
        case .msalDotNet: .msalDotNet
        case .appAuth: .appAuth
        case .web: .web
        }
    }
}

/// What tenant files, the importer and the runner know of a library: where it runs, what an app that says nothing gets, and
/// which parameters it has.
public final class ClientTraits: Sendable {
    /// The library, in one sentence.
    public let doc: String
    /// The usual name of such an app, such as `spa`.
    public let word: String
    /// The systems that the library runs on; the first is that of an app that names none.
    public let systems: [OperatingSystem]
    /// The platform type under which the redirect URI of such an app is registered.
    public let platformType: RedirectPlatform
    /// What the library verifies unless the tenant file changes it.
    public let checks: ClientChecks
    /// The usual redirect URI of an app with these platform settings.
    public let redirectURI: @Sendable (PlatformSettings) -> String
    /// What else a redirect URI of the library says of its app.
    public let redirectNames: RedirectNaming
    /// The `response_mode` of an app that names none; `nil` for none.
    public let responseMode: @Sendable (ClientSettings) -> String?
    /// The prompt of calls of an app that names none.
    public let prompt: PromptKind
    /// How often the library sends a failed request again by itself.
    public let serverRetries: Int
    /// The library keeps its cache on disk by itself.
    public let persistsCache: Bool
    /// The library is a script: what it stores is the browser's, and its page is loaded again and again.
    public let runsInPage: Bool
    /// The library runs on a server: it has a secret, keeps its state in a cookie and sees no fragment.
    public let runsOnServer: Bool
    /// The app works with one account or with several, and `signIn` is a call of its own.
    public let hasAccountModes: Bool
    /// The caller of an interactive call may give a `state`.
    public let takesState: Bool
    /// The library remembers a silent call that failed, and does not send the same one again for some time.
    public let throttles: Bool
    /// The library's own sign-out visits the end-session page, without an `id_token_hint`.
    public let endsSession: Bool
    /// Apps of libraries without a kind of their own are played by this one.
    public let replacesOthers: Bool

    /// What a redirect URI says of its app, besides the address.
    public enum RedirectNaming: Sendable {
        case bundle, origin
        /// The system's browser, by an address of this machine; any other address is that of a web view.
        case systemBrowser
        case nothing
    }

    init(
        _ doc: String, word: String, systems: [OperatingSystem], platformType: RedirectPlatform = .native,
        checks: ClientChecks = ClientChecks(), redirectURI: @escaping @Sendable (PlatformSettings) -> String,
        redirectNames: RedirectNaming = .nothing,
        responseMode: @escaping @Sendable (ClientSettings) -> String? = { $0.responseMode },
        prompt: PromptKind = .promptIfNecessary, serverRetries: Int = 0, persistsCache: Bool = true,
        runsInPage: Bool = false, runsOnServer: Bool = false, hasAccountModes: Bool = false, takesState: Bool = false,
        throttles: Bool = false, endsSession: Bool = false, replacesOthers: Bool = false
    ) {
        self.doc = doc
        self.word = word
        self.systems = systems
        self.platformType = platformType
        self.checks = checks
        self.redirectURI = redirectURI
        self.redirectNames = redirectNames
        self.responseMode = responseMode
        self.prompt = prompt
        self.serverRetries = serverRetries
        self.persistsCache = persistsCache
        self.runsInPage = runsInPage
        self.runsOnServer = runsOnServer
        self.hasAccountModes = hasAccountModes
        self.takesState = takesState
        self.throttles = throttles
        self.endsSession = endsSession
        self.replacesOthers = replacesOthers
    }
}

// MARK: The libraries

/// MSAL for Apple systems verifies neither signature nor claims of the ID token, only `state` and the authority
/// (MSAL objc MSIDDefaultTokenResponseValidator.m), and MSAL for Android does the same. MSAL.js compares the nonce. AppAuth and
/// server libraries do what OpenID Connect Core 3.1.3.7 asks for, AppAuth with a window of ten minutes for `iat`. All of them
/// compare the nonce when they redeem a code, never after a refresh (MSAL.js ResponseHandler.ts, AppAuth
/// OIDAuthorizationService.m and IdToken.java; for server libraries inferred from openid-client). AppAuth alone compares the
/// callback URL with its redirect URI (OIDAuthorizationService.m, shouldHandleURL). Neither compares the issuer of the metadata
/// with the address asked: with B2C's usual issuer nobody could sign in.
extension ClientTraits {
    static let msalIOS = ClientTraits(
        "MSAL for iOS.", word: "ios", systems: [.ios], redirectURI: { AppleRedirectURI.standard(bundle: $0.bundleId) },
        redirectNames: .bundle, serverRetries: 1, throttles: true, endsSession: true)

    static let msalMacOS = ClientTraits(
        "MSAL for macOS.", word: "mac", systems: [.macos],
        redirectURI: { AppleRedirectURI.standard(bundle: $0.bundleId) }, redirectNames: .bundle, serverRetries: 1,
        throttles: true, endsSession: true)

    static let msalAndroid = ClientTraits(
        "MSAL for Android.", word: "android", systems: [.android],
        redirectURI: { AndroidRedirectURI(package: $0.bundleId, hash: $0.signatureHash ?? "").text },
        hasAccountModes: true)

    /// The answer is for a script, which no server sees (MSAL.js Constants.ts).
    static let msalBrowser = ClientTraits(
        "MSAL.js in a single-page app.", word: "spa", systems: [.web], platformType: .spa,
        checks: ClientChecks {
            $0.nonce = .atSignIn
            $0.reservedScopes = .accept
        },
        redirectURI: { "\($0.origin)/" }, redirectNames: .origin, responseMode: { _ in "fragment" }, runsInPage: true,
        takesState: true, endsSession: true)

    /// `WithDefaultRedirectUri` of .NET; without a serializer its cache is in memory
    /// (AzureAD/microsoft-authentication-library-for-dotnet: DefaultOsBrowserWebUi.cs, AuthCodeRequestComponent.cs,
    /// DefaultRetryPolicy.cs). It checks nothing of the ID token, and asks nobody about a B2C authority.
    static let msalDotNet = ClientTraits(
        "MSAL.NET in a desktop app.", word: "net", systems: [.windows, .macos, .linux],
        checks: ClientChecks {
            $0.knownAuthority = false
            $0.reservedScopes = .accept
        },
        redirectURI: { _ in "http://localhost" }, redirectNames: .systemBrowser, prompt: .selectAccount,
        serverRetries: 1, persistsCache: false,
        throttles: true)

    static let appAuth = ClientTraits(
        "An OpenID Connect client with strict checks, as AppAuth is.", word: "app", systems: [.ios, .macos, .android],
        checks: ClientChecks {
            $0.knownAuthority = false
            $0.nonce = .atSignIn
            $0.issuer = true
            $0.audience = true
            $0.expiry = true
            $0.skew = .zero
            $0.issuedAtWindow = .minutes(10)
            $0.redirectUri = .normalised
            $0.reservedScopes = .accept
        },
        redirectURI: { "\($0.bundleId.lowercased())://oauth/callback" }, takesState: true, replacesOthers: true)

    /// A server sees no fragment, so its library asks for a form post where tokens come with the answer (ASP.NET Core,
    /// OpenIdConnectOptions).
    static let web = ClientTraits(
        "A confidential web app with a client secret.", word: "web", systems: [.web], platformType: .web,
        checks: ClientChecks {
            $0.knownAuthority = false
            $0.nonce = .atSignIn
            $0.issuer = true
            $0.audience = true
            $0.expiry = true
            $0.atHash = .ifPresent
            $0.reservedScopes = .accept
        },
        redirectURI: { "\($0.origin)/auth/callback" },
        responseMode: { $0.responseType == "code" ? $0.responseMode : "form_post" }, runsOnServer: true,
        takesState: true)
}
