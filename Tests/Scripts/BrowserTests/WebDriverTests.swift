import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Synchronization
import TenantFiles
import Testing

@testable import Browser

/// A WebDriver server that says what the test wants, and keeps what it was asked.
final class ScriptedDriver: Transport {
    struct Asked: Sendable {
        var line: String
        var body: JSONValue?
    }

    private let asked = Mutex<[Asked]>([])
    private let answer: @Sendable (_ line: String, _ body: JSONValue?) -> (Int, JSONValue)

    init(_ answer: @escaping @Sendable (_ line: String, _ body: JSONValue?) -> (Int, JSONValue)) {
        self.answer = answer
    }

    var all: [Asked] { asked.withLock { $0 } }

    func send(_ request: RequestMessage, _ context: ExchangeContext) async throws(TransportError) -> ResponseMessage {
        let line = "\(request.method) \(request.url.path)"
        asked.withLock { $0.append(Asked(line: line, body: request.json)) }
        let (status, value) = answer(line, request.json)
        if status == 0 { throw .refused }
        return .json(status, ["value": value])
    }
}

@Suite struct WebDriverTests {
    private func open(
        _ driver: ScriptedDriver, at address: String = "http://127.0.0.1:9515"
    ) async throws -> WebDriverSession {
        try await WebDriverSession.open(
            at: try #require(WebURL(address)), capabilities: ChromiumOptions().capabilities, transport: driver)
    }

    private static func opened(_ line: String) -> (Int, JSONValue)? {
        line.hasSuffix("/session") ? (200, ["sessionId": "s1", "capabilities": ["browserName": "chrome"]]) : nil
    }

    @Test(arguments: [
        ("http://127.0.0.1:9515", "POST /session"), ("http://127.0.0.1:4444/wd/hub", "POST /wd/hub/session"),
        ("http://127.0.0.1:4444/wd/hub/", "POST /wd/hub/session"),
    ])
    func `a session is opened with the expected browser`(address: String, line: String) async throws {
        let driver = ScriptedDriver { line, _ in Self.opened(line) ?? (404, ["error": "unknown command"]) }
        let session = try await open(driver, at: address)
        #expect(session.id == "s1")
        let asked = try #require(driver.all.first)
        #expect(asked.line == line)
        let wanted = try #require(asked.body?["capabilities"]?["alwaysMatch"])
        #expect(wanted["browserName"] == "chrome")
        #expect(wanted["goog:loggingPrefs"]?["performance"] == "ALL")
    }

    @Test func `the browser finds local servers under real names`() {
        let options = ChromiumOptions(
            binary: "/usr/bin/chromium", sandbox: false, language: "de", width: 400, height: 700,
            hosts: [("contoso.b2clogin.com", "127.0.0.1:9443"), ("*.contoso.test", "127.0.0.1:9444")],
            trustedKeys: ["abc=", "def="], profile: "/tmp/p")
        let arguments = options.arguments
        for wanted in [
            "--headless=new", "--no-sandbox", "--lang=de", "--window-size=400,700", "--user-data-dir=/tmp/p",
            "--host-resolver-rules=MAP contoso.b2clogin.com 127.0.0.1:9443,MAP *.contoso.test 127.0.0.1:9444",
            "--ignore-certificate-errors-spki-list=abc=,def=",
        ] {
            #expect(arguments.contains(wanted), "\(wanted)")
        }
        #expect(options.capabilities["goog:chromeOptions"]?["binary"] == "/usr/bin/chromium")
        let bound = ChromiumOptions(
            hosts: [("a.test", "127.0.0.1:9443")], onlyHosts: ["a.test", "b.test"], acceptLanguages: "de,en",
            userAgent: "Tool/1")
        for wanted in [
            "--host-resolver-rules=MAP a.test 127.0.0.1:9443,MAP * ~NOTFOUND,EXCLUDE b.test", "--user-agent=Tool/1",
        ] {
            #expect(bound.arguments.contains(wanted), "\(bound.arguments)")
        }
        #expect(bound.capabilities["goog:chromeOptions"]?["prefs"]?["intl.accept_languages"] == "de,en")
        #expect(!ChromiumOptions(headless: false).arguments.contains { $0.hasPrefix("--headless") })
        #expect(!ChromiumOptions().arguments.contains { $0.hasPrefix("--no-sandbox") })
    }

    @Test func `commands are those of the standard`() async throws {
        let key = WebDriverSession.elementKey
        let driver = ScriptedDriver { line, _ in
            if let opened = Self.opened(line) { return opened }
            switch line {
            case "POST /session/s1/element": return (200, .object(JSONObject([(key, "e1")])))
            case "GET /session/s1/element/e1/displayed": return (200, true)
            case "GET /session/s1/screenshot": return (200, "iVBORw==")
            case "GET /session/s1/window/handles": return (200, ["w1", "w2"])
            default: return (200, .null)
            }
        }
        let session = try await open(driver)
        try await session.setTimeouts(script: .seconds(5), pageLoad: .seconds(30))
        try await session.navigate(to: "https://contoso.b2clogin.com/")
        let element = try #require(try await session.find(.id("a\"b")))
        #expect(try await session.isDisplayed(element))
        try await session.clear(element)
        try await session.type("Grüße", into: element)
        try await session.click(element)
        _ = try await session.execute("return 1", [element.json])
        #expect(try await session.screenshot() == [0x89, 0x50, 0x4E, 0x47])
        #expect(try await session.windows() == ["w1", "w2"])
        try await session.quit()
        let asked = driver.all.dropFirst().map { ($0.line, $0.body.map { JSONWriter.compact($0) } ?? "") }
        let wanted: [(String, String)] = [
            ("POST /session/s1/timeouts", "{\"script\":5000,\"pageLoad\":30000,\"implicit\":0}"),
            ("POST /session/s1/url", "{\"url\":\"https://contoso.b2clogin.com/\"}"),
            ("POST /session/s1/element", "{\"using\":\"css selector\",\"value\":\"[id=\\\"a\\\\\\\"b\\\"]\"}"),
            ("GET /session/s1/element/e1/displayed", ""), ("POST /session/s1/element/e1/clear", "{}"),
            ("POST /session/s1/element/e1/value", "{\"text\":\"Grüße\"}"), ("POST /session/s1/element/e1/click", "{}"),
            ("POST /session/s1/execute/sync", "{\"script\":\"return 1\",\"args\":[{\"\(key)\":\"e1\"}]}"),
            ("GET /session/s1/screenshot", ""), ("GET /session/s1/window/handles", ""), ("DELETE /session/s1", ""),
        ]
        #expect(asked.map(\.0) == wanted.map(\.0))
        #expect(asked.map(\.1) == wanted.map(\.1))
    }

    @Test func `errors are named`() async throws {
        let driver = ScriptedDriver { line, _ in
            if let opened = Self.opened(line) { return opened }
            switch line {
            case "POST /session/s1/element": return (404, ["error": "no such element", "message": "none\nDriver info"])
            case "POST /session/s1/url":
                return (500, ["error": "unknown error", "message": "net::ERR\n  (Session info)"])
            case "GET /session/s1/title": return (0, .null)
            default: return (502, .null)
            }
        }
        let session = try await open(driver)
        #expect(try await session.find(.css("#none")) == nil)
        await #expect(throws: WebDriverError.refused(code: "unknown error", message: "net::ERR\n  (Session info)")) {
            try await session.navigate(to: "https://x.test/")
        }
        await #expect(throws: WebDriverError.transport(.refused)) { _ = try await session.title() }
        await #expect(throws: WebDriverError.malformed("HTTP 502")) { try await session.refresh() }
        #expect(WebDriverError.refused(code: "a", message: "b\nc").description == "a: b")
    }

