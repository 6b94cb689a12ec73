import AuthorityHosting
import Determinism
import JSON
import TrustFramework

/// What an identity provider says of a person without a description: the claims that a technical profile takes from
/// it, under the names that it reads them by.
enum ProviderClaims {
    /// The claims of one of the people of ``DemoPeople`` beyond what every stub provider sends.
    static func claims(of person: String, at profile: TechnicalProfile, in policy: ResolvedPolicy) -> JSONObject {
        let record = DemoPeople.json[person] ?? [:]
        let wanted = profile.outputClaims.filter { $0.defaultValue == nil }
        let identifiers = wanted.filter { isIdentifier($0, policy) }
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
        for claim in wanted where claims[claim.wireName] == nil && !isIdentifier(claim, policy) {
            claims[claim.wireName] = value(claim, record, policy)
        }
        return claims
    }

    /// Identifiers at providers that number their users.
    private static let numbers: [String: Int64] = [
        DemoPeople.local: 1_843_001, DemoPeople.stranger: 1_843_002, DemoPeople.linked: 1_843_003,
        DemoPeople.both: 1_843_004,
    ]

    private static let identifierNames = [
        "sub", "oid", "id", "user_id", "userid", "uid", "nameid", "objectidentifier", "personid", "pid",
    ]

    /// Whether a claim distinguishes one user of the provider from another.
    private static func isIdentifier(_ claim: ProfileClaim, _ policy: ResolvedPolicy) -> Bool {
        let id = policy[claim.claim].id.lowercased()
        if id == "issueruserid" || id == "socialidpuserid" || id == "numericuserid" { return true }
        // The last part of a name that is an address, as in older tokens of Entra.
        let name = claim.wireName.lowercased().split(separator: "/").last.map(String.init) ?? ""
        return identifierNames.contains(name)
    }

    private static func value(
        _ claim: ProfileClaim, _ record: JSONValue, _ policy: ResolvedPolicy
    ) -> JSONValue? {
        let name = (claim.wireName.lowercased().split(separator: "/").last.map(String.init) ?? "")
            .filter { $0.isLetter || $0.isNumber }
        switch name {
        // What the stub sends by itself, and what belongs to the protocol.
        case "iss", "aud", "nonce", "exp", "iat", "nbf", "idp", "acr", "amr", "error", "accesstoken",
            "identityprovider",
            "picture", "newuser", "groups", "roles":
            return nil
        case "tid": return .string(GUID.derived(from: "folder/tenant").description)
        case "email", "emails", "mail", "emailaddress", "upn", "preferredusername", "uniquename", "username", "login",
            "signinname":
            return record["email"]
        case "name", "displayname", "fullname": return record["displayName"]
        case "givenname", "firstname", "given": return record["givenName"]
        case "familyname", "lastname", "surname", "sn": return record["surname"]
        case "birthdate", "dateofbirth", "birthday", "dob": return "1990-05-17"
        case "phonenumber", "mobile", "phone", "mobilenumber", "telephonenumber": return record["phone"]
        case "city", "country", "postalcode": return record[name == "postalcode" ? "postalCode" : name]
        default: break
        }
        switch policy[claim.claim].dataType {
        case .boolean: return true
        case .int, .long: return 1
        case .date: return "1990-05-17"
        case .dateTime: return "1990-05-17T00:00:00Z"
        case .string:
            // Numbers of people, as national identity providers give them.
            let isNumber = ["number", "ssn", "cpr", "hetu", "personnummer", "nin"].contains { name.contains($0) }
            return .string(isNumber ? "199005170002" : claim.wireName)
        default: return nil
        }
    }
}
