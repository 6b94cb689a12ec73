import CommandKit
import Determinism
import JOSE

/// A certificate authority of this machine's own: EC P-256, made once and kept, good for local servers alone.
struct CertificateAuthority: Sendable {
    let certificate: Certificate
    private let key: P256Key

    /// How long the authority is good for.
    static let lifetime = TimeSpan.days(10 * 365)
    /// How long a server's certificate is good for; browsers of Apple take no more than 825 days.
    static let leafLifetime = TimeSpan.days(397)

    /// Why the files of an authority cannot be used.
    struct Unusable: Error {
        var text: String
    }

    // MARK: Made and kept

    /// Makes a new one.
    ///
    /// - Parameter owner: Shown in its name, so that a person knows it again in a list of authorities.
    static func make(owner: String, now: Timestamp) throws -> CertificateAuthority {
        let key = drawKey()
        let name = CertificateDraft.name(
            organization: "b2c-harness", commonName: "b2c-harness local authority (\(owner))")
        let draft = CertificateDraft(
            issuer: name, subject: name, publicKey: key.publicKey, notBefore: now - .days(1), notAfter: now + lifetime,
            extensions: [
                CertificateExtension.basicConstraints(authority: true), CertificateExtension.keyUsage(authority: true),
                CertificateExtension.subjectKeyIdentifier(key),
            ])
        guard let certificate = Certificate(der: draft.signed(by: key)) else {
            throw Failure.machine("the certificate of the authority cannot be made at this time, \(now.rfc3339)")
        }
        return CertificateAuthority(certificate: certificate, key: key)
    }

    private static func drawKey() -> P256Key {
        while true { if let key = P256Key(secret: Machine.drawBytes(32)) { return key } }
    }

    /// The authority of a folder; made at first.
    static func kept(in folder: CertificateFolder, owner: String, now: Timestamp) throws -> CertificateAuthority {
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
    static func read(_ folder: CertificateFolder, now: Timestamp) throws -> CertificateAuthority {
        let remedy = "; make another with: b2c certificate create --force"
        let pem: (certificate: String, key: String)
        do throws(FileSystem.Problem) {
            pem = (
                String(decoding: try FileSystem.read(folder.certificate), as: UTF8.self),
                String(decoding: try FileSystem.read(folder.privateKey), as: UTF8.self)
            )
        } catch {
            throw Unusable(text: "the certificate authority in \(folder.path) cannot be read: \(error.text)\(remedy)")
                as any Error
        }
        guard let block = PEM.read(pem.certificate), block.label == "CERTIFICATE",
            let certificate = Certificate(der: block.bytes), let key = P256Key(pem: pem.key)
        else { throw Unusable(text: "the files in \(folder.path) are not our certificate authority\(remedy)") }
        guard certificate.publicKey == key.publicKey else {
            throw Unusable(text: "certificate and key in \(folder.path) do not belong together\(remedy)")
        }
        guard certificate.notAfter > now else {
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
        do throws(FileSystem.Problem) {
            try FileSystem.write(Array(key.pem.utf8), to: folder.privateKey, mode: 0o600)
            let pem = PEM.write("CERTIFICATE", certificate.bytes)
            try FileSystem.write(Array(pem.utf8), to: folder.certificate, mode: 0o644)
        } catch {
            throw Failure.machine("\(folder.path) cannot be written: \(error.text)") as any Error
        }
    }

    // MARK: What it is good for

    /// Base64 of the SHA-256 of the public key (SPKI), which Chromium takes with
    /// `--ignore-certificate-errors-spki-list`.
    var publicKeyHash: String { Base64.encode(SHA2.sha256(key.publicKey)) }

    /// A server's certificate, made at each start: its key never touches the disk.
    struct Leaf: Sendable {
        /// The certificate and, behind it, the authority's, in DER. The authority's is sent along, so that its hash is
        /// enough for Chromium.
        var chain: [[UInt8]]
        /// The private key in PEM.
        var privateKey: String
    }

    /// - Parameter names: Host names and addresses; no wildcards.
    func leaf(for names: [String], now: Timestamp) -> Leaf {
        let own = Self.drawKey()
        var extensions = [
            CertificateExtension.basicConstraints(authority: false), CertificateExtension.keyUsage(authority: false),
            CertificateExtension.serverAuthentication, CertificateExtension.alternativeNames(names),
            CertificateExtension.subjectKeyIdentifier(own),
        ]
        var reader = DERReader((certificate[CertificateExtension.subjectKey] ?? [])[...])
        if let identifier = reader.element(DER.octetString) {
            extensions.append(CertificateExtension.authorityKeyIdentifier(Array(identifier)))
        }
        let draft = CertificateDraft(
            issuer: certificate.subject,
            // Clients read the alternative names alone.
            subject: CertificateDraft.name(organization: "b2c-harness", commonName: names.first ?? "localhost"),
            publicKey: own.publicKey, notBefore: now - .days(1),
            notAfter: min(now + Self.leafLifetime, certificate.notAfter), extensions: extensions)
        return Leaf(chain: [draft.signed(by: key), certificate.bytes], privateKey: own.pem)
    }
}
