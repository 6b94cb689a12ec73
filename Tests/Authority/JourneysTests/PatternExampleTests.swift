import Journeys
import Testing

/// Texts that patterns of policies match.
@Suite struct PatternExampleTests {
    @Test(
        arguments: [
            "^[0-9]{4}$", "[0-9]", "^\\d{4,6}$", "^\\+[1-9]\\d{7,14}$", "^[a-zA-Z]+$", "^(yes|no)$", "^[A-Z]{2}\\d{6}$",
            "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[!#$%])[\\w!#$%]{8,64}$", "^(.)\\1x$", "^$|^\\d{5}(-\\d{4})?$",
            "^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$", "^(0[1-9]|1[0-2])/\\d{2}$", "^\\p{Lu}\\p{Ll}*$", "(?i)^ab$",
            "^[!-/]{3}$",
            "^https://[a-z.]+/$", "^(?!0000)\\d{4}$", "^[ёЁа-я]+$",
        ])
    func `an example matches its pattern`(_ pattern: String) throws {
        let rule = try TextPattern(pattern)
        let examples = TextPattern.examples(of: pattern)
        #expect(!examples.isEmpty)
        #expect(examples.allSatisfy { rule.matches($0) && !$0.isEmpty })
        #expect(examples == TextPattern.examples(of: pattern))
    }

    @Test(arguments: ["(", "^\\b\\B$", "^(?!.*)x$", "^(?:(?:){1000}){1000}$"])
    func `a pattern that nothing fits, or that cannot be read, has none`(_ pattern: String) {
        #expect(TextPattern.examples(of: pattern) == [])
    }

    @Test func `the plainest comes first, and none is long`() {
        #expect(TextPattern.examples(of: "^[a-z]{3}$").first == "abc")
        #expect(TextPattern.examples(of: "^[0-9]{3}$").first?.count == 3)
        #expect(TextPattern.examples(of: "^(?:.{1000}){50}$").allSatisfy { $0.count <= 300 })
    }
}
