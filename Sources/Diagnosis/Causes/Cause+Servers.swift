extension Cause {
    /// Tokens that an API or a web app refuses, and answers that it does not accept: ASP.NET and others.
    static let validation: [Cause] = [
        .known(
            "audience-has-space", libraries: [.identityWeb],
            "The audience in the API's settings has a space too many: both look alike and differ in a space.",
            signs: [.certain("{audienceHasSpace}"), .strong("{audienceLooksSame}")],
            check: "Is there a space before or after the client id in the settings?",
            fix: "Remove the space from ClientId or Audience."),
        .known(
            "audience-in-another-form", libraries: [.identityWeb],
            "The token's audience and the expected one name the same app in two forms: as api://{id} and as the plain id.",
            signs: [.certain("{audienceForm}")],
            check: "Which form does `aud` of the token have?",
            fix: "Set the API's Audience to the form in the token, or list both."),
        .known(
            "token-for-microsoft-graph",
            "The token is for Microsoft Graph, and no API but Graph can validate it.",
            signs: [
                .certain("{audienceOfGraph}"), .strong("idx10511 & graph*"),
                .fair("invalid signature & graph.microsoft.com"),
            ],
            check: "Which scopes did the request name? Graph scopes bring a token for Graph.",
            fix: "Ask for a scope of your own API in a request of its own."),
        .known(
            "expected-audience-not-set", libraries: [.identityWeb],
            "The API has no expected audience: its client id or audience setting is empty or was not loaded.",
            signs: [.strong("{noExpectedAudience}"), .certain("idx10208")],
            check: "Does the API read the section that holds ClientId or Audience?",
            fix: "Set ClientId or Audience of the API in the section that its scheme reads."),
        .known(
            "issuer-differs-in-a-slash",
            "The token's issuer and the expected one differ in a trailing slash, a space or letter case alone.",
            signs: [.certain("{issuerSlash}")],
            check: "Compare the two issuers character by character.",
            fix: "Write the expected issuer exactly as `iss` of the token has it."),
        .known(
            "token-of-a-directory",
            "The token was issued by a directory tenant of Microsoft Entra ID, and the API expects one of B2C.",
            signs: [.certain("{issuerOfDirectory}"), .fair("sts.windows.net & b2clogin.com")],
            check: "Which authority did the app ask for this token?",
            fix: "Ask the B2C policy for the token, or let the API accept that tenant too."),
        .known(
            "token-of-another-version",
            "The directory issued the token in version 2.0 and the API expects the issuer of version 1.0, or the other way round.",
            signs: [.certain("{issuerVersion}")],
            check: "Does the metadata address of the API have /v2.0/, as `iss` of the token has?",
            fix:
                "Read the metadata of the token's version (.../v2.0/.well-known/openid-configuration), or set requestedAccessTokenVersion of the API; for people of B2C use the policy's metadata."
        ),
        .known(
            "token-of-another-tenant",
            "The token was issued by another tenant than the API expects.",
            signs: [.certain("{issuerOfOtherTenant}")],
            check: "Compare the tenant ids of the two issuers with the portal.",
            fix: "Use the same tenant in the app's authority and in the API's settings."),
        .known(
            "policy-missing-in-the-settings", libraries: [.identityWeb],
            "The app's settings name no policy, so the library takes them for those of a directory: it asks for TenantId, or checks against directory issuers.",
            signs: [
                .strong("the 'tenantid' option must be provided"), .fair("{issuerUnnamed}"),
                .fair("idw10303 | idx40001 | idx40003"), .weak("microsoftidentitywebapi"),
                .weak("aadissuervalidator"),
            ],
            check: "Does the section have SignUpSignInPolicyId, Domain and an Instance at b2clogin.com?",
            fix: "Set SignUpSignInPolicyId, Domain and Instance in the section that the scheme reads."),
        .known(
            "key-of-another-policy", libraries: [.identityWeb],
            "The policies do not share a signing key, and the app knows the keys of one: user flows and custom policies have different keys.",
            signs: [
                .fair("idx10501 & {twoPolicies} | idx10503 & {twoPolicies}"), .fair("idx10501 | idx10503"),
                .weak("signature validation failed"), .weak("number of keys in configuration"),
                .weak("number of keys in tokenvalidationparameters"),
                .fair("idx10501 & b2c_1a_* & b2c_1_* | idx10501 & {editPolicy} | idx10501 & {resetPolicy}"),
                .fair("signature verification failed | jwt signature is invalid | invalid signature"),
            ],
            check: "Which policy issued the token (tfp or acr), and whose metadata does the app read?",
            fix: "Read the metadata of the policy that issued the token, or use custom policies with one key for all."),
        .known(
            "metadata-of-another-authority",
            "The app reads its keys from another authority than the one that issued the token: another tenant, host or policy, or a directory.",
            signs: [
                .certain("idx10516 & {issuerInvalid}"), .fair("idx10501 | idx10503 | idx10516"),
                .strong("jwks doesn't have key to match kid or alg*"),
                .strong("no applicable key found in the json web key set | err_jwks_no_matching_key"),
                .strong("pyjwkclienterror & signing key that matches* | signingkeynotfounderror"),
                .strong("no valid key found in issuer's jwks_uri*"),
                .strong("signingkeynotfoundexception | no key found in & with kid"),
                .strong("\"kid\" invalid, unable to lookup correct key | failed to find key with kid"),
                .strong("unable to find a suitable verification key for jws | failed to verify id token signature"),
                .fair("cannot verify token | no suitable signing key"),
                .fair("the signature key was not found | a key with kid & cannot be found | kid & does not correspond"),
                .weak("passport-azure-ad | jwks"),
                .fair("unable to find a signing key that matches* | no matching key | no matching keys"),
                .fair("another algorithm expected, or no matching key*"), .fair("{issuerInvalid}"),
                .strong("idx10501 & addazureadbearer | idx10501 & azureaddefaults* | idx10503 & addazureadbearer"),
                .strong("idx10501 & instance\": \"https://login.microsoftonline*"),
                .weak("login.microsoftonline.com"),
            ],
            check: "Compare `iss` of the token with `issuer` of the metadata that the app reads.",
            fix: "Set the app's metadata or JWKS address to the policy that issues the tokens."),
        .known(
            "keys-without-algorithm",
            "The library wants `alg` in each key, and the keys that B2C publishes have none.",
            signs: [.certain("jwk must contain an \"alg\" parameter"), .strong("jwk & missing & \"alg\" parameter")],
            check: "Does a newer version of the library take a default algorithm?",
            fix: "Give the library RS256 as the algorithm of the keys."),
        .known(
            "keys-without-certificate",
            "The library wants the certificate x5c in each key, and the keys that B2C publishes have only n and e.",
            signs: [
                .certain("keyerror: 'x5c'"),
                .strong("(reading 'x5c') | property 'x5c' of undefined | key not found: \"x5c\""),
            ],
            check: "Does a newer version of the library build the key from n and e?",
            fix: "Update the library, or give it a key source that reads n and e (PyJWKClient, jwks-rsa)."),
        .known(
            "no-signing-keys", libraries: [.identityWeb],
            "The API has no signing keys: its metadata was not read, or another handler than the configured one runs.",
            signs: [.certain("idx10500"), .fair("no security keys were provided")],
            check:
                "Is the authority or metadata address with its policy set on the scheme that runs, and can it be fetched?",
            fix: "Set Authority or MetadataAddress of the policy on that scheme."),
        .known(
            "signature-does-not-fit",
            "The key is known and the signature does not fit: the token was changed on the way, or is for Microsoft Graph.",
            signs: [.certain("idx10511"), .strong("{keyAmongThose}"), .fair("the signature is invalid & !idx10501")],
            check: "Is the token sent whole, and does its header have `nonce`?",
            fix: "Send the token as it was issued; use a token for this API."),
        .known(
            "token-expired",
            "The token has expired.",
            signs: [
                .certain("idx10223"), .certain("idx10516 & {lifetimeInvalid}"), .certain("jwt expired"),
                .certain("the token is expired"), .strong("token has expired | expired token"),
                .strong("expiredsignatureerror | jwtexpired | err_jwt_expired | jwt::expiredsignature"),
                .strong("jwt is expired | signature has expired | token is expired by*"),
                .certain("the token expired at*"),
            ],
            check:
                "Compare `exp` with the time of the call: does the client keep a token in place of asking the library each time?",
            fix: "Ask the library for a token before each call; compare the clocks."),
        .known(
            "not-a-token",
            "What was sent as a token is not a JWT: it lacks parts, is quoted, cut, or the word undefined.",
            signs: [
                .certain("idx12741 | idx12709 | idx14100 | idx14120"), .certain("jwt malformed"),
                .certain("idx12729 | idx12723 | idx12739 | idx14101 | idx14102 | idx10709"),
                .strong("malformed token | token is malformed | not enough segments | wrong number of segments"),
            ],
            check: "What follows `Bearer ` in the request?",
            fix: "Send the access token alone, whole and without quotes; check that a token was received at all."),
        .known(
            "code-taken-for-a-token",
            "What was taken for a token is an authorization code or a refresh token: five parts, the second empty, which only the service can read.",
            signs: [
                .strong("{sealedGrant} & jwt.ms | {sealedGrant} & jwt.io | {sealedGrant} & jwt malformed"),
                .strong("{sealedGrant} & jwt is invalid | {sealedGrant} & invalid jwt | {sealedGrant} & idx12741"),
                .certain("{sealedGrant} & bearer eyjrawqioijjcglt*"), .fair("{sealedGrant} & decode*"),
            ],
            check: "Which parameter of the answer was it: code, refresh_token, id_token or access_token?",
            fix:
                "Redeem the code at the token endpoint and use the tokens of that answer, or ask for response_type=id_token."
        ),
        .known(
            "token-without-scopes", libraries: [.identityWeb],
            "The token has neither scp nor roles: the app sends its ID token, or asked for no scope of the API.",
            signs: [.certain("idw10201"), .certain("neither scope or roles claim was found"), .fair("idw10203")],
            check: "Does the token have `scp`?",
            fix: "Ask for a scope of the API and send the access token."),
        .known(
            "nonce-cookie-missing", libraries: [.identityWeb],
            "The cookie with the nonce of the request does not come along with the answer.",
            signs: [
                .certain("idx21323 | idx10311"), .fair("nonce was null | nonce is null"), .weak("openidconnect.nonce"),
            ],
            check:
                "Is the app on https, at the host and path that set the cookie, with SameSite=None? Does the answer arrive twice, or after a long stay on the page?",
            fix:
                "Serve the app over https with SameSite=None and Secure on that cookie; redirect to one host; behind a proxy forward scheme and host."
        ),
        .known(
            "correlation-cookie-missing", libraries: [.identityWeb],
            "The cookie that ties the answer to the request is missing: blocked by SameSite or http, another host, an old or repeated callback.",
            signs: [
                .strong("correlation failed"), .fair("correlation cookie"), .fair("'.aspnetcore.correlation*"),
                .weak("samesite"), .weak("signin-oidc"),
            ],
            check:
                "Is the app on https, and do the request and the callback use the same host? Was the sign-in page open for long or reached by Back?",
            fix:
                "Use https, forward scheme and host from the proxy, and start the sign-in again where the cookie is missing."
        ),
        .known(
            "state-cannot-be-read", libraries: [.identityWeb],
            "The app cannot decrypt the state that it sent: another instance or scheme with other keys got the answer, or a deployment changed them.",
            signs: [
                .strong("unable to unprotect the message.state"), .strong("the key { & was not found in the key ring"),
                .fair("was not found in the key ring"), .strong("the antiforgery token could not be decrypted"),
                .fair("the oauth state was missing or invalid"),
            ],
            check:
                "Do all instances share their data protection keys, and does each scheme have a callback path of its own?",
            fix: "Keep data protection keys in a shared store; give each scheme its own CallbackPath."),
        .known(
            "key-not-given",
            "The API is to check the token's signature and was given no key: the key function returned nothing, or the setting is empty.",
            signs: [
                .certain("secret or public key must be provided"), .strong("key must not be null or empty & jwt*"),
            ],
            check: "Does the code fetch the keys of the policy (jwks_uri) by the token's `kid`, and hand one over?",
            fix: "Use a key client for the JWKS address of the policy, and pass the public key that it returns."),
        .known(
            "api-issuer-not-trusted",
            "The API is set up for other issuers than the one that issued the token: for another tenant, host, policy form, or for a directory in place of B2C.",
            signs: [
                .certain("is not registered in trusted issuer repository"), .certain("jwt issuer is not configured"),
                .strong("untrusted issuer | issuer not trusted | issuer is not trusted | unknown issuer"),
                .weak("invalid_token"),
            ],
            check:
                "Compare `iss` of the token with the issuers in the API's settings: a directory's (login.microsoftonline.com, sts.windows.net) or the B2C policy's?",
            fix:
                "Configure the API with the policy's own issuer and metadata (tenant, b2clogin.com host and user flow), with the slash at its end; if tokens of a directory are to be accepted too, list both issuers."
        ),
        .known(
            "callback-without-state", libraries: [.identityWeb],
            "The callback was called without state: it was opened directly, or the policy was started elsewhere.",
            signs: [.strong("message.state is null or empty"), .strong("idx21329")],
            check: "Was the sign-in started by the app, or by a link or \"Run now\" in the portal?",
            fix: "Start every sign-in in the app; do not open its callback directly."),
        .known(
            "sign-in-loop",
            "The app and the sign-in page send the browser to each other without end: the app does not keep its own session, or a guard asks again on the callback.",
            signs: [
                .strong("err_too_many_redirects"), .strong("redirected you too many times"),
                .strong("isn't redirecting properly"),
                .fair("redirect loop | infinite redirect*"),
            ],
            check:
                "Is the app's cookie set after the callback, over https, and is the callback's page open to people who are not signed in yet?",
            fix:
                "Let the app keep its session (cookie over https, size, SameSite), and exclude callback and error pages from the guard."
        ),
        .known(
            "error-in-the-answer-not-handled", libraries: [.identityWeb],
            "The answer at the callback is an error of B2C, and the app shows it as a failed sign-in: the error's code says what the person did or what is wrong.",
            signs: [
                .fair("message contains error: 'access_denied'"), .fair("message contains error: 'server_error'"),
                .fair("message contains error: 'invalid_request'"), .fair("openidconnectprotocolexception"),
            ],
            check: "Which AADB2C code does error_description have?",
            fix: "Handle OnRemoteFailure: start the reset policy on AADB2C90118, return to the start on AADB2C90091."),
        .known(
            "error-page-hides-the-cause", libraries: [.identityWeb],
            "The sign-in failed, and then the library's error page too: the app does not serve it, or an old version of the library fails there. The first error is hidden.",
            signs: [
                .strong("microsoftidentity/account/error & 404 | azureadb2c/account/error & 404"),
                .strong("tempdataloginerroraccessor | same key has already been added. key: microsoftidentityerror"),
            ],
            check: "What does OnRemoteFailure, or the answer before the redirect, say: which error and AADB2C code?",
            fix:
                "Log the failure in OnRemoteFailure, map the pages of the library's UI package, and update the library."
        ),
        .known(
            "metadata-not-fetched", libraries: [.identityWeb],
            "The app cannot fetch the metadata of the policy: wrong address, network, proxy or TLS.",
            signs: [
                .strong("idx20803 | idx20804 | idx20807 | idx20809 | idx10803 | idx10804"),
                .fair("unable to obtain configuration | unable to get document"),
                .weak("ssl connection could not be established"), .weak("no such host is known"), .weak("timed out"),
                .against("{policyAtOldHost}"),
            ],
            check:
                "Open the address in the message from the machine of the app: does it have the tenant and the policy?",
            fix: "Correct tenant, policy and host in the address; allow the call in the network; use TLS 1.2 or later."),
        .known(
            "redirect-uri-of-the-proxy", libraries: [.identityWeb],
            "Behind a proxy the app makes its redirect URI from the inner scheme or host, so it is not the registered one.",
            signs: [
                .fair(
                    "aadb2c90006 & x-forwarded-proto | aadb2c90006 & proxy | aadb2c90006 & front door | aadb2c90006 & ingress"
                ),
                .fair("x-forwarded-proto | x-forwarded-host | forwardedheaders"), .weak("docker | kubernetes | nginx"),
            ],
            check: "Which scheme and host does redirect_uri of the request have?",
            fix: "Enable forwarded headers in the app."),
        .known(
            "public-client-not-allowed",
            "The registration does not let the app act as a public client: its redirect URI is listed under Web alone, or public client flows are off.",
            signs: [.strong("aadb2c90058")],
            check: "Under which platform is the redirect URI listed, and does the app send a secret?",
            fix:
                "List the redirect URI under single-page, or mobile and desktop; for the password grant allow public client flows."
        ),
        .known(
            "credentials-refused",
            "User name or password is wrong, or no account has that name.",
            signs: [
                .strong("aadb2c90225 | aadb2c90052 | aadb2c90054"),
                .excluded(
                    by:
                        "username or password provided in the request are invalid & sign up | username or password provided in the request are invalid & custom polic* | username or password provided in the request are invalid & starter*"
                ),
            ],
            check:
                "Does the account exist in this tenant under that sign-in name? If it can sign in by a user flow and not by a custom policy, the two apps of the policy are not set up.",
            fix:
                "Try again or reset the password; in a custom policy check client_id, IdTokenAudience and resource_id of login-NonInteractive."
        ),
        .known(
            "grant-expired",
            "The code or refresh token has expired: it was kept longer than it lives, or a code was redeemed late or twice.",
            signs: [
                .strong("aadb2c90080"), .fair("the provided grant has expired"),
                .excluded(by: "{grantOfADay} & @msal-js | {grantOfADay} & @oidc-js"),
                .excluded(by: "monitor_window_timeout | silent_sso_error"),
            ],
            check: "Subtract the times in the message, and compare them with the lifetimes in the policy's settings.",
            fix: "Sign in interactively, and treat it as interaction required; redeem codes at once and once."),
        .known(
            "redirect-uri-not-registered",
            "The redirect URI of the request is not registered for the app, character by character.",
            signs: [.certain("aadb2c90006"), .fair("redirect_uri_mismatch & b2c*")],
            check:
                "Compare the redirect URI in the message with the registration: scheme, host, port, path, slash, letter case, and the app's client id.",
            fix: "Register exactly the URI that the app sends, under its platform."),
        .known(
            "secret-of-the-app-wrong",
            "The client secret is not valid for this app: expired, of another app, or its id in place of its value.",
            signs: [
                .strong("aadb2c90081"), .strong("aadsts7000215 | aadsts7000222"), .strong("invalid client secret"),
                .against("aadb2c90289 | aadb2c90273 | aadb2c90243"),
                .fair("invalid_client"),
            ],
            check: "Is the secret's value (not its id) of this very registration set, and has it not expired?",
            fix: "Create a new secret, and set its value where the app or the policy key reads it."),
        .known(
            "client-not-in-the-tenant",
            "The tenant does not have an app with the client id of the request.",
            signs: [.certain("aadb2c90018"), .fair("is not registered in tenant")],
            check: "Is the client id spelled right, and is the app registered in the tenant that the authority names?",
            fix: "Use the client id of the app in this B2C tenant; update both tenant and client id together."),
        .known(
            "settings-not-loaded", libraries: [.identityWeb],
            "A required setting is empty: the section was not found, is spelled otherwise, or the file was not deployed.",
            signs: [
                .fair("idw10106"), .certain("the 'clientid' option must be provided"),
                .strong("clientid must be provided | options.clientid must be provided"),
                .strong("instance must be provided | 'instance' option must be provided"),
                .fair("value cannot be null. (parameter 'clientid')"), .strong("aadb2c90008"),
                .fair("value cannot be null. (parameter 'uristring')"),
            ],
            check: "Which section does the code read, and does the deployed configuration have it?",
            fix: "Correct the section's name, and set the values in the deployed environment."),
        .known(
            "tokens-lost-with-the-cache", libraries: [.identityWeb],
            "The person still has the cookie and the token cache is empty, as after a restart with a cache in memory.",
            signs: [
                .strong("idw10502"), .fair("msaluirequiredexception & user_null"),
                .fair("no account or login hint was passed"), .weak("addinmemorytokencaches"),
                .weak("getaccesstokenforuserasync"),
            ],
            check: "Does it happen after a restart or on another instance?",
            fix:
                "Use a distributed token cache, and let MsalUiRequiredException challenge the person (AuthorizeForScopes)."
        ),
        .known(
            "scheme-not-registered", libraries: [.identityWeb],
            "The authentication scheme that is asked for is not registered, or registered under another name.",
            signs: [
                .strong("no authentication handler is registered for the scheme"),
                .strong("no sign-in authentication handlers are registered"),
                .strong("no authenticationscheme was specified"), .strong("scheme already exists"),
            ],
            check: "Which schemes does the startup register, and which one is asked for?",
            fix: "Register each scheme once, and name the default schemes."),
        .known(
            "no-policy-in-the-address",
            "The request's address at the login host has no policy, so the service does not know which one to run: it answers 404, or a directory's page comes.",
            signs: [
                .strong("{noPolicy}"), .strong("{tokenWithoutPolicy}"), .against("{policyInQuery}"),
                .against("{doubledPath}"),
                .fair("{noPolicy} & 404 | {tokenWithoutPolicy} & 404"),
            ],
            check: "Which setting makes the address: does it name the user flow, or does a library drop ?p=?",
            fix: "Put the policy into the path: https://{host}/{tenant}/{policy}/oauth2/v2.0/authorize."),
        .known(
            "policy-or-tenant-not-found",
            "The login host answers with its page for unknown addresses: tenant or policy in the address is misspelt, or the policy does not exist there.",
            signs: [
                .strong("the resource you are looking for has been removed & {policyInAddress}"),
                .strong("openid-configuration & 404 & b2clogin.com & {policyInAddress}"),
                .fair("the resource you are looking for has been removed*"), .excluded(by: "{noPolicy}"),
                .strong(
                    "{tenantOfOtherHost} & 404 | {tenantOfOtherHost} & endpoints_resolution_error | {tenantOfOtherHost} & idx20807"
                ),
                .fair("{tenantOfOtherHost}"), .certain("{doubledTenant}"),
            ],
            check: "Does the policy's openid-configuration open in a browser, with the names copied from the portal?",
            fix: "Correct tenant and policy in the address; a custom policy must be uploaded to that tenant."),
        .known(
            "policy-at-the-retired-host",
            "The policy is asked for at login.microsoftonline.com, which no longer serves policies: their host is {tenant}.b2clogin.com or a custom domain. An unknown policy gives the same 404.",
            signs: [
                .strong("{policyAtOldHost} & 404 | {policyAtOldHost} & endpoints_resolution_error"),
                .strong("{policyAtOldHost} & idx20803 | {policyAtOldHost} & idx20804 | {policyAtOldHost} & idx20807"),
                .strong("login.microsoftonline.com/tfp* & failed to start an interactive session"),
                .fair("{policyAtOldHost} & -42008 | {policyAtOldHost} & -42007"),
            ],
            check: "Does the policy's metadata open at {tenant}.b2clogin.com?",
            fix:
                "Use https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy} in authority, metadata and known authorities."
        ),
        .known(
            "directory-address-in-place-of-the-policy",
            "A request goes to /common, /organizations or a directory's endpoint at login.microsoftonline.com in place of the B2C policy.",
            signs: [.strong("{directoryAddress}"), .weak("work or school account"), .weak("b2c*")],
            check: "Which authority, issuer or metadata address is configured?",
            fix: "Use the policy's address at {tenant}.b2clogin.com everywhere: authority, metadata and keys."),
        .known(
            "request-body-lost",
            "The token request arrived without its form: its content type is not application/x-www-form-urlencoded, or an HTTP handler, redirect or proxy dropped the body.",
            signs: [.strong("aadb2c90083 & grant_type | aadsts900144 & grant_type"), .weak("aadb2c90083")],
            check: "Does the request that leaves the machine have a body with grant_type and client_id?",
            fix:
                "Send the parameters as a form; use the library's default HTTP client, or fix the handler that drops the body."
        ),
        .known(
            "state-of-another-request",
            "The answer's state belongs to another request: two libraries or two clients read the same redirect, a second tab, or an answer that is opened again.",
            signs: [
                .strong("clientautherror: invalid state | invalid_state_error"), .fair("invalid state | invalid_state"),
                .strong("idx21331"), .fair("returned state & does not match"),
                .strong("authcallback incorrect state | no matching state found in storage"),
            ],
            check: "Do two libraries or two client objects handle the same redirect page? Was the page opened again?",
            fix: "Give each library a redirect URI of its own, and let one client handle an answer."),
        .known(
            "endpoints-of-the-policy-unknown", libraries: [.oidcJS],
            "The client has no endpoints: it did not load the policy's metadata, or made its address from an issuer that has none.",
            signs: [
                .strong("authorizationendpoint is 'undefined'"),
                .strong("authorization_endpoint is undefined | authorizationendpoint is undefined"),
                .fair("authorization endpoint & undefined | authwellknownendpoints"),
                .fair("no end session endpoint | token_endpoint is undefined"),
            ],
            check: "Which well-known address does the client load, and does it answer with the policy's endpoints?",
            fix:
                "Give the well-known address of the policy explicitly; B2C's issuer is not the address of its metadata."
        ),
        .known(
            "login-page-fetched-by-script",
            "A script followed a redirect to the sign-in page, which takes no calls from scripts: the API or site challenged a background request.",
            signs: [.certain("{corsAtAuthorize}"), .fair("cors & oauth2/v2.0/authorize")],
            check:
                "Which request was redirected to /authorize: a call of fetch or XMLHttpRequest to the app's own server?",
            fix: "Answer 401 to such calls, and open the sign-in by navigating the page."),
        .known(
            "metadata-blocked-by-cors",
            "The metadata address answers without a CORS header: it does not exist, the policy fails, or its custom domain or proxy answers an error.",
            signs: [.strong("{corsAtMetadata}")],
            check: "Open the openid-configuration in a browser: which status and text come?",
            fix: "Correct tenant and policy in the authority, or upload the policy again; then the header comes."),
    ]

    /// Web frameworks and services that sign people in for an app: NextAuth, Passport, Spring, Python, Java, API
    /// Management, Static Web Apps, App Service.
    static let servers: [Cause] = [
        .known(
            "next-auth-provider-settings", libraries: [.nextAuth],
            "The provider's options do not give the library its addresses: wellKnown, issuer or authorization is missing or of another version.",
            signs: [
                .strong("cannot read property 'url' of undefined & openidclient"),
                .fair("signin_oauth_error & undefined | signin_oauth_error"),
                .fair("issuer must be configured on the issuer | authorization_endpoint must be configured"),
                .weak("azure-ad-b2c | azureadb2c"), .weak("invalid url"),
            ],
            check:
                "Do tenantId (the name without .onmicrosoft.com), primaryUserFlow and the version's option names fit, and are the environment's values set?",
            fix: "Set tenantId, primaryUserFlow, clientId and clientSecret as the installed version documents them."),
        .known(
            "next-auth-metadata-not-found", libraries: [.nextAuth],
            "The library asked for the metadata and got an error page: tenant, policy or host in the address is wrong.",
            signs: [
                .strong("expected 200 ok, got: 404"), .strong("expected 200 ok, got: 400"),
                .strong("discovery_endpoint_error"), .fair("signin_oauth_error & expected 200 ok"),
                .strong("issuer.discover() failed"), .strong("is not a conform authorization server metadata response"),
            ],
            check: "Open {issuer}/.well-known/openid-configuration in a browser.",
            fix: "Use https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/v2.0."),
        .known(
            "next-auth-slow-provider", libraries: [.nextAuth],
            "The provider took longer than the library waits, 3.5 seconds.",
            signs: [.certain("outgoing request timed out after*")],
            check: "Does it happen now and then, or behind a proxy?",
            fix: "Raise httpOptions.timeout of the provider, and check the network."),
        .known(
            "next-auth-secret-changed", libraries: [.nextAuth],
            "The session cookie cannot be decrypted: the secret changed or is missing.",
            signs: [
                .strong("jwt_session_error"), .strong("jwe decryption operation failed | decryption operation failed"),
                .strong("no_secret | missingsecret"),
            ],
            check: "Is NEXTAUTH_SECRET (AUTH_SECRET) set to one value on all instances?",
            fix: "Set the secret and delete the old cookies."),
        .known(
            "state-check-of-the-server-app", libraries: [.nextAuth, .passport],
            "The cookie with state or code verifier is missing or belongs to another start: another host, SameSite, Back, or a second tab.",
            signs: [
                .strong("checks.state argument is missing"), .strong("state missing from the response"),
                .strong("state cookie was missing | state mismatch, expected"),
                .strong("invalidcheck"), .strong("pkcecodeverifier value could not be parsed"),
                .strong("authorization_request_not_found"), .fair("unable to verify authorization request state"),
                .strong("auth flow & state & mismatch | state not found in session"),
                .strong(
                    "error while loading csrf cookie | unable to find a valid csrf token | csrf cookie & not present"),
                .strong("redirect_uri path but there's no session state found"), .strong("missing saved state"),
                .strong("mismatching_state | csrf warning! state not equal* | csrf_detected & omniauth*"),
                .strong("laravelsocialitetwoinvalidstate* | authstatemissing"),
                .strong("data received from authorization service - could not validate state"),
            ],
            check:
                "Do the start and the callback use the same scheme, host and browser tab? Is NEXTAUTH_URL or the base URL the public address?",
            fix:
                "Use one public https host, cookies with SameSite=None and Secure, and start the sign-in again on this error."
        ),
        .known(
            "issuer-of-the-settings-differs", libraries: [.nextAuth],
            "The issuer in the settings is not the one in the token or metadata: B2C's names the tenant by its id, mostly without the policy.",
            signs: [
                .certain("{issuerIsAddress}"), .strong("unexpected iss value"),
                .strong("did not match the requested issuer"),
                .strong("issuer mismatch | issuer_mismatch"), .fair("jwt issuer invalid. expected*"),
                .strong("unexpected jwt \"iss\" | unexpected \"iss\""), .strong("the iss claim is not valid"),
                .strong("\"response\" body \"issuer\" property does not match*"), .strong("wrong issuer from token"),
                .strong("requested issuer & does not match the \"iss\" value*"),
                .strong("issuer (iss) claim value & doesn't match expected value"),
                .strong("claim 'iss' value doesn't match the required issuer | expected iss claim to be"),
                .strong("id token issued by a different provider | token has invalid issuer"),
                .strong("invalid issuer. expected* | invalid claim \"iss\" | jwtclaimserror: invalid issuer"),
                .strong("oauth_json_attribute_comparison_failed & issuer"),
                .strong("quarkus.oidc* & issuer validation failed | quarkus.oidc* & {issuerInvalid}"),
                .fair("issuer validation failed & {policyInAddress} & !idx10205 & !idx40001"),
                .strong("invalid token issuer. expected*"), .fair("invalidissuer"),
                .strong("invalidissuererror | iss does not match | issdoesnotmatchissuer"),
            ],
            check: "Compare `issuer` of the policy's metadata with the setting, character by character.",
            fix:
                "Take the issuer from the metadata: https://{tenant}.b2clogin.com/{tenant id}/v2.0/; give endpoints one by one where the library derives them from the issuer."
        ),
        .known(
            "no-access-token-for-the-server", libraries: [.nextAuth],
            "The token response has no access_token, since no scope of an API or the client id was asked for, and the library requires one.",
            signs: [
                .strong("access_token not present in tokenset"), .strong("no access token & userinfo"),
                .strong("accesstoken cannot be empty | access token cannot be null | accesstokenvalue cannot be empty"),
                .strong("body \"access_token\" property must be*"), .strong("tokentype cannot be null"),
                .fair("invalid_token_response"), .fair("missing json object member with key \"access_token\""),
                .strong("keyerror & 'access_token'"), .weak("{noAccessToken}"),
            ],
            check: "Which scopes does the authorize request name?",
            fix: "Add the client id or a scope of an API to the scopes, besides openid."),
        .known(
            "attribute-missing-in-the-token",
            "The framework takes the person's name from a claim that the token does not have.",
            signs: [.certain("missing attribute & in attributes"), .fair("user-name-attribute-name")],
            check: "Which claim does the framework read (user-name-attribute-name), and does the policy return it?",
            fix:
                "Return that claim in the policy, such as the display name, or name a claim that is there, such as sub."
        ),
        .known(
            "userinfo-not-offered",
            "The framework asks for userinfo, and user flows offer no such endpoint.",
            signs: [
                .certain("missing_user_info_uri"), .strong("invalid_user_info_response"),
                .strong("userinfo endpoint is not configured | no userinfo endpoint"),
            ],
            check: "Does the framework load the profile after the token?",
            fix: "Read the ID token in place of it, or publish a UserInfo endpoint with a custom policy."),
        .known(
            "spring-no-key-address",
            "The client registration of Spring has no address of the keys, so it cannot check the ID token: neither jwk-set-uri nor the issuer's metadata of the policy is configured.",
            signs: [
                .certain("failed to find a signature verifier for client registration"),
                .strong("missing_signature_verifier"), .fair("configured the jwkset uri"),
            ],
            check: "Has spring.security.oauth2.client.provider.{name} a jwk-set-uri, or an issuer-uri with metadata?",
            fix:
                "Set jwk-set-uri of the provider to https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/discovery/v2.0/keys; B2C's issuer is not the address of its metadata, so issuer-uri alone does not find it."
        ),
        .known(
            "no-address-in-the-token",
            "The app wants an e-mail address that the ID token does not have: a user flow returns `emails`, a list, and only if it is among its claims.",
            signs: [
                .certain("neither the id_token nor the profileurl set an email"),
                .strong("email & missing & id_token | email claim & not found | no email & userinfo"),
                .strong("does not have username or email | user email & required & claim*"),
                .strong("userinfo does not contain email field"),
            ],
            check: "Which claims has the ID token, and from which does the app read the address?",
            fix:
                "Return the address in the policy, and let the app read `emails` or `sub` (oauth2-proxy: --oidc-email-claim)."
        ),
        .known(
            "spring-settings-missing",
            "The starter makes its beans only when its settings are complete, and they are not.",
            signs: [
                .strong("nosuchbeandefinitionexception & b2c*"), .strong("aadb2coidcloginconfigurer"),
                .fair("no qualifying bean of type & b2c*"),
                .strong("clientregistrationrepository & that could not be found"),
                .weak("parameter 0 of constructor"),
            ],
            check:
                "Are tenant, client id, secret, reply URL and user flows set under the names of the installed version, in the active profile?",
            fix: "Set every property that the starter's version requires; a renamed prefix counts as missing."),
        .known(
            "reserved-scopes-in-the-call", libraries: [.msalPython],
            "openid, profile or offline_access is given in the call, where the library adds them itself.",
            signs: [
                .certain(
                    "you cannot use any scope value that is reserved | you cannot use any scope value that is in this reserved list"
                ),
                .strong("api does not accept & as user-provided scopes"),
            ],
            check: "Does the call name openid, profile or offline_access?",
            fix: "Leave them out; give an empty list or scopes of APIs alone."),
        .known(
            "flow-not-in-the-session", libraries: [.msalPython],
            "The callback finds no started flow in its session: the cookie was lost, the server restarted, or the callback was opened again.",
            signs: [
                .strong("the auth flow & expired | auth_code_flow & keyerror"), .strong("keyerror: 'flow'"),
                .strong("failed to match request state with session state | session value state missing"),
                .fair("state missing from auth_code_flow"), .strong("state mismatch: & vs"),
            ],
            check: "Does the session survive from the start to the callback, on every worker?",
            fix: "Keep the session in a store that all workers share, and start again when the flow is missing."),
        .known(
            "silent-call-without-a-token", libraries: [.msalJava],
            "The cache has no token for this account, authority and scope.",
            signs: [
                .strong("token not found in the cache"), .strong("no_tokens_found"), .fair("no refresh token found"),
                .weak("{twoLoginHosts}"),
            ],
            check: "Is the same account, authority and scope used as at sign-in, and is the cache loaded?",
            fix: "Sign in interactively once, and keep the cache."),
        .known(
            "passport-token-without-a-known-key", libraries: [.passport],
            "The token's header has no key id that the metadata lists: it is not a token of this policy, or is signed with a shared secret.",
            signs: [
                .strong("we did not receive a token we know how to validate"),
                .weak("_validateresponse"), .weak("jwtverify"),
            ],
            check: "Decode the token's header: does it have `kid` and alg RS256, and who issued it?",
            fix: "Send the token that the policy issued, and let identityMetadata name that policy."),
        .known(
            "passport-code-not-redeemed", libraries: [.passport],
            "The token endpoint refused the code; the reason is hidden until the library may log it.",
            signs: [
                .strong("failed to redeem authorization code"), .weak("_authcodeflowhandler"),
                .weak("_getaccesstokenbysecretorassertion"),
            ],
            check: "Set loggingNoPII: false and look for the AADB2C code in the log.",
            fix: "Usually the secret, the redirect URI or a scope: correct what the AADB2C code names."),
        .known(
            "metadata-address-of-the-server-app", libraries: [.passport],
            "The library cannot fetch or use the metadata: the address names no policy, or cannot be reached.",
            signs: [
                .strong("cannot get aad federation metadata from endpoint you specified"),
                .strong("unable to load metadata | failed to load openid configuration"), .fair("identitymetadata"),
                .strong("unable to resolve configuration with the provided issuer"),
                .strong("unable to get authority configuration"),
            ],
            check: "Open the address in a browser: does it have the tenant and the policy?",
            fix: "Use the openid-configuration of the policy."),
        .known(
            "portal-takes-b2clogin-alone",
            "The Azure AD B2C provider of Power Pages takes as authority only an address at {tenant}.b2clogin.com, in the form of the policy's issuer.",
            signs: [.strong("the authority url is incorrect for*"), .fair("the authority url is incorrect")],
            check: "Is the authority at a custom domain, or not the `issuer` of the policy's metadata?",
            fix:
                "With a custom domain use the OpenID Connect provider; else take `issuer` of the metadata at b2clogin.com (with tfp)."
        ),
        .known(
            "static-web-app-provider-not-found",
            "The site does not know the provider: custom providers need the Standard plan and a valid auth section under the name in the address.",
            signs: [
                .strong(".auth/login/* & 404"), .fair(".auth/login/*"), .weak("azurestaticapps.net"),
                .weak("staticwebapp.config.json"), .weak("customopenidconnectproviders"),
            ],
            check:
                "Is the plan Standard, is staticwebapp.config.json deployed in the app's folder, and does auth.identityProviders.customOpenIdConnectProviders have this very name?",
            fix:
                "Use the Standard plan; correct the section; put client id and secret into the application settings that it names."
        ),
        .known(
            "static-web-app-needs-a-name",
            "The site found no e-mail address or handle in the ID token: nameClaimType names a claim that the policy does not return.",
            signs: [.certain("we need an email address or a handle from your login service")],
            check: "Which claim does login.nameClaimType name, and is it in the ID token?",
            fix: "Return the claim in the policy (emails, name) and name it in nameClaimType."),
        .known(
            "static-web-app-callback-refused",
            "The site could not redeem the code at its callback: the secret's setting, the platform of the redirect URI or the metadata address is wrong.",
            signs: [
                .strong(".auth/login/* & callback & 401"), .strong(".auth/login/* & callback & 403"),
                .strong(".auth/login/* & callback & 500"),
            ],
            check:
                "Is /.auth/login/{name}/callback registered under Web, and does the named setting hold the secret's value?",
            fix: "Register the callback under Web, set the secret, and use the policy's openid-configuration."),
        .known(
            "app-service-refuses-the-token",
            "The platform's own authentication refuses the token: issuer or allowed audiences do not fit.",
            signs: [
                .strong("you do not have permission to view this directory or page"),
                .fair("x-ms-middleware-request-id"), .fair("easy auth | easyauth"),
                .strong(
                    "app service authentication & issuer url & b2clogin.com | easy auth & issuer url & b2clogin.com"),
                .fair("app service authentication & 500 | app service authentication & 401"),
            ],
            check: "Compare `iss` and `aud` of the token with the provider's Issuer URL and allowed token audiences.",
            fix: "Set the issuer to the policy's metadata address and add the audience."),
        .known(
            "gateway-refuses-the-token",
            "API Management's validate-jwt refuses the call; its message says which check failed.",
            signs: [
                .fair("jwt not present"), .fair("access token is missing or invalid"),
                .fair("validate-jwt & claim value mismatch | jwt validation failed: claim value mismatch"),
                .fair("jwt validation failed"), .fair("validate-jwt"), .weak("ocp-apim*"),
            ],
            check: "Is the header sent, and do openid-config url, issuers and audiences of validate-jwt fit the token?",
            fix: "Use the policy's openid-configuration, and list the token's issuer and audience."),
        .known(
            "client-credentials-at-b2c",
            "Client credentials were asked for at an address that does not take them: /common, or a B2C host for Microsoft Graph.",
            signs: [
                .strong("acquiretokenforclient & b2clogin.com | acquiretokenbyclientcredential & b2clogin.com"),
                .strong("acquiretokenbyclientcredential & /common/ | acquiretokenforclient & /common/"),
                .fair("aadsts50049 & acquiretokenforclient | aadsts50049 & client_credentials"),
                .fair("client_credentials & b2clogin.com"),
                .fair("acquiretokenforclient | acquiretokenbyclientcredential"),
            ],
            check: "For which resource is the token: Graph, or an API of the B2C tenant?",
            fix:
                "For Graph use login.microsoftonline.com/{tenant} with {resource}/.default; for an own API use the policy's token endpoint."
        ),
        .known(
            "graph-permission-missing",
            "The app has no consented permission of Microsoft Graph for the call.",
            signs: [
                .certain("insufficient privileges to complete the operation"), .fair("authorization_requestdenied"),
                .excluded(by: "required application permissions | required delegated permissions"),
            ],
            check: "Which application or delegated permission does the call need?",
            fix: "Grant the permission with admin consent; for deleting or passwords also the role."),
        .known(
            "graph-identity-issuer",
            "The issuer of a local identity is not a domain of the tenant: Microsoft Graph wants the tenant's name there, not its id, a custom login host or an empty setting.",
            signs: [.certain("issuer should match tenants domainname for non federated identity")],
            check: "What is `issuer` of the identities whose signInType is emailAddress or userName?",
            fix: "Set it to {tenant}.onmicrosoft.com."),
        .known(
            "graph-upn-domain",
            "The part of userPrincipalName after @ is not a verified domain of the tenant: people's own addresses belong into identities.",
            signs: [
                .certain("domain portion of the userprincipalname property is invalid"),
                .strong("userprincipalname & verified domain names"),
            ],
            check: "Which domain does userPrincipalName have?",
            fix: "Leave userPrincipalName out, or end it in @{tenant}.onmicrosoft.com; put the address into identities."
        ),
        .known(
            "graph-refuses-the-policy-token",
            "Microsoft Graph got a token that was not issued for it: one of a B2C policy, which Graph never takes, or an ID token.",
            signs: [
                .certain("access token validation failure. invalid audience"),
                .strong("compacttoken parsing failed | compacttoken validation failed"),
                .fair("invalidauthenticationtoken"),
            ],
            check: "Which issuer and audience has the token that is sent to Graph?",
            fix:
                "Get a token for Graph at login.microsoftonline.com/{tenant} with the app's own credentials, on a server; people's tokens of a policy are for your own APIs."
        ),
        .known(
            "tenant-name-not-valid",
            "The tenant in the address or setting is not a name or id of a tenant: a placeholder, a typing error, or an empty value.",
            signs: [
                .certain("is neither a valid dns name, nor a valid external domain"),
                .strong("specified tenant identifier & is neither"),
            ],
            check: "What value does the message quote, and which setting has it?",
            fix: "Set the tenant to {name}.onmicrosoft.com or its id."),
        .known(
            "graph-object-not-found",
            "Microsoft Graph has no object of that id in the tenant: it was deleted, belongs to another tenant, or the id is an account id of MSAL (object id and policy) in place of the object id.",
            signs: [
                .strong("request_resourcenotfound"),
                .strong("does not exist or one of its queried reference-property objects are not present"),
            ],
            check: "Is the id a bare GUID, `oid` of the token, and was the token got for this tenant?",
            fix:
                "Ask by the object id, in the tenant that has the account; a new account takes some seconds to be found."
        ),
        .known(
            "graph-extension-not-there",
            "The tenant has no extension attribute of that name: it was not created, is spelled differently, or has the id of another app than b2c-extensions-app.",
            signs: [
                .certain("the following extension properties are not available"),
                .strong("extension_* & could not find a property named"),
            ],
            check:
                "Is it extension_{client id of b2c-extensions-app without hyphens}_{name}, and is the name among the user attributes?",
            fix:
                "Create the attribute under User attributes, and take the id from b2c-extensions-app of the same tenant."
        ),
        .known(
            "graph-person-wanted",
            "The call of Microsoft Graph is about the signed-in person, and the token is an app's own.",
            signs: [.certain("/me request is only valid with delegated authentication flow")],
            check: "Was the token got by client credentials?", fix: "Call /users/{id} with an app's token."),
        .known(
            "graph-value-refused",
            "Microsoft Graph refuses a value of the user to be created or changed.",
            signs: [
                .strong("one or more properties contains invalid values"),
                .strong("property & has a value that does not match schema"),
                .strong("another object with the same value for property"),
                .strong("the specified password does not comply with password complexity requirements"),
            ],
            check:
                "Which property does the message name? For local accounts: identities, issuer, passwordProfile, mailNickname.",
            fix: "Correct that property; the issuer of identities is the tenant's name."),
    ]
}
