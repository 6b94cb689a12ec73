import B2CProtocol

/// The scenario language's names for pages and fields, found on whatever page is there.
enum PageNaming {
    /// Every page name a script may use.
    static let pageNames = [
        "signIn", "signUp", "editProfile", "verifyEmail", "newPassword", "providerSelection", "mfa", "consent",
        "selfAsserted", "provider", "signedOut", "document", "error",
    ]

    /// The name of a hosted page. The content definition decides where it is known; a live tenant does not say it, so
    /// the fields decide there (inferred from the pages recorded from live tenants).
    static func name(of settings: PageSettings, contentDefinition: String?) -> String {
        switch settings.api.lowercased() {
        case "combinedsigninandsignup": return "signIn"
        case "phonefactor": return "mfa"
        case "claimsproviderselection", "idpselector": return "providerSelection"
        default: break
        }
        let fields = settings.allFields
        let hasNewPassword = fields.contains { FieldPurpose.newPassword.ids.contains($0.id.lowercased()) }
        let hasPassword = fields.contains(where: \.isPassword)
        let secondFactor = fields.contains {
            ["otpcode", "totpverificationcode", "qrcodecontent", "totpqrcode", "readonlyemail", "emailmfa"].contains(
                $0.id.lowercased())
        }
        let definition = (contentDefinition ?? "").lowercased()
        switch definition {
        case let id where id.hasPrefix("api.localaccountsignup"): return "signUp"
        case let id where id.hasPrefix("api.socialccountsignup"): return "signUp"
        case let id where id.hasPrefix("api.localaccountsignin"): return "signIn"
        case let id where id.hasPrefix("api.selfasserted.profileupdate"): return "editProfile"
        case let id where id.hasPrefix("api.localaccountpasswordreset"):
            return hasNewPassword || hasPassword ? "newPassword" : "verifyEmail"
        default: break
        }
        if definition.contains("mfa") || definition.contains("totp") || secondFactor { return "mfa" }
        if definition.isEmpty {
            let verifies = fields.contains { $0.verify } || fields.contains(where: \.isDisplayControl)
            if hasNewPassword { return fields.count > 2 ? "signUp" : "newPassword" }
            if hasPassword { return "signIn" }
            if verifies { return "verifyEmail" }
        }
        return "selfAsserted"
    }
}

/// What a field is for, under whatever id a page has it.
enum FieldPurpose: String, CaseIterable {
    case username, password, newPassword, confirmPassword, email, phone, code, keepSignedIn, captcha

    /// Ids in lower case, as recorded from live tenants and in the starter pack.
    var ids: [String] {
        switch self {
        case .username:
            return [
                "signinname", "logonidentifier", "userid", "username", "signinnames.username",
                "signinnames.emailaddress",
                "email", "user",
            ]
        case .password: return ["password", "oldpassword"]
        case .newPassword: return ["newpassword"]
        case .confirmPassword: return ["reenterpassword", "confirmpassword"]
        case .email:
            return [
                "email", "emailaddress", "signinnames.emailaddress", "readonlyemail", "displayemailaddress", "emailmfa",
                "signinname", "logonidentifier",
            ]
        case .phone:
            return [
                "number", "phonenumber", "nationalnumber", "strongauthenticationphonenumber", "mobile",
                "displayphonenumber",
            ]
        case .code: return PageField.codeIDs
        case .keepSignedIn: return ["rememberme", "keepsignedin"]
        case .captcha: return ["captchacontrolchallengecode", "captchaentered"]
        }
    }
}
