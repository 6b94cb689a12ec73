import Determinism
import JSON
import Journeys
import TenantFiles

/// The accounts of a tenant's people at one identity provider.
struct ProviderPeople: Sendable {
    /// One person as the provider knows them.
    struct ProviderAccount: Sendable {
        /// The person's name in the tenant file.
        var person: String
        /// The provider's own identifier: `sub` of OpenID Connect, `id` of plain OAuth 2.0.
        var subject: String
        var claims: JSONObject
    }

    enum SignInOutcome {
        case account(ProviderAccount)
        /// Somebody of this name is in the tenant file but has no account here.
        case stranger(person: String)
        case nobody
    }

    private let settings: ProviderSettings
    private let tenant: Tenant

    init(settings: ProviderSettings, tenant: Tenant) {
        self.settings = settings
        self.tenant = tenant
    }

    /// Whose e-mail address or user name this is, letter case not counted.
    func find(_ typed: String) -> SignInOutcome {
        let wanted = typed.lowercased()
        var stranger: String?
        for user in tenant.users {
            let account = account(of: user)
            var names = [user.email, user.username, user.name]
            if let account {
                for claim in ["email", "preferred_username", "upn", "login", "user_name"] {
                    names.append(account.claims[claim]?.stringValue)
                }
            }
            guard names.contains(where: { $0?.lowercased() == wanted }) else { continue }
            if let account { return .account(account) }
            stranger = stranger ?? user.name
        }
        return stranger.map { .stranger(person: $0) } ?? .nobody
    }

    /// The account of a person by the name in the tenant file.
    func account(named person: String) -> ProviderAccount? {
        tenant.user(named: person).flatMap(account)
    }

    /// What the provider says of somebody: what their record implies, over it the claims for everybody, over it their
    /// own (RFC 7396, so that `null` takes a claim away). Nil without an entry for this provider.
    private func account(of user: UserRecord) -> ProviderAccount? {
        guard let identity = user.providers.first(where: { $0.provider == settings.name }) else { return nil }
        let idClaim = settings.type == .oidc ? "sub" : "id"
        var standard = JSONObject()
        // The directory knows people by the same subject.
        standard[idClaim] = .string(
            Directory.stubSubject(provider: settings.name, person: user.name, tenant: tenant.name))
        standard["name"] = user.attributes["displayName"]
        standard["email"] = user.email.map { .string($0) }
        standard["given_name"] = user.attributes["givenName"]
        standard["family_name"] = user.attributes["surname"]
        if settings.type == .oauth2 {
            standard["first_name"] = user.attributes["givenName"]
            standard["last_name"] = user.attributes["surname"]
        }
        let claims = JSONValue.object(standard)
            .merging(patch: .object(settings.claims))
            .merging(patch: .object(identity.claims))
        guard let object = claims.objectValue else { return nil }
        let subject = object[idClaim].map { $0.stringValue ?? JSONWriter.compact($0) } ?? ""
        return ProviderAccount(person: user.name, subject: subject, claims: object)
    }
}
