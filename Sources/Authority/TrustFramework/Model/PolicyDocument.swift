import Diagnostics

/// One policy file as a value, or several merged into one.
///
/// Members that a file does not have are `nil`: inheritance needs to distinguish "not set" from "set to the default".
/// Order of lists is document order. Ids are compared ignoring case; the spelling kept is the declaring file's.
public struct PolicyDocument: Sendable, Hashable {
    public var location: SourceLocation
    public var schemaVersion: String?
    public var tenantID: String?
    public var tenantObjectID: String?
    public var policyID: String
    public var publicPolicyURI: String?
    public var deploymentMode: DeploymentMode?
    public var journeyRecorderEndpoint: String?
    public var stateTableName: String?
    public var basePolicy: BasePolicyElement?
    public var buildingBlocks = BuildingBlocksElement()
    public var claimsProviders: [ClaimsProviderElement] = []
    public var userJourneys: [JourneyElement] = []
    public var subJourneys: [JourneyElement] = []
    public var relyingParty: RelyingPartyElement?
    /// Root elements without effect here (contacts, constraints), kept as they stood in the file.
    public var inert: [MetadataItem] = []
    /// Hash of the file's bytes, or of those of all merged files.
    public var contentHash: UInt64 = 0
    /// Warnings of reading.
    public var findings: [Diagnostic] = []
    /// The places of the values of the root's attributes.
    public var attributePlaces: [String: SourceLocation] = [:]

    public init(policyID: String, location: SourceLocation) {
        self.policyID = policyID
        self.location = location
    }

    /// Place of an attribute of the root, or of the root where it has none.
    public func place(of attribute: String) -> SourceLocation { attributePlaces[attribute] ?? location }

    /// Whether the file adds nothing to its base but a relying party.
    public var isRelyingPartyAlone: Bool {
        claimsProviders.isEmpty && userJourneys.isEmpty && subJourneys.isEmpty
            && buildingBlocks == BuildingBlocksElement()
    }

    /// User journeys, then sub journeys.
    package var allJourneys: [JourneyElement] { userJourneys + subJourneys }

    /// Every technical profile, over all claims providers, in document order.
    public var technicalProfiles: [TechnicalProfileElement] { claimsProviders.flatMap(\.technicalProfiles) }
}

/// `BasePolicy`: the parent of a file.
public struct BasePolicyElement: Sendable, Hashable {
    public var location: SourceLocation
    public var tenantID: String?
    public var policyID: String
    /// Place of the tenant's name.
    public var tenantLocation: SourceLocation?
}

/// A reference by id, with its place for "no such ..." findings.
public struct ReferenceElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
}

/// `Metadata/Item`: a key and its trimmed text.
public struct MetadataItem: Sendable, Hashable {
    public var key: String
    public var value: String
    public var location: SourceLocation
}

/// `BuildingBlocks`.
public struct BuildingBlocksElement: Sendable, Hashable {
    public var claimTypes: [ClaimTypeElement] = []
    public var predicates: [PredicateElement] = []
    public var inputValidations: [PredicateValidationElement] = []
    public var predicateValidations: [PredicateValidationElement] = []
    public var claimsTransformations: [ClaimsTransformationElement] = []
    public var clientDefinitions: [ClientDefinitionElement] = []
    public var contentDefinitions: [ContentDefinitionElement] = []
    public var localization: LocalizationElement?
    public var displayControls: [DisplayControlElement] = []
}
