import Diagnostics

extension Element {
    /// `UserJourney` or, when `subJourneyType` is there, `SubJourney`.
    public struct Journey: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var subJourneyType: SubJourneyType?
        public var nonInteractive: Bool?
        public var defaultIssuer: Reference?
        public var authorizationProfiles: [Reference] = []
        public var preserveOriginalAssertion: Bool?
        public var steps: [OrchestrationStep] = []
        public var clientDefinition: Reference?
        public var inert: [Item] = []
    }

    /// `OrchestrationStep`.
    public struct OrchestrationStep: Sendable, Hashable {
        public var order: Int
        public var location: SourceLocation
        public var type: StepType?
        public var contentDefinition: Reference?
        public var issuer: Reference?
        public var preconditions: [Precondition] = []
        public var displayOption: DisplayOption?
        public var selections: [ClaimsProviderSelection] = []
        public var exchanges: [ClaimsExchange] = []
        public var candidates: [Reference] = []
    }

    /// `ClaimsProviderSelection`: exactly one of the two ids.
    public struct ClaimsProviderSelection: Sendable, Hashable {
        public var targetClaimsExchangeID: String?
        public var validationClaimsExchangeID: String?
        public var location: SourceLocation
    }

    /// `ClaimsExchange`.
    public struct ClaimsExchange: Sendable, Hashable {
        public var id: String
        public var profile: String
        public var location: SourceLocation
    }

    /// `RelyingParty`.
    public struct RelyingParty: Sendable, Hashable {
        public var location: SourceLocation
        public var defaultUserJourney: Reference?
        public var endpoints: [Endpoint] = []
        public var behaviors: UserJourneyBehaviors?
        /// Normally one, `PolicyProfile`.
        public var profiles: [TechnicalProfile] = []
    }

    /// `Endpoint`: the journey behind `Token` or `UserInfo`.
    public struct Endpoint: Sendable, Hashable {
        public var id: String
        public var journey: String
        public var location: SourceLocation
    }

    /// `UserJourneyBehaviors`.
    public struct UserJourneyBehaviors: Sendable, Hashable {
        public var location: SourceLocation
        public var scope: SingleSignOnScope?
        public var keepAliveInDays: Int?
        public var enforceIdTokenHintOnLogout: Bool?
        public var sessionExpiryType: SessionExpiryType?
        public var sessionExpiryInSeconds: Int?
        public var contentDefinitionParameters: [Item] = []
        public var journeyFraming: JourneyFraming?
        public var scriptExecution: ScriptExecution?
        public var onError: OnErrorMode?
        /// Telemetry settings, without effect here.
        public var inert: [Item] = []
    }

    /// `JourneyFraming`: which sites may frame the pages.
    public struct JourneyFraming: Sendable, Hashable {
        public var enabled: Bool
        public var sources: [String]
        public var location: SourceLocation
    }
}
