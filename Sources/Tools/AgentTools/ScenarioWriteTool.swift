import CommandFiles
import CommandKit
import Diagnostics
import Explanations
import JSON
import JourneyLogs
import ModelContext
import PolicyTools

/// `scenario_write`: makes a scenario of a capture, a log or a known cause.
struct ScenarioWriteTool {
    private let context: AgentContext
    private let arguments: JSONObject
    /// A path, or for a cause a text.
    private let source: String

    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "scenario_write", title: "Write a scenario",
            description: """
                Writes a scenario with its tenant file: from a HAR file of a browser, from a session in a log of the
                journey recorder played with policies, or the shipped scenario for an error or cause, as explain names
                it. Personal data and secrets are replaced. No file is ever replaced. Then call scenario_run.
                """,
            input: AgentSchema.arguments(
                [
                    "from": ["enum": ["har", "log", "explain"], "description": "What it is made from."],
                    "source": AgentSchema.text("The HAR file or log; for explain the error text, code or cause."),
                    "folder": AgentSchema.text(
                        "Where files go. Default: scenarios if it exists, else the root. Required for log."),
                    "name": AgentSchema.text("har: name of the files, without ending. Default: by the policies."),
                    "policies": AgentSchema.text(
                        "The folder of the policies. Required for log; har: run them instead of user flows."),
                    "correlation": AgentSchema.text(
                        "log: correlation id of the session, or its beginning. Default: the only one."),
                ], required: ["from", "source"]),
            output: AgentSchema.answer([
                "files": texts("Files that were written."), "kept": texts("Files that existed and stay as they are."),
                "steps": texts("What the scenario does."),
                "notCarriedOver": texts("What could not be carried over, or was guessed."),
                "differences": texts("How capture, log and simulator differ."),
                "next": AgentSchema.text("The next call."),
            ]),
            annotations: .init(isReadOnly: false, isDestructive: false, isIdempotent: false, isOpenWorld: false),
            call: { arguments, _ in
                await AgentAnswer.of(context.reports) {
                    let tool = Self(context: context, arguments: arguments, source: try arguments.text("source"))
                    switch arguments["from"]?.stringValue {
                    case "har": return try await tool.fromCapture()
                    case "log": return try await tool.fromLog()
                    default: return try tool.fromCause()
                    }
                }
            })
    }

    private static func texts(_ description: String) -> JSONValue {
        AgentSchema.list(description, of: ["type": "string"])
    }

    /// The file that it is made from.
    private func file() throws -> String {
        let path = try context.workspace.path(source)
        // A hyphen alone is the standard input, which has the messages.
        guard path != "-", FileSystem.kind(path) == .file else { throw AgentRefusal("There is no file \(source)") }
        return path
    }

    private func fromCapture() async throws -> AgentAnswer {
        var order = HARImport(try file())
        order.policies = try context.path("policies", in: arguments)
        order.name = arguments["name"]?.stringValue
        order.folder = try context.workspace.path(arguments["folder"]?.stringValue ?? order.folder)
        if let name = order.name { _ = try context.workspace.path(FilePath.join(order.folder, "\(name).json")) }
        let written: HARImport.Written
        do {
            written = try await order.write()
        } catch let taken as HARImport.Taken {
            throw AgentRefusal("\(taken.path) exists. Choose another `name` or `folder`")
        }
        if written.findings.hasErrors {
            throw AgentRefusal(
                "\(written.script) was written, but something of this capture was not understood",
                findings: written.findings)
        }
        return Self.answer(
            files: [written.script, written.tenant], run: written.script,
            [
                "steps": .texts(written.files.steps), "notCarriedOver": .texts(written.files.notes),
                "differences": .texts(written.join.differences),
            ])
    }

    private func fromLog() async throws -> AgentAnswer {
        guard let policies = try context.path("policies", in: arguments),
            let folder = try context.path("folder", in: arguments)
        else {
            throw AgentRefusal("A log needs `policies`, the folder of the policies, and `folder`, where the files go")
        }
        let log = try LogReading.log([try file()])
        let session = log.session(try log.entry(arguments["correlation"]?.stringValue, of: nil))
        if let obstacle = session.obstacle {
            throw AgentRefusal("The session cannot be played: \(obstacle). Choose another one by `correlation`")
        }
        let played = try PlayedPolicy(policies, policy: nil, of: session)
        let beside = try await PlayedSession(LoggedSession(session, journey: played.journey), played)
        let written = try await LogReproduction(beside, folder: folder, showsClaims: false).write()
        let script = written.files.last ?? folder
        return Self.answer(
            files: written.files, run: script, ["differences": .texts(["\(script), \(written.verdict)"])])
    }

    private func fromCause() throws -> AgentAnswer {
        let symptom = Symptom(text: source, policies: nil)
        guard let script = try symptom.answer(now: context.clock.now(), showsSecrets: false).script else {
            throw AgentRefusal("No shipped scenario plays this. explain names the causes that have one")
        }
        let folder = try context.path("folder", in: arguments) ?? "."
        _ = try context.workspace.path(FilePath.join(folder, script))
        let all = try ShippedScripts.write(script, into: folder)
        return Self.answer(
            files: all.filter(\.isNew).map(\.path), run: FilePath.normalised(FilePath.join(folder, script)),
            ["kept": .texts(all.filter { !$0.isNew }.map(\.path))])
    }

    private static func answer(files: [String], run script: String, _ facts: JSONObject) -> AgentAnswer {
        let left = facts["notCarriedOver"]?.arrayValue?.count ?? 0
        var all = facts
        (all["files"], all["next"]) = (.texts(files), .string("scenario_run \(script)"))
        let verdict = files.isEmpty ? "All files exist already." : "Wrote \(files.joined(separator: ", "))."
        return AgentAnswer(verdict + (left == 0 ? "" : " Not carried over: \(left)."), all, quotesOthers: true)
    }
}

extension AgentContext {
    /// An argument that is a path; `nil`: it is not given.
    func path(_ name: String, in arguments: JSONObject) throws(AgentRefusal) -> String? {
        guard let given = arguments[name]?.stringValue else { return nil }
        return try workspace.path(given)
    }
}
