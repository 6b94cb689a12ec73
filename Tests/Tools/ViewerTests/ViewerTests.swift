import JSON
import TestSupport
import Testing
import Viewer

@Suite struct ViewerTests {
    private static func source(_ name: String) throws -> String {
        String(decoding: try TestFiles.bytes("Sources/Tools/Viewer/\(name)"), as: UTF8.self)
    }

    @Test(arguments: [
        (Viewer.ViewerPage.report, "report.js", "trace.js"), (.trace, "trace.js", "report.js"),
        (.findings, "findings.js", "report.js"),
    ])
    func `a page is its files and its data, and loads nothing`(
        _ kind: Viewer.ViewerPage, _ script: String, _ other: String
    ) throws {
        let page = Viewer.page(kind, title: "A title", data: ["a": 1])
        for file in ["page.css", "records.css", "records.js", script] {
            #expect(page.contains(try Self.source(file).dropLast()), "\(file)")
        }
        #expect(!page.contains(try Self.source(other).dropLast()))
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n") && page.contains("{\"a\":1}"))
        for mark in ["TITLE", "STYLE", "DATA", "RECORDS", "SCRIPT"] {
            #expect(!page.contains("/*\(mark)*/"), "\(mark)")
        }
        #expect(page.contains("<title>A title</title>") && page.contains("default-src 'none'"))
        #expect(!page.contains("<link") && !page.contains(" src=") && !page.contains("innerHTML"))
    }

    @Test func `no text ends a script, starts markup or turns the title round`() {
        let hostile = "</script></title><script>alert(1)\u{2028}\u{202e}/*SCRIPT*/"
        let page = Viewer.page(.trace, title: hostile, data: [.string(hostile)])
        #expect(!page.contains("<script>alert") && !page.contains("\u{2028}") && !page.contains("\u{202e}"))
        #expect(page.contains("&lt;/title&gt;") && page.contains("\\u{202e}"))
    }
}
