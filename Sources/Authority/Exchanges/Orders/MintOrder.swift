import B2CProtocol
import Determinism
import JSON
import Records

/// A token made to order, out of another or out of nothing: for tests of those who check tokens.
public struct MintOrder: SettingsRecord {
    /// How the token is signed.
    public enum Algorithm: String, SettingWord {
        case rs256 = "RS256", hs256 = "HS256"
        case none

        public var doc: String {
            switch self {
            case .rs256: "RSA with SHA-256, as the authority signs."
            case .hs256: "HMAC with the public key's text as secret, a known attack."
            case .none: "No signature."
            }
        }
    }

    /// What is changed after signing.
    public enum Tamper: String, SettingWord {
        case payload, signature

        public var doc: String {
            switch self {
            case .payload: "The claims, so that the signature no longer fits."
            case .signature: "The signature itself."
            }
        }
    }

    /// Token to copy header and claims from.
    public var from: String?
    /// Patches (RFC 7396) over claims and header.
    public var claims: JSONValue = [:]
    public var header: JSONValue = [:]
    /// `iat` and `nbf` become now, `exp` this much later; may be negative. `nil`: as the claims say.
    public var lifetime: TimeSpan?
    /// Name of a key; `nil`: the one that signed `from`, else the one user flows sign with. A name that no key set
    /// publishes is a key that nobody knows.
    public var key: String?
    public var algorithm = Algorithm.rs256
    public var tamper: Tamper?

    public init() {}

    public init(
        from: String?, claims: JSONValue = [:], header: JSONValue = [:], lifetime: TimeSpan? = nil,
        key: String? = nil, algorithm: Algorithm = .rs256, tamper: Tamper? = nil
    ) {
        self.from = from
        self.claims = claims
        self.header = header
        self.lifetime = lifetime
        self.key = key
        self.algorithm = algorithm
        self.tamper = tamper
    }

    package static let title = "token to be made"
    package static let summary = "As the `mintToken` verb of a script."
    package static let settings: [Setting<MintOrder>] = {
        var table = SettingsTable<MintOrder>()
        table.add("from", \.from, source, "The token to copy.")
        table.add(
            "claims", \.claims, .patch("name of the claim"), "Patch over the claims; null removes one.")
        table.add(
            "header", \.header, .patch("name of the member"), "Patch over the header; null removes a member.")
        table.add(
            "lifetime", \.lifetime, Codec<TimeSpan>.span.optional(),
            "How long it is good from now on; may be negative.", default: "PT1H")
        table.add(
            "key", \.key, Codec<String>.nonEmpty.optional(),
            "The key that signs; any unknown name is a fresh key that nobody publishes.",
            default: "the key of the user flows")
        table.add("alg", \.algorithm, .word(), "The signature algorithm.", default: "RS256")
        table.add("tamper", \.tamper, Codec<Tamper>.word().optional(), "What is changed after signing.")
        return table.rows
    }()

    /// A token's text, or an object that has it as `raw`.
    package static let source = Codec<String?>(
        shape: .string,
        decode: { value, cursor in
            value.stringValue ?? value["raw"]?.stringValue ?? cursor.expected("a token or its text", value)
        },
        encode: { $0.map { .string($0) } })

    /// The order as scripts and the control API mean it: a token of their own claims is good for an hour.
    package var withLifetime: MintOrder {
        var order = self
        if from == nil, lifetime == nil { order.lifetime = .hours(1) }
        return order
    }
}

extension Codec<JSONValue> {
    fileprivate static func patch(_ keyHint: String) -> Codec {
        Codec(
            shape: .map(of: .any, keyHint: keyHint),
            decode: { value, cursor in cursor.object(value).map { .object($0) } },
            encode: { $0 })
    }
}
