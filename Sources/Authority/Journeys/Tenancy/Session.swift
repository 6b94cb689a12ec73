import Determinism
import JSON
import TrustFramework

/// Names a single sign-on session; what the cookie of its scope stands for.
public struct SessionID: Hashable, Sendable, Codable, CustomStringConvertible {
    public let guid: GUID

    public init(_ guid: GUID) { self.guid = guid }

    public var description: String { guid.description }
}

/// A single sign-on session of one browser (Microsoft docs: session-behavior).
public struct Session: Sendable, Hashable, Codable {
    /// What one session provider remembers.
    public struct Entry: Sendable, Hashable, Codable {
        /// Id of the session-management profile: the key (inferred).
        public var provider: String
        /// Id of the technical profile that was remembered; an external login is taken up again by this one only.
        public var profile: String
        public var claims: [KeptClaim]
        /// When the person took an active part, or a token started the time again.
        public var at: Timestamp
    }

    public let id: SessionID
    /// Scope part of its cookie's name.
    public internal(set) var scope: String
    public let createdAt: Timestamp
    public internal(set) var lastUsedAt: Timestamp
    /// When the person signed in.
    public internal(set) var authTime: Timestamp
    public internal(set) var rolling: Bool
    public internal(set) var lifetime: TimeSpan
    /// Kept signed in for so long; `nil` without.
    public internal(set) var keptFor: TimeSpan?
    public internal(set) var entries: [Entry]
    /// Client ids of the apps that got tokens in this session, for single sign-out.
    public internal(set) var participants: [String]
    public internal(set) var objectID: GUID?
    /// Technical profile of the identity provider that the person signed in at, for its sign-out.
    public internal(set) var identityProvider: String?

    /// When it ends unless it is used before. A kept session lives as long as its cookie.
    public var expires: Timestamp { (rolling ? lastUsedAt : createdAt) + (keptFor ?? lifetime) }

    func entry(of provider: String) -> Entry? { entries.first { sameID($0.provider, provider) } }
}

/// What the sessions of many people have in common. Shared: in memory once for all of them.
private final class SessionTerms: Sendable, Internable {
    /// What an entry holds claims of, see ``Session/Entry``, and which.
    struct Origin: Sendable, Hashable {
        let provider: String
        let profile: String
        let claims: [String]

        func hasSameTexts(as other: Origin) -> Bool {
            sameText(provider, other.provider) && sameText(profile, other.profile)
                && sameTexts(claims, other.claims)
        }
    }

    let scope: String
    let rolling: Bool
    let lifetime: TimeSpan
    let keptFor: TimeSpan?
    let origins: [Origin]
    let participants: [String]
    let identityProvider: String?

    init(of session: Session) {
        scope = session.scope
        rolling = session.rolling
        lifetime = session.lifetime
        keptFor = session.keptFor
        origins = session.entries.map {
            Origin(provider: $0.provider, profile: $0.profile, claims: $0.claims.map(\.id))
        }
        participants = session.participants
        identityProvider = session.identityProvider
    }

    /// Byte for byte: two spellings of one text in Unicode are two terms.
    static func == (a: SessionTerms, b: SessionTerms) -> Bool {
        a === b
            || sameText(a.scope, b.scope) && a.rolling == b.rolling && a.lifetime == b.lifetime
                && a.keptFor == b.keptFor
                && a.origins.count == b.origins.count
                && a.origins.indices.allSatisfy { a.origins[$0].hasSameTexts(as: b.origins[$0]) }
                && sameTexts(a.participants, b.participants)
                && (a.identityProvider == nil) == (b.identityProvider == nil)
                && sameText(a.identityProvider ?? "", b.identityProvider ?? "")
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(scope)
        hasher.combine(origins)
        hasher.combine(participants)
    }

    /// Equal terms are the same bytes.
    func hasSameTexts(as other: SessionTerms) -> Bool { true }
}

