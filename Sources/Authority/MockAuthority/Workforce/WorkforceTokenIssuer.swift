import Determinism
import JOSE
import JSON
import TenantFiles

/// Drafts the tokens of a directory tenant (Microsoft docs: id-token-claims-reference, access-token-claims-reference).
struct WorkforceTokenIssuer: Sendable {
    let configuration: WorkforceConfiguration
    let app: WorkforceApp
    let person: WorkforceIdentity
    /// The tenant that signs.
    let tenantID: GUID
    let now: Timestamp

    /// `expires_in`: production draws between one hour and an hour and a half; here it is always the same.
    static let seconds: Int64 = 3599

    /// An ID token of version 2.0.
    func idToken(nonce: String?, withProfile: Bool, withEmail: Bool, uti: String) -> TokenDraft? {
        var claims = JSONObject()
        claims["ver"] = "2.0"
        claims["iss"] = .string(issuer)
        claims["sub"] = .string(subject(for: app.clientID))
        claims["aud"] = .string(app.clientID)
        addTimes(to: &claims)
        if withProfile {
            claims["name"] = .string(person.displayName)
            claims["preferred_username"] = .string(person.userPrincipalName)
            claims["oid"] = .string(objectID)
        }
        if withEmail, let email = person.user.email { claims["email"] = .string(email) }
        claims["tid"] = .string(tenantID.description)
        claims["nonce"] = nonce.map { .string($0) }
        claims["uti"] = .string(uti)
        return draft(claims)
    }

    /// An access token: version 1.0 for Graph, 2.0 for the tenant's own APIs. A personal account's token for Graph is
    /// opaque in production; here it is one like the others.
    func accessToken(for resource: WorkforceScope.Resource, _ scopes: [String], uti: String) -> TokenDraft? {
        var claims = JSONObject()
        if case .api(let name) = resource, let api = configuration.tenant.api(named: name) {
            claims["aud"] = .string(api.clientId)
            claims["iss"] = .string(issuer)
            addTimes(to: &claims)
            claims["azp"] = .string(app.clientID)
            claims["azpacr"] = .string(app.isConfidential ? "1" : "0")
            claims["name"] = .string(person.displayName)
            claims["oid"] = .string(objectID)
            claims["preferred_username"] = .string(person.userPrincipalName)
            claims["scp"] = .string(scopes.joined(separator: " "))
            claims["sub"] = .string(subject(for: api.clientId))
            claims["tid"] = .string(tenantID.description)
            claims["uti"] = .string(uti)
            claims["ver"] = "2.0"
        } else {
            claims["aud"] = .string(Self.graphID)
            claims["iss"] = .string(GraphToken.issuer(tenantID))
            addTimes(to: &claims)
            claims["acr"] = "1"
            claims["amr"] = ["pwd"]
            claims["app_displayname"] = .string(app.name)
            claims["appid"] = .string(app.clientID)
            claims["appidacr"] = .string(app.isConfidential ? "1" : "0")
            claims["idtyp"] = "user"
            claims["name"] = .string(person.displayName)
            claims["oid"] = .string(objectID)
            claims["scp"] = .string(scopes.joined(separator: " "))
            claims["sub"] = .string(subject(for: Self.graphID))
            claims["tid"] = .string(tenantID.description)
            claims["unique_name"] = .string(person.userPrincipalName)
            claims["upn"] = .string(person.userPrincipalName)
            claims["uti"] = .string(uti)
            claims["ver"] = "1.0"
        }
        return draft(claims)
    }

    /// The application id of Microsoft Graph, the same everywhere.
    static let graphID = "00000003-0000-0000-c000-000000000000"

    private var issuer: String { "https://\(configuration.tenant.host)/\(tenantID)/v2.0" }

    private var objectID: String { (person.objectID(in: tenantID) ?? person.homeObjectID).description }

    /// Different for every app and person, so that apps cannot compare notes.
    private func subject(for audience: String) -> String {
        Base64URL.encode(SHA2.sha256(Array("\(audience.lowercased()) \(objectID) \(tenantID)".utf8)))
    }

    /// Tokens begin five minutes before they are issued, so that clocks may differ (observed in production).
    private func addTimes(to claims: inout JSONObject) { Self.addTimes(to: &claims, at: now) }

    /// The same for the token of an app on its own.
    static func addTimes(to claims: inout JSONObject, at now: Timestamp) {
        let begin = (now - .minutes(5)).secondsSinceEpoch
        claims["iat"] = .integer(begin)
        claims["nbf"] = .integer(begin)
        claims["exp"] = .integer((now + .seconds(seconds)).secondsSinceEpoch)
    }

    private func draft(_ claims: JSONObject) -> TokenDraft? {
        guard let ring = configuration.signingRing else { return nil }
        return TokenDraft(
            header: ["typ": "JWT", "alg": "RS256", "kid": .string(ring.use.kid)], claims: claims, key: ring.use,
            signature: .rs256, hashes: [])
    }
}
