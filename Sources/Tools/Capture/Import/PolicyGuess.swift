import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// One policy of a capture, as settings of a user flow.
struct PolicyGuess {
    /// What the tenant file says of it, as far as nothing else decides. The id is in the letter case of the tenant where
    /// something shows it.
    var settings = PolicySettings {
        $0.attributes = []
        $0.claims = []
    }
    /// The type was guessed from the name.
    private var isByName = false
    private var pages: [Flow.FlowPage] = []
    /// Sequences of pages, a list a flow.
    var walks: [[String]] = []
    var isPasswordGrant = false
    /// An account was made, though nobody followed a link to do so.
    private var opensWithSignUp = false
    private var hasClaims = false
    private(set) var signInName: SignInNameKind?
    private(set) var emailVerification: EmailVerification?
    var secondFactor: MFAMethod?
    /// Some people are not let in, by their risk.
    private var blocks = false
    /// Attributes that the pages asked for and user flows cannot.
    private var unknownFields: [String] = []
    private var unknownClaims: [String] = []

    var id: String { settings.id }

    init(id: String, name: String) {
        settings.id = id
        settings.name = name
    }

    /// Learns the id in the letter case of the tenant, which servers know; clients often write lower case.
    mutating func learn(id: String) {
        if settings.id == settings.id.lowercased(), id.lowercased() == settings.id { settings.id = id }
    }

    // MARK: Pages

    /// Learns from what was shown. Attributes keep the order of the pages.
    mutating func learn(_ page: Flow.FlowPage) {
        pages.append(page)
        guard let settings = page.settings else { return }
        let flat = settings.fields.flatMap { $0.inputType == .displayControl ? [$0] + $0.displayFields : [$0] }
        if settings.language != "en" {
            self.settings.languages = self.settings.languages ?? ["en"]
            self.settings.languages?.note(settings.locale)
        }
        if settings.isOn("enableRememberMe") { self.settings.keepSignedIn = Self.unseenLife }
        if flat.contains(where: { $0.isCaptcha || $0.isCaptchaControl }) { self.settings.captcha = true }
        switch page.record.name {
        case "signIn":
            switch settings.config("operatingMode")?.lowercased() {
            case "username": signInName = .username
            case "email", nil: break
            default: signInName = .either
            }
            if let link = settings.config("forgotPasswordLinkOverride"), !link.isEmpty {
                self.settings.forgotPassword = .inFlow
            } else if settings.config("forgotPasswordLinkLocation")?.lowercased() == "none" {
                self.settings.forgotPassword = .off
            }
        case "signUp", "editProfile", "selfAsserted":
            let isSignUp = page.record.name == "signUp"
            if isSignUp || page.record.name == "verifyEmail" { learnVerification(flat) }
            for field in flat where !field.isReadOnly && !Self.isCredential(field) {
                if UserFlowAttribute.isAsked(field.id) {
                    self.settings.attributes.note(field.id)
                } else {
                    unknownFields.note(field.id)
                }
            }
        case "verifyEmail": learnVerification(flat)
        case "mfa":
            let ids = flat.map { $0.id.lowercased() }
            if settings.api.lowercased() == "phonefactor" {
                secondFactor =
                    settings.config("authenticationMode")?.lowercased() == "phone" ? .call : secondFactor ?? .sms
            } else if ids.contains(where: { $0.contains("totp") || $0 == "otpcode" || $0.contains("qrcode") }) {
                secondFactor = .totp
            } else {
                secondFactor = .email
                if flat.contains(where: \.verify) { emailVerification = emailVerification ?? .legacy }
            }
        default: break
        }
    }

