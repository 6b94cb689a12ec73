import Records

/// `keySets.NAME`.
public struct KeySetSettings: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var use = "k1"
    public var publish: [String] = ["k1"]

    public init() {}

    package static let title = "key set"
    package static let summary = "Signing keys under one name."
    package static let settings: [Setting<KeySetSettings>] = {
        var table = SettingsTable<KeySetSettings>()
        table.add("use", \.use, .nonEmpty, "The key that signs; a new name creates a key.")
        table.add("publish", \.publish, .texts, "The keys in the published set.")
        return table.rows
    }()
}
