import JSON
import Verbs

extension Configure: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        try await call.world.configure(.object(value), client: call.step.client)
        return .done
    }
}
