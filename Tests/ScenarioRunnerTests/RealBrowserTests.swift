import B2CProtocol
import Browser
import CurlHTTP
import Determinism
import HTTPMessages
import JSON
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The same people at a real Chromium. Runs where somebody has started a chromedriver and a server and says so:
/// `B2C_WEBDRIVER` (address), `B2C_WEBDRIVER_SERVER` (host and port of the server), `B2C_WEBDRIVER_KEY` (hash of its key),
/// `B2C_WEBDRIVER_INBOX` (address of its inbox), `B2C_WEBDRIVER_TENANT` (the tenant file). Tests/Conformance/run.sh does.
private enum Setting {
    static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    static var isThere: Bool { value("B2C_WEBDRIVER") != nil }
}

private struct ServerMailbox: Mailbox {
    let transport: CurlTransport
    let address: String

    func newestCode(to addresses: [String]) async -> String? {
        guard let url = WebURL(address), let answer = try? await transport.send(.get(url), ExchangeContext()),
            let value = try? JSONParser.parse(answer.body)
        else { return nil }
        let messages = (value["messages"] ?? value).arrayValue ?? []
        return messages.last { addresses.contains($0["to"]?.stringValue ?? "") && $0["code"] != nil }?["code"]?
            .stringValue
    }
}

@Suite(.enabled(if: Setting.isThere, "B2C_WEBDRIVER names no WebDriver server"), .serialized)
struct RealBrowserTests {
    private let tenant: Tenant
    private let browser: RealBrowser
    private let lane: Lane

    private static let redirect = "msauth.com.contoso.tasks://auth"

