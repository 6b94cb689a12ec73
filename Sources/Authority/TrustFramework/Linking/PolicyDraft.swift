import Diagnostics

/// A merged policy with the includes of its profiles applied, before references are resolved: what rules look at that
/// must hold even where something else in the policy does not link.
public struct PolicyDraft: Sendable {
    /// A technical profile after inheritance and includes.
    public struct Profile: Sendable {
        public let element: TechnicalProfileElement
        /// What carries it out; `nil` where it has no protocol.
        public let handler: ProfileHandler?
        /// The profile that its includes end at, itself where it includes none.
        public let root: String
        /// The place of that one.
        public let rootLocation: SourceLocation
        /// Its claims provider's name.
        public let providerName: String?

        /// The last item of a metadata key, which the service compares exactly.
        public func item(_ key: String) -> MetadataItem? { element.metadata.last { $0.key == key } }

        /// A metadata text that is not empty.
        public func text(_ key: String) -> String? { item(key).flatMap { $0.value.isEmpty ? nil : $0.value } }

        /// Whether a metadata key says true.
        public func flag(_ key: String, default standard: Bool = false) -> Bool {
            item(key).map { isTrue($0.value.lowercased()) } ?? standard
        }

        /// Whether it has a cryptographic key of that id.
        public func hasKey(_ id: String) -> Bool { element.cryptographicKeys.contains { sameID($0.id, id) } }
    }

    public let document: PolicyDocument
    /// In the order of the merged document.
    public let profiles: [Profile]
    private let places: [String: Int]

    public init(_ merged: PolicyDocument, rules: MergeRules = MergeRules()) {
        document = merged
        var context = LinkContext(merged)
        let plain = Dictionary(
            merged.technicalProfiles.map { ($0.id.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        // Where the includes of each id end, so that a long chain is not followed from each of its profiles.
        var roots: [String: TechnicalProfileElement] = [:]
        profiles = ProfileIncludes.resolved(in: merged, rules, &context).map { item in
            var root = plain[item.profile.id.uppercased()] ?? item.profile
            var seen: Set<String> = []
            while let next = root.includes?.id.uppercased(), seen.insert(next).inserted,
                let found = roots[next] ?? plain[next]
            {
                root = found
            }
            for id in seen where plain[id] != nil { roots[id] = root }
            return Profile(
                element: item.profile, handler: ProfileHandler.of(item.profile), root: root.id,
                rootLocation: root.location, providerName: item.provider.displayName)
        }
        places = Dictionary(
            profiles.enumerated().map { ($1.element.id.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A profile by its id, compared without regard to case.
    public func profile(_ id: String) -> Profile? { places[id.uppercased()].map { profiles[$0] } }
}

extension ProfileHandler {
    /// Whether it manages sessions.
    public var isSession: Bool {
        switch self {
        case .noopSession, .defaultSession, .externalLoginSession, .oauthSession, .samlSession: true
        default: false
        }
    }

    /// Whether it issues tokens or answers to apps.
    public var isIssuer: Bool {
        switch self {
        case .jwtIssuer, .samlIssuer, .jsonIssuer, .oauth2ErrorIssuer: true
        default: false
        }
    }
}
