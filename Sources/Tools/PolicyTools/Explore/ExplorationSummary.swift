import Diagnostics
import Exploration
import JSON
import Validation

/// What came of exploring one or several policies.
package struct ExplorationSummary {
    /// Whether more than one policy was asked for.
    package let isOfSeveral: Bool
    private var summaries: [[String]] = []
    private var documents: [JSONValue] = []
    private var cut: [String] = []
    /// Findings, each with the policies that have it, in the order in which they were found.
    private var found: [(finding: PathFinding, policies: [String])] = []
    private var places: [Key: Int] = [:]
    /// Policies that do not link.
    package var broken: [String] = []
    /// Policies of a kind that is not simulated.
    package var unsupported: [String] = []

    /// What makes findings of two policies one: a file that both inherit from has it once.
    private struct Key: Hashable {
        var rule: String
        var message: String
        var location: SourceLocation?
    }

    package init(isOfSeveral: Bool) { self.isOfSeveral = isOfSeveral }

    package mutating func add(_ exploration: Exploration) {
        let name = exploration.policyID
        summaries.append(exploration.summary + exploration.costSummary)
        documents.append(exploration.json)
        if exploration.cut != nil { cut.append(name) }
        for finding in exploration.pathFindings {
            let diagnostic = finding.diagnostic
            let key = Key(rule: diagnostic.rule, message: diagnostic.message, location: diagnostic.location)
            if let place = places[key] {
                if !found[place].policies.contains(name) { found[place].policies.append(name) }
            } else {
                places[key] = found.count
                found.append((finding, [name]))
            }
        }
    }

    /// All findings by place, each with the policies that have it.
    package var entries: [(finding: PathFinding, policies: [String])] {
        let order = Dictionary(grouping: found) { $0.finding.diagnostic }
        return found.map(\.finding.diagnostic).inSourceOrder.compactMap { order[$0]?.first }
    }

    /// All findings by place. Of several policies each says which have it.
    package var result: ValidationResult {
        let diagnostics = found.map { entry in
            var diagnostic = entry.finding.diagnostic
            if isOfSeveral {
                let policies = "Of \(namesList(entry.policies, limit: 5))."
                diagnostic.remedy = diagnostic.remedy.map { "\($0) \(policies)" } ?? policies
            }
            return diagnostic
        }
        return ValidationResult(
            findings: diagnostics.inSourceOrder.map { Finding($0) }, judged: [(.policy, summaries.count)])
    }

    /// How much was seen, in lines.
    package var lines: [String] {
        var lines = summaries.flatMap(\.self)
        if documents.contains(where: { $0["costs"] != [] }) { lines.append(TenantCost.limits) }
        guard isOfSeveral else { return lines }
        let all = summaries.count + broken.count + unsupported.count
        let complete = summaries.count - cut.count
        lines.append("\(all) policies: \(summaries.count) explored, \(complete) of them without being cut")
        if !cut.isEmpty { lines.append("cut, so that not everything was decided: \(namesList(cut, limit: 10))") }
        if !broken.isEmpty { lines.append("not explored, because they do not link: \(namesList(broken, limit: 10))") }
        if !unsupported.isEmpty {
            lines.append("not explored, because their kind is not simulated: \(namesList(unsupported, limit: 10))")
        }
        return lines
    }

    /// The same for a program.
    package var json: JSONObject {
        [
            "policies": .array(documents), "notExplored": .array((broken + unsupported).map { .string($0) }),
            "limits": TenantCost.limitsJSON,
        ]
    }
}