    /// Learns from what was posted where the pages are missing: their fields and their ways to sign in.
    mutating func learn(postsOf flow: Flow) {
        if flow.acts.contains(where: \.remembers) { settings.keepSignedIn = Self.unseenLife }
        walks.append(flow.pages.map(\.record.name))
        // A session that has passed the second factor is asked again.
        if walks.last?.first == "mfa" { settings.mfa.session = false }
        if flow.pages.contains(where: \.isWall) { blocks = true }
        if flow.setsForcedPassword { settings.forcedReset = true }
        let tries = flow.acts.filter { act in
            guard act.refusal != nil else { return false }
            if case .verifyCode = act.kind { return true }
            return act.isSubmit && act.page?.record.name == "mfa"
        }
        if let last = tries.firstIndex(where: { ["AADB2C90151", "AADB2C90157"].contains($0.refusal?.code) }) {
            settings.mfa.maxTries = last + 1
        }
        guard flow.lacksPages else { return }
        // A person who chooses a password beside a name makes an account; a new password alone is for one that is there.
        let first = flow.acts.first { $0.isSubmit }
        var signsUp =
            first?.page == nil
            && first?.submitted.map {
                CapturedTenant.password(in: $0, new: true) != nil && CapturedTenant.signInName(in: $0) != nil
            } ?? false
        if signsUp, !flow.signsUp { opensWithSignUp = true }
        var asksCode = false
        var joins = false
        for act in flow.acts where act.page == nil {
            switch act.kind {
            case .press(let button):
                signsUp = signsUp || button == "signUp"
                // The link leads to a claims exchange of the policy, or out of it.
                if button == "forgotPassword", act.exchange.request.url.queryItems["claimsexchange"] != nil {
                    if settings.forgotPassword == .redirect { settings.forgotPassword = .inFlow }
                }
            case .wrongCaptcha: continue
            case .provider: joins = true
            case .sendCode(let form, _) where act.isPhone:
                secondFactor = secondFactor ?? (Flow.PersonAction.isCall(form) ? .call : .sms)
            case .sendCode(let form, _):
                asksCode = true
                // A display control has an address of its own; the field of older pages is named in the form.
                if case .selfAsserted? = act.endpoint, form["claim_id"] != nil {
                    emailVerification = emailVerification ?? .legacy
                }
            case .verifyCode: asksCode = true
            case .submit(let form):
                // Who comes from a provider is asked for the rest without a password.
                let setsPassword = CapturedTenant.password(in: form, new: true) != nil
                guard setsPassword || (joins && CapturedTenant.password(in: form) == nil) else {
                    learnSignInName(form, act)
                    continue
                }
                guard signsUp || joins else { continue }
                if setsPassword, !asksCode { emailVerification = emailVerification ?? .off }
                for item in form.items where UserFlowAttribute.isAsked(item.name) {
                    settings.attributes.note(item.name)
                }
            }
        }
    }

    /// What people call themselves shows how the policy knows them; a name that was refused does not.
    private mutating func learnSignInName(_ form: FormItems, _ act: Flow.PersonAction) {
        guard act.refusal == nil, CapturedTenant.password(in: form) != nil,
            let typed = CapturedTenant.signInName(in: form)
        else {
            return
        }
        let kind = typed.contains("@") ? SignInNameKind.email : .username
        signInName = signInName ?? kind == kind ? kind : .either
    }

    private mutating func learnVerification(_ fields: [PageField]) {
        if fields.contains(where: { $0.verify }) {
            emailVerification = .legacy
        } else if fields.contains(where: { $0.inputType == .displayControl }) {
            emailVerification = .displayControl
        } else if fields.contains(where: { $0.id.lowercased().contains("email") }) {
            emailVerification = .off
        }
    }

    private static func isCredential(_ field: PageField) -> Bool {
        if [.password, .displayControl, .paragraph].contains(field.inputType) || field.isCaptcha { return true }
        let id = field.id.lowercased()
        return id.contains("verificationcode") || id == "otpcode" || id == "code"
            || [
                "email", "emailaddress", "signinname", "logonidentifier", "username", "userid", "readonlyemail",
                "newpassword", "reenterpassword", "signinnames.emailaddress",
            ].contains(id)
    }

    /// What the policy does: by its pages, else by the words in its name.
    mutating func decideType() {
        if isPasswordGrant {
            settings.type = .ropc
            return
        }
        let names = Set(pages.map(\.record.name))
        let starts = Set(walks.compactMap(\.first))
        let buttons = pages.filter { $0.record.name == "signIn" }.flatMap(\.record.buttons)
        if names.contains("editProfile") || (hasWord(["edit", "profile"]) && !names.contains("signUp")) {
            settings.type = .profileEditing
        } else if starts.contains("verifyEmail") || starts.contains("newPassword") {
            settings.type = .passwordReset
        } else if starts.contains("signUp") {
            settings.type = .signUp
        } else if names.contains("signIn") {
            settings.type = buttons.contains("createAccount") || names.contains("signUp") ? .signUpOrSignIn : .signIn
        } else if starts.contains("selfAsserted") {
            settings.type = .profileEditing
        } else {
            decideByName()
        }
    }

    private mutating func decideByName() {
        if opensWithSignUp {
            settings.type = .signUp
            return
        }
        isByName = true
        if hasWord(["reset", "forgot"]) {
            settings.type = .passwordReset
        } else if hasWord(["susi", "signup_signin", "signupsignin", "signuporsignin", "signup_or_signin"]) {
            settings.type = .signUpOrSignIn
        } else if hasWord(["signup", "sign_up", "register"]) {
            settings.type = .signUp
        } else if hasWord(["ropc"]) {
            settings.type = .ropc
        }
    }

