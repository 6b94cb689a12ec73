import Diagnostics
import Synchronization

/// A content definition with its texts resolved.
public final class ContentDefinition: Sendable {
    public let handle: ContentDefinitionHandle
    public let id: String
    public let loadURI: String
    public let recoveryURI: String?
    /// `urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7`.
    public let dataURI: String
    /// Page type of the data URI in lower case: `selfasserted`, `unifiedssp`, `multifactor`, `providerselection` ...
    public let pageType: String
    /// Layout version of the data URI, `[2, 1, 7]`; empty when it has none.
    public let version: [Int]
    /// Whether a sign-in page of this layout checks predicates.
    public let checksPredicates: Bool
    public let metadata: Metadata
    /// Language (lower case) to its texts, in document order.
    public let resources: [(language: String, resources: LocalizedResourcesHandle)]
    public let location: SourceLocation

    init(
        handle: ContentDefinitionHandle, id: String, loadURI: String, recoveryURI: String?, dataURI: String,
        metadata: Metadata, resources: [(language: String, resources: LocalizedResourcesHandle)],
        location: SourceLocation
    ) {
        self.handle = handle
        self.id = id
        self.loadURI = loadURI
        self.recoveryURI = recoveryURI
        self.dataURI = dataURI
        // Every post of a page asks for these.
        let parts = dataURI.split(separator: ":")
        pageType = parts.count >= 2 ? parts[parts.count - 2].lowercased() : dataURI.lowercased()
        let numbers = (parts.last ?? "").split(separator: ".").map { Int($0) }
        version = numbers.contains(nil) ? [] : numbers.compactMap { $0 }
        checksPredicates = !version.lexicographicallyPrecedes([2, 1, 0])
        self.metadata = metadata
        self.resources = resources
        self.location = location
    }

    /// Whether the page layout is at least this version.
    public func isAtLeast(_ wanted: [Int]) -> Bool { !version.lexicographicallyPrecedes(wanted) }
}

/// Languages and texts of a policy.
public struct Localization: Sendable {
    /// False when the policy says `Enabled="false"` or has no `Localization`: every page is in the default language.
    public let enabled: Bool
    /// Lower case, as all languages here.
    public let defaultLanguage: String
    public let supportedLanguages: [String]
    /// All languages in which pages have texts, of the policy's own and of the base that it inherits from.
    public let translatedLanguages: [String]
}

/// The texts of one language, found by element type, element and string.
public final class LocalizedResources: Sendable {
    public let handle: LocalizedResourcesHandle
    public let id: String
    public let culture: String?
    /// All strings in document order.
    public var strings: [LocalizedStringElement] { texts.strings }
    public let collections: [LocalizedCollectionElement]
    /// The texts of a page's own furniture by string id, those of its display controls as `control_text`: a page's
    /// `CONTENT`, made once for all its showings.
    public var content: [(id: String, text: String)] { texts.content }
    private let texts: LocalizedTexts

    init(
        handle: LocalizedResourcesHandle, id: String, culture: String?, strings: [LocalizedStringElement],
        collections: [LocalizedCollectionElement]
    ) {
        self.handle = handle
        self.id = id
        self.culture = culture
        self.collections = collections
        texts = LocalizedTexts.of(strings)
    }

    /// A text; the parts are compared ignoring case. `UxElement` and `ErrorMessage` have no element.
    public func text(_ elementType: String, _ elementID: String?, _ stringID: String?) -> String? {
        texts.text(elementType, elementID, stringID)
    }

    /// The localized choices of a claim, or `nil` when this language has none.
    public func items(ofClaim id: String) -> [EnumerationItemElement]? {
        collections.first {
            sameID($0.elementType, "ClaimType") && sameID($0.elementID, id)
                && sameID($0.targetCollection, "Restriction")
        }?.items
    }
}

/// A list of texts with its look-ups. Policies that inherit a list unchanged share one: half of what a linked policy
/// would hold is the texts of its base.
final class LocalizedTexts: Sendable {
    let strings: [LocalizedStringElement]
    let content: [(id: String, text: String)]
    private let index: [Key: Int32]

