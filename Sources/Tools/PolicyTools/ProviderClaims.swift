import AuthorityHosting
import Determinism
import JSON
import TrustFramework

/// What an identity provider says of a person without a description: the claims that a technical profile takes from
/// it, under the names that it reads them by.
enum ProviderClaims {
    /// The claims of one of the people of ``DemoPeople`` beyond what every stub provider sends.
    static func claims(of person: String, at profile: TechnicalProfile, in purposes: ClaimPurposes) -> JSONObject {
        let policy = purposes.policy
        let record = DemoPeople.json[person] ?? [:]
        let wanted = profile.outputClaims.filter { $0.defaultValue == nil }
        // What distinguishes one user of the provider from another.
        let identifiers = wanted.filter {
            ClaimPurpose.protocolName($0.wireName) == .subject || purposes.of($0.claim) == .subject
        }
        let standard = profile.handler == .oauth2Provider ? "id" : "sub"
        // Such providers number their users.
        let isNumber = identifiers.contains { [DataType.int, .long].contains(policy[$0.claim].dataType) }
        let subject: JSONValue =
            isNumber
            ? .integer(numbers[person] ?? 1_843_002)
            : .string(GUID.derived(from: "folder/\(FolderWorld.providerName(profile))/\(person)").description)
        var claims = JSONObject()
        if isNumber || identifiers.contains(where: { $0.wireName != standard }) {
            claims[standard] = subject
            for claim in identifiers { claims[claim.wireName] = subject }
        }
        for claim in wanted where claims[claim.wireName] == nil && !identifiers.contains(where: { $0 === claim }) {
            claims[claim.wireName] = value(claim, of: record, purposes)
        }
        return claims
    }

    /// Identifiers at providers that number their users.
    private static let numbers: [String: Int64] = [
        DemoPeople.local: 1_843_001, DemoPeople.stranger: 1_843_002, DemoPeople.linked: 1_843_003,
        DemoPeople.both: 1_843_004,
    ]

    private static func value(
        _ claim: ProfileClaim, of record: JSONValue, _ purposes: ClaimPurposes
    ) -> JSONValue? {
        switch ClaimPurpose.plain(claim.wireName) {
        // What the stub sends by itself, and what belongs to the protocol.
        case "iss", "aud", "nonce", "exp", "iat", "nbf", "idp", "acr", "amr", "error", "accesstoken",
            "identityprovider", "picture", "newuser", "groups", "roles":
            return nil
        case "tid": return .string(GUID.derived(from: "folder/tenant").description)
        default: break
        }
        let type = purposes.policy[claim.claim].dataType
        // The provider's own name for a claim says what it sends, whatever the policy does with it.
        let purpose = ClaimPurpose.protocolName(claim.wireName) ?? purposes.of(claim.claim, as: claim.wireName)
        if purpose == .birthDate { return "1990-05-17" }
        if let known = purpose.flatMap({ record[$0.key] }) { return known }
        if let example = type.example { return example }
        return type == .string ? .some(.string(purpose == .number ? "199005170002" : claim.wireName)) : .none
    }
}
