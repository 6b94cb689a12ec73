import Diagnostics
import Testing

@Suite struct SourceTextTests {
    @Test(arguments: [
        (0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 2), (6, 2, 3), (10, 2, 4), (11, 3, 1), (12, 3, 2), (99, 3, 2),
        (-5, 1, 1),
    ])
    func `columns count code points`(offset: Int, line: Int, column: Int) {
        let text = SourceText(file: "a", bytes: Array("ab\nxé😀\nz".utf8))
        #expect(text.position(at: offset) == (line, column))
    }

    @Test func `a byte order mark takes no column`() {
        let text = SourceText(file: "a", bytes: [0xEF, 0xBB, 0xBF] + Array("{}\n".utf8))
        #expect(text.position(at: 3) == (1, 1))
        #expect(text.position(at: 0) == (1, 1))
        #expect(text.line(1) == "{}")
        #expect(text.line(2) == "")
        #expect(text.line(3) == nil)
        #expect(text.line(0) == nil)
    }

    @Test func `a carriage return belongs to the end of the line`() {
        let text = SourceText(file: "a", bytes: Array("one\r\ntwo\r\n".utf8))
        #expect(text.line(1) == "one")
        #expect(text.line(2) == "two")
        #expect(text.lineCount == 3)
        #expect(text.position(at: 5) == (2, 1))
    }

    @Test func `bytes that are not text count one each`() {
        let text = SourceText(file: "a", bytes: [0xFF, 0xC3, 0x28, 0xF0, 0x9F])
        #expect(text.position(at: 5) == (1, 6))
        #expect(SourceText(file: "a", bytes: []).position(at: 7) == (1, 1))
    }

    @Test func `an underline ends with its line`() {
        let text = SourceText(file: "a", bytes: Array("\"é\" x\nnext".utf8))
        #expect(text.location(at: 0, byteLength: 4).length == 3)
        #expect(text.location(at: 5, byteLength: 50).length == 1)
        #expect(text.location(at: 2_000).line == 2)
    }
}
