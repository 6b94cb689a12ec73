import Determinism
import TrustFramework

/// What a journey has of single sign-on: the session it found, and what it will leave in it.
struct JourneySession: Sendable, Hashable, Codable {
    /// The session of the request's cookie, as it was when the journey began; `nil` when there is none, it has expired,
    /// or `prompt=login` or `max_age` puts it out of use.
    var found: Session?
    /// Entries to be kept when the journey issues.
    var stored: [Session.Entry] = []
    /// Whether a session stood in for a technical profile.
    var used = false
    /// When somebody proved who they are in this journey.
    var authenticatedAt: Timestamp?
    /// What the keep-me-signed-in box said.
    var keepSignedIn = false
    /// Whether the issuer's session provider registers the app.
    var registersClient = false
    /// Technical profile of the identity provider used.
    var identityProvider: String?

    /// What a provider remembers, from an earlier journey or, where the switch says so, from this one.
    func entry(of provider: String, includingOwn: Bool) -> Session.Entry? {
        if includingOwn, let own = stored.last(where: { sameID($0.provider, provider) }) { return own }
        return found?.entry(of: provider)
    }

    mutating func store(_ entry: Session.Entry) {
        stored.removeAll { sameID($0.provider, entry.provider) }
        stored.append(entry)
    }
}
