import Diagnostics
import JSON
import Testing

@testable import Validation

struct SuppressionTests {
    private let bad = ("app/one.json", "{ \"appId\": \"nobody\", \"web\": {} }")

    @Test func `an entry of the settings takes a finding out and keeps the reason`() {
        let settings = """
            { "suppress": [ { "rule": "b2c-reg-001", "file": "app/*.json", "reason": "a template" } ] }
            """
        let result = Validator.validate(project(bad, ("b2c-validate.json", settings)))
        #expect(result.findings.isEmpty)
        #expect(result.suppressed.map(\.reason) == ["a template"])
    }

    @Test(arguments: [
        ("{ \"suppress\": [ { \"rule\": \"B2C-REG-001\", \"file\": \"*\" } ] }", "B2C-VAL-002"),
        ("{ \"suppress\": [ { \"rule\": \"B2C-REG-001\", \"file\": \"*\", \"reason\": \"\" } ] }", "B2C-VAL-002"),
        ("{ \"supress\": [] }", "B2C-VAL-002"),
        ("{ \"suppress\": {} }", "B2C-VAL-002"),
        ("{ \"suppress\": [ { \"rule\": \"B2C-REG-009\", \"file\": \"*\", \"reason\": \"x\" } ] }", "B2C-VAL-004"),
        ("{ \"suppress\": ", "B2C-JSON-001"),
    ])
    func `a suppression that says no reason, is misspelt or meets nothing is itself a finding`(
        settings: String, rule: String
    ) {
        let result = Validator.validate(project(bad, ("b2c-validate.json", settings)))
        #expect(result.diagnostics.map(\.rule).sorted() == ["B2C-REG-001", rule].sorted())
    }

    @Test func `a comment means its line and the next`() {
        let comment = """
            // b2c-validate-ignore B2C-URI-004: wildcards are a test of ours
            let a = 1
            // b2c-validate-ignore B2C-URI-004
            """
        let file = ProjectFile(path: "A.swift", bytes: Array(comment.utf8))
        let suppressions = Suppressions(Project(files: [file], now: noon))
        #expect(suppressions.findings.map(\.diagnostic.location?.line) == [3])
        func finding(_ line: Int) -> Finding {
            Finding("B2C-URI-004", "x", at: SourceLocation(file: "A.swift", line: line, column: 1))
        }
        let split = suppressions.split([finding(1), finding(2), finding(3)])
        #expect(split.rest.map(\.diagnostic.location?.line) == [3])
        #expect(split.suppressed.count == 2 && split.unused.isEmpty)
    }

    @Test(arguments: [
        ("a/b.json", "*.json", true), ("a/b.json", "a/?.json", true), ("a/b.json", "b.json", false),
        ("a", "*", true), ("", "*", true), ("abc", "a*c*", true), ("abd", "a*c", false),
    ])
    func `wildcards match names`(text: String, pattern: String, matches: Bool) {
        #expect(Wildcard.matches(text, pattern) == matches)
    }
}

struct BaselineTests {
    private func findings(_ lines: [Int]) -> [Finding] {
        lines.map { Finding("B2C-URI-004", "x", at: SourceLocation(file: "a.json", line: $0, column: 1)) }
    }

    @Test func `lines added above do not bring old findings back`() throws {
        let old = SourceText(file: "a.json", bytes: Array("bad\nfine\nbad\n".utf8))
        let new = SourceText(file: "a.json", bytes: Array("new\n  bad\nfine\nbad\nworse\n".utf8))
        let text = JSONWriter.compactBytes(Baseline(findings([1, 3]), sources: [old]).json)
        let baseline = try Baseline(file: "baseline.json", bytes: text)
        let parts = baseline.subtract(from: findings([2, 4, 5]), sources: [new])
        #expect(parts.rest.map(\.diagnostic.location?.line) == [5])
        #expect(parts.known.count == 2 && parts.gone.isEmpty)
        #expect(baseline.subtract(from: findings([2]), sources: [new]).gone.count == 1)
    }

    @Test(arguments: ["", "{}", "{ \"version\": 2, \"findings\": [] }", "{ \"version\": 1, \"findings\": [ {} ] }"])
    func `another file is refused`(text: String) {
        #expect(throws: InvalidInput.self) { try Baseline(file: "b.json", bytes: Array(text.utf8)) }
    }
}

struct FixTests {
    private func fix(_ edits: [(Int, Int, String)]) -> Fix {
        Fix(
            file: "a", title: "t", edits: edits.map { Fix.Edit(offset: $0.0, length: $0.1, replacement: $0.2) },
            isSafe: true)
    }

    @Test func `fixes are applied together, and one that overlaps is left for the next run`() {
        let bytes = Array("one two three".utf8)
        let (result, applied) = Fix.apply(
            [fix([(0, 3, "1")]), fix([(8, 5, "3")]), fix([(6, 4, "x")]), fix([(4, 3, "2")]), fix([(12, 9, "y")])],
            to: bytes)
        #expect(String(decoding: result, as: UTF8.self) == "1 2 3")
        #expect(applied.count == 3)
    }

    @Test func `the diff shows what changes with its surroundings`() {
        let old = (1...9).map { "line \($0)\n" }.joined()
        let new = (1...9).map { $0 == 2 ? "line two\n" : $0 == 8 ? "" : "line \($0)\n" }.joined()
        let diff = UnifiedDiff.text(file: "a.txt", old: Array(old.utf8), new: Array(new.utf8), context: 1)
        #expect(
            diff == """
                --- a.txt
                +++ a.txt
                @@ -1,3 +1,3 @@
                 line 1
                -line 2
                +line two
                 line 3
                @@ -7,3 +7,2 @@
                 line 7
                -line 8
                 line 9

                """)
        #expect(UnifiedDiff.text(file: "a", old: [1], new: [1]).isEmpty)
    }
}
