import Determinism
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import TenantFiles
import TrustFramework

/// The far side of a world: the authority and everything it and the apps talk to, mounted on a network of its own.
///
/// It is the same for a scenario inside one process and for a world of a server: only the clock differs, and the way
/// calls go out.
public actor HostedEnvironment {
    private let host: AuthorityHost
    private let network: VirtualNetwork
    private let callouts: any Transport
    private let time: any WallClock
    private let start: Timestamp
    private let seed: SeededGenerator
    private let rest: RestResponder
    private let graph: GraphStub
    private let ownAddresses: OwnAddresses?
    private let directory: PolicyDirectory?
    private let policiesChanged: @Sendable (CompiledTenant) -> Void
    private var tenant: Tenant
    private var policies: [ResolvedPolicy]
    private var pages: PageFiles
    private var apis: [String: ProtectedAPI] = [:]
    private var providers: [String: StubProvider] = [:]

    /// - Parameters:
    ///   - tenant: Its policies come linked, in `policies`.
    ///   - pages: Page templates on the disk.
    ///   - seed: Everything the far side draws comes from streams of it.
    ///   - time: True time. The clocks of APIs count their skew and rate from its instant now.
    ///   - network: Where `attach` mounts everything.
    ///   - callouts: The way of calls that the authority and the APIs make.
    ///   - services: The way to real services, for REST stubs with `passThrough`; `nil`: not allowed.
    ///   - store: Where the authority keeps its rows.
    ///   - kept: What it has kept of an earlier run.
    ///   - ownAddresses: Where the authority answers besides the tenant's hosts, which is at any address. APIs then accept
    ///     the issuer of such an address as the tenant's. `nil`: at the tenant's hosts only.
    ///   - recorder: Records the journeys of custom policies; `nil`: nobody does.
    ///   - directory: The custom policies that are managed over Microsoft Graph; `nil`: they stay as they are. The other
    ///     parameters are those of the tenant it serves.
    ///   - policiesChanged: Gets the tenant whenever sign-ins see other policies than before.
    public init(
        tenant: Tenant, policies: [ResolvedPolicy], pages: PageFiles = .none, seed: SeededGenerator,
        time: any WallClock,
        network: VirtualNetwork, callouts: any Transport, services: (any Transport)? = nil,
        store: any StateStore = MemoryStore(), kept: KeptState? = nil,
        ownAddresses: OwnAddresses? = nil, recorder: JourneyRecorder? = nil, directory: PolicyDirectory? = nil,
        policiesChanged: @escaping @Sendable (CompiledTenant) -> Void = { _ in }
    ) {
        self.directory = directory
        self.policiesChanged = policiesChanged
        self.ownAddresses = ownAddresses
        self.tenant = tenant
        self.policies = policies
        self.pages = pages
        self.network = network
        self.callouts = callouts
        self.time = time
        self.seed = seed
        start = time.now()
        host = AuthorityHost(
            tenant: tenant, policies: policies, seed: seed, clock: time, callouts: callouts, store: store,
            kept: kept, servesAnyAddress: ownAddresses != nil, recorder: recorder)
        graph = GraphStub(tenant: tenant, seed: seed, clock: time)
        rest = RestResponder(stubs: tenant.rest, policies: policies, services: services)
    }

    /// Mounts authority, APIs, providers, templates, Graph and REST stubs on the network; once, before the first
    /// request.
    public func attach() async {
        network.attach(rest: rest)
        if tenant.kind == .b2c {
            network.attach(graphEndpoint, hosts: [GraphAPI.host])
            for version in ["v1.0", "beta"] {
                if let profile = WebURL("https://\(GraphAPI.host)/\(version)/me") { network.attach(graph, at: profile) }
            }
        } else {
            network.attach(graph, hosts: [GraphAPI.host])
        }
        await attachNeighbours()
    }

    /// Everything the tenant file names, at its address. Run again after a change: what is there keeps its state.
    private func attachNeighbours() async {
        network.attach(authority, hosts: AuthorityHost.hosts(of: tenant))
        await graph.configure(tenant: tenant)
        for settings in tenant.apis {
            let clock = SkewedClock(time, skew: settings.clock.skew, rate: settings.clock.rate, since: start)
            if let api = apis[settings.name] {
                await api.configure(settings: settings, tenant: tenant, clock: clock)
            } else {
                apis[settings.name] = ProtectedAPI(
                    settings: settings, tenant: tenant, clock: clock, transport: callouts,
                    ownAddresses: ownAddresses)
            }
            if let api = apis[settings.name], let base = WebURL(settings.baseUrl) { network.attach(api, at: base) }
        }
        let known = ProviderAddresses.find(in: policies, of: tenant)
        for settings in tenant.providers where settings.type != .saml {
            let addresses = known.filter { $0.provider == settings.name }
            if let provider = providers[settings.name] {
                await provider.configure(settings: settings, tenant: tenant, addresses: addresses)
            } else {
                providers[settings.name] = StubProvider(
                    settings: settings, tenant: tenant, seed: seed, clock: time, addresses: addresses)
            }
            if let provider = providers[settings.name] {
                for endpoint in addresses.flatMap(\.endpoints) { network.attach(provider, at: endpoint.address) }
            }
            if let provider = providers[settings.name], let base = WebURL(settings.issuer) {
                network.attach(provider, at: base)
            }
        }
        for address in pages.addresses { network.attach(pages, at: address) }
        let templates = TemplateHost(tenant: tenant, policies: policies, files: pages)
        for address in templates.addresses { network.attach(templates, at: address) }
        network.attach(templates, patterns: templates.patterns)
    }

    /// Goes on with a changed tenant. What was issued and what the parties remember stays.
    ///
    /// - Parameters:
    ///   - pages: Page templates on the disk; `nil`: as before.
    ///   - patch: The change itself (RFC 7396); its `users` are changes of the directory.
    ///   - further: Commands that belong to the change.
    ///   - rows: Rows of others that become durable with it.
    /// - Returns: The answer to the last command.
    @discardableResult
    public func configure(
        tenant: Tenant, policies: [ResolvedPolicy], pages: PageFiles? = nil, patch: JSONValue,
        further: [ControlCommand] = [], keeping rows: [RowChange] = []
    ) async -> ControlAnswer {
        self.tenant = tenant
        self.pages = pages ?? self.pages
        self.policies = policies
        let answer = await host.carryOut(
            [.configure(tenant: tenant, policies: policies, patch: patch)] + further, keeping: rows)
        await rest.configure(tenant.rest, policies: policies)
        await attachNeighbours()
        return answer
    }

    /// Goes on with a changed tenant file, over which what was uploaded over Microsoft Graph stays.
    ///
    /// - Parameters:
    ///   - patch: The change itself (RFC 7396); its `users` are changes of the directory.
    ///   - further: Commands that belong to the change.
    ///   - rows: Rows of others that become durable with it.
    /// - Returns: The answer to the last command.
    @discardableResult
    public func configure(
        _ changed: CompiledTenant, patch: JSONValue, further: [ControlCommand] = [], keeping rows: [RowChange] = []
    ) async -> ControlAnswer {
        let served = directory?.declare(changed, at: time.now()) ?? changed
        return await configure(
            tenant: served.tenant, policies: served.policies, pages: served.pages, patch: patch, further: further,
            keeping: rows)
    }

    /// Goes on with the policies that sign-ins see now.
    private func refresh() async {
        guard let served = directory?.takeChange(at: time.now()) else { return }
        policiesChanged(served)
        await configure(tenant: served.tenant, policies: served.policies, pages: served.pages, patch: [:])
    }

    private nonisolated var graphEndpoint: GraphEndpoint {
        guard let directory else { return GraphEndpoint(host) }
        let host = host
        let management = PolicyManagement(directory: directory, clock: time)
        return GraphEndpoint(host, management: management) { [weak self] rows in
            if case .refused = await host.carryOut([], keeping: rows) { return false }
            await self?.refresh()
            return true
        }
    }

    /// Waits until everything that has happened so far is durable; false when the store has failed.
    public nonisolated func settle() async -> Bool { await host.settle() }

    /// Carries out a command of a script or of the control interface.
    public func command(_ command: ControlCommand) async -> ControlAnswer { await host.command(command) }

    /// The authority alone, for requests to an address that is on no network.
    public nonisolated var authority: any DelayingResponder {
        guard let directory else { return host }
        return PolicyGate(host: host, directory: directory, clock: time) { [weak self] in await self?.refresh() }
    }

    /// What has happened inside the authority since the last time, and the number of the first of it.
    public nonisolated func drainNumberedEvents() -> (first: Int, events: [AuthorityEvent]) {
        host.drainNumberedEvents()
    }

    /// What has happened inside the authority since the last time.
    public nonisolated func drainEvents() -> [AuthorityEvent] { host.drainEvents() }

    /// Lets a protected API forget the metadata it has read.
    ///
    /// - Parameter name: An API of the tenant file; nil: all.
    public func restartAPI(_ name: String?) async {
        for key in apis.keys.sorted() where name == nil || name == key { await apis[key]?.restart() }
    }

    /// The calls since the last time that no REST stub was for, in words.
    public nonisolated func drainProblems() -> [String] {
        rest.drainUnmatched().map(\.text)
    }
}
