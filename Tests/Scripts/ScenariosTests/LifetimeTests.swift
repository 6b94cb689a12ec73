import Diagnostics
import Scenarios
import TestSupport
import Testing

/// Lifetimes that patches set, in the tenant that they make.
@Suite struct LifetimeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Members of the user flow in the tenant file.
        var file = ""
        /// Members of the script, from line 2.
        var script: String
        /// `LINE:COLUMN` and the beginning of each warning.
        var found: [String]
    }

    private static func patch(_ tokens: String) -> String { #"{"policies":{"susi":{"tokens":{\#(tokens)}}}}"# }

    static let rows = [
        Row(
            testDescription: "several, of the script",
            script: #"""
                "configure": { "policies": { "susi": {
                  "tokens": { "refreshToken": "P200D", "accessToken": "P2D" },
                  "session": { "lifetime": "P30D" } } } },
                """#,
            found: ["3:55 `accessToken` is P2D", "3:31 `refreshToken` is P200D", "4:28 `lifetime` is P30D"]),
        Row(
            testDescription: "what B2C takes", script: #""configure": \#(patch(#""refreshToken":"P90D""#)),"#, found: []
        ),
        Row(
            testDescription: "two settings of a patch that do not fit",
            script: #""configure": \#(patch(#""refreshToken":"P30D","slidingWindow":"P7D""#)),"#,
            found: ["2:60 a refresh token lives for P30D"]),
        Row(
            testDescription: "a patch does not fit to the tenant file", file: #""tokens":{"slidingWindow":"P15D"}"#,
            script: "\"configure\":\n\(patch(#""refreshToken":"P30D""#)),",
            found: ["3:47 a refresh token lives for P30D"]),
        Row(
            testDescription: "the other one of the two", file: #""tokens":{"refreshToken":"P30D"}"#,
            script: "\"configure\":\n\(patch(#""slidingWindow":"P7D""#)),",
            found: ["3:48 a refresh token lives for P30D"]),
        Row(
            testDescription: "a patch takes one of the two away",
            file: #""tokens":{"refreshToken":"P1D","slidingWindow":"P7D"}"#,
            script: "\"configure\":\n\(patch(#""refreshToken":null"#)),", found: ["3:47 a refresh token lives for P14D"]
        ),
        Row(
            testDescription: "the patch of a case over the one of the script",
            script: "\"configure\": \(patch(#""slidingWindow":"P20D""#)),\n\"cases\": { \"a\": { \"configure\":\n"
                + "\(patch(#""refreshToken":"P30D""#)) }, \"b\": {} },",
            found: ["4:47 a refresh token lives for P30D"]),
        Row(
            testDescription: "a value of a case",
            script: #""cases": { "a": { "set": { "x": "P2D" } }, "b": { "set": { "x": "P1D" } } },"# + "\n"
                + #""configure": \#(patch(#""refreshToken":"P30D","accessToken":"{{x}}""#)),"#,
            found: ["3:81 `accessToken` is P2D, which B2C does not take (in the case `a`)"]),
        Row(
            testDescription: "a step",
            script: "\"finally\": [{ \"configure\":\n\(patch(#""idToken":"PT1M""#)) }],",
            found: ["3:42 `idToken` is PT1M"]),
        Row(
            testDescription: "a value under * meets one of a policy", file: #""tokens":{"refreshToken":"P30D"}"#,
            script: #""configure":"# + "\n" + #"{"policies":{"*":{"tokens":{"slidingWindow":"P7D"}}}},"#,
            found: ["3:45 a refresh token lives for P30D"]),
        Row(
            testDescription: "all policies of a tenant have a value under * of their own",
            file: #""tokens":{"idToken":"PT1H"}"#,
            script: #""configure": {"policies":{"*":{"tokens":{"idToken":"PT1M"}}}},"#, found: []),
        Row(
            testDescription: "a step in one case of two",
            script: #""cases": { "a": {}, "b": {} }, "finally": [{ "only": ["b"],"# + "\n\"configure\":\n"
                + "\(patch(#""idToken":"PT1M""#)) }],",
            found: ["4:42 `idToken` is PT1M, which B2C does not take (in the case `b`)"]),
        Row(
            testDescription: "what the tenant file says is not repeated", file: #""tokens":{"refreshToken":"P200D"}"#,
            script: #""configure": \#(patch(#""accessToken":"PT10M""#)),"#, found: []),
    ]

    @Test(arguments: rows) func `lifetimes of a patch are those that B2C takes`(_ row: Row) throws {
        let tenant = """
            { "name": "contoso", "policies": { "susi": { "type": "signUpOrSignIn"\(row.file.isEmpty ? "" : ", " + row.file) } },
              "apps": { "ios": { "client": { "kind": "msal-ios", "policy": "susi" } } },
              "users": { "ada": { "email": "ada@example.test", "password": "Analytical-1843" } } }
            """
        let script = """
            { "name": "n", "tenant": "t.json",
            \(row.script)
              "steps": [{ "acquireToken": {}, "user": "ada" }] }
            """
        let scenario = try ScenarioReader.read(file: "s.json", bytes: Array(script.utf8)) { path in
            path == "t.json" ? Array(tenant.utf8) : nil
        }
        let found = scenario.advice.filter { $0.rule == "B2C-CFG-011" }.map { finding in
            "\(finding.location?.line ?? 0):\(finding.location?.column ?? 0) \(finding.message)"
        }
        #expect(found.count == row.found.count, "\(found)")
        for (text, beginning) in zip(found, row.found) { #expect(text.hasPrefix(beginning)) }
    }
}
