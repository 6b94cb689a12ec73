import B2CProtocol
import CurlHTTP
import Determinism
import Diagnostics
import Foundation
import HTTPMessages
import JSON
import Scenarios
import TestSupport
import Testing

@testable import ScenarioRunner

/// Scenarios against a stand-in for a real tenant, over libcurl and plain HTTP on a loopback port.
@Suite struct LiveTargetTests {
    static let tenantText = """
        {
          "name": "fabrikamb2c", "live": true,
          "policies": {
            "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn", "providers": ["facebook"] },
            "edit": { "id": "B2C_1_edit", "type": "profileEditing" },
            "reset": { "id": "B2C_1_reset", "type": "passwordReset" },
            "captcha": { "id": "B2C_1_captcha", "type": "signUpOrSignIn" },
            "script": { "id": "B2C_1_script", "type": "signUpOrSignIn" }
          },
          "apps": { "ios": {
            "registration": { "clientId": "\(RecordedTenant.clientId)" },
            "client": { "kind": "msal-ios", "policy": "susi" }, "platform": { "bundleId": "com.fabrikam.app" } } },
          "providers": { "facebook": { "type": "oauth2" } },
          "users": {
            "ada": { "email": "ada@example.test", "password": "{{secret/ADA_PASSWORD}}", "newPassword": "{{secret/ADA_NEW}}" },
            "nina": { "registered": false, "email": "nina@example.test", "password": "{{secret/NINA_PASSWORD}}",
              "displayName": "Nina" }
          }
        }
        """

    static let secrets = [
        (name: "ADA_PASSWORD", value: "Analytical-1843"), (name: "ADA_NEW", value: "Difference-1822"),
        (name: "NINA_PASSWORD", value: "Newcomer-2026"),
    ]

    /// Runs one script, given by its steps, against the stand-in.
    private func run(
        _ steps: String, on tenant: RecordedTenant, allowed: Bool = true, inbox: Bool = true, more: String = "",
        keeps: Bool = false
    ) async throws -> ScenarioReport {
        let server = try LoopbackServer { tenant.reply(to: $0) }
        let file = """
            { "kind": "live", "name": "stand-in", "tenant": "fabrikam.json", "live": true,
              "connectTo": { "\(RecordedTenant.host)": "http://127.0.0.1:\(server.port)" },
              "pacing": { "requests": 1000, "per": "PT1S" }\(inbox ? #", "inbox": { "command": ["mailbox", "{to}"] }"# : "") }
            """
        let services = TargetServices(run: { arguments in
            guard arguments.count == 2, arguments[0] == "mailbox", let code = tenant.mail(to: arguments[1]) else {
                return .failure(TargetProblem("no mail for \(arguments)"))
            }
            return .success("Your code is: \(code)\n")
        })
        let target = try await RunTarget(
            try TargetFile.read(file: "targets/stand-in.json", bytes: Array(file.utf8)), secrets: Self.secrets,
            allowsLiveChanges: allowed, services: services)
        let script = #"{ "name": "live", "tenant": "fabrikam.json", "app": "ios"\#(more), "steps": [\#(steps)] }"#
        let scenario: Scenario
        do throws(InvalidInput) {
            scenario = try ScenarioReader.read(file: "live.json", bytes: Array(script.utf8)) { path in
                path == "fabrikam.json" ? Array(Self.tenantText.utf8) : nil
            }
        } catch {
            Issue.record("\(error.diagnostics.map(\.message))")
            throw error
        }
        let options = RunOptions(seed: 7, secrets: Self.secrets, keepOutcomes: keeps, target: target)
        let report = try #require(await Runner.run([RunItem(scenario: scenario)], options: options).scenarios.first)
        withExtendedLifetime(server) {}
        return report
    }

    private func expectPass(_ report: ScenarioReport) {
        #expect(report.status == .passed, "\(Running.failures(report))")
    }

    private static func tenant(_ verification: RecordedTenant.Verification, throttled: Int = 0) -> RecordedTenant {
        RecordedTenant(verification, throttled: throttled) { RealTime().now() }
    }

    static let signIn = """
        { "acquireToken": {}, "user": "ada", "expect": { "result": { "idToken": { "claims": {
            "name": "Ada", "tfp": "B2C_1_susi", "emails": ["ada@example.test"] } } },
            "pages": { "signIn": 1 } } },
        { "acquireTokenSilent": {}, "expect": { "requests": 0 } }
        """

