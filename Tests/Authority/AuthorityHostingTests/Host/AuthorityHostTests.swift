import AuthorityHosting
import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import MockAuthority
import Synchronization
import TenantFiles
import Testing
import TrustFramework

/// Authority host.
@Suite struct AuthorityHostTests {
    struct World {
        var tenant: Tenant
        var host: AuthorityHost
        var clock = TestClock()
        var transport: Recorder
        let network = VirtualNetwork()

        init(store: any StateStore = MemoryStore(), seed: UInt64 = 3) throws {
            tenant = try Tenant(json: [
                "name": "contoso",
                "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn", "providers": ["facebook"]]],
                "apps": [
                    "ios": ["client": ["kind": "msal-ios", "policy": "susi"], "platform": ["bundleId": "com.a.b"]]
                ],
                "providers": ["facebook": ["type": "oauth2"]],
                "users": [
                    "ada": [
                        "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada",
                        "providers": ["facebook": [:]],
                    ]
                ],
            ])
            transport = Recorder(network)
            host = AuthorityHost(
                tenant: tenant, policies: try PolicyLibrary.load(tenant: tenant) { _ in nil },
                seed: SeededGenerator(seed: seed), clock: clock, callouts: transport, store: store)
            network.attach(host, hosts: AuthorityHost.hosts(of: tenant))
            let settings = try #require(tenant.provider(named: "facebook"))
            let provider = StubProvider(
                settings: settings, tenant: tenant, seed: SeededGenerator(seed: seed), clock: clock)
            network.attach(provider, at: try url(settings.issuer))
        }

        func get(_ address: String) async throws -> ResponseMessage {
            try await network.send(.get(url(address)), ExchangeContext())
        }

        func authorizeURL() throws -> WebURL {
            let app = try #require(tenant.app(named: "ios"))
            var address = try url(
                AuthorityURLs.endpoint(
                    .authorize, host: tenant.host, tenantSegment: tenant.domain, policy: "B2C_1_susi", form: .tfp))
            address.queryItems = [
                "client_id": app.registration.clientId, "response_type": "code",
                "redirect_uri": app.client.redirectUri, "scope": "openid offline_access \(app.registration.clientId)",
                "code_challenge": PKCE.challenge(WorkforceWorld.verifier), "code_challenge_method": "S256",
            ]
            return address
        }
    }

    private let discovery =
        "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"

    @Test func `a host answers for its tenant`() async throws {
        let world = try World()
        let response = try await world.get(discovery)
        #expect(response.status == 200)
        #expect(response.json?["token_endpoint"]?.stringValue?.contains("b2c_1_susi") == true)
        #expect(try await world.get("https://contoso.b2clogin.com/other/B2C_1_susi/discovery/v2.0/keys").status == 404)
    }

    @Test func `Microsoft's own host answers instance discovery`() async throws {
        let world = try World()
        let base = "https://login.microsoftonline.com/common/discovery/instance?api-version=1.1&authorization_endpoint="
        let unknown = try await world.get(base + "https://contoso.b2clogin.com/x/oauth2/v2.0/authorize")
        #expect(unknown.json?["error"] == "invalid_instance")
        let known = try await world.get(base + "https://login.microsoftonline.com/common/oauth2/v2.0/authorize")
        #expect(known.json?["tenant_discovery_endpoint"] != nil)
    }

    /// Signs in at the provider and comes back: the host makes the calls that the journey asks for.
    static func signInAtProvider(_ world: World, context: ExchangeContext) async throws -> ResponseMessage {
        let page = try await world.network.send(.get(try world.authorizeURL()), context)
        var jar = CookieJar()
        func store(_ response: ResponseMessage, _ address: WebURL) {
            for cookie in response.headers.all("Set-Cookie") {
                _ = jar.store(cookie, from: address, at: world.clock.now(), context: CookieContext(method: "GET"))
            }
        }
        func send(_ request: RequestMessage) async throws -> ResponseMessage {
            var request = request
            request.headers["Cookie"] =
                jar.header(for: request.url, at: world.clock.now(), context: CookieContext(method: "GET")).header
            let response = try await world.network.send(request, context)
            store(response, request.url)
            return response
        }
        store(page, try world.authorizeURL())
        let settings = try #require(PageSettings.read(html: page.text))
        let chosen = try #require(settings.providers.first { $0.id == "FacebookExchange" })
        var address = try url(
            "https://\(world.tenant.host)\(settings.tenantPath)/api/\(settings.api)/unified")
        address.queryItems = [
            "claimsexchange": chosen.id, "csrf_token": settings.csrf, "tx": settings.transId, "p": settings.policy,
        ]
        let toProvider = try await send(.get(address))
        let providerURL = try #require(toProvider.location, "\(toProvider.text)")
        #expect(providerURL.host == "facebook.provider.test")
        let back = try await send(
            .post(providerURL, form: ["username": "ada@example.test", "password": "x", "action": "accept"]))
        let location = try #require(back.location, "\(back.refusal ?? back.text)")
        return try await send(.get(location))
    }

    @Test func `callouts are the authority's, under their cause`() async throws {
        let world = try World()
        let context = ExchangeContext(
            lane: LaneID(path: [1]), from: .browser, client: "ios", device: "phone", number: "12")
        let answer = try await Self.signInAtProvider(world, context: context)
        #expect(answer.status < 400, "\(answer.refusal ?? answer.text)")
        #expect(
            world.transport.urls == ["https://facebook.provider.test/token", "https://facebook.provider.test/userinfo"])
        for exchange in world.transport.exchanges {
            #expect(exchange.context.from == .authority)
            #expect(exchange.context.lane == LaneID(path: [1]))
            #expect(exchange.context.parent == "12")
            #expect(exchange.context.device == nil)
            #expect(exchange.context.timeout != nil)
        }
        let events = world.host.drainEvents()
        #expect(events.contains { if case .traced("12", _) = $0 { true } else { false } })
        #expect(world.host.drainEvents().isEmpty)
    }

    /// A provider whose token endpoint has gone.
    private struct Broken: Responder {
        var provider: any Responder

        func respond(
            to request: RequestMessage, _ context: ExchangeContext
        ) async throws(TransportError) -> ResponseMessage {
            if request.url.path == "/token" { throw .reset }
            return try await provider.respond(to: request, context)
        }
    }

    @Test func `callouts that fail are answers too`() async throws {
        let world = try World()
        let settings = try #require(world.tenant.provider(named: "facebook"))
        let provider = StubProvider(
            settings: settings, tenant: world.tenant, seed: SeededGenerator(seed: 1), clock: world.clock)
        world.network.attach(Broken(provider: provider), at: try url(settings.issuer))
        let answer = try await Self.signInAtProvider(world, context: ExchangeContext(from: .browser, number: "5"))
        #expect(world.transport.urls == ["https://facebook.provider.test/token"])
        let said = answer.location?.queryItems["error_description"] ?? answer.text
        #expect(said.contains("AADB2C"))
        #expect(answer.location?.queryItems["code"] == nil)
        #expect(answer.refusal != nil)
    }

    @Test func `the same seed gives the same bytes`() async throws {
        var texts: [String] = []
        for _ in 0..<2 {
            let world = try World()
            let answer = try await Self.signInAtProvider(world, context: ExchangeContext(from: .browser))
            texts.append((answer.headers["Location"] ?? "") + answer.text)
        }
        #expect(texts[0] == texts[1])
    }

    @Test func `commands are answered`() async throws {
        let world = try World()
        guard case .value(let users) = await world.host.command(.inspect(.users)) else {
            Issue.record("expected a value")
            return
        }
        #expect(users["ada"] != nil)
        var changed = try #require(world.tenant.json.objectValue)
        changed["hosts"] = ["contoso.b2clogin.com", "login.contoso.test"]
        let tenant = try Tenant(json: .object(changed))
        let policies = try PolicyLibrary.load(tenant: tenant) { _ in nil }
        let answer = await world.host.command(
            .configure(
                tenant: tenant, policies: policies, patch: ["hosts": ["contoso.b2clogin.com", "login.contoso.test"]]))
        #expect(answer == .done)
        world.network.attach(world.host, hosts: AuthorityHost.hosts(of: tenant))
        #expect(
            try await world.get(discovery.replacing("contoso.b2clogin.com", with: "login.contoso.test")).status == 200)
    }
}

