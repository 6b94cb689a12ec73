import CommandKit
import Diagnostics
import Exploration
import TenantFiles

/// Two states of policies that are compared.
package struct PolicyVersionPair {
    /// A policy in both states; `nil`: that state does not have it.
    package typealias Pair = (old: PolicySettings?, new: PolicySettings?)

    package let old: PlacedPolicies
    package let new: PlacedPolicies
    /// The policy that was named; `nil`: all.
    private let policy: String?

    package init(old: PlacedPolicies, new: PlacedPolicies, policy: String?) {
        self.old = old
        self.new = new
        self.policy = policy
    }

    /// The policies of both, by id or, in tenant files, by name.
    package func pairs() throws -> [Pair] {
        // A file that was named is one policy.
        if let policy = policy ?? (new.isFolder ? new.wanted : nil) ?? (old.isFolder ? old.wanted : nil) {
            let pair = (old.policy(policy), new.policy(policy))
            // Neither has it: the error says which there are.
            if pair.0 == nil, pair.1 == nil { return [(nil, try new.settings())] }
            return [pair]
        }
        func partner(_ settings: PolicySettings, in found: PlacedPolicies) -> PolicySettings? {
            found.tenant.policy(named: settings.name) ?? found.tenant.policy(id: settings.id)
        }
        var pairs: [Pair] = new.tenant.policies.map { (partner($0, in: old), $0) }
        for settings in old.tenant.policies where partner(settings, in: new) == nil { pairs.append((settings, nil)) }
        return pairs
    }

    /// What differs between the two states of a policy. Prints everything that keeps them from being compared.
    ///
    /// - Parameter seconds: At most so many for each walk; `nil`: only elements are compared.
    /// - Throws: ``Failure``, and `CancellationError` in a task that was cancelled.
    package func compare(_ pair: Pair, _ limits: ExplorationLimits, seconds: Int?) async throws -> PolicyComparison {
        guard let before = pair.old, let after = pair.new else {
            return PolicyComparison((pair.old ?? pair.new)?.name ?? "", pair.old == nil ? .added : .removed)
        }
        let sides = (
            PolicyComparison.Side(found: old, settings: before, policy: try old.linked(before)),
            PolicyComparison.Side(found: new, settings: after, policy: try new.linked(after))
        )
        var comparison: PolicyComparison
        do throws(InvalidInput) {
            comparison = try PolicyComparison(sides.0, sides.1)
        } catch {
            PlacedPolicies.report(error.diagnostics)
            throw Failure.silent(.input) as any Error
        }
        if let seconds { try await comparison.compareBehaviour(sides.0, sides.1, limits: limits, seconds: seconds) }
        return comparison
    }
}
