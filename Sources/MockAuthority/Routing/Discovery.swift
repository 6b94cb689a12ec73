import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TrustFramework

extension Authority {
    /// The policy's metadata (OpenID Connect Discovery 1.0), in the form of address it was asked in.
    mutating func discovery(_ call: Call, _ target: PolicyAddress) -> Reply {
        .send(
            Draft(
                headers: .document,
                body: .json(
                    DiscoveryContent.document(target), contentType: "application/json; charset=utf-8")), after: .zero)
    }

    /// The keys that the policy's tokens are checked with.
    mutating func keys(_ call: Call, _ target: PolicyAddress) -> Reply {
        let document = target.configuration.keys.ring(target.policy.keySet)?.document ?? "{\"keys\":[]}"
        return .send(
            Draft(
                headers: .document,
                body: .text(document, contentType: "application/json; charset=utf-8")), after: .zero)
    }
}

/// The members of a discovery document in the order recorded, with what works here and nothing else.
enum DiscoveryContent {
    static func document(_ target: PolicyAddress) -> JSONObject {
        func endpoint(_ path: String) -> JSONValue { .string(address(of: path, target)) }
        let policy = target.policy
        var document = JSONObject()
        document["issuer"] = .string(
            TokenFactory.issuer(
                host: target.host, policy: policy, tenant: target.configuration.tenant, form: policy.issuer?.issuerPattern ?? .tenant))
        document["authorization_endpoint"] = endpoint("oauth2/v2.0/authorize")
        document["token_endpoint"] = endpoint("oauth2/v2.0/token")
        document["end_session_endpoint"] = endpoint("oauth2/v2.0/logout")
        document["jwks_uri"] = endpoint("discovery/v2.0/keys")
        if policy.resolved.relyingParty.journey(endpoint: "UserInfo") != nil {
            document["userinfo_endpoint"] = endpoint("openid/v2.0/userinfo")
        }
        document["response_modes_supported"] = ["query", "fragment", "form_post"]
        document["response_types_supported"] = [
            "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
            "token id_token",
        ]
        document["scopes_supported"] = ["openid"]
        document["subject_types_supported"] = ["pairwise"]
        document["id_token_signing_alg_values_supported"] = ["RS256"]
        document["token_endpoint_auth_methods_supported"] = ["client_secret_post", "client_secret_basic"]
        document["claims_supported"] = .array(claims(of: policy).map { .string($0) })
        return document
    }

    /// The policy is written in lower case whatever was asked, the tenant as it was asked (recorded).
    static func address(of path: String, _ target: PolicyAddress) -> String {
        let policy = target.policy.lowercaseID
        switch target.form {
        case .path: return "https://\(target.host)/\(target.tenantSegment)/\(policy)/\(path)"
        case .tfp: return "https://\(target.host)/tfp/\(target.tenantSegment)/\(policy)/\(path)"
        case .query: return "https://\(target.host)/\(target.tenantSegment)/\(path)?p=\(policy)"
        }
    }

    /// The relying party's output claims in policy order, then those every token has.
    static func claims(of policy: HostedPolicy) -> [String] {
        var names: [String] = []
        let own = policy.resolved.relyingParty.outputClaims.map(\.wireName)
        for name in own + policy.resolved.personality.discoveryClaims where !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
