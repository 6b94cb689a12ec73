import B2CProtocol
import Browser
import Determinism
import HTTPMessages
import JSON
import TenantFiles

/// One policy of a capture, as settings of a user flow.
struct PolicyGuess {
    /// Id on the wire, in the letter case of the tenant where something shows it.
    var id: String
    /// Name in the tenant file.
    var name: String
    var type = PolicyType.signUpOrSignIn
    /// Why the type was chosen.
    var isByName = false
    var pages: [Flow.Page] = []
    /// Sequences of pages, a list a flow.
    var walks: [[String]] = []
    var isPasswordGrant = false
    /// An account was made, though nobody followed a link to do so.
    var opensWithSignUp = false
    var attributes: [String] = []
    var claims: [String] = []
    var hasClaims = false
    var tokens = JSONObject()
    var providers: [String] = []
    var signInName: String?
    var emailVerification: String?
    var forgotPassword: String?
    var secondFactor: String?
    /// A session that has passed the second factor is asked again.
    var asksFactorAgain = false
    /// Accounts may be marked to choose a new password.
    var forcesReset = false
    /// Some people are not let in, by their risk.
    var blocks = false
    /// Wrong codes until the journey ends, where one did.
    var maxTries: Int?
    /// Local pages ask for the characters of a picture.
    var hasCaptcha = false
    var requiresIDTokenAtLogout = false
    var remembers = false
    var languages: [String] = []
    /// Attributes that the pages asked for and user flows cannot.
    var unknownFields: [String] = []
    var unknownClaims: [String] = []

    /// A custom policy by its id: its XML is in no capture.
    var isCustom: Bool { id.lowercased().hasPrefix("b2c_1a_") }

    // MARK: Pages

    /// Learns from what was shown. Attributes keep the order of the pages.
    mutating func learn(_ page: Flow.Page) {
        pages.append(page)
        guard let settings = page.settings else { return }
        let flat = settings.fields.flatMap { $0.inputType == .displayControl ? [$0] + $0.displayFields : [$0] }
        if settings.language != "en", !languages.contains(settings.locale) { languages.append(settings.locale) }
        if settings.isOn("enableRememberMe") { remembers = true }
        if flat.contains(where: \.isCaptcha) { hasCaptcha = true }
        switch page.record.name {
        case "signIn":
            switch settings.config("operatingMode")?.lowercased() {
            case "username": signInName = "username"
            case "email", nil: break
            default: signInName = "either"
            }
            if let link = settings.config("forgotPasswordLinkOverride"), !link.isEmpty {
                forgotPassword = "inFlow"
            } else if settings.config("forgotPasswordLinkLocation")?.lowercased() == "none" {
                forgotPassword = "off"
            }
        case "signUp", "editProfile", "selfAsserted":
            let isSignUp = page.record.name == "signUp"
            if isSignUp || page.record.name == "verifyEmail" { learnVerification(flat) }
            for field in flat where !field.isReadOnly && !Self.isCredential(field) {
                if UserFlowAttribute.isAsked(field.id) {
                    if !attributes.contains(field.id) { attributes.append(field.id) }
                } else if !unknownFields.contains(field.id) {
                    unknownFields.append(field.id)
                }
            }
        case "verifyEmail": learnVerification(flat)
        case "mfa":
            let ids = flat.map { $0.id.lowercased() }
            if settings.api.lowercased() == "phonefactor" {
                secondFactor =
                    settings.config("authenticationMode")?.lowercased() == "phone" ? "call" : secondFactor ?? "sms"
            } else if ids.contains(where: { $0.contains("totp") || $0 == "otpcode" || $0.contains("qrcode") }) {
                secondFactor = "totp"
            } else {
                secondFactor = "email"
                if flat.contains(where: \.verify) { emailVerification = emailVerification ?? "legacy" }
            }
        default: break
        }
    }

