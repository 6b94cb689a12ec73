/// A place at an authority, without host, tenant and policy.
public enum AuthorityEndpoint: Hashable, Sendable {
    /// The discovery document (OpenID Connect Discovery section 4).
    case discovery
    /// The signing keys (RFC 7517 section 5).
    case keys, authorize, token, logout, userinfo
    /// The token endpoint of version 1.0, which directories alone have.
    case tokenV1
    /// Where a page posts its fields.
    case selfAsserted
    /// Where the phone page asks for a code or sends it.
    case phoneFactorVerify
    /// An action of a display control, such as `SendCode`.
    case displayControlAction(control: String, action: String)
    /// A navigation of a page: `confirmed`, `unified`, `forgotPassword`, `error`.
    case pageAction(api: String, action: String)
    /// Where identity providers answer.
    case authResponse
    /// Telemetry of a page: `perftrace`, `cspreport`.
    case clientTrace(String)
    /// SAML: `sso/login`, `sso/logout`.
    case saml(String)
    /// A file below `/static/`.
    case staticAsset(String)
    /// Instance discovery of Microsoft Entra ID.
    case instanceDiscovery
    /// User realm discovery of Microsoft Entra ID.
    case userRealm
    /// A page of a directory tenant: `login`, `consent`, `kmsi`.
    case workforcePage(String)

    /// The word for the endpoint in logs of exchanges.
    public var word: String {
        switch self {
        case .discovery: "discovery"
        case .keys: "keys"
        case .authorize: "authorize"
        case .token, .tokenV1: "token"
        case .logout: "logout"
        case .userinfo: "userinfo"
        case .selfAsserted, .phoneFactorVerify, .displayControlAction, .pageAction, .authResponse, .clientTrace,
            .workforcePage:
            "page"
        case .instanceDiscovery: "instanceDiscovery"
        case .userRealm: "userRealm"
        case .saml, .staticAsset: "other"
        }
    }

    /// The end of the path, behind tenant and policy.
    public var path: String {
        switch self {
        case .discovery: "v2.0/.well-known/openid-configuration"
        case .keys: "discovery/v2.0/keys"
        case .authorize: "oauth2/v2.0/authorize"
        case .token: "oauth2/v2.0/token"
        case .tokenV1: "oauth2/token"
        case .logout: "oauth2/v2.0/logout"
        case .userinfo: "openid/v2.0/userinfo"
        case .selfAsserted: "SelfAsserted"
        case .phoneFactorVerify: "Phonefactor/verify"
        case .displayControlAction(let control, let action):
            "SelfAsserted/DisplayControlAction/vbeta/\(control)/\(action)"
        case .pageAction(let api, let action): "api/\(api)/\(action)"
        case .authResponse: "oauth2/authresp"
        case .clientTrace(let kind): "client/\(kind)"
        case .saml(let rest): "samlp/\(rest)"
        case .staticAsset(let rest): "static/\(rest)"
        case .instanceDiscovery: "discovery/instance"
        case .userRealm: "userrealm"
        case .workforcePage(let page): page
        }
    }

    /// The endpoint whose path these segments are, letter case not counted except in names; `nil` for none.
    static func parse(_ segments: ArraySlice<String>) -> AuthorityEndpoint? {
        let words = segments.map { $0.lowercased() }
        let names = Array(segments)
        switch words.first {
        case "v2.0", ".well-known":
            return words == ["v2.0", ".well-known", "openid-configuration"] ? .discovery : nil
        case "discovery":
            if words == ["discovery", "v2.0", "keys"] { return .keys }
            return words == ["discovery", "instance"] ? .instanceDiscovery : nil
        case "oauth2":
            if words == ["oauth2", "authresp"] { return .authResponse }
            if words == ["oauth2", "token"] { return .tokenV1 }
            guard words.count == 3, words[1] == "v2.0" else { return nil }
            switch words[2] {
            case "authorize": return .authorize
            case "token": return .token
            case "logout": return .logout
            default: return nil
            }
        case "oauth1":
            return words == ["oauth1", "authresp"] ? .authResponse : nil
        case "openid":
            return words == ["openid", "v2.0", "userinfo"] ? .userinfo : nil
        case "selfasserted":
            if words.count == 1 { return .selfAsserted }
            guard words.count == 5, words[1] == "displaycontrolaction", words[2] == "vbeta" else { return nil }
            return .displayControlAction(control: names[3], action: names[4])
        case "phonefactor":
            return words == ["phonefactor", "verify"] ? .phoneFactorVerify : nil
        case "api":
            return words.count == 3 ? .pageAction(api: names[1], action: names[2]) : nil
        case "client":
            return words.count == 2 ? .clientTrace(words[1]) : nil
        case "samlp":
            return (2...3).contains(words.count) ? .saml(names.dropFirst().joined(separator: "/")) : nil
        case "userrealm":
            return .userRealm
        case "login", "consent", "kmsi":
            return words.count == 1 ? .workforcePage(words[0]) : nil
        default:
            return nil
        }
    }
}
