import B2CProtocol
import HTTPMessages
import TrustFramework

/// Posts of self-asserted and combined pages (Microsoft docs: self-asserted-technical-profile).
extension Journey {
    /// The page itself is posted: fields are checked, laid over the bag, and the validation profiles run.
    mutating func submit(
        _ form: FormItems, _ frame: inout PageFrame, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard let handle = frame.profile else { return .refuse(.misfit("the page takes no posts")) }
        let profile = turn.policy[handle]
        // A post after an accepted one starts from the claims before that one.
        if frame.phase == .accepted { claims = frame.before }
        frame.before = claims
        frame.phase = .showing
        let shown = ShownFields(profile, isCombined: frame.selection != nil, turn.policy)
        let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
        if let fault = try take(form, as: shown, on: frame, of: profile, texts, turn) {
            claims = frame.before
            return .wait(.answer(PageAnswer(status: "400", message: fault)))
        }
        frame.hasSolvedCaptcha = false
        guard !profile.validationProfiles.isEmpty else { return accept(&frame, profile, &turn) }
        frame.phase = .validating
        return .push(.list(ListFrame(.validation(handle), page: handle)))
    }

    func contentDefinition(of frame: PageFrame, _ turn: Turn) -> ContentDefinitionHandle? {
        frame.selection.flatMap { turn.policy[$0.journey].steps[$0.step].contentDefinition }
            ?? frame.profile.flatMap { turn.policy[$0].contentDefinition }
    }

    private mutating func accept(_ frame: inout PageFrame, _ profile: TechnicalProfile, _ turn: inout Turn) -> Move {
        let defaults = deliver(PartnerClaims(), for: profile, turn)
        if !turn.call.environment.switches.outputTransformationsOnLeave {
            do throws(ProfileFailure) {
                try transform(profile.outputTransformations, for: profile, page: frame.profile, &turn)
            } catch {
                return .failed(error)
            }
            keepOutputs(of: profile, frame, turn)
            persistSession(profile, turn)
        }
        var given: [TracedClaim] = []
        for output in profile.outputClaims where turn.policy[output.claim].userInputType != .password {
            guard let value = claims[output.claim] else { continue }
            let isDefault = defaults.contains { $0.claim == output.claim }
            let isEntered = frame.opened?[output.claim] != value && asks(for: output.claim, profile, frame, turn.policy)
            given.append(TracedClaim(output.claim, value, from: isDefault ? .default : isEntered ? .page : .bag))
        }
        note(profile, validation: false, out: given, &turn)
        frame.phase = .accepted
        return .wait(.answer(.accepted))
    }

    /// Whether somebody can enter a claim on a page, in a field or in a display control.
    private func asks(
        for claim: ClaimTypeHandle, _ profile: TechnicalProfile, _ frame: PageFrame, _ policy: ResolvedPolicy
    ) -> Bool {
        guard let type = policy[claim].userInputType, ![.readonly, .paragraph, .button].contains(type) else {
            return false
        }
        if frame.selection != nil { return true }
        guard profile.displayClaims.isEmpty else {
            return profile.displayClaims.contains { display in
                switch display.target {
                case .claim(let shown): shown == claim
                case .control(let control): policy[control].displayClaims.contains { $0.claim == claim }
                }
            }
        }
        return !profile.validationProfiles.contains { validation in
            policy[validation.profile].outputClaims.contains { $0.claim == claim }
        }
    }

    /// Counts a failed try of a page; true when there are no more.
    func isLastFailure(_ frame: inout PageFrame, _ profile: TechnicalProfile) -> Bool {
        frame.failures += 1
        guard let limit = profile.metadata.int("setting.retryLimit"), frame.failures >= limit else { return false }
        frame.phase = .exhausted
        return true
    }

    /// In user flows a wrong code of the e-mail factor counts as a failed try of its page (docs/bugs.md, B135). Of uploaded
    /// policies the documents count what validation profiles refuse, and nothing more.
    private func provesCode(_ control: DisplayControl, _ action: Int, _ turn: Turn) -> Bool {
        turn.policy.personality.isUserFlow && control.actions.indices.contains(action)
            && sameID(control.actions[action].id, "VerifyCode")
    }

    /// The validation profiles or a display control's action are done.
    mutating func validated(
        _ frame: inout PageFrame, _ result: Result<Void, ProfileFailure>, _ turn: inout Turn
    ) throws(ProfileFailure) -> Move {
        guard let handle = frame.profile else { return .refuse(.misfit("nothing was to be validated")) }
        let profile = turn.policy[handle]
        let phase = frame.phase
        switch result {
        case .success:
            guard case .acting(let control, let action) = phase else { return accept(&frame, profile, &turn) }
            return acted(turn.policy[control], action: action, &frame, of: profile, &turn)
        case .failure(let failure):
            if failure.fatal != nil { return .failed(failure) }
            claims = frame.before
            frame.phase = .showing
            let texts = PageTexts(contentDefinition(of: frame, turn), turn.call)
            if case .validating = phase {
                note(profile, validation: false, failure: failure, &turn)
                if isLastFailure(&frame, profile) { return .wait(.answer(exhausted(frame, turn))) }
            }
            if case .acting(let control, let action) = phase, provesCode(turn.policy[control], action, turn),
                isLastFailure(&frame, profile)
            {
                return .wait(.answer(exhausted(frame, turn)))
            }
            return .wait(
                .answer(
                    PageAnswer(status: "400", code: failure.code, message: texts.message(failure, page: handle))))
        }
    }

    // MARK: Fields

