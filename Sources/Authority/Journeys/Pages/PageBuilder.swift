import B2CProtocol
import HTTPMessages
import TrustFramework

extension Journey {
    /// The page as it is to be shown now.
    func page(_ frame: PageFrame, _ turn: Turn) throws(ProfileFailure) -> Page {
        let step = frame.selection.map { turn.policy[$0.journey].steps[$0.step] }
        let profile = frame.profile.map { turn.policy[$0] }
        guard let handle = step?.contentDefinition ?? profile?.contentDefinition else {
            throw .policyFault(
                .c90277, [String(self.step), "", turn.policy.id], detail: "step \(self.step) has no content definition")
        }
        let definition = turn.policy[handle]
        let texts = PageTexts(handle, turn.call)
        let api = frame.api(turn)
        var page = Page(
            api: api, step: self.step, contentDefinition: definition.id, technicalProfile: profile?.id ?? "",
            dataURI: definition.dataURI, templateURL: template(definition, turn),
            title: texts.furniture("heading") ?? definition.metadata["DisplayName"] ?? "", fields: [], providers: [],
            phones: [], config: [], strings: texts.content,
            retryLimit: profile?.metadata.int("setting.retryLimit") ?? 3, locale: texts.language,
            signUpExchange: nil, forgotPassword: .absent, showsKeepMeSignedIn: false,
            showsCancel: profile?.metadata.bool("setting.showCancelButton", default: true) ?? true,
            allowsScript: turn.policy.relyingParty.scriptExecution == .allow, message: nil)
        if let step { page.providers = choices(step, texts, turn) }
        switch api {
        case .combined:
            if let profile { try furnish(&page, combined: profile, signUp: signUpTarget(frame, turn), texts, turn) }
        case .selfAsserted:
            if let profile { try furnish(&page, selfAsserted: profile, texts, turn) }
        case .phoneFactor:
            if let profile { try furnish(&page, phone: profile, texts, turn) }
        case .providerSelection:
            break
        }
        return page
    }

    /// `LoadUri` with resolvers and content definition parameters.
    private func template(_ definition: ContentDefinition, _ turn: Turn) -> String {
        var url = Resolvers.fill(definition.loadURI, bag: claims, call: turn.call, profile: nil)
        var separator = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        for parameter in turn.policy.relyingParty.contentDefinitionParameters {
            let value = Resolvers.fill(parameter.value, bag: claims, call: turn.call, profile: nil)
            url += separator + PercentCoding.encodeComponent(parameter.key) + "=" + PercentCoding.encodeComponent(value)
            separator = "&"
        }
        return url
    }

    /// Buttons of the claims exchanges that a selection step offers.
    private func choices(_ step: OrchestrationStep, _ texts: PageTexts, _ turn: Turn) -> [PageChoice] {
        step.selections.compactMap { selection in
            guard case .exchange(let id, let handle) = selection.target else { return nil }
            let profile = turn.policy[handle]
            // The link for a forgotten password is drawn by its own setting, but its exchange is listed like the others.
            guard isEnabled(profile, turn) else { return nil }
            let type = profile.metadata["ClaimsProviderSelectionDisplayType"]
            return PageChoice(id: id, description: texts.button(id, profile), displayType: type)
        }
    }

    private func furnish(
        _ page: inout Page, combined profile: TechnicalProfile, signUp: ClaimsExchangeID?, _ texts: PageTexts,
        _ turn: Turn
    ) throws(ProfileFailure) {
        let metadata = profile.metadata
        page.fields = try fields(ShownFields(profile, isCombined: true, turn.policy), of: profile, texts, turn)
        if let handle = turn.policy.contentDefinition(page.contentDefinition), !turn.policy[handle].checksPredicates {
            for place in page.fields.indices { page.fields[place].inputValidation = nil }
        }
        page.signUpExchange = signUp
        let override = metadata["setting.forgotPasswordLinkOverride"]
        let place = metadata["setting.forgotPasswordLinkLocation"] ?? "AfterLabel"
        func flag(_ key: String, _ standard: Bool) -> String { Self.flag(metadata, key, standard) }
        page.forgotPassword = sameID(place, "None") ? .absent : override.map { .exchange($0) } ?? .legacy
        page.showsKeepMeSignedIn = keepsSignedIn(profile, turn)
        page.config = [
            ("showSignupLink", signUp == nil ? "False" : "True"),
            ("showHeading", flag("setting.showHeading", true)),
            ("sendHintOnSignup", flag("setting.sendHintOnSignup", false)),
            ("enableRememberMe", page.showsKeepMeSignedIn ? "True" : "False"),
            ("operatingMode", metadata["setting.operatingMode"] ?? "Username"),
            ("forgotPasswordLinkLocation", place),
        ]
        if let override { page.config.append(("forgotPasswordLinkOverride", override)) }
        tellOfCaptcha(&page)
    }

