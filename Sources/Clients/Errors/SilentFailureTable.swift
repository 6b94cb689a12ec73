/// What can go wrong between `acquireTokenSilent` and its completion handler.
///
/// After a refresh attempt an error with an OAuth `error` text is wrapped as -50002, except for `invalid_scope`,
/// `invalid_client` and the protection-policy error. Everything else passes as it is.
public enum SilentFailureTable {
    /// Every row.
    public static let rows: [FailureRow] = [
        row("Q1", "no account", .msal(-50002), note: "nothing is sent"),
        row("Q2", "the account was signed out", .msal(-50002), note: "nothing is sent"),
        row("Q3", "no usable access token and no refresh token", .msal(-50002), note: "no token request"),
        row("Q4", "refresh invalid_grant", .msal(-50002), note: "underlying -50000/-42004 with the server's text"),
        row("Q5.request", "refresh invalid_request", .msal(-50002), note: "underlying -42002"),
        row("Q5.unauthorized", "refresh unauthorized_client", .msal(-50002), note: "underlying -42006"),
        row("Q5.denied", "refresh access_denied", .msal(-50002), note: "underlying -50005"),
        row("Q5.server", "refresh server_error (400)", .msal(-50002), note: "underlying -50006"),
        row("Q5.unavailable", "refresh temporarily_unavailable (400)", .msal(-50002), note: "underlying -42104"),
        row("Q5.login", "refresh login_required", .msal(-50002), note: "underlying -42104"),
        row("Q5.other", "refresh with an error nobody knows", .msal(-50002), note: "underlying -42104"),
        row("Q6", "refresh interaction_required", .msal(-50002)),
        row("Q7", "refresh invalid_client", .msal(-50000, -42003)),
        row("Q8", "refresh invalid_scope", .msal(-50000, -42005)),
        row("Q9", "refresh unauthorized_client, suberror protection_policy_required", .msal(-50004)),
        row("Q10", "refresh succeeds without a scope that was asked for", .msal(-50003), note: "not wrapped"),
        row("Q11", "refresh 5xx twice", .msal(-50000, -42007), note: "after one retry"),
        row("Q12.429", "refresh 429", .msal(-50000, -42007), note: "later calls are held back"),
        row("Q12.retryAfter", "refresh 403 with Retry-After", .msal(-50000, -42007), note: "later calls are held back"),
        row("Q13.offline", "refresh without network", .foreign("NSURLErrorDomain", -1009)),
        row("Q13.timeout", "refresh times out", .foreign("NSURLErrorDomain", -1001)),
        row("Q13.dns", "refresh cannot find the host", .foreign("NSURLErrorDomain", -1003)),
        row("Q13.tls", "refresh without secure connection", .foreign("NSURLErrorDomain", -1202)),
        row("Q14", "refresh 400 that is not JSON", .foreign("NSCocoaErrorDomain", 3840)),
        row("Q15", "refresh without client_info", .msal(-50000, -42008)),
        row("Q16", "metadata 400 with an OAuth error on the way to the refresh", .msal(-50002), note: "(inferred)"),
        row(
            "Q17.ui", "the same call within 120 s of an OAuth error", .msal(-50002),
            note: "held back: the underlying error says so"),
        row(
            "Q17.429", "the same call within 60 s of a 5xx", .msal(-50000, -42007), note: "held back: the error says so"
        ),
        row(
            "Q18", "B2C authority that is not known", .msal(-50000, -42008), note: "also with a good token in the cache"
        ),
        row("Q19", "authority of another class than the client's", .msal(-50000, -42000)),
        row("Q20", "the keychain group is not in the entitlements", .foreign("NSOSStatusErrorDomain", -34018)),
        row("Q21", "token endpoint in another national cloud", .msal(-50002), note: "directory tenants only"),
    ]
}
