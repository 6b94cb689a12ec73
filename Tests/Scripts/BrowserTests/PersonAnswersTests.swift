import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import Synchronization
import TenantFiles
import Testing

/// A person at pages that their record does not say enough for.
@Suite struct PersonAnswersTests {
    /// Shows pages one after the other, and then goes back to the app.
    private final class PageServer: Transport {
        struct State {
            var shown = 0
            var posts: [FormItems] = []
            var chosen: [String] = []
        }

        let state = Mutex(State())
        private let pages: [PageSettings]
        private let refusal: @Sendable (FormItems) -> String?

        init(_ pages: [PageSettings], refusal: @escaping @Sendable (FormItems) -> String? = { _ in nil }) {
            self.pages = pages
            self.refusal = refusal
        }

        func send(
            _ request: RequestMessage, _ context: ExchangeContext
        ) async throws(TransportError) -> ResponseMessage {
            let path = request.url.path
            if path.contains("/DisplayControlAction/") { return .json(200, ["status": "200"]) }
            if request.method == "POST" {
                let form = FormItems(parsing: request.body)
                state.withLock { $0.posts.append(form) }
                guard let message = refusal(form) else { return .json(200, ["status": "200"]) }
                return .json(200, ["status": "400", "message": .string(message)])
            }
            let shown = state.withLock { state in
                if path.contains("/api/") { state.shown += 1 }
                if let choice = request.url.queryItems["claimsexchange"] { state.chosen.append(choice) }
                return state.shown
            }
            guard pages.indices.contains(shown) else { return .redirect("https://app.contoso.test/#code=1") }
            return .html(200, "<html><head><script>\(pages[shown].script())</script></head><body></body></html>")
        }
    }

    /// Types what a test says, by attempt.
    private struct Answers: PageAnswers {
        var byAttempt: [[String: String]] = []
        var signsUp = false

        func values(
            for fields: [PageField], isSignIn: Bool, usual: [String: String], record: UserRecord, attempt: Int,
            at now: Timestamp
        ) -> [String: String] {
            let values = byAttempt.isEmpty ? [:] : byAttempt[min(attempt, byAttempt.count - 1)]
            return values.filter { value in fields.contains { $0.id == value.key } }
        }

        func choice(at page: PageOffer, record: UserRecord) -> String? {
            if signsUp, page.hasSignUpLink { return "signUp" }
            return page.isForm ? nil : page.choices.first?.id
        }
        func phone(of record: UserRecord, attempt: Int) -> String { "+44207946000\(attempt)" }
    }

    private struct Mail: Mailbox {
        var codes: [String: String] = [:]

        func newestCode(to addresses: [String]) async -> String? { addresses.compactMap { codes[$0] }.last }
        func captcha(of challenge: String) async -> String? { nil }
    }

    private static func page(
        _ fields: [PageField], api: String = "SelfAsserted", providers: [PageChoice] = []
    ) -> PageSettings {
        PageSettings(
            api: api, csrf: "c", transId: "StateProperties=x", tenantPath: "/contoso/b2c_1a_x", policy: "B2C_1A_x",
            fields: fields, providers: providers)
    }

    private func visit(
        _ server: PageServer, answers: (any PageAnswers)?, mail: Mail = Mail()
    ) async throws -> BrowseEnd {
        let (browser, tab, lane) = try await open(server, answers: answers, mail: mail)
        return try await browser.run(tab, user: UserScript([.person(Self.ada)]), lane: lane)
    }

    private static let ada = Person(
        record: UserRecord {
            $0.name = "ada"
            $0.email = "ada@example.test"
            $0.password = "Password-1843"
        })

    private func open(
        _ server: PageServer, answers: (any PageAnswers)? = nil, mail: Mail = Mail()
    ) async throws -> (browser: Browser, tab: TabID, lane: Lane) {
        let browser = Browser(name: "b", settings: BrowserSettings(), mailbox: mail, answers: answers)
        let time = VirtualTime(Timestamp(seconds: 0))
        let lane = Lane(id: .main, transport: server, turnstile: Turnstile(time: time), time: time)
        let url = try #require(WebURL("https://contoso.b2clogin.com/contoso/b2c_1a_x/oauth2/v2.0/authorize"))
        let tab = await browser.start(
            BrowseRequest(url: url, callback: .exact("https://app.contoso.test/"), client: "spa"))
        return (browser, tab, lane)
    }

    @Test func `a browser names what the record lacks and what the page offers`() async throws {
        let fields = ["pin", "nick"].map { PageField(id: $0, isRequired: true) }
        let (browser, tab, lane) = try await open(
            PageServer([Self.page(fields, providers: [PageChoice(id: "GoogleExchange", description: "")])]))
        _ = try await browser.run(tab, user: nil, lane: lane)
        #expect(await browser.missing(in: tab) == [])
        _ = try await browser.run(tab, user: UserScript([.person(Self.ada)]), lane: lane)
        #expect(await browser.missing(in: tab) == ["pin", "nick"])
        #expect(await browser.choices(in: tab) == ["GoogleExchange"])
    }

