import B2CProtocol
import HTTPMessages

/// Names what a request is about: the endpoint, the policy and the app, in the words of scenario files.
///
/// Endpoints are `discovery`, `keys`, `authorize`, `page`, `token`, `userinfo`, `logout`, `callback`, `template`,
/// `provider`, `rest`, `api`, `graph`, `instanceDiscovery`, `userRealm` and `other`.
public struct ExchangeClassifier: Sendable {
    private let tenant: Tenant
    private let hosts: [String]
    private let apis: [Base]
    private let providers: [Base]
    /// Addresses of providers elsewhere, as custom policies write them: these and nothing below.
    private let providerAddresses: Set<String>
    private let templates: [Base]
    private let redirects: [(uri: String, app: String)]

    /// An address below which something answers.
    private struct Base: Sendable {
        let origin: String
        let path: String

        init?(_ text: String) {
            guard let url = WebURL(text), url.host != nil else { return nil }
            origin = url.origin
            path = url.path == "/" ? "" : url.path
        }

        func holds(_ url: WebURL) -> Bool {
            url.origin == origin && (path.isEmpty || url.path == path || url.path.hasPrefix(path + "/"))
        }
    }

    /// A classifier for the names and addresses of a tenant. It costs as much as the tenant has entries: make one and
    /// keep it.
    ///
    /// - Parameter addresses: Endpoints of identity providers that custom policies name.
    public init(tenant: Tenant, providers addresses: [WebURL] = []) {
        self.tenant = tenant
        providerAddresses = Set(addresses.map { $0.origin + $0.path })
        hosts = tenant.hosts.map { $0.lowercased() }
        apis = tenant.apis.compactMap { Base($0.baseUrl) }
        providers = tenant.providers.compactMap { Base($0.issuer) }
        templates = tenant.policies.compactMap { policy in policy.template.flatMap { Base($0.url) } }
        redirects = tenant.apps.flatMap { app in
            ([app.client.redirectUri] + app.registration.redirectUris.all.map(\.uri)).map { ($0, app.name) }
        }
    }

    /// The endpoint's word, the policy's name in the tenant file, and the app's name there.
    public func classify(
        _ request: RequestMessage, from party: Party
    ) -> (endpoint: String, policy: String?, app: String?) {
        let url = request.url
        guard url.scheme == "https" || url.scheme == "http" else {
            // The authority calls services alone, also where a setting without a value leaves no URL.
            return party == .authority ? ("rest", nil, nil) : ("callback", nil, app(answeredAt: url))
        }
        if !providerAddresses.isEmpty, providerAddresses.contains(url.origin + url.path) {
            return ("provider", nil, nil)
        }
        let address = B2CAddress.parse(url)
        if isAuthority(url.authority) || url.host.map(isAuthority) == true {
            // Native clients can have a redirect URI on the host of the authority.
            if address == nil, party == .browser, let app = app(answeredAt: url) { return ("callback", nil, app) }
            return classify(address, request)
        }
        if url.host == "graph.microsoft.com" { return ("graph", nil, nil) }
        if providers.contains(where: { $0.holds(url) }) { return ("provider", nil, nil) }
        if apis.contains(where: { $0.holds(url) }) { return ("api", nil, nil) }
        if templates.contains(where: { $0.holds(url) }) { return ("template", nil, nil) }
        if party == .authority { return ("rest", nil, nil) }
        if party == .browser, let app = app(answeredAt: url) { return ("callback", nil, app) }
        return classify(address, request)
    }

    private func isAuthority(_ host: String) -> Bool { hosts.contains(host.lowercased()) }

    private func classify(
        _ address: B2CAddress?, _ request: RequestMessage
    ) -> (endpoint: String, policy: String?, app: String?) {
        guard let address else { return ("other", nil, app(of: request)) }
        let policy = address.policy.flatMap { tenant.policy(id: $0)?.name }
        return (address.endpoint.word, policy, app(of: request))
    }

    /// The app whose client id the request carries: in the query, the form, or as user name of Basic credentials.
    private func app(of request: RequestMessage) -> String? {
        let id =
            request.url.queryItems["client_id"] ?? request.form?["client_id"]
            ?? BasicCredentials(request.headers["Authorization"])?.user
        return id.flatMap { tenant.app(clientId: $0)?.name }
    }

    private func app(answeredAt url: WebURL) -> String? {
        let text = url.description
        return redirects.first { RedirectURIRules.isAnswer(text, to: $0.uri) }?.app
    }
}
