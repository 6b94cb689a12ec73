extension Cause {
    /// What middleware and frameworks of web apps and APIs say about answers and tokens: ASP.NET Core and OWIN, Passport,
    /// Spring, API Management, NextAuth.
    static let middleware: [Cause] = [
        .known(
            "nonce-expired", libraries: [.identityWeb],
            "The nonce of the request has expired: the sign-in took longer than the nonce lives, one hour by default, or the server's clock is wrong.",
            signs: [
                .certain("idx21324 & has expired"), .strong("idx21324"), .strong("nonce' has expired | noncelifetime"),
                .strong("nonce has expired"),
            ],
            check: "How long was the sign-in page open, and is the clock of the server right?",
            fix: "Start the sign-in again on this error; raise NonceLifetime where people need more time."),
        .known(
            "nonce-missing-in-the-token", libraries: [.identityWeb],
            "The ID token has no nonce, and the request had one: the answer belongs to a request that was made without it.",
            signs: [
                .certain("idx21349"), .strong("nonce is missing in the id token | id token & nonce & missing"),
                .strong("id_token does not contain nonce | nonce missing from id token"),
            ],
            check: "Was the policy started by the app, or by a link or \"Run now\" without nonce?",
            fix: "Start every sign-in in the app, so that request and token have the same nonce."),
        .known(
            "issuer-with-tfp-not-supported", libraries: [.identityWeb],
            "The policy's tokens have the issuer form with tfp, which names the policy, and the library does not take it.",
            signs: [
                .certain("idx40002 & tfp | idw10304 & tfp"), .strong("idx40002 | idw10304"),
                .certain("does not support a b2c issuer with 'tfp'"), .weak("{policyIssuer}"),
            ],
            check: "Does `iss` of the token contain /tfp/?",
            fix:
                "Set the issuer claim of the policy to the form without the policy: token compatibility of the user flow, IssuanceClaimPattern AuthorityAndTenantGuid of a custom policy."
        ),
        .known(
            "no-id-token-in-the-answer",
            "The answer has no ID token: the request did not ask for openid, or the answer is that of another policy, grant or endpoint.",
            signs: [
                .strong("id_token not present in tokenset | id_token not present"),
                .strong("idx21334 | idx21336 | idx21332"), .strong("missing (required) id token"),
                .strong("id_token missing from response | missing id_token | no id_token in"),
                .strong("body \"id_token\" property must be*"), .strong("id token is missing in the response"),
                .fair("id_token & is missing | id token & missing & response | id_token is undefined"),
                .fair("id_token is null | id token is null | idtoken is null"),
                .strong("did not return an id_token | did not return an id token"),
            ],
            check: "Is openid among the scopes of the authorize request, and which policy and endpoint answered?",
            fix:
                "Ask for openid in the authorize and token request, and redeem the code at the policy that issued it; a library for plain OAuth must not expect an ID token."
        ),
        .known(
            "metadata-issuer-differs",
            "The issuer in the policy's metadata is not the address that the client asked: B2C's issuer names the tenant by its id, mostly without the policy.",
            signs: [
                .fair("issuer validation failed for discovery | discovery & issuer validation"),
                .strong("does not match the authority & or a known pattern"),
                .strong("issuer in the configuration & does not match"),
            ],
            check: "Compare `issuer` of the metadata with the configured issuer, character by character.",
            fix: "Configure the issuer that the metadata has, or the endpoints one by one."),
        .known(
            "token-not-sent",
            "The call came without a token: the header Authorization is missing, is not `Bearer` and a token, or was dropped on the way.",
            signs: [
                .certain("jwt not present"), .strong("tokennotpresent"),
                .strong("token is not passed by http header or body | token is not found"),
                .strong("no auth token | no authorization token was found | authorization header is missing"),
                .strong("missing authorization header | authorization header missing | authorization header not found"),
                .strong("idw10204"), .fair("credentials_required | credentials_bad_scheme"),
                .strong("denyanonymousauthorizationrequirement"), .strong("jwt is missing | jwt must be provided"),
                .fair("full authentication is required to access this resource"),
                .weak("401"),
            ],
            check:
                "Does the request that reaches the API have Authorization: Bearer and a token? Does the client's interceptor know the address?",
            fix:
                "Send the access token with each call: list the API's address in the interceptor's protectedResourceMap, and let proxies and redirects keep the header."
        ),
        .known(
            "handler-of-another-scheme",
            "Another handler checks the token than the one that the app sets up: the host of Azure Functions has a scheme with the name Bearer of its own.",
            signs: [
                .strong("armtoken was not authenticated"), .fair("armtoken & bearer was not authenticated"),
                .strong("validateaudience = false & error_description=\"the audience '*"),
                .strong("validateaudience = false & idx10231 | validateaudience = false & idx10214"),
                .strong(
                    "validateissuer = false & idx10205 | validateissuer = false & error_description=\"the issuer '*"),
                .fair("azure functions & bearer was not authenticated | azure functions & idx10231"),
                .weak("azure functions | azure function | webjobs*"),
            ],
            check:
                "Under which scheme name is the app's JWT bearer registered, and which scheme does the call ask for?",
            fix:
                "Register the app's JWT bearer under a name of its own, not Bearer, and name that scheme where the call is authorized."
        ),
        .known(
            "scope-missing-in-the-token", libraries: [.identityWeb],
            "The access token does not have the scope that the API requires: the app asked for another one, or the permission is not granted.",
            signs: [
                .certain("idw10203"), .strong("insufficient_scope"), .strong("does not contain scopes"),
                .fair("requires higher privileges than provided by the access token"),
                .fair("required scope | missing scope | scope is missing"),
            ],
            check: "Compare scp of the token with the scopes that the API requires, name by name.",
            fix: "Ask for that scope of the API, and grant its permission to the app."),
        .known(
            "issuer-form-differs",
            "The token's issuer names the policy (tfp form) and the expected one does not, or the other way round: app and policy use two forms of one issuer.",
            signs: [.certain("{issuerForm}"), .strong("{issuerForm} & /tfp/")],
            check: "Which issuer form does the policy's token compatibility set, and which one does the app expect?",
            fix: "Take the issuer from the policy's own metadata, or set the policy to the form that the app expects."),
        .known(
            "gateway-claim-differs",
            "API Management compares a claim of the token with its list, and the value is not in it.",
            signs: [
                .certain("claim value mismatch: aud* | tokenaudiencenotallowed"), .strong("claim value mismatch"),
                .certain("tokenissuernotallowed | claim value mismatch: iss*"),
                .certain("tokenclaimvaluenotallowed | tokenclaimnotfound"), .fair("jwt validation failed"),
                .weak("validate-jwt"),
            ],
            check: "Which claim does the message name? Compare its value in the token with validate-jwt.",
            fix:
                "List the token's audience (the API's client id), issuer and scopes in validate-jwt, or ask for a scope of this API."
        ),
        .known(
            "gateway-key-unknown",
            "API Management has no key for the token: openid-config of validate-jwt is another policy's or authority's, or is not reachable.",
            signs: [
                .certain("tokensignaturekeynotfound"), .strong("tokensignatureinvalid"),
                .strong("jwt signature key not found | signing key could not be found"),
                .fair("validate-jwt & idx10501 | jwt validation failed & idx10501 | jwt validation failed & idx10511"),
                .strong("validate-jwt & openid configuration | validate-jwt & openid-configuration & unable"),
                .strong("validate-jwt & failed to retrieve | validate-jwt & could not be obtained"),
                .weak("jwt validation failed"),
            ],
            check: "Which address does openid-config url have, and which policy issued the token?",
            fix: "Set openid-config url to the openid-configuration of the policy that issues the tokens."),
        .known(
            "audience-of-the-token-refused",
            "The framework refuses the token's audience: the token is for another app or API than the settings name.",
            signs: [
                .strong("the aud claim is not valid | the required audience is missing"),
                .strong("aud (audience) claim must contain*"), .strong("jwt unexpected audience | unexpected \"aud\""),
                .strong("jwt audience invalid. expected* | unexpected \"aud\" (audience) claim value*"),
                .strong("invalidaudienceerror | invalid audience. could not verify audience"),
                .fair("audience doesn't match | aud mismatch | unexpected jwt \"aud\"*"),
                .strong("audiences in jwt are not allowed | token does not have a valid audience"),
                .strong("audience (aud) claim & doesn't contain an acceptable identifier"),
                .strong("claim 'aud' value doesn't contain the required audience | expected aud claim to be"),
                .strong("oidc: expected audience | token has invalid audience | invalid audience. expected*"),
                .strong("jwtclaimserror: invalid audience | invalid claim \"aud\""),
                .strong("audience from claim & does not match with any of allowed audiences"),
            ],
            check: "Compare `aud` of the token with the client id or audience in the settings.",
            fix: "Name the app that the token is for, or ask for a scope of this API and send the access token."),
        .known(
            "remote-keys-not-fetched",
            "The server cannot fetch the keys (JWKS) of the policy: wrong address, network, proxy or TLS.",
            signs: [
                .excluded(
                    by: "pkix path building failed | unable to find valid certification path to requested target"),
                .strong("couldn't retrieve remote jwk set"), .strong("remotekeysourceexception"),
                .strong("unable to fetch jwks | failed to fetch jwks | jwks fetch failed | jwks request failed"),
                .strong("jwks remote fetch is failed"),
                .strong("jwksfetcherror | jwkstimeout | err_jwks_timeout | pyjwkclientconnectionerror"),
                .fair("fail to fetch data from the url & keys"), .weak("discovery/v2.0/keys"), .weak("jwks_uri"),
            ],
            check: "Open the JWKS address of the metadata from the machine of the server.",
            fix:
                "Use jwks_uri of the policy: https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}/discovery/v2.0/keys; allow the call in the network."
        ),
        .known(
            "authority-not-https", libraries: [.identityWeb],
            "The authority or metadata address is http, and the library wants https.",
            signs: [
                .certain("must use https unless disabled for development"), .certain("idx20108"),
                .strong("authority_uri_insecure | authority_uri_not_secure"),
                .certain("options.allowhttpforredirecturl | allowhttpforredirecturl"),
                .fair("must be https | must use https | should be https"),
            ],
            check: "Which setting has the http address: authority, metadata or redirect URI?",
            fix: "Use https; while developing turn the check off on your own machine only."),
        .known(
            "authority-setting-missing", libraries: [.identityWeb],
            "The scheme has neither authority nor metadata address: its settings were not loaded, or are under another name.",
            signs: [
                .certain("provide authority, metadataaddress, configuration, or configurationmanager"),
                .strong("identitymetadata is missing | options.identitymetadata | identitymetadata must be provided"),
                .strong("issuer is required | wellknown is required | issuer or wellknown*"),
            ],
            check: "Which section does the code read, and does the deployed configuration have it?",
            fix: "Set the authority or metadata address of the policy in the section that the scheme reads."),
        .known(
            "client-credential-missing", libraries: [.msalNET, .msalJava, .msalNode, .identityWeb],
            "A confidential client is made without secret, certificate or assertion: the setting is empty or was not loaded.",
            signs: [
                .strong("idw10104"), .strong("one client credential type required*"),
                .strong("client_credential & neither & nor | clientsecret and clientcertificate are null"),
                .strong("invalid_client_credential"), .strong("client_credentials_required"),
                .strong(
                    "client credential must not be empty | clientsecret is missing | clientsecret must be provided"),
                .strong("client_secret_missing | client secret is null | client secret is empty"),
                .fair("client_secret is required | clientsecret is required | client secret is required"),
            ],
            check: "Is the secret set in the section or environment that the deployed app reads?",
            fix: "Set the secret's value, or a certificate; a public client is made with the public builder."),
        .known(
            "token-services-not-registered", libraries: [.identityWeb],
            "The app asks for a service of the library that its startup does not register.",
            signs: [
                .strong("unable to resolve service for type 'microsoft.identity*"),
                .strong("no service for type 'microsoft.identity*"),
                .strong("unable to resolve service & itokenacquisition"), .fair("itokenacquisition"),
            ],
            check: "Does the startup call EnableTokenAcquisitionToCallDownstreamApi and a token cache?",
            fix: "Register the service: EnableTokenAcquisitionToCallDownstreamApi().AddInMemoryTokenCaches()."),
        .known(
            "remote-login-failed", libraries: [.identityWeb],
            "The app's callback failed; the inner exception says why.",
            signs: [
                .fair("an error was encountered while handling the remote login"),
                .fair("authenticationfailureexception | openidconnecthandler & exception occurred while processing*"),
            ],
            check: "Read the inner exception: correlation, nonce, an AADB2C code or IDX code?",
            fix: "Explain the whole text with the inner exception; handle OnRemoteFailure."),
        .known(
            "policy-not-in-the-request-of-passport", libraries: [.passport],
            "The strategy does not know which policy to use: the request or the metadata address does not name it.",
            signs: [
                .strong("policy is missing"), .strong("policyname & not provided | policy & must be specified"),
                .strong("for b2c, & policy | isb2c & policy"), .weak("oidcstrategy | bearerstrategy"),
            ],
            check: "Does the link have ?p={policy}, or does identityMetadata (and policyName) name the policy?",
            fix: "Put the policy into the request as p, or into identityMetadata, with isB2C true."),
        .known(
            "issuer-check-with-common", libraries: [.passport],
            "The strategy checks the issuer and reads the metadata of /common, which names none.",
            signs: [
                .strong("validateissuer & common endpoint | validateissuer & common"),
                .strong("cannot validate issuer & common | issuer & common endpoint"),
            ],
            check: "Which address does identityMetadata have?",
            fix: "Use the openid-configuration of the policy, and keep the check."),
        .known(
            "code-exchange-failed",
            "The app's server could not redeem the code; the token endpoint's answer says why.",
            signs: [
                .strong("failed to obtain access token | internaloautherror"),
                .weak("oauth2authenticationexception | oauth2authorizationexception"),
                .excluded(
                    by:
                        "missing_signature_verifier | authorization_request_not_found | [invalid_nonce] | [invalid_id_token] | missing_user_info_uri | invalid_user_info_response | client_registration_not_found"
                ),
                .fair("an error occurred while attempting to retrieve the oauth 2.0 access token response"),
                .fair("code exchange failed | token exchange failed | token request failed"),
            ],
            check: "What do error and error_description of the token endpoint's answer say?",
            fix: "Correct what the AADB2C code names: secret, redirect URI, its platform, code_verifier or policy."),
        .known(
            "id-token-claims-refused",
            "The framework checked the ID token and refuses the claims that the message lists.",
            signs: [
                .strong("the id token contains invalid claims"), .strong("unable to verify jwt claims"),
                .fair("invalid_id_token"),
                .fair("id token validation failed | id_token validation failed | id token verification failed"),
                .weak("org.openid.appauth.general & -15"),
            ],
            check: "Which claims does the message list: iss, aud, exp, iat or nonce?",
            fix:
                "iss: take the issuer of the metadata. aud: the client id. exp and iat: the clock. nonce: start the sign-in once and in the app."
        ),
    ]

    /// OAuth errors by themselves; what a code or message names comes before them.
    static let oauth: [Cause] = [
        .known(
            "oauth-invalid-grant",
            "The token endpoint refuses the code, refresh token or password: it has expired, was used before, was revoked, or belongs to another app, policy or redirect URI.",
            signs: [.fair("invalid_grant")],
            check: "Which code does error_description have?",
            fix: "Sign in again; where it comes each time, read the AADB2C code."),
        .known(
            "oauth-invalid-token",
            "The API refuses the token: it has expired, is for another audience, has another issuer, or its signature does not fit.",
            signs: [.fair("invalid_token")],
            check: "What does error_description of the answer say, and what do `aud`, `iss` and `exp` of the token?",
            fix: "Send the newest access token for this API; explain the API's log, which names the check."),
        .known(
            "oauth-invalid-client",
            "The token endpoint does not accept the app: client id, secret or assertion is wrong, missing or has expired.",
            signs: [.fair("invalid_client")],
            check: "Is the secret's value of this very registration sent, and has it not expired?",
            fix: "Correct client id and secret; a public client sends none."),
        .known(
            "oauth-unauthorized-client",
            "The app may not use this grant or response type: its registration does not allow it.",
            signs: [.fair("unauthorized_client")],
            check: "Which response_type and grant_type does the request have, and what does the registration allow?",
            fix: "Turn the grant on in the registration, or use the code flow with PKCE."),
        .known(
            "oauth-invalid-request",
            "A parameter of the request is missing, malformed or given twice.",
            signs: [.fair("invalid_request")],
            check: "Which parameter does the description name?", fix: "Correct that parameter."),
        .known(
            "oauth-invalid-scope",
            "A scope of the request is not known, is malformed, or was not granted to the app.",
            signs: [.fair("invalid_scope"), .fair("-42005")],
            check: "Which scope does the description quote, and which API exposes it?",
            fix: "Ask for {application id URI}/{scope} of a granted API."),
        .known(
            "oauth-unsupported-grant",
            "The endpoint does not take the request's grant_type or response_type.",
            signs: [.strong("unsupported_grant_type | unsupported_response_type"), .fair("unsupported_response_mode")],
            check: "Which grant_type or response_type is sent, and to which policy?",
            fix: "Use one that the policy supports: authorization_code, refresh_token; password with a policy for it."),
        .known(
            "oauth-access-denied",
            "The person cancelled, chose \"Forgot password?\", or was refused; the description's code says which.",
            signs: [.fair("access_denied"), .fair("the user has cancelled | the user has canceled")],
            check: "Does error_description have AADB2C90091 (cancel) or AADB2C90118 (forgot password)?",
            fix: "Treat the cancel as one, and start the reset policy on AADB2C90118."),
        .known(
            "oauth-server-error",
            "The policy or the service failed; the description's code and the policy's log say at what.",
            signs: [.fair("server_error")],
            check: "Which AADB2C code and correlation id does the description have?",
            fix: "Look the correlation id up in Application Insights; try again where it passes."),
        .known(
            "oauth-consent-required",
            "The app's permission needs consent.",
            signs: [.fair("consent_required")],
            check: "Has an administrator consented to the permission of this app?",
            fix: "Grant admin consent in the B2C tenant."),
    ]
}
