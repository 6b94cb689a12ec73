import Diagnostics

/// `ClientDefinition`: filter flags of old clients; read, kept and written, without effect on a journey.
public struct ClientDefinitionElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var filterFlags: String?
}

/// `ContentDefinition`: the page template and layout of one kind of page.
public struct ContentDefinitionElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var loadURI: String?
    public var recoveryURI: String?
    public var dataURI: String?
    public var metadata: [MetadataItem] = []
    public var resourcesMergeBehavior: MergeBehavior?
    public var localizedResources: [LocalizedResourcesReferenceElement] = []
    /// The place of the data URI.
    public var dataURILocation: SourceLocation?
    /// The place of the load URI.
    public var loadURILocation: SourceLocation?
}

/// `LocalizedResourcesReference`: which texts a page uses in one language.
public struct LocalizedResourcesReferenceElement: Sendable, Hashable {
    public var language: String
    public var resources: String?
    public var url: String?
    public var location: SourceLocation
}

/// `Localization`.
public struct LocalizationElement: Sendable, Hashable {
    public var location: SourceLocation
    public var enabled: Bool?
    public var supportedLanguages: SupportedLanguagesElement?
    public var resources: [LocalizedResourcesElement] = []
}

/// `SupportedLanguages`.
public struct SupportedLanguagesElement: Sendable, Hashable {
    public var location: SourceLocation
    public var defaultLanguage: String?
    public var mergeBehavior: MergeBehavior?
    public var languages: [String] = []
}

/// `LocalizedResources`: texts of one language, under an id that content definitions refer to.
public struct LocalizedResourcesElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var culture: String?
    public var collections: [LocalizedCollectionElement] = []
    public var strings: [LocalizedStringElement] = []
}

/// `LocalizedCollection`: the choices of a claim in one language.
public struct LocalizedCollectionElement: Sendable, Hashable {
    public var elementType: String
    public var elementID: String
    public var targetCollection: String
    public var items: [EnumerationItemElement] = []
    public var location: SourceLocation
}

/// `LocalizedString`.
public struct LocalizedStringElement: Sendable, Hashable {
    public var elementType: String
    public var elementID: String?
    public var stringID: String?
    public var text: String
    public var location: SourceLocation
}

/// `DisplayControl`.
public struct DisplayControlElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var type: DisplayControlType
    /// What the control is called on the page.
    public var displayName: String?
    public var inputClaims: [ClaimReferenceElement] = []
    public var displayClaims: [DisplayClaimElement] = []
    public var outputClaims: [ClaimReferenceElement] = []
    public var actions: [DisplayControlActionElement] = []
}

/// `Action` of a display control and the profiles it runs, in order.
public struct DisplayControlActionElement: Sendable, Hashable {
    public var id: String
    public var location: SourceLocation
    public var profiles: [ValidationProfileElement] = []
}
