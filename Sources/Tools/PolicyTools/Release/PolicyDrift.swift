import PolicyRelease

/// How a tenant differs from the policies that it should have.
package enum PolicyDrift {
    /// - Parameter shown: The folder or revision, as it was named.
    package static func report(
        _ built: BuiltPolicies, _ tenant: TenantSnapshot, from shown: String, limits: ComparisonLimits
    ) async throws -> ReleaseReport {
        let plan = ReleasePlan(built: built, tenant: tenant, deletes: false)
        var report = ReleaseReport(plan: plan, subject: .drift(from: shown))
        // Policies that the folder does not have count as far as its policies inherit from them.
        var (old, new) = (PolicyState([]), PolicyState([]))
        for policy in tenant.policies {
            let file = PolicyState.File(policy)
            new.put(file)
            if built.policy(policy.id) == nil { old.put(file) }
        }
        for policy in built.policies { old.put(PolicyState.File(policy)) }
        let changes = SignInChanges(from: old, to: new, domain: built.tenant, limits: limits)
        report.unchanged = changes.all.filter { id in !changes.changed.contains(id) }
        if !plan.isEmpty { report.signIns = try await changes.compare() }
        return report
    }
}
