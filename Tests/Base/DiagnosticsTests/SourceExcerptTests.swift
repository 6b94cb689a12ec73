import Diagnostics
import Testing

struct SourceExcerptTests {
    private func excerpt(_ text: String, line: Int?, column: Int? = 1, length: Int = 1, around: Int = 1)
        -> SourceExcerpt?
    {
        SourceExcerpt(
            of: SourceText(file: "a.json", bytes: Array(text.utf8)),
            at: SourceLocation(file: "a.json", line: line, column: column, length: length), around: around)
    }

    @Test(arguments: [
        // text, line, first line shown, lines shown
        ("one\ntwo\nthree\nfour\n", 2, 1, ["one", "two", "three"]),
        ("one\ntwo\nthree\nfour\n", 1, 1, ["one", "two"]),
        ("one\ntwo\nthree\nfour\n", 4, 3, ["three", "four"]),
        ("one\ntwo", 2, 1, ["one", "two"]),
        ("one", 1, 1, ["one"]),
        ("one\r\ntwo\r\n", 1, 1, ["one", "two"]),
    ])
    func `an excerpt has the lines around a place`(_ text: String, _ line: Int, _ first: Int, _ lines: [String]) throws
    {
        let found = try #require(excerpt(text, line: line))
        #expect(found.first == first && found.lines == lines && found.line == line && found.column == 1)
    }

    @Test func `secrets and hidden characters are not shown, and the caret moves with them`() throws {
        let text = "{ \"password\": \"Analytical-1843\", \"name\": \"Bob\" }"
        let column =
            try #require(text.firstRange(of: "\"Bob\"").map { text.distance(from: text.startIndex, to: $0.lowerBound) })
            + 1
        let found = try #require(excerpt(text, line: 1, column: column, length: 5))
        let line = try #require(found.lines.first)
        #expect(!line.contains("Analytical"))
        let shown = line.dropFirst(found.column - 1).prefix(found.length)
        #expect(shown == "\"Bob\"", "\(line)")
        #expect(try #require(excerpt("a\u{202e}b\n", line: 1)).lines == ["a\\u{202e}b"])
    }

    @Test func `a long line is cut around the place`() throws {
        let text = String(repeating: "x", count: 5000) + "HERE" + String(repeating: "y", count: 5000)
        let found = try #require(excerpt(text, line: 1, column: 5001, length: 4))
        let line = try #require(found.lines.first)
        #expect(line.count < 300 && line.dropFirst(found.column - 1).prefix(found.length) == "HERE")
    }

    @Test func `a place without a line, or in another file, has none`() {
        #expect(excerpt("one\n", line: nil) == nil)
        #expect(excerpt("one\n", line: 9) == nil)
        let other = SourceLocation(file: "b.json", line: 1, column: 1)
        #expect(SourceExcerpt(of: SourceText(file: "a.json", bytes: [0x61]), at: other) == nil)
    }
}
