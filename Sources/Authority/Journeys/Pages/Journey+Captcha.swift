import HTTPMessages
import JSON
import TrustFramework

/// Captchas on pages: the display control `CaptchaControl` (Microsoft docs: display-control-captcha, add-captcha).
/// The page's script asks for a picture, has the answer checked, and only then posts the page.
extension Journey {
    /// Whether a page asks for one: its profile says so, and no feature flag in the bag says otherwise. The flags' names
    /// are fixed (`signinCaptchaEnabled` on the combined page, `mfaCaptchaEnabled` on the phone page,
    /// `signupCaptchaEnabled` on others); without a flag the profile decides (inferred).
    func asksForCaptcha(_ profile: TechnicalProfile, isCombined: Bool, _ turn: Turn) -> Bool {
        guard profile.metadata.bool("setting.enableCaptchaChallenge", default: false) else { return false }
        let flag =
            profile.handler == .phoneFactor
            ? "mfaCaptchaEnabled" : isCombined ? "signinCaptchaEnabled" : "signupCaptchaEnabled"
        guard let value = turn.policy.claimType(flag).flatMap({ claims[$0]?.text }) else { return true }
        return sameID(value, "true")
    }

    /// The page's error if no captcha was solved since the last accepted post. One solved picture allows one post
    /// (inferred).
    func unsolvedCaptcha(_ profile: TechnicalProfile, _ frame: PageFrame, _ turn: Turn) -> String? {
        guard !frame.hasSolvedCaptcha, asksForCaptcha(profile, isCombined: frame.selection != nil, turn) else {
            return nil
        }
        return "Enter the characters of the picture."
    }

    /// The script posts names of its own: those of the parts of the control, begun with a small letter (recorded).
    mutating func takeAnswer(to control: DisplayControl, _ form: FormItems, _ turn: Turn) {
        for display in control.displayClaims {
            guard let part = display.controlClaimType, !sameID(part, "ChallengeString") else { continue }
            let type = turn.policy[display.claim]
            let text = form[part.prefix(1).lowercased() + part.dropFirst()] ?? form[type.id] ?? ""
            claims[display.claim] = text.isEmpty ? nil : ClaimValue(text, as: type.dataType)
        }
    }

    /// The profiles of an action have succeeded: the script gets their output claims by their ids (recorded).
    mutating func pictured(
        _ control: DisplayControl, action: Int, _ frame: inout PageFrame, _ turn: Turn
    ) -> Move {
        guard control.actions.indices.contains(action) else { return .wait(.answer(.accepted)) }
        var answer = PageAnswer.accepted
        for item in control.actions[action].profiles {
            for output in turn.policy[item.profile].outputClaims {
                guard let text = claims[output.claim]?.text else { continue }
                answer.extra[turn.policy[output.claim].id] = .string(text)
            }
        }
        if sameID(control.actions[action].id, "VerifyChallenge") {
            let id = control.claim(as: "ChallengeId").flatMap { claims[$0]?.text }
            frame.hasSolvedCaptcha = id != nil && id == codes.captchas.solved
        }
        // The picture is the page's; nothing later reads it.
        if let picture = control.claim(as: "ChallengeString") { claims[picture] = nil }
        return .wait(.answer(answer))
    }
}
