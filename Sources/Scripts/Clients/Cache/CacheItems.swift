import JSON

/// An access token in the cache (unified schema).
public struct AccessTokenItem: Sendable, Hashable {
    /// `{uid}.{utid}` in lower case.
    public var homeAccountID: String
    /// Authority host, with its port unless that is 443.
    public var environment: String
    /// The app the token was issued to.
    public var clientID: String
    /// Tenant id, or the whole authority path for B2C authorities without `/tfp/`.
    public var realm: String
    /// The granted scopes, blank-separated, in the server's order.
    public var target: String
    /// The token.
    public var secret: String
    /// `Bearer` unless the server wrote it otherwise.
    public var tokenType: String
    /// Device time at which it was stored, in seconds since 1970.
    public var cachedAt: Int64
    /// Device time at which it expires, in seconds since 1970.
    public var expiresOn: Int64
    /// Until when it may be used while the server is down.
    public var extendedExpiresOn: Int64?
    /// From when on it should be refreshed although it is still good.
    public var refreshOn: Int64?

    /// The scopes, lower case, without repetition.
    var scopes: Set<String> { ScopeText.set(target) }

    /// The key of the JSON form: home, environment, kind, client, realm and target, lower case, joined by dashes.
    public var key: String {
        CacheKey.make([homeAccountID, environment, "accesstoken", clientID, realm, target])
    }
}

/// A refresh token in the cache (unified schema). It has neither realm nor scopes.
public struct RefreshTokenItem: Sendable, Hashable {
    /// `{uid}.{utid}` in lower case.
    public var homeAccountID: String
    /// Authority host, with its port unless that is 443.
    public var environment: String
    /// The app the token was issued to.
    public var clientID: String
    /// The token.
    public var secret: String
    /// Set for a token that all apps of a family may use.
    public var familyID: String?
    /// Device time of the last change, in seconds since 1970.
    public var lastModified: Int64?

    /// The key of the JSON form.
    public var key: String {
        CacheKey.make([homeAccountID, environment, "refreshtoken", familyID ?? clientID, "", ""])
    }
}

/// An ID token in the cache (unified schema).
public struct IDTokenItem: Sendable, Hashable {
    /// `{uid}.{utid}` in lower case.
    public var homeAccountID: String
    /// Authority host, with its port unless that is 443.
    public var environment: String
    /// The app the token was issued to.
    public var clientID: String
    /// Tenant id, or the whole authority path for B2C authorities without `/tfp/`.
    public var realm: String
    /// The token.
    public var secret: String

    /// The key of the JSON form.
    public var key: String {
        CacheKey.make([homeAccountID, environment, "idtoken", clientID, realm, ""])
    }
}

/// An account record in the cache (unified schema). It outlives the tokens: only wiping removes it.
public struct AccountItem: Sendable, Hashable {
    /// `{uid}.{utid}` in lower case.
    public var homeAccountID: String
    /// Authority host, with its port unless that is 443.
    public var environment: String
    /// Tenant id, or the whole authority path for B2C authorities without `/tfp/`.
    public var realm: String
    /// `oid` of the ID token, else `sub`, in lower case.
    public var localAccountID: String
    /// `preferred_username`, or MSAL's stand-in text where the policy emits none.
    public var username: String
    /// Always `MSSTS` for the authorities built here.
    public var authorityType = "MSSTS"
    /// Claim `name`.
    public var name: String?
    /// Claim `given_name`.
    public var givenName: String?
    /// Claim `family_name`.
    public var familyName: String?
    /// Claim `middle_name`.
    public var middleName: String?
    /// The answer's `client_info`, as received.
    public var clientInfo: String?

    /// Whether the account's own tenant wrote it, and not one that knows the person as a guest.
    var isOfHomeTenant: Bool { homeAccountID.hasSuffix("." + realm.lowercased()) }

    /// The key of the JSON form.
    public var key: String {
        CacheKey.make([homeAccountID, environment, realm])
    }
}

/// What is known of an app on one host (unified schema).
public struct AppMetadataItem: Sendable, Hashable {
    /// The app.
    public var clientID: String
    /// Authority host, with its port unless that is 443.
    public var environment: String
    /// The family the app belongs to; empty once the server said it belongs to none.
    public var familyID: String?

    /// The key of the JSON form, in the letter case of its parts.
    public var key: String { "appmetadata-\(environment)-\(clientID)" }
}

/// Whether an app considers an account signed in.
public enum SignInState: String, Sendable, Hashable {
    case unknown
    case signedIn = "signed_in"
    case signedOut = "signed_out"
}

/// What an app remembers of one account besides its tokens.
public struct AccountMetadata: Sendable, Hashable {
    /// `{uid}.{utid}` in lower case.
    public var homeAccountID: String
    /// Whether the app considers the account signed in.
    public var state: SignInState
    /// From the authority URL an app asks with to the one its tokens are kept and refreshed under, in order of arrival.
    public var urlMap: [Mapping]

    /// One entry of the URL map.
    public struct Mapping: Sendable, Hashable {
        /// As the app wrote it.
        public var requested: String
        /// With the tenant's GUID.
        public var cached: String
    }

    func cachedURL(for requested: String) -> String? {
        urlMap.first { $0.requested == requested }?.cached
    }

    mutating func map(_ requested: String, to cached: String) {
        if let place = urlMap.firstIndex(where: { $0.requested == requested }) {
            urlMap[place].cached = cached
        } else {
            urlMap.append(Mapping(requested: requested, cached: cached))
        }
    }
}

/// The one record an app keeps of all its accounts (keychain account `authority_map`). MSAL Python has nothing like it.
public struct AccountMetadataItem: Sendable, Hashable {
    /// The app.
    public var clientID: String
    /// The account `getCurrentAccount` reported last.
    public var principalHomeAccountID: String?
    /// Its user name.
    public var principalUsername: String?
    /// Its environment.
    public var principalEnvironment: String?
    /// One entry an account, in order of arrival.
    var accounts = KeptItems<AccountMetadata>()

    /// The key of the JSON form.
    public var key: String { "accountmetadata-\(clientID)" }

    func account(_ homeAccountID: String) -> AccountMetadata? {
        accounts[homeAccountID]
    }

    /// Takes over what another record of the same app knows.
    mutating func merge(_ other: AccountMetadataItem) {
        for entry in other.accounts { accounts.put(entry) }
        guard other.principalHomeAccountID != nil else { return }
        principalHomeAccountID = other.principalHomeAccountID
        principalUsername = other.principalUsername
        principalEnvironment = other.principalEnvironment
    }

    /// Changes the entry of an account, made if it is not there.
    mutating func change(_ homeAccountID: String, _ body: (inout AccountMetadata) -> Void) {
        var entry =
            accounts[homeAccountID] ?? AccountMetadata(homeAccountID: homeAccountID, state: .unknown, urlMap: [])
        body(&entry)
        accounts.put(entry)
    }
}

/// Keys as both libraries build them.
enum CacheKey {
    static func make(_ parts: [String]) -> String {
        parts.map { $0.lowercased() }.joined(separator: "-")
    }
}

/// Blank-separated scopes.
enum ScopeText {
    static func list(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    static func set(_ text: String) -> Set<String> {
        Set(list(text).map { $0.lowercased() })
    }
}
