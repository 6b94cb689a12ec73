import Determinism
import Records

/// The second factor of a policy.
public struct MFASettings: TenantRecord {
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

    package static let title = "second factor"
    package static let summary = "The second factor of a policy."
    package static let initial = MFASettings()
    package static let settings: [Setting<MFASettings>] = {
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
public struct TemplateSettings: TenantRecord {
    /// Address of the template.
    public var url: String
    /// The server of the template sends CORS headers, without which a browser may not load it.
    public var cors: Bool
    /// HTTP status with which the template is answered.
    public var status: Int
    /// The template itself; `nil` for the least that works.
    public var html: String?

    public init(
        url: String = "",
        cors: Bool = true,
        status: Int = 200,
        html: String? = nil
    ) {
        self.url = url
        self.cors = cors
        self.status = status
        self.html = html
    }

    package static let title = "page template"
    package static let summary = "Custom HTML for the pages of a policy."
    package static let initial = TemplateSettings()
    package static let settings: [Setting<TemplateSettings>] = {
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
        table.add(
            "html", \.html, .optionalText,
            "The template: an HTML page with an element whose id is `api`, into which the service draws.",
            default: "a page with that element and nothing else")
        return table.rows
    }()
}

/// Single sign-on session of a policy (Microsoft docs: session-behavior).
public struct SessionSettings: TenantRecord {
    /// Which sign-ins share the session.
    public var scope: SessionScope
    /// Life of the session; 15 minutes to 24 hours on a real tenant.
    public var lifetime: TimeSpan
    /// Each use extends the lifetime; false: it ends a fixed time after the sign-in.
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

    package static let title = "session"
    package static let summary = "Single sign-on session of a policy (Microsoft docs: session-behavior)."
    package static let initial = SessionSettings()
    package static let settings: [Setting<SessionSettings>] = {
        var table = SettingsTable<SessionSettings>()
        table.add(
            "scope", \.scope, .word(),
            "Which sign-ins share the session.")
        table.add(
            "lifetime", \.lifetime, .span,
            "Life of the session; 15 minutes to 24 hours on a real tenant.")
        table.add(
            "rolling", \.rolling, .bool,
            "Each use extends the lifetime; false: it ends a fixed time after the sign-in.")
        table.add(
            "requireIdTokenInLogout", \.requireIdTokenInLogout, .bool,
            "Sign-out needs an `id_token_hint`, and the redirect target must then be registered.")
        return table.rows
    }()
}

/// Lifetimes and form of the tokens of a policy (Microsoft docs: configure-tokens).
public struct TokenSettings: TenantRecord {
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

    package static let title = "tokens"
    package static let summary = "Lifetimes and form of the tokens of a policy (Microsoft docs: configure-tokens)."
    package static let initial = TokenSettings()
    package static let settings: [Setting<TokenSettings>] = {
        var table = SettingsTable<TokenSettings>()
        table.add(
            "accessToken", \.accessToken, .span,
            "Life of access tokens; 5 minutes to 24 hours on a real tenant.",
            limit: .userFlows(
                .flows, "", xml: "metadata `token_lifetime_secs` of its JWT issuer"))
        table.add(
            "idToken", \.idToken, .span,
            "Life of ID tokens; 5 minutes to 24 hours on a real tenant.",
            limit: .userFlows(
                .flows, "", xml: "metadata `id_token_lifetime_secs` of its JWT issuer"))
        table.add(
            "refreshToken", \.refreshToken, .span,
            """
            Life of refresh tokens; 1 to 90 days on a real tenant. Redirect URIs of a single-page app always get \
            24 hours.
            """,
            limit: .userFlows(
                .flows, "", xml: "metadata `refresh_token_lifetime_secs` of its JWT issuer"))
        table.add(
            "slidingWindow", \.slidingWindow, .spanOr("off", "No limit: refreshing may go on for ever."),
            "Time after the sign-in at which refreshing ends.",
            limit: .userFlows(
                .flows, "",
                xml:
                    "metadata `rolling_refresh_token_lifetime_secs` or `allow_infinite_rolling_refresh_token` of its JWT issuer"
            ))
        table.add(
            "refreshTokenReuse", \.refreshTokenReuse, .word(),
            "Whether a redeemed refresh token may be used again.")
        table.add(
            "issuer", \.issuer, .word(),
            "Form of the `iss` claim.",
            limit: .userFlows(
                .flows, "", xml: "metadata `IssuanceClaimPattern` of its JWT issuer"))
        table.add(
            "policyClaim", \.policyClaim, .word(),
            "The claim that names the policy.",
            limit: .userFlows(
                .flows, "", xml: "metadata `AuthenticationContextReferenceClaimPattern` of its JWT issuer"))
        table.add(
            "subject", \.subject, .word(),
            "Content of the `sub` claim.",
            limit: .userFlows(
                .flows, "", xml: "`SubjectNamingInfo` and `OutputClaims` of the relying party"))
        table.add(
            "jsonNumbers", \.jsonNumbers, .bool,
            "`expires_in` and its like are JSON numbers in token responses; false: strings.",
            limit: .userFlows(
                .flows, "", xml: "metadata `SendTokenResponseBodyWithJsonNumbers` of its JWT issuer"))
        table.add(
            "keySet", \.keySet, .optionalName(.keySet),
            "Key set that signs.",
            default:
                "`service` for user flows; for custom policies the policy key of the JWT issuer, where `policyKeys` gives one, else `tenant`"
        )
        return table.rows
    }()
}
