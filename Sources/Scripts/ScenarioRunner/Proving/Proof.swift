import AuthorityHosting
import Diagnostics
import Exchanges
import JSON
import Scenarios
import Synchronization

/// What the experiments with a suite showed.
public struct ProofReport: Sendable {
    /// Lines that no run notices, in the order of the scenarios and their texts.
    public var findings: [Diagnostic] = []
    /// Whether a scenario fails before any change.
    public var hasFailures = false
    /// How many scenarios were tried.
    public var scenarios = 0
    /// How many lines were changed.
    public var changes = 0
    /// How many runs that took.
    public var runs = 0
    /// How many findings have a reason in the script.
    public var reasons = 0
    /// Whether it was stopped before everything was tried.
    public var isStopped = false
    /// How many cases changed scripts had, for tests of how the work grows.
    package var changedCases = 0
}

/// Shows by experiment that every line of a suite can fail: each scenario runs with one thing changed at a time, and
/// what no run notices is reported.
public enum Proof {
    /// Tries every line of scenarios, in this process. Same seed, same report.
    ///
    /// - Parameters:
    ///   - options: How the unchanged scenarios run. A target, reports and files to write have no part in it.
    ///   - reasons: Those of the project file.
    ///   - isStopped: Asked between runs; what is known by then is reported.
    ///   - onProgress: Told how many scenarios are done, from several workers at once.
    public static func run(
        _ scenarios: [Scenario], options: RunOptions, reasons: ProjectReasons? = nil,
        isStopped: @escaping @Sendable () -> Bool = { false },
        onProgress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
    ) async -> ProofReport {
        var options = options
        options.target = nil
        options.follower = nil
        options.coverage = nil
        options.prepared = nil
        options.keepOutcomes = false
        options.keepLog = false
        options.keepLogOfFailures = false
        let shared = options
        let queue = Queue(count: scenarios.count)
        let shelf = TenantShelf(policies: options.policies)
        let results = await withTaskGroup(of: [(Int, ScenarioProof.Result)].self) { group in
            for _ in 0..<max(1, min(options.jobs, scenarios.count)) {
                group.addTask {
                    var mine: [(Int, ScenarioProof.Result)] = []
                    while !isStopped(), let index = queue.next() {
                        let proof = ScenarioProof(
                            scenario: scenarios[index], options: shared, shelf: shelf, isStopped: isStopped)
                        mine.append((index, await proof.result()))
                        onProgress(queue.finishedOne())
                    }
                    return mine
                }
            }
            var all: [(Int, ScenarioProof.Result)] = []
            for await mine in group { all += mine }
            return all.sorted { $0.0 < $1.0 }
        }
        var report = ProofReport()
        report.isStopped = isStopped()
        var names = results.reduce(into: SeenNames()) { $0.add($1.1.names) }
        var tenants: Set<String> = []
        for (index, result) in results where !result.negatives.isEmpty {
            let loaded = scenarios[index].tenant
            guard tenants.insert(loaded.document.source.file).inserted,
                let tenant = try? shelf.tenant(loaded.json, folder: loaded.folder)
            else { continue }
            let custom = Set(tenant.tenant.policies.filter { $0.type == .custom }.map { $0.id.lowercased() })
            for policy in tenant.policies where custom.contains(policy.id.lowercased()) { names.add(policy) }
        }
        var project = reasons
        for (index, result) in results { report.add(result, of: scenarios[index], seen: names, reasons: &project) }
        if !report.isStopped, let project { report.findings += project.unused }
        return report
    }

    /// Hands out indices in order, and counts those that are done.
    private final class Queue: Sendable {
        private let state = Mutex((next: 0, done: 0))
        private let count: Int

        init(count: Int) { self.count = count }

        func next() -> Int? {
            state.withLock { state in
                guard state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func finishedOne() -> Int {
            state.withLock { state in
                state.done += 1
                return state.done
            }
        }
    }
}

extension ProofReport {
    fileprivate mutating func add(
        _ result: ScenarioProof.Result, of scenario: Scenario, seen names: SeenNames,
        reasons project: inout ProjectReasons?
    ) {
        changes += result.changes
        runs += result.runs
        changedCases += result.changedCases
        if let failure = result.failure {
            hasFailures = true
            findings.append(failure)
            return
        }
        if result.isTried { scenarios += 1 }
        project?.tried(scenario.file)
        var reasons = ProofReasons(of: scenario)
        var found: [(pointer: JSONPointer, finding: Diagnostic)] = result.findings.map { remark in
            (
                remark.pointer,
                scenario.document.finding(
                    .warning, rule: remark.rule.rawValue, remark.message, remedy: remark.remedy, at: remark.pointer)
            )
        }
        for negative in result.negatives {
            guard let near = names.nearest(to: negative) else { continue }
            found.append(
                (
                    negative.pointer,
                    scenario.document.finding(
                        .warning, rule: ProofRule.nameNeverOccurs.rawValue,
                        "`\(negative.name)` occurs in no run, so that it is not found says nothing",
                        remedy: "Did you mean `\(near)`?", at: negative.pointer)
                ))
        }
        for (pointer, finding) in found {
            if reasons.covers(pointer) || project?.covers(scenario.file, pointer, finding.rule) == true {
                self.reasons += 1
            } else {
                findings.append(finding)
            }
        }
        guard !isStopped, result.isTried else { return }
        for (pointer, place) in reasons.unused {
            findings.append(
                scenario.document.finding(
                    .warning, rule: ProofRule.unusedReason.rawValue,
                    "`proves` gives a reason, and there is no finding\(place.map { " at \($0)" } ?? "")",
                    remedy: "Remove it.", at: pointer))
        }
    }
}

/// The reasons of a script: `"proves": "why"` covers the object that contains it, `"proves": {"/pointer": "why"}` a
/// place below that.
struct ProofReasons {
    private struct Reason {
        /// Where it is written.
        var place: JSONPointer
        /// What it covers.
        var covered: JSONPointer
        var relative: String?
        var isUsed = false
    }

    private var reasons: [Reason] = []

    init(of scenario: Scenario) {
        let root = scenario.document.root
        add(root["proves"], JSONPointer(tokens: []))
        for variant in scenario.cases { add(root.value(at: variant.pointer)?["proves"], variant.pointer) }
        for step in scenario.allSteps { add(root.value(at: step.pointer)?["proves"], step.pointer) }
    }

    private mutating func add(_ value: JSONValue?, _ owner: JSONPointer) {
        let place = owner.appending("proves")
        switch value {
        case .string: reasons.append(Reason(place: place, covered: owner))
        case .object(let object):
            for (text, _) in object.members {
                guard let inner = JSONPointer(text) else { continue }
                reasons.append(
                    Reason(
                        place: place.appending(text), covered: JSONPointer(tokens: owner.tokens + inner.tokens),
                        relative: text))
            }
        default: break
        }
    }

    /// Whether there is a reason for a finding; the nearest one counts as used.
    mutating func covers(_ pointer: JSONPointer) -> Bool {
        let fitting = reasons.indices.filter { pointer.tokens.starts(with: reasons[$0].covered.tokens) }
        guard let best = fitting.max(by: { reasons[$0].covered.tokens.count < reasons[$1].covered.tokens.count }) else {
            return false
        }
        reasons[best].isUsed = true
        return true
    }

    /// Reasons for which nothing was found, with the place that each names.
    var unused: [(place: JSONPointer, named: String?)] {
        reasons.filter { !$0.isUsed }.map { ($0.place, $0.relative) }
    }
}
