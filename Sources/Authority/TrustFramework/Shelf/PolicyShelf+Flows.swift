import Diagnostics
import TenantFiles

/// User flows, compiled.
extension PolicyShelf {
    /// What is the same for all user flows of a tenant.
    struct NumberedFlowSurroundings {
        var value: FlowSurroundings
        var number: Int
    }

    /// A compiled user flow. Most patches of a script change one policy or none: the others are not compiled again.
    func userFlow(
        _ settings: PolicySettings, _ surroundings: NumberedFlowSurroundings, tenant: Tenant, folder: String
    ) throws(InvalidInput) -> ResolvedPolicy {
        let key = LinkedPolicies.FlowKey(
            settings: settings, surroundings: surroundings.number,
            packs: try packs(settings, tenant: tenant, folder: folder))
        return try linked.flow(key) { userFlow(key, surroundings.value) }
    }

    private func userFlow(
        _ key: LinkedPolicies.FlowKey, _ surroundings: FlowSurroundings
    ) -> Result<ResolvedPolicy, InvalidInput> {
        let shape = key.shape
        if linked.hasLinked(shape: shape) { return .success(later(key, surroundings)) }
        do throws(InvalidInput) {
            let policy = try now(key, surroundings)
            linked.noteLinked(shape: shape)
            return .success(policy)
        } catch {
            return .failure(error)
        }
    }

    /// A user flow, linked.
    private func now(_ key: LinkedPolicies.FlowKey, _ surroundings: FlowSurroundings) throws(InvalidInput)
        -> ResolvedPolicy
    {
        linked.count.note()
        return ResolvedPolicy(try UserFlowCompiler.linked(key.settings, in: surroundings, packs: key.packs))
    }

    /// A user flow that is known to link, to be linked when something uses it.
    private func later(_ key: LinkedPolicies.FlowKey, _ surroundings: FlowSurroundings) -> ResolvedPolicy {
        // Only the count is kept: the shelf holds the policy, so the policy must not hold the shelf.
        let count = linked.count
        return ResolvedPolicy(id: key.settings.id, personality: UserFlowCompiler.personality(key.settings)) {
            count.note()
            do throws(InvalidInput) {
                return try UserFlowCompiler.linked(key.settings, in: surroundings, packs: key.packs)
            } catch {
                preconditionFailure("a user flow does not link, and one with the same settings does: \(error)")
            }
        }
    }

    func flowSurroundings(of tenant: Tenant) -> NumberedFlowSurroundings {
        let value = FlowSurroundings(of: tenant)
        return NumberedFlowSurroundings(value: value, number: linked.number(of: value, for: tenant))
    }
}
