import JOSE
import JSON

/// The `client_info` of an answer: who signed in, as MSAL names accounts.
///
/// For B2C `uid` is `{object id}-{policy in lower case}` and `utid` the tenant id (recorded from live tenants), so an
/// account belongs to one policy.
public struct ClientInfo: Hashable, Sendable {
    /// The person, unique in the tenant.
    public var uid: String
    /// The tenant.
    public var utid: String

    public init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
    }

    /// Reads the base64url text of an answer. `nil` if it is not a JSON object with both texts.
    public init?(encoded: String) {
        guard let bytes = Base64URL.decode(encoded), let json = try? JSONParser.parse(bytes),
            let uid = json["uid"]?.stringValue, let utid = json["utid"]?.stringValue
        else { return nil }
        self.init(uid: uid, utid: utid)
    }

    /// The base64url text that is sent.
    public var encoded: String {
        Base64URL.encode(JSONWriter.compactBytes(JSONObject([("uid", .string(uid)), ("utid", .string(utid))])))
    }

    /// The home account id of MSAL.
    public var homeAccountID: String { "\(uid).\(utid)" }
}

/// The `profile_info` of a token response to a client that did not ask for `client_info`.
public enum ProfileInfo {
    /// The base64url text, members as Microsoft's samples have them.
    public static func encoded(tenantID: String, name: String?, idp: String?) -> String {
        var object = JSONObject()
        object.append("ver", "1.0")
        object.append("tid", .string(tenantID))
        object.append("sub", .null)
        object.append("name", name.map { .string($0) } ?? .null)
        object.append("preferred_username", .null)
        object.append("idp", idp.map { .string($0) } ?? .null)
        return Base64URL.encode(JSONWriter.compactBytes(object))
    }

    /// Reads such a text.
    public static func decode(_ encoded: String) -> JSONObject? {
        guard let bytes = Base64URL.decode(encoded) else { return nil }
        return (try? JSONParser.parse(bytes))?.objectValue
    }
}
