import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import Synchronization
import TenantFiles
import Testing
import Verbs

/// What a script has a person do on pages: what is sent, and where the visit ends.
@Suite struct PersonAtPagesTests {
    /// Shows pages one after the other, each left by a GET below `api`, and then goes back to the app.
    private final class Server: Transport {
        private let pages: [String]
        private let answers: [String: [ResponseMessage]]
        private let state = Mutex((shown: 0, asked: [String](), posts: [String: Int]()))

        /// - Parameter answers: Those to the posts of a path's last part, in their order; the last one is repeated.
        init(_ pages: [String], answers: [String: [ResponseMessage]]) {
            self.pages = pages
            self.answers = answers
        }

        /// Requests as `SelfAsserted a=b&c=d` and `api unified?claimsexchange=Google`, without what all of them have.
        var asked: [String] { state.withLock { $0.asked } }

        func send(
            _ request: RequestMessage, _ context: ExchangeContext
        ) async throws(TransportError) -> ResponseMessage {
            let name = request.url.path.split(separator: "/").last.map(String.init) ?? ""
            let query = request.url.queryItems.items.filter { !["csrf_token", "tx", "p"].contains($0.name) }
            let form = FormItems(parsing: request.body).items.filter {
                $0.name != "request_type" || $0.value != "RESPONSE"
            }
            let told = (request.method == "POST" ? form : query).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return state.withLock { state in
                if name != "authorize" { state.asked.append(told.isEmpty ? name : "\(name) \(told)") }
                let isPage = request.method == "GET" && answers[name] == nil || request.url.host == "idp.test"
                guard isPage else {
                    let number = state.posts[name, default: 0]
                    state.posts[name] = number + 1
                    let known = answers[name] ?? []
                    return known.isEmpty ? .json(200, ["status": "200"]) : known[min(number, known.count - 1)]
                }
                if name != "authorize" { state.shown += 1 }
                return pages.indices.contains(state.shown)
                    ? .html(200, pages[state.shown]) : .redirect("https://app.contoso.test/#code=1")
            }
        }
    }

    private struct Inbox: Mailbox {
        func newestCode(to addresses: [String]) async -> String? {
            addresses.lazy.compactMap { ["ada@example.test": "471100", "+442079460000": "815"][$0] }.first
        }
        func captcha(of challenge: String) async -> String? { challenge == "readable" ? "XK7" : nil }
    }

    private static func person(_ name: String, _ change: (inout UserRecord) -> Void = { _ in }) -> Person {
        var record = UserRecord()
        record.name = name
        record.email = "\(name)@example.test"
        record.password = "Password-1843"
        change(&record)
        return Person(record: record)
    }
    private static let ada = person("ada")
    private static let nina = person("nina")
    private static let owner = person("ada") {
        $0.phone = "+442079460000"
        $0.newPassword = "Another-1844"
        $0.attributes["city"] = "Bonn"
        $0.totpSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    }

    // MARK: Pages

    private static func page(
        _ api: String, _ fields: [PageField], config: JSONObject = [:], providers: [String] = []
    ) -> String {
        let settings = PageSettings(
            api: api, csrf: "c", transId: "StateProperties=x", config: config, tenantPath: "/contoso/b2c_1a_x",
            policy: "B2C_1A_x", fields: fields, providers: providers.map { PageChoice(id: $0, description: $0) })
        return "<html><head><script>\(settings.script())</script></head><body></body></html>"
    }

