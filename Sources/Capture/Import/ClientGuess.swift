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
    var hasSecret = false
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
        var usesPKCE = false
        /// Per answer: how long it took to come, and whether the capture shows that the app did nothing with it.
        var answers: [(after: TimeSpan, isUnused: Bool)] = []

        /// The longest time after which the app took an answer. An app whose token requests are not in the capture is
        /// believed to have taken all of them.
        var longestSignIn: TimeSpan? {
            answers.filter { !($0.isUnused && hasTokenRequest) }.map(\.after).max()
        }
    }

    /// The kind of client, by the strongest evidence first: what the library says of itself, a secret, the page that
    /// sent the token request, the form of the redirect URI (facts: msal-client, "headers"; inferred for the last two).
    static func kind(_ evidence: Evidence) -> (kind: ClientKind, because: String) {
        if let sku = evidence.sku?.lowercased() {
            if sku.contains("msal.ios") { return (.msalIOS, "x-client-SKU says \(evidence.sku ?? "")") }
            if sku.contains("msal.osx") || sku.contains("msal.macos") {
                return (.msalMacOS, "x-client-SKU says \(evidence.sku ?? "")")
            }
            if sku.contains("msal.android") { return (.msalAndroid, "x-client-SKU says \(evidence.sku ?? "")") }
            if sku.contains("msal.js.browser") || sku.contains("msal-browser") || sku == "msal.js" {
                return (.msalBrowser, "x-client-SKU says \(evidence.sku ?? "")")
            }
            if sku.hasPrefix("id_net") || sku.contains("msal.js.node") || sku.contains("msal.python")
                || sku.contains("msal.java") || sku.contains("identity.web")
            {
                return (.web, "x-client-SKU says \(evidence.sku ?? "")")
            }
            if evidence.hasSecret { return (.web, "it sends a secret") }
            if let uri = evidence.redirectURI, isOfOwnScheme(uri) || isLoopback(uri) {
                return (
                    .appAuth,
                    "a native app by its redirect URI, of a library (\(evidence.sku ?? "")) that is not played"
                )
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

    private static func isOfOwnScheme(_ uri: String) -> Bool {
        !(uri.hasPrefix("https://") || uri.hasPrefix("http://"))
    }

    private static func isLoopback(_ uri: String) -> Bool { WebURL(uri)?.isLoopback ?? false }

    /// The usual word for an app of a kind.
    static func word(_ kind: ClientKind) -> String {
        switch kind {
        case .msalIOS: "ios"
        case .msalMacOS: "mac"
        case .msalAndroid: "android"
        case .msalBrowser: "spa"
        case .appAuth: "app"
        case .web: "web"
        }
    }

    /// The list of redirect URIs that an app of this kind is registered under.
    var platform: String {
        switch kind {
        case .msalBrowser: "spa"
        case .web: "web"
        case .msalIOS, .msalMacOS, .msalAndroid, .appAuth: "native"
        }
    }

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
        let uri = redirectURIs.first
        switch kind {
        case .msalIOS, .msalMacOS:
            if let uri, let bundle = Self.bundle(of: uri) {
                platform["bundleId"] = .string(bundle)
                if uri != AppleRedirectURI.standard(bundle: bundle) { client["redirectUri"] = .string(uri) }
            } else {
                client["redirectUri"] = uri.map { .string($0) }
            }
        case .msalBrowser:
            client["redirectUri"] = uri.map { .string($0) }
            if let origin = uri.flatMap({ WebURL($0)?.origin }) { platform["origin"] = .string(origin) }
        case .msalAndroid, .appAuth, .web:
            client["redirectUri"] = uri.map { .string($0) }
        }
        if kind == .web, outlivesStateCookie { client["stateCookie"] = ["lifetime": "off"] }
        if let scopes { client["scopes"] = .array(scopes.map { .string($0) }) }
        if let responseType, responseType != "code" { client["responseType"] = .string(responseType) }
        if let responseMode { client["responseMode"] = .string(responseMode) }
        if let retries, retries != 1 { client["serverRetries"] = .integer(Int64(min(retries, 10))) }
        if asksAgain, kind != .appAuth, kind != .web { client["throttling"] = false }
        if kind == .web { registration["secrets"] = ["Secret-of-the-imported-app"] }
        if !refusedRedirectURIs.isEmpty || redirectURIs.count > 1 {
            var known = redirectURIs.filter { !refusedRedirectURIs.contains($0) }
            // Something has to be registered, or the refusal would be another one (AADB2C90007).
            if known.isEmpty {
                known = [
                    self.platform == "native"
                        ? "msauth.com.example.registered://auth" : "https://registered.example.com/"
                ]
            }
            registration["redirectUris"] = [self.platform: .array(known.map { .string($0) })]
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
