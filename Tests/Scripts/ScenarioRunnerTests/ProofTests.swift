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
        #expect(found == finds, "\(report.findings.map(\.message))")
        #expect(report.findings.allSatisfy { $0.severity == .warning && $0.location?.line != nil })
        #expect(!report.hasFailures)
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

    private static func expecting(_ expected: String, of verb: String, before: String = "", app: String? = nil)
        -> String
    {
        let client = app.map { #","client":"\#($0)""# } ?? ""
        return #""steps":[\#(before.isEmpty ? "" : before + ",")\#(verb.dropLast())\#(client),"expect":\#(expected)}]"#
    }

    @Test(arguments: [
        Tried(
            expecting(#"{"requests":0}"#, of: #"{"configure":{"users":{"ada":{"displayName":"Ada L."}}}}"#),
            "001 /steps/0/expect/requests"),
        Tried(
            expecting(#"{"pages":[]}"#, of: #"{"advanceClock":"PT2H"}"#, before: signIn), "001 /steps/1/expect/pages"),
        Tried(expecting(#"{"requests":0}"#, of: #"{"accounts":{}}"#, before: signIn)),
        Tried(
            expecting(#"{"pages":0,"result":{"accounts":{"$length":1}}}"#, of: #"{"accounts":{}}"#, before: signIn),
            "001 /steps/1/expect/pages"),
        Tried(expecting(#"{"pages":0}"#, of: #"{"acquireTokenSilent":{}}"#, before: signIn)),
        Tried(
            expecting(#"{"requests":[{"endpoint":"graph","$times":0}]}"#, of: signIn), "001 /steps/0/expect/requests/0"
        ),
        Tried(expecting(#"{"requests":{"rest":{"$lt":3}}}"#, of: signIn), "001 /steps/0/expect/requests/rest"),
        Tried(expecting(#"{"requests":[{"endpoint":"keys","$times":0}]}"#, of: signIn)),
        Tried(expecting(#"{"requests":{"api":0}}"#, of: signIn), "001 /steps/0/expect/requests/api"),
        Tried(expecting(#"{"messages":{"sms":0}}"#, of: signIn), "001 /steps/0/expect/messages/sms"),
        Tried(expecting(#"{"messages":0}"#, of: signIn)),
        Tried(expecting(#"{"pages":{"signUp":0}}"#, of: signIn)),
        Tried(expecting(#"{"pages":{"editProfile":0}}"#, of: signIn), "001 /steps/0/expect/pages/editProfile"),
        Tried(expecting(#"{"events":{"keychainError":0}}"#, of: signIn)),
        Tried(
            expecting(#"{"events":{"keychainError":0}}"#, of: signIn, app: "spa"),
            "001 /steps/0/expect/events/keychainError"),
        Tried(
            expecting(#"{"result":{"state":{"$exists":false}}}"#, of: signIn),
            "001 /steps/0/expect/result/state/$exists"),
        Tried(expecting(#"{"result":{"state":{"$exists":false}}}"#, of: signIn, app: "spa")),
        Tried(
            expecting(#"{"requests":[{"frame":true,"$times":0}]}"#, of: signIn), "001 /steps/0/expect/requests/0"),
        Tried(expecting(#"{"requests":[{"frame":true,"$times":0}]}"#, of: signIn, app: "spa")),
        Tried(
            expecting(#"{"requests":[{"blocked":"cors","$times":0}]}"#, of: signIn), "001 /steps/0/expect/requests/0"),
        Tried(expecting(#"{"events":{"corsBlocked":0}}"#, of: signIn), "001 /steps/0/expect/events/corsBlocked"),
        Tried(expecting(#"{"events":{"corsBlocked":0}}"#, of: signIn, app: "spa")),
        Tried(
            expecting(#"{"requests":{"instanceDiscovery":0}}"#, of: signIn, app: "desk"),
            "001 /steps/0/expect/requests/instanceDiscovery"),
        Tried(expecting(#"{"requests":{"instanceDiscovery":0}}"#, of: signIn)),
        Tried(expecting(#"{"trace":0}"#, of: #"{"http":{"endpoint":"keys"}}"#), "001 /steps/0/expect/trace"),
        // What the steps of a group can have together.
        Tried(
            #""steps":[{"steps":[\#(signIn),{"acquireTokenSilent":{}}],"expect":{"requests":{"token":1,"api":0}}}]"#,
            "001 /steps/0/expect/requests/api"),
    ])
    func `an expectation of records that a step cannot have is reported`(_ tried: Tried) async throws {
        try await tried.check()
    }

    @Test(arguments: [
        Tried(expecting(#"{"elapsed":{"$lt":86400}}"#, of: signIn), "001 /steps/0/expect/elapsed/$lt"),
        Tried(expecting(#"{"elapsed":{"$lt":30}}"#, of: signIn)),
        Tried(expecting(#"{"requests":{"$lt":1000}}"#, of: signIn), "001 /steps/0/expect/requests"),
        Tried(expecting(#"{"requests":{"token":{"$lte":3}}}"#, of: signIn)),
        Tried(expecting(#"{"$length":{"$lt":5000}}"#), "001 \(claim)/$length"),
        Tried(expecting(#"{"$length":{"$lt":20}}"#)),
        Tried(
            expecting(#"{"result":{"idToken":{"raw":{"$length":{"$gt":9}}}}}"#, of: signIn),
            "001 /steps/0/expect/result/idToken/raw/$length"),
        Tried(
            expecting(#"{"result":{"idToken":{"claims":{"exp":{"$gt":1000000000}}}}}"#, of: signIn),
            "001 /steps/0/expect/result/idToken/claims/exp/$gt"),
        Tried(expecting(#"{"result":{"idToken":{"claims":{"exp":{"$gt":1768478400}}}}}"#, of: signIn)),
        Tried(
            expecting(#"{"result":{"expiresOn":{"$gt":"2019-01-01T00:00:00Z"}}}"#, of: signIn),
            "001 /steps/0/expect/result/expiresOn/$gt"),
        // The answer may have no code, and another one has no characters.
        Tried(
            expecting(
                #"{"result":{"response":{"code":{"$length":{"$gt":10}}}}}"#,
                of: #"{"open":{"endpoint":"authorize"},"user":"ada"}"#, app: "spa")),
        Tried(
            expecting(#"{"result":{"json":{"keys":{"$length":{"$lt":500}}}}}"#, of: #"{"http":{"endpoint":"keys"}}"#),
            "001 /steps/0/expect/result/json/keys/$length"),
    ])
    func `a limit that no run comes near is reported`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            expecting(#"{"result":{"accounts":{"$exists":true}}}"#, of: #"{"inspect":"cache"}"#),
            "001 /steps/0/expect/result/accounts/$exists"),
        Tried(
            expecting(#"{"result":{"account":{"identifier":{"$type":"string"}}}}"#, of: signIn),
            "001 /steps/0/expect/result/account/identifier/$type"),
        Tried(expecting(#"{"result":{"idToken":{}}}"#, of: signIn), "001 /steps/0/expect/result/idToken"),
        Tried(expecting(#"{"result":{"accessToken":{"raw":{"$exists":true}}}}"#, of: signIn)),
        Tried(expecting(#"{"result":{"accessToken":{}}}"#, of: signIn)),
        Tried(
            expecting(#"{"result":{"idToken":{"claims":{"iat":{"$exists":true}}}}}"#, of: signIn),
            "001 /steps/0/expect/result/idToken/claims/iat/$exists"),
        Tried(expecting(#"{"result":{"idToken":{"claims":{"tfp":{"$exists":true}}}}}"#, of: signIn)),
        Tried(
            expecting(#"{"result":{"idToken":{"header":{"alg":{"$exists":true}}}}}"#, of: signIn),
            "001 /steps/0/expect/result/idToken/header/alg/$exists"),
        Tried(
            expecting(#"{"result":{"current":{"$exists":true}}}"#, of: #"{"currentAccount":{}}"#, before: signIn),
            "001 /steps/1/expect/result/current/$exists"),
        Tried(expecting(#"{"result":{"current":{"$type":"object"}}}"#, of: #"{"currentAccount":{}}"#, before: signIn)),
        Tried(
            expecting(#"{"elapsed":0}"#, of: #"{"inspect":"cache"}"#, before: signIn), "001 /steps/1/expect/elapsed"),
        Tried(expecting(#"{"elapsed":0}"#, of: #"{"acquireTokenSilent":{}}"#, before: signIn)),
        Tried(
            expecting(#"{"elapsed":{"$gte":3600}}"#, of: #"{"advanceClock":"PT1H"}"#, before: signIn),
            "001 /steps/1/expect/elapsed/$gte"),
        Tried(
            expecting(#"{"result":{"now":"{{now}}"}}"#, of: #"{"advanceClock":"PT1H"}"#, before: signIn),
            "001 /steps/1/expect/result/now"),
        Tried(
            #""steps":[{"steps":[\#(signIn)],"expect":{"steps":{"$length":1}}}]"#,
            "001 /steps/0/expect/steps/$length"),
        Tried(
            #""steps":[{"steps":[\#(signIn)],"expect":{"steps":{"$contains":{"result":{"account":{"policy":"susi"}}}}}}]"#
        ),
        Tried(
            expecting(
                #"{"error":{"kind":"userCanceled","domain":{"$exists":true}}}"#,
                of: #"{"acquireToken":{},"user":[{"press":"forgotPassword"}]}"#),
            "001 /steps/0/expect/error/domain/$exists"),
    ])
    func `an expectation of a member that is always present is reported`(_ tried: Tried) async throws {
        try await tried.check()
    }

    @Test(arguments: [
        Tried(
            #""cases":{"now":{},"later":{"skip":"not built"}},"steps":[{"acquireToken":{},"user":"ada","expectIn":{"later":{"result":{"state":"x"}}}}]"#,
            "001 /steps/0/expectIn/later"),
        Tried(
            #""cases":{"now":{},"later":{"skip":"not built"}},"steps":[{"acquireToken":{},"user":"ada","expectIn":{"now":{"requests":{"token":1}},"later":{"requests":{"token":2}}}}]"#
        ),
    ])
    func `an expectation for a skipped case alone is reported`(_ tried: Tried) async throws { try await tried.check() }

    private static func cases(_ parameter: String, _ values: String..., expect: String) -> String {
        let cases = values.enumerated().map { #""c\#($0.offset)":{"set":{"v":\#($0.element)}}"# }.joined(separator: ",")
        return
            #""cases":{\#(cases)},"steps":[{"acquireToken":{"\#(parameter)":"{{v}}"},"user":"ada","expect":\#(expect)}]"#
    }

    private static let token = #"{"requests":{"token":1}}"#

    @Test(arguments: [
        Tried(
            cases(
                "correlationId", #""0f6a1c52-4b1d-4c8e-9d53-2f7a90c4e611""#,
                #""83b5e0d4-7c29-4f16-a6e8-51d09b3fc722""#, expect: token),
            "011 /cases/c0/set/v", "011 /cases/c1/set/v"),
        Tried(
            cases("loginHint", #""x@example.test""#, #""y@example.test""#, expect: token),
            "011 /cases/c0/set/v", "011 /cases/c1/set/v"),
        Tried(
            cases(
                "loginHint", #""x@example.test""#, #""y@example.test""#,
                expect: #"{"requests":[{"endpoint":"authorize","query":{"login_hint":"{{v}}"}}]}"#)),
        Tried(
            cases("extraQueryParameters", #"{"q":"1"}"#, #"{"q":"2"}"#, expect: token),
            "011 /cases/c0/set/v", "011 /cases/c1/set/v"),
        Tried(cases("prompt", #""login""#, #""selectAccount""#, expect: #"{"pages":{"signIn":1}}"#)),
        // Each of them is refused, and so may any other be.
        Tried(
            #""cases":{"slash":{"set":{"v":"https://app.example.test/x/"}},"host":{"set":{"v":"https://www.example.test/x"}}},"steps":[{"http":{"endpoint":"authorize","query":{"redirect_uri":"{{v}}"}},"expect":{"result":{"b2cCode":"AADB2C90006"}}}]"#
        ),
    ])
    func `values of cases are proved by expectations`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"on":"signIn","wait":"PT1M","as":"ada"}]}]"#,
            "006 /steps/0/user/0/wait"),
        Tried(#""steps":[{"acquireToken":{},"user":[{"wait":"PT1M"},"ada"]}]"#, "006 /steps/0/user/0"),
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"wait":"PT1M","as":"ada"}],"expect":{"elapsed":{"$gte":60}}}]"#),
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"on":"signIn","wait":"P2D"},"ada"],"expect":{"pending":{"$exists":true}}}]"#
        ),
        Tried(
            #""steps":[\#(signIn),{"advanceClock":"PT1M"},{"acquireToken":{"prompt":"login"},"user":"ada"}]"#,
            "005 /steps/1"),
        // Twelve times as much is beyond a limit.
        Tried(#""steps":[\#(signIn),{"advanceClock":"PT20M"},{"acquireTokenSilent":{},"expect":{"requests":0}}]"#),
        Tried(
            #""steps":[\#(signIn),{"advanceClock":"PT1M"},{"acquireToken":{},"expect":{"pages":0,"result":{"idToken":{"claims":{"iat":{"$time":"{{now}}"}}}}}}]"#
        ),
    ])
    func `a pause must change more than the time`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            #""faults":[{"match":{"endpoint":"token"},"rate":1e-06,"network":"reset","optional":true}],"steps":[\#(signIn)]"#,
            "004 /faults/0", "012 /faults/0/rate"),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"rate":0.001,"network":"reset","optional":true}],"proves":"chance is what it is about"}]"#
        ),
        // It always strikes.
        Tried(
            #""steps":[{"http":{"endpoint":"token"},"faults":[{"match":{"endpoint":"token"},"rate":1,"respond":{"status":503}}],"expect":{"result":{"status":503}}}]"#
        ),
        Tried(#""steps":[\#(signIn)],"finally":[{"removeAccount":{}}]"#, "012 /finally/0"),
        Tried(#""steps":[\#(signIn)],"finally":[{"signOut":{},"expect":{"result":{"signedOut":true}}}]"#),
    ])
    func `what is not tried is reported`(_ tried: Tried) async throws { try await tried.check() }

    @Test(arguments: [
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"press":"forgotPassword"}],"expect":{"error":{"oauthError":{"$not":"acces_denied"},"kind":"userCanceled"}}}]"#,
            "007 /steps/0/expect/error/oauthError/$not"),
        Tried(
            #""steps":[{"acquireToken":{},"user":[{"press":"forgotPassword"}],"expect":{"error":{"oauthError":{"$not":"invalid_grant"},"kind":"userCanceled"}}}]"#
        ),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"idToken":{"claims":{"emails":{"$exists":true},"favouriteColour":{"$exists":false}}}}}}]"#
        ),
        Tried(
            expecting(#"{"result":{"account":{"username":{"$not":"nina@exmaple.test"}}}}"#, of: signIn),
            "007 /steps/0/expect/result/account/username/$not"),
        Tried(expecting(#"{"result":{"account":{"username":{"$not":"nina@example.test"}}}}"#, of: signIn)),
        Tried(expecting(#"{"result":{"account":{"username":{"$not":"somebody@else.test"}}}}"#, of: signIn)),
        Tried(
            expecting(
                #"{"result":{"account":{"username":{"$not":{"$contains":"@exampel.test"}}}}}"#,
                of: #"{"acquireToken":{},"user":"ada"}"#),
            "007 /steps/0/expect/result/account/username/$not/$contains"),
        Tried(
            expecting(
                #"{"requests":[{"endpoint":"token","form":{"grant_type":"refesh_token"},"$times":0}]}"#, of: signIn),
            "007 /steps/0/expect/requests/0/form/grant_type"),
        Tried(
            expecting(
                #"{"requests":[{"endpoint":"token","form":{"grant_type":"refresh_token"},"$times":0}]}"#, of: signIn)),
        // Short names beside the ones that they were meant for.
        Tried(
            expecting(#"{"result":{"idToken":{"header":{"kdi":{"$exists":false}}}}}"#, of: signIn),
            "007 /steps/0/expect/result/idToken/header/kdi"),
        Tried(
            expecting(#"{"result":{"idToken":{"claims":{"tpf":{"$exists":false}}}}}"#, of: signIn),
            "007 /steps/0/expect/result/idToken/claims/tpf"),
        Tried(expecting(#"{"result":{"idToken":{"claims":{"tid":{"$exists":false}}}}}"#, of: signIn)),
        Tried(expecting(#"{"$not":"Nian"}"#), "007 \(claim)/$not"),
        Tried(expecting(#"{"$not":"Nina"}"#)),
        Tried(expecting(#"{"$not":"Adam"}"#)),
        // Words of other places, of the language and of codes, inside of texts and patterns.
        Tried(
            expecting(#"{"requests":[{"path":{"$contains":"oauth2/v2.0/logot"},"$times":0}]}"#, of: signIn),
            "007 /steps/0/expect/requests/0/path/$contains"),
        Tried(expecting(#"{"requests":[{"path":{"$contains":"oauth2/v2.0/logout"},"$times":0}]}"#, of: signIn)),
        Tried(
            expecting(#"{"requests":[{"url":{"$matches":"oauth2/v2\\.0/tokn$"},"$times":0}]}"#, of: signIn),
            "007 /steps/0/expect/requests/0/url/$matches"),
        Tried(expecting(#"{"requests":[{"url":{"$matches":"[?&]prom(pt)?=login"},"$times":0}]}"#, of: signIn)),
        Tried(
            expecting(#"{"result":{"scopes":{"$not":{"$contains":"offline_acess"}}}}"#, of: signIn),
            "007 /steps/0/expect/result/scopes/$not/$contains"),
        Tried(
            expecting(
                #"{"result":{"status":400,"body":{"$not":{"$contains":"AADB2C9OO85"}}}}"#,
                of: #"{"http":{"endpoint":"token","form":{"grant_type":"foo"}}}"#),
            "007 /steps/0/expect/result/body/$not/$contains"),
        Tried(
            expecting(
                #"{"result":{"status":400,"body":{"$not":{"$contains":"AADB2C90085"}}}}"#,
                of: #"{"http":{"endpoint":"token","form":{"grant_type":"foo"}}}"#)),
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
        // Limits that are just not reached.
        Tried(
            #""configure":{"authority":{"lockout":{"threshold":4}}},"steps":[{"acquireToken":{},"user":[{"as":"ada","fill":{"password":"Wrong-123"}},{"as":"ada","fill":{"password":"Wrong-124"}},"ada"],"expect":{"pages":{"signIn":{"$gte":3}}}}]"#
        ),
        Tried(
            #""configure":{"authority":{"throttle":{"requests":10,"per":"PT1M"}}},"steps":[{"acquireToken":{},"user":"ada","expect":{"pages":{"signIn":1}}}]"#
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
            #""steps":[\#(signIn),{"parallel":[{"advanceClock":"PT1S"},{"acquireTokenSilent":{},"expect":{"requests":0}}]}]"#,
            "005 /steps/1/parallel/0"),
        Tried(
            #""steps":[\#(signIn),{"advanceClock":"PT2H"},{"acquireTokenSilent":{},"expect":{"requests":{"token":1}}}]"#
        ),
        Tried(#""steps":[\#(signIn),{"configure":{"users":{"ada":{"accountEnabled":false}}}}]"#, "005 /steps/1"),
        Tried(
            #""steps":[\#(signIn),{"createClient":{}},{"acquireTokenSilent":{},"expect":{"requests":0}}]"#,
            "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"repeat":5,"removeAccount":{"account":null}}]"#, "005 /steps/1"),
        Tried(#""steps":[\#(signIn),{"removeAccount":{}},{"acquireToken":{},"expect":{"pages":0}}]"#),
        Tried(#""steps":[\#(signIn),{"removeAccount":{}}]"#, "005 /steps/1"),
        Tried(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"delay":"PT20S"}],"expect":{"elapsed":{"$lt":30}}}]"#
        ),
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
        // Ten minutes are more than the library waits.
        Tried(#""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"delay":"PT20S"}]}]"#),
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

    @Test func `a scenario that fails before any change is reported at the step that fails`() async throws {
        let report = try await Tried(#""steps":[{"acquireToken":{}}]"#).report()
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1 && report.scenarios == 0 && report.hasFailures)
        #expect(finding.rule == "B2C-PRV-013" && finding.severity == .error)
        #expect(finding.location?.pointer == "/steps/0" && finding.message.contains("fails before any change"))
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
