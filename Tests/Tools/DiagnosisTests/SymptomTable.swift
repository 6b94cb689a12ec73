/// For each entry of the catalogue a text as the people who reported it would have pasted it: shortened, with made-up
/// names and ids. Lines are joined by `\n`.
enum SymptomTable {
    static let cases: [(id: String, text: String)] =
        redirects + authorities + renewals + cancels + tokens + sessions + clocks + networks + devices + rest
        + reports

    static let redirects: [(id: String, text: String)] = [
        (
            "B01",
            """
            Error from RemoteAuthentication: Message contains error: 'redirect_uri_mismatch', error_description: \
            'AADB2C90006: The redirect URI 'http://shop.example.com/signin-oidc' provided in the request is not registered \
            for the client id '2f0f3c6e-54a4-4f0a-9b6f-1d7a3f0e5b11'.
            """
        ),
        ("B02", "AADB2C90007: The application associated with client id '0b7c' has no registered redirect URIs."),
        (
            "B03",
            """
            Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=The required app scheme \
            "msauth.com.contoso.app" is not registered in the app's info.plist file. Make sure the URI scheme is in the \
            CFBundleURLTypes, MSALInternalErrorCodeKey=-42001}
            """
        ),
        (
            "B04",
            "Xamarin iOS, after entering the password: Safari cannot open the page because the address is invalid."
        ),
        (
            "B05",
            """
            The SFSafariViewController stays open after login. When I tap Done: Error Domain=MSALErrorDomain Code=-50005 "(null)"
            """
        ),
        (
            "B07",
            """
            com.microsoft.identity.client.exception.MsalClientException: Intent filter for: BrowserTabActivity is missing. \
            Please make sure you have the following activity in your AndroidManifest.xml
            """
        ),
        (
            "B08",
            """
            ServerError: invalid_request: undefined - [undefined]: AADB2C90079: Clients must send a client_secret when \
            redeeming a confidential grant. - Correlation ID: undefined at @azure/msal-browser
            """
        ),
        (
            "B09",
            """
            express: ServerError at @azure/msal-node ConfidentialClientApplication: AADB2C90079: Clients must send a \
            client_secret when redeeming a confidential grant.
            """
        ),
        (
            "B10",
            "AADB2C90084: Public clients should not send a client_secret when redeeming a publicly acquired grant."
        ),
        ("B11", "AADB2C90081: The specified client_secret does not match the expected value for this client."),
        (
            "B12",
            """
            OpenIdConnectProtocolException: Message contains error: 'unauthorized_client', error_description: 'AADB2C90057: \
            The provided application is not configured to allow the 'OAuth' Implicit flow.'
            """
        ),
        (
            "B13",
            """
            invalid_request: The provided value for the input parameter 'redirect_uri' is not valid. The expected value is a \
            URI which matches a redirect URI registered for this client application. \
            redirect_uri=https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/authresp
            """
        ),
    ]

    static let authorities: [(id: String, text: String)] = [
        ("B14", "ClientConfigurationError: untrusted_authority: The provided authority is not a trusted authority."),
        (
            "B15",
            """
            MSALErrorDomain Code=-50000 UserInfo={MSALErrorDescriptionKey=Authority validation is not supported for this \
            type of authority, MSALInternalErrorCodeKey=-42008}
            """
        ),
        ("B16", "MsalServiceException: AADSTS50049: Unknown or invalid instance. ErrorCode: invalid_instance"),
        (
            "B17",
            """
            let authority = try MSALAADAuthority(url: URL(string: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1A_x")!)
            TID=4035076 MSAL 1.1.16 iOS Sim 14.4 [2021-04-23 16:26:15] Creating Error with description: It is not B2C authority.
            """
        ),
        (
            "B18",
            """
            IDX20803: Unable to obtain configuration from: \
            'https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration'. 404 (Not Found)
            """
        ),
        (
            "B19",
            """
            GET https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize/oauth2/v2.0/authorize?client_id=1 \
            404
            """
        ),
        (
            "B20",
            """
            react-native-app-auth, iOS only 404: authorizationEndpoint: \
            'https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=b2c_1_susi'
            """
        ),
        (
            "B21",
            """
            angular-oauth2-oidc: invalid issuer in discovery document expected: \
            https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/v2.0 current: \
            https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/
            """
        ),
        (
            "B22",
            """
            SecurityTokenInvalidIssuerException: IDX10205: Issuer validation failed. Issuer: \
            'https://contoso.b2clogin.com/tfp/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_edit_profile/v2.0/'. Did not match
            """
        ),
        (
            "B23",
            """
            401 Bearer error="invalid_token": IDW10303: Issuer: \
            'https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/', does not match any of the valid issuers
            """
        ),
        (
            "B25",
            """
            We enabled a custom domain with Front Door. ClientAuthError: endpoints_resolution_error: Endpoints cannot be \
            resolved. https://auth.example.com/775527ff/b2c_1_susi/v2.0
            """
        ),
        ("B26", "passport-azure-ad: In OIDCStrategy: invalid policy in id_token"),
        ("B27", "oidc-client: Error: Metadata does not contain property userinfo_endpoint"),
    ]

