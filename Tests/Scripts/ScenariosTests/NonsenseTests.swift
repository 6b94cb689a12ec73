import Diagnostics
import Exchanges
import JSON
import Scenarios
import TestSupport
import Testing

/// A piece of a script that means nothing, and the rule that reports it; no rule if it makes sense.
struct Nonsense: CustomTestStringConvertible, Sendable {
    let text: String
    let rule: ScenarioRule?

    init(_ text: String, _ rule: ScenarioRule?) {
        self.text = text
        self.rule = rule
    }

    var testDescription: String { text }

    /// The rules that a script breaks, as errors or as warnings.
    static func rules(_ script: String) -> [String] {
        let bytes = Array(script.utf8)
        do throws(InvalidInput) {
            return try ScenarioFiles.read("nonsense.json", bytes: bytes).advice.filter { $0.severity > .advice }
                .map(\.rule)
        } catch {
            return error.diagnostics.map(\.rule)
        }
    }

    /// Checks the text as the expectation of a call that gets a token.
    func checkAsExpectation() {
        check(
            #"{"name":"n","tenant":"tenants/contoso.json","app":"ios","steps":["#
                + #"{"acquireToken":{},"user":"ada","expect":\#(text)}]}"#)
    }

    /// Checks the text as a whole script's members besides `name`, `tenant` and `app`.
    func checkAsScript() {
        check(#"{"name":"n","tenant":"tenants/contoso.json","app":"ios",\#(text)}"#)
    }

    private func check(_ script: String) {
        let found = Self.rules(script)
        if let rule {
            #expect(found.contains(rule.rawValue), "found \(found)")
        } else {
            #expect(found == [])
        }
    }
}

@Suite struct NonsenseTests {
    /// What only a run could say before: operations that are not pending, results of groups, paths into texts.
    @Test(arguments: [
        Nonsense(#""steps":[{"id":"a","acquireToken":{},"user":"ada"},{"resume":"a","user":"ada"}]"#, .unfitStep),
        Nonsense(
            #""steps":[{"id":"a","signOut":{},"expect":{"pending":{"$exists":false}}},{"resume":"a","user":"ada"}]"#,
            .unfitStep),
        Nonsense(
            #""steps":[{"id":"a","acquireToken":{},"expect":{"pending":{"reason":"page"}}},{"resume":"a","user":"ada"}]"#,
            nil),
        Nonsense(
            #""steps":[{"id":"a","acquireToken":{},"expect":{"$any":[{"pending":{"reason":"page"}},{"error":{"kind":"server"}}]}},"#
                + #"{"resume":"a","user":"ada"}]"#, nil),
        Nonsense(
            #""steps":[{"id":"a","acquireToken":{},"expect":{"pending":{"reason":"page"}}},{"resume":"a","user":"ada"},"#
                + #"{"resume":"a","user":"ada"}]"#, .unfitStep),
        Nonsense(
            #""steps":[{"id":"a","acquireToken":{},"expect":{"pending":{"reason":"page"}}},"#
                + #"{"id":"b","resume":"a","expect":{"pending":{"reason":"page"}}},{"resume":"b","user":"ada"}]"#, nil),
        Nonsense(
            #""cases":{"x":{"set":{"v":1}},"y":{"set":{"v":2}}},"steps":[{"accounts":{},"expect":{"result":{"accounts":{"$length":"{{v}}"}}}},"#
                + #"{"id":"a","acquireToken":{},"user":"ada","expectIn":{"x":{"pending":{"reason":"page"}}}},{"resume":"a","user":"ada"}]"#,
            .unfitStep),
        Nonsense(
            #""cases":{"x":{"set":{"v":1}},"y":{"set":{"v":2}}},"steps":[{"accounts":{},"expect":{"result":{"accounts":{"$length":"{{v}}"}}}},"#
                + #"{"id":"a","only":["x"],"acquireToken":{},"expect":{"pending":{"reason":"page"}}},{"resume":"a","user":"ada"}]"#,
            .notInEveryCase),
        // A visit of an address ends in a result at a page, and goes on from there.
        Nonsense(
            #""steps":[{"id":"a","open":{"endpoint":"authorize"},"expect":{"result":{"page":{"name":"signIn"}}}},{"resume":"a","user":"ada"}]"#,
            nil),
        Nonsense(
            #""steps":[{"id":"p","parallel":[{"acquireToken":{},"user":"ada"},{"accounts":{}}],"expect":{"result":{"$type":"object"}}}]"#,
            .unknownResult),
        Nonsense(
            #""steps":[{"parallel":[{"acquireToken":{},"user":"ada"},{"accounts":{}}],"expect":{"error":{"kind":"server"}}}]"#,
            .unknownResult),
        Nonsense(
            #""steps":[{"id":"p","parallel":[{"acquireToken":{},"user":"ada"},{"accounts":{}}]},"#
                + #"{"acquireTokenSilent":{"account":"{{p/result}}"}}]"#, .leadsNowhere),
        Nonsense(
            #""steps":[{"id":"p","steps":[{"acquireToken":{},"user":"ada"}]},{"acquireTokenSilent":{"account":"{{p/error/kind}}"}}]"#,
            .leadsNowhere),
        Nonsense(Self.reading("a/result/accessToken/sub"), .leadsNowhere),
        Nonsense(Self.reading("a/result/accessToken/raw/x"), .leadsNowhere),
        Nonsense(Self.reading("a/result/idToken/claim/sub"), .leadsNowhere),
        Nonsense(Self.reading("a/result/fromCache/x"), .leadsNowhere),
        Nonsense(Self.reading("a/result/scopes/first"), .leadsNowhere),
        Nonsense(Self.reading("a/requests/x"), .leadsNowhere),
        Nonsense(Self.reading("a/requests/0/respons/status"), .leadsNowhere),
        Nonsense(Self.reading("a/result/accessToken/claims/sub"), nil),
        Nonsense(Self.reading("a/result/accessToken"), nil),
        Nonsense(Self.reading("a/requests/0/response/json/x/y"), nil),
        Nonsense(Self.reading("a/pages/0/fields/email/value"), nil),
        Nonsense(Self.reading("a/messages/0/at"), nil),
        // A failure that no case can have.
        Nonsense(
            #""expectedFailure":{"reason":"r"},"cases":{"x":{"skip":"s"},"y":{"skip":"s"}},"steps":[{"acquireToken":{},"user":"ada"}]"#,
            .neverRuns),
        Nonsense(
            #""expectedFailure":{"reason":"r","cases":["x"]},"cases":{"x":{"skip":"s"},"y":{}},"steps":[{"acquireToken":{},"user":"ada"}]"#,
            .neverRuns),
        Nonsense(
            #""expectedFailure":{"reason":"r","step":"s"},"cases":{"x":{},"y":{}},"#
                + #""steps":[{"id":"s","only":["x"],"acquireToken":{},"user":"ada"},{"accounts":{}}]"#, .neverRuns),
        Nonsense(
            #""expectedFailure":{"reason":"r","step":"s","cases":["x"]},"cases":{"x":{},"y":{}},"#
                + #""steps":[{"id":"s","only":["x"],"acquireToken":{},"user":"ada"},{"accounts":{}}]"#, nil),
    ])
    func `what only a run could say is a finding`(_ nonsense: Nonsense) { nonsense.checkAsScript() }

    /// Two steps, of which the second reads a part of the outcome of the first.
    private static func reading(_ path: String) -> String {
        #""steps":[{"id":"a","acquireToken":{},"user":"ada"},{"http":{"url":"https://api.test/{{\#(path)}}"}}]"#
    }

    @Test(arguments: [
        // What no value passes.
        Nonsense(#"{"elapsed":{"$gt":5,"$lt":3}}"#, .cannotHold),
        Nonsense(#"{"elapsed":{"$all":[{"$gt":5},{"$lte":5}]}}"#, .cannotHold),
        Nonsense(#"{"elapsed":{"$lt":0}}"#, .cannotHold),
        Nonsense(#"{"requests":{"$gt":1,"$lt":2}}"#, .cannotHold),
        Nonsense(#"{"requests":{"token":{"$lt":0}}}"#, .cannotHold),
        Nonsense(#"{"requests":[{"endpoint":"token","$times":{"$gt":2,"$lt":3}}]}"#, .cannotHold),
        Nonsense(#"{"result":{"expiresOn":{"$gt":"2026-02-01T00:00:00Z","$lt":"2026-01-01T00:00:00Z"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$any":[]}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$lt":5}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$not":{"$lt":5}}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$type":"number"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"fromCache":{"$contains":"x"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"scopes":{"$startsWith":"x"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$exists":false,"$contains":"x"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"state":{"$type":"string","$exists":false}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$equals":"a","$startsWith":"b"}}}"#, .cannotHold),
        Nonsense(#"{"result":{"idToken":{"claims":{"name":{"$length":2,"$lt":5}}}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$any":["https://x",{"$lt":5}]}}}"#, .cannotHold),
        Nonsense(#"{"result":{"scopes":{"$length":{"$lt":0}}}}"#, .cannotHold),
        // What every value passes.
        Nonsense("{}", .cannotFail),
        Nonsense(#"{"result":{"authority":{"$all":[]}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$not":{"$any":[]}}}}"#, .cannotHold),
        Nonsense(#"{"result":{"authority":{"$contains":""}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$startsWith":""}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$endsWith":""}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$matches":".*"}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$matches":""}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$matches":"^.*$"}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$matches":"[a-z]*"}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$matches":"a|"}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$all":[{"$matches":"x?"},{"$contains":"b2clogin"}]}}}"#, .cannotFail),
        Nonsense(#"{"result":{"authority":{"$not":5}}}"#, .cannotFail),
        Nonsense(#"{"result":{"fromCache":{"$not":"true"}}}"#, .cannotFail),
        Nonsense(#"{"result":{"scopes":{"$length":{"$gte":0}}}}"#, .cannotFail),
        Nonsense(#"{"requests":{"$gte":0}}"#, .cannotFail),
        Nonsense(#"{"requests":{}}"#, .cannotFail),
        Nonsense(#"{"requests":{"token":{"$not":-1}}}"#, .cannotFail),
        Nonsense(#"{"requests":{"token":{"$any":[{"$lt":3},{"$gt":1}]}}}"#, .cannotFail),
        Nonsense(#"{"requests":[{"endpoint":"token","$times":{"$gte":0}}]}"#, .cannotFail),
        Nonsense(#"{"elapsed":{"$gte":0}}"#, .cannotFail),
        Nonsense(#"{"elapsed":{"$not":{"$lt":0}}}"#, .cannotFail),
        Nonsense(#"{"$any":[{"requests":2},{}]}"#, .cannotFail),
        Nonsense(#"{"result":{"state":{"$any":[{"$exists":true},{"$exists":false}]}}}"#, .cannotFail),
        // Names below tests, and in logs.
        Nonsense(#"{"error":{"kind":{"$not":"netwrok"}}}"#, .unknownName),
        Nonsense(#"{"error":{"kind":{"$any":["network","servre"]}}}"#, .unknownName),
        Nonsense(#"{"error":{"kind":{"$equals":"servre"}}}"#, .unknownName),
        Nonsense(#"{"result":{"account":{"policy":{"$not":"sussi"}}}}"#, .unknownName),
        Nonsense(#"{"requests":[{"client":{"$not":"iso"}}]}"#, .unknownName),
        Nonsense(#"{"requests":[{"headers":{"Content-Type":"x"}}]}"#, .headerName),
        Nonsense(#"{"requests":[{"response":{"headers":{"$not":{"ETag":"x"}}}}]}"#, .headerName),
        Nonsense(#"{"events":[{"type":"cookieBlocked","reason":"thirdparty"}]}"#, .unknownName),
        Nonsense(#"{"events":[{"type":"cacheWrite","cookie":"x"}]}"#, .unknownResult),
        Nonsense(#"{"events":[{"type":"retry","item":"accessToken"}]}"#, .unknownResult),
        Nonsense(#"{"result":{"idToken":{"claims":{"naem":"Ada"}}}}"#, .nearClaim),
        Nonsense(#"{"result":{"accessToken":{"raw":{"$jwt":{"claims":{"$not":{"nonec":"x"}}}}}}}"#, .nearClaim),
        Nonsense(#"{"error":{"b2cCode":"AADB2C99998"}}"#, .unknownCode),
        // These make sense.
        Nonsense(#"{"result":{}}"#, nil),
        Nonsense(#"{"error":{}}"#, nil),
        Nonsense(#"{"error":{"$exists":false}}"#, nil),
        Nonsense(#"{"pages":[]}"#, nil),
        Nonsense(#"{"requests":[{}]}"#, nil),
        Nonsense(#"{"elapsed":{"$gt":0,"$lt":1}}"#, nil),
        Nonsense(#"{"result":{"authority":{"$not":{"$contains":"login.microsoftonline.com"}}}}"#, nil),
        Nonsense(#"{"result":{"authority":{"$matches":"^https://[^;]*$"}}}"#, nil),
        Nonsense(#"{"result":{"authority":{"$matches":"."}}}"#, nil),
        Nonsense(#"{"result":{"expiresOn":{"$gt":"2026-01-01T00:00:00Z","$lt":"2026-02-01T00:00:00Z"}}}"#, nil),
        Nonsense(#"{"result":{"state":{"$any":[{"$exists":false},"x"]}}}"#, nil),
        Nonsense(#"{"result":{"account":{"claims":{"name":{"$not":null}}}}}"#, nil),
        Nonsense(#"{"result":{"idToken":{"claims":{"extension_Tier":"gold","loyaltyNumber":{"$gt":5}}}}}"#, nil),
        Nonsense(#"{"requests":[{"headers":{"content-type":{"$exists":true}}}]}"#, nil),
        Nonsense(#"{"events":[{"type":"cacheWrite","item":{"$not":"refreshToken"}}]}"#, nil),
        Nonsense(#"{"requests":[{"endpoint":"token","$times":{"$gte":1,"$lte":3}}]}"#, nil),
    ])
    func `an expectation says something`(row: Nonsense) {
        row.checkAsExpectation()
    }

    @Test(arguments: [
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"only":["a"],"expectIn":{"a":{}}}]"#, .cannotFail),
        Nonsense(
            #""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"expect":{"requests":0},"expectIn":{"a":{},"b":{}}}]"#,
            .cannotFail),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":[{"on":{"error":{"$contains":""}},"as":"ada"}]}]"#, .cannotFail),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":[{"on":{"name":{"$not":"singIn"}},"as":"ada"}]}]"#, .unknownName),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"headers":{"Cookie":{"$exists":true}}},"network":"reset"}]}]"#,
            .headerName),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"authorize"},"b2cError":"AADB2C99999"}]}]"#,
            .unknownCode),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"b2cError":{"code":"AADB2C11111"}}]}]"#, .unknownCode),
        // Matchers of REST stubs, in each place of a patch.
        Nonsense(
            #""configure":{"rest":{"x":{"match":{"headers":{"Cookie":"a"}}}}},"steps":[{"accounts":{},"expect":{"requests":0}}]"#,
            .headerName),
        Nonsense(#""steps":[{"configure":{"rest":{"x":{"match":{"path":{"$matches":"("}}}}}}]"#, .regularExpression),
        Nonsense(#""steps":[{"configure":{"rest":{"x":{"match":{"url":{"$all":[]}}}}}}]"#, .cannotFail),
        Nonsense(
            #""cases":{"a":{"configure":{"rest":{"x":{"match":{"path":{"$contains":""}}}}}}},"steps":[{"accounts":{}}]"#,
            .cannotFail),
        Nonsense(
            #""steps":[{"callApi":{"api":"tasks","token":"x","headers":{"authorization":"Bearer y"}}}]"#, .unfitModifier
        ),
        Nonsense(
            #""steps":[{"http":{"endpoint":"discovery","cookies":true,"headers":{"Cookie":"a=b"}}}]"#, .unfitModifier),
        Nonsense(
            #""steps":[{"callApi":{"api":"tasks","token":null,"headers":{"Authorization":"Basic eDp5"}}}]"#, nil),
        Nonsense(#""steps":[{"http":{"endpoint":"discovery","headers":{"Cookie":"a=b"}}}]"#, nil),
        Nonsense(
            #""steps":[{"callExtension":{"url":"https://e.test/","event":"passwordSubmit"}}]"#, .unfitModifier),
        Nonsense(
            #""steps":[{"callExtension":{"url":"https://e.test/","event":"passwordSubmit","key":"x"}}]"#,
            .unfitModifier),
        Nonsense(
            #""steps":[{"callExtension":{"url":"https://e.test/","event":"emailOtpSend","timeout":"PT3S"}}]"#,
            .unfitModifier),
        Nonsense(
            #""steps":[{"callExtension":{"url":"https://e.test/","event":"emailOtpSend","timeout":"PT2S"}}]"#, nil),
    ])
    func `a matcher says something wherever it stands`(row: Nonsense) {
        row.checkAsScript()
    }

    @Test(arguments: [
        // Steps that never run, and expectations that nothing is compared with.
        Nonsense(
            #""cases":{"a":{},"b":{"set":{"x":1}}},"steps":[{"accounts":{},"only":[]},{"accounts":{},"name":"{{case}}"}]"#,
            .neverRuns),
        Nonsense(
            #""cases":{"a":{},"b":{}},"steps":[{"only":["a"],"steps":[{"accounts":{},"only":["b"]}]}]"#, .neverRuns),
        Nonsense(
            #""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"only":["a"],"expectIn":{"b":{"requests":0}}}]"#,
            .neverRuns),
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"only":["a","b"]}]"#, .noEffect),
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"only":["a","a"]}]"#, .noEffect),
        Nonsense(
            #""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"expect":{"requests":0},"expectIn":{"a":{"requests":0}}}]"#,
            .noEffect),
        Nonsense(
            #""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"expect":{"requests":0},"expectIn":{"a":{"requests":1},"b":{"requests":2}}}]"#,
            .noEffect),
        // Cases and patches.
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{}}]"#, .equalCases),
        Nonsense(
            #""cases":{"a":{"set":{"x":"susi"}},"b":{"set":{"x":"susi"}}},"steps":[{"acquireToken":{"policy":"{{x}}"},"user":"ada"}]"#,
            .equalCases),
        Nonsense(
            #""cases":{"a":{"configure":{"users":{"ada":{"displayName":"Ada"}}}},"b":{}},"steps":[{"accounts":{}}]"#,
            .patchChangesNothing),
        Nonsense(
            #""configure":{"users":{"ada":{"displayName":"Ada"}}},"steps":[{"accounts":{}}]"#, .patchChangesNothing),
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"only":["a"]}]"#, nil),
        Nonsense(#""cases":{"a":{},"b":{}},"steps":[{"accounts":{},"name":"{{case}}"}]"#, nil),
        // Names that nothing uses.
        Nonsense(#""variables":{"x":1},"steps":[{"accounts":{}}]"#, .unusedName),
        Nonsense(#""cases":{"a":{"set":{"x":1}},"b":{"set":{"x":2}}},"steps":[{"accounts":{}}]"#, .unusedName),
        Nonsense(#""clients":{"second":{"device":"other"}},"steps":[{"accounts":{}}]"#, .unusedName),
        Nonsense(#""clients":{"second":{"device":"other"}},"steps":[{"client":"second","accounts":{}}]"#, nil),
        Nonsense(
            #""configure":{"apps":{"iso":{"client":{"kind":"msal-ios","policy":"susi"}}}},"steps":[{"accounts":{}}]"#,
            .unusedName),
        Nonsense(
            #""configure":{"apps":{"iso":{"client":{"kind":"msal-ios","policy":"susi"}}}},"steps":[{"client":"iso","accounts":{}}]"#,
            nil),
        // What has no effect.
        Nonsense(#""tags":["a","a"],"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""needs":["clock","clock"],"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""configure":{},"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""faults":[],"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""cases":{},"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""cases":{"a":{"set":{}},"b":{}},"steps":[{"accounts":{},"name":"{{case}}"}]"#, .noEffect),
        Nonsense(#""steps":[{"advanceClock":"PT0S"}]"#, .noEffect),
        Nonsense(#""steps":[{"configure":{}}]"#, .noEffect),
        Nonsense(#""steps":[{"inspect":"cache"}]"#, .noEffect),
        Nonsense(#""steps":[{"inspect":"cache","expect":{"result":{"accounts":[]}}}]"#, nil),
        Nonsense(#""steps":[{"parallel":[{"accounts":{}}]}]"#, .noEffect),
        Nonsense(#""steps":[{"parallel":[{"accounts":{},"copies":2}]}]"#, nil),
        Nonsense(#""steps":[{"acquireToken":{},"user":[]}]"#, .noEffect),
        Nonsense(#""steps":[{"acquireToken":{},"user":[{}]}]"#, .noEffect),
        Nonsense(#""steps":[{"acquireToken":{},"user":[{"wait":"PT0S"},"ada"]}]"#, .noEffect),
        Nonsense(#""steps":[{"acquireToken":{},"user":"ada","faults":[]}]"#, .noEffect),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada","faults":[{"match":{"endpoint":"token"},"delay":"PT0S"}]}]"#,
            .noEffect),
        Nonsense(#""skip":"later","expectedFailure":{"reason":"known"},"steps":[{"accounts":{}}]"#, .noEffect),
        Nonsense(#""expectedFailure":{"reason":"known","targets":[]},"steps":[{"accounts":{}}]"#, .noEffect),
        // Values of cases that do not fit where they are used.
        Nonsense(
            #""cases":{"a":{"set":{"p":"sussi"}}},"steps":[{"acquireToken":{"policy":"{{p}}"},"user":"ada"}]"#,
            .unknownName),
    ])
    func `what a script says has an effect`(row: Nonsense) {
        row.checkAsScript()
    }

    /// A value is checked where it is used, in each case, by the rules of that place.
    @Test(arguments: [
        (#""cases":{"a":{"set":{"d":"soon"}}},"steps":[{"advanceClock":"{{d}}"}]"#, "B2C-SCN-008"),
        (
            #""cases":{"a":{"set":{"n":"two"}}},"steps":[{"accounts":{},"expect":{"requests":{"token":"{{n}}"}}}]"#,
            "B2C-SCN-001"
        ),
        (#""cases":{"a":{"set":{"n":0}}},"steps":[{"accounts":{},"repeat":"{{n}}"}]"#, "B2C-SCN-009"),
        (
            #""variables":{"s":700},"steps":[{"acquireToken":{},"user":"ada","faults":[{"respond":{"status":"{{s}}"}}]}]"#,
            "B2C-SCN-009"
        ),
        (#""cases":{"a":{"set":{"t":"tomorrow"}}},"clock":"{{t}}","steps":[{"accounts":{}}]"#, "B2C-SCN-008"),
    ])
    func `a value fits where it is used`(text: String, rule: String) {
        let found = Nonsense.rules(#"{"name":"n","tenant":"tenants/contoso.json","app":"ios",\#(text)}"#)
        #expect(found.contains(rule), "found \(found)")
    }
}
