import B2CProtocol
import Capture
import CommandKit
import Determinism
import Foundation
import HTTPMessages
import JSON
import Scenarios
import Synchronization
import Testing

@testable import MockServerCore

/// A proxy that records.
@Suite struct RecordingTests {
    static let hosts = ["contoso.b2clogin.com", "api.contoso.test"]
    static let address = ProxyAddress(origin: "http://127.0.0.1:9500", hosts: hosts)

    // MARK: Addresses

    @Test(
        arguments: [
            ("/t/p/authorize?a=b", "https://contoso.b2clogin.com/t/p/authorize?a=b"),
            ("/_hosts/api.contoso.test/tasks?x=1", "https://api.contoso.test/tasks?x=1"),
            ("/_hosts/API.contoso.test", "https://api.contoso.test/"),
            ("/_hosts/evil.example/x", nil), ("/_hosts/", "https://contoso.b2clogin.com/_hosts/"),
        ] as [(String, String?)])
    func `a target names a host`(text: String, url: String?) {
        guard text != "/_hosts/" else {
            #expect(Self.address.url(for: text) == nil)
            return
        }
        #expect(Self.address.url(for: text)?.description == url)
    }

    @Test(arguments: [
        ("https://contoso.b2clogin.com/t/authorize", "http://127.0.0.1:9500/t/authorize"),
        ("\"http://Contoso.b2clogin.com\"", "\"http://127.0.0.1:9500\""),
        ("https://contoso.b2clogin.com:443/x", "http://127.0.0.1:9500/x"),
        ("https:\\/\\/contoso.b2clogin.com\\/x", "http:\\/\\/127.0.0.1:9500\\/x"),
        ("url(https://api.contoso.test/a.png)", "url(http://127.0.0.1:9500/_hosts/api.contoso.test/a.png)"),
        ("https://contoso.b2clogin.com.evil.example/", "https://contoso.b2clogin.com.evil.example/"),
        ("https://contoso.b2clogin.com:8443/", "https://contoso.b2clogin.com:8443/"),
        ("https://contoso.b2clogin.community", "https://contoso.b2clogin.community"),
        ("https://contoso.b2clogin.com@evil.example", "https://contoso.b2clogin.com@evil.example"),
        ("msauth.com.contoso.app://auth?code=1", "msauth.com.contoso.app://auth?code=1"),
        // A provider knows its clients' addresses as they are registered.
        (
            "redirect_uri=https%3A%2F%2Fcontoso.b2clogin.com%2F",
            "redirect_uri=https%3A%2F%2Fcontoso.b2clogin.com%2F"
        ),
        ("contoso.b2clogin.com", "contoso.b2clogin.com"), ("http", "http"), ("", ""),
    ])
    func `addresses in answers lead to the proxy, those of others stay`(text: String, wanted: String) {
        #expect(Self.address.led(text) == wanted)
    }

    @Test(arguments: [
        ("http://127.0.0.1:9500", "https://contoso.b2clogin.com"),
        ("http://127.0.0.1:9500/t/p", "https://contoso.b2clogin.com/t/p"),
        ("http://127.0.0.1:9500/_hosts/api.contoso.test/x", "https://api.contoso.test/x"),
        (
            "u=http%3A%2F%2F127.0.0.1%3A9500%2F_hosts%2Fapi.contoso.test%2Fx",
            "u=https%3A%2F%2Fapi.contoso.test%2Fx"
        ),
        ("http://127.0.0.1:95001/", "http://127.0.0.1:95001/"),
        ("http://127.0.0.1:3000/auth", "http://127.0.0.1:3000/auth"),
        // The server's own landing page, as a redirect URI.
        ("r=http%3A%2F%2F127.0.0.1%3A9500%2Fsigned-in", "r=http%3A%2F%2F127.0.0.1%3A9500%2Fsigned-in"),
    ])
    func `addresses of the proxy in requests are the hosts' again`(text: String, wanted: String) {
        #expect(Self.address.restored(text) == wanted)
    }