/// A session as it is kept, under its id.
private struct SessionRow: Sendable {
    /// What an entry holds beside its origin.
    struct Memory: Sendable {
        /// Values of the claims that the origin names.
        let values: [ClaimValue]
        let at: Timestamp
    }

    let terms: SessionTerms
    let createdAt: Timestamp
    let lastUsedAt: Timestamp
    let authTime: Timestamp
    /// In the order of the origins.
    let memories: [Memory]
    let objectID: GUID?

    init(_ session: Session, _ terms: SessionTerms, sharing claims: inout Interner<[ClaimValue]>) {
        self.terms = terms
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        authTime = session.authTime
        memories = session.entries.map { Memory(values: claims.intern($0.claims.map(\.value)), at: $0.at) }
        objectID = session.objectID
    }

    func session(_ id: SessionID) -> Session {
        Session(
            id: id, scope: terms.scope, createdAt: createdAt, lastUsedAt: lastUsedAt, authTime: authTime,
            rolling: terms.rolling, lifetime: terms.lifetime, keptFor: terms.keptFor,
            entries: zip(terms.origins, memories).map {
                Session.Entry(
                    provider: $0.provider, profile: $0.profile,
                    claims: zip($0.claims, $1.values).map { KeptClaim($0, $1) }, at: $1.at)
            }, participants: terms.participants, objectID: objectID, identityProvider: terms.identityProvider)
    }
}

/// The sessions of a tenant.
public struct Sessions: Sendable {
    private var rows: Table<SessionID, SessionRow>
    private var terms = Interner<SessionTerms>()

    /// - Parameter limit: The oldest go when there are more.
    public init(limit: Int = 50_000) {
        rows = Table(limit: limit)
        rows.recordsTouched = true
    }

    public subscript(id: SessionID) -> Session? { rows.kept(id)?.row.session(id) }

    /// How many there are, those included that have expired and are not yet dropped.
    public var count: Int { rows.count }

    /// Ids of all of them in the order of creation.
    public var ids: [SessionID] { rows.keysInOrder() }

    /// The scope part of the cookie's name for a policy and an app; `nil` when the policy suppresses sessions. Tenant and
    /// policy scope were recorded from live tenants, that an application's scope appends its id is inferred.
    public static func scope(of policy: ResolvedPolicy, tenantDomain: String, clientID: String) -> String? {
        switch policy.sessionBehavior.scope {
        case .suppressed: nil
        case .tenant, .trustFramework: tenantDomain.lowercased()
        case .application: "\(tenantDomain.lowercased())/\(clientID.lowercased())"
        case .policy: "\(tenantDomain.lowercased())/\(policy.id.lowercased())"
        }
    }

    /// The session of this id if it belongs to the scope and has not expired.
    public func living(_ id: SessionID, scope: String, at now: Timestamp) -> Session? {
        guard let row = rows.row(id, at: now), row.terms.scope == scope else { return nil }
        return row.session(id)
    }

    /// Ends a session: sign-out, or a new sign-in in its place.
    public mutating func end(_ id: SessionID) { rows.remove(id) }

    /// Ends all sessions of a user.
    public mutating func end(of objectID: GUID) {
        for id in rows.keysInOrder(where: { $0.objectID == objectID }) { end(id) }
    }

    /// Forgets everything.
    public mutating func clear() { rows.removeAll() }

    /// Restores a session.
    mutating func resume(_ session: Session, sharing claims: inout Interner<[ClaimValue]>) {
        let row = SessionRow(session, terms.intern(SessionTerms(of: session)), sharing: &claims)
        rows.putBack(session.id, row, expires: session.expires)
    }

    /// Keeps a new or changed session, and drops a few that have expired.
    mutating func keep(_ session: Session, sharing claims: inout Interner<[ClaimValue]>, at now: Timestamp) {
        resume(session, sharing: &claims)
        rows.sweep(at: now)
    }

    /// Sessions changed since it was last asked.
    public mutating func drainTouched() -> [SessionID] { rows.drainTouched() }
}
