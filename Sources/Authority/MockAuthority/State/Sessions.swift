import B2CProtocol
import Determinism
import HTTPMessages
import Journeys
import TrustFramework

extension Authority {
    /// The session that the cookie of the policy's scope names.
    func sessionOfCookie(_ call: Call, _ target: PolicyAddress, clientID: String) -> SessionID? {
        guard
            let scope = Sessions.scope(
                of: target.policy.resolved, tenantDomain: target.configuration.tenant.domain, clientID: clientID),
            let value = call.cookies[StateCookies.sessionName(scope: scope)],
            let (id, _) = texts.read(cookie: value)
        else { return nil }
        return SessionID(id)
    }

    /// The cookie of a session that now holds.
    func sessionCookie(_ grant: SessionGrant, in scope: CookieScope) -> CookieDraft {
        CookieDraft(
            name: StateCookies.sessionName(scope: grant.scope),
            value: .sealed(StateText(texts: texts, id: grant.id.guid, round: 1)),
            scope: scope, expires: grant.persistentUntil.map(\.cookieDate))
    }

    /// Takes a cookie away: no value, and a time ten years back (recorded 2024).
    func expiredCookie(_ name: String, in scope: CookieScope, at now: Timestamp) -> CookieDraft {
        CookieDraft(name: name, value: .text(""), scope: scope, expires: tenYearsBefore(now))
    }

    private func tenYearsBefore(_ now: Timestamp) -> String {
        var civil = now.civil
        civil.year -= 10
        if civil.month == 2, civil.day == 29 { civil.day = 28 }
        return (Timestamp(civil) ?? Timestamp(seconds: 0)).cookieDate
    }
}
