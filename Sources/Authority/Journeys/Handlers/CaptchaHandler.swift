import B2CProtocol
import Determinism
import JOSE
import TrustFramework

/// `CaptchaProvider`: makes pictures with characters and checks what somebody read in them (Microsoft docs:
/// captcha-technical-profile, add-captcha). A wrong answer does not fail the profile: the output
/// claims report it.
struct CaptchaHandler: ImmediateHandler {
    /// Where the pictures come from. Live tenants name a region of the service; which one is not documented.
    private static let region = "WestEurope"

    func run(
        _ call: ProfileCall, in tenancy: inout Tenancy, codes: inout OneTimeCodes, random: inout SeededGenerator
    ) throws(ProfileFailure) -> PartnerClaims {
        let kind = call.inputs.text("challengeType") ?? "Visual"
        guard sameID(kind, "Visual") else {
            throw .notSimulated("captcha with challengeType \(kind)", at: call.profile.location)
        }
        switch (call.profile.metadata["Operation"] ?? "").lowercased() {
        case "getchallenge":
            let challenge = codes.captchas.make(at: call.journey.now, random: &random)
            tenancy.outbox.send(CodeMessage.captcha(challenge.text, of: challenge.id, call.journey))
            let picture = CaptchaPicture.png(of: challenge.text, random: &random)
            return PartnerClaims([
                ("challengeId", .text(challenge.id)),
                ("challengeString", .text("data:image/png;base64," + Base64.encode(picture))),
                ("azureregion", .text(Self.region)),
            ])
        case "verifychallenge":
            let id = call.inputs.text("challengeId") ?? ""
            let text = call.inputs.text("inputSolution") ?? call.inputs.text("captchaEntered") ?? ""
            let verdict = codes.captchas.answer(id, text, at: call.journey.now)
            return PartnerClaims([
                ("challengeId", .text(id)), ("solved", .boolean(verdict == .solved)),
                ("reason", .text(verdict.rawValue)), ("azureregion", .text(Self.region)),
            ])
        default:
            throw .policyFault(
                .c99011, ["Operation", call.profile.id, call.journey.policy.id],
                detail: "\(call.profile.id): Operation is neither GetChallenge nor VerifyChallenge")
        }
    }
}