    private static let name = PageField(id: "signInName", isRequired: true)
    private static let password = PageField(id: "password", inputType: .password, isRequired: true)
    private static let signIn = page(
        "CombinedSigninAndSignup", [name, password], config: ["enableRememberMe": "True"],
        providers: ["GitlikeExchange"])
    private static let newPassword = page(
        "SelfAsserted",
        [
            PageField(id: "newPassword", inputType: .password, isRequired: true),
            PageField(id: "reenterPassword", inputType: .password, isRequired: true),
        ])
    private static let profile = page(
        "SelfAsserted",
        [PageField(id: "city", isRequired: true), PageField(id: "id", isReadOnly: true, prefilled: "7")])
    private static let proof = page("SelfAsserted", [PageField(id: "email", isRequired: true, verify: true)])
    private static let phone = page("Phonefactor", [])
    private static let authenticator = page("SelfAsserted", [PageField(id: "otpCode", isRequired: true)])
    private static let captcha = page(
        "CombinedSigninAndSignup",
        [name, password, PageField(id: "pic", inputType: .displayControl, controlType: "CaptchaControl")])
    private static let message = "<html><head><title>Moved</title></head><body><h1>We moved.</h1></body></html>"
    private static func form(_ body: String) -> String {
        "<html><body><form method=\"post\" action=\"https://idp.test/next\">\(body)</form></body></html>"
    }
    private static let provider = form(
        "<input id=\"email\" name=\"email\"><input type=\"password\" id=\"password\" name=\"password\">"
            + "<button name=\"do\" value=\"login\">Sign in</button><button name=\"do\" value=\"cancel\">Cancel</button>"
    )
    private static let consent = form(
        "<input type=\"hidden\" name=\"t\" value=\"7\"><input type=\"checkbox\" id=\"news\" name=\"news\">"
            + "<button name=\"do\" value=\"deny\">No</button><button name=\"do\" value=\"accept\">Yes</button>")

    private static func refusal(_ message: String, _ code: String? = nil) -> ResponseMessage {
        var json: JSONObject = ["status": "400", "message": .string(message)]
        json["errorCode"] = code.map { .string($0) }
        return .json(200, .object(json))
    }

    // MARK: Cases

