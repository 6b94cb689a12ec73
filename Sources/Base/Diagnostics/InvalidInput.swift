/// Thrown where something a person wrote cannot be read: every finding, not the first alone.
public struct InvalidInput: Error, Hashable, Sendable, CustomStringConvertible {
    /// The findings, in the order of the text.
    public var diagnostics: [Diagnostic]

    /// All findings of one reading.
    public init(diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// A single finding.
    public init(_ diagnostic: Diagnostic) {
        diagnostics = [diagnostic]
    }

    /// One line a finding.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
