import Determinism
import Foundation
import HTTPMessages
import JOSE
import JSON
import Synchronization
import TenantFiles

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
            targets.wanted("ready within 60 ms", server.startMilliseconds < 60))
        if let memory = server.residentMegabytes {
            Benchmarks.line(
                "mock-server, resident when idle", "\(Benchmarks.number(memory)) MB",
                targets.wanted("under 60 MB", memory < 60))
        }
        documents(server.url, seconds: seconds, &targets)
        let signatures = SignInBenchmark.rate(seconds: 0.5) { _ = key.sign(payload) }
        let jws = JWS.sign(header: ["alg": "RS256"], claims: ["sub": "ada"], key: key)
        let verifications = SignInBenchmark.rate(seconds: 0.5) { _ = JWS(compact: jws)?.verify(with: key.jwk) }
        for clients in [1, 8, 64] {
            // In turns: what else the machine does then falls on both alike. The medians count.
            var limits: [Double] = []
            var rates: [Double] = []
            var shares: [Double] = []
            var failures = 0
            var multiples: [Double] = []
            for _ in 0..<rounds {
                let limit = twoCores(seconds: seconds / Double(rounds)) { _ = key.sign(payload) } / 2
                let before = server.coreSeconds
                let (rate, failed) = signIns(server.url, clients: clients, seconds: 2 * seconds / Double(rounds))
                if let before, let after = server.coreSeconds, rate > 0 {
                    let each = (after - before) / (rate * 2 * seconds / Double(rounds))
                    multiples.append((each - 2 / signatures) * verifications)
                }
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
            if !multiples.isEmpty {
                Benchmarks.line(
                    "  the server's core time besides two signatures",
                    Benchmarks.number(SignInBenchmark.median(multiples), digits: 1), "signature verifications")
            }
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

    /// Keys are one text of the tenant. Discovery depends on the address; written once for each it costs the same.
    private static func documents(_ base: String, seconds: Double, _ targets: inout Targets) {
        func rate(_ path: String) -> Double {
            let path = "/contoso.onmicrosoft.com/B2C_1_susi/\(path)"
            return Load.run(base, clients: 8, seconds: seconds / Double(rounds)) { _ in DocumentErrand(path: path) }
                .rate
        }
        var discovery: [Double] = []
        var keys: [Double] = []
        for _ in 0..<rounds {
            discovery.append(rate("v2.0/.well-known/openid-configuration"))
            keys.append(rate("discovery/v2.0/keys"))
        }
        Benchmarks.line("keys, requests/s, 8 clients", Benchmarks.number(SignInBenchmark.median(keys)))
        let ratio = SignInBenchmark.median(zip(discovery, keys).map { $0 / $1 })
        Benchmarks.line(
            "discovery, requests/s, 8 clients", Benchmarks.number(SignInBenchmark.median(discovery)),
            "\(Benchmarks.number(ratio, digits: 2)) times keys "
                + targets.wanted("at least 0.85 times as many as keys", ratio >= 0.85))
    }

    /// The app of the tenant, which asks for all tokens.
    static var app: SignInErrand.App? {
        guard let tenant = try? Tenant(json: try JSONParser.parse(tenantText)) else { return nil }
        let client = tenant.apps[0].client
        return SignInErrand.App(
            clientId: client.clientId, redirectUri: "msauth.com.contoso.tasks://auth",
            scope: "\(client.scopes.joined(separator: " ")) openid profile offline_access")
    }

    private static func signIns(_ base: String, clients: Int, seconds: Double) -> (rate: Double, failures: Int) {
        guard let app else { return (0, 1) }
        let result = Load.run(base, clients: clients, seconds: seconds) { SignInErrand(app: app, random: $0) }
        return (result.rate, result.failures.count)
    }
}
