import JSON
import Synchronization
import TenantFiles

/// Finds the policies of a tenant by name, by id and by the end of an account's object id, without a walk over all of them.
struct PolicyIndex: Sendable {
    private let policies: [PolicySettings]
    /// The first policy of each name.
    private var placeByName: [String: Int] = [:]
    /// The first policy of each id, under what an object id ends with: a dash and the id in lower case.
    private var placeByEnding: [String: Int] = [:]

    init(_ policies: [PolicySettings]) {
        self.policies = policies
        for (place, policy) in policies.enumerated() {
            OperationCounter.add()
            if placeByName[policy.name] == nil { placeByName[policy.name] = place }
            let ending = "-" + policy.id.lowercased()
            if placeByEnding[ending] == nil { placeByEnding[ending] = place }
        }
    }

    /// The policy of that name in the tenant file.
    func policy(named name: String) -> PolicySettings? {
        OperationCounter.add()
        guard let place = placeByName[name] else { return nil }
        if sameText(policies[place].name, name) { return policies[place] }
        // Two names that differ in Unicode normalization alone are one key and still two names.
        return policies.first { sameText($0.name, name) }
    }

    /// The policy of that name on the wire, in any letter case.
    func policy(id: String) -> PolicySettings? {
        OperationCounter.add()
        return placeByEnding["-" + id.lowercased()].map { policies[$0] }
    }

    /// The first policy of the tenant whose id ends an account's object id.
    func policy(ofObjectID objectID: String) -> PolicySettings? {
        let text = objectID.lowercased()
        let scalars = text.unicodeScalars
        var first: Int?
        for dash in scalars.indices where scalars[dash] == "-" {
            OperationCounter.add()
            guard let place = placeByEnding[String(scalars[dash...])] else { continue }
            first = min(first ?? place, place)
        }
        return first.map { policies[$0] }
    }
}

/// Keeps the index of the policies of one configuration: each call asks for it, and it grows with the tenant.
final class PolicyIndexMemo: Sendable {
    private let index = Mutex<PolicyIndex?>(nil)

    /// The index, made when it is first asked for. The policies are the same each time.
    func index(of policies: [PolicySettings]) -> PolicyIndex {
        index.withLock { kept in
            if let kept { return kept }
            let made = PolicyIndex(policies)
            kept = made
            return made
        }
    }
}
