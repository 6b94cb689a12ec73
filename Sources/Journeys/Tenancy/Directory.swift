import B2CProtocol
import Determinism
import JSON
import TrustFramework

/// The users of a tenant, with an index for each key that a policy may look them up by. Names are compared ignoring
/// case (inferred for user names).
public struct Directory: Sendable {
    private var accounts: [GUID: Account] = [:]
    /// In the order of creation.
    private var order: [GUID] = []
    private var bySignInName: [ExactText: GUID] = [:]
    private var byPrincipalName: [ExactText: GUID] = [:]
    private var byIdentity: [ExactText: GUID] = [:]
    private var byPerson: [ExactText: GUID] = [:]
    /// Accounts changed since `takeTouched`, without repeats, oldest first.
    private var touched: [GUID] = []
    /// Accounts of which nothing but the count of wrong passwords changed.
    private var touchedLockouts: [GUID] = []

    /// People of the tenant file that have no account yet; a sign-up by one of them gives the account their name and id.
    var newcomers: [Newcomer] = []
    public var lockout: LockoutSettings
    /// Whether the extensions app exists: without it custom attributes fail with AADB2C99006.
    public var hasExtensionsApp: Bool
    /// Domain of user principal names, `contoso.onmicrosoft.com`.
    public let domain: String
    let defaults: PolicyDefaults

    public init(
        domain: String, lockout: LockoutSettings = LockoutSettings(), hasExtensionsApp: Bool = true,
        defaults: PolicyDefaults = PolicyDefaults()
    ) {
        self.domain = domain
        self.lockout = lockout
        self.hasExtensionsApp = hasExtensionsApp
        self.defaults = defaults
    }

    public var count: Int { order.count }

    /// Object ids in the order of creation.
    public var objectIDs: [GUID] { order }

    public subscript(objectID: GUID) -> Account? { accounts[objectID] }

    /// The account of a person of the tenant file.
    public func account(of person: String) -> Account? { byPerson[ExactText(person)].flatMap { accounts[$0] } }

    /// The account a key leads to.
    public func find(_ key: AccountKey) -> Account? {
        let id: GUID? =
            switch key {
            case .objectID(let text): GUID(text)
            case .userPrincipalName(let name): byPrincipalName[folded(name)]
            case .signInName(let type, let name):
                bySignInName[folded(name)].flatMap { id in
                    let names = accounts[id]?.signInNames ?? []
                    return names.contains { sameID($0.type, type) && folded($0.value) == folded(name) }
                        ? id : nil
                }
            case .anySignInName(let name): bySignInName[folded(name)]
            case .identity(let identity): byIdentity[Self.key(identity)]
            }
        return id.flatMap { accounts[$0] }
    }

    /// Accounts changed since it was last asked, in the order of their first change.
    public mutating func takeTouched() -> [GUID] {
        guard !touched.isEmpty else { return [] }
        var taken: [GUID] = []
        swap(&taken, &touched)
        return taken
    }

    /// Accounts whose count of wrong passwords changed, and nothing else, since it was last asked.
    public mutating func takeTouchedLockouts() -> [GUID] {
        guard !touchedLockouts.isEmpty else { return [] }
        var taken: [GUID] = []
        swap(&taken, &touchedLockouts)
        return taken
    }

    // MARK: Changes

    /// Why the directory refuses a change.
    public enum Refusal: Error, Sendable, Hashable {
        /// Another account has this name or identity.
        case taken(String)
        /// The password is too weak for the directory's own rules.
        case weakPassword
        /// A custom attribute, and the extensions app is gone.
        case noExtensionsApp
        /// An empty text, and the attribute cannot be without a value.
        case emptyValue(String)
        /// A value does not fit the attribute.
        case badValue(String)
        /// The directory has no such attribute, or it cannot be written.
        case notWritable(String)
    }

    /// Adds an account, or gives the reason why not; nothing has changed then.
    mutating func insert(_ account: Account) throws(Refusal) {
        if let taken = firstTaken(by: account) { throw .taken(taken) }
        accounts[account.objectID] = account
        order.append(account.objectID)
        index(account)
        touch(account.objectID)
    }

    /// Puts a changed account in the place of the old one of its id.
    mutating func replace(_ account: Account) throws(Refusal) {
        guard let old = accounts[account.objectID] else { return try insert(account) }
        if let taken = firstTaken(by: account) { throw .taken(taken) }
        unindex(old)
        accounts[account.objectID] = account
        index(account)
        touch(account.objectID)
    }

    /// Removes an account with everything that leads to it.
    public mutating func delete(_ objectID: GUID) {
        guard let old = accounts.removeValue(forKey: objectID) else { return }
        unindex(old)
        order.removeAll { $0 == objectID }
        touch(objectID)
    }

