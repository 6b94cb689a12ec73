import Determinism
import Records

/// `policies.NAME`.
public struct PolicySettings: TenantRecord {
    /// The name in the tenant file.
    public var name = ""
    public var id = ""
    public var type = PolicyType.signUpOrSignIn
    public var file: String?
    public var production: Bool?
    public var signInName = SignInNameKind.email
    public var emailVerification = EmailVerification.displayControl
    public var forgotPassword = ForgotPasswordMode.redirect
    public var attributes: [String] = ["displayName"]
    public var claims: [String] = ["displayName", "objectId", "emails"]
    public var providers: [String] = []
    public var mfa = MFASettings()
    public var keepSignedIn: TimeSpan?
    public var forcedReset = false
    public var captcha = false
    public var languages: [String]?
    /// Text packs by language: the texts of the tenant itself.
    public var texts: [TextPackFiles] = []
    /// The service's own look of the pages.
    public var pageTemplate = PageTemplate.oceanBlue
    /// Custom page content, in place of the page template.
    public var template: TemplateSettings?
    public var session = SessionSettings()
    public var tokens = TokenSettings()
    /// Why this policy cannot run yet; a scenario that uses it is refused with this text.
    public var unsupported: String?

    public init() {}

    package static let title = "policy"
    package static let summary = "One policy: the settings of a user flow, or where the XML of a custom policy is."
    package static let settings: [Setting<PolicySettings>] = {
        var table = SettingsTable<PolicySettings>()
        table.add("id", \.id, .nonEmpty, "Name on the wire, such as `B2C_1_susi`.", default: "the name of the entry")
        table.add("type", \.type, .word(), "What the policy does.")
        table.add(
            "file", \.file, .optionalText, "Path of the relying-party XML of a custom policy.",
            limit: .customPolicies("a user flow has no file"))
        table.add(
            "production", \.production, .optionalBool,
            "Errors of a custom policy are shown without detail, as in deployment mode Production.",
            default: "as the XML says; true for user flows",
            limit: .customPolicies("the service runs every user flow in production mode"))
        table.add(
            "signInName", \.signInName, .word(), "What names a local account.",
            limit: .userFlows(
                .withPages, "nobody types a sign-in name on its pages",
                xml: "the claims of its sign-in and sign-up pages"))
        table.add(
            "emailVerification", \.emailVerification, .word(), "How an e-mail address is proved.",
            limit: .userFlows(
                .withPages, "it has no page",
                xml: "a verification display control, or `PartnerClaimType=\"Verified.Email\"`"))
        table.add(
            "forgotPassword", \.forgotPassword, .word(), "What the link for a forgotten password does.",
            limit: .userFlows(
                .withSignIn, "it has no sign-in page",
                xml: "metadata `setting.forgotPasswordLinkOverride` or `setting.forgotPasswordLinkLocation`"))
        table.add(
            "attributes", \.attributes, .names(.claim),
            "Attributes asked at sign-up and profile editing, in page order.",
            limit: .userFlows(
                .withAttributes, "it asks for no attributes",
                xml: "the claims of its self-asserted technical profiles"))
        table.add(
            "claims", \.claims, .names(.claim), "Claims returned in tokens.",
            limit: .userFlows(.flows, "", xml: "`OutputClaims` of the relying party"))
        table.add(
            "providers", \.providers, .names(.provider), "Identity providers offered on the page.",
            limit: .userFlows(
                [.signUpOrSignIn, .signIn, .signUp, .profileEditing], "it offers no providers",
                xml: "`ClaimsProviderSelections` of a step and the technical profile of each provider"))
        table.add(
            "mfa", \.mfa, .record(), "The second factor.",
            limit: .userFlows(
                .withPages, "it has no page that could ask for a second factor",
                xml: "orchestration steps with the technical profile of the factor"))
        table.add(
            "keepSignedIn", \.keepSignedIn, .spanOr("off", "The page does not offer to keep the person signed in."),
            "Life of the session when the person chooses to stay signed in, in days.",
            limit: .userFlows(
                .withSignIn, "it has no sign-in page",
                xml: "metadata `setting.enableRememberMe` and `SingleSignOn` with `KeepAliveInDays`"))
        table.add(
            "forcedReset", \.forcedReset, .bool,
            "Accounts marked `forcePasswordChange` must set a new password at sign-in.",
            limit: .userFlows(
                .withSignIn, "nobody signs in with a password there",
                xml: "a step for accounts whose `passwordExpired` is true"))
        table.add(
            "captcha", \.captcha, .bool,
            "The sign-in and sign-up pages of local accounts ask for the characters of a picture.",
            limit: .userFlows(
                [.signUpOrSignIn, .signIn, .signUp, .profileEditing], "it has neither a sign-in nor a sign-up page",
                xml: "metadata `setting.enableCaptchaChallenge` and a `CaptchaControl`"))
        table.add(
            "languages", \.languages, .textsOr("off", "Language customization is off: pages are in English."),
            """
            Languages that the browser's preference gets; the first is the default. `ui_locales` gets others that have \
            texts too.
            """,
            limit: .userFlows(.withPages, "it has no page", xml: "`Localization` with `SupportedLanguages`"))
        table.add(
            "texts", \.texts, .textPacks,
            """
            Text packs by language code: files that the portal's "Download defaults" or Microsoft Graph give, one path \
            or a list of paths as seen from the tenant file. The page is the one that the file name carries, such as \
            `api.signuporsignin.de.json`; a file of another name counts for all pages. Without `languages` the pages are \
            in English and in the languages of the packs. A custom policy takes packs for the texts of the built-in base.
            """,
            limit: .policyPages)
        table.add(
            "pageTemplate", \.pageTemplate, .word(),
            "The page template of a user flow, as chosen under Page layouts in the portal; custom page content "
                + "(`template`) takes its place.",
            limit: .userFlows(
                .withPages, "it has no page",
                xml: "`LoadUri` of its content definitions, such as `~/tenant/templates/MSA/unified.cshtml`"))
        table.add(
            "template", \.template, .optionalRecord(), "Custom page content: an HTML page of your own.",
            limit: .policyPages)
        table.add(
            "session", \.session, .record(), "The single sign-on session.",
            limit: .userFlows(
                .withPages, "it has no single sign-on session", xml: "`UserJourneyBehaviors` of the relying party"))
        table.add("tokens", \.tokens, .record(), "Lifetimes and form of the tokens.")
        return table.rows
    }()
}

extension [PolicyType] {
    /// All but custom policies.
    static let flows: [PolicyType] = PolicyType.allCases.filter { $0 != .custom }
    /// User flows that show pages.
    static let withPages: [PolicyType] = flows.filter { $0 != .ropc }
    /// User flows with a sign-in page.
    static let withSignIn: [PolicyType] = [.signUpOrSignIn, .signIn, .profileEditing]
    /// User flows that ask for attributes.
    package static let withAttributes: [PolicyType] = [.signUpOrSignIn, .signUp, .profileEditing]
}

extension SettingLimit<SettingPlace> {
    /// For policies with pages. A custom policy names its template in the `LoadUri` of a content definition; here stands
    /// what the server of that address answers.
    fileprivate static let policyPages = SettingLimit(doc: "Not for `ropc`.") { place, _ in
        guard place.policyType == .ropc else { return nil }
        return SettingProblem(
            reason: "does nothing on a policy of type ropc: it has no page",
            remedy: "Remove it; it applies to every other type.")
    }
}
