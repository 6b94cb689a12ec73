import Verbs

extension CurrentAccount: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield { Yield(await (try call.client()).currentAccount()) }
}
