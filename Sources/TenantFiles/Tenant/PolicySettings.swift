import Determinism
import Records

/// One policy: the settings of a user flow, or where the XML of a custom policy is.
public struct PolicySettings: TenantRecord {
    /// The name in the tenant file.
    public var name: String
    /// Name on the wire, such as `B2C_1_susi`.
    public var id: String
    /// What the policy does.
    public var type: PolicyType
    /// Path of the relying-party XML of a custom policy.
    public var file: String?
    /// Errors of a custom policy are shown without detail, as in deployment mode Production.
    public var production: Bool?
    /// What names a local account.
    public var signInName: SignInNameKind
    /// How an e-mail address is proved.
    public var emailVerification: EmailVerification
    /// What the link for a forgotten password does.
    public var forgotPassword: ForgotPasswordMode
    /// Attributes asked at sign-up and profile editing, in page order.
    public var attributes: [String]
    /// Claims returned in tokens.
    public var claims: [String]
    /// Identity providers offered on the page.
    public var providers: [String]
    /// The second factor.
    public var mfa: MFASettings
    /// Life of the session when the person chooses to stay signed in, in days.
    public var keepSignedIn: TimeSpan?
    /// Accounts marked `forcePasswordChange` must set a new password at sign-in.
    public var forcedReset: Bool
    /// The sign-in and sign-up pages of local accounts ask for the characters of a picture.
    public var captcha: Bool
    /// Languages in which the pages are available; the first is the default.
    public var languages: [String]?
    /// Text packs by language: the texts of a tenant of one's own.
    public var texts: [TextPackFiles]
    /// The service's own look of the pages.
    public var pageTemplate: PageTemplate
    /// Custom page content, in place of the page template.
    public var template: TemplateSettings?
    /// The single sign-on session.
    public var session: SessionSettings
    /// Lifetimes and form of the tokens.
    public var tokens: TokenSettings
    /// Why this policy cannot run yet; a scenario that uses it is refused with this text.
    public var unsupported: String?

    public init(
        name: String = "",
        id: String = "",
        type: PolicyType = .signUpOrSignIn,
        file: String? = nil,
        production: Bool? = nil,
        signInName: SignInNameKind = .email,
        emailVerification: EmailVerification = .displayControl,
        forgotPassword: ForgotPasswordMode = .redirect,
        attributes: [String] = ["displayName"],
        claims: [String] = ["displayName", "objectId", "emails"],
        providers: [String] = [],
        mfa: MFASettings = MFASettings(),
        keepSignedIn: TimeSpan? = nil,
        forcedReset: Bool = false,
        captcha: Bool = false,
        languages: [String]? = nil,
        texts: [TextPackFiles] = [],
        pageTemplate: PageTemplate = .oceanBlue,
        template: TemplateSettings? = nil,
        session: SessionSettings = SessionSettings(),
        tokens: TokenSettings = TokenSettings(),
        unsupported: String? = nil
    ) {
        self.name = name
        self.id = id
        self.type = type
        self.file = file
        self.production = production
        self.signInName = signInName
        self.emailVerification = emailVerification
        self.forgotPassword = forgotPassword
        self.attributes = attributes
        self.claims = claims
        self.providers = providers
        self.mfa = mfa
        self.keepSignedIn = keepSignedIn
        self.forcedReset = forcedReset
        self.captcha = captcha
        self.languages = languages
        self.texts = texts
        self.pageTemplate = pageTemplate
        self.template = template
        self.session = session
        self.tokens = tokens
        self.unsupported = unsupported
    }

    package static let title = "policy"
    package static let summary = "One policy: the settings of a user flow, or where the XML of a custom policy is."
    package static let initial = PolicySettings()
    package static let settings: [Setting<PolicySettings>] = {
        var table = SettingsTable<PolicySettings>()
        table.add(
            "id", \.id, .nonEmpty,
            "Name on the wire, such as `B2C_1_susi`.",
            default: "the name of the entry")
        table.add(
            "type", \.type, .word(),
            "What the policy does.")
        table.add(
            "file", \.file, .optionalText,
            "Path of the relying-party XML of a custom policy.",
            limit: .customPolicies("a user flow has no file"))
        table.add(
            "production", \.production, .optionalBool,
            "Errors of a custom policy are shown without detail, as in deployment mode Production.",
            default: "as the XML says; true for user flows",
            limit: .customPolicies("the service runs every user flow in production mode"))
        table.add(
            "signInName", \.signInName, .word(),
            "What names a local account.",
            limit: .userFlows(
                .withPages, "nobody types a sign-in name on its pages",
                xml: "the claims of its sign-in and sign-up pages"))
        table.add(
            "emailVerification", \.emailVerification, .word(),
            "How an e-mail address is proved.",
            limit: .userFlows(
                .withPages, "it has no page",
                xml: "a verification display control, or `PartnerClaimType=\"Verified.Email\"`"))
        table.add(
            "forgotPassword", \.forgotPassword, .word(),
            "What the link for a forgotten password does.",
            limit: .userFlows(
                .withSignIn, "it has no sign-in page",
                xml: "metadata `setting.forgotPasswordLinkOverride` or `setting.forgotPasswordLinkLocation`"))
        table.add(
            "attributes", \.attributes, .names(.claim),
            "Attributes asked at sign-up and profile editing, in page order.",
            limit: .userFlows(
                [.signUpOrSignIn, .signUp, .profileEditing], "it asks for no attributes",
                xml: "the claims of its self-asserted technical profiles"))
        table.add(
            "claims", \.claims, .names(.claim),
            "Claims returned in tokens.",
            limit: .userFlows(
                .flows, "", xml: "`OutputClaims` of the relying party"))
        table.add(
            "providers", \.providers, .names(.provider),
            "Identity providers offered on the page.",
            limit: .userFlows(
                [.signUpOrSignIn, .signIn, .signUp, .profileEditing], "it offers no providers",
                xml: "`ClaimsProviderSelections` of a step and the technical profile of each provider"))
        table.add(
            "mfa", \.mfa, .record(),
            "The second factor.",
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
            "Languages in which the pages are available; the first is the default.",
            limit: .userFlows(
                .withPages, "it has no page", xml: "`Localization` with `SupportedLanguages`"))
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
            "template", \.template, .optionalRecord(),
            "Custom page content: an HTML page of your own.",
            limit: .policyPages)
        table.add(
            "session", \.session, .record(),
            "The single sign-on session.",
            limit: .userFlows(
                .withPages, "it has no single sign-on session", xml: "`UserJourneyBehaviors` of the relying party"))
        table.add(
            "tokens", \.tokens, .record(),
            "Lifetimes and form of the tokens.")
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
}

extension SettingLimit<SettingPlace> {
    /// For policies with pages. A custom policy names its template in the `LoadUri` of a content definition; here stands
    /// what the server of that address answers.
    fileprivate static let policyPages = SettingLimit(doc: "Not for `ropc`.") { place, _ in
        guard place.policy?.type == .ropc else { return nil }
        return SettingProblem(
            reason: "does nothing on a policy of type ropc: it has no page",
            remedy: "Remove it; it applies to every other type.")
    }
}
