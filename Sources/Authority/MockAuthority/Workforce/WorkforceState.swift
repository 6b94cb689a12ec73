import B2CProtocol
import Determinism
import JSON
import Journeys

/// Rows that a state store has kept of a plain directory tenant.
struct KeptDirectory: Sendable {
    fileprivate var sessions: [(id: GUID, row: WorkforceSession, until: Timestamp)] = []
    fileprivate var codes: [(id: GUID, row: WorkforceCode, until: Timestamp)] = []
    fileprivate var refreshTokens: [(id: GUID, row: WorkforceRefresh, until: Timestamp)] = []
    fileprivate var consents: [(key: String, scopes: [WorkforceScope])] = []
    fileprivate var standings: [(name: String, row: WorkforceStanding)] = []

    /// Takes in a row.
    ///
    /// - Returns: Whether it is of a directory's tables and can be read.
    mutating func add(_ table: RowChange.TableName, key: String, _ json: JSONValue) -> Bool {
        switch table {
        case .sessions:
            guard let id = GUID(key), let row = WorkforceSession(json: json), let until = json.instant("until") else {
                return false
            }
            sessions.append((id, row, until))
        case .codes:
            guard let id = GUID(key), let row = WorkforceCode(json: json), let until = json.instant("until") else {
                return false
            }
            codes.append((id, row, until))
        case .refreshTokens:
            guard let id = GUID(key), let row = WorkforceRefresh(json: json), let until = json.instant("until") else {
                return false
            }
            refreshTokens.append((id, row, until))
        case .consents:
            guard let scopes = json.list("scopes", WorkforceScope.init(json:)) else { return false }
            consents.append((key, scopes))
        case .standings:
            guard let row = WorkforceStanding(json: json) else { return false }
            standings.append((key, row))
        default: return false
        }
        return true
    }
}

extension WorkforceAuthority {
    /// Goes on where an earlier run ended. Only on an authority that has just been made.
    public mutating func resume(_ kept: KeptState) {
        // The first run draws as it would without a state.
        if kept.run > 1 { random = seed.stream("authority/run \(kept.run)") }
        if !kept.keyAges.isEmpty {
            configuration = WorkforceConfiguration(
                tenant: configuration.tenant,
                keys: KeyRing(
                    tenant: configuration.tenant, known: kept.keyAges, otherwise: KeyRing.firstKeySince))
        }
        let rows = kept.directory
        for session in rows.sessions { sessions.insert(session.id, session.row, expires: session.until) }
        for code in rows.codes { codes.insert(code.id, code.row, expires: code.until) }
        for token in rows.refreshTokens { refreshTokens.insert(token.id, token.row, expires: token.until) }
        for consent in rows.consents { consents[consent.key] = consent.scopes }
        for standing in rows.standings { standings[standing.name] = standing.row }
        _ = drainChanges()
    }

    /// Everything that has changed since it was last asked.
    mutating func drainChanges() -> [RowChange] {
        guard recordsChanges else { return [] }
        var changes: [RowChange] = []
        swap(&changes, &ownChanges)
        func note(_ table: RowChange.TableName, _ key: String, _ row: JSONObject?, until: Timestamp? = nil) {
            guard var row else {
                changes.append(.remove(table, key: key))
                return
            }
            if let until { row["until"] = .string(until.rfc3339) }
            changes.append(.put(table, key: key, KeptRow(.object(row))))
        }
        for id in sessions.drainTouched() {
            let row = sessions.kept(id)
            note(.sessions, id.description, row?.row.json, until: row?.expires)
        }
        for id in codes.drainTouched() {
            let row = codes.kept(id)
            note(.codes, id.description, row?.row.json, until: row?.expires)
        }
        for id in refreshTokens.drainTouched() {
            let row = refreshTokens.kept(id)
            note(.refreshTokens, id.description, row?.row.json, until: row?.expires)
        }
        for key in consents.drainTouched() {
            note(.consents, key, consents[key].map { ["scopes": .array($0.map { .object($0.json) })] })
        }
        for name in standings.drainTouched() { note(.standings, name, standings[name]?.json) }
        return changes
    }
}

// MARK: Rows as documents

extension WorkforceSession {
    var json: JSONObject {
        [
            "accounts": .array(
                accounts.map { ["person": .string($0.person), "since": .string($0.since.rfc3339)] })
        ]
    }

    init?(json: JSONValue) {
        let read = json.list("accounts") { entry -> WorkforceAccount? in
            guard let person = entry["person"]?.stringValue, let since = entry.instant("since") else { return nil }
            return WorkforceAccount(person: person, since: since)
        }
        guard let read else { return nil }
        self.init(accounts: read)
    }
}

extension WorkforceScope {
    var json: JSONObject {
        var object: JSONObject = ["name": .string(name), "written": .string(written)]
        switch resource {
        case .basic: object["resource"] = "basic"
        case .graph: object["resource"] = "graph"
        case .api(let api): object["api"] = .string(api)
        }
        object["needsAdmin"] = .bool(needsAdmin)
        object["isWorkOnly"] = .bool(isWorkOnly)
        return object
    }

