import Diagnostics

extension Element {
    /// `ClientDefinition`: filter flags of old clients; read, kept and written, without effect on a journey.
    public struct ClientDefinition: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var filterFlags: String?
    }

    /// `ContentDefinition`: the page template and layout of one kind of page.
    public struct ContentDefinition: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var loadURI: String?
        public var recoveryURI: String?
        public var dataURI: String?
        public var metadata: [Item] = []
        public var resourcesMergeBehavior: MergeBehavior?
        public var localizedResources: [LocalizedResourcesReference] = []
        /// The place of the data URI.
        public var dataURILocation: SourceLocation?
        /// The place of the load URI.
        public var loadURILocation: SourceLocation?
    }

    /// `LocalizedResourcesReference`: which texts a page uses in one language.
    public struct LocalizedResourcesReference: Sendable, Hashable {
        public var language: String
        public var resources: String?
        public var url: String?
        public var location: SourceLocation
    }

    /// `Localization`.
    public struct Localization: Sendable, Hashable {
        public var location: SourceLocation
        public var enabled: Bool?
        public var supportedLanguages: SupportedLanguages?
        public var resources: [LocalizedResources] = []
    }

    /// `SupportedLanguages`.
    public struct SupportedLanguages: Sendable, Hashable {
        public var location: SourceLocation
        public var defaultLanguage: String?
        public var mergeBehavior: MergeBehavior?
        public var languages: [String] = []
    }

    /// `LocalizedResources`: texts of one language, under an id that content definitions refer to.
    public struct LocalizedResources: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var culture: String?
        public var collections: [LocalizedCollection] = []
        public var strings: [LocalizedString] = []
    }

    /// `LocalizedCollection`: the choices of a claim in one language.
    public struct LocalizedCollection: Sendable, Hashable {
        public var elementType: String
        public var elementID: String
        public var targetCollection: String
        public var items: [EnumerationItem] = []
        public var location: SourceLocation
    }

    /// `LocalizedString`.
    public struct LocalizedString: Sendable, Hashable {
        public var elementType: String
        public var elementID: String?
        public var stringID: String?
        public var text: String
        public var location: SourceLocation
    }

    /// `DisplayControl`.
    public struct DisplayControl: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var type: DisplayControlType
        /// What the control is called on the page.
        public var displayName: String?
        public var inputClaims: [ClaimReference] = []
        public var displayClaims: [DisplayClaim] = []
        public var outputClaims: [ClaimReference] = []
        public var actions: [DisplayControlAction] = []
    }

    /// `Action` of a display control and the profiles it runs, in order.
    public struct DisplayControlAction: Sendable, Hashable {
        public var id: String
        public var location: SourceLocation
        public var profiles: [ValidationProfile] = []
    }
}
