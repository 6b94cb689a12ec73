import Determinism

/// What all journeys of a tenant share and change. It lives in the authority's state and is lent to `advance`; never
/// bind it to a second name, since that copies whole tables.
public struct Tenancy: Sendable {
    public var directory: Directory
    public var sessions: Sessions
    public var outbox: Outbox
    /// Claims that sessions and refresh tokens hold.
    package var claims = Interner<[KeptClaim]>()
    private var scopes = Interner<String>()
    private var participants = Interner<[String]>()

    public init(directory: Directory, sessions: Sessions = Sessions(), outbox: Outbox = Outbox()) {
        self.directory = directory
        self.sessions = sessions
        self.outbox = outbox
    }

    /// Takes up sessions of before, in the order of their creation.
    public mutating func resume(_ kept: [Session]) {
        for session in kept { sessions.resume(shared(session)) }
    }

    /// Keeps a new or changed session.
    mutating func keep(_ session: Session, at now: Timestamp) {
        sessions.keep(shared(session), at: now)
    }

    /// The session with what others have too in memory of them all.
    private mutating func shared(_ session: Session) -> Session {
        var session = session
        session.scope = scopes.intern(session.scope)
        session.participants = participants.intern(session.participants)
        for place in session.entries.indices {
            session.entries[place].claims = claims.intern(session.entries[place].claims)
        }
        return session
    }
}
