import B2CProtocol
import Browser
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import Scenarios

/// Where a step stands: on which lane, and what its groups hand down.
struct StepContext: Sendable {
    var lane: Lane
    var client: String?
    var index = 1
    /// Whether the step is one of the script's own, not one within another.
    var isOutermost = false
    /// Whether somebody who follows the run is asked here.
    var isFollowed = true
}

/// What carrying out a verb gave, before the logs are added.
struct Yield: Sendable {
    var members = JSONObject()
    var pages: [PageRecord] = []
    var events: [JSONObject] = []
    /// How redirect URIs reached apps, between what the browser and what the library did.
    var callbacks: [JSONObject] = []
    /// What the script says somebody does and nobody did.
    var undone: [String] = []

    static func result(_ value: JSONValue) -> Yield {
        var yield = Yield()
        yield.members["result"] = value
        return yield
    }
}

/// Carries out the steps of one scenario in one world: one function a verb, in the files beside this one.
struct Executor: Sendable {
    let world: World

    /// Steps one after another; after a failure the rest is not run.
    ///
    /// - Parameters:
    ///   - isWhole: The steps are the script's own, not a group's.
    ///   - keepsOutcomes: Whether the caller makes something of the outcomes. Otherwise there are none, because those of a
    ///     long list take much memory.
    func run(
        _ steps: [Step], _ context: StepContext, isWhole: Bool = false, keepsOutcomes: Bool = false
    ) async -> (reports: [StepReport], outcomes: [JSONValue], failed: Bool) {
        if context.isFollowed, let follower = world.options.follower {
            return await followed(steps, context, by: follower, isWhole: isWhole)
        }
        var context = context
        context.isOutermost = isWhole
        var reports: [StepReport] = []
        var outcomes: [JSONValue] = []
        var failed = false
        var isBroken = false
        let caseName = world.variant.caseName
        for step in steps where step.runs(in: caseName) {
            if failed {
                reports.append(await blank(step, .notRun))
                continue
            }
            let (report, outcome) = await run(step, context)
            reports.append(report)
            if keepsOutcomes, let outcome { outcomes.append(outcome) }
            let isUnmet = report.status == .failed
            isBroken = isBroken || isUnmet
            failed = isUnmet && !(isWhole && world.options.goesOnAfterFailures)
        }
        return (reports, outcomes, isBroken)
    }

    func blank(_ step: Step, _ status: RunStatus) async -> StepReport {
        StepReport(
            id: step.id, title: step.title, verb: step.verb.rawValue,
            location: world.variant.scenario.location(of: step.pointer),
            client: step.client, status: status, mismatches: [], problems: [], at: world.time.now, elapsed: .zero,
            outcome: nil,
            tellingExchanges: [], steps: [])
    }

    /// One step with all its rounds. The last round's outcome is the step's.
    func run(_ step: Step, _ context: StepContext) async -> (StepReport, JSONValue?) {
        var context = context
        var step = step
        do throws(StepProblem) {
            step.name = try await text(step.name, key: "name", context)
            step.client = try await text(step.client, key: "client", context)
        } catch {
            return (await failed(step, problem: error.text), nil)
        }
        if let client = step.client { context.client = client }
        let rounds: Int
        do throws(MalformedValue) {
            let scope = await world.scope(index: context.index)
            var value = step.repeatCount
            if let raw = value { value = try? await Interpolation.resolve(raw, in: scope) }
            rounds = try StepCount.read(value, key: "repeat")
        } catch {
            return (await failed(step, problem: error.message), nil)
        }
        var last: (StepReport, JSONValue?) = (await blank(step, .passed), nil)
        for round in 1...max(1, rounds) {
            var inner = context
            if step.repeatCount != nil { inner.index = round }
            last = await runRound(of: step, inner)
            if last.0.status == .failed {
                if step.repeatCount != nil, rounds > 1 {
                    last.0.problems.append("this was round \(round) of \(rounds)")
                }
                return last
            }
        }
        return last
    }

    /// A text of a step with its values filled in.
    private func text(
        _ text: String?, key: String, _ context: StepContext
    ) async throws(StepProblem) -> String? {
        guard let text, Interpolation.isNeeded(in: .string(text)) else { return text }
        do throws(ValueError) {
            let scope = await world.scope(index: context.index)
            return Interpolation.text(of: try await Interpolation.resolve(.string(text), in: scope))
        } catch {
            throw StepProblem("\(key): \(error.description)")
        }
    }

