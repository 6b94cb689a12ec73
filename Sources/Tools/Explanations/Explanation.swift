import CommandKit
import Reports

/// What `b2c explain` prints about one thing.
package struct Explanation {
    /// The thing's name and what it is.
    package var title: String
    /// Sentences and figures, each under a short label; an empty label continues the previous one.
    package var facts: [(label: String, text: String)]

    /// As text that a terminal of 80 columns shows without breaking lines, with the labels in a column of their own.
    package func text(_ style: Style) -> String {
        let width = (facts.map(\.label.count).max() ?? 0) + 2
        // A title of its own is a line; a sentence as title may need more.
        let titles = title.count > HelpText.columns ? Self.wrapped(title, columns: HelpText.columns) : [title]
        var lines = titles.map { style.heading($0) }
        for fact in facts {
            let label = fact.label + String(repeating: " ", count: width - fact.label.count)
            // A command is copied as a whole.
            let texts =
                fact.text.hasPrefix("b2c ") && !fact.text.contains("\n")
                ? [fact.text] : Self.wrapped(fact.text, columns: max(40, HelpText.columns - 2 - width))
            for (index, line) in texts.enumerated() {
                lines.append("  " + (index == 0 ? style.label(label) : String(repeating: " ", count: width)) + line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Lines of at most so many columns, if no word is longer. Blanks between words stay except at a new line.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var blanks = ""
            for word in paragraph.split(separator: " ", omittingEmptySubsequences: false) {
                guard !word.isEmpty else {
                    blanks += " "
                    continue
                }
                if !line.isEmpty, line.count + blanks.count + word.count > columns {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : blanks) + word
                blanks = " "
            }
            lines.append(line)
        }
        return lines
    }
}
