import TestSupport
import Testing

@Suite struct GoldenTests {
    @Test func `a difference shows the lines between the common ends`() {
        #expect(lineDifference(expected: "a\nb\nc\nd", found: "a\nx\ny\nd") == "line 2:\n- b\n- c\n+ x\n+ y")
        #expect(lineDifference(expected: "a", found: "a\nb") == "line 2:\n+ b")
        let long = (0..<100).map(String.init).joined(separator: "\n")
        #expect(lineDifference(expected: "", found: long, limit: 2) == "line 1:\n- \n+ 0\n+ 1\n+ ... 98 more lines")
    }

    @Test func `files are found from the root of the repository`() throws {
        #expect(try TestFiles.bytes("Package.swift").starts(with: "// swift-tools-version".utf8))
    }
}
