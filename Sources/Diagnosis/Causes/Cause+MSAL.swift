extension Cause {
    /// What the client libraries say: MSAL for iOS, Android, .NET, JS, Python and Java, AppAuth and wrappers.
    static let libraries: [Cause] = [
        .known(
            "authority-without-tfp", libraries: [.msalNET, .msalJava],
            "The authority has tenant and policy, and the library wants the form with tfp before them.",
            signs: [
                .certain("should have at least 3 segments & {authorityWithoutTFP}"),
                .strong("at least three path segments & {authorityWithoutTFP}"),
                .fair("should have at least 3 segments"),
            ],
            check: "Does the authority read https://{host}/tfp/{tenant}/{policy}?",
            fix: "Give WithB2CAuthority https://{host}/tfp/{tenant}/{policy}."),
        .known(
            "authority-without-tenant-or-policy",
            "The authority lacks the tenant or the policy in its path.",
            signs: [
                .strong("with a minimum of one segment in a path"),
                .strong("should consist of an https url"), .strong("must be in a well-formed uri format"),
            ],
            check: "Does the authority read https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{policy}?",
            fix: "Write host, tenant and policy into the authority."),
        .known(
            "custom-host-not-known", libraries: [.msalPython, .msalJava, .msalNET],
            "The library does not know the authority's host and asks the instance discovery of directories about it.",
            signs: [
                .strong("the authority you provided & is not whitelisted"),
                .strong("turn off this check by passing in*"),
                .fair("invalid_instance"), .fair("instance_discovery | validate_authority"),
            ],
            check: "Is the host a custom domain or b2clogin.com, and is it declared as B2C?",
            fix:
                "Turn instance discovery off for this authority (instance_discovery=False), or use the B2C kind of authority."
        ),
        .known(
            "setting-undefined",
            "A setting was undefined when the address was made: it holds the word undefined, null or a placeholder in place of tenant, policy or host.",
            signs: [.strong("{undefinedInAddress}"), .fair("undefined.b2clogin.com | undefined.onmicrosoft.com")],
            check: "Which part of the address in the message is not a real value?",
            fix: "Set the tenant, policy and host in the configuration that the running build reads."),
        .known(
            "native-module-not-linked",
            "The native part of the library is not in the running app: it was not linked or the app was not built again, or it runs where there are no native modules, such as Expo Go.",
            signs: [
                .strong(
                    "cannot read property 'authorize' of null | cannot read properties of null (reading 'authorize')"),
                .strong("cannot read property 'acquiretoken' of null | cannot read property 'acquiretokeninteractive*"),
                .strong("cannot read property 'createpublicclientapplication' of null"),
                .strong("reading 'acquiretoken' & null | reading 'createpublicclientapplication' & null"),
                .strong("rnappauth & null | rnmsal & null | null is not an object & rnappauth*"),
                .strong("turbomoduleregistry.getenforcing* | native module cannot be null"),
                .fair("null is not an object & authorize | undefined is not an object & authorize"),
                .strong("no implementation found for method"), .strong("missingpluginexception"),
                .strong("plugin is not implemented on | plugin_not_installed | cordova_not_available"),
                .fair("(reading 'acquiretoken* | (reading 'authorize*"), .fair("cannot read property 'acquiretoken*"),
                .weak("nobridge"), .weak("expo"),
            ],
            check:
                "Was the app built again after the package was added, and does it run in a development build, not Expo Go?",
            fix:
                "Link the native module (pod install, Gradle), build the app again, and use a development build in place of Expo Go."
        ),
        .known(
            "scopes-declined", libraries: [.msalAndroid, .msalIOS],
            "The service granted fewer scopes than the call asked for: a permission is not granted, or the scope is one that B2C does not return.",
            signs: [
                .strong("msaldeclinedscopeexception | declined_scope_error"), .strong("-50003"),
                .fair("serverdeclinedscopes"), .fair("requested scopes have been declined"),
            ],
            check: "Which scopes does the error list as declined, and is the permission granted to this app?",
            fix: "Grant the permission with admin consent, or ask for the granted scopes."),
        .known(
            "query-schemes-missing", libraries: [.msalIOS],
            "The broker's schemes are not in LSApplicationQueriesSchemes of Info.plist.",
            signs: [
                .certain("-42001 & lsapplicationqueriesschemes"), .strong("lsapplicationqueriesschemes"),
                .strong("required query scheme"), .weak("msauthv2"),
            ],
            check: "Does Info.plist list msauthv2 and msauthv3 under LSApplicationQueriesSchemes?",
            fix: "Add msauthv2 and msauthv3, or turn the broker off."),
        .known(
            "authority-validation-failed", libraries: [.msalIOS],
            "The authority was checked as one of a directory and failed: its kind is wrong, or its metadata is broken.",
            signs: [.fair("-42010 | -51600"), .weak("failedauthorityvalidation")],
            check: "Is the authority made as MSALB2CAuthority, and does its openid-configuration open?",
            fix: "Make it as MSALB2CAuthority with the policy, and list it in knownAuthorities."),
        .known(
            "redirect-uri-of-the-app-malformed", libraries: [.msalIOS, .msalAndroid],
            "The redirect URI of the configuration has not the form that the library makes from the app's own id.",
            signs: [
                .strong("-42011"), .fair("-51119"), .strong("redirect_uri_validation_error"),
                .strong("doesn't match with the one generated with package name and signature hash"),
                .fair("redirect uri & bundle id"), .fair("signature hash & redirect"),
            ],
            check:
                "iOS: is it msauth.{bundle id}://auth? Android: is it msauth://{package}/{hash}, with the hash of the key that signed this build?",
            fix: "Take the redirect URI that the portal shows for this bundle id, or package and signature hash."),
        .known(
            "several-accounts-in-single-account-call", libraries: [.msalIOS, .msalAndroid],
            "The call is for an app with one account, and there are several or another one is signed in.",
            signs: [
                .strong("-42102"), .strong("an account is already signed in"),
                .strong("single_account_pca_init_fail_account_mode | multiple_account_pca_init_fail_account_mode"),
                .fair("ambiguousaccount"),
            ],
            check: "Which accounts does the cache hold, and which account mode does the configuration name?",
            fix: "Sign the other account out first, or use the calls for several accounts."),
        .known(
            "account-identifier-missing", libraries: [.msalIOS, .msalAndroid],
            "The silent call was given an account without an identifier, or none.",
            signs: [
                .strong("-42106"), .strong("no_current_account"), .fair("accountrequired | accountidrequired"),
                .strong("account cannot be null | account is null & acquiretokensilent*"),
                .fair("msalargumentexception & account"),
            ],
            check: "What does the app pass as account, and was it read from the library?",
            fix: "Read the account from the library before the call; without one make an interactive call."),
        .known(
            "answer-without-what-is-required", libraries: [.msalIOS],
            "The answer has neither code nor error, or its token response is not complete.",
            signs: [.fair("-42600 | -51111 | -51110")],
            check: "What came back at the redirect URI or from the token endpoint?",
            fix: "Ask for openid and a scope, and look at the answer: a proxy or page may have changed it."),
        .known(
            "page-goes-to-http", libraries: [.msalIOS],
            "The sign-in page leads the embedded view to a plain http address, which the library refuses.",
            signs: [.certain("-42602"), .strong("nonhttpsredirect")],
            check: "Which address is http: the redirect URI, a template or a provider?", fix: "Use https for it."),
        .known(
            "no-view-or-extension", libraries: [.msalIOS],
            "The sign-in page cannot be shown: there is no view controller, or the call comes from an app extension.",
            signs: [.strong("-42403 | -42404 | -42405"), .fair("uinotsupportedinextension | noviewcontroller")],
            check: "Where is the call made, and which view controller is given?",
            fix: "Sign in in the app itself, with a view controller that is on screen; extensions make silent calls."),
        .known(
            "several-apps-take-the-redirect", libraries: [.msalAndroid],
            "More than one app, or activity, on the device takes the redirect URI.",
            signs: [
                .strong("more than one app is listening for the url scheme*"),
                .strong("multiple_apps_listening_custom_url_scheme"),
            ],
            check: "Is another build of the app installed, with the same filter?",
            fix: "Remove the other build, or use a scheme and path of this package."),
        .known(
            "manifest-of-the-redirect", libraries: [.msalAndroid, .appAuth],
            "The Android manifest is not complete for the activity that takes the redirect.",
            signs: [
                .strong("requires a placeholder substitution but no value for <appauthredirectscheme*"),
                .strong("appauthredirectscheme & placeholder"),
                .strong("android:exported needs to be explicitly specified"),
                .fair("manifest merger failed & redirecturireceiveractivity"),
                .fair("manifest merger failed & browsertabactivity"),
                .fair("activitynotfoundexception | no activity found to handle intent"),
            ],
            check:
                "Do build.gradle and the manifest set the redirect scheme, android:exported and the queries for browsers?",
            fix:
                "Set manifestPlaceholders appAuthRedirectScheme, android:exported, and queries for https and custom tabs."
        ),
        .known(
            "appauth-network-error", libraries: [.appAuth],
            "AppAuth got no usable answer: no network, or the server answered with an error.",
            signs: [
                .strong("org.openid.appauth.general code=-5 | org.openid.appauth.general error -5"),
                .strong("org.openid.appauth.general code=-6 | org.openid.appauth.general error -6"),
                .fair("org.openid.appauth.general & -5 | org.openid.appauth.general & -6"),
                .fair("authorizationexception & network error | authorizationexception & server error"),
                .fair("\"errordescription\":\"network error\""),
            ],
            check: "Which address was asked, and what does it answer in a browser?",
            fix: "Correct the address with its policy, or try again with a network."),
        .known(
            "appauth-id-token-refused", libraries: [.appAuth],
            "AppAuth refused the ID token: issuer, audience, nonce or time does not fit; the message names which.",
            signs: [
                .fair("org.openid.appauth.general & -15 | id token validation error | id_token_validation_error"),
                .strong("org.openid.appauth.general & issuer mismatch"),
                .fair("authorizationexception & id token"),
            ],
            check: "Which check does the message name: issuer, audience, nonce, expiry or issue time?",
            fix: "Issuer: take that of the policy's metadata. Times: correct the device's clock."),
        .known(
            "answer-of-a-page-not-readable", libraries: [.msalJS],
            "The answer at the redirect URI cannot be read: the address was changed, or the page is opened without an answer.",
            signs: [
                .strong("hash_not_deserialized"), .strong("authorization_code_missing_from_server_response"),
                .fair("auth_code_required"),
            ],
            check: "What does the address hold when the page loads: code and state, or something else?",
            fix: "Keep routers and scripts from changing the address before the library has read it."),
        .known(
            "silent-call-timed-out", libraries: [.msalJS],
            "The silent call in a frame or with a broker took too long.",
            signs: [.fair("timed_out"), .fair("iframe_closed_prematurely"), .fair("native_handshake_timeout")],
            check: "What does the page at redirectUri run, and does the login host answer in the frame?",
            fix: "Use a blank page as redirectUri, and fall back to an interactive call."),
        .known(
            "angular-settings-missing", libraries: [.msalJS],
            "The Angular wrapper's settings are not provided, or the guard or interceptor runs without them.",
            signs: [
                .strong("nullinjectorerror & msal_*"), .strong("no provider for & msal*"),
                .fair("no provider for injectiontoken msal*"),
            ],
            check: "Are MSAL_INSTANCE, MSAL_GUARD_CONFIG and MSAL_INTERCEPTOR_CONFIG provided where the app starts?",
            fix: "Provide MsalModule.forRoot or the three tokens, and MsalService, in the app's configuration."),
        .known(
            "scopes-not-a-list", libraries: [.msalPython, .msalJS, .msalNET],
            "The scopes of the call are empty or not a list.",
            signs: [
                .strong("input scope should be a list | scopes must be a list*"),
                .strong("empty_input_scopes_error | empty_input_scopeset"), .strong("scopes_required"),
                .fair("scopes cannot be null | scopes is null | scopes cannot be empty"),
            ],
            check: "What is given as scopes?",
            fix: "Give a list with the scopes of one API; for Python a list, which may be empty."),
        .known(
            "desktop-browser-not-opened", libraries: [.msalNET, .msalPython, .msalJava],
            "The system browser, or the port for its answer, cannot be opened on this machine.",
            signs: [
                .strong("linux_xdg_open_failed"), .strong("httplistenerexception"),
                .fair("could not start the browser"),
                .fair("address already in use & localhost"), .fair("unable to open a web page using xdg-open*"),
                .fair("parent window handle | window_handle_required"),
            ],
            check: "Does the machine have a browser and a screen, and is the port of the redirect URI free?",
            fix: "Use a free port (http://localhost), a browser, or a flow without one on servers."),
        .known(
            "cache-file-not-usable", libraries: [.msalNET, .msalAndroid, .msalIOS],
            "The store of the token cache cannot be read or written: its key changed, it is damaged, or the system refuses.",
            signs: [
                .strong("msalcachepersistenceexception"), .fair("decryption_failed | decryption_error"),
                .fair("android_keystore_failed | keystoreexception | invalidkeyexception"),
                .fair("cannot_access_publisher_keychain | cannot_access_user_information_or_app_not_domain_joined"),
                .fair("-25300 & !credstore | -25308 | -25243"), .fair("cryptographicexception & token*"),
            ],
            check: "Was the app restored to another device, or the store's key renewed?",
            fix: "Clear the cache and let the person sign in again; keep the store out of backups."),
    ]

    /// Names of further errors of the libraries, with their meanings.
    static let libraryCodes: [Cause] = {
        let rows: [(code: String, libraries: [Library], meaning: String, remedy: String)] = [
            ("redirect_uri_empty", [.msalJS], "The redirect URI is empty.", "Set redirectUri."),
            (
                "invalid_prompt_value", [.msalJS], "`prompt` has a value that is not known.",
                "Use login, select_account, consent, create or none."
            ),
            (
                "silent_prompt_value_error", [.msalJS], "A silent call was given a prompt other than none.",
                "Leave prompt out of silent calls."
            ),
            (
                "silent_logout_unsupported", [.msalJS], "Sign-out in a hidden frame is not supported.",
                "Sign out by redirect or window."
            ),
            ("token_request_empty", [.msalJS], "The call got no request.", "Give the call a request with scopes."),
            ("logout_request_empty", [.msalJS], "The sign-out got no request.", "Give the call a request."),
            ("invalid_code_challenge_method", [.msalJS], "The method of the code challenge is not known.", "Use S256."),
            ("pkce_params_missing", [.msalJS], "The challenge or its method is missing.", "Give both, or none."),
            (
                "invalid_authority_metadata", [.msalJS], "authorityMetadata is not the JSON of a metadata document.",
                "Give the whole document as text, or leave the setting out."
            ),
            (
                "invalid_cloud_discovery_metadata", [.msalJS], "cloudDiscoveryMetadata is not valid JSON.",
                "Leave the setting out; use knownAuthorities."
            ),
            (
                "claims_request_parsing_error", [.msalJS], "The claims of the request are not JSON.",
                "Give JSON as text."
            ),
            ("invalid_claims", [.msalJS], "The claims of the request are not JSON.", "Give JSON as text."),
            (
                "end_session_endpoint_not_supported", [.msalJS], "The metadata has no end_session_endpoint.",
                "Check the authority with its policy."
            ),
            (
                "in_mem_redirect_unavailable", [.msalJS], "The cache is in memory, which a redirect clears.",
                "Use session or local storage, or a window."
            ),
            ("max_age_transpired", [.msalJS], "The sign-in is older than max_age allows.", "Sign in again."),
            (
                "auth_time_not_found", [.msalJS], "max_age was asked for, and the token lacks auth_time.",
                "Return auth_time, or leave maxAge out."
            ),
            (
                "native_extension_not_installed", [.msalJS], "The browser's broker extension is not there.",
                "Turn allowPlatformBroker off for B2C."
            ),
            (
                "native_connection_not_established", [.msalJS], "The broker is not connected.",
                "Turn allowPlatformBroker off for B2C."
            ),
            (
                "native_account_unavailable", [.msalJS], "The broker does not have the account.",
                "Turn allowPlatformBroker off for B2C; sign in."
            ),
            ("bad_token", [.msalJS], "The stored token is not usable any more.", "Sign in interactively."),
            ("ui_not_allowed", [.msalJS], "The call may show no page and needs one.", "Sign in interactively."),
            (
                "empty_navigate_uri", [.msalJS], "The address to go to is empty.",
                "Check the authority and its metadata."
            ),
            (
                "auth_request_not_set_error", [.msalJS], "The request of the running call is not stored.",
                "Start the call again."
            ),
            (
                "device_code_expired", [.msalNode, .msalNET], "The device code has expired.",
                "Start the flow again; B2C does not offer the device code flow."
            ),
            ("invalid_assertion", [.msalNode], "The client assertion is empty or malformed.", "Check the assertion."),
            (
                "invalid_authority_type", [.msalNET], "The authority is of another kind than the call supports.",
                "Use the B2C authority for B2C, and a directory's for Graph."
            ),
            (
                "duplicate_query_parameter", [.msalNET, .msalAndroid],
                "An extra query parameter is one that the library sends itself.", "Leave that parameter out."
            ),
            (
                "loopback_response_uri_mismatch", [.msalNET],
                "The answer came to another local address than the redirect URI.",
                "Use one redirect URI for start and answer."
            ),
            (
                "android_activity_not_found", [.msalNET], "No activity can show the sign-in page.",
                "Install or enable a browser, and declare the redirect activity."
            ),
            (
                "missing_entitlements", [.msalNET], "The keychain entitlement is missing.",
                "Add the keychain group to the entitlements."
            ),
            (
                "multiple_tokens_matched", [.msalNET], "Several cached tokens fit the call.",
                "Pass account and authority."
            ),
            (
                "no_account_for_login_hint", [.msalNET], "No cached account has the login hint.",
                "Look the account up by its identifier, or sign in."
            ),
            (
                "password_required_for_managed_user", [.msalNET], "The password is empty.",
                "Give the password, or sign in interactively."
            ),
            (
                "request_timeout", [.msalNET, .msalAndroid], "The service did not answer in time.",
                "Try again; check the network."
            ),
            (
                "service_not_available", [.msalNET, .msalAndroid], "The service is not available for a moment.",
                "Try again later and keep account and tokens."
            ),
            (
                "tenant_discovery_failed", [.msalNET, .msalJava], "The metadata of the authority cannot be used.",
                "Open {authority}/v2.0/.well-known/openid-configuration: host, tenant and policy."
            ),
            (
                "custom_webui_redirect_uri_mismatch", [.msalNET],
                "The custom view returned another address than the redirect URI.", "Return the address with the answer."
            ),
            (
                "authority_validation_not_supported", [.msalAndroid], "The authority cannot be validated.",
                "Declare it as type B2C in the configuration."
            ),
            (
                "unable_to_resolve_intent", [.msalAndroid], "No app can open the sign-in page.",
                "Install or enable a browser."
            ),
            (
                "app_package_name_not_found", [.msalAndroid], "The package of the app or broker is not found.",
                "Check the package name in the redirect URI."
            ),
            (
                "broker_bind_service_failed", [.msalAndroid], "The broker cannot be reached.",
                "Turn the broker off for B2C."
            ),
            ("token_cache_item_not_found", [.msalAndroid], "The cache has no such token.", "Sign in interactively."),
            (
                "access_token_missing", [.msalAndroid], "The answer has no access token.",
                "Ask for a scope of an API or the client id."
            ),
            (
                "malformed_url", [.msalAndroid], "An address in the configuration is malformed.",
                "Correct authority and redirect URI."
            ),
            (
                "io_error", [.msalAndroid], "The network failed while the library called.",
                "Try again; check the network."
            ),
            (
                "-42002", [.msalIOS], "The token endpoint says invalid_request: a parameter is missing or wrong.",
                "Read the AADB2C code in MSALErrorDescriptionKey."
            ),
            (
                "-42003", [.msalIOS],
                "The token endpoint says invalid_client: the app is not accepted as a public client.",
                "List the redirect URI under mobile and desktop, and send no secret."
            ),
            (
                "-42006", [.msalIOS], "The token endpoint says unauthorized_client: the app may not use this grant.",
                "Check the registration and the policy."
            ),
            (
                "-42104", [.msalIOS], "The answer has an OAuth error that the library does not map.",
                "Read MSALOAuthErrorKey and MSALErrorDescriptionKey."
            ),
            (
                "-42714", [.msalIOS], "A broker is needed for the call, and B2C works with none.",
                "Leave the call out for B2C."
            ),
            (
                "-42745", [.msalIOS], "The start address cannot be used by the system's session.",
                "Check authority and redirect URI."
            ),
        ]
        // What several mishaps end in says less than a name that one mishap has.
        let general: Set<String> = [
            "-42002", "-42003", "-42006", "-42104", "io_error", "request_timeout", "service_not_available",
            "tenant_discovery_failed", "bad_token", "malformed_url",
        ]
        return rows.map { row in
            Cause(
                row.code, script: nil, reach: .occasional, libraries: row.libraries, row.meaning,
                signs: [general.contains(row.code) ? .fair(row.code) : .strong(row.code)], checks: [],
                fix: row.remedy)
        }
    }()
}
