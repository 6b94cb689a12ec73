import Determinism
import JSON

/// What a policy does for a person.
public enum PolicyType: String, SettingWord {
    /// Signs in an existing account or creates a new one (the combined page).
    case signUpOrSignIn
    /// Signs in existing accounts only; the page has no sign-up link.
    case signIn
    /// Creates an account; begins with the sign-up page.
    case signUp
    /// Signs in, then shows the attributes of the account for editing.
    case profileEditing
    /// Proves the e-mail address, then sets a new password.
    case passwordReset
    /// Answers the resource owner password grant; has no pages.
    case ropc
    /// A custom policy: its XML says what happens.
    case custom

    public var doc: String {
        switch self {
        case .signUpOrSignIn:
            "Signs in an existing account or creates a new one (the combined page)."
        case .signIn:
            "Signs in existing accounts only; the page has no sign-up link."
        case .signUp:
            "Creates an account; begins with the sign-up page."
        case .profileEditing:
            "Signs in, then shows the attributes of the account for editing."
        case .passwordReset:
            "Proves the e-mail address, then sets a new password."
        case .ropc:
            "Answers the resource owner password grant; has no pages."
        case .custom:
            "A custom policy: its XML says what happens."
        }
    }
}

/// What a person types to name a local account.
public enum SignInNameKind: String, SettingWord {
    /// Local accounts are named by e-mail address.
    case email
    /// Local accounts are named by user name.
    case username
    /// The sign-in page takes a user name or an e-mail address.
    case either

    public var doc: String {
        switch self {
        case .email:
            "Local accounts are named by e-mail address."
        case .username:
            "Local accounts are named by user name."
        case .either:
            "The sign-in page takes a user name or an e-mail address."
        }
    }
}

/// How a page proves that an e-mail address belongs to the person.
public enum EmailVerification: String, SettingWord {
    /// The page has the display control of page layout 2.x: SendCode and VerifyCode actions.
    case displayControl
    /// The field itself is verified, as page layout 1.x does: VERIFICATION_REQUEST and VALIDATION_REQUEST.
    case legacy
    /// Addresses are taken as typed.
    case off

    public var doc: String {
        switch self {
        case .displayControl:
            "The page has the display control of page layout 2.x: SendCode and VerifyCode actions."
        case .legacy:
            "The field itself is verified, as page layout 1.x does: VERIFICATION_REQUEST and VALIDATION_REQUEST."
        case .off:
            "Addresses are taken as typed."
        }
    }
}

/// What the link for a forgotten password does.
public enum ForgotPasswordMode: String, SettingWord {
    /// Goes back to the app with AADB2C90118; the app then calls its password reset policy.
    case redirect
    /// Resets the password inside the same journey.
    case inFlow
    /// The page has no such link.
    case off

    public var doc: String {
        switch self {
        case .redirect:
            "Goes back to the app with AADB2C90118; the app then calls its password reset policy."
        case .inFlow:
            "Resets the password inside the same journey."
        case .off:
            "The page has no such link."
        }
    }
}

/// The second factor that a policy asks for.
public enum MFAMethod: String, SettingWord {
    /// A code in a text message.
    case sms
    /// A phone call that the person answers.
    case call
    /// A code in an e-mail.
    case email
    /// A code of an authenticator app (RFC 6238).
    case totp

    public var doc: String {
        switch self {
        case .sms:
            "A code in a text message."
        case .call:
            "A phone call that the person answers."
        case .email:
            "A code in an e-mail."
        case .totp:
            "A code of an authenticator app (RFC 6238)."
        }
    }
}

/// When a policy asks for the second factor.
public enum MFAWhen: String, SettingWord {
    /// Never.
    case off
    /// When conditional access finds the sign-in risky; the risk is an input of the script.
    case conditional
    /// At every sign-in and sign-up.
    case always

    public var doc: String {
        switch self {
        case .off:
            "Never."
        case .conditional:
            "When conditional access finds the sign-in risky; the risk is an input of the script."
        case .always:
            "At every sign-in and sign-up."
        }
    }
}

/// Which sign-ins share one single sign-on session (Microsoft docs: session-behavior).
public enum SessionScope: String, SettingWord {
    /// All apps and policies of the tenant.
    case tenant
    /// One app, all its policies.
    case application
    /// One policy, all apps.
    case policy
    /// No session: every request asks again.
    case suppressed

