import Determinism
import HTTPMessages

/// The real network: `Transport` on libcurl.
///
/// Every exchange is one request and its response as they are on the wire. Redirects are not followed, cookies not kept,
/// credentials not looked up; header fields keep their order, their spelling and their repetitions, and nothing is added
/// but `Host`, `Content-Length` and what the connection needs. A body that came with `Content-Encoding` is decoded, the
/// field stays as a record of how it came.
///
/// One transport owns its connections and reuses them. It works on a thread of its own, so no task ever blocks; when the
/// last reference goes, the connections close.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    public init(_ options: CurlOptions = CurlOptions()) {
        loop = CurlLoop(options)
    }

    deinit {
        loop.stop()
    }

    public func send(
        _ request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        do throws(CurlFailure) {
            return try await exchange(request, timeout: context.timeout)
        } catch {
            throw error.error
        }
    }

    /// As `send`, with a failure that says more.
    ///
    /// - Parameter timeout: How long the caller waits; the options' own limit holds too.
    public func exchange(
        _ request: RequestMessage, timeout: TimeSpan? = nil
    ) async throws(CurlFailure) -> ResponseMessage {
        let order = try CurlOrder(request, timeout: timeout)
        let ticket = CurlTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<CurlLoop.Answer, Never>) in
                loop.start(order, ticket, continuation)
            }
        } onCancel: {
            loop.cancel(ticket)
        }
        return try result.get()
    }

    /// How many connections were opened so far. Reused ones do not count again.
    public var connectionsOpened: Int { loop.connectionsOpened }
}

/// A request in the form libcurl takes, checked: nothing in it can end a header line early.
struct CurlOrder: Sendable {
    let method: String
    let url: String
    let host: String
    let headers: [String]
    let body: [UInt8]
    let timeout: TimeSpan?

    /// - Throws: What cannot be put on the wire as it is.
    init(_ request: RequestMessage, timeout: TimeSpan?) throws(CurlFailure) {
        let url = request.url
        guard url.scheme == "https" || url.scheme == "http", let host = url.host, !host.isEmpty else {
            throw CurlFailure(
                .other("only http and https go over the network"), "\(url): only http and https go over the network")
        }
        guard HeaderRules.isToken(request.method) else {
            throw CurlFailure(.other("not an HTTP method"), "`\(request.method)` is not an HTTP method")
        }
        // What precedes an `@` would become credentials; a browser's address bar drops them for subresources too.
        self.url = "\(url.scheme)://\(url.authority)\(url.requestTarget)"
        self.host = url.authority
        method = request.method
        body = request.body
        self.timeout = timeout
        headers = try Self.lines(request)
    }

    /// The header lines as libcurl's list takes them: `Name;` for an empty value, `Name:` for a field that libcurl is
    /// not to add by itself.
    private static func lines(_ request: RequestMessage) throws(CurlFailure) -> [String] {
        if let problem = request.headers.problem { throw CurlFailure(.other(problem), problem) }
        var lines: [String] = []
        for field in request.headers.fields {
            // The connection sets the framing itself.
            if ["content-length", "transfer-encoding"].contains(field.name.lowercased()) { continue }
            let value = trimmed(field.value)
            lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        for name in ["Accept", "Accept-Encoding", "Content-Type", "Expect"] where request.headers[name] == nil {
            lines.append("\(name):")
        }
        return lines
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
