import Diagnostics
import Exchanges
import Foundation
import JSON
import Reports
import ScenarioRunner
import Scenarios
import Synchronization
import TestSupport
import Testing

/// Runs that somebody follows, played by a list of lines.
struct StepConsoleTests {
    /// What a followed run left.
    private struct Followed {
        var report: RunReport
        var text: String
        var pages: [String]
        var hasLeft: Bool
        var hasChanged: Bool
        var unread: Int
    }

    private final class Person: Sendable {
        private let state: Mutex<(lines: [String], text: String, pages: [String])>

        init(_ lines: [String]) { state = Mutex((lines, "", [])) }

        func read() -> String? {
            state.withLock { state in
                guard !state.lines.isEmpty else { return nil }
                let line = state.lines.removeFirst()
                state.text += line + "\n"
                return line
            }
        }

        func write(_ text: String) { state.withLock { $0.text += text } }
        func show(_ html: String) { state.withLock { $0.pages.append(html) } }
        var text: String { state.withLock { $0.text } }
        var pages: [String] { state.withLock { $0.pages } }
        var unread: Int { state.withLock { $0.lines.count } }
    }

    private static let tenant = """
        "tenant": { "name": "contoso", "policies": { "susi": { "id": "B2C_1_susi", "type": "signUpOrSignIn" } }, \
        "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" }, \
        "platform": { "bundleId": "com.contoso.tasks" } } }, \
        "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada" }, \
        "grace": { "email": "grace@example.test", "password": "Compiler-1952", "displayName": "Grace" } } }
        """

    private static let script = """
        { "name": "Ada", \(tenant), "app": "ios", "variables": { "who": "ada" },
          "steps": [
            { "id": "first", "acquireToken": {}, "user": "{{who}}", "expect": { "result": {} } },
            { "id": "second", "acquireTokenSilent": {}, "expect": { "requests": 0 } },
            { "id": "third", "inspect": "users" } ] }
        """

    private func follow(script: String = Self.script, copies: Int = 1, _ lines: String...) async throws -> Followed {
        let bytes = Array(script.utf8)
        let scenario = try ScenarioReader.read(file: "scenarios/t.json", bytes: bytes, files: { _ in nil })
        let person = Person(lines)
        let redaction = Redaction(byFile: ["scenarios/t.json": KnownSecret.secrets(of: scenario.tenant.tenant)])
        let console = StepConsole(
            style: Style(usesColor: false), redaction: redaction, read: { person.read() }, write: { person.write($0) },
            showPage: { html, number in
                person.show(html)
                return "page of exchange \(number)"
            })
        var options = RunOptions(seed: 7)
        options.follower = console
        let report = await Runner.run(Array(repeating: scenario, count: copies), options: options)
        return Followed(
            report: report, text: person.text, pages: person.pages, hasLeft: await console.hasLeft,
            hasChanged: await console.hasChanged, unread: person.unread)
    }

    @Test func `each step is shown before it runs, and Enter goes on`() async throws {
        let run = try await follow("", "", "", "")
        #expect(run.report.isGood && run.unread == 0 && !run.hasChanged && !run.hasLeft)
        for text in [
            "Ada  scenarios/t.json\n", "step 1 of 3  first acquireToken by ios  scenarios/t.json:3\n",
            "\"user\": \"{{who}}\"", "ok  first: ", ", pages signIn\n",
            "step 2 of 3  second acquireTokenSilent by ios  scenarios/t.json:4\n", "ok  second: 0 exchanges\n",
            "end: every step has run",
        ] {
            #expect(run.text.contains(text), "\(text) is not in\n\(run.text)")
        }
    }

    @Test func `following changes nothing of the run`() async throws {
        let plain = await Runner.run(
            try ScenarioReader.read(file: "scenarios/t.json", bytes: Array(Self.script.utf8), files: { _ in nil }),
            options: RunOptions(seed: 7))
        let run = try await follow(
            "", "wire", "claims", "cache", "accounts", "cookies", "inbox", "users", "keys", "state", "trace", "open",
            "r")
        #expect(JSONReport.text(run.report) == JSONReport.text(plain))
    }

