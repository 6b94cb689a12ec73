import Determinism
import Diagnostics
import JSON
import TrustFramework

/// A policy key container (Microsoft Graph: trustFrameworkKeySet). Private members never come back from the service.
public struct KeySet: Hashable, Sendable {
    /// With the prefix `B2C_1A_`.
    public var id: String
    /// In the order of the service.
    public var keys: [PolicyKey]

    public init(id: String, keys: [PolicyKey]) {
        self.id = id
        self.keys = keys
    }

    /// Whether two names mean one set: the service adds the prefix `B2C_1A_` to a name without it.
    public static func isSame(_ one: String, _ other: String) -> Bool { sameID(bare(one), bare(other)) }

    /// A name without the prefix `B2C_1A_`.
    public static func bare(_ name: String) -> String {
        name.lowercased().hasPrefix("b2c_1a_") ? String(name.dropFirst("B2C_1A_".count)) : name
    }
}

/// A key of a container (Microsoft Graph: trustFrameworkKey), as far as it is public.
public struct PolicyKey: Hashable, Sendable {
    /// What a key is for.
    public enum Use: String, Sendable {
        case signature = "sig"
        case encryption = "enc"
    }

    /// What it is made of.
    public enum Kind: String, Sendable {
        case rsa = "RSA"
        case secret = "oct"
    }

    public var kid: String
    /// `nil`: the service does not say.
    public var use: Use?
    public var kind: Kind?
    /// `nbf`: when it becomes active; `nil`: at once.
    public var activates: Timestamp?
    /// `exp`; `nil`: never.
    public var expires: Timestamp?
    /// `status`: disabled keys are not used.
    public var isEnabled: Bool
    /// Whether it has a certificate (`x5c`).
    public var hasCertificate: Bool

    public init(
        kid: String, use: Use?, kind: Kind?, activates: Timestamp? = nil, expires: Timestamp? = nil,
        isEnabled: Bool = true, hasCertificate: Bool = false
    ) {
        self.kid = kid
        self.use = use
        self.kind = kind
        self.activates = activates
        self.expires = expires
        self.isEnabled = isEnabled
        self.hasCertificate = hasCertificate
    }
}
