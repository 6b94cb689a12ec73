import B2CProtocol
import Determinism
import Journeys

/// What an authorization code stands for. A row of the authority; the text is derived from its key.
struct CodeGrant: Sendable {
    let policyID: String
    let clientID: String
    let redirectURI: String
    let platform: GrantPlatform
    let scopes: GrantedScopes
    let nonce: String?
    let challenge: CodeChallenge?
    let issuance: Issuance
    let issuedAt: Timestamp
    let expires: Timestamp
    var isRedeemed = false
}

/// What a refresh token stands for.
struct RefreshGrant: Sendable {
    let policyID: String
    let clientID: String
    let platform: GrantPlatform
    let scopes: GrantedScopes
    let nonce: String?
    let identity: RefreshIdentity
    let issuedAt: Timestamp
    let expires: Timestamp
    /// When the first token of the chain was issued: the sliding window counts from there.
    let chain: RefreshChain
    var isRedeemed = false
}

extension OpaqueText {
    /// Characters of the ciphertext part; they bring the whole to the length seen on the wire.
    static let codeLength = 540
    static let refreshTokenLength = 760
}
