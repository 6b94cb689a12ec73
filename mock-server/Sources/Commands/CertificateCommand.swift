import ArgumentParser
import CommandKit
import Foundation

/// `mock-server certificate`.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "The local certificate authority that --tls signs with.",
        subcommands: [
            CertificateCreateCommand.self, CertificatePathCommand.self, CertificateTrustCommand.self,
        ])
}

/// Where the authority is kept.
struct CertificateOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of the certificate authority. (B2C_CERTIFICATE_DIRECTORY; a folder of the user)",
            valueName: "folder"))
    var certificateDirectory: String?

    func folder() throws -> CertificateFolder { try CertificateFolder.chosen(certificateDirectory) }

    /// The name in the authority's own.
    static var owner: String {
        let user = Machine.environment("USER") ?? Machine.environment("LOGNAME") ?? "local"
        return String(user.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(24))
    }

    /// Turns what is wrong with the files into the end of the command.
    static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as CertificateAuthority.Unusable {
            throw Failure.input(problem.text)
        }
    }
}

/// `mock-server certificate create`.
struct CertificateCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Makes the certificate authority, if there is none.",
        discussion:
            "Its private key is in a file that only you can read. Anyone who has that key can impersonate any server to you."
    )

    @OptionGroup var options: CertificateOptions

    @Flag(
        name: .long,
        help: "Make another one and replace the old one. Devices that trusted the old one must trust the new one.")
    var force = false

    func run() async throws {
        let folder = try options.folder()
        if force {
            try CertificateOptions.reading {
                do throws(FileSystem.Problem) {
                    try FileSystem.makeFolder(folder.path, mode: 0o700)
                } catch {
                    throw Failure.machine("\(folder.path) cannot be made: \(error.text)") as any Error
                }
                try FileSystem.locked(folder.lock) {
                    try CertificateAuthority.make(owner: CertificateOptions.owner, now: Machine.clock.now()).write(
                        to: folder)
                }
            }
        } else {
            _ = try CertificateOptions.reading {
                try CertificateAuthority.kept(in: folder, owner: CertificateOptions.owner, now: Machine.clock.now())
            }
        }
        Machine.out.write(data: folder.certificate + "\n")
        Machine.error.write("To let programs trust it: b2c certificate trust\n")
    }
}

/// `mock-server certificate path`.
struct CertificatePathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Prints where the authority's certificate is: a PEM file for --cacert and its like.")

    @OptionGroup var options: CertificateOptions

    @Flag(
        name: .long,
        help:
            "Print the base64 SHA-256 of its public key instead, for Chromium's --ignore-certificate-errors-spki-list.")
    var spki = false

    func run() async throws {
        let folder = try options.folder()
        guard FileSystem.kind(folder.certificate) != nil else {
            throw Failure.input(
                "there is no certificate authority in \(folder.path): make it with: b2c certificate create")
        }
        guard spki else {
            Machine.out.write(data: folder.certificate + "\n")
            return
        }
        let authority = try CertificateOptions.reading {
            try CertificateAuthority.read(folder, now: Machine.clock.now())
        }
        Machine.out.write(authority.publicKeyHash + "\n")
    }
}

/// `mock-server certificate trust`.
struct CertificateTrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Prints how systems and programs come to trust the authority; does it only with --install.")

    @OptionGroup var options: CertificateOptions

    @Flag(
        name: .long, help: "Put it among the authorities of this system (asks for root rights where they are needed).")
    var install = false

    func run() async throws {
        let folder = try options.folder()
        let authority = try CertificateOptions.reading {
            try CertificateAuthority.kept(in: folder, owner: CertificateOptions.owner, now: Machine.clock.now())
        }
        let guide = TrustGuide(certificate: folder.certificate, publicKeyHash: authority.publicKeyHash)
        guard install else {
            Machine.out.write(guide.text)
            return
        }
        for command in try guide.commandsHere() {
            Machine.error.write("+ \(command.joined(separator: " "))\n")
            let status = try Self.run(command)
            guard status == 0 else {
                throw Failure.machine("\(command[0]) ended with \(status): the system does not trust the authority yet")
            }
        }
        Machine.error.write(
            "This system trusts \(folder.certificate) now. Firefox and others keep lists of their own: b2c certificate trust\n"
        )
    }

    private static func run(_ command: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        do { try process.run() } catch { throw Failure.machine("\(command[0]) cannot be started: \(error)") }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
