import B2CProtocol
import Determinism
import HTTPMessages

/// One reason to refuse an authorization request.
struct AuthorizeCheck: Sendable {
    /// What the checks read besides the request.
    struct Inputs: Sendable {
        let configuration: Configuration
        let policy: HostedPolicy
        let now: Timestamp
    }

    /// What is checked, for the developer.
    let name: String
    /// Codes it may refuse with.
    let codes: [B2CErrorCode]
    let run: @Sendable (inout AuthorizeRequest, Inputs) throws(Refusal) -> Void

    /// The checks in the order they are made. Until the redirect URI is known to be the app's, refusals are pages;
    /// the order among the others is not documented (inferred).
    static let all: [AuthorizeCheck] = [
        client, appEnabled, appForB2C, appHasRedirectURIs, redirectURIWellFormed, redirectURIRegistered, appOfPolicy,
        responseMode, responseType, harmlessInput, implicitAllowed,
        scopePresent, scopeCharacters, scopesKnown, scopesFitResponse, permission,
        prompt, maxAge, challengeMethod, challengeForSinglePageApps, challengeOfMethod, nonceForIDToken, idTokenHint,
    ]

    /// The check that finds the client runs before the others and makes the request. The list has it for its codes.
    static let client = AuthorizeCheck(
        name: "the client is known", codes: [.c90008, .c90018]
    ) { _, _ in }

    /// Reads the request and the client it names.
    static func begin(_ parameters: FormItems, _ call: Inputs) throws(Refusal) -> AuthorizeRequest {
        guard let clientID = parameters["client_id"], !clientID.isEmpty else {
            throw Refusal(.c90008, delivery: .page, why: "the request has no client_id")
        }
        guard let app = call.configuration.app(clientID) else {
            throw Refusal(
                .c90018, [clientID, call.configuration.tenant.domain], delivery: .page,
                why: "no app of the tenant has the client id \(clientID)")
        }
        return AuthorizeRequest(parameters: parameters, app: app)
    }
}
