import Determinism
import Journeys
import Testing

@Suite struct PatternTests {
    static let rows: [(pattern: String, text: String, matches: Bool)] = [
        ("abc", "xabcx", true), ("^abc$", "xabc", false), ("^abc$", "abc\n", true),
        ("^abc\\z", "abc\n", false),
        ("a|b", "b", true), ("^(a|b)+$", "abba", true), ("^(a|b)+$", "abca", false),
        ("colou?r", "color", true),
        ("^\\d{6}$", "123456", true), ("^\\d{6}$", "12345", false), ("^\\d{2,}$", "1", false),
        ("^a{2}b{1,3}$", "aabbb", true),
        ("^x{,3}$", "x{,3}", true), ("[a-c-]", "-", true), ("[]a]", "]", true),
        ("[^a-z]", "abc", false),
        ("[a-z-[aeiou]]", "aei", false), ("[a-z-[aeiou]]", "xei", true), ("\\bcat\\b", "a cat!", true),
        ("\\bcat\\b", "concat", false), ("(?i)HELLO", "hello", true), ("(?i:H)ello", "hEllo", false),
        ("^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefg1", true),
        ("^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefgh", false),
        ("^(?!.*\\s).+$", "no space", false), ("(?<=@)x", "a@x", true), ("(?<=@)x", "ax", false),
        ("(?<!@)x", "ax", true), ("(?<=a.*)z", "abcz", true), ("^(.)\\1$", "aa", true),
        ("^(.)\\1$", "ab", false),
        ("^(?<first>.)\\k<first>$", "bb", true), ("a+?b", "aaab", true), ("(?>a+)ab", "aaab", false),
        ("a.c", "a\nc", false),
        ("(?s)a.c", "a\nc", true), ("(?m)^b$", "a\nb\nc", true), ("\\p{Lu}", "aÄ", true),
        ("\\p{Lu}", "aä", false),
        ("\\w+", "ärger", true), ("^\\w+$", "a-b", false), ("\\x41\\u0042", "AB", true),
        ("\\.", "a", false),
        ("(a*)*b", "aaab", true), ("^(?:a|ab)(?:c|bcd)$", "abcd", true),
        ("(?x) a b # comment", "ab", true),
        ("^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "ada@example.test", true),
        ("^$", "", true),
        ("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@x$", "a{b}@x", true), ("\\s", "\u{a0}", true),
        ("[\\d\\s]", "x", false),
        // Digits and words are Unicode's; words have no spacing marks.
        ("^\\d+$", "\u{0661}\u{0662}", true), ("^[0-9]+$", "\u{0661}", false),
        ("^\\w$", "\u{0903}", false),
        ("^\\w+$", "e\u{0301}", true), ("^\\w$", "\u{203F}", true), ("\\W", "-", true),
        ("^\\S+$", "a\u{3000}b", false),
        // Characters are UTF-16 code units.
        ("^.$", "\u{1F600}", false), ("^..$", "\u{1F600}", true), ("\u{1F600}", "a\u{1F600}b", true),
        ("\\p{Cs}", "\u{1F600}", true), ("^[^a]{2}$", "\u{1F600}", true),
        // Anchors.
        ("^*a", "ba", true), ("\\b+cat", "a cat", true), ("\\Aab\\Z", "ab\n", true),
        ("\\Aab\\z", "ab\n", false),
        ("\\Gb", "ab", false), ("(?m)^b", "a\nb", true), ("a$", "a\r\n", false),
        ("(?-m)^b", "a\nb", false),
        // Quantifiers.
        ("^a{2}?$", "aa", true), ("^a{1,}?b", "aab", true), ("^(?:ab){2,3}$", "ababab", true),
        ("x{2", "x{2", true),
        ("^a??b$", "ab", true), ("(a|ab)(c|bcd)(d*)", "abcd", true),
        // Groups.
        ("^(?'q'.)\\k'q'$", "zz", true), ("^(?<1>.)(.)\\1$", "abb", true),
        ("(?n)(a)(?<x>b)\\k<x>", "abb", true),
        ("^(?:(a)|b)*$", "abab", true), ("(?i)\\p{Lu}", "a", true), ("(?i)[A-C]x", "bX", true),
        ("(?i)ÄRGER", "ärger", true),
        ("(?s-i:a.C)", "a\nC", true), ("(?#no comment)a", "a", true), ("^(a)?\\1b$", "b", false),
        // Look around.
        ("(?<=^|,)x", "a,x", true), ("(?<!\\d)\\d{2}(?!\\d)", "a12b", true),
        ("(?<!\\d)\\d{2}(?!\\d)", "123", false),
        ("^(?=(.*\\d){2})", "a1b2", true), ("(?=.*x)(?!.*y)", "ax", true),
        // Classes.
        ("[\\w-z]", "-", true), ("[+--]", ",", true), ("[a\\]b]", "]", true), ("[\\b]", "\u{8}", true),
        ("[^\\W_]", "_", false),
        ("[\\p{L}-[a-z]]", "b", false), ("[\\p{L}-[a-z]]", "B", true), ("\\p{IsCyrillic}", "Ж", true),
        ("\\P{IsCyrillic}", "Ж", false),
        ("[^\\p{IsBasicLatin}]", "abc", false), ("\\p{Sc}", "€", true), ("[\\x30-\\x39]", "5", true),
        ("\\cA", "\u{1}", true),
        ("\\0", "\u{0}", true), ("\\101", "A", true), ("\\e", "\u{1B}", true), ("[[a]", "[", true),
        ("[a-]", "-", true),
    ]

    /// Every pattern of the published policies, with a text that it takes and one that it does not.
    static let published: [(pattern: String, takes: String, refuses: String)] = [
        ("^[a-zA-Z0-9]+[a-zA-Z0-9_-]*$", "ada_1-x", "_ada"),
        (
            #"^((?=.*[a-z])(?=.*[A-Z])(?=.*\d)|(?=.*[a-z])(?=.*[A-Z])(?=.*[^A-Za-z0-9])|(?=.*[a-z])(?=.*\d)(?=.*[^A-Za-z0-9])|(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z0-9]))([A-Za-z\d@#$%^&*\-_+=[\]{}|\\:',?/`~"();!]|\.(?!@)){8,16}$"#,
            "Passw0rd!", "password1"
        ),
        (
            #"^((?=.*[a-z])(?=.*[A-Z])(?=.*\d)|(?=.*[a-z])(?=.*[A-Z])(?=.*[^A-Za-z0-9])|(?=.*[a-z])(?=.*\d)(?=.*[^A-Za-z0-9])|(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z0-9]))([A-Za-z\d@#$%^&*\-_+=[\]{}|\\:',?/`~"();!]|\.(?!@)){8,16}$"#,
            "Aa1.[]{}|", "Aa1.@bcdef"
        ),
        (#"^[a-zA-Z0-9.!#$%&'^_`{}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$"#, "a'b@x.test", "a@b@c"),
        (
            #"^[a-zA-Z0-9!#$%&'+^_`{}~-]+(?:\.[a-zA-Z0-9!#$%&'+^_`{}~-]+)*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$"#,
            "emily.smith+x@mail.contoso.com", "emily.@contoso.com"
        ),
        (
            #"^[a-zA-Z0-9!#$%&'+^_`{}~-]+(?:\.[a-zA-Z0-9!#$%&'+^_`{}~-]+)*@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)+[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$"#,
            "a@b.c", "emily@contoso"
        ),
        ("^[a-g]$", "c", "h"), ("(?<=.).(?=.*@)", "ab@c", "a@c"), (#"^\S*$"#, "", "a b"),
        ("v2", "v2.0", "v3"),
        ("^(?<land>[A-Z]{2})[0-9]{2}(?<account>.+)$", "DE02x", "DE0"), ("^[0-9]{4}$", "1234", "12345"),
        ("[0-9]", "a1", "ab"), ("^[A-Z]{2}-[0-9]{4}$", "AB-1234", "ab-1234"),
        (#"^\+?(?:[-()\s]*\d[-()\s]*){4,16}$"#, "+1 (234) 56", "+1a2345"),
        (#"^[^\\+]+$"#, "a/b", "a+b"),
        ("^[0-9]{4,16}$", "64854114520", "123"),
        ("(?<resultGroup1>.*)@(.*)$", "emily@contoso.com", "emily"),
    ]

    @Test(arguments: published.indices) func `published patterns match what they are for`(_ index: Int) throws {
        let row = Self.published[index]
        let pattern = try TextPattern(row.pattern)
        #expect(pattern.matches(row.takes), "\(row.takes)")
        #expect(!pattern.matches(row.refuses), "\(row.refuses)")
    }

    @Test(arguments: rows.indices) func `patterns match as in .NET`(_ index: Int) throws {
        let row = Self.rows[index]
        #expect(
            try TextPattern(row.pattern).matches(row.text) == row.matches, "\(row.pattern) on \(row.text)"
        )
    }

    static let malformed = [
        "(", ")", "[a", "a**", "*a", "\\", "(?<n", "[z-a]", "a{3,1}", "\\k<none>", "\\q", "(?(1)a|b)",
        "\\p{Klingon}",
        "a{5000}", "\\1", "[a-\\d]", "\\_", "[a-[b]c]", "(?<a-b>x)", "(?P<a>x)", "a{2}{3}", "a++",
        "\\x4", "\\u12", "\\x+4", "\\u-012", "(?<9223372036854775807>a)", "(?<2000000000>a)",
    ]

    @Test(arguments: malformed) func `malformed patterns are errors`(_ pattern: String) {
        #expect(throws: TextPatternError.self) { try TextPattern(pattern) }
    }

    @Test func `work is bounded`() throws {
        let pattern = try TextPattern("^(a+)+$")
        #expect(pattern.firstMatch(in: String(repeating: "a", count: 40) + "b") == .exhausted)
        #expect(!pattern.matches(String(repeating: "a", count: 40) + "b"))
        #expect(pattern.matches(String(repeating: "a", count: 40)))
        #expect(throws: TextPatternError.self) { try TextPattern(String(repeating: "(", count: 500)) }
        #expect(throws: TextPatternError.self) { try TextPattern("((((a{1000}){1000}){1000}){1000})") }
        #expect(throws: TextPatternError.self) { try TextPattern(String(repeating: "[a-", count: 100_000)) }
        #expect(try TextPattern("(?:(?:(?:(?:){2000}){2000}){2000}){2000}").matches(""))
        #expect(try TextPattern("(?<12>a)\\k<12>").matches("aa"))
    }

    @Test func `groups are captured and replaced`() throws {
        let pattern = try TextPattern("(?<name>.*)@(?<host>.*)$")
        guard case .match(let match) = pattern.firstMatch(in: "emily@contoso.com") else {
            Issue.record("no match")
            return
        }
        #expect(match.groups.map(\.name) == ["name", "host"])
        #expect(match.groups.map(\.text) == ["emily", "contoso.com"])
        #expect(
            try TextPattern("^(a+)+$").replacing(in: String(repeating: "a", count: 40) + "b", with: "")
                == nil)
        #expect(
            try TextPattern("(?<=.).(?=.*@)").replacing(in: "emily@contoso.com", with: "*")
                == "e****@contoso.com")
        #expect(try TextPattern("x*").replacing(in: "axb", with: "-") == "-a--b-")
    }

    @Test func `any text is a pattern or an error`() {
        var random = SeededGenerator(seed: 20_260_115)
        let alphabet = Array("ab01()[]{}|?*+^$.\\-,:=!<>kxPLdwsS#i \n'")
        var readable = 0
        for _ in 0..<20_000 {
            let pattern = String(
                (0..<(1 + random.below(12))).map { _ in alphabet[random.below(alphabet.count)] })
            guard let compiled = try? TextPattern(pattern) else { continue }
            readable += 1
            _ = compiled.firstMatch(in: "ab01 a-b\n", steps: 2_000)
            _ = compiled.firstMatch(in: "", steps: 2_000)
        }
        #expect(readable > 1_000)
    }
}
