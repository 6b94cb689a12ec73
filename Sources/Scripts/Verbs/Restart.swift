import Records

/// A new start of an app, a browser, a device or an API.
package struct Restart: WordCall {
    package var what: RestartTarget?
    package var wipe: [Store]?
    package var api: String?

    package init() {}

    package enum RestartTarget: String, SettingWord {
        case app, browser, device, api

        package var doc: String {
            switch self {
            case .app: "The app's process, or the page in its tab."
            case .browser: "All tabs; session cookies and session storage end."
            case .device: "The device with everything on it."
            case .api: "An API; it forgets the keys it read."
            }
        }
    }

    package enum Store: String, SettingWord {
        case cookies, storage, cache

        package var doc: String {
            switch self {
            case .cookies: "The browser's cookies."
            case .storage: "The app's storage."
            case .cache: "The token cache."
            }
        }
    }

    package static let name = "restart"
    package static let doc = "Starts something again, perhaps with its stores wiped."
    package static let settings: [Setting<Restart>] = {
        var table = SettingsTable<Restart>()
        table.add("what", \.what, Codec<RestartTarget>.word().optional(), "What starts again.", required: true)
        table.add("wipe", \.wipe, Codec<Store>.word().list().optional(), "What is emptied.")
        table.add("api", \.api, .optionalName(.apiName), "Which API.", default: "all")
        return table.rows
    }()

    package var needsClient: Bool { what == .app || what == .browser || what == .device }

    /// A browser app's page is loaded again, and reads an answer in its address.
    package static let results: [any ResultRecord.Type] = [TokenResult.self]
}
