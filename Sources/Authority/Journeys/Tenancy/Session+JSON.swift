import Determinism
import JSON

/// Sessions as documents, for a state that outlives the process.
extension Session {
    /// The whole session.
    public var json: JSONObject {
        var object: JSONObject = ["id": .string(id.description), "scope": .string(scope)]
        object["createdAt"] = .string(createdAt.rfc3339)
        object["lastUsedAt"] = .string(lastUsedAt.rfc3339)
        object["authTime"] = .string(authTime.rfc3339)
        object["rolling"] = .bool(rolling)
        object["lifetime"] = .integer(lifetime.milliseconds)
        if let keptFor { object["keptFor"] = .integer(keptFor.milliseconds) }
        object["entries"] = .array(
            entries.map { entry in
                [
                    "provider": .string(entry.provider), "profile": .string(entry.profile),
                    "claims": .array(entry.claims.map { .object($0.json) }), "at": .string(entry.at.rfc3339),
                ]
            })
        object["participants"] = .array(participants.map { .string($0) })
        if let objectID { object["objectId"] = .string(objectID.description) }
        if let identityProvider { object["identityProvider"] = .string(identityProvider) }
        return object
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let id = json.guid("id"), let scope = json["scope"]?.stringValue,
            let createdAt = json.instant("createdAt"), let lastUsedAt = json.instant("lastUsedAt"),
            let authTime = json.instant("authTime"), let rolling = json["rolling"]?.boolValue,
            let lifetime = json["lifetime"]?.intValue, let keptFor = json.optional("keptFor", \.intValue),
            let entries = json.list("entries", Entry.init(json:)),
            let participants = json.list("participants", \.stringValue),
            let objectID = json.optional("objectId", { $0.stringValue.flatMap { GUID($0) } }),
            let identityProvider = json.optional("identityProvider", \.stringValue)
        else { return nil }
        self.init(
            id: SessionID(id), scope: scope, createdAt: createdAt, lastUsedAt: lastUsedAt, authTime: authTime,
            rolling: rolling, lifetime: TimeSpan(milliseconds: lifetime),
            keptFor: keptFor.map { TimeSpan(milliseconds: $0) }, entries: entries, participants: participants,
            objectID: objectID, identityProvider: identityProvider)
    }
}

extension Session.Entry {
    fileprivate init?(json: JSONValue) {
        guard let provider = json["provider"]?.stringValue, let profile = json["profile"]?.stringValue,
            let claims = json.list("claims", KeptClaim.init(json:)), let at = json.optional("at", { $0.stringValue })
        else { return nil }
        // States of earlier versions have no time.
        let instant = at.flatMap { Timestamp(rfc3339: $0) } ?? Timestamp(seconds: 0)
        self.init(provider: provider, profile: profile, claims: claims, at: instant)
    }
}
