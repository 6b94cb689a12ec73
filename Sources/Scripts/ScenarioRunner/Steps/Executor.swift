import Exchanges
import JSON
import Verbs

/// Carries out the steps of one scenario in one world: what a verb does is in the folder `Verbs`.
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
    ) async -> (reports: [StepReport], outcomes: [StepOutcome], failed: Bool) {
        if context.isFollowed, let follower = world.options.follower {
            return await followed(steps, context, by: follower, isWhole: isWhole)
        }
        var context = context
        context.isOutermost = isWhole
        var reports: [StepReport] = []
        var outcomes: [StepOutcome] = []
        var failed = false
        var isBroken = false
        let caseName = world.variant.caseName
        for step in steps where step.runs(in: caseName) {
            if failed || isWhole && Task.isCancelled {
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
    func run(_ step: Step, _ context: StepContext) async -> (StepReport, StepOutcome?) {
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
        var last: (StepReport, StepOutcome?) = (await blank(step, .passed), nil)
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

    func failed(_ step: Step, problem: String) async -> StepReport {
        var report = await blank(step, .failed)
        report.problems = [problem]
        return report
    }

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
}