    @Test(arguments: [RecordedTenant.Verification.legacy, .displayControl])
    func `somebody signs in, silently again, and out`(_ verification: RecordedTenant.Verification) async throws {
        let tenant = Self.tenant(verification)
        expectPass(
            try await run(
                Self.signIn + #", { "signOut": { "fromBrowser": true }, "expect": { "requests": { "logout": 1 } } }"#,
                on: tenant))
        // What the service saw: the cookies as it set them, and the page script's form of the body.
        let posted = try #require(
            tenant.requests.first { $0.method == "POST" && $0.url.path.hasSuffix("/SelfAsserted") })
        #expect(posted.text.hasPrefix("request_type=RESPONSE&email=ada%40example.test&password="))
        #expect(posted.headers["Cookie"]?.contains("x-ms-cpim-cache|") == true)
    }

    @Test(arguments: [RecordedTenant.Verification.legacy, .displayControl])
    func `somebody signs up with a code from the mailbox`(_ verification: RecordedTenant.Verification) async throws {
        let tenant = Self.tenant(verification)
        expectPass(
            try await run(
                """
                { "acquireToken": {}, "user": [ { "press": "signUp" }, "nina" ],
                  "expect": { "result": { "idToken": { "claims": { "name": "Nina" } } }, "pages": { "signUp": 1 },
                    "messages": { "email": 1 } } }
                """, on: tenant))
        #expect(tenant.person("nina@example.test")?.password == "Newcomer-2026")
    }

    @Test(arguments: [RecordedTenant.Verification.legacy, .displayControl])
    func `a password is reset and works`(_ verification: RecordedTenant.Verification) async throws {
        let tenant = Self.tenant(verification)
        expectPass(
            try await run(
                """
                { "acquireToken": {}, "user": [ { "on": "signIn", "press": "forgotPassword" } ],
                  "expect": { "error": { "b2cCode": "AADB2C90118" } } },
                { "acquireToken": { "policy": "reset" }, "user": "ada",
                  "expect": { "pages": { "verifyEmail": 1, "newPassword": 1 } } },
                { "acquireToken": { "prompt": "login" }, "user": "ada" }
                """, on: tenant))
        #expect(tenant.person("ada@example.test")?.password == "Difference-1822")
    }

    @Test func `a profile is edited`() async throws {
        let tenant = Self.tenant(.displayControl)
        expectPass(
            try await run(
                """
                { "acquireToken": { "policy": "edit" }, "user": [ { "as": "ada" },
                    { "on": "editProfile", "fill": { "displayName": "Countess" }, "press": "continue" } ],
                  "expect": { "result": { "idToken": { "claims": { "name": "Countess" } } } } }
                """, on: tenant))
        #expect(tenant.person("ada@example.test")?.name == "Countess")
    }

    @Test func `an error with status 200 is shown on the page, and cancelling reaches the app`() async throws {
        expectPass(
            try await run(
                """
                { "id": "wrong", "acquireToken": {}, "user": [ { "as": "ada", "fill": { "password": "Wrong-1" } } ],
                  "expect": { "pending": { "page": { "name": "signIn", "b2cCode": "AADB2C90054",
                    "error": "Your password is incorrect" } } } },
                { "resume": "wrong", "user": "ada" }
                """, on: Self.tenant(.legacy)))
    }

    // MARK: Safety

    @Test func `a tenant is not changed unless both switches say so`() async throws {
        let tenant = Self.tenant(.legacy)
        let report = try await run(
            #"{ "acquireToken": { "policy": "edit" }, "user": "ada" }"#, on: tenant, allowed: false)
        #expect(report.status == .skipped)
        #expect(report.reason?.contains("edits a profile") == true)
        #expect(report.reason?.contains("--allow-live-changes") == true)
        #expect(tenant.requests.isEmpty)
    }

    @Test(arguments: [
        (#"{ "advanceClock": "PT2H" }"#, "clock"), (#"{ "inspect": "users" }"#, "directory"),
        (#"{ "configure": { "policies": { "susi": { "mfa": { "when": "always" } } } } }"#, "settings"),
        (#"{ "mintToken": {} }"#, "mint"),
    ])
    func `what a real tenant cannot do is said before the first request`(_ step: String, _ word: String) async throws {
        let tenant = Self.tenant(.legacy)
        let report = try await run(Self.signIn + ", " + step, on: tenant)
        #expect(report.status == .skipped)
        #expect(report.reason?.contains("`\(word)`") == true, "\(report.reason ?? "")")
        #expect(tenant.requests.isEmpty)
    }

    @Test func `without a mailbox what needs a code is skipped`() async throws {
        let report = try await run(
            #"{ "acquireToken": { "policy": "reset" }, "user": "ada" }"#, on: Self.tenant(.legacy), inbox: false)
        #expect(report.status == .skipped)
        #expect(report.reason?.contains("`inbox`") == true)
    }

    @Test func `hosts that the files do not name are not contacted`() async throws {
        let report = try await run(
            #"{ "acquireToken": {}, "user": [ { "press": "facebook" } ] }"#, on: Self.tenant(.legacy))
        #expect(report.status == .blocked)
        #expect(report.reason?.contains("www.facebook.com") == true)
        #expect(report.reason?.contains("--browser") == true)
    }

    @Test(arguments: [("captcha", "captcha"), ("script", "JavaScript")])
    func `a page that needs a real browser blocks the scenario`(_ policy: String, _ word: String) async throws {
        let report = try await run(
            #"{ "acquireToken": { "policy": "\#(policy)" }, "user": "ada" }"#, on: Self.tenant(.displayControl))
        #expect(report.status == .blocked)
        #expect(report.reason?.contains(word) == true, "\(report.reason ?? "")")
        #expect(report.reason?.contains("--browser") == true)
    }

    @Test func `a throttled scenario is repeated once and called flaky`() async throws {
        let tenant = Self.tenant(.legacy, throttled: 1)
        let report = try await run(Self.signIn, on: tenant)
        #expect(report.status == .flaky, "\(Running.failures(report))")
        #expect(report.reason?.contains("429") == true)
    }

    @Test func `a scenario that is throttled twice has failed`() async throws {
        let report = try await run(Self.signIn, on: Self.tenant(.legacy, throttled: 2))
        #expect(report.status == .failed)
    }

    @Test func `passwords do not stand in the tenant file of a real tenant`() async throws {
        let text = Self.tenantText.replacing("{{secret/ADA_PASSWORD}}", with: "Analytical-1843")
        let findings = LiveCredentials.findings(try JSONDocument(file: "fabrikam.json", bytes: Array(text.utf8)))
        #expect(findings.map(\.location?.pointer) == ["/users/ada/password"])
    }
}
