import AuthorityHosting
import B2CProtocol
import Determinism
import Diagnostics
import HTTPMessages
import JSON
import MockAuthority
import Scenarios
import Synchronization

/// One world of the server: an authority with its tenant, its neighbours, its clock, and what has happened there.
///
/// The default world serves everybody; a running scenario makes one of its own.
final class ServerWorld: Sendable {
    let name: String
    /// Everything drawn in this world comes from streams of it. A runner that wants its own transcript again hands over
    /// the generator that it would have given a world of its own.
    let seed: SeededGenerator
    let time: WorldTime
    let requests = RequestLog()
    let events = EventLog()
    /// Authority, APIs, providers, templates and stubs.
    let environment: HostedEnvironment
    private let network: VirtualNetwork
    private let state: Mutex<State>

    private struct State {
        var tenant: CompiledTenant
        var classifier: ExchangeClassifier
        var authorityHosts: Set<String>

        init(_ tenant: CompiledTenant) {
            self.tenant = tenant
            classifier = ExchangeClassifier(tenant: tenant.tenant)
            authorityHosts = Set(AuthorityHost.hosts(of: tenant.tenant).map { $0.lowercased() })
        }
    }

    /// Where the address of a request leads in this world.
    enum Place: Sendable, Equatable {
        /// A host of the authority, at any port.
        case authority
        /// An API, a provider, a template host or Graph.
        case neighbour
        /// No host of this world: the authority, at the address that was used.
        case elsewhere
    }

    /// - Parameter store: Where the authority keeps its rows.
    init(
        name: String, seed: SeededGenerator, tenant: CompiledTenant, time: WorldTime,
        store: any StateStore = MemoryStore()
    ) async {
        self.name = name
        self.seed = seed
        self.time = time
        network = VirtualNetwork()
        state = Mutex(State(tenant))
        environment = HostedEnvironment(
            tenant: tenant.tenant, policies: tenant.policies, seed: seed, time: time, network: network,
            callouts: WorldCallouts(network: network, log: requests, time: time),
            match: { matcher, request in Matcher.matches(Exchange.restRecord(request), matcher) }, store: store,
            servesAnyAddress: true)
        await environment.attach()
    }

    /// The tenant as patched so far.
    var tenant: CompiledTenant { state.withLock { $0.tenant } }

    /// Names endpoints and policies of requests.
    var classifier: ExchangeClassifier { state.withLock { $0.classifier } }

    /// Lays a merge patch over the tenant file and tells everybody in this world.
    ///
    /// - Throws: Everything that is wrong with the patched tenant; nothing has changed then.
    func configure(_ patch: JSONValue) async throws(InvalidInput) {
        let changed = try tenant.patched(patch)
        state.withLock { $0 = State(changed) }
        await environment.configure(tenant: changed.tenant, policies: changed.policies, patch: patch)
    }

    /// Carries out a command outside the wire and takes note of what happened.
    func command(_ command: ControlCommand) async -> ControlAnswer {
        let answer = await environment.command(command)
        await collect()
        return answer
    }

    /// The hosts besides the authority's that something of the tenant file answers at, in order.
    var neighbours: [String] {
        let hosts = state.withLock { $0.authorityHosts }
        return network.hosts.filter { host in !hosts.contains(host) }
    }

    /// What a host name, in lower case and without port, stands for.
    func place(of host: String) -> Place {
        if state.withLock({ $0.authorityHosts.contains(host) }) { return .authority }
        return network.knows(host: host) ? .neighbour : .elsewhere
    }

    /// Answers a request of somebody outside.
    ///
    /// Nothing waits here for the delivery's delay: that is the caller's, who knows whether time is real.
    ///
    /// - Parameter number: The number that a runner gave the exchange.
    func delivery(of request: RequestMessage, number: String? = nil, from party: Party = .client) async -> Delivery {
        var context = ExchangeContext(from: party)
        let entry = requests.begin(request, context, number: number, at: time.now())
        context.number = entry.number
        let delivery: Delivery
        switch place(of: request.url.host ?? "") {
        case .authority, .elsewhere:
            delivery = await environment.authority.delivery(of: request, context)
        case .neighbour:
            var request = request
            // Outside, everything listens at the one port of the server.
            if !network.listens(at: request.url) {
                request.url.port = nil
                request.url.scheme = "https"
            }
            delivery = await network.deliver(request, context)
        }
        requests.finish(entry.position, delivery.outcome, delay: delivery.delay)
        await collect()
        return delivery
    }

    /// Takes note of what the authority has to tell.
    func collect() async {
        let new = await environment.takeNumberedEvents()
        events.append(first: new.first, new.events)
    }

    /// The log of requests behind a position.
    func requests(since position: Int) -> [LoggedExchange] {
        requests.entries(since: position, classifier: classifier)
    }

    /// Lets go of everything that refers back to it, so that a world that is over does not stay in memory.
    func dissolve() {
        events.close()
        network.detach(hosts: network.hosts)
    }
}
