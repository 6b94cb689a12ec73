import B2CProtocol
import Determinism

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
            Self.first(of: items.accessTokens, in: environments, \.environment) { item in
                item.homeAccountID == home && item.clientID == clientID && Self.same(item.realm, realm)
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
            Self.first(of: items.idTokens, in: environments, \.environment) { item in
                item.homeAccountID == home && item.clientID == clientID && Self.same(item.realm, realm)
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
            Self.first(of: items.accounts, in: environments, \.environment) { item in
                item.homeAccountID == home && Self.same(item.realm, realm)
            }
        }
        events.cacheRead(
            found?.attributes
                ?? .account(home: home, environment: environments.first ?? "", realm: realm, username: nil),
            found: found != nil)
        return found
    }

    /// The app's own refresh token, by home account id, then by user name.
    func appRefreshToken(
        home: String, username: String?, environments: [String], _ events: inout EventLog
    ) throws(LibraryError) -> RefreshTokenItem? {
        let clientID = clientID
        let found: RefreshTokenItem? = try reading(&events) { items in
            let own = items.refreshTokens.filter { $0.clientID == clientID && $0.familyID == nil }
            let byHome = Self.first(of: own, in: environments, \.environment) { $0.homeAccountID == home }
            guard byHome == nil, let username, !username.isEmpty else { return byHome }
            let wanted = username.lowercased()
            let homes = items.accounts.filter { $0.username.lowercased() == wanted }.map(\.homeAccountID)
            return Self.first(of: own, in: environments, \.environment) { homes.contains($0.homeAccountID) }
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
            Self.first(of: items.refreshTokens, in: environments, \.environment) {
                $0.homeAccountID == home && $0.familyID == family
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
                let older = items.accessTokens.filter { Self.replaces(token, $0) && $0.key != token.key }
                deleted = older.map(\.attributes)
                items.accessTokens.removeAll { old in older.contains(old) }
                Self.put(token, into: &items.accessTokens, \.key)
            }
            if let token = tokens.refreshToken { Self.put(token, into: &items.refreshTokens, \.key) }
            if let token = tokens.familyRefreshToken { Self.put(token, into: &items.refreshTokens, \.key) }
            if let token = tokens.idToken { Self.put(token, into: &items.idTokens, \.key) }
            Self.put(tokens.account, into: &items.accounts, \.key)
            Self.put(tokens.appMetadata, into: &items.appMetadata, \.key)
        }
        guard written else { return false }
        for item in deleted { events.cacheDelete(item) }
        for item in tokens.attributes { events.cacheWrite(item) }
        return true
    }

    func remove(_ token: AccessTokenItem, _ events: inout EventLog) {
        if writing(&events, { $0.accessTokens.removeAll { $0.key == token.key } }) {
            events.cacheDelete(token.attributes)
        }
    }

    /// Removes a refresh token the server called bad, unless a newer one has taken its place meanwhile.
    func removeIfUnchanged(_ token: RefreshTokenItem, _ events: inout EventLog) {
        var removed = false
        let written = writing(&events) { items in
            let before = items.refreshTokens.count
            items.refreshTokens.removeAll { $0.key == token.key && $0.secret == token.secret }
            removed = items.refreshTokens.count < before
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
            let mine: (String, String) -> Bool = { $0 == home && (ofAllClients || $1 == clientID) }
            var gone: [KeychainAttributes] = []
            gone += items.accessTokens.filter { mine($0.homeAccountID, $0.clientID) }.map(\.attributes)
            gone += items.refreshTokens.filter { mine($0.homeAccountID, $0.clientID) }.map(\.attributes)
            gone += items.idTokens.filter { mine($0.homeAccountID, $0.clientID) }.map(\.attributes)
            items.accessTokens.removeAll { mine($0.homeAccountID, $0.clientID) }
            items.refreshTokens.removeAll { mine($0.homeAccountID, $0.clientID) }
            items.idTokens.removeAll { mine($0.homeAccountID, $0.clientID) }
            if wipeAccounts {
                gone += items.accounts.filter { $0.homeAccountID == home }.map(\.attributes)
                items.accounts.removeAll { $0.homeAccountID == home }
            }
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
            items = KeychainItems()
            return gone
        }
        for item in removed { events.cacheDelete(item) }
    }

    // MARK: Accounts

    /// Account records of accounts this app knows: a refresh token of the app or its family is there, or the app holds
    /// them for signed in; those it holds for signed out are left out unless wanted.
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
            for account in items.accounts {
                let state = metadata?.account(account.homeAccountID)?.state
                let known = withToken.contains(account.homeAccountID) || state == .signedIn
                guard state == .signedOut ? includingSignedOut : known else { continue }
                // One account in several tenants is listed once; its claims are those of its home.
                if let place = found.firstIndex(where: { $0.homeAccountID == account.homeAccountID }) {
                    if account.isOfHomeTenant { found[place] = account }
                } else {
                    found.append(account)
                }
            }
            return found
        }
    }

    /// Every account record of a home account id, whatever its state, that of the home tenant first.
    func accountRecords(home: String, _ events: inout EventLog) throws(LibraryError) -> [AccountItem] {
        try reading(&events) { items in
            let found = items.accounts.filter { $0.homeAccountID == home }
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

    /// Adds items; with `replacing` the group is emptied first.
    func add(_ new: KeychainItems, replacing: Bool, _ events: inout EventLog) throws(LibraryError) {
        try reading(&events) { items in
            if replacing { items = KeychainItems() }
            for item in new.accessTokens { Self.put(item, into: &items.accessTokens, \.key) }
            for item in new.refreshTokens { Self.put(item, into: &items.refreshTokens, \.key) }
            for item in new.idTokens { Self.put(item, into: &items.idTokens, \.key) }
            for item in new.accounts { Self.put(item, into: &items.accounts, \.key) }
            for item in new.appMetadata { Self.put(item, into: &items.appMetadata, \.key) }
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

    private static func first<Item>(
        of items: [Item], in environments: [String], _ environment: (Item) -> String, where fits: (Item) -> Bool
    ) -> Item? {
        for name in environments {
            if let item = items.first(where: { environment($0) == name && fits($0) }) { return item }
        }
        return nil
    }

    private static func put<Item>(_ item: Item, into items: inout [Item], _ key: (Item) -> String) {
        let wanted = key(item)
        if let place = items.firstIndex(where: { key($0) == wanted }) {
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
