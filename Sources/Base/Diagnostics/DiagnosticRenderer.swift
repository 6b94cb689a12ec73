/// Writes findings for people: place and message, the line, a caret below the place in it, and the remedy.
///
/// ```
/// sign-in.json:3:5: error: `acquireTokn` is not a key of a step [B2C-SCN-002]
///   3 |     "acquireTokn": {},
///     |     ^^^^^^^^^^^^^
///   help: Did you mean `acquireToken`?
/// ```
///
/// Control characters that are in the input never reach the terminal: they are shown as `\u{1b}`. Nor do secrets that
/// are in the same line: they are shown as `***`.
public struct DiagnosticRenderer: Sendable {
    private let color: Bool
    private let sources: [SourceText]

    /// - Parameters:
    ///   - color: use ANSI colours.
    ///   - sources: texts whose lines may be shown; a place in any other file is named only.
    public init(color: Bool, sources: [SourceText]) {
        self.color = color
        self.sources = sources
    }

    /// All findings, a blank line between them.
    public func render(_ all: [Diagnostic]) -> String {
        var line: ShownLine?
        return all.map { render($0, &line) }.joined(separator: "\n\n")
    }

    /// From so many findings that differ in their places alone on, the first is shown and the other places are named.
    private static let fewestEqual = 3
    /// How many of the other places are named.
    private static let mostNamed = 3

    /// All findings, a blank line between them. Equal ones in several files are one, with the other files named.
    public func renderGrouped(_ all: [Diagnostic]) -> String {
        /// A finding without its place.
        struct UnplacedFinding: Hashable {
            let severity: Severity
            let rule: String
            let message: String
            let remedy: String?
        }
        func cause(_ finding: Diagnostic) -> UnplacedFinding {
            UnplacedFinding(
                severity: finding.severity, rule: finding.rule, message: finding.message, remedy: finding.remedy)
        }
        var groups: [UnplacedFinding: [Diagnostic]] = [:]
        for finding in all where finding.location != nil { groups[cause(finding), default: []].append(finding) }
        var isShown: Set<UnplacedFinding> = []
        var line: ShownLine?
        let blocks = all.compactMap { finding -> String? in
            let cause = cause(finding)
            guard finding.location != nil, let equal = groups[cause], equal.count >= Self.fewestEqual else {
                return render(finding, &line)
            }
            guard isShown.insert(cause).inserted else { return nil }
            return render(finding, &line) + "\n" + others(equal.dropFirst())
        }
        return blocks.joined(separator: "\n\n")
    }

    /// `  and 499 more files: b.json:5, c.json:5, d.json:5 ...`.
    private func others(_ findings: ArraySlice<Diagnostic>) -> String {
        let files = Set(findings.compactMap(\.location?.file)).count
        let noun = files == findings.count ? "file" : "place"
        let count = findings.count
        let shown = findings.prefix(Self.mostNamed).compactMap { finding in
            finding.location.map { place in place.line.map { "\(place.file):\($0)" } ?? place.file }
        }
        let more = count > Self.mostNamed ? " ..." : ""
        return "  and \(count) more \(noun)\(count == 1 ? "" : "s"): " + printable(shown.joined(separator: ", ")) + more
    }

    /// One finding, without a line feed at its end.
    public func render(_ diagnostic: Diagnostic) -> String {
        var line: ShownLine?
        return render(diagnostic, &line)
    }

    private func render(_ diagnostic: Diagnostic, _ line: inout ShownLine?) -> String {
        var diagnostic = diagnostic
        if let file = diagnostic.location?.file, sources.contains(where: { $0.file == file && $0.concealment != nil }) {
            diagnostic.message = Self.withoutQuotations(diagnostic.message)
            diagnostic.remedy = diagnostic.remedy.map { Self.withoutQuotations($0) }
        }
        var lines = [headline(diagnostic)]
        if let location = diagnostic.location { lines += excerpt(location, diagnostic.severity, &line) }
        if let remedy = diagnostic.remedy { lines.append("  " + paint("help:", .cyan) + " " + printable(remedy)) }
        return lines.joined(separator: "\n")
    }

