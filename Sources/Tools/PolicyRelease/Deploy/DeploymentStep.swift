import TrustFramework

/// One policy that a deployment takes from one state to another.
public struct DeploymentStep: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Sendable {
        /// Nothing was sent.
        case planned
        /// A write was sent, or is about to be sent. Whether it took effect shows only a look at the tenant.
        case sending
        /// The tenant has what the step asks for: it was read back.
        case live
        /// The service refused it. The tenant has what it had before.
        case refused
        /// The tenant has something else than before and after.
        case changed
    }

    public var id: String
    /// The source file; `nil`: it is deleted, or comes from a rollback bundle.
    public var file: String?
    /// ``PolicyMeaning/digest(_:)`` of what the tenant had; `nil`: it did not have the policy.
    public var before: String?
    /// ``PolicyMeaning/digest(_:)`` of what it is to have; `nil`: the policy is deleted.
    public var after: String?
    public var state: State
    /// How often a write was sent.
    public var sends: Int

    public init(
        id: String, file: String? = nil, before: String?, after: String?, state: State = .planned, sends: Int = 0
    ) {
        self.id = id
        self.file = file
        self.before = before
        self.after = after
        self.state = state
        self.sends = sends
    }

    /// Whether the tenant may have something of this deployment.
    var mayHaveChanged: Bool { sends > 0 && state != .refused }
}

extension TenantSnapshot {
    /// ``PolicyMeaning/digest(_:)`` of a policy; `nil`: the tenant does not have it.
    public func digest(_ id: String) -> String? { policy(id).map { PolicyMeaning.digest($0.bytes) } }

    /// The steps whose policy is neither as before nor as after: somebody else changed it.
    public func moved(_ steps: [DeploymentStep]) -> [DeploymentStep] {
        steps.filter { step in
            let digest = digest(step.id)
            return digest != step.before && digest != step.after
        }
    }
}

/// Policies in an order that the service takes.
enum PolicyOrder {
    /// A parent before its children, also where others are between them; policies that do not depend on each other keep
    /// their order.
    ///
    /// - Parameter base: The parent of each policy, by its id in lower case; those between members too.
    static func parentsFirst(_ ids: [String], base: [String: String]) -> [String] {
        let members = Dictionary(ids.map { ($0.lowercased(), $0) }) { first, _ in first }
        var seen: Set<String> = []
        var ordered: [String] = []
        for id in ids {
            var line: [String] = []
            var next: String? = id.lowercased()
            // A cycle ends where it would begin again.
            while let one = next, seen.insert(one).inserted {
                if let name = members[one] { line.append(name) }
                next = base[one]?.lowercased()
            }
            ordered += line.reversed()
        }
        return ordered
    }
}
