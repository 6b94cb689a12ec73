import Determinism
import JSON
import Records

/// A person: their record in the directory, and what they know and own. Every other member is a directory attribute
/// under its claim name.
public struct UserRecord: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// The person has an account; false: a record, but no account yet.
    public var registered: Bool
    /// E-mail address; names the local account of policies that sign in by e-mail.
    public var email: String?
    /// User name; names the local account of policies that sign in by user name.
    public var username: String?
    /// Password of the local account; none: the account has no password.
    public var password: String?
    /// Password the person chooses when asked for a new one.
    public var newPassword: String?
    /// Phone number in E.164 form, used as second factor.
    public var phone: String?
    /// False: nobody answers when this phone rings, AADB2C90152.
    public var answersCalls: Bool
    /// Secret of the authenticator app, in base32.
    public var totpSecret: String?
    /// Object id.
    public var objectId: GUID
    /// Provider to the claims that it sends for this person.
    public var providers: [ProviderIdentity]
    /// False: an administrator has disabled the account.
    public var accountEnabled: Bool
    /// The account is locked after wrong passwords.
    public var locked: Bool
    /// The person must set a new password at the next sign-in.
    public var forcePasswordChange: Bool
    /// Refresh tokens issued before this instant are revoked.
    public var refreshTokensValidFrom: Timestamp?
    /// Workforce: the tenant of a guest account; `personal` for a personal Microsoft account.
    public var homeTenant: String?
    /// All other members: directory attributes under their claim names.
    public var attributes: JSONObject

    public init(
        name: String = "",
        registered: Bool = true,
        email: String? = nil,
        username: String? = nil,
        password: String? = nil,
        newPassword: String? = nil,
        phone: String? = nil,
        answersCalls: Bool = true,
        totpSecret: String? = nil,
        objectId: GUID = GUID.empty,
        providers: [ProviderIdentity] = [],
        accountEnabled: Bool = true,
        locked: Bool = false,
        forcePasswordChange: Bool = false,
        refreshTokensValidFrom: Timestamp? = nil,
        homeTenant: String? = nil,
        attributes: JSONObject = JSONObject()
    ) {
        self.name = name
        self.registered = registered
        self.email = email
        self.username = username
        self.password = password
        self.newPassword = newPassword
        self.phone = phone
        self.answersCalls = answersCalls
        self.totpSecret = totpSecret
        self.objectId = objectId
        self.providers = providers
        self.accountEnabled = accountEnabled
        self.locked = locked
        self.forcePasswordChange = forcePasswordChange
        self.refreshTokensValidFrom = refreshTokensValidFrom
        self.homeTenant = homeTenant
        self.attributes = attributes
    }

    package static let title = "person"
    package static let summary = """
        A person: their record in the directory, and what they know and own. Every other member is a directory \
        attribute under its claim name.
        """
    package static let initial = UserRecord()
    package static let settings: [Setting<UserRecord>] = {
        var table = SettingsTable<UserRecord>()
        table.add(
            "registered", \.registered, .bool,
            "The person has an account; false: a record, but no account yet.")
        table.add(
            "email", \.email, .optionalText,
            "E-mail address; names the local account of policies that sign in by e-mail.")
        table.add(
            "username", \.username, .optionalText,
            "User name; names the local account of policies that sign in by user name.",
            default: "the name of the entry")
        table.add(
            "password", \.password, .optionalText,
            "Password of the local account; none: the account has no password.")
        table.add(
            "newPassword", \.newPassword, .optionalText,
            "Password the person chooses when asked for a new one.",
            limit: .tenants(.b2c, "no page of it asks for a new password"))
        table.add(
            "phone", \.phone, .optionalText,
            "Phone number in E.164 form, used as second factor.")
        table.add(
            "answersCalls", \.answersCalls, .bool,
            "False: nobody answers when this phone rings, AADB2C90152.",
            limit: .tenants(.b2c, "it asks for no second factor"))
        table.add(
            "totpSecret", \.totpSecret, .optionalText,
            "Secret of the authenticator app, in base32.",
            limit: .tenants(.b2c, "it asks for no second factor"))
        table.add(
            "objectId", \.objectId, .guid,
            "Object id.",
            default: "derived from the names of tenant and person")
        table.add(
            "providers", \.providers, .identities,
            "Provider to the claims that it sends for this person.",
            limit: .tenants(.b2c, "it offers no identity providers"))
        table.add(
            "accountEnabled", \.accountEnabled, .bool,
            "False: an administrator has disabled the account.")
        table.add(
            "locked", \.locked, .bool,
            "The account is locked after wrong passwords.")
        table.add(
            "forcePasswordChange", \.forcePasswordChange, .bool,
            "The person must set a new password at the next sign-in.")
        table.add(
            "refreshTokensValidFrom", \.refreshTokensValidFrom, .optionalInstant,
            "Refresh tokens issued before this instant are revoked.")
        table.add(
            "homeTenant", \.homeTenant, .optionalText,
            "Workforce: the tenant of a guest account; `personal` for a personal Microsoft account.",
            default: "this tenant",
            limit: .tenants(.workforce, "only a directory tenant has guests"))
        return table.rows
    }()
}
