import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import JSON
import Journeys
import Synchronization
import TenantFiles
import TrustFramework

/// All of the tenant that does not change while requests are handled, with the look-ups they need. Each change of the
/// tenant makes a new one; requests keep the one they began with.
final class Configuration: Sendable {
    let tenant: Tenant
    /// The policies as they come, in the order of the tenant file.
    let resolved: [ResolvedPolicy]
    let apps: [RegisteredApp]
    let resources: [APIResource]
    let keys: KeyRing
    let environment: JourneyEnvironment
    let lockout: LockoutSettings
    private let policyIndex: [String: Int]
    /// Policies at their endpoints by their place: each from the first request that is for it.
    private let hosted = Mutex<[Int: HostedPolicy]>([:])
    private let headers = Mutex<Set<String>?>(nil)
    private let appIndex: [String: Int]
    /// Lower-case spellings of the tenant that a path may hold.
    private let tenantSegments: [String]
    private let hosts: [String]

    init(tenant: Tenant, policies resolved: [ResolvedPolicy], keys: KeyRing) {
        self.tenant = tenant
        self.keys = keys
        resources = tenant.apis.map(APIResource.init)
        let resources = resources
        apps = tenant.apps.map { RegisteredApp($0, resources: resources) }
        self.resolved = resolved
        var policyIndex: [String: Int] = [:]
        policyIndex.reserveCapacity(resolved.count)
        for (index, policy) in resolved.enumerated() { policyIndex[policy.id.lowercased()] = index }
        self.policyIndex = policyIndex
        var appIndex: [String: Int] = [:]
        for (index, app) in apps.enumerated() where appIndex[app.clientID.lowercased()] == nil {
            appIndex[app.clientID.lowercased()] = index
        }
        self.appIndex = appIndex
        hosts = tenant.hosts.map { $0.lowercased() }
        // A host that is not the service's own is a custom domain, which may also name the tenant in a path.
        tenantSegments =
            [tenant.domain.lowercased(), tenant.id.description] + hosts.filter { !$0.hasSuffix(".b2clogin.com") }
        environment = Self.environment(of: tenant)
        lockout = tenant.authority.lockout
    }

    private static func environment(of tenant: Tenant) -> JourneyEnvironment {
        let secrets = tenant.policyKeys.compactMap { key in key.secret.map { (name: key.name, secret: $0) } }
        return JourneyEnvironment(
            tenantDomain: tenant.domain, tenantID: tenant.id,
            secrets: PolicySecrets(secrets, inactive: tenant.policyKeys.filter { !$0.isActive }.map(\.name)),
            switches: tenant.authority.defaults,
            unansweredPhones: tenant.users.filter { !$0.answersCalls }.compactMap(\.phone))
    }

    /// Whether requests for this host are for this tenant. Host names that serve every tenant need the tenant in the
    /// path.
    func serves(host: String) -> Bool {
        hosts.contains(host) || host == "login.microsoftonline.com"
    }

    /// Whether a path segment names this tenant: domain name, GUID or custom domain, in any letter case.
    func isTenant(_ segment: String) -> Bool {
        tenantSegments.contains(segment) || tenantSegments.contains(segment.lowercased())
    }

    func policy(_ id: String) -> HostedPolicy? { policyIndex[id.lowercased()].map(host) }

    /// All policies at their endpoints: the work of the whole tenant, so for questions about the whole tenant.
    var policies: [HostedPolicy] { resolved.indices.map(host) }

    /// How many policies requests have been for.
    var hostedPolicies: Int { hosted.withLock { $0.count } }

    private func host(_ index: Int) -> HostedPolicy {
        hosted.withLock { hosted in
            if let known = hosted[index] { return known }
            // The first of two entries with one id counts.
            let policy = resolved[index]
            let made = HostedPolicy(policy, settings: tenant.policy(id: policy.id), tenant: tenant)
            hosted[index] = made
            return made
        }
    }

