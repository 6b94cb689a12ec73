import Determinism
import Exchanges
import HTTPMessages
import JSON
import Verbs

/// Steps that hold steps.
extension Executor {
    struct GroupResult: Sendable {
        var reports: [StepReport] = []
        /// `nil` for a branch that could not begin.
        var outcomes: [StepOutcome?] = []
        var failed = false
        var problems: [String] = []
    }

    func runGroup(_ step: Step, _ context: StepContext) async throws(StepProblem) -> GroupResult {
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
        let results = await withTaskGroup(of: (Int, StepReport, StepOutcome?).self) { group in
            for (index, branch) in branches.enumerated() {
                let lane = lanes[index]
                var inner = context
                inner.lane = lane
                inner.isFollowed = false
                let context = inner
                group.addTask {
                    let result: (StepReport, StepOutcome?)
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
            var collected: [(Int, StepReport, StepOutcome?)] = []
            for await result in group { collected.append(result) }
            return collected.sorted { $0.0 < $1.0 }
        }
        return GroupResult(
            reports: results.map(\.1), outcomes: results.map(\.2),
            failed: results.contains { $0.1.status == .failed })
    }
}
