import JSON
import ScenarioRunner
import TestSupport
import Testing

/// The page driver over real HTTP, at pages as the real service serves them.
struct LivePageTests {
    static let manners: [(name: String, manner: StandInTenant.Manner)] = {
        var all: [(String, StandInTenant.Manner)] = []
        for settings in StandInTenant.Manner.Settings.allCases {
            for field in ["signInName", "email", "logonIdentifier", "UserId"] {
                for rotates in [false, true] {
                    var manner = StandInTenant.Manner()
                    manner.settings = settings
                    manner.signInField = field
                    manner.rotatesToken = rotates
                    manner.wantsPageView = rotates
                    all.append(("\(settings.rawValue) \(field) \(rotates ? "rotating" : "")", manner))
                }
            }
        }
        return all
    }()

    private func expectPassed(_ report: ScenarioReport, _ stage: LiveStage) {
        #expect(report.status == .passed, "\(Running.failures(report))")
        #expect(stage.tenant.complaints == [])
    }

    @Test(arguments: manners)
    func `signs in`(_ row: (name: String, manner: StandInTenant.Manner)) async throws {
        let stage = try LiveStage(row.manner)
        let report = try await stage.run(
            """
            { "acquireToken": {}, "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "tfp": "B2C_1_susi", "name": "Ada" } } }, "pages": { "signIn": 1 } } },
            { "acquireTokenSilent": { "forceRefresh": true }, "expect": { "requests": { "token": 1 } } },
            { "signOut": { "fromBrowser": true }, "expect": { "requests": { "logout": 1 } } }
            """, on: try await stage.target())
        expectPassed(report, stage)
    }

