import Determinism
import TrustFramework

/// What a search through all ways of a policy needs beside the events: it copies a journey at every choice.
extension Journey {
    /// Takes another random stream. Two journeys that differ in what they drew alone are equal afterwards, as far as
    /// identifiers and codes to come are concerned.
    public mutating func reseed(_ random: SeededGenerator) { self.random = random }

    /// The codes that can still be handed in, newest first, with the addresses that they are for.
    public func livingCodes(at now: Timestamp) -> [(code: String, address: String)] { codes.living(at: now) }

    /// The codes that were sent, not handed in, and are too old, with the addresses that they were for.
    public func expiredCodes(at now: Timestamp) -> [(code: String, address: String)] { codes.expired(at: now) }

    /// The key, in base32, with which an authenticator app is being registered on this path; `nil` where the one on file
    /// counts.
    public var authenticatorKey: String? { codes.authenticatorSecret }

    /// The captcha picture that was shown last and nobody has answered, and what it says.
    public func openCaptcha(at now: Timestamp) -> (id: String, text: String)? { codes.captchas.open(at: now) }

    /// The orchestration steps that are under way, outermost first: several within a sub journey.
    public func steps(in policy: ResolvedPolicy) -> [(journey: JourneyHandle, step: OrchestrationStep)] {
        frames.compactMap { frame in
            guard case .steps(let steps) = frame, let place = steps.current else { return nil }
            let all = policy[steps.journey].steps
            return all.indices.contains(place) ? (steps.journey, all[place]) : nil
        }
    }

    /// The technical profiles that are under way, outermost first.
    public var profiles: [ProfileHandle] {
        frames.compactMap { frame in
            switch frame {
            case .page(let page): page.profile
            case .profile(let profile): profile.profile
            case .list, .steps: nil
            }
        }
    }
}

extension Directory {
    /// What an administrator does to an account.
    public enum AdministratorAct: Sendable, Hashable {
        case disable, delete
        /// A new password, which revokes refresh tokens.
        case resetPassword(String)
        /// Revokes refresh tokens, as `revokeSignInSessions` does.
        case revoke
        /// The value of an attribute, by its name in a policy.
        case set(String, ClaimValue)
    }

    /// An administrator acts between two acts of a person; nothing where there is no such account.
    public mutating func administer(_ objectID: GUID, _ act: AdministratorAct, at now: Timestamp) {
        switch act {
        case .disable: update(objectID) { $0.accountEnabled = false }
        case .delete: delete(objectID)
        case .resetPassword(let password):
            guard var account = self[objectID] else { return }
            try? setPassword(password, of: &account, at: now, checked: false)
            try? replace(account)
        case .revoke: update(objectID) { $0.revokeRefreshTokens(at: now) }
        case .set(let name, let value): update(objectID) { $0.store(name, value) }
        }
    }
}

/// Calling codes of countries.
public enum CallingCodes {
    /// `44` for `GB`; `nil` for an unknown country.
    public static func code(of country: String) -> String? {
        Phones.callingCodes.first { sameID($0.country, country) }?.code
    }
}
