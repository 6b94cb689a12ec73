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
    private let seed: SeededGenerator
    private let rest: RestResponder
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
        host = AuthorityHost(tenant: tenant, policies: policies, seed: seed, time: time, callouts: callouts)
        rest = RestResponder(stubs: tenant.rest) { matcher, request in
            Matcher.matches(Exchange.restRecord(request), matcher)
        }
    }

    func attach() async {
        network.attach(rest: rest)
        network.attach(host, hosts: tenant.hosts)
        await attachNeighbours()
    }

    private func attachNeighbours() async {
    }

    func configure(tenant: Tenant, policies: [ResolvedPolicy], patch: JSONValue) async {
        self.tenant = tenant
        network.attach(host, hosts: tenant.hosts)
        _ = await host.command(.configure(tenant: tenant, policies: policies, patch: patch))
        await rest.configure(tenant.rest)
        await attachNeighbours()
    }

    func command(_ command: ControlCommand) async -> ControlAnswer { await host.command(command) }

    func takeEvents() async -> [AuthorityEvent] { await host.takeEvents() }

    func restartAPI(_ name: String?) async {
    }

    func takeProblems() async -> [String] {
        await rest.takeUnmatched().map(\.text)
    }
}
