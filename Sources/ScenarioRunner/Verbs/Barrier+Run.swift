import Determinism
import Scenarios

extension Barrier: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield {
        try await call.lane.turnstile.wait(call.lane.id, for: .barrier(value))
        return .result([:])
    }
}
