import Verbs

extension CancelInteraction: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        StepResult(await (try call.client()).cancelInteraction().outcome)
    }
}
