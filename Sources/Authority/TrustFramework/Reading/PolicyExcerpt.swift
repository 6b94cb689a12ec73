import Diagnostics
import Markup

/// An element of a policy file that a journey runs, as written in the file.
public struct PolicyExcerpt: Sendable {
    /// Name of the element: `TechnicalProfile`, `ClaimsTransformation`, `ContentDefinition` or `OrchestrationStep`.
    public var kind: String
    /// Its id; of a step, the journey's id and the order: `SignUpOrSignIn 3`.
    public var id: String
    public var location: SourceLocation
    public var text: String

    private static let kinds: Set = ["TechnicalProfile", "ClaimsTransformation", "ContentDefinition"]

    /// Those of a file, in document order.
    ///
    /// - Throws: When the text is not one that a policy can be read from.
    public static func all(file: String, bytes: [UInt8]) throws(InvalidInput) -> [PolicyExcerpt] {
        let tree = try XMLTree(file: file, bytes: bytes)
        var found: [PolicyExcerpt] = []
        // Depth first, with the journey that a step belongs to. A policy is not deep: the reader bounds it.
        func visit(_ index: Int, _ journey: String) {
            let node = tree.nodes[index]
            let value = { (name: String) in node.attributes.first { $0.name == name }?.value ?? "" }
            let id = value("Id")
            if kinds.contains(node.name), !id.isEmpty {
                found.append(
                    PolicyExcerpt(kind: node.name, id: id, location: tree.location(of: index), text: tree.raw(index)))
            } else if node.name == "OrchestrationStep" {
                found.append(
                    PolicyExcerpt(
                        kind: node.name, id: "\(journey) \(value("Order"))", location: tree.location(of: index),
                        text: tree.raw(index)))
            }
            let isJourney = node.name == "UserJourney" || node.name == "SubJourney"
            for child in node.children { visit(child, isJourney ? id : journey) }
        }
        if !tree.nodes.isEmpty { visit(0, "") }
        return found
    }
}
