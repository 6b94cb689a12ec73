import B2CProtocol
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// One app of a capture.
struct ClientGuess {
    var clientID: String
    /// Name in the tenant file.
    var name = ""
    var kind = ClientKind.appAuth
    /// Redirect URIs in the order of use.
    var redirectURIs: [String] = []
    /// Those that the service did not know.
    var refusedRedirectURIs: [String] = []
    var scopes: [String]?
    /// Id of the first policy in lower case.
    var policy: String?
    var form: AuthorityForm?
    var responseType: String?
    var responseMode: String?
    var usesPasswordGrant = false
    var wantsImplicit = false
    /// How often a request for tokens was sent again after the server or the network had failed; `nil`: they never did.
    var retries: Int?
    /// It asked again at once after a refusal, which MSAL does not unless its settings say so.
    var asksAgain = false
    /// What shows the library, and why the kind was chosen, for the description.
    private(set) var facts = Evidence()
    private(set) var evidence = ""

    /// What a capture shows of the library behind a client.
    struct Evidence {
        var sku: String?
        var hasSecret = false
        var hasOrigin = false
        var hasTokenRequest = false
        var redirectURI: String?
        var responseMode: String?
        /// Per answer: how long it took to come, and whether the capture shows that the app did nothing with it.
        var answers: [(after: TimeSpan, isUnused: Bool)] = []

        /// The longest time after which the app took an answer. An app whose token requests are not in the capture is
        /// believed to have taken all of them.
        var longestSignIn: TimeSpan? {
            answers.filter { !($0.isUnused && hasTokenRequest) }.map(\.after).max()
        }
    }

    // MARK: Learning

    mutating func learn(_ flow: Flow) {
        if let uri = flow.query["redirect_uri"] {
            redirectURIs.note(uri)
            if case .page(let code) = flow.ending, ["AADB2C90006", "AADB2C90007"].contains(code) {
                refusedRedirectURIs.note(uri)
            }
            facts.redirectURI = facts.redirectURI ?? uri
        }
        facts.sku = facts.sku ?? flow.clientSKU
        if let duration = flow.duration {
            var isUnused = false
            if case .code = flow.ending { isUnused = flow.token == nil }
            facts.answers.append((duration, isUnused))
        }
        if let mode = flow.query["response_mode"] {
            facts.responseMode = facts.responseMode ?? mode
            if !flow.isSilent { responseMode = responseMode ?? mode }
        }
        if let type = flow.query["response_type"], !flow.isSilent {
            responseType = responseType ?? type
            if type.contains("token") { wantsImplicit = true }
        }
        if policy == nil { policy = flow.policy }
        if form == nil { form = flow.form }
        if scopes == nil, let scope = flow.query["scope"] { scopes = CapturedTenant.scopes(scope) }
    }

    mutating func learn(_ call: TokenCall) {
        facts.hasTokenRequest = true
        if call.hasSecret { facts.hasSecret = true }
        if call.exchange.request.headers["Origin"] != nil { facts.hasOrigin = true }
        facts.sku = facts.sku ?? call.exchange.request.headers["x-client-SKU"] ?? call.form["x-client-SKU"]
        if let uri = call.form["redirect_uri"], redirectURIs.isEmpty { redirectURIs.append(uri) }
        facts.redirectURI = facts.redirectURI ?? call.form["redirect_uri"]
        if call.grant == "password" { usesPasswordGrant = true }
        if policy == nil { policy = call.policy }
        if scopes == nil, let scope = call.form["scope"] { scopes = CapturedTenant.scopes(scope) }
    }

    /// Decides the kind once everything is learnt.
    mutating func decideKind() -> ClientKind {
        (kind, evidence) = Self.kind(facts)
        return kind
    }

    /// The kind of client, by the strongest evidence first: what the library says of itself, a secret, the page that
    /// sent the token request, the form of the redirect URI (`x-client-SKU` as in the sources of the MSAL libraries; inferred
    /// for the last two).
    static func kind(_ evidence: Evidence) -> (kind: ClientKind, because: String) {
        if let sku = evidence.sku {
            // MSAL.NET is a library of servers too.
            if let kind = library(sku.lowercased()), kind != .msalDotNet || !evidence.hasSecret {
                return (kind, "x-client-SKU says \(sku)")
            }
            if !evidence.hasSecret, let uri = evidence.redirectURI, isOfOwnScheme(uri) || isLoopback(uri) {
                return (.appAuth, "a native app by its redirect URI, of a library (\(sku)) that is not played")
            }
        }
        if evidence.hasSecret { return (.web, "it sends a secret") }
        guard let uri = evidence.redirectURI else { return (.appAuth, "nothing shows the library") }
        if uri.hasPrefix("msauth.") { return (.msalIOS, "the redirect URI has the form of MSAL on Apple systems") }
        if uri.hasPrefix("msauth://") { return (.msalAndroid, "the redirect URI has the form of MSAL on Android") }
        if isOfOwnScheme(uri) { return (.appAuth, "the redirect URI has a scheme of its own") }
        if evidence.responseMode == "form_post" { return (.web, "the answer is posted to a server") }
        if evidence.hasOrigin { return (.msalBrowser, "a page sends the token request") }
        if evidence.responseMode == "fragment" { return (.msalBrowser, "the answer is in the fragment") }
        if isLoopback(uri), evidence.hasTokenRequest { return (.appAuth, "a native app by its redirect URI") }
        return (
            .web,
            evidence.hasTokenRequest
                ? "no page sends the token request, and the answer goes to an address of the web"
                : "the code is redeemed out of the browser's sight"
        )
    }

