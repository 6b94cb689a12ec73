import B2CProtocol
import Determinism
import JSON
import Journeys
import TrustFramework

/// Grants as documents, for a state that outlives the process.
extension CodeGrant {
    /// - Parameter issuer: Id of the technical profile that issued.
    func json(issuer: String) -> JSONObject {
        var object: JSONObject = ["policy": .string(policyID), "client": .string(clientID)]
        object["redirectUri"] = .string(redirectURI)
        object["platform"] = .string(platform.rawValue)
        object["scopes"] = .object(scopes.json)
        if let nonce { object["nonce"] = .string(nonce) }
        if let challenge {
            object["challenge"] = ["text": .string(challenge.text), "method": .string(challenge.method.rawValue)]
        }
        object["issuance"] = .object(issuance.json)
        object["issuer"] = .string(issuer)
        object["issuedAt"] = .string(issuedAt.rfc3339)
        object["expires"] = .string(expires.rfc3339)
        object["redeemed"] = false
        return object
    }

    /// Reads what `json` writes; `nil` when the document is something else.
    init?(json: JSONValue, issuer: ProfileHandle) {
        guard let policyID = json["policy"]?.stringValue, let clientID = json["client"]?.stringValue,
            let redirectURI = json["redirectUri"]?.stringValue,
            let platform = json["platform"]?.stringValue.flatMap(GrantPlatform.init),
            let scopes = json["scopes"].flatMap(GrantedScopes.init(json:)),
            let nonce = json.optional("nonce", \.stringValue),
            let challenge = json.optional("challenge", CodeChallenge.init(json:)),
            let issuance = json["issuance"].flatMap({ Issuance(json: $0, issuer: issuer) }),
            let issuedAt = json.instant("issuedAt"), let expires = json.instant("expires"),
            json["redeemed"] == false
        else { return nil }
        self.init(
            policyID: policyID, clientID: clientID, redirectURI: redirectURI, platform: platform, scopes: scopes,
            nonce: nonce, challenge: challenge, issuance: issuance, issuedAt: issuedAt, expires: expires)
    }
}

extension SpentCode {
    /// A row of the table of codes, without what a redemption needs.
    var json: JSONObject {
        var object: JSONObject = ["policy": .string(policyID), "client": .string(clientID)]
        object["issuedAt"] = .string(issuedAt.rfc3339)
        object["expires"] = .string(expires.rfc3339)
        object["redeemed"] = .bool(isRedeemed)
        return object
    }

    /// Reads what ``json`` writes, and the whole row of a redeemed code, as earlier versions kept it. `nil` when the
    /// document is something else, such as a code that is still good.
    init?(json: JSONValue) {
        guard let policyID = json["policy"]?.stringValue, let clientID = json["client"]?.stringValue,
            let issuedAt = json.instant("issuedAt"), let expires = json.instant("expires"),
            let isRedeemed = json["redeemed"]?.boolValue, isRedeemed || json["issuance"] == nil
        else { return nil }
        self.init(
            policyID: policyID, clientID: clientID, issuedAt: issuedAt, expires: expires, isRedeemed: isRedeemed)
    }
}

extension CodeChallenge {
    fileprivate init?(json: JSONValue) {
        guard let text = json["text"]?.stringValue,
            let method = json["method"]?.stringValue.flatMap(PKCE.Method.init)
        else { return nil }
        self.init(text: text, method: method)
    }
}

extension RefreshGrant {
    /// - Parameter until: How long the row is kept.
    func json(until: Timestamp) -> JSONObject {
        var object: JSONObject = ["policy": .string(terms.policyID), "client": .string(terms.clientID)]
        object["platform"] = .string(terms.platform.rawValue)
        object["scopes"] = .object(terms.scopes.json)
        if let nonce { object["nonce"] = .string(nonce) }
        object["identity"] = .object(identity.json)
        object["issuedAt"] = .string(issuedAt.rfc3339)
        object["expires"] = .string(expires.rfc3339)
        object["chainStarted"] = .string(chain.started.rfc3339)
        if let end = chain.end { object["chainEnds"] = .string(end.rfc3339) }
        object["redeemed"] = .bool(isRedeemed)
        object["until"] = .string(until.rfc3339)
        return object
    }

    /// Reads what `json` writes; `nil` when the document is something else.
    init?(json: JSONValue) {
        guard let policyID = json["policy"]?.stringValue, let clientID = json["client"]?.stringValue,
            let platform = json["platform"]?.stringValue.flatMap(GrantPlatform.init),
            let scopes = json["scopes"].flatMap(GrantedScopes.init(json:)),
            let nonce = json.optional("nonce", \.stringValue),
            var identity = json["identity"].flatMap(RefreshIdentity.init(json:)),
            let issuedAt = json.instant("issuedAt"), let expires = json.instant("expires"),
            let started = json.instant("chainStarted"),
            let end = json.optional("chainEnds", { $0.stringValue.flatMap { Timestamp(rfc3339: $0) } }),
            let isRedeemed = json["redeemed"]?.boolValue
        else { return nil }
        identity.issuedAt = issuedAt
        self.init(
            terms: GrantTerms(
                policyID: policyID, clientID: clientID, platform: platform, scopes: scopes, identity: identity),
            nonce: nonce, identity: identity, expires: expires, chain: RefreshChain(started: started, end: end),
            isRedeemed: isRedeemed)
    }
}

extension GrantedScopes {
    var json: JSONObject {
        var object: JSONObject = ["openid": .bool(openid), "profile": .bool(profile)]
        object["offlineAccess"] = .bool(offlineAccess)
        if let audience { object["audience"] = .string(audience) }
        object["isOwnClient"] = .bool(isOwnClient)
        object["names"] = .array(names.map { .string($0) })
        object["fullNames"] = .array(fullNames.map { .string($0) })
        object["withheld"] = .array(withheld.map { .string($0) })
        return object
    }

    init?(json: JSONValue) {
        guard let openid = json["openid"]?.boolValue, let profile = json["profile"]?.boolValue,
            let offlineAccess = json["offlineAccess"]?.boolValue,
            let audience = json.optional("audience", \.stringValue),
            let isOwnClient = json["isOwnClient"]?.boolValue, let names = json.list("names", \.stringValue),
            let fullNames = json.list("fullNames", \.stringValue), let withheld = json.list("withheld", \.stringValue)
        else { return nil }
        self.init(
            openid: openid, profile: profile, offlineAccess: offlineAccess, audience: audience,
            isOwnClient: isOwnClient, names: names, fullNames: fullNames, withheld: withheld)
    }
}