    @Test(arguments: [
        ("next", ["next", "continue"]), ("signUp", ["createAccount"]), ("createAccount", ["createAccount"]),
        ("forgotPassword", ["forgotPassword"]), ("facebook", ["FacebookExchange"]),
        ("FacebookExchange", ["FacebookExchange"]),
    ])
    func `presses mean elements`(name: String, ids: [String]) throws {
        var page = PageSettings(api: "CombinedSigninAndSignup")
        page.fields = [PageField(id: "email"), PageField(id: "password", inputType: .password)]
        page.config = ["showSignupLink": "True", "forgotPasswordLinkLocation": "AfterLabel"]
        page.providers = [PageChoice(id: "FacebookExchange", description: "Facebook")]
        let url = try #require(WebURL("https://contoso.b2clogin.com/"))
        let driver = HostedPageDriver(page: page, url: url)
        let press = try #require(driver.press(name, providers: [("facebook", "FacebookExchange")]))
        #expect(RealBrowser.buttons(for: press, name, driver) == ids)
    }
}

/// A browser of which nothing is there but its driver's answers: a page whose form is answered in a new tab.
@Suite struct RealBrowserTabTests {
    /// The windows of the scripted browser: what shows in each, and which one the driver talks to.
    private final class Windows: Sendable {
        struct State {
            var addresses = ["w1": "about:blank"]
            var order = ["w1"]
            var current = "w1"
            var target = "_blank"
            var closed: [String] = []
            /// Windows whose requests have the fields that a session is given.
            var withHeaders: [String] = []
        }

