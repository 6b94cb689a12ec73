import B2CProtocol
import Determinism
import HTTPMessages
import JOSE
import TenantFiles

/// The address at which a person signs in from the start page, and what redeems the code that it brings.
enum SignInLink {
    /// What the state of such a request says about it.
    struct Request: Hashable {
        /// The app's name in the tenant file.
        var app: String
        /// The policy's id.
        var policy: String
        /// The origin of the authority that was asked: another name of this server gives other issuers.
        var origin: String

        fileprivate static let mark = "start-page"

        init(app: String, policy: String, origin: String) {
            self.app = app
            self.policy = policy
            self.origin = origin
        }

        /// Reads a state; `nil`: another program has written it.
        init?(state: String) {
            let items = FormItems(parsing: state)
            guard items["from"] == Self.mark, let app = items["app"], let policy = items["policy"],
                let origin = items["at"]
            else { return nil }
            self.init(app: app, policy: policy, origin: origin)
        }

        var state: String {
            let items: FormItems = ["from": Self.mark, "app": app, "policy": policy, "at": origin]
            return items.encoded
        }
    }

    /// The path of a policy at this server; of a directory tenant its own.
    static func base(_ policy: String, in tenant: Tenant) -> String {
        tenant.kind == .b2c ? "/\(tenant.domain)/\(policy)" : "/\(tenant.id)"
    }

    /// The path and query at which a person signs in to an app; `nil` for an app that has nowhere to take the answer.
    ///
    /// - Parameters:
    ///   - base: The path of the policy.
    ///   - request: Ends at the landing page if the app has that among its redirect URIs, else at the app's own.
    static func address(_ base: String, as app: AppSettings, _ request: Request) -> String? {
        guard app.registration.enabled else { return nil }
        let landing = landing(of: app, at: request.origin)
        guard let redirect = landing ?? app.redirectURI else { return nil }
        let scopes = landing == nil ? ["openid"] : ["openid", "offline_access"] + app.client.scopes
        // By the state an app sees that it has not asked for the answer.
        let query: FormItems = [
            "client_id": app.registration.clientId, "redirect_uri": redirect, "response_type": "code",
            "scope": scopes.joined(separator: " "), "state": request.state, "nonce": "start-page",
            "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        return "\(base)/oauth2/v2.0/authorize?\(query.encoded)"
    }

    /// The landing page as a redirect URI of an app; `nil`: the app has not registered it.
    ///
    /// - Parameter origin: Where the start page is. Loopback addresses of both names count, since browsers of this machine
    ///   reach the server by both.
    static func landing(of app: AppSettings, at origin: String) -> String? {
        guard let url = WebURL(origin) else { return nil }
        let hosts = [url.host ?? ""] + (url.isLoopback ? ["localhost", "127.0.0.1"] : [])
        let uris = hosts.map {
            WebURL(scheme: url.scheme, host: $0, port: url.port, path: LandingPage.path).description
        }
        return uris.first { platform(of: $0, in: app) != nil }
    }

    /// What to post to the token endpoint for a code; `nil`: the landing page is not a redirect URI of the app.
    ///
    /// - Returns: The form, and whether the app is a page, whose requests name their origin.
    static func redemption(of code: String, for app: AppSettings, at url: WebURL) -> (items: FormItems, isOfPage: Bool)?
    {
        let redirect = WebURL(scheme: url.scheme, host: url.host, port: url.port, path: LandingPage.path).description
        guard let platform = platform(of: redirect, in: app) else { return nil }
        var items: FormItems = [
            "grant_type": "authorization_code", "client_id": app.registration.clientId, "code": code,
            "redirect_uri": redirect, "code_verifier": verifier,
            "scope": (["openid", "offline_access"] + app.client.scopes).joined(separator: " "),
        ]
        if platform == .web, let secret = app.registration.secrets.first { items["client_secret"] = secret }
        return (items, platform == .spa)
    }

    private static func platform(of uri: String, in app: AppSettings) -> RedirectPlatform? {
        app.registration.redirectUris.all.first { RedirectURIRules.matches(uri, registered: $0.uri) }?.platform
    }

    /// Whether an origin that a state names is another name of the server that a URL reached.
    static func isOwn(_ origin: String, beside url: WebURL) -> Bool {
        guard let other = WebURL(origin) else { return false }
        let isSameHost = other.host == url.host || other.isLoopback && url.isLoopback
        return isSameHost && other.scheme == url.scheme && other.port == url.port
    }

    /// `2026-01-15T12:00:00Z`.
    static func instant(_ seconds: Int64) -> String { Timestamp(seconds: seconds).rfc3339 }

    private static let verifier = "start-page-start-page-start-page-start-page"
    private static let challenge = Base64URL.encode(SHA2.sha256(Array(verifier.utf8)))
}
