import AuthorityHosting
import Browser
import Clients
import Determinism
import Diagnostics
import Exchanges
import HTTPMessages
import JOSE
import JSON
import MockAuthority
import Scenarios
import TenantFiles
import Verbs

/// One scenario's own world: authority, directory, devices, browsers, clients, clock. It shares with other scenarios
/// only what never changes.
///
/// The parts that act (authority, browsers, clients) are actors of their own; this one is their registry: which client
/// runs on which device, which call waits for which step, and the values of finished steps. What patches make of the
/// tenant is in ``WorldSettings``.
actor World {
    nonisolated let time: VirtualTime
    nonisolated let turnstile: Turnstile
    nonisolated let hub: ExchangeHub
    nonisolated let seed: SeededGenerator
    nonisolated let variant: ScenarioVariant
    nonisolated let options: RunOptions

    private let startTime: Timestamp
    private let far: any TargetBackend
    private var settings: WorldSettings
    /// The tenant as patched so far.
    var tenant: CompiledTenant { settings.tenant }
    private var keychains: [String: Keychain] = [:]
    private var browsers: [String: any PersonalBrowser] = [:]
    /// The device that each browser runs on, by the browser's name.
    private var hosts: [String: String] = [:]
    private var clients: [String: PublicClient] = [:]

    var table = ValueTable()
    private let outcomeUse: OutcomeUse
    /// Interactive operations that wait for somebody, by the client that started them.
    var interactions: [String: Interaction] = [:]
    /// Operations by the id of the step that began them.
    var pendingSteps: [String: Interaction] = [:]
    /// By the id of a `resume` step, the id of the step that it goes on with.
    var resumedAs: [String: String] = [:]
    /// What the step on each lane has begun or gone on with.
    var calls: [LaneID: OpenCall] = [:]
    var newestToken: [String: String] = [:]
    var opened: [String: OpenedRequest] = [:]
    /// How many generators `draw` has given out.
    var drawn = 0

    init(variant: ScenarioVariant, options: RunOptions, tenant: CompiledTenant, seed: SeededGenerator, start: Timestamp)
    {
        self.variant = variant
        self.options = options
        outcomeUse = OutcomeUse(of: variant, options)
        settings = WorldSettings(tenant: tenant)
        self.seed = seed
        startTime = start
        time = VirtualTime(start)
        turnstile = Turnstile(time: time, order: options.drawsOrder ? .drawn(seed) : .asWritten)
        let scenario = variant.scenario
        hub = ExchangeHub(time: time, turnstile: turnstile, tenant: tenant, random: seed.stream("faults")) {
            scenario.client(named: $0).device
        }
        if let target = options.target {
            far = target.farSide(
                tenant: tenant, time: time, seed: options.seed, stream: variant.stream)
        } else {
            let network = VirtualNetwork()
            let environment = HostedEnvironment(
                tenant: tenant.tenant, policies: tenant.policies, pages: tenant.pages, seed: seed, time: time.clock,
                network: network,
                callouts: hub, services: options.services,
                directory: PolicyDirectory(tenant, seed: seed, now: start))
            options.coverage?.add(tenant.policies)
            far = LocalBackend(environment: environment, network: network, coverage: options.coverage)
        }
    }

    /// Connects what refers to one another; called once before the first step.
    func begin() async throws(StepProblem) {
        try await far.begin()
        await hub.attach(far)
        await applyDevices()
    }

    var mainLane: Lane { Lane(id: .main, transport: hub, turnstile: turnstile, time: time) }

    // MARK: Who is who

    /// The client that acts in a step.
    func clientName(_ step: Step, inherited: String?) throws(StepProblem) -> String {
        if let name = step.client ?? inherited ?? variant.scenario.app { return name }
        throw StepProblem("no client is named, and the tenant has more than one app: name one by `client` or `app`")
    }

    nonisolated func declaration(_ client: String) -> ClientDeclaration { variant.scenario.client(named: client) }

    /// The app of a client with everything patched over it.
    func app(of client: String) throws(StepProblem) -> AppSettings { try settings.app(of: declaration(client)) }

    /// The running copy of an app; made at first use.
    func client(_ name: String) async throws(StepProblem) -> PublicClient {
        if let client = clients[name] { return client }
        let declaration = declaration(name)
        let app = try app(of: name)
        // What pages store belongs to the browser, what apps store to the device.
        let store = app.client.kind.traits.runsInPage ? "browser \(declaration.browser)" : declaration.device
        let keychain = keychains[store] ?? Keychain()
        keychains[store] = keychain
        let client = PublicClient(
            name: name, app: app, tenant: try settings.surroundings(of: declaration),
            device: try device(declaration.device),
            keychain: keychain,
            random: seed.stream("client/\(name)"))
        clients[name] = client
        return client
    }

    func device(_ name: String) throws(StepProblem) -> DeviceState {
        let device = try settings.device(name)
        let clock = SkewedClock(time, skew: device.clock.skew, rate: device.clock.rate, since: startTime)
        return DeviceState(name: name, settings: device, clock: clock)
    }

    func browser(of client: String) async throws(StepProblem) -> any PersonalBrowser {
        let declaration = declaration(client)
        if let browser = browsers[declaration.browser] { return browser }
        let settings = try self.settings.browser(declaration.browser)
        let locale = try device(declaration.device).settings.locale
        let browser: any PersonalBrowser
        if let driver = options.target?.browser {
            browser = try await realBrowser(declaration.browser, settings, locale: locale, driver)
        } else {
            browser = Browser(
                name: declaration.browser, settings: settings, locale: locale, providers: providerButtons,
                mailbox: HubMailbox(hub: hub, readsServiceMail: options.answers != nil), answers: options.answers)
        }
        browsers[declaration.browser] = browser
        hosts[declaration.browser] = declaration.device
        return browser
    }

    private func realBrowser(
        _ name: String, _ settings: BrowserSettings, locale: String, _ driver: BrowserDriver
    ) async throws(StepProblem) -> RealBrowser {
        guard let route = await hub.browserRoute() else { throw StepProblem("the target is out of a browser's reach") }
        let hub = hub
        let language = settings.languages(on: locale)
        let witness = RealBrowser.BrowserObserver(
            acts: { await hub.browserActs($0) }, rests: { await hub.browserRests($0) },
            blocked: { await hub.block($0) })
        return RealBrowser(
            name: name, settings: settings, providers: providerButtons, mailbox: HubMailbox(hub: hub),
            onlyHosts: route.onlyHosts, showsWindow: driver.showsWindow, witness: witness
        ) { kind async throws(WebDriverError) in
            try await driver.open(
                kind, along: route, language: language,
                userAgent: kind == .embedded ? Browser.embeddedUserAgent : nil)
        }
    }

    /// Releases what the world holds, and drops every reference back to it.
    func end() async {
        for name in browsers.keys.sorted() { await browsers[name]?.quit() }
        browsers = [:]
        await hub.dissolve()
    }

    /// The settings of the browser that a client uses.
    func browserSettings(of client: String) throws(StepProblem) -> BrowserSettings {
        try settings.browser(declaration(client).browser)
    }

    private var providerButtons: [(name: String, exchange: String)] {
        tenant.tenant.providers.map { ($0.name, $0.exchange) }
    }

    /// The client in the same browser whose app has registered this address for front-channel sign-out: one that runs
    /// where one does.
    func client(withLogoutURL url: WebURL, besides client: String) throws(StepProblem) -> String? {
        let browser = declaration(client).browser
        let apps = tenant.tenant.apps.filter { app in
            app.registration.logoutUrl.flatMap { WebURL($0) }.map { $0 == url } ?? false
        }.map(\.name)
        let running = clients.keys.sorted().filter { declaration($0).browser == browser }
        return running.first { apps.contains(declaration($0).app) } ?? apps.first { declaration($0).browser == browser }
    }

    /// The names of the clients that run on a device, in the order they were made known.
    func clientNames(on device: String) -> [String] {
        clients.keys.sorted().filter { declaration($0).device == device }
    }

    /// A person of the tenant file as they are by now.
    func person(_ name: String) throws(StepProblem) -> Person { try settings.person(name) }

    // MARK: Changes

    /// Lays a patch over the tenant file and passes the change to authority, devices, browsers and clients.
    ///
    /// - Parameter client: The client whose device and browser the patch changes; nil: those of all.
    func configure(_ patch: JSONValue, client: String?) async throws(StepProblem) {
        if let rest = try settings.patch(patch, for: client.map(declaration)) {
            await hub.classify(by: tenant)
            try await far.configure(tenant: tenant, patch: rest)
        }
        try await refreshParties()
        await applyDevices()
    }

    private func refreshParties() async throws(StepProblem) {
        for name in clients.keys.sorted() {
            guard let client = clients[name] else { continue }
            await client.configure(
                app: try app(of: name), tenant: try settings.surroundings(of: declaration(name)),
                device: try device(declaration(name).device))
        }
        for name in browsers.keys.sorted() {
            let browser = try settings.browser(name)
            let locale = try hosts[name].map(device)?.settings.locale ?? tenant.tenant.device.locale
            await browsers[name]?.configure(browser, locale: locale, providers: providerButtons)
        }
    }

    private func applyDevices() async {
        var names = Set(clients.keys.map { declaration($0).device })
        names.formUnion(variant.scenario.clients.map(\.device))
        names.formUnion(["device"])
        var offline: [String] = []
        for name in names.sorted() {
            if let state = try? device(name), state.settings.network == .offline { offline.append(name) }
        }
        await hub.setOffline(offline)
    }

    /// `createClient`: settings for this client from now on, and a fresh start of its library.
    func createClient(_ name: String, settings: JSONValue) async throws(StepProblem) -> ClientOutcome {
        self.settings.patch(client: name, by: settings)
        let client = try await client(name)
        await client.configure(
            app: try app(of: name), tenant: try self.settings.surroundings(of: declaration(name)),
            device: try device(declaration(name).device))
        return await client.createClient()
    }

    /// A page accepted what a person set there: their record follows, the directory has it already.
    func follow(_ changes: [RecordChange]) { settings.follow(changes) }

    // MARK: The authority and its neighbours

    func command(_ command: ControlCommand) async -> ControlAnswer { await far.command(command) }

    func restartAPI(_ name: String?) async throws(StepProblem) { try await far.restartAPI(name) }

    func wipe(_ what: [Restart.Store], client: String) async throws(StepProblem) {
        for item in what {
            switch item {
            case .cookies:
                await browsers[declaration(client).browser]?.wipeCookies()
                for name in clients.keys.sorted() where declaration(name).browser == declaration(client).browser {
                    await clients[name]?.cookiesWiped()
                }
            case .storage: await clients[client]?.wipeStorage()
            case .cache: await clients[client]?.wipeCache()
            }
        }
    }

    func restartBrowser(of client: String) async {
        let browser = declaration(client).browser
        await browsers[browser]?.restart()
        for name in clients.keys.sorted() where declaration(name).browser == browser {
            await clients[name]?.browserClosed()
        }
    }

    /// A step is over, and with it whatever its completion handler did.
    func completionsReturned() async {
        for name in clients.keys.sorted() { await clients[name]?.completionReturned() }
    }

    func restartClient(_ name: String) async {
        interactions[name] = nil
        await clients[name]?.restart()
    }

    // MARK: Values

    func scope(index: Int) -> ScenarioScope {
        var table = table
        table.index = index
        return ScenarioScope(table: table, live: WorldValues(world: self))
    }

    /// Keeps an outcome that the script reads later. Of any other only the id stays: a message about a name that does not
    /// exist proposes one that does.
    func keep(_ outcome: StepOutcome, as id: String) {
        table.outcomes[id] = outcomeUse.reads(id) ? outcome.json : .null
    }

    func set(table: ValueTable) { self.table = table }
}
