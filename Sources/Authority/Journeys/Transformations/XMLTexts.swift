import Diagnostics
import JSON
import Markup
import TrustFramework

/// XML texts as JSON (Microsoft docs: json-transformations).
enum XMLTexts {
    /// The fault of a claim is one message, which names no rule.
    private static let form = XMLForm(rule: "", documentTypeRemedy: "", isDecoded: true)

    /// The element tree: an element with text alone is that text, repeated elements are an array, attributes are members
    /// that begin with `@` beside a member `#text` (the shape of the usual .NET converter; inferred).
    static func toJSON(_ call: inout TransformationCall) throws(ProfileFailure) {
        guard let text = call.text("xml") else { return call.set("json", nil) }
        guard let tree = try? XMLTree(SourceText(file: "xml", bytes: Array(text.utf8)), as: form) else {
            throw call.fault("the claim is not XML that can be read")
        }
        let root = (key: tree.nodes[0].name, value: value(of: 0, in: tree))
        call.set("json", text: JSONWriter.compact(.object(JSONObject([root]))))
    }

    private static func value(of index: Int, in tree: XMLTree) -> JSONValue {
        let node = tree.nodes[index]
        var members = node.attributes.map { (key: "@" + $0.name, value: JSONValue.string($0.value)) }
        if members.isEmpty, node.children.isEmpty {
            return tree.tags.tags[index].endsItself ? .null : .string(node.text)
        }
        if !node.text.allSatisfy(\.isWhitespace) { members.append(("#text", .string(node.text))) }
        let children = node.children.map { (key: tree.nodes[$0].name, value: value(of: $0, in: tree)) }
        for child in children where !members.contains(where: { $0.key == child.key }) {
            let same = children.filter { $0.key == child.key }.map(\.value)
            members.append((child.key, same.count == 1 ? same[0] : .array(same)))
        }
        return .object(JSONObject(members))
    }
}
