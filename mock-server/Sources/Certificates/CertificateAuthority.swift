import CommandKit
import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority of this machine's own: EC P-256, made once and kept, good for local servers alone.
struct CertificateAuthority: Sendable {
    let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    /// How long the authority is good for.
    static let lifetime: TimeInterval = 10 * 365 * 86_400
    /// How long a server's certificate is good for; browsers of Apple take no more than 825 days.
    static let leafLifetime: TimeInterval = 397 * 86_400

    /// Why the files of an authority cannot be used.
    struct Unusable: Error {
        var text: String
    }

    // MARK: Made and kept

    /// Makes a new one.
    ///
    /// - Parameter owner: Shown in its name, so that a person knows it again in a list of authorities.
    static func make(owner: String, now: Date) throws -> CertificateAuthority {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            OrganizationName("b2c-harness")
            CommonName("b2c-harness local authority (\(owner))")
        }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(lifetime),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: .init(key))
        return CertificateAuthority(certificate: certificate, key: key)
    }

    /// The authority of a folder; made at first.
    static func kept(in folder: CertificateFolder, owner: String, now: Date) throws -> CertificateAuthority {
        do throws(FileSystem.Problem) {
            try FileSystem.makeFolder(folder.path, mode: 0o700)
        } catch {
            throw Failure.machine("\(folder.path) cannot be made: \(error.text)") as any Error
        }
        return try FileSystem.locked(folder.lock) {
            if FileSystem.kind(folder.certificate) != nil || FileSystem.kind(folder.privateKey) != nil {
                return try read(folder, now: now)
            }
            let made = try make(owner: owner, now: now)
            try made.write(to: folder)
            return made
        }
    }

    /// Reads what was kept.
    static func read(_ folder: CertificateFolder, now: Date) throws -> CertificateAuthority {
        let remedy = "; make another with: b2c certificate create --force"
        let certificate: Certificate
        let key: P256.Signing.PrivateKey
        do {
            certificate = try Certificate(
                pemEncoded: String(decoding: try FileSystem.read(folder.certificate), as: UTF8.self))
            key = try P256.Signing.PrivateKey(
                pemRepresentation: String(decoding: try FileSystem.read(folder.privateKey), as: UTF8.self))
        } catch let problem as FileSystem.Problem {
            throw Unusable(text: "the certificate authority in \(folder.path) cannot be read: \(problem.text)\(remedy)")
        } catch {
            throw Unusable(text: "the files in \(folder.path) are not our certificate authority\(remedy)")
        }
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw Unusable(text: "certificate and key in \(folder.path) do not belong together\(remedy)")
        }
        guard certificate.notValidAfter > now else {
            throw Unusable(text: "the certificate authority in \(folder.path) has expired\(remedy)")
        }
        if let mode = FileSystem.mode(folder.privateKey), mode & 0o077 != 0 {
            throw Unusable(
                text: "others can read the private key of the certificate authority: chmod 600 \(folder.privateKey)")
        }
        return CertificateAuthority(certificate: certificate, key: key)
    }

    /// Writes both files, the key for its owner alone.
    func write(to folder: CertificateFolder) throws {
        let pem = try certificate.serializeAsPEM().pemString
        do throws(FileSystem.Problem) {
            try FileSystem.write(Array((key.pemRepresentation + "\n").utf8), to: folder.privateKey, mode: 0o600)
            try FileSystem.write(Array((pem + "\n").utf8), to: folder.certificate, mode: 0o644)
        } catch {
            throw Failure.machine("\(folder.path) cannot be written: \(error.text)") as any Error
        }
    }

    // MARK: What it is good for

    /// Base64 of the SHA-256 of the public key (SPKI), which Chromium takes with
    /// `--ignore-certificate-errors-spki-list`.
    var publicKeyHash: String {
        let spki = key.publicKey.derRepresentation
        return Data(SHA256.hash(data: spki)).base64EncodedString()
    }

    /// A server's certificate, made at each start: its key never touches the disk.
    struct Leaf: Sendable {
        /// The certificate and, behind it, the authority's, in DER. The authority's is sent along, so that its hash is
        /// enough for Chromium.
        var chain: [[UInt8]]
        /// The private key in PEM.
        var privateKey: String
    }

    /// - Parameter names: Host names and addresses; no wildcards.
    func leaf(for names: [String], now: Date) throws -> Leaf {
        let own = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(own.publicKey)
        let subject = try DistinguishedName {
            OrganizationName("b2c-harness")
            // A common name has 64 characters at most; clients read the alternative names alone.
            CommonName(String((names.first ?? "localhost").prefix(64)))
        }
        let leaf = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400),
            notValidAfter: min(now.addingTimeInterval(Self.leafLifetime), certificate.notValidAfter),
            issuer: certificate.subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.compactMap(Self.generalName))
                SubjectKeyIdentifier(hash: publicKey)
                try AuthorityKeyIdentifier(
                    keyIdentifier: certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
            },
            issuerPrivateKey: .init(key))
        return Leaf(
            chain: try [leaf, certificate].map { certificate in
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return serializer.serializedBytes
            },
            privateKey: own.pemRepresentation)
    }

    private static func generalName(_ name: String) -> GeneralName? {
        if let address = IPAddressBytes.read(name) { return .ipAddress(ASN1OctetString(contentBytes: address[...])) }
        return HostName.isValid(name) && !name.contains(":") ? .dnsName(name) : nil
    }
}
