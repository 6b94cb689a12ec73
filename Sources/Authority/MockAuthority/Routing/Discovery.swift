import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TrustFramework

extension Authority {
    /// The policy's metadata (OpenID Connect Discovery 1.0), in the form of address it was asked in.
    mutating func discovery(_ call: Call, _ target: PolicyAddress) -> Reply {
        let document = target.policy.documents.discovery(at: target) {
            Draft(
                headers: .document,
                body: .json(DiscoveryContent.document(target), contentType: "application/json; charset=utf-8"))
        }
        return .send(Draft(document), after: .zero)
    }

    /// The keys that the policy's tokens are checked with.
    mutating func keys(_ call: Call, _ target: PolicyAddress) -> Reply {
        let document = target.policy.documents.keys {
            Draft(
                headers: .document,
                body: .text(
                    target.configuration.keys.ring(target.policy.keySet)?.document ?? "{\"keys\":[]}",
                    contentType: "application/json; charset=utf-8"))
        }
        return .send(Draft(document), after: .zero)
    }
}

/// What a policy's discovery document says: what works here and nothing else.
enum DiscoveryContent {
    static func document(_ target: PolicyAddress) -> JSONObject {
        func endpoint(_ endpoint: AuthorityEndpoint) -> String { address(of: endpoint, target) }
        let policy = target.policy
        let hasUserInfo = policy.resolved.relyingParty.journey(endpoint: "UserInfo") != nil
        return DiscoveryDocument(
            issuer: TokenFactory.issuer(
                origin: target.origin, policy: policy, tenant: target.configuration.tenant,
                form: policy.issuer?.issuerPattern ?? .tenant),
            authorizationEndpoint: endpoint(.authorize), tokenEndpoint: endpoint(.token),
            // A policy for passwords has no session to end (AzureAD/microsoft-authentication-library-for-js#4173).
            endSessionEndpoint: policy.takesPasswords ? nil : endpoint(.logout), jwksURI: endpoint(.keys),
            userinfoEndpoint: hasUserInfo ? endpoint(.userinfo) : nil, claimsSupported: claims(of: policy)
        ).json
    }

    /// The policy is written in lower case whatever was asked, the tenant as it was asked (recorded).
    static func address(of endpoint: AuthorityEndpoint, _ target: PolicyAddress) -> String {
        AuthorityURLs.endpoint(
            endpoint, scheme: target.scheme, host: target.host, tenantSegment: target.tenantSegment,
            policy: target.policy.lowercaseID,
            form: target.form)
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
