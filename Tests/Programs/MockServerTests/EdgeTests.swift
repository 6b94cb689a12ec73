import HTTPMessages
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MockServerCore

/// What goes over a connection, byte by byte: a client that writes as it likes, and a front that answers by path.
@Suite struct EdgeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var sent: String
        /// The client ends its half when all is sent.
        var ends = false
        /// First lines and bodies of what comes back, in order.
        var expected: [String]
        /// The server ends its half after that.
        var closes = false

        var testDescription: String { name }
    }

    static let get = "GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n"

    static func post(_ body: String, _ headers: String = "", path: String = "/echo") -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    private static let unreadable = "400 what came cannot be read as an HTTP request\n"

    static let cases: [Case] = [
        Case(
            name: "three requests in one piece are answered in their order", sent: post("a") + post("b") + post("c"),
            expected: ["200 a", "200 b", "200 c"]),
        Case(
            name: "a body in chunks",
            sent: "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" + post("next"), expected: ["200 abcde", "200 next"]),
        Case(
            name: "Connection: close ends it, and what comes after is not heard",
            sent: post("a", "Connection: close\r\n") + post("b"), expected: ["200 a"], closes: true),
        Case(
            name: "HTTP/1.0 ends with its answer", sent: "GET /echo HTTP/1.0\r\nHost: localhost\r\n\r\n",
            expected: ["200 "], closes: true),
        Case(
            name: "HTTP/1.0 goes on when asked to",
            sent: "GET /echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n" + get,
            expected: ["200 ", "200 "]),
        Case(
            name: "HEAD answers with the length and without a body",
            sent: "HEAD /long HTTP/1.1\r\nHost: localhost\r\n\r\n" + get, expected: ["200 ", "200 "]),
        Case(
            name: "a body of many buffers",
            sent: post(String(repeating: "x", count: 40_000)) + post("next"),
            expected: ["200 " + String(repeating: "x", count: 40_000), "200 next"]),
        Case(
            name: "no length and no body with 204 and 304",
            sent: get.replacing("/echo", with: "/204") + get.replacing("/echo", with: "/304") + post("x"),
            expected: ["204 ", "304 ", "200 x"]),
        Case(
            name: "a client that waits for 100 Continue gets it", sent: post("abc", "Expect: 100-continue\r\n"),
            expected: ["100 ", "200 abc"]),
        Case(
            name: "a client that waits for 100 Continue with too large a body is refused",
            sent: "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\nExpect: 100-continue\r\n\r\n",
            expected: ["413 the body is larger than 2097152 bytes\n"], closes: true),
        Case(
            name: "of a body that is too long the rest is dropped, and the next request answered",
            sent: post(String(repeating: "x", count: 2_097_153)) + post("next"),
            expected: ["413 the body is larger than 2097152 bytes\n", "200 next"]),
        Case(
            name: "chunks that are too long in sum are refused before they end",
            sent: "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "200001\r\n" + String(repeating: "x", count: 0x200001) + "\r\n0\r\n\r\n" + post("next"),
            expected: ["413 the body is larger than 2097152 bytes\n", "200 next"]),
        Case(
            name: "a refused coding", sent: post("x", "Content-Encoding: gzip\r\n") + post("next"),
            expected: ["415 bodies are not taken in content encoding gzip\n", "200 next"]),
        Case(
            name: "many refused requests in one piece",
            sent: String(repeating: post("x", "Content-Encoding: br\r\n"), count: 2_000) + post("next"),
            expected: Array(repeating: "415 bodies are not taken in content encoding br\n", count: 2_000)
                + ["200 next"]),
        Case(
            name: "two Hosts", sent: "GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
            expected: ["400 there is more than one Host field\n"]),
        Case(
            name: "no HTTP after a request", sent: get + "NONSENSE\r\n\r\n", expected: ["200 ", unreadable],
            closes: true),
        Case(
            name: "no HTTP after a request, and no more", sent: get + "NONSENSE\r\n\r\n", ends: true,
            expected: ["200 ", unreadable], closes: true),
        Case(name: "half closed after the request", sent: post("a"), ends: true, expected: ["200 a"], closes: true),
        Case(
            name: "half closed after three", sent: post("a") + post("b") + post("c"), ends: true,
            expected: ["200 a", "200 b", "200 c"], closes: true),
        Case(
            name: "half closed before a long answer",
            sent: get.replacing("/echo", with: "/long"), ends: true, expected: ["200 \(EdgeFront.long)"],
            closes: true),
        Case(
            name: "half a request and no more", sent: "GET /echo HTTP/1.1\r\nHo", ends: true,
            expected: [unreadable], closes: true),
        Case(
            name: "half a body and no more", sent: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
            ends: true, expected: [unreadable], closes: true),
        Case(name: "nothing at all", sent: "", ends: true, expected: [], closes: true),
        Case(
            name: "a connection that is dropped", sent: get.replacing("/echo", with: "/drop"), expected: [],
            closes: true),
        Case(
            name: "pieces as long as there are any", sent: get.replacing("/echo", with: "/pieces") + post("next"),
            expected: ["200 one two three ", "200 next"]),
        Case(
            name: "pieces for HTTP/1.0 have no chunks", sent: "GET /pieces HTTP/1.0\r\nHost: localhost\r\n\r\n",
            expected: ["200 one two three "], closes: true),
        Case(
            name: "HEAD of pieces has none",
            sent: "HEAD /pieces HTTP/1.1\r\nHost: localhost\r\n\r\n" + post("next"),
            expected: ["200 ", "200 next"]),
        Case(
            name: "long answers one after the other",
            sent: String(repeating: get.replacing("/echo", with: "/long"), count: 5) + post("next"),
            expected: Array(repeating: "200 \(EdgeFront.long)", count: 5) + ["200 next"]),
    ]

    @Test(arguments: cases) func `a connection stays open or is closed`(_ test: Case) async throws {
        try await withEdge { port in
            let answers = try await Wire.exchange(
                test.sent, port: port, ends: test.ends, count: test.closes ? nil : test.expected.count,
                least: test.expected.reduce(0) { $0 + $1.utf8.count })
            #expect(answers.map { "\($0.status) \($0.body)" } == test.expected)
        }
    }

    @Test func `lengths and connection are said`() async throws {
        try await withEdge { port in
            let head = try await Wire.exchange(
                "HEAD /long HTTP/1.1\r\nHost: localhost\r\n\r\n", port: port, count: 1)
            #expect(head.first?.headers["Content-Length"] == String(EdgeFront.long.utf8.count))
            #expect(head.first?.headers["Connection"] == nil)
            let none = try await Wire.exchange(Self.get.replacing("/echo", with: "/204"), port: port, count: 1)
            #expect(none.first?.headers["Content-Length"] == nil)
            let last = try await Wire.exchange(
                Self.post("a", "Connection: close\r\n"), port: port, count: nil)
            #expect(last.first?.headers["Connection"] == "close")
            let old = try await Wire.exchange(
                "GET /echo HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", port: port, count: 1)
            #expect(old.first?.headers["Connection"] == "keep-alive")
        }
    }

    @Test func `answers cannot smuggle fields`() async throws {
        try await withEdge { port in
            let answers = try await Wire.exchange(
                Self.get.replacing("/echo", with: "/fields"), port: port, count: 1)
            let headers = try #require(answers.first).headers
            #expect(headers["X-One"] == "a  Set-Cookie: b=c")
            #expect(headers["Set-Cookie"] == nil)
            #expect(headers["X-Umlaut"] == "Grüße")
            #expect(headers["Content-Length"] == "0")
            #expect(headers.all("Content-Length").count == 1)
            #expect(headers["Transfer-Encoding"] == nil)
        }
    }

    @Test func `requests arrive as sent`() async throws {
        let front = EdgeFront()
        try await withEdge(front) { port in
            let sent =
                "POST /echo?a=b HTTP/1.1\r\nHost: LocalHost:1\r\nCookie: a=1\r\nX-Twice: 1\r\nCookie: b=2\r\n"
                + "x-twice: 2\r\nContent-Length: 1\r\n\r\nz"
            _ = try await Wire.exchange(sent, port: port, count: 1)
        }
        let request = try #require(front.seen.withLock { $0.first })
        #expect(request.method == "POST")
        #expect(request.target == "/echo?a=b")
        #expect(request.host == "LocalHost:1")
        #expect(request.scheme == "http")
        #expect(request.body == Array("z".utf8))
        #expect(request.headers["Cookie"] == "a=1; b=2")
        #expect(request.headers.all("X-Twice") == ["1", "2"])
        #expect(request.headers["Host"] == nil)
    }

    @Test func `a stream ends with its reader`() async throws {
        let front = EdgeFront()
        let ended = front.endOfEndless()
        try await withEdge(front) { port in
            try await Wire.open(port) { inbound, outbound in
                try await outbound.write(ByteBuffer(string: Self.get.replacing("/echo", with: "/endless")))
                // The head, and then the reader is gone.
                for try await _ in inbound { break }
            }
            for await _ in ended { break }
        }
    }

    @Test func `a server ends while a client still reads`() async throws {
        let listener = try await Self.listener(EdgeFront())
        try await Wire.open(listener.port) { inbound, outbound in
            try await outbound.write(ByteBuffer(string: Self.get.replacing("/echo", with: "/endless")))
            for try await _ in inbound { break }
            await listener.end(within: .zero)
        }
    }

    // MARK: Stage

    /// Nothing here is about time. The client shares its threads with every other test: from its connection to its first
    /// request more than the usual 15 seconds may pass, and the server would close before it has heard anything.
    static let limits: Limits = {
        var limits = Limits()
        (limits.firstHead, limits.idle, limits.body) = (3600, 3600, 3600)
        return limits
    }()

    static func listener(_ front: some Answering, connections: Int = limits.connections) async throws -> Listener {
        var limits = limits
        limits.connections = connections
        let place = HTTPEdge.Place(host: "127.0.0.1", port: 0)
        let listeners = try await HTTPEdge(front: front, limits: limits).listen([place], tls: nil)
        return try #require(listeners.first)
    }

    private func withEdge(
        _ front: EdgeFront = EdgeFront(), _ body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let listener = try await Self.listener(front)
        do {
            try await body(listener.port)
        } catch {
            await listener.end(within: .zero)
            throw error
        }
        await listener.end(within: .hours(1))
    }
}

