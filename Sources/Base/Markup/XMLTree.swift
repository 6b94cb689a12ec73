import Diagnostics

/// An XML text as elements in document order, with the place of each.
package struct XMLTree {
    package struct Node {
        package let name: String
        /// In document order, entities resolved.
        package var attributes: [(name: String, value: String)]
        /// Indices of child elements, in order.
        package var children: [Int] = []
        /// Own text, with CDATA and without the text of children.
        package var text: String = ""
    }

    package let source: SourceText
    package let tags: TagIndex
    /// In order of their start tags; the root is first.
    package var nodes: [Node]

    /// Reads a text that is UTF-8: bounded depth, well-formed.
    package init(_ source: SourceText, as form: XMLForm) throws(InvalidInput) {
        let tags = try TagIndex(source, as: form)
        self.nodes = try XMLTreeBuilder.nodes(of: source, tags: tags, as: form)
        self.source = source
        self.tags = tags
    }

    /// Place of an element's start tag.
    package func location(of node: Int) -> SourceLocation {
        let tag = tags.tags[node]
        return source.location(at: tag.start, byteLength: tag.name.upperBound - tag.start)
    }

    /// Place of an attribute's value.
    package func location(ofValue attribute: Int, of node: Int) -> SourceLocation {
        let value = tags.tags[node].attributes[attribute].value
        return source.location(at: value.lowerBound, byteLength: value.count)
    }

    /// Place of an attribute's name.
    package func location(ofName attribute: Int, of node: Int) -> SourceLocation {
        let name = tags.tags[node].attributes[attribute].name
        return source.location(at: name.lowerBound, byteLength: name.count)
    }

    /// The text of an element as written in the file, from its start tag to its end tag.
    package func raw(_ node: Int) -> String {
        let tag = tags.tags[node]
        return String(decoding: source.bytes[tag.start..<tag.end], as: UTF8.self)
    }
}
