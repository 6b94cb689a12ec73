import JSON
import Records

/// One app in three parts: what the tenant knows, what the code says, what bundle and system say.
public struct AppSettings: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// What the tenant knows of the app.
    public var registration: RegistrationSettings
    /// What the code of the app says.
    public var client: ClientSettings
    /// What the bundle and the system say.
    public var platform: PlatformSettings

    public init(
        name: String = "",
        registration: RegistrationSettings = RegistrationSettings(),
        client: ClientSettings = ClientSettings(),
        platform: PlatformSettings = PlatformSettings()
    ) {
        self.name = name
        self.registration = registration
        self.client = client
        self.platform = platform
    }

    package static let title = "app"
    package static let summary =
        "One app in three parts: what the tenant knows, what the code says, what bundle and system say."
    package static let initial = AppSettings()
    package static let settings: [Setting<AppSettings>] = {
        var table = SettingsTable<AppSettings>()
        table.add(
            "registration", \.registration, .record(),
            "What the tenant knows of the app.")
        table.add(
            "client", \.client, .record(),
            "What the code of the app says.")
        table.add(
            "platform", \.platform, .record(),
            "What the bundle and the system say.")
        return table.rows
    }()
}
