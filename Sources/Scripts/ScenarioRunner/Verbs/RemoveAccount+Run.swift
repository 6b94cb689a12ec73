import Verbs

extension RemoveAccount: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let client = try await call.client()
        return StepResult(await client.removeAccount(try await call.account(account)))
    }
}
