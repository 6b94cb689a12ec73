import Diagnostics
import JSON

/// A cache as a JSON document: the form MSAL Python's `SerializableTokenCache` reads and writes, and lists of records.
///
/// The two libraries differ in what they write under the same names, so values are converted both ways: realm (tenant
/// id here, the tenant segment of the authority there), host (with its port here), a missing user name (a stand-in text
/// here, nothing there). What MSAL Python has no place for, the account metadata, goes into a sixth object of our own,
/// which it carries along unread.
struct UnifiedCache {
    let configuration: ClientConfiguration
    /// The app's own authority; `nil` where its address is wrong.
    private let ownAuthority: MSALAuthority?

    init(configuration: ClientConfiguration) {
        self.configuration = configuration
        ownAuthority = try? configuration.ownAuthority().get()
    }

    /// The name of the sixth object.
    static let accountMetadataKey = "B2CHarnessAccountMetadata"

    private static let maps = ["AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata", accountMetadataKey]
    private static let lists = [
        "accounts", "accessTokens", "refreshTokens", "idTokens", "appMetadata", "accountMetadata",
    ]

    // MARK: Writing

    /// What `inspect` shows: lists of records with this library's own values, and the whole as MSAL Python writes it.
    func inspection(_ items: KeychainItems) -> JSONObject {
        func list(_ records: [JSONObject]) -> JSONValue { .array(records.map { .object($0) }) }
        var object = JSONObject()
        object["accounts"] = list(items.accounts.map(\.record))
        object["accessTokens"] = list(items.accessTokens.map(\.record))
        object["refreshTokens"] = list(items.refreshTokens.map(\.record))
        object["idTokens"] = list(items.idTokens.map(\.record))
        object["appMetadata"] = list(items.appMetadata.map(\.record))
        object["accountMetadata"] = list(items.accountMetadata.map(\.record))
        object["unified"] = .object(unified(items))
        return object
    }

    /// The document MSAL Python reads.
    func unified(_ items: KeychainItems) -> JSONObject {
        var access = JSONObject()
        for var item in items.accessTokens {
            item.environment = Self.withoutPort(item.environment)
            item.realm = pythonRealm(item.realm, home: item.homeAccountID)
            item.target = ScopeText.list(item.target).sorted().joined(separator: " ")
            access[item.key] = .object(item.record)
        }
        var refresh = JSONObject()
        for var item in items.refreshTokens {
            item.environment = Self.withoutPort(item.environment)
            let key = CacheKey.make([item.homeAccountID, item.environment, "refreshtoken", item.clientID, "", ""])
            refresh[key] = .object(item.record)
        }
        var identity = JSONObject()
        for var item in items.idTokens {
            item.environment = Self.withoutPort(item.environment)
            item.realm = pythonRealm(item.realm, home: item.homeAccountID)
            identity[item.key] = .object(item.record)
        }
        var accounts = JSONObject()
        for var item in items.accounts {
            item.environment = Self.withoutPort(item.environment)
            item.realm = pythonRealm(item.realm, home: item.homeAccountID)
            if item.username == MSALAccount.missingUsername { item.username = "" }
            var record = item.record
            record["account_source"] = "authorization_code"
            accounts[item.key] = .object(record)
        }
        var apps = JSONObject()
        for var item in items.appMetadata {
            item.environment = Self.withoutPort(item.environment)
            apps[item.key] = .object(item.record)
        }
        var own = JSONObject()
        for item in items.accountMetadata { own[item.key] = .object(item.record) }
        return [
            "AccessToken": .object(access), "RefreshToken": .object(refresh), "IdToken": .object(identity),
            "Account": .object(accounts), "AppMetadata": .object(apps), Self.accountMetadataKey: .object(own),
        ]
    }

    // MARK: Reading

    /// Reads a document of MSAL Python, a `unified` member, or lists as ``inspection(_:)`` gives them.
    ///
    /// - Throws: Every finding about the document.
    func read(_ document: JSONValue) throws(InvalidInput) -> ImportedItems {
        guard let object = document.objectValue else {
            throw InvalidInput(diagnostics: [
                Self.finding("A cache is a JSON object, not \(document.typeName).", JSONPointer.root)
            ])
        }
        if let unified = object["unified"] { return try read(unified) }
        var reader = CacheRecordReader()
        var items = ImportedItems()
        var findings: [Diagnostic] = []
        let isUnified = object.keys.contains { Self.maps.contains($0) }
        for (name, value) in object.members {
            let place = JSONPointer.root.appending(name)
            let known = isUnified ? Self.maps : Self.lists
            guard known.contains(name) else {
                // Another library's own objects travel along unread.
                if !isUnified {
                    findings.append(Self.finding("A cache has no list \"\(name)\": it has \(namesList(known)).", place))
                }
                continue
            }
            let records: [(pointer: JSONPointer, record: JSONValue)]
            if isUnified {
                records = (value.objectValue?.members ?? []).map { (place.appending($0.key), $0.value) }
            } else {
                records = (value.arrayValue ?? []).enumerated().map { (place.appending($0.offset), $0.element) }
            }
            for (pointer, record) in records { take(record, of: name, at: pointer, with: &reader, into: &items) }
        }
        findings += reader.findings
        guard findings.isEmpty else { throw InvalidInput(diagnostics: findings) }
        return isUnified ? converted(items) : items
    }

