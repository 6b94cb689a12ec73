import Diagnostics
import JSON
import Synchronization

/// Whether two ids are the same: policies are compared ignoring ASCII case.
public func sameID(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    if sameText(a, b) { return true }
    var left = a.utf8.makeIterator()
    var right = b.utf8.makeIterator()
    while let x = left.next(), let y = right.next() {
        if x == y { continue }
        let folded = x | 0x20
        guard folded == y | 0x20, folded >= UInt8(ascii: "a"), folded <= UInt8(ascii: "z") else { return false }
    }
    return true
}

/// A policy ready to run: inheritance merged, includes applied, every reference a handle. Immutable and shared.
///
/// A policy that is known to link may be linked when something first asks for what linking makes: a sign-in needs one
/// policy of a tenant that may have hundreds.
public final class ResolvedPolicy: Sendable {
    /// Name on the wire, in the policy's own letter case.
    public let id: String
    public let personality: Personality
    /// Why the service cannot run the policy at present, though it linked once: its parents have changed since. `nil`: it
    /// runs.
    public let fault: String?
    /// The address of what linking made, retained; 0 until then. Each step of a journey asks for it several times, and the
    /// library's lazy reference is read by code that is not specialized.
    private let made = Atomic<UInt>(0)
    /// Links the policy; `nil` once it is linked. The lock lets one of several scenarios do it.
    private let link: Mutex<(@Sendable () -> LinkedPolicy)?>

    init(_ linked: LinkedPolicy) {
        id = linked.id
        personality = linked.personality
        fault = nil
        link = Mutex(nil)
        keep(linked)
    }

    deinit {
        kept?.release()
    }

    /// A policy that is linked when it is first used.
    ///
    /// - Parameter link: Runs once at most. What it makes has this id and this personality.
    init(
        id: String, personality: Personality, fault: String? = nil, link: @escaping @Sendable () -> LinkedPolicy
    ) {
        self.id = id
        self.personality = personality
        self.fault = fault
        self.link = Mutex(link)
    }

    /// The same policy as one that fails at its endpoints.
    ///
    /// - Parameter fault: Why, for the developer.
    public func failing(because fault: String) -> ResolvedPolicy {
        ResolvedPolicy(id: id, personality: personality, fault: fault) { self.linked }
    }

    private var linked: LinkedPolicy { known ?? linkNow() }

    private var known: LinkedPolicy? { kept?.takeUnretainedValue() }

    private var kept: Unmanaged<LinkedPolicy>? {
        UnsafeRawPointer(bitPattern: made.load(ordering: .acquiring)).map { .fromOpaque($0) }
    }

    private func keep(_ linked: LinkedPolicy) {
        made.store(UInt(bitPattern: Unmanaged.passRetained(linked).toOpaque()), ordering: .releasing)
    }

    private func linkNow() -> LinkedPolicy {
        link.withLock { link in
            if let known { return known }
            guard let work = link else { preconditionFailure("policy \(id) has nothing to link") }
            link = nil
            let linked = work()
            keep(linked)
            return linked
        }
    }

    /// The merged document that this was linked from; what `b2c policy show` prints.
    public var document: PolicyDocument { linked.document }
    /// Hash of the merged document's text: the same policy gives the same fingerprint on every machine.
    public var fingerprint: String { linked.fingerprint }
    public var claimTypes: [ClaimType] { linked.tables.claimTypes }
    public var predicates: [Predicate] { linked.tables.predicates }
    public var predicateValidations: [PredicateValidation] { linked.tables.predicateValidations }
    public var transformations: [ClaimsTransformation] { linked.tables.transformations }
    public var contentDefinitions: [ContentDefinition] { linked.tables.contentDefinitions }
    public var displayControls: [DisplayControl] { linked.tables.displayControls }
    public var profiles: [TechnicalProfile] { linked.tables.profiles }
    /// User journeys first, then sub journeys.
    public var journeys: [UserJourney] { linked.tables.journeys }
    /// Journeys with the sub journeys that they lead to, breadth first, each once.
    package func journeys(from first: [JourneyHandle]) -> [UserJourney] { linked.tables.journeys(from: first) }
    public var localization: Localization { linked.localization }
    public var localizedResources: [LocalizedResources] { linked.tables.localizedResources }
    public var relyingParty: RelyingParty { linked.relyingParty }
    /// The issuer of the default journey, when it issues JWTs.
    public var tokenIssuer: TokenIssuerSettings? { linked.tokenIssuer }
    /// Warnings of reading and linking.
    public var findings: [Diagnostic] { linked.findings }

