import Determinism
import Diagnostics
import Exchanges
import JSON
import Reports
import ScenarioRunner
import TestSupport
import Testing
import Validation

struct FormatTests {
    private let redacted = Redaction(
        known: [KnownSecret(Sample.given, label: "secret API_KEY", everywhere: true)],
        byFile: ["scenarios/sign-in/wrong.json": [KnownSecret(Sample.password, label: "password of ada")]]
    )
    .redacted(Sample.whole)

    @Test func `the console report names step, difference, exchange and the command that repeats it`() throws {
        let report = ConsoleReport(style: Style(usesColor: false))
        try matchGolden(report.text(redacted), "console.txt")
    }

    @Test func `each case that was tried is a test case of JUnit, with its finding or reason`() {
        var report = FindingsReport(
            ValidationResult(findings: []), sources: [], version: "1", command: .extensionTest)
        let finding = Diagnostic(rule: "B2C-EXT-105", "wrong-caller: accepted a \"token\"")
        report.cases = [
            .init("good-token", .passed), .init("wrong-caller", .failed(finding)),
            .init("nonce", .skipped(reason: "a < b")),
        ]
        let text = report.text(.junit)
        #expect(text.contains(#"tests="3" failures="1" errors="0" skipped="1""#))
        #expect(text.contains(#"name="good-token" time="0"/>"#))
        #expect(text.contains(#"<failure type="B2C-EXT-105" message="wrong-caller: accepted a &quot;token&quot;">"#))
        #expect(text.contains(#"<skipped message="a &lt; b"/>"#))
        #expect(report.summary == "3 cases: all good")
    }

    @Test func `a case whose name begins with a dash is repeated by a command that runs`() {
        var report = redacted
        for index in report.scenarios.indices where report.scenarios[index].caseName != nil {
            report.scenarios[index].caseName = "-25308 locked"
        }
        let text = ConsoleReport(style: Style(usesColor: false)).text(report)
        #expect(text.contains("--case='-25308 locked'"))
    }

    @Test func `the verbose console report also names steps and what was skipped`() throws {
        let report = ConsoleReport(style: Style(usesColor: false), isVerbose: true)
        try matchGolden(report.text(redacted), "console-verbose.txt")
    }

    /// A run with one step that failed because of two values that print alike.
    private func alike(_ wanted: String, _ found: String, at pointer: JSONPointer = "/result/name") -> RunReport {
        RunReport(
            seed: 42, target: "in-process",
            scenarios: [
                Sample.scenario(
                    "alike.json", "Alike", status: .failed,
                    steps: [
                        Sample.step(
                            "Sign in", line: 6, status: .failed,
                            mismatches: Matcher.mismatches(.string(found), expected: .string(wanted), at: pointer))
                    ])
            ])
    }

