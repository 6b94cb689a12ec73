import Determinism
import JSON
import Verbs

extension AdvanceClock: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let span = value ?? .zero
        guard span >= .zero else { throw StepProblem("advanceClock: true time never goes back (`\(span.iso8601)`)") }
        call.world.time.advance(by: span)
        return .result(Returned(now: call.world.time.now))
    }
}
