import CommandFiles
import CommandKit
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import TenantFiles
import TrustFramework
import Verbs

/// The folder to which `b2c policy explore` writes scripts. Each is run before it is kept: a counter-example must fail
/// by its expectation, and a script of a suite must pass.
package struct ExplorationFolder {
    private let folder: String
    private let stage: ScriptStage
    /// A tenant file to write beside the scripts; `nil`: they use one that is there.
    private let tenantText: String?

    /// - Throws: ``Failure`` when the folder cannot be made.
    package init(
        _ path: String, found: PlacedPolicies, settings: PolicySettings, policy: ResolvedPolicy, seed: UInt64
    ) throws {
        folder = FilePath.relative(path, to: Machine.currentFolder)
        do throws(FileSystem.Problem) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw Failure.machine("\(folder) cannot be made: \(error.text)") as any Error
        }
        var stage = try ScriptStage(found, settings: settings, policy: policy, seed: seed)
        switch stage.tenant {
        case .file(let path):
            stage.tenant = .file(Self.path(path, from: folder))
            tenantText = nil
        case .inPlace(let tenant):
            tenantText = JSONWriter.pretty(Self.moved(tenant, to: folder)) + "\n"
            stage.tenant = .file("tenant.json")
        }
        self.stage = stage
    }

    /// A path that starts from the current folder, as it is written in a file of another folder.
    private static func path(_ path: String, from folder: String) -> String {
        func whole(_ path: String) -> String {
            path.hasPrefix("/") ? path : FilePath.normalised(FilePath.join(Machine.currentFolder, path))
        }
        return FilePath.relative(whole(path), to: whole(folder))
    }

    /// A tenant whose paths start from the current folder, with paths that start from another one.
    static func moved(_ tenant: JSONValue, to folder: String) -> JSONValue {
        var root = tenant.objectValue ?? JSONObject()
        func path(_ value: JSONValue) -> JSONValue {
            value.stringValue.map { .string(Self.path($0, from: folder)) } ?? value
        }
        var policies = JSONObject()
        for (name, policy) in root["policies"]?.objectValue?.members ?? [] {
            var entry = policy.objectValue ?? JSONObject()
            entry["file"] = entry["file"].map(path)
            policies[name] = .object(entry)
        }
        root["policies"] = .object(policies)
        root["policyFolders"] = root["policyFolders"]?.arrayValue.map { .array($0.map(path)) } ?? root["policyFolders"]
        root["policySettingsFile"] = root["policySettingsFile"].map(path)
        return .object(root)
    }

    // MARK: Counter-examples

    /// Writes a script for each finding that can have one, and says what was written, in lines.
    package func write(_ written: [Exploration.Written]) async throws -> [String] {
        var lines: [String] = []
        try saveTenant()
        for entry in written {
            switch entry.script {
            case .failure(let problem):
                lines.append("no script for \(entry.rule), \(entry.message): \(problem.reason)")
            case .success(let script):
                let file = FilePath.join(folder, script.name + ".json")
                let scenario = stage.whole(script)
                try save(scenario, file)
                let report = await stage.run(scenario, file: file)
                let failed = report?.failedStep
                let isShown = failed?.problems.isEmpty == true && failed?.mismatches.isEmpty == false
                if report?.status == .failed, isShown {
                    lines.append("wrote \(file), which fails until the policy is fixed: \(entry.message)")
                } else {
                    FileSystem.remove(file)
                    let reason = failed?.problems.first ?? "a script does not come to the same end"
                    lines.append("no script for \(entry.rule), \(entry.message): \(reason)")
                }
            }
        }
        return lines
    }

    // MARK: Suites

    /// Writes the scripts of a suite with what the policy does now as their expectation, then what follows a sign-in of each
    /// kind: the person comes back, the app refreshes its tokens, an administrator acts.
    package func write(
        _ suite: (scripts: [ExplorationScript], left: [Unscriptable]), policy: String
    ) async throws -> [String] {
        try saveTenant()
        var lines = suite.left.map { "a path has no script: \($0.reason)" }
        var count = 0
        var kinds: Set<[String]> = []
        var known: Set<JSONValue> = []
        for script in suite.scripts {
            guard let run = try await keep(script, &known, &lines) else { continue }
            count += 1
            guard run.endsInToken, kinds.insert(run.pages).inserted else { continue }
            let replays = PolicyReplay.afterwards(policy, of: [stage.policy])
            for replay in [PolicyReplay.signsUpAgain(script)].compactMap(\.self) + replays {
                if try await keep(replay.applied(to: script), &known, &lines) != nil { count += 1 }
            }
        }
        lines.append("wrote \(count) \(count == 1 ? "script" : "scripts") to \(folder); b2c run \(folder) runs them")
        return lines
    }

    /// Writes a script with what it does as its expectation, unless it does not repeat.
    ///
    /// - Parameter known: Pages whose content another script expects.
    private func keep(
        _ script: ExplorationScript, _ known: inout Set<JSONValue>, _ lines: inout [String]
    ) async throws -> ScenarioReport? {
        if let report = try await written(script, besides: known).report {
            known.formUnion(report.steps.flatMap { stage.pages(of: $0) })
            return report
        }
        // What is drawn at random on the way may be of another kind than is known.
        let (report, reason) = try await written(script, besides: nil)
        guard report == nil else { return report }
        FileSystem.remove(FilePath.join(folder, script.name + ".json"))
        lines.append("a path has no script: \(reason) (\(script.scenario.name))")
        return nil
    }

    /// The run of a script that is written with what it does, or why there is none.
    private func written(
        _ script: ExplorationScript, besides known: Set<JSONValue>?
    ) async throws -> (report: ScenarioReport?, reason: String) {
        let file = FilePath.join(folder, script.name + ".json")
        var scenario = stage.whole(script)
        var reason: String?
        var last: ScenarioReport?
        // A step that fails ends a script: the next one runs once the failure is expected.
        for _ in 0...8 {
            try save(scenario, file)
            guard let report = await stage.run(scenario, file: file) else {
                reason = "it cannot be read"
                break
            }
            last = report
            let next = stage.expecting(scenario, report, besides: known)
            if report.status != .passed, let problem = report.failedStep?.problems.first { reason = problem }
            if next.json == scenario.json { break }
            reason = nil
            scenario = next
        }
        // With another seed: nothing that is drawn at random may be expected.
        let verdict = await stage.run(scenario, file: file, seed: stage.seed &+ 1)
        if verdict?.status == .passed { return (last, "") }
        let failed = verdict?.failedStep
        return (nil, reason ?? failed?.problems.first ?? failed?.mismatches.first?.text ?? "it does not repeat")
    }

    // MARK: Differences

    /// Writes a script for each change that is noticed, expecting what the old policy does.
    package func write(_ comparison: inout PolicyComparison) throws {
        try saveTenant()
        var written: Set<String> = []
        for place in comparison.behaviour.indices {
            let entry = comparison.behaviour[place]
            guard var scenario = entry.scenario else { continue }
            let file = FilePath.join(folder, entry.name + ".json")
            if written.insert(file).inserted {
                scenario.tenant = stage.tenant
                scenario.app = stage.app
                try save(scenario, file)
            }
            comparison.behaviour[place].script = file
        }
    }

    // MARK: Files

    private func saveTenant() throws {
        guard let tenantText else { return }
        let file = FilePath.join(folder, "tenant.json")
        guard FileSystem.kind(file) == nil || (try? FileSystem.read(file)) == Array(tenantText.utf8) else {
            throw Failure.usage("\(file) is there already and is another one: name another folder, or remove it")
        }
        try OutputFile.save(tenantText, to: file)
    }

    private func save(_ scenario: ScenarioDraft, _ file: String) throws {
        try OutputFile.save(JSONWriter.pretty(.object(scenario.json)) + "\n", to: file)
    }
}

extension TechnicalProfile {
    /// Whether it writes to the directory.
    var isWrite: Bool { handler == .directory && metadata["Operation"]?.lowercased() != "read" }
}

extension ScenarioReport {
    /// The outcomes of its sign-ins.
    private var signIns: [JSONValue] { steps.filter { $0.verb == Verb.acquireToken.rawValue }.compactMap(\.outcome) }

    /// Whether it is one sign-in that ends in a token.
    var endsInToken: Bool { signIns.count == 1 && signIns[0]["result", "idToken"] != nil }

    /// Ids of the pages that its sign-ins showed, in their order.
    package var pages: [String] {
        signIns.flatMap { $0["pages"]?.arrayValue ?? [] }
            .compactMap { $0["technicalProfile"]?.stringValue ?? $0["contentDefinition"]?.stringValue }
    }
}
