import Scenarios
import Testing

/// Expectations that name the value that they test.
@Suite struct SelfComparisonTests {
    private static let own = "{{me/result/idToken/claims/name}}"

    private static func name(_ matcher: String) -> String {
        #"{"result":{"idToken":{"claims":{"name":\#(matcher)}}}}"#
    }

    private static func step(_ expectation: String) -> String {
        #""steps":[{"id":"me","acquireToken":{},"user":"ada","expect":\#(expectation)}]"#
    }

    @Test(
        arguments: [
            name(#""\#(own)""#),
            name(#"{"$equals":"\#(own)"}"#),
            name(#"{"$not":"\#(own)"}"#),
            name(#"{"$all":["\#(own)",{"$startsWith":"A"}]}"#),
            name(#"{"$any":["Ada",{"$startsWith":"\#(own)"}]}"#),
            name(#"{"$endsWith":"\#(own)"}"#),
            name(#"{"$contains":"\#(own)"}"#),
            name(#"{"$matches":"^\#(own)$"}"#),
            name(#"{"$gte":"\#(own)"}"#),
            name(#""\#(own) Lovelace""#),
            #"{"$all":[\#(name("\"\(own)\""))]}"#,
            #"{"result":{"expiresOn":{"$time":"{{me/result/expiresOn}}"}}}"#,
            #"{"result":{"idToken":{"claims":{"$equals":{"name":"\#(own)"}}}}}"#,
            #"{"result":{"idToken":{"claims":"{{me/result/idToken/claims}}"}}}"#,
            #"{"result":{"scopes":["{{me/result/scopes/0}}"]}}"#,
            #"{"result":{"scopes":{"$contains":"{{me/result/scopes/0}}"}}}"#,
            #"{"result":{"scopes":{"$unordered":["{{me/result/scopes/0}}"]}}}"#,
            name(#"{"$any":[{"$not":"\#(own)"},"Ada"]}"#),
            name(#"{"$not":{"$all":[{"$gte":"\#(own)"}]}}"#),
            // The parts of a text that the outcome has beside it.
            #"{"result":{"idToken":{"raw":{"$jwt":{"claims":{"name":"\#(own)"}}}}}}"#,
            #"{"callback":{"url":{"$url":{"query":{"code":"{{me/callback/query/code}}"}}}}}"#,
            // Elements of an array and records of a log that are compared with themselves.
            #"{"requests":[{"url":"{{me/requests/0/url}}"}]}"#,
            #"{"requests":[{"url":"{{me/requests/0/url}}"},{"url":"{{me/requests/2/url}}"}]}"#,
            #"{"pages":[{"name":"{{me/pages/0/name}}","title":"{{me/pages/0/title}}"}]}"#,
            #"{"requests":["{{me/requests/1}}"]}"#,
            #"{"requests":"{{me/requests}}"}"#,
        ].map { Nonsense(step($0), .comparedWithItself) } + [
            // By a value of the case, by a variable, for one case.
            Nonsense(#""cases":{"a":{"set":{"who":"\#(own)"}}},"# + step(name(#""{{who}}""#)), .comparedWithItself),
            Nonsense(#""variables":{"who":"\#(own)"},"# + step(name(#""{{who}}""#)), .comparedWithItself),
            Nonsense(
                #""cases":{"a":{},"b":{"skip":"s"}},"steps":[{"id":"me","acquireToken":{},"user":"ada","#
                    + #""expectIn":{"a":\#(name("\"\(own)\""))}}]"#, .comparedWithItself),
            // What a group has of its steps.
            Nonsense(
                #""steps":[{"id":"all","steps":[{"id":"me","acquireToken":{},"user":"ada"}],"#
                    + #""expect":{"steps":[\#(name("\"\(own)\""))]}}]"#, .comparedWithItself),
            Nonsense(
                #""steps":[{"id":"all","steps":[{"acquireToken":{},"user":"ada"}],"expect":{"steps":["#
                    + name(#""{{all/steps/0/result/idToken/claims/name}}""#) + "]}}]", .comparedWithItself),
        ])
    func `a value is not compared with itself`(row: Nonsense) { row.checkAsScript() }

    @Test(
        arguments: [
            step(name(#""{{me/result/account/name}}""#)),
            step(name(#"{"$not":"{{me/result/idToken/claims/sub}}"}"#)),
            step(#"{"result":{"idToken":{"claims":{"exp":{"$gt":"{{me/result/idToken/claims/iat}}"}}}}}"#),
            step(#"{"requests":[{"endpoint":"authorize"},{"endpoint":"token","url":"{{me/requests/0/url}}"}]}"#),
            step(#"{"result":{"scopes":{"$contains":"{{users/ada/displayName}}"}}}"#),
            step(#"{"requests":[{"endpoint":"token","url":"{{me/requests/0/url}}"}]}"#),
            step(#"{"requests":[{"url":"{{me/requests/2/url}}"},{"url":"{{me/requests/0/url}}"}]}"#),
            step(#"{"result":{"idToken":{"raw":{"$jwt":{"claims":{"name":"{{me/result/account/username}}"}}}}}}"#),
            #""steps":[{"id":"me","acquireToken":{},"user":"ada"},{"acquireToken":{},"user":"ada","expect":"#
                + name(#""\#(own)""#) + "}]",
            #""steps":[{"id":"all","steps":[{"id":"me","acquireToken":{},"user":"ada"},"#
                + #"{"acquireToken":{},"user":"ada"}],"expect":{"steps":[{"result":{}},\#(name("\"\(own)\""))]}}]"#,
        ].map { Nonsense($0, nil) })
    func `a value is compared with another one`(row: Nonsense) { row.checkAsScript() }
}
