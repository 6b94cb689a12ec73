import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import TrustFramework

/// An Azure AD B2C tenant's authority as a value: `(state, input, now) -> (state, decision)`.
///
/// It opens no socket, reads no clock, draws only from the generator it was given and never waits. It must not be
/// copied while it is in use: its tables would be copied with it at the next request.
public struct Authority: Sendable {
    var configuration: Configuration
    var tenancy: Tenancy
    var transactions = Table<GUID, Transaction>(limit: 100_000)
    var codes = Table<GUID, CodeGrant>(limit: 200_000)
    var refreshTokens = Table<GUID, RefreshGrant>(limit: 500_000)
    var callouts: [CalloutID: PendingCallout] = [:]
    var nextCallout: UInt64 = 0
    var throttle = Throttle()
    var addresses = AddressBook()
    var random: SeededGenerator
    let texts: OpaqueText
    let antiForgery: AntiForgery
    /// Things that happened in the decision being made.
    var events: [AuthorityEvent] = []
    /// Whether decisions list the rows they changed.
    public var recordsChanges = false {
        didSet {
            transactions.recordsTouched = recordsChanges
            codes.recordsTouched = recordsChanges
            refreshTokens.recordsTouched = recordsChanges
        }
    }

    /// An authority for a tenant with its policies, people and keys as the tenant file has them.
    public init(tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, now: Timestamp) {
        configuration = Configuration(
            tenant: tenant, policies: policies, keys: KeyRing(tenant: tenant, previous: nil, at: now))
        tenancy = Tenancy(
            directory: Directory(
                tenant: tenant, nearVariantsCountOnce: configuration.environment.switches.nearVariantsCountOnce, at: now
            ))
        random = seed.stream("authority")
        var own = seed.stream("authority/opaque texts")
        texts = OpaqueText(secret: own.next())
        antiForgery = AntiForgery(texts: texts)
    }

    /// Decides one input. Total: anything at all may come in, and a decision comes out.
    public mutating func handle(_ input: Input, at now: Timestamp) -> Decision {
        transactions.sweep(at: now)
        codes.sweep(at: now)
        refreshTokens.sweep(at: now)
        let reply: Reply
        switch input {
        case .request(let request, let exchange):
            reply = respond(to: Call(request: request, exchange: exchange, now: now))
        case .calloutFinished(let id, let result):
            reply = resume(id, result, at: now)
        case .command(let command):
            reply = .answered(perform(command, at: now))
        }
        _ = tenancy.directory.takeTouched()
        _ = tenancy.sessions.takeTouched()
        for message in tenancy.outbox.takeNew() { events.append(.message(message)) }
        var decision = Decision(reply: reply, events: [], changes: drainChanges())
        swap(&decision.events, &events)
        return decision
    }

    private mutating func drainChanges() -> [RowChange] {
        guard recordsChanges else { return [] }
        return transactions.drainTouched().map { RowChange(table: .transactions, key: $0) }
            + codes.drainTouched().map { RowChange(table: .codes, key: $0) }
            + refreshTokens.drainTouched().map { RowChange(table: .refreshTokens, key: $0) }
    }
}

/// One request while it is answered.
struct Call: Sendable {
    let request: RequestMessage
    let exchange: ExchangeID
    let now: Timestamp

    let cookies: RequestCookies
    /// Host as the request had it, with a port if it had one.
    let host: String

    init(request: RequestMessage, exchange: ExchangeID, now: Timestamp) {
        self.request = request
        self.exchange = exchange
        self.now = now
        cookies = RequestCookies(request.headers["Cookie"])
        host = request.url.authority
    }

    /// Host that cookies are for: a port is no part of it.
    var cookieHost: String { request.url.host ?? "" }
}

/// A journey that waits for a call-out: how the interrupted request wants its answer.
struct PendingCallout: Sendable {
    enum Shape: Sendable {
        /// A request of the browser for a page or an answer of the page's script.
        case transaction(GUID)
        case token(TokenExchange)
        case userInfo(UserInfoExchange)
    }

    let call: Call
    let shape: Shape
}
