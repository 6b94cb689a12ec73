import JSON

/// What the conversation with an identity provider has reached. Values that the provider has answered are kept, since
/// a later call needs them and the journey may be stored in between.
public struct ProviderMemory: Sendable, Hashable, Codable {
    enum Stage: String, Sendable, Hashable, Codable {
        case metadata, redirect, token, keys, userInfo
    }

    var stage: Stage
    var state = ""
    var nonce = ""
    /// Address of the authorization request, to show it again.
    var redirect = ""
    /// JSON texts of the answers so far.
    var metadata: String?
    var tokens: String?
    var idToken: String?
}
