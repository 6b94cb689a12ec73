import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Testing

@testable import MockAuthority

@Suite struct PageProtocolTests {
    @Test func `a page has settings, comments and no form`() throws {
        var world = try TestWorld()
        let response = try world.authorize()
        let html = response.text
        let page = try #require(PageSettings.read(html: html))
        #expect(page.api == "CombinedSigninAndSignup")
        #expect(page.tenantPath == "/contoso.onmicrosoft.com/B2C_1_susi")
        #expect(page.transId.hasPrefix("StateProperties="))
        #expect(page.staticHost == "https://contoso.b2clogin.com/static/")
        #expect(page.fields.count == 2)
        #expect(!html.contains("<form") && !html.contains("<input"))
        let id = try #require(TransactionParameter.read(page.transId))
        for line in [
            "<!-- Build: ", "<!-- StateVersion: 2.1.1 -->", "<!-- DeploymentMode: Production -->",
            "<!-- CorrelationId: \(id) -->", "<!-- DataCenter: ", "<!-- Slice: ", "data-container=\"true\"",
        ] {
            #expect(html.contains(line), "\(line)")
        }
        #expect(response.headers["X-Request-ID"] == id.description)
        #expect(response.headers.all("Allow") == ["OPTIONS", "TRACE", "GET", "HEAD", "POST"])
        #expect(response.headers["Content-Security-Policy-Report-Only"]?.contains("report-uri") == true)
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test func `a page sets its cookies`() throws {
        var world = try TestWorld()
        let response = try world.authorize()
        let page = try #require(PageSettings.read(html: response.text))
        let id = try #require(TransactionParameter.read(page.transId))
        let cookies = response.headers.all("Set-Cookie")
        #expect(cookies.contains { $0.hasPrefix("x-ms-cpim-csrf=\(page.csrf); domain=contoso.b2clogin.com; path=/; ") })
        let name = "x-ms-cpim-cache|\(Base64URL.encode(id.dotNetBytes).lowercased())_0=m1."
        #expect(cookies.contains { $0.hasPrefix(name) })
        for cookie in cookies { #expect(cookie.hasSuffix("SameSite=None; secure; HttpOnly")) }
        let list = try #require(cookies.first { $0.hasPrefix("x-ms-cpim-trans=") })
        let value = try #require(list.dropFirst("x-ms-cpim-trans=".count).split(separator: ";").first)
        let json = String(decoding: try #require(Base64.decode(String(value))), as: UTF8.self)
        #expect(
            json == """
                {"T_DIC":[{"I":"\(id)","T":"contoso.onmicrosoft.com","P":"b2c_1_susi","C":"\(world.clientID("ios"))",\
                "S":1,"M":{},"D":0,"E":""}],"C_ID":"\(id)"}
                """)
    }

    @Test func `the anti-forgery token holds the step`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let parts = String(decoding: try #require(Base64.decode(page.csrf)), as: UTF8.self).split(separator: ";")
        #expect(parts.count == 4)
        #expect(Base64.decode(String(parts[0]))?.count == 64)
        #expect(Base64.decode(String(parts[2]))?.count == 16)
        #expect(parts[3] == "{\"OrchestrationStep\":1}")
        #expect(!page.csrf.contains("+") && !page.csrf.contains("/"))
    }

    /// A failed post is HTTP 200 with a status that is text; the page can be posted again.
    @Test func `a failed sign-in stays on the page`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        for (email, password, wanted) in [
            ("nobody@example.test", "x", "AADB2C90053"), ("ada@example.test", "wrong", "AADB2C90054"),
        ] {
            let answer = try world.post(
                page, "SelfAsserted",
                ["request_type": "RESPONSE", page.fields[0].id: email, page.fields[1].id: password])
            #expect(answer.status == 200)
            #expect(answer.headers["Content-Type"] == "text/json; charset=utf-8")
            #expect(answer.json?["status"] == "400")
            #expect(answer.json?["errorCode"]?.stringValue == wanted)
            #expect(answer.json?["message"]?.stringValue?.isEmpty == false)
        }
        let end = try world.signIn(on: ResponseMessage.html(200, "<script>\(page.script())</script>"))
        #expect(end.location?.queryItems["code"] != nil)
    }

    @Test func `leaving without success ends the journey`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let end = try world.navigate(page, "confirmed", "rememberMe=false")
        #expect(end.location?.queryItems["error"] == "server_error")
        #expect(code(in: end.location?.queryItems["error_description"]) == "AADB2C90255")
    }

