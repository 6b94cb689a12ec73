import Determinism
import JSON

/// The library an app uses.
public enum ClientKind: String, SettingWord {
    /// MSAL for iOS.
    case msalIOS = "msal-ios"
    /// MSAL for macOS.
    case msalMacOS = "msal-macos"
    /// MSAL for Android; configuration checks only.
    case msalAndroid = "msal-android"
    /// MSAL.js in a single-page app.
    case msalBrowser = "msal-browser"
    /// An OpenID Connect client with strict checks, as AppAuth is.
    case appAuth = "appauth"
    /// A confidential web app with a client secret.
    case web

    public var doc: String {
        switch self {
        case .msalIOS:
            "MSAL for iOS."
        case .msalMacOS:
            "MSAL for macOS."
        case .msalAndroid:
            "MSAL for Android; configuration checks only."
        case .msalBrowser:
            "MSAL.js in a single-page app."
        case .appAuth:
            "An OpenID Connect client with strict checks, as AppAuth is."
        case .web:
            "A confidential web app with a client secret."
        }
    }
}

/// Where the policy stands in an authority URL.
public enum AuthorityForm: String, SettingWord {
    /// `https://{host}/tfp/{tenant}/{policy}`, the form MSAL recognises as B2C.
    case tfp
    /// `https://{host}/{tenant}/{policy}`.
    case path
    /// `https://{host}/{tenant}`, the policy as parameter `p`.
    case query

    public var doc: String {
        switch self {
        case .tfp:
            "`https://{host}/tfp/{tenant}/{policy}`, the form MSAL recognises as B2C."
        case .path:
            "`https://{host}/{tenant}/{policy}`."
        case .query:
            "`https://{host}/{tenant}`, the policy as parameter `p`."
        }
    }
}

/// The class of authority a client is configured for.
public enum AuthorityType: String, SettingWord {
    /// Azure AD B2C.
    case b2c
    /// A directory tenant (Microsoft Entra ID).
    case workforce

    public var doc: String {
        switch self {
        case .b2c:
            "Azure AD B2C."
        case .workforce:
            "A directory tenant (Microsoft Entra ID)."
        }
    }
}

/// The prompt of an interactive call (MSAL objc MSALPromptType).
public enum PromptKind: String, SettingWord {
    /// Leaves the parameter out: the server decides.
    case promptIfNecessary
    /// Sends `select_account`.
    case selectAccount
    /// Sends `login`: an existing session is not used.
    case login
    /// Sends `consent`.
    case consent
    /// Sends `create`, which B2C refuses with AADB2C90043.
    case create

    public var doc: String {
        switch self {
        case .promptIfNecessary:
            "Leaves the parameter out: the server decides."
        case .selectAccount:
            "Sends `select_account`."
        case .login:
            "Sends `login`: an existing session is not used."
        case .consent:
            "Sends `consent`."
        case .create:
            "Sends `create`, which B2C refuses with AADB2C90043."
        }
    }
}

/// How a browser app leaves its page to sign in.
public enum InteractionKind: String, SettingWord {
    /// In a second window.
    case popup
    /// In the same tab.
    case redirect

    public var doc: String {
        switch self {
        case .popup:
            "In a second window."
        case .redirect:
            "In the same tab."
        }
    }
}

/// Where a browser app keeps its cache.
public enum StorageKind: String, SettingWord {
    /// Local storage, shared by the tabs of an origin.
    case local
    /// Session storage of one tab.
    case session
    /// Memory, lost on reload.
    case memory

    public var doc: String {
        switch self {
        case .local:
            "Local storage, shared by the tabs of an origin."
        case .session:
            "Session storage of one tab."
        case .memory:
            "Memory, lost on reload."
        }
    }
}

/// Where a browser app keeps what belongs to a running request.
public enum RequestStateKind: String, SettingWord {
    /// One record a request.
    case perRequest
    /// One record for all, so that a second request overwrites the first.
    case shared

    public var doc: String {
        switch self {
        case .perRequest:
            "One record a request."
        case .shared:
            "One record for all, so that a second request overwrites the first."
        }
    }
}

