/// What can go wrong between `acquireToken` and its completion handler.
///
/// `oauthError` and the AADB2C code in the description distinguish a closed browser from a page's cancel or
/// forgot-password button; password reset has no number of its own.
public enum InteractiveFailureTable {
    /// Every row.
    public static let rows: [FailureRow] = [
        row("I1", "the person closes the browser, or the app cancels", .msal(-50005), note: "no oauthError"),
        row(
            "I2", "redirect access_denied with AADB2C90118 (forgot password)", .msal(-50005),
            note: "oauthError access_denied, description begins AADB2C90118"),
        row(
            "I3", "redirect access_denied with AADB2C90091 (cancel on the page)", .msal(-50005),
            note: "oauthError access_denied, description begins AADB2C90091"),
        row("I4.absent", "redirect without state", .msal(-50000, -42501), note: "whatever else the URL carries"),
        row("I4.empty", "redirect with an empty state", .msal(-50000, -42501), note: "whatever else the URL carries"),
        row(
            "I4.other", "redirect with another state", .msal(-50000, -42501), note: "also when it carries access_denied"
        ),
        row("I5", "redirect with neither code nor error", .msal(-50000, -42600)),
        row(
            "I6", "redirect invalid_request", .msal(-50000, -42002),
            note: "B2C: such as AADB2C90013, 90043, 90083 (inferred)"
        ),
        row("I7", "redirect invalid_scope", .msal(-50000, -42005)),
        row("I8", "redirect invalid_client", .msal(-50000, -42003)),
        row(
            "I9", "redirect unauthorized_client", .msal(-50000, -42006),
            note: "B2C: such as AADB2C90057, 90058, 90205 (inferred)"),
        row("I10", "redirect server_error", .msal(-50000, -50006), note: "B2C: such as AADB2C90037, 90085 (inferred)"),
        row("I11", "redirect interaction_required", .msal(-50002)),
        row("I12.login", "redirect login_required", .msal(-50000, -42104)),
        row("I12.consent", "redirect consent_required", .msal(-50000, -42104)),
        row("I12.unavailable", "redirect temporarily_unavailable", .msal(-50000, -42104)),
        row("I12.other", "redirect with an error nobody knows", .msal(-50000, -42104)),
        row("I13.expired", "redirect invalid_grant, suberror transfer_token_expired", .msal(-50005)),
        row("I13.denied", "redirect access_denied, suberror tts_denied", .msal(-50005)),
        row("I13.skipped", "redirect access_denied, suberror user_skipped", .msal(-50005)),
        row("I14", "redirect invalid_grant, suberror insufficient_device_strength", .msal(-50000, -50007)),
        row(
            "I15", "token endpoint 400 invalid_grant", .msal(-50000, -42004),
            note: "never -50002; B2C: AADB2C90080, 90088, 90129, 90182, 90183"),
        row("I16.client", "token endpoint invalid_client", .msal(-50000, -42003)),
        row("I16.scope", "token endpoint invalid_scope", .msal(-50000, -42005)),
        row("I16.request", "token endpoint invalid_request", .msal(-50000, -42002)),
        row("I16.unauthorized", "token endpoint unauthorized_client", .msal(-50000, -42006)),
        row("I16.server", "token endpoint 400 server_error", .msal(-50000, -50006)),
        row("I16.denied", "token endpoint access_denied", .msal(-50005)),
        row("I16.401", "token endpoint 401 invalid_client", .msal(-50000, -42003)),
        row("I16.other", "token endpoint with an error nobody knows", .msal(-50000, -42104)),
        row("I17", "token endpoint interaction_required", .msal(-50002)),
        row("I18", "token endpoint invalid_request with error_codes 50142", .msal(-50142)),
        row(
            "I19", "token endpoint unauthorized_client, suberror protection_policy_required", .msal(-50004),
            note: "with the user's ids"),
        row("I20", "token endpoint 200 whose JSON holds error", .msal(-50000, -42004), note: "as a 400 with that JSON"),
        row("I21.403", "token endpoint 403", .msal(-50000, -42007), note: "underlying -42009"),
        row("I21.404", "token endpoint 404", .msal(-50000, -42007), note: "underlying -42009"),
        row("I21.429", "token endpoint 429", .msal(-50000, -42007)),
        row("I21.302", "token endpoint 302", .msal(-50000, -42007)),
        row("I22", "token endpoint 5xx twice", .msal(-50000, -42007), note: "after one retry"),
        row("I22.once", "token endpoint 5xx once", .success, note: "the retry succeeds"),
        row("I23.400", "token endpoint 400 that is not JSON", .foreign("NSCocoaErrorDomain", 3840)),
        row("I23.200", "token endpoint 200 that is not JSON", .foreign("NSCocoaErrorDomain", 3840)),
        row("I24.array", "token endpoint JSON array", .msal(-50000, -42600)),
        row("I24.scalar", "token endpoint JSON scalar", .msal(-50000, -42600)),
        row("I25", "token_type other than bearer", .msal(-50000, -42600)),
        row("I25.absent", "no token_type", .success),
        row("I26", "no client_info", .msal(-50000, -42008), note: "nothing is cached"),
        row("I27", "neither access_token nor id_token", .msal(-50000, -42008)),
        row("I27b", "id_token but no access_token", .success, note: "no access token, no scopes"),
        row("I28", "access_token but no id_token", .msal(-50000, -42600), note: "the tokens are cached"),
        row("I29", "scope lacks one that was asked for", .msal(-50003), note: "the tokens are cached"),
        row("I29.email", "scope lacks email", .success, note: "email counts as granted"),
        row("I29.case", "scope in another letter case", .success),
        row("I30", "no scope in the answer", .success, note: "those asked for count as granted"),
        row("I31", "answer for another account than the one asked for", .success, note: "the new account is added"),
        row(
            "I32.offline", "no network at the token endpoint", .foreign("NSURLErrorDomain", -1009),
            note: "after one retry"),
        row(
            "I32.dns", "host unknown at the token endpoint", .foreign("NSURLErrorDomain", -1003),
            note: "after one retry"),
        row("I32.tls", "TLS failure at the token endpoint", .foreign("NSURLErrorDomain", -1202), note: "no retry"),
        row(
            "I32.timeout", "timeout at the token endpoint", .foreign("NSURLErrorDomain", -1001), note: "after one retry"
        ),
        row("I32.metadata", "no network at the metadata", .foreign("NSURLErrorDomain", -1009), note: "after one retry"),
        row("I33.embedded", "a page fails to load in the embedded web view", .foreign("NSURLErrorDomain", -1003)),
        row(
            "I33.system", "a page fails to load in the system browser", .msal(-50005),
            note: "the person closes its error page"),
        row("I34", "the embedded web view is sent to http", .msal(-50000, -42602)),
        row("I35", "B2C authority that is not known", .msal(-50000, -42008), note: "before anything is sent"),
        row("I36.404", "metadata 404", .msal(-50000, -42007), note: "B2C: an unknown policy (inferred)"),
        row("I36.5xx", "metadata 5xx twice", .msal(-50000, -42007), note: "after one retry"),
        row("I36.400", "metadata 400 with an OAuth error", .msal(-50000, -42010), note: "with oauthError"),
        row("I37.authorize", "metadata without authorization_endpoint", .msal(-50000, -42008)),
        row("I37.token", "metadata without token_endpoint", .msal(-50000, -42008)),
        row("I37.issuer", "metadata without issuer", .msal(-50000, -42008)),
        row("I37.end", "metadata whose end_session_endpoint is not text", .msal(-50000, -42008)),
        row("I38", "the system's web session cannot start", .msal(-50000, -42008)),
        row("I39", "the keychain cannot be written", .success, note: "the failure is only logged"),
        row("I40", "a second interactive call while one is under way", .msal(-50000, -42402)),
    ]
}
