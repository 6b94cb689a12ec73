import B2CProtocol
import Determinism
import HTTPMessages
import TenantFiles

/// What an app's code, bundle and tenant say, in the terms of the library.
struct ClientConfiguration: Sendable {
    let tenant: Tenant
    let app: AppSettings
    let device: DeviceSettings
    /// The client's name in the script: of a browser app, its tab.
    var tab = ""
    /// What the app lists as known. Each call asks for it, and it names each policy of the tenant.
    let known = KnownAuthorityMemo()
    private let policyIndex = PolicyIndexMemo()

    private var client: ClientSettings { app.client }
    private var platform: PlatformSettings { app.platform }

    var isMacOS: Bool { platform.os == .macos }
    /// How the app's library behaves.
    let library: any LibraryBehaviour
    /// The library is a script of a page.
    let runsInPage: Bool

    init(tenant: Tenant, app: AppSettings, device: DeviceSettings, tab: String = "") {
        self.tenant = tenant
        self.app = app
        self.device = device
        self.tab = tab
        library = app.client.kind.behaviour
        runsInPage = app.client.kind.traits.runsInPage
    }

    /// The app works with one account at a time.
    var isSingleAccount: Bool { client.accountMode == .single && client.kind.traits.hasAccountModes }
    /// How many authorities the configuration of the app lists.
    var configuredAuthorityCount: Int {
        switch client.knownAuthorities {
        case .urls(let urls): urls.count
        case .all: tenant.policies.count
        }
    }

    /// The tenant of accounts that are taken from an ID token; `nil` where the answer must have `client_info`.
    var accountTenant: String? { library.takesAccountFromIDToken ? tenant.id.description : nil }
    var clientID: String { client.clientId }
    var checks: ClientChecks { client.checks }

    // MARK: Authorities

    /// The class of authority the app works with.
    var authorityKind: MSALAuthority.Kind { client.authorityType == .workforce ? .aad : .b2c }

    /// The authority the app was created with. An app that names neither authority nor policy gets the tenant's first
    /// policy, in a directory tenant `common`.
    func ownAuthority() -> Result<MSALAuthority, LibraryError> {
        let text = client.authority ?? address(policy: client.policy, host: nil)
        guard let url = WebURL(text) else { return make(text) }
        return MSALAuthority.own(url, authorityKind)
    }

    /// The authority a call names; `nil` when it names none.
    func authority(_ choice: AuthorityChoice) -> Result<MSALAuthority?, LibraryError> {
        if let url = choice.url { return make(url, kind: choice.kind).map { $0 } }
        guard choice.policy != nil || choice.host != nil else { return .success(nil) }
        return make(address(policy: choice.policy ?? client.policy, host: choice.host)).map { $0 }
    }

    /// What the app lists as known. An app that lists everything names each policy of the tenant on each of its hosts,
    /// and its own authority; in a directory tenant it names its own authority where the host is not a trusted one.
    func knownAuthorities() -> KnownAuthorityList { known.list { makeKnownAuthorities() } }

    private func makeKnownAuthorities() -> KnownAuthorityList {
        checks.knownAuthority ? library.knownAuthorities(self) : .anything
    }

    /// Each authority that the app lists, or the policies of the tenant and its own one, for libraries that compare authorities.
    func listedAuthorities() -> KnownAuthorityList {
        switch client.knownAuthorities {
        case .urls(let urls): return .listed(Set(urls.compactMap { try? make($0).get() }))
        case .all:
            var listed: Set<MSALAuthority> = []
            if authorityKind == .b2c {
                for host in tenant.hosts {
                    for policy in tenant.policies {
                        known.countStep()
                        if let one = try? make(address(id: policy.id, host: host)).get() { listed.insert(one) }
                    }
                }
            }
            if let own = try? ownAuthority().get(), authorityKind == .b2c || !own.isOnTrustedHost {
                listed.insert(own)
            }
            return .listed(listed)
        }
    }

    /// The authority's address of a policy as a URL.
    func url(policy: String?, host: String?) -> WebURL? { WebURL(address(policy: policy, host: host)) }

