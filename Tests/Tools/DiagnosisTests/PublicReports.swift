import Diagnosis

/// Reports that people published, outside of the catalogue: the error as reported, shortened to codes and messages, and
/// the cause that its thread settled on.
enum PublicReports {
    static let cases: [(thread: String, text: String, id: String, certainty: Diagnosis.Certainty)] = [
        (
            "aspnetcore-webapp-openidconnect-v2#347",
            #"""
            SecurityTokenInvalidAudienceException: IDX10214: Audience validation failed. Audiences: 'a1b2c3d4-1111-2222-3333-444455556666'. Did not match: validationParameters.ValidAudience: 'a1b2c3d4-1111-2222-3333-444455556666 ' or validationParameters.ValidAudiences: 'null'.
            """#,
            "audience-has-space", .certain
        ),
        (
            "active-directory-b2c-dotnetcore-webapi#4",
            #"""
            Audience validation failed. Audiences: '25eef6e4-c905-4a07-8eb4-0d08d5df8b3f'. Did not match: validationParameters.ValidAudience: '49789056-09c1-4ad1-8038-b0235472f36e' or validationParameters.ValidAudiences: 'null'.
            """#,
            "B76", .certain
        ),
        (
            "active-directory-b2c-dotnet-webapp-and-webapi#91",
            #"""
            IDX10501: Signature validation failed. Unable to match keys:
            kid: 'X5eXk4xyojNFum1kl2Ytv8dlNP4-c57dO6QGTVBwaNk', token: '{"alg":"RS256","kid":"X5eXk4xyojNFum1kl2Ytv8dlNP4-c57dO6QGTVBwaNk","typ":"JWT"}.{"tfp":"B2C_1_edit_profile"}'
            sign-in with B2C_1A_signup_signin works, profile edit fails
            """#,
            "key-of-another-policy", .possible
        ),
        (
            "passport-azure-ad#352",
            #"""
            {"name":"AzureAD: OIDC Passport Strategy","hostname":"mac","pid":1227,"level":30,"msg":"authentication failed due to: In _validateResponse: We did not receive a token we know how to validate","time":"2018-01-13T01:42:49.107Z","v":0}
            """#,
            "passport-token-without-a-known-key", .likely
        ),
        (
            "active-directory-b2c-custom-policy-starterpack#8",
            #"""
            ErrorMessage: server_error
            ErrorDescription:
            AADB2C: An exception has occured.
            Correlation ID: 9f92fe54-31e6-4ff8-8145-399311128ef8
            Timestamp: 2017-08-14 06:24:34Z
            App Insights: "An exception was caught when making a request to URL "https://graph.facebook.com/oauth/access_token" using method "Get". The exception status code was ProtocolError with the following message: The remote server returned an error: (400) Bad Request. Error validating client secret."
            """#,
            "secret-at-the-provider", .likely
        ),
        (
            "azure-docs#53238",
            #"""
            AADB2C90238: The provided token does not contain a valid issuer. Please provide another token and try again.
            METADATA https://login.microsoftonline.com/contoso.net/.well-known/openid-configuration
            """#,
            "issuer-of-the-provider", .certain
        ),
        (
            "azure-docs#29431",
            #"""
            AADB2C: A claim with id 'UserId' was not found, which is required by ClaimsTransformation 'CreateAlternativeSecurityId' with id 'CreateAlternativeSecurityId' in policy 'B2C_1_test_v2' of tenant 'xxx.onmicrosoft.com'.
            """#,
            "claim-not-there-for-the-transformation", .certain
        ),
        (
            "azure-ad-b2c/samples#264",
            #"""
            Exception Message: A Claim of ClaimType with id "accountEnabled" was not found, which is required by the ClaimsTransformationImpl of Type "Microsoft.Cpim.Data.Transformations.AssertBooleanClaimIsEqualToValueTransformation" for TransformationMethod "AssertBooleanClaimIsEqualToValue" referenced by the ClaimsTransformation with id "AssertAccountEnabledIsTrue" in policy "B2C_1A_TrustFrameworkBase" of tenant "smx.onmicrosoft.com"., Exception Type:PolicyException, CorrelationID:95284105-ee16-4a17-acd3-5e82edd4896e
            """#,
            "claim-not-there-for-the-transformation", .certain
        ),
        (
            "microsoft-authentication-library-for-js#2271",
            #"""
            AADSTS9002325: Proof Key for Code Exchange is required for cross-origin authorization code redemption.
            """#,
            "server-redirect-as-single-page", .certain
        ),
        (
            "microsoft-identity-web#1754",
            #"""
            AADB2C90289: We encountered an 'invalid_client' error connecting to the identity provider. Please try again later.
            """#,
            "R14", .likely
        ),
        (
            "AspNetCore.Docs#17319",
            #"""
            There was an error trying to log you in: 'AADB2C90205: This application does not have sufficient permissions against this web resource to perform the operation.
            """#,
            "B67", .certain
        ),
        (
            "aspnetcore#26195",
            #"""
            abc.b2clogin.com/abc.onmicrosoft.com/b2c_1_signin/oauth2/v2.0/token:1 Failed to load resource: the server responded with a status of 400 (Bad Request)
            "error":"invalid_request","error_description":"AADB2C90079: Clients must send a client_secret when redeeming a confidential grant."
            """#,
            "B08", .likely
        ),
        (
            "aspnetcore#35162",
            #"""
            There was an error trying to log you in: 'Cannot read property 'toLowerCase' of undefined'
            """#,
            "assembly-trimmed", .possible
        ),
        (
            "react-native-app-auth#537",
            #"""
            authorize: The operation couldn't be completed. (org.openid.appauth.general error -3.)
            browser shows 404 at https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?client_id=1&response_type=code&redirect_uri=app%3A%2F%2Fcb&state=x
            """#,
            "no-policy-in-the-address", .likely
        ),
        (
            "flutter_appauth#101",
            #"""
            discovery: https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration?p=B2C_1_susi
            "authorization_endpoint": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/oauth2/v2.0/authorize?p=b2c_1_susi"
            404 - File or directory not found
            """#,
            "B20", .possible
        ),
        (
            "OWIN, troubleshoot-validation-context-nonce-null-mvc",
            #"""
            IDX21323: RequireNonce is '[PII is hidden by default. Set the 'ShowPII' flag in IdentityModelEventSource.cs to true to reveal it.]'. OpenIdConnectProtocolValidationContext.Nonce was null, OpenIdConnectProtocol.ValidatedIdToken.Payload.Nonce was not null. The nonce cannot be validated.
            """#,
            "nonce-cookie-missing", .certain
        ),
        (
            "stackoverflow 39412570",
            #"""
            IDX10311: RequireNonce is 'true' (default) but validationContext.Nonce is null. A nonce cannot be validated. If you don't need to check the nonce, set OpenIdConnectProtocolValidator.RequireNonce to 'false'.
            """#,
            "nonce-cookie-missing", .certain
        ),
        (
            "azure-spring-boot#758",
            #"""
            java.lang.IllegalArgumentException: Missing attribute 'name' in attributes
            	at org.springframework.security.oauth2.core.user.DefaultOAuth2User.<init>(DefaultOAuth2User.java:67)
            """#,
            "attribute-missing-in-the-token", .certain
        ),
        (
            "azure-spring-boot#841",
            #"""
            GET https://contosob2c.b2clogin.com/contosob2c.onmicrosoft.com/oauth2/v2.0/authorize?response_type=code&client_id=7a945e86-c12e-4f0c-b1a0-942f1857f953&scope=7a945e86-c12e-4f0c-b1a0-942f1857f953%20openid&state=2ada18rj8X9cXb6pTknrZe3_1pWOu1la8-ctjY-ZAZM%3D&redirect_uri=http://localhost:8080/home&nonce=hl3FFEoVEZraN6D1Fm0uwp5v8qnDWhlerN4rya4h5fM
            404
            """#,
            "no-policy-in-the-address", .likely
        ),
        (
            "azure-spring-boot#830",
            #"""
            NoSuchBeanDefinitionException: No qualifying bean of type 'com.microsoft.azure.spring.autoconfigure.b2c.AADB2COidcLoginConfigurer' available: expected at least 1 bean which qualifies as autowire candidate.
            """#,
            "spring-settings-missing", .likely
        ),
        (
            "static-web-apps#890",
            #"""
            GET https://site.azurestaticapps.net/.auth/login/aadb2c 404 (Not Found)
            """#,
            "static-web-app-provider-not-found", .likely
        ),
        (
            "static-web-apps#857",
            #"""
            403: Forbidden We need an email address or a handle from your login service. To use this login, please update your account with the missing info.
            """#,
            "static-web-app-needs-a-name", .certain
        ),
        (
            "microsoft-authentication-library-for-android#2258",
            #"""
            com.microsoft.identity.client.exception.MsalServiceException: primary error: 4 certificate: Issued to: CN=*.eyeota.net;
            Issued by: CN=R3,O=Let's Encrypt,C=US;
             on URL: https://ps.eyeota.net/match?uid=5142336732427414606
            """#,
            "certificate-of-a-page-resource", .possible
        ),
        (
            "microsoft-authentication-library-for-js#4939",
            #"""
            network_error: Network request failed. Please check network trace to determine root cause. | Fetch client threw: Error: HTTP status code 400 | Attempted to reach: https://login.microsoftonline.com/common/oauth2/v2.0/token
            acquireTokenByClientCredential
            """#,
            "client-credentials-at-b2c", .likely
        ),
        (
            "microsoft-authentication-library-for-dotnet#1771",
            #"""
            Microsoft.Identity.Client: AADSTS50049: Unknown or invalid instance.
            AcquireTokenForClient with https://contoso.b2clogin.com
            """#,
            "client-credentials-at-b2c", .likely
        ),
        (
            "microsoft-authentication-library-for-js#5808",
            #"""
            ServerError: invalid_request: undefined - [undefined]: AADB2C90084: Public clients should not send a client_secret when redeeming a publicly acquired grant.
            """#,
            "B10", .certain
        ),
        (
            "vue-msal#15",
            #"""
            GET https://login.microsoftonline.com/common/discovery/instance?api-version=1.0&authorization_endpoint=https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_login/oauth2/v2.0/authorize 400 (Bad Request)
            """#,
            "known-authorities-missing", .likely
        ),
        (
            "microsoft-authentication-library-for-js#1124",
            #"""
            POST https://tenant.b2clogin.com/77777777-7bd7-777e-7a7e-ba7ff777f77c/B2C_1A_SignInOnlyKMSI/SelfAsserted?tx=StateProperties=eyJUSUQiOiI5NjNiYzhkNS04N2M1 400 (Bad Request)
            tab left open over night
            """#,
            "page-transaction-gone", .possible
        ),
        (
            "microsoft-authentication-library-for-dotnet#4095",
            #"""
            Azure.Identity: MsalServiceException ErrorCode: unknown_broker_error
            Microsoft.Identity.Client.MsalServiceException: Unknown Status: Unexpected
            Error: 0xffffffff80070490
            """#,
            "broker-cannot-serve-b2c", .likely
        ),
        (
            "microsoft-authentication-library-for-dotnet#808",
            #"""
            Microsoft.Identity.Client.MsalClientException: On the Android platform, you have to pass the Activity to the UIParent object. See https://aka.ms/msal-interactive-android for details.
            """#,
            "parent-activity-missing", .certain
        ),
        (
            "microsoft-authentication-library-for-dotnet#3078",
            #"""
            MSAL.Xamarin.iOS.4.39.0.0.MsalServiceException: ErrorCode: invalid_request
            Microsoft.Identity.Client.MsalServiceException: AADB2C90083: The request is missing required parameter: grant_type
            """#,
            "request-body-lost", .likely
        ),
        (
            "azure-docs#57242",
            #"""
            AADB2C90075: The claims exchange 'REST-GetProfile' specified in step '7' returned HTTP error response with Code 'NotFound' and Reason 'Not Found'.
            """#,
            "rest-service-not-found", .certain
        ),
        (
            "azure-docs#56189",
            #"""
            Failed to establish connection to restful service end point within timeout limit 30 seconds. Restful service URL https://api.contoso.com/check
            """#,
            "rest-service-too-slow", .certain
        ),
        (
            "microsoft-authentication-library-for-js#3790",
            #"""
            BrowserAuthError: interaction_in_progress: Interaction is currently in progress. Please ensure that this interaction has been completed before calling an interactive API.  For more visit: aka.ms/msaljs/browser-errors.
            @azure/msal-angular 2.0, getActiveAccount() returns null
            """#,
            "B144", .likely
        ),
        (
            "microsoft-authentication-library-for-js#6843",
            #"""
            ClientAuthError: Invalid state
            msal-angular for Azure AD and angular-oauth2-oidc for B2C in one app
            """#,
            "state-of-another-request", .possible
        ),
        (
            "troubleshoot-error-idx10501-aspnet-b2c",
            #"""
            IDX10501: Signature validation failed. Unable to match key: kid: '[PII of type 'System.String' is hidden. For more details, see]'. Number of keys in TokenValidationParameters: '0'. Number of keys in Configuration: '1'. Exceptions caught: '[PII of type 'System.Text.StringBuilder' is hidden. For more details, see]'. token: '[PII of type 'System.IdentityModel.Tokens.Jwt.JwtSecurityToken' is hidden. For more details, see]'.
            """#,
            "key-of-another-policy", .possible
        ),
        (
            "social-core#699",
            #"""
            KeyError at /accounts/complete/oidc/
            'access_token'
            Exception Type: KeyError
            Exception Location: /usr/local/lib/python3.10/site-packages/social_core/backends/open_id_connect.py, line 234, in request_access_token
            """#,
            "no-access-token-for-the-server", .likely
        ),
        (
            "mozilla-django-oidc#347",
            #"""
            https://TENANTID.b2clogin.com/TENANTID.onmicrosoft.com/oauth2/v2.0/authorize?p=b2c_1_TENANTID_signin?response_type=code&scope=openid+email&client_id=XXXXXXXXXXXXXXX&redirect_uri=http%3A%2F%2Flocalhost%3A8000%2Foidc%2Fcallback%2F&state=pt8aYXicnYRSQkkB8kwHSv4hQwt9Xzre&nonce=UfLfk6QovA2inpfo9W7zS2MZHLpO1tkJ
            """#,
            "B20", .possible
        ),
        (
            "microsoft-authentication-library-for-js#7115",
            #"""
            InteractionRequiredAuthError: interaction_required: AADB2C90077: User does not have an existing session and request prompt parameter has a value of 'None'.
            @azure/msal-browser acquireTokenSilent
            """#,
            "session-needed-for-the-silent-call", .certain
        ),
        (
            "aspnetcore-webapp-openidconnect-v2#247",
            #"""
            InvalidOperationException: IDX20803: Unable to obtain configuration from: 'https://contoso.b2clogin.com/common/v2.0/.well-known/openid-configuration'.
               at Microsoft.IdentityModel.Protocols.ConfigurationManager`1.GetConfigurationAsync(CancellationToken cancel)
            """#,
            "B18", .likely
        ),
        (
            "microsoft-identity-web#1802",
            #"""
            System.ArgumentNullException: IDW10106: The 'TenantId' option must be provided.
               at Microsoft.Identity.Web.MergedOptionsValidation.Validate(MergedOptions options)
            "AzureAdB2C": { "Instance": "https://contoso.b2clogin.com", "Domain": "contoso.onmicrosoft.com", "ClientId": "57bb9b2e", "CallbackPath": "/signin-oidc" }
            """#,
            "policy-missing-in-the-settings", .likely
        ),
        (
            "microsoft-authentication-library-for-js#2801",
            #"""
            ServerError: server_error: AADB2C90273: An invalid response was received : 'Error: invalid_request,Error Description: Proof Key for Code Exchange is required for cross-origin authorization code redemption.'
            """#,
            "server-redirect-as-single-page", .certain
        ),
        (
            "microsoft-identity-web#384",
            #"""
            IDX20804: Unable to retrieve document from: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration'
            """#,
            "B18", .likely
        ),
        (
            "ad-b2c-oidc-angular#3",
            #"""
            Failed to load https://login.microsoftonline.com/common/discovery/keys: No 'Access-Control-Allow-Origin' header is present on the requested resource. Origin 'http://localhost:65328' is therefore not allowed access.
            """#,
            "directory-address-in-place-of-the-policy", .likely
        ),
        (
            "ms-identity-python-webapp#28",
            #"""
            127.0.0.1 - - [01/Jun/2020 18:57:25] "GET /getAToken?error=redirect_uri_mismatch&error_description=AADB2C90006%3a+The+redirect+URI+%27http%3a%2f%2f127.0.0.1%3a5000%2fgetAToken%27+provided+in+the+request+is+not+registered+for+the+client+id+%272a12c9b6-dfe9-4a83-a329-a51f5acf28e2%27.%0d%0aCorrelation+ID%3a+e7461ec9-5d98-4b87-a940-951802ae0d3f&state=2b18432b HTTP/1.1" 302 -
            """#,
            "redirect-uri-not-registered", .certain
        ),
        (
            "microsoft-authentication-library-for-js#236",
            #"""
            id_token AADB2C90055: The scope 'openid profile' provided in request must specify a resource, such as 'https://example.com/calendar.read'.
            Correlation ID: 37515e59-c83e-4468-a88b-6df01e7ecc8f
            invalid_request
            """#,
            "B64", .certain
        ),
        (
            "Blazor.Msal#11",
            #"""
            AADB2C90117: The scope 'app://blazor.msal.api/api.access' provided in the request is not supported
            """#,
            "B65", .certain
        ),
        (
            "o365-moodle#200",
            #"""
            Error in OpenID Connect: The provided JWE 'eyJraWQiOiJjcGlt' is not a valid 5 segment token.
            """#,
            "B100", .likely
        ),
        (
            "angular-auth-oidc-client#1109",
            #"""
            Can not create an authorize url when authorizationEndpoint is 'undefined'
            angular-auth-oidc-client
            """#,
            "endpoints-of-the-policy-unknown", .possible
        ),
        (
            "aspnetcore#46305",
            #"""
            Access to XMLHttpRequest at 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=1&redirect_uri=https%3A%2F%2Flocalhost%3A5001%2Fsignin-oidc' (redirected from 'https://localhost:5001/api/preferences') from origin 'https://localhost:5001' has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header is present on the requested resource.
            """#,
            "login-page-fetched-by-script", .certain
        ),
        (
            "stackoverflow 45023433",
            #"""
            Correlation ID: 4ac6f519-0949-42e0-96a7-d84d14454bbb
            Timestamp: 2017-07-10 23:07:48Z
            AADB2C90205: This application does not have sufficient permissions against this web resource to perform the operation.
            """#,
            "B67", .certain
        ),
        (
            "azure-docs#38447",
            #"""
            Error 400: redirect_uri_mismatch
            The redirect URI in the request, https://login.microsoftonline.com/te/contoso.onmicrosoft.com/oauth2/authresp, does not match the ones authorized for the OAuth client.
            """#,
            "google-redirect-or-client", .likely
        ),
        (
            "oauth2-azure#172",
            #"""
            UnexpectedValueException: JWK must contain an "alg" parameter
             at JWK::parseKey, TheNetworg/oauth2-azure getJwtVerificationKeys
            """#,
            "keys-without-algorithm", .certain
        ),
        (
            "passport-azure-ad#219",
            #"""
            passport-azure-ad: authentication failed due to: a key with kid X5eXk4xyojNFum1kl2Ytv8dlNP4 cannot be found
            """#,
            "metadata-of-another-authority", .possible
        ),
        (
            "capacitor-plugin-msauth#39",
            #"""
            User cancelled the auth session
            capacitor-plugin-msauth iOS
            """#,
            "redirect-does-not-return-to-the-app", .possible
        ),
        (
            "microsoft-authentication-library-for-js#4842",
            #"""
            Application error net::ERR_CONNECTION_REFUSED (http://localhost/#code=abcdefghijklmnop&state=1)
            @azure/msal-angular in ionic
            """#,
            "nothing-listens-at-the-redirect-uri", .likely
        ),
        (
            "next-auth#7809",
            #"""
            [auth][cause]: OperationProcessingError: “response” is not a conform Authorization Server Metadata response
            SvelteKitAuth, azure-ad-b2c
            """#,
            "next-auth-metadata-not-found", .likely
        ),
        (
            "next-auth#7810",
            #"""
            [auth][error][CallbackRouteError]: Read more at https://errors.authjs.dev#callbackrouteerror
            [auth][cause]: OperationProcessingError: "response" body "access_token" property must be a non-empty string
                at processGenericAccessTokenResponse (oauth4webapi/build/index.js:892:15)
            """#,
            "no-access-token-for-the-server", .likely
        ),
        (
            "azure-ad-b2c/samples#289",
            #"""
            Unable to validate the information provided.
            policy force-password-reset-after-90-days, extension_passwordResetOn
            """#,
            "page-answer-fails-inside", .possible
        ),
        (
            "microsoft-authentication-library-for-dotnet#4392",
            #"""
            404 https://login.microsoftonline.com/775527ff-9a37-4307-8b3d-cc311f58d925/oauth2/v2.0/oauth2/v2.0/token
            ConfidentialClientApplicationBuilder WithB2CAuthority AcquireTokenForClient
            """#,
            "B19", .likely
        ),
        (
            "microsoft-authentication-library-for-js#237",
            #"""
            AADSTS90130: Application 'a1b2' (Test) is not supported over the /common or /consumers endpoints. Please use the /organizations or tenant-specific endpoint.: invalid_request
            """#,
            "AADSTS90130", .certain
        ),
        (
            "nuxt-auth-utils#319",
            #"""
            AADSTS9002325: Proof Key for Code Exchange is required for cross-origin authorization code redemption.
            nuxt-auth-utils, defineOAuthMicrosoftEventHandler
            """#,
            "server-redirect-as-single-page", .certain
        ),
        (
            "ms-identity-javascript-angular-tutorial#37",
            #"""
            ServerError: invalid_request: 9002326 - [2021-09-03 14:20:13Z]: AADSTS9002326: Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.
            """#,
            "AADSTS9002326", .certain
        ),
        (
            "microsoft-authentication-library-for-js#3637",
            #"""
            AADSTS9002327: Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests. msal-node
            """#,
            "server-redirect-as-single-page", .certain
        ),
    ]
}