    /// The kind of client whose library names itself so.
    private static func library(_ sku: String) -> ClientKind? {
        if sku == "msal.js" { return .msalBrowser }
        let known: [(kind: ClientKind, parts: [String])] = [
            (.msalIOS, ["msal.ios"]), (.msalMacOS, ["msal.osx", "msal.macos"]), (.msalAndroid, ["msal.android"]),
            (.msalBrowser, ["msal.js.browser", "msal-browser"]),
            (.msalDotNet, ["msal.netcore", "msal.desktop", "msal.coreclr"]),
            (.web, ["msal.js.node", "msal.python", "msal.java", "identity.web"]),
        ]
        return known.first { $0.parts.contains { sku.contains($0) } }?.kind ?? (sku.hasPrefix("id_net") ? .web : nil)
    }

    private static func isOfOwnScheme(_ uri: String) -> Bool {
        !(uri.hasPrefix("https://") || uri.hasPrefix("http://"))
    }

    private static func isLoopback(_ uri: String) -> Bool { WebURL(uri)?.isLoopback ?? false }

    /// The entry in `apps`.
    ///
    /// - Parameter policy: The name of the client's policy in the tenant file.
    func record(policy: String?) -> AppSettings {
        var app = AppSettings()
        app.name = name
        app.registration.clientId = clientID
        app.registration.ropc = usesPasswordGrant
        app.registration.implicit.idToken = usesPasswordGrant || wantsImplicit
        app.registration.implicit.accessToken = usesPasswordGrant || wantsImplicit
        app.client.kind = kind
        app.client.policy = policy
        app.client.authorityForm = form ?? .tfp
        app.client.scopes = scopes ?? []
        app.client.responseType = responseType ?? app.client.responseType
        app.client.responseMode = responseMode
        app.client.serverRetries = min(retries ?? app.client.serverRetries, 10)
        app.client.throttling = !(asksAgain && kind.traits.throttles)
        if kind.traits.runsOnServer {
            app.registration.secrets = ["Secret-of-the-imported-app"]
            if outlivesStateCookie { app.client.stateCookie.lifetime = nil }
        }
        if let uri = redirectURIs.first { place(uri, in: &app) }
        if !refusedRedirectURIs.isEmpty || redirectURIs.count > 1 {
            let platform = kind.traits.platformType
            let known = redirectURIs.filter { !refusedRedirectURIs.contains($0) }
            // Something has to be registered, or the refusal would be another one (AADB2C90007).
            let other = platform == .native ? "msauth.com.example.registered://auth" : "https://registered.example.com/"
            app.registration.redirectUris[platform] = known.isEmpty ? [other] : known
        }
        return app
    }

    /// Writes the redirect URI, or what the library makes it of.
    private func place(_ uri: String, in app: inout AppSettings) {
        app.client.redirectUri = uri
        switch kind.traits.redirectNames {
        case .bundle:
            guard let bundle = Self.bundle(of: uri) else { break }
            app.platform.bundleId = bundle
            if AppleRedirectURI.standard(bundle: bundle) == uri { app.client.redirectUri = "" }
        case .origin: app.platform.origin = WebURL(uri)?.origin ?? ""
        case .systemBrowser:
            if !uri.hasPrefix("http://") || !Self.isLoopback(uri) { app.platform.webview = .wkWebView }
        case .nothing: break
        }
    }

    /// A sign-in took longer than the default cookie with the state lives. A script rounds pauses, so there is a margin.
    private var outlivesStateCookie: Bool {
        guard let longestSignIn = facts.longestSignIn, let lifetime = StateCookieSettings().lifetime else {
            return false
        }
        return longestSignIn + .minutes(1) >= lifetime
    }

    /// The bundle identifier in `msauth.BUNDLE://auth`.
    private static func bundle(of uri: String) -> String? {
        guard uri.hasPrefix("msauth."), let colon = uri.firstIndex(of: ":") else { return nil }
        let bundle = String(uri[uri.index(uri.startIndex, offsetBy: 7)..<colon])
        return bundle.isEmpty ? nil : bundle
    }
}