    private func take(
        _ record: JSONValue, of list: String, at pointer: JSONPointer, with reader: inout CacheRecordReader,
        into items: inout ImportedItems
    ) {
        switch list {
        case "AccessToken", "accessTokens":
            if let item = reader.accessToken(record, pointer) { items.accessTokens.append(item) }
        case "RefreshToken", "refreshTokens":
            if let item = reader.refreshToken(record, pointer) { items.refreshTokens.append(item) }
        case "IdToken", "idTokens":
            if let item = reader.idToken(record, pointer) { items.idTokens.append(item) }
        case "Account", "accounts":
            if let item = reader.account(record, pointer) { items.accounts.append(item) }
        case "AppMetadata", "appMetadata":
            if let item = reader.appMetadata(record, pointer) { items.appMetadata.append(item) }
        default:
            if let item = reader.accountMetadata(record, pointer) { items.accountMetadata.append(item) }
        }
    }

    /// From MSAL Python's values to this library's.
    private func converted(_ items: ImportedItems) -> ImportedItems {
        var items = items
        for place in items.accessTokens.indices {
            let item = items.accessTokens[place]
            items.accessTokens[place].environment = withPort(item.environment)
            items.accessTokens[place].realm = ownRealm(item.realm, home: item.homeAccountID)
        }
        for place in items.refreshTokens.indices {
            items.refreshTokens[place].environment = withPort(items.refreshTokens[place].environment)
        }
        for place in items.idTokens.indices {
            let item = items.idTokens[place]
            items.idTokens[place].environment = withPort(item.environment)
            items.idTokens[place].realm = ownRealm(item.realm, home: item.homeAccountID)
        }
        for place in items.accounts.indices {
            let item = items.accounts[place]
            items.accounts[place].environment = withPort(item.environment)
            items.accounts[place].realm = ownRealm(item.realm, home: item.homeAccountID)
            if item.username.isEmpty, configuration.authorityKind == .b2c {
                items.accounts[place].username = MSALAccount.missingUsername
            }
        }
        for place in items.appMetadata.indices {
            items.appMetadata[place].environment = withPort(items.appMetadata[place].environment)
        }
        addAccountMetadata(to: &items)
        return items
    }

    /// Gives this app's accounts that come without account metadata what a sign-in here would have left: without it
    /// silent calls would look for tokens under the tenant's name and find none.
    private func addAccountMetadata(to items: inout ImportedItems) {
        let clientID = configuration.clientID
        var record = items.accountMetadata.first { $0.clientID == clientID } ?? AccountMetadataItem(clientID: clientID)
        let homes = items.refreshTokens.filter { $0.clientID == clientID }.map(\.homeAccountID)
        for home in homes where record.account(home) == nil {
            let account = MSALAccount(identifier: home, environment: "")
            let policy = configuration.policyName(ofObjectID: account.objectID)
            record.change(home) { entry in
                entry.state = .signedIn
                guard let own = ownAuthority, own.kind == .b2c, policy != nil, !account.tenantID.isEmpty,
                    let url = configuration.url(policy: policy, host: own.environment)
                else { return }
                let requested = MSALAuthority.b2c(url)
                entry.map(requested.text, to: requested.forTenant(account.tenantID).text)
            }
        }
        guard !record.accounts.isEmpty else { return }
        items.accountMetadata.removeAll { $0.clientID == clientID }
        items.accountMetadata.append(record)
    }

    // MARK: Values

    /// What MSAL Python has as realm: the first path segment of the authority it is made with. An app of a B2C tenant
    /// writes that without `/tfp/`, so it is the tenant as this app writes it.
    private func pythonRealm(_ realm: String, home: String) -> String {
        guard configuration.authorityKind == .b2c, let own = ownAuthority else { return realm }
        if realm.hasPrefix("/") { return realm.split(separator: "/").first.map(String.init) ?? realm }
        guard realm.lowercased() == tenantID(of: home), own.isTFP else { return realm }
        return own.realm
    }

    /// The realm this library looks under: the tenant id, or for authorities without `/tfp/` the whole path with the
    /// account's policy.
    private func ownRealm(_ realm: String, home: String) -> String {
        guard let own = ownAuthority else { return realm }
        let tenant = tenantID(of: home)
        switch own.kind {
        case .aad:
            return ["common", "organizations", "consumers"].contains(realm.lowercased()) && !tenant.isEmpty
                ? tenant : realm
        case .b2c:
            if realm.hasPrefix("/") { return realm }
            if own.isTFP { return tenant.isEmpty ? realm : tenant }
            let object = String(home.prefix { $0 != "." })
            let policy = configuration.policyName(ofObjectID: object)
            return MSALAuthority.b2c(
                configuration.url(policy: policy, host: own.url.host) ?? own.url
            ).realm
        }
    }

    private func tenantID(of home: String) -> String {
        MSALAccount(identifier: home, environment: "").tenantID
    }

    private static func withoutPort(_ environment: String) -> String {
        String(environment.prefix { $0 != ":" })
    }

    /// The app's own host gets its port back.
    private func withPort(_ environment: String) -> String {
        guard let own = ownAuthority?.environment, Self.withoutPort(own) == environment else { return environment }
        return own
    }

    private static func finding(_ message: String, _ pointer: JSONPointer) -> Diagnostic {
        Diagnostic(
            rule: "B2C-CACHE-002", message, at: SourceLocation(file: "cache", pointer: pointer.description))
    }
}

/// The records of a document in its order. Two of them may have one key until the cache takes them in, so these are plain
/// lists.
struct ImportedItems: Sendable {
    var accessTokens: [AccessTokenItem] = []
    var refreshTokens: [RefreshTokenItem] = []
    var idTokens: [IDTokenItem] = []
    var accounts: [AccountItem] = []
    var appMetadata: [AppMetadataItem] = []
    var accountMetadata: [AccountMetadataItem] = []
}
