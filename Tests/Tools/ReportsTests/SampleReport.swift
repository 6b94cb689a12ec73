import Determinism
import Diagnostics
import Exchanges
import JSON

@testable import ScenarioRunner

/// Reports made by hand, with secrets in all the places where a run leaves them.
enum Sample {
    static let idToken =
        "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg"
    static let refreshToken = "eyJraWQiOiJjcGltY29yZSJ9.aXYtaXYtaXY.Y2lwaGVydGV4dC1vZi1yZWZyZXNo.dGFn.bGFzdA"
    static let grant = "eyJraWQiOiJjcGltY29yZSJ9.aXYtaXYtaXY.Y2lwaGVydGV4dC1vZi1jb2Rl.dGFn.bGFzdA"
    static let password = "Analytical-1843"
    static let wrongPassword = "red"
    static let oneTimeCode = "739104"
    static let cookie = "m1.jvqB2ahlS5uBbMEL"
    static let csrf = "Q0lBQ0tUT0tFTg=="
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let clientSecret = "p&ss <w\"rd>/é="
    static let given = "k3y-of-the-api"

    /// Everything that must not be in any report.
    static let secrets = [
        idToken, refreshToken, grant, password, oneTimeCode, cookie, csrf, verifier, clientSecret, given,
    ]

    static let start = Timestamp(seconds: 1_768_478_400)

    static func step(
        _ title: String, id: String? = nil, verb: String = "acquireToken", line: Int, status: RunStatus,
        mismatches: [Mismatch] = [], problems: [String] = [], outcome: JSONValue? = nil, exchanges: [JSONValue] = [],
        steps: [StepReport] = [], elapsed: TimeSpan = .zero
    ) -> StepReport {
        StepReport(
            id: id, title: title, verb: verb,
            location: SourceLocation(
                file: "scenarios/sign-in/wrong.json", line: line, column: 5, pointer: "/steps/\(line - 5)"),
            client: "ios", status: status, mismatches: mismatches, problems: problems, at: start, elapsed: elapsed,
            outcome: outcome, tellingExchanges: exchanges, steps: steps)
    }

    static func scenario(
        _ file: String, _ name: String, caseName: String? = nil, tags: [String] = [], status: RunStatus,
        reason: String? = nil, steps: [StepReport] = [], elapsed: TimeSpan = .zero
    ) -> ScenarioReport {
        ScenarioReport(
            file: file, name: name, caseName: caseName, tags: tags, status: status, reason: reason, steps: steps,
            started: start, elapsed: elapsed, exchanges: steps.isEmpty ? 0 : 9)
    }

    /// The page's post of a sign-in.
    static let post: JSONValue = [
        "number": "4", "at": "2026-01-15T12:00:00Z", "from": "browser", "client": "ios", "endpoint": "page",
        "policy": "susi", "method": "POST",
        "url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/SelfAsserted?p=B2C_1_susi",
        "query": ["p": "B2C_1_susi"],
        "headers": ["cookie": .string("x-ms-cpim-sso=\(cookie); x-ms-cpim-csrf=1"), "x-csrf-token": .string(csrf)],
        "form": ["request_type": "RESPONSE", "signInName": "ada@example.test", "password": .string(wrongPassword)],
        "body": "request_type=RESPONSE&signInName=ada%40example.test&password=red",
        "frame": false, "altered": false,
        "response": [
            "status": 200, "headers": ["set-cookie": .array([.string("x-ms-cpim-csrf=\(csrf); path=/; secure")])],
            "json": ["status": "400", "message": "wrong"], "body": "{\"status\":\"400\",\"message\":\"wrong\"}",
        ],
    ]

