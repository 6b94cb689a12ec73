import B2CProtocol

/// The pages of local accounts.
extension FlowOverlay {
    /// Whether people name their account by something else than an e-mail address.
    var usesIdentifier: Bool { settings.signInName != .email }
    var signInClaim: String { usesIdentifier ? "logonIdentifier" : "email" }
    var signInProfile: String {
        usesIdentifier ? "SelfAsserted-LocalAccountSignin-Identifier" : "SelfAsserted-LocalAccountSignin-Email"
    }
    var signUpProfile: String {
        switch settings.signInName {
        case .email: "LocalAccountSignUpWithLogonEmail"
        case .username: "LocalAccountSignUpWithLogonUsername"
        case .either: "LocalAccountSignUpWithLogonUsernameAndEmail"
        }
    }
    var discoveryProfile: String {
        settings.signInName == .username
            ? "LocalAccountDiscoveryUsingUserName" : "LocalAccountDiscoveryUsingEmailAddress"
    }

    static let signUpExchange = "SignUpWithLogonEmailExchange"
    static let forgotPasswordExchange = "ForgotPassword"

    var hasSignInPage: Bool {
        settings.type == .signUpOrSignIn || settings.type == .signIn || settings.type == .profileEditing
    }
    var hasSignUpPage: Bool { settings.type == .signUpOrSignIn || settings.type == .signUp }
    var resetsInFlow: Bool { hasSignInPage && settings.forgotPassword == .inFlow }

    /// The display control of the page that a password reset begins with. Copies of hosted pages and browser tests of
    /// tenants show both names; the first is the more frequent one.
    private var resetControl: String {
        tenant.resetSharesVerificationControl
            ? "emailVerificationControl" : "emailVerificationSSPRControl"
    }

    mutating func addPages() {
        if hasSignInPage { addSignInPage() }
        if hasSignUpPage {
            addVerification(to: signUpProfile, control: "emailVerificationControl", leading: signUpLeading)
            addAttributes(to: signUpProfile, required: true)
        }
        if settings.type == .passwordReset || resetsInFlow {
            addVerification(
                to: discoveryProfile, control: resetControl,
                leading: settings.signInName == .username ? ["logonIdentifier"] : [])
        }
        if settings.type == .profileEditing {
            addAttributes(to: "SelfAsserted-ProfileUpdate", required: false)
            if attributes.isEmpty { refuse("profile editing needs at least one attribute", at: "attributes") }
        }
        if asksForCaptcha { addCaptcha() }
    }

    // MARK: Captcha

    /// Whether pages of this flow ask for a captcha: those of local accounts do, where it is switched on (Microsoft
    /// docs: add-captcha).
    var asksForCaptcha: Bool { settings.captcha && (hasSignInPage || hasSignUpPage) }

    private mutating func addCaptcha() {
        if hasSignInPage {
            profile(signInProfile, from: "captcha") { profile, make in
                profile.metadata.append(make.item("setting.enableCaptchaChallenge", "true"))
                profile.displayClaims.append(make.shown(control: BuiltInPolicy.captchaControl))
            }
        }
        guard hasSignUpPage else { return }
        if settings.emailVerification == .legacy {
            refuse(
                "a sign-up page that verifies addresses in the field itself has no captcha",
                remedy: "Captchas are display controls, which came with page layout 2: set emailVerification to "
                    + "displayControl or off.", at: "captcha")
        }
        let fields = signUpLeading + ["email", "newPassword", "reenterPassword"] + attributes
        profile(signUpProfile, from: "captcha") { profile, make in
            profile.metadata.append(make.item("setting.enableCaptchaChallenge", "true"))
            // With one display claim a page shows display claims alone.
            if profile.displayClaims.isEmpty {
                profile.displayClaims = fields.map { make.shown(claim: $0, required: true) }
            }
            profile.displayClaims.append(make.shown(control: BuiltInPolicy.captchaControl))
        }
    }

    /// Fields above the e-mail address on the sign-up page.
    private var signUpLeading: [String] { usesIdentifier ? ["logonIdentifier"] : [] }

    private mutating func addSignInPage() {
        let login = usesIdentifier ? "login-NonInteractive-Identifier" : "login-NonInteractive-Email"
        let lookup = usesIdentifier ? "AAD-UserReadUsingSignInIdentifier" : "AAD-UserReadUsingSignInEmail"
        let signsUp = settings.type == .signUpOrSignIn
        let forgot = settings.forgotPassword
        let keeps = settings.keepSignedIn != nil
        let forced = settings.forcedReset
        profile(signInProfile, from: "type") { profile, make in
            profile.metadata.append(
                signsUp
                    ? make.item("SignUpTarget", Self.signUpExchange) : make.item("setting.showSignupLink", "false"))
            profile.validationProfiles.append(make.validation(login))
        }
        profile(signInProfile, from: "forgotPassword") { profile, make in
            switch forgot {
            case .redirect: break
            case .inFlow:
                profile.metadata.append(
                    make.item("setting.forgotPasswordLinkOverride", Self.forgotPasswordExchange))
            case .off: profile.metadata.append(make.item("setting.forgotPasswordLinkLocation", "None"))
            }
        }
        if keeps {
            profile(signInProfile, from: "keepSignedIn") { profile, make in
                profile.metadata.append(make.item("setting.enableRememberMe", "true"))
            }
        }
        guard forced else { return }
        profile("login-NonInteractive", from: "forcedReset") { profile, make in
            profile.inputClaims.append(make.claim("continueOnPasswordExpiration", value: "true", always: true))
            profile.outputClaims.append(make.claim("passwordExpired"))
        }
        profile(signInProfile, from: "forcedReset") { profile, make in
            profile.outputClaims.append(make.claim("passwordExpired"))
            // An expired password signs nobody in: it only says so. Who it was is read from the directory.
            profile.validationProfiles.append(make.validation(lookup, skip: [.absent("passwordExpired")]))
        }
    }

    /// Proves the e-mail address of a page.
    private mutating func addVerification(to id: String, control: String, leading: [String]) {
        let mode = settings.emailVerification
        let passwords = id == discoveryProfile ? [] : ["newPassword", "reenterPassword"]
        profile(id, from: "emailVerification") { profile, make in
            switch mode {
            case .legacy:
                profile.outputClaims.append(make.claim("email", partner: "Verified.Email"))
            case .displayControl:
                profile.displayClaims += leading.map { make.shown(claim: $0, required: true) }
                profile.displayClaims.append(make.shown(control: control))
                profile.displayClaims += passwords.map { make.shown(claim: $0, required: true) }
            case .off:
                profile.metadata.append(make.item("EnforceEmailVerification", "false"))
            }
        }
    }

    /// Asks for the attributes on a page, prefilled with what is known.
    mutating func addAttributes(to id: String, required: Bool) {
        let attributes = attributes
        profile(id, from: "attributes") { profile, make in
            profile.inputClaims += attributes.map { make.claim($0) }
            profile.outputClaims += attributes.map { make.claim($0, required: required ? true : nil) }
            if !profile.displayClaims.isEmpty {
                profile.displayClaims += attributes.map { make.shown(claim: $0, required: required ? true : nil) }
            }
        }
    }
}
