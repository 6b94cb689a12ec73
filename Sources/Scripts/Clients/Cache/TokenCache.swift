import Determinism
import TenantFiles

/// The token cache of one app: its view of the access group it uses.
///
/// Reads fail where the app lacks the group's entitlement; what the library does about a failed write differs by place,
/// so writes say whether they succeeded.
struct TokenCache: Sendable {
    let keychain: Keychain
    let group: Keychain.AccessGroup
    let clientID: String
    /// Whether the app's entitlements name the group.
    let isEntitled: Bool
    /// What the device's keychain answers.
    var statuses = KeychainSettings()

    private enum Access: String {
        case read, write, delete
    }

    /// The status that keeps an access from happening, which is noted; `nil` when it happens.
    private func refusal(_ access: Access, _ events: inout EventLog) -> Int? {
        guard isEntitled else {
            events.keychainError(Keychain.missingEntitlement, "The app is not entitled to access group \(group.group).")
            return Keychain.missingEntitlement
        }
        let status =
            switch access {
            case .read: statuses.read
            case .write: statuses.write
            case .delete: statuses.delete
            }
        guard status != 0, status != Keychain.itemNotFound || access == .write else { return nil }
        let name = Keychain.name(of: status).map { " (\($0))" } ?? ""
        events.keychainError(status, "The keychain answered a \(access.rawValue) with \(status)\(name).")
        return status
    }

    private func reading<Result: Sendable>(
        _ events: inout EventLog, _ body: (inout KeychainItems) -> sending Result
    ) throws(LibraryError) -> Result {
        if let status = refusal(.read, &events) { throw LibraryError.keychain(status) }
        return access(isEmpty: statuses.read == Keychain.itemNotFound, body)
    }

    private func deleting<Result: Sendable>(
        _ events: inout EventLog, _ body: (inout KeychainItems) -> sending Result
    ) throws(LibraryError) -> Result {
        if let status = refusal(.delete, &events) { throw LibraryError.keychain(status) }
        return access(isEmpty: statuses.delete == Keychain.itemNotFound, body)
    }

    private func writing(_ events: inout EventLog, _ body: (inout KeychainItems) -> Void) -> Bool {
        if refusal(.write, &events) != nil { return false }
        keychain.withItems(of: group) { body(&$0) }
        return true
    }

    /// - Parameter isEmpty: The keychain says that it has nothing, whatever it holds.
    private func access<Result: Sendable>(
        isEmpty: Bool, _ body: (inout KeychainItems) -> sending Result
    ) -> Result {
        guard isEmpty else { return keychain.withItems(of: group, body) }
        var nothing = KeychainItems()
        return body(&nothing)
    }

    // MARK: Tokens

    /// The access token whose scopes cover the ones asked for. The environments are tried in order.
    func accessToken(
        home: String, environments: [String], realm: String, scopes: Set<String>, _ events: inout EventLog
    ) throws(LibraryError) -> AccessTokenItem? {
        let clientID = clientID
        let found = try reading(&events) { items in
            Self.first(of: items.accessTokens.items(of: home), in: environments, \.environment) { item in
                item.clientID == clientID && Self.same(item.realm, realm)
                    && item.tokenType.lowercased() == "bearer" && scopes.isSubset(of: item.scopes)
            }
        }
        events.cacheRead(
            found?.attributes
                ?? .accessToken(
                    home: home, environment: environments.first ?? "", client: clientID, realm: realm,
                    target: scopes.sorted().joined(separator: " ")), found: found != nil)
        return found
    }

    func idToken(
        home: String, environments: [String], realm: String, _ events: inout EventLog
    ) throws(LibraryError) -> IDTokenItem? {
        let clientID = clientID
        let found = try reading(&events) { items in
            Self.first(of: items.idTokens.items(of: home), in: environments, \.environment) { item in
                item.clientID == clientID && Self.same(item.realm, realm)
            }
        }
        events.cacheRead(
            .idToken(home: home, environment: environments.first ?? "", client: clientID, realm: realm),
            found: found != nil)
        return found
    }

    func account(
        home: String, environments: [String], realm: String, _ events: inout EventLog
    ) throws(LibraryError) -> AccountItem? {
        let found = try reading(&events) { items in
            Self.first(of: items.accounts.items(of: home), in: environments, \.environment) { item in
                Self.same(item.realm, realm)
            }
        }
        events.cacheRead(
            found?.attributes
                ?? .account(home: home, environment: environments.first ?? "", realm: realm, username: nil),
            found: found != nil)
        return found
    }

