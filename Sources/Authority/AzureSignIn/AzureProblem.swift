/// Why Azure does not give what was asked for: one sentence, and what to do about it.
public struct AzureProblem: Error, Hashable, Sendable {
    /// What is at fault.
    public enum Kind: Sendable {
        /// An option or a variable of the environment.
        case usage
        /// There is nothing of what was asked for.
        case empty
        /// The network, the service, or a permission.
        case service
        /// No answer to a request that changes something: the service may have acted or not.
        case lost
    }

    public var kind: Kind
    /// What is wrong, without a full stop at the end.
    public var text: String
    /// How to fix it, in one sentence or two.
    public var remedy: String

    public init(_ kind: Kind, _ text: String, remedy: String) {
        self.kind = kind
        self.text = text
        self.remedy = remedy
    }
}

extension AzureProblem: CustomStringConvertible {
    public var description: String { text + (text.hasSuffix(".") ? " " : ". ") + remedy }
}
