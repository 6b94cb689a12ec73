import Diagnostics
import TrustFramework

/// What a tenant, its services and its settings must have before policies are uploaded and used. All lists are sorted by
/// name, and places are those of the files as they were written.
public struct PolicyNeeds: Hashable, Sendable {
    public var keys: [KeyNeed]
    public var apps: [AppNeed]
    public var attributes: [NamedNeed]
    /// Empty where the sources were not given.
    public var settings: [SettingNeed]
    /// What the service calls, or where it sends the browser, on a way that a relying party can take.
    public var addresses: [AddressNeed]
    /// Page templates outside the service that it loads for a relying party.
    public var pages: [NamedNeed]
}

/// A key set that policies refer to.
public struct KeyNeed: Hashable, Sendable {
    /// `StorageReferenceId`.
    public var name: String
    /// In the order of the files.
    public var references: [KeyReference]
    /// The ids of the policies that have one of the references, in upload order.
    public var policies: [String]

    /// What the elements require, each once.
    public var requirements: [KeyRequirement] {
        var met: Set<KeyRequirement> = []
        return references.compactMap(\.requirement).filter { met.insert($0).inserted }
    }
}

/// A `Key` element.
public struct KeyReference: Hashable, Sendable {
    /// `Key/@Id`, such as `issuer_secret`.
    public var element: String
    /// The technical profile that has it.
    public var profile: String
    /// `nil`: the documents require nothing.
    public var requirement: KeyRequirement?
    public var location: SourceLocation
}

/// An app registration that policies name.
public struct AppNeed: Hashable, Sendable {
    /// Which one it is. The value is the name that Microsoft's articles give the app.
    public enum Role: String, CaseIterable, Sendable {
        case identityExperienceFramework = "IdentityExperienceFramework"
        case proxy = "ProxyIdentityExperienceFramework"
        case extensions = "b2c-extensions-app"
    }

    /// Which of its ids is named.
    public enum Identifier: String, Sendable {
        case client = "client ID"
        case object = "object ID"
    }

    public var role: Role
    public var identifier: Identifier
    /// As the policies have it. A placeholder of a starter pack, where nobody has replaced it.
    public var value: String
    public var places: [SourceLocation]
    public var policies: [String]
}

/// An extension attribute or a page.
public struct NamedNeed: Hashable, Sendable {
    public var name: String
    public var places: [SourceLocation]
    public var policies: [String]
}

/// A name in `{Settings:NAME}`.
public struct SettingNeed: Hashable, Sendable {
    /// An environment of the settings file.
    public struct Environment: Hashable, Sendable {
        public var name: String
        /// Whether it has a value for the setting.
        public var isSet: Bool
    }

    public var name: String
    public var places: [SourceLocation]
    public var policies: [String]
    /// In the order of the settings file; empty: there is no settings file.
    public var environments: [Environment]
}

/// An address in the metadata of technical profiles.
public struct AddressNeed: Hashable, Sendable {
    /// A metadata item that has it.
    public struct Item: Hashable, Sendable {
        /// Such as `ServiceUrl`.
        public var key: String
        public var profile: String
        public var location: SourceLocation
    }

    /// As the policies have it, with `{claim}` where it depends on claims.
    public var url: String
    /// With the port where one is written; `nil`: it depends on claims.
    public var host: String?
    public var items: [Item]
    public var policies: [String]
}

/// Metadata keys that hold addresses.
enum AddressKeys {
    /// The service calls them or sends the browser there (Microsoft docs: articles on technical profiles).
    static let all: Set<String> = [
        "ServiceUrl", "METADATA", "authorization_endpoint", "token_endpoint", "jwks_uri", "AccessTokenEndpoint",
        "ClaimsEndpoint", "end_session_endpoint", "request_token_endpoint", "access_token_endpoint", "PartnerEntity",
    ]
}
