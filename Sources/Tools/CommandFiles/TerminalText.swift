import CommandKit
import Reports

extension Output {
    /// Writes sentences for people: on a terminal, no line is broken in a word.
    package func write(sentences text: String) {
        write(isTerminal ? TerminalText.wrapped(text, columns: columns) : text)
    }
}

/// Sentences as a terminal shows them.
package enum TerminalText {
    /// A text whose long lines are broken between words and go on indented. Lines of a file with their numbers, the marks below
    /// them, and commands stay as they are: they are copied.
    package static func wrapped(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { wrapped(line: String($0), columns) }
            .joined(separator: "\n")
    }

    private static func wrapped(line: String, _ columns: Int) -> String {
        let plain = Style.plain(line)
        guard plain.unicodeScalars.count > columns, plain.firstMatch(of: /^ *([0-9]* +\| |repeat +b2c )/) == nil else {
            return line
        }
        let indent = String(repeating: " ", count: min(plain.prefix { $0 == " " }.count + 2, columns / 2))
        var lines: [String] = []
        var current: (text: String, width: Int)?
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            let width = Style.plain(String(word)).unicodeScalars.count
            guard let start = current else {
                current = (String(word), width)
                continue
            }
            if start.width + 1 + width <= columns || Style.plain(start.text).allSatisfy({ $0 == " " }) {
                current = (start.text + " " + word, start.width + 1 + width)
            } else {
                lines.append(start.text)
                current = (indent + word, indent.count + width)
            }
        }
        return (lines + [current?.text ?? ""]).joined(separator: "\n")
    }
}
