import Diagnostics
import Explanations
import JSON
import ModelContext

/// `rule`: what a rule demands.
struct RuleTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "rule", title: "Show a rule",
            description: """
                Shows the rule behind a finding such as B2C-POL-012: what it demands, why, a wrong and a right example,
                and where it comes from. Its page is the resource b2c://rules/ID.
                """,
            input: AgentSchema.arguments(
                ["id": AgentSchema.text("The id of the rule, in any letter case.")], required: ["id"]),
            output: AgentSchema.answer([
                "id": AgentSchema.text("Its id."), "demands": AgentSchema.text("What must hold."),
                "severity": AgentSchema.text("error, warning or advice."), "why": AgentSchema.text("The reason."),
                "wrong": AgentSchema.text("An example."), "right": AgentSchema.text("The same, fixed."),
                "fix": AgentSchema.text("How to fix it."), "source": AgentSchema.text("Where the rule comes from."),
                "found by": AgentSchema.text("The command that finds it."),
                "service says": AgentSchema.list("Texts of the service.", of: ["type": "string"]),
                "page": AgentSchema.text("The resource with its page."),
            ]),
            annotations: .reading,
            call: { arguments, _ in
                await AgentAnswer.of(context.reports) { try answer(try arguments.text("id")) }
            })
    }

    private static func answer(_ given: String) throws -> AgentAnswer {
        guard let rule = RuleTable.rule(given) else {
            var rest = RuleTable.ids
            var near: [String] = []
            while near.count < 3, let id = nearestName(given, among: rest) {
                near.append(id)
                rest.removeAll { $0 == id }
            }
            throw AgentRefusal(
                "There is no rule \(given)."
                    + (near.isEmpty
                        ? " Ids are those of findings, such as B2C-POL-012" : " Near it: \(namesList(near))"))
        }
        let id = given.uppercased()
        var facts: JSONObject = ["id": .string(id)]
        for (label, text) in rule.facts {
            let isList = label == "service says"
            facts[label] = isList ? .array((facts[label]?.arrayValue ?? []) + [.string(text)]) : .string(text)
        }
        facts["page"] = .string("b2c://rules/\(id)")
        return AgentAnswer("\(rule.title): \(rule.facts.first?.text ?? "")", facts)
    }
}