    private func make(_ text: String, kind: MSALAuthority.Kind? = nil) -> Result<MSALAuthority, LibraryError> {
        guard let url = WebURL(text) else {
            return .failure(
                LibraryError(
                    .invalidDeveloperParameter, "The authority \"\(text)\" is not a URL.", kind: .configuration))
        }
        switch kind ?? authorityKind {
        case .b2c: return .success(.b2c(url))
        case .aad: return MSALAuthority.aad(url)
        }
    }

    /// The address of a policy, by its name in the tenant file, in the form the app writes addresses. On a custom
    /// domain the tenant is written as its id (Microsoft docs: enable-authentication-ios-app-options).
    func address(policy: String?, host: String?) -> String {
        let host = host ?? tenant.host
        guard authorityKind == .b2c else { return "https://\(host)/common" }
        let settings = policy.flatMap { policies.policy(named: $0) ?? policies.policy(id: $0) } ?? tenant.policies.first
        return address(id: settings?.id ?? policy ?? "", host: host)
    }

    /// The address of the policy of this id at a host, in a tenant of Azure AD B2C.
    private func address(id: String, host: String) -> String {
        let name = host.prefix { $0 != ":" }
        let isOwnDomain =
            name.hasSuffix(".b2clogin.com") || name.hasPrefix("login.microsoftonline.") || name == "localhost"
        let segment = isOwnDomain ? tenant.domain : tenant.id.description
        return AuthorityURLs.authority(
            host: host, tenantSegment: segment, policy: id, form: client.authorityForm)
    }

    /// The name in the tenant file of the policy that an account's object id ends with.
    func policyName(ofObjectID objectID: String) -> String? {
        policies.policy(ofObjectID: objectID)?.name
    }

    private var policies: PolicyIndex { policyIndex.index(of: tenant.policies) }

    // MARK: The device

    var identity: DeviceIdentity { library.identity(self) }

    /// Whether requests can leave a sandboxed macOS app at all.
    var isNetworkAllowed: Bool { !isMacOS || platform.networkEntitlement }

    // MARK: The browser

    /// The web session kind with `default` resolved.
    var webview: WebviewKind {
        platform.os == .web
            ? .default
            : platform.webview == .default || (isMacOS && platform.webview == .safariViewController)
                ? .authenticationSession : platform.webview
    }

    var jar: JarKind {
        if webview == .wkWebView { return .embedded }
        return platform.ephemeral ? .ephemeral : .shared
    }

    /// The redirect URI that the library sends; empty where it has none.
    var redirectURI: String { (try? app.sentRedirect.get())?.uri ?? "" }

    /// Which URLs a web session of the system takes as its answer; none where the system is to hand them to the app and knows of
    /// no app for the scheme. An authentication session looks for the scheme itself and needs no entry.
    func sessionCallbackRule(redirectURI: String) -> CallbackRule? {
        if platform.os == .web { return .exact(redirectURI) }
        let url = WebURL(redirectURI)
        if webview == .safariViewController,
            !platform.urlSchemes.contains(where: { $0.lowercased() == url?.scheme })
        {
            return nil
        }
        // A session of the system ends on a scheme of the app alone; an https address is a page like any other.
        if webview != .wkWebView, url?.scheme == "https" || url?.scheme == "http" { return nil }
        switch webview {
        case .wkWebView: return .prefixIgnoringCase(redirectURI)
        case .safariViewController: return .schemeAndHost(scheme: url?.scheme ?? "", host: url?.host ?? "")
        case .default, .authenticationSession: return .scheme(url?.scheme ?? "")
        }
    }
}

/// Which authority a call names: a policy of the tenant, another host, a literal URL, or none (the app's own).
public struct AuthorityChoice: Sendable, Hashable {
    /// A policy by its name in the tenant file.
    public var policy: String?
    /// Another host of the tenant.
    public var host: String?
    /// A literal URL; wins over the others.
    public var url: String?
    /// The class the app makes of the literal URL; `nil` for the class it works with.
    public var kind: MSALAuthority.Kind?

    /// The app's own authority.
    public static let own = AuthorityChoice()

    /// A choice of these parts.
    public init(
        policy: String? = nil, host: String? = nil, url: String? = nil, kind: MSALAuthority.Kind? = nil
    ) {
        self.policy = policy
        self.host = host
        self.url = url
        self.kind = kind
    }
}
