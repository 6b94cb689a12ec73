extension B2CErrorCode {
    public static let c90052 = B2CErrorCode(
        number: "90052", inserts: 0, oauthError: nil, delivery: .page,
        template: "User name or password is wrong.",
        meaning: "User name or password is wrong.",
        cause: "A typing error.",
        remedy: "Try again, or reset the password.",
        production: .mock("sign-in page of custom policies"))

    public static let c90053 = B2CErrorCode(
        number: "90053", inserts: 0, oauthError: nil, delivery: .page,
        template: "No account has this name.",
        meaning: "No account has that name.",
        cause: "The person has not signed up, or used another name.",
        remedy: "Sign up first.",
        production: .mock("sign-in page: unknown name"))

    public static let c90054 = B2CErrorCode(
        number: "90054", inserts: 0, oauthError: nil, delivery: .page,
        template: "User name or password is wrong.",
        meaning: "User name or password is wrong.",
        cause: "A typing error.",
        remedy: "Try again, or reset the password.",
        production: .mock("sign-in page: wrong password"))

    public static let c90055 = B2CErrorCode(
        number: "90055", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: """
            The scope '{0}' provided in request must specify a resource, such as 'https://example.com/calendar.read'.
            """,
        meaning: "An access token was asked for without a resource.",
        cause: "`openid` and `offline_access` name no web API.",
        remedy: "Add a scope of a web API, or the client id itself.",
        production: .mock("authorize: `response_type` with `token` and no resource scope"))

    public static let c90057 = B2CErrorCode(
        number: "90057", inserts: 0, oauthError: "unauthorized_client", delivery: .redirect,
        template: "The provided application is not configured to allow the 'OAuth' Implicit flow.",
        meaning: "The implicit grant is switched off for the app.",
        cause: "The request wants tokens from the authorize endpoint, or is a password grant.",
        remedy: "Switch it on in the registration, or use the authorization code flow.",
        production: .mock("authorize: `token` or `id_token` with `registration.implicit` off; token: password grant"))

    public static let c90058 = B2CErrorCode(
        number: "90058", inserts: 0, oauthError: "unauthorized_client", delivery: .json,
        template: "The provided application is not configured to allow public clients.",
        meaning: "The app may not act as a public client.",
        cause: "The registration has only web redirect URIs.",
        remedy: "Register the redirect URI under a mobile or single-page platform.",
        production: .faultRule)

    public static let c90067 = B2CErrorCode(
        number: "90067", inserts: 1, oauthError: nil, delivery: .page,
        template: """
            The URI '{0}' to return to after sign-out is malformed. Give an https URL such as \
            'https://example.com/return', or 'urn:ietf:wg:oauth:2.0:oob' for a native client.
            """,
        meaning: "The redirect target of the sign-out is malformed.",
        cause: "It is relative, or its scheme is neither https nor the out-of-band URN.",
        remedy: "Send an absolute https URL.",
        production: .mock("logout: malformed `post_logout_redirect_uri`"))

    public static let c90068 = B2CErrorCode(
        number: "90068", inserts: 1, oauthError: nil, delivery: .page,
        template: """
            The provided application with ID '{0}' is not valid against this service. Please use an application created via the B2C portal and try again.
            """,
        meaning: "The app was registered for the directory, not for B2C.",
        cause: "The registration has the wrong sign-in audience.",
        remedy: "Register the app for accounts of any identity provider or organization.",
        production: .mock("authorize: `registration.signInAudience` of a directory"))

    public static let c90073 = B2CErrorCode(
        number: "90073", inserts: 2, oauthError: nil, delivery: .config,
        template: "The directory '{1}' has no object with the id '{0}', such as a key container.",
        meaning: "A policy key, or another object of the directory, is not there.",
        cause: "The policy names a key container that was never created, or was deleted.",
        remedy: "Create the policy key under that name.",
        production: .faultRule)

    /// A REST service or identity provider answered with an HTTP error.
    public static let c90075 = B2CErrorCode(
        number: "90075", inserts: 4, oauthError: "server_error", delivery: .redirect,
        template: """
            The claims exchange '{0}' specified in step '{1}' returned HTTP error response with Code '{2}' and Reason '{3}'.
            """,
        meaning: "A REST service answered with an HTTP error, or did not answer.",
        cause: "The service is down, too slow, or refuses the call. Code 'Conflict' with a URL: no answer came.",
        remedy: "Look at the logs of the service.",
        production: .mock("call-outs answered with 5xx, or not at all"))

    public static let c90077 = B2CErrorCode(
        number: "90077", inserts: 1, oauthError: "interaction_required", delivery: .redirect,
        template: "User does not have an existing session and request prompt parameter has a value of '{0}'.",
        meaning: "Silent sign-in is impossible: there is no usable session.",
        cause: "The session has ended, belongs to another policy, or its cookie is blocked as third-party cookie.",
        remedy: "Ask interactively.",
        production: .mock("authorize: `prompt=none` without session"))

    public static let c90079 = B2CErrorCode(
        number: "90079", inserts: 0, oauthError: "invalid_request", delivery: .json,
        template: "Clients must send a client_secret when redeeming a confidential grant.",
        meaning: "The client secret is missing.",
        cause: "The redirect URI is registered as `web`, but the client is a public one.",
        remedy: "Register the URI under the platform type of the app, or send the secret.",
        production: .mock("token: `web` grant without `client_secret`"))

    public static let c90080 = B2CErrorCode(
        number: "90080", inserts: 3, oauthError: "invalid_grant", delivery: .json,
        template: """
            The provided grant has expired. Please re-authenticate and try again. Current time: {0}, Grant issued time: {1}, Grant sliding window expiration time: {2}.
            """,
        variants: [
            """
            The provided grant has expired. Please re-authenticate and try again. Current time: {0}, Grant issued time: {1}, Grant expiration time: {2}
            """
        ],
        meaning: "Code or refresh token has expired.",
        cause: "More time has passed than the lifetime allows; 24 hours for single-page apps.",
        remedy: "Sign in interactively.",
        production: .mock("token: expired code or refresh token, second use of a code"))

    public static let c90081 = B2CErrorCode(
        number: "90081", inserts: 0, oauthError: "invalid_client", delivery: .json,
        template: """
            The specified client_secret does not match the expected value for this client. Please correct the client_secret and try again.
            """,
        meaning: "The client secret is wrong.",
        cause: "It was rotated, has expired, or is mistyped.",
        remedy: "Use a valid secret of the registration.",
        production: .mock("token: wrong `client_secret`"))

    public static let c90083 = B2CErrorCode(
        number: "90083", inserts: 1, oauthError: "invalid_request", delivery: .json,
        template: "The request is missing required parameter: {0}.",
        meaning: "A required parameter is missing.",
        cause: "The client left it out.",
        remedy: "Send it.",
        production: .mock("token: missing parameter; authorize: no `response_type`, `code_challenge` or `nonce`"))

    public static let c90084 = B2CErrorCode(
        number: "90084", inserts: 0, oauthError: "invalid_request", delivery: .json,
        template: "Public clients should not send a client_secret when redeeming a publicly acquired grant.",
        meaning: "A public client sent a secret.",
        cause: "The redirect URI is registered as native or single-page app, but the client is a confidential one.",
        remedy: "Take the secret out, or register the URI under platform `web`.",
        production: .mock("token: native or spa grant with `client_secret`"))

    public static let c90085 = B2CErrorCode(
        number: "90085", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The service has encountered an internal error. Please reauthenticate and try again.",
        meaning: "The grant cannot be redeemed.",
        cause: "Among others a deleted extensions app, or client credentials without the needed manifest settings.",
        remedy: "Check app manifest and extensions app; sign in again.",
        production: .mock("token: a code or refresh token that was altered behind its header"))

    public static let c90086 = B2CErrorCode(
        number: "90086", inserts: 1, oauthError: "unsupported_grant_type", delivery: .json,
        template: "The supplied grant_type [{0}] is not supported.",
        meaning: "The grant type is unknown.",
        cause: "A spelling error, or a grant that B2C does not have, such as device code.",
        remedy: "Use `authorization_code`, `refresh_token`, `password` or `client_credentials`.",
        production: .mock("token: other `grant_type`"))

    public static let c90087 = B2CErrorCode(
        number: "90087", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The grant belongs to another version of the protocol endpoint.",
        meaning: "The grant belongs to another endpoint version.",
        cause: "Code and token request used different endpoint versions.",
        remedy: "Use the endpoints of one discovery document.",
        production: .faultRule)

    public static let c90088 = B2CErrorCode(
        number: "90088", inserts: 2, oauthError: "invalid_grant", delivery: .json,
        template: """
            The provided grant has not been issued for this endpoint. Actual Value : {0} and Expected Value : {1}
            """,
        meaning: "The grant belongs to another policy.",
        cause: "The token endpoint of another policy was called.",
        remedy: "Redeem codes and refresh tokens at the policy that issued them.",
        production: .mock("token: grant of another policy"))

    /// The key that sealed the grant is not there any more.
    ///
    /// Seen in reports only (docs/bugs.md, B100); the code is in no list of Microsoft's, its text is ours.
    public static let c90090 = B2CErrorCode(
        number: "90090", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The provided JWE is not a valid 5 segment token.",
        meaning: "What was sent as code or refresh token is none of the tenant's.",
        cause:
            "The text is cut, of another service or a token of another kind; or the key that sealed it was replaced.",
        remedy:
            "Send the code or refresh token as it was received; after a change of keys sign in again, and keep an old key published for as long as its grants live.",
        production: .mock(
            "token: a code or refresh token without five segments, or whose key is not among those of `keySets.grants`")
    )

    public static let c90091 = B2CErrorCode(
        number: "90091", inserts: 1, oauthError: "access_denied", delivery: .redirect,
        template: "{0}.",
        meaning: "The person pressed Cancel.",
        cause: "The person does not want to go on.",
        remedy: "Show the app as signed out.",
        production: .mock("page action `error`: Cancel"))

    public static let c90092 = B2CErrorCode(
        number: "90092", inserts: 2, oauthError: "unauthorized_client", delivery: .page,
        template: "Tenant '{1}' has disabled the application with the id '{0}'.",
        meaning: "The app is disabled.",
        cause: "An administrator disabled it.",
        remedy: "Enable the app in the tenant.",
        production: .mock("authorize, token: `registration.enabled` false"))

    public static let c90107 = B2CErrorCode(
        number: "90107", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: """
            The application with id '{0}' cannot get an ID token: the scope openid was not asked for, or the \
            application is not authorised for it.
            """,
        meaning: "An ID token cannot be issued.",
        cause: "The scope lacks `openid`, or the app has no consent for it.",
        remedy: "Ask for `openid`, and grant it to the app.",
        production: .faultRule)

    public static let c90108 = B2CErrorCode(
        number: "90108", inserts: 1, oauthError: nil, delivery: .config,
        template: "The orchestration step '{0}' does not name a token issuer where one is expected.",
        meaning: "The SendClaims step names no token issuer.",
        cause: "CpimIssuerTechnicalProfileReferenceId is missing.",
        remedy: "Name the JwtIssuer profile in the step.",
        production: .mock("custom policies"))

    public static let c90110 = B2CErrorCode(
        number: "90110", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: "The scope parameter must include 'openid' when requesting a response_type that includes 'id_token'.",
        meaning: "An ID token was asked for without `openid`.",
        cause: "The scope is incomplete.",
        remedy: "Add `openid` to the scope.",
        production: .mock("authorize: `id_token` without `openid`"))

    public static let c90111 = B2CErrorCode(
        number: "90111", inserts: 0, oauthError: nil, delivery: .page,
        template: "Your account has been locked. Contact your support person to unlock it, then try again.",
        meaning: "An administrator has disabled the account.",
        cause: "The account is disabled in the directory.",
        remedy: "Enable the account.",
        production: .mock("sign-in page: `accountEnabled` false"))

    public static let c90114 = B2CErrorCode(
        number: "90114", inserts: 0, oauthError: nil, delivery: .page,
        template: "Your account is temporarily locked to prevent unauthorized use. Try again later.",
        meaning: "The account is in smart lockout.",
        cause: "Too many wrong passwords.",
        remedy: "Wait, or reset the password.",
        production: .mock("sign-in page: `authority.lockout` reached, or `locked` true"))

    public static let c90115 = B2CErrorCode(
        number: "90115", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: "A response_type with 'code' needs a resource, the client id or 'openid' in the scope.",
        meaning: "A code was asked for with a scope that gives no token.",
        cause: "The scope contains neither `openid`, nor the client id, nor a web API's scope.",
        remedy: "Add one of them.",
        production: .mock("authorize: `code` with an empty or useless scope"))

    public static let c90117 = B2CErrorCode(
        number: "90117", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: "The scope '{0}' provided in the request is not supported.",
        meaning: "A scope does not exist.",
        cause: "The web API has no such scope, or the form is not `{application id URI}/{scope}`.",
        remedy: "Compare the scope with what the web API exposes.",
        production: .mock("authorize: unknown scope"))

    public static let c90118 = B2CErrorCode(
        number: "90118", inserts: 0, oauthError: "access_denied", delivery: .redirect,
        template: "The user has forgotten their password.",
        meaning: "The person pressed the link for a forgotten password.",
        cause: "The policy hands this over to the app.",
        remedy: "Call the password reset policy, or let the policy reset in flow.",
        production: .mock("page action `forgotPassword` with `forgotPassword: redirect`"))

    public static let c90120 = B2CErrorCode(
        number: "90120", inserts: 3, oauthError: "invalid_request", delivery: .redirect,
        template: """
            The max age parameter '{0}' specified in the request is invalid. Max age must be an integer between \
            '{1}' and '{2}' inclusive.
            """,
        meaning: "The value of `max_age` is invalid.",
        cause: "It is not a whole number, or out of range.",
        remedy: "Send seconds within the range.",
        production: .mock("authorize: other `max_age`"))

    public static let c90122 = B2CErrorCode(
        number: "90122", inserts: 1, oauthError: nil, delivery: .page,
        template: "The input for '{0}' was refused: some of its characters could do harm.",
        meaning: "A value was refused as dangerous.",
        cause: "It contains characters such as `<` or `&`.",
        remedy: "Encode the value, or leave such characters out.",
        production: .mock("authorize: `<` in a parameter"))

    public static let c90128 = B2CErrorCode(
        number: "90128", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The account that the grant was issued for has been deleted; sign in again.",
        meaning: "The account was deleted.",
        cause: "The directory has no account with that object id.",
        remedy: "Sign in with another account, or sign up again.",
        production: .mock("token: refresh token of a deleted account"))

    public static let c90129 = B2CErrorCode(
        number: "90129", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The provided grant has been revoked. Please reauthenticate and try again.",
        meaning: "Code or refresh token was revoked.",
        cause: "The password was changed, sessions were revoked, or the code was redeemed before.",
        remedy: "Sign in interactively.",
        production: .mock("token: `refreshTokensValidFrom`, changed password, `tokens.refreshTokenReuse: reject`"))
}
