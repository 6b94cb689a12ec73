import CommandKit
import Diagnostics
import Exploration
import JSON
import ScenarioRunner
import Synchronization
import TenantFiles
import TrustFramework
import Validation
import Verbs

/// What differs between two states of one policy.
package struct PolicyComparison {
    package enum Status: String {
        case same, changed, added, removed
    }

    /// A change that paths show.
    package struct Behaviour {
        package var change: NoticedChange
        /// The scripts that show it, by their names.
        package var runs: [String]
        package var paths: Int { runs.count }
        /// The path of the first, in words.
        package var path: String
        /// The script that shows it, where scripts are written.
        package var script: String?
        /// The scenario, expecting what the old policy does, which the new one fails; `nil`: no expectation shows it.
        package var scenario: ScenarioDraft?
        /// A name for its file, without an ending.
        package var name: String
    }

    /// A path that both policies played.
    private struct Played {
        var run: Run
        /// Whether both ended the path with a token.
        var hasToken: Bool
        /// Whether the two differ.
        var isNoticed: Bool
        /// Ids of the pages that the old one showed, in their order.
        var pages: [String]
    }

    /// What came of typing values of a claim.
    private struct Typed {
        var count = 0
        var isNoticed = false
    }

    /// Scripts compared at most.
    package static let most = 400
    /// Replays that are run before the next ones are looked at.
    private static let batch = 64
    /// Replays of paths compared at most.
    private static let mostReplays = 600
    /// Paths after which everything that follows a sign-in is replayed, and all those whose lifetimes are.
    private static let mostBases = (afterwards: 6, lifetimes: 2)

    package var policy: String
    package var status: Status
    package var structure: [PolicyDifference] = []
    package var behaviour: [Behaviour] = []
    /// Findings of the exploration that only one of them has.
    var appeared: [Diagnostic] = []
    package var gone: [Diagnostic] = []
    /// Indices in `behaviour` by the place of a change: changes that are alike agree in it.
    private var places: [NoticedPlace: [Int]] = [:]
    /// How many paths were run with both; `nil`: nothing was run.
    package var paths: Int?
    /// How many of them were run again with something more: time that passes, other values, a refresh.
    var replays = 0
    /// Elements that differ and were not compared.
    var notCompared: [NotCompared] = []
    /// What else was not compared, in sentences.
    package var notes: [String] = []
    /// Ids of the old policy that have another name in the new one, and nothing else.
    private var renames = PolicyRenames()
    private var runs = ComparedRuns()
    /// Sees every path that both ran.
    var observer: ((ComparedPath) -> Void)?

    /// A path that both ran.
    struct ComparedPath {
        var script: ExplorationScript
        /// The scenario that the new policy played.
        var scenario: JSONObject
        var old: ScenarioReport
        var new: ScenarioReport
    }

    /// One state of the policy, found and linked.
    package struct Side {
        package var found: PlacedPolicies
        package var settings: PolicySettings
        package var policy: ResolvedPolicy

        package init(found: PlacedPolicies, settings: PolicySettings, policy: ResolvedPolicy) {
            self.found = found
            self.settings = settings
            self.policy = policy
        }

        /// The files it is made of; none for a user flow.
        package var compared: ComparedPolicy {
            guard settings.type == .custom else { return ComparedPolicy(policy) }
            let files = try? found.shelf.files(of: settings, tenant: found.tenant, folder: found.folder)
            return ComparedPolicy(policy, files: files ?? [])
        }

        /// Where its scripts play.
        package func stage(_ limits: ExplorationLimits) throws -> ScriptStage {
            try ScriptStage(found, settings: settings, policy: policy, seed: limits.seed)
        }

        package func explore(
            _ limits: ExplorationLimits, seconds: Int, isCancelled: @escaping () -> Bool = { false }
        ) throws(InvalidInput) -> Exploration {
            let (end, tooFar) = Machine.clock.now().secondsSinceEpoch.addingReportingOverflow(Int64(seconds))
            return try Explorer.explore(
                policy, tenant: found.tenant.name, switches: found.tenant.authority.defaults, limits: limits,
                isOutOfTime: { isCancelled() || !tooFar && Machine.clock.now().secondsSinceEpoch >= end })
        }

        /// What a page shows that its record does not hold: its template, and whether it offers to stay signed in.
        package func facts(_ page: JSONValue) -> [(NoticedPlace.Detail, JSONValue)] {
            var facts: [(NoticedPlace.Detail, JSONValue)] = []
            if let id = page["contentDefinition"]?.stringValue, let handle = policy.contentDefinition(id) {
                facts.append((.template, .string(policy[handle].loadURI)))
                facts.append((.layout, .string(policy[handle].dataURI)))
            }
            if let id = page["technicalProfile"]?.stringValue, let handle = policy.profile(id),
                policy.sessionBehavior.keepAliveInDays > 0, PolicyReplay.hasBox(policy[handle])
            {
                facts.append((.keepMeSignedIn, "offered"))
            }
            return facts
        }

        func isWrite(_ profile: String) -> Bool {
            policy.profile(profile).map { policy[$0].isWrite } ?? false
        }
    }

    /// Both states, with the stages on which their scripts play.
    private struct Sides {
        var old: Side
        var new: Side
        var oldStage: ScriptStage
        var newStage: ScriptStage
    }

    /// Whether everything that differs was tried.
    package var isWhole: Bool { notCompared.isEmpty && notes.isEmpty }

    package init(_ policy: String, _ status: Status) {
        self.policy = policy
        self.status = status
    }

    /// Compares by elements.
    package init(_ old: Side, _ new: Side) throws(InvalidInput) {
        policy = new.settings.name
        structure = try PolicyDifference.between(old.compared, new.compared)
        status = structure.isEmpty ? .same : .changed
    }

    /// Compares by what is noticed on the paths of both.
    ///
    /// - Parameter most: How many paths of each are run at most.
    package mutating func compareBehaviour(
        _ old: Side, _ new: Side, limits: ExplorationLimits, seconds: Int, most: Int = Self.most
    ) async throws {
        guard structure.contains(where: \.isReached) else { return }
        // The walks run beside this task, so they do not see by themselves that it was cancelled.
        let isCancelled = Atomic(false)
        let explored = await withTaskCancellationHandler {
            Parallel.map([old, new]) { side -> Result<Exploration, InvalidInput> in
                do throws(InvalidInput) {
                    return .success(
                        try side.explore(
                            limits, seconds: seconds, isCancelled: { isCancelled.load(ordering: .relaxed) }))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        try Task.checkCancellation()
        let (before, after) = (try explored[0].get(), try explored[1].get())
        renames = PolicyRenames(structure)
        compareFindings(before, after)
        for (exploration, name) in [(before, "old"), (after, "new")] {
            guard let cut = exploration.cut else { continue }
            // The report ends a note with a full stop where its format has one.
            let advice = exploration.advice.map { ". \($0.dropLast())" } ?? ""
            notes.append("the exploration of the \(name) policy was cut by \(cut)\(advice)")
        }
        let sides = Sides(old: old, new: new, oldStage: try old.stage(limits), newStage: try new.stage(limits))
        var played: [String: Played] = [:]
        var order: [ExplorationScript] = []
        for (exploration, name, side) in [(before, old.settings.name, "old"), (after, new.settings.name, "new")] {
            let paths = exploration.paths(policy: name, most: most)
            if paths.left > 0 {
                notes.append(
                    paths.scripts.count == most
                        ? "\(paths.left) further paths of the \(side) policy were not run"
                        : "\(paths.left) paths of the \(side) policy have no script and were not run")
            }
            var known = Set(played.keys)
            let scripts = paths.scripts.filter { known.insert($0.name).inserted }
            for (script, run) in zip(scripts, await runs(of: scripts.map { ($0, false) }, on: sides)) {
                guard let run else { continue }
                played[script.name] = take(run, of: script, on: sides)
                order.append(script)
            }
        }
        paths = order.count
        let typed = await replay(order, on: sides, played: &played)
        try Task.checkCancellation()
        group()
        notCompared = ComparedElements(old: old.policy, new: new.policy, runs: runs).notCompared(structure)
        for (claim, typed) in typed.sorted(by: { $0.key < $1.key })
        where !typed.isNoticed && !LimitValues.isAlike(claim, old.policy, new.policy) {
            notCompared.append(
                NotCompared(
                    path: ["ClaimType \(claim)"],
                    reason: "its rules differ, and none of \(typed.count) values that were typed shows it"))
        }
        for (name, places) in Dictionary(grouping: behaviour.indices, by: { behaviour[$0].name }) {
            guard let run = played[name]?.run else { continue }
            let scenario = await shows(
                places.flatMap { [behaviour[$0].change] + behaviour[$0].change.followed }, of: name, in: run,
                old: sides.oldStage, new: sides.newStage)
            for place in places { behaviour[place].scenario = scenario }
        }
    }

    /// Runs paths again with something more, and returns what came of typing values, by claim.
    private mutating func replay(
        _ order: [ExplorationScript], on sides: Sides, played: inout [String: Played]
    ) async -> [String: Typed] {
        var isCut = false
        var values: [String: Typed] = [:]
        var known = Set(played.keys)
        let plan = planned(order, on: sides, played: played).map {
            (script: $0.replay.applied(to: $0.script), $0.replay)
        }
        .filter { known.insert($0.script.name).inserted }
        // As many as may be needed: one that cannot be run is none of them.
        for batch in stride(from: 0, to: plan.count, by: Self.batch).map({ plan[$0..<min($0 + Self.batch, plan.count)] }
        ) {
            guard replays < Self.mostReplays else {
                isCut = true
                break
            }
            let results = await runs(of: batch.map { ($0.script, $0.1.keepsSignedIn) }, on: sides)
            for ((script, replay), run) in zip(batch, results) {
                guard let run else { continue }
                guard replays < Self.mostReplays else {
                    isCut = true
                    continue
                }
                let result = take(run, of: script, on: sides)
                played[script.name] = result
                replays += 1
                guard let typed = replay.typed else { continue }
                runs.typed.insert(typed.field.lowercased())
                values[typed.field, default: Typed()].count += 1
                if result.isNoticed { values[typed.field]?.isNoticed = true }
            }
        }
        if isCut { notes.append("at most \(Self.mostReplays) replays of paths are run, and there are more") }
        return values
    }

    /// The scenario of a path with an expectation that the old policy meets and the new one does not.
    private func shows(
        _ changes: [NoticedChange], of name: String, in run: Run, old: ScriptStage, new: ScriptStage
    ) async -> ScenarioDraft? {
        let expectation = old.expecting(run.old, run.oldReport).steps
        var whole = expectation
        for change in changes {
            let step = change.step
            guard let more = change.expectation, whole.indices.contains(step) else { continue }
            var expect = whole[step].expect?.objectValue ?? JSONObject()
            for (log, elements) in more.members {
                let known = expect[log]?.arrayValue ?? []
                expect[log] = .array(known + (elements.arrayValue ?? []).filter { !known.contains($0) })
            }
            whole[step].expect = .object(expect)
        }
        for steps in [whole, expectation] {
            var (before, after) = (run.old, run.new)
            before.steps = steps
            // Its own requests, with these expectations.
            after.steps = zip(steps, after.steps).map { step, own in
                var own = own
                own.expect = step.expect ?? own.expect
                return own
            }
            // With another seed: nothing that is drawn at random may be expected.
            guard await old.run(before, file: name + ".json", seed: old.seed &+ 1)?.status == .passed,
                let report = await new.run(after, file: name + ".json"), report.status == .failed
            else { continue }
            return after
        }
        return nil
    }

    /// Changes of one kind that the same runs show, such as claims that a token lacks, are one change: the first, with the
    /// others as what differs too.
    private mutating func group() {
        struct Kind: Hashable {
            var place: [String]
            var sides: [Bool]
            var runs: [String]
        }
        var first: [Kind: Int] = [:]
        var grouped: [Behaviour] = []
        for entry in behaviour {
            guard let group = entry.change.place.group, !entry.change.isList else {
                grouped.append(entry)
                continue
            }
            let kind = Kind(
                place: group, sides: [entry.change.old != nil, entry.change.new != nil], runs: entry.runs)
            if let place = first[kind] {
                grouped[place].change.followed.append(entry.change)
            } else {
                first[kind] = grouped.count
                grouped.append(entry)
            }
        }
        behaviour = grouped
    }

    // MARK: Replays

    private typealias Plan = [(script: ExplorationScript, replay: PolicyReplay)]

    /// What is replayed on which paths, from what follows every sign-in to the values of single fields.
    private mutating func planned(_ order: [ExplorationScript], on sides: Sides, played: [String: Played]) -> Plan {
        var plan: Plan = []
        let (old, new) = (sides.old, sides.new)
        let name = new.settings.name
        let bases = bases(order, played)
        runs.hasToken = !bases.isEmpty
        if bases.isEmpty {
            notes.append(
                "no path ends in a token with both policies, so refreshes, sessions and lifetimes were not compared")
        }
        let other = new.found.tenant.policies.first { settings in
            settings.name != name && settings.name != old.settings.name && settings.unsupported == nil
                && old.found.tenant.policy(named: settings.name) != nil
        }
        var left: [String] = []
        let lifetimes = PolicyReplay.lifetimes(
            of: name, old: old.policy, new: new.policy, other: other?.name, left: &left)
        if !bases.isEmpty { notes += left.map { "not compared: \($0)" } }
        for base in bases.prefix(Self.mostBases.lifetimes) { plan += lifetimes.map { (base, $0) } }
        for base in bases {
            if let again = PolicyReplay.signsUpAgain(base) { plan.append((script: base, replay: again)) }
        }
        for base in bases { plan += PolicyReplay.afterwards(name, of: [old.policy, new.policy]).map { (base, $0) } }
        plan += requests(order, old: old, new: new, played: played)
        plan += codes(order)
        for claim in LimitValues(old.policy, new.policy).claims {
            let typed = claim.values.map { value in
                PolicyReplay(
                    name: "\(Self.fileName(claim.id))-\(ExplorationScript.fingerprint(value))",
                    words: "\(claim.id) is \(value)", typed: (claim.id, value))
            }
            guard let first = typed.first, let script = order.first(where: { first.fits($0) }) else { continue }
            plan += typed.map { (script, $0) }
        }
        return plan
    }

    /// Paths that end in a token with both, the first of each person and list of pages.
    private func bases(_ order: [ExplorationScript], _ played: [String: Played]) -> [ExplorationScript] {
        var known: Set<[String]> = []
        let bases = order.filter { script in
            guard let run = played[script.name], run.hasToken else { return false }
            let person = script.name.prefix { $0 != "-" }
            return known.insert([String(person)] + run.pages).inserted
        }
        return Array(bases.prefix(Self.mostBases.afterwards))
    }

    /// Languages and domains, where what differs may show in them only.
    private mutating func requests(
        _ order: [ExplorationScript], old: Side, new: Side, played: [String: Played]
    ) -> Plan {
        var plan: Plan = []
        func differs(_ words: [String]) -> Bool {
            structure.contains { difference in
                difference.isReached && difference.path.contains { part in words.contains { part.hasPrefix($0) } }
            }
        }
        if differs(["LocalizedResources", "Localization", "SupportedLanguage", "LocalizedResourcesReference"]) {
            let all = old.policy.localization.supportedLanguages + new.policy.localization.supportedLanguages
            var seen: Set<String> = [new.policy.localization.defaultLanguage.lowercased()]
            let tags = all.filter { seen.insert($0.lowercased()).inserted }
            var pages: Set<String> = []
            for script in order {
                // Paths that together show every page.
                guard let run = played[script.name], !pages.isSuperset(of: run.pages) else { continue }
                pages.formUnion(run.pages)
                plan += PolicyReplay.languages(tags).map { (script, $0) }
            }
            runs.hasLanguages = true
        }
        if differs(["ClaimsProvider", "Domain"]), let script = order.first {
            var seen: Set<String> = []
            let domains = (old.policy.profiles + new.policy.profiles).flatMap(\.domains).filter {
                !$0.isEmpty && seen.insert($0.lowercased()).inserted
            }
            plan += PolicyReplay.domains(domains).map { (script, $0) }
            runs.hasDomains = true
        }
        return plan
    }

    /// Limits of one-time codes that differ.
    private mutating func codes(_ order: [ExplorationScript]) -> Plan {
        var plan: Plan = []
        for limit in PolicyReplay.codeLimits {
            let differing = structure.filter { difference in
                difference.isReached && difference.path.contains { sameID($0, "Item \(limit.key)") }
            }
            guard !differing.isEmpty else { continue }
            let values = differing.flatMap { [$0.old, $0.new] }.map { text in
                text.flatMap { Int(Self.digits($0)) } ?? limit.standard
            }
            let replays = PolicyReplay.codes(limit.key, values)
            let scripts = order.filter { script in replays.first?.fits(script) ?? false }.prefix(2)
            if !scripts.isEmpty { runs.limits.insert(limit.key.lowercased()) }
            plan += scripts.flatMap { script in replays.map { (script, $0) } }
        }
        return plan
    }

    /// The number in the text of an element or in a plain text.
    private static func digits(_ text: String) -> String {
        let plain = text.hasPrefix("<") ? text.replacing(/<[^>]*>/, with: "") : text
        return String(plain.filter { $0.isASCII && $0.isNumber })
    }

    /// Letters and digits of an id.
    private static func fileName(_ id: String) -> String {
        id.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    // MARK: Runs

    /// A script that both policies played.
    private struct Run {
        var old: ScenarioDraft
        var new: ScenarioDraft
        var oldReport: ScenarioReport
        var newReport: ScenarioReport
    }

    /// Runs scripts with both, several at a time; `nil` for one with which that cannot be done.
    ///
    /// - Parameter scripts: With each, whether the person ticks the box that keeps them signed in, where a page has it.
    private func runs(of scripts: [(script: ExplorationScript, ticks: Bool)], on sides: Sides) async -> [Run?] {
        let renames = renames
        return await withTaskGroup(of: (Int, Run?).self) { group in
            var results = [Run?](repeating: nil, count: scripts.count)
            var next = 0
            func begin() {
                guard next < scripts.count, !Task.isCancelled else { return }
                let (place, entry) = (next, scripts[next])
                next += 1
                group.addTask { (place, await Self.run(entry.script, on: sides, renames, ticks: entry.ticks)) }
            }
            for _ in 0..<max(Machine.cores, 1) { begin() }
            for await (place, run) in group {
                results[place] = run
                begin()
            }
            return results
        }
    }

    private static func run(
        _ script: ExplorationScript, on sides: Sides, _ renames: PolicyRenames, ticks: Bool
    ) async -> Run? {
        let names = [sides.old.settings.name, sides.new.settings.name]
        func scenario(_ stage: ScriptStage, _ side: Side, _ renamed: (String) -> String) -> ScenarioDraft {
            var whole = stage.whole(script)
            whole.steps = whole.steps.map { step in
                var step = step
                if [.acquireToken, .acquireTokenSilent, .signOut, .open].contains(step.verb) {
                    if names.contains(step.parameters["policy"]?.stringValue ?? "") {
                        step.parameters = step.parameters.merging(patch: ["policy": .string(side.settings.name)])
                    }
                    step.expect = PolicyReplay.anyEnd
                }
                if let actions = step.user?.arrayValue {
                    step.user = .array(
                        actions.map { PolicyRenames.action($0, renamed, ticks ? side.policy : nil) })
                }
                return step
            }
            return whole
        }
        let file = script.name + ".json"
        let old = scenario(sides.oldStage, sides.old, renames.toOld)
        let new = scenario(sides.newStage, sides.new, renames.toNew)
        guard let one = await sides.oldStage.run(old, file: file), let other = await sides.newStage.run(new, file: file)
        else { return nil }
        return Run(old: old, new: new, oldReport: one, newReport: other)
    }

    /// Takes note of how two runs of a script differ.
    private mutating func take(_ run: Run, of script: ExplorationScript, on sides: Sides) -> Played {
        let (old, new, one, other) = (sides.old, sides.new, run.oldReport, run.newReport)
        runs.take(one)
        runs.take(other)
        observer?(ComparedPath(script: script, scenario: run.new.json, old: one, new: other))
        let changes = NoticedChange.between(
            one, other, renamed: renames.toNew,
            facts: (old: { old.facts($0) }, new: { new.facts($0) })
        ) { old.isWrite($0) || new.isWrite($0) }
        for change in changes {
            if let place = places[change.place]?.first(where: { behaviour[$0].change.isAlike(change) }) {
                behaviour[place].runs.append(script.name)
                behaviour[place].change.follow(change)
            } else {
                places[change.place, default: []].append(behaviour.count)
                behaviour.append(
                    Behaviour(change: change, runs: [script.name], path: script.path, name: script.name))
            }
        }
        return Played(
            run: run, hasToken: one.endsInToken && other.endsInToken, isNoticed: !changes.isEmpty, pages: one.pages)
    }

    private mutating func compareFindings(_ old: Exploration, _ new: Exploration) {
        func key(_ finding: Diagnostic, _ renamed: (String) -> String) -> [String] {
            [finding.rule, finding.message.replacing(/[\w.-]*\w/) { renamed(String($0.output)) }]
        }
        let (before, after) = (old.findings.map(\.diagnostic), new.findings.map(\.diagnostic))
        let beforeKeys = Set(before.map { key($0, renames.toNew) })
        let afterKeys = Set(after.map { key($0) { $0 } })
        appeared = after.filter { !beforeKeys.contains(key($0) { $0 }) }
        gone = before.filter { !afterKeys.contains(key($0, renames.toNew)) }
    }
}
