import B2CProtocol
import HTTPMessages
import TrustFramework

/// Proving an address with a code: the built-in way of page layout 1.x, and display controls.
extension Journey {
    /// Purpose of the built-in codes among the journey's codes.
    static let emailPurpose = "Verified.Email"

    /// POST SelfAsserted, `request_type=VERIFICATION_REQUEST`: a code goes to the address.
    mutating func sendCode(
        _ form: FormItems, _ frame: inout PageFrame, in tenancy: inout Tenancy, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard let (field, texts, address) = verifiedField(form, frame, turn) else {
            return .refuse(.misfit("the page has no claim \(form["claim_id"] ?? "") to verify"))
        }
        let type = turn.policy[field.claim]
        let rules = FieldRules(texts: texts, policy: turn.policy, now: turn.now, page: frame.profile)
        if address.isEmpty || !FieldRules.isAddress(address) {
            return answer(texts.patternHelp(type) ?? "Enter a valid e-mail address.")
        }
        if type.userInputType != .readonly, let fault = try rules.fault(address, of: type) { return answer(fault) }
        let limits = turn.policy.personality.emailCodes
        let generated = codes.generate(
            purpose: Self.emailPurpose, address: address, rules: .init(limits), at: turn.now, random: &random)
        switch generated {
        case .code(let code):
            tenancy.outbox.send(CodeMessage.email(code, to: address, turn))
            frame.verified.removeAll { $0.claim == field.claim }
            return .wait(.answer(.accepted))
        case .throttled, .tooMany:
            return answer(texts.furniture("ver_fail_throttled") ?? "Too many codes were asked for. Try again later.")
        }
    }

    /// POST SelfAsserted, `request_type=VALIDATION_REQUEST`: the code that the person typed.
    mutating func checkCode(_ form: FormItems, _ frame: inout PageFrame, _ turn: inout Turn) -> Move {
        guard let (field, texts, address) = verifiedField(form, frame, turn) else {
            return .refuse(.misfit("the page has no claim \(form["claim_id"] ?? "") to verify"))
        }
        let result = codes.verify(
            purpose: Self.emailPurpose, address: address, code: form["user_input"] ?? "",
            rules: .init(turn.policy.personality.emailCodes), at: turn.now)
        switch result {
        case .accepted:
            frame.verified.removeAll { $0.claim == field.claim }
            frame.verified.append(ProvedClaim(claim: field.claim, value: address))
            return .wait(.answer(.accepted))
        case .wrong, .exhausted:
            if turn.policy.personality.isUserFlow, let handle = frame.profile,
                isLastFailure(&frame, turn.policy[handle])
            {
                return .wait(.answer(exhausted(frame, turn)))
            }
            if case .exhausted = result {
                return answer(texts.furniture("ver_fail_no_retry") ?? "Too many wrong codes. Ask for a new one.")
            }
            return answer(texts.furniture("ver_fail_retry") ?? "That code is incorrect. Please try again.")
        case .expired, .missing:
            return answer(texts.furniture("ver_fail_code_expired") ?? "That code has expired. Ask for a new one.")
        }
    }

    private func answer(_ message: String) -> Move { .wait(.answer(PageAnswer(status: "400", message: message))) }

    private func verifiedField(
        _ form: FormItems, _ frame: PageFrame, _ turn: Turn
    ) -> (field: ShownFields.ShownField, texts: PageTexts, address: String)? {
        guard let handle = frame.profile, let id = form["claim_id"] else { return nil }
        let profile = turn.policy[handle]
        let shown = ShownFields(profile, isCombined: frame.selection != nil, turn.policy)
        guard let field = shown.fields.first(where: { sameID(turn.policy[$0.claim].id, id) && $0.verify }) else {
            return nil
        }
        var address = (form["claim_value"] ?? "").trimmingSpaces
        let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
        if turn.policy[field.claim].userInputType == .readonly {
            address = shownValue(of: field.claim, inputs: profile.inputClaims, profile, texts, turn) ?? ""
        }
        return (field, texts, address)
    }

    // MARK: Display controls

