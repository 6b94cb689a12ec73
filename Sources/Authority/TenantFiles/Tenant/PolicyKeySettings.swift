import Records

/// `policyKeys.ID`.
public struct PolicyKeySettings: TenantRecord {
    /// The storage reference id, such as `B2C_1A_FacebookSecret`.
    public var name = ""
    public var secret: String?
    public var key: String?
    public var certificate: String?
    /// Names of all RSA keys of a set that Microsoft Graph has changed: the keys document lists them, and grants that one of
    /// them sealed still open. A file has one key, `key`.
    public var publish: [String] = []
    /// `false` for a set that Microsoft Graph has changed and none of whose keys is active: a policy that needs it fails
    /// with AADB2C90220.
    public var isActive = true

    public init() {}

    package static let title = "policy key"
    package static let summary = "The content of one storage reference of a custom policy. Exactly one member is there."
    package static let settings: [Setting<PolicyKeySettings>] = {
        var table = SettingsTable<PolicyKeySettings>()
        table.add("secret", \.secret, .optionalText, "A shared secret.")
        table.add(
            "key", \.key, .optionalText,
            "Name of an RSA key: a JWT issuer that refers to it signs with this key, or names it in its refresh tokens."
        )
        table.add(
            "certificate", \.certificate, .optionalText, "Name of a key with a certificate.",
            notBuiltYet: "no request of a policy carries a certificate")
        return table.rows
    }()
}
