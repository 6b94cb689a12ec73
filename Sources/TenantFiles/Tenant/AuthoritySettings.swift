import Determinism
import JSON
import Records

/// Smart lockout after wrong passwords (Microsoft docs: threat-management).
public struct LockoutSettings: TenantRecord {
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

    package static let title = "lockout"
    package static let summary = "Smart lockout after wrong passwords (Microsoft docs: threat-management)."
    package static let initial = LockoutSettings()
    package static let settings: [Setting<LockoutSettings>] = {
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
public struct ThrottleSettings: TenantRecord {
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

    package static let title = "throttle"
    package static let summary = "Limit above which the gateway answers 429."
    package static let initial = ThrottleSettings()
    package static let settings: [Setting<ThrottleSettings>] = {
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
public struct AuthoritySettings: TenantRecord {
    /// Life of authorization codes.
    public var codeLifetime: TimeSpan
    /// Lockout after wrong passwords.
    public var lockout: LockoutSettings
    /// Limit above which the gateway answers 429.
    public var throttle: ThrottleSettings?
    /// Most bytes that a request's line and header fields may have together; 0: any number.
    public var headerLimit: Int
    /// What happens to a redirect URI that is not registered.
    public var wrongRedirectUri: WrongRedirectURI
    /// Order of the names in AADB2C90088.
    public var grantMismatchOrder: GrantMismatchOrder
    /// The extensions app exists; without it custom attributes fail with AADB2C99006.
    public var extensionsApp: Bool
    /// Client id of the extensions app: part of the names that Microsoft Graph has for custom attributes.
    public var extensionsAppId: GUID
    /// Policy elements that nobody knows.
    public var unknownElements: UnknownElements
    /// Switches for behaviour of the policy engine that is not documented.
    public var defaults: PolicyDefaults

    public init(
        codeLifetime: TimeSpan = .minutes(10),
        lockout: LockoutSettings = LockoutSettings(),
        throttle: ThrottleSettings? = nil,
        headerLimit: Int = 0,
        wrongRedirectUri: WrongRedirectURI = .page,
        grantMismatchOrder: GrantMismatchOrder = .actualIsEndpoint,
        extensionsApp: Bool = true,
        extensionsAppId: GUID = .empty,
        unknownElements: UnknownElements = .fail,
        defaults: PolicyDefaults = PolicyDefaults()
    ) {
        self.codeLifetime = codeLifetime
        self.lockout = lockout
        self.throttle = throttle
        self.headerLimit = headerLimit
        self.wrongRedirectUri = wrongRedirectUri
        self.grantMismatchOrder = grantMismatchOrder
        self.extensionsApp = extensionsApp
        self.extensionsAppId = extensionsAppId
        self.unknownElements = unknownElements
        self.defaults = defaults
    }

    package static let title = "authority"
    package static let summary = "Behaviour of the authority as a whole."
    package static let initial = AuthoritySettings()
    package static let settings: [Setting<AuthoritySettings>] = {
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
            default: "off",
            limit: .tenants(.b2c, "its gateway is not simulated"))
        table.add(
            "headerLimit", \.headerLimit, .integer(0...1_000_000),
            "Most bytes of a request's line and header fields, cookies among them; a longer request is answered with 400, `Request Too Long`. 16384 at the service; 0: any number.",
            limit: .tenants(.b2c, "its gateway is not simulated"))
        table.add(
            "wrongRedirectUri", \.wrongRedirectUri, .word(),
            "What happens to a redirect URI that is not registered.",
            limit: .tenants(.b2c, "it always answers with a page"))
        table.add(
            "grantMismatchOrder", \.grantMismatchOrder, .word(),
            "Order of the names in AADB2C90088.",
            limit: .tenants(.b2c, "AADB2C90088 is an error of B2C"))
        table.add(
            "extensionsApp", \.extensionsApp, .bool,
            "The extensions app exists; without it custom attributes fail with AADB2C99006.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "extensionsAppId", \.extensionsAppId, .guid,
            "Client id of the extensions app. Microsoft Graph names the custom attribute `extension_shoe` `extension_ID_shoe`, with the id without dashes.",
            default: "derived from the name of the tenant",
            limit: .tenants(.b2c, "it has no custom attributes"))
        table.add(
            "unknownElements", \.unknownElements, .word(),
            "Policy elements that nobody knows.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "defaults", \.defaults, .record(),
            "Switches for behaviour of the policy engine that is not documented.",
            limit: .tenants(.b2c, "it has no policies"))
        return table.rows
    }()
}
