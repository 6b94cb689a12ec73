import Diagnostics
import Exploration
import JSON
import ModelContext
import PolicyTools
import Reports

/// `policy_explore`: every way through policies.
struct PolicyExploreTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "policy_explore", title: "Explore policies",
            description: """
                Walks every way through a policy, with people and services of every kind, and reports what no sign-in
                should do: accounts taken over, factors skipped, dead ends, steps that never run.
                Each finding has the shortest path that shows it. Takes seconds to minutes.
                """,
            input: AgentSchema.arguments(
                [
                    "folder": AgentSchema.folder, "policy": AgentSchema.text("The policy's id. Default: all."),
                    "invariants": [
                        "type": ["string", "object"],
                        "description": "What must hold of every path of one policy: an explore.json, or what it holds.",
                    ],
                    "depth": [
                        "type": "integer", "minimum": 1, "maximum": 1000, "description": "Acts of a path. Default: 40.",
                    ],
                    "seconds": [
                        "type": "integer", "minimum": 1, "maximum": 86400,
                        "description": "Seconds at most for each policy. Default: 60.",
                    ],
                ], required: ["folder"]),
            output: AgentSchema.answer([
                "policies": AgentSchema.list("How much was seen of each: states, tokens, failed paths, what cut it."),
                "notExplored": AgentSchema.list("Policies that do not link.", of: ["type": "string"]),
            ]),
            annotations: .reading,
            call: { arguments, call in
                await AgentAnswer.of(context.reports) { try explore(arguments, context, call) }
            })
    }

    private static func explore(
        _ arguments: JSONObject, _ context: AgentContext, _ call: ContextCall
    ) throws -> AgentAnswer {
        let found = try context.policies(arguments)
        var walk = try PolicyWalk(
            found, limits: ExplorationLimits(depth: Int(arguments["depth"]?.intValue ?? 40)),
            seconds: Int(arguments["seconds"]?.intValue ?? 60),
            invariants: try arguments["invariants"].map { given in
                try given.stringValue.map { .file(try context.workspace.path($0)) } ?? .value(given)
            })
        for (place, settings) in walk.wanted.enumerated() {
            call.report(place, of: walk.wanted.count, "exploring \(settings.name)")
            _ = try walk.explore(settings)
            try Task.checkCancellation()
        }
        let summary = walk.summary
        let findings = summary.entries.map { entry -> JSONValue in
            var finding = entry.finding.diagnostic
            finding.remedy = entry.finding.advice
            return AgentFact.finding(finding).merging(
                patch: ["path": .texts(entry.finding.path), "policies": .texts(entry.policies)])
        }
        let explored = (summary.json["policies"]?.arrayValue ?? []).map { $0.merging(patch: ["costs": nil]) }
        let cut = explored.count { $0["complete"] != true }
        let counts = SeverityCounts.text(summary.entries.map(\.finding.diagnostic))
        return AgentAnswer(
            "\(explored.count) of \(walk.wanted.count) policies explored: \(counts.isEmpty ? "no findings" : counts)."
                + (cut > 0 ? " \(cut) not to the end, so more may be wrong: raise `seconds` or `depth`." : ""),
            [
                "policies": .array(explored), "notExplored": summary.json["notExplored"] ?? [],
                "findings": .array(findings),
            ], quotesOthers: true)
    }
}