    @Test(arguments: [
        ("caf\u{E9}", "cafe\u{301}", "they differ only in Unicode normalization (U+00E9 and U+0301)"),
        ("a b", "a\u{A0}b", "character 2 differs: expected U+0020, actual U+00A0"),
        ("ab", "a\u{200B}b", "character 2 differs: expected U+0062, actual U+200B"),
        (
            String(repeating: "x", count: 700) + "\u{E9}", String(repeating: "x", count: 700) + "e\u{301}",
            "they differ only in Unicode normalization (U+00E9 and U+0301)"
        ),
    ])
    func `every report says why two values that print alike differ`(wanted: String, found: String, note: String) {
        let report = Redaction().redacted(alike(wanted, found))
        let texts = [
            ConsoleReport(style: Style(usesColor: false)).text(report), JUnitReport.text(report),
            JSONReport.text(report), HTMLReport.text(report, version: "1"),
        ]
        for text in texts { #expect(text.contains(note), "\(text)") }
        let message = JUnitReport.text(report).split(separator: "\n").first { $0.contains("<failure") }
        #expect(message?.contains(note) == true)
    }

    @Test func `of values that are masked a report says only that they look alike`() {
        let report = Redaction().redacted(
            alike("p\u{E9}-secret-1843", "pe\u{301}-secret-1843", at: "/pages/0/fields/password/value"))
        let text = ConsoleReport(style: Style(usesColor: false)).text(report)
        #expect(text.contains("they look alike"))
        #expect(!text.contains("U+00E9"))
    }

    @Test func `colours change nothing but colours`() {
        let plain = ConsoleReport(style: Style(usesColor: false), isVerbose: true).text(redacted)
        let colored = ConsoleReport(style: Style(usesColor: true), isVerbose: true).text(redacted)
        #expect(colored != plain)
        #expect(withoutColors(colored) == plain)
    }

    private func withoutColors(_ text: String) -> String {
        var result = ""
        var isEscape = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1b}" {
                isEscape = true
            } else if isEscape {
                isEscape = scalar != "m"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @Test func `the JUnit report has a suite a file and a case a test case`() throws {
        try matchGolden(JUnitReport.text(redacted), "junit.xml")
    }

    @Test func `the JSON report holds everything in a fixed order`() throws {
        try matchGolden(JSONReport.text(redacted), "report.json")
        try matchGolden(JSONReport.text(redacted, outcomes: .all), "trace.json")
    }

    @Test func `the JSON report says which version it has and counts every status`() throws {
        let json = try JSONParser.parse(JSONReport.text(redacted))
        #expect(json["version"] == 1)
        #expect(json["result"] == "failed")
        let counts = try #require(json["counts"]?.objectValue)
        #expect(counts.members.dropFirst().reduce(0) { $0 + ($1.value.intValue ?? 0) } == counts["total"]?.intValue)
    }

    @Test func `the HTML report holds the requests and the failure of what failed, and nothing more of what passed`()
        throws
    {
        let data = HTMLReport.json(redacted, version: "1.2.3")
        let details = try #require(data["details"]?.arrayValue)
        #expect(details.count == redacted.scenarios.count && data["version"] == "1.2.3")
        for (scenario, detail) in zip(redacted.scenarios, details) {
            let isBad = !scenario.status.isGood && scenario.status != .notRun
            #expect((detail != .null) == isBad, "\(scenario.title)")
            if isBad { #expect(detail["failure"]?.stringValue?.contains("b2c run") == true) }
        }
        let page = HTMLReport.text(redacted, version: "1.2.3")
        for secret in Sample.secrets { #expect(!page.contains(secret)) }
    }

    @Test func `with everything, the HTML report has the requests and outcomes of what passed too`() throws {
        var report = redacted
        let passed = try #require(report.scenarios.firstIndex { $0.status == .passed && !$0.steps.isEmpty })
        report.scenarios[passed].log = [["number": "1", "method": "GET", "url": "https://x.test/"]]
        report.scenarios[passed].steps[0].outcome = [
            "requests": [["number": "1", "url": "https://x.test/"]], "pages": [],
        ]
        func detail(_ data: JSONValue) -> JSONValue? { data["details"]?.arrayValue?[passed] }
        func outcome(_ data: JSONValue) -> JSONValue? {
            data["report", "scenarios"]?.arrayValue?[passed]["steps"]?.arrayValue?[0]["outcome"]
        }
        let compact = HTMLReport.json(report, version: "1")
        #expect(detail(compact) == .null && outcome(compact) == nil)
        let all = HTMLReport.json(report, version: "1", details: .all)
        #expect(detail(all)?["log"]?.arrayValue?.count == 1)
        // A request is in the data once.
        #expect(outcome(all)?["requests"] == ["1"])
    }

    @Test func `the HTML report has wall time in one member alone`() {
        let times = RunTimes(
            redacted.scenarios.map { ($0, TimeSpan(milliseconds: 7)) }, total: TimeSpan(milliseconds: 90))
        let data = HTMLReport.json(redacted, version: "1", times: times)
        #expect(data["wall", "total"] == 90)
        #expect(data["wall", "scenarios"]?.arrayValue?.contains(7) == true)
        var without = data.objectValue ?? JSONObject()
        without["wall"] = nil
        #expect(JSONValue.object(without) == HTMLReport.json(redacted, version: "1"))
    }

    @Test func `the HTML report has the origin of a run in CI in one member alone`() {
        let variables = ["GITHUB_REPOSITORY": "contoso/app", "GITHUB_REF_NAME": "main", "GITHUB_RUN_ID": "7"]
        let data = HTMLReport.json(redacted, version: "1", origin: RunOrigin { variables[$0] })
        #expect(data["origin", "address"] == "https://github.com/contoso/app/actions/runs/7")
        #expect(data["origin", "project"] == "contoso/app" && data["origin", "commit"] == nil)
        #expect(RunOrigin({ _ in nil }) == nil)
        var without = data.objectValue ?? JSONObject()
        without["origin"] = nil
        #expect(JSONValue.object(without) == HTMLReport.json(redacted, version: "1"))
    }

    @Test func `a text in the HTML report cannot end its script`() {
        let scenario = Sample.scenario("a.json", "</script><script>alert(1)\u{2028}", status: .passed)
        let page = HTMLReport.text(RunReport(seed: 1, target: "in-process", scenarios: [scenario]), version: "1")
        #expect(!page.contains("<script>alert") && !page.contains("\u{2028}"))
    }

    @Test func `a text that could break XML or a terminal does neither`() {
        let scenario = Sample.scenario(
            "a/b.json", "a\u{1b}[31m<]]>&\"'\u{0}\u{202e}", status: .skipped, reason: "line\nfeed\u{7}")
        let report = RunReport(seed: 1, target: "in-process", scenarios: [scenario])
        let xml = JUnitReport.text(report)
        #expect(!xml.contains("\u{1b}") && !xml.contains("\u{0}") && !xml.contains("<]]"))
        #expect(xml.contains("&lt;]]&gt;&amp;&quot;"))
        let line = ConsoleReport(style: Style(usesColor: false)).line(scenario)
        #expect(line == "skip a/b.json: a\\u{1b}[31m<]]>&\"'\\u{0}\\u{202e} (line\\nfeed\\u{7})")
    }

    @Test func `a trace reads as steps with their reasons and what they did to the claims`() throws {
        let trace: [JSONValue] = [
            [
                "step": 1, "profile": "login-NonInteractive", "handler": "OpenIdConnect", "validation": true,
                "in": ["signInName": "ada@example.test"], "out": ["objectId": "0b5c"],
            ],
            [
                "journey": "SignUpOrSignIn", "step": 1, "stepType": "CombinedSignInAndSignUp", "ran": true,
                "claims": ["signInName": "ada@example.test", "objectId": "0b5c"],
            ],
            [
                "journey": "SignUpOrSignIn", "step": 2, "stepType": "ClaimsExchange", "ran": false,
                "because": "ClaimsExist objectId", "claims": ["signInName": "ada@example.test", "objectId": "0b5c"],
            ],
            [
                "profile": "AAD-UserRead", "transformation": "Lower", "method": "ChangeCase", "in": ["a": "X"],
                "out": ["a": "x"],
            ],
            [
                "step": 3, "profile": "AAD-UserRead", "handler": "AzureActiveDirectory", "validation": false,
                "in": JSONValue.object([:]), "out": JSONValue.object([:]), "error": "no such user",
            ],
        ]
        let pages: JSONValue = [
            [
                "name": "signIn", "contentDefinition": "api.signuporsignin", "technicalProfile": "SignIn", "step": 1,
                "fields": ["signInName": [:], "password": [:]],
            ],
            ["name": "phone", "contentDefinition": "api.phone", "technicalProfile": "Phone", "step": 3],
        ]
        let model = TraceModel(outcome: ["trace": .array(trace), "pages": pages])
        try matchGolden(TraceText(style: Style(usesColor: false)).text(model), "trace.txt")
    }
}
