import Markup
import Testing

/// HTML as tags, with the bytes of each.
struct HTMLScannerTests {
    @Test func `a tag has the bytes of itself, its names and its values`() throws {
        let bytes = Array("\u{FC}<A Href = \"x&amp;>y\" b c='' d=e>t".utf8)
        let tag = try #require(HTMLScanner.tag(in: bytes[...], at: 2))
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(text(tag.range) == "<A Href = \"x&amp;>y\" b c='' d=e>")
        #expect(tag.name == "a")
        #expect(tag.attributes.map(\.name) == ["href", "b", "c", "d"])
        #expect(tag.attributes.map(\.value) == ["x&>y", "", "", "e"])
        #expect(tag.attributes.map { text($0.nameRange) } == ["Href", "b", "c", "d"])
        #expect(tag.attributes.map { text($0.valueRange) } == ["x&amp;>y", "", "", "e"])
    }

    @Test func `a tag ends with the bytes that are given`() throws {
        let bytes = Array("<a b='1<c d=\"2\">".utf8)
        let tag = try #require(HTMLScanner.tag(in: bytes[..<7], at: 0))
        #expect(tag.attributes.map(\.value) == ["1"])
        #expect(tag.range == 0..<7)
        #expect(HTMLScanner.tag(in: "< a>".utf8.map { $0 }[...], at: 0) == nil)
    }

    @Test func `comments and scripts are not tags`() {
        let html = HTMLScanner("<p> a <!-- <b> &lt; -->\n b<SCRIPT>\"<i>\"</script> c")
        #expect(html.tags.map(\.name) == ["p", "script", "/script"])
        #expect(html.tags.map(\.textAfter) == ["a b", "", "c"])
        #expect(html.comments == ["<b> <"])
    }
}
