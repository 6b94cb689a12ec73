import Diagnostics
import JSON
import TestSupport
import Testing

@Suite struct ShapeCheckerTests {
    @Test func `what fits has no findings`() throws {
        let text = """
            { "name": "n", "tenant": {"a": [1]}, "clock": "2026-02-28T12:00:00.5+01:00", "link": "msauth.x://auth",
              "weight": 1, "skew": null, "people": {"ada": "x"},
              "steps": [ { "id": "a_1", "acquireToken": { "policy": "susi", "scopes": ["r"], "prompt": "login" },
                           "repeat": 5.0, "user": ["ada", {"press": "ok", "wait": "-P1DT2H3.5S"}], "network": true,
                           "expect": {"a": null, "b": {"$exists": true, "c": {"d": 1}}, "e": "x"} },
                         { "steps": [ { "advanceClock": "P2W" } ], "user": "ada" } ] }
            """
        #expect(try ShapeFixture.findings(text).rendered == [])
    }

    @Test func `templates are allowed where the shape says so`() throws {
        let text = """
            { "name": "{{a}}", "tenant": "{{t}}", "clock": "{{now+PT5M}}", "link": "https://{{host}}/x",
              "weight": "{{w}}", "skew": "PT{{n}}M", "people": "{{p}}",
              "steps": [ "{{step}}", { "id": "s{{index}}", "acquireToken": "{{x}}", "repeat": "{{n}}", "network": "{{b}}" },
                         { "acquireToken": { "prompt": "{{p}}", "scopes": "{{list}}" } } ] }
            """
        #expect(try ShapeFixture.findings(text).rendered == [])
        #expect(try ShapeFixture.findings(text, templates: false).rendered.count == 11)
        let mixed = #"{ "name": "n", "tenant": "t", "weight": "1{{w}}", "people": "{{a}}{{b}}", "steps": [] }"#
        #expect(try ShapeFixture.findings(mixed).rendered.count == 2)
    }

    /// All words of the checker in one golden file.
    @Test func `everything that does not fit is said at once`() throws {
        let texts = [
            """
            { "nam": "n", "tenant": 5, "clock": "2026-02-30T00:00:00Z", "link": "contoso.com", "weight": "5",
              "skew": "P1M", "people": [1], "steps": {} }
            """,
            """
            { "name": "", "tenant": null, "clock": "noon", "link": "a b", "weight": true, "skew": 5, "zzz": 1,
              "people": {"ada": 1, "bob": false},
              "steps": [
                {}, 7, { "acquireTokn": {} }, { "acquireToken": {}, "advanceClock": "PT5M", "steps": [] },
                { "id": "a b", "acquireToken": { "scopes": "read", "prompt": "logn", "policy": ["x"] } },
                { "acquireToken": { "prompt": "create", "scopes": ["", 1] }, "repeat": 101 },
                { "mintToken": {}, "repeat": "3", "network": "true" },
                { "advanceClock": "5 minutes", "network": true, "respond": {} },
                { "advanceClock": "PT5M", "user": 5 },
                { "advanceClock": "PT5M", "user": ["ada", {"pres": "x"}, 5, {"wait": "x"}], "repeat": 1.5 },
                { "steps": [ { "steps": [ { "advanceClock": "P" } ] } ], "expect": { "a": [1], "b": {"$exists": 1, "$exist": true} } }
              ] }
            """, "[]", "\"{{all}}\"",
        ]
        var text = ""
        for (number, source) in texts.enumerated() {
            let document = try JSONDocument(file: "s.json", bytes: Array(source.utf8))
            let checker = ShapeChecker(
                document: document, named: ShapeFixture.named, allowTemplates: true, rulePrefix: "T")
            let findings = checker.check(document.root, at: .root, as: ShapeFixture.root)
            #expect(findings.allSatisfy { $0.location?.line != nil })
            text += "== \(number + 1)\n"
            text += DiagnosticRenderer(color: false, sources: [document.source]).render(findings) + "\n\n"
        }
        try matchGolden(text, "shape-findings.txt")
    }