    static let renewals: [(id: String, text: String)] = [
        (
            "B28",
            """
            acquireTokenSilent: invalid_grant AADB2C90088: The provided grant has not been issued for this endpoint. Actual \
            Value : B2C_1_susi and Expected Value : B2C_1_edit_profile
            """
        ),
        (
            "B29",
            """
            InteractionRequiredAuthError: silent_sso_error. Before it: AADB2C90088: The provided grant has not been issued \
            for this endpoint. Actual Value : B2C_1_signin_v3 and Expected Value : B2C_1_signin_v2
            """
        ),
        (
            "B30",
            "After edit profile there are two accounts in getAllAccounts() and the old name is shown after a restart"
        ),
        (
            "B31",
            """
            MsalUiRequiredException ErrorCode: user_null Microsoft.Identity.Client.MsalUiRequiredException: No account or \
            login hint was passed to the AcquireTokenSilent call.
            """
        ),
        (
            "B32",
            """
            com.microsoft.identity.client.exception.MsalClientException: No cached accounts found for the supplied \
            homeAccountId and clientId
            """
        ),
        ("B33", "MSAL Android: client_info uid is 1f2e-b2c_1_susi but oid is 1f2e, home account unknown"),
        ("B34", "pydantic: 1 validation error for User: tid field required (type=value_error.missing)"),
        ("B35", "System.ArgumentNullException: client info is null, policy B2C_1A_susi"),
        ("B36", "MAUI Android, MSAL.NET: sign-in works but GetAccountsAsync returns an empty list: no accounts"),
        (
            "B37",
            """
            False MSAL 4.48.0.0 MSAL.Xamarin.iOS iOS 15.4 [2022-10-07 09:00:00Z - 7a3d7f16-3c1a-4ae0-9f5e-2a4d8a1b7c30] \
            CacheRefreshReason: NoCachedAccessToken
            """
        ),
        (
            "B38",
            """
            msal-browser@2.1.0: the access token is cached for https://contoso.onmicrosoft.com/api/read but the lookup wants \
            openid profile offline_access too, so acquireTokenSilent goes to the network
            """
        ),
        (
            "B39",
            "The scope that comes back for my clientId scope is scope: \"/\" so acquireTokenSilent never hits the cache"
        ),
        (
            "B40",
            """
            acquireTokenSilent for a second API resolves but accessToken is empty: ClientAuthError: access_token_entity_null
            """
        ),
        ("B41", "In airplane mode AcquireTokenSilent fails with a network error although the token is cached"),
        (
            "B43",
            "invalid_grant: AADB2C90128: The account associated with this grant no longer exists. Please reauthenticate."
        ),
        (
            "B44",
            """
            acquireTokenSilent works until the token expires, then 404: POST \
            https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/oauth2/v2.0/token
            """
        ),
        (
            "B45",
            """
            After the password reset acquireTokenSilent gives AADB2C90088: Actual Value : B2C_1_susi and Expected Value : \
            B2C_1_reset, and the next login is redirected to reset
            """
        ),
        (
            "B46",
            """
            Refresh token expired/invalid: AADB2C90129: The provided grant has been revoked.
            BrowserAuthError: monitor_window_timeout: Token acquisition in iframe failed due to timeout.
            """
        ),
    ]

