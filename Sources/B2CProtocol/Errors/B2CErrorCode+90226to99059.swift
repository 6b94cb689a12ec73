extension B2CErrorCode {
    public static let c90226 = B2CErrorCode(
        number: "90226", inserts: 0, oauthError: "invalid_request", delivery: .json,
        template: "Tokens are exchanged by HTTP POST only.",
        meaning: "The token endpoint was called with another method.",
        cause: "The client sent GET.",
        remedy: "Send POST with a form body.",
        production: .mock("token: GET"))

    /// Throttled at the gateway.
    public static let c90229 = B2CErrorCode(
        number: "90229", inserts: 0, oauthError: nil, delivery: .page,
        template: "Too many requests came from the same source in a short time; wait a while, then try again.",
        meaning: "Throttled.",
        cause: "Too many requests from one source in a short time.",
        remedy: "Wait, then try again.",
        production: .elsewhere("`authority.throttle` answers 429 without a code, as the gateway before B2C does"))

    public static let c90232 = B2CErrorCode(
        number: "90232", inserts: 1, oauthError: "invalid_request", delivery: .page,
        template: "The issuer of the id_token_hint is not one of those accepted: '{0}'",
        meaning: "The ID token given as hint has another issuer.",
        cause: "It comes from another tenant or host.",
        remedy: "Send one of this authority.",
        production: .mock("authorize with `id_token_hint`"))

    public static let c90233 = B2CErrorCode(
        number: "90233", inserts: 0, oauthError: "invalid_request", delivery: .page,
        template: """
            The provided id_token_hint parameter failed signature validation. Please provide another token and try again.
            """,
        meaning: "The signature of the hint is not good.",
        cause: "The token was altered, or the key is gone.",
        remedy: "Send a token as it was issued.",
        production: .mock("authorize with `id_token_hint`"))

    public static let c90235 = B2CErrorCode(
        number: "90235", inserts: 0, oauthError: nil, delivery: .page,
        template: "The id_token has expired; a fresh one is needed.",
        meaning: "The ID token of a sign-out, or of an identity provider, has expired.",
        cause: "It is older than its lifetime.",
        remedy: "Send a fresh one.",
        production: .mock("logout with `id_token_hint`; the ID token of a provider"))

    public static let c90237 = B2CErrorCode(
        number: "90237", inserts: 1, oauthError: nil, delivery: .page,
        template: "The audience of the id_token is not one of those accepted: '{0}'",
        meaning: "The ID token of a sign-out, or of an identity provider, is for another app.",
        cause: "It belongs to another app.",
        remedy: "Send one of this app.",
        production: .mock("logout with `id_token_hint`; the ID token of a provider"))

    public static let c90238 = B2CErrorCode(
        number: "90238", inserts: 1, oauthError: nil, delivery: .page,
        template: "The issuer of the id_token is not one of those accepted: '{0}'",
        meaning: "The ID token of a sign-out, or of an identity provider, has another issuer.",
        cause: "It comes from another tenant or host.",
        remedy: "Send one of this authority.",
        production: .mock("logout with `id_token_hint`; the ID token of a provider"))

    public static let c90239 = B2CErrorCode(
        number: "90239", inserts: 0, oauthError: nil, delivery: .page,
        template: "The id_token has a signature that is not valid.",
        meaning: "The signature of the ID token of a sign-out, or of an identity provider, is not good.",
        cause: "The token was altered, or the key is gone.",
        remedy: "Send a token as it was issued.",
        production: .mock("logout with `id_token_hint`; the ID token of a provider"))

    public static let c90240 = B2CErrorCode(
        number: "90240", inserts: 0, oauthError: nil, delivery: .page,
        template: "The id_token cannot be parsed.",
        meaning: "The ID token of a sign-out, or of an identity provider, cannot be read.",
        cause: "It is not a token.",
        remedy: "Send a token as it was issued.",
        production: .mock("logout with `id_token_hint`; the ID token of a provider"))

    public static let c90242 = B2CErrorCode(
        number: "90242", inserts: 2, oauthError: nil, delivery: .config,
        template: """
            The SAML technical profile '{0}' gives its partner metadata as CDATA that cannot be loaded, with reason \
            '{1}'.
            """,
        meaning: "SAML metadata in the policy cannot be read.",
        cause: "The XML in CDATA is faulty.",
        remedy: "Correct it.",
        production: .notSimulated("SAML"))

    public static let c90243 = B2CErrorCode(
        number: "90243", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "Client id or secret for the identity provider are wrong.",
        meaning: "The identity provider does not accept B2C as its client.",
        cause: "Client id or secret of the provider are wrong or expired.",
        remedy: "Renew them in the provider's settings.",
        production: .elsewhere("a provider that refuses the secret ends in AADB2C90289"))

    public static let c90244 = B2CErrorCode(
        number: "90244", inserts: 0, oauthError: nil, delivery: .page,
        template: "Too many requests at once; wait a while, then try again.",
        meaning: "Throttled.",
        cause: "Too many requests in a short time.",
        remedy: "Wait, then try again.",
        production: .elsewhere("`authority.throttle` answers 429 without a code, as the gateway before B2C does"))

    public static let c90248 = B2CErrorCode(
        number: "90248", inserts: 0, oauthError: "unauthorized_client", delivery: .json,
        template: "Resource owner flow can only be used by applications created through the B2C admin portal.",
        meaning: "The password grant needs an app of the B2C portal.",
        cause: "The app was registered elsewhere.",
        remedy: "Register the app in B2C.",
        production: .mock("token: password grant with `registration.signInAudience` of a directory"))

    public static let c90250 = B2CErrorCode(
        number: "90250", inserts: 0, oauthError: nil, delivery: .page,
        template: "There is no login endpoint without a policy.",
        meaning: "The SAML endpoint without policy is not supported.",
        cause: "The partner calls an address without policy.",
        remedy: "Use the address of a policy.",
        production: .notSimulated("SAML"))

    public static let c90255 = B2CErrorCode(
        number: "90255", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "Technical profile '{0}' did not come to its end as expected; start again from the beginning.",
        meaning: "A step was confirmed that did not succeed.",
        cause: "A page was left without a successful submission, or a profile failed in between.",
        remedy: "Start again; look at the profile.",
        production: .mock("page action `confirmed` without a successful post; failing profiles"))

    public static let c90261 = B2CErrorCode(
        number: "90261", inserts: 2, oauthError: "server_error", delivery: .redirect,
        template: "The claims exchange '{0}' of step '{1}' was answered with an HTTP error that could not be parsed.",
        meaning: "An error answer of a REST service or provider cannot be read.",
        cause: "The service answers errors in another form.",
        remedy: "Answer 409 with the documented JSON.",
        production: .mock("call-outs with unreadable error bodies"))

    public static let c90272 = B2CErrorCode(
        number: "90272", inserts: 0, oauthError: nil, delivery: .page,
        template: """
            The id_token_hint parameter has not been specified in the request. Please provide token and try again.
            """,
        meaning: "Sign-out needs an ID token as hint.",
        cause: "The policy requires it.",
        remedy: "Send `id_token_hint`, or switch the requirement off.",
        production: .mock("logout: `session.requireIdTokenInLogout` and no hint"))

    public static let c90273 = B2CErrorCode(
        number: "90273", inserts: 1, oauthError: "access_denied", delivery: .redirect,
        template: "An invalid response was received : '{0}'",
        meaning: "The identity provider gave a negative answer.",
        cause: "The person cancelled there, or the provider refused the request.",
        remedy: "After access_denied let the person try again; after other errors fix the app at the provider.",
        production: .mock("provider answers with `error`"))

    public static let c90274 = B2CErrorCode(
        number: "90274", inserts: 0, oauthError: nil, delivery: .config,
        template: """
            The provider metadata names no single logout service, or one whose binding is neither http-redirect nor \
            http-post.
            """,
        meaning: "A SAML provider has no usable single logout service.",
        cause: "Its metadata lacks it.",
        remedy: "Correct the metadata.",
        production: .notSimulated("SAML"))

    public static let c90276 = B2CErrorCode(
        number: "90276", inserts: 5, oauthError: nil, delivery: .page,
        template: """
            The request is not consistent with the control setting '{0}': '{1}' in technical profile '{2}' for \
            policy '{3}' of tenant '{4}'.
            """,
        meaning: "A request contradicts a setting of the profile.",
        cause: "A page was posted in a way that the profile excludes.",
        remedy: "Start again.",
        production: .faultRule)

    public static let c90277 = B2CErrorCode(
        number: "90277", inserts: 3, oauthError: nil, delivery: .config,
        template: """
            The orchestration step '{0}' of user journey '{1}' in policy '{2}' has no content definition reference.
            """,
        meaning: "A step lacks its content definition.",
        cause: "ContentDefinitionReferenceId is missing.",
        remedy: "Add it to the step.",
        production: .mock("custom policies"))

    public static let c90279 = B2CErrorCode(
        number: "90279", inserts: 1, oauthError: "invalid_grant", delivery: .json,
        template: "The grant belongs to another client than '{0}'.",
        meaning: "The grant belongs to another app.",
        cause: "Code or refresh token of another client was sent, or a refresh without `client_id`.",
        remedy: "Redeem grants with the client that got them.",
        production: .mock("token: grant of another client, or a refresh without `client_id`"))

    public static let c90284 = B2CErrorCode(
        number: "90284", inserts: 1, oauthError: nil, delivery: .config,
        template: "The application with id '{0}' has no consent and cannot be used for local accounts.",
        meaning: "The app for local accounts lacks consent.",
        cause: "IdentityExperienceFramework or its proxy have no admin consent.",
        remedy: "Grant admin consent to both apps.",
        production: .faultRule)

    public static let c90285 = B2CErrorCode(
        number: "90285", inserts: 1, oauthError: nil, delivery: .config,
        template: "The application with id '{0}' was not found.",
        meaning: "The app for local accounts does not exist.",
        cause: "The ids in the policy are those of another tenant.",
        remedy: "Put the ids of this tenant into the policy.",
        production: .faultRule)

    public static let c90287 = B2CErrorCode(
        number: "90287", inserts: 1, oauthError: nil, delivery: .page,
        template: "Redirect URI '{0}' is not valid.",
        meaning: "The redirect URI is malformed.",
        cause: "It is relative, has a fragment, or no scheme.",
        remedy: "Send an absolute URI.",
        production: .mock("authorize: malformed `redirect_uri`"))

    public static let c90288 = B2CErrorCode(
        number: "90288", inserts: 4, oauthError: "invalid_grant", delivery: .json,
        template: """
            The user journey '{0}' that technical profile '{1}' names for refresh tokens does not exist in tenant \
            '{2}', policy '{3}'.
            """,
        meaning: "The journey for refresh tokens does not exist.",
        cause: "RefreshTokenUserJourneyId names no journey.",
        remedy: "Correct the item of the token issuer.",
        production: .mock("token: `RefreshTokenUserJourneyId` of a journey that is not there"))

    public static let c90289 = B2CErrorCode(
        number: "90289", inserts: 0, oauthError: nil, delivery: .page,
        template: "We encountered an error connecting to the identity provider. Please try again later.",
        variants: [
            "We encountered an '{0}' error connecting to the identity provider. Please try again later."
        ],
        meaning: "The identity provider could not be reached, or refused B2C as client.",
        cause: "Network, certificate, or wrong client credentials.",
        remedy: "Look at the provider's settings.",
        production: .mock("call-outs to providers that fail"))

    public static let c90296 = B2CErrorCode(
        number: "90296", inserts: 0, oauthError: nil, delivery: .page,
        template: "The configuration of the application is faulty; its administrator can fix it.",
        meaning: "The app is not configured correctly.",
        cause: "A setting that the service does not name.",
        remedy: "Compare the registration with the documentation.",
        production: .faultRule)

    public static let c99001 = B2CErrorCode(
        number: "99001", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "This user already exists, and profile '{0}' does not allow the same user to be created again.",
        meaning: "An account that is to be created exists already.",
        cause: "The technical profile has `RaiseErrorIfClaimsPrincipalAlreadyExists`, or the name is taken.",
        remedy: "Sign in with the existing account, or use another name.",
        production: .mock("custom policies: a directory profile that finds the account"))

    public static let c99002 = B2CErrorCode(
        number: "99002", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "User does not exist. Please sign up before you can sign in.",
        variants: ["An account could not be found for the provided user ID."],
        meaning: "An account that must exist does not.",
        cause:
            "The technical profile has `RaiseErrorIfClaimsPrincipalDoesNotExist`, and nobody has signed up under that name.",
        remedy: "Sign up first; check which claim the directory profile searches by.",
        production: .mock("custom policies: a directory profile that does not find the account"))

    public static let c99005 = B2CErrorCode(
        number: "99005", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: "The scope holds the illegal character '{0}'.",
        meaning: "A character in the scope is not allowed.",
        cause: "Quotes or other characters outside RFC 6749 section 3.3.",
        remedy: "Take the character out.",
        production: .mock("authorize, token: illegal character in `scope`"))

    public static let c99006 = B2CErrorCode(
        number: "99006", inserts: 1, oauthError: nil, delivery: .config,
        template: "The extensions app with id '{0}' could not be found. Restore it and try again.",
        meaning: "The app that holds custom attributes is missing.",
        cause: "b2c-extensions-app was deleted.",
        remedy: "Restore it within 30 days.",
        production: .mock("`authority.extensionsApp` false and a custom attribute"))

    public static let c99011 = B2CErrorCode(
        number: "99011", inserts: 3, oauthError: nil, delivery: .config,
        template: "The metadata value '{0}' was not specified in technical profile '{1}' of policy '{2}'.",
        meaning: "A metadata value is empty.",
        cause: "The item was left out.",
        remedy: "Give it a value.",
        production: .mock("custom policies"))

    public static let c99013 = B2CErrorCode(
        number: "99013", inserts: 2, oauthError: "invalid_request", delivery: .json,
        template: "The grant_type '{0}' together with token_type '{1}' is not supported.",
        meaning: "Grant type and token type do not go together.",
        cause: "An unusual combination.",
        remedy: "Leave the token type out.",
        production: .faultRule)

    public static let c99015 = B2CErrorCode(
        number: "99015", inserts: 3, oauthError: nil, delivery: .config,
        template: """
            The profile '{0}' in policy '{1}' of tenant '{2}' lacks input claims that the resource owner password \
            flow needs.
            """,
        meaning: "The password grant's profile lacks input claims.",
        cause: "User name or password are not mapped.",
        remedy: "Add the input claims.",
        production: .mock("custom policies"))

    /// A client assertion in place of a secret.
    public static let c99027 = B2CErrorCode(
        number: "99027", inserts: 1, oauthError: "invalid_request", delivery: .json,
        template: "No AuthorizationTechnicalProfile of policy '{0}' takes this ClientAssertionType.",
        meaning: "The client sent a signed assertion, and the policy takes none.",
        cause: "The client is set up with a certificate or a managed identity, which B2C's policies do not take.",
        remedy: "Use a client secret.",
        production: .mock("token endpoint: `client_assertion_type`"))

    public static let c99059 = B2CErrorCode(
        number: "99059", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: "The supplied request must present a code_challenge",
        meaning: "A single-page app sent no PKCE challenge.",
        cause: "The redirect URI is registered as single-page app, the client does not use PKCE.",
        remedy: "Use a library with PKCE, or another platform type.",
        production: .mock("authorize: spa redirect URI without `code_challenge`"))
}
