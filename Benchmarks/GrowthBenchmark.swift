import Foundation

/// What a server keeps of sign-ins: its memory afterwards, and what one more sign-in costs then.
///
/// Beside the server that has them runs one that has none. Both are asked in turns, so that what else the machine does
/// then falls on both alike.
enum GrowthBenchmark {
    /// Sign-ins that fill every table of the server: afterwards an old row goes for each new one.
    private static let filling = 60_000
    private static let clients = 8

    /// - Parameter count: Sign-ins in all.
    static func run(server path: String, signIns count: Int, _ targets: inout Targets) {
        guard let app = LoopbackBenchmark.app, let server = LoopbackServer(path), let fresh = LoopbackServer(path)
        else {
            print("\(path) does not start: nothing to measure")
            exit(3)
        }
        defer {
            server.stop()
            fresh.stop()
        }
        guard let idle = server.residentMegabytes else {
            Benchmarks.line("mock-server, resident", "not known", "the system does not say")
            return
        }
        func signIn(_ server: LoopbackServer, _ count: Int) {
            let result = Load.run(server.url, clients: clients, seconds: 600, atMost: count) {
                SignInErrand(app: app, random: $0)
            }
            for failure in result.failures { print("a sign-in failed: \(failure)") }
        }
        Benchmarks.line("mock-server, resident when idle", "\(Benchmarks.number(idle)) MB")
        var done = 0
        var full: Double?
        var progress: [String] = []
        while done < count {
            let step = min(20_000, count - done)
            signIn(server, step)
            done += step
            let memory = server.residentMegabytes ?? 0
            progress.append("\(done / 1000)k: \(Benchmarks.number(memory))")
            if done == filling { full = memory }
        }
        let loaded = server.residentMegabytes ?? 0
        Benchmarks.line("resident after so many sign-ins, MB", progress.joined(separator: ", "))
        if let full, done > filling {
            let growth = 1_048_576 * (loaded - full) / Double(done - filling)
            Benchmarks.line(
                "growth per sign-in once the tables are full", "\(Benchmarks.number(growth)) bytes",
                targets.wanted("at most 64 bytes per sign-in", growth <= 64))
        }
        signIn(fresh, 2000)
        var ratios: [Double] = []
        for _ in 0..<8 {
            let few = cost(of: fresh) { signIn(fresh, 500) }
            let many = cost(of: server) { signIn(server, 500) }
            if few > 0 { ratios.append(many / few) }
        }
        if !ratios.isEmpty {
            let ratio = SignInBenchmark.median(ratios)
            Benchmarks.line(
                "core time of a sign-in after \(done) others", "\(Benchmarks.number(ratio, digits: 2)) times",
                "that after 2,000 " + targets.wanted("at most 1.15 times", ratio <= 1.15))
        }
        Thread.sleep(forTimeInterval: 60)
        let rested = server.residentMegabytes ?? 0
        Benchmarks.line(
            "resident a minute after \(done) sign-ins", "\(Benchmarks.number(rested)) MB",
            targets.wanted("at most 96 MB", rested <= 96))
        // Longer than any grant or session lives, and than anything is remembered of it.
        guard let connection = try? LeanConnection(server.url),
            let moved = try? connection.answer(
                to: LeanRequest(
                    method: "PATCH", target: "/_b2c/v1/clock", form: #"{ "advance": "P200D" }"#,
                    type: "application/json")),
            moved.status == 200
        else {
            print("the server's clock cannot be moved \(targets.wanted("a clock that moves", false))")
            return
        }
        // Each request drops a few of those whose time has passed.
        _ = Load.run(server.url, clients: clients, seconds: 60, atMost: 10_000) { _ in
            DocumentErrand(path: "/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration")
        }
        Thread.sleep(forTimeInterval: 15)
        let emptied = server.residentMegabytes ?? 0
        Benchmarks.line(
            "resident when all grants are over", "\(Benchmarks.number(emptied)) MB",
            targets.wanted("at most 40 MB more than when idle", emptied - idle <= 40))
    }

    /// The time that cores gave a server meanwhile, in seconds.
    private static func cost(of server: LoopbackServer, _ body: () -> Void) -> Double {
        let before = server.coreSeconds ?? 0
        body()
        return (server.coreSeconds ?? 0) - before
    }
}
