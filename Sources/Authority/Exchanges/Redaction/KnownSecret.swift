import JSON
import TenantFiles

/// A secret that is known before anything runs.
public struct KnownSecret: Hashable, Sendable {
    /// The secret itself.
    public var value: String
    /// What is shown instead, without angle brackets: `password of ada`.
    public var label: String
    /// Whether it is masked wherever it occurs, however short it is. Without that, a short one is masked only where a
    /// secret is expected: a password `red` must not blot out every `redirect`.
    public var everywhere: Bool

    /// A secret under a label.
    public init(_ value: String, label: String, everywhere: Bool = false) {
        self.value = value
        self.label = label
        self.everywhere = everywhere
    }

    /// Passwords, authenticator secrets and client secrets of a tenant, in the order of its file.
    public static func secrets(of tenant: Tenant) -> [KnownSecret] {
        var found: [KnownSecret] = []
        func add(_ value: String?, _ label: String) {
            if let value, !value.isEmpty { found.append(KnownSecret(value, label: label)) }
        }
        for user in tenant.users {
            add(user.password, "password of \(user.name)")
            add(user.newPassword, "new password of \(user.name)")
            add(user.totpSecret, "authenticator secret of \(user.name)")
        }
        for app in tenant.apps {
            add(app.client.clientSecret, "client secret of \(app.name)")
            for secret in app.registration.secrets { add(secret, "client secret of \(app.name)") }
        }
        for key in tenant.policyKeys { add(key.secret, "policy key \(key.name)") }
        return found
    }
}
