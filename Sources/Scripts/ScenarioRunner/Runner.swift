import AuthorityHosting
import CurlHTTP
import Determinism
import Diagnostics
import Exchanges
import JOSE
import JSON
import Scenarios
import Synchronization
import TenantFiles
import Verbs

/// Runs scenarios against the mock authority in this process.
public enum Runner {
    /// Runs every case of each scenario.
    ///
    /// As many workers as `jobs` take the next scenario each; the report has them in the order given, whatever the
    /// order of completion. Same seed, same report, byte for byte. In a task that is cancelled the steps and scenarios that
    /// have not begun do not run; `finally` does.
    ///
    /// - Parameter onEvent: Gets each event, from several workers at once.
    public static func run(
        _ scenarios: [Scenario], options: RunOptions, onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
    ) async -> RunReport {
        var variants: [ScenarioVariant] = []
        for scenario in scenarios {
            for variant in CaseExpansion.variants(of: scenario) {
                guard options.cases.isEmpty || variant.caseName.map(options.cases.contains) ?? false else { continue }
                variants.append(variant)
            }
        }
        let queue = Queue(count: variants.count, maxFailures: options.maxFailures)
        let shelf = TenantShelf(policies: options.policies)
        let all = variants
        let reports = await withTaskGroup(of: [(Int, ScenarioReport)].self) { group in
            for _ in 0..<max(1, min(options.jobs, all.count)) {
                group.addTask {
                    var mine: [(Int, ScenarioReport)] = []
                    while !Task.isCancelled, let index = queue.next() {
                        let variant = all[index]
                        onEvent(
                            .started(
                                file: variant.scenario.file,
                                title: ScenarioReport.title(variant.scenario.name, variant.caseName)))
                        let report = await ScenarioRun(variant: variant, options: options, shelf: shelf).run()
                        if !report.status.isGood { queue.failed(index) }
                        onEvent(.finished(report))
                        mine.append((index, report))
                    }
                    return mine
                }
            }
            var collected: [ScenarioReport?] = Array(repeating: nil, count: all.count)
            for await mine in group {
                for (index, report) in mine { collected[index] = report }
            }
            return collected
        }
        var ordered: [ScenarioReport] = []
        var failures = 0
        for (index, report) in reports.enumerated() {
            // After the last failure that counts nothing does, even what another worker had finished by then.
            if let report, failures < options.maxFailures ?? .max {
                ordered.append(report)
                if !report.status.isGood { failures += 1 }
            } else {
                let reason = failures == 1 ? "stopped after the first failure" : "stopped after \(failures) failures"
                ordered.append(
                    ScenarioRun.notRun(all[index], reason: Task.isCancelled ? "cancelled before it" : reason))
            }
        }
        return RunReport(
            seed: options.seed, target: options.target?.name ?? "in process", scenarios: ordered,
            drawsOrder: options.drawsOrder, usesRealTime: options.target?.isLive ?? false)
    }

    /// Runs one scenario with all of its cases.
    public static func run(_ scenario: Scenario, options: RunOptions) async -> RunReport {
        await run([scenario], options: options)
    }

    /// Hands out indices in order, and after so many failures only those before the last of them.
    private final class Queue: Sendable {
        private let state: Mutex<(next: Int, limit: Int, failed: [Int])>
        private let maxFailures: Int

        init(count: Int, maxFailures: Int?) {
            state = Mutex((0, count, []))
            self.maxFailures = max(1, maxFailures ?? .max)
        }

        func next() -> Int? {
            state.withLock { state in
                guard state.next < state.limit else { return nil }
                state.next += 1
                return state.next - 1
            }
        }

        func failed(_ index: Int) {
            guard maxFailures < .max else { return }
            state.withLock { state in
                state.failed.append(index)
                state.failed.sort()
                if state.failed.count >= maxFailures {
                    state.limit = min(state.limit, state.failed[maxFailures - 1] + 1)
                }
            }
        }
    }
}

/// One scenario in one case, from an empty world to its report.
struct ScenarioRun: Sendable {
    let variant: ScenarioVariant
    let options: RunOptions
    let shelf: TenantShelf

    static func notRun(_ variant: ScenarioVariant, reason: String) -> ScenarioReport {
        ScenarioRun.report(variant, .notRun, reason: reason)
    }

    private static func report(_ variant: ScenarioVariant, _ status: RunStatus, reason: String?) -> ScenarioReport {
        ScenarioReport(
            file: variant.scenario.file, name: variant.scenario.name, caseName: variant.caseName,
            tags: variant.scenario.tags,
            status: status, reason: reason, steps: [], started: Scenario.usualClock, elapsed: .zero, exchanges: 0)
    }

