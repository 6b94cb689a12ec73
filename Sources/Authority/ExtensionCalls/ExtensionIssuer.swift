import Determinism
import HTTPMessages
import JOSE
import JSON

/// The caller of extensions: what signs its tokens, and where the keys are published.
///
/// The keys are test keys, so a server publishes the keys of tokens that another program signs.
public struct ExtensionIssuer: Sendable {
    /// Whose metadata a receiver reads.
    public enum Host: String, CaseIterable, Sendable {
        /// `{tenant}.ciamlogin.com` of an external tenant.
        case external
        /// `login.microsoftonline.com`.
        case workforce
    }

    public var tenantID: String
    /// The server that publishes the keys; `nil`: the service's own names.
    public var origin: WebURL?

    public init(tenantID: String, origin: WebURL? = nil) {
        self.tenantID = tenantID
        self.origin = origin
    }

    /// The application id of the service that calls extensions (Microsoft docs: custom-extension-overview).
    public static let callerID = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
    /// The first segment of the paths that ``answer(_:origin:)`` knows.
    public static let pathPrefix = "extension-caller"

    /// The application id of the extension's app where nobody names one.
    public var audience: String { GUID.derived(from: "\(tenantID)/extension").description }

    /// The authority that a receiver is configured with, such as `AuthenticationEvents__AuthorityUrl`.
    public func authority(_ host: Host) -> String {
        if let origin { return "\(origin.origin)/\(Self.pathPrefix)/\(host.rawValue)/\(tenantID)" }
        return host == .external
            ? "https://\(tenantID).ciamlogin.com/\(tenantID)" : "https://login.microsoftonline.com/\(tenantID)"
    }

    /// `iss` of the tokens.
    public func issuer(_ host: Host) -> String { "\(authority(host))/v2.0" }

    // MARK: keys

    /// The key that the ciamlogin.com host alone publishes.
    static let externalKey = TestKeys.named("extension-external")
    /// The key that both hosts publish.
    static let workforceKey = TestKeys.named("extension-workforce", avoiding: [externalKey.kid])
    /// A key that no host publishes.
    static let strangeKey = TestKeys.named("extension-stranger", avoiding: [externalKey.kid, workforceKey.kid])

    /// What a host publishes. login.microsoftonline.com lists a part of what the ciamlogin.com host of the tenant lists
    /// (TrashMob-eco/TrashMob, pull request 2974).
    static func keys(_ host: Host) -> JWKSet {
        JWKSet(keys: (host == .external ? [externalKey, workforceKey] : [workforceKey]).map(\.jwk))
    }

    /// What a server of this origin answers at a path: discovery documents and keys; `nil` for other paths.
    public static func answer(_ path: String, origin: WebURL) -> ResponseMessage? {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        guard segments.count > 3, segments[0] == pathPrefix, let host = Host(rawValue: segments[1]),
            !segments[2].isEmpty
        else { return nil }
        let issuer = ExtensionIssuer(tenantID: segments[2], origin: origin)
        let headers: Headers = ["Cache-Control": "max-age=86400, private", "Access-Control-Allow-Origin": "*"]
        switch segments[3...].joined(separator: "/") {
        case "v2.0/.well-known/openid-configuration", ".well-known/openid-configuration":
            return .json(200, .object(issuer.discovery(host)), headers: headers)
        case "discovery/v2.0/keys", "discovery/keys":
            return .json(200, .object(keys(host).json), headers: headers)
        default: return nil
        }
    }

    private func discovery(_ host: Host) -> JSONObject {
        let authority = authority(host)
        return [
            "token_endpoint": .string("\(authority)/oauth2/v2.0/token"),
            "jwks_uri": .string("\(authority)/discovery/v2.0/keys"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"], "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"], "issuer": .string(issuer(host)),
            "authorization_endpoint": .string("\(authority)/oauth2/v2.0/authorize"),
        ]
    }

    // MARK: tokens

    /// The signed token.
    public func signed(_ token: ExtensionToken, now: Timestamp) -> String {
        let issued = (now + token.age).secondsSinceEpoch
        let service = JSONValue.string(GUID.derived(from: "\(tenantID)/\(token.caller)").description)
        let isFirst = token.version == 1
        let claims: JSONObject = [
            "aud": .string(token.audience), "iss": .string(token.issuer ?? issuer(token.host)),
            "iat": .integer(issued), "nbf": .integer(issued), "exp": .integer(issued + 3600),
            isFirst ? "appid" : "azp": .string(token.caller), isFirst ? "appidacr" : "azpacr": "2", "oid": service,
            "sub": service, "tid": .string(tenantID), "ver": isFirst ? "1.0" : "2.0",
        ]
        let own = token.host == .external ? Self.externalKey : Self.workforceKey
        let (key, kid): (SigningKey, String) =
            switch token.key {
            case .own: (own, own.kid)
            case .shared: (Self.workforceKey, Self.workforceKey.kid)
            case .wrong: (Self.strangeKey, Self.workforceKey.kid)
            case .none: (own, "")
            }
        if token.key == .none { return JWS.unsigned(header: ["typ": "JWT", "alg": "none"], claims: claims) }
        return JWS.sign(header: ["typ": "JWT", "alg": "RS256", "kid": .string(kid)], claims: claims, key: key)
    }
}

/// The caller's token before it is signed. A test changes one member.
public struct ExtensionToken: Sendable {
    /// What signs a token.
    public enum Key: String, CaseIterable, Sendable {
        /// The key of the host; that of `external` is published on the ciamlogin.com host alone.
        case own
        /// The key that both hosts publish.
        case shared
        /// Another key under the `kid` of a published one.
        case wrong
        /// There is no signature.
        case none
    }

    /// The application id of the extension's app.
    public var audience: String
    public var host: ExtensionIssuer.Host
    /// 1 or 2: `ver`, and the name of the claim with the caller.
    public var version: Int
    public var caller = ExtensionIssuer.callerID
    /// `nil`: that of the host.
    public var issuer: String?
    /// What is added to the time at which it is issued. Tokens are valid for an hour.
    public var age = TimeSpan.zero
    public var key = Key.own

    public init(audience: String, host: ExtensionIssuer.Host = .external, version: Int = 2) {
        self.audience = audience
        self.host = host
        self.version = version
    }
}
