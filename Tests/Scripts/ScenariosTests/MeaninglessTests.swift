import Scenarios
import Testing

/// Pieces of scripts that are valid and mean nothing, each beside similar ones that mean something.
@Suite struct MeaninglessTests {
    private static func name(_ matcher: String) -> String {
        #"{"result":{"idToken":{"claims":{"name":\#(matcher)}}}}"#
    }

    private static func kind(_ matcher: String) -> String { #"{"error":{"kind":\#(matcher)}}"# }

    private static func authority(_ matcher: String) -> String { #"{"result":{"authority":\#(matcher)}}"# }

    private static func status(_ matcher: String) -> String {
        #"{"requests":[{"endpoint":"token","response":{"status":\#(matcher)}}]}"#
    }

    private static let kinds = ScenarioWords.errorKinds.map { "\"\($0.value)\"" }.joined(separator: ",")

    @Test(
        arguments: [
            #"{"$any":["Ada",{"$not":"Ada"}]}"#,
            #"{"$any":[{"$not":"Ada"},{"$equals":"Ada"}]}"#,
            #"{"$any":["Ada","Bob",{"$not":{"$any":["Bob","Ada"]}}]}"#,
            #"{"$not":{"$all":["Ada",{"$not":"Ada"}]}}"#,
            #"{"$not":{"$all":["Ada","Bob"]}}"#,
            #"{"$any":[{"$not":"Ada"},{"$not":"Bob"}]}"#,
            #"{"$any":[{"$startsWith":"A"},{"$not":{"$startsWith":"A"}}]}"#,
            #"{"$any":[{"$startsWith":"A"},{"$not":{"$startsWith":"Ad"}}]}"#,
            #"{"$any":[{"$not":{"$startsWith":"A"}},{"$not":{"$startsWith":"B"}}]}"#,
            #"{"$any":[{"$matches":"^A"},{"$not":{"$matches":"^A"}}]}"#,
            #"{"$any":[{"$length":{"$lt":3}},{"$length":{"$gte":3}}]}"#,
            #"{"$any":[{"$length":3},{"$not":{"$length":3}}]}"#,
            #"{"$any":["Ada",{"$exists":true}]}"#,
            #"{"$any":[{"$type":"string"},{"$not":{"$type":"string"}}]}"#,
            #"{"$any":[null,{"$not":null}]}"#,
            #"{"$any":["{{users/ada/displayName}}",{"$not":"{{users/ada/displayName}}"}]}"#,
            #"{"$all":[{"$any":["Ada",{"$not":"Ada"}]},{"$exists":true}]}"#,
            #"{"$any":[true,false,{"$not":{"$type":"boolean"}}]}"#,
        ].map { Nonsense(name($0), .cannotFail) } + [
            Nonsense(authority(#"{"$any":[{"$not":{"$contains":"da"}},{"$contains":"d"}]}"#), .cannotFail),
            Nonsense(kind(#"{"$any":[\#(kinds)]}"#), .cannotFail),
            Nonsense(kind(#"{"$any":[{"$not":"network"},"network"]}"#), .cannotFail),
            Nonsense(kind(#"{"$matches":"^[a-zA-Z]+$"}"#), .cannotFail),
            Nonsense(#"{"result":{"fromCache":{"$any":[true,false]}}}"#, .cannotFail),
            Nonsense(#"{"result":{"fromCache":{"$any":[true,{"$not":true}]}}}"#, .cannotFail),
            Nonsense(
                #"{"result":{"account":{"policy":{"$any":["susi","edit","reset",{"$not":"susi"}]}}}}"#, .cannotFail),
            Nonsense(#"{"result":{"scopes":{"$any":[{"$contains":"a"},{"$not":{"$contains":"a"}}]}}}"#, .cannotFail),
            Nonsense(status(#"{"$gte":100,"$lt":600}"#), .cannotFail),
            Nonsense(status(#"{"$gt":0}"#), .cannotFail),
            Nonsense(status(#"{"$lte":599}"#), .cannotFail),
            Nonsense(status(#"{"$any":[{"$lt":400},{"$gte":400}]}"#), .cannotFail),
            Nonsense(status(#"{"$not":999}"#), .cannotFail),
            Nonsense(status(#"{"$not":{"$gte":600}}"#), .cannotFail),
            Nonsense(#"{"error":{"httpStatus":{"$gte":100}}}"#, .cannotFail),
            Nonsense(#"{"elapsed":{"$any":[0,{"$gt":0}]}}"#, .cannotFail),
            Nonsense(#"{"$any":[{"result":{}},{"error":{}},{"pending":{}}]}"#, .cannotFail),
            Nonsense(#"{"$any":[{"result":{}},{"result":{"$exists":false}}]}"#, .cannotFail),
            Nonsense(#"{"$not":{"$all":[{"result":{}},{"error":{}}]}}"#, .cannotFail),
        ])
    func `an expectation that every outcome meets is refused`(row: Nonsense) { row.checkAsExpectation() }

    @Test(
        arguments: [
            #"{"$all":["Ada",{"$not":"Ada"}]}"#,
            #"{"$all":["Ada","Bob"]}"#,
            #"{"$not":{"$any":["Ada",{"$not":"Ada"}]}}"#,
            #"{"$startsWith":"A","$not":{"$startsWith":"A"}}"#,
            #"{"$startsWith":"Ad","$not":{"$contains":"A"}}"#,
            #"{"$all":[{"$startsWith":"A"},{"$startsWith":"B"}]}"#,
            #"{"$all":[{"$length":2},{"$length":{"$gt":2}}]}"#,
            #"{"$all":["{{users/ada/displayName}}",{"$not":"{{users/ada/displayName}}"}]}"#,
        ].map { Nonsense(name($0), .cannotHold) } + [
            Nonsense(authority(#"{"$all":[{"$contains":"ada"},{"$not":{"$contains":"d"}}]}"#), .cannotHold),
            Nonsense(kind(#"{"$startsWith":"x"}"#), .cannotHold),
            Nonsense(kind(#"{"$not":{"$any":[\#(kinds)]}}"#), .cannotHold),
            Nonsense(kind(#"{"$all":["network","server"]}"#), .cannotHold),
            Nonsense(#"{"result":{"fromCache":{"$all":[true,false]}}}"#, .cannotHold),
            Nonsense(status("2000"), .cannotHold),
            Nonsense(status(#"{"$equals":20}"#), .cannotHold),
            Nonsense(status(#"{"$gt":599}"#), .cannotHold),
            Nonsense(#"{"$all":[{"result":{}},{"error":{"kind":"network"}}]}"#, .cannotHold),
        ])
    func `an expectation that no outcome meets is refused`(row: Nonsense) { row.checkAsExpectation() }

    @Test(
        arguments: [
            #"{"$any":["Ada","Ada"]}"#,
            #"{"$any":["Ada",{"$startsWith":"A"}]}"#,
            #"{"$all":[{"$startsWith":"Ada"},{"$startsWith":"A"}]}"#,
            #"{"$all":[{"$not":"Ada"},{"$not":{"$startsWith":"A"}}]}"#,
            #"{"$not":{"$any":["Ada","Bob","Ada"]}}"#,
        ].map { Nonsense(name($0), .noEffect) } + [
            Nonsense(authority(#"{"$any":[{"$contains":"a"},{"$contains":"da"}]}"#), .noEffect)
        ])
    func `a part of a matcher that decides nothing is reported`(row: Nonsense) { row.checkAsExpectation() }

    @Test(
        arguments: [
            #"{"$any":["Ada","Bob"]}"#,
            #"{"$any":["Ada",{"$exists":false}]}"#,
            #"{"$any":[{"$exists":false},{"$not":"Ada"}]}"#,
            #"{"$not":{"$any":["Ada","Bob"]}}"#,
            #"{"$all":[{"$not":"Ada"},{"$not":"Bob"}]}"#,
            #"{"$all":[{"$startsWith":"A"},{"$endsWith":"a"},{"$contains":"d"}]}"#,
            #"{"$all":[{"$startsWith":"A"},{"$not":{"$startsWith":"Ad"}}]}"#,
            #"{"$any":[{"$startsWith":"A"},{"$startsWith":"B"}]}"#,
            #"{"$startsWith":"A","$not":"Ada"}"#,
            #"{"$not":{"$exists":false}}"#,
            #"{"$not":null}"#,
            #"{"$type":"string"}"#,
            #"{"$not":{"$type":"null"}}"#,
            #"{"$exists":true,"$not":"Ada"}"#,
            #"{"$length":{"$gte":1}}"#,
            #"{"$any":[{"$length":3},{"$length":{"$gt":5}}]}"#,
            #"{"$any":["{{users/ada/displayName}}",{"$not":"{{users/ada/email}}"}]}"#,
            #"{"$any":["Ada",{"$type":"number"}]}"#,
        ].map { Nonsense(name($0), nil) } + [
            // What follows for texts does not follow for the elements of an array.
            Nonsense(name(#"{"$any":[{"$contains":"a"},{"$contains":"da"}]}"#), nil),
            Nonsense(name(#"{"$all":[{"$contains":"ada"},{"$not":{"$contains":"d"}}]}"#), nil),
            Nonsense(kind(#"{"$any":["network","server"]}"#), nil),
            Nonsense(kind(#"{"$not":"server"}"#), nil),
            Nonsense(kind(#"{"$matches":"^net"}"#), nil),
            Nonsense(#"{"result":{"account":{"policy":{"$any":["susi","edit"]}}}}"#, nil),
            Nonsense(status(#"{"$gte":200,"$lt":300}"#), nil),
            Nonsense(status(#"{"$not":200}"#), nil),
            Nonsense(status(#"{"$any":[400,401]}"#), nil),
            Nonsense(#"{"events":[{"type":"keychainError","status":{"$lt":0}}]}"#, nil),
            Nonsense(#"{"events":[{"type":"keychainError","status":-25300}]}"#, nil),
            Nonsense(#"{"$any":[{"result":{}},{"error":{"kind":"network"}}]}"#, nil),
            Nonsense(#"{"$not":{"error":{"kind":"network"}}}"#, nil),
            Nonsense(#"{"error":{"$exists":false}}"#, nil),
            Nonsense(#"{"result":{"scopes":{"$unordered":["a","b"]}}}"#, nil),
            Nonsense(
                #"{"result":{"idToken":{"raw":{"$any":[{"$jwt":{"claims":{"name":"Ada"}}},{"$exists":false}]}}}}"#, nil),
        ])
    func `an expectation that can hold and fail is accepted`(row: Nonsense) { row.checkAsExpectation() }

    /// The endings that a step can have depend on its verb.
    @Test(arguments: [
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada"},{"acquireTokenSilent":{},"expect":{"$any":[{"result":{}},{"error":{}}]}}]"#,
            .cannotFail),
        Nonsense(
            #""steps":[{"acquireTokenSilent":{},"expect":{"pending":{"$exists":false}}}]"#, .cannotFail),
        Nonsense(
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"$any":[{"result":{}},{"error":{}}]}}]"#, nil),
    ])
    func `alternatives of endings are compared with the endings of the verb`(row: Nonsense) { row.checkAsScript() }

    @Test(arguments: [
        // Names of parameters.
        Nonsense(call(#""extraQueryParameters":{"domian_hint":"facebook.com"}"#), .nearParameter),
        Nonsense(call(#""extraQueryParameters":{"ui_locale":"de"}"#), .nearParameter),
        Nonsense(call(#""extraQueryParameters":{"Login_Hint":"x"}"#), .nearParameter),
        Nonsense(call(#""extraQueryParameters":{"promt":"login"}"#), .nearParameter),
        Nonsense(call(#""extraQueryParameters":{"campaignId":"summer"}"#), nil),
        Nonsense(call(#""extraQueryParameters":{"ui_locales":"de","q":"1"}"#), nil),
        Nonsense(
            call(#""extraQueryParameters":{"promt":"login"}"#, expect: #"{"requests":[{"query":{"promt":"login"}}]}"#),
            nil),
        Nonsense(#""steps":[{"open":{"endpoint":"authorize","query":{"respons_type":"code"}}}]"#, .nearParameter),
        Nonsense(#""steps":[{"open":{"endpoint":"authorize","query":{"response_type":"code"}}}]"#, nil),
        Nonsense(#""steps":[{"open":{"endpoint":"logout","query":{"post_logout_redirct_uri":"x"}}}]"#, .nearParameter),
        Nonsense(
            #""steps":[{"http":{"url":"https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token","form":{"grant_typ":"x"}}}]"#,
            .nearParameter),
        Nonsense(
            #""steps":[{"http":{"endpoint":"token","form":{"grant_type":"x","refresh_tokn":"y"}}}]"#, .nearParameter),
        Nonsense(#""steps":[{"http":{"url":"https://api.test/","form":{"grant_typ":"x"}}}]"#, nil),
        Nonsense(#""steps":[{"createClient":{"extraQueryParameters":{"domain_hnt":"facebook.com"}}}]"#, .nearParameter),
        Nonsense(
            #""configure":{"apps":{"ios":{"client":{"extraQueryParameters":{"login_hnt":"x"}}}}},"steps":[{"acquireToken":{},"user":"ada"}]"#,
            .nearParameter),
        Nonsense(
            call("", expect: #"{"requests":[{"endpoint":"authorize","query":{"promt":{"$exists":false}}}]}"#),
            .nearParameter),
        Nonsense(
            call("", expect: #"{"requests":[{"endpoint":"authorize","query":{"prompt":{"$exists":false}}}]}"#), nil),
        Nonsense(call("", expect: #"{"error":{"oauthError":{"$not":"invalid_grand"}}}"#), .unknownCode),
        Nonsense(call("", expect: #"{"error":{"oauthError":{"$not":"invalid_grant"}}}"#), nil),
        // Claims requests.
        Nonsense(call(#""claimsRequest":{"id_tokn":{"email":null}}"#), .nearParameter),
        Nonsense(call(#""claimsRequest":{"idToken":{"email":null}}"#), .nearParameter),
        Nonsense(call(#""claimsRequest":{"id_token":{"emial":null}}"#), .nearClaim),
        Nonsense(call(#""claimsRequest":{"id_token":{"email":{"essentail":true}}}"#), .nearParameter),
        Nonsense(call(#""claimsRequest":"{\"acess_token\":{}}""#), .nearParameter),
        Nonsense(
            call(
                #""claimsRequest":{"access_token":{"acrs":{"essential":true,"value":"c1"}},"userinfo":{"email":null}}"#),
            nil),
        Nonsense(call(#""claimsRequest":"not JSON""#), nil),
        // Domains.
        Nonsense(call(#""domainHint":"facebok.com""#), .unknownDomain),
        Nonsense(call(#""domainHint":"facebook""#), .unknownDomain),
        Nonsense(call(#""extraQueryParameters":{"domain_hint":"nowhere.example"}"#), .unknownDomain),
        Nonsense(
            #""steps":[{"open":{"endpoint":"authorize","query":{"domain_hint":"nowhere.example"}}}]"#, .unknownDomain),
        Nonsense(call(#""domainHint":"facebook.com""#), nil),
        Nonsense(call(#""domainHint":"Facebook.com""#), nil),
        Nonsense(
            call(
                #""domainHint":"nowhere.example""#,
                expect: #"{"requests":[{"query":{"domain_hint":"nowhere.example"}}],"pages":{"signIn":1}}"#), nil),
        // People.
        Nonsense(#""steps":[{"acquireToken":{},"user":"ada"},{"signOut":{},"user":"ada"}]"#, .noPage),
        Nonsense(#""steps":[{"acquireToken":{},"user":"ada"},{"signOut":{"fromBrowser":true},"user":"ada"}]"#, nil),
        Nonsense(#""steps":[{"open":{"endpoint":"keys"},"user":"ada"}]"#, .noPage),
        // An app may show a page in a frame.
        Nonsense(#""steps":[{"open":{"endpoint":"authorize","frame":true},"user":"ada"}]"#, nil),
        Nonsense(#""steps":[{"open":{"endpoint":"authorize","query":{"prompt":"none"}},"user":"ada"}]"#, .noPage),
        Nonsense(#""steps":[{"open":{"endpoint":"authorize","query":{"prompt":"login"}},"user":"ada"}]"#, nil),
        Nonsense(call(#""extraQueryParameters":{"prompt":"none"}"#), .noPage),
        Nonsense(#""steps":[{"acquireTokenSilent":{},"user":"ada"}]"#, .unfitModifier),
        Nonsense(
            #""steps":[{"http":{"endpoint":"token","form":{"grant_type":"client_credentials"}},"user":"ada"}]"#,
            .unfitModifier),
        // Barriers.
        Nonsense(parallel(#"{"barrier":"b"}"#, #"{"accounts":{}}"#), .barrierAlone),
        Nonsense(parallel(#"{"barrier":"b","only":["x"]}"#, #"{"barrier":"b","only":["y"]}"#), .barrierAlone),
        Nonsense(parallel(#"{"barrier":"b"}"#, #"{"barrier":"b","only":["y"]}"#), nil),
    ])
    func `what has no effect on the wire or at a page is reported`(row: Nonsense) { row.checkAsScript() }

    private static func call(_ parameters: String, expect: String? = nil) -> String {
        let expect = expect.map { #","expect":\#($0)"# } ?? ""
        return #""steps":[{"acquireToken":{\#(parameters)},"user":"ada"\#(expect)}]"#
    }

    private static func parallel(_ one: String, _ other: String) -> String {
        #""cases":{"x":{},"y":{}},"steps":[{"parallel":[{"steps":[\#(one),{"accounts":{}}]},{"steps":[\#(other),{"accounts":{}}]}]},"#
            + #"{"accounts":{},"only":["x"]}]"#
    }

    /// An id or address in the place of a name gets the name.
    @Test(arguments: [
        (#""steps":[{"acquireToken":{"policy":"B2C_1_susi"},"user":"ada"}]"#, "the id of `susi`"),
        (#""steps":[{"acquireToken":{"policy":"b2c_1_susi"},"user":"ada"}]"#, "the id of `susi`"),
        (#""steps":[{"open":{"endpoint":"authorize","policy":"B2C_1_susi"}}]"#, "the id of `susi`"),
        (#""steps":[{"signOut":{"policy":"B2C_1_susi"}}]"#, "the id of `susi`"),
        (#""steps":[{"configure":{"policies":{"B2C_1_susi":{"mfa":{"when":"always"}}}}}]"#, "the id of `susi`"),
        (#""steps":[{"configure":{"apps":{"ios":{"client":{"policy":"B2C_1_susi"}}}}}]"#, "the id of `susi`"),
        (
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"account":{"policy":"B2C_1_susi"}}}}]"#,
            "the id of `susi`"
        ),
        (
            #""steps":[{"acquireToken":{},"user":"ada","expect":{"result":{"account":{"policy":{"$not":"B2C_1_susi"}}}}}]"#,
            "the id of `susi`"
        ),
        (
            #""cases":{"a":{"set":{"p":"B2C_1_susi"}}},"steps":[{"acquireToken":{"policy":"{{p}}"},"user":"ada"}]"#,
            "the id of `susi`"
        ),
        (#""steps":[{"acquireToken":{},"user":"ada@example.test"}]"#, "the e-mail address of `ada`"),
    ])
    func `an id in the place of a name says whose it is`(text: String, part: String) {
        let script = #"{"name":"n","tenant":"tenants/contoso.json","app":"ios",\#(text)}"#
        let findings = ScenarioFiles.findings("ids.json", Array(script.utf8))
        #expect(findings.contains(part), "\(findings)")
    }
}
