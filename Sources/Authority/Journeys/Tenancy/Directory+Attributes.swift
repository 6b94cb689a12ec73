import Determinism
import TrustFramework

extension Directory {
    /// The attributes that an account holds elsewhere than in its list.
    private enum Own: Sendable {
        case objectID, accountEnabled, emailName, userName, phoneName, signInNames, securityID, identities
        case tokensValidFrom, created, creationType, userType, forcePasswordChange, emails, principalName
    }

    private static let own: [(length: Int, name: String, own: Own)] = names.map { ($0.utf8.count, $0, $1) }

    private static let names: [(String, Own)] = [
        ("objectid", .objectID), ("accountenabled", .accountEnabled), ("signinnames.emailaddress", .emailName),
        ("signinnames.username", .userName), ("signinnames.phonenumber", .phoneName), ("signinnames", .signInNames),
        ("alternativesecurityid", .securityID), ("alternativesecurityids", .identities),
        ("useridentities", .identities), ("refreshtokensvalidfromdatetime", .tokensValidFrom),
        ("createddatetime", .created), ("creationtype", .creationType), ("usertype", .userType),
        ("forcepasswordchangenextsignin", .forcePasswordChange),
        ("forcechangepasswordnextlogin", .forcePasswordChange), ("forcepasswordchange", .forcePasswordChange),
        ("emails", .emails), ("userprincipalname", .principalName),
    ]

    /// By name, letter case aside. Few names are of one length, and hashing takes longer than to compare those.
    private static func own(_ name: String) -> Own? {
        let length = name.utf8.count
        for place in own.indices where own[place].length == length && sameID(own[place].name, name) {
            return own[place].own
        }
        return nil
    }

    /// The value of a directory attribute as a claim of this type; `nil` when it is not set. Names as in a policy.
    public func value(_ name: String, of account: Account, as type: DataType) -> ClaimValue? {
        guard let own = Self.own(name) else {
            if let kind = AccountKey.signInType(name) { return account.signInName(kind).map(ClaimValue.text) }
            return account.stored(name)?.converted(to: type)
        }
        switch own {
        case .objectID: return .text(account.objectID.description)
        case .accountEnabled: return .boolean(account.accountEnabled)
        case .emailName: return account.signInName("emailAddress").map(ClaimValue.text)
        case .userName: return account.signInName("userName").map(ClaimValue.text)
        case .phoneName: return account.signInName("phoneNumber").map(ClaimValue.text)
        case .signInNames: return account.signInNames.first.map { .text($0.value) }
        case .securityID: return account.identities.first.map { .text($0.claim) }
        case .identities: return account.identities.isEmpty ? nil : .list(account.identities.map(\.claim))
        case .tokensValidFrom: return ClaimValue.dateTime(account.refreshTokensValidFrom).converted(to: type)
        case .created: return ClaimValue.dateTime(account.createdAt).converted(to: type)
        case .creationType:
            return account.signInNames.isEmpty ? nil : .text("LocalAccount").converted(to: type)
        case .userType: return account.stored(name)?.converted(to: type) ?? .text("Member")
        case .forcePasswordChange: return ClaimValue.boolean(account.forcePasswordChange).converted(to: type)
        case .emails:
            let mails = emails(of: account)
            return mails.isEmpty ? nil : ClaimValue.list(mails).converted(to: type)
        case .principalName: return account.stored(name)
        }
    }

    /// E-mail addresses of an account: its sign-in name, then its other mails, without repeats.
    func emails(of account: Account) -> [String] {
        var mails = account.signInName("emailAddress").map { [$0] } ?? []
        for mail in account.stored("otherMails")?.listValue ?? [] where !mails.contains(mail) { mails.append(mail) }
        if let mail = account.stored("email")?.text, !mails.contains(mail) { mails.append(mail) }
        return mails
    }

    /// Longest text of an attribute by its name in lower case, in policies and in Graph (Microsoft docs:
    /// user-profile-attributes; of companyName: microsoftgraph/microsoft-graph-docs#7979).
    private static func lengthLimit(_ name: String) -> Int {
        switch name {
        case "streetaddress": 1024
        case "displayname": 256
        case "city", "country", "jobtitle", "officelocation", "physicaldeliveryofficename", "state": 128
        case "companyname", "department", "givenname", "mailnickname", "mobile", "mobilephone", "surname": 64
        case "postalcode": 40
        default: 250
        }
    }

    /// Writes an attribute; `nil` removes it. `now` dates the change of a password.
    mutating func write(
        _ name: String, _ value: ClaimValue?, to account: inout Account, at now: Timestamp
    ) throws(DirectoryRefusal) {
        let lower = name.lowercased()
        switch lower {
        case "objectid", "createddatetime", "creationtype", "emails":
            // The key is repeated among the persisted claims of a write; it changes nothing.
            return
        case "password":
            guard let password = value?.text else { throw .badValue(name) }
            try setPassword(password, of: &account, at: now)
        case "accountenabled":
            account.accountEnabled = value?.booleanValue ?? true
        case "forcepasswordchangenextsignin", "forcechangepasswordnextlogin", "forcepasswordchange":
            account.forcePasswordChange = value?.booleanValue ?? false
        case "refreshtokensvalidfromdatetime":
            guard let instant = value?.dateTimeValue else { throw .badValue(name) }
            account.refreshTokensValidFrom = instant
            account.revision += 1
        case "userprincipalname":
            // A name, and a domain of the tenant, of which it may have several (Microsoft Graph: resources/user).
            let parts = value?.text?.split(separator: "@", omittingEmptySubsequences: false) ?? []
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { throw .badValue(name) }
            account.store(name, value)
        case "signinnames.emailaddress": account.setSignInName("emailAddress", value?.text)
        case "signinnames.username": account.setSignInName("userName", value?.text)
        case "signinnames.phonenumber": account.setSignInName("phoneNumber", value?.text)
        case "signinnames": throw .notWritable(name)
        case "alternativesecurityid", "alternativesecurityids", "useridentities":
            let texts = value?.listValue ?? value?.text.map { [$0] } ?? []
            var identities: [FederatedIdentity] = []
            for text in texts {
                guard let identity = FederatedIdentity(claim: text) else { throw .badValue(name) }
                identities.append(identity)
            }
            account.identities = identities
        default:
            if let kind = AccountKey.signInType(name) {
                account.setSignInName(kind, value?.text)
                return
            }
            if lower.hasPrefix("extension_"), !hasExtensionsApp { throw .noExtensionsApp }
            if let length = value?.text?.utf16.count, length > Self.lengthLimit(lower) { throw .badValue(name) }
            let type: DataType = lower == "othermails" ? .stringCollection : .string
            let kept = lower == "othermails" ? value?.converted(to: type) : value
            account.store(name, kept)
        }
    }
}

extension ClaimValue {
    /// The value as a claim of another type; `nil` when it does not fit.
    public func converted(to type: DataType) -> ClaimValue? {
        switch (self, type.isCollection) {
        case (.list, true): return self
        case (.list(let items), false): return items.first.flatMap { ClaimValue($0, as: type) }
        case (_, true): return text.map { .list([$0]) }
        case (.boolean, _) where type == .boolean: return self
        case (.integer, _) where type == .int || type == .long: return self
        case (.dateTime, _) where type == .dateTime: return self
        // As tokens have instants.
        case (.integer(let seconds), _) where type == .dateTime || type == .date:
            return ClaimValue(.integer(seconds), as: type)
        default: return text.flatMap { ClaimValue($0, as: type) }
        }
    }
}