    static let cancels: [(id: String, text: String)] = [
        (
            "B47",
            """
            msauth.com.contoso.app://auth#error=access_denied&error_description=AADB2C90118%3a+The+user+has+forgotten+their+\
            password.%0d%0aCorrelation+ID%3a+2e1b6a2f-6b2c-4e2f-9c49-4c0b8b9e1d2a%0d%0aTimestamp%3a+2026-01-15+12%3a00%3a00Z%0d%0a\
            &state=abc
            """
        ),
        (
            "B48",
            "Android MSAL 2.0.3: on forgot password I only get onCancel() / MsalUserCancelException, in 1.6 there was more"
        ),
        (
            "B49",
            """
            In the catch of AADB2C90118 I call loginRedirect with the reset authority: BrowserAuthError: \
            interaction_in_progress: Interaction is currently in progress.
            """
        ),
        (
            "B50",
            """
            Second tap on forgot password: MSALErrorDomain Code=-42402 Only one interactive session is allowed at a time.
            """
        ),
        ("B51", "ServerError: access_denied: AADB2C90091: The user has cancelled entering self-asserted information."),
        ("B52", "MsalGuard: AADB2C90091 after cancel on edit profile and then a blank page"),
        ("B53", "ClientAuthError: Hash does not contain state."),
        ("B54", "After AADB2C90118 MsalGuard logs in again at once: infinite loop to the login page"),
        ("B57", "if (payload.idToken.claims['acr'] === names.signUpSignIn) ... else alert('Password has been reset')"),
    ]

    static let tokens: [(id: String, text: String)] = [
        (
            "B58",
            """
            com.nimbusds.oauth2.sdk.ParseException: Missing JSON object member with key "access_token" at \
            com.microsoft.aad.msal4j.TokenResponse
            """
        ),
        (
            "B59",
            """
            TID=1222781 MSAL 1.0.0 iOS 13.2.3 [2020-01-22 05:35:30 - E09EF7F0-E208-4045-868C-26CE7A627ED7] It is not B2C authority.
            Could not acquire token: Error Domain=MSALErrorDomain Code=-50000 "(null)" UserInfo={MSALErrorDescriptionKey=\
            Authentication response received without expected accessToken, MSALInternalErrorCodeKey=-42008}
            """
        ),
        ("B60", "msal_auth: Fatal error: Unexpectedly found nil while unwrapping an Optional value: result.expiresOn"),
        ("B61", "flutter_appauth: {accessToken: null, idToken: xxxxx, refreshToken: yyy}"),
        ("B62", "MsalClientException: MSAL.NET API does not accept the client ID as a user-provided scope."),
        ("B63", "flutter_appauth, scopes openid and client id: refreshToken: null, users sign in every hour"),
        ("B64", "invalid_request: AADB2C90055: The scope 'openid profile' provided in request must specify a resource"),
        ("B65", "AADB2C90117: The scope 'User.Read' provided in the request is not supported."),
        (
            "B66",
            "AADB2C90146: The scope '...' provided in request specifies more than one resource for an access token"
        ),
        (
            "B67",
            """
            AADB2C90205: This application does not have sufficient permissions against this web resource to perform the operation.
            """
        ),
        (
            "B68",
            """
            Error Domain=MSALErrorDomain Code=-42000 "(null)" UserInfo={MSALErrorDescriptionKey=openid, profile, \
            offline_access are reserved scopes, scopes parameter}
            """
        ),
        ("B70", "msalInstance.getAccountByUsername(email) returns null for B2C; username is null"),
        (
            "B71",
            """
            https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1a_change/oauth2/v2.0/authorize?client_id=1&response_type=code\
            &login_hint=Missing%20from%20the%20token%20response&scope=openid
            """
        ),
        ("B72", "Could not cast value of type '__NSCFNumber' (0x1) to 'NSString' (0x2) reading account claims"),
        ("B73", "\"sub\": \"Not supported currently. Use oid claim.\""),
        ("B74", "angular-auth-oidc-client: authorizedCallback incorrect at_hash, at_hash missing in id_token"),
        ("B76", "401 invalid_token IDX10214: Audience validation failed. Audiences: 'client'. Did not match: 'api'"),
        ("B77", "After changing the role in the directory WithForceRefresh(true) still returns the old claims"),
    ]

