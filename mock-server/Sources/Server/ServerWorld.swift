import AuthorityHosting
import CommandKit
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import TrustFramework

/// One world of the server: an authority with its tenant, its neighbours, its clock, and what has happened there.
///
/// The default world serves everybody; a running scenario makes one of its own.
final class ServerWorld: Sendable {
    let name: String
    /// The way to real services; `nil` where nobody has allowed them.
    let services: (any Transport)?
    /// Where the rows of the journey recorder go; `nil`: nothing is recorded.
    let journeyLog: AppendedFile?
    /// Records the journeys of custom policies.
    private let recorder: JourneyRecorder?
    /// Whether it is the one that serves everybody: at any address, in real time.
    var isDefault: Bool { name == Worlds.defaultName }
    /// Everything drawn in this world comes from streams of it. A runner that wants its own transcript again hands over
    /// the generator that it would have given a world of its own.
    let seed: SeededGenerator
    let time: WorldTime
    /// Everything that happens here, in one order.
    let journal = Journal()
    /// What readers of the journal are shown.
    let shown = ShownEntries()
    /// What every exchange passes through.
    let exchanges: WorldExchanges
    /// Where it was asked besides the tenant's hosts.
    let ownAddresses = OwnAddresses()
    /// Browsers inside the server, and what people have learnt in them.
    let visitors = Visitors()
    /// Authority, APIs, providers, templates and stubs.
    let environment: HostedEnvironment
    /// The custom policies as Microsoft Graph manages them here.
    private let policies: PolicyDirectory
    private let network: VirtualNetwork
    private let state: Mutex<State>
    /// Whether changes are kept in a file: nothing may be returned before they are in it.
    let keepsState: Bool
    /// The instant at which a world that a runner made began; `nil` for one on the system's clock.
    private let begun: Timestamp?

    private struct State {
        var tenant: CompiledTenant
        /// The tenant as its file has it: what a new beginning begins with.
        var file: CompiledTenant
        var authorityHosts: Set<String>

