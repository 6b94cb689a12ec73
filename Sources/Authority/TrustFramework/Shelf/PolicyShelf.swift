import Determinism
import Diagnostics
import TenantFiles

/// Custom policies as they are read from files, each file read once however many scenarios play in it. What has changed
/// on the disk since is not noticed: make a new shelf.
///
/// What is wrong with a custom policy shows only when it is linked, so a tenant with custom policies links each of them
/// once. User flows whose settings differ in nothing but name and id have the same findings: the first of them is linked
/// when the tenant is loaded, the others when something uses them.
public final class PolicyShelf: Sendable {
    /// What is read.
    let read: ReadPolicyFiles
    /// What is made of it.
    let linked = LinkedPolicies()

    /// How many policies were linked so far: for tests of how work grows.
    package var linkedPolicies: Int { linked.count.links.load(ordering: .relaxed) }

    public init(files: PolicyFiles) {
        read = ReadPolicyFiles(files)
    }

    /// All policies of a tenant in the order of its file. Policies that cannot run yet are skipped.
    ///
    /// - Parameter folder: The folder of the tenant file.
    /// - Throws: All findings of all policies together. Those about the tenant file have a JSON pointer and no line.
    public func load(tenant: Tenant, folder: String) throws(InvalidInput) -> [ResolvedPolicy] {
        let (policies, faults) = loadWhatLinks(tenant: tenant, folder: folder)
        guard faults.isEmpty else { throw InvalidInput(diagnostics: faults.flatMap { $0.why.diagnostics }) }
        return policies
    }

    /// The policies of a tenant that link, and why the others do not.
    func loadWhatLinks(
        tenant: Tenant, folder: String
    ) -> (policies: [ResolvedPolicy], faults: [(id: String, why: InvalidInput)]) {
        var policies: [ResolvedPolicy] = []
        var faults: [(id: String, why: InvalidInput)] = []
        let surroundings = flowSurroundings(of: tenant)
        var custom: CustomSurroundings?
        for settings in tenant.policies where settings.unsupported == nil {
            do throws(InvalidInput) {
                policies.append(
                    settings.type == .custom
                        ? try policy(settings, &custom, tenant: tenant, folder: folder)
                        : try userFlow(settings, surroundings, tenant: tenant, folder: folder))
            } catch {
                faults.append((settings.id, error))
            }
        }
        return (policies, faults)
    }

    /// The policy of a user flow with its text packs.
    public func compile(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        try userFlow(settings, flowSurroundings(of: tenant), tenant: tenant, folder: folder)
    }

    /// What the files of a policy's `texts` hold, in their order. Each file is read once.
    ///
    /// - Throws: All findings of all files. Those about the tenant file have a JSON pointer and no line.
    public func packs(_ settings: PolicySettings, tenant: Tenant, folder: String) throws(InvalidInput) -> [TextPack] {
        try read.packs(settings, tenant: tenant, folder: folder)
    }

    /// A custom policy of a tenant file, linked with its parents: those in its own folder first, then those in the
    /// tenant file's `policyFolders` in their order, then the base that is built in.
    public func policy(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        var surroundings: CustomSurroundings?
        return try policy(settings, &surroundings, tenant: tenant, folder: folder)
    }

    // MARK: Files

    /// The content of a file as it is now; `nil` where there is none.
    public func file(_ path: String) -> [UInt8]? { read.current(path) }

    /// The files that the custom policies of a tenant were read from, with their paths as seen from the tenant file: for
    /// handing a tenant over to somebody who has another disk. Only what `load` has read is known.
    public func texts(of tenant: Tenant, folder: String) -> [(path: String, text: String)] {
        var folders = Set(tenant.policyFolders.map { PolicyPath.resolve($0, in: folder) })
        for policy in tenant.policies where policy.type == .custom {
            if let file = policy.file { folders.insert(PolicyPath.folder(of: PolicyPath.resolve(file, in: folder))) }
        }
        let settings = tenant.policySettingsFile.map { PolicyPath.resolve($0, in: folder) }
        let packs = Set(tenant.policies.flatMap(\.texts).flatMap(\.files).map { PolicyPath.resolve($0, in: folder) })
        let known = read.known
        return known.keys.sorted().filter {
            $0 == settings || packs.contains($0) || folders.contains(PolicyPath.folder(of: $0))
        }.map {
            path in
            (PolicyPath.relative(path, to: folder), String(decoding: known[path] ?? [], as: UTF8.self))
        }
    }

    /// The ids that a custom policy inherits from, nearest first.
    public func parents(
        of settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [String] {
        try chain(settings, tenant: tenant, folder: folder).dropLast().reversed().map(\.policyID)
    }

    /// A custom policy's own file as it was read, without its parents.
    public func own(
        _ settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> PolicyDocument {
        let chain = try chain(settings, tenant: tenant, folder: folder)
        return chain[chain.count - 1]
    }

    /// The files that a custom policy is made of, from its own to its oldest ancestor. A base that is built in has none.
    public func files(
        of settings: PolicySettings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> [(file: String, bytes: [UInt8])] {
        let documents: [PolicyDocument] = try chain(settings, tenant: tenant, folder: folder)
        return documents.reversed().compactMap { document in
            read.bytes(document.location.file).map { (document.location.file, $0) }
        }
    }
}
