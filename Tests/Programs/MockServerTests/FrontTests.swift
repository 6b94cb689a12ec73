import Determinism
import HTTPMessages
import JSON
import Testing

@testable import MockServerCore

/// What the front does with a request before and after its world.
@Suite struct FrontTests {
    static let discovery = "/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"

    @Test func `a server is ready`() async throws {
        let stage = try await Stage()
        let answer = try #require(await stage.send("/health"))
        #expect(answer.status == 200)
        #expect(answer.json == ["status": "ready"])
    }

    @Test(arguments: [
        ("http", "localhost:9400", "http://localhost:9400"),
        ("http", "127.0.0.1:9400", "http://127.0.0.1:9400"),
        ("https", "localhost:9443", "https://localhost:9443"),
        ("https", "contoso.b2clogin.com", "https://contoso.b2clogin.com"),
        ("https", "contoso.b2clogin.com:9443", "https://contoso.b2clogin.com:9443"),
        ("https", "Contoso.B2CLogin.com", "https://Contoso.B2CLogin.com"),
    ])
    func `URLs in discovery are of the address that was used`(scheme: String, host: String, origin: String) async throws
    {
        let stage = try await Stage()
        let answer = try #require(await stage.send(Self.discovery, host: host, scheme: scheme))
        #expect(answer.status == 200)
        let document = try #require(answer.json)
        for member in ["issuer", "authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri"] {
            #expect(document[member]?.stringValue?.hasPrefix(origin + "/") == true, "\(member)")
        }
    }

    @Test func `HEAD is answered like GET`() async throws {
        let stage = try await Stage()
        #expect(await stage.send(Self.discovery, method: "HEAD")?.status == 200)
    }

