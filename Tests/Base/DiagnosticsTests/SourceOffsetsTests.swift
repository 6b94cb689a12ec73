import Diagnostics
import Testing

/// The bytes of locations.
struct SourceOffsetsTests {
    @Test(arguments: [(0, 4, "😀"), (4, 1, "x"), (7, 2, "ä"), (9, 4, "😀"), (15, 4, "abcd")])
    func `a location covers the bytes that it was made of`(_ offset: Int, _ length: Int, _ text: String) throws {
        let source = SourceText(file: "x", bytes: Array("😀x\r\nä😀 \nabcd\nlast".utf8))
        let range = try #require(source.range(of: source.location(at: offset, byteLength: length)))
        #expect(String(decoding: source.bytes[range], as: UTF8.self) == text)
    }

    @Test func `a location beyond the text has the nearest bytes or none`() {
        let source = SourceText(file: "x", bytes: Array("ab\ncd".utf8))
        #expect(source.range(of: SourceLocation(file: "x")) == nil)
        #expect(source.range(of: SourceLocation(file: "x", line: 3, column: 1)) == nil)
        #expect(source.range(of: SourceLocation(file: "x", line: 1, column: 9, length: 5)) == 2..<2)
        #expect(source.range(of: SourceLocation(file: "x", line: 2, column: 2, length: 99)) == 4..<5)
    }
}
