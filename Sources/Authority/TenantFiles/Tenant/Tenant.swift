import Determinism
import Diagnostics
import JSON

/// A tenant: what a tenant file says, all defaults filled in.
///
/// Lists keep the order of the file. Missing values are derived from names and are the same on every run.
public struct Tenant: Sendable {
    /// The short name, `contoso`.
    public var name: String
    /// The tenant id.
    public var id: GUID
    public var kind: TenantKind
    /// A real tenant, which the harness does not play.
    public var live: Bool
    /// The default host first.
    public var hosts: [String]
    /// The policies, in the order of the file; the settings under `*` are merged into each.
    public var policies: [PolicySettings] {
        didSet { policyPlaces = policyPlaces.renewed() }
    }
    /// The apps.
    public var apps: [AppSettings] {
        didSet { appPlaces = appPlaces.renewed() }
    }
    /// The web APIs.
    public var apis: [APISettings] {
        didSet { apiPlaces = apiPlaces.renewed() }
    }
    /// The people.
    public var users: [UserRecord] {
        didSet { userPlaces = userPlaces.renewed() }
    }
    /// The identity providers.
    public var providers: [ProviderSettings]
    /// Answers to calls that policies make.
    public var rest: [RestStub]
    /// Signing keys: always `service`, `tenant` and `grants`.
    public var keySets: [KeySetSettings]
    /// Contents of storage references of custom policies.
    public var policyKeys: [PolicyKeySettings]
    /// Folders with page templates, by the beginning of their addresses.
    public var pageFolders: JSONObject
    /// Values for `{Settings:NAME}` in custom policies, by name.
    public var policySettingValues: JSONObject
    /// Path of an `appsettings.json` with further values.
    public var policySettingsFile: String?
    /// Which of its environments; `nil` for the first.
    public var policyEnvironment: String?
    /// Folders in which the parents of custom policies are looked for.
    public var policyFolders: [String]
    public var authority: AuthoritySettings
    public var device: DeviceSettings
    /// Its browser.
    public var browser: BrowserSettings
    /// Of a live tenant.
    public var inbox: InboxSettings?

    /// Where the entries of the lists are. A changed list gets new places; copies of a tenant share them.
    private(set) var policyPlaces = EntryPlaces<PolicySettings>(name: { $0.name }, id: { $0.id })
    private(set) var appPlaces = EntryPlaces<AppSettings>(name: { $0.name }, id: { $0.registration.clientId })
    private(set) var apiPlaces = EntryPlaces<APISettings>(name: { $0.name }, id: { $0.clientId })
    private(set) var userPlaces = EntryPlaces<UserRecord>(name: { $0.name })

    /// The initial domain, `contoso.onmicrosoft.com`.
    public var domain: String { "\(name).onmicrosoft.com" }

    /// The default host.
    public var host: String { hosts.first ?? "\(name).b2clogin.com" }

    /// Values for `{Settings:NAME}`, in the order of the file.
    public var policySettings: [(String, String)] {
        policySettingValues.members.compactMap { key, value in value.stringValue.map { (key, $0) } }
    }

    /// The policy of that name in the tenant file.
    public func policy(named name: String) -> PolicySettings? { policyPlaces.first(named: name, in: policies) }

    /// The policy of that name on the wire, in any letter case.
    public func policy(id: String) -> PolicySettings? {
        policyPlaces.first(id: id, in: policies)
    }

    /// The app of that name in the tenant file.
    public func app(named name: String) -> AppSettings? { appPlaces.first(named: name, in: apps) }

    /// The app that is registered under a client id, in any letter case.
    public func app(clientId: String) -> AppSettings? {
        appPlaces.first(id: clientId, in: apps)
    }

    /// The API of that name in the tenant file.
    public func api(named name: String) -> APISettings? { apiPlaces.first(named: name, in: apis) }

    /// The API with a client id, in any letter case.
    public func api(clientId: String) -> APISettings? {
        apiPlaces.first(id: clientId, in: apis)
    }

    /// The API and short scope name that a full scope such as `https://contoso.onmicrosoft.com/tasks/read` means.
    /// The short name is that of the scope as asked, also when the API does not have it.
    public func api(scope: String) -> (api: APISettings, scope: String)? {
        for api in apis {
            let prefix = api.appIdUri.hasSuffix("/") ? api.appIdUri : api.appIdUri + "/"
            if scope.lowercased().hasPrefix(prefix.lowercased()) {
                return (api, String(scope.dropFirst(prefix.count)))
            }
        }
        return nil
    }

    /// The person of that name in the tenant file.
    public func user(named name: String) -> UserRecord? { userPlaces.first(named: name, in: users) }

    /// The provider of that name in the tenant file.
    public func provider(named name: String) -> ProviderSettings? { providers.first { sameText($0.name, name) } }

    /// The key set of that name.
    public func keySet(named name: String) -> KeySetSettings? { keySets.first { sameText($0.name, name) } }

    /// Whether a tenant segment of a URL means this tenant: its domain, its id, or one of its own host names.
    public func isNamed(_ segment: String) -> Bool {
        let wanted = segment.lowercased()
        return wanted == domain.lowercased() || wanted == id.description
            || hosts.contains { $0.lowercased() == wanted }
    }
}

extension APISettings {
    /// The full names of the scopes, as apps ask for them.
    public var scopeNames: [String] { scopes.map(scopeName) }

    /// The full name of one scope.
    public func scopeName(_ scope: String) -> String {
        appIdUri.hasSuffix("/") ? appIdUri + scope : appIdUri + "/" + scope
    }
}
