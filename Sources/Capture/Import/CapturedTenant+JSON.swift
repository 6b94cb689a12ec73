import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

extension CapturedTenant {
    /// The tenant's short name and id, from addresses and issuers.
    private func identity() -> (name: String, id: String?) {
        var name: String?
        var id: String?
        for segment in traffic.tenantSegments {
            if GUID(segment) != nil { id = id ?? segment }
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
            id = parts.first { GUID($0) != nil }
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
    func json() -> JSONObject {
        let identity = identity()
        var tenant = JSONObject()
        tenant["name"] = .string(identity.name)
        tenant["id"] = identity.id.map { .string($0) }
        let hosts = hosts().own
        if !hosts.isEmpty { tenant["hosts"] = .array(hosts.map { .string($0) }) }
        tenant["policies"] = .object(JSONObject(policies.map { ($0.name, .object($0.json())) }))
        if !apis.isEmpty { tenant["apis"] = .object(JSONObject(apis.map { ($0.name, apiJSON($0)) })) }
        tenant["apps"] = .object(
            JSONObject(clients.map { ($0.name, .object($0.json(policy: policyName($0.policy)))) }))
        if !providers.isEmpty {
            tenant["providers"] = .object(
                JSONObject(
                    providers.map { provider in
                        var entry: JSONObject = ["exchange": .string(provider.exchange)]
                        entry["domain"] = provider.domain.map { .string($0) }
                        return (provider.name, .object(entry))
                    }))
        }
        tenant["users"] = .object(people.json())
        return TenantFile.placed(.object(tenant)).objectValue ?? tenant
    }

    private func apiJSON(_ api: APIGuess) -> JSONValue {
        var entry = JSONObject()
        entry["baseUrl"] = api.baseURL.map { .string($0) }
        entry["appIdUri"] = api.appIdUri.map { .string($0) }
        entry["clientId"] = api.clientID.map { .string($0) }
        if !api.scopes.isEmpty { entry["scopes"] = .array(api.scopes.map { .string($0) }) }
        if api.isShared { entry["allowedOrigins"] = ["*"] }
        if !api.openPaths.isEmpty {
            entry["routes"] = .object(JSONObject(api.openPaths.map { ($0.isEmpty ? "/" : $0, ["anonymous": true]) }))
        }
        return .object(entry)
    }
}