    public var tenantID: String? { document.tenantID }
    public var deploymentMode: DeploymentMode { document.deploymentMode ?? .production }
    public var sessionBehavior: SessionBehavior { relyingParty.sessionBehavior }

    public subscript(handle: ClaimTypeHandle) -> ClaimType { linked.tables.claimTypes[Int(handle.index)] }
    public subscript(handle: PredicateHandle) -> Predicate { linked.tables.predicates[Int(handle.index)] }
    public subscript(handle: PredicateValidationHandle) -> PredicateValidation {
        linked.tables.predicateValidations[Int(handle.index)]
    }
    public subscript(handle: TransformationHandle) -> ClaimsTransformation {
        linked.tables.transformations[Int(handle.index)]
    }
    public subscript(handle: ContentDefinitionHandle) -> ContentDefinition {
        linked.tables.contentDefinitions[Int(handle.index)]
    }
    public subscript(handle: DisplayControlHandle) -> DisplayControl {
        linked.tables.displayControls[Int(handle.index)]
    }
    public subscript(handle: ProfileHandle) -> TechnicalProfile { linked.tables.profiles[Int(handle.index)] }
    public subscript(handle: JourneyHandle) -> UserJourney { linked.tables.journeys[Int(handle.index)] }
    public subscript(handle: LocalizedResourcesHandle) -> LocalizedResources {
        linked.tables.localizedResources[Int(handle.index)]
    }

    // Look-ups by id ignore case.
    public func claimType(_ id: String) -> ClaimTypeHandle? { linked.index.claimTypes[id.uppercased()] }
    public func transformation(_ id: String) -> TransformationHandle? { linked.index.transformations[id.uppercased()] }
    public func contentDefinition(_ id: String) -> ContentDefinitionHandle? {
        linked.index.contentDefinitions[id.uppercased()]
    }
    public func displayControl(_ id: String) -> DisplayControlHandle? { linked.index.displayControls[id.uppercased()] }
    public func profile(_ id: String) -> ProfileHandle? { linked.index.profiles[id.uppercased()] }
    /// A user journey, or the sub journey of that id when there is no user journey.
    public func journey(_ id: String) -> JourneyHandle? {
        let linked = linked
        return linked.index.journeys[id.uppercased()] ?? linked.index.subJourneys[id.uppercased()]
    }

    /// The language of a page: the first of the wanted ones (best first; `de-AT` falls back to `de`) that there is, else
    /// the default language.
    ///
    /// - Parameters:
    ///   - asked: By the request, which gets any language that the pages have texts in.
    ///   - accepted: By the browser, which gets those alone that the policy supports (Microsoft docs:
    ///     language-customization).
    public func language(asked: [String] = [], accepted: [String] = []) -> String {
        guard localization.enabled else { return localization.defaultLanguage }
        let supported = localization.supportedLanguages
        return first(of: asked, among: supported + localization.translatedLanguages)
            ?? first(of: accepted, among: supported) ?? localization.defaultLanguage
    }

    private func first(of wanted: [String], among languages: [String]) -> String? {
        for tag in wanted {
            var candidate = tag.lowercased()
            while true {
                if languages.contains(candidate) { return candidate }
                if let script = Self.scripts[candidate], languages.contains(script) { return script }
                guard let dash = candidate.lastIndex(of: "-") else { break }
                candidate = String(candidate[..<dash])
            }
        }
        return nil
    }

    /// Chinese by the script that is written in a region, as browsers name it and the service does not (inferred: they are
    /// the parent cultures of .NET).
    private static let scripts = [
        "zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant",
        "zh-mo": "zh-hant",
    ]

