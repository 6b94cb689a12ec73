import Determinism
import Testing

@testable import Journeys

@Suite struct PatternTests {
    static let rows: [(pattern: String, text: String, matches: Bool)] = [
        ("abc", "xabcx", true), ("^abc$", "xabc", false), ("^abc$", "abc\n", true), ("^abc\\z", "abc\n", false),
        ("a|b", "b", true), ("^(a|b)+$", "abba", true), ("^(a|b)+$", "abca", false), ("colou?r", "color", true),
        ("^\\d{6}$", "123456", true), ("^\\d{6}$", "12345", false), ("^\\d{2,}$", "1", false),
        ("^a{2}b{1,3}$", "aabbb", true),
        ("^x{,3}$", "x{,3}", true), ("[a-c-]", "-", true), ("[]a]", "]", true), ("[^a-z]", "abc", false),
        ("[a-z-[aeiou]]", "aei", false), ("[a-z-[aeiou]]", "xei", true), ("\\bcat\\b", "a cat!", true),
        ("\\bcat\\b", "concat", false), ("(?i)HELLO", "hello", true), ("(?i:H)ello", "hEllo", false),
        ("^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefg1", true), ("^(?=.*\\d)(?=.*[a-z]).{8,}$", "abcdefgh", false),
        ("^(?!.*\\s).+$", "no space", false), ("(?<=@)x", "a@x", true), ("(?<=@)x", "ax", false),
        ("(?<!@)x", "ax", true), ("(?<=a.*)z", "abcz", true), ("^(.)\\1$", "aa", true), ("^(.)\\1$", "ab", false),
        ("^(?<first>.)\\k<first>$", "bb", true), ("a+?b", "aaab", true), ("(?>a+)ab", "aaab", false),
        ("a.c", "a\nc", false),
        ("(?s)a.c", "a\nc", true), ("(?m)^b$", "a\nb\nc", true), ("\\p{Lu}", "aÄ", true), ("\\p{Lu}", "aä", false),
        ("\\w+", "ärger", true), ("^\\w+$", "a-b", false), ("\\x41\\u0042", "AB", true), ("\\.", "a", false),
        ("(a*)*b", "aaab", true), ("^(?:a|ab)(?:c|bcd)$", "abcd", true), ("(?x) a b # comment", "ab", true),
        ("^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "ada@example.test", true), ("^$", "", true),
        ("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+@x$", "a{b}@x", true), ("\\s", "\u{a0}", true), ("[\\d\\s]", "x", false),
    ]

    @Test(arguments: rows.indices) func matchesLikeDotNet(_ index: Int) throws {
        let row = Self.rows[index]
        #expect(try TextPattern(row.pattern).matches(row.text) == row.matches, "\(row.pattern) on \(row.text)")
    }

    static let malformed = [
        "(", ")", "[a", "a**", "*a", "\\", "(?<n", "[z-a]", "a{3,1}", "\\k<none>", "\\q", "(?(1)a|b)", "\\p{Klingon}",
        "^*", "a{5000}",
    ]

    @Test(arguments: malformed) func malformedPatternsAreErrors(_ pattern: String) {
        #expect(throws: PatternError.self) { try TextPattern(pattern) }
    }

    @Test func workIsBounded() throws {
        let pattern = try TextPattern("^(a+)+$")
        #expect(pattern.firstMatch(in: String(repeating: "a", count: 40) + "b") == .exhausted)
        #expect(!pattern.matches(String(repeating: "a", count: 40) + "b"))
        #expect(pattern.matches(String(repeating: "a", count: 40)))
        #expect(throws: PatternError.self) { try TextPattern(String(repeating: "(", count: 500)) }
        #expect(throws: PatternError.self) { try TextPattern("((((a{1000}){1000}){1000}){1000})") }
    }

    @Test func groupsAndReplacement() throws {
        let pattern = try TextPattern("(?<name>.*)@(?<host>.*)$")
        guard case .match(let match) = pattern.firstMatch(in: "emily@contoso.com") else {
            Issue.record("no match")
            return
        }
        #expect(match.groups.map(\.name) == ["name", "host"])
        #expect(match.groups.map(\.text) == ["emily", "contoso.com"])
        #expect(try TextPattern("(?<=.).(?=.*@)").replacing(in: "emily@contoso.com", with: "*") == "e****@contoso.com")
        #expect(try TextPattern("x*").replacing(in: "axb", with: "-") == "-a--b-")
    }

    @Test func anyTextIsAPatternOrAnError() {
        var random = SeededGenerator(seed: 20_260_115)
        let alphabet = Array("ab01()[]{}|?*+^$.\\-,:=!<>kxPLdwsS#i \n'")
        var readable = 0
        for _ in 0..<20_000 {
            let pattern = String((0..<(1 + random.below(12))).map { _ in alphabet[random.below(alphabet.count)] })
            guard let compiled = try? TextPattern(pattern) else { continue }
            readable += 1
            _ = compiled.firstMatch(in: "ab01 a-b\n", steps: 2_000)
            _ = compiled.firstMatch(in: "", steps: 2_000)
        }
        #expect(readable > 1_000)
    }
}