    /// The access token of the app that was stored last.
    func newestAccessToken(_ events: inout EventLog) throws(LibraryError) -> AccessTokenItem? {
        let clientID = clientID
        return try reading(&events) { items in items.accessTokens.last { $0.clientID == clientID } }
    }

    /// The app's own refresh token, by home account id, then by user name.
    func appRefreshToken(
        home: String, username: String?, environments: [String], _ events: inout EventLog
    ) throws(LibraryError) -> RefreshTokenItem? {
        let clientID = clientID
        let found: RefreshTokenItem? = try reading(&events) { items in
            func isOwn(_ token: RefreshTokenItem) -> Bool { token.clientID == clientID && token.familyID == nil }
            let byHome = Self.first(
                of: items.refreshTokens.items(of: home), in: environments, \.environment, where: isOwn)
            guard byHome == nil, let username, !username.isEmpty else { return byHome }
            let wanted = username.lowercased()
            let accounts = items.accounts
            return Self.first(of: items.refreshTokens, in: environments, \.environment) { token in
                isOwn(token)
                    && accounts.items(of: token.homeAccountID).contains { $0.username.lowercased() == wanted }
            }
        }
        events.cacheRead(
            found?.attributes
                ?? .refreshToken(
                    home: home, environment: environments.first ?? "", client: clientID, family: nil),
            found: found != nil)
        return found
    }

    /// The refresh token of the family the app belongs to, where it belongs to one.
    func familyRefreshToken(
        home: String, environments: [String], _ events: inout EventLog
    ) throws(LibraryError) -> RefreshTokenItem? {
        let clientID = clientID
        let family = try reading(&events) { items in
            items.appMetadata.first { $0.clientID == clientID && environments.contains($0.environment) }?.familyID
        }
        guard let family, !family.isEmpty else { return nil }
        let found = try reading(&events) { items in
            Self.first(of: items.refreshTokens.items(of: home), in: environments, \.environment) {
                $0.familyID == family
            }
        }
        events.cacheRead(
            .refreshToken(home: home, environment: environments.first ?? "", client: clientID, family: family),
            found: found != nil)
        return found
    }

    /// Stores one answer's tokens. Older access tokens of the account whose scopes intersect the new ones' go away; an
    /// answer without refresh token leaves the old one in place.
    ///
    /// - Returns: Whether the keychain took them.
    func save(_ tokens: NewTokens, _ events: inout EventLog) -> Bool {
        var deleted: [KeychainAttributes] = []
        let written = writing(&events) { items in
            if let token = tokens.accessToken {
                let key = token.key
                deleted = items.accessTokens.remove(of: token.homeAccountID) { old in
                    Self.replaces(token, old) && old.key != key
                }.map(\.attributes)
                items.accessTokens.put(token)
            }
            if let token = tokens.refreshToken { items.refreshTokens.put(token) }
            if let token = tokens.familyRefreshToken { items.refreshTokens.put(token) }
            if let token = tokens.idToken { items.idTokens.put(token) }
            items.accounts.put(tokens.account)
            Self.put(tokens.appMetadata, into: &items.appMetadata)
        }
        guard written else { return false }
        for item in deleted { events.cacheDelete(item) }
        for item in tokens.attributes { events.cacheWrite(item) }
        return true
    }

    func remove(_ token: AccessTokenItem, _ events: inout EventLog) {
        if writing(&events, { $0.accessTokens.remove(token.key) }) {
            events.cacheDelete(token.attributes)
        }
    }

    /// Removes a refresh token the server called bad, unless a newer one has taken its place meanwhile.
    func removeIfUnchanged(_ token: RefreshTokenItem, _ events: inout EventLog) {
        var removed = false
        let written = writing(&events) { items in
            let key = token.key
            removed = items.refreshTokens[key]?.secret == token.secret && items.refreshTokens.remove(key)
        }
        if written && removed { events.cacheDelete(token.attributes) }
    }

    /// Writes down that the app belongs to no family.
    func clearFamily(environments: [String], _ events: inout EventLog) {
        let clientID = clientID
        var changed: [KeychainAttributes] = []
        _ = writing(&events) { items in
            for place in items.appMetadata.indices
            where items.appMetadata[place].clientID == clientID
                && environments.contains(items.appMetadata[place].environment)
            {
                items.appMetadata[place].familyID = ""
                changed.append(items.appMetadata[place].attributes)
            }
        }
        for item in changed { events.cacheWrite(item) }
    }

