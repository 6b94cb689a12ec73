import Determinism
import HTTPMessages
import JSON
import Journeys
import TenantFiles

/// A plain directory tenant of Microsoft Entra ID as a value: `(state, input, now) -> (state, decision)`, like the
/// authority of a B2C tenant.
///
/// It plays what apps on `common`, `organizations`, `consumers` or a tenant meet at run time: metadata, sign-in, the
/// account picker, consent, codes, refresh tokens and sign-out, for work accounts, guests and personal accounts. It has
/// no policies and makes no calls of its own.
public struct WorkforceAuthority: Sendable {
    var configuration: WorkforceConfiguration
    var sessions = Table<GUID, WorkforceSession>(limit: 50_000)
    var flows = Table<GUID, WorkforceFlow>(limit: 100_000)
    var codes = Table<GUID, WorkforceCode>(limit: 50_000)
    var refreshTokens = Table<GUID, WorkforceRefresh>(limit: 50_000)
    /// Scopes that refresh tokens hold.
    var scopes = Interner<[WorkforceScope]>()
    var consents = ConsentBook()
    /// Failed sign-ins and revocations, by the person's name in the tenant file.
    var standings = StandingBook()
    var random: SeededGenerator
    /// What everything here is drawn from, for a new beginning.
    let seed: SeededGenerator
    let texts: OpaqueText
    var events: [AuthorityEvent] = []
    /// Whether decisions list the rows they changed.
    public var recordsChanges = false {
        didSet {
            sessions.recordsTouched = recordsChanges
            codes.recordsTouched = recordsChanges
            refreshTokens.recordsTouched = recordsChanges
            consents.recordsTouched = recordsChanges
            standings.recordsTouched = recordsChanges
        }
    }
    /// Rows that a command asks to be written besides those that are drained from the tables.
    var ownChanges: [RowChange] = []

    /// An authority for a tenant of kind `workforce` with its people, apps and keys as the tenant file has them.
    public init(tenant: Tenant, seed: SeededGenerator, now: Timestamp) {
        configuration = WorkforceConfiguration(
            tenant: tenant, keys: KeyRing(tenant: tenant, previous: nil, at: now))
        self.seed = seed
        random = seed.stream("authority")
        var own = seed.stream("authority/opaque texts")
        texts = OpaqueText(secret: own.next())
    }

    /// Decides one input. Total: anything at all may come in, and a decision comes out.
    public mutating func handle(_ input: Input, at now: Timestamp) -> WorkforceDecision {
        sessions.sweep(at: now)
        flows.sweep(at: now)
        codes.sweep(at: now)
        refreshTokens.sweep(at: now)
        let reply: WorkforceReply
        switch input {
        case .request(let request, let exchange):
            let call = WorkforceCall(request: request, exchange: exchange, now: now, random: &random)
            let draft = respond(to: call)
            if let why = draft.refusal { events.append(.refused(exchange: exchange.number, reason: why)) }
            reply = .send(draft)
        case .calloutFinished:
            reply = .send(WorkforceDraft(status: 500, refusal: "a directory tenant asks for no call-outs"))
        case .command(let command):
            reply = .answered(perform(command, at: now))
        }
        var decision = WorkforceDecision(reply: reply, events: [], changes: drainChanges())
        swap(&decision.events, &events)
        return decision
    }
}

/// What came of one input.
public struct WorkforceDecision: Sendable {
    public var reply: WorkforceReply
    /// What happened on the way, in order.
    public var events: [AuthorityEvent]
    /// The rows that changed, if the authority records changes.
    public var changes: [RowChange]
}

/// How an exchange goes on.
public enum WorkforceReply: Sendable {
    /// Render, sign and send.
    case send(WorkforceDraft)
    /// The answer to a control command.
    case answered(ControlAnswer)
}

/// One request while it is answered.
struct WorkforceCall: Sendable {
    let request: RequestMessage
    let exchange: ExchangeID
    let now: Timestamp
    let query: FormItems
    let form: FormItems
    /// The caller's `client-request-id`, else made up: `Correlation ID` of errors.
    let correlationID: GUID
    /// `Trace ID` of errors and `x-ms-request-id` of answers.
    let traceID: GUID

    init(request: RequestMessage, exchange: ExchangeID, now: Timestamp, random: inout SeededGenerator) {
        self.request = request
        self.exchange = exchange
        self.now = now
        query = request.url.queryItems
        form = request.form ?? FormItems()
        traceID = random.guid()
        let made = random.guid()
        correlationID =
            (query["client-request-id"] ?? request.headers["client-request-id"]).flatMap { GUID($0) } ?? made
    }

    /// `https://host[:port]`.
    var origin: String { "https://\(request.url.authority)" }

    func cookie(_ name: String) -> String? {
        for field in request.headers.all("Cookie") {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
            }
        }
        return nil
    }
}

/// What is known of a person beside their record.
struct WorkforceStanding: Sendable, Hashable {
    var failures = 0
    var lockedUntil: Timestamp?
    /// Grants from before this instant are revoked: the password has changed.
    var validFrom: Timestamp?
}

/// What is known of people, by their names in the tenant file.
struct StandingBook: Sendable {
    private var rows: [String: WorkforceStanding] = [:]
    private var touched: [String] = []
    /// Whether the names of changed rows are collected for a state store.
    var recordsTouched = false

    subscript(name: String) -> WorkforceStanding? {
        get { rows[name] }
        set {
            guard rows[name] != newValue else { return }
            rows[name] = newValue
            if recordsTouched { touched.append(name) }
        }
    }

    mutating func removeAll() {
        if recordsTouched { touched += rows.keys.sorted() }
        rows = [:]
    }

    mutating func drainTouched() -> [String] {
        defer { touched = [] }
        return touched
    }
}
