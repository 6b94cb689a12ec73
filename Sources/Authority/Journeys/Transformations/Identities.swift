import JOSE
import JSON
import TrustFramework

/// Transformations of federated identities (Microsoft docs: social-transformations; those of `userIdentity` are not
/// documented and follow the published policies that use them).
enum Identities {
    /// `{"issuer":"facebook.com","issuerUserId":"MTIzMzQ="}`: the issuer in lower case, the key in base64.
    static func create(_ call: inout TransformationCall) {
        guard let key = call.text("key"), let provider = call.text("identityProvider") else {
            return call.set("alternativeSecurityId", nil)
        }
        let identity = FederatedIdentity(
            issuer: provider.lowercased(), issuerUserID: Base64.encode(Array(key.utf8)))
        call.set("alternativeSecurityId", text: identity.claim)
    }

    static func createUserIdentity(_ call: inout TransformationCall) {
        guard let user = call.text("issuerUserId"), let issuer = call.text("issuer") else {
            return call.set("userIdentity", nil)
        }
        call.set("userIdentity", text: FederatedIdentity(issuer: issuer, issuerUserID: user).claim)
    }

    static func add(_ call: inout TransformationCall) {
        var items = call.input("collection")?.listValue ?? []
        // The same identity is not there twice: a collection is a set, as the account's own identities are (inferred).
        if let item = call.text("item"), !items.contains(where: { isSame($0, item) }) { items.append(item) }
        call.set("collection", items.isEmpty ? nil : .list(items))
    }

    static func removeByProvider(_ call: inout TransformationCall) { remove(&call, call.text("identityProvider")) }

    static func removeByIssuer(_ call: inout TransformationCall) { remove(&call, call.text("issuer")) }

    private static func remove(_ call: inout TransformationCall, _ issuer: String?) {
        let items = call.input("collection")?.listValue ?? []
        call.set("collection", .list(items.filter { !sameID(Self.issuer(of: $0), issuer ?? "") }))
    }

    static func providers(_ call: inout TransformationCall) {
        let items = call.input("alternativeSecurityIdCollection")?.listValue ?? []
        call.set("identityProvidersCollection", .list(items.map(issuer)))
    }

    static func issuers(_ call: inout TransformationCall) {
        let items = call.input("userIdentityCollection")?.listValue ?? []
        call.set("issuersCollection", .list(items.map(issuer)))
    }

    private static func isSame(_ item: String, _ other: String) -> Bool {
        guard let one = FederatedIdentity(claim: item), let two = FederatedIdentity(claim: other) else {
            return item == other
        }
        return one.isSame(as: two)
    }

    private static func issuer(of item: String) -> String { FederatedIdentity(claim: item)?.issuer ?? "" }
}
