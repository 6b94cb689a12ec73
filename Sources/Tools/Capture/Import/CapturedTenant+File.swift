import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

extension CapturedTenant {
    /// The tenant's short name and id, from addresses and issuers.
    private func identity() -> (name: String, id: GUID?) {
        var name: String?
        var id: GUID?
        for segment in traffic.tenantSegments {
            id = id ?? GUID(segment)
            if segment.hasSuffix(".onmicrosoft.com"), name == nil { name = String(segment.dropLast(16)) }
        }
        if name == nil {
            name = traffic.authorityHosts.first { $0.hasSuffix(".b2clogin.com") }.map { String($0.dropLast(13)) }
        }
        if name == nil {
            name = traffic.tenantSegments.first { GUID($0) == nil }?.split(separator: ".").first.map(String.init)
        }
        for item in story.items where id == nil {
            let parts =
                item.idToken?["iss"]?.stringValue.flatMap { WebURL($0)?.path.split(separator: "/").map(String.init) }
                ?? []
            id = parts.compactMap { GUID($0) }.first
        }
        return (CaptureImport.fileName(name ?? "imported"), id)
    }

    /// Hosts of the tenant that are not its usual one, and those of this machine, which the script does not use.
    func hosts() -> (own: [String], local: [String]) {
        let isLocal = { (host: String) -> Bool in
            let url = WebURL("https://\(host)/")
            return (url?.isLoopback ?? true) || url?.port != nil
        }
        let own = traffic.authorityHosts.filter { !isLocal($0) }
        return (own == ["\(identity().name).b2clogin.com"] ? [] : own, traffic.authorityHosts.filter(isLocal))
    }

    /// The tenant file.
    var json: JSONObject {
        var json = JSONValue.object(draft.json)
        // No scopes are others than those that no request shows.
        for client in clients where client.scopes == nil {
            json.set(nil, at: JSONPointer(tokens: ["apps", client.name, "client", "scopes"]))
        }
        return json.objectValue ?? JSONObject()
    }

    private var draft: TenantDraft {
        let identity = identity()
        var draft = TenantDraft(name: identity.name)
        draft.id = identity.id
        draft.hosts = hosts().own
        draft.policies = policies.map(\.record)
        draft.apis = apis.map { api in
            var api = api
            if api.scopes.isEmpty { api.scopes = APISettings().scopes }
            return api
        }
        draft.apps = clients.map { $0.record(policy: policyName($0.policy)) }
        draft.providers = providers
        draft.users = people.records
        return draft
    }
}
