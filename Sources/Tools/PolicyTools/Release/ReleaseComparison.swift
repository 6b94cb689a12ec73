import Diagnostics
import PolicyRelease
import TrustFramework
import Validation

/// Something that the tenant must have before the upload.
package struct MissingNeed: Hashable {
    /// Such as `key B2C_1A_RestApi does not exist`.
    package var text: String
    /// The element that needs it.
    package var place: SourceLocation?
    /// The command that makes it.
    package var remedy: String?
    var isKey: Bool
}

/// What the service refuses of a policy: its id, its chain with the root first, and the tenant's domain.
package typealias UploadRefusals = (
    _ policy: String, _ chain: [(file: String, bytes: [UInt8])], _ domain: String
) -> [Diagnostic]

/// A release as people notice it: what changes after it, and between its uploads.
package struct ReleaseComparison {
    /// With the uploads in the order that is best.
    package private(set) var plan: ReleasePlan
    /// What the service, or the linker, refuses of the folder. With one of them nothing else is compared.
    package private(set) var refused: [Diagnostic] = []
    package private(set) var signIns: [ChangedSignIn] = []
    /// Policies that apps can call and that do not change.
    package private(set) var unchanged: [String] = []
    package let missing: [MissingNeed]
    /// The states between two uploads in the order of the plan in which something happens.
    package private(set) var states: [UploadState] = []
    /// Where parents first breaks something and the order of the plan does not: what parents first breaks.
    package private(set) var avoided: [UploadState] = []
    /// Whether every order that was tried has a broken state.
    package private(set) var needsStaging = false

    /// - Parameters:
    ///   - deletes: Policies of the tenant that the folder does not have are deleted.
    ///   - missing: What the folder needs and the tenant lacks.
    ///   - refusals: What the service refuses of the last file of a chain, root first.
    /// - Throws: What keeps a comparison from being made.
    package init(
        _ built: BuiltPolicies, in tenant: TenantSnapshot, deletes: Bool = false, missing: [MissingNeed] = [],
        limits: ComparisonLimits, refusals: UploadRefusals = Self.checked
    ) async throws {
        plan = ReleasePlan(built: built, tenant: tenant, deletes: deletes)
        self.missing = missing
        let (old, new) = Self.states(built, tenant, plan)
        refused = Self.refused(plan, new, domain: built.tenant, refusals)
        let changes = SignInChanges(from: old, to: new, domain: built.tenant, limits: limits)
        unchanged = changes.all.filter { id in !changes.changed.contains(id) }
        guard refused.isEmpty, !plan.isEmpty else { return }
        signIns = try await changes.compare()
        refused = signIns.flatMap(\.problems)
        guard refused.isEmpty else { return }
        try await compareStates(from: old, to: new, domain: built.tenant, limits)
    }

    /// The kinds of everything that the release does.
    package var kinds: Set<ChangeKind> {
        var kinds = signIns.reduce(into: Set<ChangeKind>()) { $0.formUnion($1.kinds) }
        if !plan.deletions.isEmpty { kinds.insert(.deletedPolicy) }
        if missing.contains(where: \.isKey) { kinds.insert(.missingKey) }
        if states.contains(where: { !$0.broken.isEmpty }) { kinds.insert(.brokenState) }
        for row in states.flatMap(\.rows) { kinds.formUnion(row.kinds) }
        return kinds
    }

    /// What people notice after the release.
    package var rows: [NoticedRow] { signIns.flatMap(\.rows) }

    /// Replaces the row at a place of ``rows``.
    package mutating func replace(row place: Int, with row: NoticedRow) {
        var left = place
        for index in signIns.indices {
            if left < signIns[index].rows.count {
                signIns[index].rows[left] = row
                return
            }
            left -= signIns[index].rows.count
        }
    }

    // MARK: Making

    private static func states(
        _ built: BuiltPolicies, _ tenant: TenantSnapshot, _ plan: ReleasePlan
    ) -> (old: PolicyState, new: PolicyState) {
        let old = PolicyState(tenant.policies.map { PolicyState.File($0) })
        var new = old
        for policy in built.policies { new.put(PolicyState.File(policy)) }
        for step in plan.deletions { new.remove(step.id) }
        return (old, new)
    }

    /// What the service refuses of the files that are uploaded, in its words.
    private static func refused(
        _ plan: ReleasePlan, _ new: PolicyState, domain: String, _ refusals: UploadRefusals
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for step in plan.uploads {
            let chain = new.chain(step.id).reversed().map { (file: $0.path, bytes: $0.bytes) }
            for finding in refusals(step.id, chain, domain) where !found.contains(finding) { found.append(finding) }
        }
        return found
    }

    /// What the service refuses, in its words. Missing keys are what a plan lists as needs.
    package static func checked(
        _ policy: String, chain: [(file: String, bytes: [UInt8])], domain: String
    ) -> [Diagnostic] {
        UploadCheck.findings(of: policy, chain: chain, tenantDomain: domain, keySets: nil).map { finding in
            var diagnostic = finding.diagnostic
            diagnostic.severity = .error
            diagnostic.message = finding.text
            return diagnostic
        }
    }

    private mutating func compareStates(
        from old: PolicyState, to new: PolicyState, domain: String, _ limits: ComparisonLimits
    ) async throws {
        let uploads = plan.uploads
        guard uploads.count > 1 else { return }
        let between = UploadStates(from: old, to: new, domain: domain, uploads: uploads)
        var order = uploads.map(\.id)
        var all = between.states(of: order)
        if all.contains(where: { !$0.broken.isEmpty }) {
            if let better = between.unbrokenOrder() {
                avoided = all.filter { !$0.broken.isEmpty }
                order = better
                plan.order(uploads: order)
                all = between.states(of: order)
            } else {
                needsStaging = true
            }
        }
        if !limits.structureOnly {
            for place in all.indices {
                all[place].rows = try await between.rows(
                    in: order, after: all[place].count, known: rows, limits: limits)
            }
        }
        states = all.filter { !$0.isCalm }
    }
}
