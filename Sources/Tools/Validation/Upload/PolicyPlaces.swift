import Diagnostics
import Markup
import TrustFramework

/// The elements of one policy file: which is at a place, and where one is that a text names.
struct PolicyPlaces {
    /// The file's path as the user knows it.
    let file: String
    /// The `PolicyId` as it is written.
    let policyID: String
    private let tree: XMLTree
    private let parents: [Int]

    /// - Returns: `nil` if the file is not well-formed XML.
    init?(_ source: SourceText) {
        let form = XMLForm(rule: "B2C-POL-001", documentTypeRemedy: "")
        guard let tree = try? XMLTree(source, as: form), !tree.nodes.isEmpty else { return nil }
        self.tree = tree
        var parents = [Int](repeating: -1, count: tree.nodes.count)
        for (place, node) in tree.nodes.enumerated() {
            for child in node.children { parents[child] = place }
        }
        self.parents = parents
        file = source.file
        policyID = tree.nodes[0].attributes.first { $0.name == "PolicyId" }?.value ?? ""
    }

    /// Every element, in the order of the file.
    var all: Range<Int> { tree.nodes.indices }

    func name(_ node: Int) -> String { tree.nodes[node].name }

    func text(_ node: Int) -> String { tree.nodes[node].text.trimmingWhitespace }

    func attribute(_ node: Int, _ name: String) -> String? {
        tree.nodes[node].attributes.first { $0.name == name }?.value
    }

    func children(_ node: Int) -> [Int] { tree.nodes[node].children }

    /// The place of an element's start tag.
    func location(_ node: Int) -> SourceLocation { tree.location(of: node) }

    /// The place of an attribute's value; of the element if it does not have the attribute.
    func location(_ node: Int, value name: String) -> SourceLocation {
        guard let place = tree.nodes[node].attributes.firstIndex(where: { $0.name == name }) else {
            return location(node)
        }
        return tree.location(ofValue: place, of: node)
    }

    /// Whether an attribute has this value, in any letter case.
    func has(_ node: Int, _ name: String, _ value: String) -> Bool {
        attribute(node, name).map { sameID($0, value) } ?? false
    }

    /// An element and those that it is in, innermost first.
    func path(_ node: Int) -> [Int] {
        var path: [Int] = []
        var at = node
        while at >= 0 {
            path.append(at)
            at = parents[at]
        }
        return path
    }

    /// Elements inside an element, in the order of the file.
    func inside(_ node: Int) -> [Int] {
        var found: [Int] = []
        var open = Array(children(node).reversed())
        while let next = open.popLast() {
            found.append(next)
            open += children(next).reversed()
        }
        return found
    }

    /// Elements with one of these names and this `Id`.
    func elements(_ names: [String], id: String) -> [Int] {
        all.filter { names.contains(name($0)) && has($0, "Id", id) }
    }

    /// The innermost element at a place.
    func node(at location: SourceLocation) -> Int? {
        guard location.file == file, let line = location.line else { return nil }
        var found: Int?
        for (place, tag) in tree.tags.tags.enumerated() where place < tree.nodes.count {
            let start = tree.source.position(at: tag.start)
            guard let column = location.column else {
                if start.line >= line { return start.line == line ? place : found }
                found = place
                continue
            }
            if start > (line, column) { break }
            if tree.source.position(at: tag.end) > (line, column) { found = place }
        }
        return found
    }
}
