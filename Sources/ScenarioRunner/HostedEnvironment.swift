import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Scenarios
import TrustFramework

/// The far side of a world: the authority and everything it and the apps talk to, mounted on a network of its own.
actor HostedEnvironment: EventSource {
    private let host: AuthorityHost
    private let network: VirtualNetwork
    private let callouts: any Transport
    private let time: VirtualTime
    private let start: Timestamp
    private let seed: SeededGenerator
    private let rest: RestResponder
    private let graph: GraphStub
    private var tenant: Tenant
    private var apis: [String: ProtectedAPI] = [:]
    private var providers: [String: StubProvider] = [:]

    init(
        tenant: Tenant, policies: [ResolvedPolicy], seed: SeededGenerator, time: VirtualTime, network: VirtualNetwork,
        callouts: any Transport
    ) {
        self.tenant = tenant
        self.network = network
        self.callouts = callouts
        self.time = time
        self.seed = seed
        start = time.now
        host = AuthorityHost(tenant: tenant, policies: policies, seed: seed, time: time, callouts: callouts)
        graph = GraphStub(tenant: tenant, seed: seed, clock: SkewedClock(time, since: time.now))
        rest = RestResponder(stubs: tenant.rest) { matcher, request in
            Matcher.matches(Exchange.restRecord(request), matcher)
        }
    }

    func attach() async {
        network.attach(rest: rest)
        network.attach(graph, hosts: ["graph.microsoft.com"])
        await attachNeighbours()
    }

    /// Everything the tenant file names, at its address. Run again after a change: what is there keeps its state.
    private func attachNeighbours() async {
        network.attach(host, hosts: AuthorityHost.hosts(of: tenant))
        await graph.configure(tenant: tenant)
        for settings in tenant.apis {
            let clock = SkewedClock(time, skew: settings.clock.skew, rate: settings.clock.rate, since: start)
            if let api = apis[settings.name] {
                await api.configure(settings: settings, tenant: tenant, clock: clock)
            } else {
                apis[settings.name] = ProtectedAPI(
                    settings: settings, tenant: tenant, clock: clock, transport: callouts)
            }
            if let api = apis[settings.name], let base = WebURL(settings.baseUrl) { network.attach(api, at: base) }
        }
        for settings in tenant.providers where settings.type != .saml {
            if let provider = providers[settings.name] {
                await provider.configure(settings: settings, tenant: tenant)
            } else {
                providers[settings.name] = StubProvider(
                    settings: settings, tenant: tenant, seed: seed, clock: SkewedClock(time, since: start))
            }
            if let provider = providers[settings.name], let base = WebURL(settings.issuer) {
                network.attach(provider, at: base)
            }
        }
        let templates = TemplateHost(tenant: tenant)
        for address in templates.addresses { network.attach(templates, at: address) }
    }

    func configure(tenant: Tenant, policies: [ResolvedPolicy], patch: JSONValue) async {
        self.tenant = tenant
        _ = await host.command(.configure(tenant: tenant, policies: policies, patch: patch))
        await rest.configure(tenant.rest)
        await attachNeighbours()
    }

    func command(_ command: ControlCommand) async -> ControlAnswer { await host.command(command) }

    func takeEvents() async -> [AuthorityEvent] { await host.takeEvents() }

    /// - Parameter name: An API of the tenant file; nil: all.
    func restartAPI(_ name: String?) async {
        for key in apis.keys.sorted() where name == nil || name == key { await apis[key]?.restart() }
    }

    func takeProblems() async -> [String] {
        await rest.takeUnmatched().map(\.text)
    }
}
