import JSON
import TenantFiles

extension Step {
    /// The app asks for a token.
    ///
    /// - Parameters:
    ///   - scopes: Empty: those of the app.
    ///   - request: A merge patch over the parameters (RFC 7396).
    ///   - user: Who goes through the pages, and what they do there.
    public static func acquireToken(
        policy: String?, scopes: [String] = [], request: JSONValue = [:], user: [UserMove]
    ) -> Step {
        var call = AcquireToken()
        call.target.policy = policy
        call.target.scopes = scopes.isEmpty ? nil : scopes
        var step = Step(call, user: user)
        step.parameters = step.parameters.merging(patch: request)
        return step
    }

    /// The app asks for a new token without the person.
    public static func refresh(policy: String) -> Step {
        var call = AcquireTokenSilent()
        call.target.policy = policy
        call.forceRefresh = true
        return Step(call)
    }

    /// The app sends the password of a person to the token endpoint (RFC 6749 section 4.3).
    public static func passwordGrant(policy: String, person: UserRecord, scopes: [String]) -> Step {
        var call = HTTP()
        call.request.endpoint = .token
        call.request.policy = policy
        call.request.form = [
            "grant_type": "password", "username": .string(person.email ?? person.username ?? ""),
            "password": .string(person.password ?? ""), "response_type": "token id_token",
            "scope": .string((["openid"] + scopes).joined(separator: " ")),
        ]
        return Step(call)
    }

    /// True time moves on. The duration is written in seconds, however long it is.
    package static func wait(seconds: some BinaryInteger) -> Step {
        var step = Step(AdvanceClock())
        step.parameters = .string("PT\(seconds)S")
        return step
    }
}
