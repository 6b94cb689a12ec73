import Capture
import Determinism
import HTTPMessages
import Synchronization

/// The part that answers the requests that come over the network.
protocol Answering: Sendable {
    func answer(_ incoming: IncomingRequest) async -> ServerAnswer
    /// What is done about a request before its body is read: how many bytes the body may have, or why it is refused.
    func admission(_ head: IncomingRequest, _ limits: Limits) -> Admission
    /// A request was refused before it was whole.
    func refused(_ incoming: IncomingRequest, status: Int)
}

/// What is done about a request whose head is known.
enum Admission: Sendable {
    /// Its body may have so many bytes.
    case body(limit: Int)
    case refused(ResponseMessage)
}

extension Answering {
    func admission(_ head: IncomingRequest, _ limits: Limits) -> Admission { .body(limit: limits.bodySize) }
}

extension Front: Answering {}

/// A reverse proxy on this machine that remembers what passes through it.
final class RecordingProxy: Answering {
    private struct State {
        var exchanges: [CapturedExchange] = []
        var bytes = 0
        var isFull = false
        /// Which hosts have set a cookie of a name.
        var owners: [String: Set<String>] = [:]
    }

    /// Sends a request to the host that it names.
    typealias Send = @Sendable (RequestMessage) async throws(Unreachable) -> ResponseMessage

    /// Why no answer came, in a sentence without its end.
    struct Unreachable: Error {
        var text: String
    }

    /// What one recording may hold.
    private static let mostExchanges = 20_000
    private static let mostBytes = 256 << 20
    /// Larger bodies, and those that are not text, pass through and are not kept.
    private static let largestBody = 4 << 20

    private let hosts: [String]
    private let send: Send
    private let clock: any WallClock
    private let access: AccessLog
    private let duration: any MonotonicClock
    private let state = Mutex(State())

    init(
        hosts: [String], clock: any WallClock, access: AccessLog, duration: any MonotonicClock = SystemMonotonicClock(),
        send: @escaping Send
    ) {
        self.hosts = hosts
        self.send = send
        self.clock = clock
        self.access = access
        self.duration = duration
    }

    /// What has passed through, in the order in which the requests left.
    var exchanges: [CapturedExchange] { state.withLock { $0.exchanges } }

    /// Whether something was not kept because there was too much.
    var isFull: Bool { state.withLock { $0.isFull } }

    func refused(_ incoming: IncomingRequest, status: Int) {
        access.write(
            AccessRecord(incoming, world: nil, answer: .message(ResponseMessage(status: status)), microseconds: 0))
    }

    func answer(_ incoming: IncomingRequest) async -> ServerAnswer {
        let start = duration.microseconds()
        let message = await message(for: incoming)
        access.write(
            AccessRecord(
                incoming, world: nil, answer: .message(message), microseconds: duration.microseconds() - start))
        return .message(message)
    }

    private func message(for incoming: IncomingRequest) async -> ResponseMessage {
        guard incoming.target.hasPrefix("/"), HostName.isValid(incoming.host) else {
            return Front.problem(400, "the request target or the Host field is malformed")
        }
        guard Self.isOfThisMachine(incoming.host) else {
            return Front.problem(
                403, "a recording proxy answers under localhost and 127.0.0.1 only, not \(incoming.host)")
        }
        guard incoming.method != "TRACE", incoming.method != "CONNECT" else {
            return Front.problem(405, "\(incoming.method) is not taken here: this is not a forward proxy")
        }
        let address = ProxyAddress(origin: "\(incoming.scheme)://\(incoming.host.lowercased())", hosts: hosts)
        guard let url = address.url(for: address.restored(incoming.target)), let host = url.host, url.fragment == nil
        else {
            let named = ProxyAddress.namedHost(incoming.target) ?? ""
            return Front.problem(
                404, "the target has no host \(named); name it in `hosts` of the target file, or by --also-host")
        }
        var request = request(incoming, to: url, of: host, through: address)
        // A recording does not have the start page and the landing page of a mock-server. They are asked under the proxy's
        // own address, so that a sign-in from there ends at a page that the browser reaches.
        let isPage = host == hosts.first && (url.path == "/" || url.path == LandingPage.path)
        if isPage, let own = WebURL("\(incoming.scheme)://\(host)\(incoming.target)") {
            request.url = own
            request.headers["Host"] = incoming.host
        }
        let started = clock.now()
        do throws(Unreachable) {
            let response = try await send(request)
            if !isPage { keep(request, answeredBy: .success(response), at: started) }
            return led(response, of: host, address)
        } catch {
            if !isPage { keep(request, answeredBy: .failure(error), at: started) }
            return Front.problem(502, "\(host) does not answer: \(error.text)")
        }
    }