        let state = Mutex(State())
        let answered: String

        init(answered: String) { self.answered = answered }

        func answer(_ line: String, _ body: JSONValue?) -> (Int, JSONValue) {
            state.withLock { state in
                let address = state.addresses[state.current] ?? ""
                switch line {
                case "POST /session": return (200, ["sessionId": "s1", "capabilities": JSONValue.object(JSONObject())])
                case "POST /session/s1/url":
                    state.addresses[state.current] = body?["url"]?.stringValue
                    return (200, .null)
                case "GET /session/s1/url": return (200, .string(address))
                case "POST /session/s1/window/new":
                    let handle = "w\(state.addresses.count + 1)"
                    state.order.append(handle)
                    state.addresses[handle] = "about:blank"
                    return (200, ["handle": .string(handle), "type": "tab"])
                case "GET /session/s1/window": return (200, .string(state.current))
                case "GET /session/s1/window/handles": return (200, .array(state.order.map { .string($0) }))
                case "POST /session/s1/window":
                    state.current = body?["handle"]?.stringValue ?? ""
                    return (200, .null)
                case "DELETE /session/s1/window":
                    state.order.removeAll { $0 == state.current }
                    state.closed.append(state.current)
                    return (200, .array(state.order.map { .string($0) }))
                case "POST /session/s1/element":
                    return (200, .object(JSONObject([(WebDriverSession.elementKey, "e1")])))
                case "POST /session/s1/element/e1/click":
                    // Only a tab that is there, and that the form names, is what its answer shows in.
                    guard state.target == "next-tab-1", state.order == ["w1", "w2"] else {
                        return (500, ["error": "unknown error", "message": "the form opened a tab of its own"])
                    }
                    state.addresses["w2"] = answered
                    return (200, .null)
                case "POST /session/s1/execute/async": return (200, "quiet")
                case "POST /session/s1/execute/sync":
                    let script = body?["script"]?.stringValue ?? ""
                    if script.contains("window.open") {
                        state.order.append("w2")
                        state.addresses["w2"] = "about:blank"
                        return (200, .null)
                    }
                    if script.contains("form.target") {
                        state.target = body?["args"]?[0]?.stringValue ?? ""
                        return (200, .null)
                    }
                    return (
                        200,
                        [
                            "url": .string(address), "status": 200, "known": false, "error": "",
                            "html":
                                "<html><body data-page='provider'><form method='post' action='?' target='_blank'><button id='accept' name='action' value='accept'>Sign in</button></form></body></html>",
                        ]
                    )
                case "POST /session/s1/goog/cdp/execute":
                    if body?["cmd"] == "Network.setExtraHTTPHeaders",
                        body?["params", "headers"] == ["X-World": "a"]
                    {
                        state.withHeaders.append(state.current)
                    }
                    return (200, .null)
                default: return (200, .array([]))
                }
            }
        }
    }

    private struct NoMail: Mailbox {
        func newestCode(to addresses: [String]) async -> String? { nil }
        func captcha(of challenge: String) async -> String? { nil }
    }

