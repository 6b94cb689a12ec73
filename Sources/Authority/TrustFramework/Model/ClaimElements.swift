import Diagnostics

/// `ClaimType`.
public struct ClaimTypeElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var statementType: String?
    public var displayName: String?
    public var dataType: DataType?
    public var defaultPartnerClaimTypes: [DefaultPartnerClaimTypeElement] = []
    public var mask: MaskElement?
    public var adminHelpText: String?
    public var userHelpText: String?
    public var userInputType: UserInputType?
    public var restriction: RestrictionElement?
    public var inputValidation: ReferenceElement?
    public var predicateValidation: ReferenceElement?
}

/// `DefaultPartnerClaimTypes/Protocol`: the claim's name on the wire for one protocol.
public struct DefaultPartnerClaimTypeElement: Sendable, Hashable {
    public var protocolName: ProtocolName
    public var partnerClaimType: String
    public var handler: String?
    public var location: SourceLocation
}

/// `Mask`: how a shown value is partly hidden.
public struct MaskElement: Sendable, Hashable {
    public var type: MaskType
    public var regex: String?
    public var text: String
    public var location: SourceLocation
}

/// `Restriction`: the values a claim may take.
public struct RestrictionElement: Sendable, Hashable {
    public var mergeBehavior: MergeBehavior?
    public var enumeration: [EnumerationItemElement] = []
    public var pattern: PatternElement?
    public var location: SourceLocation
}

/// `Enumeration`, and `Item` of a localized collection.
public struct EnumerationItemElement: Sendable, Hashable {
    public var text: String
    public var value: String
    public var selectByDefault: Bool = false
    public var location: SourceLocation
}

/// `Pattern`: a .NET regular expression and the message when it does not match.
public struct PatternElement: Sendable, Hashable {
    public var regularExpression: String
    public var helpText: String?
    public var location: SourceLocation
}

/// `Predicate`: one check of a value.
public struct PredicateElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var method: PredicateMethod
    public var helpText: String?
    public var parameters: [MetadataItem] = []
}

/// `PredicateValidation`, and the older `InputValidation`: groups that must all pass.
public struct PredicateValidationElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var groups: [PredicateGroupElement] = []
}

/// `PredicateGroup` with its `PredicateReferences`.
public struct PredicateGroupElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var userHelpText: String?
    public var matchAtLeast: Int?
    public var reject: Bool?
    public var helpText: String?
    public var predicates: [ReferenceElement] = []
}

/// `ClaimsTransformation`.
public struct ClaimsTransformationElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var method: String
    public var inputClaims: [TransformationClaimElement] = []
    public var inputParameters: [InputParameterElement] = []
    public var outputClaims: [TransformationClaimElement] = []
}

/// A claim that a transformation reads or writes, in the role `TransformationClaimType`.
public struct TransformationClaimElement: Sendable, Hashable {
    public var claim: String
    public var role: String?
    public var location: SourceLocation
}

/// `InputParameter` of a transformation.
public struct InputParameterElement: Sendable, Hashable {
    public var id: String
    public var dataType: DataType
    public var value: String
    public var location: SourceLocation
}
