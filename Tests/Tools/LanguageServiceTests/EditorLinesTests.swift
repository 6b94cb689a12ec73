import LanguageService
import Testing

/// Places of an editor: lines from 0 and UTF-16 code units.
struct EditorLinesTests {
    private static let texts = [
        "", "\n", "a", "a\r\nb\r\n", "😀x\r\n\u{E4}😀\u{E4}\n\ttab", "\u{FEFF}<a>\r\n</a>", "x\ry\nz\r", "\r\r\n\n\r",
        "\u{1F469}\u{200D}\u{1F4BB}",
    ]

    @Test(arguments: texts)
    func `a position leads back to its offset`(_ text: String) {
        let bytes = Array(text.utf8)
        let lines = EditorLines(bytes)
        var offset = 0
        for scalar in text.unicodeScalars {
            defer { offset += String(scalar).utf8.count }
            // A mark at the beginning belongs to no line, and a line's end has one place.
            if offset == 0, scalar == "\u{FEFF}" { continue }
            let (line, unit) = lines.position(at: offset)
            let isInLineEnd = scalar == "\n" && offset > 0 && bytes[offset - 1] == 0x0D
            #expect(lines.offset(line: line, unit: unit) == (isInLineEnd ? offset - 1 : offset), "\(offset)")
        }
        let (line, unit) = lines.position(at: bytes.count)
        #expect(lines.offset(line: line, unit: unit) == bytes.count)
    }

    @Test(arguments: [
        (0, 0, 0), (0, 1, 0), (0, 2, 4), (0, 3, 5), (0, 4, 5), (1, 0, 7), (1, 1, 9), (1, 99, 14), (2, 1, 16),
        (3, 2, 20),
        (9, 0, 22), (-1, 5, 0),
    ])
    func `units are those of UTF-16, and a carriage return ends a line`(_ line: Int, _ unit: Int, _ offset: Int) {
        let lines = EditorLines(Array("😀x\r\nä😀 \nab\rlast".utf8))
        #expect(lines.offset(line: line, unit: unit) == offset)
    }

    @Test func `a byte order mark counts in a text that was sent`() {
        let bytes = Array("\u{FEFF}a\nb".utf8)
        let (file, sent) = (EditorLines(bytes), EditorLines(bytes, countsMark: true))
        #expect((0...2).map { file.offset(line: 0, unit: $0) } == [3, 4, 4])
        #expect((0...2).map { sent.offset(line: 0, unit: $0) } == [0, 3, 4])
        #expect(sent.position(at: 3) == (0, 1))
        #expect(sent.position(at: 5) == (1, 0))
    }

    @Test func `bytes that are not UTF-8 count one each`() {
        let lines = EditorLines([0xFF, 0xF0, 0x9F, 0x0A, 0xC3])
        #expect(lines.position(at: 3).unit == 3)
        #expect(lines.offset(line: 1, unit: 1) == 5)
        #expect(lines.offset(line: 0, unit: 2) == 2)
    }
}
