import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import Testing

@testable import MockServer

@Suite("Worlds, their time and their logs")
struct WorldTests {
    @Test(
        "The header names a world",
        arguments: [
            ("w1", "w1", nil, nil),
            ("w1;exchange=4.1", "w1", "4.1", nil),
            ("w1; exchange=4; now=2026-01-01T00:00:00.250Z", "w1", "4", Int64(1_767_225_600_250)),
            ("default;now=2026-01-01T00:00:00Z", "default", nil, Int64(1_767_225_600_000)),
        ] as [(String, String, String?, Int64?)])
    func selector(text: String, world: String, exchange: String?, now: Int64?) throws {
        let selector = try #require(WorldSelector(text))
        #expect(selector.world == world)
        #expect(selector.exchange == exchange)
        #expect(selector.now?.milliseconds == now)
    }

    @Test("A malformed header names none", arguments: ["", ";exchange=4", "w1;now=tomorrow", "w1;x", "w1;exchange="])
    func malformedSelector(text: String) {
        #expect(WorldSelector(text) == nil)
    }

    @Test("Time runs, stands, and is moved")
    func time() {
        let system = FixedClock(Timestamp(seconds: 1_000))
        let time = WorldTime(system: system)
        #expect(time.now() == Timestamp(seconds: 1_000))
        time.advance(by: .seconds(60))
        #expect(time.now() == Timestamp(seconds: 1_060))
        time.freeze(true)
        time.advance(to: Timestamp(seconds: 1_050))
        #expect(time.now() == Timestamp(seconds: 1_060))
        time.advance(to: Timestamp(seconds: 1_070))
        #expect(time.now() == Timestamp(seconds: 1_070))
        time.freeze(false)
        #expect(time.now() == Timestamp(seconds: 1_070))
        time.set(Timestamp(seconds: 500))
        #expect(time.now() == Timestamp(seconds: 500))
        #expect(time.offset == .seconds(-500))
    }

    @Test("A made world has its own state, its own time, and ends")
    func made() async throws {
        let stage = try await Stage()
        let tenant = try CompiledTenant.compile(Stage.tenant)
        let start = Timestamp(seconds: 1_800_000_000)
        let world = await stage.front.worlds.make(seed: SeededGenerator(seed: 3), tenant: tenant, now: start)
        #expect(stage.front.worlds.names == ["default", world.name])
        let answer = try #require(
            await stage.send(
                FrontTests.discovery, host: "contoso.b2clogin.com", scheme: "https",
                headers: ["B2C-World": "\(world.name);exchange=7;now=2027-01-15T08:00:05Z"]))
        #expect(answer.status == 200)
        #expect(world.time.now() == start + .seconds(5))
        #expect(answer.headers["Date"] == (start + .seconds(5)).httpDate)
        let logged = try #require(world.exchangesSoFar.first)
        #expect(logged.number == "7")
        #expect(logged.endpoint == "discovery")
        #expect(logged.policy == "susi")
        #expect(logged.request.headers["B2C-World"] == nil)
        #expect(stage.world.exchangesSoFar.isEmpty)
        #expect(stage.front.worlds.remove(world.name))
        #expect(!stage.front.worlds.remove(world.name))
        #expect(!stage.front.worlds.remove("default"))
        #expect(await stage.send("/health2", headers: ["B2C-World": world.name])?.status == 404)
    }

    @Test("In a made world a host that nobody has is a failure of the network, told in words")
    func unknownHost() async throws {
        let stage = try await Stage()
        let tenant = try CompiledTenant.compile(Stage.tenant)
        let world = await stage.front.worlds.make(
            seed: SeededGenerator(seed: 3), tenant: tenant, now: Timestamp(seconds: 1_800_000_000))
        let answer = try #require(
            await stage.send("/x", host: "nobody.test", scheme: "https", headers: ["B2C-World": world.name]))
        #expect(answer.status == 502)
        #expect(answer.headers["B2C-World-Error"] == "dns")
        let closed = try #require(
            await stage.send(
                "/x", host: "graph.microsoft.com:81", scheme: "https", headers: ["B2C-World": world.name]))
        #expect(closed.headers["B2C-World-Error"] == "refused")
    }

    @Test("A URL may be plain though the connection is secure; a made world answers as one in process does")
    func plainURL() async throws {
        let stage = try await Stage()
        let tenant = try CompiledTenant.compile(Stage.tenant)
        let world = await stage.front.worlds.make(
            seed: SeededGenerator(seed: 3), tenant: tenant, now: Timestamp(seconds: 1_800_000_000))
        let answer = try #require(
            await stage.send(
                FrontTests.discovery, host: "contoso.b2clogin.com", scheme: "https",
                headers: ["B2C-World": "\(world.name);scheme=http"]))
        #expect(answer.json?["issuer"]?.stringValue?.hasPrefix("https://contoso.b2clogin.com/") == true)
        #expect(world.exchangesSoFar.first?.request.url.scheme == "http")
    }

    @Test("A browser that must name the world to another origin may, and nothing more")
    func preflight() async throws {
        let stage = try await Stage()
        let asked: Headers = [
            "Origin": "https://contoso.b2clogin.com", "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "b2c-world",
        ]
        let answer = try #require(
            await stage.send("/page.html", method: "OPTIONS", host: "cdn.contoso.test", scheme: "https", headers: asked)
        )
        #expect(answer.status == 204)
        #expect(answer.headers["Access-Control-Allow-Origin"] == "https://contoso.b2clogin.com")
        #expect(answer.headers["Access-Control-Allow-Headers"] == "B2C-World")
        #expect(stage.world.exchangesSoFar.isEmpty)
        var more = asked
        more["Access-Control-Request-Headers"] = "b2c-world,x-own"
        let other = try #require(
            await stage.send("/page.html", method: "OPTIONS", host: "cdn.contoso.test", scheme: "https", headers: more))
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
        #expect(stage.world.exchangesSoFar.count == 1)
    }

    @Test("Cookies of a real browser end by its own clock, the runner's by that of the world")
    func cookieDates() {
        var message = ResponseMessage(
            status: 200,
            headers: ["Set-Cookie": "a=expires=1; expires=Thu, 15 Jan 2026 12:00:00 GMT; path=/", "Date": "x"])
        message.headers.append("Set-Cookie", "b=2; Expires=Thu, 15 Jan 2026 12:00:00 GMT")
        message.headers.append("Set-Cookie", "c=3; path=/; secure")
        message.moveCookies(by: .seconds(86_400))
        #expect(
            message.headers.all("Set-Cookie") == [
                "a=expires=1; expires=Fri, 16 Jan 2026 12:00:00 GMT; path=/",
                "b=2; Expires=Fri, 16 Jan 2026 12:00:00 GMT", "c=3; path=/; secure",
            ])
    }

    @Test("Who sends without numbers comes after the numbers that a runner gave")
    func numbers() async throws {
        let stage = try await Stage()
        let world = await stage.front.worlds.make(
            seed: SeededGenerator(seed: 3), tenant: try CompiledTenant.compile(Stage.tenant),
            now: Timestamp(seconds: 1_800_000_000))
        for selector in ["\(world.name);exchange=7", "\(world.name);from=browser", "\(world.name);from=browser"] {
            _ = await stage.send(
                FrontTests.discovery, host: "contoso.b2clogin.com", scheme: "https", headers: ["B2C-World": selector])
        }
        #expect(world.exchangesSoFar.map(\.number) == ["7", "8", "9"])
        #expect(world.exchangesSoFar.map(\.context.from) == [.client, .browser, .browser])
    }

    @Test("Calls that APIs make are logged under the request that caused them")
    func callouts() async throws {
        let stage = try await Stage()
        let api = try #require(stage.world.tenant.tenant.apis.first.flatMap { WebURL($0.baseUrl)?.host })
        let token = "eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.eyJhIjoxfQ.AAAA"
        let answer = try #require(
            await stage.send("/tasks", host: api, headers: ["Authorization": "Bearer \(token)"]))
        #expect(answer.status == 401)
        #expect(answer.headers["WWW-Authenticate"]?.contains("invalid_token") == true)
        // A call is put down when its answer is known, so before the one that caused it.
        let log = stage.world.exchangesSoFar.sorted { $0.number < $1.number }
        #expect(log.map(\.number) == ["1", "1.1", "1.2"])
        #expect(log.map(\.endpoint) == ["api", "discovery", "keys"])
    }

    @Test("Refusals are in the journal, with the request they belong to, before the request itself")
    func events() async throws {
        let stage = try await Stage()
        _ = await stage.send("/contoso.onmicrosoft.com/B2C_1_none/oauth2/v2.0/authorize")
        let entries = stage.world.journal.page(since: 0).entries.map { $0.json(stage.world.classifier) }
        #expect(entries.map { $0["type"]?.stringValue } == ["refusal", "request"])
        #expect(entries.first?["exchange"]?.stringValue == "1")
        #expect(entries.first?["reason"]?.stringValue?.contains("no policy B2C_1_none") == true)
    }
}

