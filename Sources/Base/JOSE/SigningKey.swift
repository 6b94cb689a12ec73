import JSON

/// An RSA private key that signs tokens with RS256 (RFC 7518, section 3.3).
///
/// It is parsed once and immutable; threads may sign with it at the same time.
public final class SigningKey: Sendable {
    /// What the tenant file or a script calls it.
    public let name: String
    private let material: Material

    /// What several names may share.
    final class Material: Sendable {
        let pem: String
        let jwk: JWK
        let kid: String
        let key: any PrivateKey

        init(pem: String, provider: SignatureProvider) throws(JOSEError) {
            guard let block = PEM.read(pem) else {
                throw .unsupportedKey("expected a private key in PEM form, -----BEGIN PRIVATE KEY-----")
            }
            guard block.label == "PRIVATE KEY" || block.label == "RSA PRIVATE KEY" else {
                throw .unsupportedKey("expected an unencrypted private key in PEM form, found \(block.label)")
            }
            guard let numbers = DER.numbers(privateKey: block.bytes, pkcs8: block.label == "PRIVATE KEY") else {
                throw .unsupportedKey("expected an RSA private key; only RSA keys sign RS256")
            }
            guard numbers[0].count >= 256 else {
                throw .unsupportedKey(
                    "the RSA key has \(numbers[0].count * 8) bits; RS256 needs at least 2048 (RFC 7518, section 3.3)")
            }
            guard let key = provider.privateKey(pem: pem) else {
                throw .unsupportedKey("\(provider.name) cannot read the private key")
            }
            var jwk = JWK(n: Base64URL.encode(numbers[0]), e: Base64URL.encode(numbers[1]), use: "sig")
            guard let kid = jwk.thumbprint else { throw .unsupportedKey("expected an RSA private key") }
            jwk.kid = kid
            self.pem = pem
            self.jwk = jwk
            self.kid = kid
            self.key = key
        }
    }

    /// - Parameters:
    ///   - pem: An unencrypted RSA key of 2048 bits or more, PKCS #8 or PKCS #1.
    ///   - provider: Whose RSA; the process's own choice unless a test compares them.
    public init(
        name: String, pem: String, provider: SignatureProvider = SignatureProvider.selected
    ) throws(JOSEError) {
        self.name = name
        material = try Material(pem: pem, provider: provider)
    }

    init(name: String, material: Material) {
        self.name = name
        self.material = material
    }

    /// The RFC 7638 thumbprint. Relying parties cache keys by it, so a fixed word would break them after a restart.
    public var kid: String { material.kid }

    /// The public part with `kid` and `use`.
    public var jwk: JWK { material.jwk }

    /// The private key as it was given.
    public var pem: String { material.pem }

    /// The public part as SubjectPublicKeyInfo in PEM.
    public var publicKeyPEM: String { material.jwk.pem ?? "" }

    /// The RS256 signature of some bytes, as long as the key's modulus.
    public func sign(_ bytes: [UInt8]) -> [UInt8] {
        material.key.sign(bytes)
    }
}
