import Diagnostics
import TrustFramework

/// What the policies of a set leave in sessions, remembered: every policy of a folder asks it of all others.
public final class NeighbourSessions {
    /// The people who got a session of a policy, and how many moves it took.
    struct Left {
        var starts: [Explorer.Start]
        var moves: Int
    }

    private struct Key: Hashable {
        var policy: String
        var moves: Int
    }

    private var keepers: [String: Set<String>] = [:]
    private var kept: [Key: Left] = [:]

    public init() {}

    /// The technical profiles that leave something in a session, with the session provider.
    func keepers(of policy: ResolvedPolicy) -> Set<String> {
        if let known = keepers[policy.id] { return known }
        let found = Explorer.keepers(ReachableElements(policy), policy)
        keepers[policy.id] = found
        return found
    }

    /// The sessions of a policy, explored once for each number of moves.
    func left(
        by policy: ResolvedPolicy, moves: Int, _ explore: () throws(InvalidInput) -> Left
    ) throws(InvalidInput) -> Left {
        let key = Key(policy: policy.id, moves: moves)
        if let known = kept[key] { return known }
        let found = try explore()
        kept[key] = found
        return found
    }
}
