import Clients
import Verbs

extension SignOut: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let name = try await call.clientName()
        let client = try await call.world.client(name)
        if policy != nil {
            throw StepProblem(
                "`policy` of signOut: MSAL for iOS and macOS signs out at the authority of the client, no other")
        }
        let begun = try await client.signOut(
            SignOutParameters(
                account: try await call.account(account), fromBrowser: fromBrowser ?? false, wipeAccount: wipeAccount,
                wipeCache: wipeCache),
            lane: call.lane)
        return try await call.interact(begun, client: name)
    }
}
