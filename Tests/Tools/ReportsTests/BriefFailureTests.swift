import Determinism
import Exchanges
import JSON
import Reports
import ScenarioRunner
import Testing

/// A failure on one screen of a terminal.
struct BriefFailureTests {
    private static let rows = 15
    private static let columns = 80

    /// Rows that a text takes on a terminal.
    private func rows(_ text: String) -> Int {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .reduce(0) { $0 + max(1, ($1.unicodeScalars.count + Self.columns - 1) / Self.columns) }
    }

    private func text(_ scenarios: [ScenarioReport], isVerbose: Bool = false) -> String {
        ConsoleReport(style: Style(usesColor: false), isVerbose: isVerbose, isQuiet: true).text(
            RunReport(seed: 42, target: "in-process", scenarios: scenarios))
    }

    private func text(of step: StepReport, file: String = "scenarios/a.json", name: String = "A") -> String {
        text([Sample.scenario(file, name, status: .failed, steps: [step])])
    }

    /// Failures of every size: few and many differences, problems and requests, short and long.
    @Test(arguments: 0..<200) func `a failure fits a screen`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed), stream: "failures")
        func number(_ most: Int) -> Int { Int(random.next() % UInt64(most + 1)) }
        let characters = Array("abcdefg \"é-/0123")
        func words(_ most: Int) -> String {
            String((0..<number(most)).map { _ in characters[number(characters.count - 1)] })
        }
        func exchange(_ index: Int) -> JSONValue {
            var form = JSONObject()
            for field in 0..<number(12) { form["field\(field)"] = .string(words(300)) }
            return [
                "number": .string("\(index)"), "method": "POST",
                "url": .string("https://contoso.b2clogin.com/\(words(200))"), "form": .object(form),
                "response": [
                    "status": 400, "json": ["error": "invalid_grant", "error_description": .string(words(900))],
                ],
                "refusal": .string("the form has field1 " + words(400)),
            ]
        }
        let step = Sample.step(
            "step " + words(60), verb: "acquireToken", line: 6, status: .failed,
            mismatches: (0..<number(25)).map { index in
                Mismatch(
                    pointer: JSONPointer(tokens: ["result", words(90), "\(index)"]), wanted: .string(words(700)),
                    found: .string(words(700)), text: "expected " + words(300))
            }, problems: (0..<number(4)).map { _ in "problem " + words(500) }, exchanges: (0..<number(3)).map(exchange))
        let shown = text(of: step, file: "scenarios/\(words(30)).json", name: "Name " + words(80))
        #expect(rows(shown.trimmed) <= Self.rows, "\(rows(shown.trimmed)) rows\n\(shown)")
        #expect(shown.contains("  repeat  b2c run "))
    }

    @Test func `the difference, the reason and the parameters that it names are shown`() {
        let step = Sample.step(
            "redeem", line: 6, status: .failed,
            mismatches: [Mismatch(pointer: "/error", wanted: .null, found: "x", text: "expected null, actual \"x\"")],
            exchanges: [
                [
                    "number": "7", "method": "POST", "url": "https://contoso.b2clogin.com/contoso/oauth2/v2.0/token",
                    "form": [
                        "grant_type": "authorization_code", "code": "abc", "code_verifier": "def",
                        "redirect_uri": "app://a",
                    ],
                    "response": ["status": 400, "json": ["error": "invalid_grant"]],
                    "refusal": "the redirect_uri is not that of the authorize request",
                ]
            ])
        let shown = text(of: step)
        for line in [
            "      expected null", "      actual   \"x\"",
            "    exchange 7: POST contoso.b2clogin.com/contoso/oauth2/v2.0/token -> 400",
            "      why the redirect_uri is not that of the authorize request", "      sent redirect_uri app://a",
        ] {
            #expect(shown.contains(line + "\n"), "\(line) is not in\n\(shown)")
        }
        #expect(!shown.contains("grant_type") && !shown.contains("code_verifier"), "\(shown)")
        let whole = text([Sample.scenario("a.json", "A", status: .failed, steps: [step])], isVerbose: true)
        #expect(whole.contains("grant_type"), "verbose shows the whole request")
    }

    @Test func `long values are cut around the first character that differs`() {
        let same = String(repeating: "x", count: 400)
        let step = Sample.step(
            "long", line: 6, status: .failed,
            mismatches: Matcher.mismatches(
                .string(same + "after"), expected: .string(same + "before"), at: "/result/name"))
        let shown = text(of: step)
        #expect(shown.contains("xbefore\"\n") && shown.contains("xafter\"\n"), "\(shown)")
        #expect(shown.contains("      expected ...x"))
    }

    @Test func `what is omitted is counted`() {
        let step = Sample.step(
            "many", line: 6, status: .failed,
            mismatches: (1...20).map {
                Mismatch(
                    pointer: JSONPointer(tokens: ["result", "\($0)"]), wanted: 1, found: 2, text: "expected 1, actual 2"
                )
            })
        let shown = text(of: step)
        let kept = shown.components(separatedBy: "expected 1").count - 1
        #expect(kept > 1 && shown.contains("  more    -v shows \(20 - kept) more differences\n"), "\(shown)")
    }

    @Test func `failures with one cause are shown once`() {
        func failed(_ index: Int, _ actual: JSONValue) -> ScenarioReport {
            Sample.scenario(
                "s\(index).json", "S\(index)", status: .failed,
                steps: [
                    Sample.step(
                        "sign in", line: 6, status: .failed,
                        mismatches: [
                            Mismatch(
                                pointer: "/result", wanted: 1, found: actual,
                                text: "expected 1, actual \(JSONWriter.compact(actual))")
                        ])
                ])
        }
        let shown = text((1...20).map { failed($0, 2) } + [failed(21, 3)])
        #expect(shown.components(separatedBy: "FAIL ").count == 3, "\(shown)")
        #expect(shown.contains("  the same in 19 more scenarios:\n    s2.json: S2\n"), "\(shown)")
        #expect(shown.contains("    and 14 more; -v shows all"), "\(shown)")
        #expect(text((1...2).map { failed($0, 2) }).components(separatedBy: "FAIL ").count == 3)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self
        while text.last == "\n" { text.removeLast() }
        return text
    }
}
