import B2CProtocol
import Diagnostics
import Exchanges
import HTTPMessages
import JSON
import Scenarios
import Testing

/// `é` as one character and as two looks the same and is not: JSON, the wire and both ends compare bytes.
@Suite struct NormalizationTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    /// Canonically equal and of equal length: two marks in either order.
    private static let marks = ("a\u{323}\u{307}", "a\u{307}\u{323}")

    @Test func `texts are compared byte for byte`() {
        #expect(Self.composed == Self.decomposed)
        #expect(!sameText(Self.composed, Self.decomposed))
        #expect(Self.marks.0 == Self.marks.1)
        #expect(!sameText(Self.marks.0, Self.marks.1))
        #expect(differOnlyInNormalization(Self.marks.0, Self.marks.1))
        #expect(!differOnlyInNormalization("a", "a"))
        #expect(ExactText(Self.marks.0) != ExactText(Self.marks.1))
        #expect(JSONValue.string(Self.marks.0) != .string(Self.marks.1))
        #expect(![Self.composed].containsText(Self.decomposed))
        let long = String(repeating: "x", count: 100)
        #expect(sameText(long + Self.composed, long + Self.composed))
        #expect(!sameText(long + Self.marks.0, long + Self.marks.1))
    }

    @Test(arguments: [1, 100])
    func `an object has members under both names`(others: Int) throws {
        var object = JSONObject()
        for index in 0..<others { object["key\(index)"] = .integer(Int64(index)) }
        object[Self.composed] = 1
        object[Self.decomposed] = 2
        object[Self.marks.0] = 3
        object[Self.marks.1] = 4
        #expect(object.count == others + 4)
        #expect(object[Self.composed] == 1 && object[Self.decomposed] == 2)
        #expect(object[Self.marks.0] == 3 && object[Self.marks.1] == 4)
        object[Self.composed] = nil
        #expect(object[Self.composed] == nil && object[Self.decomposed] == 2)
    }

    @Test func `keys of a file in both forms are not duplicates`() throws {
        let text = #"{"\#(Self.composed)": 1,\#n"\#(Self.decomposed)": 2, "caf\u00e9s": 3}"#
        let document = try JSONDocument(file: "keys.json", bytes: Array(text.utf8))
        #expect(document.root[Self.decomposed] == 2)
        #expect(document.location(of: JSONPointer(tokens: [Self.decomposed])).line == 2)
        #expect(throws: InvalidInput.self) {
            try JSONDocument(file: "keys.json", bytes: Array(#"{"caf\u00e9": 1, "\#(Self.composed)": 2}"#.utf8))
        }
    }

    @Test func `a difference in nothing else is named`() {
        let found = Matcher.mismatches(.string(Self.decomposed), expected: .string(Self.composed))
        #expect(
            found.map(\.text) == [
                "expected \"\(Self.composed)\", actual \"\(Self.decomposed)\"; "
                    + "they differ only in Unicode normalization (U+00E9 and U+0301)"
            ])
        let members = Matcher.mismatches([Self.decomposed: 1], expected: [Self.composed: 1])
        #expect(
            members.first?.text.contains(
                "a member has a name that looks like this one: they differ only in Unicode normalization") == true)
        #expect(Matcher.matches([Self.decomposed: 1], [Self.decomposed: 1]))
        #expect(Matcher.matches(.string(Self.decomposed), ["$not": .string(Self.composed)]))
        #expect(!Matcher.matches([.string(Self.decomposed)], ["$contains": .string(Self.composed)]))
        #expect(!Matcher.matches(.string(Self.marks.0), ["$equals": .string(Self.marks.1)]))
    }

    /// Expected value, actual value, and what the mismatch says about them; `nil`: a reader sees the difference.
    private static let twins: [(JSONValue, JSONValue, String?)] = [
        ("caf\u{E9}", "cafe\u{301}", "they differ only in Unicode normalization (U+00E9 and U+0301)"),
        ("Ada Lovelace", "Ada\u{A0}Lovelace", "character 4 differs: expected U+0020, actual U+00A0"),
        ("Ada", "Ada\u{200B}", "character 4 differs: expected the end, actual U+200B"),
        ("\u{FEFF}Ada", "Ada", "character 1 differs: expected U+FEFF, actual U+0041"),
        ("ad\u{AD}a", "ada", "character 3 differs: expected U+00AD, actual U+0061"),
        ("admin", "\u{430}dmin", "character 1 differs: expected U+0061, actual U+0430"),
        ("first-name", "first\u{2011}name", "character 6 differs: expected U+002D, actual U+2011"),
        (
            ["caf\u{E9}", 1], .array(["cafe\u{301}", 1]),
            "they differ only in Unicode normalization (U+00E9 and U+0301)"
        ),
        (["$equals": ["a": "b c"]], ["a": "b\u{A0}c"], "expected U+0020, actual U+00A0"),
        (["$contains": "caf\u{E9}"], "un cafe\u{301}", "look alike (expected U+00E9, actual U+0301)"),
        (["$startsWith": "b c"], "b\u{A0}c d", "look alike (expected ASCII only, actual U+00A0)"),
        (["$endsWith": "c\u{200B}"], "b c", "look alike (expected U+200B, actual ASCII only)"),
        (["$contains": "a b"], .array(["a\u{A0}b"]), "they look alike"),
        (["$unordered": ["a b"]], .array(["a\u{A0}b"]), "they look alike"),
        (["a b": 1], ["a\u{A0}b": 1], "a member has a name that looks like this one"),
        ("caf\u{E9}", "cafe", nil), ("Ada", "ada", nil), ("Ada", "Ada ", nil), ("a\tb", "a b", nil), ("1", 1, nil),
        (["$contains": "x"], "\u{E9}", nil), ("\u{3B1}", "a", nil),
    ]

    @Test(arguments: twins)
    func `what looks alike and differs is named`(expected: JSONValue, actual: JSONValue, note: String?) throws {
        let mismatch = try #require(Matcher.mismatches(actual, expected: expected).first)
        guard let note else {
            #expect(mismatch.note == nil)
            #expect(mismatch.textWithoutNote == mismatch.text)
            return
        }
        #expect(mismatch.note?.contains(note) == true, "\(mismatch.text)")
        #expect(mismatch.text == mismatch.textWithoutNote + "; " + (mismatch.note ?? ""))
    }

    @Test func `a name of a script must be written as the tenant writes it`() throws {
        let text = #"""
            {"name": "n", "tenant": {"name": "fabrikam", "policies": {"susi": {"type": "signUpOrSignIn"}},
              "apps": {"a": {"client": {"kind": "msal-ios", "policy": "susi"}}},
              "users": {"\#(Self.composed)": {"email": "bob@example.test"}}},
             "steps": [{"acquireToken": {}, "user": "\#(Self.decomposed)"}]}
            """#
        let findings = ScenarioFiles.findings("names.json", Array(text.utf8))
        #expect(findings.contains("B2C-SCN-020"))
        #expect(findings.contains("only in Unicode normalization"))
    }

    @Test func `the wire compares bytes`() {
        var form = FormItems()
        form[Self.composed] = "1"
        form[Self.decomposed] = "2"
        #expect(form.count == 2 && form[Self.composed] == "1")
        form[Self.decomposed] = nil
        #expect(form[Self.composed] == "1")
        #expect(!PKCE.matches(verifier: Self.marks.0, challenge: Self.marks.1, method: .plain))
        #expect(
            !RedirectURIRules.matches(
                "https://app.test/\(Self.composed)", registered: "https://app.test/\(Self.decomposed)"))
    }
}
