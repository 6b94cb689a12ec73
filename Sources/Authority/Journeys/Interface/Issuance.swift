import Determinism
import JSON
import TrustFramework

/// What minting needs and a journey's claims cannot say. The journey is over; nothing has been signed yet.
public struct Issuance: Sendable {
    /// Relying-party claims in policy order, empty ones left out.
    public var claims: [IssuedClaim]
    /// The value of the claim that the relying party's `SubjectNamingInfo` names.
    public var subject: String?
    /// The directory object id in the bag, if there is one; `client_info` is made of it.
    public var objectID: GUID?
    /// When the person signed in: `auth_time`.
    public var authTime: Timestamp
    /// Whether a single sign-on session stood in for a page.
    public var fromSession: Bool
    /// The session that now holds for this browser; its cookie is to be set. `nil` when the policy suppresses sessions
    /// or the grant has none.
    public var session: SessionGrant?
    /// Whether the person asked to be kept signed in and the policy allows it.
    public var keepSignedIn: Bool
    /// The technical profile that issues, e.g. `JwtIssuer`.
    public var issuer: ProfileHandle
    /// What a refresh token is to stand for; `nil` when nobody signed in.
    public var refresh: RefreshIdentity?
    /// Answer of a user-info journey: the issuer profile's input claims by partner name.
    public var userInfo: JSONObject?

    /// The claim of this claim type id, if it is issued.
    public func claim(_ id: String) -> IssuedClaim? {
        claims.first { $0.id.lowercased() == id.lowercased() }
    }
}

/// One claim for a token.
public struct IssuedClaim: Sendable, Hashable {
    /// Claim type id in the policy.
    public var id: String
    /// Name in the token.
    public var name: String
    public var value: JSONValue

    public init(id: String, name: String, value: JSONValue) {
        self.id = id
        self.name = name
        self.value = value
    }
}

/// The cookie side of a session.
public struct SessionGrant: Sendable, Hashable {
    public var id: SessionID
    /// Scope part of the cookie's name, e.g. `contoso.onmicrosoft.com` or `contoso.onmicrosoft.com/b2c_1_susi`.
    public var scope: String
    /// When a persistent cookie expires; `nil` for a browser-session cookie.
    public var persistentUntil: Timestamp?
    public var expires: Timestamp
}
