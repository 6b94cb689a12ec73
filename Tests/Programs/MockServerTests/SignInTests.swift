import AuthorityHosting
import Determinism
import Foundation
import HTTPMessages
import JSON
import MockServerCore
import Testing

/// `POST /sign-ins`: a person at the pages, in a browser inside the server.
@Suite struct SignInTests {
    private static let tenant: JSONValue = [
        "name": "contoso",
        "policies": [
            "susi": [
                "id": "B2C_1_susi", "type": "signUpOrSignIn", "attributes": ["displayName", "city"],
                "providers": ["facebook"],
            ],
            "reset": ["id": "B2C_1_reset", "type": "passwordReset"],
        ],
        "apps": [
            "web": [
                "registration": [
                    "clientId": "11111111-2222-4333-8444-555555555555", "secrets": ["a-secret-for-tests"],
                ],
                "client": ["kind": "web", "policy": "susi", "redirectUri": "https://web.contoso.test/signin-oidc"],
            ]
        ],
        "providers": ["facebook": ["type": "oauth2"]],
        "users": [
            "ada": [
                "email": "ada@example.test", "password": "Analytical-1843", "newPassword": "Difference-1822",
                "displayName": "Ada", "city": "London", "phone": "+442079460000", "providers": ["facebook": [:]],
            ],
            "nina": [
                "registered": false, "email": "nina@example.test", "password": "Newcomer-2026", "displayName": "Nina",
                "city": "Oslo", "phone": "+442079460001",
            ],
            "kim": [
                "registered": false, "email": "kim@example.test", "password": "Newcomer-2026", "displayName": "Kim",
            ],
        ],
    ]

    private static func url(
        policy: String = "B2C_1_susi", origin: String = "http://localhost:9400", _ more: FormItems = [:]
    ) -> String {
        var items: FormItems = [
            "client_id": "11111111-2222-4333-8444-555555555555", "response_type": "code", "scope": "openid",
            "redirect_uri": "https://web.contoso.test/signin-oidc", "state": "s", "nonce": "n",
        ]
        for item in more.items { items[item.name] = item.value }
        return "\(origin)/contoso.onmicrosoft.com/\(policy)/oauth2/v2.0/authorize?\(items.encoded)"
    }

    private static func stage(_ patch: JSONValue = [:]) async throws -> ControlStage {
        let stage = try await ControlStage()
        try await stage.call("PATCH", "/tenant", ["patch": tenant.merging(patch: patch)])
        return stage
    }

    private static func play(
        _ stage: ControlStage, _ body: JSONValue, url: String = Self.url(), secrets: Bool = true,
        expect status: Int = 200,
        at location: Testing.SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        try await stage.call(
            "POST", secrets ? "/sign-ins?secrets=show" : "/sign-ins", body.merging(patch: ["url": .string(url)]),
            expect: status, at: location)
    }

    // MARK: Callbacks

