import Determinism
import JSON

/// What the authorize endpoint does with a redirect URI that is not registered.
public enum WrongRedirectURI: String, SettingWord {
    /// Shows the error page.
    case page
    /// Goes to another registered URI of the app with `redirect_uri_mismatch`, as recorded up to 2020.
    case registeredUri

    public var doc: String {
        switch self {
        case .page:
            "Shows the error page."
        case .registeredUri:
            "Goes to another registered URI of the app with `redirect_uri_mismatch`, as recorded up to 2020."
        }
    }
}

/// Which policy AADB2C90088 calls the actual one.
public enum GrantMismatchOrder: String, SettingWord {
    /// The policy of the token endpoint that was called.
    case actualIsEndpoint
    /// The policy that issued the grant.
    case actualIsGrant

    public var doc: String {
        switch self {
        case .actualIsEndpoint:
            "The policy of the token endpoint that was called."
        case .actualIsGrant:
            "The policy that issued the grant."
        }
    }
}

/// What becomes of policy elements that nobody knows.
public enum UnknownElements: String, SettingWord {
    /// The policy is refused.
    case fail
    /// The policy runs; a warning names them.
    case warn

    public var doc: String {
        switch self {
        case .fail:
            "The policy is refused."
        case .warn:
            "The policy runs; a warning names them."
        }
    }
}

/// Smart lockout after wrong passwords (Microsoft docs: threat-management).
public struct LockoutSettings: SettingsRecord {
    /// Wrong passwords until the account is locked.
    public var threshold: Int
    /// Length of the first lock periods.
    public var duration: TimeSpan

    public init(
        threshold: Int = 10,
        duration: TimeSpan = .minutes(1)
    ) {
        self.threshold = threshold
        self.duration = duration
    }

    static let title = "lockout"
    static let summary = "Smart lockout after wrong passwords (Microsoft docs: threat-management)."
    static let initial = LockoutSettings()
    static let settings: [Setting<LockoutSettings>] = {
        var table = SettingsTable<LockoutSettings>()
        table.add(
            "threshold", \.threshold, .integer(1...1000),
            "Wrong passwords until the account is locked.")
        table.add(
            "duration", \.duration, .span,
            "Length of the first lock periods.")
        return table.rows
    }()
}

/// Limit above which the gateway answers 429.
public struct ThrottleSettings: SettingsRecord {
    /// Requests allowed in the period.
    public var requests: Int
    /// The period.
    public var per: TimeSpan

    public init(
        requests: Int = 200,
        per: TimeSpan = .seconds(1)
    ) {
        self.requests = requests
        self.per = per
    }

    static let title = "throttle"
    static let summary = "Limit above which the gateway answers 429."
    static let initial = ThrottleSettings()
    static let settings: [Setting<ThrottleSettings>] = {
        var table = SettingsTable<ThrottleSettings>()
        table.add(
            "requests", \.requests, .integer(1...1_000_000),
            "Requests allowed in the period.",
            required: true)
        table.add(
            "per", \.per, .span,
            "The period.",
            required: true)
        return table.rows
    }()
}

/// Behaviour of the authority as a whole.
public struct AuthoritySettings: SettingsRecord {
    /// Life of authorization codes.
    public var codeLifetime: TimeSpan
    /// Lockout after wrong passwords.
    public var lockout: LockoutSettings
    /// Limit above which the gateway answers 429.
    public var throttle: ThrottleSettings?
    /// What happens to a redirect URI that is not registered.
    public var wrongRedirectUri: WrongRedirectURI
    /// Order of the names in AADB2C90088.
    public var grantMismatchOrder: GrantMismatchOrder
    /// The extensions app exists; without it custom attributes fail with AADB2C99006.
    public var extensionsApp: Bool
    /// Policy elements that nobody knows.
    public var unknownElements: UnknownElements
    /// Switches for undocumented behaviour of the policy engine, by name.
    public var defaults: JSONObject