    @Test func `cookies at a plain address are host-only and not secure, at the tenant's host as recorded`()
        async throws
    {
        let stage = try await Stage()
        let app = try #require(stage.world.tenant.tenant.app(named: "spa"))
        let redirect = try #require(app.registration.redirectUris.all.first?.uri)
        let query = FormItems([
            ("client_id", app.registration.clientId), ("response_type", "code"), ("redirect_uri", redirect),
            ("scope", "openid"), ("code_challenge", String(repeating: "a", count: 43)),
            ("code_challenge_method", "S256"),
        ]).encoded
        let target = "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?" + query
        let plain = try #require(await stage.send(target))
        let local = plain.headers.all("Set-Cookie")
        #expect(!local.isEmpty)
        for cookie in local {
            #expect(!cookie.lowercased().contains("domain="))
            #expect(!cookie.contains("secure"))
            #expect(!cookie.contains("SameSite=None"))
            #expect(cookie.contains("HttpOnly"))
        }
        #expect(plain.headers["Strict-Transport-Security"] == nil)
        let secure = try #require(
            await stage.send(target, host: "contoso.b2clogin.com:9443", scheme: "https"))
        for cookie in secure.headers.all("Set-Cookie") {
            #expect(cookie.contains("domain=contoso.b2clogin.com;"))
            #expect(cookie.contains("SameSite=None; secure; HttpOnly"))
        }
        #expect(secure.headers["Strict-Transport-Security"] != nil)
        let localTLS = try #require(await stage.send(target, host: "localhost:9443", scheme: "https"))
        for cookie in localTLS.headers.all("Set-Cookie") {
            #expect(!cookie.contains("domain="))
            #expect(cookie.contains("SameSite=None; secure; HttpOnly"))
        }
    }

    @Test func `browsers find an icon at every address of the server, and nothing in the log says 404`() async throws {
        let stage = try await Stage()
        for (host, isConsole) in [("localhost:9400", false), ("contoso.b2clogin.com", false), ("localhost", true)] {
            let answer = try #require(await stage.send("/favicon.ico", host: host, isConsole: isConsole))
            #expect(answer.status == 200 && answer.headers.mediaType == "image/svg+xml")
            #expect(answer.text.hasPrefix("<svg ") && answer.text.hasSuffix("</svg>"))
            #expect(answer.headers["Cache-Control"]?.contains("max-age") == true)
        }
        #expect(await stage.send("/favicon.ico", method: "HEAD")?.status == 200)
        #expect(stage.lines.all.allSatisfy { !$0.contains("404") })
        // APIs, providers and templates have their own, or none.
        #expect(await stage.send("/favicon.ico", host: "graph.microsoft.com")?.status == 404)
        #expect(await stage.send("/favicon.ico", headers: ["B2C-World": "w1"])?.status == 404)
    }

    @Test func `the keys of the caller of extensions are published under the address that was asked`() async throws {
        let stage = try await Stage()
        let path = "/extension-caller/external/5a7c9d1e-0000-4000-8000-000000000001"
        let metadata = "\(path)/v2.0/.well-known/openid-configuration"
        let answer = try #require(await stage.send(metadata, host: "localhost:9400"))
        #expect(answer.status == 200 && answer.json?["issuer"] == .string("http://localhost:9400\(path)/v2.0"))
        let keys = try #require(await stage.send("\(path)/discovery/v2.0/keys", host: "localhost:9400"))
        #expect(keys.json?["keys"]?.arrayValue?.count == 2)
        for (other, method) in [("\(path)/keys", "GET"), ("\(path)/discovery/v2.0/keys", "POST")] {
            #expect(await stage.send(other, method: method, host: "localhost:9400")?.status != 200)
        }
        // A world that a runner made, and a neighbour, do not have them.
        let elsewhere = [
            await stage.send("\(path)/discovery/v2.0/keys", host: "graph.microsoft.com"),
            await stage.send("\(path)/discovery/v2.0/keys", headers: ["B2C-World": "w1"]),
        ]
        #expect(elsewhere.allSatisfy { $0?.status != 200 })
    }

    @Test func `methods that the service does not take are refused, and neighbours have their own rules`() async throws
    {
        let stage = try await Stage()
        for method in ["PUT", "PATCH", "DELETE"] {
            let answer = try #require(await stage.send(Self.discovery, method: method))
            #expect(answer.status == 405)
            #expect(answer.headers.all("Allow").contains("GET"))
            #expect(await stage.send("/v1.0/me", method: method, host: "graph.microsoft.com")?.json?["error"] != nil)
        }
    }

    @Test func `neighbours answer at their own host, and below a path where no name leads there`() async throws {
        let stage = try await Stage()
        let api = try #require(stage.world.tenant.tenant.apis.first.flatMap { WebURL($0.baseUrl)?.host })
        for (host, target) in [(api, "/tasks"), ("\(api):9443", "/tasks"), ("localhost:9400", "/_hosts/\(api)/tasks")] {
            let answer = try #require(await stage.send(target, host: host))
            #expect(answer.status == 401, "\(host)\(target)")
            #expect(answer.headers["WWW-Authenticate"] == "Bearer")
        }
        let graph = try #require(await stage.send("/_hosts/graph.microsoft.com/v1.0/me"))
        #expect(graph.status == 401)
        #expect(await stage.send("/_hosts/evil.test/")?.status == 404)
        #expect(await stage.send("/_hosts/")?.status == 404)
        // The authority's own host has no such path: it is for the server's address only.
        #expect(await stage.send("/_hosts/\(api)/tasks", host: "contoso.b2clogin.com")?.status == 404)
    }

    @Test func `a way to a provider leads below the same address`() async throws {
        let stage = try await Stage()
        let provider = try #require(stage.world.tenant.tenant.providers.first)
        let host = try #require(WebURL(provider.issuer)?.host)
        let url = try #require(WebURL("http://localhost:9400/x"))
        let local = try #require(LocalAddress(url: url, place: .elsewhere))
        var message = ResponseMessage.redirect("https://\(host)/dialog?redirect_uri=a#b")
        message.headers.append("Content-Type", "text/html")
        message.body = Array("<a href=\"https://\(host)/dialog\">here</a> https://other.test/".utf8)
        local.adapt(&message, of: stage.world)
        #expect(message.headers["Location"] == "http://localhost:9400/_hosts/\(host)/dialog?redirect_uri=a#b")
        #expect(
            message.text
                == "<a href=\"http://localhost:9400/_hosts/\(host)/dialog\">here</a> https://other.test/")
    }

    @Test func `documents may be read by any page, tokens asked for by pages of registered origins`() async throws {
        let stage = try await Stage()
        let discovery = try #require(
            await stage.send(Self.discovery, method: "OPTIONS", headers: ["Origin": "https://anywhere.test"]))
        #expect(discovery.headers["Access-Control-Allow-Origin"] == "*")
        let token = "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token"
        for (origin, isAllowed) in [("https://tasks.contoso.test", true), ("https://evil.test", false)] {
            let headers: Headers = [
                "Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "x-client-sku",
            ]
            let preflight = try #require(await stage.send(token, method: "OPTIONS", headers: headers))
            #expect(preflight.headers["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
        }
        let page = try #require(await stage.send("/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize"))
        #expect(page.headers["X-Frame-Options"] == "DENY")
        #expect(page.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `MSAL Python's question about a user realm is answered with 404`() async throws {
        let stage = try await Stage()
        let answer = await stage.send("/common/userrealm/ada@example.test?api-version=1.0")
        #expect(answer?.status == 404)
        #expect(stage.lines.all.allSatisfy { !$0.contains("ada@") })
    }

    @Test(arguments: [
        ("GET", "", "localhost", 400), ("GET", "nothing", "localhost", 400), ("GET", "/health", "", 400),
        ("GET", "/health", "a b", 400), ("GET", "/health", "a/b", 400), ("GET", "/health", "a@b", 400),
        ("GET", "/health", "a:b", 400), ("GET", "/health", "[::1", 400), ("GET", "/health", ":80", 400),
        ("GET", "/health", "[::1]:80", 200), ("TRACE", "/health", "localhost", 405),
        ("CONNECT", "/x", "localhost", 405), ("GET", "/health#x", "localhost", 400),
        ("GET", "/health\u{7f}", "localhost", 400), ("GET", "/no/such/path", "localhost", 404),
    ])
    func `what is not a request gets a 4xx`(method: String, target: String, host: String, status: Int) async throws {
        let stage = try await Stage()
        #expect(await stage.send(target, method: method, host: host)?.status == status)
    }

    @Test func `a request target without end is too long`() async throws {
        let stage = try await Stage()
        #expect(await stage.send("/" + String(repeating: "a", count: 40_000))?.status == 414)
    }

    @Test func `every request has its line, without secrets`() async throws {
        let stage = try await Stage()
        _ = await stage.send(Self.discovery + "?code=abc&x=1&id%5Ftoken_hint=e.y.z&state=s")
        let line = try #require(stage.lines.all.first)
        #expect(line.contains("?code=***&x=1&id%5Ftoken_hint=***&state=***"))
        #expect(line.contains(" 200 "))
        #expect(!line.contains("abc"))
    }
}
