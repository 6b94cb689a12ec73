import NIOCore
import NIOSSL

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Puts the front on the network: HTTP/1.1, in the clear or over TLS.
struct HTTPEdge: Sendable {
    /// Where to listen.
    struct Place: Sendable {
        var host: String
        /// 0 takes a free one.
        var port: Int
        /// It has the control API and the inspector page, and nothing else.
        var isConsole = false
        /// Other addresses for the same port, which the system may lack: IPv6 beside IPv4.
        var otherHosts: [String] = []
    }

    let front: any Answering
    let limits: Limits

    /// Listens at every place, in their order. Other addresses of a place follow its first, marked as twins.
    ///
    /// - Parameter tls: Certificates; nil: in the clear.
    /// - Throws: `IOError` when one place is not possible, such as a port in use. Then nothing listens.
    func listen(_ places: [Place], tls: TLSConfiguration?) async throws -> [Listener] {
        var listeners: [Listener] = []
        do {
            for place in places {
                let service = RequestHandler.Service(
                    front: front, limits: limits, scheme: tls == nil ? "http" : "https", isConsole: place.isConsole)
                listeners += try await open(place, EdgeChannel(service, tls: tls))
            }
        } catch {
            await Listener.end(listeners, within: .zero)
            throw error
        }
        return listeners
    }

    /// Listens at all addresses of a place, at one port.
    private func open(_ place: Place, _ edge: EdgeChannel) async throws -> [Listener] {
        // A port that is free at the first address may be in use at another.
        var attempts = place.port == 0 ? 16 : 1
        while true {
            let first = try await Listener.open(
                host: place.host, port: place.port, connections: limits.connections, edge)
            var listeners = [first]
            do {
                for host in place.otherHosts {
                    do {
                        var twin = try await Listener.open(
                            host: host, port: first.port, connections: limits.connections, edge)
                        twin.isTwin = true
                        listeners.append(twin)
                    } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
                        continue
                    }
                }
                return listeners
            } catch {
                await Listener.end(listeners, within: .zero)
                attempts -= 1
                guard attempts > 0, (error as? IOError)?.errnoCode == EADDRINUSE else { throw error }
            }
        }
    }

    static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
