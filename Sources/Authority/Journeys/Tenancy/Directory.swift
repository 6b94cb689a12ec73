import Determinism
import JSON
import TenantFiles
import TrustFramework

/// The users of a tenant, with an index for each key that a policy may look them up by. Names are compared ignoring
/// case (inferred for user names).
public struct Directory: Sendable {
    /// In the order of creation; `nil` where an account has been deleted.
    private var accounts: [Account?] = []
    // Places in `accounts`.
    private var byObjectID: [GUID: Int32] = [:]
    private var bySignInName: [ExactText: Int32] = [:]
    /// Names that start with the account's own id are not here, and those are nearly all: `byObjectID` leads to them.
    private var byPrincipalName: [ExactText: Int32] = [:]
    private var byIdentity: [ExactText: Int32] = [:]
    private var byPerson: [ExactText: Int32] = [:]
    /// Accounts changed since `drainTouched`, without repeats, oldest first.
    private var touched: [GUID] = []
    /// The same, to ask whether one is among them.
    private var isTouched: Set<GUID> = []
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

    public var count: Int { byObjectID.count }

    /// Object ids in the order of creation.
    public var objectIDs: [GUID] { accounts.compactMap { $0?.objectID } }

    public subscript(objectID: GUID) -> Account? { byObjectID[objectID].flatMap { self[$0] } }

    /// At most `limit` accounts in the order of creation, after the first `from`.
    func accounts(from: Int, limit: Int) -> [Account] {
        Array(accounts.lazy.compactMap(\.self).dropFirst(from).prefix(limit))
    }

    /// Places in memory, those of deleted accounts included.
    var placeCount: Int { accounts.count }

    /// Names of accounts that an index holds.
    var nameCount: Int { bySignInName.count + byPrincipalName.count + byIdentity.count + byPerson.count }

    private subscript(place: Int32) -> Account? { accounts[Int(place)] }

    /// The account of a person of the tenant file.
    public func account(of person: String) -> Account? { byPerson[ExactText(person)].flatMap { self[$0] } }

    /// The account a key leads to.
    public func find(_ key: AccountKey) -> Account? {
        switch key {
        case .objectID(let text): return GUID(text).flatMap { self[$0] }
        case .userPrincipalName(let name): return place(ofPrincipalName: name).flatMap { self[$0] }
        case .signInName(let type, let name):
            let folded = folded(name)
            guard let account = bySignInName[folded].flatMap({ self[$0] }),
                account.signInNames.contains(where: { sameID($0.type, type) && self.folded($0.value) == folded })
            else { return nil }
            return account
        case .anySignInName(let name): return bySignInName[folded(name)].flatMap { self[$0] }
        case .identity(let identity): return byIdentity[Self.key(identity)].flatMap { self[$0] }
        }
    }

    private func place(ofPrincipalName name: String) -> Int32? {
        let folded = folded(name)
        if let place = byPrincipalName[folded] { return place }
        guard let place = Self.objectID(in: name).flatMap({ byObjectID[$0] }),
            let own = self[place]?.stored("userPrincipalName")?.text, self.folded(own) == folded
        else { return nil }
        return place
    }

    /// The id before the `@` of a user principal name, as in those that the directory makes.
    private static func objectID(in principalName: String) -> GUID? {
        let bytes = principalName.utf8
        guard let end = bytes.index(bytes.startIndex, offsetBy: 36, limitedBy: bytes.endIndex), end < bytes.endIndex,
            bytes[end] == UInt8(ascii: "@")
        else { return nil }
        return GUID(String(principalName[..<end]))
    }

    /// Accounts changed since it was last asked, in the order of their first change.
    public mutating func drainTouched() -> [GUID] {
        guard !touched.isEmpty else { return [] }
        var taken: [GUID] = []
        swap(&taken, &touched)
        isTouched.removeAll(keepingCapacity: isTouched.count < 64)
        return taken
    }

    /// Accounts whose count of wrong passwords changed, and nothing else, since it was last asked.
    public mutating func drainTouchedLockouts() -> [GUID] {
        guard !touchedLockouts.isEmpty else { return [] }
        var taken: [GUID] = []
        swap(&taken, &touchedLockouts)
        return taken
    }

    // MARK: Changes

    /// Why the directory refuses a change.
    public enum DirectoryRefusal: Error, Sendable, Hashable {
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
    mutating func insert(_ account: Account) throws(DirectoryRefusal) {
        guard byObjectID[account.objectID] == nil else { return try replace(account) }
        if let taken = firstTaken(by: account) { throw .taken(taken) }
        append(account)
        touch(account.objectID)
    }

    /// Puts a changed account in the place of the old one of its id.
    mutating func replace(_ account: Account) throws(DirectoryRefusal) {
        guard let place = byObjectID[account.objectID] else { return try insert(account) }
        if let taken = firstTaken(by: account) { throw .taken(taken) }
        put(account, in: place)
        touch(account.objectID)
    }

    /// Removes an account with everything that leads to it.
    public mutating func delete(_ objectID: GUID) {
        guard let place = byObjectID.removeValue(forKey: objectID) else { return }
        if let old = self[place] { unindex(old) }
        accounts[Int(place)] = nil
        touch(objectID)
        // Each deletion pays for what it costs to move the others together once most places are free.
        if accounts.count > 2 * count + 64 { moveTogether() }
    }

    private mutating func moveTogether() {
        // Of two accounts of a person the one that was given last is theirs, wherever it is.
        let owned = byPerson.compactMapValues { self[$0]?.objectID }
        keep(accounts.compactMap(\.self))
        byPerson = owned.compactMapValues { byObjectID[$0] }
    }