    /// Removes the account's tokens of this app on every host, or of all apps of the group. Account records stay unless
    /// they are wiped too.
    func removeCredentials(home: String, ofAllClients: Bool, wipeAccounts: Bool, _ events: inout EventLog)
        throws(LibraryError)
    {
        let clientID = clientID
        let removed: [KeychainAttributes] = try deleting(&events) { items in
            func isMine(_ owner: String) -> Bool { ofAllClients || owner == clientID }
            var gone: [KeychainAttributes] = []
            gone += items.accessTokens.remove(of: home) { isMine($0.clientID) }.map(\.attributes)
            gone += items.refreshTokens.remove(of: home) { isMine($0.clientID) }.map(\.attributes)
            gone += items.idTokens.remove(of: home) { isMine($0.clientID) }.map(\.attributes)
            if wipeAccounts { gone += items.accounts.remove(of: home) { _ in true }.map(\.attributes) }
            return gone
        }
        for item in removed { events.cacheDelete(item) }
    }

    /// Empties the whole group, of every app.
    func wipe(_ events: inout EventLog) throws(LibraryError) {
        let removed: [KeychainAttributes] = try deleting(&events) { items in
            let gone =
                items.accessTokens.map(\.attributes) + items.refreshTokens.map(\.attributes)
                + items.idTokens.map(\.attributes) + items.accounts.map(\.attributes)
                + items.appMetadata.map(\.attributes) + items.accountMetadata.map(\.attributes)
            items.empty()
            return gone
        }
        for item in removed { events.cacheDelete(item) }
    }

    /// From now on the app's entries are encrypted with a key. Entries under another cannot be read, and the library removes
    /// them when it starts (MSAL.js, LocalStorage.ts). Account records stay while another app of the group has tokens of
    /// the account.
    func encrypt(with key: Int, _ events: inout EventLog) {
        let clientID = clientID
        let removed: [KeychainAttributes] = keychain.withItems(of: group) { items in
            let before = items.keys.updateValue(key, forKey: clientID)
            guard let before, before != key else { return [] }
            var gone: [KeychainAttributes] = []
            for home in Set(items.accounts.map(\.homeAccountID)).sorted() {
                gone += items.accessTokens.remove(of: home) { $0.clientID == clientID }.map(\.attributes)
                gone += items.refreshTokens.remove(of: home) { $0.clientID == clientID }.map(\.attributes)
                gone += items.idTokens.remove(of: home) { $0.clientID == clientID }.map(\.attributes)
                guard items.idTokens.items(of: home).isEmpty, items.refreshTokens.items(of: home).isEmpty else {
                    continue
                }
                gone += items.accounts.remove(of: home) { _ in true }.map(\.attributes)
            }
            gone += items.accountMetadata.filter { $0.clientID == clientID }.map(\.attributes)
            items.accountMetadata.removeAll { $0.clientID == clientID }
            return gone
        }
        for item in removed { events.cacheDelete(item) }
    }

    // MARK: Accounts

    /// Account records of accounts this app knows: the cache has a refresh token of the app or its family, or the app
    /// considers them signed in. Accounts that the app considers signed out are included only with
    /// `includingSignedOut`.
    func accounts(includingSignedOut: Bool, _ events: inout EventLog) throws(LibraryError) -> [AccountItem] {
        let clientID = clientID
        return try reading(&events) { items in
            let metadata = items.accountMetadata.first { $0.clientID == clientID }
            let families = items.appMetadata.filter { $0.clientID == clientID }.compactMap(\.familyID)
            let withToken = Set(
                items.refreshTokens.filter { token in
                    token.clientID == clientID || token.familyID.map { families.contains($0) } ?? false
                }.map(\.homeAccountID))
            var found: [AccountItem] = []
            var places: [String: Int] = [:]
            for account in items.accounts {
                let state = metadata?.account(account.homeAccountID)?.state
                let known = withToken.contains(account.homeAccountID) || state == .signedIn
                guard state == .signedOut ? includingSignedOut : known else { continue }
                // One account in several tenants is listed once; its claims are those of its home.
                if let place = places[account.homeAccountID] {
                    if account.isOfHomeTenant { found[place] = account }
                } else {
                    places[account.homeAccountID] = found.count
                    found.append(account)
                }
            }
            return found
        }
    }

