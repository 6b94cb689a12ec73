import Diagnostics
import TrustFramework

/// A policy as it is uploaded: its file with settings filled in, as UTF-8 without a byte order mark.
public struct BuiltPolicy: Sendable {
    /// `PolicyId`, with settings filled in.
    public var id: String
    /// The `PolicyId` of its `BasePolicy`; `nil`: it inherits from nothing.
    public var base: String?
    /// The source file.
    public var file: String
    /// What is uploaded.
    public var bytes: [UInt8]
    /// `bytes`, with positions of the source file.
    public var source: SourceText
    /// Whether apps can call it: it has a relying party.
    public var isRelyingParty: Bool

    public init(
        id: String, base: String?, file: String, bytes: [UInt8], source: SourceText, isRelyingParty: Bool
    ) {
        self.id = id
        self.base = base
        self.file = file
        self.bytes = bytes
        self.source = source
        self.isRelyingParty = isRelyingParty
    }
}

/// The policies of a folder, built for one environment.
public struct BuiltPolicies: Sendable {
    /// The domain that the policies name as `TenantId`, such as `contoso.onmicrosoft.com`.
    public var tenant: String
    /// The name of the environment; `nil`: the folder has no settings file.
    public var environment: String?
    /// In upload order: a parent before its children.
    public var policies: [BuiltPolicy]
    /// The settings that were filled in.
    public var settings: [(name: String, value: String)]

    public init(
        tenant: String, environment: String?, policies: [BuiltPolicy], settings: [(name: String, value: String)]
    ) {
        self.tenant = tenant
        self.environment = environment
        self.policies = policies
        self.settings = settings
    }

    /// The policy of an id in any letter case.
    public func policy(_ id: String) -> BuiltPolicy? { policies.first { sameID($0.id, id) } }
}
