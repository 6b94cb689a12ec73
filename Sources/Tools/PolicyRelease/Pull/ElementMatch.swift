import Markup
import TrustFramework

/// Which elements of two policies are the same element.
enum ElementMatch {
    /// For elements of one list the elements of the other list.
    static func partners(
        of wanted: [Int], in tree: XMLTree, among candidates: [Int], in other: XMLTree
    ) -> [Int: Int] {
        var byIdentity: [String: [Int]] = [:]
        // From last to first, so that the last of each list is the first element.
        for candidate in candidates.reversed() {
            byIdentity[identity(candidate, in: other), default: []].append(candidate)
        }
        var partners: [Int: Int] = [:]
        for element in wanted {
            partners[element] = byIdentity[identity(element, in: tree)]?.popLast()
        }
        // A step or precondition that is left may be another one that was changed.
        let taken = Set(partners.values)
        var left: [String: [Int]] = [:]
        for candidate in candidates.reversed() where !taken.contains(candidate) {
            let name = other.nodes[candidate].name
            if ["OrchestrationStep", "Precondition"].contains(name) { left[name, default: []].append(candidate) }
        }
        for element in wanted where partners[element] == nil {
            partners[element] = left[tree.nodes[element].name]?.popLast()
        }
        return partners
    }

    /// Whether the order of an element's children counts, or may count: of the output claims of a self-asserted page it does.
    static func isOrdered(_ name: String) -> Bool {
        ![
            "ClaimsSchema", "ClaimsTransformations", "ContentDefinitions", "ClientDefinitions", "DisplayControls",
            "Predicates", "PredicateValidations", "Localization", "LocalizedResources", "LocalizedStrings",
            "LocalizedCollections", "ClaimsProviders", "TechnicalProfiles", "Metadata", "CryptographicKeys",
            "InputClaims", "PersistedClaims", "InputParameters", "UserJourneys", "SubJourneys", "Endpoints",
            "ClaimsExchanges", "ContentDefinitionParameters",
        ].contains(name)
    }

    /// The name, and what distinguishes an element from its siblings, in any letter case.
    private static func identity(_ index: Int, in tree: XMLTree) -> String {
        let node = tree.nodes[index]
        func attribute(_ name: String) -> String? { node.attributes.first { $0.name == name }?.value }
        let key: String
        switch node.name {
        case "OrchestrationStep":
            key = ([attribute("Type") ?? ""] + references(of: node, in: tree)).joined(separator: " ")
        case "Precondition":
            key = ([attribute("Type") ?? ""] + texts("Value", of: node, in: tree)).joined(separator: " ")
        case "ClaimsProvider":
            key = texts("DisplayName", of: node, in: tree).joined()
        default:
            key = PolicyPart.keys(of: node.name).compactMap(attribute).joined(separator: " ")
        }
        return "\(node.name) \(key.lowercased())"
    }

    private static func texts(_ name: String, of node: XMLTree.Node, in tree: XMLTree) -> [String] {
        node.children.filter { tree.nodes[$0].name == name }.map { tree.nodes[$0].text.trimmingWhitespace }
    }

    /// What the exchanges, selections and sub journeys of a step refer to.
    private static func references(of step: XMLTree.Node, in tree: XMLTree) -> [String] {
        step.children.flatMap { tree.nodes[$0].children }.compactMap { child in
            let node = tree.nodes[child]
            guard ["ClaimsExchange", "ClaimsProviderSelection", "Candidate"].contains(node.name) else { return nil }
            return PolicyPart.keys(of: node.name).lazy.compactMap { key in
                node.attributes.first { $0.name == key }?.value
            }.first
        }
    }
}
