import Determinism
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import TrustFramework

/// The custom policies of a B2C tenant as Microsoft Graph manages them, and which of them sign-ins see.
///
/// Sign-ins see an uploaded policy up to half an hour later. A relying party whose `DeploymentMode` is `Development` is
/// seen at once, with its parents; so is a new one, since nobody can have an earlier one cached (inferred).
public final class PolicyDirectory: Sendable {
    private let state: Mutex<PolicyDirectoryState>
    /// When sign-ins see something new, in milliseconds since the epoch.
    private let nextChange = Atomic<Int64>(.max)
    let rules: PolicyUploadRules

    /// - Parameters:
    ///   - tenant: The tenant without what was uploaded.
    ///   - seed: What is drawn for ids and keys comes from streams of it.
    ///   - kept: What was uploaded in an earlier run.
    ///   - now: The instant of the world.
    ///   - rules: What is checked of an upload; `nil`: whether the chain can be read and linked.
    public init(
        _ tenant: CompiledTenant, seed: SeededGenerator, kept: KeptPolicies = KeptPolicies(), now: Timestamp,
        rules: PolicyUploadRules? = nil
    ) {
        self.rules = rules ?? UploadLinking.rules
        var state = PolicyDirectoryState(tenant, seed: seed)
        for entry in kept.entries {
            for version in entry.versions { state.add(version, id: entry.id) }
        }
        _ = state.serve(at: now)
        nextChange.store(state.nextChange(after: now), ordering: .releasing)
        self.state = Mutex(state)
    }

    // MARK: Sign-ins

    /// The tenant as sign-ins see it.
    public var served: CompiledTenant { state.withLock { $0.served } }

    /// Whether sign-ins may see something new. It asks for the time only where something was uploaded.
    func isDue(at now: () -> Timestamp) -> Bool {
        let next = nextChange.load(ordering: .acquiring)
        return next != .max && now().milliseconds >= next
    }

    /// The tenant as sign-ins see it now, if that has changed.
    func takeChange(at now: Timestamp) -> CompiledTenant? {
        state.withLock { state in
            let changes = state.serve(at: now)
            nextChange.store(state.nextChange(after: now), ordering: .releasing)
            return changes ? state.served : nil
        }
    }

    /// Goes on with a changed tenant; what was uploaded stays.
    ///
    /// - Returns: The tenant as sign-ins see it.
    public func declare(_ tenant: CompiledTenant, at now: Timestamp) -> CompiledTenant {
        state.withLock { state in
            if tenant !== state.declared { state.declare(tenant, at: now) }
            return state.served
        }
    }

    /// Forgets everything that was written over Graph.
    ///
    /// - Parameter tenant: The tenant to begin with.
    public func startAnew(_ tenant: CompiledTenant) {
        state.withLock { $0 = PolicyDirectoryState(tenant, seed: $0.seed) }
        nextChange.store(.max, ordering: .releasing)
    }

    // MARK: Policies

    /// The newest version of each policy, by id.
    func newest() -> [StoredPolicy] { state.withLock { $0.newest } }

    /// The newest version of a policy; `nil` where there is none.
    func newest(_ id: String) -> StoredPolicy? { state.withLock { $0.newest(id) } }

    /// How many user flows the tenant has.
    var userFlows: Int { tenant.policies.count { $0.type != .custom } }

    /// Keeps a policy, or deletes it.
    ///
    /// - Returns: The rows that a state file keeps of it.
    func write(_ policy: StoredPolicy?, id: String, at now: Timestamp) -> [RowChange] {
        state.withLock { state in
            state.add(policy, id: id, at: now)
            return state.row(id, at: now).map { [.put(.uploadedPolicies, key: id.uppercased(), KeptRow($0))] } ?? []
        }
    }

    /// Begins to write a policy.
    ///
    /// - Returns: Whether nobody else is writing it.
    func beginWriting(_ id: String) -> Bool { state.withLock { $0.writing.insert(id.uppercased()).inserted } }

    func endWriting(_ id: String) { state.withLock { _ = $0.writing.remove(id.uppercased()) } }

    // MARK: Other routes

    /// The tenant without what was uploaded.
    var tenant: Tenant { state.withLock { $0.declared.tenant } }

    /// A fresh id of a request.
    func requestID() -> String { state.withLock { $0.random.guid().description } }

    /// Ids of the key sets.
    var keySets: Set<String> {
        state.withLock { state in state.routes { $0.keySets.ids } }
    }

    /// Answers a request that is not about policies.
    ///
    /// - Returns: `nil`: it is to none of the routes here.
    func answer(
        _ request: GraphManagementRequest, _ rights: GraphManagementRights, at now: Timestamp
    ) throws(GraphFault) -> GraphManagementAnswer? {
        let result: Result<GraphManagementAnswer?, GraphFault> = state.withLock { state in
            state.routes { routes in
                let revision = routes.keySets.revision
                // The next request to the authority comes to it with the changed keys.
                defer {
                    if routes.keySets.revision > revision { nextChange.store(now.milliseconds, ordering: .releasing) }
                }
                do throws(GraphFault) {
                    if let answer = try routes.keySets.answer(request, rights, at: now) { return .success(answer) }
                    return .success(try routes.directory.answer(request, rights, at: now))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}

extension RowChange.TableName {
    /// Versions of policies that were uploaded over Graph, by id in upper case.
    public static let uploadedPolicies = Self(rawValue: "uploadedPolicies")
}
