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

    init(_ stage: Stage) { self.stage = stage }
}
