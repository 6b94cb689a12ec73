import Diagnostics
import TrustFramework
import Validation

/// What an exploration found, before it becomes a finding or a script.
struct Found: Sendable {
    var rule: ExplorationRule
    /// What the message names.
    var names: [String]
    /// The people that it concerns, where one cause concerns several; the path is that of the first.
    var people: [String] = []
    /// The shortest path that shows it.
    var trail: Int?
    /// A path of the same kind that is right, to put beside it.
    var other: Int?
    /// The step, profile or transformation that causes it.
    var location: SourceLocation?
    /// In place of the rule's remedy.
    var remedy: String?
    /// In place of what the rule expects of a script.
    var expected: ExplorationRule.Expectation?

    /// It is a warning though the rule's findings are errors.
    var isMild = false
    /// It rests on something that is not tried.
    var isUndecided = false

    var message: String {
        let text = rule.message(names) + others
        return isUndecided ? "not decided: " + text : text
    }

    /// The other people that it concerns: ` (also bob, rex, lia and 3 more)`.
    private var others: String {
        let others = people.dropFirst()
        guard !others.isEmpty else { return "" }
        let more = others.count - 3
        return " (also " + others.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more)" : ")")
    }
    /// What is not decided is advice.
    var severity: Severity { isUndecided ? .advice : isMild ? min(rule.severity, .warning) : rule.severity }
}

/// A finding of an exploration, in the parts that a program wants.
package struct PathFinding: Sendable {
    /// Its remedy has the path, too.
    package var diagnostic: Diagnostic
    /// How to fix it, without the path.
    package var advice: String?
    /// The acts of the shortest path that shows it; empty: no single path does.
    package var path: [String]
}

extension Exploration {
    /// What is wrong with the policy as far as was seen, by place. Each finding has the shortest path that shows it.
    public var findings: [Finding] { pathFindings.map(\.diagnostic).inSourceOrder.map { Finding($0) } }

    /// The same with their paths, in the order of the rules.
    package var pathFindings: [PathFinding] {
        found().map { found in
            PathFinding(
                diagnostic: Diagnostic(
                    found.severity, rule: found.rule.id, found.message, remedy: remedy(of: found),
                    at: found.location ?? policy[policy.relyingParty.defaultJourney].location),
                advice: advice(of: found).joinedWords, path: found.trail.map { path($0).filter { !$0.isEmpty } } ?? [])
        }
    }

    private func advice(of found: Found) -> [String?] {
        [found.isUndecided ? "It rests on what is not tried (B2C-EXP-090)." : nil, found.remedy ?? found.rule.remedy]
    }

    private func remedy(of found: Found) -> String? {
        var parts = advice(of: found)
        parts.append(found.trail.map { "Path: \(told($0))." })
        parts.append(found.other.map { "Compare: \(told($0))." })
        return parts.joinedWords
    }

    /// The acts of a path in one text.
    func told(_ trail: Int) -> String { path(trail).filter { !$0.isEmpty }.joined(separator: "; ") }

    /// Everything that was found, without the rules that are off.
    func found() -> [Found] {
        let all =
            incomplete() + notTried() + unreached() + stuck() + noticed() + skippedFactor() + lostClaims()
            + neverIssued() + neverRefreshed()
            + likelyInvariants() + attributeRules() + invariantFindings(invariants)
        return all.filter { !off.contains($0.rule) }
    }
}

extension [String?] {
    /// In one text; `nil`: nothing is there.
    fileprivate var joinedWords: String? {
        let text = compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? nil : text
    }
}
