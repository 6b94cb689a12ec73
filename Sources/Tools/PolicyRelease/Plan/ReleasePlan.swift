import Diagnostics
import JSON
import TrustFramework

/// What a release changes in a tenant, and what the tenant had when the plan was made. It holds names and digests, and no
/// part of a policy.
public struct ReleasePlan: Hashable, Sendable {
    /// What happens to a policy of the tenant.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case create, update, unchanged, delete
    }

    /// One policy of the release.
    public struct ReleaseStep: Hashable, Sendable {
        /// `PolicyId`, as the folder writes it; of a deleted policy as the tenant does.
        public var id: String
        public var action: Action
        /// The source file; `nil` for a deleted policy.
        public var file: String?
        /// ``PolicyMeaning/digest(_:)`` of what the tenant had; `nil`: nothing.
        public var before: String?
        /// The digest of what it has afterwards; `nil`: nothing.
        public var after: String?

        public init(id: String, action: Action, file: String?, before: String?, after: String?) {
            self.id = id
            self.action = action
            self.file = file
            self.before = before
            self.after = after
        }

        /// Whether the policy is uploaded.
        public var isUpload: Bool { action == .create || action == .update }
    }

    /// A policy of the tenant that the folder does not have.
    public struct Other: Hashable, Sendable {
        public var id: String
        /// The digest of what the tenant has.
        public var digest: String

        public init(id: String, digest: String) {
            self.id = id
            self.digest = digest
        }
    }

    /// The version of the file that is written and read.
    public static let version = 1

    public var tenant: TenantOrganization
    /// The environment that the folder was built for; `nil`: it has no settings file.
    public var environment: String?
    /// In the order of the uploads; deletions are last, children before their parents.
    public var steps: [ReleaseStep]
    /// Policies of the tenant that the folder does not have and that stay.
    public var notInFolder: [Other]

    public init(tenant: TenantOrganization, environment: String?, steps: [ReleaseStep], notInFolder: [Other] = []) {
        self.tenant = tenant
        self.environment = environment
        self.steps = steps
        self.notInFolder = notInFolder
    }

    /// Which policies change, in the order in which the folder was built: parents first.
    ///
    /// - Parameter deletes: Whether policies of the tenant that the folder does not have are deleted.
    public init(built: BuiltPolicies, tenant: TenantSnapshot, deletes: Bool) {
        self.init(tenant: tenant.organization, environment: built.environment, steps: [])
        for policy in built.policies {
            let before = tenant.policy(policy.id).map { PolicyMeaning.digest($0.bytes) }
            let after = PolicyMeaning.digest(policy.bytes)
            let action: Action = before == nil ? .create : before == after ? .unchanged : .update
            steps.append(ReleaseStep(id: policy.id, action: action, file: policy.file, before: before, after: after))
        }
        let others = tenant.policies.filter { built.policy($0.id) == nil }
        if deletes {
            steps += Self.childrenFirst(others).map { policy in
                ReleaseStep(
                    id: policy.id, action: .delete, file: nil, before: PolicyMeaning.digest(policy.bytes), after: nil)
            }
        } else {
            notInFolder = others.map { Other(id: $0.id, digest: PolicyMeaning.digest($0.bytes)) }
        }
    }

    /// What is uploaded, in order.
    public var uploads: [ReleaseStep] { steps.filter(\.isUpload) }

    /// What is deleted, in order.
    public var deletions: [ReleaseStep] { steps.filter { $0.action == .delete } }

    /// Whether the release changes nothing.
    public var isEmpty: Bool { steps.allSatisfy { $0.action == .unchanged } }

    /// The step of a policy in any letter case.
    public func step(_ id: String) -> ReleaseStep? { steps.first { sameID($0.id, id) } }

    /// Puts the uploads into an order. Unchanged policies come first, and deletions stay last.
    ///
    /// - Parameter ids: The ids of all uploads.
    public mutating func order(uploads ids: [String]) {
        let ordered = ids.compactMap { id in uploads.first { sameID($0.id, id) } }
        guard ordered.count == uploads.count else { return }
        steps = steps.filter { $0.action == .unchanged } + ordered + deletions
    }

    /// Policies whose content in the tenant is not what the plan saw: changed, gone, or new, by id.
    public func moved(since snapshot: TenantSnapshot) -> [String] {
        let seen = steps.map { ($0.id, $0.before) } + notInFolder.map { ($0.id, $0.digest) }
        let changed = seen.filter { id, digest in
            snapshot.policy(id).map { PolicyMeaning.digest($0.bytes) } != digest
        }
        let new = snapshot.policies.filter { policy in !seen.contains { sameID($0.0, policy.id) } }
        return changed.map(\.0) + new.map(\.id)
    }

    private static func childrenFirst(_ policies: [TenantPolicy]) -> [TenantPolicy] {
        var left = policies
        var ordered: [TenantPolicy] = []
        while !left.isEmpty {
            let parents = left.compactMap { PolicyParent.id(of: $0.bytes) }
            let free = left.filter { policy in !parents.contains { sameID($0, policy.id) } }
            // A cycle has no child: it is deleted in the order of the service.
            let next = free.isEmpty ? left : free
            ordered += next
            left.removeAll { policy in next.contains { $0.id == policy.id } }
        }
        return ordered
    }
}
