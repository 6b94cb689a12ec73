import Diagnostics
import Testing

@Suite struct DiagnosticRendererTests {
    private func render(_ text: String, _ diagnostic: Diagnostic, color: Bool = false) -> String {
        DiagnosticRenderer(color: color, sources: [SourceText(file: "s.json", bytes: Array(text.utf8))])
            .render(diagnostic)
    }

    @Test func `a finding shows its line, a caret and the remedy`() {
        let finding = Diagnostic(
            rule: "B2C-SCN-002", "`opne` is not a key of a step", remedy: "Did you mean `open`?",
            at: SourceLocation(file: "s.json", line: 2, column: 3, length: 6))
        #expect(
            render("{\n  \"opne\": {}\n}", finding) == """
                s.json:2:3: error: `opne` is not a key of a step [B2C-SCN-002]
                  2 |   "opne": {}
                    |   ^^^^^^
                  help: Did you mean `open`?
                """)
    }

    @Test func `a tab before the place stays a tab below`() {
        let finding = Diagnostic(.warning, rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 2))
        #expect(render("\tx", finding) == "s.json:1:2: warning: m [R]\n  1 | \tx\n    | \t^")
    }

    @Test func `a place past the end of the line still has its caret`() {
        let finding = Diagnostic(rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 3, length: 9))
        #expect(render("ab", finding) == "s.json:1:3: error: m [R]\n  1 | ab\n    |   ^")
        let empty = Diagnostic(rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 1))
        #expect(render("", empty) == "s.json:1:1: error: m [R]\n  1 | \n    | ^")
    }

    /// Wherever in a long line of characters of several bytes each, the caret is under its character.
    @Test(arguments: [1, 2, 60, 61, 62, 200, 201, 512, 1023, 1024, 5000, 9_998, 9_999, 10_000])
    func `a window of a long line is the right one`(_ column: Int) throws {
        var characters = Array(repeating: "\u{e4}", count: 10_000)
        characters[column - 1] = "X"
        let text = "first\n" + characters.joined() + "\nlast"
        let renderer = DiagnosticRenderer(color: false, sources: [SourceText(file: "f", bytes: Array(text.utf8))])
        let location = SourceLocation(file: "f", line: 2, column: column)
        let lines = renderer.render(Diagnostic(rule: "R", "m", at: location)).split(separator: "\n").map(Array.init)
        let caret = try #require(lines[2].firstIndex(of: "^"))
        #expect(lines[1][caret] == "X")
        #expect(lines[1].count < 200)
        #expect((lines[1].last == "\u{2026}") == (column < 9_900))
    }

    @Test func `of a very long line a window is shown`() {
        let finding = Diagnostic(rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 50_000, length: 3))
        let lines = render(String(repeating: "x", count: 100_000), finding).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.count < 200 })
        #expect(lines[1].hasPrefix("  1 | …x") && lines[1].hasSuffix("x…"))
        #expect(lines[2].filter { $0 == "^" }.count == 3)
    }

    @Test func `control characters of the input do not reach the terminal`() {
        let finding = Diagnostic(
            rule: "R", "key \u{1b}[2J", at: SourceLocation(file: "s.json", line: 1, column: 3, length: 1))
        let text = render("\u{1b}[2J\u{202E}x", finding)
        #expect(!text.unicodeScalars.contains("\u{1b}") && !text.unicodeScalars.contains("\u{202E}"))
        #expect(text.contains(#"key \u{1b}[2J"#))
    }

    @Test func `without line, file or text only what is known is printed`() {
        #expect(render("", Diagnostic(rule: "R", "m")) == "error: m [R]")
        #expect(render("", Diagnostic(rule: "R", "m", at: SourceLocation(file: "t"))) == "t: error: m [R]")
        let elsewhere = Diagnostic(.advice, rule: "R", "m", at: SourceLocation(file: "t", line: 4, column: 2))
        #expect(render("", elsewhere) == "t:4:2: advice: m [R]")
    }

    @Test func `words of a concealed file are not shown, and the reason is`() {
        let source = SourceText(file: "s.json", concealedBecause: "s.json is a link to /etc/passwd")
        let place = SourceLocation(file: "s.json", line: 1, column: 1)
        #expect(
            DiagnosticRenderer(color: false, sources: [source]).render(
                Diagnostic(rule: "R", "`root` is not \"x\" and not `y", remedy: "Write \"root\".", at: place))
                    == """
                    s.json:1:1: error: `\u{2026}` is not "\u{2026}" and not `\u{2026}` [R]
                      note: s.json is a link to /etc/passwd
                      help: Write "\u{2026}".
                    """)
    }

    @Test func `colours wrap severity, place and caret`() {
        let finding = Diagnostic(rule: "R", "m", at: SourceLocation(file: "s.json", line: 1, column: 1))
        #expect(
            render("x", finding, color: true)
                == "\u{1b}[1ms.json:1:1:\u{1b}[0m \u{1b}[1;31merror:\u{1b}[0m m [R]\n  1 | x\n    | \u{1b}[1;31m^\u{1b}[0m"
        )
    }

    @Test func `several findings are parted by a blank line and can be put in order`() {
        let a = Diagnostic(rule: "A", "a", at: SourceLocation(file: "f", line: 2, column: 1))
        let b = Diagnostic(rule: "B", "b", at: SourceLocation(file: "f", line: 1, column: 9))
        let c = Diagnostic(.advice, rule: "C", "c")
        #expect([a, b, c].inSourceOrder == [c, b, a])
        #expect([c].hasErrors == false && [c, a].hasErrors)
        #expect(
            DiagnosticRenderer(color: false, sources: []).render([a, c])
                == "f:2:1: error: a [A]\n\nadvice: c [C]")
        #expect(InvalidInput(diagnostics: [a, b]).description == "f:2:1: error: a [A]\nf:1:9: error: b [B]")
        #expect(Severity.advice < .warning && Severity.warning < .error)
    }
}
