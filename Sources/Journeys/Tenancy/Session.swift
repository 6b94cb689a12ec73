import Determinism
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
        /// When the person took an active part, or a token began the time anew.
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

/// The sessions of a tenant.
public struct Sessions: Sendable {
    private var rows: Table<SessionID, Session>

    /// - Parameter limit: The oldest go when there are more.
    public init(limit: Int = 50_000) {
        rows = Table(limit: limit)
        rows.recordsTouched = true
    }

    public subscript(id: SessionID) -> Session? { rows.kept(id)?.row }

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
        guard let session = rows.row(id, at: now), session.scope == scope else { return nil }
        return session
    }

    /// Ends a session: sign-out, or a new sign-in in its place.
    public mutating func end(_ id: SessionID) { rows.remove(id) }

    /// Ends all sessions of a user.
    public mutating func end(of objectID: GUID) {
        for id in ids where self[id]?.objectID == objectID { end(id) }
    }

    /// Forgets everything.
    public mutating func clear() { rows.removeAll() }

    /// Takes up a session of before.
    mutating func resume(_ session: Session) { rows.putBack(session.id, session, expires: session.expires) }

    /// Keeps a new or changed session, and drops a few that have expired.
    mutating func keep(_ session: Session, at now: Timestamp) {
        rows.putBack(session.id, session, expires: session.expires)
        rows.sweep(at: now)
    }

    /// Sessions changed since it was last asked.
    public mutating func takeTouched() -> [SessionID] { rows.drainTouched() }
}
