import Diagnostics
import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Builds the tree from the parser's events. The only file that touches an XML parser.
///
/// `XMLDocument` is not used anywhere: it reads external entities without being asked.
final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private let source: SourceText
    private let tags: TagIndex
    private let form: XMLForm
    private var nodes: [XMLTree.Node] = []
    private var open: [Int] = []
    private var failure: Diagnostic?

    private init(source: SourceText, tags: TagIndex, form: XMLForm) {
        self.source = source
        self.tags = tags
        self.form = form
        nodes.reserveCapacity(tags.tags.count)
    }

    static func nodes(
        of source: SourceText, tags: TagIndex, as form: XMLForm
    ) throws(InvalidInput) -> [XMLTree.Node] {
        let builder = XMLTreeBuilder(source: source, tags: tags, form: form)
        let parser = XMLParser(data: Data(visible(source.bytes, tags.hidden)))
        parser.delegate = builder
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        let done = parser.parse()
        if let failure = builder.failure { throw InvalidInput(failure) }
        guard done, builder.nodes.count == tags.tags.count else {
            // The scan has already passed tags and attributes, so what is left are characters and entities.
            throw InvalidInput(
                Diagnostic(
                    rule: form.rule, "the file is not well-formed XML near here",
                    remedy: "Look for a bare & (write &amp;), an unknown &entity; or a wrong XML declaration.",
                    at: SourceLocation(
                        file: source.file, line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))))
        }
        return builder.nodes
    }

    /// The bytes with blanks in the hidden ranges, so that all others keep their places.
    private static func visible(_ bytes: [UInt8], _ hidden: [Range<Int>]) -> [UInt8] {
        var bytes = bytes
        for range in hidden {
            for place in range where bytes[place] != UInt8(ascii: "\n") { bytes[place] = UInt8(ascii: " ") }
        }
        return bytes
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) {
        let index = nodes.count
        guard index < tags.tags.count else {
            failure = Diagnostic(rule: form.rule, "the parser sees more elements than the text has")
            parser.abortParsing()
            return
        }
        let attributes = tags.tags[index].attributes.map { place in
            let name = String(decoding: source.bytes[place.name], as: UTF8.self)
            return (name: name, value: attributeDict[name] ?? "")
        }
        nodes.append(XMLTree.Node(name: elementName, attributes: attributes))
        if let parent = open.last { nodes[parent].children.append(index) }
        open.append(index)
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        _ = open.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let node = open.last { nodes[node].text += string }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if let node = open.last { nodes[node].text += String(decoding: block, as: UTF8.self) }
    }
}
