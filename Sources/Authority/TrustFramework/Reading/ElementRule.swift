/// What one kind of element may hold, after `TrustFrameworkPolicy_0.3.0.0.xsd`.
///
/// One table (`PolicyGrammar`) says it for all elements; `GrammarCheck` holds a tree against it, so that decoding need
/// not repeat a single check.
package final class ElementRule: Sendable {
    /// A simple value.
    package enum Value: Sendable {
        case text, nonEmpty, boolean, integer(ClosedRange<Int>)
        case oneOf([String])
        /// A culture tag such as `de-AT`.
        case culture
        case guid, policyID, tenantID, version
    }

    package struct Attribute: Sendable {
        package let name: String
        package let required: Bool
        package let value: Value
    }

    package struct Child: Sendable {
        package let name: String
        package let rule: ElementRule
        /// May stand more than once.
        package let many: Bool
    }

    package let attributes: [Attribute]
    /// In the order the schema demands.
    package let children: [Child]
    /// What text it holds; `nil`: none but blanks.
    package let text: Value?
    /// Legal, without effect here: its contents are kept and not checked.
    package let opaque: Bool

    init(_ attributes: [Attribute] = [], _ children: [Child] = [], text: Value? = nil, opaque: Bool = false) {
        self.attributes = attributes
        self.children = children
        self.text = text
        self.opaque = opaque
    }
}

extension ElementRule.Attribute {
    static func required(_ name: String, _ value: ElementRule.Value = .text) -> Self {
        Self(name: name, required: true, value: value)
    }
    static func optional(_ name: String, _ value: ElementRule.Value = .text) -> Self {
        Self(name: name, required: false, value: value)
    }
}

extension ElementRule.Child {
    static func one(_ name: String, _ rule: ElementRule) -> Self { Self(name: name, rule: rule, many: false) }
    static func many(_ name: String, _ rule: ElementRule) -> Self { Self(name: name, rule: rule, many: true) }
}

extension ElementRule.Value {
    /// The words of an enumeration.
    static func words<E: CaseIterable & RawRepresentable<String>>(_ type: E.Type) -> Self {
        .oneOf(E.allCases.map(\.rawValue))
    }
}
