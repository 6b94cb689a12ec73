import B2CProtocol
import Determinism
import HTTPMessages
import Journeys

extension Authority {
    // MARK: password

    /// The resource owner password grant (Microsoft docs: add-ropc-policy): local accounts of public apps, at policies
    /// made for it. It starts no session.
    mutating func password(
        _ request: TokenRequest, _ call: Call, at target: PolicyAddress, correlationID: GUID
    ) throws(Refusal) -> Reply {
        try PasswordAttempt(request: request, target: target).check()
        let scope = request.value("scope") ?? ""
        try ScopeRules.checkCharacters(scope)
        let scopes = try ScopeRules.resolve(scope, app: request.app, configuration: target.configuration)
        try ScopeRules.checkPermission(scopes, app: request.app)
        var facts = facts(of: request, scopes: scopes, call, target, correlationID)
        facts.nonce = request.value("nonce")
        facts.username = request.value("username")
        facts.password = request.value("password")
        let terms = TokenTerms(request: request, scopes: scopes, nonce: facts.nonce, platform: .native, chain: nil)
        return begin(.password, facts, call, at: target, answer: .tokens(terms))
    }
}
