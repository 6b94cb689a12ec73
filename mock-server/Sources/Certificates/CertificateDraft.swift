import CommandKit
import Determinism
import JOSE

/// What a certificate is to say (RFC 5280, section 4.1).
struct CertificateDraft {
    /// Names and key in DER.
    var issuer: [UInt8]
    var subject: [UInt8]
    var publicKey: [UInt8]
    var notBefore: Timestamp
    var notAfter: Timestamp
    /// Extensions in DER.
    var extensions: [[UInt8]]

    /// Signed by the issuer's key; in DER. The serial number is drawn: 20 bytes, and positive.
    func signed(by key: P256Key) -> [UInt8] {
        // ecdsa-with-SHA256 (RFC 5758, section 3.2).
        let algorithm = DER.sequence(DER.identifier([1, 2, 840, 10045, 4, 3, 2]))
        var serial = Machine.drawBytes(20)
        serial[0] = serial[0] & 0x7f | 0x40
        let version3 = DER.element(0xa0, DER.unsignedInteger([2]))
        let certificate = DER.sequence(
            version3, DER.unsignedInteger(serial), algorithm, issuer,
            DER.sequence(DER.time(notBefore), DER.time(notAfter)), subject, publicKey,
            DER.element(0xa3, DER.element(DER.sequence, extensions.flatMap { $0 })))
        return DER.sequence(certificate, algorithm, DER.bits(key.sign(certificate)))
    }

    /// A name of an organization and a common name, which has 64 characters at most.
    static func name(organization: String, commonName: String) -> [UInt8] {
        func attribute(_ number: Int, _ text: String) -> [UInt8] {
            let type = DER.identifier([2, 5, 4, number])
            return DER.element(DER.set, DER.sequence(type, DER.element(DER.text, Array(text.utf8))))
        }
        return DER.sequence(attribute(10, organization), attribute(3, String(commonName.prefix(64))))
    }
}

/// The extensions that the certificates have (RFC 5280, section 4.2.1).
enum CertificateExtension {
    /// The numbers of the identifier of a SubjectKeyIdentifier.
    static let subjectKey = [2, 5, 29, 14]

    /// - Parameter value: Its contents in DER.
    private static func make(_ identifier: [Int], _ value: [UInt8], isCritical: Bool = false) -> [UInt8] {
        DER.sequence(
            DER.identifier(identifier), isCritical ? DER.element(DER.boolean, [0xff]) : [],
            DER.element(DER.octetString, value))
    }

    /// - Parameter authority: Whether it may sign certificates, of servers alone.
    static func basicConstraints(authority: Bool) -> [UInt8] {
        let signs = DER.sequence(DER.element(DER.boolean, [0xff]), DER.unsignedInteger([0]))
        return make([2, 5, 29, 19], authority ? signs : DER.sequence(), isCritical: true)
    }

    /// To sign certificates and lists of revoked ones, or else to sign what a connection begins with.
    static func keyUsage(authority: Bool) -> [UInt8] {
        make([2, 5, 29, 15], authority ? DER.bits([0x06], unused: 1) : DER.bits([0x80], unused: 7), isCritical: true)
    }

    static let serverAuthentication = make(
        [2, 5, 29, 37], DER.sequence(DER.identifier([1, 3, 6, 1, 5, 5, 7, 3, 1])))

    /// Host names and addresses; what is neither is skipped.
    static func alternativeNames(_ names: [String]) -> [UInt8] {
        let known = names.compactMap { name -> [UInt8]? in
            if let address = IPAddressBytes.read(name) { return DER.element(0x87, address) }
            guard HostName.isValid(name), !name.contains(":") else { return nil }
            return DER.element(0x82, Array(name.utf8))
        }
        return make([2, 5, 29, 17], DER.element(DER.sequence, known.flatMap { $0 }))
    }

    static func subjectKeyIdentifier(_ key: P256Key) -> [UInt8] {
        make(subjectKey, DER.element(DER.octetString, SHA1.hash(key.publicBytes)))
    }

    /// - Parameter identifier: That of the issuer's certificate.
    static func authorityKeyIdentifier(_ identifier: [UInt8]) -> [UInt8] {
        make([2, 5, 29, 35], DER.sequence(DER.element(0x80, identifier)))
    }
}
