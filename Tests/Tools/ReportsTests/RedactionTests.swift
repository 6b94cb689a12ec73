import Determinism
import Diagnostics
import Exchanges
import JSON
import Reports
import ScenarioRunner
import Testing

struct RedactionTests {
    private let redaction = Redaction(
        known: [KnownSecret(Sample.given, label: "secret API_KEY", everywhere: true)],
        byFile: ["scenarios/sign-in/wrong.json": [KnownSecret(Sample.password, label: "password of ada")]])

    private func formats(_ report: RunReport) -> [(name: String, text: String)] {
        let style = Style(usesColor: false)
        return [
            ("console", ConsoleReport(style: style, isVerbose: true).text(report)), ("junit", JUnitReport.text(report)),
            ("json", JSONReport.text(report, outcomes: .all)),
            (
                "trace",
                report.scenarios.flatMap(\.steps)
                    .map { TraceText(style: style).text(TraceModel(outcome: $0.outcome ?? [:])) }.joined()
            ),
        ]
    }

    @Test(arguments: Sample.secrets) func `no secret survives in any format`(_ secret: String) {
        let report = redaction.redacted(Sample.whole)
        for format in formats(report) {
            for spelling in spellings(secret) {
                #expect(!format.text.contains(spelling), "\(format.name) holds \(spelling)")
            }
        }
    }

    private func spellings(_ secret: String) -> [String] {
        let json = String(JSONWriter.compact(.string(secret)).dropFirst().dropLast())
        // A quoted text inside a JSON string is escaped twice.
        return [secret, json, String(JSONWriter.compact(.string(json)).dropFirst().dropLast())]
    }

    @Test func `everything shows when secrets are asked for`() {
        let report = Redaction(showsSecrets: true).redacted(Sample.whole)
        let text = JSONReport.text(report, outcomes: .all)
        for secret in [Sample.idToken, Sample.grant, Sample.password, Sample.oneTimeCode] {
            #expect(text.contains(secret))
        }
    }

    /// Nobody can send a label, so a stub to paste must not ask for one.
    @Test func `a proposed stub matches without its secrets`() throws {
        let stub: JSONValue = [
            "login": [
                "match": [
                    "method": "POST", "url": .string("https://shop.example/login?code=\(Sample.grant)"),
                    "json": ["name": "ada", "password": .string(Sample.password), "tags": ["a"]],
                ], "reply": ["status": 200],
            ]
        ]
        let text =
            "no REST stub answers POST https://shop.example/login of technical profile Login; add to the tenant file, or to "
            + "`configure` of the script: \"rest\": " + JSONWriter.compact(stub)
        var report = Sample.whole
        report.scenarios[0].steps[0].problems = [text]
        let shown = try #require(redaction.redacted(report).scenarios[0].steps[0].problems.first)
        let place = try #require(shown.firstRange(of: "\"rest\": "))
        let match = try JSONParser.parse(String(shown[place.upperBound...]))["login", "match"]
        #expect(match?["url"] == ["$startsWith": "https://shop.example/login?code="])
        #expect(match?["json"] == ["name": "ada", "password": ["$exists": true], "tags": ["a"]])
        #expect(match?["method"] == "POST")
    }

    /// A refusal in a query quotes an address with a code: the words after it are not part of a secret.
    @Test func `what follows a quoted address stays`() {
        let quoted = "error_description=no+stub+answers+https://a.test/x?code=abcdef+of+technical+profile+Plan"
        let outcome: JSONValue = [
            "url": .string("https://app.test/?\(quoted)"),
            "text": "no stub answers https://a.test/x?code=abcdef of technical profile Plan",
        ]
        #expect(redacted(outcome)["text"]?.stringValue?.hasSuffix(" of technical profile Plan") == true)
        #expect(redacted(outcome)["text"]?.stringValue?.contains("abcdef") == false)
    }

