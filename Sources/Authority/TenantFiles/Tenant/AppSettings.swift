import JSON
import Records

/// `apps.NAME`.
public struct AppSettings: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var registration = RegistrationSettings()
    public var client = ClientSettings()
    public var platform = PlatformSettings()

    public init() {}

    package static let title = "app"
    package static let summary =
        "One app in three parts: what the tenant knows, what the code says, what bundle and system say."
    package static let settings: [Setting<AppSettings>] = {
        var table = SettingsTable<AppSettings>()
        table.add("registration", \.registration, .record(), "What the tenant knows of the app.")
        table.add("client", \.client, .record(), "What the code of the app says.")
        table.add("platform", \.platform, .record(), "What the bundle and the system say.")
        return table.rows
    }()
}