    public var doc: String {
        switch self {
        case .tenant:
            "All apps and policies of the tenant."
        case .application:
            "One app, all its policies."
        case .policy:
            "One policy, all apps."
        case .suppressed:
            "No session: every request asks again."
        }
    }
}

/// What happens to a refresh token that was already redeemed.
public enum RefreshTokenReuse: String, SettingWord {
    /// It works until it expires (inferred: B2C does not document it).
    case allow
    /// It is refused with AADB2C90129.
    case reject

    public var doc: String {
        switch self {
        case .allow:
            "It works until it expires (inferred: B2C does not document it)."
        case .reject:
            "It is refused with AADB2C90129."
        }
    }
}

/// The form of the `iss` claim (Microsoft docs: configure-tokens).
public enum IssuerForm: String, SettingWord {
    /// `https://{host}/{tenant id}/v2.0/`, the default.
    case tenant
    /// `https://{host}/tfp/{tenant id}/{policy}/v2.0/`, which satisfies OpenID Connect Discovery.
    case policy

    public var doc: String {
        switch self {
        case .tenant:
            "`https://{host}/{tenant id}/v2.0/`, the default."
        case .policy:
            "`https://{host}/tfp/{tenant id}/{policy}/v2.0/`, which satisfies OpenID Connect Discovery."
        }
    }
}

/// The claim that names the policy in a token.
public enum PolicyClaim: String, SettingWord {
    /// Claim `tfp`, in the letter case of the policy.
    case tfp
    /// Claim `acr`, in lower case.
    case acr

    public var doc: String {
        switch self {
        case .tfp:
            "Claim `tfp`, in the letter case of the policy."
        case .acr:
            "Claim `acr`, in lower case."
        }
    }
}

/// The content of the `sub` claim of a user flow.
public enum SubjectForm: String, SettingWord {
    /// The object id of the account.
    case objectId
    /// A constant text that refers to the `oid` claim, as old user flows send it.
    case notSupported

    public var doc: String {
        switch self {
        case .objectId:
            "The object id of the account."
        case .notSupported:
            "A constant text that refers to the `oid` claim, as old user flows send it."
        }
    }
}

/// The second factor of a policy.
public struct MFASettings: SettingsRecord {
    /// The second factor.
    public var method: MFAMethod
    /// When it is asked for.
    public var when: MFAWhen
    /// A single sign-on session that has passed the second factor is not asked again.
    public var session: Bool
    /// Wrong codes until the journey ends.
    public var maxTries: Int
    /// Time that must pass until another code is sent; earlier requests are refused as throttled.
    public var resendAfter: TimeSpan
    /// Time for which a code is good.
    public var codeLifetime: TimeSpan

    public init(
        method: MFAMethod = .sms,
        when: MFAWhen = .off,
        session: Bool = true,
        maxTries: Int = 3,
        resendAfter: TimeSpan = .seconds(30),
        codeLifetime: TimeSpan = .minutes(20)
    ) {
        self.method = method
        self.when = when
        self.session = session
        self.maxTries = maxTries
        self.resendAfter = resendAfter
        self.codeLifetime = codeLifetime
    }

    static let title = "second factor"
    static let summary = "The second factor of a policy."
    static let initial = MFASettings()
    static let settings: [Setting<MFASettings>] = {
        var table = SettingsTable<MFASettings>()
        table.add(
            "method", \.method, .word(),
            "The second factor.")
        table.add(
            "when", \.when, .word(),
            "When it is asked for.")
        table.add(
            "session", \.session, .bool,
            "A single sign-on session that has passed the second factor is not asked again.")
        table.add(
            "maxTries", \.maxTries, .integer(1...100),
            "Wrong codes until the journey ends.")
        table.add(
            "resendAfter", \.resendAfter, .span,
            "Time that must pass until another code is sent; earlier requests are refused as throttled.")
        table.add(
            "codeLifetime", \.codeLifetime, .span,
            "Time for which a code is good.")
        return table.rows
    }()
}

/// Custom HTML for the pages of a policy.
public struct TemplateSettings: SettingsRecord {
    /// Address of the template.
    public var url: String
    /// The server of the template sends CORS headers, without which a browser may not load it.
    public var cors: Bool
    /// HTTP status with which the template is answered.
    public var status: Int

