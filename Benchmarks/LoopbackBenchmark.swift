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
            targets.wanted("ready within 100 ms", server.startMilliseconds < 100))
        let idle = server.residentMegabytes
        if let memory = idle {
            Benchmarks.line(
                "mock-server, resident when idle", "\(Benchmarks.number(memory)) MB",
                targets.wanted("under 60 MB", memory < 60))
        }
        for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
            let rate = documents(
                server.url, "/contoso.onmicrosoft.com/B2C_1_susi/\(path)", clients: 8, seconds: seconds)
            Benchmarks.line("\(path.split(separator: "/").last ?? ""), requests/s, 8 clients", Benchmarks.number(rate))
        }
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
        // An idle server gives memory back after some seconds.
        Thread.sleep(forTimeInterval: 15)
        if let memory = server.residentMegabytes, let idle {
            Benchmarks.line(
                "mock-server, resident 15 s later", "\(Benchmarks.number(memory)) MB",
                targets.wanted("at most twice that of the idle server", memory <= 2 * idle))
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
        Load.run(base, clients: clients, seconds: seconds) { _ in DocumentErrand(path: path) }.rate
    }

    private static func signIns(_ base: String, clients: Int, seconds: Double) -> (rate: Double, failures: Int) {
        guard let tenant = try? Tenant(json: try JSONParser.parse(tenantText)) else { return (0, 1) }
        let client = tenant.apps[0].client
        let app = SignInErrand.App(
            clientId: client.clientId, redirectUri: "msauth.com.contoso.tasks://auth",
            scope: "\(client.scopes.joined(separator: " ")) openid profile offline_access")
        let result = Load.run(base, clients: clients, seconds: seconds) { SignInErrand(app: app, random: $0) }
        return (result.rate, result.failures.count)
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

    /// The time that cores have given it, in all its threads; nil where the system does not say.
    var coreSeconds: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return nil }
        // Behind the name stand the state and ten numbers, and then the ticks in and for the process (proc(5)).
        let fields = status[end...].split(separator: " ")
        guard fields.count > 13, let own = Double(fields[12]), let system = Double(fields[13]) else { return nil }
        return (own + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
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
