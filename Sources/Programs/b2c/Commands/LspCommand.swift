import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import LanguageServer
import PolicyTools

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `b2c lsp`.
struct LspCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serves an editor: findings, names, completion and fixes of policies and scripts.",
        discussion: """
            An editor starts this command and speaks the Language Server Protocol with it. It sees the whole chain of a \
            policy: findings while you type, definitions, references and renaming over all files, hovers with the merged \
            element, completion, fixes, and lenses that trace a sign-in or run a scenario.

            docs/editors.md has the configuration for VS Code, Neovim, Helix, JetBrains and Emacs.
            """)

    @Option(
        name: .long,
        help: ArgumentHelp("The folder, whatever the editor opens. (default: its folders)", valueName: "folder"))
    var root: String?

    // What the protocol has editors add to the command.
    @Flag(name: .customLong("stdio"), help: .hidden)
    var stdio = false

    @Option(name: .customLong("clientProcessId"), help: .hidden)
    var clientProcess: Int32?

    @OptionGroup var policyValues: PolicyValueOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        if let root, FileSystem.kind(root) != .folder {
            throw Failure.usage("--root: there is no folder \(root). Name one that exists, or omit --root")
        }
        if Machine.isTyped {
            Machine.error.write("b2c: waiting for the messages of an editor; docs/editors.md shows how to set one up\n")
        }
        let output = Machine.claimStandardOutput()
        let stop = await StopSignals([SIGTERM, SIGINT, SIGHUP])
        let folder = Machine.makeTemporaryFolder()
        let cleanUp: @Sendable () -> Void = { if let folder { FileSystem.removeFolder(folder) } }
        defer { cleanUp() }
        let end: @Sendable (Int32) -> Void = { code in
            cleanUp()
            Machine.exit(code: code)
        }
        Task { if let code = await stop.wait() { end(code) } }
        let watchClient: @Sendable (Int32) -> Void = { process in
            // One that was never seen is on another machine, or outside of this container.
            guard Machine.isRunning(process) else { return }
            Task {
                await Machine.waitForEnd(of: process)
                end(Status.usage.rawValue)
            }
        }
        if let clientProcess, clientProcess > 0 { watchClient(clientProcess) }
        let server = LanguageServer(
            root: root, values: policyValues.source, version: ToolVersion.text, clock: Machine.clock,
            enter: { folder in
                do throws(FileSystem.Problem) {
                    try FileSystem.enter(folder)
                    return nil
                } catch {
                    return error.text
                }
            },
            watchClient: watchClient,
            writeFile: { name, text in
                guard let path = folder.map({ FilePath.join($0, name) }) else { return nil }
                return (try? FileSystem.write(Array(text.utf8), to: path)) == nil ? nil : path
            },
            send: { bytes in
                output.write(bytes: bytes)
                // Nobody reads any more, so nothing that runs is of use.
                if output.isClosed { end(Status.success.rawValue) }
            })
        let ending = await Subprocess.onThread { Self.read(to: server) }
        guard let ending else { throw Failure.machine("the system gives no thread") }
        await server.finish()
        if let reason = output.failure { throw Failure.machine("the output cannot be written: \(reason)") }
        // `exit` without `shutdown` is an error by the protocol.
        if ending != .asked { throw Failure.silent(.usage) }
    }

    /// Hands the standard input to a server.
    private static func read(to server: LanguageServer) -> LanguageServer.Ending {
        var ending = LanguageServer.Ending.unasked
        Machine.claimInput { bytes in
            guard let reason = server.receive(bytes) else { return true }
            ending = reason
            return false
        }
        return ending
    }
}
