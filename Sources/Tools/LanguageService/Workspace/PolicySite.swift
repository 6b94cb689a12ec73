import Markup
import TrustFramework

extension PolicyGrammar {
    /// What an element may hold, by the names from the root down to it; `nil` if the schema has none there.
    static func rule(of names: [String]) -> ElementRule? {
        guard names.first == "TrustFrameworkPolicy" else { return nil }
        return names.dropFirst().reduce(policy) { rule, name in rule?.children.first { $0.name == name }?.rule }
    }
}

/// An element of a policy that may be broken, with what is around it.
struct PolicySite {
    /// Deeper than the grammar goes.
    private static let deepest = 64

    let outline: MarkupOutline
    let element: Int
    /// The elements around it, innermost first, itself included.
    private let path: [Int]
    /// Names from the root down to it.
    let names: [String]
    /// What the schema says about it; `nil` if it has no such element there.
    let rule: ElementRule?

    init(_ element: Int, in outline: MarkupOutline) {
        (self.outline, self.element) = (outline, element)
        path = outline.path(element)
        names = path.count > Self.deepest ? [] : path.reversed().map { outline.name($0) }
        rule = PolicyGrammar.rule(of: names)
    }

    var name: String { outline.name(element) }
    var parent: Int? { outline.elements[element].parent }
    /// The name of the element around it; empty for the root.
    var parentName: String { parent.map { outline.name($0) } ?? "" }

    func value(_ attribute: String) -> String? { outline.value(element, attribute) }

    /// The innermost element of a name around it, itself included.
    func ancestor(_ names: String...) -> Int? { path.first { names.contains(outline.name($0)) } }

    /// The id of the innermost element of a name around it.
    func id(of names: String...) -> String? {
        path.first { names.contains(outline.name($0)) }.flatMap { outline.value($0, "Id") }
    }

    /// Elements beside it in the same parent, itself excluded.
    var siblings: [Int] { parent.map { outline.elements[$0].children.filter { $0 != element } } ?? [] }

    /// What carries out the technical profile around the element: as merged, else as it is in the text so far.
    func handler(_ profiles: ProfileTable) -> ProfileHandler? {
        guard let profile = ancestor("TechnicalProfile") else { return nil }
        if let known = outline.value(profile, "Id").flatMap({ profiles.handler($0) }) { return known }
        guard let child = outline.elements[profile].children.first(where: { outline.name($0) == "Protocol" }),
            let name = outline.value(child, "Name").flatMap(ProtocolName.init)
        else { return nil }
        return ProfileHandler.of(name, handler: outline.value(child, "Handler"))
    }

    /// What the table of features calls the owner of metadata and keys around the element.
    func featureOwner(_ profiles: ProfileTable) -> String? {
        if ancestor("ContentDefinition") != nil { return "content definition" }
        if ancestor("RelyingParty") != nil { return "relying party" }
        return handler(profiles)?.tableName
    }

    /// Which chapter of the table of features an attribute's value belongs to, or the element's text if `attribute` is
    /// `nil`.
    func featureKind(_ attribute: String?) -> Feature.Kind? {
        Self.featureKinds.first {
            $0.element == name && $0.attribute == attribute && ($0.parent == nil || $0.parent == parentName)
        }?.kind
    }

    private static let featureKinds: [(parent: String?, element: String, attribute: String?, kind: Feature.Kind)] = [
        (nil, "ClaimsTransformation", "TransformationMethod", .transformation), (nil, "DataType", nil, .dataType),
        (nil, "InputParameter", "DataType", .dataType), (nil, "UserInputType", nil, .inputType),
        (nil, "Predicate", "Method", .predicate), (nil, "Mask", "Type", .mask),
        (nil, "OrchestrationStep", "Type", .stepType),
        (nil, "DisplayControl", "UserInterfaceControlType", .displayControl),
        (nil, "LocalizedString", "ElementType", .textKind), (nil, "LocalizedCollection", "ElementType", .textKind),
        (nil, "LocalizedString", "StringId", .text), ("TechnicalProfile", "Protocol", "Handler", .profileKind),
        ("TechnicalProfile", "Protocol", "Name", .profileKind), ("Metadata", "Item", "Key", .metadata),
        ("CryptographicKeys", "Key", "Id", .cryptographicKey),
    ]

    /// The line of the table of features for a value.
    func feature(_ attribute: String?, _ value: String, _ profiles: ProfileTable) -> Feature? {
        switch featureKind(attribute) {
        case nil: nil
        case .metadata?: featureOwner(profiles).flatMap { FeatureTable.metadata(value, of: $0) }
        case .cryptographicKey?:
            featureOwner(profiles).flatMap { FeatureTable.feature(.cryptographicKey, value, of: $0) }
        case .profileKind?: handler(profiles).flatMap { FeatureTable.feature(.profileKind, $0.tableName) }
        case let kind?: FeatureTable.feature(kind, value)
        }
    }
}