/// A store that counts and may fail.
private final class CountingStore: StateStore {
    struct Failed: Error {}

    private let state = Mutex<(commits: [UInt64], changes: Int, fails: Bool)>(([], 0, false))
    var keepsState: Bool { true }
    var commits: [UInt64] { state.withLock { $0.commits } }
    var changes: Int { state.withLock { $0.changes } }

    func fail() { state.withLock { $0.fails = true } }

    func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws {
        let fails = state.withLock { state in
            state.commits.append(sequence)
            state.changes += changes.count
            return state.fails
        }
        if fails { throw Failed() }
    }
}

/// Durability.
@Suite struct DurabilityTests {
    /// A sign-in changes the directory or the sessions, and leaves a code.
    private func signIn(_ world: AuthorityHostTests.World) async throws -> ResponseMessage {
        try await AuthorityHostTests.signInAtProvider(world, context: ExchangeContext(from: .browser))
    }

    @Test func `changes are stored before the answer`() async throws {
        let store = CountingStore()
        let world = try AuthorityHostTests.World(store: store)
        _ = try await world.get(
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration")
        let page = try await world.network.send(.get(try world.authorizeURL()), ExchangeContext(from: .browser))
        #expect(page.status == 200)
        #expect(store.commits.isEmpty, "journeys end with the process")
        let end = try await signIn(world)
        #expect(end.location?.queryItems["code"] != nil)
        #expect(store.changes >= 2, "a session and a code")
        #expect(store.commits.last == UInt64(store.changes))
    }

    @Test func `many requests share commits`() async throws {
        let store = CountingStore()
        let world = try AuthorityHostTests.World(store: store)
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await signIn(world).location?.queryItems["code"] }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(Set(codes.compactMap { $0 }).count == 20)
        #expect(store.commits == store.commits.sorted())
        #expect(store.commits.last == UInt64(store.changes))
    }

