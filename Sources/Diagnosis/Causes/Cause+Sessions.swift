extension Cause {
    /// Sessions, single sign-on and sign-out: B78 to B90.
    static let sessions: [Cause] = [
        Cause(
            "B78", script: "signed-out-but-the-browser-remembers", reach: .veryCommon,
            "Removing the account clears tokens; the session cookie in the shared browser stays, so the next sign-in needs no password.",
            signs: [
                .strong(
                    "without credentials | without entering credentials | without asking for credentials | without password"
                ),
                .fair("removeaccount | remove account"),
                .fair(
                    "signed in automatically | logs in automatically | automatically logged in | automatically signs"),
                .fair("sign out & no password | log out & no password | logout & no password | sign-out & no password"),
                .fair("logged straight back in | signed straight back in | logged back in without"),
                .fair("signoutfrombrowser"), .fair("prefersephemeralwebbrowsersession"),
                .weak("sign out | signout | logout | log out"),
                .weak("same user | previous user"), .weak("prompt=login"),
            ],
            checks: ["Does the sign-out open the browser (end_session), or only remove the account?"],
            fix: "Sign out in the browser as well, use an ephemeral session, or send prompt=login."),
        Cause(
            "B79", script: "sign-out-while-offline", reach: .rare, libraries: [.msalIOS],
            "The sign-out page could not load and was closed, which counts as done; the session in the browser lives on.",
            signs: [
                .strong(
                    "signoutfrombrowser & offline | signout & offline | sign out & offline | signout & no internet | sign out & no internet"
                ),
                .fair("signout & -1009"), .fair("signoutfrombrowser"), .weak("offline | no internet | airplane"),
                .weak("logout"),
            ],
            checks: ["Did a request to the logout endpoint succeed?"],
            fix: "Count a browser sign-out as done only when its page has loaded."),
        Cause(
            "B81", script: "sign-out-needs-the-id-token", reach: .occasional,
            "The policy asks for the ID token in sign-out requests, and this one has none.",
            signs: [
                .certain("aadb2c90272"), .fair("id_token_hint & logout"), .fair("{logoutWithoutHint} & id_token_hint"),
                .weak("{logoutWithoutHint}"),
            ],
            checks: ["Is 'Require ID token in logout requests' on, and does the request carry id_token_hint?"],
            fix: "Keep the ID token and send it as id_token_hint."),
        Cause(
            "B82", script: "provider-signs-in-again", reach: .occasional,
            "B2C ends its own session, but the identity provider's stays and signs the same person in at once.",
            signs: [
                .strong(
                    "okta & logout | okta & sign out | facebook & logout | facebook & sign out | identity provider & logout"
                ),
                .fair("federated & logout | federated & sign out | idp & logout | idp & sign out"),
                .fair("google & logout | google & sign out | adfs & logout | identity provider & sign out"),
                .weak("okta | facebook | google | adfs"),
                .weak("end_session"),
            ],
            checks: ["Is the provider's end_session called, and with id_token_hint?"],
            fix: "Have the policy sign out at the provider with the hint, or send prompt=login."),
        Cause(
            "B83", script: "token-outlives-sign-out", reach: .common,
            "Access tokens stay good until they expire; a sign-out ends cookies, not tokens.",
            signs: [
                .strong(
                    "after logout & access token & valid | after sign out & token & valid | still valid after logout | token & still works & logout | token is still valid"
                ),
                .fair("token & after logout | token & after signing out | logout & still accepted"),
                .weak("invalidate"), .weak("logout | sign out"),
            ],
            checks: ["When does the token's `exp` come?"],
            fix: "Nothing: it is by design. Keep lifetimes short."),
        Cause(
            "B84", script: "edit-asks-for-the-password", reach: .common,
            "A refresh makes no session in the browser, so the second policy has nothing to go by and asks for the password.",
            signs: [
                .strong(
                    "edit profile & asks | edit profile & login page | edit profile & sign in again | editprofile & sign-in page | edit profile & credentials"
                ),
                .fair("edit profile & prompt* | edit_profile & prompt* | profile edit* & prompt*"),
                .fair("edit & login again"), .weak("{editPolicy}"),
                .weak("wkwebview | webview | embedded"),
            ],
            checks: ["Does the second policy open in the same browser session as the first?"],
            fix: "Use the system's shared browser session; otherwise accept the page."),
        Cause(
            "B85", script: "stay-signed-in-does-not-last", reach: .common, libraries: [.msalJS],
            "Refresh tokens of single-page apps end after 24 hours, and then all depends on the session's cookie: that it is kept, that it may be sent, and that the policy uses it.",
            signs: [
                .fair("kmsi | keep me signed in"), .fair("24 hours & session | 24 h & session"),
                .fair("x-ms-cpim-sso*"), .weak("aadb2c90077"),
                .weak("aadb2c90080"), .weak("browser restart | closing the browser | close the browser"),
            ],
            checks: [
                "Is the x-ms-cpim-sso cookie still there after the restart, with an expiry?",
                "Is single sign-on of the policy set to something other than Suppressed, and are third-party cookies allowed?",
            ],
            fix:
                "Turn on keep-me-signed-in and single sign-on for the policy, and a custom domain where frames must send cookies."
        ),
        Cause(
            "B86", script: "no-session-after-the-magic-link", reach: .rare,
            "The journey of the link leaves no session that the next policy could use.",
            signs: [
                .strong("aadb2c90037 & magic | aadb2c90037 & {hintInRequest} | aadb2c90037 & id_token_hint"),
                .fair("magic link | magic-link | magiclink"),
                .fair("aadb2c90037"), .weak("server_error"), .weak("{hintInRequest}"),
            ],
            checks: ["Have the steps of the link's journey a session provider?"],
            fix: "Give the journey of the link a session; show server_error with its correlation id."),
        Cause(
            "B87", script: "sign-in-open-in-two-tabs", reach: .common,
            "Two tabs stood at the sign-in page; finishing one ends the other's transaction, which gets 400.",
            signs: [
                .strong(
                    "two tabs & 400 | multiple tabs & 400 | two tabs & bad request | second tab & bad request | other tab & bad request | multiple tabs & bad request"
                ),
                .fair("selfasserted & bad request"), .fair("bad request & tab*"),
                .fair("aadb2c90046 | aadb2c90211 | aadb2c90212"), .weak("bad request"),
                .weak("tabs"), .weak("csrf"),
            ],
            checks: ["Was the sign-in page open twice in one browser, or left open for long, or bookmarked?"],
            fix: "Start the sign-in again: the session signs in. Offer a way to retry."),
        Cause(
            "B89", script: "no-single-sign-on", reach: .common, libraries: [.msalJS],
            "The library always sends a prompt, or does not go silently without a hint, so single sign-on does not happen.",
            signs: [
                .fair(
                    "{promptSelectAccount} & ssosilent | {promptSelectAccount} & sso | {promptSelectAccount} & single sign*"
                ), .strong("silent_sso_error & login_hint"),
                .fair("ssosilent & login_hint | ssosilent & loginhint | ssosilent & sid"),
                .fair("user_login_error"), .fair("prompt=select_account"), .weak("ssosilent"), .weak("sso"),
                .weak("single sign*"),
            ],
            checks: ["What is `prompt` of the authorize request?"],
            fix: "Send no prompt; go silently without a hint where the library lets you."),
        Cause(
            "B90", script: "reinstalled-app-still-signed-in", reach: .occasional, libraries: [.msalIOS],
            "Items in the keychain outlive the app, so its first start finds the old account.",
            signs: [
                .strong("reinstall* & still | re-install* & still | reinstall* & keychain"),
                .strong("uninstall* & still | uninstall* & keychain"),
                .fair("delete the app | deleting the app | removing the app | removed the app"),
                .fair("keychain & install"), .weak("keychain"), .weak("still logged in | still signed in"),
            ],
            checks: ["Does the app clear its accounts at its first start?"],
            fix: "At the first start of an installation remove all accounts."),
    ]

    /// Clocks, keys and signatures: B91 to B100.
    static let clocks: [Cause] = [
        Cause(
            "B91", script: "clock-eleven-minutes-off", reach: .veryCommon, libraries: [.appAuth],
            "The ID token was issued more than ten minutes away from the device's time: the device's clock is wrong, or an old token is checked.",
            signs: [
                .strong("is refused: it was not issued just now"),
                .certain("issued at time is more than"),
                .fair("org.openid.appauth* & code=-15 & !nonce | org.openid.appauth* & code: -15 & !nonce"),
                .fair("600 seconds before or after"), .fair("{tokenFromFuture}"), .weak("id token validation"),
                .weak("@appauth"),
            ],
            checks: ["Compare `iat` with the device's clock, and the clock with the network's time."],
            fix: "Correct the device's clock (automatic time); or a library with a wider window."),
        Cause(
            "B92", script: "device-lives-in-the-future", reach: .common, libraries: [.appAuth],
            "The ID token has expired when it arrives: the device's clock is ahead by its whole life.",
            signs: [
                .strong("the id token is refused: it has expired"),
                .strong("id token expired"), .fair("id token has expired"), .fair("{tokenExpired} & {idToken}"),
                .weak("{tokenExpired}"),
                .weak("future"), .weak("@appauth"),
            ],
            checks: ["Was the token new when it was refused? Then compare `exp` with the device's clock."],
            fix: "Correct the device's clock; allow a tolerance."),
        Cause(
            "B93", script: "not-active-yet", reach: .common, libraries: [.nextAuth, .msalPython],
            "The token's `nbf` lies in the future of the client that checks it by more than it allows: usually its clock is behind.",
            signs: [
                .strong("the id token is refused: it is not valid yet"),
                .certain("jwt not active yet"), .certain("the token is not valid before"), .strong("not active yet"),
                .strong(
                    "cannot handle token prior to | cannot handle token with nbf prior to | cannot handle token with iat prior to"
                ),
                .strong("token used before issued | token is not valid yet | immaturesignatureerror"),
                .strong("not yet valid & !certificate"),
                .strong("idx10222"),
                .fair("{tokenNotYetValid}"), .fair("nbf"), .weak("wsl"), .weak("clock"),
            ],
            checks: ["Compare `nbf` with the time of the machine that refuses."],
            fix: "Set the machine's clock by the network; allow a minute or more of tolerance."),
        Cause(
            "B94", script: "five-minute-tokens", reach: .occasional, libraries: [.msalJS],
            "Tokens live five minutes, and the client counts them as expired five minutes early.",
            signs: [
                .strong("{fiveMinutes}"), .strong("{shortLifetime}"), .strong("tokenrenewaloffsetseconds"),
                .fair("expires_in\":300 | expires_in: 300 | expires_in\": 300"),
                .fair("5 minutes & token lifetime | five minutes & lifetime | token lifetime & 5"), .weak("every call"),
            ],
            checks: ["Compare the policy's token lifetime with the client's renewal offset."],
            fix: "Make the offset smaller than the lifetime, or the lifetime longer."),
        Cause(
            "B95", script: "api-accepts-expired-tokens", reach: .occasional, libraries: [.identityWeb],
            "The validator allows five minutes for clocks, so a token is taken minutes after it has expired.",
            signs: [
                .fair("clockskew"),
                .strong("accepts expired | expired token & accepted | expired & still accepted | expired & 200"),
                .fair("clock skew"), .weak("{tokenExpired}"), .weak("validate-jwt"),
            ],
            checks: ["What is the validator's clock skew?"],
            fix: "Set the skew on purpose; with the usual five minutes count on them."),
        Cause(
            "B97", script: "api-keeps-old-keys", reach: .common, libraries: [.identityWeb],
            "The API does not know the key that signed the token: it read the keys before they changed and does not ask again.",
            signs: [
                .fair(
                    "idx10501 | idx10503 | idx10516 & !{issuerInvalid} | unable to match key* | unable to match 'kid' | unable to find a signing key | kid & not found | the signature key was not found"
                ),
                .weak("signature validation failed"),
                .strong(
                    "rollover | roll-over | rolled over | key rotation | keys were rotated | after a restart & idx10501 | restart & idx10501"
                ),
                .weak("401"), .weak("kid"),
            ],
            checks: [
                "Is the token's `kid` among the keys that the policy publishes now?",
                "Does a restart of the API help?",
            ],
            fix: "Fetch the keys again when a token names an unknown one, not more often than every few minutes."),
        Cause(
            "B99", script: "invitation-signature-refused", reach: .common,
            "The id_token_hint is signed with a key, or has an issuer, that the policy does not accept.",
            signs: [
                .certain("aadb2c90233"), .certain("aadb2c90232"), .strong("aadb2c90210"),
                .fair("id_token_hint & signature"),
                .weak("{hintInRequest}"), .weak("invit*"),
            ],
            checks: [
                "Which metadata does the policy's hint profile name, and can B2C reach it (not localhost)?",
                "Is the key of the hint among its keys, and the issuer the same text?",
            ],
            fix: "Publish metadata and keys that fit the signer, at an address that B2C reaches."),
        Cause(
            "B100", script: "grant-key-dropped", reach: .rare,
            "The code or refresh token cannot be opened: the key that sealed it is gone, or it went to a service that did not issue it.",
            signs: [
                .strong("aadb2c90090"), .strong("is not a valid 5 segment token"),
                .fair("kid & jwe | json web encryption"), .weak("invalid_grant"),
                .weak("b2c_1a_*"),
            ],
            checks: [
                "Was a token key rotated or removed? Does the token request go to the tenant and policy that issued the code, not to a directory's endpoint?"
            ],
            fix:
                "Redeem codes at the policy that issued them; keep an old key as long as its codes and refresh tokens live."
        ),
    ]

    /// Password grant, end and revocation of refresh tokens: B101 to B109.
    static let grants: [Cause] = [
        Cause(
            "B101", script: "user-realm-asked-first", reach: .rare, libraries: [.msalNET],
            "The library takes the account for one of a directory tenant and asks the user realm service first.",
            signs: [
                .strong("{userRealm}"), .strong("userrealm"),
                .strong("unknown_user_type | user_realm_discovery_failed"),
                .fair("acquiretokenbyusernamepassword"), .weak("ropc"),
            ],
            checks: ["Which request goes out first?"],
            fix: "Use a version that knows B2C authorities for the password grant."),
        Cause(
            "B102", script: "password-grant-not-enabled", reach: .occasional,
            "The registration does not allow what the password grant needs: access tokens and ID tokens at the authorize endpoint, and a public client.",
            signs: [
                .certain("aadb2c90224"), .strong("aadb2c90248"),
                .strong("aadb2c90058 & {passwordGrant} | aadb2c90058 & {passwordPolicy} | aadb2c90058 & ropc"),
                .fair("aadb2c90058"),
                .strong(
                    "aadb2c90057 & ropc | aadb2c90057 & {passwordGrant} | aadb2c90057 & acquiretokenbyusernamepassword | aadb2c90057 & resource owner"
                ),
                .fair("aadb2c90057"), .fair("resource owner flow has not been enabled | resource owner password"),
                .weak("unauthorized_client"), .weak("{passwordGrant}"),
            ],
            checks: [
                "Are access tokens and ID tokens (implicit grant) ticked in the registration, and are public client flows allowed?"
            ],
            fix: "Tick access tokens and ID tokens of the implicit grant, and allow public client flows."),
        Cause(
            "B104", script: "ftp-for-tfp", reach: .rare,
            "/ftp/ stands for /tfp/ in the authority, an address that does not exist.",
            signs: [.certain("{ftpPath}"), .fair("b2clogin.com/ftp/"), .weak("404"), .weak("ropc")],
            checks: ["Read the effective address letter by letter."],
            fix: "Write /tfp/."),
        Cause(
            "B105", script: "signed-out-every-day", reach: .veryCommon, libraries: [.msalJS],
            "Refresh tokens of single-page apps end 24 hours after the sign-in, renewed or not; then a hidden frame needs the session's cookie.",
            signs: [
                .certain("{grantOfADay} & @msal-js | {grantOfADay} & @oidc-js"), .strong("{grantOfADay}"),
                .fair("aadb2c90080"), .weak("provided grant has expired"),
                .excluded(by: "@msal-ios | @msal-android | @appauth | @msal-net | @msal-java | @msal-python"),
                .excluded(by: "@msal-node | @identity-web | @passport | @next-auth"),
                .fair(
                    "signed out & every 24 hours | logged out & every 24 hours | signed out & every day | logged out & every day"
                ),
                .fair(
                    "log in again & every day | sign in again & every day | logged out after 24 hours | signed out after 24 hours"
                ),
                .weak("24 hours | 86400 | 24h"),
                .weak("monitor_window_timeout"),
                .weak("refresh_token_expired"), .weak("third-party cookies | third party cookies"),
                .weak("invalid_grant"),
            ],
            checks: [
                "Subtract the times in the message: is it 86400 seconds?",
                "Does the browser send cookies in the hidden frame?",
            ],
            fix:
                "Fall back to a sign-in outside the frame once a day; or a custom domain, so that the frame has its cookie."
        ),
        Cause(
            "B106", script: "revoked-by-a-new-password", reach: .common,
            "A new password, or an administrator, has ended the earlier refresh tokens.",
            signs: [
                .strong("aadb2c90129"), .strong("aadsts50173"),
                .fair("grant has been revoked | due to it being revoked"),
                .fair("-50002 | -42004"), .weak("invalid_grant"), .weak("interaction_required"),
                .fair(
                    "change* & password & logs & out | change* & password & logged out | change* & password & signed out"
                ),
                .fair("password & reset & signed out | password & reset & logged out | new password & logged out"),
                .fair("change* & password & refresh* & fail* | change* & password & sign in again"),
                .fair("password reset & interaction_required | password reset & silent* | new password & silent*"),
                .weak("password & reset | password & changed"), .excluded(by: "aadb2c90118 & !aadb2c90129"),
            ],
            checks: ["Has the person's password or sign-in been changed or revoked since the last sign-in?"],
            fix: "Show the sign-in once; do not loop."),
        Cause(
            "B107", script: "works-for-another-hour", reach: .veryCommon,
            "The cached access token is good until it expires; a revocation is noticed by the next refresh.",
            signs: [
                .strong("revoke* & still | password & changed & still | disabled & still | revoked & cached"),
                .fair("still works | keeps working | still able to"),
                .fair("revoke* & for an hour | disabled & for an hour | password & changed & for an hour"),
                .fair("cached token & revoked"), .weak("up to an hour | one hour | 1 hour"),
                .weak("acquiretokensilent"),
            ],
            checks: ["When does the cached access token expire?"],
            fix: "By design; where it must be known at once, force a refresh."),
        Cause(
            "B109", script: "endless-loop-of-400", reach: .common, libraries: [.msalJS],
            "Every guard and interceptor asks silently again as soon as it has failed, so the token endpoint is asked without end.",
            signs: [
                .fair("httpstatus\":429"),
                .strong("{manyFailures}"),
                .strong(
                    "infinite loop & token | endless loop & token | infinite loop & 400 | loop & acquiretokensilent"),
                .fair("infinite loop | endless loop"),
                .fair("http 429 | status 429 | status: 429 | 429 (too | too many requests"), .weak("msalinterceptor"),
                .weak("interaction_in_progress"),
                .weak("msalguard"),
            ],
            checks: ["Count the token requests within ten seconds."],
            fix: "After a failed silent call make one interactive call, and nothing else until it ends."),
    ]

    /// Network, outages, CORS and frames: B110 to B118.
    static let networks: [Cause] = [
        Cause(
            "B110", script: "no-cors-for-a-web-redirect", reach: .veryCommon, libraries: [.msalJS],
            "The redirect URI is registered under Web instead of single-page, so the token endpoint sends no CORS header.",
            signs: [
                .fair("post_request_failed"),
                .strong("{corsAtToken}"), .fair("no 'access-control-allow-origin' header & !{corsElsewhere}"),
                .fair("blocked by cors policy & !{corsElsewhere}"), .weak("access-control-allow-origin"),
                .fair("cors & !{corsElsewhere}"),
                .weak("failed to fetch"), .weak("aadsts9002326"),
            ],
            checks: ["Under which platform is the redirect URI registered? Only single-page gets the header."],
            fix: "List the redirect URI under single-page application."),
        Cause(
            "B111", script: "error-without-cors", reach: .occasional, libraries: [.msalJS],
            "An error of the token endpoint has no CORS header, so the script sees a dead network instead of the error.",
            signs: [
                .strong("cors & 400 | cors & 401 | cors & 500 | cors & 503"),
                .fair(
                    "access-control-allow-origin & net::err_failed 4* | access-control-allow-origin & net::err_failed 5*"
                ),
                .fair("post_request_failed"), .fair("failed to fetch"), .weak("cors"), .weak("network_error"),
                .anotherFetch,
            ],
            checks: ["Look at the status of the token request in the browser's network view."],
            fix: "Take it as a failure to be tried again, not as signed out; read the real error in the network view."),
        Cause(
            "B112", script: "policy-page-in-a-hidden-frame", reach: .common, libraries: [.msalJS],
            "A policy that has to show a page was asked in a hidden frame, and its pages refuse framing.",
            signs: [
                .fair("does not show the answer: frame"),
                .strong(
                    "refused to display & x-frame-options & b2clogin.com | refused to display & frame & b2clogin.com | refused to frame"
                ),
                .fair("monitor_window_timeout"), .fair("token renewal operation failed due to timeout"),
                .fair("x-frame-options"),
                .weak("{editPolicy}"), .weak("{resetPolicy}"), .weak("{promptNone}"), .weak("iframe"),
                .weak("timed_out"),
            ],
            checks: [
                "Which policy does the frame ask? Editing, reset and sign-up always show a page.",
                "Is the redirect page one that loads without starting the library again?",
            ],
            fix: "Ask silently for the sign-in policy alone, and for others in a window or by redirect."),
        Cause(
            "B113", script: "third-party-cookies-blocked", reach: .veryCommon, libraries: [.msalJS],
            "The hidden frame is of another site, so the browser does not send the session's cookie: prompt=none finds no session.",
            signs: [
                .strong("aadb2c90077"), .fair("third-party cookies | third party cookies"),
                .fair("user does not have an existing session"),
                .fair("safari & silent* & fail* | safari & silent* & chrome | firefox & silent* & chrome"),
                .weak("safari"), .weak("firefox"), .weak("interaction_required"), .weak("{promptNone}"),
                .fair("monitor_window_timeout"), .weak("login_required"),
            ],
            checks: ["Does it happen only in browsers, or private windows, that block third-party cookies?"],
            fix: "Go on with a redirect or window; a custom domain of the app's own site lets the cookie through."),
        Cause(
            "B115", script: "busy-service-taken-for-a-refusal", reach: .occasional,
            "The service is unavailable for a moment, which is not a failed sign-in.",
            signs: [
                .certain("aadb2c90035"), .strong("temporarily_unavailable"),
                .fair("service is temporarily unavailable | service is unavailable"),
                .fair(
                    "http 503 | status 503 | statuscode 503 | status: 503 | statuscode: 503 | 503 (service | 503 service | code=503 | service unavailable"
                ),
                .weak("service_not_available"), .weak("server_error"),
            ],
            checks: ["Does the same call succeed a minute later?"],
            fix: "Try again later and keep account and tokens; it is not 'sign in again'."),
        Cause(
            "B116", script: "html-error-in-the-window", reach: .occasional,
            "The page of the policy itself fails and redirects nowhere, so the call waits until the window is closed.",
            signs: [
                .strong("internal server error & page | 500 & sign-in page"),
                .fair("page cannot be displayed because an internal server error"),
                .fair("<!doctype html"), .weak("html"), .weak("500"), .weak("-50005"), .weak("we can't sign you in"),
            ],
            checks: ["What does the page in the window say, and is there an outage?"],
            fix: "Offer help when the window stays open long; it ends as cancelled once it is closed."),
        Cause(
            "B117", script: "offline-taken-for-a-refusal", reach: .common,
            "A network failure during a refresh is reported as interaction required, or as a raw fetch error.",
            signs: [
                .strong(
                    "-50002 & -1009 | interaction_required & -1009 | interactionrequired & offline | interaction required & offline"
                ),
                .strong(
                    "nsurlerrordomain & -1009 | nsurlerrordomain & -1001 | nsurlerrordomain & -1003 | nsurlerrordomain & -1005"
                ), .fair("nsurlerrordomain"), .fair("-50002"), .fair("-1009"), .fair("failed to fetch"),
                .anotherFetch,
                .fair("no_network_connectivity"), .fair("appears to be offline"),
                .strong("connection is not available to refresh token"), .fair("device_network_not_available"),
                .fair("network_error"), .weak("offline"),
            ],
            checks: ["Was there a network when it happened? Look at the underlying error."],
            fix: "Keep errors of the network apart from refusals; stay signed in and try again."),
        Cause(
            "B118", script: "endless-retries-on-500", reach: .rare,
            "A 500 of the token endpoint is retried without end, and the call never completes.",
            signs: [
                .fair("-42007 & internal server error"), .fair("httpstatus\":500"),
                .strong("500 & retr* & never | 500 & infinite | 500 & endless* | retries & 500"),
                .fair("server_error & 500"), .fair("never called"),
                .weak("500"), .weak("completion"), .weak("-50006"),
            ],
            checks: ["Count the requests to the token endpoint for one call."],
            fix: "Retry once; then fail."),
    ]
}
