extension Cause {
    /// Reports that are not in the catalogue: R01 to R27, docs/bugs.md.
    static let reports: [Cause] = [
        Cause(
            "R01", script: "no-window-to-present-on", reach: .occasional, libraries: [.msalIOS],
            "The system's session has no window to show itself on: usually the app asks before its view is in one.",
            signs: [
                .strong("view controller for the sign-in page has no window"),
                .certain("webauthenticationsession error 3 | presentationcontextinvalid"),
                .strong("-42000 & viewcontroller & window | parentviewcontroller & window"),
                .fair("webauthenticationsession error 2 | presentationcontextnotprovided"), .weak("viewdidload"),
            ],
            checks: ["Is the view controller that is handed over in a window when the call is made?"],
            fix: "Make the first interactive call when the view has appeared."),
        Cause(
            "R02", script: "single-sign-out-across-sites", reach: .occasional,
            "The sign-out page of the other app, in its hidden frame, does not see that app's storage, or there is no frame at all.",
            signs: [
                .strong("single sign out & domain* | single sign-out & domain* | single logout & domain*"),
                .strong("front-channel logout | front channel logout | frontchannel logout | front-channel sign-out"),
                .fair("single sign out | single sign-out | single logout"), .weak("ssosilent"), .weak("logoutredirect"),
            ],
            checks: [
                "Is the policy a custom one whose token issuer has OAuthSSOSessionProvider? User flows load no frames.",
                "Does the other app keep its cache in local storage, and does the browser let frames of other sites see theirs?",
            ],
            fix:
                "Put the apps and the login host under one domain, keep caches in local storage, and do not rely on frames alone: ask again before what matters."
        ),
        Cause(
            "R03", script: "cookies-make-the-request-too-long", reach: .veryCommon,
            "The request's headers are too long: usually cookies of sign-ins that were started and never finished fill them.",
            signs: [
                .certain("request too long"), .certain("size of the request headers is too long"),
                .certain("request header or cookie too large | request header fields too large"),
                .fair("x-ms-cpim-cache* | x-ms-cpim-rc*"), .weak("bad request"),
                .weak("clear cookies | clearing cookies | clear the cookies"),
            ],
            checks: [
                "How many x-ms-cpim cookies does the request carry, and how long is it altogether?",
                "What sends people to the sign-in page again and again: a guard, a loop, a hidden frame?",
            ],
            fix: "End the loop that begins sign-ins and leaves them; closing the browser removes the cookies."),
        Cause(
            "R04", script: "router-clears-the-hash", reach: .veryCommon, libraries: [.msalJS],
            "A router or script of the page at the redirect URI takes the answer out of the address before the library reads it.",
            signs: [
                .strong("hash_empty_error"), .strong("hash_does_not_contain_known_properties"),
                .strong("hash value cannot be processed"), .fair("redirecturi is not clearing the hash"),
                .weak("loginpopup"),
                .weak("router"),
            ],
            checks: ["What runs at the redirect URI, and does it change the address?"],
            fix: "Use a blank page without a script as redirect URI of windows and frames."),
        Cause(
            "R05", script: "content-security-policy-stops-the-call", reach: .common, libraries: [.msalJS],
            "The app's own content security policy forbids the request to the login host.",
            signs: [
                .fair("post_request_failed"),
                .strong("content security policy & refused to connect | content security policy & connect-src"),
                .strong("connect-src & post_request_failed"),
                .fair("content security policy | content-security-policy"), .excluded(by: "[report only]"),
                .weak("post_request_failed"), .weak("frame-src"),
            ],
            checks: ["Do connect-src and frame-src of the app's pages list the login host in use?"],
            fix: "Add the login host to connect-src, and to frame-src for hidden frames."),
        Cause(
            "R06", script: "expired-without-a-form", reach: .common,
            "The account must choose a new password, and the policy has no page for that.",
            signs: [
                .strong("the password has expired | password is expired | your password has expired"),
                .strong("forcechangepasswordnextsignin | continueonpasswordexpiration"),
                .fair("force password reset | forced password reset"), .weak("expired password"),
            ],
            checks: ["Is forced password reset turned on in the sign-in flow, or in the custom policy's pages?"],
            fix: "Turn on forced password reset, or give accounts passwords with forceChangePasswordNextSignIn off."),
        Cause(
            "R07", script: "issuer-of-the-second-host", reach: .common, libraries: [.identityWeb],
            "The token was issued at another host than the API reads its metadata from, so its issuer is not among those known.",
            signs: [
                .strong("issuer & custom domain | two domains & issuer | both domains & issuer"),
                .certain("{issuerOfOtherHost}"), .strong("{twoLoginHosts} & issuer & invalid*"),
                .weak("{twoLoginHosts}"),
                .fair("idx40001 | idw10303 | idx10205"), .weak("front door | frontdoor"), .weak("b2clogin.com"),
            ],
            checks: ["Which hosts do the token's `iss` and the API's metadata address have?"],
            fix: "List the issuers of all hosts that people sign in at, or have all apps use one host."),
        Cause(
            "R08", script: "nonce-of-another-answer", reach: .common,
            "The ID token's nonce is not the one of the request: it belongs to another request, or was left out.",
            signs: [
                .strong("nonce mismatch | nonce is not matching | nonce does not match"), .strong("nonce_mismatch"),
                .strong("idx21321"), .strong("[invalid_nonce]"), .strong("incorrectnonce"),
                .strong("the nonce must be the same value as the one that was sent"),
                .strong("nonce received"), .fair("org.openid.appauth.general & -15"), .weak("nonce"),
                .against("tabs & localstorage"),
            ],
            checks: ["Compare the nonce of the authorize request with the token's, and count the requests that ran."],
            fix: "Make a nonce for each request and keep it with its state; run one interactive call at a time."),
        Cause(
            "R09", script: "page-cannot-reach-the-service", reach: .occasional,
            "The network between the browser and the service broke while a page was filled in.",
            signs: [
                .strong("aadb2c90159 & !internal server error"), .strong("aadb2c90161 & !internal server error"),
                .fair("aadb2c90158"),
                .fair("self-asserted & request has failed"),
                .weak("server_error"), .weak("offline"),
            ],
            checks: ["Is it rare and for some people only, as a bad network would have it?"],
            fix: "Show a message and let the person start again; nothing needs a fix."),
        Cause(
            "R10", script: "certificate-in-place-of-a-secret", reach: .rare,
            "The app signs an assertion in place of sending its secret, and policies of B2C take none.",
            signs: [
                .certain("aadb2c99027"), .strong("client_assertion & b2c* | client_assertion_type & b2c*"),
                .fair("clientassertiontype"), .weak("client_assertion | certificate | managed identity"),
            ],
            checks: ["Is a certificate, federated credential or managed identity configured for the app?"],
            fix: "Give the app a client secret."),
        Cause(
            "R11", script: "password-grant-without-id-token", reach: .rare,
            "The password grant brought no ID token, of which the library would make the account.",
            signs: [
                .strong("acquiretokenbyusernamepassword & account* | ropc & acquiretokensilent | ropc & id_token"),
                .fair("ropc & silent*"), .fair("{passwordGrant} & id_token"), .weak("{passwordGrant}"),
                .weak("acquiretokenbyusernamepassword"),
            ],
            checks: ["Does response_type of the request have both token and id_token, and scope openid?"],
            fix: "Ask for `token id_token` with openid, or keep the refresh token in the app."),
        Cause(
            "R12", script: "page-where-json-was-expected", reach: .common,
            "A text or page came where the library expected JSON: from a gateway, a guest network, or a wrong address.",
            signs: [
                .strong("expected begin_object but was"), .strong("json_parse_failure"),
                .strong("unexpected token < in json | unexpected character encountered while parsing value: <"),
                .fair("nscocoaerrordomain & 3840"), .weak("jsonexception"), .weak("doctype html"),
            ],
            checks: ["What did the token endpoint answer, in its own words and with which content type?"],
            fix: "Treat it as a passing failure: keep the account and try again."),
        Cause(
            "R13", script: "provider-says-no", reach: .occasional,
            "The identity provider answered with an error: the person refused or cancelled there, or the app there is misconfigured.",
            signs: [
                .strong("aadb2c90273"), .fair("an invalid response was received"), .weak("permissions error"),
                .weak("access_denied"), .weak("{responseError}"),
            ],
            checks: ["Which error of the provider is in the description?"],
            fix: "Treat access_denied in it as a cancel; else fix the app's registration at the provider."),
        Cause(
            "R14", script: "provider-refuses-the-secret", reach: .common,
            "B2C cannot redeem the provider's code: its secret there has expired or is wrong, or the provider is down.",
            signs: [
                .strong("aadb2c90289"), .fair("connecting to the identity provider"), .fair("apple & client secret"),
                .fair("invalid_client & apple | invalid_client & google | invalid_client & facebook"), .weak("apple"),
                .weak("{responseError}"),
            ],
            checks: ["When was the provider's secret made? Apple's last half a year.", "Does it fail for everybody?"],
            fix: "Put a new secret into the policy key, and one into the calendar."),
        Cause(
            "R15", script: "sign-out-does-not-come-back", reach: .occasional,
            "The sign-out request does not say where to come back to, or that place is not the app's, so the page stays.",
            signs: [
                .strong("end_session_failed"), .strong("endsession & -3 | end session & -3"),
                .strong("postlogoutredirecturl & not | post_logout_redirect_uri & does not redirect"),
                .fair("endsession* | end_session* | logout redirect*"),
                .weak("user cancelled the flow | user canceled"),
                .weak("logout"),
            ],
            checks: ["Is post_logout_redirect_uri in the request, registered, and handled by the app?"],
            fix: "Send a redirect URI of the app, and take a closed sign-out page for a finished one."),
        Cause(
            "R16", script: "token-of-somebody-else", reach: .occasional, libraries: [.msalJS],
            "The hidden frame found the session of somebody who has signed in since, and nobody compared who came back.",
            signs: [
                .strong("the answer is for another account than the one asked for"),
                .strong(
                    "wrong access token & user* | wrong accesstoken & user* | token of another user | token for another user"
                ),
                .fair("user 2 & token | different user & token | other user & token"), .weak("multiple users"),
                .weak("acquiretokensilent"),
            ],
            checks: ["Compare `oid` of the new token with the account that was asked for."],
            fix: "Send the account or login hint, compare the answer with it, and sign in again where they differ."),
        Cause(
            "R17", script: "new-person-gets-the-old-session", reach: .common,
            "The browser's session of the first person answers, and a login hint asks for no password.",
            signs: [
                .strong("previous user & credentials | previous user & skip* | new user & skips password"),
                .fair("different user & sign* | another user & login"), .weak("skips password | skip password"),
                .weak("login_hint | loginhint"),
            ],
            checks: ["Which prompt does the second call send, and did the sign-out end the browser's session?"],
            fix: "Send prompt=login when another person signs in, or sign out in the browser first."),
        Cause(
            "R18", script: "newer-call-ends-the-older", reach: .common, libraries: [.msalAndroid],
            "The app made a second interactive call while the first was open, and MSAL for Android ended the first.",
            signs: [
                .certain("sdk cancelled the auth flow"), .certain("auth_cancelled_by_sdk"),
                .fair("launched a new interactive"),
                .weak("don't keep activities"), .weak("onresume | oncreate"),
            ],
            checks: [
                "Which code asks for a token when an activity is made again behind the browser?",
                "Is \"Don't keep activities\" on in the developer options?",
            ],
            fix: "Ask once, outside of what runs when an activity is made again."),
        Cause(
            "R19", script: "call-answered-and-nothing-happens", reach: .rare, libraries: [.msalAndroid],
            "The page goes on by itself after the phone call, while the browser is in the background, and the redirect opens no app.",
            signs: [
                .strong("call me & redirect* | phone call & redirect*"), .fair("call me & mfa | call me & 2fa"),
                .weak("spinner"), .weak("oncancel"),
            ],
            checks: ["Does it work with a code by message, where the person taps?"],
            fix: "Offer a code by message, and a way to open the sign-in again: the session signs in at once."),
        Cause(
            "R20", script: "state-cookie-of-another-host", reach: .common, libraries: [.identityWeb],
            "Behind a proxy the app is known by two hosts: the cookie with the state belongs to the one, the answer goes to the other.",
            signs: [
                .strong("the cookie with the state did not come back"),
                .strong("front door & correlation | frontdoor & correlation | azurefd* & correlation"),
                .strong("proxy & correlation failed | x-forwarded-host"),
                .fair("front door & cookie* | frontdoor & cookie*"),
                .fair("correlation failed"), .weak("proxy"),
            ],
            checks: ["Which host has the redirect URI of the request, and which the cookie?"],
            fix: "Let the app take its host from X-Forwarded-Host, and register that host's redirect URI."),
        Cause(
            "R21", script: "hint-of-the-first-call-alone", reach: .occasional,
            "The later call leaves out domain_hint, so the page with all providers comes.",
            signs: [
                .strong("domain_hint & acquiretokenredirect | domain_hint & wrong"), .fair("domain_hint | domainhint"),
                .weak("extraqueryparameters"),
            ],
            checks: ["Does each authorize request have the hint?"],
            fix: "Send domain_hint with every interactive call, or keep it in the app's settings."),
        Cause(
            "R22", script: "page-without-tls", reach: .common, libraries: [.msalJS],
            "The page came over http, and browsers give crypto.subtle to https and localhost alone.",
            signs: [
                .strong("crypto_nonexistent"), .strong("pkce_not_created"),
                .strong("property 'digest' of undefined | randomuuid is not a function"), .weak("{httpRedirect}"),
                .weak("http://"),
            ],
            checks: ["Is the page's address https, or http://localhost?"],
            fix: "Serve the app over https; while developing use localhost, not the machine's address."),
        Cause(
            "R23", script: "popup-blocked", reach: .common, libraries: [.msalJS],
            "The browser let no window open: usually the call does not follow from the person's tap directly.",
            signs: [
                .strong("popup_window_error"), .certain("empty_window_error"), .fair("opening popup window"),
                .weak("safari"),
                .weak("loginpopup"),
            ],
            checks: ["What runs between the tap and loginPopup: a request, a promise, a timer?"],
            fix: "Call loginPopup in the tap's own handler, or use the redirect."),
        Cause(
            "R24", script: "page-restored-by-the-browser", reach: .rare, libraries: [.msalJS],
            "The browser has restored the sign-in page, or somebody opened a bookmark of it: the answer belongs to no request of the app.",
            signs: [
                .strong("session restore | restored tab* | restore the previous session"), .fair("bookmark*"),
                .weak("stuck"), .weak("{responseCode}"),
            ],
            checks: ["Was the app's page open before the sign-in page?"],
            fix: "Offer the sign-in whenever the app's page comes up without an account; the session answers at once."),
        Cause(
            "R25", script: "claims-missing-after-a-refresh", reach: .occasional,
            "The journey for refresh tokens has not the steps that bring the claim, or the web API is not called again.",
            signs: [
                .strong(
                    "missing claims & refresh* | claims & missing & refresh* | refresh token & custom user journey"),
                .strong("refreshtokenuserjourneyid & claim*"), .fair("redeemrefreshtoken"),
                .fair("refresh* & updated claims | refresh* & claims & not updated"),
                .weak("custom policy | custom policies"),
            ],
            checks: ["Which journey does Endpoint Token name, and does it have the step that brings the claim?"],
            fix: "Give the refresh journey every step whose claims the relying party lists."),
        Cause(
            "R26", script: "no-provider-fits", reach: .rare,
            "A step waits for a choice of identity provider that no step before it has offered.",
            signs: [
                .strong("aadb2c90051"), .fair("no suitable claims provider*"), .weak("claimsproviderselection*"),
                .weak("server_error"),
            ],
            checks: ["Was the selection step before it skipped by a precondition, or do the exchange ids differ?"],
            fix: "Give the exchange the precondition of its selection step, and the ids that the selection names."),
        Cause(
            "R27", script: "authenticator-set-up-again", reach: .occasional,
            "The registration of the authenticator app was not kept, so the next sign-in asks for another.",
            signs: [
                .strong("enrol* & totp | recurring & totp | set up & totp & again"), .fair("aadb2c90278"),
                .fair("totp & register*"), .weak("totp"), .weak("authenticator"),
            ],
            checks: ["Does the account have an authentication method in the directory after the first time?"],
            fix:
                "Let the step that registers the app run to its end before another one ends the journey; else ask support."
        ),
    ]
}