    static let sessions: [(id: String, text: String)] = [
        ("B78", "After removeAccount the next acquireToken logs in automatically without entering credentials"),
        ("B79", "signoutFromBrowser while offline reports success"),
        ("B81", "AADB2C90272: The id_token_hint parameter has not been specified in the request."),
        ("B82", "Signed out of B2C but Okta signs in the same user: federated logout does not end the okta session"),
        ("B83", "After logout access token is still valid and accepted by the API"),
        ("B84", "Edit profile asks for credentials in the embedded WebView although AcquireTokenSilent works"),
        ("B85", "KMSI: keep me signed in does not survive 24 hours, x-ms-cpim-sso cookie"),
        (
            "B86",
            "Magic link policy works, then edit profile: server_error AADB2C90037: An error occurred while processing"
        ),
        ("B87", "Login page open in two tabs, the second tab gets 400 Bad Request on SelfAsserted"),
        ("B89", "ssoSilent needs login_hint or sid; login always sends prompt=select_account, no single sign on"),
        ("B90", "After uninstall and reinstall of the app the user is still logged in (keychain)"),
    ]

    static let clocks: [(id: String, text: String)] = [
        (
            "B91",
            """
            Error Domain=org.openid.appauth.general Code=-15 "Issued at time is more than 600 seconds before or after the \
            current time"
            """
        ),
        ("B92", "AppAuth: AuthorizationException: ID Token expired"),
        ("B93", "[next-auth][error][OAUTH_CALLBACK_ERROR] JWT not active yet, now 1634300000, nbf 1634300003"),
        ("B94", "Token lifetime is 5 minutes and tokenRenewalOffsetSeconds is 300: every call renews"),
        ("B95", "Web API accepts expired token: ClockSkew default"),
        ("B97", "IDX10501: Signature validation failed. Unable to match key: kid: 'X5eXk4xyojNFum1kl2Ytv8dlNP4'"),
        ("B99", "AADB2C90233: The provided id_token_hint parameter failed signature validation."),
        ("B100", "AADB2C90090: The provided JWE is not a valid 5 segment token or kid not found for JWE"),
        (
            "B101",
            "AcquireTokenByUsernamePassword: GET https://login.microsoftonline.com/common/userrealm/user1?api-version=1.0 failed"
        ),
        (
            "B102",
            "ROPC: unauthorized_client AADB2C90057: The provided application is not configured to allow the OAuth Implicit flow"
        ),
        ("B104", "ROPC 404: https://contoso.b2clogin.com/ftp/contoso.onmicrosoft.com/B2C_1A_ropc/oauth2/v2.0/token"),
        (
            "B105",
            """
            msal-browser: invalid_grant AADB2C90080: The provided grant has expired. Please re-authenticate and try again. \
            Current time: 1611058466, Grant issued time: 1610972065, Grant expiration time: 1611058465
            """
        ),
        (
            "B106",
            """
            MSALErrorDomain Code=-50002 UserInfo={NSUnderlyingError=-50000 invalid_grant AADB2C90129: The provided grant has \
            been revoked.}
            """
        ),
        (
            "B107",
            "User's password changed in the portal but the app still works for up to an hour with the cached token"
        ),
        (
            "B109",
            String(
                repeating: "POST https://contoso.b2clogin.com/x/b2c_1_susi/oauth2/v2.0/token 400 (Bad Request)\n",
                count: 30)
        ),
    ]

    static let networks: [(id: String, text: String)] = [
        (
            "B110",
            """
            Access to XMLHttpRequest at 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token' from \
            origin 'http://localhost:4200' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present
            """
        ),
        (
            "B111",
            "post_request_failed: token endpoint answers 401 without CORS header, msal-browser only says Failed to fetch"
        ),
        (
            "B112",
            """
            Refused to display 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_edit/oauth2/v2.0/authorize' in a frame \
            because it set 'X-Frame-Options' to 'deny'.
            """
        ),
        (
            "B113",
            "interaction_required AADB2C90077: User does not have an existing session and request prompt parameter has a value of 'None'. Safari"
        ),
        ("B115", "AADB2C90035: The service is temporarily unavailable. Please retry after a few minutes."),
        ("B116", "The page cannot be displayed because an internal server error has occurred. (in the login window)"),
        (
            "B117",
            "Error Domain=NSURLErrorDomain Code=-1009 \"The Internet connection appears to be offline.\" from acquireTokenSilent"
        ),
        (
            "B118",
            "Token endpoint returns HTTP 500 and ADAL retries endlessly: 500 retry, completion block never called"
        ),
    ]

