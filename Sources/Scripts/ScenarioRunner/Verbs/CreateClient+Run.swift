import Verbs

extension CreateClient: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        StepResult(try await call.world.createClient(try await call.clientName(), settings: .object(value)))
    }
}
