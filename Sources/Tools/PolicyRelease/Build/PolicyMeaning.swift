import Diagnostics
import JOSE
import Markup
import TrustFramework

/// What a policy file means, whatever it is formatted like: for comparing a folder with a tenant.
public enum PolicyMeaning {
    /// Text that is equal for two XML files that mean the same: elements in their order, attributes sorted, without comments,
    /// instructions, white space between elements, and declarations of encodings and namespace prefixes. Bytes that are not
    /// well-formed XML are their own meaning, without a byte order mark.
    public static func canonical(_ bytes: [UInt8]) -> [UInt8] {
        let text = PolicyText(path: "", bytes: bytes, settings: [], tenant: nil)
        guard let tree = try? XMLTree(policy: text.source, limit: .max) else { return text.bytes }
        var result: [UInt8] = []
        result.reserveCapacity(text.bytes.count)
        write(0, of: tree, to: &result)
        return result
    }

    /// `sha256:` and the hexadecimal digest of ``canonical(_:)``.
    public static func digest(_ bytes: [UInt8]) -> String {
        "sha256:"
            + SHA2.sha256(canonical(bytes)).map { byte in
                (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
            }.joined()
    }

    /// The attributes that count, sorted by name.
    static func attributes(_ node: XMLTree.Node) -> [(name: String, value: String)] {
        node.attributes.filter { counts($0.name, $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Whether an attribute is more than the declaration of a prefix or of the policies' own namespace.
    static func counts(_ name: String, _ value: String) -> Bool {
        !name.hasPrefix("xmlns:") && !(name == "xmlns" && value == PolicyReader.namespace)
    }

    /// The text of an element. White space around elements is none.
    static func text(_ node: XMLTree.Node) -> String {
        guard node.text.utf8.contains(where: { $0 > 0x20 }) else { return "" }
        return node.children.isEmpty ? node.text : node.text.trimmingWhitespace
    }

    /// Whether two elements mean the same.
    static func isSame(_ one: Int, of tree: XMLTree, _ other: Int, of otherTree: XMLTree) -> Bool {
        let (left, right) = (tree.nodes[one], otherTree.nodes[other])
        return left.name == right.name && left.children.count == right.children.count && text(left) == text(right)
            && attributes(left).elementsEqual(attributes(right), by: ==)
            && zip(left.children, right.children).allSatisfy { isSame($0, of: tree, $1, of: otherTree) }
    }

    private static func write(_ index: Int, of tree: XMLTree, to result: inout [UInt8]) {
        let node = tree.nodes[index]
        result += "<\(node.name)".utf8
        for (name, value) in attributes(node) {
            result += " \(name)=\"\(XMLEntities.escaped(value, also: .attribute))\"".utf8
        }
        result += ">\(XMLEntities.escaped(text(node)))".utf8
        for child in node.children { write(child, of: tree, to: &result) }
        result += "</\(node.name)>".utf8
    }
}
