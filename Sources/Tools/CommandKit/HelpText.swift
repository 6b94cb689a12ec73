/// What a parser prints about a command, as a terminal of 80 columns shows it.
package enum HelpText {
    /// Columns of the narrowest terminal that shows help without breaking its lines.
    package static let columns = 80

    /// The same text with usage lines that fit.
    ///
    /// - Parameter names: The program as the parser calls it, and as the person has called it.
    package static func folded(_ text: String, naming names: (own: String, called: String)? = nil) -> String {
        lines(text).map { line -> String in
            var line = line
            if let names, names.own != names.called {
                for start in ["USAGE: ", "Usage: ", "  See '"] where line.hasPrefix(start + names.own + " ") {
                    line = start + names.called + line.dropFirst(start.count + names.own.count)
                }
            }
            guard line.count > columns, line.hasPrefix("USAGE: ") || line.hasPrefix("Usage: ") else { return line }
            return folded(usage: line)
        }
        .joined(separator: "\n")
    }

    /// `USAGE: b2c policy show [<place>] [--tenant <file>] ...` on as many lines as it needs. What is in brackets stays on
    /// one line.
    private static func folded(usage line: String) -> String {
        var words: [String] = []
        var depth = 0
        for word in line.split(separator: " ") {
            if depth > 0 { words[words.count - 1] += " \(word)" } else { words.append(String(word)) }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
            depth = max(depth, 0)
        }
        var folded: [String] = []
        var current = ""
        for word in words {
            if current.isEmpty {
                current = word
            } else if current.count + 1 + word.count <= columns {
                current += " \(word)"
            } else {
                folded.append(current)
                current = "         \(word)"
            }
        }
        return (folded + [current]).joined(separator: "\n")
    }

    /// Help with the arguments and some of the options, in the order of the list.
    ///
    /// - Parameters:
    ///   - options: An option by one of its names, such as `--tags`. One that the command does not have is not shown.
    ///   - more: The last line.
    package static func brief(_ text: String, options: [String], more: String) -> String {
        var head: [String] = []
        var entries: [(names: [Substring], lines: [String])] = []
        var isHead = true
        for line in lines(text) {
            if isHead {
                guard isTitle(line), line != "ARGUMENTS:" else {
                    head.append(line)
                    continue
                }
                isHead = false
            }
            if line.hasPrefix("  -") {
                let names = line.split { $0 == " " || $0 == "," || $0 == "/" }.filter { $0.hasPrefix("-") }
                entries.append((names, [line]))
            } else if line.hasPrefix("      "), !entries.isEmpty {
                entries[entries.count - 1].lines.append(line)
            }
        }
        let kept = options.compactMap { name in entries.first { $0.names.contains(Substring(name)) } }
        return (head + ["OPTIONS:"] + kept.flatMap(\.lines) + ["", more]).joined(separator: "\n")
    }

    /// Whether a line is the title of a section, such as `OPTIONS:`.
    private static func isTitle(_ line: String) -> Bool {
        line.hasSuffix(":") && !line.hasPrefix(" ") && line.uppercased() == line
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
