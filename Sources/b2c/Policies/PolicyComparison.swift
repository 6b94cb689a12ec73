import B2CProtocol
import CommandKit
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import TrustFramework
import Validation

/// What differs between two states of one policy.
struct PolicyComparison {
    enum Status: String {
        case same, changed, added, removed
    }

    /// A change that paths show.
    struct Behaviour {
        var change: NoticedChange
        /// How many paths show it.
        var paths: Int
        /// The shortest of them, in words.
        var path: String
        /// The script that shows it, where scripts are written.
        var script: String?
        /// The scenario, expecting what the old policy does, which the new one fails; `nil`: no expectation shows it.
        var scenario: JSONObject?
        /// A name for its file, without an ending.
        var name: String
    }

    /// Scenarios of a path, for the old and for the new policy, and what the old one did.
    private struct Played {
        var old: JSONObject
        var new: JSONObject
        var report: ScenarioReport
    }

    /// Scripts compared at most.
    static let most = 400

    var policy: String
    var status: Status
    var structure: [PolicyDifference] = []
    var behaviour: [Behaviour] = []
    /// Findings of the exploration that only one of them has.
    var appeared: [Diagnostic] = []
    var gone: [Diagnostic] = []
    /// Indices in `behaviour` by who notices a change and what it is: changes that are alike agree in both.
    private var places: [[String]: [Int]] = [:]
    /// How many paths were run with both; `nil`: nothing was run.
    var paths: Int?
    /// What was not compared, in sentences.
    var notes: [String] = []

    /// One state of the policy, found and linked.
    struct Side {
        var found: PlacedPolicies
        var settings: PolicySettings
        var policy: ResolvedPolicy

        /// The files it is made of; none for a user flow.
        var compared: ComparedPolicy {
            guard settings.type == .custom else { return ComparedPolicy(policy) }
            let files = try? found.shelf.files(of: settings, tenant: found.tenant, folder: found.folder)
            return ComparedPolicy(policy, files: files ?? [])
        }

        func explore(_ limits: ExplorationLimits, seconds: Int) throws(InvalidInput) -> Exploration {
            let (end, tooFar) = Machine.clock.now().secondsSinceEpoch.addingReportingOverflow(Int64(seconds))
            return try Explorer.explore(
                policy, tenant: found.tenant.name, switches: found.tenant.authority.defaults, limits: limits,
                isOutOfTime: { !tooFar && Machine.clock.now().secondsSinceEpoch >= end })
        }

        func isWrite(_ profile: String) -> Bool {
            guard let handle = policy.profile(profile) else { return false }
            let found = policy[handle]
            return found.handler == .directory && found.metadata["Operation"]?.lowercased() != "read"
        }
    }

    init(_ policy: String, _ status: Status) {
        self.policy = policy
        self.status = status
    }

    /// Compares by elements.
    init(_ old: Side, _ new: Side) throws(InvalidInput) {
        policy = new.settings.name
        structure = try PolicyDifference.between(old.compared, new.compared)
        status = structure.isEmpty ? .same : .changed
    }

    /// Compares by what is noticed on the paths of both.
    mutating func compareBehaviour(
        _ old: Side, _ new: Side, limits: ExplorationLimits, seconds: Int
    ) async throws {
        guard structure.contains(where: \.isReached) else { return }
        let before = try old.explore(limits, seconds: seconds)
        let after = try new.explore(limits, seconds: seconds)
        compareFindings(before, after)
        for (exploration, name) in [(before, "old"), (after, "new")] {
            guard let cut = exploration.cut else { continue }
            // The report ends a note with a full stop where its format has one.
            let advice = exploration.advice.map { ". \($0.dropLast())" } ?? ""
            notes.append("the exploration of the \(name) policy was cut by \(cut)\(advice)")
        }
        let stages = try (
            ScriptStage(old.found, old.settings, old.policy, seed: limits.seed),
            ScriptStage(new.found, new.settings, new.policy, seed: limits.seed)
        )
        var known: Set<String> = []
        var played: [String: Played] = [:]
        var count = 0
        for (exploration, name) in [(before, old.settings.name), (after, new.settings.name)] {
            let paths = exploration.paths(policy: name, most: Self.most)
            if paths.left > 0, paths.scripts.count == Self.most {
                notes.append("\(paths.left) further paths were not run")
            }
            for script in paths.scripts where known.insert(script.name).inserted {
                guard let run = await compare(script, old, stages.0, new, stages.1) else { continue }
                played[script.name] = run
                count += 1
            }
        }
        paths = count
        for (name, places) in Dictionary(grouping: behaviour.indices, by: { behaviour[$0].name }) {
            guard let run = played[name] else { continue }
            let scenario = await shows(name, places.map { behaviour[$0].change }, run, stages.0, stages.1)
            for place in places { behaviour[place].scenario = scenario }
        }
    }