    /// The token request, refused.
    static let redemption: JSONValue = [
        "number": "7", "from": "client", "client": "ios", "endpoint": "token", "method": "POST",
        "url": "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/token",
        "headers": ["authorization": "Basic YXBwOnBhc3M="],
        "form": [
            "grant_type": "authorization_code", "code": .string(grant), "code_verifier": .string(verifier),
            "client_secret": .string(clientSecret), "redirect_uri": "msauth.com.contoso.app://auth",
        ],
        "response": [
            "status": 400, "headers": ["content-type": "application/json"],
            "json": [
                "error": "invalid_grant",
                "error_description": .string("AADB2C90088: The grant \(grant) was issued for another policy."),
            ],
        ],
        "refusal": "the code belongs to policy B2C_1_reset",
    ]

    static let outcome: JSONValue = [
        "error": [
            "kind": "server", "code": -50000, "internalCode": -42004, "oauthError": "invalid_grant",
            "b2cCode": "AADB2C90088",
        ],
        "callback": [
            "url": .string("msauth.com.contoso.app://auth?state=abc&code=\(grant)"),
            "query": ["state": "abc", "code": .string(grant)],
        ],
        "requests": [post, redemption],
        "pages": [["name": "signIn", "fields": ["password": ["label": "Password", "value": .string(wrongPassword)]]]],
        "messages": [
            [
                "to": "ada@example.test", "kind": "email", "text": .string("Your code is \(oneTimeCode)."),
                "code": .string(oneTimeCode),
            ]
        ],
        "trace": [
            [
                "profile": "login-NonInteractive", "in": ["password": .string(password)],
                "out": ["id_token": .string(idToken)],
            ]
        ],
    ]

    static let failed = scenario(
        "scenarios/sign-in/wrong.json", "Ada <signs> in & out", caseName: "by mail", tags: ["sign-in", "mail"],
        status: .failed,
        steps: [
            step(
                "first", id: "first", line: 6, status: .failed,
                mismatches: [
                    Mismatch(
                        pointer: "/error/b2cCode", wanted: "AADB2C90118", found: "AADB2C90088",
                        text: "expected \"AADB2C90118\", actual \"AADB2C90088\""),
                    Mismatch(
                        pointer: "/pages/0/fields/password/value", wanted: .string(password),
                        found: .string(wrongPassword),
                        text: "expected \"\(password)\", actual \"\(wrongPassword)\""),
                    Mismatch(
                        pointer: "/result", wanted: ["idToken": ["raw": .string(idToken)]], found: nil,
                        text:
                            "expected {\"idToken\":{\"raw\":\"\(idToken.prefix(60))..., but the step ended in the error kind server"
                    ),
                ],
                problems: ["the mail to ada held \(oneTimeCode) and the key \(given)"], outcome: outcome,
                exchanges: [redemption, post]),
            step("The token comes from the cache", verb: "acquireTokenSilent", line: 12, status: .notRun),
        ], elapsed: .minutes(61))

    static let whole = RunReport(
        seed: 42, target: "in-process",
        scenarios: [
            scenario(
                "scenarios/sign-in/happy.json", "Ada signs in", status: .passed,
                steps: [
                    step(
                        "signIn", id: "signIn", line: 6, status: .passed,
                        outcome: ["result": ["accessToken": ["raw": .string(idToken)]]]),
                    step(
                        "both", verb: "parallel", line: 9, status: .passed,
                        steps: [step("left", line: 10, status: .passed), step("right", line: 11, status: .passed)],
                        elapsed: .seconds(1.5)),
                ]),
            failed,
            scenario("scenarios/sign-in/wrong.json", "Ada <signs> in & out", caseName: "by name", status: .passed),
            scenario("scenarios/spa.json", "A tab", status: .skipped, reason: "needs clock, which live has not"),
            scenario("scenarios/known.json", "Known", status: .expectedFailure, reason: "issue 7"),
            scenario("scenarios/fixed.json", "Fixed", status: .unexpectedPass, reason: "issue 8"),
            scenario("scenarios/rest.json", "Rest", status: .notRun, reason: "stopped after the first failure"),
        ])
}
