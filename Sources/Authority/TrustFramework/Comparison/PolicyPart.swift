import Diagnostics
import Markup

/// An element of a policy under a key that stays the same where its place among its siblings does not matter.
package struct PolicyPart {
    var name: String
    /// What distinguishes it from siblings of the same name: an id, a reference, a position. Empty if it is the only
    /// one.
    var key: String
    /// Whether the key is made of what the element holds: one without a partner may be another one changed.
    var isSoft = false
    /// As people number it, where that is not its key.
    var number: String?
    /// In document order, without those in the key.
    var attributes: [(name: String, value: String)] = []
    var text = ""
    var children: [PolicyPart] = []
    var location: SourceLocation
    /// The element as written in the text.
    var raw: String

    /// Such as `OutputClaim email`.
    var title: String {
        if let number { return "\(name) \(number)" }
        return key.isEmpty ? name : "\(name) \(key)"
    }

    /// Whether it holds nothing but a list: what is in the list says enough.
    var isList: Bool { key.isEmpty && attributes.isEmpty && !children.isEmpty }

    /// The elements of a text of a policy; those of technical profiles are taken out of their claims providers, which may
    /// be several or one.
    init(_ tree: XMLTree) {
        self.init(tree, 0)
        key = ""
        var profiles: [PolicyPart] = []
        for index in children.indices where children[index].name == "ClaimsProviders" {
            for place in children[index].children.indices {
                let lists = children[index].children[place].children.filter { $0.name == "TechnicalProfiles" }
                profiles += lists.flatMap(\.children)
                children[index].children[place].children.removeAll { $0.name == "TechnicalProfiles" }
            }
        }
        let location = location
        if !profiles.isEmpty {
            var list = PolicyPart(name: "TechnicalProfiles", key: "", location: location, raw: "")
            list.children = Self.numbered(profiles)
            children.append(list)
        }
    }

    private init(name: String, key: String, location: SourceLocation, raw: String) {
        self.name = name
        self.key = key
        self.location = location
        self.raw = raw
    }

    private init(_ tree: XMLTree, _ index: Int) {
        let node = tree.nodes[index]
        self.init(name: node.name, key: "", location: tree.location(of: index), raw: tree.raw(index))
        text = trimmed(node.text)
        children = node.children.map { PolicyPart(tree, $0) }
        let keys = Self.keys(of: node.name)
        let given = node.attributes.filter { keys.contains($0.name) && !$0.value.isEmpty }
        key = keys.compactMap { name in given.first { $0.name == name }?.value }.joined(separator: " ")
        attributes = node.attributes.filter { attribute in
            !attribute.name.hasPrefix("xmlns") && !given.contains { $0.name == attribute.name }
        }
        switch node.name {
        case "OrchestrationStep":
            isSoft = true
            number = node.attributes.first { $0.name == "Order" }?.value
            attributes.removeAll { $0.name == "Order" }
            key = ([attributes.first { $0.name == "Type" }?.value ?? ""] + Self.references(of: self)).joined(
                separator: " ")
        case "Precondition":
            isSoft = true
            let type = attributes.first { $0.name == "Type" }?.value ?? ""
            key = ([type] + children.filter { $0.name == "Value" }.map(\.text)).joined(separator: " ")
            attributes.removeAll { $0.name == "Type" }
        case "ClaimsProvider":
            key = children.first { $0.name == "DisplayName" }?.text ?? ""
        case "Value":
            isSoft = true
        default: break
        }
        children = Self.numbered(children)
    }

    /// What the exchanges, selections and sub journeys of a step refer to.
    private static func references(of step: PolicyPart) -> [String] {
        step.children.flatMap { list in
            list.children.filter { ["ClaimsExchange", "ClaimsProviderSelection", "Candidate"].contains($0.name) }
                .map(\.key)
        }
    }

    /// Attributes that distinguish siblings, in the order in which they are shown.
    package static func keys(of name: String) -> [String] {
        switch name {
        case "LocalizedString", "LocalizedCollection":
            ["ElementType", "ElementId", "TargetCollection", "StringId"]
        case "SupportedLanguages", "SupportedLanguage": []
        case "ClaimsProviderSelection": ["TargetClaimsExchangeId", "ValidationClaimsExchangeId"]
        case "Protocol": []
        case "Enumeration", "Item": ["Key", "Value"]
        case "OrchestrationStep", "Precondition", "Restriction", "TrustFrameworkPolicy": []
        case "Candidate": ["SubJourneyReferenceId"]
        default:
            [
                "Id", "ReferenceId", "ClaimTypeReferenceId", "DisplayControlReferenceId", "Key",
                "ContentDefinitionReferenceId",
                "Language", "UserJourneyReferenceId",
            ]
        }
    }

    /// Siblings of one name and key get a number from the second on.
    private static func numbered(_ parts: [PolicyPart]) -> [PolicyPart] {
        var counts: [String: Int] = [:]
        return parts.map { part in
            var part = part
            let name = "\(part.name)\u{0}\(part.key.lowercased())"
            counts[name, default: 0] += 1
            if let count = counts[name], count > 1 { part.key += part.key.isEmpty ? "\(count)" : " (\(count))" }
            return part
        }
    }

    /// Two parts are one element of two policies if their identities are equal.
    var identity: Identity { Identity(name: name, key: key) }

    /// Whether nothing below differs, order and letter case of ids included.
    func holdsTheSame(as other: PolicyPart) -> Bool { raw == other.raw && !raw.isEmpty }

    /// Name and key, for tables. Equality is that of ``sameID(_:_:)``: B2C ignores the letter case of ids.
    struct Identity: Hashable {
        private let name: String
        /// Bytes, because ids that differ in how an accent is written are different ids.
        private let key: [UInt8]

        init(name: String, key: String) {
            self.name = name
            self.key = key.utf8.map { byte in
                byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
            }
        }
    }
}

/// Where a file has each of its elements, as tables: an element with many siblings is found without a look at each.
struct PartPlaces {
    private let location: SourceLocation
    /// Of siblings with one identity the first.
    private let children: [PolicyPart.Identity: PartPlaces]

    init(_ part: PolicyPart) {
        location = part.location
        children = Dictionary(
            part.children.map { ($0.identity, PartPlaces($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The element that a path leads to, as far as it can be followed.
    func place(of path: [PolicyPart.Identity]) -> (depth: Int, location: SourceLocation) {
        var found = (depth: 0, location: location)
        var part = self
        for step in path {
            guard let next = part.children[step] else { break }
            part = next
            found = (found.depth + 1, next.location)
        }
        return found
    }
}
