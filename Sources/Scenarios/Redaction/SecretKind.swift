/// What sort of secret stands at a place of a report. The raw value begins its label: `<token 1>`.
package enum SecretKind: String, CaseIterable {
    case token
    case code
    case password
    case cookie
    case secret

    /// Below this many characters a secret is masked only where one is expected, not wherever the same text occurs.
    var shortestEverywhere: Int { self == .code ? 4 : 6 }

    /// The kind of the text at a place, judged by the names that lead there; `nil` where texts are no secrets.
    ///
    /// - Parameters:
    ///   - name: the member's own name.
    ///   - path: the names and indices above it, outermost first.
    package static func at(_ name: String, under path: [String]) -> SecretKind? {
        let word = plain(name)
        if let kind = byName(word) { return kind }
        switch word {
        case "code":
            // `code` is also the number of an error, so the place decides.
            return path.last.map(isCarrier) ?? false || path.contains("messages") ? .code : nil
        case "value":
            if path.contains("cookies") { return .cookie }
            if path.contains("fields"), let field = path.last { return fieldKind(plain(field)) }
            return nil
        default:
            return path.contains("fields") && path.last == "fields" ? fieldKind(word) : nil
        }
    }

    /// The kind of a parameter of a URL or a form, or of a member of JSON inside a text; `nil` where it is no secret.
    ///
    /// - Parameter value: What it says, where that is known yet.
    static func parameter(_ name: String, _ value: String? = nil) -> SecretKind? {
        let word = plain(name)
        if word == "code" { return .code }
        if let kind = byName(word) { return kind }
        // A switch is named after what it switches: `showPassword`.
        if isSetting(name, word) || ["true", "false"].contains(value?.lowercased()) { return nil }
        return fieldKind(word)
    }

    /// Whether a name is that of a page's setting or text, of a claim or of metadata that holds a word for a secret and
    /// no secret (b2c-protocol 3.1 and 3.2; custom-policies, metadata of technical profiles). Any other name with such a
    /// word is taken for a field.
    private static func isSetting(_ name: String, _ word: String) -> Bool {
        let lower = name.lowercased()
        return settings.contains(word) || lower.hasPrefix("error_") || lower.hasPrefix("requiredfield_")
            || lower.hasPrefix("usermessageif")
    }

    private static let settings: Set<String> = [
        "allowautofocusonpasswordfield", "continueonpasswordexpiration", "disablepasswordexpiration",
        "forcechangepasswordnextlogin", "forcechangepasswordnextsignin", "forcepasswordchange",
        "forcepasswordchangenextsignin", "forgotpassword", "forgotpasswordlink", "forgotpasswordlinklocation",
        "forgotpasswordlinkoverride", "includepasswordrequirements", "isforgotpassword", "passwordchange",
        "passwordexpired", "passwordpolicies", "passwordreset", "trimspacesinpassword",
    ]

    /// Whether a value can be a secret of this kind. `error?code=65001`, `Code=-50000` and `code=AADB2C90118` name errors:
    /// a grant is not a number, and a one-time code, which is one, travels under other names. The name of a policy or of a
    /// policy key is not a secret either, as in `PasswordReset=B2C_1_reset`.
    func admitsParameter(_ name: String, _ value: String) -> Bool {
        if value.lowercased().hasPrefix("b2c_1") { return false }
        guard self == .code, Self.plain(name) == "code" else { return true }
        return !Self.isErrorCode(value)
    }

    /// A number with or without a sign, a numbered error, or a word such as `ERR_NETWORK` or `invalid_grant`.
    private static func isErrorCode(_ value: String) -> Bool {
        // A sentence goes on after it: `code=-50000,`.
        var value = value[...]
        while let last = value.last, ",.):]".contains(last) { value = value.dropLast() }
        for prefix in ["AADB2C", "AADSTS", "IDX", "IDW", "-", "0x"] where value.hasPrefix(prefix) {
            let rest = value.dropFirst(prefix.count)
            return !rest.isEmpty && rest.allSatisfy { prefix == "0x" ? $0.isHexDigit : $0.isNumber }
        }
        if value.allSatisfy(\.isNumber) { return true }
        let letters = value.filter { $0 != "_" }
        return value.contains("_") && letters.allSatisfy { $0.isASCII && $0.isLetter }
            && (letters.allSatisfy(\.isUppercase) || letters.allSatisfy(\.isLowercase))
    }

    private static func byName(_ word: String) -> SecretKind? {
        switch word {
        case "accesstoken", "idtoken", "refreshtoken", "idtokenhint", "token", "assertion", "clientassertion",
            "logouttoken":
            .token
        case "verificationcode", "otpcode", "otp", "onetimecode", "verificationcodeentered", "usercode":
            .code
        case "password", "newpassword", "oldpassword", "currentpassword", "reenterpassword", "confirmpassword",
            "passwd", "pwd":
            .password
        case "clientsecret", "secret", "secrets", "totpsecret", "codeverifier", "xcsrftoken", "csrf", "csrftoken",
            "apikey", "privatekey", "ctx":
            .secret
        default:
            nil
        }
    }

    /// Fields of hosted pages, by id.
    private static func fieldKind(_ word: String) -> SecretKind? {
        if word.contains("password") { return .password }
        if word.contains("verificationcode") || word.contains("verinput") || word.contains("vercode") || word == "code"
        {
            return .code
        }
        return nil
    }

    /// The members directly in which `code` is a grant or a one-time code.
    private static func isCarrier(_ name: String) -> Bool {
        switch name {
        case "query", "form", "fragment", "response", "fields": true
        default: false
        }
    }

    /// A name without letter case, `_` and `-`: `client_secret` and `clientSecret` are one.
    private static func plain(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars where scalar != "_" && scalar != "-" {
            text += scalar.properties.lowercaseMapping
        }
        return text
    }
}
