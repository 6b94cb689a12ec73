import B2CProtocol
import Determinism
import JSON
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

/// What is kept of a code that was redeemed or has expired, to distinguish it from an unknown one.
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
    let terms: GrantTerms
    let nonce: String?
    /// The identity itself; its claim type and the names of its claims are in the terms.
    private let subject: String
    let issuedAt: Timestamp
    private let authTime: Timestamp
    private let revision: Int
    /// Values of the claims that the terms name.
    private let values: [ClaimValue]
    let expires: Timestamp
    /// When the first token of the chain was issued: the sliding window counts from there.
    let chain: RefreshChain
    var isRedeemed = false

    init(
        terms: GrantTerms, nonce: String?, identity: RefreshIdentity, expires: Timestamp, chain: RefreshChain,
        isRedeemed: Bool = false
    ) {
        self.terms = terms
        self.nonce = nonce
        subject = identity.identity
        issuedAt = identity.issuedAt
        authTime = identity.authTime
        revision = identity.revision
        values = identity.claims.map(\.value)
        self.expires = expires
        self.chain = chain
        self.isRedeemed = isRedeemed
    }

    /// The grant with what others have too in memory of them all.
    init(_ grant: RefreshGrant, terms: inout Interner<GrantTerms>, claims: inout Interner<[ClaimValue]>) {
        self.terms = terms.intern(grant.terms)
        nonce = grant.nonce
        values = claims.intern(grant.values)
        // The identity is a claim too, nearly always.
        subject = values.lazy.compactMap(\.plainText).first { sameText($0, grant.subject) } ?? grant.subject
        issuedAt = grant.issuedAt
        authTime = grant.authTime
        revision = grant.revision
        expires = grant.expires
        chain = grant.chain
        isRedeemed = grant.isRedeemed
    }

    var identity: RefreshIdentity {
        RefreshIdentity(
            identity: subject, claimType: terms.identityClaim, issuedAt: issuedAt, authTime: authTime,
            revision: revision, claims: zip(terms.claims, values).map { KeptClaim($0, $1) })
    }

    /// How long it is kept after it has expired, to distinguish it from an unknown one.
    static let kept = TimeSpan.days(90)
}

/// The app that a refresh token was issued to, and for what. Shared: the same for all people who sign in to an app.
final class GrantTerms: Sendable, Internable {
    let policyID: String
    let clientID: String
    let platform: GrantPlatform
    let scopes: GrantedScopes
    /// The claim type that says who somebody is.
    let identityClaim: String
    /// Ids of the claims that are kept of the sign-in.
    let claims: [String]

    init(
        policyID: String, clientID: String, platform: GrantPlatform, scopes: GrantedScopes, identity: RefreshIdentity
    ) {
        self.policyID = policyID
        self.clientID = clientID
        self.platform = platform
        self.scopes = scopes
        identityClaim = identity.claimType
        claims = identity.claims.map(\.id)
    }

    /// Byte for byte: two spellings of one text in Unicode are two terms.
    static func == (a: GrantTerms, b: GrantTerms) -> Bool {
        a === b
            || sameText(a.policyID, b.policyID) && sameText(a.clientID, b.clientID) && a.platform == b.platform
                && a.scopes.hasSameTexts(as: b.scopes) && sameText(a.identityClaim, b.identityClaim)
                && sameTexts(a.claims, b.claims)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(policyID)
        hasher.combine(clientID)
        hasher.combine(platform)
        hasher.combine(scopes)
        hasher.combine(claims)
    }

    /// Equal terms are the same bytes.
    func hasSameTexts(as other: GrantTerms) -> Bool { true }
}

extension ClaimValue {
    /// The text of a text.
    fileprivate var plainText: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension Authority {
    /// Keeps a refresh token, in shared memory where others are like it.
    mutating func keepRefreshToken(_ id: GUID, _ grant: RefreshGrant, until: Timestamp) {
        let shared = RefreshGrant(grant, terms: &terms, claims: &tenancy.claims)
        if grant.isRedeemed {
            spentRefreshTokens.insert(id, shared, expires: until)
        } else {
            refreshTokens.insert(id, shared, expires: until)
        }
    }

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