@Suite("Who may use the control API")
struct ControlGateTests {
    struct Desk: ControlDesk {
        func answer(_ request: RequestMessage, world: String) async -> ServerAnswer {
            .message(.json(200, ["world": .string(world), "path": .string(request.url.path)]))
        }
    }

    @Test(
        "Only this machine, only under its own names, and no page of another site",
        arguments: [
            ("localhost:9400", true, [:], 200),
            ("127.0.0.1:9400", true, [:], 200),
            ("[::1]:9400", true, [:], 200),
            ("contoso.b2clogin.com", true, [:], 200),
            ("localhost:9400", false, [:], 403),
            ("rebound.evil.test", true, [:], 403),
            ("localhost:9400", true, ["Origin": "http://localhost:9400"], 200),
            ("localhost:9400", true, ["Origin": "http://evil.test"], 403),
            ("localhost:9400", true, ["Origin": "null"], 403),
            ("localhost:9400", true, ["Sec-Fetch-Site": "cross-site"], 403),
            ("localhost:9400", true, ["Sec-Fetch-Site": "same-origin"], 200),
        ] as [(String, Bool, Headers, Int)])
    func withoutToken(host: String, isLoopback: Bool, headers: Headers, status: Int) async throws {
        let stage = try await Stage(desk: Desk())
        let answer = try #require(
            await stage.send("/_b2c/v1/worlds", host: host, headers: headers, isLoopback: isLoopback))
        #expect(answer.status == status)
    }

    @Test("With a token whoever shows it", arguments: [("Bearer s3cret", 200), ("Bearer s3crex", 401), ("", 401)])
    func withToken(shown: String, status: Int) async throws {
        let stage = try await Stage(desk: Desk(), token: "s3cret")
        let answer = try #require(
            await stage.send(
                "/_b2c/v1/worlds", host: "elsewhere.test", headers: ["Authorization": shown], isLoopback: false))
        #expect(answer.status == status)
        if status == 401 { #expect(answer.headers["WWW-Authenticate"] != nil) }
    }
}
