import ArgumentParser
import CommandFiles
import CommandKit
import Diagnostics
import JSON
import PolicyRelease
import PolicyTools
import TrustFramework

/// `b2c policy pull`.
struct PolicyPullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Brings the policies of a tenant into a folder, and descriptions of its key sets.",
        discussion: """
            A policy without a file gets one. A file that builds to something else is merged: only what differs changes, and \
            comments, order and formatting stay. The tenant's domain and app IDs become {Settings:NAME}, with values in \
            appsettings.json. Without a change in the tenant, nothing is written.

              b2c policy pull policies --environment Test
              b2c policy pull policies --environment Test --policy B2C_1A_SignIn --dry-run

            Needs the application permission Policy.Read.All, and TrustFrameworkKeySet.Read.All for keys.json.
            """)

    @Argument(help: ArgumentHelp("A folder of policy files; it is made if it is missing.", valueName: "folder"))
    var folder: String

    @Option(name: .long, help: ArgumentHelp("Only this policy; repeat it for more. (default: all)", valueName: "id"))
    var policy: [String] = []

    @Flag(name: .long, help: "Show what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var values: PolicyValueOptions

    @OptionGroup var service: GraphOptions

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let path = FilePath.relative(folder, to: Machine.currentFolder)
        let isNew = FileSystem.kind(path) == nil
        if !isNew, FileSystem.kind(path) != .folder { throw Failure.usage("\(path) is not a folder") }
        let source = isNew ? nil : try ReleaseFolder(folder, values.source)
        let (snapshot, notes) = try await read()
        for note in notes { Machine.error.write("note: \(note)\n") }
        let environment = try environment(in: source, of: snapshot.organization)
        let (outcome, findings) = PolicyPull.pull(
            snapshot, wanted: policy.isEmpty ? nil : Set(policy),
            into: PolicyPull.Folder(
                files: source?.files ?? [], settings: source?.settings?.bytes, environment: environment),
            naming: values.source.environment ?? Self.name(of: snapshot.organization),
            path: { FilePath.join(path, $0) })
        if !findings.isEmpty { PlacedPolicies.report(findings) }
        guard let outcome else { throw Failure.silent(.input) }
        try save(outcome, snapshot, in: path, settings: source?.settings?.path)
    }

    /// The tenant, with the policies that are wanted.
    private func read() async throws -> (TenantSnapshot, notes: [String]) {
        var graph = try service.graph()
        let read: (snapshot: TenantSnapshot, notes: [String])
        do throws(PolicyGraphProblem) {
            read = try await TenantSnapshot.read(
                &graph, wanted: policy.isEmpty ? nil : Set(policy), keys: policy.isEmpty, apps: false)
        } catch {
            throw error.failure as any Error
        }
        if let missing = policy.first(where: { read.snapshot.policy($0) == nil }) {
            throw Failure.usage("the tenant has no policy \(missing)")
        }
        return (read.snapshot, read.notes)
    }

    /// The environment of the tenant: the one that was named, else the one with its domain; `nil`: it is added.
    private func environment(
        in source: ReleaseFolder?, of tenant: TenantOrganization
    ) throws -> PolicyEnvironments.Environment? {
        let all = source?.settings?.environments.environments ?? []
        func isOfTenant(_ environment: PolicyEnvironments.Environment) -> Bool {
            environment.tenant.map { name in
                tenant.domains.contains { sameID($0, name) } || sameID(tenant.id, name)
                    || TenantPlaceholder.isOne(name)
            } ?? true
        }
        if let wanted = values.source.environment {
            guard let found = all.first(where: { sameID($0.name, wanted) }) else { return nil }
            guard isOfTenant(found) else {
                throw Failure.usage(
                    "environment \(found.name) is of tenant \(found.tenant ?? ""), and the credentials are of "
                        + "\(tenant.domains.first ?? tenant.id)")
            }
            return found
        }
        guard !all.isEmpty else { return nil }
        if let found = all.first(where: { $0.tenant != nil && isOfTenant($0) }) ?? all.first(where: isOfTenant) {
            return found
        }
        throw Failure.usage(
            "no environment of \(source?.settings?.path ?? "") has the tenant \(tenant.domains.first ?? tenant.id). Name "
                + "one by --environment; a new name adds it.")
    }

    /// The name of an environment that nobody named: the first label of the tenant's domain.
    private static func name(of tenant: TenantOrganization) -> String {
        let domain = tenant.domains.first ?? tenant.id
        return String(domain.prefix { $0 != "." })
    }

    // MARK: Files

    private func save(
        _ outcome: PolicyPull.Outcome, _ snapshot: TenantSnapshot, in folder: String, settings: String?
    ) throws {
        var files = outcome.files
        if let bytes = outcome.settings { files.append((settings ?? FilePath.join(folder, "appsettings.json"), bytes)) }
        let manifest = FilePath.join(folder, "keys.json")
        if let sets = snapshot.keySets, !sets.isEmpty, FileSystem.kind(manifest) == nil {
            files.append((manifest, Array((JSONWriter.pretty(KeySet.manifest(of: sets)) + "\n").utf8)))
        }
        if !dryRun, !files.isEmpty {
            do throws(FileSystem.Problem) {
                if FileSystem.kind(folder) == nil { try FileSystem.makeFolder(folder) }
                for file in files { try FileSystem.write(file.bytes, to: file.path) }
            } catch {
                throw Failure.machine("\(folder) cannot be written: \(error.text)") as any Error
            }
        }
        for entry in outcome.entries where entry.change != .unchanged || common.isVerbose {
            Machine.out.write("\(entry.change.rawValue): \(VisibleText.of(entry.id, keeping: [])) (\(entry.file))\n")
        }
        let names = outcome.added.map(\.name)
        if !names.isEmpty { Machine.out.write("settings added: \(namesList(names))\n") }
        let count = files.count
        let verb = dryRun ? "would write" : "wrote"
        Machine.out.write(
            count == 0
                ? "nothing changes: \(folder) has what \(outcome.tenant) has\n"
                : "\(verb) \(count) \(count == 1 ? "file" : "files") to \(folder)\n")
    }
}