    @Test func `what happened can be looked at, without secrets`() async throws {
        let run = try await follow(
            "", "wire", "wire 1", "claims", "outcome /result/account/username", "cache", "accounts", "cookies", "users",
            "inbox", "keys", "state", "trace", "open", "wire 99", "outcome nowhere", "help", "q")
        #expect(run.unread == 0 && run.hasLeft)
        for text in [
            "exchange 1: ", "/oauth2/v2.0/token -> 200", "\"number\": \"1\"", "idToken  {\"alg\":\"RS256\"", "tfp ",
            "\"B2C_1_susi\"", "\"accessTokens\": [", "\"cookies\": [", "\"users\": {", "\"messages\": []",
            "\"keySets\": {", "variable who = \"ada\"", "outcomes first", "journey ", "page of exchange ",
            "there is no exchange 99; the newest is ", "the outcome has nothing at /nowhere; it has result",
            "  a, again ",
        ] {
            #expect(run.text.contains(text), "\(text) is not in\n\(run.text.prefix(20_000))")
        }
        #expect(run.pages.count == 1 && run.pages[0].contains("SETTINGS"))
        for text in [run.text] + run.pages {
            #expect(!text.contains("Analytical-1843"))
            #expect(!text.contains(/eyJ[\w-]{8,}\.[\w-]+/))
        }
    }

    @Test func `a value is changed, a step left out, a step repeated`() async throws {
        let changed = try await follow("set who grace", "set nobody x", "set who", "", "s", "r")
        #expect(changed.hasChanged)
        #expect(changed.text.contains("who = \"grace\"\n"))
        #expect(changed.text.contains("there is no value `nobody`; "))
        #expect(changed.text.contains("set NAME VALUE, such as"))
        #expect(changed.report.scenarios[0].steps.map(\.status) == [.passed, .skipped, .passed])

        let repeated = try await follow("again", "", "outcome /requests", "a", "outcome /requests", "r")
        #expect(repeated.text.contains("no step has run yet in this list"))
        #expect(repeated.report.scenarios[0].steps.count == 3)
        #expect(repeated.report.scenarios[0].exchanges > 6)
        #expect(repeated.hasChanged && repeated.unread == 0)
    }

    @Test func `an outcome and the tenant are changed for what follows`() async throws {
        let script = """
            { "name": "Values", \(Self.tenant), "app": "ios",
              "steps": [
                { "id": "first", "inspect": "users" },
                { "acquireToken": { "loginHint": "{{first/result/users/ada/email}}" },
                  "expect": { "error": { "kind": "network" } } } ] }
            """
        let run = try await follow(
            script: script, "", "set first/result/users/ada/email \"a@b.test\"", "set first/none/hint 1",
            "configure {\"device\":{\"network\":\"offline\"}}", "configure nonsense", "r")
        #expect(run.report.isGood, "\(run.text)")
        #expect(run.text.contains("`first` has nothing at none/hint that could be replaced"))
        #expect(run.text.contains("the tenant is changed from now on"))
        #expect(run.text.contains("configure PATCH, such as"))
    }

    @Test func `a failure pauses, and can be repeated until it is none`() async throws {
        let script = """
            { "name": "Fails", \(Self.tenant), "app": "ios", "variables": { "who": "ada" },
              "steps": [ { "steps": [
                { "id": "first", "acquireToken": {}, "user": "ada",
                  "expect": { "result": { "account": { "claims": { "name": "{{name}}" } } } } } ] } ],
              "cases": { "one": { "set": { "name": "Eve" } } } }
            """
        let fixed = try await follow(script: script, "r", "set name Ada", "again", "")
        #expect(fixed.report.isGood, "\(fixed.text)")
        #expect(fixed.text.contains("FAIL\n  step first (acquireToken) at scenarios/t.json:3"))
        #expect(fixed.text.contains("expected \"Eve\""))

        let failed = try await follow(script: script, "", "", "")
        #expect(failed.report.scenarios[0].status == .failed)
        #expect(failed.unread == 0 && !failed.hasLeft, "one pause for one failure:\n\(failed.text)")
    }

    @Test func `leaving ends everything but the steps that always run`() async throws {
        let script = Self.script.replacing(
            "\"steps\": [", with: "\"finally\": [ { \"inspect\": \"keys\" } ], \"steps\": [")
        let run = try await follow(script: script, copies: 2, "", "q")
        #expect(run.report.scenarios.map(\.status) == [.notRun, .notRun])
        #expect(run.report.scenarios[0].reason == "left by hand before its end")
        #expect(run.report.scenarios[0].steps.map(\.status) == [.passed, .notRun, .notRun, .passed])
        #expect(run.report.scenarios[1].steps.isEmpty)
        // The end of the input is leaving too.
        #expect(try await follow(script: script).hasLeft)
    }

    @Test func `an unknown command names the nearest one`() async throws {
        let run = try await follow("stat", "\u{1b}[A", "skp", "q")
        #expect(run.text.contains("there is no command stat; did you mean state?"))
        #expect(run.text.contains("did you mean skip?"))
        #expect(!run.text.dropFirst(10).contains("no command \u{1b}"))
    }
}