    /// Words of a file are between quotation marks or backticks.
    package static func withoutQuotations(_ text: String) -> String {
        text.replacing(/`[^`]*`?/, with: "`\u{2026}`").replacing(/"[^"]*"?/, with: "\"\u{2026}\"")
    }

    private func headline(_ diagnostic: Diagnostic) -> String {
        let place = diagnostic.location.map { paint(printable($0.description) + ":", .bold) + " " } ?? ""
        let severity = paint(diagnostic.severity.rawValue + ":", style(diagnostic.severity))
        return "\(place)\(severity) \(printable(diagnostic.message)) [\(diagnostic.rule)]"
    }

    /// A line or a piece of one, as it is shown.
    struct ShownPiece {
        let text: [String]
        let first: Int
        let continues: Bool

        init(_ piece: (text: [Unicode.Scalar], first: Int, continues: Bool)) {
            text = shownPieces(piece.text)
            first = piece.first
            continues = piece.continues
        }

        var isWhole: Bool { first == 0 && !continues }
    }

    private typealias ShownLine = (file: String, line: Int, piece: ShownPiece)

    /// - Parameter last: The line of the finding before, often the same: its secrets are looked for once.
    private func excerpt(_ location: SourceLocation, _ severity: Severity, _ last: inout ShownLine?) -> [String] {
        guard let line = location.line, let source = sources.first(where: { $0.file == location.file }) else {
            return []
        }
        if let reason = source.concealment { return ["  " + paint("note:", .cyan) + " " + printable(reason)] }
        if last?.piece.isWhole != true || last?.line != line || last?.file != location.file {
            last = source.piece(ofLine: line, around: location.column ?? 1).map {
                (location.file, line, ShownPiece($0))
            }
        }
        guard let piece = last?.piece else { return [] }
        let number = String(line)
        let gutter = String(repeating: " ", count: number.count)
        guard let column = location.column else {
            return ["  \(number) | \(piece.text.joined())\(piece.continues ? "\u{2026}" : "")"]
        }
        let window = Window(piece, column: column, length: location.length)
        return [
            "  \(number) | \(window.shown)",
            "  \(gutter) | \(window.padding)\(paint(window.underline, style(severity)))",
        ]
    }

    /// The part of a line around a column: minified files have lines of a megabyte.
    struct Window {
        var shown = ""
        var padding = ""
        var underline = ""

        init(_ piece: ShownPiece, column: Int, length: Int) {
            let text = piece.text
            let isShort = text.count <= 160 && piece.isWhole
            let mark = min(max(column - 1 - piece.first, 0), text.count)
            let markEnd = min(mark + min(max(length, 1), 80), max(text.count, mark + 1))
            let start = isShort ? 0 : max(0, mark - 60)
            let end = isShort ? text.count : min(text.count, max(start + 140, markEnd))
            if start > 0 || piece.first > 0 { add("\u{2026}", at: start - 1, mark, markEnd) }
            for index in start..<max(end, start) { add(text[index], at: index, mark, markEnd) }
            if end < text.count || piece.continues { shown += "\u{2026}" }
            if underline.isEmpty { underline = "^" }
        }

        private mutating func add(_ piece: String, at index: Int, _ mark: Int, _ markEnd: Int) {
            shown += piece
            let width = piece.unicodeScalars.count
            if index < mark {
                padding += piece == "\t" ? "\t" : String(repeating: " ", count: width)
            } else if index < markEnd {
                underline += String(repeating: "^", count: width)
            }
        }
    }

    private enum ANSIStyle: String {
        case bold = "1"
        case red = "1;31"
        case yellow = "1;33"
        case cyan = "1;36"
    }

    private func style(_ severity: Severity) -> ANSIStyle {
        switch severity {
        case .error: .red
        case .warning: .yellow
        case .advice: .cyan
        }
    }

    private func paint(_ text: String, _ style: ANSIStyle) -> String {
        color ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }
}

private func printable(_ text: String) -> String { VisibleText.of(text) }

/// Hidden characters spelt out, a tab and everything else as it is.
private func printable(_ scalar: Unicode.Scalar) -> String {
    scalar != "\t" && VisibleText.isHidden(scalar) ? VisibleText.spelt(scalar) : String(Character(scalar))
}

/// The characters of a line for showing it: those of a secret as one mark, at the place where the secret begins.
private func shownPieces(_ text: [Unicode.Scalar]) -> [String] {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for scalar in text {
        starts.append(bytes.count)
        bytes += Array(String(Character(scalar)).utf8)
    }
    var pieces = text.map { printable($0) }
    var index = 0
    for spot in SecretText.spots(in: bytes) {
        while index < starts.count, starts[index] < spot.range.lowerBound { index += 1 }
        var isFirst = true
        while index < starts.count, starts[index] < spot.range.upperBound {
            pieces[index] = isFirst ? "***" : ""
            isFirst = false
            index += 1
        }
    }
    return pieces
}
