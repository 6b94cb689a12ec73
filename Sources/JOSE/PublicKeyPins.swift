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
                let key = subjectPublicKeyInfo(of: certificate)
            else { continue }
            hashes.append(Base64.encode(SHA2.sha256(key)))
        }
        return hashes
    }

    /// The seventh member of a TBSCertificate, or the sixth without the version (RFC 5280, section 4.1).
    private static func subjectPublicKeyInfo(of certificate: [UInt8]) -> [UInt8]? {
        let version: UInt8 = 0xa0
        var outer = DERReader(certificate[...])
        guard let whole = outer.element(DER.sequence) else { return nil }
        var inner = DERReader(whole)
        guard let signed = inner.element(DER.sequence) else { return nil }
        var reader = DERReader(signed)
        _ = reader.element(version)
        guard reader.element(DER.integer) != nil else { return nil }
        // Signature algorithm, issuer, validity, subject.
        for _ in 0..<4 where reader.element(DER.sequence) == nil { return nil }
        return reader.element(DER.sequence).map { DER.element(DER.sequence, Array($0)) }
    }
}
