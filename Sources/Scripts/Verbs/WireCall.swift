import Exchanges
import JSON
import Records

/// An endpoint of the authority that a script can address itself.
package enum WireEndpoint: String, SettingWord {
    case discovery, keys, authorize, token, userinfo, logout

    package var doc: String { ExchangeWords.endpoints.first { $0.value == rawValue }?.doc ?? "" }

    /// The path under the authority.
    package var path: String {
        switch self {
        case .discovery: "/v2.0/.well-known/openid-configuration"
        case .keys: "/discovery/v2.0/keys"
        case .authorize: "/oauth2/v2.0/authorize"
        case .token: "/oauth2/v2.0/token"
        case .userinfo: "/openid/v2.0/userinfo"
        case .logout: "/oauth2/v2.0/logout"
        }
    }
}

/// A request that a script writes itself.
package struct WireRequest: Hashable, Sendable {
    package var url: String?
    package var endpoint: WireEndpoint?
    package var policy: String?
    package var host: String?
    package var query: JSONObject?
    package var headers = JSONObject()
    package var defaults = true
    /// Only of `http`.
    package var form: JSONObject?
    /// The step whose code is redeemed. Only of `http`.
    package var from: String?

    /// The endpoint that is named or addressed.
    package var addressed: WireEndpoint? {
        if let endpoint { return endpoint }
        guard let path = url?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
        return [.authorize, .token, .logout].first { path.hasSuffix($0.path) }
    }
}

/// A verb that sends a request of the script's own.
package protocol WireCall: CallRecord {
    var request: WireRequest { get set }
}

extension WireCall {
    package var authority: (policy: String?, url: String?) { (request.policy, request.url) }

    /// A table with the keys of the request.
    static var requestTable: SettingsTable<Self> {
        var table = SettingsTable<Self>()
        table.add("url", \.request.url, .optionalText.shaped(.url), "The address.")
        table.add(
            "endpoint", \.request.endpoint, Codec<WireEndpoint>.word().optional(),
            "An endpoint of the authority, with the members the current app would send.")
        table.add("policy", \.request.policy, .optionalName(.policy), "Whose endpoint.", default: "the client's")
        table.add(
            "host", \.request.host, .optionalName(.host), "At which host of the tenant.", default: "the client's")
        table.add(
            "query", \.request.query, .optionalMembers, "Query parameters; null removes one that the app would send.")
        table.add(
            "headers", \.request.headers,
            .members(.map(of: .nullable(FaultShapes.header), keyHint: "name of the header field")),
            "Header fields; null removes one.")
        table.add("defaults", \.request.defaults, .bool, "False leaves out what the app would send.")
        return table
    }

    static func wireShape(atMostOneOf groups: [[String]] = []) -> Shape {
        .object(
            ObjectShape(
                title: title, fields: settings.map(\.field), exactlyOneOf: ["url", "endpoint"],
                exactlyOneWord: "target", atMostOneOf: groups))
    }
}

extension Codec<JSONObject?> {
    /// Parameters or fields; one of null removes what the app would send.
    static var optionalMembers: Codec {
        Codec(
            shape: CallParts.members, decode: { value, cursor in cursor.object(value).map { .some($0) } },
            encode: { $0.map { .object($0) } })
    }
}