    static let devices: [(id: String, text: String)] = [
        ("B119", "Error Domain=NSOSStatusErrorDomain Code=-34018 \"(null)\""),
        ("B121", "MsalClientException ErrorCode: cannot_invoke_broker, WithBroker on a B2C authority"),
        ("B122", "Error 403: disallowed_useragent. You can't sign in from this screen (Google, WebView)"),
        (
            "B123",
            "Sign in with Apple: redirect https://contoso.b2clogin.com/oauth2/nativeclient never returns from ASWebAuthenticationSession"
        ),
    ]

    static let rest: [(id: String, text: String)] = [
        ("B124", "REST API returns userMessage but the page shows: Unable to validate the information provided."),
        (
            "B126",
            "ServerError: invalid_grant: AADB2C90085: The service has encountered an internal error. Please reauthenticate and try again."
        ),
        (
            "B127",
            "https://app.example.com/#error=access_denied&error_description=AADB2C90208%3a+The+provided+id_token_hint+parameter+is+expired.&state=x"
        ),
        ("B128", "server_error: claim type 'sub' missing: SubjectNamingInfo"),
        (
            "B129",
            "Facebook account without email: AADB2C90037: An error occurred while processing the request. Please contact administrator"
        ),
        (
            "B130",
            "server_error AADB2C90047: The resource 'https://cdn.example.com/unified.html' contains script errors preventing it from being loaded."
        ),
        ("B131", "Linking a social account: AADB2C99001: You are already registered, please press the back button"),
        (
            "B132",
            "Custom email verification: sign up says a user with the specified ID already exists, but the user was just created"
        ),
        ("B134", "With TOTP MFA acquireTokenSilent fails: Token renewal operation failed due to timeout"),
        ("B135", "AADB2C90157: User has exceeded maximum number for retry attempts for a self-asserted step."),
        ("B136", "Second SMS within 30 seconds: the code is throttled"),
        (
            "B137",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=1&response_type=code&scope=openid&lang=de&code_challenge=x&state=1"
        ),
        (
            "B139",
            "Error Domain=MSALErrorDomain Code=-50000 UserInfo={MSALErrorDescriptionKey=Only one interactive session is allowed at a time., MSALInternalErrorCodeKey=-42402}"
        ),
        (
            "B140",
            "Parallel acquireTokenSilent calls from the interceptor: multiple refresh token requests, many token requests fail"
        ),
        (
            "B141",
            "Two acquireTokenSilent calls with different scopes at once: only one gets an access token, the other is undefined"
        ),
        ("B143", "Two tabs with localStorage: ClientAuthError: invalid_state_error / nonce_mismatch"),
        (
            "B144",
            "BrowserAuthError: interaction_in_progress: Interaction is currently in progress. Please ensure that this interaction has been completed before calling an interactive API."
        ),
        (
            "B145",
            "BrowserAuthError: no_token_request_cache_error: No token request found in cache. (iOS Safari, new tab)"
        ),
        ("B146", "passport-azure-ad: In collectInfoFromReq: invalid state received in the request"),
        (
            "B147",
            "MsalClientException ErrorCode: state_mismatch: Returned state(...) from authorize endpoint is not the same"
        ),
        ("B148", "State with semicolons comes back truncated at the semicolon"),
        ("B149", "Users open the invite link and get: ClientAuthError state_not_found"),
        ("B150", "AADSTS54005: OAuth2 Authorization code was already redeemed, please retry with a new valid code"),
        ("B151", "invalid_grant AADB2C90183: The supplied code_verifier is invalid"),
        ("B152", "AADB2C99059: The supplied request must present a code_challenge"),
        (
            "B154",
            """
            {"issuer":"https://contoso.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/","authorization_endpoint":\
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize","token_endpoint":\
            "https://evil.test/token"}
            """
        ),
        (
            "B155",
            "https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/logout?post_logout_redirect_uri=http%3A%2F%2Fevil.test"
        ),
        ("B156", "new BearerStrategy({ identityMetadata: '...', validateIssuer: false, passReqToCallback: false })"),
    ]

