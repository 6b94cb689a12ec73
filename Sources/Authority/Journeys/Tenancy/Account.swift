import Determinism
import HTTPMessages
import JSON
import TrustFramework

/// One user of the directory.
public struct Account: Sendable, Hashable, Codable {
    public let objectID: GUID
    /// The person's name in the tenant file, if the account is one of theirs.
    public internal(set) var person: String?
    /// Local sign-in names, e.g. `emailAddress`, `ada@example.test`.
    public internal(set) var signInNames: [SignInName]
    /// Accounts at identity providers that may sign in to this one.
    public internal(set) var identities: [FederatedIdentity]
    /// Attributes under their claim names, in the order they were first written.
    public internal(set) var attributes: [KeptClaim]
    public internal(set) var password: String?
    public internal(set) var accountEnabled: Bool
    public internal(set) var forcePasswordChange: Bool
    /// Locked by the tenant file; only a new password or the file unlocks it.
    public internal(set) var lockedByAdministrator: Bool
    /// Refresh tokens issued before this instant are revoked.
    public internal(set) var refreshTokensValidFrom: Timestamp
    /// Counts revocations; decides between tokens and revocations of the same instant.
    public internal(set) var revision: Int
    public internal(set) var createdAt: Timestamp
    public internal(set) var passwordChangedAt: Timestamp
    /// `nil` for most accounts, which so need no memory for what few have.
    private var past: Past?

    private indirect enum Past: Sendable, Hashable, Codable {
        case passwords(former: String?, wrong: SmartLockout)
    }

    init(objectID: GUID, at now: Timestamp) {
        self.objectID = objectID
        self.signInNames = []
        self.identities = []
        self.attributes = []
        self.accountEnabled = true
        self.forcePasswordChange = false
        self.lockedByAdministrator = false
        self.refreshTokensValidFrom = now
        self.revision = 0
        self.createdAt = now
        self.passwordChangedAt = now
    }

    /// Whether a new password is due: 90 days after the last one, unless `passwordPolicies` says otherwise (Microsoft docs:
    /// force-password-reset).
    func isPasswordDue(at now: Timestamp) -> Bool {
        let policies = stored("passwordPolicies")?.text ?? ""
        return !policies.contains("DisablePasswordExpiration") && now >= passwordChangedAt + .days(90)
    }

    /// The password before the present one: a page may say that it is an old one.
    public internal(set) var formerPassword: String? {
        get {
            guard case .passwords(let former, _) = past else { return nil }
            return former
        }
        set { setPast(former: newValue, wrong: lockout) }
    }

    /// Wrong passwords.
    public internal(set) var lockout: SmartLockout {
        get {
            guard case .passwords(_, let wrong) = past else { return SmartLockout() }
            return wrong
        }
        set { setPast(former: formerPassword, wrong: newValue) }
    }

    private mutating func setPast(former: String?, wrong: SmartLockout) {
        past = former == nil && wrong == SmartLockout() ? nil : .passwords(former: former, wrong: wrong)
    }

    /// An attribute as it is kept, by claim name ignoring case.
    func stored(_ name: String) -> ClaimValue? {
        for place in attributes.indices where sameID(attributes[place].id, name) { return attributes[place].value }
        return nil
    }

    /// Sets or removes an attribute as it is kept.
    mutating func store(_ name: String, _ value: ClaimValue?) {
        if let place = attributes.firstIndex(where: { sameID($0.id, name) }) {
            if let value { attributes[place].value = value } else { attributes.remove(at: place) }
        } else if let value {
            attributes.append(KeptClaim(name, value))
        }
    }

    /// Sets or removes many attributes, without a look at all of them for each.
    mutating func store(_ changes: [(name: String, value: ClaimValue?)]) {
        guard changes.count > 16 else {
            for change in changes { store(change.name, change.value) }
            return
        }
        var places = Dictionary(
            attributes.enumerated().map { ($1.id.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
        var removed: Set<Int> = []
        for (name, value) in changes {
            let key = name.asciiLowercased
            switch (places[key], value) {
            case (let place?, let value?):
                attributes[place].value = value
                removed.remove(place)
            case (let place?, nil): removed.insert(place)
            case (nil, let value?):
                places[key] = attributes.count
                attributes.append(KeptClaim(name, value))
            case (nil, nil): break
            }
        }
        if !removed.isEmpty {
            attributes = attributes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        }
    }

    func signInName(_ type: String) -> String? { signInNames.first { sameID($0.type, type) }?.value }

    mutating func setSignInName(_ type: String, _ value: String?) {
        signInNames.removeAll { sameID($0.type, type) }
        if let value, !value.isEmpty { signInNames.append(SignInName(type: type, value: value)) }
    }

    /// The account as it is kept, its lists no longer than they are.
    var withoutRoomToGrow: Account {
        var account = self
        account.signInNames = signInNames.withoutRoomToGrow
        account.identities = identities.withoutRoomToGrow
        account.attributes = attributes.withoutRoomToGrow
        return account
    }

    /// Older refresh tokens end now.
    mutating func revokeRefreshTokens(at now: Timestamp) {
        refreshTokensValidFrom = max(now, refreshTokensValidFrom)
        revision += 1
    }
}

/// A name a local account signs in with.
public struct SignInName: Sendable, Hashable, Codable {
    /// `emailAddress`, `userName` or `phoneNumber`.
    public var type: String
    public var value: String

    public init(type: String, value: String) {
        self.type = type
        self.value = value
    }
}

/// A user of an identity provider: `{"issuer":"facebook.com","issuerUserId":"MTIzNDU="}` as a claim.
public struct FederatedIdentity: Sendable, Hashable, Codable {
    public var issuer: String
    /// As the claim holds it: base64 of the provider's own id where `CreateAlternativeSecurityId` made it.
    public var issuerUserID: String

    public init(issuer: String, issuerUserID: String) {
        self.issuer = issuer
        self.issuerUserID = issuerUserID
    }

    /// Reads the text of an `alternativeSecurityId` or `userIdentity` claim.
    public init?(claim text: String) {
        guard let json = try? JSONParser.parse(text), let issuer = json["issuer"]?.stringValue,
            let user = json["issuerUserId"]?.stringValue
        else { return nil }
        self.init(issuer: issuer, issuerUserID: user)
    }

    /// The text of the claim.
    public var claim: String {
        JSONWriter.compact(.object(["issuer": .string(issuer), "issuerUserId": .string(issuerUserID)]))
    }

    func isSame(as other: FederatedIdentity) -> Bool {
        sameID(issuer, other.issuer) && issuerUserID == other.issuerUserID
    }
}
