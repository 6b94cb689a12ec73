import Determinism
import JOSE
import JSON
import TenantFiles
import TrustFramework

/// A person of the tenant file who has no account yet.
struct Newcomer: Sendable {
    var record: UserRecord
    /// Their accounts at identity providers.
    var identities: [FederatedIdentity]

    init(_ record: UserRecord, in tenant: Tenant) {
        self.record = record
        identities = record.providers.compactMap { Directory.identity($0, of: record, in: tenant) }
    }
}

/// The people of the tenant file and their accounts.
extension Directory {
    /// The directory of a tenant at the start: an account for each registered person.
    public init(tenant: Tenant, at now: Timestamp) {
        self.init(
            domain: tenant.domain, lockout: tenant.authority.lockout, hasExtensionsApp: tenant.authority.extensionsApp,
            defaults: tenant.authority.defaults)
        for person in tenant.users { add(person, tenant: tenant, at: now) }
    }

    /// Gives a registered person an account; remembers one who is not registered.
    public mutating func add(_ person: UserRecord, tenant: Tenant, at now: Timestamp) {
        newcomers.removeAll { $0.record.name == person.name }
        guard person.registered else {
            newcomers.append(Newcomer(person, in: tenant))
            return
        }
        var account = Account(objectID: person.objectId, at: now)
        account.person = person.name
        // What happened before the first request happened long before it: tokens of the first instant are good.
        account.refreshTokensValidFrom = person.refreshTokensValidFrom ?? (now - .days(1))
        account.createdAt = now - .days(1)
        account.passwordChangedAt = account.createdAt
        if let email = person.email { account.setSignInName("emailAddress", email) }
        if let username = person.username { account.setSignInName("userName", username) }
        account.store("userPrincipalName", .text(principalName(of: person.objectId)))
        account.store("passwordPolicies", .text("DisablePasswordExpiration"))
        if person.password == nil { account.signInNames = [] }
        account.password = person.password
        account.accountEnabled = person.accountEnabled
        account.lockedByAdministrator = person.locked
        account.forcePasswordChange = person.forcePasswordChange
        if let phone = person.phone { account.store(Self.phoneAttribute, .text(phone)) }
        if let secret = person.totpSecret { account.store(Self.totpAttribute, .text(secret)) }
        if person.password == nil, let email = person.email { account.store("otherMails", .list([email])) }
        account.identities += Self.linkedIdentities(of: person, in: tenant)
        var attributes: [(name: String, value: ClaimValue?)] = []
        for (key, value) in person.attributes.members { Self.set(key, value, in: &account, or: &attributes) }
        account.store(attributes)
        // Two people of one name: the first has it, as in a directory that would refuse the second.
        try? insert(account)
    }

    /// The user principal name that the directory gives an account.
    func principalName(of objectID: GUID) -> String {
        let id = objectID.description
        // Appended to, a text takes up to twice the memory that it needs.
        var name = ""
        name.reserveCapacity(id.utf8.count + 1 + domain.utf8.count)
        name += id
        name += "@"
        name += domain
        return name
    }

    /// Second-factor phone of an account.
    static let phoneAttribute = "strongAuthenticationPhoneNumber"
    /// Secret of the authenticator app.
    static let totpAttribute = "strongAuthenticationAppSecretKey"

    /// The account at a provider that a person of the tenant file has: the provider's domain and the identifier that the
    /// stub provider sends, which is the person's own claim, else the provider's for everybody, else derived from names.
    static func identity(_ identity: ProviderIdentity, of person: UserRecord, in tenant: Tenant) -> FederatedIdentity? {
        guard let provider = tenant.provider(named: identity.provider) else { return nil }
        let claim = provider.type == .oidc ? "sub" : "id"
        let given = identity.claims[claim] ?? provider.claims[claim]
        // A provider that does not say who it is can be linked with nobody.
        if given == .some(.null) { return nil }
        let subject =
            given.map { $0.stringValue ?? JSONWriter.compact($0) }
            ?? stubSubject(provider: provider.name, person: person.name, tenant: tenant.name)
        return FederatedIdentity(
            issuer: provider.domain.lowercased(), issuerUserID: Base64.encode(Array(subject.utf8)))
    }

    /// The accounts at providers that belong to the account of a person in the directory.
    static func linkedIdentities(of person: UserRecord, in tenant: Tenant) -> [FederatedIdentity] {
        person.linked ? person.providers.compactMap { identity($0, of: person, in: tenant) } : []
    }

