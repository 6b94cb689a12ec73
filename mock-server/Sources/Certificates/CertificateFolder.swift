import CommandKit

/// Where the local certificate authority keeps its certificate and its private key.
struct CertificateFolder: Sendable {
    let path: String

    /// What a person hands to programs that are to trust the server.
    var certificate: String { path + "/ca.pem" }
    /// Readable by its owner alone.
    var privateKey: String { path + "/ca-key.pem" }
    /// Held while the two are made, so that two servers that start together do not make two authorities.
    var lock: String { path + "/.lock" }

    init(_ path: String) {
        self.path = path
    }

    /// The folder asked for, else `B2C_CERTIFICATE_DIRECTORY`, else the user's own: below Application Support on macOS,
    /// below the data folder elsewhere (XDG Base Directory).
    static func chosen(_ asked: String?) throws -> CertificateFolder {
        if let path = asked ?? Machine.environment("B2C_CERTIFICATE_DIRECTORY") { return CertificateFolder(path) }
        #if canImport(Darwin)
            if let home = Machine.environment("HOME") {
                return CertificateFolder(home + "/Library/Application Support/b2c-harness/certificates")
            }
        #else
            if let data = Machine.environment("XDG_DATA_HOME"), data.hasPrefix("/") {
                return CertificateFolder(data + "/b2c-harness/certificates")
            }
            if let home = Machine.environment("HOME") {
                return CertificateFolder(home + "/.local/share/b2c-harness/certificates")
            }
        #endif
        throw Failure.usage("there is no home folder to keep the certificates in: give --certificate-directory")
    }
}
