import Diagnostics
import Markup
import Testing

/// XML texts as tags with places, and as trees.
struct XMLTreeTests {
    private static let strict = XMLForm(rule: "R", documentTypeRemedy: "Remove it.")
    private static let list = XMLForm(rule: "R", documentTypeRemedy: "Remove it.", passesOverDocumentType: true)
    private static let claim = XMLForm(rule: "R", documentTypeRemedy: "Remove it.", isDecoded: true)

    private static func source(_ text: String) -> SourceText { SourceText(file: "f", bytes: Array(text.utf8)) }

    /// The fault of a text with its place; `nil` if it is read.
    private static func fault(_ text: String, _ form: XMLForm) -> String? {
        do throws(InvalidInput) {
            _ = try XMLTree(source(text), as: form)
            return nil
        } catch {
            let place = error.diagnostics.first?.location
            return "\(place?.line ?? 0):\(place?.column ?? 0) \(error.diagnostics.first?.message ?? "")"
        }
    }

    @Test func `a tag knows its body, its end and whether it ends itself`() throws {
        let source = Self.source("\u{FEFF}<?xml version='1.0'?>\n<a b=\"1\" >x<c/><d><!-- > --></d>y</a >\n")
        let tags = try TagIndex(source, as: Self.strict).tags
        #expect(tags.map { source.text($0.name) } == ["a", "c", "d"])
        #expect(tags.map { source.text($0.body) } == ["x<c/><d><!-- > --></d>y", "", "<!-- > -->"])
        #expect(tags.map { source.text($0.start..<$0.end) }.dropFirst() == ["<c/>", "<d><!-- > --></d>"])
        #expect(tags.map(\.endsItself) == [false, true, false])
        #expect(tags[0].end == source.bytes.count - 1)
        #expect(tags[0].attributes.map { source.text($0.name) + source.text($0.value) } == ["b1"])
    }

    @Test func `a tree has attributes in order, text without that of children, and places`() throws {
        let tree = try XMLTree(
            Self.source("<a z='&lt;1&#x41;' b='2'>\n x&amp;<c>in</c><![CDATA[<&]]> </a>"), as: Self.strict)
        #expect(tree.nodes.map(\.name) == ["a", "c"])
        #expect(tree.nodes[0].attributes.map { "\($0.name)=\($0.value)" } == ["z=<1A", "b=2"])
        #expect(tree.nodes[0].text == "\n x&<& ")
        #expect(tree.nodes[0].children == [1])
        #expect(tree.raw(1) == "<c>in</c>")
        #expect(tree.location(of: 1).line == 2)
        #expect(tree.location(ofValue: 1, of: 0).column == 23)
        #expect(tree.location(ofName: 1, of: 0).column == 20)
    }

    @Test(
        arguments: [
            ("<a><b></a>", "1:7 the end tag </a> is in the place where <b> of line 1 must end"),
            ("<a b='&x;'/>", "1:7 XML has no entity &x;"), ("<a>&#+65;</a>", "1:4 a bare & stands here"),
            ("<a>\n&#xD800;</a>", "2:1 XML has no entity &#xD800;"),
            (
                "<!DOCTYPE a><a/>",
                "1:1 a document type declaration is refused: it can name files and grow without bound"
            ),
        ])
    func `a fault has its place`(_ text: String, _ fault: String) {
        #expect(Self.fault(text, Self.strict) == fault)
    }

    /// A parser must not see a document type: it could read what that names.
    @Test(
        arguments: [
            ("<!DOCTYPE a PUBLIC \"-//X//DTD A 1.0//EN\" \"http://localhost:1/a.dtd\">\n<a>1</a>", true),
            ("<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", true),
            ("<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>", false), ("<!DOCTYPE a [\n]><a/>", false),
            ("<a><!DOCTYPE a></a>", false), ("<a/><!DOCTYPE a>", false), ("<!ELEMENT a ANY><a/>", false),
            ("<!DOCTYPE a", false),
        ])
    func `a document type is passed over where the form says so and it declares nothing`(_ text: String, _ isRead: Bool)
    {
        #expect((Self.fault(text, Self.list) == nil) == isRead)
        #expect(Self.fault(text, Self.strict) != nil)
    }

    @Test func `a string has no encoding, whatever its declaration says`() throws {
        let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<a>\u{FC}</a>"
        #expect(try XMLTree(Self.source(text), as: Self.claim).nodes[0].text == "\u{FC}")
    }

    @Test(
        arguments: [
            ("<a b='1' c='2'><broken", "a", ["b", "c"], true), ("<!-- -- --> & <a b='1'>", "a", ["b"], false),
            ("<a b='1' c=2>", "a", ["b"], false), ("<a b='1'", "a", ["b"], false), ("<a", "a", [], false),
            ("\u{FEFF}<?xml version='1.0'?><!-- < --><a/>", "a", [], true),
        ] as [(String, String, [String], Bool)])
    func `a root is read as far as it goes`(
        _ text: String, _ name: String, _ attributes: [String], _ isWellFormed: Bool
    ) {
        let source = Self.source(text)
        let root = TagIndex.root(of: source.bytes, as: Self.strict)
        #expect(root.map { source.text($0.tag.name) } == name)
        #expect(root?.tag.attributes.map { source.text($0.name) } == attributes)
        #expect(root?.isWellFormed == isWellFormed)
    }

    @Test(arguments: ["", "text", "<!-- ", "<!DOCTYPE a><a/>", "</a>"])
    func `a text that begins with no tag has no root`(_ text: String) {
        #expect(TagIndex.root(of: Array(text.utf8), as: Self.strict) == nil)
    }

    @Test func `tags before a fault are there`() {
        let source = Self.source("<a><b/>\n<c></a>")
        let (index, fault) = TagIndex.readable(source, as: Self.strict)
        #expect(index.tags.map { source.text($0.name) } == ["a", "b", "c"])
        #expect(fault?.location?.line == 2)
    }
}
