import CommandFiles
import CommandKit
import Diagnostics
import JSON
import JourneyLogs
import ScenarioRunner
import Scenarios
import TrustFramework
import Verbs

/// A session of a log as files that repeat it: `tenant.json`, `inputs.json` and `session.json`, a scenario that expects
/// what the log has. It passes where the simulator does the same and fails at the first difference.
package struct LogReproduction {
    private let session: PlayedSession
    private let folder: String
    private let showsClaims: Bool
    private var story: LoggedSession { session.story }
    private var policy: ResolvedPolicy { session.played.policy }
    private var source: PolicySource { session.played.source }
    private var difference: SessionComparison.StepDifference? { session.difference }

    /// - Parameter folder: Where the files go.
    package init(_ session: PlayedSession, folder: String, showsClaims: Bool) {
        self.session = session
        self.folder = FilePath.relative(folder, to: Machine.currentFolder)
        self.showsClaims = showsClaims
    }

    private static let person = "person"

    /// Writes the files.
    ///
    /// - Returns: The paths, the scenario last, and how it runs.
    /// - Throws: ``Failure`` when a file cannot be written, or when the session takes another way with stand-ins.
    package func write() async throws -> (files: [String], verdict: String) {
        var standIns = LogStandIns(policy, of: story, keeping: decisive, isOff: showsClaims)
        let inputs = session.inputs.replaced(&standIns)
        let played = try await LogPlay.outcome(inputs, source)
        guard Self.way(played) == Self.way(session.outcome) else {
            throw Failure.input(
                "the session cannot be written with stand-ins: the policy does something else with them, because it reads "
                    + "values that were replaced. --show-claims writes the values of the log.")
        }
        do throws(FileSystem.Problem) {
            try FileSystem.makeFolder(folder)
        } catch {
            throw Failure.machine("\(folder) cannot be made: \(error.text)") as any Error
        }
        // A person who is described in part has ada's other members.
        let record = (DemoPeople.json["ada"] ?? [:]).merging(patch: .object(inputs.person))
        let users: JSONValue = ["ada": nil, Self.person: record]
        var written = inputs.inputs(as: Self.person)
        var configure = written[.configure]?.objectValue ?? JSONObject()
        configure["users"] = users
        written[.configure] = .object(configure)
        let script = try LogPlay.prepared(written, person: Self.person, press: inputs.press, source).script()
        let scenario = try scenario(script, played, &standIns)
        let tenant = ExplorationFolder.moved(
            script.tenant.json.merging(patch: ["users": .null]).merging(
                patch: ["users": .object(JSONObject([(Self.person, record)]))]), to: folder)
        let files = [
            try save(tenant, "tenant.json"), try save(.object(written.json), "inputs.json"),
            try save(.object(scenario.json), "session.json"),
        ]
        return (files, try await verdict(scenario, files[2]))
    }

    /// Values that decide whether the step that differs runs. The policy that wrote the log may compare them with something
    /// else than this one.
    private var decisive: [String] {
        guard case .step(let journey, let order)? = difference?.element else { return [] }
        let handle = journey.flatMap { policy.journey($0) } ?? policy.relyingParty.defaultJourney
        let all = policy.document.userJourneys + policy.document.subJourneys
        let step = all.first { sameID($0.id, policy[handle].id) }?.steps.first { $0.order == order }
        var names: [String] = []
        for condition in step?.preconditions ?? [] where condition.type == .claimEquals {
            if let name = condition.values.first { names.append(name) }
        }
        return story.steps.flatMap { $0.claims.members }.compactMap { member in
            names.contains { sameID($0, member.key) } && !LogMask.identifies(member.key)
                ? member.value.stringValue : nil
        }.filter { !$0.contains("@") }
    }

    private func save(_ value: JSONValue, _ name: String) throws -> String {
        let file = FilePath.join(folder, name)
        let text = JSONWriter.pretty(value) + "\n"
        guard FileSystem.kind(file) == nil || (try? FileSystem.read(file)) == Array(text.utf8) else {
            throw Failure.usage("\(file) exists and is different: name another folder, or remove it")
        }
        try OutputFile.save(text, to: file)
        return file
    }

    /// Which steps and technical profiles ran, in order, and whether a token came.
    private static func way(_ outcome: SignIn.Outcome) -> [String] {
        let records = (outcome.steps.first?["trace"]?.arrayValue ?? []).map { record in
            let names = ["journey", "step", "ran", "profile", "transformation", "validation", "skipped"]
            let known = names.map { name in record[name].map { JSONWriter.compact($0) } ?? "" }
            return known.joined(separator: " ") + (record["error"] == nil ? "" : " error")
        }
        return records + [outcome.failure == nil ? "token" : "none"]
    }

    // MARK: The scenario

    private func scenario(
        _ script: ScenarioDraft, _ played: SignIn.Outcome, _ standIns: inout LogStandIns
    ) throws -> ScenarioDraft {
        guard let last = script.steps.indices.last else {
            throw Failure.input("the session has no sign-in that can be repeated")
        }
        var scenario = script
        scenario.name = "A session of \(policy.id)"
        scenario.description = "Written from a log of the journey recorder. It expects what the log has."
        scenario.tenant = .file("tenant.json")
        var configure = script.configure?.objectValue ?? JSONObject()
        // The tenant file has these.
        for name in ["apps", "providers", "users"] { configure[name] = nil }
        scenario.configure = configure.isEmpty ? nil : .object(configure)
        scenario.steps[last].expect = .object(expectation(played, &standIns))
        scenario.order = .explored
        return scenario
    }

    private func expectation(_ played: SignIn.Outcome, _ standIns: inout LogStandIns) -> JSONObject {
        let outcome = played.steps.first ?? .null
        var records: [JSONValue] = []
        var steps = 0
        var before = JSONObject()
        for record in outcome["trace"]?.arrayValue ?? [] {
            if let difference, steps == difference.stepsBefore { break }
            // Here the person finishes what they left in the log.
            if story.end == .waiting || story.end == .unknown,
                steps == story.steps.filter({ !$0.invokesSubJourney }).count
            {
                break
            }
            guard let order = record["step"] else { continue }
            if let profile = record["profile"] {
                if record["skipped"] != nil { continue }
                var expected: JSONObject = ["step": order, "profile": profile]
                if record["validation"] == true { expected["validation"] = true }
                if record["error"] != nil { expected["error"] = ["$exists": true] }
                records.append(.object(expected))
            } else {
                // The comparison goes without it.
                let isCall = record["stepType"] == "InvokeSubJourney" && record["ran"] == true
                if !isCall { steps += 1 }
                var expected = JSONObject()
                for name in ["journey", "step", "ran"] { expected[name] = record[name] }
                let claims = record["claims"]?.objectValue ?? before
                let changed = claims.members.filter { before[$0.key] != $0.value && Self.isStable($0.key, $0.value) }
                if !changed.isEmpty { expected["claims"] = .object(JSONObject(changed.map { ($0.key, $0.value) })) }
                before = claims
                records.append(.object(expected))
            }
        }
        var expected = JSONObject()
        if let difference {
            switch difference.expected {
            case .record(var record):
                if let claims = record["claims"]?.objectValue {
                    record["claims"] = .object(
                        JSONObject(claims.members.map { ($0.key, typed($0.value, of: $0.key, &standIns)) }))
                }
                if let text = record["error"]?["$contains"]?.stringValue {
                    record["error"] = ["$contains": .string(standIns.replaced(in: Self.stable(text)))]
                }
                records.append(.object(record))
            case .result: expected["result"] = ["$exists": true]
            case .page: expected["pending"] = ["$exists": true]
            case .error(let text):
                let line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? text
                let shown = standIns.replaced(in: Self.stable(line))
                expected["error"] = shown.isEmpty ? ["$exists": true] : ["description": ["$contains": .string(shown)]]
            }
        }
        if expected.isEmpty { addEnd(outcome, &expected) }
        if !records.isEmpty { expected["trace"] = .array(records) }
        return expected
    }

    /// How the session ends: as the log says if the simulator differs.
    private func addEnd(_ outcome: JSONValue, _ expected: inout JSONObject) {
        if difference != nil {
            switch story.end {
            case .token, .unknown: break
            case .waiting: expected["pending"] = ["$exists": true]
            case .error: expected["error"] = ["$exists": true]
            }
        } else if let error = outcome["error"]?.objectValue {
            var members = JSONObject()
            for name in ["kind", "b2cCode", "oauthError"] { members[name] = error[name] }
            // A message of a service has no code.
            if members["b2cCode"] == nil || members["b2cCode"] == .null,
                let text = error["description"]?.stringValue
            {
                members["b2cCode"] = nil
                let line = Self.stable(
                    text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? "")
                if !line.isEmpty { members["description"] = ["$contains": .string(line)] }
            }
            expected["error"] = members.isEmpty ? ["$exists": true] : .object(members)
        } else if let pending = outcome["pending"] {
            var page = JSONObject()
            for name in ["name", "technicalProfile", "b2cCode"] {
                if let value = pending["page", name], value != .null { page[name] = value }
            }
            if let error = pending["page", "error"]?.stringValue, !error.isEmpty {
                page["error"] = ["$contains": .string(Self.stable(error))]
            }
            expected["pending"] = page.isEmpty ? ["$exists": true] : ["page": .object(page)]
        }
    }

    /// A claim of the log as the simulator has it.
    private func typed(_ value: JSONValue, of claim: String, _ standIns: inout LogStandIns) -> JSONValue {
        // An expectation such as that there is none.
        if value.objectValue?["$exists"] != nil { return value }
        let type = policy.claimType(claim).map { policy[$0].dataType } ?? .string
        let typed = LogInputs.typed(value, type)
        return standIns.replaced(typed)
    }

    /// The beginning of an error text that every run has: up to the first identifier or address.
    private static func stable(_ text: String) -> String {
        var text = text[...]
        if let drawn = text.firstMatch(of: /[0-9a-fA-F]{8}-[0-9a-fA-F]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2}/) {
            text = text[..<drawn.range.lowerBound]
        }
        guard let mark = text.firstIndex(of: "@") else { return String(text) }
        return String(text[..<(text[..<mark].lastIndex(of: " ") ?? text.startIndex)])
    }

    /// Whether every run gives a claim this value.
    static func isStable(_ claim: String, _ value: JSONValue) -> Bool {
        let name = claim.lowercased()
        let secret = ["password", "secret", "otp", "code", "token", "correlation", "nonce", "time", "date"]
        if secret.contains(where: { name.contains($0) }) { return false }
        switch value {
        case .string(let text):
            return text.utf8.count < 200
                && text.firstMatch(of: /[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}|[0-9]{9,}|T[0-9]{2}:/) == nil
                && !text.contains("***") && !text.hasPrefix("eyJ")
        case .bool: return true
        case .integer(let number): return number.magnitude < 100_000_000
        case .number, .null, .array, .object: return false
        }
    }

    // MARK: The verdict

    /// Runs the scenario as it was written, also with another seed: nothing that is drawn at random may be expected.
    private func verdict(_ scenario: ScenarioDraft, _ file: String) async throws -> String {
        var report: ScenarioReport?
        for seed: UInt64 in [2, 1] {
            report = await run(scenario, file, seed: seed)
            guard let report else { throw Failure.input("\(file) cannot be read: b2c check shows why") }
            if let problem = report.failedStep?.problems.first { return "which fails: \(problem)" }
        }
        switch (report?.status == .passed, difference == nil) {
        case (true, true): return "which passes: the simulator does the same"
        case (false, false): return "which fails until the policy does what the log has"
        case (true, false): return "which passes although the log differs: its expectation does not show the difference"
        case (false, true):
            let text = report?.failedStep?.mismatches.first?.text ?? "it does not repeat"
            return "which fails although the log has no difference: \(text)"
        }
    }

    private func run(_ draft: ScenarioDraft, _ file: String, seed: UInt64) async -> ScenarioReport? {
        let read: @Sendable (String) -> [UInt8]? = { try? FileSystem.read($0) }
        let shelf = PolicyShelf(files: .disk)
        let tenants = TenantLibrary(files: read, policies: shelf)
        guard let scenario = try? draft.scenario(file: file, tenants: tenants) else { return nil }
        let options = RunOptions(seed: seed, keepOutcomes: true, readFile: read, policies: shelf)
        return await Runner.run(scenario, options: options).scenarios.first
    }
}