    public init(
        codeLifetime: TimeSpan = .minutes(10),
        lockout: LockoutSettings = LockoutSettings(),
        throttle: ThrottleSettings? = nil,
        wrongRedirectUri: WrongRedirectURI = .page,
        grantMismatchOrder: GrantMismatchOrder = .actualIsEndpoint,
        extensionsApp: Bool = true,
        unknownElements: UnknownElements = .fail,
        defaults: JSONObject = JSONObject()
    ) {
        self.codeLifetime = codeLifetime
        self.lockout = lockout
        self.throttle = throttle
        self.wrongRedirectUri = wrongRedirectUri
        self.grantMismatchOrder = grantMismatchOrder
        self.extensionsApp = extensionsApp
        self.unknownElements = unknownElements
        self.defaults = defaults
    }

    static let title = "authority"
    static let summary = "Behaviour of the authority as a whole."
    static let initial = AuthoritySettings()
    static let settings: [Setting<AuthoritySettings>] = {
        var table = SettingsTable<AuthoritySettings>()
        table.add(
            "codeLifetime", \.codeLifetime, .span,
            "Life of authorization codes.")
        table.add(
            "lockout", \.lockout, .record(),
            "Lockout after wrong passwords.")
        table.add(
            "throttle", \.throttle, .optionalRecord(),
            "Limit above which the gateway answers 429.",
            default: "off")
        table.add(
            "wrongRedirectUri", \.wrongRedirectUri, .word(),
            "What happens to a redirect URI that is not registered.")
        table.add(
            "grantMismatchOrder", \.grantMismatchOrder, .word(),
            "Order of the names in AADB2C90088.")
        table.add(
            "extensionsApp", \.extensionsApp, .bool,
            "The extensions app exists; without it custom attributes fail with AADB2C99006.")
        table.add(
            "unknownElements", \.unknownElements, .word(),
            "Policy elements that nobody knows.")
        table.add(
            "defaults", \.defaults, .object,
            "Switches for undocumented behaviour of the policy engine, by name.")
        return table.rows
    }()
}

/// Whether a device has a network.
public enum NetworkState: String, SettingWord {
    /// It has.
    case online
    /// It has none: every request fails at once.
    case offline

    public var doc: String {
        switch self {
        case .online:
            "It has."
        case .offline:
            "It has none: every request fails at once."
        }
    }
}

/// How a device is managed (MSAL objc MSALDeviceMode).
public enum DeviceMode: String, SettingWord {
    /// One person uses it.
    case `private`
    /// Many people use it in turn.
    case shared

    public var doc: String {
        switch self {
        case .private:
            "One person uses it."
        case .shared:
            "Many people use it in turn."
        }
    }
}

/// The device an app runs on.
public struct DeviceSettings: SettingsRecord {
    /// Whether it has a network.
    public var network: NetworkState
    /// The clock of the device.
    public var clock: ClockSettings
    /// An authentication broker is installed.
    public var broker: Bool
    /// How the device is managed.
    public var mode: DeviceMode
    /// Language and region of the device.
    public var locale: String

    public init(
        network: NetworkState = .online,
        clock: ClockSettings = ClockSettings(),
        broker: Bool = false,
        mode: DeviceMode = .private,
        locale: String = "en-US"
    ) {
        self.network = network
        self.clock = clock
        self.broker = broker
        self.mode = mode
        self.locale = locale
    }

    static let title = "device"
    static let summary = "The device an app runs on."
    static let initial = DeviceSettings()
    static let settings: [Setting<DeviceSettings>] = {
        var table = SettingsTable<DeviceSettings>()
        table.add(
            "network", \.network, .word(),
            "Whether it has a network.")
        table.add(
            "clock", \.clock, .record(),
            "The clock of the device.")
        table.add(
            "broker", \.broker, .bool,
            "An authentication broker is installed.")
        table.add(
            "mode", \.mode, .word(),
            "How the device is managed.")
        table.add(
            "locale", \.locale, .nonEmpty,
            "Language and region of the device.")
        return table.rows
    }()
}

/// Whether a browser lets frames of other sites have cookies.
public enum ThirdPartyCookieRule: String, SettingWord {
    /// Yes.
    case allow
    /// No.
    case block

