import Verbs

extension RemoveAccount: RunnableVerb {
    func run(_ call: StepCall) async throws -> Yield {
        let client = try await call.client()
        return Yield(await client.removeAccount(try await call.account(account)))
    }
}