    private func hasWord(_ words: [String]) -> Bool {
        let id = id.lowercased()
        return words.contains { id.contains($0) }
    }

    // MARK: Tokens

    /// Claims that every token has, whatever the policy is set to return.
    private static let own: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "auth_time", "ver", "tfp", "acr", "nonce", "at_hash", "c_hash", "azp",
        "scp", "tid", "jti", "rat",
    ]

    /// Learns which claims are returned, and in which form.
    mutating func learn(idToken claims: JSONObject) {
        hasClaims = true
        for name in claims.keys where !Self.own.contains(name) {
            if let known = UserFlowAttribute.all.first(where: { $0.isClaim && $0.tokenName == name }) {
                settings.claims.note(known.name)
            } else if name.hasPrefix(UserFlowAttribute.customPrefix) {
                settings.claims.note(name)
            } else {
                unknownClaims.note(name)
            }
        }
        if claims["acr"] != nil, claims["tfp"] == nil { settings.tokens.policyClaim = .acr }
        if claims["iss"]?.stringValue?.lowercased().contains("/tfp/") ?? false { settings.tokens.issuer = .policy }
        if claims["sub"]?.stringValue?.hasPrefix("Not supported") ?? false { settings.tokens.subject = .notSupported }
        if let start = (claims["nbf"] ?? claims["iat"])?.intValue, let end = claims["exp"]?.intValue {
            let lifetime = Timestamp(seconds: end) - Timestamp(seconds: start)
            learn(\.idToken, seconds: lifetime.wholeSeconds)
        }
    }

    /// Learns a lifetime, where it is not the usual one.
    mutating func learn(_ lifetime: WritableKeyPath<TokenSettings, TimeSpan>, seconds: Int64) {
        let span = TimeSpan.seconds(seconds)
        guard seconds > 0, span != TokenSettings()[keyPath: lifetime], seconds < 400 * 86_400 else { return }
        settings.tokens[keyPath: lifetime] = span
    }

    // MARK: The tenant file

    /// A custom policy by its id: its XML is in no capture.
    private var isCustom: Bool { id.lowercased().hasPrefix("b2c_1a_") }

    /// What is left to say once everything is learnt.
    var notes: [String] {
        var notes: [String] = []
        if isCustom {
            notes.append(
                "\(id) is a custom policy, and its XML is in no capture: a user flow of type \(settings.type.rawValue) "
                    + "replaces it. Put `\"type\": \"custom\", \"file\": \"YOUR.xml\"` in its place to play the real one."
            )
        }
        if isByName {
            notes.append(
                "No page of \(id) is in the capture: its type, \(settings.type.rawValue), was guessed from its name.")
        }
        for (what, names) in [
            ("Claims of \(id) that user flows of the mock do not return", unknownClaims),
            ("Fields on pages of \(id) that user flows of the mock do not ask for", unknownFields),
        ] where !names.isEmpty { notes.append("\(what): \(names.joined(separator: ", ")).") }
        if dropsCaptcha {
            notes.append(
                "Pages of \(id) verify addresses in the field itself and ask for a captcha, which user flows of the mock do not "
                    + "do together: the tenant file has no captcha.")
        }
        if settings.keepSignedIn != nil {
            notes.append("How long \(id) keeps people signed in is in no capture; the tenant file says seven days.")
        }
        return notes
    }

    /// Captchas came with display controls: no sign-up page of a user flow has one and verifies addresses in the field itself.
    private var dropsCaptcha: Bool { settings.captcha && emailVerification == .legacy }

    /// The entry in `policies`, as far as the capture decides it.
    var record: PolicySettings {
        var record = settings
        let usual = PolicySettings()
        record.signInName = signInName ?? usual.signInName
        record.emailVerification = emailVerification ?? usual.emailVerification
        if dropsCaptcha { record.captcha = false }
        if record.attributes.isEmpty { record.attributes = usual.attributes }
        if !hasClaims { record.claims = usual.claims }
        record.mfa.when = blocks ? .conditional : secondFactor == nil ? .off : .always
        record.mfa.method = secondFactor ?? .sms
        if record.mfa.when == .off { record.mfa = usual.mfa }
        return record
    }

    /// How long people stay signed in, which no capture shows.
    private static let unseenLife = TimeSpan.days(7)
}

extension [String] {
    /// Adds a name that is not in the list yet.
    mutating func note(_ name: String) {
        if !contains(name) { append(name) }
    }
}

extension UserFlowAttribute {
    /// Whether a field of this id is one of the attributes that a user flow asks for.
    static func isAsked(_ id: String) -> Bool {
        id != "email" && (named(id)?.isAttribute ?? id.hasPrefix(customPrefix))
    }
}
