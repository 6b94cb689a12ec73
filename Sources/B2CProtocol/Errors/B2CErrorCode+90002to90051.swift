extension B2CErrorCode {
    public static let c90001 = B2CErrorCode(
        number: "90001", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "The account exists already, and profile '{0}' does not create it a second time.",
        meaning: "An account that is to be created exists already (number of the documentation).",
        cause: "The technical profile has `RaiseErrorIfClaimsPrincipalAlreadyExists`, or the name is taken.",
        remedy: "Sign in with the existing account, or use another name.",
        production: .elsewhere("logs of the service say AADB2C99001"))

    public static let c90002 = B2CErrorCode(
        number: "90002", inserts: 1, oauthError: "server_error", delivery: .config,
        template: "The template of the page could not be found at '{0}'.",
        meaning: "The page template was answered with 404.",
        cause: "The content definition or the user flow names an address at which no template lies.",
        remedy: "Correct the address of the template, or put the file there.",
        production: .mock("authorize: `template.status` 404 in the tenant file"))

    public static let c90006 = B2CErrorCode(
        number: "90006", inserts: 2, oauthError: "redirect_uri_mismatch", delivery: .page,
        template: "The redirect URI '{0}' provided in the request is not registered for the client id '{1}'.",
        meaning: "The redirect URI of the request is not registered.",
        cause: "Registration and code disagree, often in letter case, a trailing slash or the scheme.",
        remedy: "Register exactly the URI that the app sends, character by character.",
        production: .mock("authorize: `redirect_uri` that no platform of the registration lists"))

    public static let c90007 = B2CErrorCode(
        number: "90007", inserts: 1, oauthError: nil, delivery: .page,
        template: "The application associated with client id '{0}' has no registered redirect URIs.",
        meaning: "The app has no redirect URI at all.",
        cause: "The registration was made without one.",
        remedy: "Register the URI that the app sends, under the platform type of the app.",
        production: .mock("authorize: app without `registration.redirectUris`"))

    public static let c90008 = B2CErrorCode(
        number: "90008", inserts: 0, oauthError: nil, delivery: .page,
        template: "The request does not contain a client ID parameter.",
        meaning: "The parameter `client_id` is missing.",
        cause: "The request was put together by hand, or a setting is empty.",
        remedy: "Send the application (client) id as `client_id`.",
        production: .mock("authorize, token: request without `client_id`"))

    public static let c90010 = B2CErrorCode(
        number: "90010", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: "The request does not contain a scope parameter.",
        meaning: "The parameter `scope` is missing.",
        cause: "The client sent no scope at all.",
        remedy: "Send at least `openid`.",
        production: .mock("authorize: request without `scope`"))

    public static let c90011 = B2CErrorCode(
        number: "90011", inserts: 2, oauthError: "invalid_request", delivery: .redirect,
        template: "The client id '{0}' of the request is not the client id '{1}' that the policy allows.",
        meaning: "The policy is fixed to another app.",
        cause: "The relying party of a custom policy names one client id.",
        remedy: "Use the policy from that app, or take the client id out of the policy.",
        production: .mock("authorize: a custom policy whose relying party has the metadata item `client_id` (inferred)")
    )

    public static let c90012 = B2CErrorCode(
        number: "90012", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: "Scope '{0}' is not one that is supported.",
        meaning: "A scope is not supported (older form of AADB2C90117).",
        cause: "The scope is not in the form that web APIs of the tenant use.",
        remedy: "Ask for scopes of the form `{application id URI}/{scope}`.",
        production: .faultRule)

    public static let c90013 = B2CErrorCode(
        number: "90013", inserts: 1, oauthError: "unsupported_response_type", delivery: .redirect,
        template: "The requested response type '{0}' provided in the request is not supported.",
        meaning: "The parameter `response_type` is unknown.",
        cause: "A spelling error, or a type that B2C does not have.",
        remedy: "Use `code`; apps that need ID tokens directly use `id_token` or `code id_token`.",
        production: .mock("authorize: other `response_type`"))

    public static let c90014 = B2CErrorCode(
        number: "90014", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: "The requested response mode '{0}' provided in the request is not supported.",
        meaning: "The parameter `response_mode` is unknown.",
        cause: "A spelling error.",
        remedy: "Use `query`, `fragment` or `form_post`.",
        production: .mock("authorize: other `response_mode`"))

    public static let c90016 = B2CErrorCode(
        number: "90016", inserts: 2, oauthError: "invalid_client", delivery: .json,
        template: "The client assertion type '{0}' is not the expected '{1}'.",
        meaning: "The type of the client assertion is not the expected one (deprecated).",
        cause: "The app authenticates with an assertion, which B2C no longer supports.",
        remedy: "Authenticate with a client secret.",
        production: .faultRule)

    public static let c90017 = B2CErrorCode(
        number: "90017", inserts: 1, oauthError: "invalid_client", delivery: .json,
        template: "The client assertion of the request is invalid: {0}",
        meaning: "The client assertion is invalid (deprecated).",
        cause: "The app authenticates with an assertion, which B2C no longer supports.",
        remedy: "Authenticate with a client secret.",
        production: .faultRule)

    public static let c90018 = B2CErrorCode(
        number: "90018", inserts: 2, oauthError: "invalid_client", delivery: .page,
        template: "The client id '{0}' specified in the request is not registered in tenant '{1}'.",
        meaning: "The tenant does not know the app.",
        cause: "The app is registered in another tenant, or the id was mistyped.",
        remedy: "Compare the client id and the tenant of the authority with the portal.",
        production: .mock("authorize, token: unknown `client_id`"))

    public static let c90019 = B2CErrorCode(
        number: "90019", inserts: 3, oauthError: nil, delivery: .config,
        template: "The key container '{0}' in tenant '{1}' has no usable key. Reason: {2}",
        meaning: "A policy key has no key that can be used.",
        cause: "The container is empty, or its key is not active.",
        remedy: "Upload or generate a key in the container.",
        production: .faultRule)

    public static let c90021 = B2CErrorCode(
        number: "90021", inserts: 3, oauthError: nil, delivery: .config,
        template: "Policy '{1}' of tenant '{2}' has no technical profile '{0}'.",
        meaning: "A technical profile that is referred to does not exist.",
        cause: "A spelling error, or a parent policy that was not uploaded.",
        remedy: "Correct the reference, or upload the policies from the base down.",
        production: .faultRule)

    public static let c90022 = B2CErrorCode(
        number: "90022", inserts: 2, oauthError: nil, delivery: .config,
        template: "The metadata of policy '{0}' in tenant '{1}' cannot be produced.",
        meaning: "The metadata of the policy cannot be produced.",
        cause: "The policy or one of its parents is faulty.",
        remedy: "Check that tenant and policy exist and that the policy was uploaded.",
        production: .faultRule)

    public static let c90023 = B2CErrorCode(
        number: "90023", inserts: 2, oauthError: nil, delivery: .config,
        template: "The technical profile '{0}' lacks the metadata item '{1}'.",
        meaning: "A technical profile lacks a metadata item.",
        cause: "The item was left out or mistyped.",
        remedy: "Add the item to the metadata of the profile.",
        production: .mock("custom policies"))

    public static let c90025 = B2CErrorCode(
        number: "90025", inserts: 4, oauthError: nil, delivery: .config,
        template: "The technical profile '{0}' in policy '{1}' of tenant '{2}' lacks the cryptographic key '{3}'.",
        meaning: "A technical profile lacks a cryptographic key.",
        cause: "The key reference was left out or mistyped.",
        remedy: "Add the key to the CryptographicKeys of the profile.",
        production: .mock("custom policies"))

    public static let c90027 = B2CErrorCode(
        number: "90027", inserts: 1, oauthError: nil, delivery: .config,
        template: """
            The basic credentials given for technical profile '{0}' are refused. Check that they are right and that \
            the service takes them.
            """,
        meaning: "A REST service refuses user name and password.",
        cause: "The policy keys hold other credentials than the service expects.",
        remedy: "Correct the policy keys that hold user name and password.",
        production: .faultRule)

    public static let c90028 = B2CErrorCode(
        number: "90028", inserts: 1, oauthError: nil, delivery: .config,
        template: """
            The client certificate given for technical profile '{0}' is refused. Check that it is right and that the \
            service takes it.
            """,
        meaning: "A REST service refuses the client certificate.",
        cause: "The certificate has expired, or the service does not trust it.",
        remedy: "Upload a valid certificate, and make the service trust it.",
        production: .faultRule)

    public static let c90031 = B2CErrorCode(
        number: "90031", inserts: 1, oauthError: nil, delivery: .config,
        template: "The policy '{0}' has no default user journey.",
        meaning: "The relying party names no user journey.",
        cause: "DefaultUserJourney is missing in the policy and its parents.",
        remedy: "Name a user journey in the relying party.",
        production: .faultRule)

    public static let c90035 = B2CErrorCode(
        number: "90035", inserts: 0, oauthError: "temporarily_unavailable", delivery: .redirect,
        template: "The service is down for the moment; repeat the request in some minutes.",
        meaning: "The service is unavailable for a while.",
        cause: "A fault on the side of the service.",
        remedy: "Try again after some minutes.",
        production: .faultRule)

    public static let c90036 = B2CErrorCode(
        number: "90036", inserts: 0, oauthError: nil, delivery: .page,
        template: "The request has no URI to return to after sign-out.",
        meaning: "A sign-out request lacks its redirect URI.",
        cause: "The mode of the request needs `post_logout_redirect_uri`.",
        remedy: "Send `post_logout_redirect_uri`.",
        production: .faultRule)

    public static let c90037 = B2CErrorCode(
        number: "90037", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: """
            An error occurred while processing the request. Please contact administrator of the site you are trying to access.
            """,
        meaning: "General failure.",
        cause: "An error that the service does not explain.",
        remedy: "Look at the policy's logs with the correlation id.",
        production: .faultRule)

    public static let c90039 = B2CErrorCode(
        number: "90039", inserts: 2, oauthError: nil, delivery: .config,
        template: """
            The request has a client assertion, but policy '{0}' of tenant '{1}' has no client secret to check it \
            with.
            """,
        meaning: "A client assertion came, but the policy has no secret (deprecated).",
        cause: "The app authenticates with an assertion, which B2C no longer supports.",
        remedy: "Authenticate with a client secret.",
        production: .faultRule)

    public static let c90040 = B2CErrorCode(
        number: "90040", inserts: 1, oauthError: nil, delivery: .config,
        template: "The user journey '{0}' has no step that sends claims.",
        meaning: "A user journey lacks its SendClaims step.",
        cause: "The last step is missing.",
        remedy: "End the journey with a step of type SendClaims.",
        production: .mock("custom policies without a SendClaims step"))

    public static let c90043 = B2CErrorCode(
        number: "90043", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: """
            The prompt included in the request contains invalid values. Expected 'none', 'login', 'consent' or \
            'select_account'.
            """,
        meaning: "The value of `prompt` is unknown.",
        cause: "Libraries can send `create`, which B2C does not know.",
        remedy: "Use another prompt; a sign-up page is reached with a sign-up policy.",
        production: .mock("authorize: other `prompt`"))

    public static let c90044 = B2CErrorCode(
        number: "90044", inserts: 2, oauthError: nil, delivery: .config,
        template: "The claim '{0}' is not supported by the claim resolver '{1}'.",
        meaning: "A claim resolver does not know a name.",
        cause: "A spelling error in a `{...}` value of the policy.",
        remedy: "Correct the resolver.",
        production: .faultRule)

    public static let c90046 = B2CErrorCode(
        number: "90046", inserts: 0, oauthError: nil, delivery: .page,
        template: "The state of the sign-in could not be loaded. Start again from the beginning.",
        meaning: "The cookies of the journey are gone or too old.",
        cause: "The page stayed open too long, cookies are blocked, or Back and a bookmark led to an old page.",
        remedy: "Start the sign-in again; check that the browser takes cookies of the host.",
        production: .mock("page requests without or with expired journey cookies"))

    public static let c90047 = B2CErrorCode(
        number: "90047", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "The resource '{0}' contains script errors preventing it from being loaded.",
        meaning: "The page template could not be loaded by the page script.",
        cause: "The server of the template sends no CORS headers, or the template has faulty scripts.",
        remedy: "Allow the B2C host as origin on the server of the template.",
        production: .mock("page action `error`: template without CORS"))

    public static let c90048 = B2CErrorCode(
        number: "90048", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "The server failed unexpectedly.",
        meaning: "Unexpected failure of the service.",
        cause: "A fault of the service or of the policy.",
        remedy: "Try again; then report it with the correlation id.",
        production: .faultRule)

    public static let c90051 = B2CErrorCode(
        number: "90051", inserts: 0, oauthError: nil, delivery: .config,
        template: "No suitable claims providers were found.",
        meaning: "No identity provider fits.",
        cause: "All were filtered out by a domain hint or a precondition.",
        remedy: "Check `domain_hint` and the claims provider selections.",
        production: .mock("custom policies"))
}