    /// The subject that a stub provider gives a person whose record names none. Stable.
    public static func stubSubject(provider: String, person: String, tenant: String) -> String {
        GUID.derived(from: "tenant/\(tenant)/users/\(person)/providers/\(provider)").description
    }

    /// Applies a patch over `users` of the tenant file: create, change, disable, delete.
    /// - Parameters:
    ///   - name: The person.
    ///   - patch: What changed of the record; `null` deletes person and account.
    ///   - tenant: The tenant after the patch.
    public mutating func configure(person name: String, patch: JSONValue, tenant: Tenant, at now: Timestamp) {
        let existing = account(of: name)
        guard case .object(let changes) = patch, let record = tenant.user(named: name) else {
            newcomers.removeAll { $0.record.name == name }
            if let existing { delete(existing.objectID) }
            return
        }
        guard var account = existing else {
            // Somebody new, or a newcomer whose record changed.
            add(record, tenant: tenant, at: now)
            return
        }
        // Somebody who has signed up since keeps the account, unless the patch itself says otherwise.
        if !record.registered, changes["registered"] != nil {
            delete(account.objectID)
            newcomers.append(Newcomer(record, in: tenant))
            return
        }
        var attributes: [(name: String, value: ClaimValue?)] = []
        for (key, value) in changes.members {
            switch key {
            case "registered", "newPassword", "homeTenant", "objectId", "answersCalls": break
            case "email": account.setSignInName("emailAddress", value.stringValue)
            case "username": account.setSignInName("userName", value.stringValue)
            case "password":
                if let password = value.stringValue {
                    // An administrator's own password is taken as it is.
                    try? setPassword(password, of: &account, at: now, checked: false)
                    if account.signInNames.isEmpty, let email = record.email {
                        account.setSignInName("emailAddress", email)
                    }
                } else {
                    account.password = nil
                }
            case "phone": account.store(Self.phoneAttribute, value.stringValue.map(ClaimValue.text))
            case "totpSecret": account.store(Self.totpAttribute, value.stringValue.map(ClaimValue.text))
            case "providers", "linked":
                account.identities = Self.linkedIdentities(of: record, in: tenant)
            case "accountEnabled": account.accountEnabled = record.accountEnabled
            case "locked":
                account.lockedByAdministrator = record.locked
                if !record.locked { account.lockout.reset() }
            case "forcePasswordChange": account.forcePasswordChange = record.forcePasswordChange
            case "refreshTokensValidFrom":
                if let instant = record.refreshTokensValidFrom {
                    account.refreshTokensValidFrom = instant
                    account.revision += 1
                }
            default: Self.set(key, value, in: &account, or: &attributes)
            }
        }
        account.store(attributes)
        try? replace(account)
    }

    /// An attribute of a person's record, for the account to store. Sign-in names beside e-mail address and user name,
    /// such as `signInNames.phoneNumber`, are such attributes too; they are set at once.
    private static func set(
        _ key: String, _ value: JSONValue, in account: inout Account,
        or attributes: inout [(name: String, value: ClaimValue?)]
    ) {
        let prefix = "signInNames."
        if key.lowercased().hasPrefix(prefix.lowercased()) {
            account.setSignInName(String(key.dropFirst(prefix.count)), value.stringValue)
        } else if value == "", sameID(key, phoneAttribute) {
            // The person has a phone that the account does not know yet.
            attributes.append((key, nil))
        } else if sameID(key, "lastPasswordChangeDateTime"),
            let changed = value.stringValue.flatMap({ Timestamp(rfc3339: $0) })
        {
            account.passwordChangedAt = changed
        } else {
            attributes.append((key, ClaimValue(free: value)))
        }
    }

    /// Gives an account to a person of the tenant file.
    ///
    /// - Returns: Whether there is such an account.
    public mutating func adopt(_ objectID: GUID, as person: String) -> Bool {
        guard self[objectID] != nil else { return false }
        give(objectID, to: person)
        return true
    }

    /// Other accounts in place of all that are there. People of the tenant file who are not registered and have none
    /// among them can still sign up.
    ///
    /// - Returns: What two of the accounts have in common that only one may have; what came before it is there then.
    public mutating func replaceAll(_ accounts: [Account], tenant: Tenant) -> String? {
        for id in objectIDs { delete(id) }
        newcomers = tenant.users
            .filter { user in !user.registered && !accounts.contains { $0.person == user.name } }
            .map { Newcomer($0, in: tenant) }
        for account in accounts {
            do throws(DirectoryRefusal) {
                guard self[account.objectID] == nil else { return "the object id \(account.objectID)" }
                try insert(account)
            } catch {
                if case .taken(let what) = error { return what }
                return "something that does not fit"
            }
        }
        return nil
    }

