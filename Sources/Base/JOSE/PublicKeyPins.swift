/// Hashes of the public keys of certificates, by which a browser can be told to believe a local authority.
public enum PublicKeyPins {
    /// Base64 of the SHA-256 of each certificate's SubjectPublicKeyInfo (RFC 7469, section 2.4), in the text's order.
    ///
    /// - Parameter pem: Certificates in PEM (RFC 7468). What is not a certificate is passed over.
    public static func hashes(pem: String) -> [String] {
        var hashes: [String] = []
        var block: [Substring] = []
        for line in pem.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("-----BEGIN ") { block = [] }
            block.append(line)
            guard line.hasPrefix("-----END CERTIFICATE-----"),
                let certificate = PEM.read(block.joined(separator: "\n"))?.bytes,
                let key = Certificate(der: certificate)?.publicKey
            else { continue }
            hashes.append(Base64.encode(SHA2.sha256(key)))
        }
        return hashes
    }
}
