import Determinism
import JSON
import Records

/// `users.NAME`.
public struct UserRecord: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var registered = true
    public var email: String?
    public var username: String?
    public var password: String?
    public var newPassword: String?
    public var phone: String?
    public var answersCalls = true
    public var totpSecret: String?
    public var objectId: GUID = GUID.empty
    public var providers: [ProviderIdentity] = []
    public var linked = true
    public var accountEnabled = true
    public var locked = false
    public var forcePasswordChange = false
    public var refreshTokensValidFrom: Timestamp?
    public var homeTenant: String?
    /// All other members: directory attributes under their claim names.
    public var attributes = JSONObject()

    public init() {}

    package static let title = "person"
    package static let summary = """
        A person: their record in the directory, and what they know and own. Every other member is a directory \
        attribute under its claim name.
        """
    package static let settings: [Setting<UserRecord>] = {
        var table = SettingsTable<UserRecord>()
        table.add("registered", \.registered, .bool, "The person has an account; false: a record, but no account yet.")
        table.add(
            "email", \.email, .optionalText,
            "E-mail address; names the local account of policies that sign in by e-mail.")
        table.add(
            "username", \.username, .optionalText,
            "User name; names the local account of policies that sign in by user name.",
            default: "the name of the entry")
        table.add(
            "password", \.password, .optionalText, "Password of the local account; none: the account has no password.")
        table.add(
            "newPassword", \.newPassword, .optionalText, "Password the person chooses when asked for a new one.",
            limit: .tenants(.b2c, "no page of it asks for a new password"))
        table.add("phone", \.phone, .optionalText, "Phone number in E.164 form, used as second factor.")
        table.add(
            "answersCalls", \.answersCalls, .bool, "False: nobody answers when this phone rings, AADB2C90152.",
            limit: .tenants(.b2c, "it asks for no second factor"))
        table.add(
            "totpSecret", \.totpSecret, .optionalText, "Secret of the authenticator app, in base32.",
            limit: .tenants(.b2c, "it asks for no second factor"))
        table.add("objectId", \.objectId, .guid, "Object id.", default: "derived from the names of tenant and person")
        table.add(
            "providers", \.providers, .identities, "Provider to the claims that it sends for this person.",
            limit: .tenants(.b2c, "it offers no identity providers"))
        table.add(
            "linked", \.linked, .bool,
            "False: the accounts at identity providers are not linked to the account here, so that a policy can link them.",
            limit: .tenants(.b2c, "it offers no identity providers"))
        table.add("accountEnabled", \.accountEnabled, .bool, "False: an administrator has disabled the account.")
        table.add("locked", \.locked, .bool, "The account is locked after wrong passwords.")
        table.add(
            "forcePasswordChange", \.forcePasswordChange, .bool,
            """
            The person must set a new password at the next sign-in. With `passwordPolicies` `None` it is due by itself, 90 \
            days after `lastPasswordChangeDateTime`.
            """)
        table.add(
            "refreshTokensValidFrom", \.refreshTokensValidFrom, .optionalInstant,
            "Refresh tokens issued before this instant are revoked.")
        table.add(
            "homeTenant", \.homeTenant, .optionalText,
            "Workforce: the tenant of a guest account; `personal` for a personal Microsoft account.",
            default: "this tenant", limit: .tenants(.workforce, "only a directory tenant has guests"))
        return table.rows
    }()
}
