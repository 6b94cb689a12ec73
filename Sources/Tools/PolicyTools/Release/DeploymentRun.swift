import CommandFiles
import CommandKit
import Determinism
import Diagnostics
import PolicyRelease
import Validation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Carries out a deployment with the service, the journal and the terminal.
package struct DeploymentRun {
    package var graph: PolicyGraph
    package let folder: DeploymentFolder
    package private(set) var journal: DeploymentJournal
    package let common: CommonOptions

    package init(graph: PolicyGraph, folder: DeploymentFolder, journal: DeploymentJournal, common: CommonOptions) {
        self.graph = graph
        self.folder = folder
        self.journal = journal
        self.common = common
    }

    /// Whether somebody can answer a question.
    package static var canAsk: Bool { isatty(0) == 1 && Machine.error.isTerminal }

    /// Shows what will be written, and goes on only if somebody approves it.
    package func approve(_ steps: [DeploymentStep], of tenant: TenantOrganization, isSure: Bool) async throws {
        let rows = steps.map { step in
            [step.after == nil ? "delete" : step.before == nil ? "create" : "update", step.id, step.file ?? ""]
        }
        Machine.out.write("\(tenant.domains.first ?? tenant.id):\n" + TextTable.text(rows))
        guard !isSure else { return }
        let answer = await Subprocess.ask("Type yes to go on: ")
        guard answer?.trimmingWhitespace.lowercased() == "yes" else {
            throw Failure.usage("the answer is not yes: nothing was changed")
        }
    }

    /// Begins a deployment: its bundle is whole and the journal has it before anything is sent.
    ///
    /// - Parameters:
    ///   - contents: What is uploaded, by id; other policies may be among them.
    ///   - now: What the tenant has.
    ///   - sources: The files of what is uploaded, for the places of a refusal; empty: those of the bundle.
    package mutating func begin(
        _ planned: DeploymentRecord, contents: [String: [UInt8]], now: TenantSnapshot, sources: [SourceText]
    ) async throws {
        var record = planned
        record.bundle = folder.bundleName(DeploymentRecord.bundleName(record.began))
        var before: [String: [UInt8]] = [:]
        var after: [String: [UInt8]] = [:]
        for step in record.steps {
            if step.before != nil { before[step.id] = now.policy(step.id)?.bytes }
            if step.after != nil { after[step.id] = contents[step.id] }
        }
        try folder.keep(record, before: before, after: after)
        journal.append(record)
        try folder.save(journal)
        try await finish(record, contents: after, sources: sources)
    }

    /// Carries it out to its end, and says how it ended.
    package mutating func finish(_ record: DeploymentRecord, contents: [String: [UInt8]], sources: [SourceText])
        async throws
    {
        guard var deployment = Deployment(record, contents: contents) else {
            throw Failure.input(
                "\(FilePath.join(folder.path, record.bundle)) was changed: a policy of it is not what the journal says. "
                    + "Restore the folder.")
        }
        let folder = folder
        var journal = journal
        let end = try await deployment.run(
            on: &graph, wait: { await RealTime().wait(until: Machine.clock.now() + $0) },
            save: { (record: DeploymentRecord, step: DeploymentStep?) throws(Failure) in
                journal.update(record)
                try folder.save(journal)
                if let step, let line = Self.line(step) { Machine.out.write(line) }
            })
        self.journal = journal
        let bundled = record.steps.compactMap { step in
            contents[step.id].map { SourceText(file: folder.file(record, .after, step.id), bytes: $0) }
        }
        try report(
            end, of: deployment.record, contents: contents, sources: sources.isEmpty ? bundled : sources)
    }

    /// What is said about a step once it has a new state.
    private static func line(_ step: DeploymentStep) -> String? {
        switch step.state {
        case .live: "\(step.id) \(step.after == nil ? "was deleted" : "is live")\n"
        case .planned, .sending, .refused, .changed: nil
        }
    }

    /// What remains to be done after a staged deployment.
    private static func whatToSwitch(_ record: DeploymentRecord, _ contents: [String: [UInt8]]) -> String {
        let rows = record.renamings(contents).map { ["  \($0.id)", "->  \($0.staged)"] }
        let apps =
            rows.isEmpty
            ? "Apps can call none of these policies.\n"
            : "Switch these policies in the authority, user flow or metadata address of each app:\n"
                + TextTable.text(rows)
        return apps + "The policies in use did not change. When no app uses the new names any more:\n"
            + "  b2c policy deploy --remove-staged \(record.prefix ?? "PREFIX")\n"
    }

    private func report(
        _ end: Deployment.End, of record: DeploymentRecord, contents: [String: [UInt8]], sources: [SourceText]
    ) throws {
        let sentence = VisibleText.of(record.sentence(end), keeping: [])
        switch end {
        case .live:
            if record.kind == .staged { Machine.out.write(Self.whatToSwitch(record, contents)) }
            Machine.out.write(record.success(isCached: PolicyCaching.isCached(Array(contents.values))) + "\n")
        case .refused(let id, let refusal):
            var text = ServiceRefusalText(refusal.message)
            // An error without a heading may not name the policy.
            if text?.policy == nil { text?.policy = id }
            let placed = text?.placed(in: sources) ?? []
            let problem =
                placed.isEmpty
                ? PolicyGraphProblem.refused(refusal, what: "uploading \(id)").description
                : "the service refused \(id) (HTTP \(refusal.status)):"
            Machine.error.write("b2c: \(VisibleText.of(problem, keeping: []))\n")
            FindingsPrinter(common, sources: sources).print(placed)
            Machine.error.write(sentence + "\n")
            throw Failure.silent(refusal.isPermission ? .machine : .input)
        case .changed, .different: throw Failure.expectation(sentence)
        case .ineffective, .unreadable: throw Failure.machine(sentence)
        }
    }
}
