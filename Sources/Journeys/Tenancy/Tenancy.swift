/// What all journeys of a tenant share and change. It lives in the authority's state and is lent to `advance`; never
/// bind it to a second name, since that copies whole tables.
public struct Tenancy: Sendable {
    public var directory: Directory
    public var sessions: Sessions
    public var outbox: Outbox

    public init(directory: Directory, sessions: Sessions = Sessions(), outbox: Outbox = Outbox()) {
        self.directory = directory
        self.sessions = sessions
        self.outbox = outbox
    }
}
