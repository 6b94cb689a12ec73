import ArgumentParser
import Diagnostics
import JOSE

/// The command's entry. It leaves the main actor at once: everything below runs on the pool, where an awaited send does
/// not cost a thread switch.
@main
enum Main {
    static func main() async {
        await start()
    }

    private nonisolated static func start() async {
        Machine.ignoreBrokenPipes()
        if let problem = Machine.argumentsProblem {
            Machine.error.write(problem + "\n")
            Machine.exit(.machine)
        }
        let arguments = Machine.arguments
        if arguments == ["--version"] {
            Machine.out.write("b2c \(ToolVersion.text)\n")
            Machine.exit(.success)
        }
        if arguments.contains("--version"), arguments.allSatisfy({ ["--version", "-v", "--verbose"].contains($0) }) {
            Machine.out.write(B2C.versionDetails)
            Machine.exit(.success)
        }
        let status = await B2C.start(arguments)
        if let reason = Machine.out.failure {
            Machine.error.write("b2c: the output cannot be written: \(reason)\n")
            Machine.exit(status == .success ? .machine : status)
        }
        Machine.exit(status)
    }
}

extension B2C {
    /// With `-v`: also who signs, since that decides the speed.
    static var versionDetails: String { "b2c \(ToolVersion.text)\nRS256 by \(SignatureProvider.current)\n" }

    /// Parses the arguments, runs the command and says how it ended.
    static func start(_ arguments: [String]) async -> Status {
        do {
            try checkCommand(arguments)
            var command = try parseAsRoot(arguments)
            if var command = command as? AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return .success
        } catch let failure as Failure {
            if let text = failure.text { Machine.error.write(text + "\n") }
            return failure.status
        } catch {
            let text = fullMessage(for: error)
            // Help that was asked for is no error; ArgumentParser's own number for the rest would be 64.
            if exitCode(for: error) == .success {
                Machine.out.write(data: text.isEmpty ? "" : text + "\n")
                return .success
            }
            Machine.error.write(text + "\n")
            return .usage
        }
    }
}

extension B2C {
    /// Says which command a mistyped one may be; the parser would only call it unexpected.
    private static func checkCommand(_ arguments: [String]) throws {
        let names = configuration.subcommands.map { $0._commandName } + ["help"]
        // An option of the parser's own, with its value as the next argument.
        if arguments.first == "--generate-completion-script" { return }
        guard let word = arguments.first(where: { !$0.hasPrefix("-") }), !names.contains(word) else { return }
        if FileSystem.kind(word) != nil {
            throw Failure.usage("there is no command \(word), which is a file or folder. Did you mean b2c run \(word)?")
        }
        let near =
            nearestName(word, among: names).map { "Did you mean \($0)?" }
            ?? "Commands are \(namesList(names.dropLast()))."
        throw Failure.usage("there is no command \(word). \(near)")
    }
}

/// How the command ends.
enum Status: Int32 {
    /// Everything as expected.
    case success = 0
    /// The command was not used as it can be.
    case usage = 1
    /// A file cannot be read or is wrong; nothing ran.
    case input = 2
    /// It could not run: a report cannot be written.
    case machine = 3
    /// An expectation was not met.
    case expectation = 4
}

/// The end of a command that did not succeed.
struct Failure: Error {
    var status: Status
    /// Printed to the error output; `nil` when everything has been said.
    var text: String?

    /// The command was not used as it can be.
    static func usage(_ text: String) -> Failure { Failure(status: .usage, text: "b2c: \(text)") }

    /// Everything has been said.
    static func silent(_ status: Status) -> Failure { Failure(status: status, text: nil) }
}
