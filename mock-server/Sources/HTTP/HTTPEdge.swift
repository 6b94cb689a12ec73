import NIOCore
import NIOSSL

/// Puts the front on the network: HTTP/1.1, and over TLS also HTTP/2.
struct HTTPEdge: Sendable {
    /// Where to listen.
    struct Place: Sendable {
        var host: String
        /// 0 takes a free one.
        var port: Int
        /// It has the control API and the inspector page, and nothing else.
        var isConsole = false
    }

    let front: any Answering
    let limits: Limits

    /// Listens at every place, in their order.
    ///
    /// - Parameter tls: Certificates; nil: in the clear.
    /// - Throws: `IOError` when one place is not possible, such as a port in use. Then nothing listens.
    func listen(_ places: [Place], tls: TLSConfiguration?) async throws -> [Listener] {
        var listeners: [Listener] = []
        do {
            for place in places {
                let service = RequestHandler.Service(
                    front: front, limits: limits, scheme: tls == nil ? "http" : "https", isConsole: place.isConsole)
                listeners.append(
                    try await Listener.open(
                        host: place.host, port: place.port, connections: limits.connections,
                        EdgeChannel(service, tls: tls)))
            }
        } catch {
            await Listener.end(listeners, within: .zero)
            throw error
        }
        return listeners
    }

    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
