import Determinism
import Exchanges
import HTTPMessages
import JOSE
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// An Azure AD B2C tenant's authority as a value: `(state, input, now) -> (state, decision)`.
///
/// It opens no socket, reads no clock, draws only from the generator it was given and never waits. It must not be
/// copied while it is in use: its tables would be copied with it at the next request.
public struct Authority: Sendable {
    var configuration: Configuration
    var tenancy: Tenancy
    var transactions = Table<GUID, Transaction>(limit: 100_000)
    var codes = Table<GUID, CodeGrant>(limit: 100_000)
    var spentCodes = Table<GUID, SpentCode>(limit: 10_000)
    var refreshTokens = Table<GUID, RefreshGrant>(limit: 50_000)
    /// Redeemed ones, apart: a client that refreshes again and again does not push out the tokens of others.
    var spentRefreshTokens = Table<GUID, RefreshGrant>(limit: 10_000)
    /// Of refresh tokens.
    var terms = Interner<GrantTerms>()
    var callouts: [CalloutID: PendingCallout] = [:]
    var nextCallout: UInt64 = 0
    var throttle = Throttle()
    var orders = StandingOrders()
    var addresses = AddressBook()
    var random: SeededGenerator
    /// What everything here is drawn from, for a new beginning.
    let seed: SeededGenerator
    let texts: OpaqueText
    let antiForgery: AntiForgery
    /// Things that happened in the decision being made.
    var events: [AuthorityEvent] = []
    /// Whether requests are answered at every scheme and host they come to, in URLs of that address: so a mock on the
    /// network works as `http://localhost:9400`. Without it only the tenant's hosts are served, over `https`.
    public var servesAnyAddress = false
    /// Whether decisions have the turns of the journeys of custom policies, for a record of them.
    public var recordsTurns = false
    /// Turns of the decision being made.
    var turns: [RecordedTurn] = []
    /// Whether decisions list the rows they changed.
    public var recordsChanges = false {
        didSet {
            codes.recordsTouched = recordsChanges
            spentCodes.recordsTouched = recordsChanges
            refreshTokens.recordsTouched = recordsChanges
            spentRefreshTokens.recordsTouched = recordsChanges
            tenancy.outbox.recordsTouched = recordsChanges
            _ = takeDirectoryChanges()
        }
    }
    /// Rows that a command asks to be written besides those that are drained from the tables.
    var ownChanges: [RowChange] = []

    /// An authority for a tenant with its policies, people and keys as the tenant file has them.
    public init(tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, now: Timestamp) {
        configuration = Configuration(
            tenant: tenant, policies: policies, keys: KeyRing(tenant: tenant, previous: nil, at: now))
        tenancy = Tenancy(
            directory: Directory(
                tenant: tenant, at: now
            ))
        self.seed = seed
        random = seed.stream("authority")
        var own = seed.stream("authority/opaque texts")
        texts = OpaqueText(secret: own.next())
        antiForgery = AntiForgery(texts: texts)
    }

    /// Decides one input. Total: anything at all may come in, and a decision comes out.
    public mutating func handle(_ input: Input, at now: Timestamp) -> Decision {
        sweepGrants(at: now)
        transactions.sweep(at: now)
        let reply: Reply
        switch input {
        case .request(let request, let exchange):
            let call = Call(request: request, exchange: exchange, now: now, address: addressRule(of: request.url))
            reply = obeying(exchange.number, respond(to: call))
        case .calloutFinished(let id, let result):
            let exchange = callouts[id]?.call.exchange.number
            reply = obeying(exchange, resume(id, result, at: now))
        case .command(let command):
            reply = .answered(perform(command, at: now))
        }
        for message in tenancy.outbox.drainNew() { events.append(.message(message)) }
        var decision = Decision(reply: reply, events: [], changes: drainChanges())
        swap(&decision.events, &events)
        swap(&decision.turns, &turns)
        return decision
    }

    private func addressRule(of url: WebURL) -> AddressRule {
        guard servesAnyAddress else { return .tenantOnly }
        return configuration.serves(host: url.host ?? "") || configuration.serves(host: url.authority)
            ? .tenant : .elsewhere
    }
}

/// One request while it is answered. Shared: it is handed on through every stage, and holds a score of texts.
final class Call: Sendable {
    let request: RequestMessage
    let exchange: ExchangeID
    let now: Timestamp

    let cookies: RequestCookies
    /// Host as the request had it, with a port if it had one.
    let host: String

    /// `https`, or the scheme of the request where any address is served.
    let scheme: String
    let address: AddressRule
    let cookieScope: CookieScope

    init(request: RequestMessage, exchange: ExchangeID, now: Timestamp, address: AddressRule) {
        self.request = request
        self.exchange = exchange
        self.now = now
        cookies = RequestCookies(request.headers["Cookie"])
        host = request.url.authority
        self.address = address
        scheme = address == .tenantOnly ? "https" : request.url.scheme
        // A cookie's domain has no port.
        cookieScope = CookieScope(
            domain: address == .elsewhere ? nil : request.url.host ?? "", isSecure: scheme == "https")
    }
}

extension Call {
    /// The parameters of a request that may come by GET or by POST.
    var parameters: FormItems { request.method == "POST" ? form : request.url.queryItems.joined }

    /// The body's form; empty where it is none.
    var form: FormItems { (request.form ?? FormItems()).joined }
}

extension FormItems {
    /// With one item of each name: the values of a parameter that comes again are joined by commas.
    ///
    /// So System.Web reads query and form (.NET docs: `HttpRequest.QueryString`, `NameValueCollection.Get`), and the
    /// service answers as a program on System.Web does (its redirects were recorded). That it reads its parameters there is
    /// inferred. RFC 6749, 3.1, forbids to send one twice.
    var joined: FormItems {
        guard hasRepeatedName else { return self }
        var places: [String: Int] = [:]
        var joined: [(name: String, value: String)] = []
        for item in items {
            if let place = places[item.name] {
                joined[place].value += "," + item.value
            } else {
                places[item.name] = joined.count
                joined.append(item)
            }
        }
        return FormItems(joined)
    }

    /// Nearly all requests have a dozen names, each once: comparing them costs less than a set of them.
    private var hasRepeatedName: Bool {
        guard items.count <= 24 else { return Set(items.lazy.map(\.name)).count < items.count }
        return items.indices.contains { index in
            items[..<index].contains { sameText($0.name, items[index].name) }
        }
    }
}

/// How the address of a request counts.
enum AddressRule: Sendable {
    /// The tenant's hosts are served and no other, and all URLs say `https`.
    case tenantOnly
    /// A host of the tenant, at whatever scheme and port the mock listens.
    case tenant
    /// An address outside of the tenant, such as `localhost`.
    case elsewhere
}

/// A journey that waits for a call-out: how the interrupted request wants its answer.
struct PendingCallout: Sendable {
    enum RequestKind: Sendable {
        /// A request of the browser for a page or an answer of the page's script.
        case transaction(GUID)
        /// A request for tokens or for what the user-info endpoint says.
        case token(TokenJourney)
    }

    let call: Call
    let shape: RequestKind
}
