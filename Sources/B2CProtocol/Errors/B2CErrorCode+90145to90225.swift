extension B2CErrorCode {
    public static let c90145 = B2CErrorCode(
        number: "90145", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "The account has no phone number, and the policy lets nobody enter one.",
        meaning: "The second factor has no number to use.",
        cause: "The account has none, and the policy forbids entering one.",
        remedy: "Store a number for the account.",
        production: .mock("phone page: no number on file and `ManualPhoneNumberEntryAllowed` false"))

    public static let c90146 = B2CErrorCode(
        number: "90146", inserts: 1, oauthError: "invalid_request", delivery: .redirect,
        template: "Scope '{0}' names several resources; an access token is for one.",
        meaning: "Scopes of several web APIs in one request.",
        cause: "A token is for one audience only.",
        remedy: "Ask for the scopes of one API at a time.",
        production: .mock("authorize: scopes of two APIs"))

    public static let c90149 = B2CErrorCode(
        number: "90149", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "The page could not load the script '{0}'.",
        meaning: "A script of the page failed to load.",
        cause: "Network, content blocker, or policy JavaScript that fails.",
        remedy: "Reload; check the page template.",
        production: .mock("page action `error`: script `UX002`"))

    public static let c90151 = B2CErrorCode(
        number: "90151", inserts: 0, oauthError: "access_denied", delivery: .redirect,
        template: "User has exceeded the maximum number for retries for multi-factor authentication.",
        meaning: "Too many wrong codes.",
        cause: "The person could not give the right code.",
        remedy: "Start the sign-in again.",
        production: .mock("phone and code pages: `mfa.maxTries` reached"))

    public static let c90152 = B2CErrorCode(
        number: "90152", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "The multi-factor service did not answer a poll.",
        meaning: "The second factor did not answer in time.",
        cause: "The phone call was not answered.",
        remedy: "Start the sign-in again.",
        production: .mock("phone page: call to somebody with `answersCalls` false"))

    public static let c90154 = B2CErrorCode(
        number: "90154", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "The multi-factor service gave no session id.",
        meaning: "The second factor could not be started.",
        cause: "A fault of the service.",
        remedy: "Try again later.",
        production: .faultRule)

    public static let c90155 = B2CErrorCode(
        number: "90155", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "The multi-factor service could not send: {0}",
        meaning: "The code could not be sent.",
        cause: "Number unreachable, or a fault of the service.",
        remedy: "Check the number; try again later.",
        production: .faultRule)

    public static let c90156 = B2CErrorCode(
        number: "90156", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "The multi-factor service could not validate: {0}",
        meaning: "The code could not be checked.",
        cause: "A fault of the service.",
        remedy: "Try again later.",
        production: .faultRule)

    public static let c90157 = B2CErrorCode(
        number: "90157", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "User has exceeded the maximum number for retries for a self-asserted step.",
        meaning: "Too many failed submissions of a page.",
        cause: "`setting.retryLimit` was reached.",
        remedy: "Start again; raise the limit in the policy.",
        production: .mock("self-asserted pages: `setting.retryLimit` reached; e-mail factor: `mfa.maxTries`"))

    public static let c90158 = B2CErrorCode(
        number: "90158", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "Validating the self-asserted input failed: {0}",
        meaning: "The validation of a page failed.",
        cause: "A fault of the service behind a validation profile.",
        remedy: "Look at that service.",
        production: .faultRule)

    public static let c90159 = B2CErrorCode(
        number: "90159", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "A self-asserted verification request has failed with reason '{0}'.",
        meaning: "The page could not reach the service while verifying.",
        cause: "The network broke between browser and B2C.",
        remedy: "Try again.",
        production: .faultRule)

    public static let c90161 = B2CErrorCode(
        number: "90161", inserts: 1, oauthError: "server_error", delivery: .redirect,
        template: "Sending the self-asserted input failed: {0}",
        meaning: "The page could not send its answer.",
        cause: "The network broke between browser and B2C.",
        remedy: "Try again.",
        production: .faultRule)

    public static let c90165 = B2CErrorCode(
        number: "90165", inserts: 1, oauthError: nil, delivery: .page,
        template: "The SAML initiating message with id '{0}' cannot be found in state.",
        meaning: "A SAML answer fits no request.",
        cause: "The journey's cookies are gone.",
        remedy: "Start again.",
        production: .notSimulated("SAML"))

    public static let c90168 = B2CErrorCode(
        number: "90168", inserts: 1, oauthError: nil, delivery: .page,
        template: "The HTTP-Redirect request lacks the parameter '{0}' that a signed request needs.",
        meaning: "A SAML request is incomplete.",
        cause: "The partner left a parameter out.",
        remedy: "Correct the partner's configuration.",
        production: .notSimulated("SAML"))

    public static let c90178 = B2CErrorCode(
        number: "90178", inserts: 1, oauthError: nil, delivery: .config,
        template: "The signing certificate '{0}' has no private key.",
        meaning: "A signing certificate lacks its private key.",
        cause: "Only the public part was uploaded.",
        remedy: "Upload the PKCS 12 file.",
        production: .faultRule)

    public static let c90182 = B2CErrorCode(
        number: "90182", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The supplied code_verifier does not match associated code_challenge.",
        meaning: "PKCE verification failed.",
        cause: "The verifier belongs to another request, or the method differs.",
        remedy: "Send the verifier whose challenge was sent.",
        production: .mock("token: other `code_verifier`"))

    public static let c90183 = B2CErrorCode(
        number: "90183", inserts: 0, oauthError: "invalid_grant", delivery: .json,
        template: "The supplied code_verifier is invalid",
        meaning: "The PKCE verifier is malformed.",
        cause: "It has fewer than 43 or more than 128 characters, or characters that are not allowed.",
        remedy: "Make it as RFC 7636 section 4.1 says.",
        production: .mock("token: missing or malformed `code_verifier`"))

    public static let c90184 = B2CErrorCode(
        number: "90184", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: "The supplied code_challenge_method is not supported. Supported values are plain or S256.",
        meaning: "The PKCE method is unknown.",
        cause: "A spelling error.",
        remedy: "Use `S256`.",
        production: .mock("authorize: other `code_challenge_method`"))

    public static let c90188 = B2CErrorCode(
        number: "90188", inserts: 3, oauthError: nil, delivery: .config,
        template: """
            The SAML technical profile '{0}' names the partner metadata address '{1}', but fetching it fails with \
            reason '{2}'.
            """,
        meaning: "SAML metadata of a partner cannot be fetched.",
        cause: "Address, network or certificate.",
        remedy: "Correct PartnerEntity.",
        production: .notSimulated("SAML"))

    public static let c90194 = B2CErrorCode(
        number: "90194", inserts: 2, oauthError: nil, delivery: .config,
        template: "The claim '{0}' for the bearer token is not among the available claims. Available claims: '{1}'",
        meaning: "The claim that holds a bearer token is missing.",
        cause: "An earlier step did not output it.",
        remedy: "Output the claim before the REST call.",
        production: .mock("custom policies"))

    public static let c90205 = B2CErrorCode(
        number: "90205", inserts: 0, oauthError: "invalid_request", delivery: .redirect,
        template: """
            This application does not have sufficient permissions against this web resource to perform the operation.
            """,
        meaning: "The app lacks a permission for the web API.",
        cause: "The permission is not granted, or lacks admin consent.",
        remedy: "Add the API permission and grant admin consent.",
        production: .mock("authorize: scope that `registration.scopes` does not list"))

    public static let c90206 = B2CErrorCode(
        number: "90206", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "Starting the page took too long.",
        meaning: "The page took too long to start.",
        cause: "Slow network or template.",
        remedy: "Try again; make the template smaller.",
        production: .mock("page action `error`: start-up timeout"))

    public static let c90208 = B2CErrorCode(
        number: "90208", inserts: 0, oauthError: "invalid_request", delivery: .page,
        template: "The id_token_hint has expired; a fresh one is needed.",
        meaning: "The ID token given as hint has expired.",
        cause: "It is older than its lifetime.",
        remedy: "Send a fresh one, or leave it out.",
        production: .mock("authorize with `id_token_hint`"))

    public static let c90209 = B2CErrorCode(
        number: "90209", inserts: 1, oauthError: "invalid_request", delivery: .page,
        template: "The audience of the id_token_hint is not one of those accepted: '{0}'",
        meaning: "The ID token given as hint is for another audience.",
        cause: "It belongs to another app.",
        remedy: "Send one of this app.",
        production: .mock("authorize with `id_token_hint`"))

    public static let c90210 = B2CErrorCode(
        number: "90210", inserts: 0, oauthError: "invalid_request", delivery: .page,
        template: "The id_token_hint cannot be verified.",
        meaning: "The ID token given as hint cannot be verified.",
        cause: "It is not a token, or its signature is not good.",
        remedy: "Send a token as it was issued.",
        production: .mock("authorize with `id_token_hint`"))

    public static let c90211 = B2CErrorCode(
        number: "90211", inserts: 0, oauthError: nil, delivery: .page,
        template: "A state cookie of the request is incomplete.",
        meaning: "A journey cookie is incomplete.",
        cause: "The browser dropped parts, often for size.",
        remedy: "Delete the cookies of the host; start again.",
        production: .mock("page requests with a part of the cookies"))

    public static let c90212 = B2CErrorCode(
        number: "90212", inserts: 0, oauthError: nil, delivery: .page,
        template: "A state cookie of the request is not valid.",
        meaning: "A journey cookie is not valid.",
        cause: "It was altered, or belongs to another host.",
        remedy: "Delete the cookies of the host; start again.",
        production: .mock("page requests with altered cookies"))

    public static let c90220 = B2CErrorCode(
        number: "90220", inserts: 2, oauthError: nil, delivery: .config,
        template: """
            The key container of tenant '{0}' with storage id '{1}' has no valid certificate. It may be expired or \
            not yet active.
            """,
        meaning: "A certificate is not valid now.",
        cause: "It has expired, or is not active yet.",
        remedy: "Upload a valid certificate.",
        production: .faultRule)

    public static let c90223 = B2CErrorCode(
        number: "90223", inserts: 0, oauthError: "server_error", delivery: .redirect,
        template: "The resource could not be sanitised.",
        meaning: "The page template could not be cleaned.",
        cause: "It holds elements that the sanitizer cannot handle.",
        remedy: "Simplify the template, or allow JavaScript in the policy.",
        production: .mock("page action `error`: sanitizer failure"))

    public static let c90224 = B2CErrorCode(
        number: "90224", inserts: 0, oauthError: "unauthorized_client", delivery: .json,
        template: "Resource owner flow has not been enabled for the application.",
        meaning: "The password grant is not enabled for the app.",
        cause: "The registration does not allow it.",
        remedy: "Allow it in the registration.",
        production: .mock("token: password grant with `registration.ropc` false"))

    public static let c90225 = B2CErrorCode(
        number: "90225", inserts: 0, oauthError: "access_denied", delivery: .json,
        template: "The username or password provided in the request are invalid.",
        meaning: "The password grant was refused.",
        cause: "Name or password is wrong, or the account is locked.",
        remedy: "Use the right credentials.",
        production: .mock("token: password grant with wrong credentials"))
}