/// SameSite attribute of a cookie (RFC 6265bis).
public enum SameSiteKind: String, SettingWord {
    /// Sent with top-level navigations by GET.
    case lax
    /// Sent within the site only.
    case strict
    /// Sent always; needs Secure.
    case none

    public var doc: String {
        switch self {
        case .lax:
            "Sent with top-level navigations by GET."
        case .strict:
            "Sent within the site only."
        case .none:
            "Sent always; needs Secure."
        }
    }
}

/// How the issuer of a discovery document is compared with the authority.
public enum DiscoveryIssuerCheck: String, SettingWord {
    /// Not at all.
    case off
    /// The hosts must agree.
    case host
    /// Exactly, as OpenID Connect Discovery 4.3 demands.
    case exact

    public var doc: String {
        switch self {
        case .off:
            "Not at all."
        case .host:
            "The hosts must agree."
        case .exact:
            "Exactly, as OpenID Connect Discovery 4.3 demands."
        }
    }
}

/// How strictly an optional claim is verified.
public enum PresenceCheck: String, SettingWord {
    /// Not at all.
    case off
    /// When it is there.
    case ifPresent
    /// It must be there and right.
    case required

    public var doc: String {
        switch self {
        case .off:
            "Not at all."
        case .ifPresent:
            "When it is there."
        case .required:
            "It must be there and right."
        }
    }
}

/// How a callback URL is compared with the redirect URI.
public enum RedirectCheck: String, SettingWord {
    /// Character by character.
    case exact
    /// After normalising letter case and an empty path.
    case normalised

    public var doc: String {
        switch self {
        case .exact:
            "Character by character."
        case .normalised:
            "After normalising letter case and an empty path."
        }
    }
}

/// Whether an answer without an access token is good.
public enum AccessTokenCheck: String, SettingWord {
    /// Yes.
    case optional
    /// No.
    case required

    public var doc: String {
        switch self {
        case .optional:
            "Yes."
        case .required:
            "No."
        }
    }
}

/// Whether the library takes a scope from the developer.
public enum ScopeCheck: String, SettingWord {
    /// No: the call fails before anything is sent.
    case reject
    /// Yes.
    case accept

    public var doc: String {
        switch self {
        case .reject:
            "No: the call fails before anything is sent."
        case .accept:
            "Yes."
        }
    }
}

/// Cookie in which a web app keeps state and nonce.
public struct StateCookieSettings: SettingsRecord {
    /// SameSite attribute.
    public var sameSite: SameSiteKind
    /// Secure attribute.
    public var secure: Bool

    public init(
        sameSite: SameSiteKind = .none,
        secure: Bool = true
    ) {
        self.sameSite = sameSite
        self.secure = secure
    }

    static let title = "state cookie"
    static let summary = "Cookie in which a web app keeps state and nonce."
    static let initial = StateCookieSettings()
    static let settings: [Setting<StateCookieSettings>] = {
        var table = SettingsTable<StateCookieSettings>()
        table.add(
            "sameSite", \.sameSite, .word(),
            "SameSite attribute.")
        table.add(
            "secure", \.secure, .bool,
            "Secure attribute.")
        return table.rows
    }()
}

/// What a client verifies. The defaults depend on its kind.
public struct ClientChecks: SettingsRecord {
    /// The authority must be in `knownAuthorities`.
    public var knownAuthority: Bool
    /// Issuer of the discovery document.
    public var discoveryIssuer: DiscoveryIssuerCheck
    /// `state` of the answer.
    public var state: Bool
    /// `nonce` of the ID token.
    public var nonce: PresenceCheck
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
        nonce: PresenceCheck = .off,
        issuer: Bool = false,
        audience: Bool = false,
        expiry: Bool = false,
        skew: TimeSpan = .minutes(5),
        issuedAtWindow: TimeSpan? = nil,
        atHash: PresenceCheck = .off,
        account: Bool = false,
        policyClaim: String? = nil,
        redirectUri: RedirectCheck = .normalised,
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

