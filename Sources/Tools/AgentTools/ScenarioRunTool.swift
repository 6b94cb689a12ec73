import CommandFiles
import CommandKit
import Diagnostics
import JSON
import ModelContext
import Reports
import ScenarioRunner
import Scenarios
import Synchronization
import TenantFiles
import TrustFramework

/// `scenario_run`: runs scenarios and says what failed.
struct ScenarioRunTool {
    private let context: AgentContext

    static func tool(_ context: AgentContext) -> ContextTool {
        ContextTool(
            name: "scenario_run", title: "Run scenarios",
            description: """
                Runs the scenarios of a file or folder against the simulator and returns what failed: the step, expected
                and actual values with file and line, a hint, and the requests of the step. A scenario that fails is a
                verdict, not an error. Run it after each change of policies or scenarios.
                """,
            input: AgentSchema.arguments(
                [
                    "path": AgentSchema.text("A scenario file, or a folder with some."),
                    "case": AgentSchema.text("Run this case only."),
                    "target": AgentSchema.text("A target file. Default: in-process, the simulator."),
                ], required: ["path"]),
            output: AgentSchema.answer([
                "result": ["enum": ["passed", "failed"]],
                "counts": AgentSchema.object("How many scenarios ended in which way."),
                "scenarios": AgentSchema.list(
                    "Failed ones first: file, name, case, result, reason, and failedSteps with index (from 0), id, verb, "
                        + "file, line, problems, differences and requests."),
            ]),
            annotations: ContextTool.Annotations(
                isReadOnly: false, isDestructive: false, isIdempotent: true,
                isOpenWorld: context.workspace.allowsLive),
            call: { arguments, call in
                await AgentAnswer.of(context.reports) { try await Self(context: context).answer(arguments, call) }
            })
    }

    private func answer(_ arguments: JSONObject, _ call: ContextCall) async throws -> AgentAnswer {
        let target = try targetFile(arguments["target"]?.stringValue)
        let scenarios = try scenarios(try arguments.text("path"), target)
        let inputs = RunInputs(for: scenarios, target: target)
        var options = inputs.options(files: files)
        options.writeFile = write
        if let name = arguments["case"]?.stringValue { options.cases = [name] }
        let all = scenarios.flatMap { CaseExpansion.variants(of: $0) }
        let total = options.cases.isEmpty ? all.count : all.count { $0.caseName.map(options.cases.contains) ?? false }
        guard total > 0 else {
            let known = namesList(all.compactMap(\.caseName), limit: 10)
            throw AgentRefusal("No scenario has this case. \(known.isEmpty ? "Omit `case`" : "Cases are \(known)")")
        }
        if let target { options.target = try await opened(target, inputs) }
        let start = await PolicyChecks.start(of: scenarios, options)
        if start.findings.hasErrors { throw Self.refusal(start.findings) }
        options.prepared = start.prepared
        let done = Atomic(0)
        let raw = await Runner.run(scenarios, options: options) { event in
            guard case .finished(let scenario) = event else { return }
            let count = done.add(1, ordering: .relaxed).newValue
            call.report(count, of: total, "\(scenario.status.rawValue): \(scenario.title)")
        }
        let report = await inputs.redaction(of: scenarios, showsSecrets: false)
            .redactedInParallel(raw, jobs: options.jobs)
        return Self.answer(report)
    }

    // MARK: What runs

    /// Files below the root.
    private var files: PolicyFiles {
        var files = PolicyFiles.disk
        files.read = { context.workspace.read($0) }
        return files
    }

    /// Writes a file that a script asks for; returns a sentence when it cannot.
    private func write(_ path: String, _ bytes: [UInt8]) -> String? {
        guard let path = try? context.workspace.path(FilePath.absolute(path)) else {
            return "\(path) is outside of the root folder of this server"
        }
        do throws(FileSystem.Problem) {
            try FileSystem.write(bytes, to: path)
            return nil
        } catch {
            return "\(path) cannot be written: \(error.text)"
        }
    }

    private static func refusal(_ findings: [Diagnostic]) -> AgentRefusal {
        AgentRefusal("Nothing ran: fix the errors in the files first", findings: findings)
    }

    private func scenarios(_ given: String, _ target: TargetFile?) throws -> [Scenario] {
        let path = try context.workspace.path(given)
        var finder = FileFinder()
        if FileSystem.kind(path) == .file, let bytes = try? FileSystem.read(path),
            let finding = ForeignFile.finding(path, bytes)
        {
            throw Self.refusal([finding])
        }
        finder.add(path)
        let scripts = Scripts(
            finder.files.filter { context.workspace.read($0.path) != nil },
            tenant: target.flatMap { TargetArgument.tenant(of: $0) }, read: files.read, policies: files)
        let findings = finder.findings + scripts.findings
        if findings.hasErrors { throw Self.refusal(findings) }
        guard !scripts.scenarios.isEmpty else {
            throw AgentRefusal("\(path) has no scenarios. scenario_write makes one")
        }
        return scripts.scenarios.map { $0.scenario }
    }

    // MARK: The target

    private func targetFile(_ given: String?) throws -> TargetFile? {
        guard let given, given != TargetArgument.inProcess else { return nil }
        let isPath = given.contains("/") || FileSystem.kind(given) == .file
        let file = try TargetArgument.read(isPath ? try context.workspace.path(given) : given)
        guard file.settings.kind != .live || context.workspace.allowsLive else {
            throw AgentRefusal(
                "\(given) is a real tenant, which this server may not reach. Run in process, or start the server with "
                    + "`b2c mcp --allow-live`")
        }
        return file
    }

    private func opened(_ file: TargetFile, _ inputs: RunInputs) async throws -> RunTarget {
        var opening = TargetOpening(inputs)
        opening.read = files.read
        // Nobody is at a terminal, and a file of the folder starts no program unless a person has allowed real tenants.
        let run = opening.services.run
        opening.services = context.workspace.allowsLive ? TargetServices(run: run) : TargetServices()
        do {
            return try await opening.open(file)
        } catch let error as InvalidInput {
            throw Self.refusal(error.diagnostics)
        }
    }

    // MARK: The answer

    private static func answer(_ report: RunReport) -> AgentAnswer {
        let whole = JSONReport.json(report)
        let (passed, total) = (report.count(.passed), report.scenarios.count)
        let bad = report.scenarios.filter { !$0.status.isGood }
        var verdict = "\(passed) of \(total) \(total == 1 ? "scenario" : "scenarios") passed."
        if let first = bad.first {
            let step = first.failedStep.map { " at step \($0.title)" } ?? ""
            verdict += " \(bad.count) did not: \(first.title) (\(first.status.rawValue)\(step))."
        }
        return AgentAnswer(
            verdict,
            [
                "result": .string(report.isGood ? "passed" : "failed"), "counts": whole["counts"] ?? [:],
                "scenarios": .array((bad + report.scenarios.filter(\.status.isGood)).map(Self.json)),
            ],
            whole: AgentReports.Report(title: "Run of \(total) scenarios", text: JSONWriter.pretty(whole) + "\n"),
            quotesOthers: !bad.isEmpty)
    }

    private static func json(_ scenario: ScenarioReport) -> JSONValue {
        return AgentFact.object([
            "file": .string(scenario.file), "name": .string(scenario.name), "case": .text(scenario.caseName),
            "result": .string(scenario.status.rawValue), "reason": .text(scenario.reason),
            "failedSteps": .array(FailureFacts.json(scenario)),
        ])
    }
}