    /// Headers of the grants that some policy of the tenant seals or still opens. User flows share theirs, so these are
    /// as many as the tenant has keys.
    var grantHeaders: Set<String> {
        headers.withLock { headers in
            if let headers { return headers }
            let seals = Set(resolved.map { GrantSeals($0, tenant: tenant) })
            let made = Set(seals.flatMap(\.keys).map(\.header))
            headers = made
            return made
        }
    }

    /// Whether a grant with this header is sealed with a key of the tenant.
    func opens(grantHeader header: String) -> Bool {
        let headers = grantHeaders
        // Texts in a set are alike when they look alike; a header is taken byte for byte.
        return headers.firstIndex(of: header).map { sameText(headers[$0], header) } ?? false
    }

    func app(_ clientID: String) -> RegisteredApp? { appIndex[clientID.lowercased()].map { apps[$0] } }

    /// The API whose identifier URI begins this scope, and the rest of the scope.
    func resource(ofScope scope: String) -> (resource: APIResource, name: String)? {
        for resource in resources {
            let length = resource.prefix.utf8.count
            guard scope.utf8.count > length,
                let end = scope.utf8.index(scope.startIndex, offsetBy: length, limitedBy: scope.endIndex),
                sameID(String(scope[..<end]), resource.prefix)
            else { continue }
            return (resource, String(scope[end...]))
        }
        return nil
    }
}

/// A policy at its endpoints.
final class HostedPolicy: Sendable {
    let resolved: ResolvedPolicy
    /// The tenant file's entry; absent for a policy that only a folder holds.
    let settings: PolicySettings?
    /// The id in its registered letter case.
    let id: String
    let lowercaseID: String
    let keySet: String
    /// Whether it takes the password grant.
    let takesPasswords: Bool
    /// Name of the key that seals grants now, and of those that still open them.
    let grantKeys: [GrantKey]
    /// How the default journey's issuer makes tokens; absent when it makes none of ours (SAML).
    let issuer: TokenIssuerSettings?
    let idTokenOrder: ClaimOrder
    let accessTokenOrder: ClaimOrder
    /// Texts of its pages, prepared as they are first shown.
    let pageTexts = PageDataScripts()
    /// Its documents, written as they are first asked for.
    let documents = PublishedDocuments()

    init(_ resolved: ResolvedPolicy, settings: PolicySettings?, tenant: Tenant) {
        self.resolved = resolved
        self.settings = settings
        id = resolved.id
        lowercaseID = resolved.id.lowercased()
        issuer = resolved.tokenIssuer
        let own = Self.ownKey(resolved.tokenIssuer?.signingKey, of: resolved, tenant)
        keySet =
            settings?.tokens.keySet ?? own.map { KeyRing.ringName(ofPolicyKey: $0.reference) }
            ?? resolved.personality.keySet
        takesPasswords =
            settings?.type == .ropc || resolved[resolved.relyingParty.defaultJourney].nonInteractive
        grantKeys = GrantSeals(resolved, tenant: tenant).keys
        idTokenOrder = ClaimOrder(resolved.personality.idTokenClaimOrder)
        accessTokenOrder = ClaimOrder(resolved.personality.accessTokenClaimOrder)
    }

    /// The key that the tenant file puts under a storage reference of a custom policy.
    fileprivate static func ownKey(
        _ reference: @autoclosure () -> String?, of policy: ResolvedPolicy, _ tenant: Tenant
    ) -> (reference: String, key: String)? {
        // Asked first: the issuer of a user flow is known when the policy is linked, and has no key of its own.
        guard !policy.personality.isUserFlow, let reference = reference(), let key = tenant.key(ofPolicyKey: reference)
        else { return nil }
        return (reference, key)
    }

    var isUserFlow: Bool { resolved.personality.isUserFlow }

    var rejectsReuse: Bool { settings?.tokens.refreshTokenReuse == .reject }
}

/// What the keys of a policy's grants follow from.
private struct GrantSeals: Hashable {
    /// Names of keys: the one that seals grants now, then those that still open them.
    let names: [String]
    /// Key identifier in the place of that of the standard key.
    let standardKid: String?