    func run() async -> ScenarioReport {
        if let reason = variant.skip { return Self.report(variant, .skipped, reason: reason) }
        if await options.follower?.hasLeft == true { return Self.notRun(variant, reason: "left by hand before it") }
        let seed = SeededGenerator(seed: options.seed, stream: variant.stream)
        if let target = options.target {
            let steps = target.isLive ? await knownSteps(seed) : []
            if let reason = target.lack(of: variant, steps) { return Self.report(variant, .skipped, reason: reason) }
            if target.isLive { return await runAlone(steps, seed, target) }
        }
        return await runOnce(seed).0
    }

    /// Runs a scenario while nobody else acts as one of its people.
    private func runAlone(
        _ steps: [Step], _ seed: SeededGenerator, _ target: RunTarget
    ) async -> ScenarioReport {
        let people = LiveChanges.people(of: steps)
        await target.people.enter(people)
        let first = await runOnce(seed)
        let result = await repeated(first, seed, target.services.time)
        await target.people.leave(people)
        return result
    }

    /// All steps with the values in them that are known before the first request: of the case, variables, secrets.
    private func knownSteps(_ seed: SeededGenerator) async -> [Step] {
        let scope = ScenarioScope(table: table(seed: seed), live: earlyValues(Scenario.usualClock))
        var steps = (variant.steps + variant.finally).flatMap(\.withInner)
        for index in steps.indices {
            steps[index].parameters = await Self.filled(steps[index].parameters, scope)
            if let user = steps[index].user { steps[index].user = await Self.filled(user, scope) }
        }
        return steps
    }

    /// The value with each text filled in that can be.
    private static func filled(_ value: JSONValue, _ scope: ScenarioScope) async -> JSONValue {
        switch value {
        case .array(let elements):
            var known: [JSONValue] = []
            for element in elements { known.append(await filled(element, scope)) }
            return .array(known)
        case .object(let object):
            var known = JSONObject()
            for (key, member) in object.members { known[key] = await filled(member, scope) }
            return .object(known)
        default: return (try? await Interpolation.resolve(value, in: scope)) ?? value
        }
    }

    /// Runs a scenario once more where it failed because the target asked for a pause.
    private func repeated(
        _ first: (ScenarioReport, pause: TimeSpan?), _ seed: SeededGenerator, _ time: any PassingTime
    ) async -> ScenarioReport {
        guard let pause = first.pause, first.0.status == .failed else { return first.0 }
        let asked = "the target asked for a pause of \(pause.iso8601) (429)"
        guard pause <= Pacer.longestPause else {
            var report = first.0
            report.reason = "\(asked), which is longer than anything waits for: it was not repeated"
            return report
        }
        await time.wait(until: time.now() + pause)
        var (second, _) = await runOnce(seed)
        switch second.status {
        case .passed:
            second.status = .flaky
            second.reason = "\(asked); passed when it was repeated"
        case .failed:
            second.reason = "\(asked); failed again when it was repeated"
        default: break
        }
        return second
    }

    private func runOnce(_ seed: SeededGenerator) async -> (ScenarioReport, pause: TimeSpan?) {
        let table = self.table(seed: seed)
        let start: Timestamp
        let tenant: CompiledTenant
        let cast: ScenarioVariant
        do throws(StartProblem) {
            (start, tenant) = try await beginning(table)
            cast = try await castFilled(table, start, tenant)
        } catch {
            var report = Self.report(variant, .failed, reason: error.text)
            report.steps = [await problemStep(error.text)]
            return (judged(report), nil)
        }
        let world = World(variant: cast, options: options, tenant: tenant, seed: seed, start: start)
        await world.set(table: table)
        do throws(StepProblem) {
            try await world.begin()
        } catch {
            return (Self.report(variant, .blocked, reason: error.text), nil)
        }
        let (report, pause) = await run(in: world, start: start)
        return (judged(report), pause)
    }

