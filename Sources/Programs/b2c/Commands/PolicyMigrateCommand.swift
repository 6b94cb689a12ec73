import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import PolicyMigration
import PolicyTools
import Reports
import TenantFiles

/// `b2c policy migrate`.
struct PolicyMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Shows what becomes of policies and apps in Microsoft Entra External ID.",
        discussion: """
            Walks the ways through each policy and says of each part whether it is built in, needs a custom authentication \
            extension, needs another architecture or is not supported, and which people it concerns. What no document \
            states is marked (inferred).

              b2c policy migrate policies
              b2c policy migrate policies --app web --app api
              b2c policy migrate policies --scripts scenarios --skeletons extensions
              b2c policy migrate --app web
              b2c policy migrate policies --format sarif --output migration.sarif

            Without --policy every policy that apps can call is walked. Ends with 0; with --fail-on, with 4 if there is \
            such a verdict or a harder one; with 2 when a file cannot be read or a policy does not link.
            """)

    @OptionGroup var place: PolicyPlace

    @Option(
        name: .long,
        help: ArgumentHelp("An app, its configuration or an API: a file or a folder. Repeatable.", valueName: "path"))
    var app: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Scripts to run, to say which of them cover what. Repeatable.", valueName: "path"))
    var scripts: [String] = []

    @Option(name: .long, help: ArgumentHelp("Events of the walk through each policy at most.", valueName: "n"))
    var moves = 8000

    @Option(name: .long, help: "How it is written: text, json, sarif, html ... (B2C_FORMAT)")
    var format: FindingsFormat = .text

    @Option(name: .long, help: ArgumentHelp("Write it there instead of printing.", valueName: "file"))
    var output: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write request and answer of each extension there; files that exist stay.", valueName: "folder"))
    var skeletons: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End with 4 at this verdict or a harder one: needsExtension, anotherArchitecture, notSupported.",
            valueName: "verdict"))
    var failOn: MigrationVerdict?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard moves > 0 else { throw Failure.usage("--moves \(moves): expected a number from 1") }
        let coverage = scripts.isEmpty ? nil : try await ScriptCoverage(running: scripts, common)
        var migration = Migration(coverage: coverage)
        // Apps can be checked without policies.
        if place.isNamed || app.isEmpty { try walk(&migration) }
        for path in app { migration.add(try AppScan.places(in: path)) }
        let report = MigrationReport(migration, isVerbose: common.isVerbose)
        let format = FindingsFormat.chosen(format)
        if format == .text {
            if let output { try OutputFile.save(report.text, to: output) } else { Machine.out.write(report.text) }
        } else {
            let sources = Scripts.sources(of: report.findings, known: []).map { FileSystem.shown($0) }
            try report.findingsReport(sources: sources, version: ToolVersion.text).write(format, to: output)
        }
        if let skeletons {
            let lines = try report.writeSkeletons(to: FilePath.relative(skeletons, to: Machine.currentFolder))
            Machine.error.write(
                (lines + ["\(lines.count) files of skeletons in \(skeletons)"]).joined(separator: "\n") + "\n")
        }
        if let failOn, migration.elements.contains(where: { $0.isReached && $0.row.verdict >= failOn }) {
            throw Failure.silent(.expectation)
        }
    }

    /// - Throws: ``Failure``, printed, for policies that cannot be walked: a report without them would look whole.
    private func walk(_ migration: inout Migration) throws {
        let found = try place.source.read()
        for settings in try found.explored() where settings.unsupported == nil {
            let policy = try found.linked(settings)
            try Failure.printing { try migration.add(policy, tenant: found.tenant, moves: moves) }
        }
    }
}

extension MigrationVerdict: ExpressibleByArgument {}