    public init(
        url: String = "",
        cors: Bool = true,
        status: Int = 200
    ) {
        self.url = url
        self.cors = cors
        self.status = status
    }

    static let title = "page template"
    static let summary = "Custom HTML for the pages of a policy."
    static let initial = TemplateSettings()
    static let settings: [Setting<TemplateSettings>] = {
        var table = SettingsTable<TemplateSettings>()
        table.add(
            "url", \.url, .url,
            "Address of the template.",
            required: true)
        table.add(
            "cors", \.cors, .bool,
            "The server of the template sends CORS headers, without which a browser may not load it.")
        table.add(
            "status", \.status, .integer(100...599),
            "HTTP status with which the template is answered.")
        return table.rows
    }()
}

/// Single sign-on session of a policy (Microsoft docs: session-behavior).
public struct SessionSettings: SettingsRecord {
    /// Which sign-ins share the session.
    public var scope: SessionScope
    /// Life of the session; 15 minutes to 24 hours on a real tenant.
    public var lifetime: TimeSpan
    /// The life begins anew with each use; false: it ends a fixed time after the sign-in.
    public var rolling: Bool
    /// Sign-out needs an `id_token_hint`, and the redirect target must then be registered.
    public var requireIdTokenInLogout: Bool

    public init(
        scope: SessionScope = .tenant,
        lifetime: TimeSpan = .days(1),
        rolling: Bool = true,
        requireIdTokenInLogout: Bool = false
    ) {
        self.scope = scope
        self.lifetime = lifetime
        self.rolling = rolling
        self.requireIdTokenInLogout = requireIdTokenInLogout
    }

    static let title = "session"
    static let summary = "Single sign-on session of a policy (Microsoft docs: session-behavior)."
    static let initial = SessionSettings()
    static let settings: [Setting<SessionSettings>] = {
        var table = SettingsTable<SessionSettings>()
        table.add(
            "scope", \.scope, .word(),
            "Which sign-ins share the session.")
        table.add(
            "lifetime", \.lifetime, .span,
            "Life of the session; 15 minutes to 24 hours on a real tenant.")
        table.add(
            "rolling", \.rolling, .bool,
            "The life begins anew with each use; false: it ends a fixed time after the sign-in.")
        table.add(
            "requireIdTokenInLogout", \.requireIdTokenInLogout, .bool,
            "Sign-out needs an `id_token_hint`, and the redirect target must then be registered.")
        return table.rows
    }()
}

/// Lifetimes and form of the tokens of a policy (Microsoft docs: configure-tokens).
public struct TokenSettings: SettingsRecord {
    /// Life of access tokens; 5 minutes to 24 hours on a real tenant.
    public var accessToken: TimeSpan
    /// Life of ID tokens; 5 minutes to 24 hours on a real tenant.
    public var idToken: TimeSpan
    /// Life of refresh tokens; 1 to 90 days on a real tenant. Redirect URIs of a single-page app always get 24 hours.
    public var refreshToken: TimeSpan
    /// Time after the sign-in at which refreshing ends.
    public var slidingWindow: TimeSpan?
    /// Whether a redeemed refresh token may be used again.
    public var refreshTokenReuse: RefreshTokenReuse
    /// Form of the `iss` claim.
    public var issuer: IssuerForm
    /// The claim that names the policy.
    public var policyClaim: PolicyClaim
    /// Content of the `sub` claim.
    public var subject: SubjectForm
    /// `expires_in` and its like are JSON numbers in token responses; false: strings.
    public var jsonNumbers: Bool
    /// Key set that signs.
    public var keySet: String?

    public init(
        accessToken: TimeSpan = .hours(1),
        idToken: TimeSpan = .hours(1),
        refreshToken: TimeSpan = .days(14),
        slidingWindow: TimeSpan? = .days(90),
        refreshTokenReuse: RefreshTokenReuse = .allow,
        issuer: IssuerForm = .tenant,
        policyClaim: PolicyClaim = .tfp,
        subject: SubjectForm = .objectId,
        jsonNumbers: Bool = true,
        keySet: String? = nil
    ) {
        self.accessToken = accessToken
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.slidingWindow = slidingWindow
        self.refreshTokenReuse = refreshTokenReuse
        self.issuer = issuer
        self.policyClaim = policyClaim
        self.subject = subject
        self.jsonNumbers = jsonNumbers
        self.keySet = keySet
    }

