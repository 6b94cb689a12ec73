import Synchronization

/// The keychain of one device: what all its apps store, by team and access group.
///
/// Several clients on one device share a group when their team and group agree; the lock makes each of their accesses
/// whole. It lives as long as the device, so an app's restart or reinstallation leaves it alone, as on a phone.
public final class Keychain: Sendable {
    /// `errSecMissingEntitlement`: the app may not use the group it asks for.
    public static let missingEntitlement = -34018
    /// `errSecItemNotFound`: MSAL takes it for an empty keychain, not for an error (MSIDKeychainTokenCache.m).
    static let itemNotFound = -25300

    /// The name of a status of the Security framework (SecBase.h); `nil` for one that is not listed here.
    static func name(of status: Int) -> String? {
        switch status {
        case -25308: "errSecInteractionNotAllowed"
        case missingEntitlement: "errSecMissingEntitlement"
        case -25291: "errSecNotAvailable"
        case -25293: "errSecAuthFailed"
        case -25299: "errSecDuplicateItem"
        case itemNotFound: "errSecItemNotFound"
        case -26275: "errSecDecode"
        case -128: "errSecUserCanceled"
        case -108: "errSecAllocate"
        case -50: "errSecParam"
        default: nil
        }
    }

    /// Whose items they are.
    struct AccessGroup: Hashable, Sendable {
        var team: String
        var group: String
    }

    private let groups = Mutex<[AccessGroup: KeychainItems]>([:])
    private let temporaries = Mutex<[String: TemporaryItems]>([:])

    /// An empty keychain.
    public init() {}

    func withItems<Result: Sendable>(
        of group: AccessGroup, _ body: (inout KeychainItems) -> sending Result
    ) -> sending Result {
        groups.withLock { body(&$0[group, default: KeychainItems()]) }
    }
}

extension Keychain {
    /// What the pages of an origin keep while requests are under way, where all tabs of the browser see it.
    func withTemporaries<Result: Sendable>(
        of origin: String, _ body: (inout TemporaryItems) -> sending Result
    ) -> sending Result {
        temporaries.withLock { body(&$0[origin, default: TemporaryItems()]) }
    }
}

/// The items of one access group, each list in order of arrival. The lists that grow with the accounts have an index.
struct KeychainItems: Sendable, Hashable {
    /// All items go. What is written next is encrypted with the same keys.
    mutating func empty() {
        let keys = keys
        self = KeychainItems()
        self.keys = keys
    }

    var accessTokens = KeptItems<AccessTokenItem>()
    var refreshTokens = KeptItems<RefreshTokenItem>()
    var idTokens = KeptItems<IDTokenItem>()
    var accounts = KeptItems<AccountItem>()
    var appMetadata: [AppMetadataItem] = []
    var accountMetadata: [AccountMetadataItem] = []
    /// MSAL.js 4: with which key the entries of an app are encrypted, by client id.
    var keys: [String: Int] = [:]
    /// Device time of the last successful interactive request of any app of the group: what releases held-back calls.
    var lastRefresh: Int64?
}
