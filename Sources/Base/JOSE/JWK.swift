import JSON

/// A public key as a JSON Web Key (RFC 7517).
public struct JWK: Hashable, Sendable {
    public var kid: String?
    /// From when the key is in use, in seconds since 1970. Not of the RFC: B2C's keys have it.
    public var nbf: Int64?
    public var use: String?
    /// `RSA`; others are kept but verify nothing.
    public var kty: String
    /// The public exponent in base64url.
    public var e: String?
    /// The modulus in base64url.
    public var n: String?
    public var alg: String?

    public init(
        kty: String = "RSA", kid: String? = nil, n: String? = nil, e: String? = nil, use: String? = nil,
        alg: String? = nil, nbf: Int64? = nil
    ) {
        self.kty = kty
        self.kid = kid
        self.n = n
        self.e = e
        self.use = use
        self.alg = alg
        self.nbf = nbf
    }

    /// `nil` unless it is an object with a `kty`. Members that are not listed here are dropped.
    public init?(json: JSONValue) {
        guard let kty = json["kty"]?.stringValue else { return nil }
        self.init(
            kty: kty, kid: json["kid"]?.stringValue, n: json["n"]?.stringValue, e: json["e"]?.stringValue,
            use: json["use"]?.stringValue, alg: json["alg"]?.stringValue, nbf: json["nbf"]?.intValue)
    }

    /// In the order of B2C's key documents, `kid nbf use kty e n`, then `alg`; absent members left out.
    public var json: JSONObject {
        var object = JSONObject()
        if let kid { object.append("kid", .string(kid)) }
        if let nbf { object.append("nbf", .integer(nbf)) }
        if let use { object.append("use", .string(use)) }
        object.append("kty", .string(kty))
        if let e { object.append("e", .string(e)) }
        if let n { object.append("n", .string(n)) }
        if let alg { object.append("alg", .string(alg)) }
        return object
    }

    /// The SHA-256 thumbprint in base64url (RFC 7638); `nil` for a key that is not RSA or lacks a number.
    public var thumbprint: String? {
        guard kty == "RSA", let e, let n else { return nil }
        let members: JSONObject = ["e": .string(e), "kty": "RSA", "n": .string(n)]
        return Base64URL.encode(SHA2.sha256(JSONWriter.compactBytes(members)))
    }

    /// SubjectPublicKeyInfo in PEM; `nil` for a key that is not RSA or not readable.
    public var pem: String? {
        der.map { PEM.write("PUBLIC KEY", $0) }
    }

    var der: [UInt8]? {
        guard kty == "RSA", let e = e.flatMap({ Base64URL.decode($0) }), let n = n.flatMap({ Base64URL.decode($0) }),
            !e.isEmpty, !n.isEmpty
        else { return nil }
        return DER.publicKey(modulus: Array(n.drop { $0 == 0 }), exponent: Array(e.drop { $0 == 0 }))
    }
}

/// A key document: `{"keys": [...]}`.
public struct JWKSet: Hashable, Sendable {
    public var keys: [JWK]

    public init(keys: [JWK]) {
        self.keys = keys
    }

    /// `nil` unless it is an object with an array `keys`; entries that are not keys are passed over, as RFC 7517,
    /// section 5, wants.
    public init?(json: JSONValue) {
        guard let entries = json["keys"]?.arrayValue else { return nil }
        keys = entries.compactMap { JWK(json: $0) }
    }

    public var json: JSONObject {
        ["keys": .array(keys.map { .object($0.json) })]
    }

    /// The first key of that identifier.
    public subscript(kid kid: String) -> JWK? {
        keys.first { $0.kid == kid }
    }
}
