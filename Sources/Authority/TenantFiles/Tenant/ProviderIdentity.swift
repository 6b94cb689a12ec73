import Determinism
import JSON
import Records

/// What an identity provider says of one person.
public struct ProviderIdentity: Hashable, Sendable {
    /// The provider's name in the tenant file.
    public var provider: String
    /// The claims it sends for this person, under the names of its own protocol.
    public var claims: JSONObject

    public init(provider: String, claims: JSONObject = JSONObject()) {
        self.provider = provider
        self.claims = claims
    }
}

extension Codec<[ProviderIdentity]> {
    static var identities: Codec {
        Codec(
            shape: .map(
                of: .map(of: .any, keyHint: "claim"), keyHint: "provider", keys: .provider),
            decode: { value, cursor in
                guard let object = cursor.object(value) else { return nil }
                return object.members.compactMap { key, member in
                    cursor.at(key).object(member).map { ProviderIdentity(provider: key, claims: $0) }
                }
            },
            encode: { identities in
                .object(JSONObject(identities.map { ($0.provider, .object($0.claims)) }))
            })
    }
}

extension Codec<GUID> {
    static var guid: Codec {
        Codec(
            shape: .pattern(
                "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$", hint: "a GUID"),
            decode: { value, cursor in
                if cursor.isTemplate(value) { return nil }
                return value.stringValue.flatMap(GUID.init) ?? cursor.expected("a GUID", value)
            },
            encode: { .string($0.description) })
    }
}

extension Codec<Timestamp?> {
    static var optionalInstant: Codec { Codec<Timestamp>.instant.optional() }
}
