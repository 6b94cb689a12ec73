/// The documentation of the rules, made from their table.
public enum RulePage {
    /// One rule as a page in Markdown.
    public static func markdown(_ rule: Rule) -> String {
        var text = "# \(rule.id)\n\n\(rule.demand)\n\n"
        text += "Severity: \(rule.severity.rawValue). Family: \(rule.family.title).\n\n"
        text += "**Why.** \(rule.reason)\n\n"
        text += "Wrong:\n\n```\n\(rule.bad)\n```\n\nRight:\n\n```\n\(rule.good)\n```\n\n"
        if !rule.serviceTexts.isEmpty {
            text += "What the service says:\n\n"
            for service in rule.serviceTexts { text += "> \(service)\n\n" }
        }
        if !rule.rows.isEmpty { text += "Tutorial rows: \(rule.rows.joined(separator: ", ")).\n\n" }
        return text + "Source: \(rule.source).\n"
    }

    /// The list of all rules as a page in Markdown.
    public static var index: String {
        var text = "# Rules of `b2c validate`\n\nMade from the table of the rules. `b2c explain RULE` prints one.\n"
        for family in Rule.Family.allCases {
            let rules = Rules.all.filter { $0.family == family }
            guard !rules.isEmpty else { continue }
            text += "\n## \(family.title)\n\n| rule | severity | demands |\n| --- | --- | --- |\n"
            for rule in rules {
                let demand = rule.demand.split(separator: "|").joined(separator: "\\|")
                text += "| [\(rule.id)](\(rule.id).md) | \(rule.severity.rawValue) | \(demand) |\n"
            }
        }
        return text
    }
}
