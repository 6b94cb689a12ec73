import TrustFramework

/// The technical profiles of a merged policy by id, with what they include.
struct ProfileTable {
    /// Includes of includes that are followed.
    private static let deepest = 16

    private let profiles: [String: TechnicalProfileElement]

    init(_ document: PolicyDocument?) {
        profiles = Dictionary(
            (document?.technicalProfiles ?? []).map { ($0.id.uppercased(), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// A profile with those parts of the profiles it includes on which its kind and its claims depend.
    subscript(id: String) -> TechnicalProfileElement? {
        guard var profile = profiles[id.uppercased()] else { return nil }
        var next = profile.includes?.id
        var depth = 0
        while depth < Self.deepest, let id = next, let included = profiles[id.uppercased()] {
            profile.protocol = profile.protocol ?? included.protocol
            profile.inputTokenFormat = profile.inputTokenFormat ?? included.inputTokenFormat
            profile.outputTokenFormat = profile.outputTokenFormat ?? included.outputTokenFormat
            profile.metadata += included.metadata
            profile.cryptographicKeys += included.cryptographicKeys
            profile.inputTransformations += included.inputTransformations
            profile.inputClaims += included.inputClaims
            profile.displayClaims += included.displayClaims
            profile.outputClaims += included.outputClaims
            profile.outputTransformations += included.outputTransformations
            profile.validationProfiles += included.validationProfiles
            next = included.includes?.id
            depth += 1
        }
        return profile
    }

    /// What carries out a profile; `nil` if it is not known or has no protocol.
    func handler(_ id: String) -> ProfileHandler? { self[id].flatMap { ProfileHandler.of($0) } }
}
