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
}

/// What stays of a code that was redeemed or has expired, so that it can be told from one that never was.
struct SpentCode: Sendable {
    let policyID: String
    let clientID: String
    let issuedAt: Timestamp
    let expires: Timestamp
    let isRedeemed: Bool

    /// How long after the end of its life.
    static let kept = TimeSpan.hours(24)
}

/// What a refresh token stands for.
struct RefreshGrant: Sendable {
    var terms: GrantTerms
    let nonce: String?
    var identity: RefreshIdentity
    let expires: Timestamp
    /// When the first token of the chain was issued: the sliding window counts from there.
    let chain: RefreshChain
    var isRedeemed = false

    var issuedAt: Timestamp { identity.issuedAt }

    /// How long it is kept after the end of its life, so that it can be told from one that never was.
    static let kept = TimeSpan.days(90)
}

/// Whom a refresh token was issued to, and for what. Shared: the same for all people who sign in to an app.
final class GrantTerms: Sendable, Internable {
    let policyID: String
    let clientID: String
    let platform: GrantPlatform
    let scopes: GrantedScopes

    init(policyID: String, clientID: String, platform: GrantPlatform, scopes: GrantedScopes) {
        self.policyID = policyID
        self.clientID = clientID
        self.platform = platform
        self.scopes = scopes
    }

    static func == (a: GrantTerms, b: GrantTerms) -> Bool {
        a.policyID == b.policyID && a.clientID == b.clientID && a.platform == b.platform && a.scopes == b.scopes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(policyID)
        hasher.combine(clientID)
        hasher.combine(platform)
        hasher.combine(scopes)
    }

    func hasSameTexts(as other: GrantTerms) -> Bool {
        func texts(_ terms: GrantTerms) -> [[String]] {
            [
                [terms.policyID, terms.clientID], terms.scopes.audience.map { [$0] } ?? [], terms.scopes.names,
                terms.scopes.fullNames, terms.scopes.withheld,
            ]
        }
        return texts(self).hasSameTexts(as: texts(other))
    }
}

extension Authority {
    /// Drops what is past its time, a little at a time.
    mutating func sweepGrants(at now: Timestamp) {
        for (id, grant) in codes.sweep(at: now) { keepSpent(id, grant, isRedeemed: false) }
        spentCodes.sweep(at: now)
        refreshTokens.sweep(at: now)
        spentRefreshTokens.sweep(at: now)
    }

    /// Keeps of a code only what says that it was there.
    mutating func spendCode(_ id: GUID, isRedeemed: Bool) {
        if let grant = codes.remove(id) { keepSpent(id, grant, isRedeemed: isRedeemed) }
    }

    private mutating func keepSpent(_ id: GUID, _ grant: CodeGrant, isRedeemed: Bool) {
        spentCodes.insert(
            id,
            SpentCode(
                policyID: grant.policyID, clientID: grant.clientID, issuedAt: grant.issuedAt, expires: grant.expires,
                isRedeemed: isRedeemed),
            expires: grant.expires + SpentCode.kept)
    }
}

extension OpaqueText {
    /// Characters of the ciphertext part; they bring the whole to the length seen on the wire.
    static let codeLength = 540
    static let refreshTokenLength = 760
}
