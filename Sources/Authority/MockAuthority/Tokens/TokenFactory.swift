import Determinism
import JOSE
import JSON
import Journeys
import TenantFiles
import TrustFramework

/// Drafts the tokens of one sign-in: which claims, of which type, in which order (recorded from live tenants and taken
/// from Microsoft docs: tokens-overview).
struct TokenFactory: Sendable {
    let configuration: Configuration
    let policy: HostedPolicy
    /// Scheme and host of the request, which the issuer names.
    let origin: String
    let app: RegisteredApp
    let issuance: Issuance
    let settings: TokenIssuerSettings
    let nonce: String?
    let now: Timestamp

    /// The issuer of a policy's tokens.
    static func issuer(
        origin: String, policy: HostedPolicy, tenant: Tenant, form: TokenIssuerSettings.IssuerPattern
    ) -> String {
        form.issuer(origin: origin, tenant: tenant.id, policy: policy.lowercaseID)
    }

    /// An ID token; `hashes` are the members of the same response whose half hashes it holds.
    func idToken(hashes: [TokenDraft.HashClaim]) -> TokenDraft? {
        var claims = common(lifetime: settings.idTokenLifetime)
        claims.append(("aud", .string(app.clientID)))
        claims.append(("auth_time", .integer(issuance.authTime.secondsSinceEpoch)))
        for hash in hashes { claims.append((hash.claim, .null)) }
        return draft(claims, order: policy.idTokenOrder, hashes: hashes)
    }

    /// An access token for the API or the app itself.
    func accessToken(audience: String, scopes: [String]) -> TokenDraft? {
        var claims = common(lifetime: settings.accessTokenLifetime)
        claims.append(("aud", .string(audience)))
        if !scopes.isEmpty { claims.append(("scp", .string(scopes.joined(separator: " ")))) }
        claims.append(("azp", .string(app.clientID)))
        return draft(claims, order: policy.accessTokenOrder, hashes: [])
    }

    /// The relying party's claims and those that both kinds of token have.
    private func common(lifetime: TimeSpan) -> [(name: String, value: JSONValue)] {
        let seconds = now.secondsSinceEpoch
        var claims: [(name: String, value: JSONValue)] = []
        claims.reserveCapacity(issuance.claims.count + 14)
        for claim in issuance.claims where claim.name != "sub" { claims.append((claim.name, claim.value)) }
        if settings.addsPolicyAsAcr {
            claims.append(("acr", .string(policy.lowercaseID)))
        } else if policy.isUserFlow, !issuance.claims.contains(where: { $0.name == "tfp" }) {
            claims.append(("tfp", .string(policy.id)))
        }
        claims.append(
            (
                "iss",
                .string(
                    Self.issuer(
                        origin: origin, policy: policy, tenant: configuration.tenant, form: settings.issuerPattern))
            ))
        if let subject = issuance.subject ?? issuance.objectID?.description {
            claims.append(("sub", .string(subject)))
        }
        claims.append(("ver", "1.0"))
        claims.append(("iat", .integer(seconds)))
        claims.append(("nbf", .integer(seconds)))
        claims.append(("exp", .integer((now + lifetime).secondsSinceEpoch)))
        if let nonce { claims.append(("nonce", .string(nonce))) }
        return claims
    }

    private func draft(
        _ claims: [(name: String, value: JSONValue)], order: ClaimOrder, hashes: [TokenDraft.HashClaim]
    ) -> TokenDraft? {
        guard let ring = configuration.keys.ring(policy.keySet) else { return nil }
        return TokenDraft(
            header: ring.header, claims: order.arrange(claims), key: ring.use, signature: .rs256, hashes: hashes)
    }
}
