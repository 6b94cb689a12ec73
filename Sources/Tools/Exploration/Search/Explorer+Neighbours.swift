import Determinism
import Diagnostics
import Journeys
import TrustFramework

/// Sessions that other policies of the set leave.
extension Explorer {
    /// People who come with a session that another policy of the set has left.
    mutating func sessionsOfNeighbours() throws(InvalidInput) -> [Start] {
        var all: [Start] = []
        let scope = Sessions.scope(of: policy, tenantDomain: environment.tenantDomain, clientID: Self.client)
        var known = Self.keepers(cast.values.reach, policy)
        var explored = 0
        for neighbour in neighbours {
            // A session is another one only if another technical profile has left something in it.
            let keepers = sessions.keepers(of: neighbour)
            guard !keepers.isSubset(of: known) else { continue }
            guard explored < Self.mostNeighbours else {
                result.leftOut("a session of policy \(neighbour.id)", policy.relyingParty.location)
                continue
            }
            guard let scope,
                scope == Sessions.scope(of: neighbour, tenantDomain: environment.tenantDomain, clientID: Self.client)
            else { continue }
            known.formUnion(keepers)
            explored += 1
            let moves = min(4_000, self.limits.moves - result.moves)
            guard moves > 0 else { continue }
            let left = try sessions.left(by: neighbour, moves: moves) { () throws(InvalidInput) in
                try sessionsLeft(by: neighbour, moves: moves)
            }
            result.moves += left.moves
            for var start in left.starts {
                start.request = cast.requests.usual(for: start.person)
                start.entry = cast.entry
                all.append(start)
                guard !start.objectIDs.isEmpty, start.person.name != TestPeople.second.name else { continue }
                let second = TestPeople.second
                start.words =
                    "\(start.person.name) leaves a session of \(neighbour.id), and \(second.name), \(second.words), "
                    + "comes in the same browser"
                start.giveWay(to: second, request: cast.requests.usual(for: second))
                all.append(start)
            }
        }
        return all
    }

    /// One person of each kind of session that a neighbour leaves.
    private func sessionsLeft(by neighbour: ResolvedPolicy, moves: Int) throws(InvalidInput) -> NeighbourSessions.Left {
        var limits = ExplorationLimits(states: 400, moves: moves, seed: self.limits.seed)
        limits.depth = self.limits.depth
        var explorer = Explorer(
            neighbour, tenant: cast.roster.tenantName, switches: environment.switches, limits: limits)
        try explorer.begin()
        explorer.run()
        var sessions: Set<[String]> = []
        var starts: [Start] = []
        for (index, issue) in explorer.result.issues.enumerated() {
            guard let session = issue.session,
                let entries = issue.tenancy.sessions[session]?.entries.map(\.profile),
                sessions.insert(entries).inserted
            else { continue }
            var start = explorer.again(index, session: session)
            start.after = nil
            start.origin = neighbour.id
            start.isExtra = true
            start.words = "\(start.person.name), \(start.person.words), comes with a session of \(neighbour.id)"
            starts.append(start)
        }
        return NeighbourSessions.Left(starts: starts, moves: explorer.result.moves)
    }

    /// Policies of the set that are explored for their sessions at most.
    private static let mostNeighbours = 5

    /// The technical profiles that leave something in a session, with the session provider.
    static func keepers(_ reach: ReachableElements, _ policy: ResolvedPolicy) -> Set<String> {
        Set(
            reach.profiles.compactMap { handle in
                guard let session = policy[handle].sessionProfile,
                    [.defaultSession, .externalLoginSession].contains(policy[session].handler)
                else { return nil }
                return "\(policy[session].id) \(policy[handle].id)".lowercased()
            })
    }
}