/// Answers by path.
final class EdgeFront: Answering {
    static let long = String(repeating: "0123456789abcdef", count: 200_000)

    let seen = Mutex<[IncomingRequest]>([])
    /// `/late` is answered when this is open.
    let late = Gate()
    private let whenEndlessEnds = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Told when the reader of `/endless` is gone.
    func endOfEndless() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        whenEndlessEnds.withLock { $0 = continuation }
        return stream
    }

    func answer(_ incoming: IncomingRequest) async -> ServerAnswer {
        seen.withLock { $0.append(incoming) }
        switch incoming.target {
        case "/drop": return .drop
        case "/long": return .message(.text(200, Self.long))
        case "/late":
            await late.pass()
            return .message(.text(200, "late"))
        case "/204": return .message(ResponseMessage(status: 204))
        case "/304": return .message(ResponseMessage(status: 304))
        case "/fields":
            return .message(
                ResponseMessage(
                    status: 200,
                    headers: [
                        "X-One": "a\r\nSet-Cookie: b=c", "no token": "x", "": "x", "X-Umlaut": "Grüße",
                        "content-length": "77", "Transfer-Encoding": "chunked",
                    ]))
        case "/pieces":
            let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            for piece in ["one ", "two ", "three "] { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
            return .stream(status: 200, headers: ["Content-Type": "text/plain"], chunks: stream)
        case "/endless":
            let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            let told = whenEndlessEnds.withLock { $0 }
            continuation.onTermination = { _ in told?.yield() }
            continuation.yield([65])
            // Somebody holds it, as the journal of a world does.
            held.withLock { $0.append(continuation) }
            return .stream(status: 200, headers: ["Content-Type": "text/plain"], chunks: stream)
        default: return .message(.text(200, String(decoding: incoming.body, as: UTF8.self)))
        }
    }

    private let held = Mutex<[AsyncStream<[UInt8]>.Continuation]>([])

    func refused(_ incoming: IncomingRequest, status: Int) {}
}

