extension Cause {
    /// Cancelling, forgotten passwords and codes: B47 to B57.
    static let cancels: [Cause] = [
        Cause(
            "B47", script: "forgot-password-as-a-generic-error", reach: .veryCommon,
            "The person chose \"Forgot password?\": the sign-in page answers access_denied with AADB2C90118, and the app has to start the reset policy.",
            signs: [
                .certain("aadb2c90118"), .fair("forgotten their password & !aadb2c90118"), .weak("access_denied"),
                .weak("-50000"),
                .weak("{responseError}"), .weak("uncaught (in promise)"),
            ],
            checks: [
                "Does the app look for AADB2C90118 in the error's description?",
                "Does the policy have the newer password reset that stays in its page?",
            ],
            fix:
                "On AADB2C90118 start the reset policy, and then sign in again; or use the reset that is part of the sign-in flow."
        ),
        Cause(
            "B48", script: "forgot-password-without-its-code", reach: .occasional,
            "The library maps access_denied to a plain cancel and leaves the AADB2C code out.",
            signs: [
                .strong("-50005 & access_denied & !aadb2c90118 & !aadb2c90091"),
                .strong("msalusercancelexception & forgot | oncancel & forgot"),
                .fair("msalusercancelexception"), .fair("oncancel"), .weak("forgot password | forgotten password"),
                .weak("access_denied"),
                .fair("user cancelled & @msal-android | user canceled & @msal-android"),
            ],
            checks: [
                "What does the error hold besides 'cancelled', and in which version of the library did it change?"
            ],
            fix: "Update the library; or use the password reset inside the sign-in flow, which needs no code."),
        Cause(
            "B49", script: "interaction-in-progress-in-the-handler", reach: .common, libraries: [.msalJS],
            "The app starts the reset policy in the handler of AADB2C90118 while the mark of the failed call is still set.",
            signs: [
                .strong("interaction_in_progress & aadb2c90118"), .fair("interaction_in_progress & forgot*"),
                .fair("interaction_in_progress & reset"), .fair("aadb2c90118"), .weak("handleredirectpromise"),
            ],
            checks: ["Does the app call loginRedirect before handleRedirectPromise has ended?"],
            fix: "Start the reset after the promise has settled; newer libraries clear the mark first."),
        Cause(
            "B50", script: "second-tap-on-forgot-password", reach: .occasional, libraries: [.msalIOS],
            "The first call, which ended in \"Forgot password?\", was never completed, so the next is refused.",
            signs: [
                .fair("-42402"),
                .strong("-42402 & forgot* | -42402 & aadb2c90118 | -42402 & reset"),
                .strong("only one interactive session & forgot* | only one interactive session & reset*"),
                .weak("-42402"),
                .weak("aadb2c90118"), .weak("handlemsalresponse"),
            ],
            checks: ["Does the delegate hand every callback URL to the library?"],
            fix: "Hand the callback on, and start the reset in the completion handler of the first call."),
        Cause(
            "B51", script: "three-ways-to-cancel", reach: .veryCommon,
            "The person pressed Cancel on a page; that comes back as an error with AADB2C90091, unlike a closed window.",
            signs: [
                .certain("aadb2c90091"), .fair("user has cancelled entering self-asserted information & !aadb2c90091"),
                .weak("access_denied"), .fair("-50005"),
                .fair("user_cancelled | authentication_canceled | user canceled authentication"),
                .weak("{responseError}"),
            ],
            checks: [
                "Does the description begin with AADB2C90091 (Cancel) or AADB2C90118 (forgot password), or is there none (window closed)?"
            ],
            fix: "Distinguish the three by the code, and stay signed in with the sign-in policy."),
        Cause(
            "B52", script: "guard-fails-after-a-cancel", reach: .veryCommon, libraries: [.msalJS],
            "The error of a cancelled second policy lands on a guarded route, whose guard fails, so nothing is shown.",
            signs: [
                .strong("aadb2c90091 & msalguard | aadb2c90091 & guard | aadb2c90091 & blank"), .fair("msalguard"),
                .fair("canactivate"), .fair("blank page | white page | white screen"), .fair("aadb2c90091"),
                .weak("msal-angular"),
            ],
            checks: ["Which route does the redirect URI lead to, and is it guarded?"],
            fix: "Catch the error, then ask silently for the sign-in policy; use a redirect route without a guard."),
        Cause(
            "B53", script: "answer-without-state", reach: .common, libraries: [.msalJS],
            "The page was opened by a hand-made address without state, so its answer has none and spoils every start.",
            signs: [
                .strong("hash does not contain state"), .strong("no_state_in_hash"), .fair("{responseWithoutState}"),
                .fair("nonce=defaultnonce"), .fair("{noStateInRequest}"), .weak("aadb2c90091"),
            ],
            checks: ["Was the reset or edit page opened with window.location instead of the library?"],
            fix: "Open every policy through the library; take an unexpected answer out of the address and go on."),
        Cause(
            "B54", script: "guard-logs-in-before-the-handler", reach: .common, libraries: [.msalJS],
            "The app's guard starts a new sign-in before the handler of AADB2C90118 opens the reset policy.",
            signs: [
                .strong("aadb2c90118 & msalguard | aadb2c90118 & guard | aadb2c90118 & loop*"),
                .fair("aadb2c90118 & autologin | aadb2c90118 & msalinterceptor"),
                .fair("redirect loop | infinite loop | infinite redirect*"),
                .fair("aadb2c90118"), .weak("msal-angular"),
            ],
            checks: ["In which order run the guard and the handler of the error?"],
            fix: "Let the handler of AADB2C90118 run before any automatic sign-in."),
        Cause(
            "B57", script: "policy-compared-with-a-missing-claim", reach: .occasional, libraries: [.msalJS],
            "The app compares `acr` with the name of its sign-in policy, and the tenant sends `tfp`.",
            signs: [
                .strong("password has been reset"),
                .fair("idtoken.acr | idtokenclaims.acr | claims.acr | claims['acr']"),
                .fair("acr & undefined"), .weak("{policyInTFP}"), .weak("sign in with your new password"),
            ],
            checks: ["Is `acr` in the ID token at all?"],
            fix: "Read `tfp`, then `acr`, letter case ignored."),
    ]

