import ArgumentParser
import CommandKit
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
        let arguments = Program.arguments(of: B2C.name)
        if arguments == ["--version"] {
            Machine.out.write("b2c \(ToolVersion.text)\n")
            Machine.exit(.success)
        }
        if arguments.contains("--version"), arguments.allSatisfy({ ["--version", "-v", "--verbose"].contains($0) }) {
            Machine.out.write(B2C.versionDetails)
            Machine.exit(.success)
        }
        // The mark after which nothing is an option.
        let options = arguments.prefix { $0 != "--" }
        let wantsAll = options.contains(B2C.helpOfAll)
        let parsed = options.map { $0 == B2C.helpOfAll ? "--help" : $0 } + arguments.dropFirst(options.count)
        let status = await Program.run(
            B2C.self, parsed, as: B2C.name, check: { try CommandSuggestions.check($0) },
            help: { wantsAll ? $0 : RunCommand.brief($0) }, improve: CommandSuggestions.improved)
        if let reason = Machine.out.failure {
            Machine.error.write("b2c: the output cannot be written: \(reason)\n")
            Machine.exit(status == .success ? .machine : status)
        }
        Machine.exit(status)
    }
}

extension RunCommand {
    /// The options that most people need.
    private static let usualOptions = [
        "--tags", "--name", "--last-failed", "--list", "--watch", "--target", "--seed", "--report-html", "--open",
        "--verbose",
    ]

    /// Help of `run` with the usual options; that of other commands as it is.
    fileprivate static func brief(_ help: String) -> String {
        guard help.contains("\nUSAGE: b2c run ") else { return help }
        return HelpText.brief(
            help, options: usualOptions,
            more: "  b2c run \(B2C.helpOfAll)      all options, with their environment variables")
    }
}

extension B2C {
    /// Shows every option of a command.
    fileprivate static let helpOfAll = "--help-all"

    /// With `-v`: also who signs, since that decides the speed.
    static var versionDetails: String { "b2c \(ToolVersion.text)\nRS256 by \(SignatureProvider.current)\n" }
}
