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
    /// The longest time from a request to an answer that the app took, as far as the capture shows.
    var longestSignIn: TimeSpan?
    /// Why the kind was chosen, for the description.
    var evidence = ""

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

    mutating func learn(_ flow: Flow, _ facts: inout Evidence) {
        if let uri = flow.query["redirect_uri"] {
            if !redirectURIs.contains(uri) { redirectURIs.append(uri) }
            if case .page(let code) = flow.ending, code == "AADB2C90006" || code == "AADB2C90007" {
                if !refusedRedirectURIs.contains(uri) { refusedRedirectURIs.append(uri) }
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

    mutating func learn(_ call: TokenCall, _ facts: inout Evidence) {
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

    /// The kind of client, by the strongest evidence first: what the library says of itself, a secret, the page that
    /// sent the token request, the form of the redirect URI (facts: msal-client, "headers"; inferred for the last two).
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
    func json(policy: String?) -> JSONObject {
        var client = JSONObject()
        var registration = JSONObject()
        var platform = JSONObject()
        client["kind"] = .string(kind.rawValue)
        client["policy"] = policy.map { .string($0) }
        registration["clientId"] = .string(clientID)
        if let form, form != .tfp { client["authorityForm"] = .string(form.rawValue) }
        if let uri = redirectURIs.first {
            switch kind.traits.redirectNames {
            case .bundle:
                let bundle = Self.bundle(of: uri)
                platform["bundleId"] = bundle.map { .string($0) }
                if bundle.map({ AppleRedirectURI.standard(bundle: $0) }) != uri { client["redirectUri"] = .string(uri) }
            case .origin:
                client["redirectUri"] = .string(uri)
                if let origin = WebURL(uri)?.origin { platform["origin"] = .string(origin) }
            case .systemBrowser:
                client["redirectUri"] = .string(uri)
                if !uri.hasPrefix("http://") || !Self.isLoopback(uri) { platform["webview"] = "wkWebView" }
            case .nothing: client["redirectUri"] = .string(uri)
            }
        }
        if kind.traits.runsOnServer, outlivesStateCookie { client["stateCookie"] = ["lifetime": "off"] }
        if let scopes { client["scopes"] = .array(scopes.map { .string($0) }) }
        if let responseType, responseType != "code" { client["responseType"] = .string(responseType) }
        if let responseMode { client["responseMode"] = .string(responseMode) }
        if let retries, retries != 1 { client["serverRetries"] = .integer(Int64(min(retries, 10))) }
        if asksAgain, kind.traits.throttles { client["throttling"] = false }
        if kind.traits.runsOnServer { registration["secrets"] = ["Secret-of-the-imported-app"] }
        if !refusedRedirectURIs.isEmpty || redirectURIs.count > 1 {
            var known = redirectURIs.filter { !refusedRedirectURIs.contains($0) }
            // Something has to be registered, or the refusal would be another one (AADB2C90007).
            if known.isEmpty {
                let isNative = kind.traits.platformType == .native
                known = [isNative ? "msauth.com.example.registered://auth" : "https://registered.example.com/"]
            }
            registration["redirectUris"] = [kind.traits.platformType.rawValue: .array(known.map { .string($0) })]
        }
        if usesPasswordGrant { registration["ropc"] = true }
        if usesPasswordGrant || wantsImplicit { registration["implicit"] = ["idToken": true, "accessToken": true] }
        var app = JSONObject()
        app["registration"] = .object(registration)
        app["client"] = .object(client)
        if !platform.isEmpty { app["platform"] = .object(platform) }
        return app
    }

    /// A sign-in took longer than the default cookie with the state lives. A script rounds pauses, so there is a margin.
    private var outlivesStateCookie: Bool {
        guard let longestSignIn, let lifetime = StateCookieSettings().lifetime else { return false }
        return longestSignIn + .minutes(1) >= lifetime
    }

    /// The bundle identifier in `msauth.BUNDLE://auth`.
    private static func bundle(of uri: String) -> String? {
        guard uri.hasPrefix("msauth."), let colon = uri.firstIndex(of: ":") else { return nil }
        let bundle = String(uri[uri.index(uri.startIndex, offsetBy: 7)..<colon])
        return bundle.isEmpty ? nil : bundle
    }
}
