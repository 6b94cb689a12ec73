import JSON
import Verbs

extension Executor {
    /// What a list of steps gave.
    typealias StepsDone = (reports: [StepReport], outcomes: [StepOutcome], failed: Bool)

    /// Steps one after another, with a pause before each. Branches of a `parallel` step run without a pause: a branch
    /// that waits for a person would hold up all others, and the order of their turns would be another than without the
    /// person.
    ///
    /// - Parameter isWhole: The steps are the script's own, not a group's: there is a pause behind the last one.
    func followed(
        _ all: [Step], _ context: StepContext, by follower: any StepFollower, isWhole: Bool
    ) async -> StepsDone {
        let caseName = world.variant.caseName
        let steps = all.filter { $0.runs(in: caseName) }
        let walk = Walk(steps: steps, context: context, follower: follower)
        var done = Done()
        var index = 0
        while index < steps.count {
            let step = steps[index]
            if done.isOver {
                await done.leaveOut(step, as: .notRun, by: self)
                index += 1
                continue
            }
            let pause = await pause(.before, at: index, of: walk, after: done)
            let order = await follower.hasLeft ? .leave : await follower.pause(pause)
            switch order {
            case .go:
                await done.run(step, context, by: self)
                await judge(&done, index, walk)
                index += 1
            case .again:
                guard let last = done.last else { continue }
                await done.runAgain(last, context, by: self)
                await judge(&done, last, walk)
            case .skip:
                await done.leaveOut(step, as: .skipped, by: self)
                index += 1
            case .leave:
                done.hasLeft = true
            }
        }
        if isWhole, !done.isOver, let last = done.last {
            while true {
                let pause = await pause(.end, at: last.index, of: walk, after: done)
                guard await !follower.hasLeft, await follower.pause(pause) == .again else { break }
                await done.runAgain(last, context, by: self)
                await judge(&done, last, walk)
                if done.isOver { break }
            }
        }
        return (done.reports, done.outcomes.compactMap { $0 }, done.failed)
    }

    /// The steps of one list that somebody follows.
    private struct Walk {
        var steps: [Step]
        var context: StepContext
        var follower: any StepFollower
    }

    /// What has been done so far.
    private struct Done {
        struct Last: Sendable {
            var step: Step
            var index: Int
            /// Its place among the reports.
            var place: Int
        }

        var reports: [StepReport] = []
        /// One for each report; `nil` for a step that did not run.
        var outcomes: [StepOutcome?] = []
        var last: Last?
        var failed = false
        var hasLeft = false

        var isOver: Bool { failed || hasLeft }

        mutating func run(_ step: Step, _ context: StepContext, by executor: Executor) async {
            let (report, outcome) = await executor.run(step, context)
            reports.append(report)
            outcomes.append(outcome)
            failed = report.status == .failed
        }

        mutating func runAgain(_ again: Last, _ context: StepContext, by executor: Executor) async {
            let (report, outcome) = await executor.run(again.step, context)
            reports[again.place] = report
            outcomes[again.place] = outcome
            failed = report.status == .failed
        }

        mutating func leaveOut(_ step: Step, as status: RunStatus, by executor: Executor) async {
            reports.append(await executor.blank(step, status))
            outcomes.append(nil)
        }
    }

    /// Looks at what a step gave: where it failed somebody may repeat it until it does not.
    private func judge(_ done: inout Done, _ index: Int, _ walk: Walk) async {
        let last = Done.Last(step: walk.steps[index], index: index, place: done.reports.count - 1)
        done.last = last
        await judge(&done, last, walk)
    }

    private func judge(_ done: inout Done, _ last: Done.Last, _ walk: Walk) async {
        while done.failed, Self.isNews(done.reports[last.place], last.step), await !walk.follower.hasLeft {
            let pause = await pause(.failed, at: last.index, of: walk, after: done)
            guard await walk.follower.pause(pause) == .again else { return }
            await done.runAgain(last, walk.context, by: self)
        }
    }

    /// Whether nobody has been asked about a failure yet: that of a step inside this one has had its own pause.
    private static func isNews(_ report: StepReport, _ step: Step) -> Bool {
        !report.problems.isEmpty || !report.mismatches.isEmpty || report.steps.isEmpty || step.verb == .parallel
    }

    private func pause(
        _ moment: StepPause.Moment, at index: Int, of walk: Walk, after done: Done
    ) async -> StepPause {
        let (step, context) = (walk.steps[index], walk.context)
        var last: StepReport?
        if let place = done.last?.place {
            last = done.reports[place]
            last?.outcome = done.outcomes[place]?.json
        }
        var own = await blank(step, .notRun)
        own.client = step.client ?? context.client ?? world.variant.scenario.app
        if moment != .before, let last { own = last }
        let scenario = world.variant.scenario
        return StepPause(
            moment: moment, title: world.variant.title, file: scenario.file, number: index + 1, count: walk.steps.count,
            step: own,
            text: scenario.document.root.value(at: step.pointer) ?? .null, last: last,
            desk: StepDesk(executor: self, step: step, context: context))
    }
}
