import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import TenantFiles

/// All of a directory tenant that does not change while requests are handled.
final class WorkforceConfiguration: Sendable {
    let tenant: Tenant
    let keys: KeyRing
    let people: [WorkforceIdentity]
    let apps: [WorkforceApp]
    /// Home tenants of the people, and this one.
    private let tenantIDs: [GUID]

    init(tenant: Tenant, keys: KeyRing) {
        self.tenant = tenant
        self.keys = keys
        people = tenant.workforceIdentities
        apps = tenant.apps.map { WorkforceApp($0, apis: tenant.apis) }
        var ids = [tenant.id]
        for person in people where !ids.contains(person.homeTenantID) { ids.append(person.homeTenantID) }
        tenantIDs = ids
    }

    func app(_ clientID: String) -> WorkforceApp? {
        let wanted = clientID.lowercased()
        return apps.first { $0.clientID.lowercased() == wanted }
    }

    /// The person who types this name to sign in.
    func person(typed name: String) -> WorkforceIdentity? { people.first { $0.isNamed(name) } }

    /// The person of that name in the tenant file.
    func person(named name: String) -> WorkforceIdentity? { people.first { $0.user.name == name } }

    /// The audience that the first part of a path names; nil for a tenant that is not there.
    func audience(_ segment: String) -> WorkforceAudience? {
        switch segment.lowercased() {
        case "common": return .common
        case "organizations": return .organizations
        case "consumers": return .consumers
        default: break
        }
        if tenant.isNamed(segment) { return .tenant(tenant.id) }
        let id = Tenant.id(named: segment)
        if id == WorkforceIdentity.personalTenantID { return .consumers }
        // A bare word is a tenant's short name in tenant files only; on the wire it takes a domain or a GUID.
        guard GUID(segment) != nil || segment.contains("."), tenantIDs.contains(id) else { return nil }
        return .tenant(id)
    }

    var signingRing: KeyRing.Ring? { keys.ring("service") }
}

/// Whose accounts an authority URL is for (Microsoft docs: v2-protocols-oidc).
enum WorkforceAudience: Sendable, Hashable {
    case common, organizations, consumers
    case tenant(GUID)

    /// Whether somebody may sign in here.
    func admits(_ person: WorkforceIdentity) -> Bool {
        switch self {
        case .common: true
        case .organizations: !person.isPersonal
        case .consumers: person.isPersonal
        case .tenant(let id): person.objectID(in: id) != nil
        }
    }

    /// The tenant that signs this person's tokens.
    func issuingTenant(for person: WorkforceIdentity) -> GUID {
        if case .tenant(let id) = self { id } else { person.homeTenantID }
    }

    /// The part of the issuer that names the tenant, as the metadata write it.
    var issuerSegment: String {
        switch self {
        case .common, .organizations: "{tenantid}"
        case .consumers: WorkforceIdentity.personalTenantID.description
        case .tenant(let id): id.description
        }
    }

    /// The part of endpoints that names the tenant, as the metadata write it.
    var segment: String {
        switch self {
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        case .tenant(let id): id.description
        }
    }
}

/// An app as the directory knows it.
final class WorkforceApp: Sendable {
    let name: String
    let clientID: String
    let settings: RegistrationSettings
    /// Registered URIs in the order native, spa, web.
    let redirectURIs: [(uri: String, platform: GrantPlatform)]
    /// Configured permissions.
    let permissions: [WorkforceScope]
    let apis: [APISettings]

    init(_ app: AppSettings, apis: [APISettings]) {
        name = app.name
        clientID = app.registration.clientId
        settings = app.registration
        self.apis = apis
        let uris = app.registration.redirectUris
        let all: [(uri: String, platform: GrantPlatform)] =
            uris.native.map { ($0, .native) } + uris.spa.map { ($0, .spa) } + uris.web.map { ($0, .web) }
        redirectURIs = all.filter { !ScriptAddress.isOne($0.uri) }
        permissions = app.registration.scopes.compactMap { text in
            let parsed = WorkforceScope.parse(text, apis: apis, knownOnly: false)
            if case .success(let scope) = parsed { return scope }
            return nil
        }
    }

    func registration(of uri: String) -> GrantPlatform? {
        redirectURIs.first { RedirectURIRules.matches(uri, registered: $0.uri) }?.platform
    }

    /// Apps without a secret cannot keep one.
    var isConfidential: Bool { !settings.secrets.isEmpty && !settings.redirectUris.web.isEmpty }

    func isSinglePageOrigin(_ origin: String) -> Bool {
        redirectURIs.contains { $0.platform == .spa && WebURL($0.uri)?.origin == origin }
    }
}