    /// A switch of a page as its script reads it, however the policy spells it.
    private static func flag(_ metadata: Metadata, _ key: String, _ standard: Bool) -> String {
        metadata.bool(key, default: standard) ? "True" : "False"
    }

    /// The box needs both the page's setting and a lifetime in the relying party.
    func keepsSignedIn(_ profile: TechnicalProfile, _ turn: Turn) -> Bool {
        profile.metadata.bool("setting.enableRememberMe", default: false)
            && turn.policy.sessionBehavior.keepAliveInDays > 0
    }

    private func furnish(
        _ page: inout Page, selfAsserted profile: TechnicalProfile, _ texts: PageTexts, _ turn: Turn
    ) throws(ProfileFailure) {
        let metadata = profile.metadata
        page.fields = try fields(ShownFields(profile, isCombined: false, turn.policy), of: profile, texts, turn)
        func flag(_ key: String, _ standard: Bool) -> String { Self.flag(metadata, key, standard) }
        page.config = [
            ("showCancelButton", page.showsCancel ? "True" : "False"),
            ("showContinueButton", flag("setting.showContinueButton", true)),
            ("operatingMode", metadata["setting.operatingMode"] ?? "Username"),
            ("includePasswordRequirements", flag("setting.includePasswordRequirements", true)),
        ]
        // The older way to label the button; a localised text comes first.
        if let label = metadata["language.button_continue"],
            !page.strings.contains(where: { $0.id == "button_continue" })
        {
            page.strings.append(("button_continue", label))
        }
        if let delay = metadata["setting.inputVerificationDelayTimeInMilliseconds"] {
            page.config.append(("inputVerificationDelayTimeInMilliseconds", delay))
        }
        tellOfCaptcha(&page)
    }

    /// The page's script asks for a picture where its settings say so (read from scripts that sign in without a
    /// browser).
    private func tellOfCaptcha(_ page: inout Page) {
        guard page.fields.contains(where: { $0.controlType == DisplayControlType.captcha.rawValue }) else { return }
        page.config.append(("enableCaptchaChallenge", "true"))
    }

    private func furnish(
        _ page: inout Page, phone profile: TechnicalProfile, _ texts: PageTexts, _ turn: Turn
    ) throws(ProfileFailure) {
        // Of display claims this page knows the captcha alone.
        page.fields = try fields(ShownFields(profile, isCombined: false, turn.policy), of: profile, texts, turn)
            .filter { $0.controlType == DisplayControlType.captcha.rawValue }
        page.phones = phoneNumbers(profile, turn).enumerated().map {
            PagePhone(id: $0.offset + 1, maskedNumber: ClaimMask.phone($0.element))
        }
        let limit = turn.policy.personality.mfaCodes.maxTries
        page.retryLimit = limit
        page.config = [
            ("authenticationMode", profile.metadata["setting.authenticationMode"] ?? "mixed"),
            (
                "manualPhoneNumberEntryAllowed",
                Self.flag(profile.metadata, "ManualPhoneNumberEntryAllowed", false)
            ),
            ("autodial", Self.flag(profile.metadata, "setting.autodial", false)),
            ("autosubmit", Self.flag(profile.metadata, "setting.autosubmit", true)),
            ("retryLimit", String(limit)), ("pollIntervalInMilliseconds", String(Journey.pollInterval.milliseconds)),
            ("pollLimit", String(Journey.pollLimit)),
            ("showCancelButton", page.showsCancel ? "True" : "False"),
        ]
        tellOfCaptcha(&page)
    }

    // MARK: Fields

    private func fields(
        _ shown: ShownFields, of profile: TechnicalProfile, _ texts: PageTexts, _ turn: Turn
    ) throws(ProfileFailure) -> [PageField] {
        var hinted = hint != nil && profile.handler == .selfAsserted
        var fields: [PageField] = []
        for item in shown.items {
            switch item {
            case .field(let field):
                var result = try self.field(field, inputs: profile.inputClaims, of: profile, texts, turn)
                if hinted, result.prefilled == nil, result.inputType == .emailBox || result.inputType == .textBox {
                    result.prefilled = hint
                    hinted = false
                }
                fields.append(result)
            case .control(let handle):
                if turn.policy[handle].type == .captcha,
                    !asksForCaptcha(profile, isCombined: shown.isCombined, turn)
                {
                    continue
                }
                var result = try control(turn.policy[handle], of: profile, texts, turn)
                if hinted, turn.policy[handle].type != .captcha, let first = result.displayFields.first,
                    first.prefilled == nil, !first.isReadOnly
                {
                    result.displayFields[0].prefilled = hint
                    hinted = false
                }
                fields.append(result)
            }
        }
        return fields
    }