    @Test func `an app at another port of the name without a port is another place`() {
        let address = ProxyAddress(origin: "http://localhost", hosts: Self.hosts)
        #expect(address.restored("http://localhost:3000/cb") == "http://localhost:3000/cb")
        #expect(address.restored("http%3A%2F%2Flocalhost%3A3000") == "http%3A%2F%2Flocalhost%3A3000")
        #expect(address.restored("http://localhost/cb") == "https://contoso.b2clogin.com/cb")
    }

    @Test(arguments: [
        (
            "a=b; domain=contoso.b2clogin.com; path=/; SameSite=None; secure; HttpOnly", "contoso.b2clogin.com",
            "a=b; HttpOnly; path=/"
        ),
        ("a=b; Path=/t; SameSite=Lax", "contoso.b2clogin.com", "a=b; SameSite=Lax; path=/t"),
        ("a=b; Path=/t", "api.contoso.test", "a=b; path=/_hosts/api.contoso.test/t"),
        ("a=", "api.contoso.test", "a=; path=/_hosts/api.contoso.test/"),
    ])
    func `cookies are the proxy's`(text: String, host: String, wanted: String) {
        #expect(Self.address.led(cookie: text, of: host) == wanted)
        let secure = ProxyAddress(origin: "https://localhost:9500", hosts: Self.hosts)
        #expect(secure.led(cookie: "a=b; Secure; SameSite=None", of: host).contains("Secure; SameSite=None"))
    }

    // MARK: The proxy

    /// A proxy before a server that is called without sockets.
    private func proxy(_ stage: Stage) -> (RecordingProxy, Lines) {
        let lines = Lines()
        let proxy = RecordingProxy(
            hosts: Self.hosts, clock: FixedClock(Timestamp(seconds: 1_768_478_400)),
            access: AccessLog { lines.append($0) }
        ) { request throws(RecordingProxy.Unreachable) in
            let answer = await stage.front.answer(
                IncomingRequest(
                    method: request.method, scheme: "https", host: request.url.host ?? "",
                    target: request.url.requestTarget, headers: request.headers, body: request.body,
                    peer: "127.0.0.1", isLoopback: true))
            guard case .message(let message) = answer else { throw RecordingProxy.Unreachable(text: "closed") }
            return message
        }
        return (proxy, lines)
    }

    private final class Sent: Sendable {
        let requests = Mutex<[RequestMessage]>([])
    }

    private func send(
        _ proxy: RecordingProxy, _ target: String, method: String = "GET", host: String = "127.0.0.1:9500",
        headers: Headers = [:], body: String = ""
    ) async -> ResponseMessage {
        let answer = await proxy.answer(
            IncomingRequest(
                method: method, scheme: "http", host: host, target: target, headers: headers, body: Array(body.utf8),
                peer: "127.0.0.1", isLoopback: true))
        if case .message(let message) = answer { return message }
        return ResponseMessage(status: 0)
    }

    /// The value of a name in a page's data.
    private func value(_ name: String, in page: String) throws -> String {
        let start = try #require(page.range(of: "\"\(name)\":\""))
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }

    private func cookies(_ answers: [ResponseMessage]) -> String {
        var jar: [String: String] = [:]
        for field in answers.flatMap({ $0.headers.all("Set-Cookie") }) {
            let pair = field.prefix { $0 != ";" }
            jar[String(pair.prefix { $0 != "=" })] = String(pair)
        }
        return jar.values.sorted().joined(separator: "; ")
    }

    @Test func `a sign-in through the proxy becomes a script without secrets that plays`() async throws {
        let stage = try await Stage()
        let (proxy, lines) = proxy(stage)
        let client = try #require(stage.world.tenant.tenant.app(named: "ios")).registration.clientId
        let base = "/contoso.onmicrosoft.com/b2c_1_susi"

        let discovery = await send(proxy, "\(base)/v2.0/.well-known/openid-configuration")
        #expect(
            discovery.json?["authorization_endpoint"]
                == "http://127.0.0.1:9500/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize")
        #expect(discovery.json?["issuer"]?.stringValue?.hasPrefix("https://contoso.b2clogin.com/") == true)

