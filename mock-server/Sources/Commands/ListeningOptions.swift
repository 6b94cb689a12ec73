import ArgumentParser
import CommandKit

/// What everything that listens can be told: `mock-server` and `mock-server record`.
struct ListeningOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Serve https by a certificate authority of this machine's own. (B2C_TLS)")
    var tls = false

    @OptionGroup var certificates: CertificateOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Write the URL into this file once it is ready. (B2C_READY_FILE)", valueName: "file"))
    var readyFile: String?

    @Flag(name: .long, help: "No log of requests. (B2C_QUIET)")
    var quiet = false

    // MARK: As meant, environment included

    var usesTLS: Bool { tls || EnvironmentOption.isOn("B2C_TLS") }

    var isQuiet: Bool { quiet || EnvironmentOption.isOn("B2C_QUIET") }

    var readyPath: String? { readyFile ?? Machine.environment("B2C_READY_FILE") }

    /// The port that was asked for.
    ///
    /// - Parameters:
    ///   - given: what the command line says.
    ///   - name: its environment variable.
    static func port(_ given: Int?, _ name: String, usual: Int) throws -> Int {
        let port = try given ?? EnvironmentOption.number(name, as: Int.self) ?? usual
        try check(port)
        return port
    }

    static func check(_ port: Int) throws {
        guard (0...65_535).contains(port) else {
            throw Failure.usage(
                "\(port) is not a port: ports are 0 to 65535; choose one with --port, such as --port 9400")
        }
    }
}