    private func failed(_ step: Step, problem: String) async -> StepReport {
        var report = await blank(step, .failed)
        report.problems = [problem]
        return report
    }

    private func runRound(of step: Step, _ context: StepContext) async -> (StepReport, JSONValue?) {
        let isOutermost = context.isOutermost
        var context = context
        context.isOutermost = false
        await world.hub.catchUp()
        let start = world.time.now
        let mark = await world.hub.mark()
        var report = await blank(step, .passed)
        report.client = context.client
        report.at = start
        var yield = Yield()
        var steps: [JSONValue]?
        var problems: [String] = []
        var rulesID: Int?
        do throws(StepProblem) {
            rulesID = try await armed(step.faults, step.pointer.appending("faults"), context)
            if step.verb.isGroup {
                let group = try await runGroup(step, context)
                steps = group.outcomes
                report.steps = group.reports
                if group.failed { report.status = .failed }
                problems += group.problems
            } else {
                await world.hub.enter(step: step.title, lane: context.lane.id)
                yield = try await perform(step, context)
            }
        } catch {
            problems.append(error.text)
        }
        let call = step.verb.isGroup ? nil : await world.takeCall(on: context.lane.id)
        if let rulesID {
            problems += await world.hub.pop(rulesID).map(\.text)
        }
        let logs = await world.hub.logs(since: mark, lane: context.lane.id)
        problems += logs.problems
        report.elapsed = world.time.now - start
        let outcome = Self.outcome(yield, logs, steps, elapsed: report.elapsed)
        if let id = step.id { await world.keep(outcome, as: id) }
        if problems.isEmpty, report.status != .failed {
            do throws(StepProblem) {
                report.mismatches = try await mismatches(step, outcome, context)
            } catch {
                problems.append(error.text)
            }
        }
        report.problems += problems + yield.undone
        if report.problems.isEmpty, !report.mismatches.isEmpty {
            let hint = StepHint(
                step: step, outcome: outcome, scenario: world.variant.scenario, tenant: await world.tenant.tenant)
            report.problems += [hint.text(report.mismatches)].compactMap { $0 }
        }
        if !report.problems.isEmpty || !report.mismatches.isEmpty { report.status = .failed }
        if let proof = world.options.proof, !step.verb.isGroup,
            proof.ended(step, outcome, failed: report.status == .failed, on: context.lane.id)
        {
            report.status = .failed
            report.problems.append("the experiment ends here: the run differs")
        }
        let notes = await world.hub.takeNotes(lane: context.lane.id)
        if report.status == .failed {
            report.problems += notes
            if world.options.target?.isLive == true, let reason = LiveBlocks.reason(logs.exchanges) {
                await world.hub.block(reason)
            }
        }
        let then = step.then.filter { $0.runs(in: world.variant.caseName) }
        if report.status == .passed, !then.isEmpty {
            if let pending = yield.members["pending"] {
                report.status = .failed
                report.problems.append(Self.neverCompleted(pending))
                for step in then { report.steps.append(await blank(step, .notRun)) }
            } else {
                let inner = await run(step.then, context)
                report.steps += inner.reports
                if inner.failed { report.status = .failed }
            }
        }
        if let call, report.status == .failed, !isMeantToWait(step) {
            // The step has failed already: what keeps its call from being given up adds nothing.
            try? await world.giveUp(call)
        }
        await world.completionsReturned()
        if isOutermost, !world.options.keepsLogs { await world.hub.dropLogs() }
        // Whether the scenario ends well is not known yet.
        let keeps = world.options.keepOutcomes || world.options.keepLogOfFailures
        if report.status == .failed || keeps { report.outcome = outcome }
        if report.status == .failed { report.tellingExchanges = Self.telling(report, logs) }
        return (report, outcome)
    }

    /// Whether a step expects that its call waits for a later one, even where it fails otherwise.
    private func isMeantToWait(_ step: Step) -> Bool {
        step.expectation(in: world.variant.caseName)?["pending"] != nil
    }

    // MARK: Expectations

    private func mismatches(_ step: Step, _ outcome: JSONValue, _ context: StepContext) async throws(StepProblem)
        -> [Mismatch]
    {
        let raw = step.expectation(in: world.variant.caseName)
        // A group without expectation has been judged by its steps.
        if step.verb.isGroup && raw == nil { return [] }
        var expected = raw
        if let value = raw {
            await observe(value, step, outcome, context)
            do throws(ValueError) {
                expected = try await Interpolation.resolve(value, in: await world.scope(index: context.index))
            } catch {
                throw StepProblem("expect\(error.pointer): \(error.description)")
            }
        }
        return Expectation.mismatches(outcome: outcome, expected: expected)
    }