    /// Changes an account's own state, which no index depends on.
    mutating func update(_ objectID: GUID, _ change: (inout Account) -> Void) {
        guard let place = byObjectID[objectID], var account = accounts[Int(place)].take() else { return }
        change(&account)
        accounts[Int(place)] = account
        touch(objectID)
    }

    /// Makes a person of the tenant file the owner of an account; nothing where there is no such account.
    mutating func give(_ objectID: GUID, to person: String) {
        guard let place = byObjectID[objectID], var account = self[place] else { return }
        account.person = person
        put(account, in: place)
        touch(objectID)
    }

    /// Changes what is known of wrong passwords.
    mutating func updateLockout(_ objectID: GUID, _ change: (inout SmartLockout) -> Void) {
        guard let place = byObjectID[objectID], var account = accounts[Int(place)].take() else { return }
        change(&account.lockout)
        accounts[Int(place)] = account
        if touchedLockouts.last != objectID { touchedLockouts.append(objectID) }
    }

    // MARK: Taking up what was kept

    /// Goes on with the accounts of an earlier run. They win over those of the tenant file, which are as
    /// `init(tenant:at:)` made them: an account with the same id, name or identity is dropped.
    ///
    /// - Parameters:
    ///   - kept: Accounts that were made or changed at run time.
    ///   - removed: Ids of those that were removed.
    ///   - lockouts: Wrong passwords by account.
    /// - Returns: Which of `removed` the tenant file still has.
    public mutating func resume(
        _ kept: [Account], removed: [GUID], lockouts: [GUID: SmartLockout]
    ) -> [GUID] {
        let gone = removed.filter { id in byObjectID[id] != nil || newcomers.contains { $0.record.objectId == id } }
        let replaced = Set(kept.map(\.objectID)).union(gone)
        let ofFile = accounts.compactMap(\.self)
        keep([])
        newcomers.removeAll { newcomer in
            gone.contains(newcomer.record.objectId) || kept.contains { $0.person == newcomer.record.name }
        }
        // The first account keeps the name. Two kept accounts never share one: they were in one directory.
        for account in kept { try? insert(account) }
        for account in ofFile where !replaced.contains(account.objectID) { try? insert(account) }
        // People of the file keep the file's order.
        let first = ofFile.compactMap { self[$0.objectID] }
        let known = Set(first.map(\.objectID))
        keep(first + accounts.compactMap(\.self).filter { !known.contains($0.objectID) })
        for (id, lockout) in lockouts { updateLockout(id) { $0 = lockout } }
        touched.removeAll()
        isTouched.removeAll()
        touchedLockouts.removeAll()
        return gone
    }

    // MARK: Indexes

    /// A name as the indexes know it. Letter case aside, names are compared byte for byte (inferred).
    private func folded(_ name: String) -> ExactText {
        // Most names are in lower case. Their text is in memory once then, in the account and in the index.
        let isFolded = !defaults.directoryIgnoresCase || name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A ~= $0) }
        return ExactText(isFolded ? name : name.lowercased())
    }

    private static func key(_ identity: FederatedIdentity) -> ExactText {
        ExactText(identity.issuer.lowercased() + "\u{1}" + identity.issuerUserID)
    }

    private func firstTaken(by account: Account) -> String? {
        let own = byObjectID[account.objectID]
        for name in account.signInNames {
            if let other = bySignInName[folded(name.value)], other != own { return name.value }
        }
        for identity in account.identities {
            if let other = byIdentity[Self.key(identity)], other != own { return identity.claim }
        }
        if let name = account.stored("userPrincipalName")?.text, let other = place(ofPrincipalName: name), other != own
        {
            return name
        }
        return nil
    }

    /// Keeps these accounts and no others.
    private mutating func keep(_ list: [Account]) {
        accounts = []
        accounts.reserveCapacity(list.count)
        byObjectID = Dictionary(minimumCapacity: list.count)
        (bySignInName, byPrincipalName, byIdentity, byPerson) = ([:], [:], [:], [:])
        for account in list { append(account) }
    }

    private mutating func append(_ account: Account) {
        let place = Int32(accounts.count)
        accounts.append(account.withoutRoomToGrow)
        byObjectID[account.objectID] = place
        index(account, in: place)
    }

    private mutating func put(_ account: Account, in place: Int32) {
        if let old = self[place] { unindex(old) }
        accounts[Int(place)] = account.withoutRoomToGrow
        index(account, in: place)
    }

    private mutating func index(_ account: Account, in place: Int32) {
        if let person = account.person { byPerson[ExactText(person)] = place }
        for name in account.signInNames { bySignInName[folded(name.value)] = place }
        for identity in account.identities { byIdentity[Self.key(identity)] = place }
        if let name = account.stored("userPrincipalName")?.text, Self.objectID(in: name) != account.objectID {
            byPrincipalName[folded(name)] = place
        }
    }

    /// Before another account takes its place.
    private mutating func unindex(_ account: Account) {
        if let person = account.person, self.account(of: person)?.objectID == account.objectID {
            byPerson[ExactText(person)] = nil
        }
        for name in account.signInNames { bySignInName[folded(name.value)] = nil }
        for identity in account.identities { byIdentity[Self.key(identity)] = nil }
        if let name = account.stored("userPrincipalName")?.text { byPrincipalName[folded(name)] = nil }
    }

    private mutating func touch(_ id: GUID) {
        if touched.last != id, isTouched.insert(id).inserted { touched.append(id) }
    }
}