/// A client that writes bytes and reads answers.
enum Wire {
    struct Answer {
        var status: Int
        var headers: Headers
        var body: String
    }

    typealias Inbound = NIOAsyncChannelInboundStream<ByteBuffer>
    typealias Outbound = NIOAsyncChannelOutboundWriter<ByteBuffer>

    static func open(
        _ port: Int, _ body: (Inbound, Outbound) async throws -> Void
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        try await channel.executeThenClose { inbound, outbound in try await body(inbound, outbound) }
    }

    /// - Parameters:
    ///   - ends: Whether to close the own half when all is sent.
    ///   - count: Answers to wait for; nil: until the other half is closed.
    ///   - least: Bytes that they have in any case.
    static func exchange(
        _ text: String, port: Int, ends: Bool = false, count: Int?, least: Int = 0
    ) async throws -> [Answer] {
        var bytes: [UInt8] = []
        try await open(port) { inbound, outbound in
            async let sent: Void = {
                try await outbound.write(ByteBuffer(string: text))
                if ends { outbound.finish() }
            }()
            let head = text.hasPrefix("HEAD")
            for try await part in inbound {
                bytes.append(contentsOf: part.readableBytesView)
                if let count, bytes.count >= least, answers(bytes, firstIsHead: head)?.count == count { break }
            }
            _ = try? await sent
        }
        return try #require(
            answers(bytes, firstIsHead: text.hasPrefix("HEAD")), "\(String(decoding: bytes.prefix(500), as: UTF8.self))"
        )
    }

    /// All answers in the bytes; nil where the last is not whole.
    static func answers(_ bytes: [UInt8], firstIsHead: Bool = false) -> [Answer]? {
        var rest = bytes[...]
        var answers: [Answer] = []
        while !rest.isEmpty {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            rest = rest[end.upperBound...]
            guard let line = lines.first, line.hasPrefix("HTTP/1."), let status = Int(line.split(separator: " ")[1])
            else { return nil }
            var headers = Headers()
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { return nil }
                headers.append(
                    String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
            var body: [UInt8] = []
            if status < 200 || status == 204 || status == 304 || (firstIsHead && answers.isEmpty) {
            } else if let length = headers["Content-Length"].flatMap({ Int($0) }) {
                guard rest.count >= length else { return nil }
                body = Array(rest.prefix(length))
                rest = rest.dropFirst(length)
            } else if headers["Transfer-Encoding"] == "chunked" {
                while true {
                    guard let end = rest.firstRange(of: [13, 10]),
                        let length = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16),
                        rest.count >= end.upperBound - rest.startIndex + length + 2
                    else { return nil }
                    body += rest[end.upperBound..<(end.upperBound + length)]
                    rest = rest[(end.upperBound + length + 2)...]
                    if length == 0 { break }
                }
            } else {
                body = Array(rest)
                rest = []
            }
            answers.append(Answer(status: status, headers: headers, body: String(decoding: body, as: UTF8.self)))
        }
        return answers
    }
}
