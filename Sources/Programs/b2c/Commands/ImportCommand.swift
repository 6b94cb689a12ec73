import ArgumentParser
import Capture
import CommandFiles
import CommandKit
import Diagnostics
import PolicyTools

/// `b2c import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Makes a script and a tenant file of something that was recorded.",
        subcommands: [ImportHARCommand.self])
}

/// `b2c import har`.
struct ImportHARCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Makes a script of a HAR file that a browser's tools or a proxy wrote.",
        discussion: """
            The script plays the flow against the mock and expects what the capture showed; the tenant file beside it \
            holds policies, apps, APIs and people as far as the capture shows them. Secrets and everything personal are \
            replaced. What could not be carried over is printed, and is in the script's description.

            With --log, a log of the journey recorder of the same sign-in adds what no browser sees: the answers of \
            services and identity providers, claims of the account, and the policy's steps. With --policies the script \
            runs your policies instead of user flows with the same pages.

              b2c import har capture.har
              b2c import har capture.har --log export.csv --policies policies
            """)

    @Argument(help: ArgumentHelp("The HAR file.", valueName: "file"))
    var file: String

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "The folder to write to; it is made when it does not exist. (B2C_OUTPUT; default: the folder scenarios where "
                + "there is one, else this one)", valueName: "folder"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name of both files, without ending. (default: by the policies)", valueName: "name"))
    var name: String?

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp(
            "Logs of the journey recorder with the same sign-ins, in any form that b2c policy log reads.",
            valueName: "file"))
    var log: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Run the policies of this folder instead of user flows.", valueName: "folder"))
    var policies: String?

    @OptionGroup var parents: ParentOptions

    @Flag(name: .long, help: "Replace files of that name.")
    var force = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        var order = HARImport(file)
        (order.logs, order.policies, order.bases) = (log, policies, parents.base)
        (order.name, order.replaces) = (name, force)
        if let folder = output ?? Machine.environment("B2C_OUTPUT") { order.folder = folder }
        let written: HARImport.Written
        do {
            written = try await order.write()
        } catch let taken as HARImport.Taken {
            throw Failure.usage("\(taken.path) is there already; use --name for another one, or --force to replace it")
        }
        for path in [written.tenant, written.script] {
            Machine.out.write("wrote  \(VisibleText.of(path, keeping: []))\n")
        }
        if written.findings.hasErrors {
            FindingsPrinter(sources: Scripts.sources(of: written.findings, known: [])).print(written.findings)
            Machine.error.write("the script was written, but something of this capture was not understood\n")
            throw Failure.silent(.input)
        }
        show(written.files, written.script, written.join)
        guard common.isVerbose else { return }
        for line in written.files.reductions { Machine.error.write("\(VisibleText.of(line, keeping: []))\n") }
        Machine.error.write("played \(written.rounds) times before it was written\n")
    }

    private func show(_ files: CaptureImport.Files, _ script: String, _ join: LogJoin) {
        var text = "\n"
        for line in files.steps { text += "  \(VisibleText.of(line, keeping: []))\n" }
        for (title, lines) in [
            ("Sessions of the log:", join.sessions), ("The capture and the log differ:", join.differences),
        ] where !lines.isEmpty {
            text += "\n\(title)\n"
            for line in lines { text += "  - \(VisibleText.of(line, keeping: []))\n" }
        }
        if !files.notes.isEmpty {
            text += "\nNot carried over, or guessed:\n"
            for note in files.notes { text += "  - \(VisibleText.of(note, keeping: []))\n" }
        }
        text += "\nRun it:\n  b2c run \(VisibleText.of(script, keeping: []))\n"
        Machine.out.write(text)
    }
}
