import Determinism
import JSON
import TrustFramework

/// What was issued as a document, for codes that outlive the process.
extension Issuance {
    /// Everything but the issuer, whose handle means something within its policy alone.
    public var json: JSONObject {
        var object = JSONObject()
        object["claims"] = .array(
            claims.map { ["id": .string($0.id), "name": .string($0.name), "value": $0.value] })
        if let subject { object["subject"] = .string(subject) }
        if let objectID { object["objectId"] = .string(objectID.description) }
        object["authTime"] = .string(authTime.rfc3339)
        object["fromSession"] = .bool(fromSession)
        object["keepSignedIn"] = .bool(keepSignedIn)
        if let session { object["session"] = .object(session.json) }
        if let refresh { object["refresh"] = .object(refresh.json) }
        if let userInfo { object["userInfo"] = .object(userInfo) }
        return object
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    ///
    /// - Parameter issuer: The technical profile that issued.
    public init?(json: JSONValue, issuer: ProfileHandle) {
        guard let claims = json.list("claims", IssuedClaim.init(json:)),
            let subject = json.optional("subject", \.stringValue),
            let objectID = json.optional("objectId", { $0.stringValue.flatMap { GUID($0) } }),
            let authTime = json.instant("authTime"), let fromSession = json["fromSession"]?.boolValue,
            let keepSignedIn = json["keepSignedIn"]?.boolValue,
            let session = json.optional("session", SessionGrant.init(json:)),
            let refresh = json.optional("refresh", RefreshIdentity.init(json:)),
            let userInfo = json.optional("userInfo", \.objectValue)
        else { return nil }
        self.init(
            claims: claims, subject: subject, objectID: objectID, authTime: authTime, fromSession: fromSession,
            session: session, keepSignedIn: keepSignedIn, issuer: issuer, refresh: refresh, userInfo: userInfo)
    }
}

extension IssuedClaim {
    fileprivate init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue, let name = json["name"]?.stringValue, let value = json["value"] else {
            return nil
        }
        self.init(id: id, name: name, value: value)
    }
}

extension SessionGrant {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["id": .string(id.description), "scope": .string(scope)]
        if let persistentUntil { object["persistentUntil"] = .string(persistentUntil.rfc3339) }
        object["expires"] = .string(expires.rfc3339)
        return object
    }

    fileprivate init?(json: JSONValue) {
        guard let id = json.guid("id"), let scope = json["scope"]?.stringValue, let expires = json.instant("expires"),
            let until = json.optional("persistentUntil", { $0.stringValue.flatMap { Timestamp(rfc3339: $0) } })
        else { return nil }
        self.init(id: SessionID(id), scope: scope, persistentUntil: until, expires: expires)
    }
}

extension RefreshIdentity {
    /// The identity as a document.
    public var json: JSONObject {
        [
            "identity": .string(identity), "claimType": .string(claimType), "issuedAt": .string(issuedAt.rfc3339),
            "authTime": .string(authTime.rfc3339), "revision": .integer(Int64(revision)),
            "claims": .array(claims.map { .object($0.json) }),
        ]
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let identity = json["identity"]?.stringValue, let claimType = json["claimType"]?.stringValue,
            let issuedAt = json.instant("issuedAt"), let authTime = json.instant("authTime"),
            let revision = json.count("revision"),
            let claims = json.list("claims", KeptClaim.init(json:))
        else { return nil }
        self.init(
            identity: identity, claimType: claimType, issuedAt: issuedAt, authTime: authTime, revision: revision,
            claims: claims)
    }
}
