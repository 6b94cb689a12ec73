import ArgumentParser
import AuthorityHosting
import B2CProtocol
import CommandKit
import Determinism
import Diagnostics
import NIOSSL
import Synchronization

/// `mock-server --tenant FILE`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves a tenant until it is stopped (SIGTERM or SIGINT).",
        discussion: """
            Without a tenant file it serves an embedded tenant, the one that `b2c init` writes. A tenant or policy file that \
            changes is loaded again. One line on the standard output says that it is ready and where; requests are logged to the error output. \
            Every option can be set in the environment, such as B2C_PORT for --port.
            """)

    @Argument(help: ArgumentHelp("The tenant file, as --tenant has it.", valueName: "tenant file"))
    var file: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The tenant file; without one an embedded tenant. (B2C_TENANT)", valueName: "file"))
    var tenant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Serve the custom policies of this folder too: every file that has a relying party. (B2C_POLICIES)",
            valueName: "folder"))
    var policies: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with values for {Settings:NAME} in policies (B2C_SETTINGS; the appsettings.json beside those of --policies); "
                + "or \(SettingsForm.allCases.map(\.rawValue).joined(separator: ", ")): print the settings of an app for this server, and end.",
            valueName: "file")
    )
    var settings: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Which environment of the file. (B2C_ENVIRONMENT; the first)", valueName: "name"))
    var environment: String?

    @Option(
        name: .long, help: ArgumentHelp("The address to listen at. (B2C_HOST; localhost)", valueName: "address")
    )
    var host: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The port; 0 takes a free one. (B2C_PORT; 9400, with --tls 9443)", valueName: "n"))
    var port: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Listen at this port too, such as 443 for MSAL Python; may be repeated. (B2C_ALSO_PORT)", valueName: "n"))
    var alsoPort: [Int] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The port of the inspector page, which has the control API too; 0 takes a free one. (B2C_CONTROL_PORT; the one "
                + "after --port)",
            valueName: "n"))
    var controlPort: Int?

    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "The address that clients use if there is a proxy, such as https://b2c.example.test. "
                + "(B2C_PUBLIC_URL)",
            valueName: "url"))
    var publicURL: String?

    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Read the address that clients use from the proxy's fields Forwarded or X-Forwarded-Proto, -Host and -Port. "
                + "Any client can write them: only where each request passes the proxy. (B2C_FORWARDED)"))
    var forwarded = false

    @OptionGroup var listening: ListeningOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Callers that send this token may use the control API from other machines too. (B2C_CONTROL_TOKEN)",
            valueName: "text"))
    var controlToken: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep accounts, grants, sessions, keys and the clock in this file over restarts. (B2C_STATE)",
            valueName: "file"))
    var state: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Add what the journey recorder writes about custom policies to this file, one JSON object a line. "
                + "(B2C_JOURNEY_RECORDER)", valueName: "file"))
    var journeyRecorder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Draw everything from this number, for the same codes and ids again. (B2C_SEED)", valueName: "n"))
    var seed: UInt64?

    @Option(name: .long, help: ArgumentHelp("Form of the access log: text or json. (B2C_LOG_FORMAT)"))
    var logFormat: AccessLog.Format?

    @OptionGroup var services: ServiceOptions

    @Flag(
        name: .long,
        help: "End when the process that started the server ends, also when that is killed. For test runners.")
    var endWithParent = false

    func run() async throws {
        let options = try options()
        defer { options.parent?.cleanUp() }
        if let form { return Machine.out.write(data: try text(form, options)) }
        try await Serving(options: options).run()
    }

    /// The form that `--settings` names in place of a file.
    private var form: SettingsForm? { settings.flatMap(SettingsForm.init(rawValue:)) }

    private func text(_ form: SettingsForm, _ options: ServerOptions) throws -> String {
        guard options.port != 0 else {
            throw Failure.usage(
                "--settings needs the port that the server will have, and --port is 0; expected one such as --port 9400"
            )
        }
        let tenant = try TenantLoading.tenant(at: options.tenant, policies: options.policies)
        let url = Announcement(options: options, ports: [options.port]).url
        guard let text = form.text(for: tenant, at: url) else {
            throw Failure.usage("--settings is for tenants with policies, and \(tenant.tenant.domain) has none")
        }
        return text
    }

    private func outer(host: ListeningHost) throws -> OuterAddress {
        var outer = OuterAddress(ownHost: host.own)
        if let publicURL {
            outer.publicURL = try OuterAddress.url(publicURL, option: "--public-url")
        } else if !endWithParent, let text = Machine.environment("B2C_PUBLIC_URL") {
            // The server of a test runner has a port of its own, to which no proxy leads.
            outer.publicURL = try OuterAddress.url(text, option: "B2C_PUBLIC_URL")
        }
        outer.readsForwarded = forwarded || (!endWithParent && EnvironmentOption.isOn("B2C_FORWARDED"))
        return outer
    }

    private func options() throws -> ServerOptions {
        if let file, let tenant, file != tenant {
            throw Failure.usage("two tenant files are named, \(file) and \(tenant): one server serves one tenant")
        }
        var options = ServerOptions(tenant: file ?? tenant ?? Machine.environment("B2C_TENANT"))
        if endWithParent { options.parent = try ParentWatch.ofEnvironment() }
        options.policies = ServedPolicies(
            folder: policies ?? Machine.environment("B2C_POLICIES"),
            settings: form == nil ? settings ?? Machine.environment("B2C_SETTINGS") : nil,
            environment: environment ?? Machine.environment("B2C_ENVIRONMENT"))
        if let text = host ?? Machine.environment("B2C_HOST") { options.host = ListeningHost(text) }
        options.outer = try outer(host: options.host)
        options.usesTLS = listening.usesTLS
        options.certificateDirectory = listening.certificates.certificateDirectory
        options.controlToken = controlToken ?? Machine.environment("B2C_CONTROL_TOKEN")
        options.port = try ListeningOptions.port(port, "B2C_PORT", usual: options.usesTLS ? 9443 : 9400)
        options.alsoPorts = alsoPort
        if alsoPort.isEmpty, let other = try EnvironmentOption.number("B2C_ALSO_PORT", as: Int.self) {
            options.alsoPorts = [other]
        }
        for port in options.alsoPorts { try ListeningOptions.check(port) }
        // Beside the server's, so that a bookmark of the inspector stays good.
        let beside = options.port == 0 || options.port == 65_535 ? 0 : options.port + 1
        options.controlPort = try ListeningOptions.port(controlPort, "B2C_CONTROL_PORT", usual: beside)
        options.controlPortMayDiffer = controlPort == nil && Machine.environment("B2C_CONTROL_PORT") == nil
        options.readyFile = listening.readyPath
        options.state = state ?? Machine.environment("B2C_STATE")
        options.journeyRecorder = journeyRecorder ?? Machine.environment("B2C_JOURNEY_RECORDER")
        options.seed = try seed ?? EnvironmentOption.number("B2C_SEED", as: UInt64.self)
        if let format = logFormat {
            options.logFormat = format
        } else if let text = Machine.environment("B2C_LOG_FORMAT") {
            guard let format = AccessLog.Format(rawValue: text) else {
                throw Failure.usage("B2C_LOG_FORMAT is \"\(text)\", and must be text or json")
            }
            options.logFormat = format
        }
        options.isQuiet = listening.isQuiet
        options.allowsRealServices = services.areAllowed()
        return options
    }
}

extension AccessLog.Format: ExpressibleByArgument {}
