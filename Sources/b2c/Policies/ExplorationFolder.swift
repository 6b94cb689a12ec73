import AuthorityHosting
import B2CProtocol
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import Scenarios
import TrustFramework

/// The folder to which `b2c policy explore` writes scripts. Each is run before it is kept: a counter-example must fail
/// by its expectation, and a script of a suite must pass.
struct ExplorationFolder {
    private let folder: String
    private let tenant: JSONValue
    private let app: String
    private let found: PlacedPolicies
    private let policy: ResolvedPolicy
    /// A tenant file to write beside the scripts; `nil`: they use one that is there.
    private let tenantText: String?
    private let seed: UInt64

    /// - Throws: ``Failure`` when the folder cannot be made.
    init(_ path: String, _ found: PlacedPolicies, _ settings: PolicySettings, _ policy: ResolvedPolicy, seed: UInt64)
        throws
    {
        folder = FilePath.relative(path, to: Machine.currentFolder)
        self.found = found
        self.policy = policy
        self.seed = seed
        do throws(FileSystem.Problem) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw Failure(status: .machine, text: "b2c: \(folder) cannot be made: \(error.text)") as any Error
        }
        if found.isFolder {
            app = "app"
            let world = FolderWorld.settings(app: app, policy: settings.name, for: [policy])
            var whole = found.playable(besides: settings).merging(patch: world).objectValue ?? JSONObject()
            whole["users"] = [:]
            tenant = "tenant.json"
            tenantText = JSONWriter.pretty(Self.moved(.object(whole), to: folder)) + "\n"
        } else {
            guard let first = found.tenant.apps.first else {
                throw Failure.usage("\(found.shown) has no app, and scripts need one to sign in with")
            }
            app = first.name
            let path = found.document?.source.file ?? found.shown
            tenant = .string(Self.path(path, from: folder))
            tenantText = nil
        }
    }

    /// A path that starts from the current folder, as it is written in a file of another folder.
    private static func path(_ path: String, from folder: String) -> String {
        func whole(_ path: String) -> String {
            path.hasPrefix("/") ? path : FilePath.normalised(FilePath.join(Machine.currentFolder, path))
        }
        return FilePath.relative(whole(path), to: whole(folder))
    }

    /// A tenant whose paths start from the current folder, with paths that start from another one.
    private static func moved(_ tenant: JSONValue, to folder: String) -> JSONValue {
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
    func write(_ written: [Exploration.Written]) async throws -> [String] {
        var lines: [String] = []
        try saveTenant()
        for entry in written {
            switch entry.script {
            case .failure(let problem):
                lines.append("no script for \(entry.rule), \(entry.message): \(problem.reason)")
            case .success(let script):
                let file = FilePath.join(folder, script.name + ".json")
                let scenario = whole(script)
                try save(scenario, file)
                let report = try await run(file)
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

    /// Writes the scripts of a suite with what the policy does now as their expectation.
    func write(_ suite: (scripts: [ExplorationScript], left: [Unscriptable])) async throws -> [String] {
        try saveTenant()
        var lines = suite.left.map { "a path has no script: \($0.reason)" }
        var count = 0
        for script in suite.scripts {
            let file = FilePath.join(folder, script.name + ".json")
            var scenario = whole(script)
            var reason: String?
            for _ in 0...8 {
                try save(scenario, file)
                guard let report = try await run(file) else {
                    reason = "it cannot be read"
                    break
                }
                if report.status == .passed, scenario == expecting(scenario, report) { break }
                if let problem = report.failedStep?.problems.first { reason = problem }
                let next = expecting(scenario, report)
                if next == scenario { break }
                reason = nil
                scenario = next
            }
            // With another seed: nothing that is drawn at random may be expected.
            let verdict = try await run(file, seed: seed &+ 1)
            if verdict?.status == .passed {
                count += 1
            } else {
                FileSystem.remove(file)
                reason = reason ?? verdict?.failedStep?.problems.first ?? verdict?.failedStep?.mismatches.first?.text
                lines.append(
                    "a path has no script: \(reason ?? "it does not repeat") (\(script.scenario["name"]?.stringValue ?? ""))"
                )
            }
        }
        lines.append("wrote \(count) \(count == 1 ? "script" : "scripts") to \(folder); b2c run \(folder) runs them")
        return lines
    }

    /// The scenario with what its steps did as their expectation.
    private func expecting(_ scenario: JSONObject, _ report: ScenarioReport) -> JSONObject {
        var scenario = scenario
        guard var steps = scenario["steps"]?.arrayValue else { return scenario }
        for (index, step) in report.steps.enumerated() where index < steps.count {
            guard var object = steps[index].objectValue, object["acquireToken"] != nil, let outcome = step.outcome,
                let expected = Self.expectation(outcome)
            else { continue }
            object["expect"] = expected
            steps[index] = .object(object)
        }
        scenario["steps"] = .array(steps)
        return scenario
    }

    private static func expectation(_ outcome: JSONValue) -> JSONValue? {
        if let claims = outcome["result", "idToken", "claims"]?.objectValue {
            var expected = JSONObject()
            for (name, value) in claims.members where !volatile.contains(name) {
                expected[name] = isDrawn(value) ? ["$exists": true] : value
            }
            return ["result": ["idToken": ["claims": .object(expected)]]]
        }
        if let error = outcome["error"]?.objectValue {
            var expected = JSONObject()
            for name in ["kind", "b2cCode", "oauthError"] { expected[name] = error[name] }
            return expected.isEmpty ? ["error": ["$exists": true]] : ["error": .object(expected)]
        }
        guard let pending = outcome["pending"] else { return nil }
        var page = JSONObject()
        for name in ["name", "technicalProfile", "error"] {
            if let value = pending["page", name], value != .null, !isDrawn(value) { page[name] = value }
        }
        return page.isEmpty ? ["pending": ["$exists": true]] : ["pending": ["page": .object(page)]]
    }

    private static let volatile: Set<String> = [
        "exp", "iat", "nbf", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid", "jti",
    ]

    /// Whether a value holds an identifier or number that another seed changes.
    private static func isDrawn(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text):
            text.firstMatch(of: /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-/) != nil || text.count > 200
        case .array(let values): values.contains(where: isDrawn)
        case .object(let object): object.members.contains { isDrawn($0.value) }
        default: false
        }
    }

    // MARK: Files

    private func whole(_ script: ExplorationScript) -> JSONObject {
        var scenario: JSONObject = [:]
        for key in ["name", "description", "tags"] { scenario[key] = script.scenario[key] }
        scenario["tenant"] = tenant
        scenario["app"] = .string(app)
        for (key, value) in script.scenario.members where scenario[key] == nil { scenario[key] = value }
        guard !script.providers.isEmpty else { return scenario }
        var accounts = JSONObject()
        for (profile, _) in ProviderAddresses.federation(of: policy) where script.providers.contains(profile.id) {
            let person = script.hasAccount ? DemoPeople.linked : DemoPeople.stranger
            accounts[FolderWorld.providerName(profile)] = .object(
                ProviderClaims.claims(of: person, at: profile, in: policy))
        }
        let patch: JSONValue = ["configure": ["users": ["visitor": ["providers": .object(accounts)]]]]
        return JSONValue.object(scenario).merging(patch: patch).objectValue ?? scenario
    }

    private func saveTenant() throws {
        guard let tenantText else { return }
        let file = FilePath.join(folder, "tenant.json")
        guard FileSystem.kind(file) == nil || (try? FileSystem.read(file)) == Array(tenantText.utf8) else {
            throw Failure.usage("\(file) is there already and is another one: name another folder, or remove it")
        }
        try OutputFile.save(tenantText, to: file)
    }

    private func save(_ scenario: JSONObject, _ file: String) throws {
        try OutputFile.save(JSONWriter.pretty(.object(scenario)) + "\n", to: file)
    }

    private func run(_ file: String, seed: UInt64? = nil) async throws -> ScenarioReport? {
        let bytes = (try? FileSystem.read(file)) ?? []
        let scripts = Scripts([FoundFile(path: file, content: .scenario, bytes: bytes)])
        guard let scenario = scripts.scenarios.first?.scenario else { return nil }
        let options = RunOptions(
            seed: seed ?? self.seed, keepOutcomes: true, readFile: { try? FileSystem.read($0) },
            policies: PolicyShelf(files: .disk))
        return await Runner.run([RunItem(scenario: scenario)], options: options).scenarios.first
    }
}