    /// Every account record of a home account id, whatever its state, that of the home tenant first.
    func accountRecords(home: String, _ events: inout EventLog) throws(LibraryError) -> [AccountItem] {
        try reading(&events) { items in
            let found = items.accounts.items(of: home)
            return found.filter(\.isOfHomeTenant) + found.filter { !$0.isOfHomeTenant }
        }
    }

    func metadata(_ events: inout EventLog) throws(LibraryError) -> AccountMetadataItem? {
        let clientID = clientID
        let found = try reading(&events) { items in items.accountMetadata.first { $0.clientID == clientID } }
        events.cacheRead(.accountMetadata(client: clientID), found: found != nil)
        return found
    }

    func changeMetadata(_ events: inout EventLog, _ body: (inout AccountMetadataItem) -> Void) -> Bool {
        let clientID = clientID
        let written = writing(&events) { items in
            if let place = items.accountMetadata.firstIndex(where: { $0.clientID == clientID }) {
                body(&items.accountMetadata[place])
            } else {
                var fresh = AccountMetadataItem(clientID: clientID)
                body(&fresh)
                items.accountMetadata.append(fresh)
            }
        }
        if written { events.cacheWrite(.accountMetadata(client: clientID)) }
        return written
    }

    // MARK: Throttling

    func lastRefresh(_ events: inout EventLog) -> Int64? {
        guard isEntitled, statuses.read == 0 else { return nil }
        return keychain.withItems(of: group) { $0.lastRefresh }
    }

    func setLastRefresh(_ now: Timestamp) {
        guard isEntitled, statuses.write == 0 else { return }
        keychain.withItems(of: group) { $0.lastRefresh = now.secondsSinceEpoch }
    }

    // MARK: Whole

    /// All items of the group, for inspection and export.
    func items(_ events: inout EventLog) throws(LibraryError) -> KeychainItems {
        try reading(&events) { $0 }
    }

    /// Puts the group back to what it was. No interactive call counts as made since.
    func restore(_ before: KeychainItems, _ events: inout EventLog) throws(LibraryError) {
        try reading(&events) { items in
            items = before
            items.lastRefresh = nil
        }
    }

    /// Adds items; with `replacing` the group is emptied first.
    func add(_ new: ImportedItems, replacing: Bool, _ events: inout EventLog) throws(LibraryError) {
        try reading(&events) { items in
            if replacing { items.empty() }
            for item in new.accessTokens { items.accessTokens.put(item) }
            for item in new.refreshTokens { items.refreshTokens.put(item) }
            for item in new.idTokens { items.idTokens.put(item) }
            for item in new.accounts { items.accounts.put(item) }
            for item in new.appMetadata { Self.put(item, into: &items.appMetadata) }
            for item in new.accountMetadata {
                if let place = items.accountMetadata.firstIndex(where: { $0.clientID == item.clientID }) {
                    items.accountMetadata[place].merge(item)
                } else {
                    items.accountMetadata.append(item)
                }
            }
        }
    }

    // MARK: Helpers

    private static func replaces(_ new: AccessTokenItem, _ old: AccessTokenItem) -> Bool {
        old.homeAccountID == new.homeAccountID && old.environment == new.environment && old.clientID == new.clientID
            && same(old.realm, new.realm) && !old.scopes.isDisjoint(with: new.scopes)
    }

    private static func same(_ a: String, _ b: String) -> Bool {
        a.lowercased() == b.lowercased()
    }

    private static func first<Items: Sequence>(
        of items: Items, in environments: [String], _ environment: (Items.Element) -> String,
        where fits: (Items.Element) -> Bool
    ) -> Items.Element? {
        for name in environments {
            if let item = items.first(where: { environment($0) == name && fits($0) }) { return item }
        }
        return nil
    }

    private static func put(_ item: AppMetadataItem, into items: inout [AppMetadataItem]) {
        let wanted = item.key
        if let place = items.firstIndex(where: { $0.key == wanted }) {
            items[place] = item
        } else {
            items.append(item)
        }
    }
}

/// What one token answer puts into the cache.
struct NewTokens: Sendable {
    var accessToken: AccessTokenItem?
    var refreshToken: RefreshTokenItem?
    var familyRefreshToken: RefreshTokenItem?
    var idToken: IDTokenItem?
    var account: AccountItem
    var appMetadata: AppMetadataItem

    /// The places written, in the order the library writes them.
    var attributes: [KeychainAttributes] {
        [
            accessToken?.attributes, idToken?.attributes, refreshToken?.attributes, familyRefreshToken?.attributes,
            account.attributes, appMetadata.attributes,
        ].compactMap { $0 }
    }
}