    /// POST SelfAsserted/DisplayControlAction: runs the profiles of one action.
    mutating func act(
        on id: String, name: String, _ form: FormItems, _ frame: inout PageFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard let handle = frame.profile else {
            return .refuse(.misfit("the page has no display controls"))
        }
        if frame.phase == .exhausted { return .wait(.answer(exhausted(frame, turn))) }
        let profile = turn.policy[handle]
        let shown = ShownFields(profile, isCombined: frame.selection != nil, turn.policy)
        guard let control = shown.controls.first(where: { sameID(turn.policy[$0].id, id) }) else {
            return .refuse(.misfit("the page has no display control \(id)"))
        }
        let resolved = turn.policy[control]
        guard let action = resolved.actions.firstIndex(where: { sameID($0.id, name) }) else {
            return .refuse(.misfit("display control \(resolved.id) has no action \(name)"))
        }
        if frame.phase == .accepted { claims = frame.before }
        frame.before = claims
        frame.phase = .showing
        if resolved.type == .captcha {
            takeAnswer(to: resolved, form, turn)
            frame.phase = .acting(control, action)
            return .push(.list(ListFrame(.action(control, action), page: handle)))
        }
        let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
        let rules = FieldRules(texts: texts, policy: turn.policy, now: turn.now, page: handle)
        let inputs = resolved.inputClaims + profile.inputClaims
        for display in resolved.displayClaims {
            let type = turn.policy[display.claim]
            let isCode = display.claim == resolved.codeClaim
            if type.userInputType == .readonly || type.userInputType == .paragraph {
                if let text = shownValue(of: display.claim, inputs: inputs, profile, texts, turn) {
                    claims[display.claim] = ClaimValue(text, as: type.dataType)
                }
                continue
            }
            let text = (form[type.id] ?? "").trimmingSpaces
            // The code is not there yet when it is asked for.
            if isCode, sameID(name, "SendCode") { continue }
            if text.isEmpty {
                guard display.required || isCode else { continue }
                claims = frame.before
                return answer(
                    texts.message(
                        "UserMessageIfMissingRequiredElement", standard: "Missing required element: {0}", page: handle,
                        failed: nil, [texts.displayName(type)]))
            }
            if let fault = try rules.fault(text, of: type) {
                claims = frame.before
                return answer(fault)
            }
            claims[display.claim] = ClaimValue(text, as: type.dataType)
        }
        frame.phase = .acting(control, action)
        return .push(.list(ListFrame(.action(control, action), page: handle)))
    }

    /// The profiles of an action have succeeded.
    mutating func acted(
        _ control: DisplayControl, action: Int, _ frame: inout PageFrame, of profile: TechnicalProfile,
        _ turn: inout Turn
    ) -> Move {
        frame.phase = .showing
        if control.type == .captcha { return pictured(control, action: action, &frame, turn) }
        let isVerification =
            control.actions.indices.contains(action) && sameID(control.actions[action].id, "VerifyCode")
        if let carrier = control.carrierClaim {
            frame.verified.removeAll { $0.claim == carrier }
            if isVerification, let value = claims[carrier]?.text {
                frame.verified.append(ProvedClaim(claim: carrier, value: value))
            }
        }
        if let code = control.codeClaim { claims[code] = nil }
        return .wait(.answer(.accepted))
    }
}

extension OneTimeCodes.CodeRules {
    /// The limits that a policy's personality sets.
    init(_ limits: Personality.CodeLimits) {
        self.init(lifetime: limits.lifetime, maxTries: limits.maxTries, resendAfter: limits.resendAfter)
    }
}

/// Messages that carry a code.
enum CodeMessage {
    static func email(_ code: String, to address: String, _ turn: Turn) -> OutboxMessage {
        email(code, to: address, turn.call)
    }

    static func email(_ code: String, to address: String, _ call: JourneyCall) -> OutboxMessage {
        let tenant = call.environment.tenantDomain.split(separator: ".").first.map(String.init) ?? ""
        return OutboxMessage(
            kind: .email, to: address, subject: "\(tenant) account email verification code",
            text: "Your code is: \(code)", code: code, at: call.now)
    }

    /// What the picture of a challenge shows.
    static func captcha(_ code: String, of challenge: String, _ call: JourneyCall) -> OutboxMessage {
        OutboxMessage(
            kind: .captcha, to: challenge, text: "The picture of the captcha shows \(code).", code: code, at: call.now)
    }

    static func sms(
        _ code: String, to number: String, for company: String? = nil, _ call: JourneyCall
    ) -> OutboxMessage {
        let what = (company.map { $0 + " " } ?? "") + "authentication"
        return OutboxMessage(
            kind: .sms, to: number, text: "Use verification code \(code) for \(what).", code: code, at: call.now)
    }
}
