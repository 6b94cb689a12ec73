import B2CProtocol
import Diagnostics
import JSON
import TrustFramework

/// The claims that the custom policies of a script send, by their names in the token. The policies are read when somebody
/// asks, because most scripts name no claim that needs it.
final class PolicyClaims {
    private let tenant: JSONValue
    private let patches: [JSONValue]
    private let folder: String
    private let library: TenantLibrary
    private lazy var names: Names = read()

    private struct Names {
        var known: Set<String> = []
        /// A policy whose file is not known yet can send anything.
        var isOpen = false
    }

    /// - Parameters:
    ///   - tenant: the tenant as written.
    ///   - patches: every patch of the script over it. Each may name another file of a policy.
    ///   - folder: where the tenant file is.
    init(tenant: JSONValue, patches: [JSONValue], folder: String, library: TenantLibrary) {
        self.tenant = tenant
        self.patches = patches
        self.folder = folder
        self.library = library
    }

    /// Whether some custom policy sends a claim of this name.
    func maySend(_ name: String) -> Bool { names.isOpen || names.known.contains(name) }

    private func read() -> Names {
        var names = Names()
        let whole = patches.reduce(tenant) { $0.merging(patch: $1) }
        for json in [tenant] + patches.map({ tenant.merging(patch: $0) }) + [whole] {
            let tenant = TenantFile.outline(of: json)
            for policy in tenant.policies where policy.type == .custom {
                guard let file = policy.file, !Template.mayHoldReference(file) else {
                    names.isOpen = true
                    continue
                }
                names.known.formUnion(sent(by: policy, file: file, of: tenant))
            }
        }
        return names
    }

    private func sent(by policy: PolicySettings, file: String, of tenant: Tenant) -> [String] {
        if let linked = try? library.policies.policy(policy, tenant: tenant, folder: folder) {
            return linked.relyingParty.outputClaims.map(\.wireName)
        }
        // A policy that does not link is reported when the run starts. Its own file says enough here.
        let path = ScenarioPath.resolve(file, from: folder == "/" ? "/x" : folder + "/x")
        guard let bytes = library.bytes(path),
            let own = try? PolicyReader.readThrough(file: path, bytes: bytes).document
        else { return [] }
        return (own.relyingParty?.profiles ?? []).flatMap(\.outputClaims).map { $0.partnerClaimType ?? $0.claim }
    }
}
