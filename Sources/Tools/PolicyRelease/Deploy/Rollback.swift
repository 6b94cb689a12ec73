import TrustFramework

extension DeploymentRecord {
    /// The steps that restore what was there before this deployment: first the former policies, then what it created is
    /// deleted.
    ///
    /// A former parent goes before its former children: the service checks an upload with the parents that the tenant has,
    /// and with these the former policy was accepted once. What was created goes last, since a policy may have inherited
    /// from it until it was restored.
    ///
    /// - Parameters:
    ///   - former: The policies of the bundle, by their ids.
    ///   - policies: Those of the tenant: between a child and its parent may be one that did not change.
    public func undoing(_ former: [String: [UInt8]], among policies: [TenantPolicy] = []) -> [DeploymentStep] {
        let touched = steps.filter(\.mayHaveChanged)
        var base: [String: String] = [:]
        for policy in policies { base[policy.id.lowercased()] = PolicyOutline(policy.bytes)?.base?.text }
        for (id, bytes) in former { base[id.lowercased()] = PolicyOutline(bytes)?.base?.text }
        let order = PolicyOrder.parentsFirst(touched.filter { $0.before != nil }.map(\.id), base: base)
        let restored = order.compactMap { id in touched.first { $0.id == id } }
        let created = touched.filter { $0.before == nil }.reversed()
        return (restored + created).map { DeploymentStep(id: $0.id, before: $0.after, after: $0.before) }
    }
}

extension [DeploymentStep] {
    /// The same steps for a tenant in which somebody else changed some of the policies: these are replaced too.
    ///
    /// - Parameter forced: Their ids, in any letter case.
    public func forcing(_ forced: [String], in tenant: TenantSnapshot) -> [DeploymentStep] {
        map { step in
            guard forced.contains(where: { sameID($0, step.id) }) else { return step }
            var step = step
            step.before = tenant.digest(step.id)
            return step
        }
    }
}
