import B2CProtocol

/// The second factor.
extension FlowOverlay {
    var asksSecondFactor: Bool { settings.mfa.when != .off && settings.type != .ropc }

    /// The profile that ends a second factor, whose session says that it has been passed.
    private var factorProfile: String {
        switch settings.mfa.method {
        case .sms, .call: "PhoneFactor-InputOrVerify"
        case .email: "EmailFactor-Verify"
        case .totp: "TotpFactor-Verify"
        }
    }

    mutating func addSecondFactor() {
        guard asksSecondFactor else { return }
        let mfa = settings.mfa
        if !mfa.session {
            profile(factorProfile, from: "mfa/session") { profile, make in
                profile.sessionProfile = make.reference("SM-Noop")
            }
        }
        switch mfa.method {
        case .sms, .call:
            profile("PhoneFactor-InputOrVerify", from: "mfa/method") { profile, make in
                profile.metadata.append(
                    make.item("setting.authenticationMode", mfa.method == .sms ? "sms" : "phone"))
            }
        case .email:
            let legacy = settings.emailVerification == .legacy
            profile("EmailFactor-Verify", from: "mfa/method") { profile, make in
                if legacy {
                    profile.outputClaims.append(make.claim("readOnlyEmail", partner: "Verified.Email", required: true))
                } else {
                    profile.displayClaims.append(make.shown(control: "emailVerificationControl-RO"))
                }
            }
            profile("EmailFactor-Verify", from: "mfa/maxTries") { profile, make in
                profile.metadata.append(make.item("setting.retryLimit", String(mfa.maxTries)))
            }
        case .totp:
            profile("TotpFactor-Verify", from: "mfa/maxTries") { profile, make in
                profile.metadata.append(make.item("setting.retryLimit", String(mfa.maxTries)))
            }
        }
    }

    /// The steps of the second factor. A password reset by e-mail address has just proven that address, so an e-mail
    /// factor adds nothing and is skipped (inferred).
    func addSecondFactorSteps(to steps: inout StepList) {
        guard asksSecondFactor else { return }
        if settings.type == .passwordReset, settings.mfa.method == .email { return }
        var skip: [ElementBuilder.Condition] = []
        if settings.mfa.when == .conditional {
            steps.run("ConditionalAccessEvaluation", "ConditionalAccessEvaluation")
            steps.run(
                "ConditionalAccessBlocked", "SelfAsserted-Blocked", skip: [.notTrue("caChallengeIsBlock")])
            skip = [.notTrue("caChallengeIsMfa")]
        }
        switch settings.mfa.method {
        case .sms, .call:
            steps.run("PhoneFactor", "PhoneFactor-InputOrVerify", skip: skip)
            steps.run(
                "WritePhoneNumber", "AAD-UserWritePhoneNumberUsingObjectId",
                skip: skip + [.notTrue("newPhoneNumberEntered")])
        case .email:
            steps.run("EmailFactor", "EmailFactor-Verify", skip: skip)
        case .totp:
            steps.run("TotpDevices", "AzureMfa-GetAvailableDevices", skip: skip)
            steps.run("TotpRegistration", "TotpFactor-Register", skip: skip + [.notTrue("totpNotRegistered")])
            steps.run("TotpFactor", "TotpFactor-Verify", skip: skip)
        }
        if settings.mfa.when == .conditional {
            steps.run("ConditionalAccessRemediation", "ConditionalAccessRemediation", skip: skip)
        }
    }
}
