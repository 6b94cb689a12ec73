import ArgumentParser

/// What everything that listens can be told: `mock-server` and `mock-server record`.
struct ListeningOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Serve https, HTTP/1.1 and HTTP/2, by a certificate authority of this machine's own. (B2C_TLS)")
    var tls = false

    @OptionGroup var certificates: CertificateOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Write the URL into this file once it is ready. (B2C_READY_FILE)", valueName: "file"))
    var readyFile: String?

    @Flag(name: .long, help: "No log of requests. (B2C_QUIET)")
    var quiet = false

    // MARK: As meant, environment included

    var usesTLS: Bool { tls || Machine.isOn("B2C_TLS") }

    var isQuiet: Bool { quiet || Machine.isOn("B2C_QUIET") }

    var readyPath: String? { readyFile ?? Machine.environment("B2C_READY_FILE") }

    /// The port that was asked for.
    ///
    /// - Parameters:
    ///   - given: what the command line says.
    ///   - name: its twin in the environment.
    static func port(_ given: Int?, _ name: String, usual: Int) throws -> Int {
        let port = try given ?? number(name) ?? usual
        try check(port)
        return port
    }

    static func check(_ port: Int) throws {
        guard (0...65_535).contains(port) else {
            throw Failure.usage(
                "\(port) is not a port: ports are 0 to 65535; choose one with --port, such as --port 9400")
        }
    }

    /// A number of the environment; `nil` where it is not set.
    static func number<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
        guard let text = Machine.environment(name) else { return nil }
        guard let number = Number(text) else {
            throw Failure.usage("\(name) is \"\(text)\", and must be a whole number")
        }
        return number
    }
}