    static let reports: [(id: String, text: String)] = [
        (
            "R01",
            """
            The operation couldn’t be completed. (com.apple.AuthenticationServices.WebAuthenticationSession error 3.)
            """
        ),
        (
            "R02",
            """
            User signs in on domain1.com and with ssoSilent() on domain2.com. Front-channel logout URL is set for \
            both domains, but after logoutRedirect() domain2 is still signed in.
            """
        ),
        ("R03", "Bad Request - Request Too Long. HTTP Error 400. The size of the request headers is too long."),
        (
            "R04",
            """
            BrowserAuthError: hash_empty_error: Hash value cannot be processed because it is empty. Please verify \
            that your redirectUri is not clearing the hash. Given Url: https://app.test/login
            """
        ),
        (
            "R05",
            """
            Refused to connect to \
            'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token' because it \
            violates the following Content Security Policy directive: "connect-src 'self'". BrowserAuthError: \
            post_request_failed: Network request failed: If the browser threw a CORS error, check that the \
            redirectUri is registered in the Azure App Portal as type 'SPA'
            """
        ),
        ("R06", "After an admin reset the user flow only shows: The password has expired"),
        (
            "R07",
            """
            IDX40001: Issuer: 'https://account.contoso.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/', does not \
            match any of the valid issuers provided for this application. We use Front Door with a custom domain.
            """
        ),
        ("R08", "Error Domain=org.openid.appauth.general Code=-15 \"Nonce mismatch\""),
        (
            "R09",
            """
            MsalServiceException: AADB2C90159: A self-asserted verification request has failed with reason \
            'Failed to send verification request'.
            """
        ),
        (
            "R10",
            """
            [invalid_request] AADB2C99027: Policy 'B2C_1_susi' does not contain a AuthorizationTechnicalProfile \
            with a corresponding ClientAssertionType.
            """
        ),
        (
            "R11",
            """
            ROPC with AcquireTokenByUsernamePassword works, but there is no id_token, so AcquireTokenSilent finds \
            no account
            """
        ),
        (
            "R12",
            """
            java.lang.IllegalStateException: Expected BEGIN_OBJECT but was STRING at line 1 column 1 path $
            """
        ),
        (
            "R13",
            """
            MsalServiceException - AADB2C90273: An invalid response was received : 'Error: access_denied,Error \
            Description: Permissions error'.
            """
        ),
        (
            "R14",
            """
            AADB2C90289: We encountered an error connecting to the identity provider. Please try again later.
            """
        ),
        (
            "R15",
            """
            PlatformException(end_session_failed, Failed to end session: The operation couldn’t be completed. \
            (org.openid.appauth.general error -3.), null, null)
            """
        ),
        (
            "R16",
            """
            AcquireTokenSilent returns the wrong accesstoken when multiple users login: User 1's app gets the \
            token of User 2
            """
        ),
        (
            "R17",
            """
            Login with a new user skips password entry page and passes the credentials of the previous user
            """
        ),
        (
            "R18",
            """
            com.microsoft.identity.client.exception.MsalClientException: Sdk cancelled the auth flow as the app \
            launched a new interactive auth request.
            """
        ),
        (
            "R19",
            """
            Call Me option not able to redirect to redirect_uri after doing 2FA: the call is verified, then the \
            spinner keeps rotating
            """
        ),
        ("R20", "Exception: Correlation failed. The app runs behind Azure Front Door."),
        (
            "R21",
            """
            loginRedirect with domain_hint google.com works, acquireTokenRedirect leads to the wrong page with \
            the policy selection
            """
        ),
        (
            "R22",
            """
            BrowserAuthError: pkce_not_created: The PKCE code challenge and verifier could not be generated. \
            Detail:TypeError: Cannot read property 'digest' of undefined
            """
        ),
        (
            "R23",
            """
            popup_window_error: Error opening popup window. This can happen if you are using IE or if popups are \
            blocked in the browser. Details: BrowserAuthError: empty_window_error: window.open returned null
            """
        ),
        ("R24", "the auth is stuck after browser session restore: the B2C login page is restored, not our app"),
        ("R25", "Missing claims when redeeming refresh token using a custom user journey"),
        ("R26", "server_error: AADB2C90051: No suitable claims providers were found."),
        ("R27", "Recurring prompt to enroll in MFA using TOTP although the enrollment was completed"),
    ]
}
