import B2CProtocol
import Browser
import Exchanges
import HTTPMessages
import JSON
import ScenarioRunner
import Scenarios
import Testing

/// Everything that the documentation says an outcome may hold is in the outcome of some script: a member or a word that
/// nothing produces would make each expectation of its absence pass.
struct LogCoverageTests {
    /// Shipped scripts that produce all of it together.
    static let files: [String] = [
        "scenarios/bugs/B04-no-handler-for-the-scheme.json",
        "scenarios/bugs/B101-user-realm-asked-first.json",
        "scenarios/bugs/B105-signed-out-every-day.json",
        "scenarios/bugs/B134-second-factor-in-a-hidden-frame.json",
        "scenarios/bugs/B145-provider-in-a-new-tab.json",
        "scenarios/bugs/B146-state-cookie-stays-away.json",
        "scenarios/bugs/B154-forged-metadata.json",
        "scenarios/bugs/B50-second-tap-on-forgot-password.json",
        "scenarios/bugs/B53-answer-without-state.json",
        "scenarios/bugs/B83-token-outlives-sign-out.json",
        "scenarios/custom-policies/captcha-wire.json",
        "scenarios/custom-policies/one-provider.json",
        "scenarios/custom-policies/predicates-met.json",
        "scenarios/custom-policies/user-info.json",
        "scenarios/custom-policy.json",
        "scenarios/edit-profile/one-account-each.json",
        "scenarios/errors/90002-90047-page-template.json",
        "scenarios/errors/thrown-by-the-call.json",
        "scenarios/errors/too-many-requests.json",
        "scenarios/reports/R04-router-clears-the-hash.json",
        "scenarios/reports/R19-call-answered-and-nothing-happens.json",
        "scenarios/sign-in/page-left.json",
        "scenarios/sign-out/offline.json",
        "scenarios/sign-out/redirect-target.json",
        "scenarios/silent/network-faults.json",
        "scenarios/silent/scopes-declined.json",
        "scenarios/tutorials/S0-R12-call-graph-silent-when-account.json",
        "scenarios/tutorials/S2-D07-server-down.json",
        "scenarios/tutorials/S3-M09-silent-first-then-interactive.json",
        "scenarios/tutorials/S4-G09-sign-out-removes-every-account.json",
    ]