    public var doc: String {
        switch self {
        case .allow:
            "Yes."
        case .block:
            "No."
        }
    }
}

/// The browser of a device.
public struct BrowserSettings: SettingsRecord {
    /// Cookies are kept at all.
    public var cookies: Bool
    /// Cookies of frames of other sites.
    public var thirdPartyCookies: ThirdPartyCookieRule
    /// SameSite rules are enforced.
    public var sameSite: Bool
    /// Cross-origin rules are enforced for scripts.
    public var cors: Bool
    /// X-Frame-Options and frame-ancestors are enforced.
    public var framing: Bool
    /// Accept-Language header.
    public var acceptLanguage: String
    /// User-Agent header.
    public var userAgent: String
    /// False: the system offers no browser.
    public var available: Bool

    public init(
        cookies: Bool = true,
        thirdPartyCookies: ThirdPartyCookieRule = .allow,
        sameSite: Bool = true,
        cors: Bool = true,
        framing: Bool = true,
        acceptLanguage: String = "en-US,en;q=0.9",
        userAgent: String = "Mozilla/5.0 (compatible; b2c-harness)",
        available: Bool = true
    ) {
        self.cookies = cookies
        self.thirdPartyCookies = thirdPartyCookies
        self.sameSite = sameSite
        self.cors = cors
        self.framing = framing
        self.acceptLanguage = acceptLanguage
        self.userAgent = userAgent
        self.available = available
    }

    static let title = "browser"
    static let summary = "The browser of a device."
    static let initial = BrowserSettings()
    static let settings: [Setting<BrowserSettings>] = {
        var table = SettingsTable<BrowserSettings>()
        table.add(
            "cookies", \.cookies, .bool,
            "Cookies are kept at all.")
        table.add(
            "thirdPartyCookies", \.thirdPartyCookies, .word(),
            "Cookies of frames of other sites.")
        table.add(
            "sameSite", \.sameSite, .bool,
            "SameSite rules are enforced.")
        table.add(
            "cors", \.cors, .bool,
            "Cross-origin rules are enforced for scripts.")
        table.add(
            "framing", \.framing, .bool,
            "X-Frame-Options and frame-ancestors are enforced.")
        table.add(
            "acceptLanguage", \.acceptLanguage, .text,
            "Accept-Language header.")
        table.add(
            "userAgent", \.userAgent, .text,
            "User-Agent header.")
        table.add(
            "available", \.available, .bool,
            "False: the system offers no browser.")
        return table.rows
    }()
}

/// Where codes come from on a live tenant.
public struct InboxSettings: SettingsRecord {
    /// Program and arguments, `{to}` replaced; prints the message.
    public var command: [String]?
    /// Asks at the terminal.
    public var prompt: Bool

    public init(
        command: [String]? = nil,
        prompt: Bool = false
    ) {
        self.command = command
        self.prompt = prompt
    }

    static let title = "inbox"
    static let summary = "Where codes come from on a live tenant."
    static let initial = InboxSettings()
    static let settings: [Setting<InboxSettings>] = {
        var table = SettingsTable<InboxSettings>()
        table.add(
            "command", \.command, .optionalTexts,
            "Program and arguments, `{to}` replaced; prints the message.")
        table.add(
            "prompt", \.prompt, .bool,
            "Asks at the terminal.")
        return table.rows
    }()
}

/// The protocol of an identity provider.
public enum ProviderType: String, SettingWord {
    /// OAuth 2.0 with a user-information call.
    case oauth2
    /// OpenID Connect.
    case oidc
    /// SAML 2.0.
    case saml

    public var doc: String {
        switch self {
        case .oauth2:
            "OAuth 2.0 with a user-information call."
        case .oidc:
            "OpenID Connect."
        case .saml:
            "SAML 2.0."
        }
    }
}

/// Browsers a provider accepts.
public enum ProviderUserAgents: String, SettingWord {
    /// All.
    case any
    /// Embedded web views are refused.
    case systemBrowser

    public var doc: String {
        switch self {
        case .any:
            "All."
        case .systemBrowser:
            "Embedded web views are refused."
        }
    }
}

