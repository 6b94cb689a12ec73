extension SourceText {
    /// The offset of the first byte of a line, from 1; behind the last line the end of the text.
    package func offset(ofLine line: Int) -> Int {
        line < 1 ? lineStart(1) : line > lineCount ? bytes.count : lineStart(line)
    }

    /// The bytes that a location underlines; `nil` if it names no line. Columns beyond the line's end give that end.
    package func range(of location: SourceLocation) -> Range<Int>? {
        guard let line = location.line, line >= 1, line <= lineCount else { return nil }
        let end = endOfLine(line)
        var start = lineStart(line)
        for _ in 1..<max(location.column ?? 1, 1) where start < end { start += codePointLength(at: start) }
        var last = start
        for _ in 0..<max(location.length, 0) where last < end { last += codePointLength(at: last) }
        return min(start, end)..<min(last, end)
    }
}