    @Test func `an error is an answer of status 200 and shows on the page`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            """
            { "acquireToken": {}, "user": [
                { "on": "signIn", "fill": { "username": "ada@example.test", "password": "wrong" } },
                { "on": { "name": "signIn", "b2cCode": "AADB2C90054", "error": "Your password is incorrect" }, "as": "ada" } ],
              "expect": { "result": { "idToken": { "claims": { "name": "Ada" } } } } },
            { "acquireToken": { "prompt": "login" }, "user": [
                { "fill": { "username": "nobody@example.test", "password": "x" } },
                { "on": { "error": { "$exists": true }, "b2cCode": "AADB2C90053" }, "window": "close" } ],
              "expect": { "error": { "kind": "userCanceled" } } }
            """, on: try await stage.target())
        expectPassed(report, stage)
    }

    @Test(arguments: ["sms", "call"])
    func `a code by phone is typed, a call is waited for`(_ kind: String) async throws {
        var manner = StandInTenant.Manner()
        manner.secondFactor = kind
        let stage = try LiveStage(manner)
        let report = try await stage.run(
            #"{ "acquireToken": {}, "user": "ada", "expect": { "result": { "idToken": { "claims": { "name": "Ada" } } } } }"#,
            on: try await stage.target(
                LiveStage.withInbox,
                run: { _ in
                    .success(stage.tenant.code(to: "+441234567890") ?? "")
                }))
        expectPassed(report, stage)
        // Two answers that the call is still ringing, five seconds apart by the page's settings.
        if kind == "call" { #expect(stage.time.waits.filter { $0 > .seconds(4) }.count == 2, "\(stage.time.waits)") }
    }

    @Test(arguments: StandInTenant.Manner.Verification.allCases, [false, true])
    func `signs up with a proven address, in both forms`(
        _ verification: StandInTenant.Manner.Verification, _ rotates: Bool
    ) async throws {
        var manner = StandInTenant.Manner()
        manner.verification = verification
        manner.rotatesToken = rotates
        let stage = try LiveStage(manner)
        let report = try await stage.run(
            """
            { "acquireToken": {}, "user": [ { "press": "createAccount" }, "nina" ],
              "expect": { "result": { "idToken": { "claims": { "name": "Nina" } } },
                "messages": [ { "to": "nina@example.test", "kind": "email", "code": { "$type": "string" } } ] } }
            """, on: try await stage.target(LiveStage.withInbox, run: stage.mailbox()))
        expectPassed(report, stage)
        #expect(stage.tenant.account("nina@example.test")?.password == "Newcomer-2026")
    }

    @Test(arguments: StandInTenant.Manner.Verification.allCases)
    func `sets a password and edits a profile`(_ verification: StandInTenant.Manner.Verification) async throws {
        var manner = StandInTenant.Manner()
        manner.verification = verification
        let stage = try LiveStage(manner)
        let report = try await stage.run(
            """
            { "acquireToken": { "policy": "reset" }, "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "tfp": "B2C_1_reset" } } } } },
            { "acquireToken": { "policy": "edit", "prompt": "login" }, "user": "ada",
              "expect": { "result": { "idToken": { "claims": { "name": "Ada L." } } } } }
            """, on: try await stage.target(LiveStage.withInbox, run: stage.mailbox()))
        expectPassed(report, stage)
        #expect(stage.tenant.account("ada@example.test")?.password == "Difference-1822")
        #expect(stage.tenant.account("ada@example.test")?.name == "Ada L.")
    }

    @Test func `the link for a forgotten password leaves the flow, or goes on inside it`() async throws {
        let legacy = try LiveStage()
        let left = try await legacy.run(
            """
            { "acquireToken": {}, "user": [ { "press": "forgotPassword" } ],
              "expect": { "error": { "kind": "userCanceled", "b2cCode": "AADB2C90118" } } }
            """, on: try await legacy.target(allowsChanges: false))
        expectPassed(left, legacy)
        var manner = StandInTenant.Manner()
        manner.resetsInside = true
        let inside = try LiveStage(manner)
        let report = try await inside.run(
            #"{ "acquireToken": {}, "user": [ { "press": "forgotPassword" }, "ada" ], "expect": { "result": { "idToken": { "claims": { "name": "Ada" } } } } }"#,
            on: try await inside.target(LiveStage.withInbox, run: inside.mailbox()))
        expectPassed(report, inside)
        #expect(inside.tenant.account("ada@example.test")?.password == "Difference-1822")
    }

    @Test func `cancelling returns an error to the app`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            """
            { "acquireToken": { "policy": "join" }, "user": [ { "press": "cancel" } ],
              "expect": { "error": { "kind": "userCanceled", "b2cCode": "AADB2C90091" } } }
            """, on: try await stage.target(#""live": true,"#))
        expectPassed(report, stage)
    }

    @Test func `an answer to a web app is a form that posts itself`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            """
            { "open": { "endpoint": "authorize", "query": { "response_mode": "form_post" } }, "client": "web", "user": "ada",
              "expect": { "result": { "response": { "code": { "$type": "string" } } } } }
            """, on: try await stage.target())
        expectPassed(report, stage)
    }

    @Test func `a captcha blocks, with a sentence that offers a browser`() async throws {
        var manner = StandInTenant.Manner()
        manner.captcha = true
        let stage = try LiveStage(manner)
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        #expect(report.status == .blocked)
        let reason = try #require(report.reason)
        #expect(reason.contains("asks for a captcha (`captchaControlChallengeCode`)"), "\(reason)")
        #expect(reason.contains("--browser"))
    }

    @Test func `a page that shows nothing without JavaScript blocks`() async throws {
        let stage = try LiveStage { request, _ in
            guard request.url.path.hasSuffix("/authorize") else { return nil }
            return .response(
                .html(
                    200,
                    "<html><head><script src=\"app.js\"></script></head><body><noscript>Turn JavaScript on.</noscript><div id=\"root\"></div></body></html>"
                ))
        }
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        #expect(report.status == .blocked)
        #expect(report.reason?.contains("shows nothing without JavaScript") == true, "\(report.reason ?? "")")
        #expect(report.reason?.contains("--browser") == true)
    }

    @Test func `an identity provider blocks, and nothing is sent to it`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(
            #"{ "acquireToken": {}, "user": [ { "press": "MicrosoftAccountExchange" } ] }"#,
            on: try await stage.target())
        #expect(report.status == .blocked)
        #expect(
            report.reason?.contains("login.live.test is not a host of this target") == true, "\(report.reason ?? "")")
        #expect(report.reason?.contains("--browser") == true)
        #expect(stage.tenant.strays == 0)
    }

    @Test func `cookies with odd names and values go back as they came`() async throws {
        let stage = try LiveStage()
        let report = try await stage.run(#"{ "acquireToken": {}, "user": "ada" }"#, on: try await stage.target())
        expectPassed(report, stage)
        let posted = try #require(stage.tenant.requests.first { $0.method == "POST" }?.headers["Cookie"])
        #expect(posted.contains("x-ms-cpim-cache|2l3io3ed2eop2vq5tcrnuw_0=m1.2/AbC+d==.eF.0.x+y/z=;"), "\(posted)")
        #expect(posted.contains("x-ms-cpim-sso:contoso.onmicrosoft.com_0=m1.s"))
        #expect(!posted.contains("\""))
    }
}
