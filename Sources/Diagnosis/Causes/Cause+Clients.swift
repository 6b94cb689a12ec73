extension Cause {
    /// Single-page apps: MSAL.js and its wrappers, Blazor.
    static let browsers: [Cause] = [
        .known(
            "library-not-initialized", libraries: [.msalJS],
            "A call was made before initialize() of the library had finished.",
            signs: [.certain("uninitialized_public_client_application")],
            check: "Is initialize() awaited before the first call?",
            fix: "Await initialize() once at the start, before handleRedirectPromise and every other call."),
        .known(
            "provider-component-missing", libraries: [.msalJS],
            "A hook or component of the library is used outside of its provider component.",
            signs: [.certain("stubbed_public_client_application_called"), .fair("msalprovider")],
            check: "Is the component inside MsalProvider?", fix: "Wrap the app in MsalProvider with one instance."),
        .known(
            "no-account-in-the-silent-call", libraries: [.msalJS],
            "The silent call got no account and none is active: nobody has signed in, or the account was never set.",
            signs: [.certain("no_account_error"), .certain("no_account_in_silent_request")],
            check: "What does getAllAccounts() return at that moment?",
            fix: "After sign-in set the active account, or pass it; without one make an interactive call."),
        .known(
            "redirect-inside-a-frame", libraries: [.msalJS],
            "A redirect or an interactive call was made inside a frame: usually the app itself was loaded in the library's hidden frame.",
            signs: [.certain("redirect_in_iframe"), .certain("block_iframe_reload"), .certain("block_nested_popups")],
            check: "Which page is at redirectUri? Does it start the app and its guard?",
            fix: "Use a blank page as redirectUri for silent calls and windows, or do not start sign-ins inside frames."
        ),
        .known(
            "window-closed-by-the-person", libraries: [.msalJS, .msalNET],
            "The sign-in window was closed, or lost, before an answer came.",
            signs: [
                .strong("user_cancelled & @msal-js"), .strong("user cancelled the flow"),
                .strong("authentication_canceled"), .weak("loginpopup | acquiretokenpopup"),
            ],
            check: "Did the person close it, or does the page at redirectUri close or replace it?",
            fix:
                "Treat it as a cancel; if nobody closed it, use a blank page as redirectUri and check Cross-Origin-Opener-Policy."
        ),
        .known(
            "refresh-token-ended", libraries: [.msalJS],
            "The library knows that the refresh token has ended: 24 hours after the sign-in in a single-page app.",
            signs: [.certain("refresh_token_expired")],
            check: "Does it come a day after the sign-in?", fix: "Make an interactive call."),
        .known(
            "another-person-signed-in", libraries: [.msalNET, .msalAndroid, .msalIOS],
            "The account that came back is not the one that the call was for: usually the account of one policy, such as sign-in, was passed to a call for another policy (account ids carry the policy), else another person signed in.",
            signs: [
                .strong("user_mismatch | current_account_mismatch | account_mismatch"), .strong("-42101"),
                .strong("different account was returned"), .fair("mismatcheduser | -51117 | usermismatchexception"),
                .fair("returned user identifier does not match the sent user identifier*"),
            ],
            check:
                "Which account was passed and of which policy is it (home account id, tfp), which policy does the call ask, and who signed in on the page?",
            fix:
                "Pass the account only to calls for its own policy, and none to edit and reset policies; ask the person to sign in with the same account."
        ),
        .known(
            "no-session-for-the-prompt", libraries: [.msalNET],
            "Silent sign-in in a window was asked for and the service needs the person.",
            signs: [.certain("no_prompt_failed")], check: "Is Prompt.NoPrompt set?", fix: "Ask with another prompt."),
        .known(
            "hidden-frame-without-an-answer", libraries: [.msalJS],
            "The hidden frame came to no answer in time: the page there asks for input, refuses framing, or the app at redirectUri takes the answer away.",
            signs: [
                .fair("monitor_window_timeout"), .fair("monitor_popup_timeout"), .weak("x-frame-options"),
                .weak("acquiretokensilent | ssosilent"), .fair("token renewal operation failed due to timeout"),
            ],
            check:
                "Open the frame's address in a tab: does it ask for something or show an error? What runs at redirectUri?",
            fix: "Use a blank redirectUri page; on this error fall back to an interactive call."),
        .known(
            "session-needed-for-the-silent-call", libraries: [.msalJS],
            "There is no session that the silent call could use, so the person has to sign in.",
            signs: [
                .fair("interaction_required | interactionrequiredautherror"), .fair("login_required"),
                .certain("aadb2c90077"), .weak("acquiretokensilent | ssosilent"),
            ],
            check:
                "Does it come after the session or refresh token has ended? As long as the interactive call works it is by design.",
            fix: "Catch InteractionRequiredAuthError and make an interactive call."),
        .known(
            "known-authorities-missing", libraries: [.msalJS],
            "The library asks the instance discovery about a B2C host: the authority is not declared as known, or its validation is not turned off.",
            signs: [
                .strong("{instanceDiscovery} & b2clogin.com"), .certain("unsupportedauthorityvalidation"),
                .fair("discovery/instance"), .weak("400 (bad request)"),
            ],
            check: "Does knownAuthorities hold the host of the authority (MSAL 1.x: is validateAuthority false)?",
            fix: "knownAuthorities: [\"{tenant}.b2clogin.com\"]; in old versions validateAuthority: false."),
        .known(
            "authority-not-a-valid-address", libraries: [.msalJS],
            "The authority is empty, not https, or not an address: often a setting that is not defined in the deployed build.",
            signs: [
                .certain("url_parse_error"), .certain("empty_url_error | url_empty_error"),
                .certain("authority_uri_insecure"),
                .fair(
                    "cannot read property 'tolowercase' of undefined | cannot read properties of undefined (reading 'tolowercase')"
                ),
                .fair("invalid url & authority"), .fair("authority_mismatch"),
            ],
            check: "What value does authority have at run time, in the deployed build?",
            fix:
                "Set authority and the other settings in the deployed configuration; keep them from being trimmed or left out of the build."
        ),
        .known(
            "authority-of-the-account-differs", libraries: [.msalJS],
            "The authority of the call is not that of the account, as when an account of one policy is used with another.",
            signs: [.certain("authority_mismatch")],
            check: "Which policy does the account have, and which authority the call?",
            fix: "Pass the account of the policy that is asked."),
        .known(
            "router-takes-the-answer", libraries: [.msalJS, .oidcJS],
            "The app's router reads the fragment with the answer as a route, or clears it, before the library sees it.",
            signs: [
                .strong("cannot match any routes. url segment: 'code* | cannot match any routes. url segment: 'state*"),
                .strong("cannot match any routes. url segment: 'id_token* | cannot match any routes & 'error=*"),
                .strong(
                    "no match found for location with path \"/code* | no match found for location with path \"/state*"),
                .strong("did not detect a response hash as a result of a redirect & {responseCode}"),
                .strong("no routes matched location \"/code* | no routes matched location \"/state*"),
                .weak("usehash: true"),
            ],
            check: "Does the router use hash routes, and what runs before handleRedirectPromise ends?",
            fix:
                "Let the library handle the redirect before the router starts (bootstrap MsalRedirectComponent, initialNavigation off in frames), or use routes without the hash."
        ),
        .known(
            "no-window-on-the-server", libraries: [.msalJS],
            "Code for the browser runs on a server or in a build step.",
            signs: [
                .strong("window is not defined"), .strong("document is not defined"),
                .certain("non_browser_environment"),
                .fair("sessionstorage is not defined | localstorage is not defined"), .fair("crypto is not defined"),
            ],
            check: "Does server-side rendering run the code that creates the client?",
            fix: "Create the client in the browser only."),
        .known(
            "answer-in-the-wrong-window", libraries: [.msalJS],
            "The answer of one kind of call reached code for another kind, or belongs to none.",
            signs: [
                .certain("state_interaction_type_mismatch"), .certain("interaction_type_mismatch"),
                .strong("unable_to_parse_state"), .strong("no_cached_authority_error"),
                .strong("unable_to_parse_token_request_cache_error"),
            ],
            check:
                "Does the page at redirectUri call handleRedirectPromise in windows and frames too? Was session storage cleared?",
            fix: "Use a blank page for windows; clear the cache entries of interrupted calls."),
        .known(
            "network-request-of-the-library-failed", libraries: [.msalJS, .msalNode],
            "The library's request failed: no network, a blocked address, CORS, or an HTTP error that the message names.",
            signs: [
                .strong("network_error"), .strong("post_request_failed"), .strong("get_request_failed"),
                .fair("no_network_connectivity"), .fair("failed to fetch"), .fair("network request failed"),
                .anotherFetch,
            ],
            check: "Look at that request in the browser's network view or with curl: status, and CORS header?",
            fix:
                "Read the address in the message: correct it if it is /common or lacks the policy; allow it in proxy and content blockers; register the redirect URI as single-page."
        ),
        .known(
            "token-answer-not-parsed", libraries: [.msalJS],
            "The answer or a token in it cannot be parsed.",
            signs: [
                .strong("token_parsing_error | failed_to_parse_response | null_or_empty_token"),
                .fair("client_info_decoding_error"),
            ],
            check: "What did the token endpoint return?", fix: "Look at the raw answer; a proxy may have changed it."),
        .known(
            "password-policy-metadata-incomplete", libraries: [.msalNode, .msalJS],
            "The metadata of a policy for the password grant has no end_session_endpoint, which versions of msal-common require, so the library refuses a document that is in order.",
            signs: [
                .strong("openid_config_error & {passwordPolicy} | endpoints_resolution_error & {passwordPolicy}"),
                .strong(
                    "openid_config_error & acquiretokenbyusernamepassword | endpoints_resolution_error & acquiretokenbyusernamepassword"
                ),
                .fair("end_session_endpoint & metadata & missing | end_session_endpoint & ropc"),
            ],
            check:
                "Does the openid-configuration of that policy open, without end_session_endpoint, and does the call work with an interactive policy's authority?",
            fix:
                "Use a version of the library that does not require end_session_endpoint, give it the metadata as authorityMetadata with that member added, or post the password grant to the token endpoint directly."
        ),
        .known(
            "metadata-of-the-authority-not-found", libraries: [.msalJS, .msalNode],
            "The library cannot get usable metadata for the authority: wrong tenant or policy, a network that blocks it, or a policy that fails.",
            signs: [
                .strong("openid_config_error & attempted to retrieve endpoints from*"),
                .fair("endpoints_resolution_error"), .fair("openid_config_error"), .fair("openid-configuration & 404"),
                .fair("{corsAtMetadata}"), .weak("could not resolve endpoints"), .weak("proxy"), .metadataAnswers,
                .excluded(by: "{passwordPolicy}"),
            ],
            check: "Open {authority}/v2.0/.well-known/openid-configuration in a browser on the same network.",
            fix: "Correct host, tenant and policy in the authority; let the network and proxy allow the host."),
        .known(
            "assembly-trimmed",
            "The published app lacks types that the authentication library reads by reflection, or its settings file.",
            signs: [
                .fair("there was an error trying to log you in & tolowercase"),
                .fair("there was an error trying to log you in & undefined"), .fair("blazor & tolowercase"),
                .weak("webassembly | blazor"),
            ],
            check: "Does it happen only after publishing? Is appsettings.json served by the host?",
            fix:
                "Publish appsettings.json, update the packages, and keep Microsoft.Authentication.WebAssembly.Msal from being trimmed."
        ),
    ]

    /// Apps on devices and desktops: MSAL for iOS, Android and .NET, AppAuth.
    static let apps: [Cause] = [
        .known(
            "internal-code-missing", libraries: [.msalIOS],
            "The number -50000 is a catch-all: what happened is in the error's userInfo, which is not in this text.",
            signs: [
                .fair("-50000 & !msalinternalerrorcodekey & !msalerrordescriptionkey & !internalcode & !aadb2c9*"),
                .fair("msalerrordomain error -50000"),
            ],
            check: "Print the whole error: MSALInternalErrorCodeKey, MSALErrorDescriptionKey, and the log in verbose.",
            fix: "Explain the text with the userInfo; MSALErrorDescriptionKey holds the AADB2C code."),
        .known(
            "no-token-to-refresh", libraries: [.msalIOS],
            "The silent call found no usable refresh token or was refused, so the person has to sign in.",
            signs: [.fair("-50002"), .weak("user interaction is required"), .weak("acquiretokensilent")],
            check: "Which AADB2C code does MSALErrorDescriptionKey have?",
            fix: "Make an interactive call; if it comes too often, look at the code."),
        .known(
            "transport-security-blocks-http", libraries: [.msalIOS],
            "The system blocks http addresses of the app.",
            signs: [.certain("app transport security"), .strong("-1022")],
            check: "Which address is http?", fix: "Use https, or an exception for your own machine while developing."),
        .known(
            "closed-or-cancelled-by-the-system",
            "The sign-in session was cancelled: the person closed it, or the system or app ended it.",
            signs: [
                .strong("webauthenticationsession error 1"), .certain("canceledlogin"),
                .strong("user cancelled the authorization session | user canceled the authorization session"),
                .strong("-51700 | -51701"),
                .strong("org.openid.appauth.general error -3 | org.openid.appauth.general code=-3"),
                .strong("user cancelled flow"), .fair("nsurlerrordomain & -999"),
                .fair("user_cancelled_authorization_flow | user cancelled flow | user canceled authorization"),
                .fair("org.openid.appauth.general & -3"),
            ],
            check:
                "Did the person close the window: because of an error page there, or because it did not return to the app?",
            fix:
                "Treat it as a cancel. If the page showed an error or did not come back, look at the address in the browser."
        ),
        .known(
            "no-window-for-the-session", libraries: [.msalIOS],
            "The system's session got no window to show itself on.",
            signs: [.certain("webauthenticationsession error 2 | presentationcontextnotprovided")],
            check: "Which view controller is passed, and is it in a window?",
            fix: "Pass a view controller that is on screen."),
        .known(
            "appauth-metadata-not-usable", libraries: [.appAuth],
            "AppAuth could not use the discovery document: a wrong address, a page in its place, or no network.",
            signs: [
                .certain("org.openid.appauth.general error -2 | org.openid.appauth.general code=-2"),
                .strong("invalid discovery document | discovery_failed"), .fair("org.openid.appauth.general & -5"),
            ],
            check: "Open the discovery address in a browser: does it have the policy in its path?",
            fix: "Use .../{tenant}.onmicrosoft.com/{policy}/v2.0/.well-known/openid-configuration."),
        .known(
            "appauth-token-exchange-refused", libraries: [.appAuth],
            "The token endpoint refused the exchange; the answer's AADB2C code says why.",
            signs: [
                .strong("org.openid.appauth.oauth_token"),
                .strong("token_failed | token_exchange_failed | authorize_and_exchange_code_failed"),
                .fair("failed to exchange code | exchange the authorization code"),
                .excluded(by: "user cancelled flow"),
            ],
            check: "What do error and error_description of the answer say?",
            fix:
                "Correct what the AADB2C code names: often the platform of the redirect URI, a secret, or the policy of the token endpoint."
        ),
        .known(
            "redirect-does-not-return-to-the-app", libraries: [.appAuth, .msalNET, .msalAndroid],
            "The browser does not come back to the app, or the app does not recognise the address: scheme, host, slash or letter case differ.",
            signs: [
                .fair("err_unknown_url_scheme"), .strong("not allowed to launch & user gesture is required"),
                .fair("no interactive call in progress | is no interactive call in progress"),  // english: quoted
                .fair("user cancelled the auth session | user canceled the auth session"), .weak("ios | msauth"),
                .fair("appauthredirectscheme"), .fair("redirect & trailing slash"), .weak("redirecturl | redirect url"),
                .fair("null intent received"), .fair("scheme does not have a registered handler"),
            ],
            check:
                "Compare the address that the browser opens with the registered scheme and the redirect URI in the code, slash included.",
            fix: "Use one redirect URI, character by character, in registration, code and manifest or Info.plist."),
        .known(
            "nothing-listens-at-the-redirect-uri",
            "The answer is sent to an address at which nothing listens: localhost on a device, another port, or a server that is not running.",
            signs: [
                .strong("err_connection_refused & localhost"), .fair("err_connection_refused"),
                .fair("connection refused & #code= | connection refused & ?code="),
                .fair("webview:didfailprovisionalnavigation & could not connect to the server"),
            ],
            check: "Does the app listen at that host and port, on the same machine as the browser?",
            fix:
                "On a device use a redirect URI that opens the app, such as its own scheme; while developing use the port that the server has."
        ),
        .known(
            "loopback-redirect-required", libraries: [.msalNET, .msalPython, .msalJava, .msalNode],
            "The system browser on a desktop needs http://localhost as redirect URI; an app for phones gets here when it runs on Windows or with the library's build for desktops.",
            signs: [.strong("only loopback redirect uri is supported"), .strong("loopback_redirect_uri")],
            check: "Which redirect URI does the client have, and for which platform was the app built?",
            fix:
                "On desktops use http://localhost, registered under mobile and desktop, or the embedded view; on Android and iOS build for net-android or net-ios and keep msal{client id}://auth."
        ),
        .known(
            "broker-cannot-serve-b2c", libraries: [.msalNET],
            "The system's broker was used, and it signs in only directory and Microsoft accounts, not B2C.",
            signs: [
                .strong("unknown_broker_error"), .fair("wambroker"), .fair("withbroker & b2c*"),
                .weak("0xffffffff8007*"),
            ],
            check: "Is WithBroker set, or does a library turn the broker on by itself?",
            fix: "Turn the broker off for B2C; use the system browser or the embedded view."),
        .known(
            "embedded-view-stopped", libraries: [.msalNET],
            "The embedded view could not load a page of the sign-in: a blocked or http resource, an old engine, or no runtime.",
            signs: [
                .strong("authentication_ui_failed"), .strong("webview2_not_installed | webview2_loader_not_found"),
                .fair("embedded browser & navigat*"), .fair("authhost encountered a navigation error"),
            ],
            check: "Which address fails, and is WebView2 installed?",
            fix: "Use the system browser (WithUseEmbeddedWebView(false)) or install WebView2."),
        .known(
            "parent-activity-missing", libraries: [.msalNET, .msalAndroid],
            "The library has no activity or window to open the browser from.",
            signs: [
                .certain("activity_required"), .certain("you have to pass the activity to the uiparent object"),
                .certain("you have to pass the activity"), .strong("activity is null | activity cannot be null"),
                .fair("withparentactivityorwindow"),
            ],
            check: "Is the current activity passed on Android?", fix: "Pass it with WithParentActivityOrWindow."),
        .known(
            "authority-needs-three-parts", libraries: [.msalNET, .msalJava],
            "The authority has fewer parts than the library wants: tfp, tenant and policy.",
            signs: [
                .strong(
                    "b2c 'authority' uri should have at least 3 segments | b2c authority uri should have at least 3 segments"
                ),
                .strong("authority uri should have at least one segment"),
                .strong("valid b2c 'authority'*"), .fair("authority & segments"),
                .against("{authorityWithoutTFP}"),
            ],
            check: "Does the authority read https://{host}/tfp/{tenant}/{policy}?",
            fix: "Write host, tenant and policy into the authority."),
        .known(
            "several-tokens-match", libraries: [.msalNET, .msalJS],
            "The cache holds several entries that fit the call, such as accounts of several policies.",
            signs: [
                .certain("multiple_matching_tokens_detected | multiple_matching_tokens | multiple_matching_accounts")
            ],
            check: "Which accounts and policies are in the cache?",
            fix: "Pass the account and authority; clear the cache of old policies."),
        .known(
            "answer-not-parsed", libraries: [.msalNET],
            "The token endpoint's answer is not the JSON that the library expects, as from a proxy or a wrong address.",
            signs: [
                .strong("non_parsable_oauth_error"), .strong("json_parse_failed"),
                .strong("http_status_not_200 | http_not_success"),
            ],
            check: "Which address was asked and what came back?",
            fix: "Correct the authority; try again after an outage."),
        .known(
            "certificate-of-a-page-resource", libraries: [.msalAndroid],
            "The web view met a certificate that it does not trust: of a resource on the sign-in page, of a proxy, or because the device's clock is wrong.",
            signs: [
                .strong("primary error: & certificate: issued to*"), .fair("issued to: & issued by:"),
                .strong("trust anchor for certification path not found"),
                .fair("sslhandshakeexception | certpathvalidatorexception"),
                .fair("-1202"), .weak("net::err_cert_*"),
            ],
            check:
                "Whose certificate does the message name: the login host, a resource of your page template, or a proxy? Which addresses do the page's scripts and analytics call?",
            fix: "Remove the resource from the page or renew its certificate; use the browser in place of a web view."),
        .known(
            "no-browser-on-the-device", libraries: [.msalAndroid],
            "The device has no browser that the library can use.",
            signs: [
                .certain("no_available_browser | no_browsers_available | chrome_not_installed"),
                .fair("no browser installed"),
            ],
            check: "Is a browser installed and enabled?", fix: "Install or enable one, or allow the web view."),
        .known(
            "authority-not-in-the-configuration", libraries: [.msalAndroid],
            "The authority of the call is not in the configuration file.",
            signs: [.certain("unknown_authority"), .fair("provided authority is not known*")],
            check: "Does auth_config list every policy, each as type B2C?",
            fix: "Add every policy's authority with type B2C, one of them as default."),
        .known(
            "account-of-another-host", libraries: [.msalAndroid],
            "The authority of the silent call is at another host than the account, such as the custom domain and b2clogin.com; some versions of MSAL for Android refuse every B2C host so.",
            signs: [.certain("does not match with the cloud associated to the account")],
            check: "Which hosts have the account's environment and the authority of the call, and which version is it?",
            fix: "Use one host for all calls, and a version of 2020 or later."),
        .known(
            "configuration-file-not-valid", libraries: [.msalAndroid],
            "The configuration file cannot be read or lacks a value.",
            signs: [
                .strong("illegalargumentexception & client_id"), .fair("msalargumentexception | auth_config & invalid"),
                .strong("authority.getdefault() & null object reference | checkdefaultauthorityspecified & null*"),
                .strong("redirect_uri cannot be null or empty | client_id cannot be null or empty"),
            ],
            check: "Is the JSON whole, with client_id, redirect_uri and authorities, each with type B2C or AAD?",
            fix: "Correct the file; in a wrapper give the authority in the form that it documents, or update it."),
        .known(
            "type-removed-by-the-shrinker", libraries: [.msalAndroid],
            "The code shrinker has removed or renamed classes that the library needs.",
            signs: [
                .fair("proguard | r8"), .strong("missing type parameter"),
                .fair("release build & crash | release build & null"),
            ],
            check: "Does it work without minification?", fix: "Add the library's keep rules."),
        .known(
            "state-or-callback-of-another-start", libraries: [.appAuth],
            "The callback's state is not that of the running request: an old answer, or the process was restarted.",
            signs: [.strong("state mismatch"), .fair("state param did not match"), .weak("state")],
            check: "Was the app killed behind the browser, or the callback opened twice?",
            fix: "Start the sign-in again; keep the request where it survives a restart."),
    ]
}
