/// What a kind of XML text may have, and how its faults are reported.
package struct XMLForm: Sendable {
    /// The rule that findings name.
    package let rule: String
    /// How to fix a document type declaration that is refused.
    package let documentTypeRemedy: String
    /// Whether a document type declaration is passed over if it declares nothing itself. Nothing that it names is read.
    package let passesOverDocumentType: Bool
    /// Whether the text comes from a string: its XML declaration says nothing about the encoding then.
    package let isDecoded: Bool

    package init(
        rule: String, documentTypeRemedy: String, passesOverDocumentType: Bool = false, isDecoded: Bool = false
    ) {
        self.rule = rule
        self.documentTypeRemedy = documentTypeRemedy
        self.passesOverDocumentType = passesOverDocumentType
        self.isDecoded = isDecoded
    }
}
