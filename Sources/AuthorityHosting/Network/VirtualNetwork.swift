import Determinism
import HTTPMessages
import Synchronization

/// The network inside the process: host names lead to responders, no socket is opened.
///
/// Responders are attached when a world starts and when its settings change; requests only read. Hosts that nobody
/// attached do not exist (`dns`), other ports of a host that exists are closed (`refused`).
public final class VirtualNetwork: Transport {
    /// A responder at a host, port and path prefix.
    private struct Mount: Sendable {
        var host: String
        /// `nil`: the default ports of http and https.
        var port: Int?
        /// Without a slash at its end; empty for the whole host.
        var path: String
        var responder: any Responder

        func listens(to url: WebURL) -> Bool {
            guard let port else { return url.effectivePort == 443 || url.effectivePort == 80 }
            return port == url.effectivePort
        }

        func covers(_ path: String) -> Bool {
            self.path.isEmpty || path == self.path || path.hasPrefix(self.path + "/")
        }
    }

    private struct State: Sendable {
        /// Longest path first, so that the first that covers a path is the one meant.
        var mounts: [Mount] = []
        var rest: RestResponder?
    }

    private let state = Mutex(State())

    public init() {}

    /// Lets a responder answer for hosts, each `host` or `host:port`. What answered there before is replaced.
    public func attach(_ responder: any Responder, hosts: [String]) {
        for host in hosts {
            let (name, port) = Self.split(host)
            add(Mount(host: name, port: port, path: "", responder: responder))
        }
    }

    /// Lets a responder answer below a base address such as `https://api.contoso.test/tasks`. An address without a host
    /// changes nothing.
    public func attach(_ responder: any Responder, at base: WebURL) {
        guard let host = base.host, !host.isEmpty else { return }
        var path = base.path
        while path.hasSuffix("/") { path.removeLast() }
        let isDefault = base.port == nil || base.port == 443
        add(Mount(host: host, port: isDefault ? nil : base.port, path: path, responder: responder))
    }

    /// Gives the authority's own calls to a REST stub first; what it has no answer for goes to the hosts as usual, and
    /// where no host is either, the stub says what is missing.
    public func attach(rest: RestResponder) {
        state.withLock { $0.rest = rest }
    }

    /// Takes everything away that answers for these hosts, each `host` or `host:port`.
    public func detach(hosts: [String]) {
        for host in hosts {
            let (name, port) = Self.split(host)
            state.withLock { state in state.mounts.removeAll { $0.host == name && $0.port == port } }
        }
    }

    /// Every attached `host` or `host:port`, sorted.
    public var hosts: [String] {
        let all = state.withLock { state in
            state.mounts.map { mount in mount.port.map { "\(mount.host):\($0)" } ?? mount.host }
        }
        return Array(Set(all)).sorted()
    }

    /// Whether anybody was attached at a host, on whatever port.
    public func knows(host: String) -> Bool {
        state.withLock { state in state.mounts.contains { $0.host == host } }
    }

    /// Whether somebody listens at the host and port of a URL.
    public func listens(at url: WebURL) -> Bool {
        state.withLock { state in state.mounts.contains { $0.host == url.host && $0.listens(to: url) } }
    }

    public func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        try await deliver(request, context).outcome.get()
    }

    /// What comes of a request, with the delay that `send` leaves out.
    public func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        let (found, rest) = state.withLock { state in (Self.find(request.url, in: state.mounts), state.rest) }
        if context.from == .authority, let rest {
            if let delivery = await rest.stubbed(request) { return delivery }
            if case .failure(.dns) = found { return await rest.delivery(of: request, context) }
        }
        switch found {
        case .failure(let error):
            return .failure(error)
        case .success(let responder):
            if let delaying = responder as? any DelayingResponder {
                return await delaying.delivery(of: request, context)
            }
            do throws(TransportError) {
                return .response(try await responder.respond(to: request, context))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func find(_ url: WebURL, in mounts: [Mount]) -> Result<any Responder, TransportError> {
        guard let host = url.host, !host.isEmpty else { return .failure(.dns) }
        var isKnown = false
        for mount in mounts where mount.host == host {
            isKnown = true
            if mount.listens(to: url), mount.covers(url.path) { return .success(mount.responder) }
        }
        guard isKnown else { return .failure(.dns) }
        // The host and port are there, but nobody is at this path: a web server says so by HTTP.
        let isOpen = mounts.contains { $0.host == host && $0.listens(to: url) }
        return isOpen ? .success(NothingThere()) : .failure(.refused)
    }

    private func add(_ mount: Mount) {
        state.withLock { state in
            state.mounts.removeAll { $0.host == mount.host && $0.port == mount.port && $0.path == mount.path }
            let index =
                state.mounts.firstIndex { $0.path.utf8.count < mount.path.utf8.count } ?? state.mounts.endIndex
            state.mounts.insert(mount, at: index)
        }
    }

    /// `host` or `host:port` in lower case; an IPv6 address stands in brackets.
    private static func split(_ text: String) -> (host: String, port: Int?) {
        let text = text.lowercased()
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]"),
            let port = Int(text[text.index(after: colon)...])
        else { return (text, nil) }
        return (String(text[..<colon]), port == 443 ? nil : port)
    }
}

/// Answers where a host has responders at other paths only.
private struct NothingThere: Responder {
    func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        var response = ResponseMessage.text(404, "Not Found")
        response.refusal = "nothing answers at \(request.url.origin)\(request.url.path)"
        return response
    }
}
