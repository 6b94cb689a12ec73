import Determinism
import JSON
import TrustFramework

extension Directory {
    /// How a sign-in with a password ended.
    public enum SignInResult: Sendable, Hashable {
        case signedIn(GUID)
        /// The password is right, but a new one must be set first.
        case mustChangePassword(GUID)
        case unknownUser
        case wrongPassword
        /// The password that the account had before its present one. How far back the service knows them is not
        /// documented; one is remembered here (inferred).
        case oldPassword
        /// Smart lockout (AADB2C90114).
        case locked
        /// Disabled by an administrator (AADB2C90111).
        case disabled
        /// The account signs in at an identity provider only.
        case noPassword
    }

    /// Checks a name and password, counting wrong ones. The name is a sign-in name or a user principal name.
    public mutating func signIn(name: String, password: String, at now: Timestamp) -> SignInResult {
        guard let account = find(.anySignInName(name)) ?? find(.userPrincipalName(name)) else { return .unknownUser }
        if account.lockedByAdministrator || account.lockout.isLocked(at: now) { return .locked }
        guard let expected = account.password else { return .noPassword }
        guard sameText(expected, password) else {
            let settings = lockout
            let once = defaults.nearVariantsCountOnce
            var isLocked = false
            updateLockout(account.objectID) {
                $0.failed(password, settings: settings, nearVariantsCountOnce: once, at: now)
                isLocked = $0.isLocked(at: now)
            }
            return isLocked
                ? .locked
                : account.formerPassword.map { sameText($0, password) } == true ? .oldPassword : .wrongPassword
        }
        guard account.accountEnabled else { return .disabled }
        if account.lockout != SmartLockout() { updateLockout(account.objectID) { $0.reset() } }
        guard account.forcePasswordChange || account.isPasswordDue(at: now) else { return .signedIn(account.objectID) }
        if !account.forcePasswordChange { update(account.objectID) { $0.forcePasswordChange = true } }
        return .mustChangePassword(account.objectID)
    }

    /// Sets a password as an administrator or its owner does: it unlocks the account, ends a forced change and revokes
    /// older refresh tokens. The directory's own rule holds unless `passwordPolicies` switches it off: 8 to 256
    /// characters, three of lower case, upper case, digits and symbols.
    mutating func setPassword(
        _ password: String, of account: inout Account, at now: Timestamp, checked: Bool = true
    ) throws(DirectoryRefusal) {
        let policies = account.stored("passwordPolicies")?.text ?? ""
        if checked, !policies.contains("DisableStrongPassword"), !Self.isStrong(password) { throw .weakPassword }
        if account.password != password { account.formerPassword = account.password }
        account.password = password
        account.passwordChangedAt = now
        account.forcePasswordChange = false
        account.lockedByAdministrator = false
        account.lockout.reset()
        account.revokeRefreshTokens(at: now)
    }

    static func isStrong(_ password: String) -> Bool {
        guard (8...256).contains(password.count) else { return false }
        var lower = false
        var upper = false
        var digit = false
        var symbol = false
        for scalar in password.unicodeScalars {
            if scalar.properties.isLowercase {
                lower = true
            } else if scalar.properties.isUppercase {
                upper = true
            } else if scalar.properties.numericType != nil {
                digit = true
            } else {
                symbol = true
            }
        }
        return [lower, upper, digit, symbol].count { $0 } >= 3
    }

    /// Why a refresh token no longer stands for anybody.
    public enum GrantState: Sendable, Hashable {
        case good
        /// The account is gone (AADB2C90128).
        case deleted
        /// Revoked by a new password or by an administrator (AADB2C90129).
        case revoked
        /// The account is disabled.
        case disabled
    }

    /// What has become of the account behind a refresh token whose identity claim is an object id.
    public func state(of identity: RefreshIdentity) -> GrantState {
        guard let account = find(.objectID(identity.identity)) else { return .deleted }
        if identity.issuedAt < account.refreshTokensValidFrom { return .revoked }
        if identity.issuedAt == account.refreshTokensValidFrom, identity.revision < account.revision { return .revoked }
        return account.accountEnabled ? .good : .disabled
    }
}
