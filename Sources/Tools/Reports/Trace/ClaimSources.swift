import Exchanges
import JSON

/// Where the claims of an outcome come from, by its trace. Reports that show an unexpected claim show this beside it.
public struct ClaimSources: Sendable {
    private let outcome: JSONValue
    private let model: TraceModel

    /// - Parameter outcome: Of a step, with its logs, after redaction.
    public init(outcome: JSONValue) {
        self.outcome = outcome
        model = TraceModel(outcome: outcome)
    }

    /// Where the claim at a place comes from, such as `tier = "gold" from REST-Tier, step 2, exchange 6.1`. The claim has its
    /// name in the policy.
    ///
    /// - Parameter pointer: A place in the outcome, such as `/result/idToken/claims/loyaltyTier` or `/trace/4/claims/tier`.
    /// - Returns: `nil` if the place is not in a claim, or the trace does not say.
    public func line(at pointer: JSONPointer) -> String? {
        guard let place = pointer.tokens.lastIndex(where: { Self.members.contains($0) }),
            pointer.tokens.indices.contains(place + 1)
        else { return nil }
        let shown = pointer.tokens[place + 1]
        let isTrace = pointer.tokens.first == "trace"
        let name = isTrace ? shown : model.issued[shown] ?? shown
        let value = outcome.value(at: JSONPointer(tokens: Array(pointer.tokens[...(place + 1)])))
        guard let known = model.sources[name] else {
            // The policy issues the claim, and nothing gave it a value.
            return value == nil && !isTrace && model.issued[shown] != nil ? "nothing wrote \(Shown.text(name))" : nil
        }
        guard let value, value == known.value else { return nil }
        return "\(Shown.text(name)) = \(Shown.value(known.value)) \(known.source.words)"
    }

    /// Members of records whose own members are claims.
    private static let members: Set<String> = ["claims", "in", "out"]
}
