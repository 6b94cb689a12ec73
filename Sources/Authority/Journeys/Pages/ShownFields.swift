import TrustFramework

/// What a page asks for (Microsoft docs: self-asserted-technical-profile). With display claims these are shown, else the
/// output claims that a person can type and that nothing else supplies. The combined page shows at most two, and the
/// captcha that it names among its display claims.
struct ShownFields {
    struct ShownField {
        var claim: ClaimTypeHandle
        var required: Bool
        /// Must be proved by a code sent to it (`Verified.Email`).
        var verify: Bool
    }

    enum Item {
        case field(ShownField)
        case control(DisplayControlHandle)
    }

    let items: [Item]
    let isCombined: Bool

    init(_ profile: TechnicalProfile, isCombined: Bool, _ policy: ResolvedPolicy) {
        self.isCombined = isCombined
        let enforces = profile.metadata.bool("EnforceEmailVerification", default: true)
        func isVerified(_ claim: ClaimTypeHandle) -> Bool {
            enforces
                && profile.outputClaims.contains {
                    $0.claim == claim && sameID($0.partnerName ?? "", "Verified.Email")
                }
        }
        let showsCaptcha = profile.metadata.bool("setting.enableCaptchaChallenge", default: false)
        if !isCombined, !profile.displayClaims.isEmpty {
            items = profile.displayClaims.compactMap { display in
                switch display.target {
                case .control(let control):
                    return policy[control].type == .captcha && !showsCaptcha ? nil : .control(control)
                case .claim(let claim):
                    let required =
                        display.required || profile.outputClaims.contains { $0.claim == claim && $0.required }
                    return .field(ShownField(claim: claim, required: required, verify: isVerified(claim)))
                }
            }
            return
        }
        var supplied: [ClaimTypeHandle] = []
        for validation in profile.validationProfiles {
            supplied += policy[validation.profile].outputClaims.map(\.claim)
        }
        var fields: [Item] = []
        for output in profile.outputClaims {
            // On the combined page a name that is required is asked for even where a validation profile returns it too.
            guard policy[output.claim].userInputType != nil, output.defaultValue == nil,
                isCombined && output.required || !supplied.contains(output.claim)
            else { continue }
            fields.append(
                .field(
                    ShownField(
                        claim: output.claim, required: output.required,
                        verify: !isCombined && isVerified(output.claim))))
            if isCombined, fields.count == 2 { break }
        }
        if isCombined, showsCaptcha {
            fields += profile.displayClaims.compactMap { display in
                if case .control(let control) = display.target, policy[control].type == .captcha {
                    .control(control)
                } else {
                    nil
                }
            }
        }
        items = fields
    }

    /// Plain fields, without those inside display controls.
    var fields: [ShownField] {
        items.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    var controls: [DisplayControlHandle] {
        items.compactMap { if case .control(let control) = $0 { control } else { nil } }
    }
}
