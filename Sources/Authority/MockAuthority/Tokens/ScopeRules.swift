import B2CProtocol
import JSON
import Journeys
import TrustFramework

/// What a scope text comes to for one app.
struct GrantedScopes: Sendable, Hashable {
    var openid = false
    var profile = false
    var offlineAccess = false
    /// The API's or, for the client's own id as scope, the app's id: audience of the access token.
    var audience: String?
    /// The client's own id was asked: an access token for the app itself.
    var isOwnClient = false
    /// Granted scopes of the API by their short names.
    var names: [String] = []
    /// The same as they were asked: full names, or the client id.
    var fullNames: [String] = []
    /// API scopes that were asked and are not granted.
    var withheld: [String] = []

    /// Whether they are equal, and all texts the same bytes.
    func hasSameTexts(as other: GrantedScopes) -> Bool {
        openid == other.openid && profile == other.profile && offlineAccess == other.offlineAccess
            && isOwnClient == other.isOwnClient && (audience == nil) == (other.audience == nil)
            && sameText(audience ?? "", other.audience ?? "") && sameTexts(names, other.names)
            && sameTexts(fullNames, other.fullNames) && sameTexts(withheld, other.withheld)
    }

    /// The `scope` member of a response. Recordings have only the API's scopes; without any the reserved ones stand
    /// there, as in Microsoft's samples.
    var responseText: String {
        if !fullNames.isEmpty { return fullNames.joined(separator: " ") }
        var reserved: [String] = []
        if openid { reserved.append("openid") }
        if profile { reserved.append("profile") }
        if offlineAccess { reserved.append("offline_access") }
        return reserved.joined(separator: " ")
    }

    /// All scopes as a request would name them, for claims resolvers.
    var all: [String] {
        var all: [String] = []
        if openid { all.append("openid") }
        if profile { all.append("profile") }
        if offlineAccess { all.append("offline_access") }
        return all + fullNames
    }
}

/// The rules for scopes, which both endpoints share.
enum ScopeRules {
    /// RFC 6749, 3.3: printable ASCII without quote and backslash.
    static func checkCharacters(_ text: String) throws(Refusal) {
        let isLegal = text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isLegal, let illegal = ScopeList.illegalCharacter(in: text) else { return }
        throw Refusal(.c99005, [String(illegal)], why: "scope holds the character \(illegal.debugDescription)")
    }

    static func resolve(
        _ text: String, app: RegisteredApp, configuration: Configuration
    ) throws(Refusal) -> GrantedScopes {
        var granted = GrantedScopes()
        var asked: APIResource?
        var seen: Set<String> = []
        for part in text.utf8.split(separator: UInt8(ascii: " ")) {
            let scope = String(Substring(part))
            if sameID(scope, "openid") {
                granted.openid = true
            } else if sameID(scope, "profile") {
                granted.profile = true
            } else if sameID(scope, "offline_access") {
                granted.offlineAccess = true
            } else if sameID(scope, "email") {
                // Libraries add it; it has no effect (inferred).
                continue
            } else if sameID(scope, app.clientID) {
                guard asked == nil else { throw severalResources(text) }
                granted.audience = app.clientID
                granted.isOwnClient = true
                granted.fullNames.append(scope)
            } else {
                guard let (resource, name) = configuration.resource(ofScope: scope) else {
                    throw Refusal(.c90117, [scope], why: "no API has the scope \(scope)")
                }
                guard !granted.isOwnClient, asked == nil || asked === resource else { throw severalResources(text) }
                asked = resource
                granted.audience = resource.clientID
                try add(name, asked: scope, of: resource, app: app, to: &granted, &seen)
            }
        }
        return granted
    }

    private static func add(
        _ name: String, asked scope: String, of resource: APIResource, app: RegisteredApp,
        to granted: inout GrantedScopes, _ seen: inout Set<String>
    ) throws(Refusal) {
        if sameID(name, ".default") {
            for name in app.grantedScopes(of: resource) where seen.insert(name).inserted {
                granted.names.append(name)
                granted.fullNames.append(resource.prefix + name)
            }
            if granted.names.isEmpty { granted.withheld.append(scope) }
            return
        }
        guard let known = resource.scope(named: name) else {
            throw Refusal(
                .c90117, [scope],
                why: "API \(resource.name) has no scope \(name); it has \(resource.scopes.joined(separator: ", "))")
        }
        if app.isGranted(known, of: resource) {
            guard seen.insert(known).inserted else { return }
            granted.names.append(known)
            granted.fullNames.append(scope)
        } else {
            granted.withheld.append(scope)
        }
    }

    /// A request succeeds if at least one of its API scopes is granted.
    static func checkPermission(_ scopes: GrantedScopes, app: RegisteredApp) throws(Refusal) {
        if scopes.audience != nil, scopes.fullNames.isEmpty {
            throw Refusal(
                .c90205, why: "app \(app.name) has no permission for \(scopes.withheld.joined(separator: ", "))")
        }
    }

    /// The one scope of a text beside `openid`, `profile` and `offline_access`; `nil` if there is none or several.
    ///
    /// Libraries add these three to the client credentials grant too, which has no use for them: MSAL Go to every request.
    static func withoutReserved(_ text: String) -> String? {
        let reserved = ["openid", "profile", "offline_access"]
        let scopes = text.split(separator: " ").map(String.init).filter { scope in
            !reserved.contains { sameID($0, scope) }
        }
        return scopes.count == 1 ? scopes[0] : nil
    }

    private static func severalResources(_ text: String) -> Refusal {
        Refusal(.c90146, [text], why: "scope names more than one resource: \(text)")
    }
}
