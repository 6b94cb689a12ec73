import Determinism
import TrustFramework

/// What a program of an administrator writes of an account in one request. A member that is `nil` stays as it is.
public struct AccountChange: Sendable {
    public var accountEnabled: Bool?
    public var password: String?
    /// The person must set a new password at the next sign-in.
    public var forcePasswordChange: Bool?
    /// All local sign-in names.
    public var signInNames: [SignInName]?
    /// All accounts at identity providers.
    public var identities: [FederatedIdentity]?
    /// Attributes under their names in policies; a value of `nil` removes one.
    public var attributes: [(name: String, value: ClaimValue?)] = []

    public init() {}
}

extension Directory {
    /// Adds an account. If it belongs to somebody of the tenant file who is not registered, it gets their id and name.
    ///
    /// - Parameter id: The object id of anybody else's account.
    /// - Returns: The object id of the account.
    /// - Throws: Why nothing was added.
    public mutating func create(_ change: AccountChange, id: GUID, at now: Timestamp) throws(DirectoryRefusal) -> GUID {
        var account = Account(objectID: id, at: now)
        try write(change, to: &account, at: now)
        return try create(account).objectID
    }

    /// Changes an account; nothing where there is no such account.
    ///
    /// - Throws: Why nothing was changed.
    public mutating func change(_ id: GUID, _ change: AccountChange, at now: Timestamp) throws(DirectoryRefusal) {
        guard var account = self[id] else { return }
        try write(change, to: &account, at: now)
        try replace(account)
    }

    /// Ends the refresh tokens that were issued to an account so far.
    public mutating func revokeRefreshTokens(of id: GUID, at now: Timestamp) {
        update(id) { $0.revokeRefreshTokens(at: now) }
    }

    /// Adds a drafted account, with the id of the tenant file's newcomer that it belongs to.
    mutating func create(_ draft: Account) throws(DirectoryRefusal) -> Account {
        var account = draft
        let newcomer = takeNewcomer(for: account)
        if let newcomer {
            account = Account(adopting: draft, id: newcomer.record.objectId, person: newcomer.record.name)
        }
        if account.stored("userPrincipalName") == nil {
            account.store("userPrincipalName", .text(principalName(of: account.objectID)))
        }
        do throws(DirectoryRefusal) {
            try insert(account)
        } catch {
            // Who could not sign up now can do so later.
            if let newcomer { newcomers.append(newcomer) }
            throw error
        }
        return account
    }

    /// The password goes last: its rule depends on `passwordPolicies`, and it ends a forced change.
    private mutating func write(
        _ change: AccountChange, to account: inout Account, at now: Timestamp
    ) throws(DirectoryRefusal) {
        if let enabled = change.accountEnabled { account.accountEnabled = enabled }
        if let names = change.signInNames { account.signInNames = names }
        if let identities = change.identities { account.identities = identities }
        for attribute in change.attributes { try write(attribute.name, attribute.value, to: &account, at: now) }
        if let password = change.password { try setPassword(password, of: &account, at: now) }
        if let force = change.forcePasswordChange { account.forcePasswordChange = force }
    }
}

extension Tenancy {
    /// Deletes an account and ends its sessions.
    public mutating func deleteAccount(_ id: GUID) {
        sessions.end(of: id)
        directory.delete(id)
    }
}
