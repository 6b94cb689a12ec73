import Determinism
import JSON
import TrustFramework

/// Accounts as documents, for the export of a directory. Failed sign-ins are not part of it.
extension Account {
    /// The whole account, its password included.
    public var json: JSONObject {
        var object: JSONObject = ["objectId": .string(objectID.description)]
        if let person { object["person"] = .string(person) }
        object["signInNames"] = .array(
            signInNames.map { ["type": .string($0.type), "value": .string($0.value)] })
        object["identities"] = .array(
            identities.map { ["issuer": .string($0.issuer), "issuerUserId": .string($0.issuerUserID)] })
        object["attributes"] = .array(
            attributes.map { .object($0.json) })
        if let password { object["password"] = .string(password) }
        if let formerPassword { object["formerPassword"] = .string(formerPassword) }
        object["accountEnabled"] = .bool(accountEnabled)
        object["forcePasswordChange"] = .bool(forcePasswordChange)
        object["locked"] = .bool(lockedByAdministrator)
        object["refreshTokensValidFrom"] = .string(refreshTokensValidFrom.rfc3339)
        object["revision"] = .integer(Int64(revision))
        object["createdAt"] = .string(createdAt.rfc3339)
        object["passwordChangedAt"] = .string(passwordChangedAt.rfc3339)
        return object
    }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let id = json.guid("objectId"),
            let created = json.instant("createdAt"), let valid = json.instant("refreshTokensValidFrom"),
            json["revision"] == nil || json.count("revision") != nil
        else { return nil }
        self.init(objectID: id, at: created)
        person = json["person"]?.stringValue
        for name in json["signInNames"]?.arrayValue ?? [] {
            guard let type = name["type"]?.stringValue, let value = name["value"]?.stringValue else { return nil }
            signInNames.append(SignInName(type: type, value: value))
        }
        for identity in json["identities"]?.arrayValue ?? [] {
            guard let issuer = identity["issuer"]?.stringValue, let user = identity["issuerUserId"]?.stringValue else {
                return nil
            }
            identities.append(FederatedIdentity(issuer: issuer, issuerUserID: user))
        }
        for attribute in json["attributes"]?.arrayValue ?? [] {
            guard let claim = KeptClaim(json: attribute) else { return nil }
            attributes.append(claim)
        }
        password = json["password"]?.stringValue
        formerPassword = json["formerPassword"]?.stringValue
        accountEnabled = json["accountEnabled"]?.boolValue ?? true
        forcePasswordChange = json["forcePasswordChange"]?.boolValue ?? false
        lockedByAdministrator = json["locked"]?.boolValue ?? false
        refreshTokensValidFrom = valid
        revision = json.count("revision") ?? 0
        createdAt = created
        passwordChangedAt = json.instant("passwordChangedAt") ?? created
    }
}

extension KeptClaim {
    /// The claim with its type: `{"id": "city", "text": "London"}`.
    public var json: JSONObject { ["id": .string(id), value.word: value.plainJSON] }

    /// Reads what ``json`` writes; `nil` when the document is something else.
    public init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue, let value = ClaimValue(plain: json) else { return nil }
        self.init(id, value)
    }
}

extension ClaimValue {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .boolean: "boolean"
        case .integer: "integer"
        case .dateTime: "dateTime"
        case .list: "list"
        }
    }

    fileprivate var plainJSON: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .boolean(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .dateTime(let instant): .string(instant.rfc3339)
        case .list(let items): .array(items.map { .string($0) })
        }
    }

    fileprivate init?(plain: JSONValue) {
        if let text = plain["text"]?.stringValue {
            self = .text(text)
        } else if let flag = plain["boolean"]?.boolValue {
            self = .boolean(flag)
        } else if let number = plain["integer"]?.intValue {
            self = .integer(number)
        } else if let instant = plain.instant("dateTime") {
            self = .dateTime(instant)
        } else if let items = plain["list"]?.arrayValue {
            self = .list(items.compactMap(\.stringValue))
        } else {
            return nil
        }
    }
}
