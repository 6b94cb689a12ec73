import Clients
import Verbs

extension Accounts: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        StepResult(
            await (try call.client()).accounts(
                AccountFilter(identifier: identifier, username: username, policy: policy)))
    }
}
