import Diagnostics

/// `ClaimsProvider`: a container of technical profiles with the domain that `domain_hint` selects.
public struct ClaimsProviderElement: Sendable, Hashable {
    public var location: SourceLocation
    public var domains: [String] = []
    public var displayName: String?
    public var technicalProfiles: [TechnicalProfileElement] = []
}

/// `TechnicalProfile`, as one file states it: every part may be left out.
public struct TechnicalProfileElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    /// Domains stated in the profile itself, or by a provider that redeclares it.
    public var domains: [String] = []
    public var displayName: String?
    public var description: String?
    public var `protocol`: ProtocolElement?
    public var inputTokenFormat: TokenFormat?
    public var outputTokenFormat: TokenFormat?
    public var metadata: [MetadataItem] = []
    public var cryptographicKeys: [CryptographicKeyElement] = []
    public var includeInSso: Bool?
    public var inputTransformations: [ReferenceElement] = []
    public var inputClaims: [ClaimReferenceElement] = []
    public var displayClaims: [DisplayClaimElement] = []
    public var persistedClaims: [ClaimReferenceElement] = []
    public var outputClaims: [ClaimReferenceElement] = []
    public var outputTransformations: [ReferenceElement] = []
    public var validationProfiles: [ValidationProfileElement] = []
    public var subjectNaming: SubjectNamingInfoElement?
    public var includesClaimsFrom: ReferenceElement?
    public var includes: ReferenceElement?
    public var sessionProfile: ReferenceElement?
    public var errorHandlers: [ErrorHandlerElement] = []
    public var enabledForUserJourneys: EnabledForUserJourneys?
    public var authenticationRequirements: AuthenticationRequirementsElement?
    /// Rare children without effect here, kept as they stood in the file.
    public var inert: [MetadataItem] = []
}

/// `SubjectAuthenticationRequirements`: how long a session replaces signing in (Microsoft docs: trustframeworks
/// reference of the premium preview; the present reference names the element only).
public struct AuthenticationRequirementsElement: Sendable, Hashable {
    /// Minutes after somebody took an active part.
    public var timeToLive: Int
    /// Whether a token issued from a session starts the time again. Default false.
    public var resetExpiryWhenTokenIssued: Bool
}

/// `Protocol` of a technical profile.
public struct ProtocolElement: Sendable, Hashable {
    public var name: ProtocolName
    /// Assembly-qualified handler name; wanted when the name is `Proprietary`.
    public var handler: String?
    public var location: SourceLocation
}

/// `CryptographicKeys/Key`.
public struct CryptographicKeyElement: Sendable, Hashable {
    public var id: String
    public var storageReferenceID: String
    public var location: SourceLocation
}

/// `InputClaim`, `PersistedClaim`, `OutputClaim`.
public struct ClaimReferenceElement: Sendable, Hashable {
    public var claim: String
    public var partnerClaimType: String?
    public var required: Bool?
    public var defaultValue: String?
    public var alwaysUseDefaultValue: Bool?
    public var overwriteIfExists: Bool?
    public var location: SourceLocation
}

/// `DisplayClaim`: a claim or a display control, in display order.
public struct DisplayClaimElement: Sendable, Hashable {
    public var claim: String?
    public var displayControl: String?
    /// Role of the claim inside a display control (`VerificationCode`, `QrCodeContent` ...).
    public var controlClaimType: String?
    public var required: Bool?
    public var location: SourceLocation
}

/// `ValidationTechnicalProfile`, and `ValidationClaimsExchangeTechnicalProfile` of a display control.
public struct ValidationProfileElement: Sendable, Hashable {
    public var profile: String
    public var continueOnError: Bool?
    public var continueOnSuccess: Bool?
    public var preconditions: [PreconditionElement] = []
    public var location: SourceLocation
}

/// `SubjectNamingInfo`.
public struct SubjectNamingInfoElement: Sendable, Hashable {
    public var claimType: String
    public var nameQualifier: String?
    public var spNameQualifier: String?
    public var format: String?
    public var spProvidedID: String?
    public var excludeAsClaim: Bool?
    public var location: SourceLocation
}

/// `ErrorHandler` of an identity provider.
public struct ErrorHandlerElement: Sendable, Hashable {
    public var errorResponseFormat: String?
    public var responseMatch: String?
    public var action: String?
    public var additionalRequestParameters: [MetadataItem] = []
    public var location: SourceLocation
}

/// `Precondition` of an orchestration step or validation profile.
public struct PreconditionElement: Sendable, Hashable {
    public var type: PreconditionType
    public var executeActionsIf: Bool
    /// Trimmed; for `ClaimEquals` the claim and then the literal.
    public var values: [String]
    /// The literal of `ClaimEquals` with the white space around it; `nil` where the values say it all.
    public var literal: String?
    public var actions: [PreconditionAction]
    public var location: SourceLocation
    /// The places of the actions, in their order.
    public var actionLocations: [SourceLocation] = []
    /// The places of the values, in their order.
    public var valueLocations: [SourceLocation] = []

    /// Place of a value, or of the whole where it is not known.
    public func place(ofValue index: Int) -> SourceLocation {
        valueLocations.indices.contains(index) ? valueLocations[index] : location
    }
}
