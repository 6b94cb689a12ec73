import B2CProtocol
import CurlHTTP
import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import Synchronization

/// Sign-ins against mock-server over loopback, the clients on the same cores: authorize, post, confirmed, token.
enum LoopbackBenchmark {
    static let tenantText = SignInBenchmark.tenantText(SignInBenchmark.builtIn)

    static func run(server path: String, seconds: Double, _ targets: inout Targets) async {
        let key = TestKeys.key(0)
        let payload = [UInt8](repeating: 0x61, count: 700)
        guard let server = LoopbackServer(path) else {
            print("\(path) does not start: nothing to measure")
            exit(3)
        }
        defer { server.stop() }
        let signatures = twoCores(seconds: seconds) { _ = key.sign(payload) }
        let limit = signatures / 2
        Benchmarks.line("RS256 signer", SignatureProvider.current)
        Benchmarks.line("limit: sign-ins/s, two cores", Benchmarks.number(limit), "two signatures, nothing else")
        Benchmarks.line(
            "mock-server, start to ready", "\(Benchmarks.number(server.startMilliseconds)) ms",
            targets.wanted("ready within 100 ms", server.startMilliseconds < 100))
        if let memory = server.residentMegabytes {
            Benchmarks.line(
                "mock-server, resident when idle", "\(Benchmarks.number(memory)) MB",
                targets.wanted("under 60 MB", memory < 60))
        }
        for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
            let url = "\(server.url)/contoso.onmicrosoft.com/B2C_1_susi/\(path)"
            let rate = await documents(url, clients: 8, seconds: seconds)
            Benchmarks.line("\(path.split(separator: "/").last ?? ""), requests/s, 8 clients", Benchmarks.number(rate))
        }
        for clients in [1, 8, 64] {
            let (rate, failures) = await signIns(server.url, clients: clients, seconds: seconds * 2)
            let share = rate / limit
            let note = "\(Benchmarks.number(100 * share)) % of the limit"
            Benchmarks.line(
                "sign-ins/s over loopback, \(clients) \(clients == 1 ? "client" : "clients")", Benchmarks.number(rate),
                clients == 8
                    ? note + " " + targets.wanted("40 % of the two-core limit with 8 clients", share >= 0.4) : note)
            if failures > 0 { print("\(failures) sign-ins failed") }
        }
        if let memory = server.residentMegabytes {
            Benchmarks.line("mock-server, resident after the load", "\(Benchmarks.number(memory)) MB")
        }
    }

    private static func twoCores(seconds: Double, _ body: @escaping @Sendable () -> Void) -> Double {
        let sum = Mutex(0.0)
        let group = DispatchGroup()
        for _ in 0..<2 {
            group.enter()
            Thread.detachNewThread {
                let mine = wallRate(seconds: seconds, body)
                sum.withLock { $0 += mine }
                group.leave()
            }
        }
        group.wait()
        return sum.withLock { $0 }
    }

    /// How often a second of the clock on the wall: what shares the cores counts, as it does for the server.
    private static func wallRate(seconds: Double, _ body: () -> Void) -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        while true {
            for _ in 0..<10 { body() }
            count += 10
            let spent = (clock.now - start) / .seconds(1)
            if spent >= seconds { return Double(count) / spent }
        }
    }

    private static func documents(_ text: String, clients: Int, seconds: Double) async -> Double {
        guard let url = WebURL(text) else { return 0 }
        let transport = CurlTransport(CurlOptions(connectionsPerHost: clients))
        return await rate(clients: clients, seconds: seconds) { _ in
            let answer = try await transport.send(.get(url), ExchangeContext())
            guard answer.status == 200 else { throw SignInWorld.Unexpected(text: "\(answer.status)") }
        }.rate
    }

    private static func signIns(_ base: String, clients: Int, seconds: Double) async -> (rate: Double, failures: Int) {
        guard let tenant = try? Tenant(json: try JSONParser.parse(tenantText)) else { return (0, 1) }
        let app = tenant.apps[0].client
        let transport = CurlTransport(CurlOptions(connectionsPerHost: clients))
        return await rate(clients: clients, seconds: seconds) { random in
            try await signIn(app, base: base, transport, &random)
        }
    }

    /// How often a second something is done by so many at the same time.
    private static func rate(
        clients: Int, seconds: Double,
        _ body: @escaping @Sendable (inout SeededGenerator) async throws -> Void
    ) async -> (rate: Double, failures: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let counts = await withTaskGroup(of: (done: Int, failed: Int).self) { group in
            for client in 0..<clients {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(client) + 1)
                    var done = 0
                    var failed = 0
                    while clock.now < end, failed < 10 {
                        do {
                            try await body(&random)
                            done += 1
                        } catch {
                            failed += 1
                        }
                    }
                    return (done, failed)
                }
            }
            var all = (done: 0, failed: 0)
            for await one in group { all = (all.done + one.done, all.failed + one.failed) }
            return all
        }
        return (Double(counts.done) / ((clock.now - start) / .seconds(1)), counts.failed)
    }

    private static func signIn(
        _ app: ClientSettings, base: String, _ transport: CurlTransport, _ random: inout SeededGenerator
    ) async throws {
        func url(_ text: String) throws -> WebURL {
            guard let url = WebURL(text) else { throw SignInWorld.Unexpected(text: text) }
            return url
        }
        let authority = "\(base)/contoso.onmicrosoft.com/B2C_1_susi"
        let redirect = "msauth.com.contoso.tasks://auth"
        let verifier = PKCE.verifier(&random)
        var query = FormItems()
        query.append("client_id", app.clientId)
        query.append("response_type", "code")
        query.append("redirect_uri", redirect)
        query.append("scope", "\(app.scopes.joined(separator: " ")) openid profile offline_access")
        query.append("state", random.guid().description)
        query.append("code_challenge", PKCE.challenge(verifier))
        query.append("code_challenge_method", "S256")
        var start = try url("\(authority)/oauth2/v2.0/authorize")
        start.queryItems = query
        let page = try await transport.send(.get(start), ExchangeContext())
        var cookies = Cookies()
        cookies.take(page)
        guard let settings = PageSettings.read(html: page.body) else { throw SignInWorld.Unexpected(text: "page") }
        let place = "tx=\(settings.transId)&p=\(settings.policy)"
        let origin = "\(base)\(settings.tenantPath)"
        var form = FormItems()
        form.append("request_type", "RESPONSE")
        form.append(settings.fields[0].id, "ada@example.test")
        form.append(settings.fields[1].id, "Analytical-1843")
        let posted = try await transport.send(
            .post(
                try url("\(origin)/SelfAsserted?\(place)"), form: form,
                headers: ["X-CSRF-TOKEN": settings.csrf, "Cookie": cookies.text]), ExchangeContext())
        cookies.take(posted)
        let confirmed = try await transport.send(
            .get(
                try url(
                    "\(origin)/api/\(settings.api)/confirmed?rememberMe=false&csrf_token=\(settings.csrf)&\(place)"),
                headers: ["Cookie": cookies.text]), ExchangeContext())
        guard let code = confirmed.location?.queryItems["code"] else { throw SignInWorld.Unexpected(text: "code") }
        var grant = FormItems()
        grant.append("client_id", app.clientId)
        grant.append("grant_type", "authorization_code")
        grant.append("code", code)
        grant.append("redirect_uri", redirect)
        grant.append("code_verifier", verifier)
        let tokens = try await transport.send(
            .post(try url("\(authority)/oauth2/v2.0/token"), form: grant), ExchangeContext())
        guard tokens.json?["id_token"] != nil, tokens.json?["access_token"] != nil else {
            throw SignInWorld.Unexpected(text: "tokens")
        }
    }

    /// The cookies of one visit.
    private struct Cookies {
        private var pairs: [(name: Substring, pair: Substring)] = []

        mutating func take(_ response: ResponseMessage) {
            for field in response.headers.all("Set-Cookie") {
                let pair = field.prefix { $0 != ";" }
                let name = pair.prefix { $0 != "=" }
                pairs.removeAll { $0.name == name }
                if name.utf8.count + 1 < pair.utf8.count { pairs.append((name, pair)) }
            }
        }

        var text: String { pairs.map { String($0.pair) }.joined(separator: "; ") }
    }
}

/// A mock-server that runs for as long as it is measured.
private final class LoopbackServer {
    let url: String
    let startMilliseconds: Double
    private let process = Process()
    private let folder: String

    init?(_ path: String) {
        folder = NSTemporaryDirectory() + "b2c-loopback-\(ProcessInfo.processInfo.processIdentifier)"
        let tenant = folder + "/tenant.json"
        guard
            (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
            (try? Data(LoopbackBenchmark.tenantText.utf8).write(to: URL(fileURLWithPath: tenant))) != nil
        else { return nil }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--tenant", tenant, "--port", "0", "--quiet"]
        let output = Pipe()
        process.standardOutput = output
        let clock = ContinuousClock()
        let start = clock.now
        guard (try? process.run()) != nil else { return nil }
        // One line, once it is ready.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        startMilliseconds = (clock.now - start) / .milliseconds(1)
        guard let address = line.split(separator: " ").last else { return nil }
        url = address.trimmingCharacters(in: .newlines)
    }

    /// Memory that it occupies; nil where the system does not say.
    var residentMegabytes: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { return nil }
        return kilobytes / 1024
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