    @Test func `the lines of a script have labels, and the caret stays at its value`() throws {
        var step = Sample.step("a", line: 6, status: .failed, problems: ["x"])
        let line = "{ \"fill\": { \"x\": \"\(Sample.password)\" }, \"name\": \"Bob\" }"
        let column =
            line.distance(from: line.startIndex, to: try #require(line.firstRange(of: "\"Bob\"")?.lowerBound)) + 1
        step.source = SourceExcerpt(first: 5, lines: ["[", line], line: 6, column: column, length: 5)
        let report = redaction.redacted(
            Sample.scenario("scenarios/sign-in/wrong.json", "a", status: .failed, steps: [step]))
        let source = try #require(report.steps.first?.source)
        #expect(source.lines[1].contains("<password of ada>") && !source.lines[1].contains(Sample.password))
        #expect(source.lines[1].dropFirst(source.column - 1).prefix(source.length) == "\"Bob\"")
    }

    @Test func `equal secrets have equal labels, different ones different`() throws {
        let outcome: JSONValue = [
            "requests": [
                ["form": ["refresh_token": .string(Sample.refreshToken)]],
                ["form": ["refresh_token": .string(Sample.grant)]],
                ["form": ["refresh_token": .string(Sample.refreshToken)]],
            ]
        ]
        let shown = try #require(redacted(outcome)["requests"]?.arrayValue).map { $0["form", "refresh_token"] }
        #expect(shown == ["<token 1>", "<token 2>", "<token 1>"])
    }

    /// A value at a place, and what is shown of it.
    @Test(
        arguments: [
            (["query": ["code": "abc", "state": "abcdef"]], ["query": ["code": "<code 1>", "state": "abcdef"]]),
            (["error": ["code": "interaction_required"]], ["error": ["code": "interaction_required"]]),
            (["requests": 1, "token": 2], ["requests": 1, "token": 2]),
            (["headers": ["cookie": "a=1; b=2"]], ["headers": ["cookie": "a=<cookie 1>; b=<cookie 2>"]]),
            (
                ["headers": ["set-cookie": "a=1; path=/; secure"]],
                ["headers": ["set-cookie": "a=<cookie 1>; path=/; secure"]]
            ),
            (["headers": ["authorization": "Bearer abc"]], ["headers": ["authorization": "Bearer <token 1>"]]),
            (["headers": ["authorization": "Basic YTpi"]], ["headers": ["authorization": "Basic <secret 1>"]]),
            (
                ["headers": ["X-Api-Key": "a", "Ocp-Apim-Subscription-Key": "b", "x-functions-key": "c"]],
                [
                    "headers": [
                        "X-Api-Key": "<secret 1>", "Ocp-Apim-Subscription-Key": "<secret 2>",
                        "x-functions-key": "<secret 3>",
                    ]
                ]
            ),
            (
                ["headers": ["X-Gateway-Token": "a", "idempotency-key": "b"]],
                ["headers": ["X-Gateway-Token": "<token 1>", "idempotency-key": "b"]]
            ),
            (
                ["query": ["sig": "a", "api_key": "b", "apikey": "c", "newPassword": "d", "oldPassword": "e"]],
                [
                    "query": [
                        "sig": "<secret 1>", "api_key": "<secret 2>", "apikey": "<secret 3>",
                        "newPassword": "<password 1>", "oldPassword": "<password 2>",
                    ]
                ]
            ),
            (
                ["body": "{\"api_key\":\"a1\",\"reenterPassword\":\"b1\"}", "url": "https://a.test/?sv=1&sig=c1%3D"],
                [
                    "body": "{\"api_key\":\"<secret 1>\",\"reenterPassword\":\"<password 1>\"}",
                    "url": "https://a.test/?sv=1&sig=<secret 2>",
                ]
            ),
            (
                ["message": ["code": "1234", "text": "is 1234"]],
                ["message": ["code": "<code 1>", "text": "is <code 1>"]]
            ),
            (["json": ["otp": 123456]], ["json": ["otp": "<code 1>"]]),
            (
                ["token": "PT1H", "policyKey": ["secret": "B2C_1A_Key"]],
                ["token": "PT1H", "policyKey": ["secret": "B2C_1A_Key"]]
            ),
            (["cookies": [["name": "n", "value": "v"]]], ["cookies": [["name": "n", "value": "<cookie 1>"]]]),
            (["secrets": ["a", "b"]], ["secrets": ["<secret 1>", "<secret 2>"]]),
            (["clientSecret": "s"], ["clientSecret": "<secret 1>"]),
            (["newPassword": "x1"], ["newPassword": "<password 1>"]),
            (["forgotPassword": "redirect"], ["forgotPassword": "redirect"]),
            (
                ["url": "https://a.test/?x=1&code=q&y=2#id_token=z"],
                ["url": "https://a.test/?x=1&code=<code 1>&y=2#id_token=<token 1>"]
            ),
            (
                ["body": "{\"password\":\"no\",\"name\":\"no\"}"],
                ["body": "{\"password\":\"<password 1>\",\"name\":\"no\"}"]
            ),
            (
                ["messages": [["code": "1234", "text": "1234, not 12345"]]],
                ["messages": [["code": "<code 1>", "text": "<code 1>, not 12345"]]]
            ),
            (["password": "", "x": ""], ["password": "", "x": ""]),
            // Settings and texts of pages are named after passwords and hold none.
            (
                [
                    "body":
                        "{\"forgotPasswordLinkLocation\":\"AfterInput\",\"includePasswordRequirements\":\"True\",\"requiredField_password\":\"Enter it.\",\"error_passwordEntryMismatch\":\"No match.\",\"forgotpassword_link\":\"Forgot?\"}"
                ],
                [
                    "body":
                        "{\"forgotPasswordLinkLocation\":\"AfterInput\",\"includePasswordRequirements\":\"True\",\"requiredField_password\":\"Enter it.\",\"error_passwordEntryMismatch\":\"No match.\",\"forgotpassword_link\":\"Forgot?\"}"
                ]
            ),
            (
                ["body": "showPassword=true&password=true", "text": "{\\\"passwordReset\\\":\\\"sspr-9\\\"}"],
                ["body": "showPassword=true&password=<password 1>", "text": "{\\\"passwordReset\\\":\\\"sspr-9\\\"}"]
            ),
            // Of any other name with the word the worst is believed, and of a setting whose value is a secret as well.
            (
                ["body": "{\"extension_passwordHint\":\"Gracie-7\",\"signInPassword2\":\"x\"}"],
                ["body": "{\"extension_passwordHint\":\"<password 1>\",\"signInPassword2\":\"<password 2>\"}"]
            ),
            (
                ["form": ["password": "Wrong-Horse7"], "body": "{\"forgotPasswordLinkOverride\":\"Wrong-Horse7\"}"],
                ["form": ["password": "<password 1>"], "body": "{\"forgotPasswordLinkOverride\":\"<password 1>\"}"]
            ),
            (
                ["response": ["json": ["error": ["code": "InvalidToken"]]]],
                ["response": ["json": ["error": ["code": "InvalidToken"]]]]
            ),
            (["error_uri": "https://a.test/error?code=65001"], ["error_uri": "https://a.test/error?code=65001"]),
            (["url": "https://a.test/error?code=AADB2C90118"], ["url": "https://a.test/error?code=AADB2C90118"]),
            (["query": ["code": "AADB2C90118"]], ["query": ["code": "AADB2C90118"]]),
            (
                ["text": "Error Domain=MSALErrorDomain Code=-50000 \"(null)\", code=ERR_NETWORK, code=invalid_grant"],
                ["text": "Error Domain=MSALErrorDomain Code=-50000 \"(null)\", code=ERR_NETWORK, code=invalid_grant"]
            ),
            (
                ["body": "{\"ResetPasswordPolicyId\":\"B2C_1_reset\"}", "url": "/?PasswordReset=B2C_1A_reset"],
                ["body": "{\"ResetPasswordPolicyId\":\"B2C_1_reset\"}", "url": "/?PasswordReset=B2C_1A_reset"]
            ),
            (
                ["client_info": "eyJ1aWQiOiJhYmMiLCJ1dGlkIjoiZGVmIn0"],
                ["client_info": "eyJ1aWQiOiJhYmMiLCJ1dGlkIjoiZGVmIn0"]
            ),
            (
                ["form": ["password": "redirect"], "forgotPassword": "redirect"],
                ["form": ["password": "<password 1>"], "forgotPassword": "redirect"]
            ),
            (
                ["form": ["password": "ada@example.test"], "username": "ada@example.test", "displayName": "x"],
                ["form": ["password": "<password 1>"], "username": "ada@example.test", "displayName": "x"]
            ),
            (
                ["body": "password=redirect&mode=redirect", "form": ["password": "redirect"]],
                ["body": "password=<password 1>&mode=redirect", "form": ["password": "<password 1>"]]
            ),
            (
                ["form": ["password": "Wrong-Horse7"], "text": "xWrong-Horse7y"],
                ["form": ["password": "<password 1>"], "text": "x<password 1>y"]
            ),
            (
                ["body": "<input value=\"m1.CPVLjXDaUiOHTFiXgv7u39.AAAAAA.0.hyeb6Ekl9IjR\">"],
                ["body": "<input value=\"<cookie 1>\">"]
            ),
            (
                ["body": "a m1.AAAAAB+/BCDEFGHI.CPVLjXDaUi/HTFiXgv7u3w==.0.hyeb6E+l9I/RhyebhyebhyQ=; b"],
                ["body": "a <cookie 1>; b"]
            ),
            (
                ["body": "x%3dm1.AAAAABBCDEFGHI.CPVLjXDaUi%2fHTFiXgv7u3w%3D%3D.0.hyeb6E%2bl9IQ%3d%26y"],
                ["body": "x%3d<cookie 1>%26y"]
            ),
            (
                [
                    "body":
                        "<a href=\"msal1%3a%2f%2fauth%3fcode%3deyJraWQiOiJjcGltY29yZV8wOTI1MjAxNSJ9.a.b.c.d%26state%3d1\">"
                ],
                ["body": "<a href=\"msal1%3a%2f%2fauth%3fcode%3d<token 1>%26state%3d1\">"]
            ),
            (["form": ["ctx": "m1.CPVLjXDaUiOHTFiXgv7u39.0.hyeb6Ekl9IjR"]], ["form": ["ctx": "<secret 1>"]]),
            (["text": "cut eyJhbGciOiJSUzI1NiIsImtpZCI6... here"], ["text": "cut <token 1>... here"]),
        ] as [(JSONValue, JSONValue)])
    func `a secret is recognized by its place`(_ value: JSONValue, _ shown: JSONValue) {
        #expect(redacted(value) == shown)
    }

    /// A word of the tenant file is masked as a whole word; inside other words it betrays nothing.
    @Test func `known words are masked as whole words`() {
        let step = Sample.step(
            "s", line: 6, status: .failed, outcome: ["text": "sunshine, sunshines, \"sunshine\"", "sunshine": 1])
        let redaction = Redaction(known: [KnownSecret("sunshine", label: "password of ada")])
        let shown = redaction.redacted(Sample.scenario("a.json", "a", status: .failed, steps: [step]))
        #expect(
            shown.steps.first?.outcome == [
                "text": "<password of ada>, sunshines, \"<password of ada>\"", "<password of ada>": 1,
            ])
    }