    /// Removes and returns the newcomer that a new account belongs to, by sign-in name, identity or e-mail address.
    mutating func takeNewcomer(for account: Account) -> Newcomer? {
        let names = account.signInNames.map { $0.value.lowercased() } + emails(of: account).map { $0.lowercased() }
        let place = newcomers.firstIndex { newcomer in
            if let email = newcomer.record.email?.lowercased(), names.contains(email) { return true }
            if let username = newcomer.record.username?.lowercased(), names.contains(username) { return true }
            return newcomer.identities.contains { own in account.identities.contains { $0.isSame(as: own) } }
        }
        return place.map { newcomers.remove(at: $0) }
    }

    /// Rows for `inspect`: each person of the tenant file by name in the order of creation, newcomers last; accounts of
    /// nobody in the file under their sign-in name or object id.
    ///
    /// - Parameters:
    ///   - from: Passes over so many.
    ///   - limit: At most so many.
    public func rows(at now: Timestamp, from: Int = 0, limit: Int = .max) -> JSONObject {
        var rows = JSONObject()
        for account in accounts(from: from, limit: limit) {
            rows.append(Self.rowName(account), .object(row(account, at: now)))
        }
        let left = max(0, limit - rows.count)
        for person in newcomers.dropFirst(max(0, from - count)).prefix(left).map(\.record) {
            rows.append(person.name, .object(Self.row(ofNewcomer: person)))
        }
        return rows
    }

    /// One row of ``rows(at:from:limit:)`` by its name, without a look at the others; `nil` where there is none.
    public func row(named name: String, at now: Timestamp) -> JSONObject? {
        // Each account that may have the name; which of them has it the name of its row decides.
        let candidates = [account(of: name), find(.anySignInName(name)), GUID(name).flatMap { self[$0] }]
        for case let account? in candidates where Self.rowName(account) == name { return row(account, at: now) }
        return newcomers.first { $0.record.name == name }.map { Self.row(ofNewcomer: $0.record) }
    }

    private static func rowName(_ account: Account) -> String {
        account.person ?? account.signInNames.first?.value ?? account.objectID.description
    }

    private static func row(ofNewcomer person: UserRecord) -> JSONObject {
        var row = JSONObject()
        row["registered"] = .bool(false)
        if let email = person.email { row["email"] = .string(email) }
        return row
    }

    private func row(_ account: Account, at now: Timestamp) -> JSONObject {
        var row = JSONObject()
        row["registered"] = .bool(true)
        row["objectId"] = .string(account.objectID.description)
        if let email = account.signInName("emailAddress") { row["email"] = .string(email) }
        if let username = account.signInName("userName") { row["username"] = .string(username) }
        if let password = account.password { row["password"] = .string(password) }
        if let phone = account.stored(Self.phoneAttribute)?.text { row["phone"] = .string(phone) }
        if let secret = account.stored(Self.totpAttribute)?.text { row["totpSecret"] = .string(secret) }
        row["accountEnabled"] = .bool(account.accountEnabled)
        row["locked"] = .bool(account.lockedByAdministrator || account.lockout.isLocked(at: now))
        row["forcePasswordChange"] = .bool(account.forcePasswordChange)
        row["refreshTokensValidFrom"] = .string(account.refreshTokensValidFrom.rfc3339)
        if !account.identities.isEmpty {
            row["identities"] = .array(
                account.identities.map {
                    .object(["issuer": .string($0.issuer), "issuerUserId": .string($0.issuerUserID)])
                })
        }
        let shown = [Self.phoneAttribute, Self.totpAttribute].map { $0.lowercased() }
        for attribute in account.attributes where !shown.contains(attribute.id.lowercased()) {
            row[attribute.id] = attribute.value.json(as: attribute.value.listValue == nil ? .string : .stringCollection)
        }
        return row
    }
}

extension ClaimValue {
    /// A value of a tenant file's person, of whatever type it looks like; `nil` for `null`.
    public init?(free json: JSONValue) {
        switch json {
        case .null: return nil
        case .bool(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number: self = .text(json.description)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map { $0.stringValue ?? JSONWriter.compact($0) })
        case .object: self = .text(JSONWriter.compact(json))
        }
    }
}