    /// Changes an account's own state, which no index depends on.
    mutating func update(_ objectID: GUID, _ change: (inout Account) -> Void) {
        guard var account = accounts.removeValue(forKey: objectID) else { return }
        change(&account)
        accounts[objectID] = account
        touch(objectID)
    }

    /// Makes a person of the tenant file the owner of an account; nothing where there is no such account.
    mutating func give(_ objectID: GUID, to person: String) {
        guard let old = accounts[objectID] else { return }
        unindex(old)
        var account = old
        account.person = person
        accounts[objectID] = account
        index(account)
        touch(objectID)
    }

    /// Changes what is known of wrong passwords.
    mutating func updateLockout(_ objectID: GUID, _ change: (inout SmartLockout) -> Void) {
        guard var account = accounts.removeValue(forKey: objectID) else { return }
        change(&account.lockout)
        accounts[objectID] = account
        if touchedLockouts.last != objectID { touchedLockouts.append(objectID) }
    }

    // MARK: Taking up what was kept

    /// Goes on with the accounts of an earlier run. They win over those of the tenant file, which is at the state of
    /// `init(tenant:at:)`: an account of the same id gives way, and so does one whose name or identity they have.
    ///
    /// - Parameters:
    ///   - kept: Accounts that were made or changed at run time.
    ///   - removed: Ids of those that were removed.
    ///   - lockouts: Wrong passwords by account.
    /// - Returns: Which of `removed` the tenant file still has.
    public mutating func resume(
        _ kept: [Account], removed: [GUID], lockouts: [GUID: SmartLockout]
    ) -> [GUID] {
        let gone = removed.filter { id in accounts[id] != nil || newcomers.contains { $0.record.objectId == id } }
        let known = Set(kept.map(\.objectID)).union(gone)
        let ofFile = order.compactMap { accounts[$0] }
        let places = order
        accounts = [:]
        order = []
        bySignInName = [:]
        byPrincipalName = [:]
        byIdentity = [:]
        byPerson = [:]
        newcomers.removeAll { newcomer in
            gone.contains(newcomer.record.objectId) || kept.contains { $0.person == newcomer.record.name }
        }
        // Whoever comes first has the name. Two kept accounts never share one: they lived in one directory.
        for account in kept { try? insert(account) }
        for account in ofFile where !known.contains(account.objectID) { try? insert(account) }
        // People of the file stand where the file has them.
        let first = places.filter { accounts[$0] != nil }
        let rest = Set(first)
        order = first + order.filter { !rest.contains($0) }
        for (id, lockout) in lockouts where accounts[id] != nil { accounts[id]?.lockout = lockout }
        touched.removeAll()
        touchedLockouts.removeAll()
        return gone
    }

    // MARK: Indexes

    /// A name as the indexes know it.
    /// Letter case aside, names are compared byte for byte (inferred).
    private func folded(_ name: String) -> ExactText {
        ExactText(defaults.directoryIgnoresCase ? name.lowercased() : name)
    }

    private static func key(_ identity: FederatedIdentity) -> ExactText {
        ExactText(identity.issuer.lowercased() + "\u{1}" + identity.issuerUserID)
    }

    private func firstTaken(by account: Account) -> String? {
        for name in account.signInNames {
            if let other = bySignInName[folded(name.value)], other != account.objectID { return name.value }
        }
        for identity in account.identities {
            if let other = byIdentity[Self.key(identity)], other != account.objectID { return identity.claim }
        }
        if let name = account.stored("userPrincipalName")?.text,
            let other = byPrincipalName[folded(name)], other != account.objectID
        {
            return name
        }
        return nil
    }

    private mutating func index(_ account: Account) {
        if let person = account.person { byPerson[ExactText(person)] = account.objectID }
        for name in account.signInNames { bySignInName[folded(name.value)] = account.objectID }
        for identity in account.identities { byIdentity[Self.key(identity)] = account.objectID }
        if let name = account.stored("userPrincipalName")?.text {
            byPrincipalName[folded(name)] = account.objectID
        }
    }

    private mutating func unindex(_ account: Account) {
        if let person = account.person, byPerson[ExactText(person)] == account.objectID {
            byPerson[ExactText(person)] = nil
        }
        for name in account.signInNames { bySignInName[folded(name.value)] = nil }
        for identity in account.identities { byIdentity[Self.key(identity)] = nil }
        if let name = account.stored("userPrincipalName")?.text { byPrincipalName[folded(name)] = nil }
    }

    private mutating func touch(_ id: GUID) {
        if touched.last != id, !touched.contains(id) { touched.append(id) }
    }
}