    /// Compared ignoring case.
    private struct Key: Hashable, Sendable {
        var elementType: String
        var elementID: String
        var stringID: String

        init(_ elementType: String, _ elementID: String?, _ stringID: String?) {
            self.elementType = elementType.lowercased()
            self.elementID = elementID?.lowercased() ?? ""
            self.stringID = stringID?.lowercased() ?? ""
        }
    }

    private struct Known {
        weak var texts: LocalizedTexts?
    }

    /// By the memory address of the strings. Texts that still exist keep their strings alive, so no other list can have
    /// that address.
    private static let known = Mutex<[Int: Known]>([:])

    /// The texts of a list; the same ones for all copies of that list.
    static func of(_ strings: [LocalizedStringElement]) -> LocalizedTexts {
        guard !strings.isEmpty else { return LocalizedTexts(strings) }
        let place = strings.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        if let found = known.withLock({ $0[place]?.texts }) { return found }
        let made = LocalizedTexts(strings)
        known.withLock { known in
            // Those of lists that are gone stay behind; nobody counts on one of them.
            if known.count >= 256 { known = known.filter { $0.value.texts != nil } }
            known[place] = Known(texts: made)
        }
        return made
    }

    private init(_ strings: [LocalizedStringElement]) {
        self.strings = strings
        content = strings.compactMap { string in
            guard let id = string.stringID else { return nil }
            switch string.elementType {
            case "UxElement": return (id, string.text)
            case "DisplayControl": return string.elementID.map { ("\($0)_\(id)", string.text) }
            default: return nil
            }
        }
        var index: [Key: Int32] = [:]
        index.reserveCapacity(strings.count)
        for (place, string) in strings.enumerated() {
            index[Key(string.elementType, string.elementID, string.stringID)] = Int32(clamping: place)
        }
        self.index = index
    }

    func text(_ elementType: String, _ elementID: String?, _ stringID: String?) -> String? {
        guard let place = index[Key(elementType, elementID, stringID)] else { return nil }
        return strings[Int(place)].text
    }
}

/// A display control with its claims and profiles resolved.
public struct DisplayControl: Sendable {
    /// A claim shown inside the control.
    public struct Claim: Sendable {
        public let claim: ClaimTypeHandle
        /// `VerificationCode`, `Email`, `Phone`, `CountryCode`, `QrCodeContent` ...; `nil` for the carrier.
        public let controlClaimType: String?
        public let required: Bool
    }

    /// `SendCode`, `VerifyCode` ... and the profiles it runs in order.
    public struct Action: Sendable {
        public let id: String
        public let profiles: [ValidationProfile]
        public let location: SourceLocation
    }

    public let handle: DisplayControlHandle
    public let id: String
    public let type: DisplayControlType
    /// What the control is called on the page, where the policy says.
    public let displayName: String?
    public let inputClaims: [ProfileClaim]
    public let displayClaims: [Claim]
    public let outputClaims: [ProfileClaim]
    public let actions: [Action]
    public let location: SourceLocation

    /// An action by id, ignoring case.
    public func action(_ id: String) -> Action? { actions.first { sameID($0.id, id) } }
    /// The claim in which the code is typed.
    public var codeClaim: ClaimTypeHandle? { claim(as: "VerificationCode") }
    /// The claim with a part in the control: `ChallengeId`, `CaptchaEntered` ...
    public func claim(as controlClaimType: String) -> ClaimTypeHandle? {
        displayClaims.first { sameID($0.controlClaimType ?? "", controlClaimType) }?.claim
    }
    /// The claim that the control proves: the first that is neither the code nor a country code.
    public var carrierClaim: ClaimTypeHandle? {
        displayClaims.first {
            !sameID($0.controlClaimType ?? "", "VerificationCode") && !sameID($0.controlClaimType ?? "", "CountryCode")
        }?.claim
    }
}
