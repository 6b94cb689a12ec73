import Reports

/// What `b2c explain` prints about one thing.
struct Explanation {
    /// The thing's name and what it is.
    var title: String
    /// Sentences and figures, each under a short label; an empty label goes on with the one before.
    var facts: [(label: String, text: String)]

    /// As text of at most a hundred columns, with the labels in a column of their own.
    func text(_ style: Style) -> String {
        let width = (facts.map(\.label.count).max() ?? 0) + 2
        // A title of its own is a line; a sentence as title may need more.
        let titles = title.count > 98 ? Self.wrapped(title, columns: 98) : [title]
        var lines = titles.map { style.heading($0) }
        for fact in facts {
            let label = fact.label + String(repeating: " ", count: width - fact.label.count)
            for (index, line) in Self.wrapped(fact.text, columns: max(40, 98 - width)).enumerated() {
                lines.append("  " + (index == 0 ? style.label(label) : String(repeating: " ", count: width)) + line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, line.count + 1 + word.count > columns {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
        }
        return lines
    }
}
