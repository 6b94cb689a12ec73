import Determinism
import HTTPMessages
import Synchronization

/// What every `Transport` does with an exchange, whatever is behind it: one table for the network inside the process,
/// for libcurl, and for the rules of scripts in between.
public struct TransportCase: Sendable, CustomStringConvertible {
    public var name: String
    public var request: RequestMessage
    public var reply: LoopbackReply
    public var expected: Result<ResponseMessage, TransportError>

    public var description: String { name }

    /// A request to the host that every peer of the table answers for.
    static func at(
        _ name: String, _ method: String = "GET", _ target: String = "/", headers: Headers = [:], body: String = "",
        reply: ResponseMessage = .text(200, "well")
    ) -> TransportCase {
        var headers = headers
        headers.append("X-Case", name)
        let request = RequestMessage(
            method: method, url: WebURL("http://\(host)\(target)") ?? WebURL(scheme: "http", host: host),
            headers: headers, body: Array(body.utf8))
        return TransportCase(name: name, request: request, reply: .response(reply), expected: .success(reply))
    }

    static func failing(
        _ name: String, _ url: String, _ reply: LoopbackReply, _ error: TransportError
    ) -> TransportCase {
        TransportCase(
            name: name,
            request: RequestMessage(
                method: "GET", url: WebURL(url) ?? WebURL(scheme: "http", host: host), headers: ["X-Case": name]),
            reply: reply, expected: .failure(error))
    }

    /// The host of the table.
    public static let host = "login.conformance.test"
    /// A port of that host on which nothing listens.
    public static let closedPort = 81

    public static let all: [TransportCase] = messages + failures

    static let messages: [TransportCase] = [
        .at("a page", reply: .html(200, "<!DOCTYPE html><p>Grüße")),
        .at(
            "fields keep order, spelling and repetitions",
            reply: ResponseMessage(
                status: 200,
                headers: Headers([
                    HeaderField(name: "Set-Cookie", value: "x-ms-cpim-csrf=a==; path=/; secure; HttpOnly"),
                    HeaderField(name: "Allow", value: "OPTIONS"), HeaderField(name: "Allow", value: "TRACE"),
                    HeaderField(name: "x-lower", value: "1"), HeaderField(name: "X-UPPER", value: "2"),
                    HeaderField(name: "Set-Cookie", value: "x-ms-cpim-cache|abc_0=m1.a.b; path=/"),
                ]), body: Array("x".utf8))),
        .at(
            "fields of a request too",
            headers: Headers([
                HeaderField(name: "X-A", value: "1"), HeaderField(name: "x-b", value: "2"),
                HeaderField(name: "X-A", value: "3"), HeaderField(name: "X-Empty", value: ""),
            ])),
        .at(
            "a cookie field goes as written",
            headers: [
                "Cookie": "x-ms-cpim-cache|2l3io3ed_0=m1.a/b+c.0==; x-ms-cpim-sso:contoso.onmicrosoft.com_0=\"q\""
            ]),
        .at(
            "a form", "POST", "/SelfAsserted?tx=StateProperties=eyJUSUQi&p=B2C_1_susi",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"],
            body: "request_type=RESPONSE&email=ada%40example.test&password=a+b%2B"),
        .at("a stray ampersand at the start of a body", "POST", "/SelfAsserted", body: "&request_type=VALIDATION"),
        .at(
            "JSON", "POST", "/tier", headers: ["Content-Type": "application/json"], body: #"{"email":"ä"}"#,
            reply: .json(409, ["status": 409, "userMessage": "später"])),
        .at("a post without a body", "POST", "/empty"),
        .at("the query as written", "GET", "/a?p=B2C_1_x&tx=StateProperties=e30&q=%7Ba%7D&&r=|'()!*"),
        .at("the path as written", "GET", "/tfp/a/../b/./c//d%2Fe"),
        .at(
            "a redirect stays where it is",
            reply: .redirect("msauth.com.contoso.app://auth?code=abc&state=x#frag")),
        .at(
            "303, 307 and 308 as well", "POST", "/form", body: "a=b",
            reply: ResponseMessage(status: 307, headers: ["Location": "/elsewhere"])),
        .at("no content", "DELETE", "/users/ada", reply: ResponseMessage(status: 204)),
        .at(
            "an error with status 200", "POST", "/SelfAsserted", body: "a=b",
            reply: .json(200, ["status": "400", "errorCode": "AADB2C90053", "message": "no account"])),
        .at("400", reply: .text(400, "Bad Request")),
        .at("404 without a body", reply: ResponseMessage(status: 404)),
        .at("429", reply: ResponseMessage(status: 429, headers: ["Retry-After": "17"])),
        .at("500", reply: .html(500, "<p>error")),
        .at("other methods", "PATCH", "/users/ada", body: "{}"),
        .at(
            "an options request", "OPTIONS", "/token",
            headers: [
                "Origin": "https://spa.contoso.test", "Access-Control-Request-Method": "POST",
            ]),
        .at(
            "bytes that are not text",
            reply: ResponseMessage(
                status: 200, headers: ["Content-Type": "application/octet-stream"],
                body: (0...255).map { UInt8($0) })),
        .at("a large answer", reply: .text(200, String(repeating: "0123456789abcdef", count: 60_000))),
        .at("a large request", "POST", "/large", body: String(repeating: "0123456789abcdef", count: 120_000)),
    ]