    @Test(arguments: ["http://localhost:9400", "http://127.0.0.1:9400", "https://contoso.b2clogin.com"])
    func `a person comes back to the app`(origin: String) async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(stage, ["person": "ada"], url: Self.url(origin: origin))
        #expect(end["end"] == "callback", "\(end)")
        #expect(end["callback"]?["url"]?.stringValue?.hasPrefix("https://web.contoso.test/signin-oidc?") == true)
        #expect(end["callback"]?["parameters"]?["state"] == "s")
        #expect(end["callback"]?["parameters"]?["code"]?.stringValue?.isEmpty == false)
        #expect(end["callback"]?["form"] == nil)
        #expect(end["page"] == nil && end["problem"] == nil)
        #expect(end["messages"] == [])
    }

    @Test func `an answer by form post has its fields`() async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(stage, ["person": "ada"], url: Self.url(["response_mode": "form_post"]))
        #expect(end["callback"]?["url"] == "https://web.contoso.test/signin-oidc")
        #expect(end["callback"]?["form"]?["state"] == "s")
        #expect(end["callback"]?["form"]?["code"] == end["callback"]?["parameters"]?["code"])
    }

    @Test func `secrets are masked unless the call asks for them`() async throws {
        let stage = try await Self.stage()
        let shown = try await Self.play(stage, ["person": "ada"])
        let masked = try await Self.play(stage, ["person": "ada"], secrets: false)
        let code = try #require(shown["callback"]?["parameters"]?["code"]?.stringValue)
        let label = try #require(masked["callback"]?["parameters"]?["code"]?.stringValue)
        #expect(code.count > 40 && label.count < 40)
        #expect(masked["callback"]?["url"]?.stringValue?.contains("state=s") == true)
        #expect(!JSONWriter.compact(masked).contains("Analytical-1843"))
    }

    // MARK: People

    @Test(arguments: ["displayControl", "legacy", "off"])
    func `somebody without an account signs up`(verification: String) async throws {
        let stage = try await Self.stage(["policies": ["susi": ["emailVerification": .string(verification)]]])
        let end = try await Self.play(stage, ["person": "nina"])
        #expect(end["end"] == "callback", "\(end)")
        let to = end["messages"]?.arrayValue?.compactMap { $0["to"]?.stringValue }
        #expect(to == (verification == "off" ? [] : ["nina@example.test"]))
        #expect(try await stage.call("GET", "/users/nina")["registered"] == true)
        // The account is there now.
        #expect(try await Self.play(stage, ["person": "nina"])["end"] == "callback")
    }

    @Test func `a person who is not in the tenant file signs in`() async throws {
        let stage = try await Self.stage()
        let user: JSONValue = [
            "email": "eve@example.test", "password": "Evening-2026", "displayName": "Eve", "city": "Bath",
            "registered": false,
        ]
        #expect(try await Self.play(stage, ["user": user])["end"] == "callback")
        #expect(try await Self.play(stage, ["person": "eve@example.test"])["end"] == "callback")
    }

    @Test(arguments: ["sms", "call", "email", "totp"])
    func `a second factor is passed`(method: String) async throws {
        let stage = try await Self.stage(["policies": ["susi": ["mfa": ["method": .string(method), "when": "always"]]]])
        for person: JSONValue in ["ada", "nina", "nina"] {
            let end = try await Self.play(stage, ["person": person])
            #expect(end["end"] == "callback", "\(person): \(end)")
            // A code of an authenticator app is good once.
            try await stage.call("PATCH", "/clock", ["advance": "PT60S"])
        }
    }

    @Test func `a new password is good from then on`() async throws {
        let stage = try await Self.stage()
        let reset = try await Self.play(stage, ["person": "ada"], url: Self.url(policy: "B2C_1_reset"), secrets: false)
        #expect(reset["end"] == "callback", "\(reset)")
        // What a page took is a secret too.
        #expect(reset["accepted"]?["password"] != nil && !JSONWriter.compact(reset).contains("Difference-1822"))
        let old = try await Self.play(stage, ["person": "ada", "password": "Analytical-1843"])
        #expect(old["end"] == "page" && old["page"]?["error"]?.stringValue?.isEmpty == false)
        #expect(try await Self.play(stage, ["person": "ada"])["end"] == "callback")
    }

    @Test func `a named browser keeps its session`() async throws {
        let stage = try await Self.stage()
        let silent = Self.url(["prompt": "none"])
        let before = try await Self.play(stage, ["browser": "b1"], url: silent)
        #expect(before["callback"]?["parameters"]?["error"] != nil)
        _ = try await Self.play(stage, ["browser": "b1", "person": "ada"])
        let after = try await Self.play(stage, ["browser": "b1"], url: silent)
        #expect(after["callback"]?["parameters"]?["code"] != nil)
        let other = try await Self.play(stage, [:], url: silent)
        #expect(other["callback"]?["parameters"]?["error"] != nil)
    }

    // MARK: Actions

    @Test func `a cancelled first page is the end`() async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(stage, ["person": "ada", "cancel": true])
        let text = end["callback"]?["parameters"]?["error_description"]?.stringValue
        #expect(text?.hasPrefix("AADB2C90091") == true, "\(end)")
    }

    @Test func `actions come before the person`() async throws {
        let stage = try await Self.stage()
        let forgot = try await Self.play(stage, ["person": "ada", "actions": [["press": "forgotPassword"]]])
        let text = forgot["callback"]?["parameters"]?["error_description"]?.stringValue
        #expect(text?.hasPrefix("AADB2C90118") == true, "\(forgot)")
        let typed = try await Self.play(
            stage,
            ["actions": [["on": "signIn", "as": "ada", "fill": ["password": "guessed"], "press": "next"]]])
        #expect(typed["end"] == "page" && typed["page"]?["name"] == "signIn")
        #expect(typed["page"]?["error"]?.stringValue?.isEmpty == false)
        let closed = try await Self.play(stage, ["actions": [["window": "close"]]])
        #expect(closed["end"] == "closed")
    }

    @Test func `a provider is chosen`() async throws {
        let stage = try await Self.stage()
        for name: JSONValue in ["facebook", "Facebook", "FacebookExchange"] {
            let end = try await Self.play(stage, ["person": "ada", "provider": name])
            #expect(end["end"] == "callback", "\(end)")
        }
        let unknown = try await Self.play(stage, ["person": "ada", "provider": "google"])
        #expect(unknown["problem"] == "the page signIn has no provider google; it has FacebookExchange")
        let refused = try await Self.play(stage, ["person": "nina", "provider": "facebook"])
        #expect(refused["end"] == "page" && refused["page"]?["name"] == "provider")
        #expect(refused["page"]?["error"]?.stringValue?.contains("has no account at") == true, "\(refused)")
    }

    // MARK: Pages that stop the person

    @Test func `a page shows where nobody fills it`() async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(stage, [:])
        #expect(end["end"] == "page" && end["page"]?["name"] == "signIn")
        #expect(end["page"]?["buttons"]?.arrayValue?.contains("next") == true)
        #expect(end["callback"] == nil)
    }

    @Test func `a record that lacks what a page requires is reported`() async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(stage, ["person": "kim"])
        #expect(end["end"] == "failed" && end["missing"] == ["city"], "\(end)")
        #expect(end["page"]?["name"] == "signUp")
        #expect(end["problem"]?.stringValue?.contains("kim") == true)
    }

    @Test func `a captcha stops the person`() async throws {
        let stage = try await Self.stage(["policies": ["susi": ["captcha": true]]])
        let end = try await Self.play(stage, ["person": "ada"])
        #expect(end["end"] == "failed")
        #expect(end["problem"]?.stringValue?.lowercased().contains("captcha") == true, "\(end)")
    }

    @Test func `an error page is reported`() async throws {
        let stage = try await Self.stage()
        let end = try await Self.play(
            stage, ["person": "ada"], url: Self.url(["redirect_uri": "https://evil.example/"]))
        #expect(end["end"] == "page" && end["page"]?["name"] == "error")
        #expect(end["page"]?["error"]?.stringValue?.contains("redirect") == true)
    }

    @Test func `a fault is an error page of the browser`() async throws {
        let stage = try await Self.stage()
        try await stage.call("PUT", "/faults", ["rules": [["match": ["endpoint": "authorize"], "network": "reset"]]])
        let end = try await Self.play(stage, ["person": "ada"])
        #expect(end["page"]?["name"] == "error" && end["page"]?["status"] == 0, "\(end)")
    }

    // MARK: Bad input

    @Test(
        arguments: [
            (["url": "https://evil.example/authorize"], 400, "expected one that begins with http://localhost:9400/ or"),
            (["url": "x"], 400, "is not an address of this server"),
            (["person": "adda"], 404, "did you mean `ada`?"),
            (["actions": [["as": "adda"]]], 404, "did you mean `ada`?"),
            (["actions": [["wait": "PT1M"]]], 400, "`wait` and `barrier` are for scripts"),
            (["actions": [["pres": "next"]]], 400, "pres"),
            (["persn": "ada"], 400, "`persn` is not a key"),
            (["browser": .string(String(repeating: "b", count: 65))], 400, "1 to 64 characters"),
            (["browser": ""], 400, "1 to 64 characters"),
        ] as [(JSONValue, Int, String)])
    func `bad input explains itself`(_ body: JSONValue, _ status: Int, _ words: String) async throws {
        let stage = try await Self.stage()
        let whole = (["url": .string(Self.url())] as JSONValue).merging(patch: body)
        let answer = try await stage.call("POST", "/sign-ins", whole, expect: status)
        let text = JSONWriter.compact(answer)
        #expect(text.lowercased().contains(words.lowercased()), "\(text)")
    }

    /// A world that was made has its own hosts and its own time.
    @Test func `a person signs in at a world that was made`() async throws {
        let stage = try await ControlStage()
        let made = try await stage.call(
            "POST", "/worlds", ["tenant": Self.tenant, "now": "2026-02-01T00:00:00Z"], expect: 201)
        let name = try #require(made["world"]?.stringValue)
        let end = try await stage.call(
            "POST", "/sign-ins?secrets=show",
            ["url": .string(Self.url(origin: "https://contoso.b2clogin.com")), "person": "ada"], world: name)
        #expect(end["end"] == "callback", "\(end)")
        try await stage.call(
            "POST", "/sign-ins", ["url": .string(Self.url()), "person": "ada"], expect: 400, world: name)
        #expect(try await stage.call("GET", "/requests")["requests"] == [])
    }
}
