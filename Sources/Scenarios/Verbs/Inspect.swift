import Records

/// A look at what is stored.
package struct Inspect: WordCall {
    package var what: Store?
    package var file: String?

    package init() {}

    package enum Store: String, SettingWord {
        case cache, cookies, storage, users, inbox, keys

        package var doc: String {
            switch self {
            case .cache: "The client's token cache."
            case .cookies: "The browser's cookies."
            case .storage: "The browser's local and session storage of the app's origin."
            case .users: "The directory."
            case .inbox: "The messages sent to people."
            case .keys: "The key sets."
            }
        }

        fileprivate var members: [String] {
            switch self {
            case .cache: ImportCache.lists + ["unified"]
            case .cookies: ["cookies"]
            case .storage: ["local", "session", "url"]
            case .users: ["users"]
            case .inbox: ["messages"]
            case .keys: ["keySets"]
            }
        }
    }

    package static let name = "inspect"
    package static let doc = "Looks at what is stored."
    package static let settings: [Setting<Inspect>] = {
        var table = SettingsTable<Inspect>()
        table.add("what", \.what, Codec<Store>.word().optional(), "What to look at.", required: true)
        table.add("file", \.file, Codec<String>.nonEmpty.optional(), "A file to write it to.")
        return table.rows
    }()

    package var resultMembers: [String]? { what?.members }
    package var needsClient: Bool { what == .cache || what == .cookies || what == .storage }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        what == .users ? [(.directory, "looks into the directory")] : []
    }
}
