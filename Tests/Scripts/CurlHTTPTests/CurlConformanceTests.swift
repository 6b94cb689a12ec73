import CurlHTTP
import HTTPMessages
import TestSupport
import Testing

/// The table of exchanges over libcurl and real sockets.
@Suite struct CurlConformanceTests {
    let peer = TransportPeer()
    let server: LoopbackServer
    let transport: CurlTransport

    init() throws {
        let peer = peer
        server = try LoopbackServer { peer.reply(to: $0) }
        transport = CurlTransport(
            CurlOptions(
                routes: [
                    .init(host: TransportCase.host, port: 80, toHost: "127.0.0.1", toPort: server.port),
                    .init(
                        host: TransportCase.host, port: TransportCase.closedPort, toHost: "127.0.0.1",
                        toPort: try LoopbackServer.closedPort()),
                ],
                // Beside all other tests a busy machine may take minutes for an exchange, and from one to the next.
                connectTimeout: .minutes(10), timeout: .minutes(10), idleLimit: .hours(1)))
    }

    @Test(arguments: TransportCase.all)
    func `an exchange comes out as the table says`(_ exchange: TransportCase) async {
        #expect(await exchange.problems(over: transport, seen: peer) == [])
    }

    @Test func `the table comes out the same over one connection`() async {
        for exchange in TransportCase.all {
            if case .failure = exchange.expected { continue }
            #expect(await exchange.problems(over: transport, seen: peer) == [], "\(exchange.name)")
        }
        #expect(server.connections == 1)
        #expect(transport.connectionsOpened == 1)
    }
}
