import Verbs

extension CancelInteraction: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield { Yield(await (try call.client()).cancelInteraction().outcome) }
}
