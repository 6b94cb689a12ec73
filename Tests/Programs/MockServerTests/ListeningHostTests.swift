import AuthorityHosting
import CommandKit
import HTTPMessages
import NIOCore
import Testing

@testable import MockServerCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Where the server listens, and the addresses that it prints.
@Suite struct ListeningHostTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var given: String
        var addresses: [String]
        var shown: String
        var isLoopback = false
        var isWildcard = false

        var testDescription: String { given }
    }

    @Test(arguments: [
        Case(given: "127.0.0.1", addresses: ["127.0.0.1"], shown: "127.0.0.1", isLoopback: true),
        Case(given: "localhost", addresses: ["127.0.0.1", "::1"], shown: "localhost", isLoopback: true),
        Case(given: "LocalHost", addresses: ["127.0.0.1", "::1"], shown: "LocalHost", isLoopback: true),
        Case(given: "::1", addresses: ["::1"], shown: "[::1]", isLoopback: true),
        Case(given: "[::1]", addresses: ["::1"], shown: "[::1]", isLoopback: true),
        Case(given: "192.0.2.7", addresses: ["192.0.2.7"], shown: "192.0.2.7"),
        Case(given: "[2001:db8::7]", addresses: ["2001:db8::7"], shown: "[2001:db8::7]"),
        Case(given: "0.0.0.0", addresses: ["0.0.0.0"], shown: "localhost", isWildcard: true),
        Case(given: "::", addresses: ["::"], shown: "localhost", isWildcard: true),
        Case(given: "[::]", addresses: ["::"], shown: "localhost", isWildcard: true),
        Case(given: "0:0:0:0:0:0:0:0", addresses: ["0:0:0:0:0:0:0:0"], shown: "localhost", isWildcard: true),
    ]) func `--host takes addresses of the machine`(_ row: Case) {
        let host = ListeningHost(row.given)
        #expect(host.addresses == row.addresses)
        #expect(host.shown == row.shown)
        #expect(host.isLoopback == row.isLoopback)
        #expect(host.isWildcard == row.isWildcard)
    }

    @Test func `the usual host answers localhost`() {
        #expect(ListeningHost.usual.addresses == ["127.0.0.1", "::1"])
        #expect(ListeningHost.usual.shown == "localhost" && ListeningHost.usual.isLoopback)
    }

    private static let devices = [
        "127.0.0.1", "::1", "192.0.2.7", "192.0.2.7", "2001:db8::7", "fe80::1", "FE80::2", "172.17.0.1",
    ]

    @Test(
        arguments: [
            ("0.0.0.0", ["192.0.2.7", "172.17.0.1"]), ("::", ["192.0.2.7", "[2001:db8::7]", "172.17.0.1"]),
            ("192.0.2.7", []), ("localhost", []),
        ] as [(String, [String])]) func `the server is reachable at its address`(_ host: String, _ expected: [String])
    {
        #expect(ListeningHost(host).reachable(Self.devices) == expected)
    }

    // MARK: What is printed

    /// How it was started, and what is said.
    struct Start: Sendable, CustomTestStringConvertible {
        var name: String
        var host: String?
        var usesTLS = false
        var publicURL: String?
        var readsForwarded = false
        var ready: String
        var own: String
        var inspector: String
        var isPrivate = true
        var warning: String?
        var others: [String] = []

        var testDescription: String { name }
    }

    static let starts: [Start] = [
        Start(
            name: "as usual", ready: "http://localhost:9400", own: "http://localhost:9400",
            inspector: "http://localhost:9401/_b2c/"),
        Start(
            name: "localhost with TLS", host: "localhost", usesTLS: true, ready: "https://localhost:9400",
            own: "https://localhost:9400", inspector: "https://localhost:9401/_b2c/"),
        Start(
            name: "IPv6", host: "[::1]", ready: "http://[::1]:9400", own: "http://[::1]:9400",
            inspector: "http://[::1]:9401/_b2c/"),
        Start(
            name: "all addresses", host: "0.0.0.0", ready: "http://localhost:9400", own: "http://localhost:9400",
            inspector: "http://localhost:9401/_b2c/", isPrivate: false, warning: "listening at 0.0.0.0",
            others: ["also at http://192.0.2.7:9400, http://172.17.0.1:9400"]),
        Start(
            name: "a public URL", publicURL: "https://b2c.example.test", ready: "https://b2c.example.test",
            own: "http://localhost:9400", inspector: "http://localhost:9401/_b2c/", isPrivate: false,
            warning: "behind a proxy at https://b2c.example.test", others: ["listening at http://localhost:9400"]),
        Start(
            name: "a public URL of this machine", publicURL: "https://localhost:8443", ready: "https://localhost:8443",
            own: "http://localhost:9400", inspector: "http://localhost:9401/_b2c/",
            others: ["listening at http://localhost:9400"]),
        Start(
            name: "fields of a proxy", readsForwarded: true, ready: "http://localhost:9400",
            own: "http://localhost:9400", inspector: "http://localhost:9401/_b2c/", isPrivate: false),
    ]

    @Test(arguments: starts) func `the printed address is reachable`(_ row: Start) throws {
        var options = ServerOptions()
        if let host = row.host { options.host = ListeningHost(host) }
        options.usesTLS = row.usesTLS
        options.outer = OuterAddress(
            publicURL: try row.publicURL.map { text throws(Failure) in
                try OuterAddress.url(text, option: "--public-url")
            },
            readsForwarded: row.readsForwarded)
        let announcement = Announcement(options: options, ports: [9400, 9401])
        #expect(announcement.ready == "mock-server ready: \(row.ready)")
        #expect(announcement.own == row.own)
        let tenant = try CompiledTenant.compile(Stage.tenant)
        let lines = announcement.lines(tenant: tenant, seed: 1, devices: Self.devices)
        #expect(lines.contains("start page \(row.ready)/"))
        #expect(lines.last == "inspector \(row.inspector)")
        #expect(lines.contains("authority  \(row.ready)/contoso.onmicrosoft.com/POLICY/v2.0"))
        #expect(lines.contains { $0.contains("Analytical-1843") } == row.isPrivate)
        for line in row.others { #expect(lines.contains(line), "\(lines)") }
        #expect(lines.allSatisfy { !$0.contains("0.0.0.0") })
        #expect(announcement.warnings.count == (row.warning == nil ? 0 : 1))
        if let warning = row.warning { #expect(announcement.warnings.first?.contains(warning) == true) }
    }

    // MARK: Sockets

    @Test func `one free port is taken at both loopback addresses`() async throws {
        let place = HTTPEdge.Place(host: "127.0.0.1", port: 0, otherHosts: ["::1"])
        let listeners = try await HTTPEdge(front: EdgeFront(), limits: EdgeTests.limits).listen(
            [place, place], tls: nil)
        let own = listeners.filter { !$0.isTwin }
        #expect(own.count == 2 && listeners.first?.isTwin == false)
        for (first, next) in zip(listeners, listeners.dropFirst()) where next.isTwin {
            #expect(first.port == next.port)
        }
        // A system without IPv6 has the first address alone.
        for listener in listeners {
            let client = try await Client(listener.port, host: listener.isTwin ? "::1" : "127.0.0.1")
            #expect(try await client.exchange("/echo") == "200 ")
            await client.close()
        }
        await Listener.end(listeners, within: .hours(1))
    }

    @Test func `a port in use at the second address is refused`() async throws {
        // The second is the first again, so that every port is in use.
        let place = HTTPEdge.Place(host: "127.0.0.1", port: 0, otherHosts: ["127.0.0.1"])
        let edge = HTTPEdge(front: EdgeFront(), limits: EdgeTests.limits)
        let error = await #expect(throws: IOError.self) { try await edge.listen([place], tls: nil) }
        #expect(error?.errnoCode == EADDRINUSE)
    }

    @Test func `the error for an unknown host names the option`() async throws {
        var options = ServerOptions()
        options.host = ListeningHost("no such host")
        options.port = 0
        options.isQuiet = true
        let failure = await #expect(throws: Failure.self) { try await Serving(options: options).run() }
        #expect(failure?.status == .usage)
        #expect(failure?.text?.contains("--host is \"no such host\"") == true)
    }
}