/// What the sign-out of a provider does.
public enum ProviderLogout: String, SettingWord {
    /// Ends its session.
    case works
    /// Needs an `id_token_hint`, which B2C does not send.
    case needsHint
    /// It has none.
    case none

    public var doc: String {
        switch self {
        case .works:
            "Ends its session."
        case .needsHint:
            "Needs an `id_token_hint`, which B2C does not send."
        case .none:
            "It has none."
        }
    }
}

/// An identity provider, answered by a stub.
public struct ProviderSettings: SettingsRecord {
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
    /// Its page opens in a new tab.
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

    static let title = "provider"
    static let summary = "An identity provider, answered by a stub."
    static let initial = ProviderSettings()
    static let settings: [Setting<ProviderSettings>] = {
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
            "Its page opens in a new tab.")
        return table.rows
    }()
}

/// One answer of a REST stub.
public struct RestReply: SettingsRecord {
    /// HTTP status.
    public var status: Int
    /// Header fields.
    public var headers: JSONObject
    /// Body as JSON.
    public var json: JSONValue?
    /// Body as text.
    public var body: String?

    public init(
        status: Int = 200,
        headers: JSONObject = JSONObject(),
        json: JSONValue? = nil,
        body: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.json = json
        self.body = body
    }

    static let title = "reply"
    static let summary = "One answer of a REST stub."
    static let initial = RestReply()
    static let settings: [Setting<RestReply>] = {
        var table = SettingsTable<RestReply>()
        table.add(
            "status", \.status, .integer(100...599),
            "HTTP status.")
        table.add(
            "headers", \.headers, .textMap,
            "Header fields.")
        table.add(
            "json", \.json, .optionalJSON,
            "Body as JSON.")
        table.add(
            "body", \.body, .optionalText,
            "Body as text.")
        return table.rows
    }()
}

/// Answers to calls that a policy makes.
public struct RestStub: SettingsRecord {
    /// The name in the tenant file.
    public var name: String
    /// Matcher over the request record.
    public var match: JSONValue
    /// The answer, or a list of answers of which the last repeats.
    public var reply: [RestReply]
    /// Time until the answer.
    public var delay: TimeSpan
    /// The call goes to the real service.
    public var passThrough: Bool

    public init(
        name: String = "",
        match: JSONValue = JSONValue.object(JSONObject()),
        reply: [RestReply] = [RestReply()],
        delay: TimeSpan = .zero,
        passThrough: Bool = false
    ) {
        self.name = name
        self.match = match
        self.reply = reply
        self.delay = delay
        self.passThrough = passThrough
    }

    static let title = "REST stub"
    static let summary = "Answers to calls that a policy makes."
    static let initial = RestStub()
    static let settings: [Setting<RestStub>] = {
        var table = SettingsTable<RestStub>()
        table.add(
            "match", \.match, .json,
            "Matcher over the request record.",
            default: "every call")
        table.add(
            "reply", \.reply, .oneOrMore(),
            "The answer, or a list of answers of which the last repeats.")
        table.add(
            "delay", \.delay, .span,
            "Time until the answer.")
        table.add(
            "passThrough", \.passThrough, .bool,
            "The call goes to the real service.")
        return table.rows
    }()
}

/// Signing keys under one name.
public struct KeySetSettings: SettingsRecord {
    /// The name in the tenant file.
    public var name: String
    /// The key that signs; a new name creates a key.
    public var use: String
    /// The keys in the published set.
    public var publish: [String]

    public init(
        name: String = "",
        use: String = "k1",
        publish: [String] = ["k1"]
    ) {
        self.name = name
        self.use = use
        self.publish = publish
    }

    static let title = "key set"
    static let summary = "Signing keys under one name."
    static let initial = KeySetSettings()
    static let settings: [Setting<KeySetSettings>] = {
        var table = SettingsTable<KeySetSettings>()
        table.add(
            "use", \.use, .nonEmpty,
            "The key that signs; a new name creates a key.")
        table.add(
            "publish", \.publish, .texts,
            "The keys in the published set.")
        return table.rows
    }()
}
