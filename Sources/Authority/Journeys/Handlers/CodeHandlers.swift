import B2CProtocol
import Determinism
import TrustFramework

/// `OneTimePasswordProtocolProvider`: makes and checks codes that somebody else delivers (Microsoft docs:
/// one-time-password-technical-profile).
struct OneTimePasswordHandler: ImmediateHandler {
    private static let purpose = "OneTimePassword"

    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let identifier = call.inputs.text("identifier") else {
            throw failure(call, nil, "The input claim identifier has no value.")
        }
        let rules = rules(call.profile.metadata)
        switch (call.profile.metadata["Operation"] ?? "").lowercased() {
        case "generatecode":
            let generated = codes.generate(
                purpose: Self.purpose, address: identifier, rules: rules, at: call.journey.now, random: &random)
            guard case .code(let code) = generated else {
                throw failure(
                    call, "UserMessageIfMaxNumberOfCodeGenerated",
                    "The maximum number of codes has been reached. Try again later.")
            }
            return PartnerClaims([("otpGenerated", .text(code))])
        case "verifycode":
            let result = codes.verify(
                purpose: Self.purpose, address: identifier, code: call.inputs.text("otpToVerify") ?? "", rules: rules,
                at: call.journey.now)
            switch result {
            case .accepted: return PartnerClaims()
            case .missing, .expired:
                throw failure(call, "UserMessageIfSessionDoesNotExist", "You have exceeded the maximum time allowed.")
            case .exhausted:
                throw failure(
                    call, "UserMessageIfMaxRetryAttempted", "You have exceeded the number of retries allowed.")
            case .wrong:
                var wrong = failure(call, "UserMessageIfInvalidCode", "You have entered the wrong code.")
                wrong.otherKey = "UserMessageIfVerificationFailedRetryAllowed"
                throw wrong
            }
        default:
            throw failure(call, nil, "Operation is neither GenerateCode nor VerifyCode.")
        }
    }

    private func rules(_ metadata: Metadata) -> OneTimeCodes.CodeRules {
        let seconds = min(1200, max(60, metadata.int("CodeExpirationInSeconds") ?? 600))
        return OneTimeCodes.CodeRules(
            lifetime: .seconds(Int64(seconds)), length: min(max(metadata.int("CodeLength") ?? 6, 1), 64),
            maxTries: metadata.int("NumRetryAttempts") ?? 5,
            maxGenerations: metadata.int("NumCodeGenerationAttempts") ?? 10,
            reusesSameCode: metadata.bool("ReuseSameCode", default: false),
            alphabet: CodeCharacters.of(metadata["CharacterSet"] ?? "0-9"))
    }

    private func failure(_ call: ProfileCall, _ key: String?, _ message: String) -> ProfileFailure {
        ProfileFailure(
            code: key == nil ? .c90037 : nil, messageKey: key, message: message,
            detail: "\(call.profile.id): \(message)")
    }
}

/// `AadSsprProtocolProvider`: sends and checks codes by e-mail (Microsoft docs: aad-sspr-technical-profile).
struct EmailCodeHandler: ImmediateHandler {
    private static let purpose = "AadSspr"

    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        guard let address = call.inputs.text("emailAddress"), !address.isEmpty else {
            throw failure(call, "UserMessageIfInternalError", "The e-mail address has no value.")
        }
        let rules = OneTimeCodes.CodeRules(call.journey.policy.personality.emailCodes)
        switch (call.profile.metadata["Operation"] ?? "").lowercased() {
        case "sendcode":
            let generated = codes.generate(
                purpose: Self.purpose, address: address, rules: rules, at: call.journey.now, random: &random)
            guard case .code(let code) = generated else {
                throw failure(call, "UserMessageIfThrottled", "Too many codes were asked for. Try again later.")
            }
            tenancy.outbox.send(CodeMessage.email(code, to: address, call.journey))
            return PartnerClaims()
        case "verifycode":
            let result = codes.verify(
                purpose: Self.purpose, address: address, code: call.inputs.text("verificationCode") ?? "", rules: rules,
                at: call.journey.now)
            switch result {
            case .accepted: return PartnerClaims()
            case .wrong:
                throw failure(
                    call, "UserMessageIfVerificationFailedRetryAllowed",
                    "The verification has failed, please try again.")
            case .exhausted:
                throw failure(
                    call, "UserMessageIfVerificationFailedNoRetry",
                    "You have exceeded maximum number of verification attempts.")
            case .expired, .missing:
                throw failure(call, "UserMessageIfChallengeExpired", "The code has expired.")
            }
        default:
            throw failure(call, nil, "Operation is neither SendCode nor VerifyCode.")
        }
    }

    private func failure(_ call: ProfileCall, _ key: String?, _ message: String) -> ProfileFailure {
        ProfileFailure(
            code: key == nil ? .c90037 : nil, messageKey: key, message: message,
            detail: "\(call.profile.id): \(message)")
    }
}
