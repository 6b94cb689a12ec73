import Diagnostics
import JSON
import ScenarioRunner
import Scenarios
import Synchronization
import Testing

/// A script, or a part of one, and what the experiments find in it: rule and place, or nothing.
struct Tried: CustomTestStringConvertible, Sendable {
    let text: String
    let finds: [String]

    init(_ text: String, _ finds: String...) {
        self.text = text
        self.finds = finds
    }

    var testDescription: String { text }

    /// Runs the experiments with the text as the members of a script besides `name` and `tenant`.
    func report(isStopped: @escaping @Sendable () -> Bool = { false }) async throws -> ProofReport {
        let script = #"{"name":"tried","tenant":"tenants/contoso.json","app":"ios",\#(text)}"#
        return await Proof.run(
            [try Running.scenario(script)], options: RunOptions(seed: 7, jobs: 2, policies: Running.policies),
            isStopped: isStopped)
    }

    func check() async throws {
        let report = try await report()
        let found = report.findings.map { "\($0.rule.suffix(3)) \($0.location?.pointer ?? "")" }
        #expect(found == finds, "\(report.findings.map(\.message)) \(report.notes)")
        #expect(report.findings.allSatisfy { $0.severity == .warning && $0.location?.line != nil })
    }
}

@Suite struct ProofTests {
    private static let signIn = #"{"acquireToken":{},"user":"ada"}"#

    private static func expecting(_ name: String) -> String {
        #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"idToken":{"claims":{"name":\#(name)}}}}}]"#
    }

    private static let claim = "/steps/0/expect/result/idToken/claims/name"

