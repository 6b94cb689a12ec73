import Diagnostics
import Markup

/// What a release needs of a policy file besides its content: its names, with their places.
struct PolicyOutline {
    /// A name in the bytes of the file.
    struct Name {
        var text: String
        /// What another name replaces: between the quotes, or between the tags.
        var range: Range<Int>
    }

    /// `PolicyId`.
    var id: Name
    /// `PublicPolicyUri`.
    var publicURI: Name?
    /// `BasePolicy/PolicyId`.
    var base: Name?
    /// Whether the service passes over its cache (`DeploymentMode`).
    var isDevelopment: Bool
    /// Whether apps can call it.
    var isRelyingParty: Bool

    /// `nil`: the bytes are not a policy that can be read.
    init?(_ source: SourceText) {
        let form = XMLForm(rule: "B2C-POL-001", documentTypeRemedy: "Remove the <!DOCTYPE ...>; a policy needs none.")
        guard let tree = try? XMLTree(source, as: form), let root = tree.nodes.first else { return nil }
        func attribute(_ name: String) -> Name? {
            guard let place = root.attributes.firstIndex(where: { $0.name == name }) else { return nil }
            return Name(text: root.attributes[place].value, range: tree.tags.tags[0].attributes[place].value)
        }
        func child(_ name: String, of node: Int) -> Int? {
            tree.nodes[node].children.first { tree.nodes[$0].name == name }
        }
        guard root.name == "TrustFrameworkPolicy", let id = attribute("PolicyId") else { return nil }
        self.id = id
        publicURI = attribute("PublicPolicyUri")
        if let parent = child("BasePolicy", of: 0), let name = child("PolicyId", of: parent) {
            base = Name(text: tree.nodes[name].text.trimmingWhitespace, range: tree.tags.tags[name].body)
        }
        isDevelopment = attribute("DeploymentMode")?.text == "Development"
        isRelyingParty = child("RelyingParty", of: 0) != nil
    }

    init?(_ bytes: [UInt8]) { self.init(SourceText(file: "", bytes: bytes)) }
}

/// How long sign-ins may see policies from before.
public enum PolicyCaching {
    /// Whether the service caches any of the policies that apps can call. It does not with `DeploymentMode="Development"`
    /// (Microsoft docs: best-practices, section Operations).
    public static func isCached(_ policies: [[UInt8]]) -> Bool {
        let outlines = policies.compactMap { PolicyOutline($0) }
        let called = outlines.filter(\.isRelyingParty)
        return !(called.isEmpty ? outlines : called).allSatisfy(\.isDevelopment)
    }
}