    /// A name can be any number, also one that has no number behind it.
    @Test(arguments: ["0", "5", "9223372036854775806", "9223372036854775807", "9223372036854775808", "-1", "007"])
    func `a member whose name is a number is called by its name`(key: String) throws {
        let text =
            #"{ "name": "n", "tenant": "t", "people": {"\#(key)": 5}, "steps": [ {"expect": {"\#(key)": [1]}, "steps": [7]} ] }"#
        let found = try ShapeFixture.findings(text).rendered
        #expect(found.count == 3)
        #expect(found.filter { $0.contains("`\(key)` must be") }.count == 2, "\(found)")
        #expect(found.contains { $0.contains("element 1 of `steps` must be") }, "\(found)")
        // Of a check that begins further down only the text of the path is known.
        let document = try JSONDocument(file: "f", bytes: Array(#"{"\#(key)": 5}"#.utf8))
        let below = ShapeChecker(document: document, named: [:], allowTemplates: false, rulePrefix: "T")
            .check(5, at: JSONPointer(tokens: [key]), as: .string)
        #expect(below.count == 1)
    }

    private func accepts(_ shape: Shape, _ value: JSONValue, named: [String: Shape] = [:]) throws -> Bool {
        let document = try JSONDocument(file: "f", bytes: JSONWriter.compactBytes(value))
        return ShapeChecker(document: document, named: named, allowTemplates: false, rulePrefix: "T")
            .check(value, at: .root, as: shape).isEmpty
    }

    @Test(arguments: [
        "PT5M", "-P1D", "+PT1S", "P2W", "P1DT2H3.5S", "PT24H1M", "PT0S", "P1W2DT3H4M5,678S", "PT61M",
    ])
    func `durations of ISO 8601 are accepted`(text: String) throws {
        #expect(try accepts(.duration, .string(text)))
    }

    @Test(arguments: [
        "", "P", "PT", "P1", "5M", "PT5", "P1Y", "P1M", "P1DT", "PT5S3M", "PT1.5M", "PT1.2345S", "--P1D", " PT5M",
        "PT5M ",
        "pt5m", "PT5M\n", "PT9999999999S",
    ])
    func `what is not a duration`(text: String) throws {
        #expect(try !accepts(.duration, .string(text)))
    }

    @Test(arguments: [
        ("2026-01-15T12:00:00Z", true), ("2024-02-29T23:59:59.999-11:30", true), ("2026-12-31t00:00:00z", true),
        ("2023-02-29T00:00:00Z", false), ("2026-04-31T00:00:00Z", false), ("2026-13-01T00:00:00Z", false),
        ("2026-01-15T24:00:00Z", false), ("2026-01-15T12:00:00", false), ("2026-01-15", false), ("now", false),
    ])
    func `instants of RFC 3339 are accepted`(text: String, fits: Bool) throws {
        #expect(try accepts(.instant, .string(text)) == fits)
    }

    /// No blanks: ECMAScript's, since the schema has the same pattern.
    @Test(arguments: [
        ("https://a.example.test/x?y#z", true), ("urn:ietf:wg:oauth:2.0:oob", true),
        ("https://a.example.test/x y", false),
        ("https://a.example.test/x\u{3000}y", false), ("a.example.test", false), ("1a:b", false), ("a:", false),
    ])
    func `a URL has no blanks`(text: String, fits: Bool) throws {
        #expect(try accepts(.url, .string(text)) == fits)
    }

    // Patterns follow ECMAScript: the same text goes into the JSON Schema.
    @Test(
        arguments: [
            ("^[A-Za-z0-9_]+$", "abc_9", true), ("^[A-Za-z0-9_]+$", "a b", false), ("^[A-Za-z0-9_]+$", "", false),
            ("b+", "abbbc", true), ("^(ab|cd)*$", "abcdab", true), ("^(ab|cd)*$", "abc", false),
            ("^a{2,3}$", "aaaa", false),
            ("^a{2,}$", "aaaa", true), ("^a{2}$", "aa", true), ("^[^/]+$", "a/b", false),
            (#"^\w+\.\d+$"#, "v_1.25", true),
            ("^(?!x)[a-z]+$", "xy", false), ("^(?=a)..$", "ab", true), ("^.$", "😀", true), ("^.$", "\n", false),
            ("^(a+)+$", String(repeating: "a", count: 60) + "!", false), ("^a?b??$", "ab", true), ("(?i)a", "A", nil),
            ("(?:(?i)a)", "A", nil), ("[z-a]", "x", nil),
            ("(", "x", nil), ("a**", "x", nil), (#"\p{L}"#, "x", nil), ("(?<n>a)", "a", nil), ("", "x", true),
            ("^[a-z]+$", String(repeating: "a", count: 100_000), true),
            ("^(?:ab)+$", String(repeating: "ab", count: 50), true), ("^[-a]+[]]$", "a-]", false),
            (#"^[\]a-]+$"#, "a-]", true),
        ] as [(String, String, Bool?)])
    func `patterns match as in ECMAScript`(pattern: String, text: String, fits: Bool?) throws {
        let document = try JSONDocument(file: "f", bytes: Array("{}".utf8))
        let checker = ShapeChecker(document: document, named: [:], allowTemplates: false, rulePrefix: "T")
        let rules = checker.check(.string(text), at: .root, as: .pattern(pattern, hint: "h")).map(\.rule)
        #expect(rules == (fits == nil ? ["T-010"] : fits == true ? [] : ["T-008"]))
    }

    @Test func `faults of a table are said, not ignored`() throws {
        let document = try JSONDocument(file: "f", bytes: Array("{}".utf8))
        let checker = ShapeChecker(
            document: document, named: ShapeFixture.named, allowTemplates: false, rulePrefix: "T")
        for name in ["loop", "missing"] {
            #expect(checker.check([:], at: .root, as: .ref(name)).map(\.rule) == ["T-010"])
        }
    }

    @Test func `whole numbers and their bounds`() throws {
        #expect(try accepts(.integer(), 5) && accepts(.integer(), 5.0) && !accepts(.integer(), 5.5))
        #expect(try accepts(.integer(1...2), 2) && !accepts(.integer(1...2), 3) && !accepts(.integer(0...(.max)), -1))
        #expect(try accepts(.number, 5) && accepts(.any, nil) && accepts(.nullable(.bool), nil) && !accepts(.bool, nil))
    }

    @Test func `a merge patch needs nothing and may remove anything`() throws {
        let patches = Shape.patches(of: ShapeFixture.named)
        let patch = ShapeFixture.root.asPatch
        let fits: [JSONValue] = [[:], ["name": nil], ["people": ["ada": nil]], ["tenant": "x", "steps": nil]]
        for value in fits { #expect(try accepts(patch, value, named: patches)) }
        let wrong: [JSONValue] = [["nam": nil], ["name": 5], ["steps": [[:]]], ["people": ["ada": 5]], []]
        for value in wrong { #expect(try !accepts(patch, value, named: patches)) }
        #expect(try accepts(Shape.ref("step").asPatch, ["acquireToken": ["scopes": nil]], named: patches))
    }

    private func nested(_ depth: Int, named: [String: Shape]) throws -> [String] {
        var value: JSONValue = 1
        for _ in 0..<depth { value = ["a": value] }
        let document = try JSONDocument(file: "f", bytes: JSONWriter.compactBytes(value))
        let checker = ShapeChecker(document: document, named: named, allowTemplates: false, rulePrefix: "T")
        return checker.check(value, at: .root, as: .ref("x")).map(\.rule)
    }

    private func object(_ title: String, _ other: String) -> Shape {
        .object(ObjectShape(title: title, fields: [Field("a", .ref("x"), "next"), Field(other, .any, "other")]))
    }

    @Test(.timeLimit(.minutes(10)))
    func `alternatives inside alternatives do not multiply without bound`() throws {
        #expect(try nested(60, named: ["x": .anyOf([object("one", "b"), object("two", "c")])]) == ["T-010"])
        #expect(try nested(5, named: ["x": .anyOf([object("one", "b"), object("two", "c")])]) == ["T-001"])
        // If the keys decide which alternative it is, only that one is checked.
        let other = Shape.object(ObjectShape(title: "two", fields: [Field("c", .any, required: true, "other")]))
        #expect(try nested(100, named: ["x": .anyOf([other, object("one", "b")])]) == ["T-001"])
    }

    @Test func `of several objects the one whose keys fit best counts`() throws {
        let shapes = Shape.anyOf([
            .object(ObjectShape(title: "status", fields: [Field("status", .integer(), required: true, "s")])),
            .object(ObjectShape(title: "redirect", fields: [Field("url", .url, required: true, "u")])),
            .array(of: .string), .oneOf([Choice("none", "n"), Choice("all", "a")]),
        ])
        let document = try JSONDocument(file: "f", bytes: Array("{}".utf8))
        let checker = ShapeChecker(document: document, named: [:], allowTemplates: false, rulePrefix: "T")
        func messages(_ value: JSONValue) -> [String] {
            checker.check(value, at: "/k", as: shapes).map { $0.message + ($0.remedy.map { " " + $0 } ?? "") }
        }
        #expect(messages(["status": "x"]) == ["`status` must be a whole number, not the string \"x\""])
        #expect(messages(["url": 5]) == ["`url` must be an absolute URL, not the number 5"])
        #expect(messages(["uri": "a:b"]) == ["`uri` is not a key of a redirect Did you mean `url`?"])
        #expect(messages([1]) == ["element 1 of `k` must be a string, not the number 1 Write \"1\" in double quotes."])
        #expect(
            messages("nona") == [
                "`k` cannot be \"nona\" Did you mean \"none\"?"
            ])
        #expect(
            messages(5) == [
                "`k` must be an object (status), an object (redirect), an array or one of \"none\", \"all\", "
                    + "not the number 5"
            ])
        #expect(messages(["url": "a:b"]) == [] && messages("all") == [] && messages([]) == [])
    }
}
