extension Cause {
    /// Identity providers behind B2C.
    static let providers: [Cause] = [
        .known(
            "issuer-of-the-provider",
            "The ID token has another issuer than B2C expects: that of the provider's metadata, or of this authority for a sign-out.",
            signs: [
                .certain("aadb2c90238"), .fair("does not contain a valid issuer"), .weak("validtokenissuerprefixes"),
                .weak("issueridentifier"),
            ],
            check:
                "Does METADATA of the provider name the v2.0 address and the tenant whose accounts sign in? For several tenants: is ValidTokenIssuerPrefixes set?",
            fix:
                "Use the metadata of the right version and tenant (.../{tenant}/v2.0/.well-known/openid-configuration), or set ValidTokenIssuerPrefixes for several tenants."
        ),
        .known(
            "audience-of-the-provider",
            "The ID token is for another audience than B2C expects.",
            signs: [.certain("aadb2c90237"), .fair("does not contain a valid audience")],
            check: "Is client_id (or IdTokenAudience) in the provider's profile the app that the token is for?",
            fix: "Correct client_id, or set IdTokenAudience."),
        .known(
            "signature-of-the-provider",
            "The signature of the ID token is not valid for B2C: another key or metadata, or a changed token.",
            signs: [.certain("aadb2c90239"), .fair("failed signature validation & !id_token_hint")],
            check: "Which keys does the metadata of the token's issuer have?",
            fix: "Let METADATA name the issuer's own metadata."),
        .known(
            "secret-at-the-provider",
            "The identity provider refuses B2C's client id or secret: expired, wrong, or of another app.",
            signs: [
                .strong("idp client key/secret is not properly configured"),
                .strong("client secret keys for app & are expired"),
                .strong("aadb2c90273 & invalid_client"),
                .certain("aadb2c90273 & aadsts7000215 | aadb2c90273 & aadsts7000222"),
                .certain("aadb2c90289 & aadsts7000222"),
                .certain("aadb2c90243"), .strong("aadb2c90289 & invalid_client"),
                .certain("aadb2c90289 & aadsts7000215"),
                .strong("error validating client secret"), .fair("aadsts7000215 & b2c* | aadsts7000222 & b2c*"),
                .strong("{providerRefuses}"),
                .fair("aadb2c90289"), .strong("oauth/access_token & 400 | oauth2/token & invalid_client"),
            ],
            check:
                "Is the secret in the policy key (or in the provider's settings) the current one of the app whose id is given?",
            fix: "Create a new secret at the provider, put its value into the policy key, and watch its expiry."),
        .known(
            "google-redirect-or-client",
            "Google does not accept B2C's request: the client, its redirect URI or its consent screen.",
            signs: [
                .strong("error 400: redirect_uri_mismatch"),
                .strong("does not match the ones authorized for the oauth client"),
                .strong("error 401: invalid_client | error 401: deleted_client"),
                .strong("org_internal"), .fair("error 400: invalid_request & google"),
            ],
            check:
                "Is https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/oauth2/authresp among the authorised redirect URIs, with b2clogin.com as authorised domain?",
            fix: "Add B2C's callback to the Google client; publish the consent screen."),
        .known(
            "facebook-app-settings",
            "Facebook does not accept B2C's request: callback, domain, permissions or the app's mode.",
            signs: [
                .strong("url blocked"), .strong("redirect uri is not whitelisted | redirect uri is not white-listed"),
                .strong("can't load url"), .strong("app not active"), .strong("app isn't available | app not set up"),
                .strong("invalid scopes & email"), .fair("facebook & this redirect failed"),
                .fair("not logged in: you are not logged in & facebook*"),
            ],
            check:
                "Are B2C's callback and domain in Facebook Login's settings, is the app live, and may it ask for email?",
            fix: "Add the callback and domain, switch the app to live, and request the permission."),
        .known(
            "linkedin-scopes",
            "LinkedIn refuses the scopes: the app lacks the product that they belong to.",
            signs: [.certain("unauthorized_scope_error"), .fair("linkedin & scope")],
            check: "Does the app have \"Sign In with LinkedIn using OpenID Connect\"?",
            fix: "Add the product and use its scopes (openid profile email)."),
        .known(
            "apple-client-settings",
            "Apple does not accept B2C's request: service id, secret, or return URL.",
            signs: [
                .strong(
                    "invalid_request & invalid redirect_uri & apple | appleid & invalid_client | apple & invalid_client"
                ),
                .fair("appleid.apple.com & invalid*"), .weak("apple"),
            ],
            check: "Is B2C's callback a return URL of the service id, and the secret younger than six months?",
            fix: "Add the return URL; make a new secret."),
        .known(
            "server-redirect-as-single-page",
            "The redirect URI is registered as a single-page application, and a server redeems the code: the app's server, or B2C in case of the app at an identity provider.",
            signs: [
                .certain("aadsts9002325"), .certain("aadsts9002327"),
                .certain("proof key for code exchange is required for cross-origin authorization code redemption"),
            ],
            check:
                "Which app does the code belong to: the one that signs in, or the one at the identity provider? Under which platform is its redirect URI listed?",
            fix:
                "Register the redirect URI (at an identity provider: B2C's /oauth2/authresp) under Web, and remove it from single-page application."
        ),
        .known(
            "provider-app-and-id-tokens",
            "The app at the directory may not return ID tokens at the authorize endpoint, which the request asks for.",
            signs: [.certain("aadsts700054")],
            check: "Which response_types does the profile have?",
            fix: "Turn on ID tokens for the app there, or use response_types code."),
        .known(
            "local-account-apps",
            "The two apps of custom policies for local accounts are not set up: ids, consent or public client.",
            signs: [
                .certain("aadb2c90285"), .certain("aadb2c90284"),
                .strong(
                    "aadsts700016 & login-noninteractive | aadsts65001 & login-noninteractive | aadsts7000218 & login-noninteractive"
                ),
                .certain("technicalprofile \"login-noninteractive\" & defines an invalid value"),
                .strong("login-noninteractive & defines an invalid value"),
                .strong(
                    "username or password provided in the request are invalid & sign up | username or password provided in the request are invalid & starter* | username or password provided in the request are invalid & custom polic*"
                ),
                .fair("username or password provided in the request are invalid"),
                .fair("invalid username or password & custom polic* | invalid username or password & starter*"),
                .fair("proxyidentityexperienceframework | identityexperienceframework"),
                .fair("aadsts700016 & b2c_1a_* | aadsts65001 & b2c_1a_* | aadsts7000218 & b2c_1a_*"),
                .weak("login-noninteractive"),
            ],
            check:
                "Do client_id and IdTokenAudience in login-NonInteractive (usually in the extensions file) name the proxy app, and resource_id the other? Has the proxy admin consent and public client flows?",
            fix:
                "Set client_id and IdTokenAudience, and resource_id, of login-NonInteractive in the extensions file to this tenant's two ids, grant admin consent, and allow public client flows for the proxy."
        ),
        .known(
            "provider-client-id-missing",
            "The profile of an identity provider has no client id of its own: client_id is empty, or still the value of the sample.",
            signs: [
                .strong("defines an invalid value & metadata item \"client_id*"),
                .strong("defines an invalid value & metadata item 'client_id*"),
                .excluded(by: "login-noninteractive"),
            ],
            check: "Which technical profile does the message name, and does this policy use that provider?",
            fix:
                "Write the client id of the provider's app into client_id of that profile, or remove the provider from the policy and its journeys."
        ),
        .known(
            "saml-message-refused",
            "A SAML partner and B2C do not agree: issuer, certificate, binding or NameID.",
            signs: [
                .fair("aadb2c90165 | aadb2c90168 | aadb2c90188 | aadb2c90242 | aadb2c90274"),
                .fair("samlrequest | samlresponse"), .fair("saml & urn:oasis:names:tc:saml:2.0:status:*"),
                .fair("the entityid & not found"), .weak("saml"),
            ],
            check: "Compare entity ids, certificates and assertion consumer addresses of both metadata documents.",
            fix: "Correct PartnerEntity, the signing certificates or the NameID mapping."),
    ]

