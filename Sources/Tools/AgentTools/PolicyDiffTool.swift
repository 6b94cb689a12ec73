import CommandKit
import Diagnostics
import Exploration
import JSON
import ModelContext
import PolicyTools

/// `policy_diff`: two states of policies.
struct PolicyDiffTool {
    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "policy_diff", title: "Compare policies",
            description: """
                Compares two states of policies: elements that differ, with file and line, and what people, apps and
                services notice, with the path that shows it. A state is a folder, or REVISION:PATH of git.
                Every way through both is walked, which takes seconds to minutes.
                """,
            input: AgentSchema.arguments(
                [
                    "before": AgentSchema.text("Such as HEAD:policies. PATH is seen from the root folder."),
                    "after": AgentSchema.text("Such as policies."),
                    "policy": AgentSchema.text("The policy's id. Default: all."),
                ], required: ["before", "after"]),
            output: AgentSchema.answer([
                "policies": AgentSchema.list("`status`, `behaviour` that somebody notices, `structure` that differs.")
            ]),
            annotations: .reading,
            call: { arguments, call in
                await AgentAnswer.of(context.reports) { try await compare(arguments, context, call) }
            })
    }

    private static func compare(
        _ arguments: JSONObject, _ context: AgentContext, _ call: ContextCall
    ) async throws -> AgentAnswer {
        let old = try place(try arguments.text("before"), context)
        let new = try place(try arguments.text("after"), context)
        let before = try await PolicyVersion(old)
        defer { before.remove() }
        let after = try await PolicyVersion(new)
        defer { after.remove() }
        let policy = arguments["policy"]?.stringValue
        let versions = PolicyVersionPair(
            old: try before.source(policy: policy).read(), new: try after.source(policy: policy).read(), policy: policy)
        let pairs = try versions.pairs()
        var differences: [PolicyComparison] = []
        var broken: [String] = []
        for (number, pair) in pairs.enumerated() {
            let name = (pair.new ?? pair.old)?.name ?? ""
            call.report(number, of: pairs.count, "comparing \(name)")
            do {
                differences.append(try await versions.compare(pair, ExplorationLimits(), seconds: 60))
            } catch let failure as Failure where failure.status == .input {
                if pairs.count == 1 { throw failure }
                broken.append(name)
            }
        }
        let report = PolicyDiffReport(
            old: old, new: new, policies: differences, shownOld: { before.shown($0) }, shownNew: { after.shown($0) })
        let changed = differences.filter { $0.status != .same }
        let noticed = changed.reduce(0) { $0 + $1.behaviour.count }
        let problems = broken.isEmpty ? "" : " Not compared, because they do not link: \(namesList(broken))."
        return AgentAnswer(
            changed.isEmpty
                ? "No difference in \(differences.count) policies.\(problems)"
                : "\(changed.count) of \(differences.count) policies differ; \(noticed) changes are noticed.\(problems)",
            ["policies": report.json["policies"] ?? []], quotesOthers: true)
    }

    /// A path, or what a revision has at a path inside of the root.
    private static func place(_ given: String, _ context: AgentContext) throws(AgentRefusal) -> String {
        guard let colon = given.firstIndex(of: ":"), FileSystem.kind(given) == nil else {
            return try context.workspace.path(given)
        }
        let path = try context.workspace.path(String(given[given.index(after: colon)...]))
        return given[..<colon] + ":./" + path
    }
}
