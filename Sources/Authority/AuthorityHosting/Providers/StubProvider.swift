import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import TenantFiles

/// An identity provider of the tenant, played: OAuth 2.0 with a user-information call, or OpenID Connect.
///
/// It has a sign-in page of its own, accounts for the people of the tenant file that have an entry for it, a session,
/// and codes and tokens that work once and for a while. Passwords at the provider are not in the tenant file: any will
/// do.
public actor StubProvider: Responder {
    var settings: ProviderSettings
    var people: ProviderPeople
    /// Client ids and secrets of the tenant's user flows and of its custom policies; others bring their own.
    var registeredClients: [(id: String, secret: String)]
    /// Where custom policies look for it.
    private var addresses: [ProviderAddresses.Endpoint]
    /// The audience of ID tokens for a client that wants another than itself (`IdTokenAudience`).
    var audiences: [String: String]
    var sessions = Expiring<String>()
    var codes = Expiring<ProviderCode>()
    var tokens = Expiring<ProviderPeople.ProviderAccount>()
    var random: SeededGenerator
    let clock: any WallClock
    let key: SigningKey

    /// - Parameters:
    ///   - seed: Everything the provider draws comes from the stream `provider/NAME` of it.
    ///   - clock: True time.
    ///   - addresses: Where custom policies look for it besides its own base address.
    public init(
        settings: ProviderSettings, tenant: Tenant, seed: SeededGenerator, clock: any WallClock,
        addresses: [ProviderAddresses] = []
    ) {
        self.settings = settings
        self.clock = clock
        people = ProviderPeople(settings: settings, tenant: tenant)
        registeredClients = Self.clients(settings, tenant, addresses)
        self.addresses = addresses.flatMap(\.endpoints)
        audiences = Self.audiences(addresses)
        random = seed.stream("provider/\(settings.name)")
        let published = tenant.keySets.flatMap(\.publish).map { TestKeys.named($0).kid }
        key = TestKeys.named("provider \(settings.name)", avoiding: published)
    }

    /// Takes changed settings or people. Sessions and what was issued stay.
    public func configure(settings: ProviderSettings, tenant: Tenant, addresses: [ProviderAddresses] = []) {
        self.settings = settings
        people = ProviderPeople(settings: settings, tenant: tenant)
        registeredClients = Self.clients(settings, tenant, addresses)
        self.addresses = addresses.flatMap(\.endpoints)
        audiences = Self.audiences(addresses)
    }

    private static func audiences(_ addresses: [ProviderAddresses]) -> [String: String] {
        Dictionary(
            addresses.compactMap { known in
                guard let client = known.clientID, let audience = known.audience else { return nil }
                return (client, audience)
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func clients(
        _ settings: ProviderSettings, _ tenant: Tenant, _ addresses: [ProviderAddresses]
    ) -> [(id: String, secret: String)] {
        [(settings.clientId(tenant: tenant.name), tenant.secret(ofPolicyKey: settings.secretName))]
            + addresses.compactMap { known in
                guard let id = known.clientID, let secret = known.secret else { return nil }
                return (id, secret)
            }
    }

    public func respond(
        to request: RequestMessage, _ context: ExchangeContext
    ) async throws(TransportError) -> ResponseMessage {
        if settings.type == .saml {
            throw .other("not built yet: SAML provider \"\(settings.name)\"")
        }
        switch endpoint(of: request.url) {
        case .discovery where settings.type == .oidc: return .json(200, .object(discovery))
        case .keys where settings.type == .oidc: return .json(200, .object(JWKSet(keys: [key.jwk]).json))
        case .authorize: return authorize(request)
        case .token: return token(request)
        case .userinfo: return userInfo(request)
        case .logout where settings.logout != .none: return logout(request)
        default:
            return refusal(404, "provider \"\(settings.name)\" has no endpoint \(request.url.path)")
        }
    }

    private func endpoint(of url: WebURL) -> ProviderEndpoint? {
        if let known = addresses.first(where: { $0.address.origin == url.origin && $0.address.path == url.path }) {
            return known.endpoint
        }
        return ProviderEndpoint.allCases.first { candidate in
            WebURL(settings.endpoint(candidate))?.path == url.path
        }
    }

    /// The metadata (OpenID Connect Discovery 1.0): what works here and nothing else.
    private var discovery: JSONObject {
        var document = JSONObject()
        document["issuer"] = .string(settings.issuer)
        document["authorization_endpoint"] = .string(settings.endpoint(.authorize))
        document["token_endpoint"] = .string(settings.endpoint(.token))
        document["userinfo_endpoint"] = .string(settings.endpoint(.userinfo))
        document["jwks_uri"] = .string(settings.endpoint(.keys))
        if settings.logout != .none { document["end_session_endpoint"] = .string(settings.endpoint(.logout)) }
        document["response_types_supported"] = ["code", "id_token"]
        document["response_modes_supported"] = ["query", "fragment", "form_post"]
        document["grant_types_supported"] = ["authorization_code"]
        document["subject_types_supported"] = ["public"]
        document["id_token_signing_alg_values_supported"] = ["RS256"]
        document["scopes_supported"] = ["openid", "profile", "email"]
        document["token_endpoint_auth_methods_supported"] = [
            "client_secret_post", "client_secret_basic", "private_key_jwt",
        ]
        document["code_challenge_methods_supported"] = ["S256", "plain"]
        return document
    }

    /// An HTTP error that no OAuth text goes with.
    func refusal(_ status: Int, _ why: String) -> ResponseMessage {
        var response = ResponseMessage.text(status, "\(status)")
        response.refusal = why
        return response
    }

    /// A fresh text that nobody guesses.
    func opaque() -> String { Base64URL.encode(random.bytes(24)) }
}

/// What an authorization code stands for.
struct ProviderCode: Sendable {
    var account: ProviderPeople.ProviderAccount
    var clientID: String
    var redirectURI: String
    var scopes: ScopeList
    var nonce: String?
    var challenge: (text: String, method: PKCE.Method)?
}

/// Values under texts, each good until an instant.
struct Expiring<Value: Sendable>: Sendable {
    private var rows: [String: (value: Value, until: Timestamp)] = [:]

    func value(_ key: String, at now: Timestamp) -> Value? {
        guard let row = rows[key], row.until > now else { return nil }
        return row.value
    }

    mutating func insert(_ key: String, _ value: Value, until: Timestamp, now: Timestamp) {
        // A long-running server must not keep what nobody came back for.
        if rows.count >= 10_000 { rows = rows.filter { $0.value.until > now } }
        rows[key] = (value, until)
    }

    mutating func remove(_ key: String) {
        rows[key] = nil
    }
}
