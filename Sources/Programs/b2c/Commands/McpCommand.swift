import AgentTools
import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import ModelContext

/// `b2c mcp`.
struct McpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Gives an agent the tools of b2c, over the Model Context Protocol.",
        discussion: """
            An agent or an editor starts this command and sends messages to its standard input. Tools check, show, play, \
            explore and compare policies, run and write scenarios, and explain errors. Its configuration is such as:

              { "mcpServers": { "b2c": { "command": "b2c",
                                         "args": ["mcp", "--root", "FOLDER"] } } }

            Tools read and write below --root only. docs/agents.md describes them.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("The folder that tools may read and write, with all below it.", valueName: "folder"))
    var root = "."

    @Flag(name: .long, help: "Tools may reach real tenants that target files name.")
    var allowLive = false

    @OptionGroup var common: CommonOptions

    /// How long calls that run may go on when the input has ended.
    private static let patience: UInt32 = 5000

    func run() async throws {
        do throws(FileSystem.Problem) {
            try FileSystem.enter(root)
        } catch {
            throw Failure.usage("--root: \(root) cannot be used: \(error.text). Name a folder that you can open.")
                as any Error
        }
        if Machine.isTyped {
            Machine.error.write(
                "b2c: waiting for the messages of an MCP client; docs/agents.md shows how to set one up\n")
        }
        let output = Machine.claimStandardOutput()
        let workspace = AgentWorkspace(root: Machine.currentFolder, allowsLive: allowLive)
        let server = ContextServer(
            name: B2C.name, title: "b2c-harness", version: ToolVersion.text, instructions: AgentCatalog.instructions,
            catalog: AgentCatalog.catalog(workspace, clock: Machine.clock),
            patience: { _ = await Subprocess.onThread { Machine.rest(milliseconds: Self.patience) } },
            send: { message in
                output.write(data: message + "\n")
                // Nobody reads any more, so nothing that runs is of use.
                if output.isClosed { Machine.exit(.success) }
            })
        guard await Subprocess.onThread({ Self.read(to: server) }) != nil else {
            throw Failure.machine("the system gives no thread")
        }
        await server.finish()
        if let reason = output.failure { throw Failure.machine("the output cannot be written: \(reason)") }
    }

    /// Hands all lines of the standard input to a server.
    private static func read(to server: ContextServer) {
        var lines = ContextLines()
        func take(_ items: [ContextLines.Item]) {
            for item in items {
                switch item {
                case .line(let line): server.receive(line)
                case .tooLong(let problem): server.refuse(problem)
                }
            }
        }
        Machine.claimInput {
            take(lines.take($0))
            return true
        }
        take(lines.end())
    }
}
