import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import Testing

@testable import MockServerCore

/// Worlds, their time and their logs.
@Suite struct WorldTests {
    @Test(
        arguments: [
            ("w1", "w1", nil, nil),
            ("w1;exchange=4.1", "w1", "4.1", nil),
            ("w1; exchange=4; now=2026-01-01T00:00:00.250Z", "w1", "4", Int64(1_767_225_600_250)),
            ("default;now=2026-01-01T00:00:00Z", "default", nil, Int64(1_767_225_600_000)),
        ] as [(String, String, String?, Int64?)])
    func `the header names a world`(text: String, world: String, exchange: String?, now: Int64?) throws {
        let selector = try #require(WorldSelector(text))
        #expect(selector.world == world)
        #expect(selector.exchange == exchange)
        #expect(selector.now?.milliseconds == now)
    }

    @Test(arguments: Party.allCases) func `the header says who sends a request`(party: Party) {
        #expect(WorldSelector("w1;from=\(party.rawValue)")?.from == party)
    }

    @Test(arguments: [
        "", ";exchange=4", "w1;from=nobody", "w1;now=tomorrow", "w1;x", "w1;exchange=",
        "w1;exchange=9223372036854775807",
        "w1;exchange=1234567890", "w1;exchange=-1", "w1;exchange=+1", "w1;exchange=1..2", "w1;exchange=4.",
        "w1;exchange=a", "w1;exchange=1.9223372036854775807", "w1;now=10000-01-01T00:00:00Z",
    ])
    func `a malformed header names none`(text: String) {
        #expect(WorldSelector(text) == nil)
    }

