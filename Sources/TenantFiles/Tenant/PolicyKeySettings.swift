import Records

/// The content of one storage reference of a custom policy. Exactly one member is there.
public struct PolicyKeySettings: TenantRecord {
    /// The storage reference id, such as `B2C_1A_FacebookSecret`.
    public var name: String
    /// A shared secret.
    public var secret: String?
    /// Name of an RSA key.
    public var key: String?
    /// Name of a key with a certificate.
    public var certificate: String?

    public init(
        name: String = "",
        secret: String? = nil,
        key: String? = nil,
        certificate: String? = nil
    ) {
        self.name = name
        self.secret = secret
        self.key = key
        self.certificate = certificate
    }

    package static let title = "policy key"
    package static let summary = "The content of one storage reference of a custom policy. Exactly one member is there."
    package static let initial = PolicyKeySettings()
    package static let settings: [Setting<PolicyKeySettings>] = {
        var table = SettingsTable<PolicyKeySettings>()
        table.add(
            "secret", \.secret, .optionalText,
            "A shared secret.")
        table.add(
            "key", \.key, .optionalText,
            "Name of an RSA key: a JWT issuer that refers to it signs with this key, or names it in its refresh tokens."
        )
        table.add(
            "certificate", \.certificate, .optionalText,
            "Name of a key with a certificate.",
            notBuiltYet: "no request of a policy carries a certificate")
        return table.rows
    }()
}
