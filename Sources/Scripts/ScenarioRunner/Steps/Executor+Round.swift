import B2CProtocol
import Determinism
import Exchanges
import JSON
import Verbs

/// One round of one step.
extension Executor {
    /// What carrying a step out gave.
    struct Attempt {
        var yield = StepResult()
        /// The outcomes of the steps of a group.
        var steps: [StepOutcome?]?
        var problems: [String] = []
    }

    func runRound(of step: Step, _ context: StepContext) async -> (StepReport, StepOutcome?) {
        var inner = context
        inner.isOutermost = false
        await world.hub.catchUp()
        let start = world.time.now
        let mark = await world.hub.mark()
        var report = await blank(step, .passed)
        report.client = context.client
        report.at = start
        var done = await attempt(step, inner, &report)
        let call = step.verb.isGroup ? nil : await world.takeCall(on: context.lane.id)
        let logs = await world.hub.logs(since: mark, lane: context.lane.id)
        done.problems += logs.problems
        report.elapsed = world.time.now - start
        let outcome = StepOutcome(done.yield, logs: logs, elapsed: report.elapsed, steps: done.steps)
        if let id = step.id { await world.keep(outcome, as: id) }
        await compare(outcome, of: step, inner, after: done, &report)
        let notes = await world.hub.takeNotes(lane: context.lane.id)
        if report.status == .failed {
            report.problems += notes
            if world.options.target?.isLive == true, let reason = LiveBlocks.reason(logs.exchanges) {
                await world.hub.block(reason)
            }
        }
        await complete(step, pending: done.yield.pending, inner, &report)
        if let call, report.status == .failed, !isMeantToWait(step) {
            // The step has failed already: what keeps its call from being given up adds nothing.
            try? await world.giveUp(call)
        }
        await world.completionsReturned()
        if context.isOutermost, !world.options.keepsLogs { await world.hub.dropLogs() }
        // Whether the scenario ends well is not known yet.
        let keeps = world.options.keepOutcomes || world.options.keepLogOfFailures
        if report.status == .failed || keeps { report.outcome = outcome.json }
        if report.status == .failed { report.tellingExchanges = Self.telling(report, logs) }
        return (report, outcome)
    }

    /// Carries the step out with its fault rules in force.
    private func attempt(_ step: Step, _ context: StepContext, _ report: inout StepReport) async -> Attempt {
        var done = Attempt()
        var rules: Int?
        do throws(StepProblem) {
            rules = try await armed(step.faults, step.pointer.appending("faults"), context)
            if step.verb.isGroup {
                let group = try await runGroup(step, context)
                done.steps = group.outcomes
                report.steps = group.reports
                if group.failed { report.status = .failed }
                done.problems += group.problems
            } else {
                await world.hub.enter(step: step.title, lane: context.lane.id)
                done.yield = try await StepCall(world: world, step: step, context: context).perform()
            }
        } catch {
            done.problems.append(error.text)
        }
        if let rules { done.problems += await world.hub.pop(rules).map(\.text) }
        return done
    }

    /// Compares the outcome with what was expected, and says what is wrong.
    private func compare(
        _ outcome: StepOutcome, of step: Step, _ context: StepContext, after done: Attempt, _ report: inout StepReport
    ) async {
        var problems = done.problems
        if problems.isEmpty, report.status != .failed {
            do throws(StepProblem) {
                report.mismatches = try await mismatches(step, outcome, context)
            } catch {
                problems.append(error.text)
            }
        }
        report.problems += problems + done.yield.undone
        if problems.isEmpty, !report.mismatches.isEmpty || !done.yield.undone.isEmpty, world.options.proof == nil {
            let hint = StepHint(
                step: step, outcome: outcome.json, scenario: world.variant.scenario, tenant: await world.tenant.tenant,
                log: await world.hub.log())
            if let text = hint.text(report.mismatches) { report.problems.insert(text, at: 0) }
        }
        if !report.problems.isEmpty || !report.mismatches.isEmpty { report.status = .failed }
        if let proof = world.options.proof, !step.verb.isGroup,
            proof.ended(step, outcome.json, failed: report.status == .failed, on: context.lane.id)
        {
            report.status = .failed
            report.problems.append("the experiment ends here: the run differs")
        }
    }

    /// Runs the steps of the completion handler.
    private func complete(
        _ step: Step, pending: Pending?, _ context: StepContext, _ report: inout StepReport
    ) async {
        let then = step.then.filter { $0.runs(in: world.variant.caseName) }
        guard report.status == .passed, !then.isEmpty else { return }
        if let pending {
            report.status = .failed
            report.problems.append(Self.neverCompleted(pending))
            for step in then { report.steps.append(await blank(step, .notRun)) }
        } else {
            let inner = await run(step.then, context)
            report.steps += inner.reports
            if inner.failed { report.status = .failed }
        }
    }

    /// Whether a step expects that its call waits for a later one, even where it fails otherwise.
    private func isMeantToWait(_ step: Step) -> Bool {
        step.expectation(in: world.variant.caseName)?["pending"] != nil
    }

    /// Why the steps of `then` have no place to run.
    private static func neverCompleted(_ pending: Pending) -> String {
        "`then` does not run: the operation is pending (\(pending.reason)), so its completion handler is not called;"
            + " put the steps after this one, or in `then` of the step that resumes it"
    }
}
