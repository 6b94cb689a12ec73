import Determinism
import TrustFramework

extension Directory {
    /// The value of a directory attribute as a claim of this type; `nil` when it is not set. Names as in a policy.
    public func value(_ name: String, of account: Account, as type: DataType) -> ClaimValue? {
        switch name.lowercased() {
        case "objectid": return .text(account.objectID.description)
        case "accountenabled": return .boolean(account.accountEnabled)
        case "signinnames.emailaddress": return account.signInName("emailAddress").map(ClaimValue.text)
        case "signinnames.username": return account.signInName("userName").map(ClaimValue.text)
        case "signinnames.phonenumber": return account.signInName("phoneNumber").map(ClaimValue.text)
        case "signinnames": return account.signInNames.first.map { .text($0.value) }
        case "alternativesecurityid":
            return account.identities.first.map { .text($0.claim) }
        case "alternativesecurityids", "useridentities":
            return account.identities.isEmpty ? nil : .list(account.identities.map(\.claim))
        case "refreshtokensvalidfromdatetime":
            return ClaimValue.dateTime(account.refreshTokensValidFrom).converted(to: type)
        case "createddatetime": return ClaimValue.dateTime(account.createdAt).converted(to: type)
        case "creationtype": return account.signInNames.isEmpty ? nil : .text("LocalAccount").converted(to: type)
        case "usertype": return account.stored(name)?.converted(to: type) ?? .text("Member")
        case "forcepasswordchangenextsignin", "forcechangepasswordnextlogin", "forcepasswordchange":
            return ClaimValue.boolean(account.forcePasswordChange).converted(to: type)
        case "emails":
            let mails = emails(of: account)
            return mails.isEmpty ? nil : ClaimValue.list(mails).converted(to: type)
        case "userprincipalname":
            return account.stored(name)
        default:
            return account.stored(name)?.converted(to: type)
        }
    }

    /// E-mail addresses of an account: its sign-in name, then its other mails, without repeats.
    func emails(of account: Account) -> [String] {
        var mails = account.signInName("emailAddress").map { [$0] } ?? []
        for mail in account.stored("otherMails")?.listValue ?? [] where !mails.contains(mail) { mails.append(mail) }
        if let mail = account.stored("email")?.text, !mails.contains(mail) { mails.append(mail) }
        return mails
    }

    /// Writes an attribute; `nil` removes it. `now` dates the change of a password.
    mutating func write(
        _ name: String, _ value: ClaimValue?, to account: inout Account, at now: Timestamp
    ) throws(Refusal) {
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
            if lower.hasPrefix("extension_"), !hasExtensionsApp { throw .noExtensionsApp }
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
        default: return text.flatMap { ClaimValue($0, as: type) }
        }
    }
}
