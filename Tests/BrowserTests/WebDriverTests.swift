import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import Synchronization
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
    func aSessionIsOpenedWithTheBrowserWanted(address: String, line: String) async throws {
        let driver = ScriptedDriver { line, _ in Self.opened(line) ?? (404, ["error": "unknown command"]) }
        let session = try await open(driver, at: address)
        #expect(session.id == "s1")
        let asked = try #require(driver.all.first)
        #expect(asked.line == line)
        let wanted = try #require(asked.body?["capabilities"]?["alwaysMatch"])
        #expect(wanted["browserName"] == "chrome")
        #expect(wanted["goog:loggingPrefs"]?["performance"] == "ALL")
    }

    @Test func theBrowserFindsLocalServersUnderRealNames() {
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

    @Test func commandsAreThoseOfTheStandard() async throws {
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

    @Test func errorsAreNamed() async throws {
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
    func pressesMeanElements(name: String, ids: [String]) throws {
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
