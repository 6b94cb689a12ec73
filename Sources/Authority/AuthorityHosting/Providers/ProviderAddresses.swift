import HTTPMessages
import TenantFiles
import TrustFramework

/// Where custom policies look for an identity provider: the addresses in the metadata of its technical profile, and the
/// client they present themselves as.
public struct ProviderAddresses: Sendable, Hashable {
    /// One address.
    public struct Endpoint: Sendable, Hashable {
        public var endpoint: ProviderEndpoint
        public var address: WebURL
    }

    /// The provider's name in the tenant file.
    public var provider: String
    /// The technical profile's id.
    public var profile: String
    public var endpoints: [Endpoint]
    /// The client id the profile presents; `nil` where it names none.
    public var clientID: String?
    /// The policy's secret at the provider; `nil` where the profile names no key.
    public var secret: String?
    /// The audience that the profile wants ID tokens to have; `nil`: its client id.
    public var audience: String?

    /// The metadata items that hold addresses (Microsoft docs: oauth2-technical-profile, openid-connect-technical-
    /// profile).
    private static let items: [(key: String, endpoint: ProviderEndpoint)] = [
        ("METADATA", .discovery), ("authorization_endpoint", .authorize), ("AccessTokenEndpoint", .token),
        ("token_endpoint", .token), ("ClaimsEndpoint", .userinfo), ("jwks_uri", .keys),
        ("end_session_endpoint", .logout),
    ]

    /// The addresses of every identity provider that custom policies reach and the tenant file has a stub for.
    public static func find(in policies: [ResolvedPolicy], of tenant: Tenant) -> [ProviderAddresses] {
        guard !tenant.providers.isEmpty else { return [] }
        var found: [ProviderAddresses] = []
        var known = Set<ProviderAddresses>()
        for policy in policies where !policy.personality.isUserFlow {
            for profile in federation(of: policy) {
                guard let provider = provider(of: profile.profile, exchanges: profile.exchanges, in: tenant) else {
                    continue
                }
                let addresses = ProviderAddresses(profile.profile, provider: provider.name, tenant: tenant)
                if !addresses.endpoints.isEmpty, known.insert(addresses).inserted { found.append(addresses) }
            }
        }
        return found
    }

    /// The profiles of a policy's journeys that send the browser to an identity provider, with the ids of the claims
    /// exchanges that lead there.
    public static func federation(
        of policy: ResolvedPolicy
    ) -> [(profile: TechnicalProfile, exchanges: [String])] {
        var found: [(profile: TechnicalProfile, exchanges: [String])] = []
        for journey in policy.journeys {
            for step in journey.steps {
                for exchange in step.exchanges where policy[exchange.profile].handler.isFederation {
                    if let index = found.firstIndex(where: { $0.profile.handle == exchange.profile }) {
                        found[index].exchanges.append(exchange.id)
                    } else {
                        found.append((policy[exchange.profile], [exchange.id]))
                    }
                }
            }
        }
        return found
    }

    /// The provider of the tenant file that a technical profile means: by the claims exchange's id, the domain, or the
    /// profile's own id.
    public static func provider(
        of profile: TechnicalProfile, exchanges: [String], in tenant: Tenant
    ) -> ProviderSettings? {
        tenant.providers.first { provider in exchanges.contains { sameID($0, provider.exchange) } }
            ?? tenant.providers.first { provider in profile.domains.contains { sameID($0, provider.domain) } }
            ?? tenant.providers.first { sameID($0.name, profile.id) }
    }

    private init(_ profile: TechnicalProfile, provider: String, tenant: Tenant) {
        self.provider = provider
        self.profile = profile.id
        endpoints = Self.items.compactMap { item in
            guard let text = profile.metadata[item.key]?.replacing("{tenant}", with: tenant.domain),
                let address = WebURL(text), address.host != nil
            else { return nil }
            return Endpoint(endpoint: item.endpoint, address: address)
        }
        clientID = profile.metadata["client_id"]
        audience = profile.metadata["IdTokenAudience"]
        let key = profile.cryptographicKeys.first { sameID($0.id, "client_secret") }
        secret = key.map { tenant.secret(ofPolicyKey: $0.storageReferenceID) }
    }
}
