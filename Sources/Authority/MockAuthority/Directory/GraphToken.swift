import Determinism
import JOSE
import JSON

/// Checks the tokens that Microsoft Graph takes. Graph belongs to the directory and needs no discovery document: it knows
/// the keys.
public enum GraphToken {
    /// What the audience may be: the application id or the address.
    static let audiences = ["00000003-0000-0000-c000-000000000000", "https://graph.microsoft.com"]
    /// The directory role User Administrator as `wids` has it (Microsoft docs: permissions-reference of directory roles).
    static let userAdministrator = "fe930be7-5e62-47db-91af-98c3a49a38b1"

    /// The issuer of tokens of version 1.0, which Graph's tokens have (Microsoft docs: access-token-claims-reference).
    static func issuer(_ tenant: GUID) -> String { "https://sts.windows.net/\(tenant)/" }

    /// The claims of the bearer token of a request.
    ///
    /// - Parameters:
    ///   - authorization: The field `Authorization`.
    ///   - tenants: The directories whose people are here.
    /// - Throws: HTTP 401.
    public static func claims(
        _ authorization: String?, keys: JWKSet, tenants: Set<GUID>, at now: Timestamp
    ) throws(GraphFault) -> JSONObject {
        guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
            throw .badToken("Access token is empty.", "the request has no bearer token")
        }
        let text = String(authorization.dropFirst(7).drop { $0 == " " })
        guard !text.isEmpty else { throw .badToken("Access token is empty.", "the bearer token is empty") }
        guard let token = JWS(compact: text), let claims = token.claims else {
            throw .badToken(
                "CompactToken parsing failed with error code: 80049217", "the token is not a JSON web token")
        }
        let audience = claims["aud"]?.stringValue ?? ""
        guard audiences.contains(audience) || audience == audiences[1] + "/" else {
            throw .badToken(
                "Access token validation failure. Invalid audience.", "the audience \(audience) is not Graph")
        }
        if case .failure(let problem) = token.verify(in: keys) {
            throw .badToken("Access token validation failure. Invalid signature.", "\(problem)")
        }
        let (tenant, issuer) = (claims["tid"]?.stringValue ?? "", claims["iss"]?.stringValue ?? "")
        guard let id = GUID(tenant), tenants.contains(id), issuer == Self.issuer(id) else {
            // The sentence that a token of a B2C policy gets (Azure-Samples/active-directory-b2c-php-webapp-openidconnect#12).
            // That one of another tenant gets it too is inferred.
            throw .badToken(
                "Access token validation failure.",
                "the token is of tenant \(Self.shown(tenant)) and issuer \(Self.shown(issuer)); expected "
                    + tenants.map { Self.issuer($0) }.sorted().joined(separator: " or ") + " with its tid")
        }
        let now = now.secondsSinceEpoch
        guard let expiry = claims["exp"]?.intValue, now < expiry, (claims["nbf"]?.intValue ?? 0) <= now + 300 else {
            throw .badToken(
                "Lifetime validation failed, the token is expired.",
                "the token expires at \(claims["exp"]?.intValue.map { Timestamp(seconds: $0).rfc3339 } ?? "no time")")
        }
        return claims
    }

    private static func shown(_ text: String) -> String { text.isEmpty ? "(none)" : text }
}
