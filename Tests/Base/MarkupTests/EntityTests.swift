import Markup
import Testing

/// Characters that are markup, written as references.
struct EntityTests {
    @Test(
        arguments: [
            ("", .all, ""), ("plain \u{FC} \u{1F600}", .all, "plain \u{FC} \u{1F600}"),
            ("<a href='x?y&z'>\"", .all, "&lt;a href=&#39;x?y&amp;z&#39;&gt;&quot;"),
            ("<a href='x?y&z'>\"", .content, "&lt;a href='x?y&amp;z'&gt;\""),
            ("<a href='x?y&z'>\"", .less, "&lt;a href='x?y&z'>\""), ("'\"", .content, "'\""),
            // A combining mark after it does not make it another character for a browser.
            ("<\u{338}b", .content, "&lt;\u{338}b"), ("&lt;", .all, "&amp;lt;"),
            ("a\r\n\t\u{1}b", .all, "a\r\n\t\u{1}b"),
        ] as [(String, HTMLEntities.Characters, String)])
    func `HTML has references for the characters of a set`(
        _ text: String, _ characters: HTMLEntities.Characters, _ expected: String
    ) {
        #expect(HTMLEntities.escaped(text, characters) == expected)
    }

    @Test(
        arguments: [
            ("", [], ""), ("plain \u{FC} \u{FFFD}", .attribute, "plain \u{FC} \u{FFFD}"),
            ("<a b=\"c\">&'", [], "&lt;a b=\"c\"&gt;&amp;'"),
            ("<a b=\"c\">&'", .quotes, "&lt;a b=&quot;c&quot;&gt;&amp;'"), ("a\r\n\tb\u{1}", [], "a&#13;\n\tb\u{1}"),
            ("a\r\n\tb", .attribute, "a&#13;&#10;&#9;b"),
            (
                "\u{0}\u{1F}\u{20}\u{7F}\u{FFFD}\u{FFFE}\u{FFFF}\n", .invalid,
                "\u{FFFD}\u{FFFD} \u{7F}\u{FFFD}\u{FFFD}\u{FFFD}\n"
            ),
            ("\u{FFFE}", [], "\u{FFFE}"), ("\u{FFFC}\u{FEFF}", .invalid, "\u{FFFC}\u{FEFF}"),
        ] as [(String, XMLEntities.Additions, String)])
    func `XML has references for what a reader would change`(
        _ text: String, _ additions: XMLEntities.Additions, _ expected: String
    ) {
        #expect(Array(XMLEntities.escaped(text, also: additions).utf8) == Array(expected.utf8))
    }

    @Test(
        arguments: [
            ("a &amp;&lt;&gt;&quot;&apos;", "a &<>\"'", "a &<>\"'"), ("&nbsp;", "\u{A0}", "&nbsp;"),
            ("&#252;&#xFC;&#x1F600;", "\u{FC}\u{FC}\u{1F600}", "\u{FC}\u{FC}\u{1F600}"), ("&#Xfc;", "\u{FC}", "&#Xfc;"),
            (
                "a & b && &; &x; &#; &#x; &#+5; &#xD800; &amp", "a & b && &; &x; &#; &#x; &#+5; &#xD800; &amp",
                "a & b && &; &x; &#; &#x; &#+5; &#xD800; &amp"
            ),
            ("&amp;lt;", "&lt;", "&lt;"), ("&&lt;\u{301};", "&<\u{301};", "&<\u{301};"),
        ])
    func `references become characters`(_ text: String, _ html: String, _ xml: String) {
        #expect(HTMLEntities.unescaped(Array(text.utf8)[...]) == html)
        #expect(XMLEntities.unescaped(text) == xml)
    }

    @Test func `what is written is read as the same text`() {
        let text = "<a b='c'>\"&amp; \u{FC}\u{338}</a>"
        #expect(HTMLEntities.unescaped(Array(HTMLEntities.escaped(text).utf8)[...]) == text)
        #expect(XMLEntities.unescaped(XMLEntities.escaped(text, also: .attribute)) == text)
    }
}
