import Diagnostics
import Markup
import Testing

/// Elements of texts that are being written.
struct MarkupOutlineTests {
    private func outline(_ text: String) -> MarkupOutline {
        MarkupOutline(SourceText(file: "a.xml", bytes: Array(text.utf8)))
    }

    /// `a(b Id=x, c!)`: elements with attributes and what is in them; `!` has no end tag.
    private func tree(_ outline: MarkupOutline) -> String {
        func text(_ element: Int) -> String {
            let item = outline.elements[element]
            let attributes = item.attributes.map {
                " \(outline.source.text($0.name))=\(outline.source.text($0.value))"
            }
            let children = item.children.map(text).joined(separator: ", ")
            return outline.name(element) + (item.isClosed ? "" : "!") + attributes.joined()
                + (children.isEmpty ? "" : "(\(children))")
        }
        return outline.elements.indices.filter { outline.elements[$0].parent == nil }.map(text)
            .joined(separator: ", ")
    }

    @Test(
        arguments: [
            ("", ""), ("text", ""), ("<a/>", "a"), ("<a></a>", "a"), ("<a><b Id=\"x\"/><c></c></a>", "a(b Id=x, c)"),
            ("\u{FEFF}<?xml version=\"1.0\"?>\r\n<a\r\n  b='1'\r\n>\r\n</a>", "a b=1"),
            ("<!-- <x> --><a><![CDATA[<y>]]></a><!DOCTYPE z>", "a"), ("<a b=\"1>2\n3\"/>", "a b=1>2\n3"),
            // What has no end.
            ("<a><b></a>", "a(b!)"), ("<a><b><c></a>", "a(b!(c!))"), ("<a", "a!"), ("<a><b", "a!(b!)"), ("<", ""),
            ("<a></b></a>", "a"), ("</a>", ""), ("<a></", "a!"), ("<a></a", "a"), ("<a></a\n<b/>", "a, b"),
            // A start tag that is cut off holds what follows only if its end tag comes.
            ("<a>\n<b\n<c/></a>", "a(b!, c)"), ("<a><b Id=\"x\"\n<c/></b></a>", "a(b Id=x(c))"),
            ("<a><\n<b/></a>", "a(b)"), ("<a><b <c <d/></a>", "a(b!, c!, d)"),
            // Quotes that are not closed, and attributes without a value.
            ("<a><b Id=\"x>\n<c Id=\"y\"/></b></a>", "a(b Id=x(c Id=y))"),
            ("<a Id=\"x\n  Name=\"y\"/>", "a Id=x Name=y"), ("<a Id=\"x<b/>", "a! Id=x, b"),
            ("<a b c=\"1\"/>", "a b= c=1"), ("<a b=/>", "a b="), ("<a b= c=\"1\"/>", "a b= c=1"),
            ("<a b=1 c=2/>", "a b=1 c=2"), ("<a \"b\"/>", "a b="),
            // What is passed over and has no end.
            ("<a>\n<!-- x\n<b/>\n</a>", "a(b)"), ("<a><!-- x\n<!-- y -->\n<b/></a>", "a(b)"), ("<a/><!--", "a"),
            ("<a>\n<![CDATA[ x\n<b/></a>", "a(b)"), ("<?xml\n<a/>", "a"),
        ])
    func `what can be read of a broken text is read`(_ text: String, _ expected: String) {
        #expect(tree(outline(text)) == expected)
    }

    @Test(
        arguments: [
            ("<a> x \n</a>", "x"), ("<a>1 &lt; &#50;&amp;</a>", "1 < 2&"), ("<a/>", nil), ("<a> </a>", nil),
            ("<a><![CDATA[ <x> & ]]></a>", "<x> &"), ("<a>1<![CDATA[2]]></a>", nil), ("<a>1<!-- 2 --></a>", "1"),
            ("<a>1<!-- 2 -->3</a>", nil), ("<a>1<b/></a>", nil), ("<a>1", "1"), ("<a><![CDATA[]]></a>", nil),
        ] as [(String, String?)])
    func `the text of an element has no blanks around it`(_ text: String, _ expected: String?) {
        #expect(outline(text).text(0)?.text == expected)
    }