    /// Names that only lead to this machine, so that no page elsewhere can use the proxy under a name of its own. An
    /// Android emulator calls its host 10.0.2.2 (Android docs: emulator networking).
    private static func isOfThisMachine(_ host: String) -> Bool {
        guard let url = WebURL("http://\(host)/") else { return false }
        return url.isLoopback || url.host == "10.0.2.2"
    }

    // MARK: There

    /// Fields that belong to one connection, and those that would hide from the recording what is in an answer.
    private static let ownFields: Set<String> = [
        "accept-encoding", "connection", "content-length", "cookie", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection",
        "te",
        "trailer", "transfer-encoding", "upgrade", "b2c-world",
    ]

    private func request(
        _ incoming: IncomingRequest, to url: WebURL, of host: String, through address: ProxyAddress
    ) -> RequestMessage {
        var headers = Headers()
        for field in incoming.headers.fields where !Self.ownFields.contains(field.name.lowercased()) {
            headers.append(field.name, address.restored(field.value))
        }
        if let cookies = incoming.headers["Cookie"].map({ self.cookies($0, for: host) }), !cookies.isEmpty {
            headers.append("Cookie", cookies)
        }
        var body = incoming.body
        let type = headers.mediaType
        if ProxyAddress.isText(type) || type == "application/x-www-form-urlencoded",
            let text = String(validating: body, as: UTF8.self)
        {
            body = Array(address.restored(text).utf8)
        }
        return RequestMessage(method: incoming.method, url: url, headers: headers, body: body)
    }

    /// The cookies that a host has set itself. On the proxy all hosts are one to the browser, and none may see what
    /// belongs to another; what a page's script has set goes to the host of the proxy's own pages.
    private func cookies(_ text: String, for host: String) -> String {
        let owners = state.withLock { $0.owners }
        var seen: Set<String> = []
        let own = text.split(separator: ";").map { $0.drop { $0 == " " } }.filter { pair in
            let name = String(pair.prefix { $0 != "=" })
            let isOwn = owners[name].map { $0.contains(host) } ?? (host == hosts.first)
            // Of two with one name the browser puts the one with the longer path first.
            return isOwn && seen.insert(name).inserted
        }
        return own.joined(separator: "; ")
    }

    // MARK: Back

    private func led(_ response: ResponseMessage, of host: String, _ address: ProxyAddress) -> ResponseMessage {
        var headers = Headers()
        for field in response.headers.fields {
            switch field.name.lowercased() {
            case "connection", "content-length", "content-encoding", "keep-alive", "transfer-encoding", "trailer",
                "strict-transport-security", "alt-svc", "public-key-pins":
                continue
            case "set-cookie":
                let name = ProxyAddress.name(ofCookie: field.value)
                state.withLock { _ = $0.owners[name, default: []].insert(host) }
                headers.append(field.name, address.led(cookie: field.value, of: host))
            default:
                headers.append(field.name, address.led(field.value))
            }
        }
        return ResponseMessage(
            status: response.status, headers: headers, body: address.led(response), refusal: response.refusal)
    }

    // MARK: Keeping

    private func keep(
        _ request: RequestMessage, answeredBy answer: Result<ResponseMessage, Unreachable>, at started: Timestamp
    ) {
        var response: ResponseMessage?
        var failure: String?
        switch answer {
        case .success(let message): response = message
        case .failure(let error): failure = error.text
        }
        var lacksBody = false
        if let message = response,
            message.body.count > Self.largestBody || !ProxyAddress.isText(message.headers.mediaType)
        {
            lacksBody = !message.body.isEmpty
            response?.body = []
        }
        let size = request.body.count + (response?.body.count ?? 0) + 1024
        state.withLock { state in
            guard state.exchanges.count < Self.mostExchanges, state.bytes + size <= Self.mostBytes else {
                state.isFull = true
                return
            }
            state.bytes += size
            var exchange = CapturedExchange(
                started: started, request: request, response: response, failure: failure,
                place: "exchange \(state.exchanges.count + 1)")
            exchange.lacksResponseBody = lacksBody
            state.exchanges.append(exchange)
        }
    }
}