        let redirect = "msauth.com.contoso.tasks://auth"
        let verifier = "a-verifier-of-forty-three-characters-or-more-0"
        let query = FormItems([
            (name: "client_id", value: client), (name: "response_type", value: "code"),
            (name: "redirect_uri", value: redirect), (name: "scope", value: "openid offline_access \(client)"),
            (name: "state", value: "s1"), (name: "nonce", value: "n1"),
            (name: "code_challenge", value: PKCE.challenge(verifier)), (name: "code_challenge_method", value: "S256"),
        ])
        let page = await send(proxy, "\(base)/oauth2/v2.0/authorize?\(query.encoded)")
        #expect(page.status == 200)
        #expect(!page.text.contains("https://contoso.b2clogin.com"))
        #expect(page.headers.all("Set-Cookie").allSatisfy { !$0.lowercased().contains("secure") })

        let csrf = try value("csrf", in: page.text)
        let transaction = try value("transId", in: page.text)
        let form = FormItems([
            (name: "request_type", value: "RESPONSE"), (name: "email", value: "ada@example.test"),
            (name: "password", value: "Analytical-1843"),
        ])
        let tx = FormItems([(name: "tx", value: transaction), (name: "p", value: "B2C_1_susi")]).encoded
        let posted = await send(
            proxy, "/contoso.onmicrosoft.com/B2C_1_susi/SelfAsserted?\(tx)", method: "POST",
            headers: [
                "Cookie": cookies([page]), "X-CSRF-TOKEN": csrf, "Origin": "http://127.0.0.1:9500",
                "Referer": "http://127.0.0.1:9500\(base)/oauth2/v2.0/authorize",
                "Content-Type": "application/x-www-form-urlencoded", "X-Requested-With": "XMLHttpRequest",
            ], body: form.encoded)
        #expect(posted.json?["status"] == "200", "\(posted.status) \(posted.text)")
        let confirm = FormItems([
            (name: "rememberMe", value: "false"), (name: "csrf_token", value: csrf), (name: "tx", value: transaction),
            (name: "p", value: "B2C_1_susi"),
        ])
        let confirmed = await send(
            proxy,
            "/contoso.onmicrosoft.com/B2C_1_susi/api/CombinedSigninAndSignup/confirmed?\(confirm.encoded)",
            headers: ["Cookie": cookies([page, posted])])
        let callback = try #require(confirmed.location)
        #expect(callback.description.hasPrefix(redirect))
        let code = try #require(callback.queryItems["code"])
        let token = await send(
            proxy, "\(base)/oauth2/v2.0/token", method: "POST",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: FormItems([
                (name: "grant_type", value: "authorization_code"), (name: "client_id", value: client),
                (name: "code", value: code), (name: "redirect_uri", value: redirect),
                (name: "code_verifier", value: verifier), (name: "scope", value: "openid offline_access \(client)"),
            ]).encoded)
        #expect(token.status == 200, "\(token.text)")
        let raw = try #require(token.json?["id_token"]?.stringValue)

        let exchanges = proxy.exchanges
        #expect(exchanges.map { $0.request.url.host } == Array(repeating: "contoso.b2clogin.com", count: 5))
        #expect(exchanges[2].request.headers["Origin"] == "https://contoso.b2clogin.com")
        let files = try CaptureImport.files(from: exchanges, CaptureImport.Options(source: "a recording"))
        let texts = [JSONWriter.pretty(.object(files.scenario)), JSONWriter.pretty(.object(files.tenant))]
        for text in texts {
            for secret in [raw, code, csrf, verifier, "Analytical-1843", "ada@example.test", "127.0.0.1"] {
                #expect(!text.contains(secret), "\(secret) is in what was written")
            }
        }
        for line in lines.all {
            for secret in [raw, code, csrf, "Analytical-1843"] { #expect(!line.contains(secret), "\(line)") }
        }
        let scenario = try ScenarioReader.read(
            file: "s/\(files.name).json", bytes: Array(texts[0].utf8),
            files: { $0 == "s/" + files.tenantPath ? Array(texts[1].utf8) : nil })
        #expect(scenario.allSteps.contains { $0.verb == .acquireToken || $0.verb == .open })
    }