    /// What no shipped script shows.
    static let rest = #"""
        { "name": "rest", "tenant": "tenants/contoso.json", "app": "ios",
          "steps": [
            { "acquireToken": {}, "user": "ada" },
            { "name": "an answer that ends in the middle", "acquireTokenSilent": { "forceRefresh": true },
              "faults": [ { "match": { "endpoint": "token" }, "network": "truncated" } ],
              "expect": { "error": { "kind": "network" } } },
            { "name": "secure cookies stay away from an address without TLS",
              "open": { "url": "http://contoso.b2clogin.com/" } },
            { "name": "a document in the browser", "open": { "endpoint": "keys" } },
            { "configure": { "browser": { "cookies": false } } },
            { "name": "a browser without cookies", "acquireToken": { "prompt": "login" },
              "expect": { "pending": { "reason": "page" }, "events": [ { "type": "browserOpened" }, { "type": "cookieBlocked" } ] } },
            { "configure": { "browser": { "cookies": true, "available": false } } },
            { "name": "a page that is left for nothing", "client": "spa", "acquireToken": { "interaction": "redirect" },
              "expect": { "pending": { "reason": "noAnswer" } } }
          ] }
        """#

    /// What is documented: `requests/blocked` for a member, `requests/blocked=cors` for a word.
    static let documented: [String] = {
        var all: [String] = []
        func members(_ log: String, of shape: String) {
            guard case .object(let object)? = unwrapped(ScenarioShapes.named[shape]) else { return }
            all += object.fields.map(\.name).filter { !$0.hasPrefix("$") }.map { "\(log)/\($0)" }
        }
        func words(_ member: String, _ choices: [Choice]) { all += choices.map { "\(member)=\($0.value)" } }
        members("requests", of: "requestRecord")
        members("requests/response", of: "response")
        members("requests/response/location", of: "location")
        members("pages", of: "page")
        members("pages/fields", of: "pageField")
        members("messages", of: "messageInLog")
        members("events", of: "eventInLog")
        members("trace", of: "traceInLog")
        members("pending", of: "pending")
        members("error", of: "error")
        members("callback", of: "callback")
        words("requests/endpoint", ExchangeWords.endpoints)
        words("requests/from", ExchangeWords.parties)
        words("requests/blocked", ExchangeWords.blockedReasons)
        words("requests/response/networkError", ExchangeWords.networkFailures)
        words("pages/name", PageWords.pages)
        words("messages/kind", ScenarioWords.messageKinds)
        words("events/type", ScenarioWords.events)
        words("events/cookieBlocked/reason", ScenarioWords.cookieReasons)
        words("pending/reason", ScenarioWords.pendingReasons)
        words("error/kind", ScenarioWords.errorKinds)
        return all
    }()

    private static func unwrapped(_ shape: Shape?) -> Shape? {
        switch shape {
        case .nullable(let inner)?: unwrapped(inner)
        case .anyOf(let shapes)?:
            shapes.lazy.compactMap { unwrapped($0) }.first { if case .object = $0 { true } else { false } }
        default: shape
        }
    }

    @Test func `the documentation is read`() {
        for name in [
            "requests/blocked", "requests/response/location/fragment", "pages/fields/options", "trace/because",
        ] {
            #expect(Self.documented.contains(name))
        }
        #expect(Self.documented.count > 170)
    }

    @Test func `every documented member, type and reason appears in a script`() async throws {
        var seen: Set<String> = []
        var scenarios = [try Running.scenario(Self.rest)]
        for file in Self.files {
            let bytes = try #require(Running.bytes(file), "\(file)")
            scenarios.append(try Running.scenario(String(decoding: bytes, as: UTF8.self), file: file))
        }
        for scenario in scenarios {
            let options = RunOptions(
                seed: 7, keepOutcomes: true, readFile: { Running.bytes($0) }, policies: Running.policies,
                writeFile: { _, _ in nil })
            for report in await Runner.run(scenario, options: options).scenarios {
                #expect(report.status.isGood, "\(report.title): \(Running.failures(report))")
                for step in report.steps { Self.collect(step, into: &seen) }
            }
        }
        let missing = Self.documented.filter { !seen.contains($0) }
        #expect(missing.isEmpty, "nothing produces \(missing.joined(separator: ", "))")
    }

    private static func collect(_ step: StepReport, into seen: inout Set<String>) {
        for inner in step.steps { collect(inner, into: &seen) }
        guard let outcome = step.outcome else { return }
        func note(_ record: JSONValue?, _ place: String, words: [String] = []) {
            for (name, value) in record?.objectValue?.members ?? [] {
                seen.insert("\(place)/\(name)")
                if words.contains(name), let word = value.stringValue { seen.insert("\(place)/\(name)=\(word)") }
            }
        }
        for record in outcome["requests"]?.arrayValue ?? [] {
            note(record, "requests", words: ["endpoint", "from", "blocked"])
            note(record["response"], "requests/response", words: ["networkError"])
            note(record["response"]?["location"], "requests/response/location")
        }
        for page in outcome["pages"]?.arrayValue ?? [] {
            note(page, "pages", words: ["name"])
            for (_, field) in page["fields"]?.objectValue?.members ?? [] { note(field, "pages/fields") }
        }
        for message in outcome["messages"]?.arrayValue ?? [] { note(message, "messages", words: ["kind"]) }
        for event in outcome["events"]?.arrayValue ?? [] {
            note(event, "events", words: ["type"])
            if event["type"] == "cookieBlocked" { note(event, "events/cookieBlocked", words: ["reason"]) }
        }
        for entry in outcome["trace"]?.arrayValue ?? [] { note(entry, "trace") }
        note(outcome["pending"], "pending", words: ["reason"])
        note(outcome["error"], "error", words: ["kind"])
        note(outcome["callback"], "callback")
    }
}
