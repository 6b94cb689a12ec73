import Records

/// An element of `apps.NAME.registration.federatedCredentials` (Microsoft docs: workload-identity-federation).
public struct FederatedCredentialSettings: TenantRecord {
    /// The audience that Microsoft recommends.
    public static let standardAudience = "api://AzureADTokenExchange"

    public var issuer = ""
    public var subject = ""
    public var audience = FederatedCredentialSettings.standardAudience

    public init() {}

    package static let title = "federated credential"
    package static let summary = "Whose tokens the app may present in place of a secret."
    package static let settings: [Setting<FederatedCredentialSettings>] = {
        var table = SettingsTable<FederatedCredentialSettings>()
        table.add(
            "issuer", \.issuer, .url, "`iss` of the token, such as `https://token.actions.githubusercontent.com`.",
            required: true)
        table.add(
            "subject", \.subject, .nonEmpty,
            "`sub` of the token, such as `repo:contoso/policies:ref:refs/heads/main`. Letter case counts.",
            required: true)
        table.add("audience", \.audience, .nonEmpty, "`aud` of the token.")
        return table.rows
    }()
}
