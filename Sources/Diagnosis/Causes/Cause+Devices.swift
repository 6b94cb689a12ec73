extension Cause {
    /// Broker, keychain and system settings: B07, B119 to B123.
    static let devices: [Cause] = [
        Cause(
            "B07", script: "filter-missing-on-android", reach: .common, libraries: [.msalAndroid],
            "The redirect filter of the Android manifest does not fit the redirect URI: the signature hash is encoded in the one and raw in the other, or of another key.",
            signs: [
                .strong("intent filter & browsertabactivity | intent-filter & browsertabactivity"),
                .strong("browsertabactivity & missing"),
                .fair("browsertabactivity"), .fair("signature hash | signaturehash"),
                .fair("redirect_uri & msauth: & manifest"), .weak("androidmanifest.xml"),
                .weak("msauth://"),
            ],
            checks: [
                "Is the hash raw in android:path (with a slash before it) and percent-encoded in redirect_uri of the configuration?",
                "Is it the hash of the key that signed this build: debug, release, or the store's?",
            ],
            fix: "Write the hash of this build's key: raw in the manifest, encoded in the redirect URI."),
        Cause(
            "B119", script: "keychain-group-missing", reach: .veryCommon, libraries: [.msalIOS, .msalNET],
            "The keychain group is not in the entitlements of this build, so accounts are neither saved nor read.",
            signs: [
                .strong("-34018"), .strong("keychain & entitlement*"), .fair("com.microsoft.adalcache"),
                .fair("keychain-access-groups"),
                .fair("secitemadd | secitemcopymatching | errsecmissingentitlement"), .weak("keychain"),
                .weak("nsosstatuserrordomain"),
            ],
            checks: [
                "Does the entitlements file of this very configuration list $(AppIdentifierPrefix)com.microsoft.adalcache, or the group that the app sets?"
            ],
            fix: "Add the keychain group to the entitlements of every configuration."),
        Cause(
            "B121", script: "broker-for-b2c", reach: .common,
            "The authenticator app is used or asked for, and B2C works with no broker.",
            signs: [
                .strong("cannot_invoke_broker"), .strong("withbroker & b2c*"), .fair("withbroker"),
                .fair("broker & redirect uri | broker & redirect_uri"),
                .fair("broker_redirect_uri_registered"), .fair("android_broker*"), .weak("authenticator"),
                .weak("broker"), .weak("company portal"),
            ],
            checks: ["Is a broker turned on in the client's configuration?"],
            fix: "Turn the broker off for B2C authorities; the browser is used."),
        Cause(
            "B122", script: "provider-refuses-embedded-view", reach: .common,
            "The identity provider shows no sign-in inside an app's own web view.",
            signs: [
                .certain("disallowed_useragent"), .fair("403 & google"),
                .fair("embedded web view | embedded webview | wkwebview & google"),
                .weak("google"), .weak("webview"), .weak("authorization_user_agent"),
            ],
            checks: ["Which view opens the page, and is a browser installed that supports custom tabs?"],
            fix: "Use the system browser."),
        Cause(
            "B123", script: "https-redirect-in-a-system-session", reach: .rare, libraries: [.msalIOS, .msalNET],
            "The session of the system ends on a scheme of the app alone, and the redirect URI is an https address.",
            signs: [
                .strong(
                    "oauth2/nativeclient & aswebauthenticationsession | oauth2/nativeclient & apple | {httpsRedirectOfApp} & apple"
                ), .fair("oauth2/nativeclient"),
                .fair("sign in with apple | signinwithapple | appleid.apple.com"), .weak("aswebauthenticationsession"),
                .weak("{httpsRedirectOfApp}"),
            ],
            checks: ["Is the redirect URI of the app's own scheme?"],
            fix: "Use msauth.{bundle id}://auth with the system's session."),
    ]

    /// Custom policies, second factor and languages: B124 to B137.
    static let policies: [Cause] = [
        Cause(
            "B124", script: "message-of-the-web-api-not-shown", reach: .common,
            "The web API's answer has not the form that B2C shows: status 4xx and a body with version, status 409 and userMessage.",
            signs: [
                .fair("usermessage"), .fair("aadb2c90075"), .fair("{restConflict} | {restBadInput}"),
                .excluded(by: "{restNotFound} | {restRefused} | {restFailed} | {restTooSlow} | {restName} | {restTLS}"),
                .fair("unable to validate the information provided"), .weak("409"),
                .weak("rest"),
                .weak("aadb2c90261"),
            ],
            checks: ["What status and body does the web API answer, as B2C gets it?"],
            fix: "Answer 409 with {\"version\":\"1.0.0\",\"status\":409,\"userMessage\":\"...\"}."),
        Cause(
            "B126", script: "refresh-journey-without-a-claim", reach: .occasional,
            "The refresh journey does not bring a claim that the issuer needs, or the extensions app is gone: an internal error without detail.",
            signs: [
                .strong("aadb2c90085"), .fair("service has encountered an internal error. please reauthenticate"),
                .weak("invalid_grant"),
                .weak("refresh*"), .weak("b2c_1a_*"), .fair("b2c-extensions-app"),
            ],
            checks: [
                "Does the failure come when a code is redeemed (extensions app, token issuer) or when a token is refreshed (refresh journey)?",
                "Does b2c-extensions-app still exist in the tenant?",
            ],
            fix: "Complete the refresh journey with every claim that the issuer reads; restore b2c-extensions-app."),
        Cause(
            "B127", script: "invitation-too-late", reach: .common,
            "The id_token_hint, such as that of an invitation, has expired, or its audience is not accepted.",
            signs: [
                .certain("aadb2c90208"), .certain("aadb2c90209"), .fair("id_token_hint & expired"),
                .weak("{hintInRequest}"),
                .weak("invit*"),
                .weak("magic"),
            ],
            checks: ["When does the hint's `exp` come, and what is its `aud`?"],
            fix: "Send a new link, and let the app say kindly that the old one has expired."),
        Cause(
            "B128", script: "subject-missing-for-local-accounts", reach: .occasional,
            "The token's subject is mapped from a claim that only some accounts have.",
            signs: [
                .strong("subject claim | subject naming | subjectnaminginfo"),
                .strong("claim type 'sub' & missing | 'sub' & not found | sub claim & missing"),
                .weak("server_error"), .weak("b2c_1a_*"), .weak("local account*"),
            ],
            checks: ["Which claim does the relying party map to `sub`, and do local accounts have it?"],
            fix: "Map `sub` from objectId, which every account has."),
        Cause(
            "B129", script: "provider-withholds-the-address", reach: .occasional,
            "A step looks the account up by an address that the identity provider did not send.",
            signs: [
                .strong(
                    "aadb2c90037 & facebook | aadb2c90037 & apple | aadb2c90037 & google | aadb2c90037 & linkedin | aadb2c90037 & email"
                ), .fair("aadb2c90037"),
                .weak("object reference not set"), .weak("server_error"), .weak("socialemail | social email"),
                .weak("{responseError}"),
            ],
            checks: ["Does it happen to people whose provider gives no e-mail address?"],
            fix: "Guard the step with a precondition on the claim."),
        Cause(
            "B130", script: "template-not-readable", reach: .common,
            "The page's template cannot be read: no CORS for the login host in use, or the file is not there.",
            signs: [
                .strong("{corsFromLoginHost}"), .strong("aadb2c90047"), .strong("aadb2c90002"), .strong("aadb2c90065"),
                .fair("contains script errors"),
                .fair("cors & blob.core.windows.net"),
                .weak("template"), .weak("server_error"),
            ],
            checks: [
                "Does the template's server send Access-Control-Allow-Origin for the login host in use, letter by letter?",
                "Does the template open at its address?",
            ],
            fix: "Allow every login host in the template server's CORS rules, and https only."),
        Cause(
            "B131", script: "one-person-two-accounts", reach: .common,
            "Local and social accounts with one address are two accounts; or an account is linked twice.",
            signs: [
                .strong("aadb2c99001 & link* | aadb2c99001 & social | aadb2c99001 & facebook | aadb2c99001 & google"),
                .strong("aadb2c99001"),
                .fair("two users & email | duplicate & account* | same email"), .weak("already exists"),
                .weak("social"),
            ],
            checks: ["Compare the object ids: are there two for one address?"],
            fix: "Key people by object id; link accounts on purpose, with a verified address."),
        Cause(
            "B132", script: "account-written-twice", reach: .occasional,
            "The profile that writes the account runs twice in one submission, and the second finds the first's account.",
            signs: [
                .fair("aadb2c90001"), .fair("aadb2c99001"),
                .strong(
                    "already exists & just created | already exists & sign up | already exists & signup | already exists & sign-up"
                ),
                .fair(
                    "user with the specified id already exists | user with the specified credential already exists | user already exists"
                ), .weak("already exists"),
                .weak("verification"),
            ],
            checks: [
                "Is the account there after the failure, and is the write profile listed as validation and as a step?"
            ],
            fix: "Write the account once; the person can sign in."),
        Cause(
            "B134", script: "second-factor-in-a-hidden-frame", reach: .occasional, libraries: [.msalJS],
            "The hidden frame comes to the page of the second factor, which may not be framed.",
            signs: [
                .fair("does not show the answer: frame"),
                .strong(
                    "mfa & monitor_window_timeout | totp & monitor_window_timeout | mfa & iframe | mfa & token renewal operation | totp & silent"
                ), .fair("mfa & acquiretokensilent"),
                .weak("mfa | multi-factor | totp | two-factor"), .weak("monitor_window_timeout"),
                .weak("token renewal operation failed due to timeout"),
            ],
            checks: ["Does the session remember the second factor?"],
            fix: "Keep the second factor in the session, or use a refresh token, which needs none."),
        Cause(
            "B135", script: "too-many-wrong-codes", reach: .occasional,
            "All attempts at a code or page are used up.",
            signs: [
                .certain("aadb2c90157"), .certain("aadb2c90151"),
                .fair("maximum number of retries | user has exceeded"),
                .weak("verification code"), .weak("otp"),
            ],
            checks: ["How many tries does the policy allow?"],
            fix: "Say so in the app and let the person start again; do not retry by yourself."),
        Cause(
            "B136", script: "second-message-too-soon", reach: .rare,
            "A second text message within half a minute is refused, and people think that no code came.",
            signs: [
                .strong("throttl* & sms | throttled & code | throttl* & phone"), .strong("aadb2c90229"),
                .fair("30 seconds & code | 30 seconds & sms"), .fair("sms | text message"),
                .weak("resend | send new code"), .weak("throttl*"),
            ],
            checks: ["How long after the first message was the second asked for?"],
            fix: "Let the page wait before it offers another message."),
        Cause(
            "B137", script: "wrong-name-of-the-language-parameter", reach: .common,
            "The language is sent under another name than ui_locales, or languages are not turned on in the policy.",
            signs: [
                .strong("{languageParameter}"), .fair("ui_locales & !{promptNone} & language | ui_locales & ignored"),
                .fair(
                    "language & extraqueryparameters | mkt & extraqueryparameters | lang & extraqueryparameters | locale & extraqueryparameters"
                ),
                .fair("language customi* | localization | localisation"), .weak("language"), .weak("locale"),
            ],
            checks: ["Is ui_locales in the authorize request, and language customisation on in the policy?"],
            fix: "Send ui_locales, and turn languages on."),
    ]

    /// Calls at the same time: B139 to B145.
    static let races: [Cause] = [
        Cause(
            "B139", script: "two-interactive-calls", reach: .veryCommon, libraries: [.msalIOS],
            "A second interactive call starts while the first is open, or the first was dismissed without being ended.",
            signs: [
                .certain("-42402"), .strong("only one interactive session"), .fair("interactivesessionalreadyrunning"),
                .weak("-50000"),
                .weak("swip* | dismiss*"), .weak("viewdidappear"),
            ],
            checks: ["Which code starts the call, and can it run twice: when a view appears, or at a double tap?"],
            fix: "Start one call at a time; end the first when its window is dismissed."),
        Cause(
            "B140", script: "each-call-refreshes", reach: .veryCommon,
            "Equal silent calls made at once each refresh, and with rotating refresh tokens all but one are refused.",
            signs: [
                .strong(
                    "parallel & token | concurrent & token | simultaneous* & token | multiple calls & acquiretokensilent | multiple requests & acquiretokensilent"
                ),
                .fair("parallel & acquiretokensilent | concurrent & acquiretokensilent"),
                .fair("multiple & refresh token requests | many & token requests"),
                .weak("acquiretokensilent"), .weak("promise.all"), .weak("interceptor"),
            ],
            checks: ["Count the token requests right after an expiry."],
            fix: "Let equal calls share one request."),
        Cause(
            "B141", script: "two-scopes-at-once", reach: .occasional, libraries: [.msalJS],
            "Two silent calls with different scopes overwrite each other's callback, and one of them gets no token.",
            signs: [
                .strong("two & acquiretokensilent & scopes | different scopes & acquiretokensilent"),
                .fair("different scopes"), .weak("acquiretokensilent"),
                .weak("never resolve* | undefined"), .weak("concurrent | parallel | simultaneous*"),
            ],
            checks: ["Do the two calls run at the same time?"],
            fix: "Make them one after another, or use a library that distinguishes them by state."),
        Cause(
            "B143", script: "two-tabs-renew-at-once", reach: .occasional, libraries: [.msalJS],
            "Two tabs keep the state of their request under one name and overwrite each other's.",
            signs: [
                .fair("state_mismatch"),
                .strong("state & tabs | nonce & tabs | nonce_mismatch & localstorage | state_mismatch & tab*"),
                .fair("nonce_mismatch | nonce mismatch"), .fair("invalid_state & localstorage"),
                .fair("invalid_state_error | invalid_state | invalid_state.state | state mismatch"), .weak("tabs"),
                .weak("localstorage"),
            ],
            checks: ["Is the app open in several tabs, with local storage?"],
            fix: "Keep what belongs to a request under its state; session storage keeps tabs apart."),
        Cause(
            "B144", script: "interaction-in-progress-for-ever", reach: .veryCommon, libraries: [.msalJS],
            "The mark of a running call is still set: the page was left with Back, or the tab closed, or handleRedirectPromise was not awaited.",
            signs: [
                .strong("interaction_in_progress"), .fair("interaction is currently in progress"),
                .strong("login_progress_error | acquiretoken_progress_error"),
                .weak("loginredirect"),
                .weak("handleredirectpromise"),
                .weak("back button | browser back"), .weak("acquiretokenredirect"),
            ],
            checks: [
                "Is handleRedirectPromise awaited on every page before anything else?",
                "Is there an entry interaction.status in session storage when no call runs?",
            ],
            fix: "Await handleRedirectPromise first at every start; start no second call while one runs."),
        Cause(
            "B145", script: "provider-in-a-new-tab", reach: .rare, libraries: [.msalJS],
            "The answer opens in another tab, whose session storage does not have the request.",
            signs: [
                .strong("no_token_request_cache_error"), .strong("new tab & {responseCode} | new tab & safari"),
                .fair("unable_to_parse_token_request_cache_error"),
                .fair("no_cached_authority_error | state_not_found"), .fair("new tab"), .weak("safari"),
                .weak("sessionstorage"), .weak("empty page"),
            ],
            checks: ["Does the sign-in begin and end in the same tab, at the same origin?"],
            fix:
                "Store the request where all tabs see it (cookie or local storage), and start again where it is missing."
        ),
    ]

    /// Security: B146 to B156.
    static let security: [Cause] = [
        Cause(
            "B146", script: "state-cookie-stays-away", reach: .common, libraries: [.passport, .nextAuth, .identityWeb],
            "The cookie with the state does not come along with the answer, which is a form post from another site.",
            signs: [
                .strong(
                    "invalid state received | state cookie was missing | correlation failed | state cookie & missing"),
                .fair("idx21323"), .fair("collectinfofromreq & state"),
                .fair("samesite"), .weak("form_post & state"),
                .fair("form_post & state & cookie* | form_post & invalid state* | form_post & state mismatch"),
                .fair("state mismatch & @passport | state mismatch & @next-auth"),
                .fair("unable to unprotect the message.state"),
                .weak("cookie"), .weak("invalid state"),
            ],
            checks: ["Which SameSite has the cookie, and is the answer a POST? Is the app on https?"],
            fix: "SameSite=None and Secure for that cookie, on https; an altered state is still refused."),
        Cause(
            "B147", script: "state-lost-on-the-way", reach: .occasional,
            "The callback has no state, or another one than was sent.",
            signs: [
                .strong("state_mismatch"), .strong("-42501"),
                .fair("returned state & does not match | state & mismatch | state from authorize returned"),
                .fair("state mismatch | state_mismatch"), .weak("{responseWithoutState}"), .weak("webview"),
                .weak("invalid_state"),
            ],
            checks: ["Compare the state of the authorize request with that of the callback, as the library gets it."],
            fix: "Find what rewrites the callback; the library is right not to redeem the code."),
        Cause(
            "B148", script: "state-with-special-characters", reach: .rare,
            "What the app put into the state comes back altered: special characters were cut or decoded.",
            signs: [
                .strong("semicolon & state | state & truncated | state & encoded & special"),
                .fair("state & semicolons"),
                .fair("userstate | user state"), .weak("state & decoded"),
            ],
            checks: ["Send the state with and without ';' and compare."],
            fix: "The service echoes it whole today; else put base64url of it into the state."),
        Cause(
            "B149", script: "link-straight-to-the-service", reach: .common, libraries: [.msalJS],
            "A link opens the policy directly, so the app gets an answer that it did not ask for.",
            signs: [
                .strong("invit* & state | link & hash does not contain state | invite link"),
                .strong("state_not_found"),
                .fair("unsolicited"), .fair("unable_to_parse_state | invalid_state & link"),
                .fair("without opening the app"), .weak("{hintInRequest}"), .weak("{responseWithoutState}"),
                .weak("no_state_in_hash"),
            ],
            checks: ["Was the page opened by a link in a message instead of by the app?"],
            fix: "Let the link lead to the app, which starts the flow with the hint."),
        Cause(
            "B150", script: "callback-played-again", reach: .common,
            "The callback was visited again by Back or reload; its code is redeemed and its request is gone.",
            signs: [
                .strong("code has already been redeemed | already redeemed | already been redeemed"),
                .strong("aadsts54005"), .fair("pkce code_verifier cookie was missing | pkce & cookie & missing"),
                .fair("back button & callback | browser back & callback"),
                .fair("nonce mismatch & back button | state mismatch & back button"),
                .weak("reload | refresh the page"),
                .weak("state & missing"), .weak("oauth_callback_error"),
            ],
            checks: ["Was the callback's address visited twice?"],
            fix: "Take the answer out of the address after use; a refused replay must not sign anybody out."),
        Cause(
            "B151", script: "verifier-stays-in-the-front-end", reach: .occasional,
            "The code_verifier does not belong to the code_challenge of the request, or is malformed.",
            signs: [
                .certain("aadb2c90183"), .certain("aadb2c90182"), .fair("code_verifier & invalid"),
                .weak("code_verifier"),
                .weak("back end | backend"),
            ],
            checks: ["Who made the challenge, who redeems the code, and do they share the verifier?"],
            fix: "Hand the verifier to the component that redeems the code."),
        Cause(
            "B152", script: "no-challenge-from-a-single-page-app", reach: .occasional,
            "A single-page redirect URI is used without code_challenge, or with a method that does not exist.",
            signs: [
                .certain("aadb2c99059"), .strong("aadb2c90184"), .fair("must send a code_challenge"),
                .weak("{noChallenge}"),
                .weak("code_challenge"),
            ],
            checks: ["Is code_challenge in the authorize request, with code_challenge_method=S256?"],
            fix: "Send code_challenge with S256; keep no old links without it."),
        Cause(
            "B154", script: "forged-metadata", reach: .rare,
            "The metadata names endpoints or an issuer of somebody else, and the client uses them.",
            signs: [
                .fair("the metadata's issuer & is not the authority's"),
                .strong("{foreignEndpoint}"), .fair("issuer & endpoint & mismatch"),
                .fair("discovery & issuer & attacker | forged | poisoned"), .weak("issuer"),
            ],
            checks: ["Are all endpoints of the metadata at the host of the authority?"],
            fix: "Compare issuer and hosts of the metadata with the authority before anything is sent."),
        Cause(
            "B155", script: "sign-out-redirects-anywhere", reach: .occasional,
            "The sign-out returns to any address, since the policy does not ask for the ID token.",
            signs: [
                .strong("{httpLogoutTarget}"),
                .strong("post_logout_redirect_uri & not registered | post_logout_redirect_uri & any | open redirect"),
                .fair("post_logout_redirect_uri"),
                .weak("{logoutWithoutHint}"),
            ],
            checks: ["Is 'Require ID token in logout requests' on?"],
            fix: "Turn it on; then the address must be registered."),
        Cause(
            "B156", script: "api-checks-turned-off", reach: .common,
            "Checks of issuer, audience, policy or key are turned off, so tokens of others pass.",
            signs: [
                .strong(
                    "validateissuer: false | validateissuer = false | validateissuer=false | validateissuer\":false | validateissuer\": false"
                ),
                .strong("validateaudience = false | validateaudience=false | validateaudience: false"),
                .strong("{unsigned}"), .fair("validateissuersigningkey = false | validateissuersigningkey=false"),
                .weak("validateissuer"), .against("the audience '* | armtoken | idx10205 | idx10214 | idx10231"),
            ],
            checks: [
                "Send tokens of another app, policy and tenant, without signature and with another key: each must give 401."
            ],
            fix: "Turn all checks on, with the metadata of the policy."),
    ]
}