    /// The scenario of a path with an expectation that the old policy meets and the new one does not.
    private func shows(
        _ name: String, _ changes: [NoticedChange], _ run: Played, _ old: ScriptStage, _ new: ScriptStage
    ) async -> JSONObject? {
        let expectation = old.expecting(run.old, run.report)["steps"]?.arrayValue ?? []
        var whole = expectation
        for change in changes {
            let step = change.step
            guard let more = change.expectation, whole.indices.contains(step),
                var object = whole[step].objectValue
            else { continue }
            var expect = object["expect"]?.objectValue ?? JSONObject()
            for (log, elements) in more.members {
                let known = expect[log]?.arrayValue ?? []
                expect[log] = .array(known + (elements.arrayValue ?? []).filter { !known.contains($0) })
            }
            object["expect"] = .object(expect)
            whole[step] = .object(object)
        }
        for steps in [whole, expectation] {
            var (before, after) = (run.old, run.new)
            before["steps"] = .array(steps)
            after["steps"] = .array(Self.playing(steps, after))
            // With another seed: nothing that is drawn at random may be expected.
            guard await old.run(before, file: name + ".json", seed: old.seed &+ 1)?.status == .passed,
                let report = await new.run(after, file: name + ".json"), report.status == .failed
            else { continue }
            return after
        }
        return nil
    }

    /// Steps that ask for the policy of a scenario, whose name may have changed.
    private static func playing(_ steps: [JSONValue], _ scenario: JSONObject) -> [JSONValue] {
        zip(steps, scenario["steps"]?.arrayValue ?? []).map { step, own in
            guard var object = step.objectValue, let request = own["acquireToken"] else { return step }
            object["acquireToken"] = request
            return .object(object)
        }
    }

    /// Runs a script with both; `nil` when that cannot be done.
    private mutating func compare(
        _ script: ExplorationScript, _ old: Side, _ oldStage: ScriptStage, _ new: Side, _ newStage: ScriptStage
    ) async -> Played? {
        func scenario(_ stage: ScriptStage, _ side: Side) -> JSONObject {
            var whole = stage.whole(script)
            let steps = whole["steps"]?.arrayValue ?? []
            whole["steps"] = .array(
                steps.map { step in
                    guard var object = step.objectValue, let request = object["acquireToken"] else { return step }
                    object["acquireToken"] = request.merging(patch: ["policy": .string(side.settings.name)])
                    object["expect"] = Self.anyEnd
                    return .object(object)
                })
            return whole
        }
        let file = script.name + ".json"
        let scenarios = (scenario(oldStage, old), scenario(newStage, new))
        guard let one = await oldStage.run(scenarios.0, file: file),
            let other = await newStage.run(scenarios.1, file: file)
        else { return nil }
        let changes = NoticedChange.between(one, other) { old.isWrite($0) || new.isWrite($0) }
        for change in changes {
            let what = [change.party.rawValue, change.place]
            if let place = places[what]?.first(where: { behaviour[$0].change.isAlike(change) }) {
                behaviour[place].paths += 1
            } else {
                places[what, default: []].append(behaviour.count)
                behaviour.append(
                    Behaviour(
                        change: change, paths: 1, path: script.scenario["name"]?.stringValue ?? script.name,
                        name: script.name))
            }
        }
        return Played(old: scenarios.0, new: scenarios.1, report: one)
    }

    /// Whatever a step ends in: what is compared is the outcome itself.
    private static let anyEnd: JSONValue = [
        "$any": [["result": ["$exists": true]], ["error": ["$exists": true]], ["pending": ["$exists": true]]]
    ]

    private mutating func compareFindings(_ old: Exploration, _ new: Exploration) {
        func key(_ finding: Diagnostic) -> [String] { [finding.rule, finding.message] }
        let (before, after) = (old.findings.map(\.diagnostic), new.findings.map(\.diagnostic))
        let (beforeKeys, afterKeys) = (Set(before.map(key)), Set(after.map(key)))
        appeared = after.filter { !beforeKeys.contains(key($0)) }
        gone = before.filter { !afterKeys.contains(key($0)) }
    }
}
