import AuthorityHosting
import B2CProtocol
import CommandKit
import HTTPMessages
import JSON
import TenantFiles
import Testing

@testable import MockServerCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The page at /, and what is said when the server cannot listen.
@Suite struct StartPageTests {
    private static let password = "Analytical-1843"

    private func stage(token: String? = nil, tenant: JSONValue = Stage.tenant) async throws -> Stage {
        let worlds = try await Stage(tenant: tenant).front.worlds
        let stage = try await Stage(desk: ControlAPI(worlds: worlds), token: token, tenant: tenant)
        stage.front.consolePort.withLock { $0 = 9401 }
        return stage
    }

    @Test(arguments: ["/", "/?x=1"])
    func `the page names tenant, policies, apps and inspector, and runs only a copy`(target: String) async throws {
        let page = try #require(try await stage().send(target))
        #expect(page.status == 200 && page.headers.mediaType == "text/html")
        for part in [
            "contoso.onmicrosoft.com", "B2C_1_susi", "/v2.0/.well-known/openid-configuration", "spa",
            "ada@example.test",
            "http://localhost:9401/_b2c/",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        let policy = try #require(page.headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("script-src 'sha256-") && !policy.contains("unsafe"))
        #expect(page.text.split(separator: "<script").count == 2 && !page.text.contains(" style="))
        #expect(page.headers["X-Frame-Options"] == "DENY" && page.headers["X-Content-Type-Options"] == "nosniff")
        #expect(page.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `the links of the page sign in`() async throws {
        let stage = try await stage()
        let text = try #require(await stage.send("/")).text
        var links: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "href=\"") {
            rest = rest[start.upperBound...]
            links.append(String(rest.prefix { $0 != "\"" }).replacing("&amp;", with: "&"))
        }
        let signIns = links.filter { $0.contains("/oauth2/v2.0/authorize?") }
        #expect(signIns.count == 2)
        for link in signIns {
            let page = try #require(await stage.send(link))
            #expect(PageSettings.read(html: page.text)?.api == "CombinedSigninAndSignup", "\(link)")
        }
        for link in links where link.hasSuffix("openid-configuration") {
            #expect(await stage.send(link)?.status == 200)
        }
    }

    /// The redirect URI of the link to sign in: that of the app, as every other part of the program has it.
    @Test(
        arguments: [
            (nil, ["native": ["com.contoso.app://x"], "spa": ["https://spa.test/"]], "https://spa.test/"),
            ("https://own.test/", ["spa": ["https://spa.test/"]], "https://own.test/"),
            (nil, ["spa": ["javascript:alert(1)"]], nil), (nil, ["spa": []], nil),
            ("javascript:alert(1)", ["spa": ["https://spa.test/"]], nil),
        ] as [(String?, [String: [String]], String?)])
    func `the link of an app has the redirect URI that the app uses`(
        own: String?, registered: [String: [String]], shown: String?
    ) async throws {
        var client: JSONObject = ["kind": "msal-browser", "policy": "susi"]
        client["redirectUri"] = own.map { .string($0) }
        var uris = JSONObject()
        for (platform, list) in registered { uris[platform] = .array(list.map { .string($0) }) }
        let tenant: JSONValue = [
            "name": "contoso", "policies": ["susi": ["type": "signUpOrSignIn"]],
            "apps": ["spa": ["client": .object(client), "registration": ["redirectUris": .object(uris)]]],
        ]
        let app = try #require(try Tenant(json: tenant).apps.first)
        let link = SignInLink.address(
            "/contoso.onmicrosoft.com/B2C_1_susi", as: app,
            SignInLink.Request(app: app.name, policy: "B2C_1_susi", origin: "http://localhost:9400"))
        #expect(link.flatMap { WebURL("https://a.test\($0)")?.queryItems["redirect_uri"] } == shown)
    }

    static let askers: [(host: String, headers: Headers, isLoopback: Bool, isShown: Bool)] = [
        ("localhost:9400", [:], true, true), ("localhost:9400", ["Sec-Fetch-Site": "none"], true, true),
        // A script of a page at this port, or of another site.
        ("localhost:9400", ["Sec-Fetch-Site": "same-origin"], true, false),
        ("localhost:9400", ["Sec-Fetch-Site": "cross-site"], true, false),
        ("localhost:9400", ["Origin": "https://evil.test"], true, false),
        // A peer on the network, and a name that somebody pointed here.
        ("localhost:9400", [:], false, false), ("evil.test:9400", [:], true, false),
    ]

    @Test(arguments: askers.indices)
    func `people and their passwords are shown to callers of the control API alone`(_ index: Int) async throws {
        let row = Self.askers[index]
        let page = try await stage().send("/", host: row.host, headers: row.headers, isLoopback: row.isLoopback)
        let text = try #require(page).text
        #expect(text.contains("ada@example.test") == row.isShown)
        #expect(text.contains(Self.password) == row.isShown)
    }

