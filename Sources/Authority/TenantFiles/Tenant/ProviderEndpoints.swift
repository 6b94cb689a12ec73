import Determinism

/// A place at an identity provider, below its `issuer`.
public enum ProviderEndpoint: String, Sendable, Hashable, CaseIterable {
    case discovery = ".well-known/openid-configuration"
    case authorize, token, keys, userinfo, logout
}

extension ProviderSettings {
    /// The address of an endpoint: what a user flow's technical profile names and the provider's stub answers.
    public func endpoint(_ endpoint: ProviderEndpoint) -> String {
        issuer.hasSuffix("/") ? issuer + endpoint.rawValue : issuer + "/" + endpoint.rawValue
    }

    /// The client id under which the tenant's user flows are registered at the provider.
    public func clientId(tenant: String) -> String {
        GUID.derived(from: "tenant/\(tenant)/providers/\(name)/client").description
    }

    /// The storage reference id that holds the tenant's secret at the provider: `B2C_1A_FacebookSecret`.
    public var secretName: String {
        "B2C_1A_\(name.prefix(1).uppercased())\(name.dropFirst())Secret"
    }
}

extension Tenant {
    /// The name of the RSA key under a storage reference id, in any letter case; `nil` where the tenant file gives none.
    public func key(ofPolicyKey name: String) -> String? {
        let wanted = name.lowercased()
        return policyKeys.first { $0.name.lowercased() == wanted }?.key
    }

    /// The names of all RSA keys under a storage reference id, in any letter case, if Microsoft Graph has changed its set.
    public func publishedKeys(ofPolicyKey name: String) -> [String] {
        let wanted = name.lowercased()
        return policyKeys.first { $0.name.lowercased() == wanted }?.publish ?? []
    }

    /// The secret of a policy key by its storage reference id, in any letter case. One that the tenant file does not
    /// give is made up, and the same on every run.
    public func secret(ofPolicyKey name: String) -> String {
        let wanted = name.lowercased()
        return policyKeys.first { $0.name.lowercased() == wanted }?.secret
            ?? "made-up-" + GUID.derived(from: "policy key " + wanted).description
    }
}
