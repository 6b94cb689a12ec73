/// The lines of a file around a place, for reports: hidden characters are spelt, secrets are `***`, long lines are cut.
public struct SourceExcerpt: Hashable, Sendable {
    /// Number of the first line, from 1.
    public var first: Int
    /// The lines as they are shown.
    public var lines: [String]
    /// The number of the underlined line, from 1.
    public var line: Int
    /// Where the underline begins in the shown line, from 1, in code points.
    public var column: Int
    /// Code points to underline.
    public var length: Int

    /// An excerpt that was made before.
    public init(first: Int, lines: [String], line: Int, column: Int, length: Int) {
        self.first = first
        self.lines = lines
        self.line = line
        self.column = column
        self.length = length
    }

    /// - Parameters:
    ///   - source: The file, or a text that was made from it.
    ///   - location: A place in the file.
    ///   - around: How many lines before and after it.
    /// - Returns: `nil` if the place has no line, or is in another file.
    public init?(of source: SourceText, at location: SourceLocation, around: Int = 3) {
        let source = source.written
        guard source.file == location.file, let line = location.line,
            let piece = source.piece(ofLine: line, around: location.column ?? 1)
        else { return nil }
        let window = DiagnosticRenderer.Window(
            DiagnosticRenderer.ShownPiece(piece), column: location.column ?? 1, length: location.length)
        var first = line
        var lines = [window.shown]
        while first > 1, first > line - around, let piece = source.piece(ofLine: first - 1, around: 1) {
            first -= 1
            lines.insert(Self.shown(piece), at: 0)
        }
        var last = line
        while last < line + around, let piece = source.piece(ofLine: last + 1, around: 1) {
            last += 1
            lines.append(Self.shown(piece))
        }
        // A line feed at the end of a file begins no line.
        if last > line, lines.last?.isEmpty == true { lines.removeLast() }
        self.init(
            first: first, lines: lines, line: line, column: window.padding.unicodeScalars.count + 1,
            length: max(window.underline.unicodeScalars.count, 1))
    }

    private static func shown(_ piece: (text: [Unicode.Scalar], first: Int, continues: Bool)) -> String {
        DiagnosticRenderer.Window(DiagnosticRenderer.ShownPiece(piece), column: 1, length: 1).shown
    }
}