    @Test func `the proxy serves the target's hosts and names of this machine only`() async throws {
        let stage = try await Stage()
        let (proxy, lines) = proxy(stage)
        #expect(await send(proxy, "/_hosts/evil.example/").status == 404)
        #expect(await send(proxy, "/", host: "rebound.example:9500").status == 403)
        #expect(await send(proxy, "x", method: "CONNECT").status == 400)
        #expect(await send(proxy, "/", method: "TRACE").status == 405)
        #expect(await send(proxy, "//evil.example/x").status != 200)
        #expect(proxy.exchanges.allSatisfy { Self.hosts.contains($0.request.url.host ?? "") })
        #expect(lines.all.count == 5)
        #expect(lines.all[0].contains("the target has no host evil.example"))
    }

    @Test func `the start page of a server leads to a sign-in that ends at the proxy`() async throws {
        let seen = Sent()
        let proxy = RecordingProxy(
            hosts: Self.hosts, clock: FixedClock(Timestamp(seconds: 0)), access: AccessLog(write: nil)
        ) { request throws(RecordingProxy.Unreachable) in
            seen.requests.withLock { $0.append(request) }
            return ResponseMessage(status: 200)
        }
        for target in ["/", "/signed-in?code=c&state=at%3Dhttp%253A%252F%252F127.0.0.1%253A9500", "/other"] {
            _ = await send(proxy, target)
        }
        let requests = seen.requests.withLock { $0 }
        #expect(requests.map { $0.headers["Host"] } == ["127.0.0.1:9500", "127.0.0.1:9500", nil])
        #expect(requests.map { $0.url.scheme } == ["http", "http", "https"])
        #expect(requests[1].url.description.contains("127.0.0.1%253A9500"))
        #expect(proxy.exchanges.map { $0.request.url.path } == ["/other"])
    }

    @Test func `a host gets the cookies that it has set, and no other's`() async throws {
        let seen = Sent()
        let proxy = RecordingProxy(
            hosts: Self.hosts, clock: FixedClock(Timestamp(seconds: 0)), access: AccessLog(write: nil)
        ) { request throws(RecordingProxy.Unreachable) in
            seen.requests.withLock { $0.append(request) }
            let name = request.url.host == Self.hosts[0] ? "session" : "api"
            return ResponseMessage(
                status: 200, headers: ["Set-Cookie": "\(name)=1; path=/", "Content-Type": "text/plain"])
        }
        for target in ["/", "/_hosts/api.contoso.test/"] { _ = await send(proxy, target) }
        for target in ["/", "/_hosts/api.contoso.test/"] {
            _ = await send(proxy, target, headers: ["Cookie": "session=1; api=1; script=1", "Accept-Encoding": "gzip"])
        }
        let cookies = seen.requests.withLock { $0.suffix(2).map { $0.headers["Cookie"] } }
        #expect(cookies == ["session=1; script=1", "api=1"])
        #expect(seen.requests.withLock { $0.allSatisfy { $0.headers["Accept-Encoding"] == nil } })
    }

    @Test func `a target that does not answer is a sentence, and is remembered`() async throws {
        let proxy = RecordingProxy(
            hosts: Self.hosts, clock: FixedClock(Timestamp(seconds: 0)), access: AccessLog(write: nil)
        ) { _ throws(RecordingProxy.Unreachable) in throw RecordingProxy.Unreachable(text: "the connection was refused")
        }
        let answer = await send(proxy, "/x")
        #expect(answer.status == 502)
        #expect(answer.text == "contoso.b2clogin.com does not answer: the connection was refused\n")
        #expect(proxy.exchanges.map(\.failure) == ["the connection was refused"])
    }

    @Test func `what is written takes no file's place, and nothing recorded is a sentence`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("b2c-record-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = RecordOutput(folder: folder.path, name: nil)
        let proxy = RecordingProxy(
            hosts: Self.hosts, clock: FixedClock(Timestamp(seconds: 0)), access: AccessLog(write: nil)
        ) { _ throws(RecordingProxy.Unreachable) in ResponseMessage(status: 200) }
        #expect(throws: Failure.self) { try output.write(proxy, of: "a target") }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}
