import CCrypto

/// A key on the curve P-256 that signs certificates with ECDSA and SHA-256.
package struct P256Key: Sendable {
    private let secret: [UInt8]
    /// x and y.
    private let point: [UInt8]

    /// AlgorithmIdentifier of id-ecPublicKey with secp256r1 (RFC 5480, section 2.1).
    private static let algorithm = DER.sequence(
        DER.identifier([1, 2, 840, 10045, 2, 1]), DER.identifier([1, 2, 840, 10045, 3, 1, 7]))
    /// The order of the curve (SP 800-186, section 3.2.1.3).
    private static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
    ]

    /// - Parameter secret: 32 bytes that nobody can guess; one number in four billion is too large or zero.
    package init?(secret: [UInt8]) {
        guard secret.count == 32 else { return nil }
        var point = [UInt8](repeating: 0, count: 64)
        guard b2c_p256_public(secret, &point) else { return nil }
        self.secret = secret
        self.point = point
    }

    /// Reads PKCS #8 (RFC 5958) or an ECPrivateKey (RFC 5915).
    package init?(pem: String) {
        guard let block = PEM.read(pem) else { return nil }
        var outer = DERReader(block.bytes[...])
        guard let body = outer.element(DER.sequence) else { return nil }
        var reader = DERReader(body)
        guard reader.element(DER.integer) != nil else { return nil }
        if block.label == "PRIVATE KEY" {
            guard let algorithm = reader.element(DER.sequence),
                DER.element(DER.sequence, Array(algorithm)) == Self.algorithm,
                let key = reader.element(DER.octetString)
            else { return nil }
            outer = DERReader(key)
            guard let body = outer.element(DER.sequence) else { return nil }
            reader = DERReader(body)
            guard reader.element(DER.integer) != nil else { return nil }
        }
        guard let secret = reader.element(DER.octetString) else { return nil }
        self.init(secret: Array(secret))
    }

    /// PKCS #8.
    package var pem: String {
        let version = DER.unsignedInteger([0])
        let key = DER.sequence(
            DER.unsignedInteger([1]), DER.element(DER.octetString, secret),
            DER.element(0xa1, DER.bits(publicBytes)))
        return PEM.write("PRIVATE KEY", DER.sequence(version, Self.algorithm, DER.element(DER.octetString, key)))
    }

    /// SubjectPublicKeyInfo.
    package var publicKey: [UInt8] { DER.sequence(Self.algorithm, DER.bits(publicBytes)) }

    /// The public point without compression (SEC 1, section 2.3.3), of which key identifiers are made.
    package var publicBytes: [UInt8] { [4] + point }

    /// ECDSA-Sig-Value (RFC 3279, section 2.2.3).
    package func sign(_ bytes: [UInt8], provider: SignatureProvider = SignatureProvider.selected) -> [UInt8] {
        if provider == .openSSL, let key = provider.privateKey(pem: pem) {
            let signature = key.sign(bytes)
            if !signature.isEmpty { return signature }
        }
        let hash = SHA2.sha256(bytes)
        var signature = [UInt8](repeating: 0, count: 64)
        var nonces = Nonces(secret: secret, hash: Self.reduced(hash))
        while !b2c_p256_sign(hash, secret, nonces.next(), &signature) {}
        return DER.sequence(
            DER.unsignedInteger(signature[..<32].drop { $0 == 0 }),
            DER.unsignedInteger(signature[32...].drop { $0 == 0 }))
    }

    private static func reduced(_ hash: [UInt8]) -> [UInt8] {
        guard !hash.lexicographicallyPrecedes(order) else { return hash }
        var borrow = 0
        return Array(
            zip(hash, order).reversed().map { one, other in
                let difference = Int(one) - Int(other) - borrow
                borrow = difference < 0 ? 1 : 0
                return UInt8(truncatingIfNeeded: difference)
            }.reversed())
    }
}

/// The secret numbers of signatures, from key and hash: no generator can draw one twice (RFC 6979, section 3.2).
private struct Nonces {
    private var key = [UInt8](repeating: 0, count: 32)
    private var value = [UInt8](repeating: 1, count: 32)
    private var isFirst = true

    init(secret: [UInt8], hash: [UInt8]) {
        for separator: UInt8 in [0, 1] { mix([separator] + secret + hash) }
    }

    private mutating func mix(_ bytes: [UInt8]) {
        key = SHA2.hmacSHA256(key: key, value + bytes)
        value = SHA2.hmacSHA256(key: key, value)
    }

    mutating func next() -> [UInt8] {
        if !isFirst { mix([0]) }
        isFirst = false
        value = SHA2.hmacSHA256(key: key, value)
        return value
    }
}
