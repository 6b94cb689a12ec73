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
    public let scope: String
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
    private var sessions: [SessionID: Session] = [:]
    /// In the order of creation; some may be gone.
    private var order: [SessionID] = []
    private var touched: [SessionID] = []
    /// The oldest go when there are more.
    public let limit: Int

    public init(limit: Int = 200_000) { self.limit = limit }

    public subscript(id: SessionID) -> Session? { sessions[id] }

    /// Ids of the living sessions in the order of creation.
    public var ids: [SessionID] { order.filter { sessions[$0] != nil } }

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
        guard let session = sessions[id], session.scope == scope, now < session.expires else { return nil }
        return session
    }

    /// Ends a session: sign-out, or a new sign-in in its place.
    public mutating func end(_ id: SessionID) {
        guard sessions.removeValue(forKey: id) != nil else { return }
        touch(id)
        if order.count > 64, sessions.count * 2 < order.count { order.removeAll { sessions[$0] == nil } }
    }

    /// Ends all sessions of a user.
    public mutating func end(of objectID: GUID) {
        for id in ids where sessions[id]?.objectID == objectID { end(id) }
    }

    /// Forgets everything.
    public mutating func clear() {
        touched += ids
        sessions = [:]
        order = []
    }

    /// Takes up sessions of before, in the order of their creation.
    public mutating func resume(_ kept: [Session]) {
        for session in kept where sessions.updateValue(session, forKey: session.id) == nil { order.append(session.id) }
    }

    /// Keeps a new or changed session.
    mutating func keep(_ session: Session, at now: Timestamp) {
        if sessions.updateValue(session, forKey: session.id) == nil {
            order.append(session.id)
            sweep(at: now)
        }
        touch(session.id)
    }

    /// Sessions changed since it was last asked.
    public mutating func takeTouched() -> [SessionID] {
        guard !touched.isEmpty else { return [] }
        var taken: [SessionID] = []
        swap(&taken, &touched)
        return taken
    }

    private mutating func touch(_ id: SessionID) {
        if touched.last != id { touched.append(id) }
    }

    /// Drops a few expired sessions from the front, and the oldest beyond the limit.
    private mutating func sweep(at now: Timestamp) {
        var looked = 0
        while let first = order.first, looked < 8 {
            looked += 1
            guard let session = sessions[first] else {
                order.removeFirst()
                continue
            }
            guard now >= session.expires || sessions.count > limit else { break }
            sessions[first] = nil
            touch(first)
            order.removeFirst()
        }
    }
}
