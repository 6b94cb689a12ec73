import B2CProtocol
import Determinism
import JOSE
import JSON
import Journeys

/// The members of a successful token response, in the order recorded.
struct TokenResponse: Sendable {
    var factory: TokenFactory
    var scopes: GrantedScopes
    /// A refresh token's text and what is left of its life.
    var refreshToken: (text: String, expiresIn: TimeSpan)?
    /// `client_info=1` was sent: the response has `client_info` instead of `profile_info`.
    var wantsClientInfo: Bool
    /// False only for a password grant that asks for an access token alone.
    var wantsIDToken = true

    func parameters() -> [Parameter] {
        let settings = factory.settings
        let now = factory.now.secondsSinceEpoch
        var parameters: [Parameter] = []
        func number(_ name: String, _ value: Int64) {
            parameters.append(
                settings.jsonNumbers ? Parameter(name, .number(value)) : Parameter(name, text: String(value)))
        }
        let accessToken = scopes.audience.flatMap { factory.accessToken(audience: $0, scopes: scopes.names) }
        if let accessToken { parameters.append(Parameter("access_token", .token(accessToken))) }
        if scopes.openid, wantsIDToken {
            let hashes =
                accessToken == nil ? [] : [TokenDraft.HashClaim(claim: "at_hash", of: "access_token")]
            if let idToken = factory.idToken(hashes: hashes) {
                parameters.append(Parameter("id_token", .token(idToken)))
            }
        }
        parameters.append(Parameter("token_type", text: "Bearer"))
        number("not_before", now)
        if let audience = scopes.audience {
            let lifetime = settings.accessTokenLifetime.milliseconds / 1000
            number("expires_in", lifetime)
            number("expires_on", now + lifetime)
            parameters.append(Parameter("resource", text: audience))
        }
        if scopes.openid, wantsIDToken, !wantsClientInfo || scopes.audience == nil {
            number("id_token_expires_in", settings.idTokenLifetime.milliseconds / 1000)
        }
        if wantsClientInfo {
            if let info = Self.clientInfo(factory) { parameters.append(Parameter("client_info", text: info)) }
        } else {
            parameters.append(Parameter("profile_info", text: Self.profileInfo(factory)))
        }
        let scope = scopes.responseText
        if !scope.isEmpty { parameters.append(Parameter("scope", text: scope)) }
        if let refreshToken {
            parameters.append(Parameter("refresh_token", text: refreshToken.text))
            number("refresh_token_expires_in", refreshToken.expiresIn.milliseconds / 1000)
        }
        return parameters
    }

    /// `{"uid":"{oid}-{policy}","utid":"{tenant}"}`, the policy in lower case (recorded).
    static func clientInfo(_ factory: TokenFactory) -> String? {
        let issuance = factory.issuance
        guard let user = issuance.objectID?.description ?? issuance.subject else { return nil }
        return ClientInfo(
            uid: "\(user)-\(factory.policy.lowercaseID)", utid: factory.configuration.tenant.id.description
        ).encoded
    }

    /// The older description of the user (decoded from Microsoft's samples).
    static func profileInfo(_ factory: TokenFactory) -> String {
        func claim(_ name: String) -> String? { factory.issuance.claims.first { $0.name == name }?.value.stringValue }
        return ProfileInfo.encoded(
            tenantID: factory.configuration.tenant.id.description, name: claim("name"),
            idp: claim("idp") ?? "LocalAccount")
    }
}
