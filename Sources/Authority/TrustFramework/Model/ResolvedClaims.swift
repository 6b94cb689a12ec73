import Diagnostics

/// A claim type with everything inherited filled in.
public final class ClaimType: Sendable {
    public let handle: ClaimTypeHandle
    public let id: String
    public let dataType: DataType
    /// Label on pages; the id when the policy gives none.
    public let displayName: String
    public let userHelpText: String?
    public let adminHelpText: String?
    public let userInputType: UserInputType?
    /// Choices of the claim; a localized collection may replace or extend them.
    public let enumeration: [EnumerationItemElement]
    public let restrictionMergeBehavior: MergeBehavior
    public let pattern: PatternElement?
    public let mask: MaskElement?
    /// Predicate validation, or the older input validation of the claim.
    public let validation: PredicateValidationHandle?
    public let defaultPartnerClaimTypes: [DefaultPartnerClaimTypeElement]
    public let location: SourceLocation

    init(
        handle: ClaimTypeHandle, id: String, dataType: DataType, displayName: String, userHelpText: String?,
        adminHelpText: String?, userInputType: UserInputType?, enumeration: [EnumerationItemElement],
        restrictionMergeBehavior: MergeBehavior, pattern: PatternElement?, mask: MaskElement?,
        validation: PredicateValidationHandle?, defaultPartnerClaimTypes: [DefaultPartnerClaimTypeElement],
        location: SourceLocation
    ) {
        self.handle = handle
        self.id = id
        self.dataType = dataType
        self.displayName = displayName
        self.userHelpText = userHelpText
        self.adminHelpText = adminHelpText
        self.userInputType = userInputType
        self.enumeration = enumeration
        self.restrictionMergeBehavior = restrictionMergeBehavior
        self.pattern = pattern
        self.mask = mask
        self.validation = validation
        self.defaultPartnerClaimTypes = defaultPartnerClaimTypes
        self.location = location
    }

    /// Name of the claim in messages of a protocol when a profile gives no `PartnerClaimType`, else `nil`.
    public func defaultPartnerName(for name: ProtocolName) -> String? {
        defaultPartnerClaimTypes.first { $0.protocolName == name }?.partnerClaimType
    }
}

/// A predicate with its parameters.
public struct Predicate: Sendable {
    public let handle: PredicateHandle
    public let id: String
    public let method: PredicateMethod
    public let helpText: String?
    public let parameters: [MetadataItem]
    public let location: SourceLocation

    /// A parameter's text, by id ignoring case.
    public func parameter(_ id: String) -> String? { parameters.first { sameID($0.key, id) }?.value }
}

/// Groups of predicates that must all pass.
public struct PredicateValidation: Sendable {
    public let handle: PredicateValidationHandle
    public let id: String
    public let groups: [PredicateGroup]
    public let location: SourceLocation
}

/// Predicates of which at least `matchAtLeast` must pass.
public struct PredicateGroup: Sendable {
    public let id: String
    public let userHelpText: String?
    public let matchAtLeast: Int
    /// Inverts the group: values that match are refused (inferred).
    public let reject: Bool
    public let predicates: [PredicateHandle]
}

/// A claims transformation with its claims resolved.
public final class ClaimsTransformation: Sendable {
    public struct Claim: Sendable {
        public let claim: ClaimTypeHandle
        /// `TransformationClaimType`; default: the claim's id.
        public let role: String
        public let location: SourceLocation
    }

    public let handle: TransformationHandle
    public let id: String
    /// As written; methods are matched ignoring case.
    public let method: String
    public let inputClaims: [Claim]
    public let inputParameters: [InputParameterElement]
    public let outputClaims: [Claim]
    public let location: SourceLocation

    init(
        handle: TransformationHandle, id: String, method: String, inputClaims: [Claim],
        inputParameters: [InputParameterElement], outputClaims: [Claim], location: SourceLocation
    ) {
        self.handle = handle
        self.id = id
        self.method = method
        self.inputClaims = inputClaims
        self.inputParameters = inputParameters
        self.outputClaims = outputClaims
        self.location = location
    }

    /// The first input claim in a role, ignoring case.
    public func input(_ role: String) -> ClaimTypeHandle? { inputClaims.first { sameID($0.role, role) }?.claim }
    /// The first output claim in a role, ignoring case.
    public func output(_ role: String) -> ClaimTypeHandle? { outputClaims.first { sameID($0.role, role) }?.claim }
    /// A parameter's text, by id ignoring case.
    public func parameter(_ id: String) -> String? { inputParameters.first { sameID($0.id, id) }?.value }
}
