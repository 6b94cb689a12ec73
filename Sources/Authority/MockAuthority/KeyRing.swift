import Determinism
import JOSE
import JSON
import TenantFiles
import TrustFramework

/// The keys of the tenant's key sets: which one signs, which are published, and since when each is known.
struct KeyRing: Sendable {
    struct Entry: Sendable {
        var key: SigningKey
        /// `nbf` of the published key, in seconds since 1970.
        var since: Int64
    }

    struct Ring: Sendable {
        var name: String
        var use: SigningKey
        var published: [Entry]
        /// The document of the keys endpoint.
        var document: String
        /// Header of tokens signed with the key in use, `alg kid typ`.
        var header: JSONObject
    }

    /// `nbf` of the key that all user flows share (recorded); keys of the first configuration get it.
    static let firstKeySince: Int64 = 1_493_763_266

    private(set) var rings: [Ring] = []

    /// Rings for a tenant; keys that `previous` knew keep their age, others come into being now.
    init(tenant: Tenant, previous: KeyRing?, at now: Timestamp) {
        self.init(
            tenant: tenant, known: previous?.ages ?? [:],
            otherwise: previous == nil ? Self.firstKeySince : now.secondsSinceEpoch)
    }

    /// Since when each published key is known, in seconds since 1970, by set and kid.
    var ages: [String: [String: Int64]] {
        var ages: [String: [String: Int64]] = [:]
        for ring in rings {
            for entry in ring.published { ages[ring.name, default: [:]][entry.key.kid] = entry.since }
        }
        return ages
    }

    /// - Parameters:
    ///   - known: Ages of keys by set and kid.
    ///   - otherwise: Age of the others.
    init(tenant: Tenant, known: [String: [String: Int64]], otherwise: Int64) {
        let policyKeys = tenant.policyKeys.compactMap { entry in
            entry.key.map { key in
                KeySetSettings {
                    $0.name = Self.ringName(ofPolicyKey: entry.name)
                    $0.use = key
                    $0.publish = entry.publish.isEmpty ? [key] : entry.publish
                }
            }
        }
        for set in tenant.keySets + policyKeys {
            let published = set.publish.map { name in
                let key = TestKeys.named(name)
                return Entry(key: key, since: known[set.name]?[key.kid] ?? otherwise)
            }
            let use = TestKeys.named(set.use)
            rings.append(
                Ring(
                    name: set.name, use: use, published: published, document: Self.document(published),
                    header: ["alg": "RS256", "kid": .string(use.kid), "typ": "JWT"]))
        }
    }

    /// The ring of a policy key that the tenant file gives, by its storage reference id.
    static func ringName(ofPolicyKey name: String) -> String { "policyKeys/\(name.lowercased())" }

    /// The ring of this name. A policy that names a set the tenant lacks gets the tenant's own.
    func ring(_ name: String) -> Ring? {
        rings.first { $0.name == name } ?? rings.first { $0.name == "tenant" } ?? rings.first
    }

    /// The published key with this kid, in any set: hints are checked against all of them.
    func publishedKey(kid: String) -> SigningKey? {
        for ring in rings {
            if let entry = ring.published.first(where: { $0.key.kid == kid }) { return entry.key }
        }
        return nil
    }

    /// `{"keys":[{"kid":...,"nbf":...,"use":"sig","kty":"RSA","e":...,"n":...}]}`, members in the order recorded.
    private static func document(_ entries: [Entry]) -> String {
        let keys = entries.map { entry -> JSONValue in
            var members = JSONObject()
            let jwk = entry.key.jwk.json
            members["kid"] = .string(entry.key.kid)
            members["nbf"] = .integer(entry.since)
            members["use"] = "sig"
            members["kty"] = "RSA"
            members["e"] = jwk["e"]
            members["n"] = jwk["n"]
            return .object(members)
        }
        return JSONWriter.compact(["keys": .array(keys)])
    }
}