        init(_ tenant: CompiledTenant, file: CompiledTenant) {
            self.tenant = tenant
            self.file = file
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

    /// - Parameters:
    ///   - file: The tenant as its file has it, where `tenant` was changed in an earlier run.
    ///   - store: Where the authority keeps its rows.
    ///   - kept: What it has kept of an earlier run.
    ///   - uploads: Policies that were uploaded in an earlier run.
    ///   - services: The way to real services, for REST stubs with `passThrough`; `nil`: not allowed.
    ///   - journeyLog: Takes what the journey recorder writes; `nil`: nothing is recorded.
    init(
        name: String, seed: SeededGenerator, tenant: CompiledTenant, file: CompiledTenant? = nil, time: WorldTime,
        store: any StateStore = MemoryStore(), kept: KeptState? = nil, uploads: KeptPolicies = KeptPolicies(),
        services: (any Transport)? = nil, journeyLog: AppendedFile? = nil
    ) async {
        self.name = name
        self.services = services
        self.journeyLog = journeyLog
        recorder = journeyLog.map { log in JourneyRecorder { log.write($0) } }
        self.seed = seed
        self.time = time
        network = VirtualNetwork()
        policies = PolicyDirectory(
            tenant, seed: seed, kept: uploads, now: time.now(), rules: UploadRules.rules)
        let served = policies.served
        exchanges = WorldExchanges(
            tenant: served, clock: time, journal: journal, random: seed.stream("faults"))
        state = Mutex(State(tenant, file: file ?? tenant))
        keepsState = store.keepsState
        // What a state file keeps is on the system's clock, though somebody may have stopped it.
        begun = time.isFrozen && !store.keepsState ? time.now() : nil
        environment = HostedEnvironment(
            tenant: served.tenant, policies: served.policies, pages: served.pages, seed: seed, time: time,
            network: network,
            callouts: WorldCallouts(network: network, exchanges: exchanges, time: time),
            services: services, store: store, kept: kept,
            // What a runner made is to answer as it would in the runner's own process.
            ownAddresses: name == Worlds.defaultName ? ownAddresses : nil, recorder: recorder, directory: policies,
            policiesChanged: { [exchanges] in exchanges.classify(by: $0) })
        await environment.attach()
    }

    /// The tenant as patched so far, with the policies that sign-ins see.
    var tenant: CompiledTenant { policies.served }

    /// The tenant as patched so far, without what was uploaded over Microsoft Graph.
    var declared: CompiledTenant { state.withLock { $0.tenant } }

    private var file: CompiledTenant { state.withLock { $0.file } }

    /// Names endpoints and policies of requests.
    var classifier: ExchangeClassifier { exchanges.classifier }

    /// A runner made it: its time is its own.
    var isVirtual: Bool { begun != nil }

    /// Lays a merge patch over the tenant file and passes it on to everything in this world.
    ///
    /// - Throws: Everything that is wrong with the patched tenant; nothing has changed then.
    ///
    /// - Parameters:
    ///   - policies: Custom policies by path, in place of the previous ones; `nil`: those stay.
    ///   - folder: The folder of the tenant file, for paths in it.
    func configure(
        _ patch: JSONValue, policies: [String: String]? = nil, folder: String? = nil
    ) async throws(InvalidInput) {
        guard let policies else {
            await take(try declared.patched(patch), patch: patch)
            return
        }
        let changed = try KeptTenant.compile(declared.json.patched(tenant: patch), policies: policies, folder: folder)
        try TenantFile.refuseMisplaced(patch, whole: changed.json, in: changed.tenant)
        await take(changed, patch: patch, keeping: [KeptTenant.row(policies: policies, folder: folder)])
    }

    /// Goes on with another tenant altogether, its accounts and messages.
    ///
    /// - Parameters:
    ///   - json: The tenant.
    ///   - document: Accounts and messages, as an export has them.
    ///   - moveClock: Sets the clock as the export had it.
    /// - Throws: Everything that is wrong with the tenant; nothing has changed then.
    /// - Returns: Why the accounts or messages cannot be taken, if they cannot; nothing has changed then either.
    func restore(
        tenant json: JSONValue, _ document: JSONValue, moveClock: () -> Void
    ) async throws(InvalidInput) -> ControlAnswer {
        let changed = try declared.replaced(by: json)
        let rehearsal = await environment.command(
            .rehearse([
                .configure(tenant: changed.tenant, policies: changed.policies, patch: [:]), .restore(document),
            ]))
        if case .refused = rehearsal { return rehearsal }
        moveClock()
        // People come and go with the accounts.
        let answer = await take(changed, patch: [:], further: [.restore(document)])
        collect()
        return answer
    }

    /// Goes on with the tenant file as it is by now. What was changed at run time stays changed, and so do accounts,
    /// grants and sessions.
    ///
    /// - Throws: Everything that is wrong with the file once it has these changes; nothing has changed then.
    func reload(_ file: CompiledTenant) async throws(InvalidInput) {
        let (before, old) = state.withLock { ($0.tenant.json, $0.file.json) }
        let changed: CompiledTenant
        if let own = KeptTenant.difference(from: old, to: before) {
            changed = try file.patched(own)
        } else {
            changed = file
        }
        state.withLock { $0.file = file }
        await take(changed, patch: KeptTenant.difference(from: before, to: changed.json) ?? [:])
        collect()
    }

    @discardableResult
    private func take(
        _ changed: CompiledTenant, patch: JSONValue, further: [ControlCommand] = [], keeping rows: [RowChange] = []
    ) async -> ControlAnswer {
        let before = state.withLock { state in
            defer { state = State(changed, file: state.file) }
            return state.tenant
        }
        let own = keepsState ? KeptTenant.rows(file: file.json, before: before.json, after: changed.json) : []
        let answer = await environment.configure(changed, patch: patch, further: further, keeping: own + rows)
        exchanges.classify(by: tenant)
        return answer
    }

    /// Waits until everything that has happened so far is in the file.
    ///
    /// - Returns: Whether it is; not when the file can no longer be written. Nothing may be returned then.
    func settle() async -> Bool { keepsState ? await environment.settle() : true }

    /// Makes everything as it was at the beginning: settings, people, clock, and what is drawn from now on.
    func restart() async {
        policies.startAnew(file)
        await take(file, patch: [:], further: [.startAnew(tenant: file.tenant, policies: file.policies)])
        await environment.restartAPI(nil)
        exchanges.reset()
        visitors.reset()
        recorder?.reset()
        if let begun { time.set(begun) } else { time.runWithSystem() }
        collect()
    }

    /// Puts down that somebody steered the world from outside.
    func note(_ what: String, _ members: JSONObject = JSONObject()) {
        var entry: JSONObject = ["what": .string(what)]
        for (name, value) in members.members { entry[name] = value }
        journal.append(.note(type: "control", entry))
    }

    /// Carries out a command outside the wire and takes note of what happened.
    func command(_ command: ControlCommand) async -> ControlAnswer {
        let answer = await environment.command(command)
        collect()
        return answer
    }

    /// All host names of this world, without ports.
    var hosts: [String] {
        network.hosts.map { host in
            guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
            return String(host[..<colon])
        }
    }

    /// Whether something of the tenant file besides the authority answers at a host, written with the port where it has
    /// one of its own.
    func isNeighbour(_ authority: String) -> Bool {
        place(of: String(authority.prefix { $0 != ":" })) == .neighbour && network.hosts.contains(authority)
    }

    /// What a host name, in lower case and without port, stands for.
    func place(of host: String) -> Place {
        if state.withLock({ $0.authorityHosts.contains(host) }) { return .authority }
        return network.knows(host: host) ? .neighbour : .elsewhere
    }

    /// Answers a request of somebody outside.
    ///
    /// Nothing waits here for the delivery's delay: the caller knows whether time is real.
    ///
    /// - Parameter number: The number that a runner gave the exchange.
    func delivery(of request: RequestMessage, number: String? = nil, from party: Party = .client) async -> Delivery {
        var request = request
        if isDefault, place(of: request.url.host ?? "") == .neighbour,
            !network.listens(at: request.url) || request.url.scheme == "http"
        {
            // Outside, everything listens at the one port of the server, with TLS or without.
            request.url.port = nil
            request.url.scheme = "https"
        }
        return await exchanges.delivery(
            of: request, ExchangeContext(from: party, number: number),
            by: { request, context in await self.deliver(request, context) }, finish: { self.collect() })
    }

    /// Takes a request to the part that answers it here.
    private func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        switch place(of: request.url.host ?? "") {
        case .elsewhere where context.from == .authority: return await network.deliver(request, context)
        case .elsewhere where !isDefault:
            // A script's host that nobody has must not be found only because it came to this server.
            return .failure(.dns)
        case .authority, .elsewhere: return await environment.authority.delivery(of: request, context)
        case .neighbour: return await network.deliver(request, context)
        }
    }

    /// Records what the authority and the REST stubs report.
    func collect() {
        for event in environment.drainEvents() { journal.append(.event(event)) }
        for text in environment.drainProblems() {
            journal.append(.note(type: "unmatched", ["text": .string(text)]))
        }
    }

    /// Drops every reference back to it, so that a finished world does not stay in memory.
    func dissolve() {
        journal.finish()
        network.detach(hosts: network.hosts)
    }
}