    private func run(in world: World, start: Timestamp) async -> (ScenarioReport, pause: TimeSpan?) {
        let executor = Executor(world: world)
        let context = StepContext(lane: await world.mainLane)
        var problems: [String] = []
        var armed: [Int] = []
        do throws(StepProblem) {
            // The later ones are tried first.
            for (pointer, rules) in variant.faults.reversed() {
                if let id = try await executor.armed(rules, pointer, context) { armed.append(id) }
            }
        } catch {
            problems.append(error.text)
        }
        var steps: [StepReport] = []
        var failed = !problems.isEmpty
        if !failed {
            let done = await executor.run(variant.steps, context, isWhole: true)
            steps = done.reports
            failed = done.failed
        }
        var unattended = context
        unattended.isFollowed = await options.follower?.hasLeft != true
        let last = await executor.run(variant.finally, unattended)
        steps += last.reports
        failed = failed || last.failed
        for id in armed.reversed() {
            for unused in await world.hub.pop(id) where !failed && !Task.isCancelled { problems.append(unused.text) }
        }
        if !problems.isEmpty {
            failed = true
            var step = await problemStep(problems[0])
            step.problems = problems
            steps.append(step)
        }
        await world.turnstile.shutDown()
        var report = Self.report(variant, failed ? .failed : .passed, reason: nil)
        report.steps = failed ? steps.map { withSource($0) } : steps
        report.started = start
        report.elapsed = world.time.now - start
        report.exchanges = await world.hub.exchangeCount
        let hasLeft = await options.follower?.hasLeft == true
        if !failed, hasLeft || Task.isCancelled {
            report.status = .notRun
            report.reason = hasLeft ? "left by hand before its end" : "cancelled before its end"
        }
        if options.keepLog || options.keepLogOfFailures && failed { report.log = await world.hub.log() }
        if !options.keepOutcomes, options.keepLogOfFailures, !failed {
            report.steps = report.steps.map(\.withoutOutcome)
        }
        let pause = await world.hub.throttle()
        if failed, let reason = await world.hub.blocked {
            report.status = .blocked
            report.reason = reason
        }
        await world.end()
        return (report, pause)
    }

    /// A failed step with the lines of the script that expect what did not happen; those of the step itself if it could
    /// not run as written.
    private func withSource(_ step: StepReport) -> StepReport {
        var step = step
        step.steps = step.steps.map { withSource($0) }
        guard step.status == .failed else { return step }
        let document = variant.scenario.document
        var place = step.location
        if step.problems.isEmpty, let mismatch = step.mismatches.first,
            let expected = step.expectation(of: mismatch, caseName: variant.caseName, in: document.root)
        {
            // Of a value that the script does not have this is the place of the nearest one around it.
            place = document.location(of: expected)
            step.expectation = place
        }
        step.source = SourceExcerpt(of: document.source, at: place)
        return step
    }

    /// A failure that belongs to no step of the script.
    private func problemStep(_ text: String) async -> StepReport {
        StepReport(
            id: nil, title: "the scenario as a whole", verb: "scenario", location: variant.scenario.location(of: .root),
            client: nil,
            status: .failed, mismatches: [], problems: [text], at: Scenario.usualClock, elapsed: .zero, outcome: nil,
            tellingExchanges: [], steps: [])
    }

    /// Sets a known failure against what happened.
    private func judged(_ report: ScenarioReport) -> ScenarioReport {
        guard let known = variant.scenario.expectedFailure,
            known.applies(to: variant.caseName, target: options.target?.word ?? "in-process")
        else {
            return report
        }
        var report = report
        switch report.status {
        case .failed:
            if let step = known.step, report.failedStep?.id != step {
                report.reason = "was to fail at step `\(step)` (\(known.reason)), and failed elsewhere"
            } else {
                report.status = .expectedFailure
                report.reason = known.reason
            }
        case .passed:
            report.status = .unexpectedPass
            report.reason = "known to fail (\(known.reason)), and passed: remove `expectedFailure`"
        default: break
        }
        return report
    }

    // MARK: Before the first step

    private func table(seed: SeededGenerator) -> ValueTable {
        var table = ValueTable()
        for member in variant.scenario.variables.members {
            let given = options.variables.last { $0.name == member.key }
            table.variables[member.key] = given.map { .string($0.value) } ?? member.value
        }
        table.caseValues = variant.values
        table.caseName = variant.caseName
        table.environment = options.environment
        for secret in options.secrets { table.secrets[secret.name] = secret.value }
        var words = seed.stream("unique")
        // Against a real tenant nobody has ever been called so, whatever the seed.
        table.unique =
            options.target?.startTime().map { String($0.milliseconds, radix: 36) }
            ?? String(words.guid().description.prefix(8))
        return table
    }

    /// Values of patches and of the clock are filled in before there is a world.
    private struct EarlyValues: LiveValues {
        let time: Timestamp
        /// The tenant with all defaults.
        let source: @Sendable () -> JSONValue
        /// Patches that may publish further keys of a mock; `nil` for a real tenant, which keeps its keys to itself.
        let patches: [JSONValue]?

        func now() async -> Timestamp { time }
        func tenant() async -> JSONValue { source() }
        func newestMessage(to person: String) async -> JSONValue? { nil }
        func key(named name: String) async -> JSONValue? {
            guard let patches else { return nil }
            let isPublished = ([source()] + patches).contains { value in
                (value["keySets"]?.objectValue?.members ?? []).contains { _, set in
                    (set["publish"]?.arrayValue ?? []).contains { $0.stringValue == name }
                }
            }
            return isPublished ? WorldValues.value(of: TestKeys.named(name)) : nil
        }
    }