    /// Learns from what was posted where the pages are missing: their fields and their ways to sign in.
    mutating func learn(postsOf flow: Flow) {
        if flow.acts.contains(where: \.remembers) { remembers = true }
        let shown = flow.pages.map(\.record.name)
        if shown.first == "mfa" { asksFactorAgain = true }
        if flow.pages.contains(where: \.isWall) { blocks = true }
        if flow.setsForcedPassword { forcesReset = true }
        let tries = flow.acts.filter { act in
            if case .verifyCode = act.kind {
                act.refusal != nil
            } else {
                act.isSubmit && act.refusal != nil && act.page?.record.name == "mfa"
            }
        }
        if let last = tries.firstIndex(where: { ["AADB2C90151", "AADB2C90157"].contains($0.refusal?.code) }) {
            maxTries = last + 1
        }
        guard flow.lacksPages else { return }
        // A person who chooses a password beside a name makes an account; a new password alone is for one that is there.
        var signsUp =
            flow.acts.first { $0.isSubmit }.map { act in
                guard case .submit(let form) = act.kind, act.page == nil else { return false }
                return CapturedTenant.password(in: form, new: true) != nil && CapturedTenant.signInName(in: form) != nil
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
                    forgotPassword = forgotPassword ?? "inFlow"
                }
            case .wrongCaptcha: continue
            case .provider: joins = true
            case .sendCode(let form, _) where act.isPhone:
                secondFactor =
                    secondFactor ?? (form["auth_type"]?.lowercased().contains("dial") ?? false ? "call" : "sms")
            case .sendCode(let form, _):
                asksCode = true
                // A display control has an address of its own; the field of older pages is named in the form.
                if act.control == nil, form["claim_id"] != nil { emailVerification = emailVerification ?? "legacy" }
            case .verifyCode: asksCode = true
            case .submit(let form):
                // Who comes from a provider is asked for the rest without a password.
                let setsPassword = CapturedTenant.password(in: form, new: true) != nil
                guard setsPassword || (joins && CapturedTenant.password(in: form) == nil) else {
                    learnSignInName(form, act)
                    continue
                }
                guard signsUp || joins else { continue }
                if setsPassword, !asksCode { emailVerification = emailVerification ?? "off" }
                for item in form.items where UserFlowAttribute.isAsked(item.name) && !attributes.contains(item.name) {
                    attributes.append(item.name)
                }
            }
        }
    }

    /// What people call themselves shows how the policy knows them; a name that was refused does not.
    private mutating func learnSignInName(_ form: FormItems, _ act: Flow.Act) {
        guard act.refusal == nil, CapturedTenant.password(in: form) != nil,
            let typed = CapturedTenant.signInName(in: form)
        else {
            return
        }
        let kind = typed.contains("@") ? "email" : "username"
        signInName = signInName.map { $0 == kind ? kind : "either" } ?? kind
    }

    private mutating func learnVerification(_ fields: [PageField]) {
        if fields.contains(where: { $0.verify }) {
            emailVerification = "legacy"
        } else if fields.contains(where: { $0.inputType == .displayControl }) {
            emailVerification = "displayControl"
        } else if fields.contains(where: { $0.id.lowercased().contains("email") }) {
            emailVerification = "off"
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
            type = .ropc
            return
        }
        let names = Set(pages.map(\.record.name))
        let starts = Set(walks.compactMap(\.first))
        let buttons = pages.filter { $0.record.name == "signIn" }.flatMap(\.record.buttons)
        if names.contains("editProfile") || (hasWord(["edit", "profile"]) && !names.contains("signUp")) {
            type = .profileEditing
        } else if starts.contains("verifyEmail") || starts.contains("newPassword") {
            type = .passwordReset
        } else if starts.contains("signUp") {
            type = .signUp
        } else if names.contains("signIn") {
            type = buttons.contains("createAccount") || names.contains("signUp") ? .signUpOrSignIn : .signIn
        } else if starts.contains("selfAsserted") {
            type = .profileEditing
        } else {
            decideByName()
        }
    }

    private mutating func decideByName() {
        if opensWithSignUp {
            type = .signUp
            return
        }
        isByName = true
        if hasWord(["reset", "forgot"]) {
            type = .passwordReset
        } else if hasWord(["susi", "signup_signin", "signupsignin", "signuporsignin", "signup_or_signin"]) {
            type = .signUpOrSignIn
        } else if hasWord(["signup", "sign_up", "register"]) {
            type = .signUp
        } else if hasWord(["ropc"]) {
            type = .ropc
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
                if !self.claims.contains(known.name) { self.claims.append(known.name) }
            } else if name.hasPrefix(UserFlowAttribute.customPrefix) {
                if !self.claims.contains(name) { self.claims.append(name) }
            } else if !unknownClaims.contains(name) {
                unknownClaims.append(name)
            }
        }
        if claims["acr"] != nil, claims["tfp"] == nil { tokens["policyClaim"] = "acr" }
        if claims["iss"]?.stringValue?.lowercased().contains("/tfp/") ?? false { tokens["issuer"] = "policy" }
        if claims["sub"]?.stringValue?.hasPrefix("Not supported") ?? false { tokens["subject"] = "notSupported" }
        if let start = (claims["nbf"] ?? claims["iat"])?.intValue, let end = claims["exp"]?.intValue {
            let lifetime = Timestamp(seconds: end) - Timestamp(seconds: start)
            learn("idToken", seconds: lifetime.wholeSeconds, usual: 3600)
        }
    }

    /// Learns a lifetime, where it is not the usual one.
    mutating func learn(_ member: String, seconds: Int64, usual: Int64) {
        guard seconds > 0, seconds != usual, seconds < 400 * 86_400 else { return }
        tokens[member] = .string("PT\(seconds)S")
    }

    // MARK: The tenant file

    /// What is left to say once everything is learnt.
    var notes: [String] {
        var notes: [String] = []
        if isCustom {
            notes.append(
                "\(id) is a custom policy, and its XML is in no capture: a user flow of type \(type.rawValue) "
                    + "replaces it. Put `\"type\": \"custom\", \"file\": \"YOUR.xml\"` in its place to play the real one."
            )
        }
        if isByName {
            notes.append("No page of \(id) is in the capture: its type, \(type.rawValue), was guessed from its name.")
        }
        for (what, names) in [
            ("Claims of \(id) that user flows of the mock do not return", unknownClaims),
            ("Fields on pages of \(id) that user flows of the mock do not ask for", unknownFields),
        ] where !names.isEmpty { notes.append("\(what): \(names.joined(separator: ", ")).") }
        if remembers {
            notes.append("How long \(id) keeps people signed in is in no capture; the tenant file says seven days.")
        }
        return notes
    }

    func json() -> JSONObject {
        var policy = JSONObject()
        policy["id"] = .string(id)
        policy["type"] = .string(type.rawValue)
        if signInName != "email" { policy["signInName"] = signInName.map { .string($0) } }
        if let emailVerification, emailVerification != "displayControl" {
            policy["emailVerification"] = .string(emailVerification)
        }
        policy["forgotPassword"] = forgotPassword.map { .string($0) }
        if !attributes.isEmpty { policy["attributes"] = .array(attributes.map { .string($0) }) }
        if hasClaims { policy["claims"] = .array(claims.map { .string($0) }) }
        if !providers.isEmpty { policy["providers"] = .array(providers.map { .string($0) }) }
        if let secondFactor = secondFactor ?? (blocks ? "sms" : nil) {
            var mfa: JSONObject = ["method": .string(secondFactor), "when": blocks ? "conditional" : "always"]
            if asksFactorAgain { mfa["session"] = false }
            if let maxTries, maxTries != 3 { mfa["maxTries"] = .integer(Int64(maxTries)) }
            policy["mfa"] = .object(mfa)
        }
        if forcesReset { policy["forcedReset"] = true }
        if hasCaptcha { policy["captcha"] = true }
        if requiresIDTokenAtLogout { policy["session"] = ["requireIdTokenInLogout": true] }
        if remembers { policy["keepSignedIn"] = "P7D" }
        if !languages.isEmpty { policy["languages"] = .array((["en"] + languages).map { .string($0) }) }
        if !tokens.isEmpty { policy["tokens"] = .object(tokens) }
        return policy
    }
}

extension UserFlowAttribute {
    /// Whether a field of this id is one of the attributes that a user flow asks for.
    static func isAsked(_ id: String) -> Bool {
        id != "email" && (named(id)?.isAttribute ?? id.hasPrefix(customPrefix))
    }
}
