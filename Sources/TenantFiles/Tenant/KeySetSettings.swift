import Records

/// Signing keys under one name.
public struct KeySetSettings: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// The key that signs; a new name creates a key.
    public var use: String
    /// The keys in the published set.
    public var publish: [String]

    public init(
        name: String = "",
        use: String = "k1",
        publish: [String] = ["k1"]
    ) {
        self.name = name
        self.use = use
        self.publish = publish
    }

    package static let title = "key set"
    package static let summary = "Signing keys under one name."
    package static let initial = KeySetSettings()
    package static let settings: [Setting<KeySetSettings>] = {
        var table = SettingsTable<KeySetSettings>()
        table.add(
            "use", \.use, .nonEmpty,
            "The key that signs; a new name creates a key.")
        table.add(
            "publish", \.publish, .texts,
            "The keys in the published set.")
        return table.rows
    }()
}
