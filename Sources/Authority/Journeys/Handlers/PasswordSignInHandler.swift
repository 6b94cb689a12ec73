import B2CProtocol
import Determinism
import TrustFramework

/// `login-NonInteractive` and the ROPC profile: the local account's name and password against the directory (Microsoft
/// docs: custom-policy-reference of the starter packs, and localization-string-ids for the messages).
struct PasswordSignInHandler: ImmediateHandler {
    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let name = call.inputs.text("username"), let password = call.inputs.text("password") else {
            throw .policyFault(
                .c99015, [call.profile.id, call.journey.policy.id, call.journey.environment.tenantDomain],
                detail: "\(call.profile.id): user name or password is missing among the input claims")
        }
        switch tenancy.directory.signIn(name: name.trimmingSpaces, password: password, at: call.journey.now) {
        case .signedIn(let id):
            return claims(of: id, name: name, call, tenancy.directory)
        case .mustChangePassword:
            // With this input an expired password is a success that says only so.
            if call.inputs["continueOnPasswordExpiration"]?.booleanValue == true {
                return PartnerClaims([("passwordExpired", .boolean(true))])
            }
            throw failure(.c90054, key: "UserMessageIfPasswordExpired", message: "Your password has expired.", call)
        case .unknownUser:
            throw failure(
                .c90053, key: "UserMessageIfClaimsPrincipalDoesNotExist",
                message: "We can't seem to find your account.", call)
        case .wrongPassword:
            throw failure(.c90054, key: "UserMessageIfInvalidPassword", message: "Your password is incorrect.", call)
        case .oldPassword:
            // A policy that has no message of its own for it has one for wrong passwords.
            var failure = failure(
                .c90054, key: "UserMessageIfOldPasswordUsed", message: "Looks like you used an old password.", call)
            failure.otherKey = "UserMessageIfInvalidPassword"
            throw failure
        case .noPassword:
            throw failure(.c90052, key: "DefaultMessage", message: "Invalid username or password.", call)
        case .locked:
            throw failure(
                .c90114, key: "UserMessageIfUserAccountLocked",
                message: "Your account is temporarily locked to prevent unauthorized use. Try again later.", call)
        case .disabled:
            throw failure(
                .c90111, key: "UserMessageIfUserAccountDisabled",
                message: "Your account has been locked. Contact your support person to unlock it, then try again.", call
            )
        }
    }

    private func claims(of id: GUID, name: String, _ call: ProfileCall, _ directory: Directory) -> PartnerClaims {
        var claims = PartnerClaims([
            ("oid", .text(id.description)), ("tid", .text(call.journey.environment.tenantID.description)),
            ("sub", .text(id.description)), ("unique_name", .text(name)),
        ])
        guard let account = directory[id] else { return claims }
        for (partner, attribute) in [
            ("upn", "userPrincipalName"), ("name", "displayName"), ("given_name", "givenName"),
            ("family_name", "surname"),
        ] {
            if let value = directory.value(attribute, of: account, as: .string) { claims.append(partner, value) }
        }
        return claims
    }

    /// Without a page (the password grant) all bad credentials have one code.
    private func failure(_ code: B2CErrorCode, key: String, message: String, _ call: ProfileCall) -> ProfileFailure {
        var code = code
        if call.page == nil, code == .c90053 || code == .c90054 || code == .c90052 { code = .c90225 }
        return ProfileFailure(
            code: code, messageKey: key, message: message, oauthError: OAuthErrorName.accessDenied,
            detail: "\(call.profile.id): \(message)")
    }
}
