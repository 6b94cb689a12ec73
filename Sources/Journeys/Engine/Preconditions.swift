import JSON
import TrustFramework

/// What the preconditions of an orchestration step, or of a validation technical profile, decided (Microsoft docs:
/// userjourneys). Exactly one place evaluates preconditions; what counts or explains them reads this.
public struct PreconditionDecision: Sendable, Hashable {
    /// Places in the list of those that hold, also behind the one that decided.
    public var holding: [Int] = []

    /// The place of the one that decided: the first that holds skips. `nil`: none holds, so nothing is skipped.
    public var skippedBy: Int? { holding.first }
}

/// Whether a list of preconditions leaves something out, and why.
enum Preconditions {
    struct Verdict {
        var decision = PreconditionDecision()
        /// The precondition that decided, in words; empty when there was none.
        var because = ""

        var skips: Bool { decision.skippedBy != nil }
    }

    /// One about the value of an absent claim is ignored.
    static func judge(_ list: [Precondition], _ bag: ClaimsBag, _ turn: Turn) -> Verdict {
        var verdict = Verdict()
        for (place, precondition) in list.enumerated() {
            let (holds, words) = judge(precondition, bag, turn)
            if !verdict.skips { verdict.because = words }
            if holds { verdict.decision.holding.append(place) }
        }
        return verdict
    }

    private static func judge(_ precondition: Precondition, _ bag: ClaimsBag, _ turn: Turn) -> (Bool, String) {
        switch precondition.type {
        case .claimsExist:
            let missing = precondition.claims.first { bag[$0] == nil }
            let names = precondition.claims.map { turn.policy[$0].id }
            let words: String
            if let missing {
                words = "\(turn.policy[missing].id) does not exist"
            } else {
                words = names.joined(separator: " and ") + (names.count == 1 ? " exists" : " exist")
            }
            return ((missing == nil) == precondition.executeActionsIf, words)
        case .claimEquals:
            guard let claim = precondition.claims.first else { return (false, "") }
            let id = turn.policy[claim].id
            guard let value = bag[claim] else { return (false, "\(id) does not exist") }
            let trims = turn.call.environment.switches.trimsPreconditionValues
            let wanted = (trims ? precondition.value : precondition.literal) ?? ""
            let equal = value.text.map { sameText($0, wanted) } ?? false
            return (equal == precondition.executeActionsIf, "\(id) \(equal ? "equals" : "differs from") \(wanted)")
        }
    }
}