    /// Keeps an expectation for the experiments with it, with everything filled in but what the step itself shows: that
    /// changes with the outcome.
    private func observe(_ raw: JSONValue, _ step: Step, _ outcome: JSONValue, _ context: StepContext) async {
        guard let proof = world.options.proof, proof.keepsExpectations else { return }
        let isOwnCase = step.expectIn.first { sameText($0.caseName, world.variant.caseName ?? "") }
        var pointer = step.pointer.appending("expect")
        if let isOwnCase { pointer = step.pointer.appending("expectIn").appending(isOwnCase.caseName) }
        var expected = raw
        var namesItself = false
        if Interpolation.isNeeded(in: raw) {
            let scope = await world.scope(index: context.index)
            var known: [ValueReference: JSONValue] = [:]
            for reference in Interpolation.occurrences(in: raw).references.map(\.reference) {
                if let id = step.id, sameText(reference.root, id) {
                    namesItself = true
                } else if known[reference] == nil {
                    known[reference] = try? await scope.value(of: reference)
                }
            }
            expected = Interpolation.substituting(in: raw) { known[$0] }
        }
        proof.saw(
            ProofWatch.Observation(
                pointer: pointer, raw: raw, expected: expected, outcome: outcome,
                ownID: namesItself ? step.id : nil))
    }

    /// The exchanges that explain a failure: the record a log matcher came nearest to, else the last refusal.
    private static func telling(_ report: StepReport, _ logs: StepLogs) -> [JSONValue] {
        var found: [Exchange] = []
        for mismatch in report.mismatches {
            if mismatch.pointer.tokens.first == "requests", let record = mismatch.record, record < logs.exchanges.count
            {
                found.append(logs.exchanges[record])
            }
        }
        if found.isEmpty {
            let refused = logs.exchanges.last {
                ($0.response?.status ?? 0) >= 400 || $0.response?.refusal != nil || $0.networkError != nil
            }
            found = [refused ?? logs.exchanges.last].compactMap { $0 }
        }
        return found.map(\.json)
    }

    // MARK: Outcome

    static func outcome(_ yield: Yield, _ logs: StepLogs, _ steps: [JSONValue]?, elapsed: TimeSpan) -> JSONValue {
        var outcome = yield.members
        outcome["elapsed"] =
            elapsed.milliseconds % 1000 == 0 ? .integer(elapsed.milliseconds / 1000) : .number(elapsed.seconds)
        outcome["requests"] = .array(logs.exchanges.map(\.json))
        var pages = yield.pages.map(\.json)
        var events = yield.events.map { JSONValue.object($0) }
        for step in steps ?? [] {
            pages += step["pages"]?.arrayValue ?? []
            events += step["events"]?.arrayValue ?? []
        }
        outcome["pages"] = .array(pages)
        outcome["messages"] = .array(logs.messages)
        outcome["events"] = .array(events)
        outcome["trace"] = .array(logs.trace)
        if let steps { outcome["steps"] = .array(steps) }
        return .object(outcome)
    }

    // MARK: Rules

    /// Puts the rules of a step in force.
    func armed(_ faults: JSONValue?, _ pointer: JSONPointer, _ context: StepContext) async throws(StepProblem) -> Int? {
        guard let faults else { return nil }
        let resolved: JSONValue
        do throws(ValueError) {
            resolved = try await Interpolation.resolve(faults, in: await world.scope(index: context.index))
        } catch {
            throw StepProblem("faults\(error.pointer): \(error.description)")
        }
        do throws(MalformedValue) {
            return await world.hub.push(try FaultRule.rules(from: resolved, at: pointer), lane: context.lane.id)
        } catch {
            throw StepProblem("faults\(error.pointer): \(error.message)")
        }
    }

    /// Why the steps of `then` have no place to run.
    private static func neverCompleted(_ pending: JSONValue) -> String {
        let reason = pending["reason"]?.stringValue.map { " (\($0))" } ?? ""
        return "`then` does not run: the operation is pending\(reason), so its completion handler is not called;"
            + " put the steps after this one, or in `then` of the step that resumes it"
    }

    // MARK: Groups

    struct GroupResult: Sendable {
        var reports: [StepReport] = []
        var outcomes: [JSONValue] = []
        var failed = false
        var problems: [String] = []
    }

