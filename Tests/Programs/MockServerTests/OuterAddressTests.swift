import B2CProtocol
import CommandKit
import HTTPMessages
import JSON
import Testing

@testable import MockServerCore

/// The address that clients use if a proxy is in front of the server.
@Suite struct OuterAddressTests {
    static let discovery = "/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration"

    /// What a proxy says, and the origin in the answers.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var fields: [(String, String)] = []
        var host = "localhost:9400"
        var scheme = "http"
        var publicURL: String?
        var readsForwarded = true
        /// `nil`: refused.
        var origin: String?
        /// What the refusal names.
        var words: [String] = []

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        .init(name: "nothing is said", origin: "http://localhost:9400"),
        .init(
            name: "fields are not read by default",
            fields: [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a.test"), ("Forwarded", "host=b.test")],
            readsForwarded: false, origin: "http://localhost:9400"),
        .init(
            name: "not even malformed ones", fields: [("X-Forwarded-Proto", "gopher"), ("Forwarded", ";;==")],
            readsForwarded: false, origin: "http://localhost:9400"),
        .init(
            name: "a proxy that keeps Host", fields: [("X-Forwarded-Proto", "https")], host: "b2c.example.test",
            origin: "https://b2c.example.test"),
        .init(
            name: "a proxy that says all three",
            fields: [
                ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "b2c.example.test"), ("X-Forwarded-Port", "8443"),
            ], origin: "https://b2c.example.test:8443"),
        .init(
            name: "the port of the scheme is not written",
            fields: [
                ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "b2c.example.test"), ("X-Forwarded-Port", "443"),
            ], origin: "https://b2c.example.test"),
        .init(
            name: "the port of the host stays",
            fields: [
                ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "b2c.example.test:7443"),
                ("X-Forwarded-Port", "443"),
            ], origin: "https://b2c.example.test:7443"),
        .init(
            name: "a port alone", fields: [("X-Forwarded-Port", "80"), ("X-Forwarded-Proto", "http")],
            origin: "http://localhost"),
        .init(
            name: "the first of several proxies",
            fields: [("X-Forwarded-Proto", " https , http"), ("X-Forwarded-Host", "a.test, b.test")],
            origin: "https://a.test"),
        .init(name: "letter case", fields: [("x-forwarded-proto", "HTTPS")], origin: "https://localhost:9400"),
        .init(
            name: "TLS to http", fields: [("X-Forwarded-Proto", "http")], scheme: "https",
            origin: "http://localhost:9400"),
        .init(
            name: "empty fields say nothing",
            fields: [("X-Forwarded-Proto", ""), ("X-Forwarded-Host", " "), ("X-Forwarded-Port", "")],
            origin: "http://localhost:9400"),
        .init(
            name: "Forwarded", fields: [("Forwarded", "for=192.0.2.60;proto=https;by=203.0.113.43;host=a.test")],
            origin: "https://a.test"),
        .init(
            name: "Forwarded with quotes, blanks and several proxies",
            fields: [
                ("Forwarded", "For=\"[2001:db8::1]:4711\" ; Proto=\"https\"; HOST=\"a.test:8443\", for=x;host=b.test")
            ],
            origin: "https://a.test:8443"),
        .init(
            name: "Forwarded with escapes, and quotes around a comma",
            fields: [("Forwarded", "x=\"a,b;\\\"c\";host=\"a\\.test\";proto=https")], origin: "https://a.test"),
        .init(
            name: "Forwarded with an address in no quotes", fields: [("Forwarded", "for=[::1]:80;host=a.test:81")],
            origin: "http://a.test:81"),
        .init(
            name: "Forwarded comes first",
            fields: [
                ("Forwarded", "host=a.test;proto=https"), ("X-Forwarded-Host", "b.test"), ("X-Forwarded-Proto", "http"),
                ("X-Forwarded-Port", "99"),
            ], origin: "https://a.test"),
        .init(
            name: "what Forwarded lacks, the older fields say",
            fields: [("Forwarded", "for=192.0.2.60"), ("X-Forwarded-Host", "b.test"), ("X-Forwarded-Proto", "https")],
            origin: "https://b.test"),
        .init(name: "an empty Forwarded", fields: [("Forwarded", "")], origin: "http://localhost:9400"),
        .init(
            name: "an IPv6 host", fields: [("X-Forwarded-Host", "[::1]:8443"), ("X-Forwarded-Proto", "https")],
            origin: "https://[::1]:8443"),
        .init(
            name: "a host of the tenant",
            fields: [("X-Forwarded-Host", "contoso.b2clogin.com"), ("X-Forwarded-Proto", "https")],
            origin: "https://contoso.b2clogin.com"),
        .init(
            name: "a scheme that is none", fields: [("X-Forwarded-Proto", "ftp")], words: ["X-Forwarded-Proto", "ftp"]),
        .init(name: "a host that is none", fields: [("X-Forwarded-Host", "a/b")], words: ["X-Forwarded-Host", "a/b"]),
        .init(name: "a host with a name", fields: [("X-Forwarded-Host", "me@a.test")], words: ["X-Forwarded-Host"]),
        .init(name: "a port that is none", fields: [("X-Forwarded-Host", "a.test:99999")], words: ["X-Forwarded-Host"]),
        .init(name: "port 0", fields: [("X-Forwarded-Port", "0")], words: ["X-Forwarded-Port", "65535"]),
        .init(name: "port +80", fields: [("X-Forwarded-Port", "+80")], words: ["X-Forwarded-Port"]),
        .init(name: "an open quote", fields: [("Forwarded", "host=\"a.test")], words: ["Forwarded", "proto="]),
        .init(name: "no pairs", fields: [("Forwarded", "https")], words: ["Forwarded"]),
        .init(name: "a pair without value", fields: [("Forwarded", "host=;proto=https")], words: ["Forwarded"]),
        .init(name: "twice in one element", fields: [("Forwarded", "host=a.test;host=b.test")], words: ["Forwarded"]),
        .init(
            name: "scheme of Forwarded", fields: [("Forwarded", "proto=gopher")],
            words: ["Forwarded (proto)", "gopher"]),
        .init(name: "host of Forwarded", fields: [("Forwarded", "host=\"a b\"")], words: ["Forwarded (host)"]),
        .init(
            name: "a public URL", publicURL: "https://b2c.example.test", readsForwarded: false,
            origin: "https://b2c.example.test"),
        .init(
            name: "a public URL for any name that is not the tenant's", host: "10.0.0.7:9400",
            publicURL: "https://localhost:8443", readsForwarded: false, origin: "https://localhost:8443"),
        .init(
            name: "a public URL at a host of the tenant", host: "contoso.b2clogin.com",
            publicURL: "https://contoso.b2clogin.com", readsForwarded: false, origin: "https://contoso.b2clogin.com"),
        .init(
            name: "another host of the tenant stays", host: "contoso.b2clogin.com:9400",
            publicURL: "https://b2c.example.test", readsForwarded: false, origin: "http://contoso.b2clogin.com:9400"),
        .init(
            name: "a host that the proxy names comes before the public URL", fields: [("X-Forwarded-Host", "a.test")],
            publicURL: "https://b2c.example.test", origin: "http://a.test"),
        .init(
            name: "a scheme alone does not", fields: [("X-Forwarded-Proto", "http")],
            publicURL: "https://b2c.example.test", origin: "https://b2c.example.test"),
    ]

    private static func outer(_ row: Case) throws -> OuterAddress {
        OuterAddress(
            publicURL: try row.publicURL.map { text throws(Failure) in
                try OuterAddress.url(text, option: "--public-url")
            },
            readsForwarded: row.readsForwarded)
    }

    @Test(arguments: cases) func `discovery names the outer address`(_ row: Case) async throws {
        let stage = try await Stage(outer: try Self.outer(row))
        let headers = Headers(row.fields.map { HeaderField(name: $0.0, value: $0.1) })
        let answer = try #require(
            await stage.send(Self.discovery, host: row.host, scheme: row.scheme, headers: headers))
        guard let origin = row.origin else {
            #expect(answer.status == 400)
            for word in row.words + ["--forwarded"] { #expect(answer.text.contains(word), "\(answer.text)") }
            #expect(stage.lines.all.first?.contains("--forwarded") == true)
            return
        }
        #expect(answer.status == 200, "\(answer.text)")
        let document = try #require(answer.json)
        for member in ["issuer", "authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri"] {
            #expect(document[member]?.stringValue?.hasPrefix(origin + "/") == true, "\(member): \(document)")
        }
    }

    private static func authorize(_ stage: Stage) throws -> String {
        let app = try #require(stage.world.tenant.tenant.app(named: "spa"))
        let query = FormItems([
            ("client_id", app.registration.clientId), ("response_type", "code"),
            ("redirect_uri", try #require(app.registration.redirectUris.all.first?.uri)), ("scope", "openid"),
            ("code_challenge", String(repeating: "a", count: 43)), ("code_challenge_method", "S256"),
        ]).encoded
        return "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize?" + query
    }

    @Test(arguments: [true, false])
    func `cookies are secure where clients use https, whatever the proxy speaks`(isPublicURL: Bool) async throws {
        let url = try #require(WebURL("https://b2c.example.test"))
        let stage = try await Stage(
            outer: isPublicURL ? OuterAddress(publicURL: url) : OuterAddress(readsForwarded: true))
        let page = try #require(
            await stage.send(
                try Self.authorize(stage),
                headers: isPublicURL ? [:] : ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "b2c.example.test"]))
        let cookies = page.headers.all("Set-Cookie")
        #expect(!cookies.isEmpty)
        for cookie in cookies {
            #expect(cookie.contains("SameSite=None; secure; HttpOnly") && !cookie.contains("domain="))
        }
        // Links to neighbours lead to the same address.
        let local = try #require(LocalAddress(url: url, place: .elsewhere))
        var message = ResponseMessage.redirect("https://graph.microsoft.com/v1.0/me")
        local.adapt(&message, of: stage.world)
        #expect(message.headers["Location"] == "https://b2c.example.test/_hosts/graph.microsoft.com/v1.0/me")
    }

    @Test func `an API of the mock accepts the issuer of every address at which the mock was asked, and no other`()
        async throws
    {
        let stage = try await Stage(outer: OuterAddress(publicURL: WebURL("https://b2c.example.test")))
        let own = stage.world.ownAddresses
        let issuer = try #require(WebURL("https://b2c.example.test/x/v2.0/"))
        #expect(!own.contains(issuer))
        _ = await stage.send(Self.discovery)
        #expect(own.contains(issuer))
        #expect(own.contains(try #require(WebURL("http://localhost:1/x"))))
        #expect(!own.contains(try #require(WebURL("https://evil.test/x"))))
        #expect(!own.contains(try #require(WebURL("http://b2c.example.test/x"))))
    }

    @Test func `a world of a runner is asked at its own addresses`() async throws {
        let stage = try await Stage(
            outer: OuterAddress(publicURL: WebURL("https://b2c.example.test"), readsForwarded: true))
        let answer = await stage.send(
            Self.discovery, host: "contoso.b2clogin.com", scheme: "https",
            headers: ["B2C-World": "default", "X-Forwarded-Host": "a/b"])
        #expect(answer?.json?["issuer"]?.stringValue?.hasPrefix("https://contoso.b2clogin.com/") == true)
    }

    // MARK: The control API

    @Test(
        arguments: ["X-Forwarded-For", "X-Forwarded-Proto", "x-forwarded-host", "X-Real-IP", "Forwarded", "Via"],
        [true, false])
    func `what a proxy passed on is not of this machine, with the option and without`(
        field: String, readsForwarded: Bool
    ) async throws {
        let value = ["X-Forwarded-Proto": "https", "Forwarded": "proto=https", "Via": "1.1 proxy"][field] ?? "a.test"
        let worlds = try await Stage().front.worlds
        let stage = try await Stage(
            desk: ControlAPI(worlds: worlds), outer: OuterAddress(readsForwarded: readsForwarded))
        for isConsole in [true, false] {
            let path = "\(ControlAPI.prefix)/clock"
            #expect(await stage.send(path, isConsole: isConsole)?.status == 200)
            let refused = await stage.send(path, headers: [field: value], isConsole: isConsole)
            #expect(refused?.status == 403 && refused?.text.contains("--control-token") == true)
        }
        let page = try #require(await stage.send("/", headers: [field: value]))
        #expect(page.status == 200 && !page.text.contains("ada@example.test"))
    }

    @Test func `with a public URL the main port asks for a token, since the proxy may not say that it is one`()
        async throws
    {
        let worlds = try await Stage().front.worlds
        let url = WebURL("https://b2c.example.test")
        let path = "\(ControlAPI.prefix)/clock"
        let open = try await Stage(desk: ControlAPI(worlds: worlds), outer: OuterAddress(publicURL: url))
        #expect(await open.send(path)?.status == 403)
        #expect(await open.send(path, isConsole: true)?.status == 200)
        let closed = try await Stage(
            desk: ControlAPI(worlds: worlds), token: "t0ken", outer: OuterAddress(publicURL: url))
        #expect(await closed.send(path, headers: ["Authorization": "Bearer t0ken"])?.status == 200)
    }

    @Test func `the start page says where the inspector is, and no redirect leads a client of the proxy there`()
        async throws
    {
        let worlds = try await Stage().front.worlds
        let stage = try await Stage(
            desk: ControlAPI(worlds: worlds), outer: OuterAddress(publicURL: WebURL("https://b2c.example.test")))
        stage.front.consolePort.withLock { $0 = 9401 }
        let page = try #require(await stage.send("/")).text
        #expect(page.contains("<code>http://localhost:9401/_b2c/</code>") && !page.contains("b2c.example.test:9401"))
        #expect(await stage.send("/_b2c/")?.headers["Location"] == nil)
    }

    // MARK: Options

    @Test(arguments: [
        ("https://b2c.example.test", "https://b2c.example.test"),
        ("https://b2c.example.test/", "https://b2c.example.test"),
        ("HTTPS://b2c.example.test:443", "https://b2c.example.test"), ("http://localhost:80", "http://localhost"),
        ("https://[::1]:8443", "https://[::1]:8443"),
    ]) func `a good URL is taken`(_ text: String, _ origin: String) throws {
        let url = try OuterAddress.url(text, option: "--public-url")
        #expect(url.origin == origin && url.description.lowercased() == origin)
    }

    @Test(arguments: [
        "b2c.example.test", "ftp://a.test", "https://", "https://a.test/b2c", "https://a.test?x", "https://a.test/#x",
        "https://me@a.test", "https://a b", "https://a.test:0", "https://a.test:99999", "msauth://x", "https://ä.test",
    ]) func `a bad URL is refused`(_ text: String) {
        let failure = #expect(throws: Failure.self) { try OuterAddress.url(text, option: "B2C_PUBLIC_URL") }
        #expect(failure?.status == .usage)
        #expect(failure?.text?.hasPrefix("B2C_PUBLIC_URL is \"\(text)\"; expected ") == true)
    }

    @Test func `the command reads both options`() throws {
        let command = try #require(
            try MockServerCommand.parseAsRoot(["--public-url", "https://a.test", "--forwarded"]) as? ServeCommand)
        #expect(command.publicURL == "https://a.test" && command.forwarded)
        let usual = try #require(try MockServerCommand.parseAsRoot([]) as? ServeCommand)
        #expect(usual.publicURL == nil && !usual.forwarded)
    }
}