    @Test func `time runs, is frozen, and is moved`() {
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

    @Test func `a made world has its own state, its own time, and ends`() async throws {
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

    @Test func `an unknown host in a made world is a failure of the network, in words`() async throws {
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

    @Test(arguments: [
        "default;now=9999-12-31T23:59:59Z", "default;exchange=999999999", "default;exchange=4", "default;from=api",
    ])
    func `nobody steers the default world by the header, from this machine or another`(selector: String) async throws {
        let stage = try await Stage()
        let before = stage.world.time.now()
        for isLoopback in [true, false] {
            let answer = try #require(
                await stage.send(FrontTests.discovery, headers: ["B2C-World": selector], isLoopback: isLoopback))
            #expect(answer.status == 403)
        }
        #expect(stage.world.time.now() == before)
        #expect(stage.world.exchangesSoFar.isEmpty)
        // The next one comes through as ever.
        #expect(await stage.send(FrontTests.discovery, headers: ["B2C-World": "default"])?.status == 200)
        #expect(stage.world.exchangesSoFar.map(\.number) == ["1"])
    }

    @Test func `the name of a made world cannot be guessed, and the access log does not have it`() async throws {
        let stage = try await Stage()
        let tenant = try CompiledTenant.compile(Stage.tenant)
        var names: [String] = []
        for _ in 0..<3 {
            let now = Timestamp(seconds: 1_800_000_000)
            names.append(
                await stage.front.worlds.make(seed: SeededGenerator(seed: 3), tenant: tenant, now: now).name)
        }
        let secrets = names.compactMap { $0.split(separator: "-").last }
        #expect(Set(secrets).count == 3 && secrets.allSatisfy { $0.count == 32 })
        #expect(await stage.send("/x", headers: ["B2C-World": "w1"])?.status == 404)
        #expect(await stage.send(FrontTests.discovery, headers: ["B2C-World": names[0]]) != nil)
        #expect(stage.lines.all.last?.contains("world=w1") == true)
        #expect(stage.lines.all.allSatisfy { line in secrets.allSatisfy { !line.contains($0) } })
    }

    @Test func `the greatest number that a runner can give is followed by another`() async throws {
        let stage = try await Stage()
        let world = await stage.front.worlds.make(
            seed: SeededGenerator(seed: 3), tenant: try CompiledTenant.compile(Stage.tenant),
            now: Timestamp(seconds: 1_800_000_000))
        for selector in ["\(world.name);exchange=999999999", world.name] {
            _ = await stage.send(
                FrontTests.discovery, host: "contoso.b2clogin.com", scheme: "https", headers: ["B2C-World": selector])
        }
        #expect(world.exchangesSoFar.map(\.number) == ["999999999", "1000000000"])
    }

    @Test func `refusals below the control API are JSON, and TRACE names what is allowed`() async throws {
        let stage = try await Stage()
        for (target, method, headers, status) in [
            ("/_b2c/v1/clock", "GET", ["B2C-World": ";;"], 400), ("/_b2c/v1/clock", "TRACE", [:], 405),
            ("/_b2c/v1/clock", "PATCH", ["B2C-World": "default;exchange=1"], 403),
            ("/_b2c/v1/\(String(repeating: "x", count: 40_000))", "GET", [:], 414),
        ] as [(String, String, Headers, Int)] {
            let answer = try #require(await stage.send(target, method: method, headers: headers))
            #expect(answer.status == status)
            #expect(answer.json?["error"]?["message"]?.stringValue?.isEmpty == false)
            if method == "TRACE" { #expect(answer.headers["Allow"]?.contains("GET") == true) }
        }
        let page = try #require(await stage.send("/x", method: "TRACE"))
        #expect(page.headers["Allow"] != nil && page.json == nil)
    }

    @Test func `a URL may be plain though the connection is secure; a made world answers as one in process does`()
        async throws
    {
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

    @Test func `a browser that must name the world to another origin may, and nothing more`() async throws {
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

    @Test func `cookies of a real browser end by its own clock, the runner's by that of the world`() {
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

    @Test func `exchanges without numbers come after the numbers that a runner gave`() async throws {
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

    @Test func `calls that APIs make are logged under the request that caused them`() async throws {
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

    @Test func `refusals are in the journal, with the request they belong to, before the request itself`() async throws
    {
        let stage = try await Stage()
        _ = await stage.send("/contoso.onmicrosoft.com/B2C_1_none/oauth2/v2.0/authorize")
        let entries = stage.world.journal.page(since: 0).entries.map { $0.json(stage.world.classifier) }
        #expect(entries.map { $0["type"]?.stringValue } == ["refusal", "request"])
        #expect(entries.first?["exchange"]?.stringValue == "1")
        #expect(entries.first?["reason"]?.stringValue?.contains("no policy B2C_1_none") == true)
    }
}

/// Who may use the control API.
@Suite struct ControlGateTests {
    struct ControlService: ControlDesk {
        func answer(_ request: RequestMessage, world: String) async -> ServerAnswer {
            .message(.json(200, ["world": .string(world), "path": .string(request.url.path)]))
        }
    }

    @Test(
        arguments: [
            ("localhost:9400", true, [:], 200, 200),
            ("127.0.0.1:9400", true, [:], 200, 200),
            ("[::1]:9400", true, [:], 200, 200),
            ("contoso.b2clogin.com", true, [:], 403, 200),
            ("localhost:9400", false, [:], 403, 403),
            ("rebound.evil.test", true, [:], 403, 403),
            ("localhost:9400", true, ["Origin": "http://localhost:9400"], 403, 200),
            ("localhost:9400", true, ["Origin": "http://localhost:9401"], 403, 403),
            ("localhost:9400", true, ["Origin": "http://evil.test"], 403, 403),
            ("localhost:9400", true, ["Origin": "null"], 403, 403),
            ("localhost:9400", true, ["Sec-Fetch-Site": "cross-site"], 403, 403),
            ("localhost:9400", true, ["Sec-Fetch-Site": "same-site"], 403, 403),
            ("localhost:9400", true, ["Sec-Fetch-Site": "same-origin"], 403, 200),
            // An address that somebody types, and a program that speaks as browsers do.
            ("localhost:9400", true, ["Sec-Fetch-Site": "none"], 200, 200),
            ("localhost:9400", true, ["Sec-Fetch-Mode": "cors"], 200, 200),
        ] as [(String, Bool, Headers, Int, Int)])
    func `without a token only programs of this machine are admitted, and pages only at the inspector's port`(
        host: String, isLoopback: Bool, headers: Headers, main: Int, console: Int
    ) async throws {
        let stage = try await Stage(desk: ControlService())
        for (isConsole, status) in [(false, main), (true, console)] {
            let answer = try #require(
                await stage.send(
                    "/_b2c/v1/worlds", host: host, headers: headers, isLoopback: isLoopback, isConsole: isConsole))
            #expect(answer.status == status)
        }
        // Over TLS browsers say at every address which page they come from.
        if host == "contoso.b2clogin.com" {
            #expect(await stage.send("/_b2c/v1/worlds", host: host, scheme: "https")?.status == 200)
        }
    }

    @Test func `the inspector has its own port, and the main port leads there`() async throws {
        let stage = try await Stage(desk: ControlAPI(worlds: try await Stage().front.worlds))
        #expect(await stage.send("/_b2c/", isConsole: true)?.status == 200)
        #expect(await stage.send("/health", isConsole: true)?.status == 200)
        #expect(await stage.send("/", isConsole: true)?.headers["Location"] == "/_b2c/")
        for (target, host) in [
            (FrontTests.discovery, "localhost:9401"), (FrontTests.discovery, "contoso.b2clogin.com"),
            ("/_hosts/graph.microsoft.com/v1.0/me", "localhost:9401"), ("/v1.0/me", "graph.microsoft.com"),
        ] {
            #expect(await stage.send(target, host: host, isConsole: true)?.status == 404)
        }
        stage.front.consolePort.withLock { $0 = 9401 }
        for target in ["/_b2c", "/_b2c/"] {
            let answer = await stage.send(target, headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(answer?.headers["Location"] == "http://localhost:9401/_b2c/")
        }
        let secure = await stage.send("/_b2c/", host: "contoso.b2clogin.com", scheme: "https")
        #expect(secure?.headers["Location"] == "https://contoso.b2clogin.com:9401/_b2c/")
        let page = await stage.send("/_b2c/", host: "graph.microsoft.com")
        #expect(page?.headers["Location"]?.contains("9401") != true)
    }

    @Test func `the inspector is served without a token, and what it asks for needs one`() async throws {
        let stage = try await Stage(desk: ControlAPI(worlds: try await Stage().front.worlds), token: "s3cret")
        #expect(await stage.send("/_b2c/", isLoopback: false, isConsole: true)?.status == 200)
        #expect(await stage.send("/_b2c/v1/clock", isConsole: true)?.status == 401)
        #expect(await stage.send("/_b2c/x", isConsole: true)?.status == 401)
    }

    @Test func `a caller without admission is refused before the body`() async throws {
        func limit(_ target: String, _ headers: Headers = [:], isLoopback: Bool = true, token: String? = nil)
            async throws -> Int?
        {
            let stage = try await Stage(desk: ControlService(), token: token)
            let head = IncomingRequest(
                method: "POST", scheme: "http", host: "localhost:9400", target: target, headers: headers, body: [],
                peer: "", isLoopback: isLoopback)
            guard case .body(let limit) = stage.front.admission(head, Limits()) else { return nil }
            return limit
        }
        let limits = Limits()
        #expect(try await limit("/_b2c/v1/worlds") == limits.controlBodySize)
        #expect(try await limit("/_b2c/v1/worlds", isLoopback: false) == nil)
        #expect(try await limit("/_b2c/v1/worlds", ["Origin": "http://evil.test"]) == nil)
        #expect(try await limit("/_b2c/v1/worlds", token: "s3cret") == nil)
        let shown: Headers = ["Authorization": "Bearer s3cret"]
        #expect(
            try await limit("/_b2c/v1/worlds", shown, isLoopback: false, token: "s3cret") == limits.controlBodySize)
        #expect(try await limit("/contoso.onmicrosoft.com/x", isLoopback: false) == limits.bodySize)
        #expect(try await limit("/_b2cx", isLoopback: false) == limits.bodySize)
    }

    @Test(arguments: [("Bearer s3cret", 200), ("Bearer s3crex", 401), ("", 401)])
    func `with a token only clients that send it are admitted`(shown: String, status: Int) async throws {
        let stage = try await Stage(desk: ControlService(), token: "s3cret")
        let answer = try #require(
            await stage.send(
                "/_b2c/v1/worlds", host: "elsewhere.test", headers: ["Authorization": shown], isLoopback: false))
        #expect(answer.status == status)
        if status == 401 { #expect(answer.headers["WWW-Authenticate"] != nil) }
    }
}