    static let failures: [TransportCase] = [
        .failing("a host that is not there", "http://nowhere.invalid/", .drop, .dns),
        .failing("a port nobody listens on", "http://\(host):\(closedPort)/", .drop, .refused),
        .failing("the connection ends before the answer", "http://\(host)/", .drop, .reset),
        .failing(
            "the connection ends within the answer", "http://\(host)/",
            .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)), .truncated),
        .failing("nobody answers in time", "http://\(host)/", .silence, .timeout),
    ]

    /// Sends the request and says what differs from the table.
    public func problems(
        over transport: some Transport, seen peer: TransportPeer, _ context: ExchangeContext = ExchangeContext()
    ) async -> [String] {
        var context = context
        if case .silence = reply { context.timeout = .milliseconds(200) }
        let result: Result<ResponseMessage, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request, context))
        } catch {
            result = .failure(error)
        }
        switch (result, expected) {
        case (.failure(let error), .failure(let wanted)):
            return error == wanted ? [] : ["failed as \(error), not as \(wanted)"]
        case (.failure(let error), .success):
            return ["failed: \(error)"]
        case (.success(let response), .failure(let wanted)):
            return ["answered \(response.status) instead of failing as \(wanted)"]
        case (.success(let response), .success(let wanted)):
            return differences(response, wanted) + requestDifferences(peer.request(of: name))
        }
    }

    private func differences(_ response: ResponseMessage, _ wanted: ResponseMessage) -> [String] {
        var problems: [String] = []
        if response.status != wanted.status { problems.append("status \(response.status), not \(wanted.status)") }
        if response.body != wanted.body { problems.append("another body: \(response.body.count) bytes") }
        // The framing is the connection's own.
        let fields = response.headers.fields.filter { $0.name != "Content-Length" }
        if fields != wanted.headers.fields { problems.append("other fields: \(fields)") }
        return problems
    }

    private func requestDifferences(_ seen: RequestMessage?) -> [String] {
        guard let seen else { return ["the peer has seen nothing"] }
        var problems: [String] = []
        if seen.method != request.method { problems.append("the peer saw \(seen.method)") }
        if seen.url.requestTarget != request.url.requestTarget {
            problems.append("the peer saw \(seen.url.requestTarget)")
        }
        if seen.url.host != request.url.host { problems.append("the peer saw the host \(seen.url.host ?? "")") }
        if seen.body != request.body { problems.append("the peer saw another body: \(seen.body.count) bytes") }
        let fields = seen.headers.fields.filter { $0.name != "Content-Length" && $0.name != "Host" }
        if fields != request.headers.fields { problems.append("the peer saw the fields \(fields)") }
        return problems
    }
}

/// The far side of the table: answers as the case says and remembers what it saw.
public final class TransportPeer: Responder {
    private let seen = Mutex<[String: RequestMessage]>([:])

    public init() {}

    public func request(of name: String) -> RequestMessage? { seen.withLock { $0[name] } }

    public func reply(to request: RequestMessage) -> LoopbackReply {
        guard let name = request.headers["X-Case"], let found = TransportCase.all.first(where: { $0.name == name })
        else { return .response(.text(404, "no such case")) }
        seen.withLock { $0[name] = request }
        return found.reply
    }

    /// In the process there are no bytes to cut off: the network says what became of the connection.
    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        switch reply(to: request) {
        case .response(let response): return response
        case .raw: throw .truncated
        case .drop: throw .reset
        case .silence: throw .timeout
        }
    }
}