    @Test func `values have their references resolved`() {
        let outline = outline("<a Id=\"x&quot;y\" Id2='z'/>")
        #expect(outline.value(0, "Id") == "x\"y")
        #expect(outline.valueRange(0, "Id2") == 22..<23)
        #expect(outline.value(0, "id") == nil)
    }

    /// `|` is where the person types.
    @Test(
        arguments: [
            ("<a><|</a>", "name in a ''"), ("<a><b|</a>", "name in a 'b'"), ("<|", "name ''"),
            ("<a><b|\n<c/></a>", "name in a 'b'"), ("<a></|", "end of a ''"), ("<a><b></b|></a>", "end of b 'b'"),
            ("<a |/>", "attribute of a ''"), ("<a I|d=\"x\"/>", "attribute of a 'Id'"),
            ("<a Id=\"x\" |>", "attribute of a ''"), ("<a Id=\"x\"|>", "other"), ("<a Id=\"x\"/|>", "other"),
            ("<a Id=|\"x\">", "other"), ("<a Id= |'x'>", "other"), ("<a Id=\"x|y\"/>", "Id of a 'xy'"),
            ("<a Id=\"|\"/>", "Id of a ''"), ("<a Id=|/>", "Id of a ''"), ("<a Id=\"|\n</a>", "Id of a ''"),
            ("<a>x|y</a>", "text in a 'xy'"), ("<a>\n|\n</a>", "text in a ''"), ("<a><b/>|</a>", "text in a ''"),
            ("<a/>|", "text ''"), ("<a>|", "text in a ''"), ("|<a/>", "text ''"), ("<a><!-- | --></a>", "other"),
            ("<a><![CDATA[|]]></a>", "other"), ("<?xml |?>", "other"), ("<a><!-- |", "other"), ("|", "text ''"),
        ])
    func `what is typed at a place is known`(_ marked: String, _ expected: String) throws {
        let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
        let outline = outline(parts.joined())
        func text(_ range: Range<Int>) -> String { "'\(outline.source.text(range))'" }
        func name(_ element: Int?, _ word: String) -> String { element.map { " \(word) \(outline.name($0))" } ?? "" }
        let found =
            switch outline.spot(at: parts[0].utf8.count) {
            case .elementName(let parent, let typed): "name\(name(parent, "in")) \(text(typed))"
            case .endTag(let element, let typed): "end\(name(element, "of")) \(text(typed))"
            case .attributeName(let element, let typed): "attribute\(name(element, "of")) \(text(typed))"
            case .attributeValue(let element, let attribute, let typed):
                outline.source.text(outline.elements[element].attributes[attribute].name)
                    + "\(name(element, "of")) \(text(typed))"
            case .text(let element, let typed): "text\(name(element, "in")) \(text(typed))"
            case .other: "other"
            }
        #expect(found == expected)
    }

    @Test func `the innermost element is found`() {
        let outline = outline("<a> <b><c/></b> </a> ")
        let names = (0...21).map { outline.element(at: $0).map(outline.name) ?? "-" }
        #expect(names.joined() == "aaaabbbccccbbbbaaaaa--")
        #expect(outline.path(2) == [2, 1, 0])
        #expect(outline.element(at: .max) == nil)
        #expect(outline.element(at: .min).map(outline.name) == "a")
    }

    @Test(
        arguments: [
            "<a>", "</a>", "<a ", "<", "<!--\n", "<![CDATA[\n", "<a b=\"'c\n", "<a></b>", "<a b=", "<a b='\" c=\"' ",
            "&",
        ])
    func `many faults are read in one pass`(_ fault: String) {
        let outline = outline(String(repeating: fault, count: 20_000))
        let size = outline.source.bytes.count
        #expect(
            outline.elements.allSatisfy {
                $0.start < $0.tagEnd && $0.tagEnd <= $0.end && $0.end <= size && $0.body.upperBound <= $0.end
            })
        #expect(outline.elements.indices.prefix(200).allSatisfy { outline.path($0).count <= 65 })
    }
}