    /// The texts of a page in a language: those of the language, else of its parent language (`es` for `es-mx`), else of
    /// the default language.
    public func resources(
        of contentDefinition: ContentDefinitionHandle, language: String
    ) -> LocalizedResources? {
        let references = self[contentDefinition].resources
        var candidate = language.lowercased()
        while true {
            if let found = references.first(where: { $0.language == candidate }) { return self[found.resources] }
            guard let dash = candidate.lastIndex(of: "-") else { break }
            candidate = String(candidate[..<dash])
        }
        let standard = localization.defaultLanguage
        return references.first { $0.language == standard }.map { self[$0.resources] }
    }

    /// The texts of the languages that a page's language is a variety of (`es` for `es-mx`), nearest first, where the
    /// page has texts of the language itself.
    public func parentResources(
        of contentDefinition: ContentDefinitionHandle, language: String
    ) -> [LocalizedResources] {
        guard language.utf8.contains(UInt8(ascii: "-")) else { return [] }
        let references = self[contentDefinition].resources
        var found: [LocalizedResources] = []
        var candidate = language.lowercased()
        while true {
            if let reference = references.first(where: { $0.language == candidate }) {
                found.append(self[reference.resources])
            }
            guard let dash = candidate.lastIndex(of: "-") else { return Array(found.dropFirst()) }
            candidate = String(candidate[..<dash])
        }
    }
}

/// What linking makes of a policy.
final class LinkedPolicy: Sendable {
    let id: String
    let document: PolicyDocument
    let fingerprint: String
    let personality: Personality
    let tables: PolicyTables
    let localization: Localization
    let relyingParty: RelyingParty
    let tokenIssuer: TokenIssuerSettings?
    let index: HandleIndex
    let findings: [Diagnostic]

    init(
        id: String, document: PolicyDocument, fingerprint: String, personality: Personality, tables: PolicyTables,
        localization: Localization, relyingParty: RelyingParty, tokenIssuer: TokenIssuerSettings?, index: HandleIndex,
        findings: [Diagnostic]
    ) {
        self.id = id
        self.document = document
        self.fingerprint = fingerprint
        self.personality = personality
        self.tables = tables
        self.localization = localization
        self.relyingParty = relyingParty
        self.tokenIssuer = tokenIssuer
        self.index = index
        self.findings = findings
    }
}

/// The tables of a policy, filled while it is being linked.
struct PolicyTables: Sendable {
    var claimTypes: [ClaimType] = []
    var predicates: [Predicate] = []
    var predicateValidations: [PredicateValidation] = []
    var transformations: [ClaimsTransformation] = []
    var contentDefinitions: [ContentDefinition] = []
    var displayControls: [DisplayControl] = []
    var profiles: [TechnicalProfile] = []
    var journeys: [UserJourney] = []
    var localizedResources: [LocalizedResources] = []

    /// Journeys with the sub journeys that they lead to, breadth first, each once.
    func journeys(from first: [JourneyHandle]) -> [UserJourney] {
        var found: [UserJourney] = []
        var seen: Set<JourneyHandle> = []
        var next = first[...]
        while let handle = next.popFirst() {
            guard seen.insert(handle).inserted else { continue }
            found.append(journeys[Int(handle.index)])
            next += journeys[Int(handle.index)].steps.flatMap(\.subJourneys)
        }
        return found
    }
}

/// Ids in upper case to handles.
struct HandleIndex: Sendable {
    var claimTypes: [String: ClaimTypeHandle] = [:]
    var predicates: [String: PredicateHandle] = [:]
    var predicateValidations: [String: PredicateValidationHandle] = [:]
    var inputValidations: [String: PredicateValidationHandle] = [:]
    var transformations: [String: TransformationHandle] = [:]
    var contentDefinitions: [String: ContentDefinitionHandle] = [:]
    var displayControls: [String: DisplayControlHandle] = [:]
    var profiles: [String: ProfileHandle] = [:]
    var journeys: [String: JourneyHandle] = [:]
    /// A sub journey may have the id of a user journey.
    var subJourneys: [String: JourneyHandle] = [:]
    var localizedResources: [String: LocalizedResourcesHandle] = [:]
}
