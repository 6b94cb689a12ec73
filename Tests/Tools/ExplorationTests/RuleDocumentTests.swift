import Exploration
import Foundation
import TestSupport
import Testing

/// docs/explore.md shows the table of rules. `B2C_RECORD=1` writes it.
struct RuleDocumentTests {
    @Test func `the document has the table of rules`() throws {
        let file = TestFiles.root().appendingPathComponent("docs/explore.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rules = ExplorationRule.markdown
        let whole = text.replacing(#/(<!-- rules -->\n)[\s\S]*?(<!-- end of rules -->)/#) { match in
            "\(match.output.1)\(rules)\n\(match.output.2)"
        }
        #expect(text.contains("<!-- rules -->") && text.contains("<!-- end of rules -->"))
        if ProcessInfo.processInfo.environment["B2C_RECORD"] == "1" {
            return try Data(whole.utf8).write(to: file)
        }
        #expect(whole == text, "record docs/explore.md with B2C_RECORD=1")
    }
}
