import ArgumentParser
import CommandKit
import Diagnostics

/// What the program `mock-server` runs.
package enum MockServerProgram {
    private static let name = "mock-server"

    /// Runs the command that the process's arguments name, and ends the process with its status.
    ///
    /// It leaves the main actor at once: everything below runs on the pool, where an awaited send does not cost a thread
    /// switch.
    @concurrent
    package static func run() async {
        // `b2c serve` becomes this program: usage then shows what the person has typed.
        await run(Program.arguments(of: name), called: Machine.calledName == "b2c" ? "b2c" : name)
    }

    /// Runs the command that the arguments name, and ends the process with its status.
    ///
    /// - Parameter called: The name of the program that usage shows.
    @concurrent
    package static func run(_ arguments: [String], called: String) async -> Never {
        Machine.exit(await Program.run(MockServerCommand.self, arguments, as: name, called: called))
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
