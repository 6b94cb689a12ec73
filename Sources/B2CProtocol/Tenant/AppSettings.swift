import JSON

/// One app in three parts: what the tenant knows, what the code says, what bundle and system say.
public struct AppSettings: SettingsRecord {
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

    static let title = "app"
    static let summary =
        "One app in three parts: what the tenant knows, what the code says, what bundle and system say."
    static let initial = AppSettings()
    static let settings: [Setting<AppSettings>] = {
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

extension AppSettings {
    /// The address at which the app gets its answers; `nil` where it has none.
    ///
    /// It is the client's `redirectUri`. Where the tenant file names none and registers others, it is the first that is
    /// registered for the platform of the client's kind, else the first of all.
    public var redirectURI: String? {
        let own = client.redirectUri
        let registered = registration.redirectUris
        let isDerived = own.isEmpty || own == platform.standardRedirectURI(for: client.kind)
        if !isDerived || registered.all.contains(where: { sameText($0.uri, own) }) { return own }
        return registered[client.kind.platformType].first ?? registered.all.first?.uri ?? (own.isEmpty ? nil : own)
    }

    /// The secret that the app sends when it redeems a code got at a redirect URI: B2C wants it from web apps alone, and
    /// refuses it from native and single-page apps (Microsoft docs: error-codes, AADB2C90079 and AADB2C90084).
    public func secret(at redirectURI: String) -> String? {
        registration.redirectUris.web.contains { sameText($0, redirectURI) } ? registration.secrets.first : nil
    }
}
