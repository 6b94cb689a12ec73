import ArgumentParser
import Diagnostics

/// What the program `mock-server` runs.
package enum MockServerProgram {
    /// Runs the command that the arguments name, and ends the process with its status.
    ///
    /// It leaves the main actor at once: everything below runs on the pool, where an awaited send does not cost a thread
    /// switch.
    @concurrent
    package static func run() async {
        Machine.surviveFailedWrites()
        if let problem = Machine.argumentsProblem {
            Machine.error.write("mock-server: \(problem)\n")
            Machine.exit(.machine)
        }
        do {
            var command = try MockServerCommand.parseAsRoot(Machine.arguments)
            if var command = command as? AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            Machine.exit(.success)
        } catch let failure as Failure {
            if let text = failure.text { Machine.error.write("mock-server: \(text)\n") }
            Machine.exit(failure.status)
        } catch {
            let text = MockServerCommand.fullMessage(for: error)
            if MockServerCommand.exitCode(for: error) == .success {
                Machine.out.write(text.isEmpty ? "" : text + "\n")
                Machine.exit(.success)
            }
            Machine.error.write(text + "\n")
            Machine.exit(.usage)
        }
    }
}

/// The command and its parts.
struct MockServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock-server",
        abstract: "An Azure AD B2C tenant on the network, played from a tenant file.",
        version: "mock-server \(ToolVersion.text)",
        subcommands: [ServeCommand.self, RecordCommand.self, CertificateCommand.self],
        defaultSubcommand: ServeCommand.self)
}
