import Determinism
import JSON
import Records

/// `authority.lockout`.
public struct LockoutSettings: TenantRecord {
    public var threshold = 10
    public var duration = TimeSpan.minutes(1)

    public init() {}

    package static let title = "lockout"
    package static let summary = "Smart lockout after wrong passwords (Microsoft docs: threat-management)."
    package static let settings: [Setting<LockoutSettings>] = {
        var table = SettingsTable<LockoutSettings>()
        table.add("threshold", \.threshold, .integer(1...1000), "Wrong passwords until the account is locked.")
        table.add("duration", \.duration, .span, "Length of the first lock periods.")
        return table.rows
    }()
}

/// `authority.throttle`.
public struct ThrottleSettings: TenantRecord {
    public var requests = 200
    public var per = TimeSpan.seconds(1)

    public init() {}

    package static let title = "throttle"
    package static let summary = "Limit above which the gateway answers 429."
    package static let settings: [Setting<ThrottleSettings>] = {
        var table = SettingsTable<ThrottleSettings>()
        table.add("requests", \.requests, .integer(1...1_000_000), "Requests allowed in the period.", required: true)
        table.add("per", \.per, .span, "The period.", required: true)
        return table.rows
    }()
}

/// `authority` of a tenant file.
public struct AuthoritySettings: TenantRecord {
    public var codeLifetime = TimeSpan.minutes(10)
    public var lockout = LockoutSettings()
    public var throttle: ThrottleSettings?
    /// Most bytes that a request's line and header fields may have together; 0: any number.
    public var headerLimit = 0
    public var wrongRedirectUri = WrongRedirectURI.page
    public var grantMismatchOrder = GrantMismatchOrder.actualIsEndpoint
    public var extensionsApp = true
    /// Client id of the extensions app: part of the names that Microsoft Graph has for custom attributes.
    public var extensionsAppId = GUID.empty
    public var unknownElements = UnknownElements.fail
    /// HTTP status of Microsoft Graph for a new key set whose name exists, AADB2C95028. No document names it.
    public var keySetExistsStatus = 409
    public var defaults = PolicyDefaults()

    public init() {}

    package static let title = "authority"
    package static let summary = "Behaviour of the authority as a whole."
    package static let settings: [Setting<AuthoritySettings>] = {
        var table = SettingsTable<AuthoritySettings>()
        table.add("codeLifetime", \.codeLifetime, .span, "Life of authorization codes.")
        table.add("lockout", \.lockout, .record(), "Lockout after wrong passwords.")
        table.add(
            "throttle", \.throttle, .optionalRecord(), "Limit above which the gateway answers 429.", default: "off",
            limit: .tenants(.b2c, "its gateway is not simulated"))
        table.add(
            "headerLimit", \.headerLimit, .integer(0...1_000_000),
            "Most bytes of a request's line and header fields, cookies among them; a longer request is answered with 400, `Request Too Long`. 16384 at the service; 0: any number.",
            limit: .tenants(.b2c, "its gateway is not simulated"))
        table.add(
            "wrongRedirectUri", \.wrongRedirectUri, .word(), "What happens to a redirect URI that is not registered.",
            limit: .tenants(.b2c, "it always answers with a page"))
        table.add(
            "grantMismatchOrder", \.grantMismatchOrder, .word(), "Order of the names in AADB2C90088.",
            limit: .tenants(.b2c, "AADB2C90088 is an error of B2C"))
        table.add(
            "extensionsApp", \.extensionsApp, .bool,
            "The extensions app exists; without it custom attributes fail with AADB2C99006.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "extensionsAppId", \.extensionsAppId, .guid,
            "Client id of the extensions app. Microsoft Graph names the custom attribute `extension_shoe` `extension_ID_shoe`, with the id without dashes.",
            default: "derived from the name of the tenant", limit: .tenants(.b2c, "it has no custom attributes"))
        table.add(
            "unknownElements", \.unknownElements, .word(), "Policy elements that nobody knows.",
            limit: .tenants(.b2c, "it has no policies"))
        table.add(
            "keySetExistsStatus", \.keySetExistsStatus, .integer(400...499),
            "HTTP status of Microsoft Graph for a new key set whose name exists, AADB2C95028. No document says which it is.",
            limit: .tenants(.b2c, "it has no key sets"))
        table.add(
            "defaults", \.defaults, .record(), "Switches for behaviour of the policy engine that is not documented.",
            limit: .tenants(.b2c, "it has no policies"))
        return table.rows
    }()
}