    init() throws {
        let file = try #require(Setting.value("B2C_WEBDRIVER_TENANT"))
        let bytes = try Self.read(file)
        tenant = try Tenant(json: try JSONParser.parse(bytes))
        let transport = CurlTransport()
        let driver = try #require(Setting.value("B2C_WEBDRIVER").flatMap { WebURL($0) })
        let server = try #require(Setting.value("B2C_WEBDRIVER_SERVER"))
        let key = try #require(Setting.value("B2C_WEBDRIVER_KEY"))
        let chromium = ChromiumOptions(
            sandbox: getuid() != 0, hosts: [("contoso.b2clogin.com", server), ("*.test", server)], trustedKeys: [key])
        browser = RealBrowser(
            name: "browser", settings: BrowserSettings(), providers: tenant.providers.map { ($0.name, $0.exchange) },
            mailbox: ServerMailbox(
                transport: transport, address: try #require(Setting.value("B2C_WEBDRIVER_INBOX")))
        ) { kind async throws(WebDriverError) in
            var capabilities = chromium.capabilities
            // Trusted keys need a profile of their own.
            var arguments = chromium.arguments.map { JSONValue.string($0) }
            arguments.append(.string("--user-data-dir=/tmp/b2c-real-browser-\(getpid())-\(kind.rawValue)"))
            capabilities["goog:chromeOptions"] = ["args": .array(arguments)]
            return try await WebDriverSession.open(at: driver, capabilities: capabilities, transport: transport)
        }
        // The clock of the world is the machine's: codes of an authenticator depend on it.
        let time = VirtualTime(Timestamp(seconds: Int64(machineTime())))
        lane = Lane(
            id: .main, transport: transport, turnstile: Turnstile(time: time, seed: SeededGenerator(seed: 1)),
            time: time)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&part, 1, part.count, file)
            if count == 0 { return bytes }
            bytes += part[0..<count]
        }
    }

    private func person(_ name: String) throws -> Person { Person(record: try #require(tenant.user(named: name))) }

    private func visit(
        _ policy: String, _ entries: [UserScript.Entry], jar: JarKind = .ephemeral
    ) async throws -> (end: BrowseEnd, pages: [PageRecord]) {
        let app = try #require(tenant.app(named: "ios"))
        var url = try #require(
            WebURL("https://contoso.b2clogin.com/contoso.onmicrosoft.com/\(policy)/oauth2/v2.0/authorize"))
        url.queryItems = [
            "client_id": app.registration.clientId, "redirect_uri": Self.redirect, "response_type": "code",
            "scope": "openid offline_access", "state": "s1", "prompt": "login",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        ]
        let tab = await browser.start(
            BrowseRequest(url: url, callback: .scheme("msauth.com.contoso.tasks"), jar: jar, client: "ios"))
        let end = try await browser.run(tab, user: UserScript(entries), lane: lane)
        let pages = await browser.takeLogs(of: tab).pages
        await browser.close(tab)
        return (end, pages)
    }

    private func answer(_ end: BrowseEnd) throws -> FormItems {
        guard case .callback(let url, _) = end else {
            Issue.record("the visit ended with \(end)")
            throw CancellationError()
        }
        return url.queryItems
    }

    @Test(arguments: ["B2C_1_plain", "B2C_1_susi", "B2C_1_sms", "B2C_1_call", "B2C_1_email"])
    func aPersonSignsIn(policy: String) async throws {
        let (end, pages) = try await visit(policy, [.person(try person("ada"))])
        let items = try answer(end)
        #expect(items["code"] != nil && items["state"] == "s1")
        #expect(pages.first?.name == "signIn")
        #expect(pages.first?.fields.map(\.id) == ["email", "password"])
        #expect(pages.count == (policy == "B2C_1_plain" || policy == "B2C_1_susi" ? 1 : 2))
        await browser.quit()
    }

    @Test func anAuthenticatorIsSetUpAndUsed() async throws {
        let (end, pages) = try await visit("B2C_1_totp", [.person(try person("grace"))])
        #expect(try answer(end)["code"] != nil)
        #expect(pages.map(\.name) == ["signIn", "mfa", "mfa"])
        #expect(await browser.takeRecordChanges().contains { $0.member == "totpSecret" })
        await browser.quit()
    }

    @Test func aWrongPasswordStaysOnThePageAndSaysWhy() async throws {
        let wrong = UserAction(
            fill: { .values([("username", "ada@example.test"), ("password", "not-this-one")]) }, press: "signIn")
        let (end, pages) = try await visit("B2C_1_plain", [.action(wrong), .person(try person("ada"))])
        #expect(try answer(end)["code"] != nil)
        #expect(pages.map(\.error) == [nil, "The password is wrong."])
        await browser.quit()
    }

    @Test func somebodySignsUpWithACode() async throws {
        var nina = try person("nina")
        nina.record.email = "nina-\(getpid())@example.test"
        let (end, pages) = try await visit(
            "B2C_1_plain", [.action(UserAction(press: "signUp")), .person(nina)])
        #expect(try answer(end)["code"] != nil)
        #expect(pages.map(\.name) == ["signIn", "signUp"])
        await browser.quit()
    }

    @Test(arguments: [("forgotPassword", "AADB2C90118"), ("signUp", "AADB2C90091")])
    func leavingThePageReachesTheApp(press: String, code: String) async throws {
        var entries: [UserScript.Entry] = [.action(UserAction(press: press))]
        if press == "signUp" { entries.append(.action(UserAction(press: "cancel"))) }
        let (end, _) = try await visit("B2C_1_plain", entries)
        let items = try answer(end)
        #expect(items["error"] == "access_denied")
        #expect(items["error_description"]?.hasPrefix(code) == true)
        await browser.quit()
    }

    @Test func aProviderSignsIn() async throws {
        let (end, pages) = try await visit(
            "B2C_1_social", [.action(UserAction(press: "facebook")), .person(try person("sam"))])
        #expect(try answer(end)["code"] != nil)
        #expect(pages.map(\.name).prefix(2) == ["signIn", "provider"])
        await browser.quit()
    }

    @Test func aPageThatIsNotThereIsSaid() async throws {
        let (end, _) = try await visit("B2C_1_plain", [.action(UserAction(press: "continueShopping"))])
        guard case .scriptDoesNotFit(let text) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(text.contains("has no \"continueShopping\" to press; it has \"next\""))
        await browser.quit()
    }
}

/// Seconds since 1970.
private func machineTime() -> Int { time(nil) }
