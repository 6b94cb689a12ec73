import JSON
import Records

/// The authorities that a client trusts.
public enum KnownAuthorities: Hashable, Sendable {
    case all
    /// These URLs, compared as they are written.
    case urls([String])
}

extension Codec<KnownAuthorities> {
    static var knownAuthorities: Codec {
        let all = Choice("all", "Every policy of the tenant, in the form the client uses.")
        return Codec(
            shape: .anyOf([.oneOf([all]), .array(of: .url)]),
            decode: { value, cursor in
                if value == .string("all") { return .all }
                return Codec<String>.url.list().decode(value, cursor).map { .urls($0) }
            },
            encode: { known in
                switch known {
                case .all: .string("all")
                case .urls(let urls): .array(urls.map { .string($0) })
                }
            })
    }
}