    @Test(arguments: ["SelfAsserted", "CombinedSigninAndSignup"])
    func `every page can be cancelled`(api: String) async throws {
        let (browser, tab, lane) = try await open(PageServer([Self.page([PageField(id: "pin")], api: api)]))
        _ = try await browser.run(tab, user: nil, lane: lane)
        #expect(try await browser.cancel(tab, lane: lane) == Self.done)
    }

    private static let done = BrowseEnd.callback(
        WebURL("https://app.contoso.test/#code=1") ?? WebURL(scheme: "https", host: "app.contoso.test"), form: nil)

    @Test func `without answers a person stops at a field that the record does not know`() async throws {
        let server = PageServer([Self.page([PageField(id: "pin", isRequired: true)])])
        guard case .scriptDoesNotFit(let problem) = try await visit(server, answers: nil) else {
            Issue.record("the person went on")
            return
        }
        #expect(problem.contains("ada cannot fill \"pin\""))
        let choice = PageServer([
            Self.page(
                [], api: "ClaimsProviderSelection", providers: [PageChoice(id: "GoogleExchange", description: "")])
        ])
        guard case .pending(let pending) = try await visit(choice, answers: nil) else {
            Issue.record("the person chose")
            return
        }
        #expect(pending.page?.name == "providerSelection")
    }

    @Test func `with answers a person chooses, and fills in what the record does not know`() async throws {
        let server = PageServer([
            Self.page(
                [], api: "ClaimsProviderSelection",
                providers: ["Google", "Facebook"].map { PageChoice(id: $0, description: "") }),
            Self.page([PageField(id: "email"), PageField(id: "pin", isRequired: true)]),
        ])
        #expect(try await visit(server, answers: Answers(byAttempt: [["pin": "1844"]])) == Self.done)
        let state = server.state.withLock { $0 }
        #expect(state.chosen == ["Google"])
        #expect(state.posts.map { $0["pin"] } == ["1844"])
        #expect(state.posts.map { $0["email"] } == ["ada@example.test"])
    }

    @Test func `with answers a person signs up before anything is typed, and fills in a page that has refused`()
        async throws
    {
        let signIn = Self.page([PageField(id: "signInName")], api: "CombinedSigninAndSignup")
        let new = PageServer([signIn, Self.page([PageField(id: "email")])])
        #expect(try await visit(new, answers: Answers(signsUp: true)) == Self.done)
        #expect(new.state.withLock { $0.posts.map { $0["email"] } } == ["ada@example.test"])
        let other = PageServer([signIn])
        #expect(try await visit(other, answers: Answers()) == Self.done)
        #expect(other.state.withLock { $0.posts.map { $0["signInName"] } } == ["ada@example.test"])
    }

    @Test func `a page that refuses is tried with other values, and not twice with the same`() async throws {
        let pages = [Self.page([PageField(id: "pin", isRequired: true)])]
        let picky = PageServer(pages) { $0["pin"] == "3" ? nil : "Not this one." }
        let three = Answers(byAttempt: [["pin": "1"], ["pin": "2"], ["pin": "3"]])
        #expect(try await visit(picky, answers: three) == Self.done)
        #expect(picky.state.withLock { $0.posts.map { $0["pin"] } } == ["1", "2", "3"])
        let strict = PageServer(pages) { _ in "No." }
        guard case .pending(let pending) = try await visit(strict, answers: Answers(byAttempt: [["pin": "1"]])) else {
            Issue.record("the visit did not stop")
            return
        }
        #expect(pending.page?.error == "No.")
        #expect(strict.state.withLock { $0.posts.count } == 1)
    }

    @Test(arguments: ["verificationCode", "mailOtp", "secretCode"])
    func `a code goes into the field that a display control has for it`(_ id: String) async throws {
        let control = PageField(
            id: "proof", inputType: .displayControl,
            displayFields: [
                PageField(id: "countryCode"), PageField(id: "mail", isRequired: true),
                PageField(id: id, isRequired: true),
            ], controlType: "VerificationControl")
        let server = PageServer([Self.page([control])])
        let answers = Answers(byAttempt: [["mail": "other@example.test"]])
        let end = try await visit(server, answers: answers, mail: Mail(codes: ["other@example.test": "471100"]))
        #expect(end == Self.done)
        #expect(server.state.withLock { $0.posts.last?[id] } == "471100")
    }

    @Test func `a code that nobody has sent is something that the person knows`() async throws {
        let server = PageServer([Self.page([PageField(id: "code", isRequired: true)])])
        #expect(try await visit(server, answers: Answers(byAttempt: [["code": "A1"]])) == Self.done)
        #expect(server.state.withLock { $0.posts.last?["code"] } == "A1")
    }

    @Test func `a code that was sent goes before what the person knows`() async throws {
        let server = PageServer([Self.page([PageField(id: "code", isRequired: true)])])
        let mail = Mail(codes: ["ada@example.test": "471100"])
        #expect(try await visit(server, answers: Answers(byAttempt: [["code": "A1"]]), mail: mail) == Self.done)
        #expect(server.state.withLock { $0.posts.last?["code"] } == "471100")
    }
}
