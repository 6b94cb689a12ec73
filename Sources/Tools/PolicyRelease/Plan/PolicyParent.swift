import Diagnostics
import Markup

/// What a policy inherits from.
package enum PolicyParent {
    private static let form = XMLForm(
        rule: "B2C-POL-001", documentTypeRemedy: "Remove the <!DOCTYPE ...>; a policy needs none.")

    /// The `PolicyId` of the text's `BasePolicy`; `nil`: it has none, or the text is not XML.
    package static func id(of bytes: [UInt8]) -> String? {
        guard let tree = try? XMLTree(SourceText(file: "policy", bytes: bytes), as: form), let root = tree.nodes.first
        else { return nil }
        for base in root.children where tree.nodes[base].name == "BasePolicy" {
            for child in tree.nodes[base].children where tree.nodes[child].name == "PolicyId" {
                let id = tree.nodes[child].text.split(whereSeparator: \.isWhitespace).joined()
                return id.isEmpty ? nil : id
            }
        }
        return nil
    }
}
