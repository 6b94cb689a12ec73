import Determinism
import Diagnostics
import TrustFramework

/// What a tenant has at one moment, as Microsoft Graph returns it.
public struct TenantSnapshot: Hashable, Sendable {
    public var organization: TenantOrganization
    /// In the order of the service.
    public var policies: [TenantPolicy]
    /// `nil`: the app may not read key sets, or nobody asked.
    public var keySets: [KeySet]?
    /// App registrations that policies name; `nil`: the app may not read them, or nobody asked.
    public var apps: [TenantApp]?

    public init(
        organization: TenantOrganization, policies: [TenantPolicy], keySets: [KeySet]? = nil, apps: [TenantApp]? = nil
    ) {
        self.organization = organization
        self.policies = policies
        self.keySets = keySets
        self.apps = apps
    }

    /// The policy of an id in any letter case.
    public func policy(_ id: String) -> TenantPolicy? { policies.first { sameID($0.id, id) } }

    /// The key set of an id in any letter case, with or without the prefix `B2C_1A_`.
    public func keySet(_ id: String) -> KeySet? { keySets?.first { KeySet.isSame($0.id, id) } }
}

/// The tenant itself (Microsoft docs: organization-get).
public struct TenantOrganization: Hashable, Sendable {
    /// The tenant's GUID.
    public var id: String
    /// Verified domains, the initial one such as `contoso.onmicrosoft.com` first.
    public var domains: [String]

    public init(id: String, domains: [String]) {
        self.id = id
        self.domains = domains
    }
}

/// A custom policy in a tenant.
public struct TenantPolicy: Hashable, Sendable {
    public var id: String
    /// The XML as the service returns it.
    public var bytes: [UInt8]

    public init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}

/// An app registration of a tenant.
public struct TenantApp: Hashable, Sendable {
    /// `appId`: the client ID.
    public var clientID: String
    /// `id`: the object ID.
    public var objectID: String
    public var displayName: String

    public init(clientID: String, objectID: String, displayName: String) {
        self.clientID = clientID
        self.objectID = objectID
        self.displayName = displayName
    }
}
