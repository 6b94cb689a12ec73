import JSON

@testable import Journeys

extension FuzzTarget {
    static let pattern = FuzzTarget(
        name: "pattern",
        meaning: "regular expressions of policies, scripts and shapes, and texts they are matched with",
        longest: 256,
        words: [
            "(?i)", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<name>", "(?>", "\\k<name>", "\\1", "\\b", "\\B", "\\d",
            "\\w", "\\s",
            "\\p{L}", "\\p{IsGreek}", "\\P{Lu}", "{2,3}", "{0,1000}", "*?", "+?", "??", "[^", "[a-z-[aeiou]]", "\\A",
            "\\Z", "\\z", "\\G",
            "\\x41", "\\u0041", "\\cA", "|", "(?#", "(?x)", "(?(1)a|b)", "\u{0}",
        ],
        seeds: {
            Seeds.texts(
                "^[a-zA-Z0-9.!#$%&'^_`{}~-]+@[a-zA-Z0-9-]+(?:\\.[a-zA-Z0-9-]+)*$\u{0}ada@example.test",
                "^(?<year>\\d{4})-(?<month>\\d\\d)$\u{0}2026-01", "(a|aa)+$\u{0}aaaaaaaaaaaaaaaaaaaaaaaab",
                "(?i)straße|(?<=x)y(?!z)\u{0}STRASSE xy", "[\\w-[0-9]]+\\b\\k<0>?\u{0}abc", "(\\w)\\1+?\u{0}aabbcc",
                "^\\d{4}-\\d{2}$\u{0}2026-01", "\\p{IsCyrillic}+|\\p{Lu}\u{0}Ж")
        },
        run: { bytes in
            let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            let pattern = String(decoding: parts[0], as: UTF8.self)
            let text = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : pattern
            tryPolicyPattern(pattern, text)
            for dialect in [JSON.Pattern.Dialect.script, .schema] { tryPattern(pattern, dialect, text) }
        })

    private static let steps = 20_000

    private static func tryPolicyPattern(_ text: String, _ subject: String) {
        let length = subject.utf16.count
        for ignoresCase in [false, true] {
            let pattern: TextPattern
            do throws(TextPatternError) {
                pattern = try TextPattern(text, ignoresCase: ignoresCase)
            } catch {
                check(!error.message.isEmpty, "a pattern that is refused has a reason")
                check(
                    (0...text.utf16.count).contains(error.offset), "the reason is inside the pattern: \(error.offset)")
                continue
            }
            var machine = PatternMachine(program: pattern.program, text: subject.utf16.map(UInt32.init), steps: steps)
            let outcome = machine.search(from: 0)
            check(machine.steps <= steps, "a search takes steps")
            if case .match(let match) = outcome {
                check(
                    match.range.lowerBound >= 0 && match.range.upperBound <= length, "a match is inside the text")
                check(match.groups.allSatisfy { !$0.name.isEmpty }, "groups of a match have names")
                check(
                    pattern.firstMatch(in: subject) == outcome, "with more steps the match is the same")
            }
            if case .exhausted = outcome { continue }
            check(pattern.firstMatch(in: subject) == outcome, "a search is repeatable")
            if let replaced = pattern.replacing(in: subject, with: "") {
                check(replaced.utf16.count <= length, "removing matches makes a text shorter")
            }
        }
    }

    private static func tryPattern(_ text: String, _ dialect: JSON.Pattern.Dialect, _ subject: String) {
        do throws(PatternError) {
            let pattern = try JSON.Pattern(text, dialect: dialect)
            _ = try pattern.hasMatch(in: subject)
        } catch {
            check(!error.message.isEmpty, "an expression that is refused has a reason")
            if let offset = error.offset {
                check(
                    (0...text.unicodeScalars.count).contains(offset), "the reason is inside the expression: \(offset)")
            }
        }
    }
}
