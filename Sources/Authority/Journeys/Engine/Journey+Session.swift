import Determinism
import TrustFramework

extension Journey {
    /// Finds the session that the request's cookie names, unless the request does not want it.
    mutating func findSession(in tenancy: Tenancy, _ turn: Turn) {
        guard entry.isInteractive, let id = turn.request.ssoCookieSession,
            let scope = Sessions.scope(
                of: turn.policy, tenantDomain: turn.call.environment.tenantDomain, clientID: turn.request.clientID),
            turn.request.prompt != "login",
            turn.request.prompt != "select_account" || turn.call.environment.switches.selectAccountKeepsSession,
            let session = tenancy.sessions.living(id, scope: scope, at: turn.now)
        else { return }
        // The documentation says nothing of max_age; this is its meaning in OpenID Connect Core 3.1.2.1 (inferred).
        if let maxAge = turn.request.maxAge, turn.now - session.authTime > .seconds(Int64(maxAge)) { return }
        if let requirements = turn.policy.relyingParty.authenticationRequirements {
            let since = requirements.resetExpiryWhenTokenIssued ? session.lastUsedAt : session.authTime
            if isOver(requirements, since: since, turn) { return }
        }
        // A session of an account that is gone stands for nobody.
        if let objectID = session.objectID, tenancy.directory[objectID] == nil { return }
        sso.found = session
    }

    /// Whether a session takes the place of a technical profile (Microsoft docs: custom-policy-reference-sso). On a hit
    /// the claims of the session and the provider's own output claims are in the bag.
    /// - Parameter connects: Whether an external login may be short-cut too; false asks only whether it is known.
    /// - Returns: The claims that it put into the bag; `nil` if there is no session for the profile.
    mutating func sessionHit(_ profile: TechnicalProfile, _ turn: inout Turn) -> [TracedClaim]? {
        guard let entry = sessionEntry(profile, turn), let handle = profile.sessionProfile else { return nil }
        let provider = turn.policy[handle]
        if provider.handler == .externalLoginSession,
            provider.metadata.bool("AlwaysFetchClaimsFromProvider", default: false)
        {
            return nil
        }
        var out: [TracedClaim] = []
        for kept in entry.claims {
            guard let claim = turn.policy.claimType(kept.id) else { continue }
            let value = kept.value.converted(to: turn.policy[claim].dataType)
            claims[claim] = value
            if let value { out.append(TracedClaim(claim, value, from: .session)) }
        }
        out += deliver(PartnerClaims(), for: provider, turn)
        sso.used = true
        return out
    }

    /// What the session holds for a profile, if its provider is of a kind that holds claims.
    func sessionEntry(_ profile: TechnicalProfile, _ turn: Turn) -> Session.Entry? {
        guard entry.isInteractive, let handle = profile.sessionProfile else { return nil }
        let provider = turn.policy[handle]
        let own = !turn.call.environment.switches.sessionOnlyForLaterJourneys
        guard let entry = sso.entry(of: provider.id, includingOwn: own) else { return nil }
        if !turn.call.environment.switches.sessionsAreKeptByProvider, !sameID(entry.profile, profile.id) { return nil }
        if let requirements = profile.authenticationRequirements, isOver(requirements, since: entry.at, turn) {
            return nil
        }
        switch provider.handler {
        case .defaultSession: return entry
        case .externalLoginSession: return sameID(entry.profile, profile.id) ? entry : nil
        default: return nil
        }
    }

    /// Whether somebody has to take an active part again.
    private func isOver(
        _ requirements: AuthenticationRequirementsElement, since: Timestamp, _ turn: Turn
    ) -> Bool { turn.now - since > .minutes(Int64(requirements.timeToLive)) }

    /// Keeps what a profile's session provider persists of the bag.
    mutating func persistSession(_ profile: TechnicalProfile, _ turn: Turn) {
        guard entry.isInteractive, let handle = profile.sessionProfile else { return }
        let provider = turn.policy[handle]
        switch provider.handler {
        case .defaultSession, .externalLoginSession:
            var kept: [KeptClaim] = []
            for claim in provider.persistedClaims {
                let value =
                    claims[claim.claim]
                    ?? claim.defaultValue.flatMap { ClaimValue($0, as: turn.policy[claim.claim].dataType) }
                if let value { kept.append(KeptClaim(turn.policy[claim.claim].id, value)) }
            }
            guard !kept.isEmpty else { return }
            sso.store(Session.Entry(provider: provider.id, profile: profile.id, claims: kept, at: turn.now))
        case .oauthSession:
            sso.registersClient = true
        default:
            break
        }
    }

    /// Leaves the session as it is after this journey; the cookie to set for it.
    mutating func keepSession(in tenancy: inout Tenancy, _ turn: Turn, authTime: Timestamp) -> SessionGrant? {
        guard entry.isInteractive,
            let scope = Sessions.scope(
                of: turn.policy, tenantDomain: turn.call.environment.tenantDomain, clientID: turn.request.clientID),
            sso.found != nil || !sso.stored.isEmpty || sso.registersClient
        else { return nil }
        let behavior = turn.policy.sessionBehavior
        let keptFor: TimeSpan? =
            behavior.keepAliveInDays > 0 && (sso.keepSignedIn || sso.found?.keptFor != nil)
            ? .days(Int64(behavior.keepAliveInDays)) : nil
        var session =
            sso.found
            ?? Session(
                id: SessionID(random.guid()), scope: scope, createdAt: turn.now, lastUsedAt: turn.now,
                authTime: authTime, rolling: true, lifetime: .zero, keptFor: nil, entries: [], participants: [],
                objectID: nil, identityProvider: nil)
        session.lastUsedAt = turn.now
        session.authTime = authTime
        session.rolling = behavior.expiryType == .rolling
        session.lifetime = .seconds(Int64(behavior.expiryInSeconds))
        // Passing through a policy that keeps nobody signed in ends the keeping (Microsoft docs: session-behavior).
        session.keptFor = keptFor
        for entry in sso.stored {
            session.entries.removeAll { sameID($0.provider, entry.provider) }
            session.entries.append(entry)
        }
        for place in session.entries.indices {
            let profile = turn.policy.profile(session.entries[place].profile).map { turn.policy[$0] }
            if profile?.authenticationRequirements?.resetExpiryWhenTokenIssued ?? false {
                session.entries[place].at = turn.now
            }
        }
        if sso.registersClient, !session.participants.contains(turn.request.clientID) {
            session.participants.append(turn.request.clientID)
        }
        if let id = objectID(turn) { session.objectID = id }
        if let provider = sso.identityProvider { session.identityProvider = provider }
        if sso.found == nil, let old = turn.request.ssoCookieSession { tenancy.sessions.end(old) }
        tenancy.keep(session, at: turn.now)
        return SessionGrant(
            id: session.id, scope: scope, persistentUntil: keptFor == nil ? nil : session.expires,
            expires: session.expires)
    }

    /// The directory object id in the bag.
    func objectID(_ turn: Turn) -> GUID? {
        turn.policy.claimType("objectId").flatMap { claims[$0]?.text }.flatMap(GUID.init)
    }
}