    private func redacted(_ outcome: JSONValue) -> JSONValue {
        let step = Sample.step("s", line: 6, status: .failed, outcome: outcome)
        let scenario = Sample.scenario("a.json", "a", status: .failed, steps: [step])
        return Redaction().redacted(scenario).steps.first?.outcome ?? .null
    }

    @Test(arguments: 0..<40) func `random secrets in random places do not survive`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("abcXYZ019-._~!$&'()*+,;=:@/?% \"<>\\#é\u{1F511}")
        func word(_ length: Int) -> String { String((0..<length).map { _ in alphabet[random.below(alphabet.count)] }) }
        let secret = word(8 + random.below(20))
        func noise(_ depth: Int) -> JSONValue {
            switch random.below(depth > 3 ? 2 : 4) {
            case 0: .string(word(random.below(6)) + secret + word(random.below(6)))
            case 1: .string(word(random.below(30)))
            case 2: .array((0..<random.below(4)).map { _ in noise(depth + 1) })
            default: .object(JSONObject((0..<random.below(4)).map { (word(4) + "\($0)", noise(depth + 1)) }))
            }
        }
        let outcome: JSONValue = [
            "form": ["password": .string(secret)], "rest": noise(0), "requests": [noise(1), noise(1)],
        ]
        let text = "expected \(JSONWriter.compact(.string(secret))), actual nothing"
        var step = Sample.step("s", line: 6, status: .failed, problems: ["x \(secret) y", text], outcome: outcome)
        step.tellingExchanges = [noise(0)]
        let report = RunReport(
            seed: 1, target: "t", scenarios: [Sample.scenario("a.json", secret, status: .failed, steps: [step])])
        let redacted = Redaction().redacted(report)
        for format in formats(redacted) {
            for spelling in spellings(secret) { #expect(!format.text.contains(spelling), "\(format.name)") }
        }
    }

    @Test func `a report without secrets stays as it is`() {
        let step = Sample.step(
            "s", line: 6, status: .failed, problems: ["nothing here"], outcome: ["result": ["a": [1, 2, "b"]]])
        let report = RunReport(
            seed: 1, target: "t", scenarios: [Sample.scenario("a.json", "a", status: .failed, steps: [step])])
        #expect(JSONReport.json(Redaction().redacted(report)) == JSONReport.json(report))
    }
}