    @Test(arguments: [
        Tried(expecting(#""Ada""#)),
        Tried(expecting(#"{"$any":[{"$matches":"^A"},{"$matches":"^[^A]"},""]}"#), "001 \(claim)/$any"),
        Tried(expecting(#"{"$any":["Ada","Grace"]}"#)),
        Tried(expecting(#"{"$any":["Ada",{"$startsWith":"Ad"}]}"#), "002 \(claim)/$any/0"),
        Tried(expecting(#"{"$not":"Grace"}"#)),
        Tried(expecting(#"{"$matches":"^[A-Z]"}"#)),
        Tried(expecting(#"{"$all":[{"$contains":"A"},{"$contains":"d"}]}"#)),
        Tried(
            expecting(#"{"$all":[{"$startsWith":"Ad"},{"$startsWith":"A"}]}"#), "001 \(claim)/$all/1/$startsWith"),
        Tried(expecting(#"{"$length":{"$gt":2}}"#)),
        Tried(expecting(#"{"$exists":true}"#)),
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"expect":{"result":{"status":{"$gte":100,"$lt":500}}}}]"#,
            "001 /steps/0/expect/result/status/$gte"),
        Tried(#""steps":[{"http":{"endpoint":"token"},"expect":{"result":{"status":{"$gte":400,"$lt":500}}}}]"#),
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"expect":{"result":{"status":{"$type":"number"}}}}]"#,
            "001 /steps/0/expect/result/status/$type"),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"requests":[{"endpoint":"token","path":{"$endsWith":"/token"}}]}}]"#
        ),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"requests":[{"endpoint":"token","$times":{"$lt":500}}]}}]"#,
            "001 /steps/0/expect/requests/0"),
        // The only case has an expectation of its own.
        Tried(
            #""cases":{"off":{"configure":{"browser":{"cookies":false}}}},"steps":[{"acquireToken":{},"user":"ada","expect":{"requests":{"token":1}},"expectIn":{"off":{"pending":{"$exists":true}}}}]"#,
            "001 /steps/0/expect"),
    ])
    func `lines of expectations are proved`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"press":"forgotPassword"}],"expect":{"error":{"oauthError":{"$not":"acces_denied"},"kind":"userCanceled"}}}]"#,
            "007 /steps/0/expect/error/oauthError/$not"),
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"press":"forgotPassword"}],"expect":{"error":{"oauthError":{"$not":"invalid_grant"},"kind":"userCanceled"}}}]"#
        ),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"idToken":{"claims":{"emails":{"$exists":true},"identityProvidr":{"$exists":false}}}}}}]"#
        ),
    ])
    func `negative names are proved`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            #""configure":{"policies":{"susi":{"mfa":{"maxTries":5}}}},"steps":[\#(signIn)]"#,
            "003 /configure/policies/susi/mfa/maxTries"),
        Tried(#""configure":{"browser":{"cors":false}},"steps":[\#(signIn)]"#, "003 /configure/browser/cors"),
        // States a default, and another value has an effect.
        Tried(#""configure":{"browser":{"cookies":true}},"steps":[\#(signIn)]"#),
        Tried(
            #""configure":{"keySets":{"spare":{"use":"k9","publish":["k9"]}}},"steps":[\#(signIn)]"#,
            "003 /configure/keySets/spare"),
        // Tokens differ, and nothing expects it.
        Tried(
            #""configure":{"policies":{"susi":{"tokens":{"idToken":"PT10M"}}}},"steps":[\#(signIn)]"#,
            "011 /configure/policies/susi/tokens/idToken"),
        Tried(
            #""configure":{"browser":{"cookies":false}},"steps":[{"acquireToken":{},"user":"ada","expect":{"pending":{"$exists":true}}}]"#
        ),
        Tried(
            #""variables":{"who":"ada"},"steps":[{"acquireToken":{},"user":"{{who}}"}]"#),
        // One case shows that the setting acts.
        Tried(
            #""cases":{"off":{"configure":{"browser":{"cookies":false}}},"unused":{"configure":{"browser":{"cookies":true}}}},"steps":[{"acquireToken":{},"user":"ada","expectIn":{"off":{"pending":{"$exists":true}}}}]"#
        ),
    ])
    func `settings are proved`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(#""steps":[\#(signIn),{"cancelInteraction":{}}]"#, "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"advanceClock":"PT1H"}]"#, "005 /steps/1"),
        Tried(
            #""steps":[\#(signIn),{"advanceClock":"PT2H"},{"acquireTokenSilent":{},"expect":{"requests":{"token":1}}}]"#
        ),
        Tried(#""steps":[\#(signIn),{"configure":{"users":{"ada":{"accountEnabled":false}}}}]"#, "005 /steps/1"),
        Tried(
            #""steps":[\#(signIn),{"createClient":{}},{"acquireTokenSilent":{},"expect":{"requests":0}}]"#,
            "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"repeat":5,"removeAccount":{"account":null}}]"#, "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"restart":"app"},{"acquireTokenSilent":{},"expect":{"requests":0}}]"#),
        Tried(#""steps":[\#(signIn),{"restart":"app"}]"#, "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"signOut":{},"user":"ada"}]"#, "006 /steps/1/user"),
        Tried(#""steps":[\#(signIn),{"acquireToken":{},"user":"ada","expect":{"pages":0}}]"#),
        Tried(
            #""steps":[{"acquireToken":{"extraQueryParameters":{"domian_hint":"x"}},"user":"ada"}]"#,
            "009 /steps/0/acquireToken/extraQueryParameters/domian_hint"),
        Tried(
            #""steps":[{"acquireToken":{"extraQueryParameters":{"slice":"x"}},"user":"ada","expect":{"requests":[{"endpoint":"authorize","query":{"slice":"x"}}]}}]"#
        ),
        Tried(
            #""steps":[{"open":{"endpoint":"authorize"},"faults":[{"match":{"endpoint":"authorize"},"respond":{"status":302}}]}]"#,
            "005 /steps/0"),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"keys"},"optional":true,"network":"reset"}]}]"#,
            "004 /steps/0/faults/0"),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"delay":"PT1S"}]}]"#,
            "011 /steps/0/faults/0"),
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"faults":[{"match":{"endpoint":"token"},"respond":{"status":503}}],"expect":{"result":{"status":503}}}]"#
        ),
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"faults":[{"match":{"endpoint":"token"},"times":1,"respond":{"status":503}}],"expect":{"result":{"status":503}}}]"#,
            "004 /steps/0/faults/0/times"),
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"faults":[{"match":{"endpoint":"token","path":{"$not":"/x"}},"respond":{"status":503}}],"expect":{"result":{"status":503}}}]"#,
            "004 /steps/0/faults/0/match/path/$not"),
        Tried(
            #""steps":[{"configure":{"policies":{"susi":{"tokens":{"idToken":"PT10M"}}}}},\#(signIn)]"#,
            "011 /steps/0"),
        Tried(
            #""skip":"later","steps":[\#(signIn)]"#, "008 /skip"),
    ])
    func `steps, people and faults are proved`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(#""steps":[\#(signIn),{"advanceClock":"PT1H","proves":"the next session starts an hour later"}]"#),
        Tried(#""steps":[\#(signIn),{"advanceClock":"PT1H"}],"proves":{"/steps/1":"the session ends an hour later"}"#),
        Tried(#""steps":[{"acquireToken":{},"user":"ada","proves":"nothing to prove"}]"#, "010 /steps/0/proves"),
        Tried(#""steps":[\#(signIn)],"proves":{"/steps/0/user":"nothing to prove"}"#, "010 /proves/~1steps~10~1user"),
    ])
    func `reasons excuse a line`(_ tried: Tried) async throws { try await tried.check() }

    @Test func `the reason of a finding is counted`() async throws {
        let report = try await Tried(#""steps":[\#(Self.signIn),{"advanceClock":"PT1H","proves":"an hour later"}]"#)
            .report()
        #expect(report.reasons == 1)
    }

    /// Reasons of a project file for the script `scenarios/test.json`, and what is found: rules.
    @Test(arguments: [
        ("FILE", []), ("./FOLDER/", []), (".", []), ("FILE#/steps/1", []), ("FILE#/steps", []),
        ("FOLDER#B2C-PRV-005", []),
        ("FILE#/steps/0", ["B2C-PRV-005", "B2C-PRV-010"]),
        ("FOLDER#B2C-PRV-006", ["B2C-PRV-005", "B2C-PRV-010"]),
        // What was not tried may need its reason.
        ("FOLDERS/other.json", ["B2C-PRV-005"]),
    ])
    func `reasons of the project excuse a line`(_ key: String, _ rules: [String]) async throws {
        let scenario = try Running.scenario(
            #"{"name":"tried","tenant":"tenants/contoso.json","app":"ios","steps":[\#(Self.signIn),{"advanceClock":"PT1H"}]}"#
        )
        let folder = scenario.file.split(separator: "/").dropLast().joined(separator: "/")
        let name = key.replacing("FILE", with: scenario.file).replacing("FOLDER", with: folder.isEmpty ? "." : folder)
        let document = try JSONDocument(file: "b2c.json", bytes: Array(#"{"proves":{"\#(name)":"why"}}"#.utf8))
        let reasons = ProjectReasons(of: document)
        #expect(reasons.findings.isEmpty)
        let report = await Proof.run(
            [scenario], options: RunOptions(seed: 7, policies: Running.policies), reasons: reasons)
        #expect(report.findings.map(\.rule) == rules)
    }

    @Test(arguments: ["a.json#steps", "a.json#B2C-PRV-999", "a.json#"])
    func `a wrong key of a project reason is refused`(_ key: String) throws {
        let text = #"{"proves":{"\#(key)":"why"}}"#
        let error = #expect(throws: InvalidInput.self) {
            try ProjectSettings(bytes: Array(text.utf8), profile: nil)
        }
        #expect(error?.diagnostics.map(\.rule) == ["B2C-PRJ-011"])
        #expect(error?.diagnostics.first?.location?.line == 1)
    }

    @Test(arguments: [
        (#""steps":[{"acquireToken":{}}]"#, "fails before any change"),
        (
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"rate":0.5,"network":"reset"}]}]"#,
            "by chance"
        ),
    ])
    func `what is not tried is reported`(_ text: String, _ reason: String) async throws {
        let report = try await Tried(text).report()
        #expect(report.findings.isEmpty)
        #expect(report.scenarios == 0)
        #expect(report.notes.count == 1 && report.notes[0].contains(reason), "\(report.notes)")
    }

    @Test func `two proofs give the same report`() async throws {
        let tried = Tried(
            #""configure":{"browser":{"cors":false}},"steps":[\#(Self.signIn),{"advanceClock":"PT1H"},{"cancelInteraction":{}}]"#
        )
        let one = try await tried.report()
        let other = try await tried.report()
        #expect(one.findings == other.findings)
        #expect(one.runs == other.runs)
        #expect(one.findings.count == 3)
    }

    @Test func `a proof that is stopped reports what is known`() async throws {
        let asked = Mutex(0)
        let report = try await Tried(
            #""steps":[\#(Self.signIn),{"advanceClock":"PT1H"},{"cancelInteraction":{}}]"#
        ).report(isStopped: {
            asked.withLock { asked in
                asked += 1
                return asked > 3
            }
        })
        #expect(report.isStopped)
        #expect(report.runs <= 3)
    }
}
