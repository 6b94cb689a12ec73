import Diagnostics

extension Element {
    /// `ClaimType`.
    public struct ClaimType: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var statementType: String?
        public var displayName: String?
        public var dataType: DataType?
        public var defaultPartnerClaimTypes: [DefaultPartnerClaimType] = []
        public var mask: Mask?
        public var adminHelpText: String?
        public var userHelpText: String?
        public var userInputType: UserInputType?
        public var restriction: Restriction?
        public var inputValidation: Reference?
        public var predicateValidation: Reference?
    }

    /// `DefaultPartnerClaimTypes/Protocol`: the claim's name on the wire for one protocol.
    public struct DefaultPartnerClaimType: Sendable, Hashable {
        public var protocolName: ProtocolName
        public var partnerClaimType: String
        public var handler: String?
        public var location: SourceLocation
    }

    /// `Mask`: how a shown value is partly hidden.
    public struct Mask: Sendable, Hashable {
        public var type: MaskType
        public var regex: String?
        public var text: String
        public var location: SourceLocation
    }

    /// `Restriction`: the values a claim may take.
    public struct Restriction: Sendable, Hashable {
        public var mergeBehavior: MergeBehavior?
        public var enumeration: [EnumerationItem] = []
        public var pattern: Pattern?
        public var location: SourceLocation
    }

    /// `Enumeration`, and `Item` of a localized collection.
    public struct EnumerationItem: Sendable, Hashable {
        public var text: String
        public var value: String
        public var selectByDefault: Bool = false
        public var location: SourceLocation
    }

    /// `Pattern`: a .NET regular expression and the message when it does not match.
    public struct Pattern: Sendable, Hashable {
        public var regularExpression: String
        public var helpText: String?
        public var location: SourceLocation
    }

    /// `Predicate`: one check of a value.
    public struct Predicate: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var method: PredicateMethod
        public var helpText: String?
        public var parameters: [Item] = []
    }

    /// `PredicateValidation`, and the older `InputValidation`: groups that must all pass.
    public struct PredicateValidation: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var groups: [PredicateGroup] = []
    }

    /// `PredicateGroup` with its `PredicateReferences`.
    public struct PredicateGroup: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var userHelpText: String?
        public var matchAtLeast: Int?
        public var reject: Bool?
        public var helpText: String?
        public var predicates: [Reference] = []
    }

    /// `ClaimsTransformation`.
    public struct ClaimsTransformation: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var method: String
        public var inputClaims: [TransformationClaim] = []
        public var inputParameters: [InputParameter] = []
        public var outputClaims: [TransformationClaim] = []
    }

    /// A claim that a transformation reads or writes, in the role `TransformationClaimType`.
    public struct TransformationClaim: Sendable, Hashable {
        public var claim: String
        public var role: String?
        public var location: SourceLocation
    }

    /// `InputParameter` of a transformation.
    public struct InputParameter: Sendable, Hashable {
        public var id: String
        public var dataType: DataType
        public var value: String
        public var location: SourceLocation
    }
}
