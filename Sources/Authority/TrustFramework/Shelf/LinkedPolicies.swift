import Diagnostics
import Synchronization
import TenantFiles

/// Linked policies, each under what it is linked from. Those asked for last are kept.
///
/// Linking takes half a millisecond and policies are large, so as many are kept as the largest tenant has, each patch of
/// which asks for all of them, and some more.
final class LinkedPolicies: Sendable {
    /// What a user flow compiles from.
    struct FlowKey: Hashable, Sendable {
        var settings: PolicySettings
        /// The number of its surroundings.
        var surroundings: Int
        var packs: [TextPack]

        /// The same for all user flows that differ in name and id only. These two get into places, ids and texts of the
        /// policy, which no check reads: if one of the flows links, so do the others.
        var shape: FlowKey {
            var shape = self
            shape.settings.name = ""
            shape.settings.id = ""
            return shape
        }
    }

    /// What a custom policy is linked from, besides files.
    struct LinkKey: Hashable, Sendable {
        var path: String
        var production: Bool?
        /// Language and files of each entry of `texts`.
        var texts: [[String]]
        /// The number of its surroundings.
        var surroundings: Int
    }

    /// What the custom policies of a tenant are linked from, besides what is their own.
    struct CustomKey: Hashable, Sendable {
        var domain: String
        var unknownElements: String
        var rules: MergeRules
        var folders: [String]
        /// Names and values of settings, in turn.
        var values: [String]
    }

    /// Numbers in the place of values, so that a key of one policy does not hold all that is around it: equal values have
    /// one number, and no two values ever have the same.
    private struct Numbering<Value: Hashable & Sendable>: Sendable {
        private var known = RecentlyUsed<Value, Int>(limit: LinkedPolicies.spare)
        private var last = 0

        mutating func number(of value: Value) -> Int {
            if let number = known.value(value) { return number }
            last += 1
            known.keep(last, for: value)
            return last
        }
    }

    /// The place of a policy, from before it is made: scenarios that ask for it at the same time wait for the one that
    /// makes it.
    private final class Slot: Sendable {
        private let policy = Mutex<Result<ResolvedPolicy, InvalidInput>?>(nil)

        func policy(
            _ make: () -> Result<ResolvedPolicy, InvalidInput>
        ) -> Result<ResolvedPolicy, InvalidInput> {
            policy.withLock { policy in
                if let policy { return policy }
                let made = make()
                policy = made
                return made
            }
        }
    }

    /// How many policies were linked.
    final class LinkCount: Sendable {
        let links = Atomic<Int>(0)

        func note() { links.add(1, ordering: .relaxed) }
    }

    /// So many linked policies are kept beyond those of the largest tenant: what patches have replaced.
    private static let spare = 128

    private struct State: Sendable {
        var policies = RecentlyUsed<LinkKey, Slot>(limit: LinkedPolicies.spare)
        var flows = RecentlyUsed<FlowKey, Slot>(limit: LinkedPolicies.spare)
        /// Shapes of which a user flow has linked.
        var shapes = RecentlyUsed<FlowKey, Bool>(limit: LinkedPolicies.spare)
        var flowSurroundings = Numbering<FlowSurroundings>()
        var customSurroundings = Numbering<CustomKey>()

        mutating func makeRoom(for tenant: Tenant) {
            let most = tenant.policies.count + LinkedPolicies.spare
            policies.allow(most)
            flows.allow(most)
            shapes.allow(most)
        }
    }

    private let state = Mutex(State())
    let count = LinkCount()

    /// The policy under a key, made if there is none. Everyone who asks for it in the meantime waits for that.
    func policy(
        _ key: LinkKey, make: () -> Result<ResolvedPolicy, InvalidInput>
    ) throws(InvalidInput) -> ResolvedPolicy {
        let slot = state.withLock { state -> Slot in
            if let known = state.policies.value(key) { return known }
            let slot = Slot()
            state.policies.keep(slot, for: key)
            return slot
        }
        return try slot.policy(make).get()
    }

    /// The user flow under a key, made if there is none.
    func flow(
        _ key: FlowKey, make: () -> Result<ResolvedPolicy, InvalidInput>
    ) throws(InvalidInput) -> ResolvedPolicy {
        let slot = state.withLock { state -> Slot in
            if let known = state.flows.value(key) { return known }
            let slot = Slot()
            state.flows.keep(slot, for: key)
            return slot
        }
        return try slot.policy(make).get()
    }

    /// Whether a user flow of this shape has linked.
    func hasLinked(shape: FlowKey) -> Bool { state.withLock { $0.shapes.value(shape) } != nil }

    func noteLinked(shape: FlowKey) { state.withLock { $0.shapes.keep(true, for: shape) } }

    /// The number of what is around the user flows of a tenant.
    func number(of surroundings: FlowSurroundings, for tenant: Tenant) -> Int {
        state.withLock { state in
            state.makeRoom(for: tenant)
            return state.flowSurroundings.number(of: surroundings)
        }
    }

    /// The number of what is around the custom policies of a tenant.
    func number(of surroundings: CustomKey, for tenant: Tenant) -> Int {
        state.withLock { state in
            state.makeRoom(for: tenant)
            return state.customSurroundings.number(of: surroundings)
        }
    }
}
