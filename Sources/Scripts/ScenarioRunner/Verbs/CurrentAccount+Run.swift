import Verbs

extension CurrentAccount: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult { StepResult(await (try call.client()).currentAccount()) }
}
