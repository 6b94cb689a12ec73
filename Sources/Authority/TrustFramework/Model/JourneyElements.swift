import Diagnostics

/// `UserJourney` or, when `subJourneyType` is there, `SubJourney`.
public struct JourneyElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var subJourneyType: SubJourneyType?
    public var nonInteractive: Bool?
    public var defaultIssuer: ReferenceElement?
    public var authorizationProfiles: [ReferenceElement] = []
    public var preserveOriginalAssertion: Bool?
    public var steps: [OrchestrationStepElement] = []
    public var clientDefinition: ReferenceElement?
    public var inert: [MetadataItem] = []
}

/// `OrchestrationStep`.
public struct OrchestrationStepElement: Sendable, Hashable {
    public var order: Int
    public var location: SourceLocation
    public var type: StepType?
    public var contentDefinition: ReferenceElement?
    public var issuer: ReferenceElement?
    public var preconditions: [PreconditionElement] = []
    public var displayOption: DisplayOption?
    public var selections: [ClaimsProviderSelectionElement] = []
    public var exchanges: [ClaimsExchangeElement] = []
    public var candidates: [ReferenceElement] = []
}

/// `ClaimsProviderSelection`: exactly one of the two ids.
public struct ClaimsProviderSelectionElement: Sendable, Hashable {
    public var targetClaimsExchangeID: String?
    public var validationClaimsExchangeID: String?
    public var location: SourceLocation
}

/// `ClaimsExchange`.
public struct ClaimsExchangeElement: Sendable, Hashable {
    public var id: String
    public var profile: String
    public var location: SourceLocation
}

/// `RelyingParty`.
public struct RelyingPartyElement: Sendable, Hashable {
    public var location: SourceLocation
    public var defaultUserJourney: ReferenceElement?
    public var endpoints: [EndpointElement] = []
    public var behaviors: UserJourneyBehaviorsElement?
    /// Normally one, `PolicyProfile`.
    public var profiles: [TechnicalProfileElement] = []
}

/// `Endpoint`: the journey behind `Token` or `UserInfo`.
public struct EndpointElement: Sendable, Hashable {
    public var id: String
    public var journey: String
    public var location: SourceLocation
}

/// `UserJourneyBehaviors`.
public struct UserJourneyBehaviorsElement: Sendable, Hashable {
    public var location: SourceLocation
    public var scope: SingleSignOnScope?
    public var keepAliveInDays: Int?
    public var enforceIdTokenHintOnLogout: Bool?
    public var sessionExpiryType: SessionExpiryType?
    public var sessionExpiryInSeconds: Int?
    public var contentDefinitionParameters: [MetadataItem] = []
    public var journeyFraming: JourneyFramingElement?
    public var scriptExecution: ScriptExecution?
    public var onError: OnErrorMode?
    /// Telemetry settings, without effect here.
    public var inert: [MetadataItem] = []
}

/// `JourneyFraming`: which sites may frame the pages.
public struct JourneyFramingElement: Sendable, Hashable {
    public var enabled: Bool
    public var sources: [String]
    public var location: SourceLocation
}
