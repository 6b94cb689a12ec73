import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import PolicyRelease
import PolicyTools
import Reports
import TrustFramework

/// `b2c policy drift`.
struct PolicyDriftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drift",
        abstract:
            "Compares a tenant's policies with a folder or git revision: who notices what somebody changed there.",
        discussion: """
            For a nightly job. Policies of the tenant that the folder does not have are listed and are not drift.

              b2c policy drift policies
              b2c policy drift origin/main:policies --environment Production
              b2c policy drift policies --format github
              b2c policy drift policies --format markdown --output issue.md

            The app needs Policy.Read.All. Ends with 0 when the tenant has what the folder has, and with 4 when it differs.
            """)

    /// How differences are written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, github, json
    }

    @Argument(
        help: ArgumentHelp(
            "The folder of the policies, or REVISION:PATH of git. (default: the current folder)", valueName: "folder"))
    var folder = "."

    @Flag(name: .long, help: "Only compare elements; run nothing.")
    var structure = false

    @Option(
        name: .long,
        help: "How differences are written: text, markdown (the text of an issue), github (annotations) or json.")
    var format: Format = .text

    @Option(name: .long, help: ArgumentHelp("Write them there instead of printing.", valueName: "file"))
    var output: String?

    @OptionGroup var graph: GraphOptions

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var walk: WalkOptions

    @OptionGroup var seeding: SeedOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try walk.check()
        let version = try await PolicyVersion(folder)
        defer { version.remove() }
        let (tenant, notes) = try await ReleaseTenant.read(graph, keys: false)
        var built = try ReleaseFolder.build(version.path, values.source, tenant: tenant.organization.domains.first)
        try ReleaseTenant.check(built, tenant)
        for note in notes { Machine.error.write("warning: \(note)\n") }
        for place in built.policies.indices { built.policies[place].file = name(built.policies[place].file, version) }
        let limits = ComparisonLimits(
            limits: walk.limits(seed: try seeding.value()), seconds: walk.time, structureOnly: structure)
        let report: ReleaseReport
        do {
            report = try await PolicyDrift.report(built, tenant, from: folder, limits: limits)
        } catch let error as InvalidInput {
            throw FindingsPrinter(common, sources: built.policies.map(\.source)).failure(error.diagnostics)
        }
        try write(report, built)
        if !report.plan.isEmpty { throw Failure.silent(.expectation) }
    }

    /// A file as reports name it: annotations name files of the repository, whichever revision was read.
    private func name(_ file: String, _ version: PolicyVersion) -> String {
        let shown = version.shown(file)
        guard !version.isInPlace, format == .github, let colon = shown.firstIndex(of: ":") else { return shown }
        return String(shown[shown.index(after: colon)...])
    }

    private func write(_ report: ReleaseReport, _ built: BuiltPolicies) throws {
        let text: String
        switch format {
        case .text where output == nil: return Machine.out.write(sentences: report.text)
        case .text: text = report.text
        case .markdown: text = report.markdown
        case .json: text = report.jsonText
        case .github:
            return try report.findingsReport(sources: [], version: ToolVersion.text).write(.github, to: output)
        }
        guard let output else { return Machine.out.write(data: text) }
        try OutputFile.save(text, to: output)
    }
}