    /// Custom policies when they run, and pages.
    static let policyRuns: [Cause] = [
        .known(
            "claim-not-there-for-the-transformation",
            "A claims transformation needs a claim that nothing before it has brought: its step was skipped, the provider or directory did not return it, or it is mapped under another name.",
            signs: [
                .certain("was not found, which is required by claimstransformation"),
                .certain("was not found, which is required by the claimstransformationimpl"),
                .fair("claimstransformation & was not found"), .weak("createalternativesecurityid"),
                .weak("policyexception"),
            ],
            check:
                "Which claim and transformation does the message name? Which technical profile should output the claim, and does its PartnerClaimType fit what the provider sends (user id mapping, NameID, case)?",
            fix:
                "Map the provider's claim to it (for a provider: the user id claim, such as sub or oid), or bring it in an earlier step, or give the transformation's profile a precondition for accounts without it."
        ),
        .known(
            "unnamed-exception-of-the-policy",
            "The policy or the provider failed and the message hides how: the details are in Application Insights or with support.",
            signs: [
                .strong("aadb2c: an exception has occur*"), .fair("exception has occurred & b2c*"),
                .weak("server_error"), .weak("b2c received a bad request"),
            ],
            check:
                "Look the correlation id up in Application Insights: does it name a request to a provider, such as a refused secret, or a missing claim?",
            fix:
                "With a provider: check its client id and secret in the policy key. With a user flow and now and then: retry, then open a support case with correlation id and time."
        ),
        .known(
            "general-failure-of-the-policy",
            "The policy failed and the message does not say how; only its log does.",
            signs: [
                .fair("aadb2c90037"), .fair("aadb2c90048"), .weak("server_error"),
                .weak("contact administrator of the site"),
            ],
            check:
                "Look the correlation id up in Application Insights: a missing claim, a provider's answer, or a REST call?",
            fix: "Turn on the policy's log; after changes to a provider check its metadata, secret and claim mapping."),
        .known(
            "call-to-a-service-failed",
            "A request of the policy to a provider or REST service failed.",
            signs: [
                .strong("an exception was caught when making a request to url"), .certain("aadb2c90075"),
                .certain("aadb2c90261"), .fair("protocolerror with the following message"),
                .fair("returned http error response with code"),
                .fair("the remote server returned an error & aadb2c*"),
            ],
            check:
                "Which address and status does the message contain? A 400 of a provider's token endpoint is usually a wrong secret or redirect URI.",
            fix: "Correct secret, address or credentials of that service."),
        .known(
            "rest-service-too-slow",
            "The policy could not reach the REST service, or it did not answer in time.",
            signs: [
                .certain("{restTooSlow}"), .strong("restful service & timeout limit"),
            ],
            check: "Can the service be reached from the internet, and how long does it take (cold starts included)?",
            fix:
                "Open the service to B2C, keep it warm and faster than the limit; show a message of your own when it fails."
        ),
        .known(
            "directory-says-app-unknown",
            "A directory does not know the app that signs in, here or behind B2C: wrong client id or tenant.",
            signs: [
                .certain("application with identifier & was not found in the directory"),
                .excluded(by: "login-noninteractive"),
            ],
            check: "Which tenant does the message name, and where is the app registered?",
            fix: "Use client id and tenant of one registration, in the provider's settings too."),
        .known(
            "directory-says-redirect-unknown",
            "A directory does not know the redirect URI of the request. Behind B2C that is B2C's own /oauth2/authresp.",
            signs: [
                .certain("aadsts50011"), .certain("reply url specified in the request does not match"),
                .certain("specified in the request does not match the redirect uris configured"),
            ],
            check: "Whose page shows the error, and which redirect URI and app does the message name?",
            fix:
                "At the identity provider register https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/oauth2/authresp with the app that the policy names."
        ),
        .known(
            "page-answer-fails-inside",
            "What the person entered is refused by something behind the page: a REST service, a write to the directory such as a custom attribute without the extensions app, or a claim that is defined wrongly.",
            signs: [
                .strong("aadb2c90161 & internal server error | aadb2c90159 & internal server error"),
                .fair("unable to validate the information provided"), .fair("aadb2c90158 | aadb2c90278"),
                .weak("extension_*"), .weak("selfasserted"),
                .weak("validationtechnicalprofile | validation technical profile"),
            ],
            check:
                "Which validation profile does the policy's log name? With custom attributes: does AAD-Common have ClientId and ApplicationObjectId of b2c-extensions-app?",
            fix: "Correct that profile; for custom attributes give AAD-Common the two ids of b2c-extensions-app."),
        .known(
            "token-answer-is-an-error",
            "The token endpoint answered with an error, and the library says only that the answer has not the expected form.",
            signs: [
                .strong("is not a conform token endpoint response"), .fair("unexpected http status code & token"),
                .fair("oauth_callback_error | callbackrouteerror"),
                .against("id_token not present | access_token not present"),
            ],
            check: "What do error and error_description of the answer say? Turn on the library's debug log.",
            fix: "Correct what the AADB2C code names: secret, platform of the redirect URI, code_verifier or policy."),
        .known(
            "handler-used-where-it-cannot-run",
            "A technical profile is used in a place that its kind does not support, such as a provider as validation profile.",
            signs: [.certain("validateasync is not supported for")],
            check: "Which step or validation names the profile?",
            fix: "Call it from an orchestration step of its own kind; restructure sub journeys so."),
        .known(
            "page-transaction-gone",
            "The page belongs to a transaction that has ended: left open for long, finished in another tab, reached by Back, or its cookies are gone.",
            signs: [
                .fair("selfasserted & 400"), .fair("selfasserted & bad request"), .certain("aadb2c90046"),
                .strong("selfasserted?tx= & 400"), .fair("over night | overnight | left open | next day"),
                .excluded(by: "\"errorcode\":* | unable to validate the information provided"),
                .weak("bad request"),
            ],
            check:
                "Was the page open for hours, open in two tabs, or reached by Back or a bookmark? Does the browser take cookies of the login host?",
            fix: "Start the sign-in again from the app; offer that on the error page."),
        .known(
            "upload-refused",
            "The upload of the policy was refused: each sentence after \"Validation failed\" says what it does not meet.",
            signs: [
                .fair("validation error(s) found in policy"),
                .fair("unable to upload policy | the policy being uploaded is not correctly formatted"),
            ],
            check:
                "Which policy, element and reference do the sentences name? `b2c validate FOLDER` finds file and line.",
            fix: "Correct the first one, and upload from the base down: base, extensions, relying party."),
        .known(
            "account-exists-already",
            "An account with this sign-in name or address exists already.",
            signs: [
                .strong("a user with the specified id already exists"), .certain("aadb2c90001"),
                .fair("aadb2c99001"),
            ],
            check: "Is the account a local or a social one?",
            fix: "Sign in with it; for social accounts link them by policy."),
        .known(
            "account-not-found",
            "The directory has no account for what was entered or mapped.",
            signs: [
                .certain("aadb2c90053"), .certain("aadb2c99002"),
                .strong("a user with the specified credential could not be found | we can't seem to find your account"),
                .strong("an account could not be found for the provided user id"),
            ],
            check: "Does the account exist in this tenant under that sign-in name, with the issuer of this tenant?",
            fix: "Sign up first, or map the right claim for the look-up."),
        .known(
            "browser-blocks-cookies",
            "The browser does not accept the login host's cookies.",
            signs: [
                .strong(
                    "set to block cookies | your browser is set to block cookies | cookies are blocked | enable cookies"
                ),
                .fair("cookies & private browsing | cookies & incognito"),
            ],
            check: "Are cookies of the login host allowed?", fix: "Allow them, or use a custom domain of your site."),
        .known(
            "template-storage-not-public",
            "The storage of the page's template lets nobody read it without a key: B2C and the browser read it anonymously.",
            signs: [
                .strong("public access is not permitted on this storage account | publicaccessnotpermitted"),
                .strong("blob.core.windows.net & resourcenotfound | blob.core.windows.net & authenticationfailed"),
                .fair("blob.core.windows.net & 409 | blob.core.windows.net & 403 | blob.core.windows.net & 404"),
                .excluded(by: "cors"),
            ],
            check: "Does the template's address open in a private window?",
            fix:
                "Allow public access to blobs in the storage account and set the container's level to Blob, or serve the file elsewhere over https."
        ),
        .known(
            "template-without-api-element",
            "The page template does not load or show: address, CORS header, https, or the element with id api is missing.",
            signs: [
                .strong("<div id=\"api\">"), .fair("loaduri"), .certain("aadb2c90002"), .certain("aadb2c90223"),
                .fair("aadb2c90047"),
            ],
            check:
                "Can the template be fetched over https with the B2C host as Origin, and does it have one <div id=\"api\"></div>?",
            fix: "Add the CORS header for the login host and the element."),
    ]
}