    init(_ policy: ResolvedPolicy, tenant: Tenant) {
        let grants = tenant.keySet(named: "grants")
        let own = HostedPolicy.ownKey(policy.tokenIssuer?.refreshTokenKey, of: policy, tenant)
        let sealing = own?.key ?? grants?.use ?? GrantKey.standardName
        let earlier = own.map { tenant.publishedKeys(ofPolicyKey: $0.reference) } ?? []
        names = [sealing] + (earlier + (grants?.publish ?? [])).filter { $0 != sealing }
        standardKid = policy.personality.refreshTokenKeyID
    }

    var keys: [GrantKey] { names.map { GrantKey($0, standardKid: standardKid) } }
}

/// A key that seals authorization codes and refresh tokens. Nothing is encrypted: the header shows its kid.
struct GrantKey: Sendable {
    /// Name in the tenant file unless it says otherwise.
    static let standardName = "grants"

    let kid: String
    /// The first part of the grant's text, base64url of the header that live tenants write.
    let header: String

    init(_ name: String, standardKid: String?) {
        let standard = name == Self.standardName ? standardKid : nil
        kid = standard ?? TestKeys.named(name).kid
        header = Base64URL.encode(
            Array("{\"kid\":\"\(kid)\",\"ver\":\"1.0\",\"zip\":\"Deflate\",\"ser\":\"1.0\"}".utf8))
    }
}

/// An app as the tenant knows it.
final class RegisteredApp: Sendable {
    let name: String
    let clientID: String
    let settings: RegistrationSettings
    /// Registered URIs in the order native, spa, web. None that would run script: a response in a form would run it in
    /// the authority's own page.
    let redirectURIs: [(uri: String, platform: GrantPlatform)]
    /// Granted scopes by API, each list in the order of the API's own.
    private let granted: [(resource: APIResource, scopes: [String], known: Set<String>)]

    init(_ app: AppSettings, resources: [APIResource]) {
        name = app.name
        clientID = app.registration.clientId
        settings = app.registration
        let uris = app.registration.redirectUris
        let all: [(uri: String, platform: GrantPlatform)] =
            uris.native.map { ($0, .native) } + uris.spa.map { ($0, .spa) } + uris.web.map { ($0, .web) }
        redirectURIs = all.filter { !ScriptAddress.isOne($0.uri) }
        // Without an administrator's consent no API permission counts: nobody at a B2C page can consent.
        let permissions = Set(
            app.registration.consent == .granted ? app.registration.scopes.map(\.asciiLowercased) : [])
        granted = resources.map { resource in
            let scopes = resource.scopes.filter { permissions.contains((resource.prefix + $0).asciiLowercased) }
            return (resource, scopes, Set(scopes))
        }
    }

    /// Whether the app may have this scope of the API, spelled as the API spells it.
    func isGranted(_ name: String, of resource: APIResource) -> Bool {
        granted.first { $0.resource === resource }?.known.contains(name) == true
    }

    /// Granted scopes of the API, in the order it lists them.
    func grantedScopes(of resource: APIResource) -> [String] {
        granted.first { $0.resource === resource }?.scopes ?? []
    }

    /// The registered URI that a requested one stands for.
    func registration(of uri: String) -> GrantPlatform? {
        redirectURIs.first { RedirectURIRules.matches(uri, registered: $0.uri) }?.platform
    }
}

/// The platform type of a redirect URI: what a grant sent to it may do at the token endpoint.
enum GrantPlatform: String, Sendable, Hashable {
    case native, spa, web
}

/// An API that apps ask scopes of.
final class APIResource: Sendable {
    let name: String
    let clientID: String
    /// Identifier URI with one slash at its end.
    let prefix: String
    let scopes: [String]
    private let spellings: [String: String]

    init(_ api: APISettings) {
        name = api.name
        clientID = api.clientId
        prefix = api.appIdUri.hasSuffix("/") ? api.appIdUri : api.appIdUri + "/"
        scopes = api.scopes
        spellings = Dictionary(
            api.scopes.map { ($0.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A scope as the API spells it, found in any letter case.
    func scope(named name: String) -> String? { spellings[name.asciiLowercased] }
}
