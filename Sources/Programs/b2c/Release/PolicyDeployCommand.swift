import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools
import TrustFramework
import Validation

/// `b2c policy deploy`.
struct PolicyDeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Uploads changed policies to a tenant, reads each back, and can undo it.",
        discussion: """
            Shows the plan and asks first. Uploads one policy after another in the order of the plan, and stops at the first \
            that the service refuses. What the tenant had before is kept in .b2c/deploy, together with a journal: after a \
            stop in the middle, the next run shows what is live and goes on or undoes it.

              b2c policy deploy policies --environment Test
              b2c policy deploy plan.json --policies policies --yes
              b2c policy deploy --resume
              b2c policy deploy --rollback
              b2c policy deploy policies --staged V2
              b2c policy deploy --remove-staged V2

            The app needs the application permission Policy.ReadWrite.TrustFramework of Microsoft Graph. In CI keep the \
            folder .b2c/deploy, or a later job cannot undo the deployment.

            Ends with 0 if everything is live, with 2 if the service refuses a policy or a file is wrong, with 4 if the \
            tenant has other policies than the plan saw or than were uploaded, with 3 if the service cannot be reached.
            """)

    @Argument(
        help: ArgumentHelp(
            "A plan of b2c policy plan --output, or a folder of policies, for which the plan is made now.",
            valueName: "plan|folder"))
    var source = "."

    @Option(
        name: .long,
        help: ArgumentHelp("With a plan: the folder of the policies that it is for. (default: .)", valueName: "folder"))
    var policies: String?

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var service: GraphOptions

    @Flag(name: .long, help: "Do not ask. Required where there is no terminal.")
    var yes = false

    @Flag(name: .long, help: "Go on with a deployment that was stopped in the middle.")
    var resume = false

    @Flag(name: .long, help: "Restore what the tenant had before the last deployment.")
    var rollback = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --rollback or --remove-staged: also replace this policy, which somebody else changed since. Can be "
                + "repeated.",
            valueName: "id"))
    var force: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Upload what changed, and what inherits from it, under the names B2C_1A_PREFIX_NAME. Policies in use do not "
                + "change.",
            valueName: "prefix"))
    var staged: String?

    @Option(
        name: .long, help: ArgumentHelp("Delete the policies that --staged PREFIX created.", valueName: "prefix"))
    var removeStaged: String?

    @Flag(name: .long, help: "Also delete policies of the tenant that the folder does not have, as the plan shows.")
    var delete = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try checkOptions()
        var graph = try service.graph()
        let tenant = try await read(&graph, keys: true)
        let folder = try DeploymentFolder(tenant.organization)
        var run = DeploymentRun(graph: graph, folder: folder, journal: try folder.journal(), common: common)
        if let unfinished = run.journal.unfinished {
            guard resume || rollback else { throw refusal(unfinished, tenant) }
            if resume || unfinished.kind == .rollback { return try await goOn(unfinished, &run) }
        } else if resume {
            throw Failure.usage(
                "--resume: \(folder.path) has no deployment that was stopped in the middle. Run b2c policy deploy.")
        }
        if rollback { return try await rollBack(tenant, &run) }
        if let removeStaged { return try await remove(removeStaged, tenant, &run) }
        if let staged { return try await stage(staged, tenant, &run) }
        try await deploy(tenant, &run)
    }

    // MARK: Options

    private func checkOptions() throws {
        let chosen = [
            ("--resume", resume), ("--rollback", rollback), ("--staged", staged != nil),
            ("--remove-staged", removeStaged != nil),
        ].filter(\.1).map(\.0)
        guard chosen.count < 2 else {
            throw Failure.usage("\(namesList(chosen)) exclude each other: name one")
        }
        if delete, let other = chosen.first {
            throw Failure.usage("--delete and \(other) exclude each other: delete in a deployment of its own")
        }
        if !force.isEmpty, !rollback, removeStaged == nil {
            throw Failure.usage("--force ID needs --rollback or --remove-staged. After a change, make the plan again")
        }
        for (option, prefix) in [("--staged", staged), ("--remove-staged", removeStaged)] {
            if let prefix, !StagedRelease.isPrefix(prefix) {
                throw Failure.usage("\(option) \"\(prefix)\": expected letters, digits, _ and - only, such as V2")
            }
        }
        if policies != nil, !isPlan {
            throw Failure.usage("--policies needs a plan as the argument: a folder is the argument itself")
        }
        if !resume, !yes, !DeploymentRun.canAsk {
            throw Failure.usage("there is no terminal to ask for approval: add --yes, for example in CI")
        }
    }

    /// Whether the argument is a plan.
    private var isPlan: Bool { source.lowercased().hasSuffix(".json") }

    // MARK: Reading

    private func read(_ graph: inout PolicyGraph, keys: Bool = false) async throws -> TenantSnapshot {
        do throws(PolicyGraphProblem) {
            return try await TenantSnapshot.read(&graph, wanted: nil, keys: keys, apps: keys).0
        } catch {
            throw error.failure as any Error
        }
    }

    /// The plan of the argument, with the policies that it is for. One that is made of a folder is shown.
    private func plan(_ tenant: TenantSnapshot) async throws -> (plan: ReleasePlan, built: BuiltPolicies) {
        guard isPlan else {
            let built = try ReleaseFolder.build(source, values.source, tenant: tenant.organization.domains.first)
            try ReleaseTenant.check(built, tenant)
            let limits = ComparisonLimits(
                limits: try WalkOptions.parse([]).limits(seed: 1), seconds: 300, structureOnly: false)
            let release = try await ReleaseTenant.compare(built, tenant, deletes: delete, limits, common)
            let report = ReleaseReport(release, forbidden: [])
            if !report.plan.isEmpty { Machine.out.write(sentences: report.text + "\n") }
            if !report.refused.isEmpty { throw Failure.silent(.input) }
            return (release.plan, built)
        }
        let bytes: [UInt8]
        do throws(FileSystem.Problem) {
            bytes = try FileSystem.read(source)
        } catch {
            throw Failure.input("\(source) cannot be read: \(error.text)") as any Error
        }
        let plan: ReleasePlan
        do throws(InvalidInput) {
            plan = try ReleasePlan(JSONDocument(file: source, bytes: bytes))
        } catch {
            throw FindingsPrinter(common, source, bytes).failure(error.diagnostics) as any Error
        }
        guard sameID(plan.tenant.id, tenant.organization.id) else {
            throw Failure.input(
                "\(source) is for tenant \(shown(plan.tenant)), and the credential is of \(shown(tenant.organization)). "
                    + "Sign in to the tenant of the plan, or make a plan for this one: b2c policy plan")
        }
        try refuseMoved(plan, in: tenant)
        if let given = values.source.environment, let planned = plan.environment, given != planned {
            throw Failure.usage(
                "\(source) is for environment \(planned), and --environment is \(given). Remove the option")
        }
        var values = values.source
        values.environment = values.environment ?? plan.environment
        let place = policies ?? "."
        let built = try ReleaseFolder.build(place, values, tenant: tenant.organization.domains.first)
        try ReleaseTenant.check(built, tenant)
        let stale = plan.uploads.filter { step in
            built.policy(step.id).map { PolicyMeaning.digest($0.bytes) } != step.after
        }
        guard stale.isEmpty else {
            throw Failure.expectation(
                "\(place) is not what \(source) was made for: \(namesList(stale.map(\.id))) "
                    + "\(stale.count == 1 ? "differs" : "differ"). Make the plan again: b2c policy plan, or name the folder "
                    + "with --policies")
        }
        return (plan, built)
    }

    private func shown(_ tenant: TenantOrganization) -> String { tenant.domains.first ?? tenant.id }

    // MARK: What is done

    private func deploy(_ seen: TenantSnapshot, _ run: inout DeploymentRun) async throws {
        let (plan, built) = try await plan(seen)
        let ignored = delete ? [] : plan.deletions
        if !ignored.isEmpty {
            Machine.error.write(
                "b2c: the plan deletes \(namesList(ignored.map(\.id))): without --delete they stay\n")
        }
        let steps = (plan.uploads + (delete ? plan.deletions : [])).map {
            DeploymentStep(id: $0.id, file: $0.file, before: $0.before, after: $0.after)
        }
        guard !steps.isEmpty else {
            Machine.out.write("Nothing changes: \(shown(seen.organization)) has these policies already.\n")
            return
        }
        try await run.approve(steps, of: seen.organization, isSure: yes)
        let now = try await read(&run.graph)
        try refuseMoved(plan, in: now)
        let contents = contents(built.policies)
        let record = record(.deploy, seen, built.environment, digest: DeploymentRecord.digest(of: plan.json), steps)
        try await run.begin(record, contents: contents, now: now, sources: built.policies.map(\.source))
    }

    private func stage(_ prefix: String, _ seen: TenantSnapshot, _ run: inout DeploymentRun) async throws {
        let (plan, built) = try await plan(seen)
        let release = StagedRelease(built, changed: plan.uploads.map(\.id), prefix: prefix)
        guard release.findings.isEmpty else {
            throw FindingsPrinter(common, sources: built.policies.map(\.source)).failure(release.findings)
        }
        let (steps, foreign) = release.steps(tenant: seen, journal: run.journal)
        guard foreign.isEmpty else {
            throw Failure.input(
                "the tenant has \(namesList(foreign)) already, and no --staged of this folder created "
                    + "\(foreign.count == 1 ? "it" : "them"). Choose another prefix")
        }
        guard !steps.isEmpty else {
            Machine.out.write("Nothing changes: \(shown(seen.organization)) has these policies already.\n")
            return
        }
        try await run.approve(steps, of: seen.organization, isSure: yes)
        let now = try await read(&run.graph)
        try refuseMoved(plan, in: now)
        var record = record(.staged, seen, built.environment, digest: DeploymentRecord.digest(of: plan.json), steps)
        record.prefix = prefix
        try await run.begin(
            record, contents: contents(release.policies), now: now,
            sources: (release.policies + built.policies).map(\.source))
    }

    private func remove(_ prefix: String, _ seen: TenantSnapshot, _ run: inout DeploymentRun) async throws {
        let all = run.journal.removal(of: prefix)
        guard !all.isEmpty else {
            let known = Set(run.journal.stagedPolicies.map(\.prefix)).sorted()
            throw Failure.input(
                "--remove-staged \(prefix): no policy of \(shown(seen.organization)) was created by --staged \(prefix) "
                    + "according to \(run.folder.path), and others are not deleted."
                    + (known.isEmpty ? "" : " It has the prefixes \(namesList(known))."))
        }
        let steps = all.filter { seen.policy($0.id) != nil }
        try await undo(.removeStaged, steps, former: [:], seen, &run) { $0.prefix = prefix }
    }

    private func rollBack(_ seen: TenantSnapshot, _ run: inout DeploymentRun) async throws {
        // One that was stopped comes first, also if nothing of it reached the tenant.
        guard let undone = run.journal.unfinished ?? run.journal.toRollBack else {
            throw Failure.input("\(run.folder.path) has no deployment that can be rolled back")
        }
        let former = try run.folder.policies(undone, .before)
        // What has its former state already needs no upload.
        let steps = undone.undoing(former, among: seen.policies).filter { seen.digest($0.id) != $0.after }
        try await undo(.rollback, steps, former: former, seen, &run) {
            ($0.undoes, $0.plan, $0.environment) = (undone.bundle, undone.plan, undone.environment)
        }
    }

    /// Carries out steps that replace what this folder uploaded, unless somebody else changed it.
    private func undo(
        _ kind: DeploymentRecord.Kind, _ planned: [DeploymentStep], former: [String: [UInt8]], _ seen: TenantSnapshot,
        _ run: inout DeploymentRun, _ complete: (inout DeploymentRecord) -> Void
    ) async throws {
        if let other = force.first(where: { id in !planned.contains { sameID($0.id, id) } }) {
            let names = planned.isEmpty ? "nothing" : namesList(planned.map(\.id))
            throw Failure.usage("--force \(other): this does not change it. It changes \(names)")
        }
        let steps = planned.forcing(force, in: seen)
        try refuseMoved(steps, in: seen)
        if !steps.isEmpty { try await run.approve(steps, of: seen.organization, isSure: yes) }
        let now = try await read(&run.graph)
        try refuseMoved(steps, in: now)
        var record = record(kind, seen, nil, digest: nil, steps)
        complete(&record)
        try await run.begin(record, contents: former, now: now, sources: [])
    }

    private func refuseMoved(_ plan: ReleasePlan, in tenant: TenantSnapshot) throws {
        let moved = plan.moved(since: tenant)
        guard !moved.isEmpty else { return }
        throw Failure.expectation(
            "\(shown(tenant.organization)) changed since the plan: \(namesList(moved)). Microsoft Graph does not say who "
                + "did it. Nothing was uploaded. Make the plan again: b2c policy plan")
    }

    private func refuseMoved(_ steps: [DeploymentStep], in tenant: TenantSnapshot) throws {
        let moved = tenant.moved(steps).map(\.id)
        guard !moved.isEmpty else { return }
        throw Failure.expectation(
            "\(namesList(moved)) changed since: \(moved.count == 1 ? "it is" : "they are") not what this folder uploaded. "
                + "Nothing was changed now. To replace what somebody else did: "
                + moved.map { "--force \($0)" }.joined(separator: " "))
    }

    private func goOn(_ record: DeploymentRecord, _ run: inout DeploymentRun) async throws {
        let contents = try run.folder.policies(record, .after)
        Machine.error.write("b2c: goes on with the \(record.title)\n")
        try await run.finish(record, contents: contents, sources: [])
    }

    private func refusal(_ record: DeploymentRecord, _ tenant: TenantSnapshot) -> Failure {
        let rollback = record.kind == .rollback ? "" : " Undo: b2c policy deploy --rollback"
        return Failure.usage(
            "the \(record.title) was stopped in the middle. \(record.looked(at: tenant).progress) "
                + "Go on: b2c policy deploy --resume." + rollback)
    }

    // MARK: Records

    private func contents(_ policies: [BuiltPolicy]) -> [String: [UInt8]] {
        Dictionary(policies.map { ($0.id, $0.bytes) }) { first, _ in first }
    }

    private func record(
        _ kind: DeploymentRecord.Kind, _ tenant: TenantSnapshot, _ environment: String?, digest: String?,
        _ steps: [DeploymentStep]
    ) -> DeploymentRecord {
        DeploymentRecord(
            kind, tenant: tenant.organization, environment: environment, plan: digest, began: Machine.clock.now(),
            bundle: "", steps: steps)
    }
}

extension DeploymentRecord {
    /// As in "deployment of 2026-11-30T06:02:34Z to contoso.onmicrosoft.com".
    fileprivate var title: String {
        "\(kind == .rollback ? "rollback" : "deployment") of \(began.rfc3339) to \(tenant.domains.first ?? tenant.id)"
    }
}
