import Diagnostics

/// A user journey or sub journey: steps in ascending order, references resolved.
public final class UserJourney: Sendable {
    public let handle: JourneyHandle
    public let id: String
    /// `nil` for a user journey.
    public let subJourneyType: SubJourneyType?
    public let nonInteractive: Bool
    /// Issuer of errors and of a `SendClaims` step that names none.
    public let defaultIssuer: ProfileHandle?
    /// Profiles that check the access token of a user-info call.
    public let authorizationProfiles: [ProfileHandle]
    public let steps: [OrchestrationStep]
    public let location: SourceLocation

    init(
        handle: JourneyHandle, id: String, subJourneyType: SubJourneyType?, nonInteractive: Bool,
        defaultIssuer: ProfileHandle?, authorizationProfiles: [ProfileHandle], steps: [OrchestrationStep],
        location: SourceLocation
    ) {
        self.handle = handle
        self.id = id
        self.subJourneyType = subJourneyType
        self.nonInteractive = nonInteractive
        self.defaultIssuer = defaultIssuer
        self.authorizationProfiles = authorizationProfiles
        self.steps = steps
        self.location = location
    }
}

/// One orchestration step.
public final class OrchestrationStep: Sendable {
    /// One entry of a selection page.
    public struct SelectionEntry: Sendable {
        public enum Target: Sendable {
            /// Chosen here, run in the next step.
            case exchange(id: String, profile: ProfileHandle)
            /// The local form of a combined page: run in this step.
            case validation(id: String, profile: ProfileHandle)
        }
        public let target: Target
        public let location: SourceLocation

        /// The claims exchange's id.
        public var id: String {
            switch target {
            case .exchange(let id, _), .validation(let id, _): id
            }
        }
        public var profile: ProfileHandle {
            switch target {
            case .exchange(_, let profile), .validation(_, let profile): profile
            }
        }
    }

    /// A claims exchange of this step.
    public struct ClaimsExchange: Sendable {
        public let id: String
        public let profile: ProfileHandle
        public let location: SourceLocation
    }

    public let order: Int
    public let type: StepType
    public let contentDefinition: ContentDefinitionHandle?
    public let issuer: ProfileHandle?
    public let preconditions: [Precondition]
    public let displayOption: DisplayOption
    public let selections: [SelectionEntry]
    public let exchanges: [ClaimsExchange]
    public let subJourneys: [JourneyHandle]
    public let location: SourceLocation

    init(
        order: Int, type: StepType, contentDefinition: ContentDefinitionHandle?, issuer: ProfileHandle?,
        preconditions: [Precondition], displayOption: DisplayOption, selections: [SelectionEntry],
        exchanges: [ClaimsExchange],
        subJourneys: [JourneyHandle], location: SourceLocation
    ) {
        self.order = order
        self.type = type
        self.contentDefinition = contentDefinition
        self.issuer = issuer
        self.preconditions = preconditions
        self.displayOption = displayOption
        self.selections = selections
        self.exchanges = exchanges
        self.subJourneys = subJourneys
        self.location = location
    }

    /// An exchange by id, ignoring case.
    public func exchange(_ id: String) -> ClaimsExchange? { exchanges.first { sameID($0.id, id) } }
    /// The local form of a combined page.
    public var localSelection: SelectionEntry? {
        selections.first { if case .validation = $0.target { true } else { false } }
    }
}

/// The relying party: which journeys an app gets, how sessions behave, what its tokens hold.
public final class RelyingParty: Sendable {
    public let defaultJourney: JourneyHandle
    /// `Token`: the journey of the refresh grant; `UserInfo`: that of the user-info call.
    public let endpoints: [(id: String, journey: JourneyHandle)]
    public let sessionBehavior: SessionBehavior
    public let contentDefinitionParameters: [MetadataItem]
    public let journeyFraming: JourneyFramingElement?
    public let scriptExecution: ScriptExecution
    public let onError: OnErrorMode?
    public let profileID: String
    public let protocolName: ProtocolName
    public let metadata: Metadata
    public let inputClaims: [ProfileClaim]
    /// In document order; `wireName` is the name in the token.
    public let outputClaims: [ProfileClaim]
    public let subjectNaming: SubjectNamingInfoElement?
    /// How long a session replaces signing in with this policy.
    public let authenticationRequirements: AuthenticationRequirementsElement?
    public let location: SourceLocation

    init(
        defaultJourney: JourneyHandle, endpoints: [(id: String, journey: JourneyHandle)],
        sessionBehavior: SessionBehavior, contentDefinitionParameters: [MetadataItem],
        journeyFraming: JourneyFramingElement?, scriptExecution: ScriptExecution, onError: OnErrorMode?,
        profileID: String, protocolName: ProtocolName, metadata: Metadata, inputClaims: [ProfileClaim],
        outputClaims: [ProfileClaim], subjectNaming: SubjectNamingInfoElement?,
        authenticationRequirements: AuthenticationRequirementsElement?, location: SourceLocation
    ) {
        self.defaultJourney = defaultJourney
        self.endpoints = endpoints
        self.sessionBehavior = sessionBehavior
        self.contentDefinitionParameters = contentDefinitionParameters
        self.journeyFraming = journeyFraming
        self.scriptExecution = scriptExecution
        self.onError = onError
        self.profileID = profileID
        self.protocolName = protocolName
        self.metadata = metadata
        self.inputClaims = inputClaims
        self.outputClaims = outputClaims
        self.subjectNaming = subjectNaming
        self.authenticationRequirements = authenticationRequirements
        self.location = location
    }

    /// The journey of an endpoint, by id ignoring case.
    public func journey(endpoint id: String) -> JourneyHandle? { endpoints.first { sameID($0.id, id) }?.journey }
}

/// `UserJourneyBehaviors` about single sign-on, with the defaults filled in ("Microsoft docs: session-behavior").
public struct SessionBehavior: Sendable, Hashable {
    public let scope: SingleSignOnScope
    /// 0: keep me signed in is off.
    public let keepAliveInDays: Int
    public let enforceIdTokenHintOnLogout: Bool
    public let expiryType: SessionExpiryType
    /// Seconds a session lives: 900 to 86400, default 86400.
    public let expiryInSeconds: Int

    public init(
        scope: SingleSignOnScope, keepAliveInDays: Int, enforceIdTokenHintOnLogout: Bool,
        expiryType: SessionExpiryType, expiryInSeconds: Int
    ) {
        self.scope = scope
        self.keepAliveInDays = keepAliveInDays
        self.enforceIdTokenHintOnLogout = enforceIdTokenHintOnLogout
        self.expiryType = expiryType
        self.expiryInSeconds = expiryInSeconds
    }
}