    /// Lays the posted fields over the bag; what is wrong with the first bad one, in the page's language.
    private mutating func take(
        _ form: FormItems, as shown: ShownFields, on frame: PageFrame, of profile: TechnicalProfile, _ texts: PageTexts,
        _ turn: Turn
    ) throws(ProfileFailure) -> String? {
        var rules = FieldRules(texts: texts, policy: turn.policy, now: turn.now, page: frame.profile)
        if shown.isCombined {
            if sameID(profile.metadata["setting.operatingMode"] ?? "", "Email") {
                rules.addressClaim = shown.fields.first?.claim
            }
            rules.checksPredicates = contentDefinition(of: frame, turn).map { turn.policy[$0].checksPredicates } ?? true
        }
        for item in shown.items {
            switch item {
            case .field(let field):
                if let fault = try take(
                    field, from: form, inputs: profile.inputClaims, on: frame, of: profile, rules, turn)
                {
                    return fault
                }
            case .control(let handle):
                if let fault = try take(turn.policy[handle], from: form, on: frame, of: profile, rules, turn) {
                    return fault
                }
            }
        }
        return mismatch(form, texts)
    }

    /// The page script compares the two passwords; so does the server.
    private func mismatch(_ form: FormItems, _ texts: PageTexts) -> String? {
        guard let again = form["reenterPassword"], let first = form["newPassword"] ?? form["password"],
            again != first
        else { return nil }
        return texts.furniture("error_passwordEntryMismatch") ?? "The passwords do not match."
    }

    private mutating func take(
        _ field: ShownFields.ShownField, from form: FormItems, inputs: [ProfileClaim], on frame: PageFrame,
        of profile: TechnicalProfile, _ rules: FieldRules, _ turn: Turn
    ) throws(ProfileFailure) -> String? {
        let type = turn.policy[field.claim]
        let texts = rules.texts
        if type.userInputType == .readonly || type.userInputType == .paragraph {
            // The client cannot change it: the value is the one that was shown.
            if let text = shownValue(of: field.claim, inputs: inputs, profile, texts, turn) {
                claims[field.claim] = ClaimValue(text, as: type.dataType)
            } else if field.required, type.userInputType == .readonly {
                return missing(type, texts, frame)
            }
        } else {
            let posted = form.all(type.id)
            var text =
                type.userInputType == .checkboxMultiSelect
                ? inOrder(posted, of: type, texts) : posted.first?.trimmedUnlessPassword(type) ?? ""
            // A masked text that comes back unchanged means the value behind the mask.
            if type.mask != nil, !text.isEmpty,
                let value = shownValue(of: field.claim, inputs: inputs, profile, texts, turn),
                try ClaimMask.shown(value, of: type, turn.call.environment.switches) == text
            {
                text = value
            }
            if text.isEmpty {
                if field.required { return missing(type, texts, frame) }
                let standard = !turn.call.environment.switches.emptyFieldsMakeNoClaim
                if profile.metadata.bool("AllowGenerationOfClaimsWithNullValues", default: standard) {
                    claims[field.claim] = type.dataType == .string ? .text("") : nil
                }
            } else {
                if let fault = try rules.fault(text, of: type) { return fault }
                claims[field.claim] = ClaimValue(text, as: type.dataType)
            }
        }
        if field.verify, let text = claims[field.claim]?.text, !isProved(field.claim, text, frame) {
            return texts.message(
                "UserMessageIfClaimNotVerified", standard: "Claim not verified: {0}", page: frame.profile, failed: nil,
                [texts.displayName(type)])
        }
        return nil
    }

    private mutating func take(
        _ control: DisplayControl, from form: FormItems, on frame: PageFrame, of profile: TechnicalProfile,
        _ rules: FieldRules, _ turn: Turn
    ) throws(ProfileFailure) -> String? {
        let texts = rules.texts
        if control.type == .captcha { return unsolvedCaptcha(profile, frame, turn) }
        let inputs = control.inputClaims + profile.inputClaims
        for display in control.displayClaims where display.claim != control.codeClaim {
            let field = ShownFields.ShownField(claim: display.claim, required: display.required, verify: false)
            if let fault = try take(field, from: form, inputs: inputs, on: frame, of: profile, rules, turn) {
                return fault
            }
        }
        guard control.type == .verification, let carrier = control.carrierClaim else { return nil }
        if let text = claims[carrier]?.text, isProved(carrier, text, frame) { return nil }
        return texts.message(
            "UserMessageIfVerificationControlClaimsNotVerified", standard: "Verify the claim first: {0}",
            page: frame.profile, failed: nil, [texts.displayName(turn.policy[carrier])])
    }

    private func missing(_ type: ClaimType, _ texts: PageTexts, _ frame: PageFrame) -> String {
        texts.message(
            "UserMessageIfMissingRequiredElement", standard: "Missing required element: {0}", page: frame.profile,
            failed: nil, [texts.displayName(type)])
    }

    /// Chosen values in the order of the claim's choices, as one text.
    private func inOrder(_ posted: [String], of type: ClaimType, _ texts: PageTexts) -> String {
        let chosen = posted.flatMap { $0.split(separator: ",").map(String.init) }
        let known = texts.options(type).map(\.value)
        return (known.filter { chosen.contains($0) } + chosen.filter { !known.contains($0) }).joined(separator: ",")
    }

    func isProved(_ claim: ClaimTypeHandle, _ value: String, _ frame: PageFrame) -> Bool {
        frame.verified.contains { $0.claim == claim && $0.value.lowercased() == value.lowercased() }
    }
}

extension String {
    /// Without surrounding white space, unless it is a password.
    fileprivate func trimmedUnlessPassword(_ type: ClaimType) -> String {
        type.userInputType == .password ? self : trimmingSpaces
    }
}
