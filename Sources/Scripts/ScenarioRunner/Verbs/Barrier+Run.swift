import Determinism
import Verbs

extension Barrier: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        try await call.lane.turnstile.wait(call.lane.id, for: .barrier(value))
        return .done
    }
}