    static let title = "tokens"
    static let summary = "Lifetimes and form of the tokens of a policy (Microsoft docs: configure-tokens)."
    static let initial = TokenSettings()
    static let settings: [Setting<TokenSettings>] = {
        var table = SettingsTable<TokenSettings>()
        table.add(
            "accessToken", \.accessToken, .span,
            "Life of access tokens; 5 minutes to 24 hours on a real tenant.")
        table.add(
            "idToken", \.idToken, .span,
            "Life of ID tokens; 5 minutes to 24 hours on a real tenant.")
        table.add(
            "refreshToken", \.refreshToken, .span,
            """
            Life of refresh tokens; 1 to 90 days on a real tenant. Redirect URIs of a single-page app always get \
            24 hours.
            """)
        table.add(
            "slidingWindow", \.slidingWindow, .spanOr("off", "No limit: refreshing may go on for ever."),
            "Time after the sign-in at which refreshing ends.")
        table.add(
            "refreshTokenReuse", \.refreshTokenReuse, .word(),
            "Whether a redeemed refresh token may be used again.")
        table.add(
            "issuer", \.issuer, .word(),
            "Form of the `iss` claim.")
        table.add(
            "policyClaim", \.policyClaim, .word(),
            "The claim that names the policy.")
        table.add(
            "subject", \.subject, .word(),
            "Content of the `sub` claim.")
        table.add(
            "jsonNumbers", \.jsonNumbers, .bool,
            "`expires_in` and its like are JSON numbers in token responses; false: strings.")
        table.add(
            "keySet", \.keySet, .optionalName(.keySet),
            "Key set that signs.",
            default: "`service` for user flows, `tenant` for custom policies")
        return table.rows
    }()
}

/// One policy: the settings of a user flow, or where the XML of a custom policy is.
public struct PolicySettings: SettingsRecord {
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
    /// Languages in which the pages are available; the first is the default.
    public var languages: [String]?
    /// Custom page template.
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
        languages: [String]? = nil,
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
        self.languages = languages
        self.template = template
        self.session = session
        self.tokens = tokens
        self.unsupported = unsupported
    }

    static let title = "policy"
    static let summary = "One policy: the settings of a user flow, or where the XML of a custom policy is."
    static let initial = PolicySettings()
    static let settings: [Setting<PolicySettings>] = {
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
            "Path of the relying-party XML of a custom policy.")
        table.add(
            "production", \.production, .optionalBool,
            "Errors of a custom policy are shown without detail, as in deployment mode Production.",
            default: "as the XML says; true for user flows")
        table.add(
            "signInName", \.signInName, .word(),
            "What names a local account.")
        table.add(
            "emailVerification", \.emailVerification, .word(),
            "How an e-mail address is proved.")
        table.add(
            "forgotPassword", \.forgotPassword, .word(),
            "What the link for a forgotten password does.")
        table.add(
            "attributes", \.attributes, .names(.claim),
            "Attributes asked at sign-up and profile editing, in page order.")
        table.add(
            "claims", \.claims, .names(.claim),
            "Claims returned in tokens.")
        table.add(
            "providers", \.providers, .names(.provider),
            "Identity providers offered on the page.")
        table.add(
            "mfa", \.mfa, .record(),
            "The second factor.")
        table.add(
            "keepSignedIn", \.keepSignedIn, .spanOr("off", "The page does not offer to keep the person signed in."),
            "Life of the session when the person chooses to stay signed in, in days.")
        table.add(
            "forcedReset", \.forcedReset, .bool,
            "Accounts marked `forcePasswordChange` must set a new password at sign-in.")
        table.add(
            "languages", \.languages, .textsOr("off", "Language customization is off: pages are in English."),
            "Languages in which the pages are available; the first is the default.")
        table.add(
            "template", \.template, .optionalRecord(),
            "Custom page template.")
        table.add(
            "session", \.session, .record(),
            "The single sign-on session.")
        table.add(
            "tokens", \.tokens, .record(),
            "Lifetimes and form of the tokens.")
        return table.rows
    }()
}
