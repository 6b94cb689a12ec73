import Determinism
import TrustFramework

/// What a directory call finds an account by (Microsoft docs: active-directory-technical-profile).
public enum AccountKey: Sendable, Hashable {
    case objectID(String)
    case userPrincipalName(String)
    /// A sign-in name of one type: `emailAddress`, `userName`, `phoneNumber`.
    case signInName(type: String, String)
    /// A sign-in name of any type.
    case anySignInName(String)
    case identity(FederatedIdentity)

    /// The key that a claim under this partner name gives; `nil` when the directory has no such key.
    public init?(name: String, value: ClaimValue) {
        let lower = name.lowercased()
        if lower == "useridentities" || lower == "alternativesecurityids", let first = value.listValue?.first {
            guard let identity = FederatedIdentity(claim: first) else { return nil }
            self = .identity(identity)
            return
        }
        guard let text = value.text else { return nil }
        switch lower {
        case "objectid": self = .objectID(text)
        case "userprincipalname": self = .userPrincipalName(text)
        case "signinnames", "logonidentifier", "signinnames.logonidentifier": self = .anySignInName(text)
        case "signinnames.emailaddress": self = .signInName(type: "emailAddress", text)
        case "signinnames.username": self = .signInName(type: "userName", text)
        case "signinnames.phonenumber": self = .signInName(type: "phoneNumber", text)
        case "alternativesecurityid", "alternativesecurityids", "useridentities", "useridentity":
            guard let identity = FederatedIdentity(claim: text) else { return nil }
            self = .identity(identity)
        default:
            // Sign-in names of a type of the policy's own, such as signInNames.membershipId.
            guard let type = Self.signInType(name) ?? Self.logonType(name) else { return nil }
            self = .signInName(type: type, text)
        }
    }

    /// The type of sign-in name that an attribute stands for: `membershipId` of `signInNames.membershipId`.
    static func signInType(_ name: String) -> String? {
        let prefix = "signinnames."
        guard name.lowercased().hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
        return String(name.dropFirst(prefix.count))
    }

    /// `logonIdentifier` is the name of older policies for `signInNames`, alone and with a type; that the type means the
    /// same is inferred.
    private static func logonType(_ name: String) -> String? {
        let prefix = "logonidentifier."
        guard name.lowercased().hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
        return String(name.dropFirst(prefix.count))
    }

    /// Names that a directory profile may use as its key.
    public static let names = [
        "objectId", "userPrincipalName", "signInNames", "signInNames.emailAddress", "signInNames.userName",
        "signInNames.phoneNumber", "alternativeSecurityId", "userIdentities",
    ]
}