    @Test func `the visit goes on in the tab that a form is answered in`() async throws {
        let windows = Windows(answered: "https://app.contoso.test/#code=1")
        let driver = ScriptedDriver { windows.answer($0, $1) }
        let browser = RealBrowser(name: "b", settings: BrowserSettings(), mailbox: NoMail()) {
            _ throws(WebDriverError) in
            guard let url = WebURL("http://127.0.0.1:9515") else { throw .malformed("no address") }
            var session = try await WebDriverSession.open(
                at: url, capabilities: ChromiumOptions().capabilities, transport: driver)
            try await session.setHeaders([("X-World", "a")])
            return session
        }
        let time = VirtualTime(Timestamp(seconds: 0))
        let turnstile = Turnstile(time: time)
        let lane = Lane(id: .main, transport: driver, turnstile: turnstile, time: time)
        let url = try #require(WebURL("https://provider.test/authorize"))
        let tab = await browser.start(
            BrowseRequest(url: url, callback: .exact("https://app.contoso.test/"), client: "spa"))
        let end = try await browser.run(
            tab, user: UserScript([.action(UserAction(press: "accept"))]), lane: lane)
        #expect(end == .callback(try #require(WebURL("https://app.contoso.test/#code=1")), form: nil))
        #expect(await browser.isInNewTab(tab))
        let kinds = await browser.drainLogs(of: tab).events.compactMap { $0["type"] }
        #expect(kinds.contains("newTab"), "\(kinds)")
        // The tab that was left is closed. So is the one in which the app's address was asked for: Chromium may still ask
        // there whether to open it. What comes next goes to a third.
        let state = windows.state.withLock { $0 }
        #expect(state.closed == ["w2", "w1"])
        #expect(state.current == "w3" && state.addresses["w3"] == "about:blank")
        #expect(state.withHeaders == ["w1", "w2", "w3"])
    }

    /// What the browser shows at each look after the press: an answer comes late on a busy machine.
    enum Look: String, Sendable {
        /// The page that was pressed on.
        case same
        /// The empty page that an address of an app leaves behind, before the log has the address.
        case empty
        /// The page went away while it was looked at.
        case gone
    }

    @Test(arguments: [[], [.same, .same], [.empty], [.gone], [.same, .gone, .empty]] as [[Look]])
    func `a page that a press leaves is not taken for the answer`(looks: [Look]) async throws {
        let provider = "https://provider.test/authorize"
        struct State {
            var clicks = 0
            var left: [Look]
        }
        let state = Mutex(State(left: looks))
        let driver = ScriptedDriver { line, body in
            state.withLock { state in
                let isPressed = state.clicks > 0
                let script = body?["script"]?.stringValue ?? ""
                switch line {
                case "POST /session": return (200, ["sessionId": "s1", "capabilities": JSONValue.object(JSONObject())])
                case "GET /session/s1/url":
                    return (
                        200, .string(isPressed && state.left.isEmpty ? "https://app.contoso.test/#code=1" : provider)
                    )
                case "POST /session/s1/window/new": return (200, ["handle": "w2", "type": "tab"])
                case "POST /session/s1/element":
                    return (200, .object(JSONObject([(WebDriverSession.elementKey, "e1")])))
                case "POST /session/s1/element/e1/click":
                    state.clicks += 1
                    return (200, .null)
                case "POST /session/s1/execute/async": return (200, "quiet")
                case "POST /session/s1/execute/sync" where script.contains("location.href"):
                    let look = isPressed ? state.left.removeFirst() : .same
                    if look == .gone { return (500, ["error": "javascript error", "message": "the page went"]) }
                    let form =
                        "<html><body data-page='provider'><form method='post'><button id='accept' name='action' value='accept'>Sign in</button></form></body></html>"
                    return (
                        200,
                        [
                            "url": .string(look == .empty ? "about:blank" : provider), "status": 200,
                            "known": .bool(isPressed), "error": "", "html": .string(look == .empty ? "" : form),
                        ]
                    )
                default: return (200, .array([]))
                }
            }
        }
        let browser = RealBrowser(name: "b", settings: BrowserSettings(), mailbox: NoMail()) {
            _ throws(WebDriverError) in
            guard let url = WebURL("http://127.0.0.1:9515") else { throw .malformed("no address") }
            return try await WebDriverSession.open(
                at: url, capabilities: ChromiumOptions().capabilities, transport: driver)
        }
        let time = VirtualTime(Timestamp(seconds: 0))
        let turnstile = Turnstile(time: time)
        let lane = Lane(id: .main, transport: driver, turnstile: turnstile, time: time)
        let tab = await browser.start(
            BrowseRequest(
                url: try #require(WebURL(provider)), callback: .exact("https://app.contoso.test/"), client: "spa"))
        let end = try await browser.run(
            tab, user: UserScript([.action(UserAction(press: "accept"))]), lane: lane)
        #expect(end == .callback(try #require(WebURL("https://app.contoso.test/#code=1")), form: nil))
        #expect(state.withLock { $0.clicks } == 1)
        #expect(state.withLock { $0.left } == [])
    }
}
