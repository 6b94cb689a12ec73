import Diagnostics
import TrustFramework

/// Metadata keys of technical profiles that are required, and the values that keys may have (Microsoft docs: the
/// articles on technical profiles, such as restful-technical-profile). The table of features lists all keys.
package enum MetadataKeys {
    enum Value {
        case boolean
        case number(ClosedRange<Int>)
        case words([String])
        /// Characters of codes, of which there is a least number.
        case codeCharacters
    }

    struct Key {
        let name: String
        let value: Value
        /// Whether the profile surely fails with another value.
        let isFatal: Bool
        let rule: String
    }

    /// Keys with a limited set of values, by kind of profile (`ProfileHandler.tableName`).
    static func keys(of handler: ProfileHandler) -> [Key] {
        switch handler {
        case .directory: directoryKeys
        case .oneTimePassword: oneTimePasswordKeys
        case .azureMfa: azureMfaKeys
        case .aadSspr: aadSsprKeys
        case .captcha: captchaKeys
        case .conditionalAccess: conditionalAccessKeys
        case .selfAsserted: selfAssertedKeys
        case .phoneFactor: phoneFactorKeys
        case .openIdConnectProvider, .oauth2Provider: providerKeys
        case .rest: restKeys
        case .jwtIssuer: jwtIssuerKeys
        case .samlProvider, .samlIssuer: samlKeys
        case .externalLoginSession: externalLoginSessionKeys
        default: []
        }
    }

    /// The words that a key of a profile may have, as far as they are known; empty: it is free text or a number.
    package static func words(of key: String, in handler: ProfileHandler) -> [String] {
        let documented = PolicyHygiene.restWords.first { handler == .rest && $0.key == key }
        if let documented { return documented.words }
        return switch keys(of: handler).first(where: { $0.name == key })?.value {
        case .boolean?: ["true", "false"]
        case .words(let words)?: words
        case .number?, .codeCharacters?, nil: []
        }
    }

    // Made once: a repository has thousands of profiles.

    private static let directoryKeys: [Key] = [
        key(
            "Operation", .words(["Read", "Write", "DeleteClaims", "DeleteClaimsPrincipal"]), isFatal: true, rule: "057"),
        key("RaiseErrorIfClaimsPrincipalDoesNotExist", .boolean, rule: "057"),
        key("RaiseErrorIfClaimsPrincipalAlreadyExists", .boolean, rule: "057"),
    ]

    private static let oneTimePasswordKeys: [Key] = [
        key("Operation", .words(["GenerateCode", "VerifyCode"]), isFatal: true, rule: "065"),
        key("CodeExpirationInSeconds", .number(60...1200), rule: "065"),
        key("CodeLength", .number(1...100), rule: "065"),
        key("CharacterSet", .codeCharacters, rule: "065"),
        key("NumRetryAttempts", .number(1...1000), rule: "065"),
        key("NumCodeGenerationAttempts", .number(1...1000), rule: "065"),
        key("ReuseSameCode", .boolean, rule: "065"),
    ]

    private static let azureMfaKeys: [Key] = [
        key(
            "Operation",
            .words(["OneWaySMS", "Verify", "GetAvailableDevices", "BeginVerifyOTP", "VerifyOTP"]), isFatal: true,
            rule: "065")
    ]

    private static let aadSsprKeys: [Key] = [
        key("Operation", .words(["SendCode", "VerifyCode"]), isFatal: true, rule: "065")
    ]

    private static let captchaKeys: [Key] = [
        key("Operation", .words(["GetChallenge", "VerifyChallenge"]), isFatal: true, rule: "065"),
        key("Brand", .words(["HIP"]), isFatal: true, rule: "065"),
    ]

    private static let conditionalAccessKeys: [Key] = [
        key("OperationType", .words(["Evaluation", "Remediation"]), isFatal: true, rule: "065"),
        key("Operation", .words(["Evaluation", "Remediation"]), isFatal: true, rule: "065"),
    ]

    private static let selfAssertedKeys: [Key] = [
        key("setting.showCancelButton", .boolean, rule: "055"),
        key("setting.showContinueButton", .boolean, rule: "055"),
        key("setting.showSignupLink", .boolean, rule: "055"),
        key("setting.enableRememberMe", .boolean, rule: "055"),
        key("setting.enableCaptchaChallenge", .boolean, rule: "055"),
        key("setting.retryLimit", .number(1...1000), rule: "055"),
        key("EnforceEmailVerification", .boolean, rule: "055"),
        key("AllowGenerationOfClaimsWithNullValues", .boolean, rule: "055"),
        key("IncludeClaimResolvingInClaimsHandling", .boolean, rule: "055"),
        key("setting.operatingMode", .words(["Username", "Email"]), rule: "055"),
        key(
            "setting.forgotPasswordLinkLocation", .words(["AfterLabel", "AfterInput", "AfterButtons", "None"]),
            rule: "055"),
        key("ClaimsProviderSelectionDisplayType", .words(["Button", "TextLink"]), rule: "055"),
    ]

    private static let phoneFactorKeys: [Key] = [
        key("ManualPhoneNumberEntryAllowed", .boolean, rule: "055"),
        key("setting.authenticationMode", .words(["sms", "phone", "mixed"]), rule: "055"),
        key("setting.autodial", .boolean, rule: "055"),
    ]

    private static let providerKeys: [Key] = [
        key("response_types", .words(["code", "id_token"]), rule: "061"),
        key("response_mode", .words(["form_post", "query"]), rule: "061"),
        key(
            "token_endpoint_auth_method",
            .words(["client_secret_post", "client_secret_basic", "private_key_jwt"]), rule: "061"),
        key("HttpBinding", .words(["GET", "POST"]), rule: "061"),
        key("UsePolicyInRedirectUri", .boolean, rule: "061"),
        key("DiscoverMetadataByTokenIssuer", .boolean, rule: "061"),
        key("SingleLogoutEnabled", .boolean, rule: "061"),
        key("AccessTokenResponseFormat", .words(["Default", "Json", "JsonP"]), rule: "061"),
    ]

    private static let restKeys: [Key] = [
        key("ResolveJsonPathsInJsonTokens", .boolean, rule: "063"),
        key("DebugMode", .boolean, rule: "063"),
        key("AllowInsecureAuthInProduction", .boolean, rule: "063"),
        key("IncludeClaimResolvingInClaimsHandling", .boolean, rule: "063"),
    ]

    // The documents give ranges and words, and do not say that others are refused.
    private static let jwtIssuerKeys: [Key] = [
        key("token_lifetime_secs", .number(300...86_400), rule: "066"),
        key("id_token_lifetime_secs", .number(300...86_400), rule: "066"),
        key("refresh_token_lifetime_secs", .number(86_400...7_776_000), rule: "066"),
        key("rolling_refresh_token_lifetime_secs", .number(86_400...31_536_000), rule: "066"),
        key("allow_infinite_rolling_refresh_token", .boolean, rule: "066"),
        key("SendTokenResponseBodyWithJsonNumbers", .boolean, rule: "066"),
        key("IssuanceClaimPattern", .words(["AuthorityAndTenantGuid", "AuthorityWithTfp"]), rule: "066"),
        key("AuthenticationContextReferenceClaimPattern", .words(["None", "PolicyId"]), rule: "066"),
    ]

    private static let samlKeys: [Key] = [
        key("WantsSignedRequests", .boolean, rule: "067"),
        key("WantsSignedAssertions", .boolean, rule: "067"),
        key("XmlSignatureAlgorithm", .words(["Sha1", "Sha256", "Sha384", "Sha512"]), rule: "067"),
    ]

    private static let externalLoginSessionKeys: [Key] = [key("AlwaysFetchClaimsFromProvider", .boolean, rule: "097")]

    private static func key(_ name: String, _ value: Value, isFatal: Bool = false, rule: String) -> Key {
        Key(name: name, value: value, isFatal: isFatal, rule: "B2C-POL-\(rule)")
    }

    /// What is wrong with a key's text; `nil` where nothing is, or where a tool fills it in.
    static func problem(_ text: String, _ value: Value) -> (message: String, corrected: String?)? {
        guard !isFilledLater(text) else { return nil }
        switch value {
        case .boolean:
            return ["true", "false", "0", "1"].contains(text.lowercased())
                ? nil : ("it is true or false", nearestName(text, among: ["true", "false"]))
        case .number(let range):
            guard let number = Int(text) else { return ("it is a whole number", nil) }
            return range.contains(number) ? nil : ("it goes from \(range.lowerBound) to \(range.upperBound)", nil)
        case .codeCharacters:
            let count = CodeCharacters.of(text).count
            return count >= CodeCharacters.least
                ? nil : ("it has at least \(CodeCharacters.least) different characters, and here are \(count)", nil)
        case .words(let words):
            // Some take several, such as "id_token code".
            let given = words.contains { $0.contains(" ") } ? [text] : text.split(separator: " ").map(String.init)
            guard let wrong = given.first(where: { word in !words.contains { sameID($0, word) } }) ?? emptyText(text)
            else { return nil }
            return ("it is one of \(words.joined(separator: ", "))", nearestName(wrong, among: words))
        }
    }

    private static func emptyText(_ text: String) -> String? { text.isEmpty ? text : nil }
}