    private func control(
        _ control: DisplayControl, of profile: TechnicalProfile, _ texts: PageTexts, _ turn: Turn
    ) throws(ProfileFailure) -> PageField {
        let inputs = control.inputClaims + profile.inputClaims
        var fields: [PageField] = []
        for display in control.displayClaims {
            let shown = ShownFields.ShownField(claim: display.claim, required: display.required, verify: false)
            fields.append(try field(shown, inputs: inputs, of: profile, texts, turn))
            // The page asks for its picture itself.
            if control.type == .captcha { fields[fields.count - 1].prefilled = nil }
        }
        return PageField(
            id: control.id,
            displayName: texts.text("DisplayControl", control.id, "title_text") ?? control.displayName
                ?? control.id,
            inputType: .displayControl, isRequired: control.type == .captcha, displayFields: fields,
            controlType: control.type.rawValue)
    }

    private func field(
        _ field: ShownFields.ShownField, inputs: [ProfileClaim], of profile: TechnicalProfile, _ texts: PageTexts,
        _ turn: Turn
    ) throws(ProfileFailure) -> PageField {
        let type = turn.policy[field.claim]
        let inputType = type.userInputType.map { PageInputType(rawValue: $0.rawValue) } ?? .textBox
        let isReadOnly = type.userInputType == .readonly || type.userInputType == .paragraph
        var prefilled: String?
        if type.userInputType != .password {
            prefilled = shownValue(of: field.claim, inputs: inputs, profile, texts, turn)
            if let text = prefilled { prefilled = Self.choosable(text, of: type, texts) }
            if let text = prefilled { prefilled = try ClaimMask.shown(text, of: type, turn.call.environment.switches) }
        }
        return PageField(
            id: type.id, displayName: texts.displayName(type), inputType: inputType, isRequired: field.required,
            isReadOnly: isReadOnly, verify: field.verify, prefilled: prefilled,
            pattern: type.pattern?.regularExpression,
            patternDescription: type.pattern == nil ? nil : texts.patternHelp(type), help: texts.help(type),
            options: texts.options(type).map { PageOption(value: $0.value, display: $0.text) },
            inputValidation: type.validation.map { validation(turn.policy[$0], texts, turn) })
    }

    /// What of a value can be shown as chosen: a box, a button or a line of a list stands for an option alone, and what is
    /// none of them is not shown.
    private static func choosable(_ text: String, of type: ClaimType, _ texts: PageTexts) -> String? {
        let options = texts.options(type).map(\.value)
        guard !options.isEmpty else { return text }
        switch type.userInputType {
        case .checkboxMultiSelect?:
            let known = text.split(separator: ",").map(String.init).filter { options.contains($0) }
            return known.isEmpty ? nil : known.joined(separator: ",")
        case .radioSingleSelect?, .dropdownSingleSelect?: return options.contains(text) ? text : nil
        default: return text
        }
    }

    /// The value a field starts with: the input claim's; of a read-only one else the bag's.
    func shownValue(
        of claim: ClaimTypeHandle, inputs: [ProfileClaim], _ profile: TechnicalProfile, _ texts: PageTexts,
        _ turn: Turn
    ) -> String? {
        if let input = inputs.first(where: { $0.claim == claim }) { return value(of: input, for: profile, turn)?.text }
        let type = turn.policy[claim].userInputType
        guard type == .readonly || type == .paragraph else {
            return texts.options(turn.policy[claim]).first { $0.selectByDefault }?.value
        }
        return claims[claim]?.text
    }

    private func validation(_ validation: PredicateValidation, _ texts: PageTexts, _ turn: Turn) -> PageInputValidation
    {
        PageInputValidation(
            groups: validation.groups.map { group in
                PagePredicateGroup(
                    id: group.id, help: texts.help(group, of: validation), matchAtLeast: group.matchAtLeast,
                    rejects: group.reject,
                    predicates: group.predicates.map { handle in
                        let predicate = turn.policy[handle]
                        let method: PagePredicate.Method =
                            switch predicate.method {
                            case .includesCharacters: .includesCharacters
                            case .matchesRegex: .matchesRegex
                            case .isLengthRange: .isLengthRange
                            case .isDateRange: .isDateRange
                            }
                        return PagePredicate(
                            id: predicate.id, method: method,
                            parameters: predicate.parameters.map { .init(name: $0.key, value: $0.value) },
                            help: texts.help(predicate))
                    })
            })
    }
}