    /// One thing in a script: `person(ada)`, or an action.
    fileprivate enum Move {
        case by(Person)
        case act(PageAction, Person? = nil)

        static func fill(_ values: JSONObject, as person: Person? = nil, press: String? = nil) -> Move {
            .act(
                PageAction {
                    $0.fill = values
                    $0.press = press
                }, person)
        }
        static func press(_ button: String) -> Move { .act(PageAction { $0.press = button }) }
        static func window(_ move: WindowMove) -> Move { .act(PageAction { $0.window = move }) }
        static func on(_ page: String, press: String, optional: Bool = false) -> Move {
            .act(
                PageAction {
                    $0.on = .string(page)
                    $0.press = press
                    $0.optional = optional
                })
        }

        var entry: UserScript.Entry {
            switch self {
            case .by(let person): return .person(person)
            case .act(let action, let person):
                let values = action.fill.members.map { (field: $0.key, value: $0.value) }
                return .action(action.userAction(as: person) { .values(values) })
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var title: String
        fileprivate var pages: [String]
        fileprivate var moves: @Sendable () -> [UserScript.Entry]
        var answers: [String: [ResponseMessage]] = [:]
        /// How the visit ends.
        var end: String
        /// What was sent.
        var asked: [String] = []

        var testDescription: String { title }

        fileprivate init(
            _ title: String, _ pages: [String], _ moves: [Move], answers: [String: [ResponseMessage]] = [:],
            end: String,
            asked: [String] = []
        ) {
            self.title = title
            self.pages = pages
            let entries = moves.map(\.entry)
            self.moves = { entries }
            self.answers = answers
            self.end = end
            self.asked = asked
        }
    }

    private static let back = "the app"

    /// A person who fills pages in by themselves.
    static let people: [Case] = [
        Case(
            "a person signs in", [signIn], [.by(ada)], end: back,
            asked: ["SelfAsserted signInName=ada@example.test&password=Password-1843", "confirmed rememberMe=false"]),
        Case(
            "a person stops at the first refusal", [signIn], [.by(ada)],
            answers: ["SelfAsserted": [refusal("Your password is incorrect.", "AADB2C90054")]],
            end: "signIn, Your password is incorrect., AADB2C90054",
            asked: ["SelfAsserted signInName=ada@example.test&password=Password-1843"]),
        Case(
            "a person stops at a page whose account is locked", [signIn], [.by(ada)],
            answers: ["SelfAsserted": [refusal("Your account is temporarily locked.", "AADB2C90114")]],
            end: "signIn, Your account is temporarily locked., AADB2C90114",
            asked: ["SelfAsserted signInName=ada@example.test&password=Password-1843"]),
        Case(
            "a person does not choose a provider", [page("ClaimsProviderSelection", [], providers: ["Google"])],
            [.by(ada)], end: "providerSelection"),
        Case(
            "a person chooses the new password on record, and types it twice", [newPassword], [.by(owner)], end: back,
            asked: ["SelfAsserted newPassword=Another-1844&reenterPassword=Another-1844", "confirmed"]),
        Case(
            "a person without a new password stops", [newPassword], [.by(ada)],
            end: "the page \"newPassword\" asks ada for a new password, and the record has no \"newPassword\""),
        Case(
            "a person fills in what the record has", [profile], [.by(owner)], end: back,
            asked: ["SelfAsserted city=Bonn&id=7", "confirmed"]),
        Case(
            "a person stops where the record has nothing", [profile], [.by(ada)],
            end: "ada cannot fill \"city\" of the page \"selfAsserted\": add it to the record"),
        Case(
            "a person proves an address with the code that came", [proof], [.by(ada)], end: back,
            asked: [
                "SelfAsserted request_type=VERIFICATION_REQUEST&claim_id=email&claim_value=ada@example.test",
                "SelfAsserted request_type=VALIDATION_REQUEST&claim_id=email&claim_value=ada@example.test&user_input=471100",
                "SelfAsserted email=ada@example.test", "confirmed",
            ]),
        Case(
            "a person without a code stops", [proof], [.by(nina)],
            end: "no code has come for nina, who can be reached at nina@example.test",
            asked: ["SelfAsserted request_type=VERIFICATION_REQUEST&claim_id=email&claim_value=nina@example.test"]),
        Case(
            "a person proves a telephone", [phone], [.by(owner)], end: back,
            asked: [
                "verify request_type=VERIFICATION_REQUEST&auth_type=onewaysms&id=UserAsserted&number=+442079460000",
                "verify request_type=VALIDATION_REQUEST&verification_code=471100", "confirmed",
            ]),
        Case(
            "a person without a telephone stops", [phone], [.by(ada)],
            end: "the page \"mfa\" asks for a phone number, and ada has no \"phone\""),
        Case(
            "a person answers a call where the page offers nothing else",
            [page("Phonefactor", [], config: ["authenticationMode": "phone"])], [.by(owner)],
            answers: [
                "verify": [.json(200, ["status": "200"]), .json(200, ["status": "449"]), .json(200, ["status": "200"])]
            ],
            end: back,
            asked: [
                "verify request_type=VERIFICATION_REQUEST&auth_type=dialphone&id=UserAsserted&number=+442079460000",
                "verify request_type=VALIDATION_REQUEST", "verify request_type=VALIDATION_REQUEST", "confirmed",
            ]),
        // RFC 6238 with the secret of its appendix B, at the second 59.
        Case(
            "a person types the code that the authenticator app shows", [authenticator], [.by(owner)], end: back,
            asked: ["SelfAsserted otpCode=287082", "confirmed"]),
        Case(
            "a person reads a picture", [captcha], [.by(ada)],
            answers: [
                "GetChallenge": [.json(200, ["status": "200", "challengeId": "readable"])],
                "VerifyChallenge": [.json(200, ["status": "200", "reason": "solved"])],
            ], end: back,
            asked: [
                "GetChallenge challengeType=Visual",
                "VerifyChallenge challengeId=readable&captchaEntered=XK7&challengeType=Visual&azureRegion=",
                "SelfAsserted signInName=ada@example.test&password=Password-1843&pic=XK7", "confirmed rememberMe=false",
            ]),
        Case(
            "a person gives up at a picture that nobody reads", [captcha], [.by(ada)],
            answers: ["GetChallenge": [.json(200, ["status": "200", "challengeId": "blurred"])]],
            end: "the page \"signIn\" shows a captcha, and ada does not learn the characters of its picture",
            asked: ["GetChallenge challengeType=Visual"]),
        Case(
            "a person signs in at a provider, with its main button", [provider], [.by(ada)], end: back,
            asked: ["next email=ada@example.test&password=Password-1843&do=login"]),
        Case(
            "a person agrees, and ticks no box", [consent], [.by(ada)], end: back, asked: ["next t=7&do=accept"]),
        Case("a person stops at a page that only says something", [message], [.by(ada)], end: "document"),
        Case(
            "a person goes through several pages", [signIn, newPassword], [.by(owner)], end: back,
            asked: [
                "SelfAsserted signInName=ada@example.test&password=Password-1843", "confirmed rememberMe=false",
                "SelfAsserted newPassword=Another-1844&reenterPassword=Another-1844", "confirmed",
            ]),
    ]

    /// A person who does what a script says.
    static let scripts: [Case] = [
        Case(
            "a mistake, and then the right password", [signIn],
            [.fill(["password": "Wrong-1"], as: ada), .by(ada)],
            answers: ["SelfAsserted": [refusal("Your password is incorrect."), .json(200, ["status": "200"])]],
            end: back,
            asked: [
                "SelfAsserted signInName=ada@example.test&password=Wrong-1",
                "SelfAsserted signInName=ada@example.test&password=Password-1843", "confirmed rememberMe=false",
            ]),
        Case(
            "the box to stay signed in", [signIn], [.fill(["keepSignedIn": true], as: ada)], end: back,
            asked: ["SelfAsserted signInName=ada@example.test&password=Password-1843", "confirmed rememberMe=true"]),
        Case(
            "two different new passwords never leave the page", [newPassword],
            [.fill(["newPassword": "Another-1844", "confirmPassword": "Another-1845"])],
            end: "newPassword, The password entry fields do not match."),
        Case(
            "an empty required field never leaves the page", [signIn], [.fill(["password": "x"])],
            end: "signIn, Please enter: "),
        Case("the link to sign up", [signIn], [.press("signUp")], end: back, asked: ["unified local=signup"]),
        Case(
            "the link for a forgotten password", [signIn], [.press("forgotPassword")], end: back,
            asked: ["forgotPassword"]),
        Case(
            "the button to cancel", [profile], [.press("cancel")], end: back,
            asked: ["error code=AADB2C90091&desc=The user has cancelled entering self-asserted information"]),
        Case(
            "a provider by its exchange", [signIn, provider],
            [.press("GitlikeExchange"), .on("provider", press: "cancel")], end: back,
            asked: ["unified claimsexchange=GitlikeExchange", "next email=&password=&do=cancel"]),
        Case(
            "a provider by its name in the tenant file", [signIn, provider], [.press("gitlike"), .by(nina)], end: back,
            asked: [
                "unified claimsexchange=GitlikeExchange",
                "next email=nina@example.test&password=Password-1843&do=login",
            ]),
        Case(
            "a box that is ticked, and another button than the main one", [consent],
            [.fill(["news": true], press: "deny")], end: back, asked: ["next t=7&news=on&do=deny"]),
        Case(
            "a button that the page does not have", [profile], [.press("signUp")],
            end: "the page \"selfAsserted\" has no \"signUp\" to press; it has \"continue\", \"cancel\""),
        Case(
            "a field that the page does not have", [signIn], [.fill(["city": "Bonn"])],
            end: "the page \"signIn\" has no field \"city\"; it has \"signInName\", \"password\", \"rememberMe\""),
        Case(
            "a field that is only shown", [profile], [.fill(["id": "8"])],
            end: "the field \"id\" of the page \"selfAsserted\" is read-only"),
        Case(
            "typing where there is nothing to type", [message], [.fill(["city": "Bonn"])],
            end: "the page \"document\" has nothing to fill"),
        Case(
            "pressing where there is nothing to press", [message], [.press("continue")],
            end: "the page \"document\" has nothing to press, \"continue\" neither"),
        Case(
            "another page than expected", [signIn], [.on("signUp", press: "continue")],
            end: "the page that shows is \"signIn\", expected \"signUp\": "),
        Case(
            "an optional action at another page", [signIn],
            [.on("signUp", press: "continue", optional: true), .by(ada)],
            end: back,
            asked: ["SelfAsserted signInName=ada@example.test&password=Password-1843", "confirmed rememberMe=false"]),
        Case(
            "a code that is wrong", [proof],
            [.fill(["email": "ada@example.test"], press: "sendCode"), .fill(["code": "000000"], press: "verifyCode")],
            answers: ["SelfAsserted": [.json(200, ["status": "200"]), refusal("That code is incorrect.")]],
            end: "verifyEmail, That code is incorrect.",
            asked: [
                "SelfAsserted request_type=VERIFICATION_REQUEST&claim_id=email&claim_value=ada@example.test",
                "SelfAsserted request_type=VALIDATION_REQUEST&claim_id=email&claim_value=ada@example.test&user_input=000000",
            ]),
        Case(
            "a record brings the code that the page has sent", [phone],
            [.fill([:], as: owner, press: "sendCode"), .fill([:], as: owner)], end: back,
            asked: [
                "verify request_type=VERIFICATION_REQUEST&auth_type=onewaysms&id=UserAsserted&number=+442079460000",
                "verify request_type=VALIDATION_REQUEST&verification_code=471100", "confirmed",
            ]),
        Case(
            "a record brings a code for an address too", [proof],
            [.fill([:], as: ada, press: "sendCode"), .fill([:], as: ada, press: "verifyCode"), .press("continue")],
            end: back,
            asked: [
                "SelfAsserted request_type=VERIFICATION_REQUEST&claim_id=email&claim_value=ada@example.test",
                "SelfAsserted request_type=VALIDATION_REQUEST&claim_id=email&claim_value=ada@example.test&user_input=471100",
                "SelfAsserted email=ada@example.test", "confirmed",
            ]),
        Case("nothing is pressed", [signIn], [.fill(["password": "x"], as: ada, press: "none")], end: "signIn"),
        Case("the window is closed", [signIn], [.window(.close), .by(ada)], end: "closed"),
        Case("the browser goes back", [signIn], [.window(.back)], end: "signIn, abandoned"),
        Case("no action", [signIn], [], end: "signIn"),
    ]

    @Test(arguments: people) func `a person at pages`(_ one: Case) async throws { try await play(one) }

    @Test(arguments: scripts) func `a script at pages`(_ one: Case) async throws { try await play(one) }

    private func play(_ one: Case) async throws {
        let server = Server(one.pages, answers: one.answers)
        let browser = Browser(
            name: "b", settings: BrowserSettings(), providers: [("gitlike", "gitlikeexchange")], mailbox: Inbox())
        let time = VirtualTime(Timestamp(seconds: 59))
        let lane = Lane(id: .main, transport: server, turnstile: Turnstile(time: time), time: time)
        let url = try #require(WebURL("https://contoso.b2clogin.com/contoso/b2c_1a_x/oauth2/v2.0/authorize"))
        let tab = await browser.start(
            BrowseRequest(url: url, callback: .exact("https://app.contoso.test/"), client: "spa"))
        let end = Self.words(try await browser.run(tab, user: UserScript(one.moves()), lane: lane))
        // What follows a colon are reasons of the matcher.
        #expect(one.end.hasSuffix(": ") ? end.hasPrefix(one.end) : end == one.end)
        #expect(server.asked == one.asked)
    }

    private static func words(_ end: BrowseEnd) -> String {
        switch end {
        case .callback: back
        case .userClosed: "closed"
        case .scriptDoesNotFit(let problem): problem
        case .pending(let pending):
            ([pending.page?.name, pending.page?.error, pending.page?.b2cCode].compactMap { $0 }
                + (pending.reason == "page" ? [] : [pending.reason])).joined(separator: ", ")
        default: "\(end)"
        }
    }
}