    /// Tokens and claims: B58 to B77.
    static let tokens: [Cause] = [
        Cause(
            "B58", script: "no-access-token-in-the-response", reach: .common, libraries: [.msalJava, .msalAndroid],
            "The token response has no access_token and no expires_in, since only scopes of OpenID were asked for, and the library fails on that.",
            signs: [
                .strong("is refused: there is no access token"),
                .strong("expires_in & null | expires_in & nullpointerexception | expires_in & missing"),
                .strong("jsonparseexception & access_token | parseexception & access_token"),
                .strong("java.lang.long.longvalue"), .strong("missing required tokens of type | tokens_missing"),
                .fair("missing json object member with key \"access_token\""),
                .fair("nullpointerexception & tokenresponse | nullpointerexception & longvalue"),
                .fair("nullpointerexception"), .weak("{noAccessToken}"), .weak("{openIDScopesOnly}"),
            ],
            checks: ["Which scopes were asked for, and has the answer an access_token?"],
            fix: "Ask for a scope of an API, or update the library: a sign-in with an ID token alone is a success."),
        Cause(
            "B59", script: "response-without-expected-access-token", reach: .veryCommon, libraries: [.msalIOS],
            "No scope of the app's own API was asked for or granted, so no access token comes back; the line about the authority is a side effect.",
            signs: [
                .strong("is refused: there is no access token"),
                .strong("authentication response received without expected access*"),
                .strong("token response is missing the access token | missing access token field*"),
                .strong("-42500 | -42105"), .excluded(by: "failed to start an interactive session"),
                .fair("-42008 & it is not b2c authority"), .fair("-42008"), .fair("without expected accesstoken"),
                .weak("{graphScope}"), .weak("{openIDScopesOnly}"), .weak("it is not b2c authority"), .weak("-50000"),
            ],
            checks: [
                "Which scope is asked for? It must be a full address such as https://contoso.onmicrosoft.com/api/read.",
                "Is that permission granted, with admin consent, to this app?",
            ],
            fix: "Ask for a scope of your own API that the app has been granted; the authority is in order."),
        Cause(
            "B60", script: "expiry-taken-for-granted", reach: .rare,
            "A result with an ID token alone has no expiry, and the wrapper insists on one.",
            signs: [
                .strong("is refused: there is no access token"),
                .strong("unexpectedly found nil & expireson | expireson & nil"), .strong("expireson & null"),
                .fair("unexpectedly found nil while"), .weak("msal_auth"), .weak("expireson"),
            ],
            checks: ["Has the result an access token at all?"],
            fix: "Treat the expiry as optional, and ask for a scope of an API."),
        Cause(
            "B61", script: "no-access-token-for-appauth", reach: .veryCommon, libraries: [.appAuth],
            "The scopes name no resource, so B2C gives an ID token and no access token.",
            signs: [
                .strong(
                    "accesstoken: null | accesstoken=null | accesstoken is null | \"accesstoken\":null | \"accesstoken\": null | accesstoken: \"\""
                ),
                .fair("access_token & null | access token & null"), .fair("{openIDScopesOnly} & @appauth"),
                .weak("{noAccessToken}"),
                .weak("{openIDScopesOnly}"), .weak("@appauth"), .weak("idtoken"),
            ],
            checks: ["Does a scope name an API, or the client id?"],
            fix: "Add a scope of an API, or the app's own client id."),
        Cause(
            "B62", script: "client-id-as-scope-refused", reach: .occasional,
            "The library refuses the client id as a scope, which B2C wants for an access token of the app itself.",
            signs: [
                .strong("the client id is not a scope here"),
                .certain("api does not accept the client id as a user-provided scope"),
                .strong("does not accept the client id | client id & not & scope & argument*"),
                .fair("clientid & single scope | client id can only be provided as a single scope"),
                .weak("{clientIDScope}"),
                .weak("argumentexception"),
            ],
            checks: ["Is the client id among the scopes of the call, and which version refuses it?"],
            fix: "Expose a scope of an API and ask for that; or a version that takes the client id."),
        Cause(
            "B63", script: "no-refresh-token", reach: .common,
            "offline_access was not asked for, so there is no refresh token and people sign in every hour.",
            signs: [
                .strong(
                    "refreshtoken: null | refreshtoken=null | refreshtoken is null | \"refreshtoken\":null | refresh_token & missing"
                ),
                .strong("no refresh token & !expired & !revoked"), .fair("{noRefreshToken}"),
                .fair("{noOfflineAccess}"),
                .weak("offline_access"),
                .fair("every hour & sign in | every hour & log in | every hour & signed out | every hour & logged out"),
                .excluded(by: "every hour & password & chang* | every hour & password & reset"),
            ],
            checks: ["Is offline_access among the scopes of the authorize request?"],
            fix: "Ask for offline_access."),
        Cause(
            "B64", script: "token-without-resource", reach: .common, libraries: [.msalJS],
            "An access token is asked for at the front (response_type=token) with scopes that name no resource.",
            signs: [
                .certain("aadb2c90055"), .certain("{tokenWithoutResource}"), .fair("must specify a resource"),
                .weak("{openIDScopesOnly}"), .weak("{promptNone}"),
            ],
            checks: ["Which scopes does the request with response_type=token name?"],
            fix: "Name a scope of an API before asking for an access token."),
        Cause(
            "B65", script: "short-scope", reach: .common,
            "A scope is not one that B2C knows: a short name, one of Graph, or one that no API of the tenant exposes under this address.",
            signs: [
                .certain("aadb2c90117"), .certain("aadb2c90012"), .fair("scope & provided in request is not supported"),
                .fair("{shortScope}"), .fair("{graphScope}"), .weak("user.read"), .weak("invalid_scope"),
            ],
            checks: [
                "Which scope does the message quote, and which API of the tenant exposes it under exactly that address?"
            ],
            fix:
                "Ask for https://{tenant}.onmicrosoft.com/{api}/{scope}; call Graph from a back end with its own credentials."
        ),
        Cause(
            "B66", script: "two-resources-in-one-request", reach: .occasional,
            "One request names scopes of two resources, and an access token is for one.",
            signs: [
                .certain("aadb2c90146"), .strong("{twoResources} & !aadb2c9*"),
                .fair("specifies more than one resource"),
                .weak("{twoResources}"),
            ],
            checks: ["Which scopes does the message list, and of how many APIs are they?"],
            fix: "Make a request for each API; the second goes without a page."),
        Cause(
            "B67", script: "no-permission-on-the-api", reach: .veryCommon,
            "The app has no granted permission on the API's scope. In a hidden frame the page that says so is not visible.",
            signs: [
                .fair("does not show the answer: frame"),
                .certain("aadb2c90205"), .fair("does not have sufficient permissions against this web resource"),
                .fair("refused to display & x-frame-options"), .fair("refused to display & deny"),
                .weak("token renewal operation failed due to timeout"),
                .weak("monitor_window_timeout"),
            ],
            checks: [
                "Are the API's permissions listed for the app, and is admin consent granted?",
                "Open the frame's address in a tab of its own: the page names the code.",
            ],
            fix: "Add the API's permission to the app and grant admin consent; ask for granted scopes only."),
        Cause(
            "B68", script: "reserved-scopes-refused", reach: .occasional, libraries: [.msalIOS],
            "openid, profile or offline_access is given in the call, where the library adds them itself.",
            signs: [
                .strong("-42000 & scope*"), .strong("reserved scopes | reserved scope"), .fair("-42000"),
                .fair("cannot be used in scopes parameter | are reserved scopes"), .weak("-50000"),
                .weak("{openIDScopesOnly}"),
            ],
            checks: ["Does the call name openid, profile or offline_access?"],
            fix: "Give scopes of APIs alone."),
        Cause(
            "B70", script: "looked-up-by-user-name", reach: .veryCommon,
            "Accounts are looked up by user name, but the tokens have no preferred_username.",
            signs: [
                .strong("getaccountbyusername & null"),
                .strong("username & missing from the token response & !login_hint"),
                .fair("getaccountbyusername"), .fair("missing from the token response"),
                .fair("username is null | username & null | username is empty"),
                .weak("{noUserName}"), .weak("preferred_username"),
            ],
            checks: ["Has the ID token preferred_username or emails?"],
            fix: "Look accounts up by home account id, and show a name from another claim."),
        Cause(
            "B71", script: "placeholder-as-login-hint", reach: .common,
            "The account given to an interactive call has a placeholder as user name, which is sent as login_hint.",
            signs: [
                .certain("{placeholderHint}"), .certain("login_hint=missing from the token response"),
                .fair("missing from the token response"), .weak("login_hint"),
                .weak("prefilled | pre-filled | prepopulated | pre-populated"),
            ],
            checks: ["What is in login_hint of the authorize request?"],
            fix: "Give an explicit login hint, or no account."),
        Cause(
            "B72", script: "claims-of-many-types", reach: .occasional,
            "The app takes every claim for a text; times are numbers, emails is a list.",
            signs: [
                .strong("could not cast value of type '__nscfnumber' to 'nsstring'"),
                .strong("could not cast value & nsnumber | could not cast value & __nscfnumber"),
                .fair("could not cast value of type"), .fair("is not a subtype of type 'string'"),
                .weak("{emailsList}"),
                .weak("claims"),
            ],
            checks: ["Which claim is read, and what type has it in the token?"],
            fix: "Read claims as JSON of any type."),
        Cause(
            "B73", script: "subject-not-supported", reach: .occasional,
            "`sub` is the same constant text for everybody, and the app keys people by it.",
            signs: [
                .strong("{constantSubject}"), .strong("not supported currently. use oid claim"),
                .fair("oid & sub & match"),
                .weak("oid"),
            ],
            checks: ["Is the object id among the claims that the policy returns?"],
            fix: "Return the object id, and key people by `oid`."),
        Cause(
            "B74", script: "hash-of-the-access-token-wanted", reach: .occasional, libraries: [.oidcJS],
            "The client wants at_hash in the ID token, which the code flow may leave out.",
            signs: [
                .strong("at_hash & fail* | at_hash & incorrect | at_hash & missing | at_hash & not"), .fair("at_hash"),
                .fair("incorrectathash"), .weak("@oidc-js"),
            ],
            checks: ["Has the ID token at_hash, and which flow is it?"],
            fix: "Update the library: a missing at_hash is in order in the code flow, a wrong one is not."),
        Cause(
            "B76", script: "id-token-sent-to-the-api", reach: .veryCommon, libraries: [.identityWeb, .passport],
            "The token is for another audience than the API expects: the app sends its ID token or a token for another API, or the API is configured with another app's id.",
            signs: [
                .certain("{audienceDiffers}"), .against("{audienceHasSpace}"), .against("{audienceForm}"),
                .strong("idx10214"), .strong("audience validation failed"), .strong("{audienceOfGraph}"),
                .strong("error_description=\"the audience '* | invalid_token & the audience '*"),
                .strong("jwt audience is invalid | invalidaudienceerror | invalid_audience"),
                .fair(
                    "jwt audience invalid | audience is invalid | invalid audience | aud & mismatch | the audience '* & is invalid"
                ),
                .fair("{idToken} & 401"),
                .weak("{idToken}"), .weak("401"), .weak("audience"), .weak("invalid_token"), .weak("bearer"),
                .excluded(by: "armtoken | validateaudience = false"),
            ],
            checks: ["Compare `aud` of the token with the API's client id; is it an access token (with scp)?"],
            fix:
                "Ask for a scope of the API and send the access token. In the API's settings, name the API's own client id."
        ),
        Cause(
            "B77", script: "directory-change-not-seen", reach: .common,
            "Refreshing hands on the claims of the sign-in; a change in the directory shows only after another pass through the policy.",
            signs: [
                .strong("forcerefresh & claim* | withforcerefresh & claim* | forcerefresh & old"),
                .fair("forcerefresh | withforcerefresh | force refresh"),
                .fair("claims & not updated | claim & not updated"),
                .weak("role*"), .weak("extension_*"), .weak("graph"),
            ],
            checks: ["Has the policy a refresh journey that reads the directory?"],
            fix: "Send the person through the policy again, or give it a refresh journey that reads the directory."),
    ]
}