    static let title = "checks"
    static let summary = "What a client verifies. The defaults depend on its kind."
    static let initial = ClientChecks()
    static let settings: [Setting<ClientChecks>] = {
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
            "Comparison of the callback URL.")
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

/// What the code of an app says to its library.
public struct ClientSettings: SettingsRecord {
    /// The library.
    public var kind: ClientKind
    /// Application (client) id.
    public var clientId: String
    /// Client secret of a confidential client.
    public var clientSecret: String?
    /// Redirect URI.
    public var redirectUri: String
    /// Policy of calls that name none.
    public var policy: String?
    /// Literal authority URL instead of a policy.
    public var authority: String?
    /// Where the policy stands in authority URLs.
    public var authorityForm: AuthorityForm
    /// Class of the authority.
    public var authorityType: AuthorityType
    /// Authorities the client trusts: a list of URLs, or `all` policies of the tenant in the form the client uses.
    public var knownAuthorities: KnownAuthorities
    /// Scopes of calls that name none.
    public var scopes: [String]
    /// Prompt of calls that name none.
    public var prompt: PromptKind
    /// Parameters added to every request.
    public var extraQueryParameters: JSONObject
    /// `response_type` of authorization requests.
    public var responseType: String
    /// `response_mode` of authorization requests.
    public var responseMode: String?
    /// How a browser app leaves its page.
    public var interaction: InteractionKind
    /// Where a browser app keeps its cache.
    public var storage: StorageKind
    /// The cache is persisted.
    public var cacheAttached: Bool
    /// Equal silent calls share one request.
    public var singleFlight: Bool
    /// Where a browser app keeps what belongs to a running request.
    public var requestState: RequestStateKind
    /// An access token counts as expired so long before its end.
    public var expiryBuffer: TimeSpan
    /// Failed silent calls are answered from a cache for a while.
    public var throttling: Bool
    /// Expired access tokens are served while the server is down.
    public var extendedLifetime: Bool
    /// Retries after a 5xx answer or a transport error.
    public var serverRetries: Int
    /// Time a hidden frame has for its answer.
    public var iframeTimeout: TimeSpan
    /// Web apps: cookie for state and nonce.
    public var stateCookie: StateCookieSettings
    /// The userinfo endpoint is asked after sign-in.
    public var loadUserInfo: Bool
    /// An authentication broker may be used.
    public var useBroker: Bool
    /// What the client verifies.
    public var checks: ClientChecks
    /// Named defects of library versions.
    public var quirks: [String]

    public init(
        kind: ClientKind = .msalIOS,
        clientId: String = "",
        clientSecret: String? = nil,
        redirectUri: String = "",
        policy: String? = nil,
        authority: String? = nil,
        authorityForm: AuthorityForm = .tfp,
        authorityType: AuthorityType = .b2c,
        knownAuthorities: KnownAuthorities = .all,
        scopes: [String] = [],
        prompt: PromptKind = .promptIfNecessary,
        extraQueryParameters: JSONObject = JSONObject(),
        responseType: String = "code",
        responseMode: String? = nil,
        interaction: InteractionKind = .popup,
        storage: StorageKind = .session,
        cacheAttached: Bool = true,
        singleFlight: Bool = true,
        requestState: RequestStateKind = .perRequest,
        expiryBuffer: TimeSpan = .minutes(5),
        throttling: Bool = true,
        extendedLifetime: Bool = false,
        serverRetries: Int = 1,
        iframeTimeout: TimeSpan = .seconds(10),
        stateCookie: StateCookieSettings = StateCookieSettings(),
        loadUserInfo: Bool = false,
        useBroker: Bool = false,
        checks: ClientChecks = ClientChecks(),
        quirks: [String] = []
    ) {
        self.kind = kind
        self.clientId = clientId
        self.clientSecret = clientSecret
        self.redirectUri = redirectUri
        self.policy = policy
        self.authority = authority
        self.authorityForm = authorityForm
        self.authorityType = authorityType
        self.knownAuthorities = knownAuthorities
        self.scopes = scopes
        self.prompt = prompt
        self.extraQueryParameters = extraQueryParameters
        self.responseType = responseType
        self.responseMode = responseMode
        self.interaction = interaction
        self.storage = storage
        self.cacheAttached = cacheAttached
        self.singleFlight = singleFlight
        self.requestState = requestState
        self.expiryBuffer = expiryBuffer
        self.throttling = throttling
        self.extendedLifetime = extendedLifetime
        self.serverRetries = serverRetries
        self.iframeTimeout = iframeTimeout
        self.stateCookie = stateCookie
        self.loadUserInfo = loadUserInfo
        self.useBroker = useBroker
        self.checks = checks
        self.quirks = quirks
    }