    init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let written = json["written"]?.stringValue,
            let needsAdmin = json["needsAdmin"]?.boolValue, let isWorkOnly = json["isWorkOnly"]?.boolValue
        else { return nil }
        let resource: Resource
        switch (json["resource"]?.stringValue, json["api"]?.stringValue) {
        case ("basic", nil): resource = .basic
        case ("graph", nil): resource = .graph
        case (nil, let api?): resource = .api(api)
        default: return nil
        }
        self.init(
            resource: resource, name: name, written: written, needsAdmin: needsAdmin, isWorkOnly: isWorkOnly)
    }
}

extension WorkforceAudience {
    var word: String {
        switch self {
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        case .tenant(let id): id.description
        }
    }

    init?(word: String) {
        switch word {
        case "common": self = .common
        case "organizations": self = .organizations
        case "consumers": self = .consumers
        default:
            guard let id = GUID(word) else { return nil }
            self = .tenant(id)
        }
    }
}

extension WorkforceCode {
    var json: JSONObject {
        var object: JSONObject = ["client": .string(clientID), "redirectUri": .string(redirectURI)]
        object["platform"] = .string(platform.rawValue)
        object["person"] = .string(person)
        object["audience"] = .string(audience.word)
        object["scopes"] = .array(scopes.map { .object($0.json) })
        if let nonce { object["nonce"] = .string(nonce) }
        if let challenge {
            object["challenge"] = ["text": .string(challenge.text), "method": .string(challenge.method.rawValue)]
        }
        object["authTime"] = .string(authTime.rfc3339)
        object["issuedAt"] = .string(issuedAt.rfc3339)
        object["redeemed"] = .bool(isRedeemed)
        return object
    }

    init?(json: JSONValue) {
        guard let clientID = json["client"]?.stringValue, let redirectURI = json["redirectUri"]?.stringValue,
            let platform = json["platform"]?.stringValue.flatMap(GrantPlatform.init),
            let person = json["person"]?.stringValue,
            let audience = json["audience"]?.stringValue.flatMap(WorkforceAudience.init(word:)),
            let scopes = json.list("scopes", WorkforceScope.init(json:)),
            let nonce = json.optional("nonce", \.stringValue), let authTime = json.instant("authTime"),
            let issuedAt = json.instant("issuedAt"), let isRedeemed = json["redeemed"]?.boolValue
        else { return nil }
        var challenge: (text: String, method: PKCE.Method)?
        if let kept = json["challenge"] {
            guard let text = kept["text"]?.stringValue,
                let method = kept["method"]?.stringValue.flatMap(PKCE.Method.init)
            else { return nil }
            challenge = (text, method)
        }
        self.init(
            clientID: clientID, redirectURI: redirectURI, platform: platform, person: person, audience: audience,
            scopes: scopes, nonce: nonce, challenge: challenge, authTime: authTime, issuedAt: issuedAt,
            isRedeemed: isRedeemed)
    }
}

extension WorkforceRefresh {
    var json: JSONObject {
        [
            "client": .string(clientID), "platform": .string(platform.rawValue), "person": .string(person),
            "scopes": .array(scopes.map { .object($0.json) }), "authTime": .string(authTime.rfc3339),
            "issuedAt": .string(issuedAt.rfc3339), "firstIssuedAt": .string(firstIssuedAt.rfc3339),
        ]
    }

    init?(json: JSONValue) {
        guard let clientID = json["client"]?.stringValue,
            let platform = json["platform"]?.stringValue.flatMap(GrantPlatform.init),
            let person = json["person"]?.stringValue, let scopes = json.list("scopes", WorkforceScope.init(json:)),
            let authTime = json.instant("authTime"), let issuedAt = json.instant("issuedAt"),
            let firstIssuedAt = json.instant("firstIssuedAt")
        else { return nil }
        self.init(
            clientID: clientID, platform: platform, person: person, scopes: scopes, authTime: authTime,
            issuedAt: issuedAt, firstIssuedAt: firstIssuedAt)
    }
}

extension WorkforceStanding {
    var json: JSONObject {
        var object: JSONObject = ["failures": .integer(Int64(failures))]
        if let lockedUntil { object["lockedUntil"] = .string(lockedUntil.rfc3339) }
        if let validFrom { object["validFrom"] = .string(validFrom.rfc3339) }
        return object
    }

    init?(json: JSONValue) {
        guard let failures = json.count("failures"),
            let lockedUntil = json.optional("lockedUntil", { $0.stringValue.flatMap { Timestamp(rfc3339: $0) } }),
            let validFrom = json.optional("validFrom", { $0.stringValue.flatMap { Timestamp(rfc3339: $0) } })
        else { return nil }
        self.init(failures: failures, lockedUntil: lockedUntil, validFrom: validFrom)
    }
}
