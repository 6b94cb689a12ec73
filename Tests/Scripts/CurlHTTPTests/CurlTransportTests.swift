import CurlHTTP
import Determinism
import HTTPMessages
import TestSupport
import Testing

/// What only the real network has: connections, encodings, limits, cancelling, trust.
@Suite struct CurlTransportTests {
    static func get(_ server: LoopbackServer, _ path: String = "/", headers: Headers = [:]) -> RequestMessage {
        RequestMessage(
            method: "GET",
            url: WebURL(scheme: "http", host: "127.0.0.1", port: server.port, path: path), headers: headers)
    }

    /// A transport that waits as long as a busy machine takes.
    static func transport(_ change: (inout CurlOptions) -> Void = { _ in }) -> CurlTransport {
        var options = CurlOptions(connectTimeout: .minutes(10), timeout: .minutes(10), idleLimit: .hours(1))
        change(&options)
        return CurlTransport(options)
    }

    @Test func `an encoded body is decoded, and the field stays`() async throws {
        let packed: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 46, 73, 44, 41, 45, 86, 178, 82, 50, 50, 48, 80, 170, 5, 0,
            212, 234, 199, 250, 16, 0, 0, 0,
        ]
        let server = try LoopbackServer { request in
            .response(
                ResponseMessage(
                    status: 200,
                    headers: ["Content-Encoding": "gzip", "X-Asked": request.headers["Accept-Encoding"] ?? "nothing"],
                    body: packed))
        }
        let transport = Self.transport()
        let plain = try await transport.send(Self.get(server), ExchangeContext())
        #expect(plain.text == #"{"status":"200"}"#)
        #expect(plain.headers["Content-Encoding"] == "gzip")
        #expect(plain.headers["X-Asked"] == "nothing")
        let asked = try await transport.send(
            Self.get(server, headers: ["Accept-Encoding": "gzip, deflate, br"]), ExchangeContext())
        #expect(asked.headers["X-Asked"] == "gzip, deflate, br")
    }

    @Test func `an interim response is not the answer, and trailers are dropped`() async throws {
        let server = try LoopbackServer { _ in
            .raw(
                Array(
                    ("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                        + "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nX-Kept: yes\r\n\r\n"
                        + "5\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n").utf8))
        }
        let response = try await Self.transport().send(Self.get(server), ExchangeContext())
        #expect(response.status == 201)
        #expect(response.text == "hello")
        #expect(response.headers["Link"] == nil)
        #expect(response.headers["X-Kept"] == "yes")
        #expect(response.headers["X-Trailer"] == nil)
    }

    @Test func `a head request has no body`() async throws {
        let server = try LoopbackServer { _ in .response(.text(200, "body")) }
        var request = Self.get(server)
        request.method = "HEAD"
        let response = try await Self.transport().send(request, ExchangeContext())
        #expect(response.headers["Content-Length"] == "4")
        #expect(response.body.isEmpty)
    }

    @Test func `an answer that is too large ends the exchange`() async throws {
        let server = try LoopbackServer { _ in .response(.text(200, String(repeating: "x", count: 2000))) }
        let transport = Self.transport { $0.maxBodyBytes = 1000 }
        await #expect(throws: TransportError.other("the response is larger than 1000 bytes")) {
            try await transport.send(Self.get(server), ExchangeContext())
        }
        let exact = Self.transport { $0.maxBodyBytes = 2000 }
        #expect(try await exact.send(Self.get(server), ExchangeContext()).body.count == 2000)
    }

    @Test func `header sections are bounded`() async throws {
        let server = try LoopbackServer { _ in
            .response(ResponseMessage(status: 200, headers: ["X-Long": String(repeating: "x", count: 3000)]))
        }
        let transport = Self.transport { $0.maxHeaderBytes = 2000 }
        await #expect(throws: TransportError.other("the header section is larger than 2000 bytes")) {
            try await transport.send(Self.get(server), ExchangeContext())
        }
    }

    @Test func `a task that is cancelled stops waiting`() async throws {
        let server = try LoopbackServer { _ in .silence }
        let transport = Self.transport()
        let request = Self.get(server)
        let task = Task { () -> TransportError? in
            do throws(TransportError) {
                _ = try await transport.send(request, ExchangeContext())
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `an exchange that waits for a connection can be cancelled, and one that is cancelled makes room`()
        async throws
    {
        let (asked, arrivals) = AsyncStream<Void>.makeStream()
        let server = try LoopbackServer { request in
            arrivals.yield()
            return request.url.path == "/held" ? .silence : .response(.text(200, request.url.path))
        }
        let transport = Self.transport { $0.connectionsPerHost = 1 }
        func begin(_ path: String) -> Task<String?, Never> {
            let request = Self.get(server, path)
            return Task { try? await transport.send(request, ExchangeContext()).text }
        }
        let held = begin("/held")
        for await _ in asked { break }
        let (given, last) = (begin("/given-up"), begin("/last"))
        given.cancel()
        #expect(await given.value == nil)
        held.cancel()
        #expect(await held.value == nil)
        #expect(await last.value == "/last")
    }

    @Test(arguments: ["ftp://127.0.0.1/a", "file:///etc/hostname", "msauth.com.contoso.app://auth"])
    func `nothing but http and https is sent`(_ url: String) async throws {
        let request = RequestMessage.get(try #require(WebURL(url)))
        await #expect(throws: TransportError.other("only http and https go over the network")) {
            try await Self.transport().send(request, ExchangeContext())
        }
    }

    @Test func `a header field cannot smuggle another`() async throws {
        let server = try LoopbackServer { _ in .response(.text(200, "")) }
        let request = Self.get(server, headers: ["X-A": "1\r\nX-B: 2"])
        let problem = try #require(request.headers.problem)
        await #expect(throws: TransportError.other(problem)) {
            try await Self.transport().send(request, ExchangeContext())
        }
        #expect(server.connections == 0)
    }

    @Test func `many exchanges at once share few connections`() async throws {
        let server = try LoopbackServer { request in .response(.text(200, request.url.path)) }
        let transport = Self.transport { $0.connectionsPerHost = 4 }
        let wrong = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let response = try? await transport.send(Self.get(server, "/\(index)"), ExchangeContext())
                    return response?.text != "/\(index)"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        #expect(server.connections <= 4)
    }

    @Test func `a reused connection that has gone away is opened again`() async throws {
        let server = try LoopbackServer { request in
            request.url.path == "/last"
                ? .raw(LoopbackServer.bytes(of: .text(200, "last"))) : .response(.text(200, "more"))
        }
        let transport = Self.transport()
        #expect(try await transport.send(Self.get(server, "/last"), ExchangeContext()).text == "last")
        #expect(try await transport.send(Self.get(server, "/next"), ExchangeContext()).text == "more")
    }

    @Test func `plain http where TLS is spoken to fails as tls, with a sentence`() async throws {
        let server = try LoopbackServer { _ in .drop }
        let url = WebURL(scheme: "https", host: "127.0.0.1", port: server.port, path: "/")
        do throws(CurlFailure) {
            _ = try await Self.transport().exchange(.get(url))
            Issue.record("a TLS connection to a plain server")
        } catch {
            #expect(error.error == .tls)
            #expect(error.text.hasPrefix("127.0.0.1:\(server.port): "))
        }
    }

    @Test func `a missing file of authorities is said so`() async throws {
        let server = try LoopbackServer { _ in .drop }
        let url = WebURL(scheme: "https", host: "127.0.0.1", port: server.port, path: "/")
        let transport = Self.transport { $0.trust = .file("/nowhere/authority.pem") }
        await #expect(throws: TransportError.other("the file of certificate authorities cannot be read")) {
            try await transport.send(.get(url), ExchangeContext())
        }
    }

    @Test func `a proxy gets the whole address`() async throws {
        let proxy = try LoopbackServer { request in .response(.text(200, request.url.description)) }
        let transport = Self.transport { $0.proxy = .url("http://127.0.0.1:\(proxy.port)") }
        let url = try #require(WebURL("http://login.contoso.test/a?b=c"))
        // The request line holds the absolute form, which the small server puts after the host's name.
        let text = try await transport.send(.get(url), ExchangeContext()).text
        #expect(text.hasPrefix("http://login.contoso.testhttp"))
        #expect(text.hasSuffix("//login.contoso.test/a?b=c"))
    }
}
