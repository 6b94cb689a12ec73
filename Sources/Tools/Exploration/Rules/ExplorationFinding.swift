import Diagnostics
import TrustFramework
import Validation

/// What an exploration found, before it becomes a finding or a script.
struct ExplorationFinding: Sendable {
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
    var expected: ExplorationRule.ScriptExpectation?

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

extension Exploration {
    /// What is wrong with the policy as far as was seen, by place. Each finding has the shortest path that shows it.
    public var findings: [Finding] {
        found().map { found in
            Diagnostic(
                found.severity, rule: found.rule.id, found.message, remedy: remedy(of: found),
                at: found.location ?? policy[policy.relyingParty.defaultJourney].location)
        }.inSourceOrder.map { Finding($0) }
    }

    private func remedy(of found: ExplorationFinding) -> String? {
        var parts = [found.remedy ?? found.rule.remedy]
        if found.isUndecided { parts.insert("It rests on what is not tried (B2C-EXP-090).", at: 0) }
        parts.append(found.trail.map { "Path: \(told($0))." })
        parts.append(found.other.map { "Compare: \(told($0))." })
        let text = parts.compactMap(\.self).joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    /// The acts of a path in one text.
    func told(_ trail: Int) -> String { path(trail).filter { !$0.isEmpty }.joined(separator: "; ") }

    /// Everything that was found, without the rules that are off.
    func found() -> [ExplorationFinding] {
        let all =
            incomplete() + notTried() + unreached() + stuck() + noticed() + skippedFactor() + lostClaims()
            + neverIssued() + neverRefreshed()
            + likelyInvariants() + attributeRules() + invariantFindings(invariants)
        return all.filter { !off.contains($0.rule) }
    }
}
