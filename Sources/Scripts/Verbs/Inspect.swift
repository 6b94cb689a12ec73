import Exchanges
import JSON
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

        fileprivate var result: any ResultRecord.Type {
            switch self {
            case .cache: CacheContents.self
            case .cookies: Cookies.self
            case .storage: StorageContents.self
            case .users: Users.self
            case .inbox: Inbox.self
            case .keys: KeySets.self
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

    package var returned: [any ResultRecord.Type] { what.map { [$0.result] } ?? Self.results }
    package var resultMembers: [String]? { what.map { $0.result.fields.map(\.name) } }
    package var needsClient: Bool { what == .cache || what == .cookies || what == .storage }

    package func needs(keys: [String]) -> [(capability: Capability, reason: String)] {
        what == .users ? [(.directory, "looks into the directory")] : []
    }

    /// The token cache. Its items are JSON as all MSAL libraries write it.
    package struct CacheContents: ResultRecord {
        /// The items by the name of their list, and the whole as `unified`.
        package var lists: JSONObject

        package init(lists: JSONObject) { self.lists = lists }

        package static let members: [ResultMember<CacheContents>] = {
            var table = ResultTable<CacheContents>()
            let list = ResultForm<JSONValue>.json(MatcherShapes.list(of: MatcherShapes.members))
            let docs = [
                "accounts": ResultDocs.accounts, "accessTokens": "Access tokens of the cache.",
                "refreshTokens": "Refresh tokens of the cache.", "idTokens": "ID tokens of the cache.",
                "appMetadata": "App metadata of the cache.", "accountMetadata": "Account metadata of the cache.",
            ]
            for name in ImportCache.lists {
                table.add(name, list, docs[name] ?? "", isAlwaysPresent: true) { $0.lists[name] }
            }
            table.add(
                "unified", .json(MatcherShapes.members), "The cache in the unified schema, as MSAL Python writes it.",
                isAlwaysPresent: true
            ) { $0.lists["unified"] }
            return table.members
        }()

        /// What an account of the cache has beside the members of an account that an app gets.
        package static let accountFields: [Field] = [
            Field("home_account_id", MatcherShapes.text, "Of a cache record: the home account id."),
            Field("local_account_id", MatcherShapes.text, "Of a cache record: the object id."),
            Field("realm", MatcherShapes.text, "Of a cache record: the tenant."),
            Field("authority_type", MatcherShapes.text, "Of a cache record: how the authority is classed."),
            Field("client_info", MatcherShapes.text, "Of a cache record: the server's account ids."),
            Field("name", MatcherShapes.text, "Of a cache record: the display name."),
            Field("given_name", MatcherShapes.text, "Of a cache record: the given name."),
            Field("family_name", MatcherShapes.text, "Of a cache record: the family name."),
            Field("alternative_account_id", MatcherShapes.text, "Of a cache record: another id of the account."),
        ]
    }

    /// The cookies of a browser.
    package struct Cookies: ResultRecord {
        package var cookies: [JSONValue]

        package init(cookies: [JSONValue]) { self.cookies = cookies }

        package static let members: [ResultMember<Cookies>] = {
            var table = ResultTable<Cookies>()
            let cookies = ResultForm<JSONValue>.json(MatcherShapes.members).list()
            table.add("cookies", cookies, "The browser's cookies.") { $0.cookies }
            return table.members
        }()
    }

    /// What a page of the app stored in the browser.
    package struct StorageContents: ResultRecord, Hashable {
        package var local: JSONObject
        package var session: JSONObject
        /// The page's address.
        package var url: String

        package init(local: JSONObject, session: JSONObject, url: String) {
            self.local = local
            self.session = session
            self.url = url
        }

        package static let members: [ResultMember<StorageContents>] = {
            var table = ResultTable<StorageContents>()
            table.add("local", .members, "Local storage by key.") { $0.local }
            table.add("session", .members, "Session storage by key.") { $0.session }
            table.add("url", .text, ResultDocs.url) { $0.url }
            return table.members
        }()
    }

    /// The directory, as the authority shows it.
    package struct Users: ResultRecord {
        package var users: JSONValue

        package init(users: JSONValue) { self.users = users }

        package static let members: [ResultMember<Users>] = {
            var table = ResultTable<Users>()
            table.add("users", .json(MatcherShapes.members), "The directory by the names of people.") { $0.users }
            return table.members
        }()
    }

    /// The outbox of the authority.
    package struct Inbox: ResultRecord {
        package var messages: JSONValue

        package init(messages: JSONValue) { self.messages = messages }

        package static let members: [ResultMember<Inbox>] = {
            var table = ResultTable<Inbox>()
            let messages = ResultForm<JSONValue>.json(MatcherShapes.list(of: MatcherShapes.members))
            table.add("messages", messages, "Messages sent to people.") { $0.messages }
            return table.members
        }()
    }

    /// The keys of the authority.
    package struct KeySets: ResultRecord {
        package var keySets: JSONValue

        package init(keySets: JSONValue) { self.keySets = keySets }

        package static let members: [ResultMember<KeySets>] = {
            var table = ResultTable<KeySets>()
            table.add("keySets", .json(MatcherShapes.members), "The key sets by name.") { $0.keySets }
            return table.members
        }()
    }

    package static let results: [any ResultRecord.Type] = Store.allCases.map(\.result)
}
