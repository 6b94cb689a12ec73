import CommandKit
import Explanations
import JSON
import ModelContext

/// `explain`: what an error, a log, a token, a key or a situation means.
struct ExplainTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "explain", title: "Explain an error",
            description: """
                Explains an error code or text of Azure AD B2C, MSAL or a refused upload, a redirect URL, a token, a key of
                scenario files, a situation such as "close the window", or a log in a file: what it means, likely causes
                with how certain they are and how to fix them, and the scenario that plays each.
                """,
            input: AgentSchema.arguments(
                [
                    "text": AgentSchema.text("The text as it was given, or the path of a log."),
                    "policies": AgentSchema.text(
                        "The folder of the policies that a refused upload is about. Default: the root."),
                ], required: ["text"]),
            output: AgentSchema.answer([
                "explanations": AgentSchema.list("Each with a title and facts: label and text."),
                "causes": AgentSchema.list("The best first: id, cause, certainty, evidence, checks, fix, script."),
                "recipes": AgentSchema.list("Recipes with their steps."),
                "similar": AgentSchema.list("Shipped scenarios and causes about the words."),
                "refusal": AgentSchema.object("A refused upload, error by error, with places in the policies."),
                "script": AgentSchema.text("The shipped scenario that plays it; scenario_write copies it."),
            ]),
            annotations: .reading,
            call: { arguments, _ in await AgentAnswer.of(context.reports) { try answer(arguments, context) } })
    }

    private static func answer(_ arguments: JSONObject, _ context: AgentContext) throws -> AgentAnswer {
        let text = try arguments.text("text")
        let policies = try context.path("policies", in: arguments)
        guard text.contains(where: { !$0.isWhitespace }) else { throw AgentRefusal("`text` is empty") }
        let isPath = !text.contains("\n") && FileSystem.kind(text) == .file
        let symptom =
            isPath
            ? try Symptom([], file: try context.workspace.path(text), isLike: false, policies: policies)
            : Symptom(text: text, policies: policies)
        let answer = try symptom.answer(now: context.clock.now(), showsSecrets: false)
        var facts: JSONObject = ["explanations": .array(answer.explanations.map { .object($0.json) })]
        for key in ["causes", "recipes", "similar", "refusal"] { facts[key] = answer.json[key] }
        if let script = answer.script { facts["script"] = .string(script) }
        return AgentAnswer(verdict(answer), facts, quotesOthers: true)
    }

    private static func verdict(_ answer: Symptom.Answer) -> String {
        if let cause = answer.json["causes"]?[0], let text = cause["cause"]?.stringValue {
            return "\(cause["certainty"]?.stringValue ?? "possible"): \(text)"
        }
        if let first = answer.explanations.first { return first.title }
        let titles = ["recipes", "similar"].flatMap { answer.json[$0]?.arrayValue ?? [] }
        return "Similar: \(titles.first?["title"]?.stringValue ?? "nothing")"
    }
}
