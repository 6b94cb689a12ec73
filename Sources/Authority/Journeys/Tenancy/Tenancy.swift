import Determinism

/// What all journeys of a tenant share and change. It lives in the authority's state and is lent to `advance`; never
/// bind it to a second name, since that copies whole tables.
public struct Tenancy: Sendable {
    public var directory: Directory
    public var sessions: Sessions
    public var outbox: Outbox
    /// Values of claims that sessions and refresh tokens hold.
    package var claims = Interner<[ClaimValue]>()

    public init(directory: Directory, sessions: Sessions = Sessions(), outbox: Outbox = Outbox()) {
        self.directory = directory
        self.sessions = sessions
        self.outbox = outbox
    }

    /// Restores sessions, in the order of their creation.
    public mutating func resume(_ kept: [Session]) {
        for session in kept { sessions.resume(session, sharing: &claims) }
    }

    /// Keeps a new or changed session.
    mutating func keep(_ session: Session, at now: Timestamp) {
        sessions.keep(session, sharing: &claims, at: now)
    }
}
