import Determinism
import Exchanges
import Testing

struct TextMaskTests {
    struct Case: CustomTestStringConvertible {
        let patterns: [TextMask.Spelling]
        let text: String
        let masked: String
        var testDescription: String { text }
    }

    @Test(arguments: [
        Case(
            patterns: [TextMask.Spelling("abcd", label: "<1>"), TextMask.Spelling("abcdef", label: "<2>")],
            text: "abcd abcdef abcde", masked: "<1> <2> <1>e"),
        Case(
            patterns: [TextMask.Spelling("secret", label: "<1>")], text: "secr... secret... sec...",
            masked: "<1>... <1>... sec..."),
        Case(
            patterns: [TextMask.Spelling("abcd1", label: "<1>"), TextMask.Spelling("abcd234", label: "<2>")],
            text: "abcd...", masked: "<2>..."),
        Case(
            patterns: [TextMask.Spelling("123456", label: "<code>")], text: "123456 1234567 x123456",
            masked: "<code> 1234567 x123456"),
        Case(
            patterns: [TextMask.Spelling("word", label: "<1>", isWhole: true)], text: "word words a-word",
            masked: "<1> words a-<1>"),
        Case(patterns: [TextMask.Spelling("a.b...c", label: "<1>")], text: "a.b...c a.b......", masked: "<1> <1>..."),
        Case(patterns: [TextMask.Spelling("", label: "<1>")], text: "nothing", masked: "nothing"),
        Case(patterns: [], text: "nothing", masked: "nothing"),
    ]) func `secrets are replaced, whole or cut`(_ given: Case) {
        #expect(TextMask(given.patterns).masked(given.text) == given.masked)
    }

    /// Many patterns with few letters, so that they begin alike, hold one another, and stand cut in the text.
    @Test(arguments: 0..<200) func `the longest pattern at a place wins, as when each is tried in turn`(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        // Also of four bytes and more alone, since most places of a text are passed over then.
        let shortest = seed % 2 == 0 ? 0 : 3
        func word(_ longest: Int, from shortest: Int = 0) -> String {
            String(
                (0...shortest + Int(random.next() % UInt64(longest))).map { _ in
                    Array("aab1._ ")[Int(random.next() % 7)]
                })
        }
        let secrets = (0..<(1 + Int(random.next() % 12))).map {
            Secret(text: word(9, from: shortest), label: "<\($0)>", isWhole: random.next() % 3 == 0)
        }
        var text = ""
        for _ in 0..<12 {
            text += word(3)
            let secret = secrets[Int(random.next() % UInt64(secrets.count))].text
            text += random.next() % 2 == 0 ? secret : secret.prefix(Int(random.next() % 9)) + "..."
        }
        let mask = TextMask(secrets.map { TextMask.Spelling($0.text, label: $0.label, isWhole: $0.isWhole) })
        #expect(mask.masked(text) == Secret.replaced(secrets, in: text))
    }

    /// Each place of the text begins like the secret for thousands of bytes.
    @Test(arguments: ["a", "ab", "a/", "é"]) func `a text that cannot be searched in its length is not shown`(
        _ piece: String
    ) {
        func repeated(_ count: Int) -> String { String(repeating: piece, count: count) }
        let mask = TextMask([TextMask.Spelling(repeated(10_000) + "b7", label: "<1>")])
        let text = repeated(20_000)
        let masked = mask.masked(text)
        #expect(
            masked
                == "<\(text.utf8.count) bytes that repeat the beginning of secrets, more than 32 bytes of them at each "
                + "place: not searched, so not shown>")
        // A few such places do not count.
        let other = String(repeating: "ordinary text ", count: 20_000)
        #expect(mask.masked(repeated(100) + other) == repeated(100) + other)
        #expect(mask.masked(other + repeated(10_000) + "b7") == other + "<1>")
    }

    /// All of fifty thousand secrets begin like each of the texts that were cut.
    @Test(.timeLimit(.minutes(2))) func `what many secrets begin with is masked where it is cut`() {
        let count = 50_000
        let mask = TextMask(
            (0..<count).map { TextMask.Spelling("abcd\(String(repeating: "x", count: $0 % 7))\($0)", label: "<\($0)>") }
        )
        let masked = mask.masked(String(repeating: "abcd... ", count: count))
        // The longest, and of those the first.
        #expect(masked == String(repeating: "<10002>... ", count: count))
    }

    /// What a pattern is, said the slow way.
    private struct Secret {
        let text: String
        let label: String
        let isWhole: Bool

        static func replaced(_ secrets: [Secret], in text: String) -> String {
            let all = secrets.enumerated().sorted {
                ($1.element.text.count, $0.offset) < ($0.element.text.count, $1.offset)
            }.map(\.element)
            let letters = Array(text)
            var result = ""
            var place = 0
            while place < letters.count {
                let found = all.lazy.compactMap { secret in
                    secret.length(in: letters, at: place).map { ($0, secret.label) }
                }.first
                result += found?.1 ?? String(letters[place])
                place += found?.0 ?? 1
            }
            return result
        }

        private func length(in letters: [Character], at place: Int) -> Int? {
            let own = Array(text)
            let alike = zip(own, letters[place...]).prefix { $0 == $1 }.count
            let isWord = isWhole || own.allSatisfy(\.isNumber)
            func isBroken(_ place: Int) -> Bool {
                letters.indices.contains(place)
                    && (letters[place].isLetter || letters[place].isNumber || letters[place] == "_")
            }
            if isWord, isBroken(place - 1) { return nil }
            if alike == own.count { return isWord && isBroken(place + alike) ? nil : alike }
            let rest = letters[(place + alike)...]
            return alike >= 4 && rest.starts(with: "...") ? alike : nil
        }
    }
}