    @Test func `cancel and forgot password go to the app`() throws {
        var world = try TestWorld(patch: ["policies": ["susi": ["forgotPassword": "redirect"]]])
        var page = try #require(PageSettings.read(html: try world.authorize().text))
        let forgot = try world.navigate(page, "forgotPassword")
        #expect(forgot.location?.queryItems["error"] == "access_denied")
        #expect(code(in: forgot.location?.queryItems["error_description"]) == "AADB2C90118")
        #expect(forgot.location?.queryItems["state"] == "st/1")
        page = try #require(PageSettings.read(html: try world.authorize().text))
        let signUp = try world.navigate(page, "unified", "local=signup")
        let second = try #require(PageSettings.read(html: signUp.text))
        #expect(second.api == "SelfAsserted")
        let cancelled = try world.navigate(second, "error", "code=cancel")
        #expect(cancelled.location?.queryItems["error"] == "access_denied")
        #expect(code(in: cancelled.location?.queryItems["error_description"]) == "AADB2C90091")
    }

    /// How a page request is refused when something of its state is missing.
    @Test(arguments: [
        ("x-ms-cpim-trans", "AADB2C90046"), ("x-ms-cpim-cache", "AADB2C90211"), ("x-ms-cpim-csrf", ""),
    ]) func `missing cookies are an error`(_ name: String, _ wanted: String) throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        world.jar.remove { $0.name.hasPrefix(name) }
        let answer = try world.post(page, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(answer.status == 400)
        #expect(answer.text.contains("GlobalException"))
        #expect((code(in: answer.text) ?? "") == wanted)
        if wanted.isEmpty { #expect(answer.text.contains("AADB2C: ")) }
        let navigation = try world.navigate(page, "confirmed")
        #expect(navigation.status == 200)
        #expect((code(in: navigation.text) ?? "") == wanted)
    }

    @Test func `an altered cookie of the journey is an error`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        guard var cookie = world.jar.all.first(where: { $0.name.hasPrefix("x-ms-cpim-cache") }) else {
            Issue.record("no journey cookie")
            return
        }
        cookie.value = String(cookie.value.dropLast()) + (cookie.value.hasSuffix("A") ? "B" : "A")
        world.jar.insert(cookie)
        let answer = try world.post(page, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(code(in: answer.text) == "AADB2C90212")
    }

    @Test func `quoted cookies are a bad request`() throws {
        var world = try TestWorld()
        _ = try world.authorize()
        var request = RequestMessage.get(try world.url(.authorize, query: world.authorizeParameters()))
        request.headers["Cookie"] = "x-ms-cpim-csrf=\"abc\""
        let response = world.send(request)
        #expect(response.status == 400)
        #expect(response.text == "Bad Request")
    }

    @Test func `a missing anti-forgery header is an error`() throws {
        var world = try TestWorld()
        var page = try #require(PageSettings.read(html: try world.authorize().text))
        page.csrf = ""
        let answer = try world.post(page, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(answer.text.contains("AADB2C: An exception has occurred."))
    }

    /// The Back button: the previous page was replaced, its posts are refused and the journey continues.
    @Test func `posts from an older page are refused`() throws {
        var world = try TestWorld()
        let first = try #require(PageSettings.read(html: try world.authorize().text))
        let second = try #require(
            PageSettings.read(html: try world.navigate(first, "unified", "local=signup").text))
        let stale = try world.post(first, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(code(in: stale.text) == "AADB2C90046")
        let answer = try world.post(second, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(answer.status == 200)
        #expect(answer.json?["status"] != nil)
    }

    /// Reloading repeats the navigation that showed the page, with the anti-forgery value of the previous page.
    @Test func `a reload shows the page again`() throws {
        var world = try TestWorld()
        let first = try #require(PageSettings.read(html: try world.authorize().text))
        _ = try world.navigate(first, "unified", "local=signup")
        let again = try world.navigate(first, "unified", "local=signup")
        let page = try #require(PageSettings.read(html: again.text), "\(again.refusal ?? "")")
        #expect(page.api == "SelfAsserted")
        let answer = try world.post(page, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(answer.status == 200)
    }

    @Test func `ended journeys are gone`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let jar = world.jar
        _ = try world.navigate(page, "confirmed")
        world.jar = jar
        let again = try world.navigate(page, "confirmed")
        #expect(code(in: again.text) == "AADB2C90046")
    }

    /// Two tabs: each transaction is listed, and the newer page's anti-forgery cookie replaces the older one's.
    @Test func `two tabs go on apart`() throws {
        var world = try TestWorld()
        let one = try #require(PageSettings.read(html: try world.authorize().text))
        let two = try #require(PageSettings.read(html: try world.authorize().text))
        let older = try world.post(one, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(older.text.contains("AADB2C: An exception has occurred."))
        let answer = try world.post(two, "SelfAsserted", ["request_type": "RESPONSE"])
        #expect(answer.status == 200)
        let cookie = try #require(world.jar.all.first { $0.name == "x-ms-cpim-trans" })
        #expect(TransactionList(cookie: cookie.value)?.listed.count == 2)
    }

    @Test func `the final redirect clears the journey`() throws {
        var world = try TestWorld()
        _ = try world.code()
        #expect(!world.jar.all.contains { $0.name.hasPrefix("x-ms-cpim-cache") })
        #expect(!world.jar.all.contains { $0.name == "x-ms-cpim-trans" })
        #expect(world.jar.all.contains { $0.name == "x-ms-cpim-sso:contoso.onmicrosoft.com_0" })
    }

    @Test func `login_hint fills in the name`() throws {
        var world = try TestWorld()
        let page = try #require(
            PageSettings.read(html: try world.authorize("ios", [("login_hint", "ada@example.test")]).text))
        #expect(page.fields.first?.prefilled == "ada@example.test")
    }

    @Test func `static files are served`() throws {
        var world = try TestWorld()
        let page = try #require(PageSettings.read(html: try world.authorize().text))
        let template = world.send(.get(try #require(WebURL(page.remoteResource))))
        #expect(template.text.contains("id=\"api\""))
        let script = world.send(.get(try #require(WebURL(page.staticHost + "harness/page.js"))))
        #expect(script.text.contains("SA_FIELDS"))
        #expect(world.send(.get(try #require(WebURL(page.staticHost + "nothing.js")))).status == 404)
    }

    @Test func `long headers are refused`() throws {
        var world = try TestWorld(patch: ["authority": ["headerLimit": 400]])
        var request = RequestMessage.get(try world.url(.keys))
        #expect(world.send(request).status == 200)
        request.headers["Cookie"] = "x-ms-cpim-cache|a_0=" + String(repeating: "m", count: 400)
        let refused = world.send(request)
        #expect(refused.status == 400 && refused.text.contains("Bad Request - Request Too Long"))
        try world.configure(["authority": ["headerLimit": 0]])
        #expect(world.send(request).status == 200)
    }

    @Test func `too many requests are refused`() throws {
        var world = try TestWorld(patch: ["authority": ["throttle": ["requests": 3, "per": "PT1S"]]])
        for _ in 1...3 { #expect(world.send(.get(try world.url(.keys))).status == 200) }
        let refused = world.send(.get(try world.url(.keys)))
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] == "1")
        world.now += .seconds(1)
        #expect(world.send(.get(try world.url(.keys))).status == 200)
    }
}
