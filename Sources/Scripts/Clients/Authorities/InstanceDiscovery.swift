import HTTPMessages
import JSON

/// What instance discovery says about one AAD host (MSIDAadAuthorityCacheRecord).
struct InstanceRecord: Sendable, Hashable {
    /// The host requests go to.
    var networkHost: String
    /// The host cache entries are written under.
    var cacheHost: String
    /// All names of the host.
    var aliases: [String]
    /// Set when the host was called invalid; remembered until the process ends.
    var refusal: LibraryError?
}

/// The hosts instance discovery has told about, kept as long as the process lives.
struct InstanceCache: Sendable {
    private var records: [String: InstanceRecord] = [:]

    func record(_ environment: String) -> InstanceRecord? { records[environment] }

    mutating func addInvalid(_ environment: String, refusal: LibraryError) {
        records[environment] = InstanceRecord(
            networkHost: environment, cacheHost: environment, aliases: [environment], refusal: refusal)
    }

    /// Takes the answer of the discovery endpoint for `environment`.
    mutating func add(_ answer: JSONValue, for environment: String) -> LibraryError? {
        guard let object = answer.objectValue else {
            return LibraryError(.serverInvalidResponse, "The instance metadata is not a JSON object.")
        }
        if let error = object["error"]?.stringValue {
            var refusal = LibraryError(.authorityValidation, object["error_description"]?.stringValue)
            refusal.oauthError = error
            if error == "invalid_instance" { addInvalid(environment, refusal: refusal) }
            return refusal
        }
        guard object["tenant_discovery_endpoint"]?.stringValue != nil else {
            return LibraryError(.authorityValidation, "The instance metadata names no tenant_discovery_endpoint.")
        }
        for entry in object["metadata"]?.arrayValue ?? [] {
            guard let network = entry["preferred_network"]?.stringValue,
                let cache = entry["preferred_cache"]?.stringValue, let aliases = entry["aliases"]?.arrayValue
            else {
                return LibraryError(.serverInvalidResponse, "An entry of the instance metadata is incomplete.")
            }
            let names = aliases.compactMap(\.stringValue)
            let record = InstanceRecord(networkHost: network, cacheHost: cache, aliases: names)
            for name in names { records[name] = record }
        }
        if records[environment] == nil {
            records[environment] = InstanceRecord(
                networkHost: environment, cacheHost: environment, aliases: [environment])
        }
        return nil
    }

    /// The name cache entries of a host are written under.
    func cacheEnvironment(_ environment: String) -> String {
        records[environment]?.cacheHost ?? environment
    }

    /// All names under which entries of a host may be found, the preferred one first.
    func aliases(_ environment: String) -> [String] {
        guard let record = records[environment] else { return [environment] }
        var names = [record.cacheHost]
        for name in [environment] + record.aliases where !names.contains(name) { names.append(name) }
        return names
    }

    /// The URL with the host requests go to.
    func networkURL(_ url: WebURL) -> WebURL {
        guard let host = url.host else { return url }
        let environment = url.effectivePort == 443 ? host : "\(host):\(url.effectivePort)"
        guard let record = records[environment], record.networkHost != environment else { return url }
        let parts = record.networkHost.split(separator: ":", maxSplits: 1)
        var changed = url
        changed.host = parts.first.map(String.init)
        changed.port = parts.count > 1 ? Int(parts[1]) : nil
        return changed
    }

    /// The discovery request's address for an authority: at its own host when that is trusted, else at the world-wide
    /// one.
    static func address(for authority: MSALAuthority) -> WebURL {
        let host = authority.isOnTrustedHost ? authority.environment : TrustedHosts.worldWide
        var query = FormItems()
        query.append("api-version", "1.1")
        query.append(
            "authorization_endpoint", "https://\(authority.environment)/\(authority.aadTenant)/oauth2/v2.0/authorize")
        return WebURL(
            scheme: "https", host: host, path: "/common/discovery/instance", query: query.percentEncoded)
    }
}
