import Determinism
import Diagnostics
import JSON
import Synchronization
import TenantFiles
import TrustFramework

/// A tenant with its policies compiled: what a world is made of. Immutable, so scenarios share it.
public final class CompiledTenant: Sendable {
    /// The file's text as it stands, before defaults.
    public let json: JSONValue
    /// The file decoded.
    public let tenant: Tenant
    /// Its policies, linked; none for a plain directory tenant.
    public let policies: [ResolvedPolicy]

    /// The file with all defaults filled in: what `{{tenant/...}}` reads.
    public var filled: JSONValue { filledOnce.value }

    /// Names what requests in a world of this tenant are about. It knows the addresses of its file and those that only
    /// its custom policies write down, so a world in process and one on a server say the same of a request.
    public var classifier: ExchangeClassifier { classifierOnce.value }

    private let filledOnce: Deferred<JSONValue>
    private let classifierOnce: Deferred<ExchangeClassifier>
    /// The tenant that patches were laid over until this one came out.
    private let base: Deferred<TenantBase?>
    /// Where custom policies come from.
    private let shelf: PolicyShelf
    /// The folder of the tenant file.
    private let folder: String

    /// The files of its custom policies and their templates, with their paths as seen from the tenant file.
    public var policyTexts: [(path: String, text: String)] {
        shelf.texts(of: tenant, folder: folder) + pages.texts(of: policies)
    }

    /// Page templates that the tenant file finds on the disk.
    public var pages: PageFiles {
        let shelf = shelf
        return PageFiles(tenant, folder: folder) { shelf.file($0) }
    }

    private init(
        json: JSONValue, tenant: Tenant, policies: [ResolvedPolicy], base: Deferred<TenantBase?>?, shelf: PolicyShelf,
        folder: String
    ) {
        filledOnce = Deferred { tenant.json }
        classifierOnce = Deferred {
            let addresses = ProviderAddresses.find(in: policies, of: tenant)
            return ExchangeClassifier(tenant: tenant, providers: addresses.flatMap { $0.endpoints.map(\.address) })
        }
        self.base = base ?? Deferred { TenantBase(json, allowsTemplates: false) }
        self.json = json
        self.tenant = tenant
        self.policies = policies
        self.shelf = shelf
        self.folder = folder
    }

    /// Decodes, compiles user flows and links custom policies. Policies that cannot be played are omitted: the reader
    /// has refused every script that names one.
    ///
    /// - Throws: Everything that is wrong with the text.
    /// - Parameters:
    ///   - shelf: Custom policies as they lie on the disk; `nil`: there are none.
    ///   - folder: The folder of the tenant file; paths in it are relative to that.
    public static func compile(
        _ json: JSONValue, shelf: PolicyShelf? = nil, folder: String = "."
    ) throws(InvalidInput) -> CompiledTenant {
        try compile(json, over: nil, shelf: shelf ?? PolicyShelf(files: .none), folder: folder)
    }

    private static func compile(
        _ json: JSONValue, over base: Deferred<TenantBase?>?, shelf: PolicyShelf, folder: String
    ) throws(InvalidInput) -> CompiledTenant {
        let tenant = try Tenant(json: json, over: base?.value)
        let policies = tenant.kind == .b2c ? try shelf.load(tenant: tenant, folder: folder) : []
        return CompiledTenant(
            json: json, tenant: tenant, policies: policies, base: base, shelf: shelf, folder: folder)
    }

    /// This tenant with other policy keys than its file has.
    func with(policyKeys: [PolicyKeySettings]) -> CompiledTenant {
        var changed = tenant
        changed.policyKeys = policyKeys
        return CompiledTenant(
            json: json, tenant: changed, policies: policies, base: base, shelf: shelf, folder: folder)
    }

    /// Another text in the place of this one: with the same custom policies, from the same folder.
    ///
    /// - Throws: Everything that is wrong with the text.
    public func replaced(by json: JSONValue) throws(InvalidInput) -> CompiledTenant {
        try Self.compile(json, shelf: shelf, folder: folder)
    }

    /// The same tenant after a merge patch over its file. The shelf compiles only policies that the patch touches.
    public func patched(_ patch: JSONValue) throws(InvalidInput) -> CompiledTenant {
        try Self.compile(json.patched(tenant: patch), over: base, shelf: shelf, folder: folder)
            .refusingMisplaced(in: patch)
    }

    /// Its custom policies with their parents as a tenant has them that they were uploaded to.
    var deployedPolicies: [PolicyShelf.DeployedPolicy] { shelf.deployed(tenant: tenant, folder: folder) }

    /// This tenant with other policies. One that does not link stays as `earlier` has it, but fails; without an earlier one
    /// it is omitted.
    ///
    /// - Parameters:
    ///   - files: Policy files by their path as seen from the tenant file.
    ///   - patch: Lets the entries of policies name these files.
    /// - Throws: Everything that is wrong with the patched tenant besides its policies.
    func replacing(
        _ files: [String: [UInt8]], patch: JSONValue, earlier: (_ policyID: String) -> ResolvedPolicy?
    ) throws(InvalidInput) -> CompiledTenant {
        let changed = json.patched(tenant: patch)
        let tenant = try Tenant(json: changed, over: base.value)
        var (shelf, policies, faults) = shelf.replaced(by: files, tenant: tenant, folder: folder)
        for (id, why) in faults {
            guard let policy = earlier(id) else { continue }
            let first = why.diagnostics.first { $0.severity == .error } ?? why.diagnostics.first
            policies.append(policy.failing(because: "policy \(id) does not fit its parents: \(first?.message ?? "")"))
        }
        return CompiledTenant(
            json: changed, tenant: tenant, policies: policies, base: base, shelf: shelf, folder: folder)
    }

    /// This tenant, unless a patch that was just laid over it sets what has no effect. What the file set before stays
    /// good when a patch changes the type of its policy or the kind of its client.
    private func refusingMisplaced(in patch: JSONValue) throws(InvalidInput) -> CompiledTenant {
        try TenantFile.refuseMisplaced(patch, whole: json, in: tenant)
        return self
    }
}

/// Compiled tenants by their text: a suite of a hundred scripts over one tenant file compiles it once. Only those asked
/// for last are kept: in a large suite most tenants are in the one script that plays in them.
public final class TenantShelf: Sendable {
    private struct Key: Hashable {
        var json: JSONValue
        var folder: String
    }

    private let known = Mutex(RecentlyUsed<Key, Result<CompiledTenant, InvalidInput>>(limit: 4))
    private let policies: PolicyShelf

    /// - Parameter policies: The custom policies of tenant files; `nil`: there are none.
    public init(policies: PolicyShelf = PolicyShelf(files: .none)) {
        self.policies = policies
    }

    /// The tenant of a text; compiled when it is asked for the first time.
    ///
    /// - Parameter folder: The folder of the file; paths in it are relative to that.
    /// - Throws: Everything that is wrong with the text.
    public func tenant(_ json: JSONValue, folder: String = ".") throws(InvalidInput) -> CompiledTenant {
        let key = Key(json: json, folder: folder)
        if let found = known.withLock({ $0.value(key) }) { return try found.get() }
        let made: Result<CompiledTenant, InvalidInput>
        do throws(InvalidInput) {
            let tenant = try CompiledTenant.compile(json, shelf: policies, folder: folder)
            try TenantFile.refuseMisplaced(json, in: tenant.tenant)
            made = .success(tenant)
        } catch {
            made = .failure(error)
        }
        known.withLock { $0.keep(made, for: key) }
        return try made.get()
    }
}