    /// - Parameter tenant: The tenant as patched so far; default: the scenario's own. Keys that any patch publishes are
    ///   there from the beginning.
    private func earlyValues(_ time: Timestamp, _ tenant: CompiledTenant? = nil) -> EarlyValues {
        let written = variant.scenario.tenant
        return EarlyValues(
            time: time, source: { tenant?.filled ?? written.filled },
            patches: options.target?.isLive == true ? nil : variant.configure)
    }

    /// True time at the first step, and the tenant as it is then.
    private func beginning(_ table: ValueTable) async throws(StartProblem) -> (Timestamp, CompiledTenant) {
        if let known = options.prepared?.take(variant, seed: options.seed) { return known }
        let start = try await self.start(table)
        return (start, try await tenant(table, start: start))
    }

    /// The same before anything runs, kept for the run.
    func prepare(in prepared: PreparedRuns) async throws(StartProblem) {
        let seed = SeededGenerator(seed: options.seed, stream: variant.stream)
        if let target = options.target {
            let steps = target.isLive ? await knownSteps(seed) : []
            guard target.lack(of: variant, steps) == nil else { return }
        }
        let table = table(seed: seed)
        let start = try await beginning(table)
        _ = try await castFilled(table, start.0, start.1)
        prepared.keep(start, for: variant, seed: options.seed)
    }

    private func start(_ table: ValueTable) async throws(StartProblem) -> Timestamp {
        if let now = options.target?.startTime() { return now }
        guard let clock = variant.scenario.clock else { return Scenario.usualClock }
        do throws(ValueError) {
            let scope = ScenarioScope(table: table, live: earlyValues(Scenario.usualClock))
            let value = try await Interpolation.resolve(clock, in: scope)
            guard let text = value.stringValue, let instant = Timestamp(rfc3339: text) else {
                throw ValueError(
                    reference: "",
                    message: "clock: \(JSONWriter.compact(value)) is not an RFC 3339 time such as 2026-01-15T12:00:00Z")
            }
            return instant
        } catch {
            throw .value(error, of: JSONPointer(tokens: ["clock"]))
        }
    }

    private func tenant(_ table: ValueTable, start: Timestamp) async throws(StartProblem) -> CompiledTenant {
        let file = try await filled(
            variant.scenario.tenant.json, of: nil, ScenarioScope(table: table, live: earlyValues(start)))
        var tenant: CompiledTenant
        do throws(InvalidInput) {
            // Only the file itself is shared with other scenarios; what a script makes of it goes with its world.
            tenant = try shelf.tenant(file, folder: variant.scenario.tenant.folder)
        } catch {
            throw .tenant(error)
        }
        for (pointer, patch) in variant.placedPatches {
            // A patch sees what the one before it has made.
            let scope = ScenarioScope(table: table, live: earlyValues(start, tenant))
            let patch = try await filled(patch, of: pointer, scope)
            do throws(InvalidInput) {
                tenant = try tenant.patched(patch)
            } catch {
                throw .tenant(error)
            }
        }
        return tenant
    }

    /// The run with the names of its app and clients filled in.
    private func castFilled(
        _ table: ValueTable, _ start: Timestamp, _ tenant: CompiledTenant
    ) async throws(StartProblem) -> ScenarioVariant {
        var variant = variant
        let scope = ScenarioScope(table: table, live: earlyValues(start, tenant))
        func text(_ value: String, _ tokens: [String]) async throws(StartProblem) -> String {
            guard Template.mayHoldReference(value) else { return value }
            return Interpolation.text(of: try await filled(.string(value), of: JSONPointer(tokens: tokens), scope))
        }
        if let app = variant.scenario.app { variant.scenario.app = try await text(app, ["app"]) }
        for index in variant.scenario.clients.indices {
            let client = variant.scenario.clients[index]
            let place = ["clients", client.name]
            variant.scenario.clients[index].app = try await text(client.app, place + ["app"])
            variant.scenario.clients[index].device = try await text(client.device, place + ["device"])
            variant.scenario.clients[index].browser = try await text(client.browser, place + ["browser"])
        }
        return variant
    }

    /// - Parameter pointer: The value's place in the script; `nil` for the tenant file.
    private func filled(
        _ value: JSONValue, of pointer: JSONPointer?, _ scope: ScenarioScope
    ) async throws(StartProblem) -> JSONValue {
        do throws(ValueError) {
            return try await Interpolation.resolve(value, in: scope)
        } catch {
            throw .value(error, of: pointer)
        }
    }
}
