import Determinism
import Exchanges
import HTTPMessages
import Synchronization

/// The network inside the process: host names lead to responders, no socket is opened.
///
/// Responders are attached when a world starts and when its settings change; requests only read. Hosts that nobody
/// attached do not exist (`dns`), other ports of a host that exists are closed (`refused`).
public final class VirtualNetwork: Transport {
    /// A port and a path prefix of a host.
    private struct Place: Hashable, Sendable {
        /// `nil`: the default ports of http and https.
        var port: Int?
        /// Without a slash at its end; empty for the whole host.
        var path: String
    }

    /// A responder at a place.
    private struct Mount: Sendable {
        var responder: any Responder
        /// Of two that answer alike, the one that was attached first answers.
        var number: Int
    }

    /// All responders of a host. A request looks at the places that its own address may mean, not at all there are.
    private struct Host: Sendable {
        private var mounts: [Place: Mount] = [:]
        /// The ports that have a mount.
        private(set) var ports = Set<Int?>()
        /// No path is longer, in bytes.
        private var longest = 0

        var isEmpty: Bool { mounts.isEmpty }

        mutating func add(_ mount: Mount, at place: Place) {
            mounts[place] = mount
            ports.insert(place.port)
            longest = max(longest, place.path.utf8.count)
        }

        mutating func close(_ port: Int?) {
            guard ports.remove(port) != nil else { return }
            mounts = mounts.filter { $0.key.port != port }
        }

        func listens(to url: WebURL) -> Bool { Self.ports(of: url).contains { ports.contains($0) } }

        /// The responder with the longest path that covers that of a URL.
        func responder(for url: WebURL, looks: inout Int) -> (any Responder)? {
            let open = Self.ports(of: url).filter { ports.contains($0) }
            guard !open.isEmpty else { return nil }
            var path = Substring(url.path)
            while true {
                if path.utf8.count <= longest {
                    looks += 1
                    let found = open.compactMap { mounts[Place(port: $0, path: String(path))] }
                    if let first = found.min(by: { $0.number < $1.number }) { return first.responder }
                }
                guard !path.isEmpty else { return nil }
                path = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
            }
        }

        /// The ports of mounts that a URL may mean.
        private static func ports(of url: WebURL) -> [Int?] {
            let port = url.effectivePort
            return port == 443 || port == 80 ? [port, nil] : [port]
        }
    }

    private struct State: Sendable {
        var hosts: [String: Host] = [:]
        var attached = 0
        var looks = 0
        /// Who answers at addresses that no mount covers.
        var patterns: [AddressPattern] = []
        var patterned: (any Responder)?
        var rest: RestResponder?
    }

    private let state = Mutex(State())

    public init() {}

    /// How many places requests have looked at: for tests of how work grows.
    package var placesLookedAt: Int { state.withLock { $0.looks } }

    /// Lets a responder answer for hosts, each `host` or `host:port`. What answered there before is replaced.
    public func attach(_ responder: any Responder, hosts: [String]) {
        for host in hosts {
            let (name, port) = Self.split(host)
            add(responder, host: name, at: Place(port: port, path: ""))
        }
    }

    /// Lets a responder answer below a base address such as `https://api.contoso.test/tasks`. An address without a host
    /// changes nothing.
    public func attach(_ responder: any Responder, at base: WebURL) {
        guard let host = base.host, !host.isEmpty else { return }
        var path = base.path
        while path.hasSuffix("/") { path.removeLast() }
        let isDefault = base.port == nil || base.port == 443
        add(responder, host: host, at: Place(port: isDefault ? nil : base.port, path: path))
    }

    /// Lets a responder answer at addresses of a form, where nobody is attached at the address itself. What was attached
    /// so before is replaced. The authority's own calls do not come there.
    public func attach(_ responder: any Responder, patterns: [AddressPattern]) {
        state.withLock { state in
            state.patterns = patterns
            state.patterned = responder
        }
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
            state.withLock { state in
                state.hosts[name]?.close(port)
                if state.hosts[name]?.isEmpty == true { state.hosts[name] = nil }
            }
        }
    }

    /// Every attached `host` or `host:port`, sorted.
    public var hosts: [String] {
        let all = state.withLock { state in
            state.hosts.flatMap { host, known in known.ports.map { port in port.map { "\(host):\($0)" } ?? host } }
                + state.patterns.compactMap(\.host)
        }
        return Array(Set(all)).sorted()
    }

    /// Whether anybody was attached at a host, on whatever port.
    public func knows(host: String) -> Bool {
        state.withLock { state in
            state.hosts[host] != nil || state.patterns.contains { $0.host == host }
        }
    }

    /// Whether somebody listens at the host and port of a URL.
    public func listens(at url: WebURL) -> Bool {
        state.withLock { state in
            url.host.flatMap { state.hosts[$0] }?.listens(to: url) ?? false
                || state.patterns.contains { $0.matches(url) }
        }
    }

    public func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        try await deliver(request, context).outcome.get()
    }

    /// What comes of a request, with the delay that `send` leaves out.
    public func deliver(_ request: RequestMessage, _ context: ExchangeContext) async -> Delivery {
        let (found, rest) = state.withLock { state in
            (Self.find(request.url, in: &state, from: context.from), state.rest)
        }
        if context.from == .authority, let rest {
            if let delivery = await rest.stubbed(request) { return delivery }
            // A host of which only other paths are known, such as the one with a page's template, may have a service too.
            switch found {
            case .failure(.dns): return await rest.delivery(of: request, context)
            case .success(let responder) where responder is NothingThere:
                return await rest.delivery(of: request, context)
            default: break
            }
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

    private static func find(
        _ url: WebURL, in state: inout State, from sender: Party
    ) -> Result<any Responder, TransportError> {
        let mounted = find(url, in: &state)
        if case .success(let responder) = mounted, !(responder is NothingThere) { return mounted }
        guard sender != .authority, let responder = state.patterned, state.patterns.contains(where: { $0.matches(url) })
        else { return mounted }
        return .success(responder)
    }

    private static func find(_ url: WebURL, in state: inout State) -> Result<any Responder, TransportError> {
        guard let host = url.host, !host.isEmpty, let known = state.hosts[host] else { return .failure(.dns) }
        if let responder = known.responder(for: url, looks: &state.looks) { return .success(responder) }
        // The host and port are there, but nobody is at this path: a web server says so by HTTP.
        return known.listens(to: url) ? .success(NothingThere()) : .failure(.refused)
    }

    private func add(_ responder: any Responder, host: String, at place: Place) {
        state.withLock { state in
            state.attached += 1
            state.hosts[host, default: Host()].add(Mount(responder: responder, number: state.attached), at: place)
        }
    }

    /// `host` or `host:port` in lower case; an IPv6 address is in brackets.
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