    static let title = "client"
    static let summary = "What the code of an app says to its library."
    static let initial = ClientSettings()
    static let settings: [Setting<ClientSettings>] = {
        var table = SettingsTable<ClientSettings>()
        table.add(
            "kind", \.kind, .word(),
            "The library.",
            default: "`msal-ios`, or that of `platform.os`")
        table.add(
            "clientId", \.clientId, .nonEmpty,
            "Application (client) id.",
            default: "that of the registration")
        table.add(
            "clientSecret", \.clientSecret, .optionalText,
            "Client secret of a confidential client.",
            default: "the first of the registration")
        table.add(
            "redirectUri", \.redirectUri, .nonEmpty,
            "Redirect URI.",
            default: "that of the kind: `msauth.BUNDLE://auth` for MSAL on Apple systems")
        table.add(
            "policy", \.policy, .optionalName(.policy),
            "Policy of calls that name none.",
            default: "the only policy, when there is one")
        table.add(
            "authority", \.authority, .optionalURL,
            "Literal authority URL instead of a policy.")
        table.add(
            "authorityForm", \.authorityForm, .word(),
            "Where the policy stands in authority URLs.")
        table.add(
            "authorityType", \.authorityType, .word(),
            "Class of the authority.",
            default: "the kind of the tenant")
        table.add(
            "knownAuthorities", \.knownAuthorities, .knownAuthorities,
            """
            Authorities the client trusts: a list of URLs, or `all` policies of the tenant in the form the \
            client uses.
            """)
        table.add(
            "scopes", \.scopes, .texts,
            "Scopes of calls that name none.",
            default: "all scopes of the first of `apis`; without any, the client id")
        table.add(
            "prompt", \.prompt, .word(),
            "Prompt of calls that name none.")
        table.add(
            "extraQueryParameters", \.extraQueryParameters, .textMap,
            "Parameters added to every request.")
        table.add(
            "responseType", \.responseType, .nonEmpty,
            "`response_type` of authorization requests.")
        table.add(
            "responseMode", \.responseMode, .optionalText,
            "`response_mode` of authorization requests.",
            default: "left out")
        table.add(
            "interaction", \.interaction, .word(),
            "How a browser app leaves its page.")
        table.add(
            "storage", \.storage, .word(),
            "Where a browser app keeps its cache.")
        table.add(
            "cacheAttached", \.cacheAttached, .bool,
            "The cache is persisted.")
        table.add(
            "singleFlight", \.singleFlight, .bool,
            "Equal silent calls share one request.")
        table.add(
            "requestState", \.requestState, .word(),
            "Where a browser app keeps what belongs to a running request.")
        table.add(
            "expiryBuffer", \.expiryBuffer, .span,
            "An access token counts as expired so long before its end.")
        table.add(
            "throttling", \.throttling, .bool,
            "Failed silent calls are answered from a cache for a while.")
        table.add(
            "extendedLifetime", \.extendedLifetime, .bool,
            "Expired access tokens are served while the server is down.")
        table.add(
            "serverRetries", \.serverRetries, .integer(0...10),
            "Retries after a 5xx answer or a transport error.")
        table.add(
            "iframeTimeout", \.iframeTimeout, .span,
            "Time a hidden frame has for its answer.")
        table.add(
            "stateCookie", \.stateCookie, .record(),
            "Web apps: cookie for state and nonce.")
        table.add(
            "loadUserInfo", \.loadUserInfo, .bool,
            "The userinfo endpoint is asked after sign-in.")
        table.add(
            "useBroker", \.useBroker, .bool,
            "An authentication broker may be used.")
        table.add(
            "checks", \.checks, .record(),
            "What the client verifies.",
            default: "by kind")
        table.add(
            "quirks", \.quirks, .texts,
            "Named defects of library versions.",
            notBuiltYet: "quirks of library versions")
        return table.rows
    }()
}
