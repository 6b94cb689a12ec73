import B2CProtocol
import Determinism
import JOSE
import TrustFramework

/// `AzureMfaProtocolProvider`: codes by SMS, and the authenticator app (Microsoft docs: multi-factor-auth-technical-
/// profile). Time-based codes are RFC 6238 with SHA-1, 30 seconds and six digits; one window on either side is accepted
/// (inferred).
struct AzureMfaHandler: ImmediateHandler {
    private static let purpose = "AzureMfa"

    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        let rules = OneTimeCodes.CodeRules(call.journey.policy.personality.mfaCodes)
        switch (call.profile.metadata["Operation"] ?? "").lowercased() {
        case "onewaysms":
            return try send(call, rules, in: &tenancy.outbox, codes: &codes, random: &random)
        case "verify":
            let result = codes.verify(
                purpose: Self.purpose, address: call.inputs.text("phoneNumber") ?? "",
                code: call.inputs.text("verificationCode") ?? "", rules: rules, at: call.journey.now)
            switch result {
            case .accepted: return PartnerClaims()
            case .exhausted: throw exhausted(call)
            case .wrong, .expired, .missing: throw wrong(call)
            }
        case "getavailabledevices":
            let secret = account(call, tenancy.directory)?.stored(Directory.totpAttribute)?.text
            return PartnerClaims([("numberOfAvailableDevices", .integer(secret == nil ? 0 : 1))])
        case "beginverifyotp":
            codes.authenticatorSecret = call.inputs.text("secretKey")
            return PartnerClaims()
        case "verifyotp":
            return try verifyTimeCode(call, maxTries: rules.maxTries, in: &tenancy.directory, codes: &codes)
        default:
            throw ProfileFailure(
                code: .c90037, message: "Operation is unknown.",
                detail: "\(call.profile.id): Operation is not one of AzureMfa's")
        }
    }

    private func send(
        _ call: ProfileCall, _ rules: OneTimeCodes.CodeRules, in outbox: inout Outbox, codes: inout OneTimeCodes,
        random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        let number = call.inputs.text("phoneNumber") ?? ""
        let digits = number.dropFirst()
        guard number.hasPrefix("+"), (7...15).contains(digits.count), digits.allSatisfy(\.isNumber) else {
            throw failure(call, "UserMessageIfInvalidFormat", "The phone number has the wrong form.")
        }
        let generated = codes.generate(
            purpose: Self.purpose, address: number, rules: rules, at: call.journey.now, random: &random)
        guard case .code(let code) = generated else {
            throw failure(call, "UserMessageIfThrottled", "Too many requests. Try again later.")
        }
        outbox.send(CodeMessage.sms(code, to: number, for: call.inputs.text("companyName"), call.journey))
        return PartnerClaims()
    }

    private func verifyTimeCode(
        _ call: ProfileCall, maxTries: Int, in directory: inout Directory, codes: inout OneTimeCodes
    ) throws(ProfileFailure) -> PartnerClaims {
        let account = account(call, directory)
        let fresh = codes.authenticatorSecret
        guard let text = fresh ?? account?.stored(Directory.totpAttribute)?.text,
            let secret = Base32.decode(text.uppercased())
        else { throw failure(call, "UserMessageIfServerError", "Cannot use MFA service, please try again later.") }
        guard codes.authenticatorFailures < maxTries else { throw exhausted(call) }
        let typed = (call.inputs.text("otpCode") ?? "").trimmingSpaces
        let accepted = (-1...1).contains {
            OneTimePassword.timeCode(secret: secret, at: call.journey.now, drift: Int64($0)) == typed
        }
        guard accepted else {
            codes.authenticatorFailures += 1
            throw codes.authenticatorFailures < maxTries ? wrong(call) : exhausted(call)
        }
        codes.authenticatorFailures = 0
        if let fresh, let account {
            // The first right code registers the app.
            directory.update(account.objectID) { $0.store(Directory.totpAttribute, .text(fresh)) }
        }
        codes.authenticatorSecret = nil
        return PartnerClaims()
    }

    private func account(_ call: ProfileCall, _ directory: Directory) -> Account? {
        if let id = call.inputs.text("objectId"), let account = directory.find(.objectID(id)) { return account }
        return call.inputs.text("userPrincipalName").flatMap { directory.find(.userPrincipalName($0)) }
    }

    private func wrong(_ call: ProfileCall) -> ProfileFailure {
        failure(call, "UserMessageIfWrongCodeEntered", "Wrong code entered, please try again.")
    }

    private func exhausted(_ call: ProfileCall) -> ProfileFailure {
        failure(call, "UserMessageIfMaxAllowedCodeRetryReached", "Too many wrong codes. Try again later.")
    }

    private func failure(_ call: ProfileCall, _ key: String, _ message: String) -> ProfileFailure {
        ProfileFailure(messageKey: key, message: message, detail: "\(call.profile.id): \(message)")
    }
}