    @Test func `a store that fails ends the host`() async throws {
        let store = CountingStore()
        let world = try AuthorityHostTests.World(store: store)
        store.fail()
        await #expect(throws: TransportError.reset) { _ = try await signIn(world) }
        await #expect(throws: TransportError.reset) {
            _ = try await world.get(
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/discovery/v2.0/keys")
        }
        guard case .refused(let why) = await world.host.command(.inspect(.users)) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(why.contains("state store"))
        #expect(await world.host.settle() == false)
    }

    /// A store that holds each commit until the test releases it.
    private final class SlowStore: StateStore {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))
        var keepsState: Bool { true }
        var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        func commit(_ changes: [RowChange], upTo sequence: UInt64) async throws {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }

    @Test func `nothing is answered before it is stored`() async throws {
        let store = SlowStore()
        let world = try AuthorityHostTests.World(store: store)
        let end = Task { try await signIn(world) }
        while !store.isWaiting { await Task.yield() }
        // Neither another request, nor the events, know of what is not stored.
        let other = Task {
            try await world.network.send(.get(try world.authorizeURL()), ExchangeContext(from: .browser))
        }
        for _ in 0..<1000 { await Task.yield() }
        let early = world.host.drainNumberedEvents()
        store.open()
        #expect(try await other.value.status == 200)
        let code = try #require(try await end.value.location?.queryItems["code"])
        let late = world.host.drainNumberedEvents()
        #expect(!code.isEmpty)
        #expect(late.first == early.first + early.events.count)
        #expect(!late.events.isEmpty, "the end of the sign-in was held back")
    }
}
