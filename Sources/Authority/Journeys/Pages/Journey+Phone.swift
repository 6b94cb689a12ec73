import B2CProtocol
import Determinism
import HTTPMessages
import TrustFramework

/// The phone page (Microsoft docs: phone-factor-technical-profile; the posts were recorded by others from live pages).
extension Journey {
    static let phonePurpose = "PhoneFactor"
    /// How often a page asks whether a call was answered, and how long it waits in between (settings of live pages).
    static let pollLimit = 20
    static let pollInterval = TimeSpan.seconds(5)

    /// Numbers on file: text inputs of the profile other than the user's id.
    func phoneNumbers(_ profile: TechnicalProfile, _ turn: Turn) -> [String] {
        profile.inputClaims.compactMap { input in
            guard !sameID(input.wireName, "UserId"), let number = value(of: input, for: profile, turn)?.text,
                !number.isEmpty
            else { return nil }
            return number
        }
    }

    func checkNumbers(_ profile: TechnicalProfile, _ turn: Turn) throws(ProfileFailure) {
        if phoneNumbers(profile, turn).isEmpty, !profile.metadata.bool("ManualPhoneNumberEntryAllowed", default: false)
        {
            throw .ending(
                JourneyFailure(
                    .redirect(error: OAuthErrorName.serverError), code: .c90145,
                    detail: "no phone number on file and none may be entered"))
        }
    }

    /// POST Phonefactor/verify.
    mutating func postPhone(
        _ form: FormItems, _ frame: inout PageFrame, in tenancy: inout Tenancy, _ turn: inout Turn
    ) -> Move {
        guard let handle = frame.profile else { return .refuse(.misfit("the page takes no posts")) }
        let profile = turn.policy[handle]
        switch form["request_type"] {
        case "VERIFICATION_REQUEST": return contact(form, &frame, of: profile, in: &tenancy, &turn)
        case "VALIDATION_REQUEST": return checkPhone(form, &frame, of: profile, &turn)
        default: return .refuse(.misfit("request_type \(form["request_type"] ?? "") is unknown"))
        }
    }

    private mutating func contact(
        _ form: FormItems, _ frame: inout PageFrame, of profile: TechnicalProfile, in tenancy: inout Tenancy,
        _ turn: inout Turn
    ) -> Move {
        let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
        let known = phoneNumbers(profile, turn)
        let number: String
        let isNew: Bool
        if let place = form["id"].flatMap({ Int($0) }), place >= 1, place <= known.count {
            number = known[place - 1]
            isNew = false
        } else if sameID(form["id"] ?? "", "UserAsserted"), known.isEmpty {
            number = (form["number"] ?? "").filter { $0 == "+" || $0.isNumber }
            isNew = true
        } else {
            return answer("400", texts.furniture("invalid_number") ?? "Please enter a valid phone number")
        }
        let digits = number.dropFirst()
        guard number.hasPrefix("+"), (7...15).contains(digits.count), digits.allSatisfy(\.isNumber) else {
            return answer("448", texts.furniture("error_448") ?? "The phone number you provided is unreachable.")
        }
        let mode = (profile.metadata["setting.authenticationMode"] ?? "mixed").lowercased()
        let calls = form["auth_type"] == "dialphone"
        guard mode == "mixed" || (mode == "phone") == calls else {
            return answer("400", texts.furniture("error_tryagain") ?? "This way of verifying is not offered.")
        }
        let shown = ShownFields(profile, isCombined: false, turn.policy)
        if shown.controls.contains(where: { turn.policy[$0].type == .captcha }),
            let fault = unsolvedCaptcha(profile, frame, turn)
        {
            return answer("400", fault)
        }
        frame.hasSolvedCaptcha = false
        let generated = codes.generate(
            purpose: Self.phonePurpose, address: number, rules: .init(turn.policy.personality.mfaCodes), at: turn.now,
            random: &random)
        guard case .code(let code) = generated else {
            let key = calls ? "error_phone_throttled" : "error_sms_throttled"
            return answer("429", texts.furniture(key) ?? "Too many requests. Try again later.")
        }
        frame.phone.number = number
        frame.phone.isNew = isNew
        frame.phone.isCalling = calls
        frame.phone.polls = 0
        frame.phase = .showing
        if calls {
            tenancy.outbox.send(
                OutboxMessage(
                    kind: .call, to: number, text: "Press the pound key to finish signing in.", at: turn.now))
        } else {
            tenancy.outbox.send(CodeMessage.sms(code, to: number, turn.call))
        }
        return .wait(.answer(.accepted))
    }

    private mutating func checkPhone(
        _ form: FormItems, _ frame: inout PageFrame, of profile: TechnicalProfile, _ turn: inout Turn
    ) -> Move {
        let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
        guard let number = frame.phone.number else {
            return answer("400", texts.furniture("error_tryagain") ?? "No number has been chosen.")
        }
        if frame.phone.isCalling {
            guard turn.call.environment.unansweredPhones.contains(number) else {
                return acceptPhone(number, &frame, of: profile, &turn)
            }
            frame.phone.polls += 1
            if frame.phone.polls >= Self.pollLimit { return exhaustPhone(&frame, turn) }
            return answer("449", texts.furniture("error_449") ?? "User has exceeded the number of retry attempts.")
        }
        let rules = OneTimeCodes.CodeRules(turn.policy.personality.mfaCodes)
        let result = codes.verify(
            purpose: Self.phonePurpose, address: number, code: form["verification_code"] ?? "", rules: rules,
            at: turn.now)
        switch result {
        case .accepted:
            return acceptPhone(number, &frame, of: profile, &turn)
        case .exhausted:
            return exhaustPhone(&frame, turn)
        case .wrong, .expired, .missing:
            frame.phone.failures += 1
            if frame.phone.failures >= rules.maxTries { return exhaustPhone(&frame, turn) }
            return answer("449", texts.furniture("error_incorrect_code") ?? "That code is wrong.")
        }
    }

    private func exhaustPhone(_ frame: inout PageFrame, _ turn: Turn) -> Move {
        frame.phase = .exhausted
        var answer = exhausted(frame, turn)
        answer.status = "449"
        return .wait(.answer(answer))
    }

    private mutating func acceptPhone(
        _ number: String, _ frame: inout PageFrame, of profile: TechnicalProfile, _ turn: inout Turn
    ) -> Move {
        frame.before = claims
        var returned = PartnerClaims([("Verified.OfficePhone", .text(number))])
        // Only for a number that was typed: journeys keep the number if the claim is present (inferred from the starter
        // packs; Microsoft docs: phone-factor-technical-profile).
        if frame.phone.isNew { returned.append("newPhoneNumberEntered", .boolean(true)) }
        let out = deliver(returned, for: profile, turn)
        note(profile, validation: false, out: out, &turn)
        frame.phase = .accepted
        return .wait(.answer(.accepted))
    }

    private func answer(_ status: String, _ message: String) -> Move {
        .wait(.answer(PageAnswer(status: status, message: message)))
    }
}
