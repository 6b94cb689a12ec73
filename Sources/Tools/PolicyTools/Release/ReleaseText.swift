import CommandFiles
import CommandKit
import Diagnostics

/// Text in 80 columns for the commands of a release.
package struct ReleaseText {
    /// Places that are named, unless all are asked for.
    private static let fewPlaces = 3
    private static let columns = 80

    /// Whether all places are named.
    package let isVerbose: Bool
    package private(set) var text = ""

    package init(isVerbose: Bool) { self.isVerbose = isVerbose }

    /// Adds a line. A long one is broken between words and goes on indented.
    package mutating func line(_ line: String, indent: Int = 0) {
        let whole = String(repeating: " ", count: indent) + VisibleText.of(line, keeping: [])
        text += TerminalText.wrapped(whole, columns: Self.columns) + "\n"
    }

    /// Adds a heading with a blank line before it.
    package mutating func heading(_ heading: String) {
        if !text.isEmpty { text += "\n" }
        line(heading)
    }

    /// `base.xml:12, base.xml:40 and 3 more`.
    package func places(_ places: [SourceLocation]) -> String {
        let names = places.map { place in place.line.map { "\(place.file):\($0)" } ?? place.file }
        guard !isVerbose, names.count > Self.fewPlaces + 1 else { return names.joined(separator: ", ") }
        return names.prefix(Self.fewPlaces).joined(separator: ", ") + " and \(names.count - Self.fewPlaces) more"
    }

    /// `1 key`, `2 keys`.
    package static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
