import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// Puts the front on the network: HTTP/1.1, and over TLS also HTTP/2.
struct HTTPEdge: Sendable {
    let front: any Answering
    let limits: Limits
    let logger: Logger

    /// A service that listens at an address.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - tls: Certificates; nil: in the clear.
    ///   - isConsole: It has the control API and the inspector page, and nothing else.
    ///   - onReady: Told the port once connections are taken.
    func listener(
        host: String, port: Int, tls: TLSConfiguration?, isConsole: Bool = false,
        onReady: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        let service = RequestHandler.Service(
            front: front, limits: limits, scheme: tls == nil ? "http" : "https", isConsole: isConsole)
        return try EdgeChannel(service, tls: tls).server(
            configuration: ServerConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? port) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    }

    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
