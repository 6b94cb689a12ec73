import Determinism
import JSON

/// A tenant file that a program writes, as the records that it reads back. A setting that has its default is left to the
/// reader, except what a policy and an app are.
public struct TenantDraft: Sendable {
    /// The short name, `contoso`.
    public var name: String
    /// The tenant id; `nil`: derived from the name.
    public var id: GUID?
    /// Host names; none: the usual one.
    public var hosts: [String] = []
    public var policies: [PolicySettings] = []
    public var apis: [APISettings] = []
    public var apps: [AppSettings] = []
    public var providers: [ProviderSettings] = []
    public var users: [UserRecord] = []

    public init(name: String) { self.name = name }

    /// The file, without settings that have no effect where they are written.
    public var json: JSONObject {
        var json: JSONObject = ["name": .string(name)]
        json["id"] = id.map { .string($0.description) }
        if !hosts.isEmpty { json["hosts"] = .array(hosts.map { .string($0) }) }
        func add(_ key: String, _ entries: [(name: String, settings: JSONObject)]) {
            if !entries.isEmpty { json[key] = .object(JSONObject(entries.map { ($0.name, .object($0.settings)) })) }
        }
        add("policies", policies.map { ($0.name, $0.changes(keeping: ["type"])) })
        add("apis", apis.map { ($0.name, $0.changes()) })
        add("apps", apps.map { ($0.name, $0.changes(keeping: ["client/kind", "client/scopes"])) })
        add("providers", providers.map { ($0.name, $0.changes()) })
        add("users", users.map { ($0.name, $0.json(of: $0.changes())) })
        return TenantFile.placed(.object(json)).objectValue ?? json
    }
}
