import CommandFiles
import CommandKit
import Diagnostics
import JSON
import ModelContext
import PolicyTools
import Reports
import Validation

/// `policy_check`: what `b2c validate` finds of policies.
struct PolicyCheckTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "policy_check", title: "Check policies",
            description: """
                Finds what would fail in custom policies at upload or at sign-in, before anyone signs in.
                Each finding has a rule, a place and how to fix it. Call it after every change of a policy.
                """,
            input: AgentSchema.arguments(
                [
                    "folder": AgentSchema.text("A folder with policy files in it or below it, or one of them."),
                    "environment": AgentSchema.environment,
                ], required: ["folder"]),
            output: AgentSchema.answer(["files": AgentSchema.number("How many policy files were checked.")]),
            annotations: .reading,
            call: { arguments, _ in await AgentAnswer.of(context.reports) { try check(arguments, context) } })
    }

    private static func check(_ arguments: JSONObject, _ context: AgentContext) throws -> AgentAnswer {
        let folder = try context.workspace.path(try arguments.text("folder"))
        let project = try Project(
            at: [folder], values: PolicyValueSource(environment: arguments["environment"]?.stringValue),
            now: context.clock.now())
        let files = project.files(.policy)
        let names = Set(files.map(\.path) + project.unreadable.map(\.path))
        let findings = Validator.validate(project).diagnostics.filter { names.contains($0.location?.file ?? "") }
        guard !files.isEmpty else {
            throw AgentRefusal("\(folder) has no policy files. Name a folder with some", findings: findings)
        }
        let count = "\(files.count) policy \(files.count == 1 ? "file" : "files")"
        return AgentAnswer(
            findings.isEmpty ? "No findings in \(count)." : "\(SeverityCounts.text(findings)) in \(count).",
            ["files": .integer(Int64(files.count)), "findings": AgentFact.findings(findings)], quotesOthers: true)
    }
}
