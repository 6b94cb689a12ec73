import JSON
import TrustFramework

/// Whether a list of preconditions leaves something out, and why (Microsoft docs: userjourneys).
enum Preconditions {
    struct Verdict {
        var skips: Bool
        /// The precondition that decided, in words; empty when there was none.
        var because: String
    }

    /// The first satisfied precondition skips. One about the value of an absent claim is ignored.
    static func judge(_ list: [Precondition], _ bag: ClaimsBag, _ turn: Turn) -> Verdict {
        var last = ""
        for precondition in list {
            let (satisfied, words) = judge(precondition, bag, turn)
            if satisfied { return Verdict(skips: true, because: words) }
            last = words
        }
        return Verdict(skips: false, because: last)
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
