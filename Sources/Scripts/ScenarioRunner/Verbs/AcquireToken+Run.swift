import Clients
import Exchanges
import JSON
import TenantFiles
import Verbs

extension AcquireToken: RunnableVerb {
    func run(_ call: StepCall) async throws -> StepResult {
        let name = try await call.clientName()
        let client = try await call.world.client(name)
        try check(for: try await call.world.app(of: name).client)
        let begun = try await client.acquireToken(
            InteractiveParameters(
                scopes: target.scopes, authority: target.choice, prompt: prompt,
                account: try await call.account(account), loginHint: loginHint, domainHint: domainHint,
                extraQueryParameters: extraQueryParameters.members.map { ($0.key, Interpolation.text(of: $0.value)) },
                extraScopesToConsent: extraScopesToConsent ?? [],
                claimsRequest: claimsRequest.map(Interpolation.text), correlationID: correlationId, state: state,
                interaction: interaction, isSignIn: signIn),
            lane: call.lane)
        let yield = try await call.interact(begun, client: name)
        await call.remember(yield, client: name)
        return yield
    }

    private func check(for settings: ClientSettings) throws(StepProblem) {
        let traits = settings.kind.traits
        if signIn, !traits.hasAccountModes || settings.accountMode != .single {
            throw StepProblem("`signIn` of acquireToken belongs to msal-android with `accountMode` single")
        }
        if interaction != nil, !traits.runsInPage {
            throw StepProblem("`interaction` of acquireToken belongs to the client kind msal-browser")
        }
        if state != nil, !traits.takesState {
            throw StepProblem("`state` of acquireToken: the library of this kind takes none from its caller")
        }
    }
}

extension TokenTarget {
    var choice: AuthorityChoice { AuthorityChoice(policy: policy, host: host, url: authority) }
}

extension StepCall {
    /// The account that a parameter means.
    func account(_ pick: AccountPick) async throws(StepProblem) -> AccountChoice {
        switch pick {
        case .unsaid: return .unsaid
        case .none: return .none
        case .identifier(let identifier): return .identifier(identifier)
        case .described(let account):
            if let identifier = account.identifier {
                return .object(
                    MSALAccount(
                        identifier: identifier, environment: account.environment ?? "", username: account.username,
                        policy: account.policy, claims: account.claims))
            }
            var objectID: String?
            if let name = account.person { objectID = try await world.person(name).record.objectId.description }
            return .selected(policy: account.policy, username: account.username, objectID: objectID)
        }
    }

    /// What `callApi` sends when a step names no token.
    func remember(_ yield: StepResult, client: String) async {
        if let raw = (yield.result as? TokenResult)?.accessToken?.raw, !raw.isEmpty {
            await world.note(token: raw, of: client)
        }
    }
}