    private func runGroup(_ step: Step, _ context: StepContext) async throws(StepProblem) -> GroupResult {
        if step.verb == .steps {
            let done = await run(step.steps, context, keepsOutcomes: true)
            return GroupResult(reports: done.reports, outcomes: done.outcomes, failed: done.failed)
        }
        var branches: [Step] = []
        let caseName = world.variant.caseName
        for element in step.steps where element.runs(in: caseName) {
            let copies: Int
            do throws(MalformedValue) {
                var value = element.copies
                let scope = await world.scope(index: context.index)
                if let raw = value { value = try? await Interpolation.resolve(raw, in: scope) }
                copies = try StepCount.read(value, key: "copies")
            } catch {
                throw StepProblem(error.message)
            }
            branches += Array(repeating: element, count: copies)
        }
        guard !branches.isEmpty else { return GroupResult() }
        var barriers: [String: Int] = [:]
        for branch in branches {
            for name in branch.barriers { barriers[name, default: 0] += 1 }
        }
        let lanes = branches.indices.map { context.lane.branch($0) }
        await world.turnstile.open(lanes: lanes.map(\.id), barriers: barriers)
        let results = await withTaskGroup(of: (Int, StepReport, JSONValue?).self) { group in
            for (index, branch) in branches.enumerated() {
                let lane = lanes[index]
                var inner = context
                inner.lane = lane
                inner.isFollowed = false
                let context = inner
                group.addTask {
                    let result: (StepReport, JSONValue?)
                    do throws(WorldError) {
                        try await world.turnstile.wait(lane.id, for: .turn)
                        result = await run(branch, context)
                    } catch {
                        result = (await failed(branch, problem: error.description), nil)
                    }
                    await world.turnstile.close(lane.id)
                    return (index, result.0, result.1)
                }
            }
            var collected: [(Int, StepReport, JSONValue?)] = []
            for await result in group { collected.append(result) }
            return collected.sorted { $0.0 < $1.0 }
        }
        return GroupResult(
            reports: results.map(\.1), outcomes: results.map { $0.2 ?? .object(JSONObject()) },
            failed: results.contains { $0.1.status == .failed })
    }

    // MARK: Verbs

    private func perform(_ step: Step, _ context: StepContext) async throws(StepProblem) -> Yield {
        let parameters: JSONValue
        do throws(ValueError) {
            parameters = try await Interpolation.resolve(step.parameters, in: await world.scope(index: context.index))
        } catch {
            throw StepProblem("\(step.verb.rawValue)\(error.pointer): \(error.description)")
        }
        do {
            switch step.verb {
            case .createClient: return try await createClient(parameters, step, context)
            case .acquireToken: return try await acquireToken(parameters, step, context)
            case .acquireTokenSilent: return try await acquireTokenSilent(parameters, step, context)
            case .accounts: return try await accounts(parameters, step, context)
            case .currentAccount:
                let client = try await client(step, context)
                return Self.yield(await client.currentAccount())
            case .removeAccount: return try await removeAccount(parameters, step, context)
            case .signOut: return try await signOut(parameters, step, context)
            case .deviceInformation:
                let client = try await client(step, context)
                return Self.yield(await client.deviceInformation())
            case .cancelInteraction: return try await cancelInteraction(step, context)
            case .deliver: return try await deliver(parameters, step, context)
            case .callApi: return try await callAPI(parameters, step, context)
            case .resume: return try await resume(parameters, step, context)
            case .open: return try await open(parameters, step, context)
            case .http: return try await http(parameters, step, context)
            case .advanceClock: return try advanceClock(parameters)
            case .configure:
                try await world.configure(parameters, client: step.client)
                return .result([:])
            case .mintToken: return try await mintToken(parameters)
            case .inspect: return try await inspect(parameters, step, context)
            case .importCache: return try await importCache(parameters, step, context)
            case .restart: return try await restart(parameters, step, context)
            case .barrier:
                guard let name = parameters.stringValue else { throw StepProblem("`barrier` takes a name") }
                try await context.lane.turnstile.wait(context.lane.id, for: .barrier(name))
                return .result([:])
            case .steps, .parallel: return Yield()
            }
        } catch let problem as StepProblem {
            throw problem
        } catch let stopped as WorldError {
            throw StepProblem(stopped.description)
        } catch let input as InvalidInput {
            throw StepProblem(input.diagnostics.map(\.message).joined(separator: "; "))
        } catch {
            throw StepProblem("\(error)")
        }
    }
}
