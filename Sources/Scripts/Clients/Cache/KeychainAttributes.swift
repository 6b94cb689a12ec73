/// How an entity is filed in the keychain: attributes of a generic-password item (MSIDDefaultCredentialCacheKey.m and
/// its siblings). All are lower case.
public struct KeychainAttributes: Sendable, Hashable {
    /// The kind of entity in the words of the events log: `accessToken`, `account` ...
    public var item: String
    /// `kSecAttrAccount`.
    public var account: String
    /// `kSecAttrService`.
    public var service: String
    /// `kSecAttrGeneric`; absent where the library sets none.
    public var generic: String?
    /// `kSecAttrType`.
    public var type: Int

    fileprivate init(_ item: String, account: String, service: String, generic: String?, type: Int) {
        self.item = item
        self.account = account.lowercased()
        self.service = service.lowercased()
        self.generic = generic?.lowercased()
        self.type = type
    }
}

extension AccessTokenItem {
    /// Its place in the keychain.
    public var attributes: KeychainAttributes {
        .accessToken(home: homeAccountID, environment: environment, client: clientID, realm: realm, target: target)
    }
}

extension RefreshTokenItem {
    /// Its place in the keychain.
    public var attributes: KeychainAttributes {
        .refreshToken(home: homeAccountID, environment: environment, client: clientID, family: familyID)
    }
}

extension IDTokenItem {
    /// Its place in the keychain.
    public var attributes: KeychainAttributes {
        .idToken(home: homeAccountID, environment: environment, client: clientID, realm: realm)
    }
}

extension AccountItem {
    /// Its place in the keychain.
    public var attributes: KeychainAttributes {
        .account(home: homeAccountID, environment: environment, realm: realm, username: username)
    }
}

extension AppMetadataItem {
    /// Its place in the keychain; that its type is 3001 is inferred.
    public var attributes: KeychainAttributes {
        KeychainAttributes(
            "appMetadata", account: environment, service: "appmetadata-\(clientID)", generic: familyID, type: 3001)
    }
}

extension AccountMetadataItem {
    /// Its place in the keychain.
    public var attributes: KeychainAttributes { .accountMetadata(client: clientID) }
}

extension KeychainAttributes {
    static func accessToken(
        home: String, environment: String, client: String, realm: String, target: String
    ) -> KeychainAttributes {
        KeychainAttributes(
            "accessToken", account: "\(home)-\(environment)", service: "accesstoken-\(client)-\(realm)-\(target)",
            generic: "accesstoken-\(client)-\(realm)", type: 2001)
    }

    static func refreshToken(
        home: String, environment: String, client: String, family: String?
    ) -> KeychainAttributes {
        KeychainAttributes(
            "refreshToken", account: "\(home)-\(environment)", service: "refreshtoken-\(family ?? client)--",
            generic: "refreshtoken-\(client)-", type: family == nil ? 2002 : 2008)
    }

    static func idToken(home: String, environment: String, client: String, realm: String) -> KeychainAttributes {
        KeychainAttributes(
            "idToken", account: "\(home)-\(environment)", service: "idtoken-\(client)-\(realm)-",
            generic: "idtoken-\(client)-\(realm)", type: 2003)
    }

    static func account(
        home: String, environment: String, realm: String, username: String?
    ) -> KeychainAttributes {
        KeychainAttributes(
            "account", account: "\(home)-\(environment)", service: realm, generic: username, type: 1003)
    }

    static func accountMetadata(client: String) -> KeychainAttributes {
        KeychainAttributes("accountMetadata", account: "authority_map", service: client, generic: nil, type: 5001)
    }
}
