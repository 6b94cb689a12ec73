import TrustFramework

/// The text of a new element: its required attributes and what it usually holds, with places to fill in.
struct ElementSnippet {
    /// Elements that may hold others and usually hold none.
    private static let bare: Set = [
        "InputClaim", "OutputClaim", "ValidationTechnicalProfile", "ValidationClaimsExchangeTechnicalProfile",
        "Enumeration",
    ]
    /// Attributes that the schema does not require and nearly every element has.
    private static let usualAttributes: Set = [
        "TransformationClaimType", "TargetClaimsExchangeId", "LocalizedResourcesReferenceId", "Culture",
    ]
    /// What elements with several kinds of children usually hold. One with a single kind holds that.
    private static let usualChildren: [String: [String]] = [
        "BasePolicy": ["TenantId", "PolicyId"], "ClaimType": ["DisplayName", "DataType"],
        "ClaimsTransformation": ["InputClaims", "OutputClaims"], "ContentDefinition": ["LoadUri", "DataUri"],
        "DisplayControl": ["DisplayClaims", "Actions"], "ClaimsProvider": ["DisplayName", "TechnicalProfiles"],
        "TechnicalProfile": ["DisplayName", "Protocol"], "Precondition": ["Value", "Action"],
        "UserJourney": ["OrchestrationSteps"], "RelyingParty": ["DefaultUserJourney", "TechnicalProfile"],
        "PredicateGroup": ["PredicateReferences"], "Localization": ["SupportedLanguages"],
        "LocalizedResources": ["LocalizedStrings"], "Predicate": ["Parameters"],
    ]

    /// Whether places to fill in are marked.
    private let marks: Bool
    private var places = 0
    private(set) var text = ""

    /// - Parameter snippets: Whether the editor takes snippets: places to fill in are marked.
    init(_ name: String, _ rule: ElementRule, snippets: Bool) {
        marks = snippets
        write(name, rule, depth: 0)
    }

    private mutating func place() -> String {
        places += 1
        return marks ? "$\(places)" : ""
    }

    /// The name with attributes and content; `<` before it is for the caller.
    private mutating func write(_ name: String, _ rule: ElementRule, depth: Int) {
        text += name
        let attributes = rule.attributes.filter {
            $0.required || Self.usualAttributes.contains($0.name)
                || (name == "DisplayClaim" && $0.name == "ClaimTypeReferenceId")
        }
        for attribute in attributes { text += " \(attribute.name)=\"\(place())\"" }
        let usual = Self.usualChildren[name] ?? (rule.children.count == 1 ? rule.children.map(\.name) : [])
        let children = rule.children.filter { usual.contains($0.name) }
        if Self.bare.contains(name) || attributes.contains(where: { $0.name == "Text" }) {
            text += " />"
        } else if rule.text != nil {
            text += ">\(place())</\(name)>"
        } else if rule.children.isEmpty, !rule.opaque {
            text += " />"
        } else {
            text += ">"
            for child in children {
                newLine(depth + 1)
                text += "<"
                write(child.name, child.rule, depth: depth + 1)
            }
            if children.isEmpty {
                newLine(depth + 1)
                text += place()
            }
            newLine(depth)
            text += "</\(name)>"
        }
    }

    /// Editors write a tab of a snippet as the file is indented.
    private mutating func newLine(_ depth: Int) {
        text += "\n" + String(repeating: marks ? "\t" : "  ", count: depth)
    }
}
