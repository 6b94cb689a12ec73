import B2CProtocol
import Determinism
import HTTPMessages
import Journeys

extension Authority {
    // MARK: password

    /// The resource owner password grant (Microsoft docs: add-ropc-policy): local accounts of public apps, at policies
    /// made for it. No session comes of it.
    mutating func password(
        _ request: TokenRequest, _ call: Call, _ target: PolicyAddress, _ correlationID: GUID
    ) throws(Refusal) -> Reply {
        guard target.policy.takesPasswords else {
            throw Refusal(.c90086, ["password"], why: "policy \(target.policy.id) is not an ROPC policy")
        }
        guard request.app.settings.signInAudience == .any else {
            throw Refusal(
                .c90248,
                why: "registration.signInAudience of app \(request.app.name) is "
                    + request.app.settings.signInAudience.rawValue)
        }
        guard request.app.settings.ropc else {
            throw Refusal(.c90224, why: "registration.ropc of app \(request.app.name) is false")
        }
        guard request.app.settings.implicit.accessToken, request.app.settings.implicit.idToken else {
            throw Refusal(
                .c90057, why: "registration.implicit of app \(request.app.name) does not allow both tokens")
        }
        guard request.secret == nil else {
            throw Refusal(.c90084, why: "the password grant is for public clients and the request has a client_secret")
        }
        guard let username = request.value("username") else {
            throw Refusal(.c90083, ["username"], why: "username is missing")
        }
        guard let password = request.value("password") else {
            throw Refusal(.c90083, ["password"], why: "password is missing")
        }
        guard let scope = request.value("scope") else { throw Refusal(.c90010, why: "scope is missing") }
        try ScopeRules.checkCharacters(scope)
        let scopes = try ScopeRules.resolve(scope, app: request.app, configuration: target.configuration)
        try ScopeRules.checkPermission(scopes, app: request.app)
        var facts = facts(of: request, scopes: scopes, call, target, correlationID)
        facts.nonce = request.value("nonce")
        facts.username = username
        facts.password = password
        return advance(
            TokenExchange(
                address: target, request: request, scopes: scopes, nonce: facts.nonce, platform: .native,
                facts: facts,
                journey: Journey(
                    .password, policy: target.policy.resolved, random: random.stream("journey \(correlationID)")),
                chain: nil, correlationID: correlationID), .begin, call)
    }
}
