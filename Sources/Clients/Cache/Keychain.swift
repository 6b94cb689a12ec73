import Synchronization

/// The keychain of one device: what all its apps store, by team and access group.
///
/// Several clients on one device share a group when their team and group agree; the lock makes each of their accesses
/// whole. It lives as long as the device, so an app's restart or reinstallation leaves it alone, as on a phone.
public final class Keychain: Sendable {
    /// `errSecMissingEntitlement`: the app may not use the group it asks for.
    public static let missingEntitlement = -34018

    /// Whose items they are.
    struct AccessGroup: Hashable, Sendable {
        var team: String
        var group: String
    }

    private let groups = Mutex<[AccessGroup: KeychainItems]>([:])

    /// An empty keychain.
    public init() {}

    func withItems<Result: Sendable>(
        of group: AccessGroup, _ body: (inout KeychainItems) -> sending Result
    ) -> sending Result {
        groups.withLock { body(&$0[group, default: KeychainItems()]) }
    }
}

/// The items of one access group, each list in order of arrival.
struct KeychainItems: Sendable, Hashable {
    var accessTokens: [AccessTokenItem] = []
    var refreshTokens: [RefreshTokenItem] = []
    var idTokens: [IDTokenItem] = []
    var accounts: [AccountItem] = []
    var appMetadata: [AppMetadataItem] = []
    var accountMetadata: [AccountMetadataItem] = []
    /// Device time of the last successful interactive request of any app of the group: what releases held-back calls.
    var lastRefresh: Int64?
    /// Browser apps that keep what belongs to a running request under one name: the state of the newest one.
    var sharedState: String?
}
