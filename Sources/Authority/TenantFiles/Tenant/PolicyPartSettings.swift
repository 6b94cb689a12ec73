import Determinism
import Records

/// `policies.NAME.mfa`.
public struct MFASettings: TenantRecord {
    public var method = MFAMethod.sms
    public var when = MFAWhen.off
    public var session = true
    public var maxTries = 3
    public var resendAfter = TimeSpan.seconds(30)
    public var codeLifetime = TimeSpan.minutes(20)

    public init() {}

    package static let title = "second factor"
    package static let summary = "The second factor of a policy."
    package static let settings: [Setting<MFASettings>] = {
        var table = SettingsTable<MFASettings>()
        table.add("method", \.method, .word(), "The second factor.")
        table.add("when", \.when, .word(), "When it is asked for.")
        table.add(
            "session", \.session, .bool,
            "A single sign-on session that has passed the second factor is not asked again.")
        table.add("maxTries", \.maxTries, .integer(1...100), "Wrong codes until the journey ends.")
        table.add(
            "resendAfter", \.resendAfter, .span,
            "Time that must pass until another code is sent; earlier requests are refused as throttled.")
        table.add("codeLifetime", \.codeLifetime, .span, "Time for which a code is good.")
        return table.rows
    }()
}

/// `policies.NAME.template`.
public struct TemplateSettings: TenantRecord {
    public var url = ""
    public var cors = true
    public var status = 200
    /// The template itself; `nil` for the least that works.
    public var html: String?

    public init() {}

    package static let title = "page template"
    package static let summary = "Custom HTML for the pages of a policy."
    package static let settings: [Setting<TemplateSettings>] = {
        var table = SettingsTable<TemplateSettings>()
        table.add("url", \.url, .url, "Address of the template.", required: true)
        table.add(
            "cors", \.cors, .bool,
            "The server of the template sends CORS headers, without which a browser may not load it.")
        table.add("status", \.status, .integer(100...599), "HTTP status with which the template is answered.")
        table.add(
            "html", \.html, .optionalText,
            "The template: an HTML page with an element whose id is `api`, into which the service draws.",
            default: "a page with that element and nothing else")
        return table.rows
    }()
}

/// `policies.NAME.session`.
public struct SessionSettings: TenantRecord {
    public var scope = SessionScope.tenant
    public var lifetime = TimeSpan.days(1)
    public var rolling = true
    public var requireIdTokenInLogout = false

    public init() {}

    package static let title = "session"
    package static let summary = "Single sign-on session of a policy (Microsoft docs: session-behavior)."
    package static let settings: [Setting<SessionSettings>] = {
        var table = SettingsTable<SessionSettings>()
        table.add("scope", \.scope, .word(), "Which sign-ins share the session.")
        table.add("lifetime", \.lifetime, .span, "Life of the session; 15 minutes to 24 hours on a real tenant.")
        table.add(
            "rolling", \.rolling, .bool, "Each use extends the lifetime; false: it ends a fixed time after the sign-in."
        )
        table.add(
            "requireIdTokenInLogout", \.requireIdTokenInLogout, .bool,
            "Sign-out needs an `id_token_hint`, and the redirect target must then be registered.")
        return table.rows
    }()
}

/// `policies.NAME.tokens`.
public struct TokenSettings: TenantRecord {
    public var accessToken = TimeSpan.hours(1)
    public var idToken = TimeSpan.hours(1)
    public var refreshToken = TimeSpan.days(14)
    public var slidingWindow: TimeSpan? = .days(90)
    public var refreshTokenReuse = RefreshTokenReuse.allow
    public var issuer = IssuerForm.tenant
    public var policyClaim = PolicyClaim.tfp
    public var subject = SubjectForm.objectId
    public var jsonNumbers = true
    public var keySet: String?

    public init() {}

    package static let title = "tokens"
    package static let summary = "Lifetimes and form of the tokens of a policy (Microsoft docs: configure-tokens)."
    package static let settings: [Setting<TokenSettings>] = {
        var table = SettingsTable<TokenSettings>()
        table.add(
            "accessToken", \.accessToken, .span, "Life of access tokens; 5 minutes to 24 hours on a real tenant.",
            limit: .userFlows(.flows, "", xml: "metadata `token_lifetime_secs` of its JWT issuer"))
        table.add(
            "idToken", \.idToken, .span, "Life of ID tokens; 5 minutes to 24 hours on a real tenant.",
            limit: .userFlows(.flows, "", xml: "metadata `id_token_lifetime_secs` of its JWT issuer"))
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
            "refreshTokenReuse", \.refreshTokenReuse, .word(), "Whether a redeemed refresh token may be used again.")
        table.add(
            "issuer", \.issuer, .word(), "Form of the `iss` claim.",
            limit: .userFlows(.flows, "", xml: "metadata `IssuanceClaimPattern` of its JWT issuer"))
        table.add(
            "policyClaim", \.policyClaim, .word(), "The claim that names the policy.",
            limit: .userFlows(
                .flows, "", xml: "metadata `AuthenticationContextReferenceClaimPattern` of its JWT issuer"))
        table.add(
            "subject", \.subject, .word(), "Content of the `sub` claim.",
            limit: .userFlows(.flows, "", xml: "`SubjectNamingInfo` and `OutputClaims` of the relying party"))
        table.add(
            "jsonNumbers", \.jsonNumbers, .bool,
            "`expires_in` and its like are JSON numbers in token responses; false: strings.",
            limit: .userFlows(.flows, "", xml: "metadata `SendTokenResponseBodyWithJsonNumbers` of its JWT issuer"))
        table.add(
            "keySet", \.keySet, .optionalName(.keySet), "Key set that signs.",
            default:
                "`service` for user flows; for custom policies the policy key of the JWT issuer, where `policyKeys` gives one, else `tenant`"
        )
        return table.rows
    }()
}
