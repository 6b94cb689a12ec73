import JSON

/// What a name in a policy or a script names.
package enum SymbolKind: Hashable, Sendable {
    case policy, claimType, technicalProfile, claimsTransformation, userJourney, subJourney, contentDefinition
    case displayControl, predicate, predicateValidation, inputValidation, localizedResources
    /// A `ClaimsExchange` inside of one journey.
    case claimsExchange
    /// A policy key: `B2C_1A_TokenSigningKeyContainer`.
    case policyKey
    /// `NAME` of `{Settings:NAME}`.
    case setting
    /// A name of a scenario or tenant file: of a person, an app, a flow, a step.
    case script(NameKind)
}

/// A place where a name is written.
package struct NameOccurrence: Hashable, Sendable {
    package var kind: SymbolKind
    /// As it is written, character references and escapes resolved.
    package var name: String
    /// The bytes of the name alone.
    package var range: Range<Int>
    package var isDeclaration: Bool
    /// What the name counts in, if not everywhere: for a claims exchange its journey.
    package var scope: String?
    /// Of a declaration the whole element or member, start tag to end tag.
    package var whole: Range<Int>?

    package init(
        kind: SymbolKind, name: String, range: Range<Int>, isDeclaration: Bool = false, scope: String? = nil,
        whole: Range<Int>? = nil
    ) {
        (self.kind, self.name, self.range, self.isDeclaration) = (kind, name, range, isDeclaration)
        (self.scope, self.whole) = (scope, whole)
    }
}

/// An occurrence with its file.
package struct PlacedOccurrence: Hashable, Sendable {
    package var file: String
    package var occurrence: NameOccurrence

    package init(file: String, occurrence: NameOccurrence) {
        (self.file, self.occurrence) = (file, occurrence)
    }

    /// The bytes of the name.
    package var place: TextRange { TextRange(file: file, range: occurrence.range) }
}
