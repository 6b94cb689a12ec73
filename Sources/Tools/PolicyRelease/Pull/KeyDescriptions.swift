import Determinism
import JSON

extension KeySet {
    /// A manifest that describes the key sets of a tenant, without sources of secrets: for a folder that has no `keys.json`.
    public static func manifest(of sets: [KeySet]) -> JSONValue {
        ["keySets": .array(sets.map(\.description))]
    }

    /// Name, use, type and expiry of the key that expires last.
    private var description: JSONValue {
        var entry: JSONObject = ["name": .string(id)]
        let key = keys.max { ($0.expires ?? .latest) < ($1.expires ?? .latest) }
        if let use = key?.use { entry["use"] = .string(use.rawValue) }
        if let key, let kind = key.kind {
            entry["type"] = .string(key.hasCertificate ? "certificate" : kind == .rsa ? "rsa" : "secret")
        }
        if let expires = key?.expires { entry["expires"] = .string(expires.rfc3339) }
        return .object(entry)
    }
}
