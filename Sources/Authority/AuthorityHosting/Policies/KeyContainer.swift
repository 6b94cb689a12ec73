import Determinism
import JSON
import TenantFiles

/// A key set of the tenant (Microsoft Graph: trustFrameworkKeySet).
struct KeyContainer: Sendable {
    /// What the key of a container is made of.
    enum Material: Sendable {
        case secret(String)
        /// Name of a test key.
        case key(String)
        /// Only the public key is known: it signs nothing.
        case certificate
    }

    /// A key (Microsoft Graph: trustFrameworkKey). Times are in seconds since 1970.
    struct Key: Sendable {
        var kid: String
        /// `sig` or `enc`.
        var use: String
        var material: Material
        /// When it becomes active; `nil`: at once.
        var activates: Int64?
        var expires: Int64?
        var isEnabled = true
        /// Public members of an RSA key, base64url.
        var modulus: String?
        var exponent: String?
        /// Certificate in base64, and its thumbprint in base64url.
        var certificate: String?
        var thumbprint: String?

        /// `RSA` or `oct`.
        var kind: String {
            if case .secret = material { return "oct" }
            return "RSA"
        }

        /// The name of its test key.
        var keyName: String? {
            if case .key(let name) = material { return name }
            return nil
        }

        /// Whether it can be active now or later.
        func isUsable(at now: Int64) -> Bool { isEnabled && (expires.map { now < $0 } ?? true) }

        /// As Graph shows it: private members never come back.
        var json: JSONObject {
            var object: JSONObject = ["kid": .string(kid), "use": .string(use), "kty": .string(kind)]
            object["nbf"] = activates.map { .integer($0) }
            object["exp"] = expires.map { .integer($0) }
            object["status"] = isEnabled ? "enabled" : "disabled"
            guard kind == "RSA" else { return object }
            object["e"] = exponent.map { .string($0) }
            object["n"] = modulus.map { .string($0) }
            object["x5c"] = .array(certificate.map { [.string($0)] } ?? [])
            object["x5t"] = thumbprint.map { .string($0) }
            return object
        }
    }

    var id: String
    var keys: [Key] = []
    /// What the tenant file says of it; `nil` since Graph changed it.
    var source: PolicyKeySettings?

    /// The key that policies use: of those whose activation date has passed the newest, those without a date last. Of two
    /// without a date the first: inferred.
    func active(at now: Int64) -> Key? {
        var found: Key?
        for key in keys where key.isUsable(at: now) && (key.activates ?? .min) <= now {
            if let found, (found.activates ?? .min) >= (key.activates ?? .min) { continue }
            found = key
        }
        return found
    }

    /// What sign-ins see of it.
    func settings(at now: Int64) -> PolicyKeySettings {
        if let source { return source }
        return PolicyKeySettings {
            $0.name = id
            guard let active = active(at: now) else {
                $0.isActive = false
                return
            }
            switch active.material {
            case .secret(let secret): $0.secret = secret
            case .key(let name):
                $0.key = name
                // Keys that become active later are published too, for apps that keep the document: inferred.
                $0.publish = keys.filter { $0.isUsable(at: now) }.compactMap(\.keyName)
            case .certificate: $0.certificate = id
            }
        }
    }

    var json: JSONObject { ["id": .string(id), "keys": .array(keys.map { .object($0.json) })] }
}
