import TrustFramework

/// A path through a policy, as far as it says who goes it and what runs on it.
public struct WalkedPath: Sendable {
    /// What sets the person apart, such as `a local account with a phone number`.
    public var person: String
    /// Who comes, what they do that is not the plain way, and how it ends.
    public var title: String
    /// The acts in one text.
    public var words: String
    /// Technical profiles that ran, also those that failed.
    public var profiles: Set<ProfileHandle>
    public var subJourneys: Set<JourneyHandle>
}

extension Exploration {
    /// Paths that end in different ways: first one of each kind, then the others, both shortest first.
    ///
    /// - Parameter most: How many at most.
    public func walkedPaths(most: Int) -> (paths: [WalkedPath], left: Int) {
        let ends = endsByKind()
        let paths = ends.prefix(most).map { end in
            let steps = places(end).map { trail[$0] }
            return WalkedPath(
                person: person(end), title: summary(end).joined(separator: ", "), words: told(end),
                profiles: steps.reduce(into: []) { $0.formUnion($1.ran + $1.failed) },
                subJourneys: steps.reduce(into: []) { $0.formUnion($1.subJourneys) })
        }
        return (paths, ends.count - paths.count)
    }
}
