import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import PolicyRelease
import PolicyTools
import Reports
import TrustFramework

/// `b2c policy plan`.
struct PolicyPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows what a release of policies changes in a tenant: who notices what, and which line causes it.",
        discussion: """
            Reads the tenant, builds the folder, and runs every sign-in of the policies that differ with both. It also checks \
            each state between two uploads and chooses an order in which no policy is broken. It writes nothing to the tenant.

              b2c policy plan policies --environment Test
              b2c policy plan policies --output plan.json
              b2c policy plan policies --format markdown --output plan.md
              b2c policy plan policies --forbid weaker-sign-in,lost-claim

            The app needs Policy.Read.All, and TrustFrameworkKeySet.Read.All for what it says about keys. Paths that show \
            changes are written to .b2c/plan.

            Ends with 0 when nothing changes and with 4 when something does; with --forbid, with 4 only when one of these \
            kinds is found; with 2 when the service would refuse a file. Kinds for --forbid:

            \(ChangeKind.table)
            """)

    /// How a plan is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, markdown, json, sarif, html
    }

    @Argument(help: ArgumentHelp("The folder of the policies. (default: the current folder)", valueName: "folder"))
    var folder = "."

    @Flag(name: .long, help: "Also plan to delete policies of the tenant that the folder does not have.")
    var delete = false

    @Option(
        name: .long, help: ArgumentHelp("End with 4 only if one of these kinds is found.", valueName: "kind,kind"))
    var forbid: String?

    @Flag(name: .long, help: "Only compare elements; run nothing.")
    var structure = false

    @Option(name: .long, help: "How the plan is written: text, markdown, json, sarif or html.")
    var format: Format = .text

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write it there instead of printing. A file that ends in .json gets the plan for b2c policy deploy.",
            valueName: "file"))
    var output: String?

    @OptionGroup var graph: GraphOptions

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var walk: WalkOptions

    @OptionGroup var seeding: SeedOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try walk.check()
        let forbidden = try forbid.map { try ChangeKind.list($0) }
        let (tenant, notes) = try await ReleaseTenant.read(graph, keys: true)
        let built = try ReleaseFolder.build(folder, values.source, tenant: tenant.organization.domains.first)
        try ReleaseTenant.check(built, tenant)
        for note in notes { Machine.error.write("warning: \(note)\n") }
        let limits = ComparisonLimits(
            limits: walk.limits(seed: try seeding.value()), seconds: walk.time, structureOnly: structure)
        var release = try await ReleaseTenant.compare(built, tenant, deletes: delete, limits, common)
        try release.writeRepetitions(of: built, values.source)
        let report = ReleaseReport(release, forbidden: forbidden ?? [])
        try write(report, built)
        if !report.refused.isEmpty { throw Failure.silent(.input) }
        // What nobody could look at is not allowed either.
        let isOver =
            forbidden == nil
            ? !(release.plan.isEmpty && release.missing.isEmpty)
            : !(report.forbidden.isEmpty && report.untested.isEmpty)
        if isOver { throw Failure.silent(.expectation) }
    }

    private func write(_ report: ReleaseReport, _ built: BuiltPolicies) throws {
        switch format {
        case .text:
            guard let output else { return Machine.out.write(sentences: report.text) }
            guard output.lowercased().hasSuffix(".json") else { return try OutputFile.save(report.text, to: output) }
            // The plan is saved, and people read it.
            try OutputFile.save(report.jsonText, to: output)
            Machine.out.write(sentences: report.text)
            if report.refused.isEmpty, !report.plan.isEmpty {
                Machine.out.write("\nsaved: b2c policy deploy \(output)\n")
            }
        case .markdown: try save(report.markdown)
        case .json: try save(report.jsonText)
        case .sarif, .html:
            let findings = report.findingsReport(sources: built.policies.map(\.source), version: ToolVersion.text)
            try findings.write(format == .sarif ? .sarif : .html, to: output)
        }
    }

    private func save(_ text: String) throws {
        guard let output else { return Machine.out.write(data: text) }
        try OutputFile.save(text, to: output)
    }
}

/// The tenant of a release.
enum ReleaseTenant {
    /// Reads the tenant's policies, and what else was asked for.
    static func read(_ options: GraphOptions, keys: Bool) async throws -> (tenant: TenantSnapshot, notes: [String]) {
        var graph = try options.graph()
        do throws(PolicyGraphProblem) {
            let read = try await TenantSnapshot.read(&graph, wanted: nil, keys: keys, apps: keys)
            return (read.0, read.notes)
        } catch {
            throw error.failure as any Error
        }
    }

    /// What a release of built policies changes for people, apps and services. Findings are printed.
    static func compare(
        _ built: BuiltPolicies, _ tenant: TenantSnapshot, deletes: Bool, _ limits: ComparisonLimits,
        _ common: CommonOptions
    ) async throws -> ReleaseComparison {
        do {
            let missing = try MissingNeed.all(of: built, in: tenant, now: Machine.clock.now())
            return try await ReleaseComparison(built, in: tenant, deletes: deletes, missing: missing, limits: limits)
        } catch let error as InvalidInput {
            throw FindingsPrinter(common, sources: built.policies.map(\.source)).failure(error.diagnostics)
        }
    }

    /// - Throws: ``Failure`` if the folder is built for another tenant than the one that was read.
    static func check(_ built: BuiltPolicies, _ tenant: TenantSnapshot) throws {
        let domains = tenant.organization.domains
        guard !domains.isEmpty, !domains.contains(where: { sameID($0, built.tenant) }) else { return }
        throw Failure.input(
            "the policies are of the tenant \(built.tenant), and the credential is of \(namesList(domains, limit: 3)). Choose "
                + "another environment with --environment, or sign in to \(built.tenant)")
    }
}
