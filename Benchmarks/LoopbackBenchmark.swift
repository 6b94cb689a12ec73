import B2CProtocol
import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import Synchronization

/// Sign-ins against mock-server over loopback, the clients on the same cores: authorize, post, confirmed, token.
enum LoopbackBenchmark {
    static let tenantText = SignInBenchmark.tenantText(SignInBenchmark.builtIn)
    private static let rounds = 8

    static func run(server path: String, seconds: Double, _ targets: inout Targets) {
        let key = TestKeys.key(0)
        let payload = [UInt8](repeating: 0x61, count: 700)
        guard let server = LoopbackServer(path) else {
            print("\(path) does not start: nothing to measure")
            exit(3)
        }
        defer { server.stop() }
        Benchmarks.line("RS256 signer", SignatureProvider.current)
        Benchmarks.line(
            "mock-server, start to ready", "\(Benchmarks.number(server.startMilliseconds)) ms",
            targets.wanted("ready within 100 ms", server.startMilliseconds < 100))
        if let memory = server.residentMegabytes {
            Benchmarks.line(
                "mock-server, resident when idle", "\(Benchmarks.number(memory)) MB",
                targets.wanted("under 60 MB", memory < 60))
        }
        for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
            let rate = documents(
                server.url, "/contoso.onmicrosoft.com/B2C_1_susi/\(path)", clients: 8, seconds: seconds)
            Benchmarks.line("\(path.split(separator: "/").last ?? ""), requests/s, 8 clients", Benchmarks.number(rate))
        }
        for clients in [1, 8, 64] {
            // In turns: what else the machine does then falls on both alike. The medians count.
            var limits: [Double] = []
            var rates: [Double] = []
            var shares: [Double] = []
            var failures = 0
            for _ in 0..<rounds {
                let limit = twoCores(seconds: seconds / Double(rounds)) { _ = key.sign(payload) } / 2
                let (rate, failed) = signIns(server.url, clients: clients, seconds: 2 * seconds / Double(rounds))
                limits.append(limit)
                rates.append(rate)
                shares.append(rate / limit)
                failures += failed
            }
            let share = SignInBenchmark.median(shares)
            let note =
                "\(Benchmarks.number(100 * share)) % of two signatures on two cores and nothing else, "
                + "\(Benchmarks.number(SignInBenchmark.median(limits)))/s"
            Benchmarks.line(
                "sign-ins/s over loopback, \(clients) \(clients == 1 ? "client" : "clients")",
                Benchmarks.number(SignInBenchmark.median(rates)),
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

    private static func documents(_ base: String, _ path: String, clients: Int, seconds: Double) -> Double {
        rate(base, clients: clients, seconds: seconds) { connection, _ in
            let answer = try connection.send("GET", path)
            guard answer.status == 200 else { throw SignInWorld.Unexpected(text: "\(answer.status)") }
        }.rate
    }

    private static func signIns(_ base: String, clients: Int, seconds: Double) -> (rate: Double, failures: Int) {
        guard let tenant = try? Tenant(json: try JSONParser.parse(tenantText)) else { return (0, 1) }
        let app = tenant.apps[0].client
        return rate(base, clients: clients, seconds: seconds) { connection, random in
            try signIn(app, connection, &random)
        }
    }

    /// How often a second something is done by so many at the same time, each on a thread and a connection of its own.
    private static func rate(
        _ base: String, clients: Int, seconds: Double,
        _ body: @escaping @Sendable (LeanConnection, inout SeededGenerator) throws -> Void
    ) -> (rate: Double, failures: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + .seconds(seconds)
        let sum = Mutex((done: 0, failed: 0))
        let group = DispatchGroup()
        for client in 0..<clients {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                var done = 0
                var failed = 0
                if let connection = try? LeanConnection(base) {
                    var random = SeededGenerator(seed: UInt64(client) + 1)
                    while clock.now < end, failed == 0 {
                        do {
                            try body(connection, &random)
                            done += 1
                        } catch {
                            failed += 1
                        }
                    }
                } else {
                    failed += 1
                }
                let mine = (done, failed)
                sum.withLock { $0 = ($0.done + mine.0, $0.failed + mine.1) }
            }
        }
        group.wait()
        let counts = sum.withLock { $0 }
        return (Double(counts.done) / ((clock.now - start) / .seconds(1)), counts.failed)
    }

    private static func signIn(
        _ app: ClientSettings, _ connection: LeanConnection, _ random: inout SeededGenerator
    ) throws {
        let authority = "/contoso.onmicrosoft.com/B2C_1_susi"
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
        let page = try connection.send("GET", "\(authority)/oauth2/v2.0/authorize?\(query.encoded)")
        var cookies = Cookies()
        cookies.take(page)
        let csrf = try member("csrf", of: page.body)
        let place = "tx=\(try member("transId", of: page.body))&p=B2C_1_susi"
        let api = try member("api", of: page.body)
        var form = FormItems()
        form.append("request_type", "RESPONSE")
        form.append("email", "ada@example.test")
        form.append("password", "Analytical-1843")
        let posted = try connection.send(
            "POST", "/contoso.onmicrosoft.com/B2C_1_susi/SelfAsserted?\(place)", cookies: cookies.text,
            headers: "X-CSRF-TOKEN: \(csrf)\r\n", form: form.encoded)
        cookies.take(posted)
        let confirmed = try connection.send(
            "GET",
            "/contoso.onmicrosoft.com/B2C_1_susi/api/\(api)/confirmed?rememberMe=false&csrf_token=\(csrf)&\(place)",
            cookies: cookies.text)
        guard let code = confirmed.location.flatMap({ WebURL($0) })?.queryItems["code"] else {
            throw SignInWorld.Unexpected(text: "code")
        }
        var grant = FormItems()
        grant.append("client_id", app.clientId)
        grant.append("grant_type", "authorization_code")
        grant.append("code", code)
        grant.append("redirect_uri", redirect)
        grant.append("code_verifier", verifier)
        let tokens = try connection.send("POST", "\(authority)/oauth2/v2.0/token", form: grant.encoded)
        _ = try member("id_token", of: tokens.body)
        _ = try member("access_token", of: tokens.body)
    }

    /// The text of a member of JSON that stands somewhere in an answer, as it is written. Reading all of it is not what
    /// is measured.
    private static func member(_ name: String, of body: [UInt8]) throws -> String {
        let key = Array("\"\(name)\":\"".utf8)
        let value: String? = body.withUnsafeBufferPointer { body in
            let start = key.withUnsafeBufferPointer { ByteSearch.offset(of: $0, in: body) } + key.count
            guard start < body.count else { return nil }
            let end = ByteSearch.offset(of: UInt8(ascii: "\""), in: body, from: start)
            return String(decoding: body[start..<end], as: UTF8.self)
        }
        guard let value else { throw SignInWorld.Unexpected(text: "an answer without \(name)") }
        return value
    }

    /// The cookies of one visit.
    private struct Cookies {
        private var pairs: [(name: Substring.UTF8View, pair: Substring)] = []

        mutating func take(_ answer: LeanAnswer) {
            for field in answer.cookies {
                let bytes = field.utf8
                let pair = bytes.prefix { $0 != UInt8(ascii: ";") }
                let name = pair.prefix { $0 != UInt8(ascii: "=") }
                pairs.removeAll { $0.name.elementsEqual(name) }
                if name.count + 1 < pair.count { pairs.append((name, Substring(pair))) }
            }
        }

        var text: String {
            var text = ""
            for (index, entry) in pairs.enumerated() {
                if index > 0 { text += "; " }
                text += entry.pair
            }
            return text
        }
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
