/// How far the conversation with an identity provider has come. Answers that a later call needs are kept as texts, since
/// the journey may be stored in between.
public struct ProviderMemory: Sendable, Hashable, Codable {
    enum Stage: String, Sendable, Hashable, Codable {
        /// The discovery document is asked for.
        case metadata
        /// The browser is at the provider.
        case redirect
        case token
        case keys
        case userInfo
        /// OAuth 1.0: the request token is asked for.
        case requestToken
    }

    var stage: Stage
    var state = ""
    var nonce = ""
    /// The authorization request, to send the browser there again.
    var address = ""
    /// JSON text of the discovery document.
    var metadata: String?
    /// JSON text of the token answer.
    var tokens: String?
    var idToken: String?
    /// JSON text of what came with the redirect beside the code (`ReadBodyClaimsOnIdpRedirect`).
    var body: String?
    /// How often the person has been sent there again by an `ErrorHandler`.
    var repeats = 0

    init(_ stage: Stage) { self.stage = stage }
}
