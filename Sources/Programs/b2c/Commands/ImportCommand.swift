import ArgumentParser
import B2CProtocol
import Capture
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyTools
import Scenarios

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
        if !parents.base.isEmpty, policies == nil { throw Failure.usage("--base goes with --policies FOLDER") }
        let bytes = try InputFile.read(file, limit: HARFile.limit)
        let path = FilePath.relative(file, to: Machine.currentFolder)
        let folder = FilePath.normalised(output ?? Machine.environment("B2C_OUTPUT") ?? Self.usualFolder)
        var rehearsal: ImportRehearsal
        var join: LogJoin
        let files: CaptureImport.Files
        var rounds = 0
        do throws(InvalidInput) {
            let archive = try HARFile(file: path, bytes: bytes)
            let source = source(archive)
            let reading = try CaptureImport.Reading(archive.exchanges, source: source)
            rehearsal = ImportRehearsal(
                reading, CaptureImport.Options(name: name, source: source, notes: archive.notes))
            rehearsal.folder = folder
            join = LogJoin(signIns: reading.signIns, file: file)
        } catch {
            throw failure(error, path, bytes)
        }
        if let policies { try join.read(policies: policies, bases: parents.base, folder: folder) }
        if !log.isEmpty { try join.read(log: log) }
        do throws(InvalidInput) {
            files = try await join.files(&rehearsal, rounds: &rounds)
        } catch {
            throw failure(error, path, bytes)
        }
        let script = FilePath.join(folder, "\(files.name).json")
        let tenant = FilePath.join(folder, files.tenantPath)
        try write([(tenant, files.tenant), (script, files.scenario)])
        try check(script, tenant)
        show(files, script, join)
        if common.isVerbose {
            for line in files.reductions { Machine.error.write("\(VisibleText.of(line, keeping: []))\n") }
            Machine.error.write("played \(rounds) times before it was written\n")
        }
    }

    private func failure(_ error: InvalidInput, _ path: String, _ bytes: [UInt8]) -> any Error {
        FindingsPrinter(common, path, bytes).failure(error.diagnostics)
    }

    private static var usualFolder: String { FileSystem.kind("scenarios") == .folder ? "scenarios" : "." }

    /// The capture, for the description: no folders, which say whose machine it was.
    private func source(_ archive: HARFile) -> String {
        FilePath.name(file) + (archive.creator.map { ", written by \($0)" } ?? "")
    }

    private func write(_ files: [(path: String, json: JSONObject)]) throws {
        for file in files where !force && FileSystem.kind(file.path) != nil {
            throw Failure.usage("\(file.path) is there already; use --name for another one, or --force to replace it")
        }
        for file in files {
            do throws(FileSystem.Problem) {
                try FileSystem.makeFolder(FilePath.folder(file.path))
                try FileSystem.write(Array((JSONWriter.pretty(.object(file.json)) + "\n").utf8), to: file.path)
            } catch {
                throw Failure.machine("\(file.path) cannot be written: \(error.text)") as any Error
            }
            Machine.out.write("wrote  \(VisibleText.of(file.path, keeping: []))\n")
        }
    }

    /// What was written is read as `b2c check` reads it, so that no script is called done that does not run.
    private func check(_ script: String, _ tenant: String) throws {
        var finder = FileFinder()
        for path in [script, tenant] { finder.add(path) }
        let scripts = Scripts(finder.files)
        let findings = finder.findings + scripts.findings
        guard findings.hasErrors else { return }
        FindingsPrinter(
            color: common.style(for: Machine.error).usesColor,
            sources: Scripts.sources(of: findings, known: finder.files)
        )
        .print(findings)
        Machine.error.write("the script was written, but something of this capture was not understood\n")
        throw Failure.silent(.input)
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
