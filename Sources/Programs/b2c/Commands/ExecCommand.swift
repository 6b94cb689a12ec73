import ArgumentParser
import AuthorityHosting
import CommandKit
import Diagnostics
import JSON
import TenantFiles

/// `b2c exec`.
struct ExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Runs a command beside a server of its own, whose addresses it finds in its environment.",
        discussion: """
            Starts mock-server at a free port, waits until it answers, sets B2C_URL, B2C_AUTHORITY, B2C_ISSUER, \
            B2C_CLIENT_ID and others, runs the command, ends the server and returns the command's exit code.

              b2c exec -- pytest                             with the embedded tenant
              b2c exec --tenant contoso.json --env node -- npm test
              b2c exec -- env                                shows all variables
            """)

    @Option(name: .long, help: ArgumentHelp("The tenant file; without one an embedded tenant.", valueName: "file"))
    var tenant: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also set the variables that this stack reads: dotnet, node, python or spring. Repeatable.",
            valueName: "stack"))
    var env: [EnvironmentPreset] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The app whose client id is set, or the API, for the tests of one. (default: the first app)",
            valueName: "name"))
    var app: String?

    @Option(
        name: .long, help: ArgumentHelp("The policy whose authority is set. (default: the app's)", valueName: "name"))
    var policy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the variables to this file: NAME=VALUE, each with a NUL byte behind it.", valueName: "file"))
    var variablesFile: String?

    @Flag(name: .long, help: "Serve https, by the certificate authority of this machine.")
    var tls = false

    @Flag(name: .long, help: "Print the server's log of requests to the error output.")
    var log = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
    var command: [String] = []

    func run() async throws {
        guard !command.isEmpty else {
            throw Failure.usage("name a command after --, such as: b2c exec -- pytest")
        }
        let program = try MockServerLauncher.path()
        var arguments = [program, "serve", "--port", "0", "--control-port", "0", "--end-with-parent"]
        if let tenant { arguments += ["--tenant", tenant] }
        if tls { arguments.append("--tls") }
        if !log { arguments.append("--quiet") }
        let server = try await ServedProcess.start(arguments)
        let code: Int32
        do {
            code = try await run(beside: server, program)
        } catch {
            await server.end()
            throw error
        }
        await server.end()
        Machine.exit(code: code)
    }

    private func run(beside server: ServedProcess, _ program: String) async throws -> Int32 {
        var authority: String?
        if tls {
            switch await Subprocess.output(of: [program, "certificate", "path"]) {
            case .success(let text): authority = text.split(separator: "\n").first.map(String.init)
            case .failure(let problem): throw Failure.machine("\(problem.text)")
            }
        }
        let control = try ServerControl(server.url, authorityFile: authority)
        let answer = try await control.call("GET", "/tenant")
        let served: Tenant
        do throws(InvalidInput) {
            served = try Tenant(json: answer["written"] ?? [:])
        } catch {
            throw Failure.input("\(error.diagnostics.map(\.message).joined(separator: "; "))")
                as any Error
        }
        let facts = try await ServedFacts.read(control, served, app: app, policy: policy)
        var variables = facts.variables
        for preset in env { variables += preset.variables(facts) }
        if let variablesFile {
            let text = variables.map { "\($0.0)=\($0.1)\0" }.joined()
            do throws(FileSystem.Problem) {
                try FileSystem.write(Array(text.utf8), to: variablesFile)
            } catch {
                throw Failure.machine("\(variablesFile) cannot be written: \(error.text)")
                    as any Error
            }
        }
        return try await Subprocess.foreground(command, setting: variables, for: B2C.name)
    }
}

extension ServedFacts {
    /// Asks a server.
    ///
    /// - Parameters:
    ///   - app: An app or an API.
    static func read(_ control: ServerControl, _ tenant: Tenant, app: String?, policy: String?) async throws
        -> ServedFacts
    {
        let names = tenant.apps.map(\.name) + tenant.apis.map(\.name)
        let chosen = app.flatMap { tenant.app(named: $0) } ?? (app == nil ? tenant.apps.first : nil)
        let api = app.flatMap { name in tenant.apis.first { $0.name == name } } ?? tenant.apis.first
        if let app, chosen == nil, api?.name != app {
            throw Failure.usage("there is no app \(app). \(hint(app, names))")
        }
        var settings: PolicySettings?
        if tenant.kind == .b2c {
            let name = policy ?? chosen?.client.policy ?? tenant.policies.first?.name
            guard let name, let found = tenant.policy(named: name) ?? tenant.policy(id: name) else {
                throw Failure.usage(
                    "there is no policy \(policy ?? ""). \(hint(policy ?? "", tenant.policies.map(\.name)))")
            }
            settings = found
        }
        var facts = ServedFacts(tenant, at: control.origin, app: chosen, api: api, policy: settings)
        let document = try await control.fetch("GET", facts.metadata)
        facts.issuer = document["issuer"]?.stringValue ?? ""
        facts.keys = document["jwks_uri"]?.stringValue ?? ""
        facts.authorityFile = control.authorityFile
        return facts
    }

    static func hint(_ name: String, _ names: [String]) -> String {
        nearestName(name, among: names).map { "Did you mean \($0)?" }
            ?? (names.isEmpty ? "The tenant has none." : "The tenant has \(namesList(names)).")
    }
}

extension EnvironmentPreset: ExpressibleByArgument {}
