import Diagnostics
import Markup

/// One element of a tree that has passed the grammar, read by name.
struct ElementCursor {
    let tree: XMLTree
    let index: Int

    var name: String { tree.nodes[index].name }
    var location: SourceLocation { tree.location(of: index) }
    /// Own text, trimmed.
    var text: String { trimmed(tree.nodes[index].text) }
    /// The element's own text, white space included.
    var untrimmedText: String { tree.nodes[index].text }

    var children: [ElementCursor] { tree.nodes[index].children.map { ElementCursor(tree: tree, index: $0) } }

    /// The first child of a name.
    func child(_ name: String) -> ElementCursor? {
        tree.nodes[index].children.first { tree.nodes[$0].name == name }.map { ElementCursor(tree: tree, index: $0) }
    }

    func children(_ name: String) -> [ElementCursor] {
        tree.nodes[index].children.filter { tree.nodes[$0].name == name }.map { ElementCursor(tree: tree, index: $0) }
    }

    /// The elements named `item` in every child named `list`.
    func items(_ list: String, _ item: String) -> [ElementCursor] {
        children(list).flatMap { $0.children(item) }
    }

    /// A child's trimmed text.
    func text(_ name: String) -> String? { child(name)?.text }

    /// An attribute's value.
    func attribute(_ name: String) -> String? {
        tree.nodes[index].attributes.first { $0.name == name }?.value
    }

    /// An attribute that the grammar has made sure of.
    func required(_ name: String) -> String { attribute(name) ?? "" }

    func bool(_ name: String) -> Bool? { attribute(name).map(isTrue) }
    func int(_ name: String) -> Int? { attribute(name).flatMap { Int($0) } }

    func word<E: RawRepresentable<String>>(_ name: String) -> E? { attribute(name).flatMap { E(rawValue: $0) } }
    func wordOfText<E: RawRepresentable<String>>(_ name: String) -> E? { text(name).flatMap { E(rawValue: $0) } }

    /// Place of an attribute's value, or of the element when it has none.
    func location(of attribute: String) -> SourceLocation {
        guard let place = tree.nodes[index].attributes.firstIndex(where: { $0.name == attribute }) else {
            return location
        }
        return tree.location(ofValue: place, of: index)
    }

    /// A reference: an attribute's value with its place.
    func reference(_ attribute: String) -> ReferenceElement? {
        self.attribute(attribute).map { ReferenceElement(id: $0, location: location(of: attribute)) }
    }

    /// Elements without effect here, kept as written in the file.
    func inert(_ names: [String]) -> [MetadataItem] {
        children.filter { names.contains($0.name) }.map {
            MetadataItem(key: $0.name, value: tree.raw($0.index), location: $0.location)
        }
    }
}

/// `xs:boolean`.
func isTrue(_ text: String) -> Bool { text == "true" || text == "1" }