    @Test func `APIs are shown with audience and scopes`() async throws {
        let stage = try await stage()
        let text = try #require(await stage.send("/")).text
        let api = try #require(stage.world.tenant.tenant.apis.first)
        for part in [api.clientId, "https://contoso.onmicrosoft.com/tasks/read", "/_hosts/tasks.api.contoso.test"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test func `the page has the settings of an app, at the address of its reader`() async throws {
        let stage = try await stage()
        let text = try #require(await stage.send("/", host: "127.0.0.1:9400")).text
        for part in [
            "authConfig.js", "appsettings.json", "application.properties", ".env", "hidden>Copy</button>",
            "B2C_AUTHORITY=http://127.0.0.1:9400/contoso.onmicrosoft.com/B2C_1_susi\n",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        for form in SettingsForm.allCases {
            let settings = try #require(form.text(for: stage.world.tenant, at: "http://127.0.0.1:9400"))
            #expect(text.contains(PageText.command(settings)))
        }
    }

    /// Requests at the console, and whether they pass: a link of the start page opens the inspector, and no script reads it.
    static let openings: [(target: String, headers: Headers, isOpen: Bool)] = [
        ("/_b2c/", ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true),
        ("/_b2c/", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true),
        ("/_b2c/", ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], false),
        ("/_b2c/", ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"], false),
        (
            "/_b2c/v1/users",
            ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], false
        ),
        ("/_b2c/v1/users", ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"], true),
    ]

    @Test(arguments: openings.indices)
    func `a link opens the inspector; other pages cannot read or frame it`(_ index: Int) async throws {
        let row = Self.openings[index]
        let answer = try #require(
            await stage().send(row.target, host: "localhost:9401", headers: row.headers, isConsole: true))
        #expect((answer.status == 200) == row.isOpen, "\(answer.status)")
        if row.target == "/_b2c/", row.isOpen {
            #expect(answer.headers["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(answer.headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        }
    }

    @Test func `a page without the control token names nobody`() async throws {
        let stage = try await stage(token: "t0ken-of-the-test")
        let page = try #require(await stage.send("/"))
        #expect(page.status == 200 && !page.text.contains("ada@example.test"))
    }

    @Test func `names come into the page as text; client secrets and addresses that run script do not come at all`()
        async throws
    {
        let tenant: JSONValue = [
            "name": "contoso",
            "policies": ["susi": ["id": "B2C_1_susi"], "ropc": ["id": "B2C_1_ropc", "type": "ropc"]],
            "apps": [
                "a<b>": [
                    "registration": [
                        "redirectUris": ["web": ["https://a.test/?x=1&y='2'"]], "secrets": ["s3cret-of-the-app"],
                    ],
                    "client": ["kind": "web", "policy": "susi", "redirectUri": "https://a.test/?x=1&y='2'"],
                ]
            ],
            "users": ["e<i>ve": ["email": "eve@example.test", "password": .string(Self.password)]],
        ]
        let text = try #require(try await stage(tenant: tenant).send("/")).text
        #expect(text.contains("a&lt;b&gt;") && text.contains("e&lt;i&gt;ve"))
        #expect(!text.contains("a<b>") && !text.contains("e<i>ve") && !text.contains("&y='2'"))
        #expect(!text.contains("s3cret-of-the-app"))
        #expect(text.contains("password grant only"))
    }

    @Test func `a world of a runner has no start page, and the console leads to the inspector`() async throws {
        let stage = try await Stage()
        #expect(await stage.send("/", headers: ["B2C-World": "w1"])?.status == 404)
        #expect(await stage.send("/", isConsole: true)?.headers["Location"] == "/_b2c/")
        #expect(await stage.send("/", method: "POST")?.status != 200)
        #expect(await stage.send("/", host: "graph.microsoft.com")?.text.contains("B2C_1_susi") != true)
    }

    static let advice: [(code: Int32, ports: [Int], control: Int, words: [String])] = [
        (EADDRINUSE, [9400], 0, ["127.0.0.1:9400", "--port 9401", "--port 0"]),
        (EADDRINUSE, [65_535], 0, ["--port 9400"]),
        (EADDRINUSE, [9400, 443], 0, ["9400 or 443", "--also-port"]),
        (EADDRINUSE, [9400], 9401, ["--control-port"]), (EACCES, [443], 0, ["below 1024", "--port 9400"]),
        (EADDRNOTAVAIL, [9400], 0, ["--host"]),
    ]

    @Test(arguments: advice.indices)
    func `the error for a port that cannot be opened says what to do`(_ index: Int) {
        let row = Self.advice[index]
        let text = PortAdvice(code: row.code, host: "127.0.0.1", ports: row.ports, control: row.control).text
        for word in row.words { #expect(text.contains(word), "\(text)") }
    }

    @Test(arguments: [-1, 65_536, 1_000_000])
    func `the error for an invalid port shows the option`(port: Int) {
        let failure = #expect(throws: Failure.self) { try ListeningOptions.check(port) }
        #expect(failure?.text?.contains("--port 9400") == true)
    }
}
