import AuthorityHosting
import Determinism
import HTTPMessages
import JSON
import TenantFiles
import Testing

/// Virtual network.
@Suite struct VirtualNetworkTests {
    @Test(arguments: [
        ("https://a.test/x", "first /x"), ("https://A.TEST/x", "first /x"), ("https://a.test:443/x", "first /x"),
        ("http://a.test/x", "first /x"), ("https://b.test/", "first /"), ("https://a.test:8443/x", "refused"),
        ("https://localhost:5001/tasks", "second /tasks"), ("https://localhost/tasks", "refused"),
        ("https://api.test/tasks", "tasks /tasks"), ("https://api.test/tasks/1", "tasks /tasks/1"),
        ("https://api.test/tasks/old/1", "old /tasks/old/1"), ("https://api.test/tasksx", "404"),
        ("https://unknown.test/", "dns"), ("urn:x", "dns"), ("https://[::1]:9/", "loopback /"),
    ])
    func `a host, port and path lead to one responder, or to the error a real network gives`(
        address: String, expected: String
    ) async throws {
        let network = VirtualNetwork()
        network.attach(Named(name: "first"), hosts: ["a.test", "B.test"])
        network.attach(Named(name: "second"), hosts: ["localhost:5001"])
        network.attach(Named(name: "loopback"), hosts: ["[::1]:9"])
        network.attach(Named(name: "tasks"), at: try url("https://api.test/tasks/"))
        network.attach(Named(name: "old"), at: try url("https://api.test/tasks/old"))
        let request = RequestMessage.get(try url(address))
        let found: String
        do throws(TransportError) {
            let response = try await network.send(request, ExchangeContext())
            found = response.status == 200 ? response.text : String(response.status)
        } catch {
            found = error.word
        }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("https://cdn.test/{Culture:LanguageName}/a.html", "https://cdn.test/en/a.html", true),
        ("https://cdn.test/{Culture:LanguageName}/a.html", "https://CDN.test:443/pt-br/a.html?ui=1", true),
        ("https://cdn.test/{Culture:LanguageName}/a.html", "https://cdn.test//a.html", true),
        ("https://cdn.test/{Culture:LanguageName}/a.html", "https://cdn.test/en/b.html", false),
        ("https://cdn.test/{Culture:LanguageName}/a.html", "https://other.test/en/a.html", false),
        ("https://cdn.test/a/{x}/b/{y}.html?c={z}", "https://cdn.test/a/1/b/2.html?c=3", true),
        ("https://cdn.test/a/{x}/b/{y}.html?c={z}", "https://cdn.test/a/1/2.html", false),
        ("https://{OAUTH-KV:brand}.cdn.test/a.html", "https://blue.cdn.test/a.html", true),
        ("https://{OAUTH-KV:brand}.cdn.test/a.html", "https://blue.cdn.test/b.html", false),
        ("https://{Settings:Host}/a.html", "https://any.test/a.html", true),
        ("https://@host@/a.html", "https://@host@/a.html", true),
    ])
    func `an address with resolvers or placeholders has every address of its form`(
        pattern: String, address: String, matches: Bool
    ) async throws {
        let form = try #require(AddressPattern(pattern))
        let url = try url(address)
        #expect(form.matches(url) == matches)
        let network = VirtualNetwork()
        network.attach(Named(name: "form"), patterns: [form])
        let delivery = await network.deliver(.get(url), ExchangeContext(from: .browser))
        #expect((delivery.outcome.error == nil) == matches)
        // A service that a policy calls is not a template.
        #expect(await network.deliver(.get(url), ExchangeContext(from: .authority)).outcome.error == .dns)
    }

    @Test(arguments: ["https://cdn.test/a.html", "https://cdn.test/a.html?x=1", "~/tenant/{x}.cshtml", ""])
    func `plain addresses are not forms`(address: String) {
        #expect(AddressPattern(address) == nil)
    }

    @Test func `an address goes before a form`() async throws {
        let network = VirtualNetwork()
        network.attach(Named(name: "address"), at: try url("https://cdn.test/en"))
        network.attach(Named(name: "form"), patterns: [try #require(AddressPattern("https://cdn.test/{x}/a"))])
        #expect(network.hosts == ["cdn.test"])
        let exact = try await network.send(.get(try url("https://cdn.test/en/a")), ExchangeContext(from: .browser))
        let other = try await network.send(.get(try url("https://cdn.test/de/a")), ExchangeContext(from: .browser))
        #expect([exact.text, other.text] == ["address /en/a", "form /de/a"])
    }

    @Test func `attaching again replaces, and detaching removes`() async throws {
        let network = VirtualNetwork()
        network.attach(Named(name: "old"), hosts: ["a.test", "b.test:8443"])
        network.attach(Named(name: "new"), hosts: ["a.test"])
        #expect(network.hosts == ["a.test", "b.test:8443"])
        let response = try await network.send(.get(try url("https://a.test/")), ExchangeContext())
        #expect(response.text == "new /")
        network.detach(hosts: ["a.test", "b.test:8443"])
        #expect(network.hosts.isEmpty)
        let delivery = await network.deliver(.get(try url("https://a.test/")), ExchangeContext())
        #expect(delivery.outcome.error == .dns)
    }
}

/// REST stubs.
@Suite struct RestResponderTests {
    private func stubs(_ json: JSONValue) throws -> [RestStub] {
        try Tenant(json: ["name": "contoso", "rest": json]).rest
    }

    private func network(_ rest: RestResponder) -> VirtualNetwork {
        let network = VirtualNetwork()
        network.attach(rest: rest)
        network.attach(Named(name: "host"), hosts: ["known.test"])
        return network
    }

    @Test func `replies come in order, and the last repeats`() async throws {
        let rest = RestResponder(
            stubs: try stubs([
                "tier": [
                    "match": ["path": "/tier"], "delay": "PT2S",
                    "reply": [["status": 503], ["json": ["tier": "gold"], "headers": ["X-A": "b"]]],
                ]
            ]))
        let network = network(rest)
        var seen: [String] = []
        for _ in 0..<3 {
            let delivery = await network.deliver(
                .get(try url("https://loyalty.test/tier")), ExchangeContext(from: .authority))
            let response = try delivery.outcome.get()
            seen.append("\(response.status) \(response.headers["x-a"] ?? "-") \(response.text)")
            #expect(delivery.delay == .seconds(2))
        }
        #expect(seen == ["503 - ", "200 b {\"tier\":\"gold\"}", "200 b {\"tier\":\"gold\"}"])
    }

    @Test func `an unmatched call names the entry to paste`() async throws {
        let rest = RestResponder(stubs: [])
        let network = network(rest)
        let call = RequestMessage.post(try url("https://loyalty.test/v1/tier?x=1"), json: ["email": "ada@example.test"])
        let delivery = await network.deliver(call, ExchangeContext(from: .authority))
        let expected: JSONObject = [
            "tier": [
                // Without the body and the query: they say who the call is about.
                "match": ["method": "POST", "url": ["$startsWith": "https://loyalty.test/v1/tier"]],
                "reply": ["status": 200, "json": [:]],
            ]
        ]
        let unmatched = rest.drainUnmatched()
        #expect(unmatched.map(\.entry) == [expected])
        let text = try #require(unmatched.first?.text)
        #expect(delivery.outcome.error == .other(text))
        #expect(text.contains("POST https://loyalty.test/v1/tier?x=1"))
        #expect(rest.drainUnmatched().isEmpty)
        // The line can be read back.
        #expect(UnmatchedCall(text: text) == unmatched.first)
        #expect(UnmatchedCall(text: "something else") == nil)
        // The entry is one the tenant file takes.
        let read = try Tenant(json: ["name": "contoso", "rest": .object(expected)])
        #expect(read.rest.map(\.name) == ["tier"])
    }

    @Test(arguments: [
        ("https://{Settings:Host}/x", "{Settings:Host} has no value"), ("{api_url}/x", "{api_url} has no value"),
        ("@url@/x", "@url@ has no value"), ("https://[app].test/x", "[app] has no value"),
        ("https://<app>.test/x", "<app> has no value"), ("https://@a@.test/{b}", "@a@, {b} have no value"),
    ])
    func `a call to an address with a placeholder can be stubbed, and its failure names what has no value`(
        address: String, complaint: String
    ) async throws {
        let request = RequestMessage.get(WebURL(verbatim: address))
        let rest = RestResponder(stubs: [])
        let delivery = await network(rest).deliver(request, ExchangeContext(from: .authority))
        let text = try #require(rest.drainUnmatched().first?.text)
        #expect(text.hasPrefix("no REST stub answers GET \(address) (\(complaint))"))
        #expect(delivery.outcome.error == .other(text))
        #expect(UnmatchedCall(text: text)?.url == address)
        let stubbed = RestResponder(
            stubs: try stubs(["any": ["match": [:], "reply": ["status": 418]]]))
        #expect(try await stubbed.stubbed(request)?.outcome.get().status == 418)
    }

    @Test func `a real service needs an address without placeholders`() async throws {
        let rest = RestResponder(
            stubs: [
                RestStub {
                    $0.name = "real"
                    $0.match = [:]
                    $0.passThrough = true
                }
            ], services: Echo())
        let request = RequestMessage.get(WebURL(verbatim: "https://{Settings:Host}/x"))
        let error = await rest.delivery(of: request, ExchangeContext(from: .authority)).outcome.error
        #expect(error?.description.contains("{Settings:Host} has no value") == true)
    }

    @Test func `only the authority asks stubs`() async throws {
        let rest = RestResponder(
            stubs: try stubs(["any": ["match": ["path": "/x"], "reply": ["status": 418]]]))
        let network = network(rest)
        let known = try url("https://known.test/x")
        let unknown = try url("https://unknown.test/x")
        #expect(try await network.send(.get(known), ExchangeContext(from: .authority)).status == 418)
        #expect(try await network.send(.get(known), ExchangeContext(from: .client)).text == "host /x")
        let other = try await network.send(.get(try url("https://known.test/y")), ExchangeContext(from: .authority))
        #expect(other.text == "host /y")
        #expect(await network.deliver(.get(unknown), ExchangeContext(from: .browser)).outcome.error == .dns)
    }

    /// The host of a page's template may have a service too, which answers as any other.
    @Test func `a service beside a page is a service without stub`() async throws {
        let network = VirtualNetwork()
        let page = TemplateHost(
            tenant: try Tenant(json: [
                "name": "contoso",
                "policies": ["a": ["template": ["url": "https://badge.example/pages/unified.html"]]],
            ]))
        for address in page.addresses { network.attach(page, at: address) }
        let rest = RestResponder(stubs: [])
        network.attach(rest: rest)
        let delivery = await network.deliver(
            .get(try url("https://badge.example/api/badge")), ExchangeContext(from: .authority))
        #expect(
            delivery.outcome.error?.description.hasPrefix(
                "no REST stub answers GET https://badge.example/api/badge; add to the tenant file") == true)
        #expect(rest.drainUnmatched().count == 1)
        let shown = try await network.send(
            .get(try url("https://badge.example/pages/unified.html")), ExchangeContext(from: .authority))
        #expect(shown.status == 200)
    }

    @Test(
        arguments: [
            ("https://a.test/x?code=...", "Plan"), ("https://a.test/x?code=<code 1 of ada>", "Plan"),
            ("https://{Settings:Host}/x", nil),
        ])
    func `an unmatched call is read from its text`(url: String, profile: String?) async throws {
        var request = RequestMessage.get(WebURL(verbatim: url))
        request.profile = profile
        let rest = RestResponder(stubs: [])
        _ = await rest.delivery(of: request, ExchangeContext(from: .authority))
        let call = try #require(rest.drainUnmatched().first)
        #expect(UnmatchedCall(text: call.text) == call)
    }

    @Test func `configuring keeps the place of what stays`() async throws {
        let two: JSONValue = ["match": ["path": "/x"], "reply": [["status": 201], ["status": 202]]]
        let rest = RestResponder(stubs: try stubs(["kept": two]))
        let request = RequestMessage.get(try url("https://a.test/x"))
        #expect(try await rest.stubbed(request)?.outcome.get().status == 201)
        await rest.configure(try stubs(["kept": two, "more": ["match": ["path": "/y"]]]))
        #expect(try await rest.stubbed(request)?.outcome.get().status == 202)
        await rest.configure(try stubs(["kept": ["match": ["path": "/x"], "reply": ["status": 204]]]))
        #expect(try await rest.stubbed(request)?.outcome.get().status == 204)
    }

    /// Stands for the real world.
    private struct Echo: Transport {
        func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage
        {
            .json(200, ["url": .string(request.url.description)])
        }
    }

    @Test func `allowed calls go to the real service by HTTPS only`() async throws {
        let rest = RestResponder(
            stubs: [
                RestStub {
                    $0.name = "real"
                    $0.match = ["path": "/x"]
                    $0.passThrough = true
                }
            ],
            services: Echo())
        let answer = await rest.delivery(of: .get(try url("https://a.test/x?y=1")), ExchangeContext())
        #expect(try answer.outcome.get().json?["url"] == "https://a.test/x?y=1")
        let plain = await rest.delivery(of: .get(try url("http://a.test/x")), ExchangeContext())
        #expect(plain.outcome.error?.description.contains("by https only") == true)
        let other = await rest.delivery(of: .get(try url("https://a.test/z")), ExchangeContext())
        #expect(other.outcome.error?.description.contains("no REST stub answers") == true)
    }

    @Test func `pass through is refused by name`() async throws {
        let rest = RestResponder(
            stubs: [
                RestStub {
                    $0.name = "real"
                    $0.match = ["path": "/x"]
                    $0.passThrough = true
                }
            ])
        let delivery = await rest.delivery(of: .get(try url("https://a.test/x")), ExchangeContext())
        guard case .failure(.other(let text)) = delivery.outcome else {
            Issue.record("expected an error")
            return
        }
        #expect(text.contains("--allow-real-services") && text.contains("\"real\""))
    }
}

/// Page templates.
@Suite struct TemplateHostTests {
    @Test(arguments: [(true, 200, "https://app.test"), (false, 200, nil), (true, 404, "https://app.test")])
    func `templates come with or without CORS, whole or with an error`(cors: Bool, status: Int, allowed: String?)
        async throws
    {
        let tenant = try Tenant(json: [
            "name": "contoso",
            "policies": [
                "susi": [
                    "template": [
                        "url": "https://cdn.test/page.html", "cors": .bool(cors), "status": .integer(Int64(status)),
                    ]
                ]
            ],
        ])
        let host = TemplateHost(tenant: tenant)
        let address = try #require(host.addresses.first)
        let response = try await host.respond(
            to: .get(address, headers: ["Origin": "https://app.test"]), ExchangeContext(from: .browser))
        #expect(response.status == status)
        #expect(response.headers["Access-Control-Allow-Origin"] == allowed)
        #expect(response.text.contains("id=\"api\"") == (status == 200))
        let other = try await host.respond(to: .get(try url("https://cdn.test/x")), ExchangeContext(from: .browser))
        #expect(other.status == 404)
    }
}
