import Diagnosis
import Testing

/// Error texts as libraries, services and policies print them, each with the causes of which one comes first. Names,
/// addresses and ids are made up.
enum ErrorTexts {
    static let cases: [(text: String, first: [String])] = policies + directory + tokens + apps

    /// Uploads that are refused, journeys that stop, and what B2C calls.
    static let policies: [(text: String, first: [String])] = [
        (
            "{ \"error\": { \"code\": \"AADB2C\", \"message\": \"User Authorization: Access is denied.\" } }",
            ["trust-framework-permission"]
        ),
        (
            "Uploading policy B2C_1A_Tide_Base\n{ \"error\": { \"code\": \"UnknownError\", \"message\": \"\" } }",
            ["transient-upload-failure"]
        ),
        (
            "Uploading policies/TrustFrameworkExtensions.xml\nError: Action failed: Unauthenticated",
            ["transient-upload-failure"]
        ),
        (
            "GET https://tidepages.blob.core.windows.net/login/tide.html 409 (Public access is not permitted on this storage account.)",
            ["template-storage-not-public"]
        ),
        (
            "<Code>ResourceNotFound</Code> https://tidepages.blob.core.windows.net/login/tide.html",
            ["template-storage-not-public"]
        ),
        (
            "https://www.facebook.com/dialog/oauth?client_id=1\nNot Logged In: You are not logged in. Please log in and try again.",
            ["facebook-app-settings"]
        ),
        (
            "AADB2C90075: The claims exchange 'REST-HarborScore' specified in step '2' returned HTTP error response with Code 'BadRequest' and Reason 'Bad Request'.\nCorrelation ID: 0b0c1f9e-7d13-4a7a-9b1f-6f2f3f1c2d11",
            ["rest-service-refuses-input"]
        ),
        (
            "The claims exchange 'REST-HarborScore' specified in step '4' returned HTTP error response with Code 'NotFound' and Reason 'Not Found'.",
            ["rest-service-not-found"]
        ),
        (
            "Exception: The claims exchange 'REST-Roles' specified in step '5' returned HTTP error response with Code 'Unauthorized' and Reason 'Unauthorized'.",
            ["rest-service-refuses-the-call"]
        ),
        (
            "The claims exchange 'REST-Roles' specified in step '5' returned HTTP error response with Code 'Forbidden' and Reason 'Ip Forbidden'.",
            ["rest-service-refuses-the-call"]
        ),
        (
            "server_error: AADB2C90075: The claims exchange 'REST-Roles' specified in step '5' returned HTTP error response with Code 'InternalServerError' and Reason 'Internal Server Error'.",
            ["rest-service-fails"]
        ),
        (
            "The claims exchange 'CallQuota' specified in step '3' returned HTTP error response with Code 'ServiceUnavailable' and Reason 'Function host is not running.'.",
            ["rest-service-fails"]
        ),
        (
            "The claims exchange 'CallQuota' specified in step '3' returned HTTP error response with Code 'Conflict' and Reason 'Conflict'.",
            ["B124", "rest-service-conflict"]
        ),
        (
            "Failed to establish connection to restful service end point within timeout limit 30 seconds. Restful service URL: https://quota.tide.test/api/check",
            ["rest-service-too-slow"]
        ),
        (
            "AADB2C90075: The claims exchange 'CallQuota' specified in step '3' returned HTTP error response with Code 'RequestTimeout' and Reason 'Request Timeout'.",
            ["rest-service-too-slow"]
        ),
        (
            "AADB2C: Unable to connect to the metadata endpoint 'https://idp.tide.test/.well-known/openid-configuration'\nInner: The underlying connection was closed: Could not establish trust relationship for the SSL/TLS secure channel.",
            ["provider-tls"]
        ),
        (
            "\"Message\": \"An exception was caught when making a request to URL \\\"https://idp.tide.test/token\\\" using method \\\"Post\\\". The exception status code was NameResolutionFailure with the following message: The remote name could not be resolved: 'idp.tide.test'.\"",
            ["provider-name-not-found"]
        ),
        (
            "An exception was caught when making a request to URL \"https://github.com/login/oauth/access_token\" using method \"Post\". The exception status code was ProtocolError with the following message: The remote server returned an error: (401) Unauthorized.",
            ["secret-at-the-provider", "call-to-a-service-failed"]
        ),
        (
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_TIDE_SUSI\" of tenant \"tide.onmicrosoft.com\".TechnicalProfile \"Facebook-OAUTH\" in policy \"B2C_1A_tide_susi\" of tenant \"tide.onmicrosoft.com\" defines an invalid value \"\" for the metadata item \"client_id.\"",
            ["provider-client-id-missing"]
        ),
        (
            "Unable to upload policy. Reason : Validation failed: 1 validation error(s) found in policy \"B2C_1A_TIDE_SUSI\" of tenant \"tide.onmicrosoft.com\".TechnicalProfile \"login-NonInteractive\" in policy \"B2C_1A_tide_susi\" of tenant \"tide.onmicrosoft.com\" defines an invalid value \"\" for the metadata item \"client_id.\"",
            ["local-account-apps"]
        ),
        (
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_TIDE\" of tenant 'tide.onmicrosoft.com'.Schema validation error found at line 10 col 38 in policy \"B2C_1A_TIDE\" of tenant 'tide.onmicrosoft.com': The element cannot contain white space. Content model is empty.",
            ["element-with-text", "attribute-or-value-not-in-the-schema", "element-out-of-order"]
        ),
        (
            "{ \"error\": { \"code\": \"AADB2C\", \"message\": \"The application does not have any of the required application permissions (Policy.ReadWrite.TrustFramework) to access the resource. \" } }",
            ["trust-framework-permission"]
        ),
        (
            "Forbidden({ \"error\": { \"code\": \"AADB2C\", \"message\": \"The application does not have any of the required delegated permissions (Policy.Read.All, Policy.ReadWrite.TrustFramework) to access the resource. \"}})",
            ["trust-framework-permission"]
        ),
        (
            "{\"Kind\":\"FatalException\",\"Content\":{\"Exception\":{\"Kind\":\"Handled\",\"HResult\":\"80131509\",\"Message\":\"Claims exchange with id 'tideExchange' could not be found in orchestration step '2' and the step contains more than one claims exchange.\",\"Data\":{}}}}",
            ["exchange-not-in-the-step"]
        ),
        (
            "Exception Message:A content definition data uri is required. Orchestration step '2' of user journey 'ChangePhone' in policy 'B2C_1A_Phone' does not reference one nor does one of its referenced technical profiles., Exception Type:PolicyException, CorrelationID:c5ce1469-b975-4aea-aac6-4bd32ab6b08b",
            ["page-not-named"]
        ),
        (
            "The claim type \"alternativeSecurityId\", designated as the identifier claim type, could not be found in the claims collection for the claims principal in tenant id \"tide.onmicrosoft.com\".",
            ["lookup-claim-missing"]
        ),
        (
            "AADB2C90037 ... App Insights: A claim could not be found for lookup claim with id \"alternativeSecurityId\" defined in technical profile with id \"AAD-UserReadUsingAlternativeSecurityId-NoError\" policy \"B2C_1A_TIDE_SUSI\" of tenant \"tide.onmicrosoft.com\".",
            ["lookup-claim-missing"]
        ),
        (
            "Validation failed: 2 validation error(s) found in policy \"B2C_1A_DROP\" of tenant \"tide.onmicrosoft.com\".Claim type \"alternativeSecurityId\" is the input claim of technical profile \"AAD-UserReadUsingAlternativeSecurityId-NoError\" in step \"3\" of user journey \"DropAccount\" but it is not an output claim in any of the previous steps.",
            ["claim-not-brought-before"]
        ),
        (
            "AADB2C: An exception has occurred. in the log: Output claim type \"alternativeSecurityId\" specified in the technical profile with id \"SelfAsserted-LocalAccountSignin-Email\" in policy \"B2C_1A_MFA_susi\" of tenant \"tide.onmicrosoft.com\" does not specify a UserInputType or a DefaultValue, and is not retrieved from a ValidationTechnicalProfile either.",
            ["claim-without-a-field"]
        ),
        (
            "Claim type \"identityProvider\" is the output claim of the relying party's technical profile, but it is not an output claim in any of the steps of user journey \"DropAccount\".",
            ["claim-not-brought-before"]
        ),
        (
            "Unable to upload policy. Reason : Validation failed: 1 validation error(s) found in policy \"B2C_1A_TRUSTFRAMEWORKBASE\" of tenant \"tide.onmicrosoft.com\".Tenant \"tide.onmicrosoft.com\" does not have CryptographicKey referenced by storageReferenceId \"B2C_1A_TokenSigningKeyContainer\".",
            ["key-container-missing"]
        ),
        (
            "AADB2C90073: KeyContainer with 'id': 'B2C_1A_TideSecret' cannot be found in the directory '775527ff-9a37-4307-8b3d-cc311f58d925'",
            ["key-container-missing"]
        ),
        (
            "SAML2 exception: Requester: Application registered corresponding to IssuerUri \"https://learn.tide.test/auth/saml2/sp/metadata.php\" in AuthRequest does not have assertion consumer service URL \"https://learn.tide.test/auth/saml2/sp/saml2-acs.php/learn\" specified in its metadata.",
            ["saml-reply-address"]
        ),
        (
            "The metadata specified for the identity provider does not contain an IDPSSODescriptor",
            ["saml-metadata-of-the-wrong-side"]
        ),
        (
            "AADB2C90168: The HTTP-Redirect request does not contain the required parameter 'Signature' for a signed request.",
            ["saml-response-not-signed", "saml-message-refused"]
        ),
        (
            "SAML Error: The service provider is not a valid audience of the assertion",
            ["saml-audience"]
        ),
        (
            "OAuth2AuthenticationException: [invalid_token] An error occurred while attempting to decode the Jwt: The iss claim is not valid",
            ["issuer-of-the-settings-differs", "id-token-claims-refused", "B23"]
        ),
        (
            "GET https://tide.azurestaticapps.net/.auth/login/aadb2c 404 (Not Found)",
            ["static-web-app-provider-not-found"]
        ),
        (
            "custom policy from the starter pack: sign up works, but signing in with the new account says The username or password provided in the request are invalid. The same account works in a user flow.",
            ["local-account-apps"]
        ),
        (
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_TIDE_SIGNIN\" of tenant \"tide.onmicrosoft.com\".Attribute UserJourneyRecorderEndpoint in the TrustFrameworkPolicy root node in policy 'B2C_1A_tide_signin' of tenant 'tide.onmicrosoft.com' can only have the value set to 'urn:journeyrecorder:applicationinsights'.",
            ["recorder-endpoint-value"]
        ),
        (
            "Validation failed: 2 validation error(s) found in policy \"B2C_1A_VC_SUSIQ\" of tenant \"tide.onmicrosoft.com\".User journey \"SignUpOrSignIn\" in policy \"B2C_1A_VC_susiq\" of tenant \"tide.onmicrosoft.com\" has step 7 with 2 claims exchanges. It must be preceded by a claims provider selection in order to determine which claims exchange can be used.",
            ["several-exchanges-enabled"]
        ),
        (
            "##[error]An error has occurred.Validation failed: 1 validation error(s) found in policy \"B2C_1A_COMMON_BASE\" of tenant \"tide\".Object reference not set to an instance of an object.62414603-5c62-440b-b772-a1792624c012AADB2C",
            ["upload-refused"]
        ),
        (
            "Validation failed: 1 validation error(s) found in policy \"B2C_1A_X\" of tenant \"tide.onmicrosoft.com\".Profile 'REST-X' uses an insecure authentication mode that is only allowed in production mode policies with metadata key 'AllowInsecureAuthInProduction' set to true.",
            ["rest-authentication-none"]
        ),
        (
            "{\"error\":\"invalid_grant\",\"error_description\":\"AADB2C90085: The service has encountered an internal error. Please reauthenticate and try again.\\r\\nCorrelation ID: 4810f417-400c-4410-a312-00f528dd4490\\r\\nTimestamp: 2017-06-26 13:53:28Z\\r\\n\"}",
            ["B126"]
        ),
        (
            "POST https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1A_HRD_SUSI/SelfAsserted?tx=StateProperties=eyJU&p=B2C_1A_HRD_SUSI\n{ \"status\": \"400\", \"errorCode\": \"AADB2C90278\", \"message\": \"Unable to validate the information provided.\" }",
            ["page-answer-fails-inside", "AADB2C90278"]
        ),
        (
            "Exception Message:A partner claim with id 'identifier' is not found however is required in technical profile 'GenerateOtp' in policy 'B2C_1A_DisplayControl_Signin' of tenant 'tide.onmicrosoft.com'., Exception Type:InvalidReferenceException, CorrelationID:e79515c9-e8bf-47e8-bd19-d782e6b65117",
            ["partner-claim-missing"]
        ),
        (
            "Basic credentials specified for 'SendOtp' are invalid. Check that the credentials are valid and that access has been granted by the resource.",
            ["rest-credentials-of-the-key"]
        ),
        (
            "AADB2C: Unable to connect to the metadata endpoint 'https://localhost:5001/.well-known/openid-configuration'",
            ["provider-not-reached"]
        ),
        (
            "AADB2C90075: The claims exchange 'REST-Q' specified in step '3' returned HTTP error response with Code '429' and Reason 'Too Many Requests'.",
            ["rest-service-fails"]
        ),
        (
            "AADSTS700016: Application with identifier '11111111-2222-4333-8444-555555555555' was not found in the directory 'Tide'. technical profile login-NonInteractive",
            ["local-account-apps"]
        ),
        (
            "The SAML assertion is not signed and the service provider requires signed assertions (WantAssertionsSigned)",
            ["saml-assertion-not-signed-for-the-app"]
        ),
        (
            "An exception was caught when making a request to URL \"https://api.github.com/user\" using method \"Get\". The exception status code was ProtocolError with the following message: The remote server returned an error: (403) Forbidden.",
            ["provider-refuses-the-claims-call"]
        ),
        (
            "An exception was caught when making a request to URL \"https://func.tide.test/api/roles\" using method \"Post\". The exception status code was \"SecureChannelFailure\" with the following message: The request was aborted: Could not create SSL/TLS secure channel.",
            ["rest-service-tls"]
        ),
        (
            "An exception was caught when making a request to URL \"https://graph.facebook.com/oauth/access_token\" using method \"GET\". The exception status code was \"ProtocolError\" with the following message: {\"error\":{\"message\":\"Error validating client secret.\",\"type\":\"OAuthException\",\"code\":1}}",
            ["secret-at-the-provider", "call-to-a-service-failed"]
        ),
        (
            "An exception was caught when making a request to URL \"https://api.reef.test/users/lookup\" using method \"POST\". The exception status code was \"ConnectFailure\" with the following message: Unable to connect to the remote server",
            ["rest-service-too-slow"]
        ),
    ]

    /// Microsoft Graph and names of tenants.
    static let directory: [(text: String, first: [String])] = [
        (
            "Request_BadRequest: The following extension properties are not available: extension_5f0e11112222433384445555_ShoeSize.",
            ["graph-extension-not-there"]
        ),
        (
            "Code: Request_BadRequest\nMessage: Issuer should match tenants domainName for non federated identity.",
            ["graph-identity-issuer"]
        ),
        (
            "{\"error\":{\"code\":\"Request_BadRequest\",\"message\":\"The domain portion of the userPrincipalName property is invalid. You must use one of the verified domain names in your organization.\"}}",
            ["graph-upn-domain"]
        ),
        (
            "{ \"error\": { \"code\": \"InvalidAuthenticationToken\", \"message\": \"Access token validation failure. Invalid audience.\" } }",
            ["graph-refuses-the-policy-token"]
        ),
        (
            "Code: InvalidAuthenticationToken Message: CompactToken parsing failed with error code: 80049217",
            ["graph-refuses-the-policy-token"]
        ),
        (
            "settings:tenant is neither a valid DNS name, nor a valid external domain.",
            ["tenant-name-not-valid"]
        ),
        (
            "Request_ResourceNotFound: Resource '1b6f' does not exist or one of its queried reference-property objects are not present.",
            ["graph-object-not-found"]
        ),
    ]

    /// Tokens and metadata that APIs and web frameworks refuse.
    static let tokens: [(text: String, first: [String])] = [
        (
            "[Verbose] AuthenticationScheme: ArmToken was not authenticated.\n[Information] Failed to validate the token.",
            ["handler-of-another-scheme"]
        ),
        (
            "ArmToken was not authenticated.\nBearer was not authenticated. Failure message: IDX10231: Audience validation failed. Delegate returned false",
            ["handler-of-another-scheme"]
        ),
        (
            "TokenValidationParameters.ValidateAudience = false\nIDX10214: Audience validation failed.",
            ["handler-of-another-scheme"]
        ),
        (
            "Bearer error=\"invalid_token\", error_description=\"The audience '5f0e1111' is invalid\"\nValidateAudience = false, Azure Functions",
            ["handler-of-another-scheme"]
        ),
        (
            "IDX10501: Signature validation failed.\nservices.AddAuthentication(AzureADDefaults.JwtBearerAuthenticationScheme).AddAzureADBearer(o => {});",
            ["metadata-of-another-authority"]
        ),
        (
            "IDX10501: Signature validation failed. Unable to match keys\n\"Instance\": \"https://login.microsoftonline.com/\", the user flow B2C_1_tide issues the token",
            ["metadata-of-another-authority"]
        ),
        (
            "certs = [key['x5c'][0] for key in jwks['keys']]\nKeyError: 'x5c'",
            ["keys-without-certificate"]
        ),
        (
            "jwt.ms shows nothing for eyJraWQiOiJjcGltY29yZV8wOTI1MjAxNSIsInZlciI6IjEuMCJ9..AAECAwQFBgcICQoL.AAECAwQFBgcICQoLDA0ODw.AAECAwQFBgcICQoLDA0ODw",
            ["code-taken-for-a-token"]
        ),
        (
            "Authorization: Bearer eyJraWQiOiJjcGltY29yZV8wOTI1MjAxNSIsInZlciI6IjEuMCJ9..AAECAwQFBgcICQoL.AAECAwQFBgcICQoLDA0ODw.AAECAwQFBgcICQoLDA0ODw -> 401",
            ["code-taken-for-a-token"]
        ),
        (
            "quarkus.oidc.auth-server-url=https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_tide\nissuer validation failed",
            ["issuer-of-the-settings-differs"]
        ),
        (
            "App Service Authentication answers 500. Issuer URL: https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/",
            ["app-service-refuses-the-token"]
        ),
        (
            "The authority URL is incorrect for B2C sign in and sign out policy",
            ["portal-takes-b2clogin-alone"]
        ),
        (
            "OpenID Connect UserInfo does not contain email field. UserInfo: {sub=1}",
            ["no-address-in-the-token"]
        ),
        (
            "WWW-Authenticate: Bearer error=\"invalid_token\", error_description=\"An error occurred while attempting to decode the Jwt: The issuer: 'https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/' is not registered in trusted issuer repository, so cannot create JWSKeySelector.\"",
            ["B23", "api-issuer-not-trusted"]
        ),
        (
            "com.nimbusds.jose.proc.BadJOSEException: Signed JWT rejected: Another algorithm expected, or no matching key(s) found",
            ["metadata-of-another-authority", "key-of-another-policy"]
        ),
        (
            "o.s.s.oauth2.jwt.BadJwtException: An error occurred while attempting to decode the Jwt: Signed JWT rejected: Invalid signature",
            ["signature-does-not-fit", "key-of-another-policy", "metadata-of-another-authority"]
        ),
        (
            "java.lang.IllegalStateException: The Issuer \"https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/\" provided in the configuration metadata did not match the requested issuer \"https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0\"",
            ["B21", "issuer-of-the-settings-differs"]
        ),
        (
            "OAuth2AuthenticationException: [missing_signature_verifier] Failed to find a Signature Verifier for Client Registration: 'tide'. Check to ensure you have configured the JwkSet URI.",
            ["spring-no-key-address"]
        ),
        (
            "java.lang.IllegalArgumentException: Missing attribute 'name' in attributes",
            ["attribute-missing-in-the-token"]
        ),
        (
            "[next-auth][error][CALLBACK_OAUTH_ERROR] JWT not active yet, now 1635500000, nbf 1635500003 RPError",
            ["B93"]
        ),
        (
            "[auth][cause]: OperationProcessingError: \"response\" body \"issuer\" property does not match the expected value\n  expected: 'https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0', body.issuer: 'https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/'",
            ["issuer-of-the-settings-differs", "B21"]
        ),
        (
            "oidc: issuer did not match the issuer returned by provider, expected \"https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0/\" got \"https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/\"",
            ["B21"]
        ),
        (
            "[oauthproxy.go:823] Error creating session during OAuth2 callback: audience from claim aud with value [5f0e1111-2222-3333-4444-555566667777] does not match with any of allowed audiences map[aa:{}]",
            ["audience-of-the-token-refused", "B76"]
        ),
        (
            "Error redeeming code during OAuth2 callback: neither the id_token nor the profileURL set an email",
            ["no-address-in-the-token"]
        ),
        (
            "HTTP/1.1 401 Unauthorized\nwww-authenticate: Bearer realm=\"https://api.tide.test/\", error=\"invalid_token\"\nJwt issuer is not configured",
            ["B23", "api-issuer-not-trusted"]
        ),
        (
            "Audiences in Jwt are not allowed",
            ["audience-of-the-token-refused", "B76"]
        ),
        (
            "Jwks remote fetch is failed",
            ["remote-keys-not-fetched"]
        ),
        (
            "RBAC: Jwt is missing",
            ["token-not-sent"]
        ),
        (
            "JWTClaimValidationFailed: unexpected \"iss\" claim value\n    at validateClaimsSet (node_modules/jose/dist/webapi/lib/jwt_claims_set.js:67:19) code: 'ERR_JWT_CLAIM_VALIDATION_FAILED'",
            ["issuer-of-the-settings-differs", "B23"]
        ),
        (
            "JWTExpired: \"exp\" claim timestamp check failed code: 'ERR_JWT_EXPIRED'",
            ["token-expired"]
        ),
        (
            "jwt.exceptions.InvalidIssuerError: Invalid issuer",
            ["B23", "issuer-of-the-settings-differs"]
        ),
        (
            "jwt.exceptions.InvalidAudienceError: Audience doesn't match",
            ["audience-of-the-token-refused", "B76"]
        ),
        (
            "jwt.exceptions.ImmatureSignatureError: The token is not yet valid (nbf)",
            ["B93"]
        ),
        (
            "JsonWebTokenError: jwt issuer invalid. expected: https://sts.windows.net/775527ff-9a37-4307-8b3d-cc311f58d925/",
            ["B23", "issuer-of-the-settings-differs"]
        ),
        (
            "JsonWebTokenError: jwt audience invalid. expected: api://tide",
            ["B76", "audience-of-the-token-refused"]
        ),
        (
            "JsonWebTokenError: secret or public key must be provided",
            ["key-not-given"]
        ),
        (
            "JsonWebTokenError: jwt must be provided",
            ["token-not-sent"]
        ),
        (
            "oidc_proto_validate_iss: requested issuer (https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/) does not match the \"iss\" value in id_token",
            ["B21", "issuer-of-the-settings-differs"]
        ),
        (
            "org.keycloak.broker.provider.IdentityBrokerException: Wrong issuer from token. Got: https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/ expected: https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0",
            ["issuer-of-the-settings-differs", "B23"]
        ),
        (
            "validate-jwt (70 ms)\n{ \"message\": \"JWT Validation Failed: IDX10205: Issuer validation failed. Issuer: 'https://login.microsoftonline.com/2fa002e8-d595-49fb-b4d9-7aa6159af2f6/v2.0'. Did not match: validationParameters.ValidIssuer: '' or validationParameters.ValidIssuers: 'https://sts.windows.net/2fa002e8-d595-49fb-b4d9-7aa6159af2f6/'..\" }",
            ["token-of-another-version"]
        ),
        (
            "IDX40001: Issuer: 'https://account.tide.test/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/', does not match any of the valid issuers provided for this application.",
            ["R07", "policy-missing-in-the-settings"]
        ),
        (
            "AuthenticationFailed: IDX10205: Issuer validation failed. Issuer: 'https://tide.b2clogin.com/31f6db15-24eb-424c-bd2b-a4ee50c049e2/v2.0/'. Did not match: validationParameters.ValidIssuer: 'null' or validationParameters.ValidIssuers: 'https://login.microsoftonline.com/31f6db15-24eb-424c-bd2b-a4ee50c049e2/v2.0/'",
            ["R07"]
        ),
        (
            "InvalidJwtException: JWT (claims->{...}) rejected due to invalid claims. Additional details: [[12] Issuer (iss) claim value (https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/) doesn't match expected value of https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0]",
            ["issuer-of-the-settings-differs"]
        ),
        (
            "[8] Audience (aud) claim [5f0e1111] doesn't contain an acceptable identifier. Expected api as an aud value.",
            ["audience-of-the-token-refused"]
        ),
        (
            "failed to verify ID Token: oidc: id token issued by a different provider, expected \"https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0/\" got \"https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/\"",
            ["issuer-of-the-settings-differs"]
        ),
        (
            "oidc: expected audience \"aaaa\" got [\"bbbb\"]",
            ["audience-of-the-token-refused"]
        ),
        (
            "Firebase\\JWT\\BeforeValidException: Cannot handle token with nbf prior to 2026-01-15T12:00:05+0000",
            ["B93"]
        ),
        (
            "Firebase\\JWT\\ExpiredException: Expired token",
            ["token-expired"]
        ),
        (
            "JWT::InvalidIssuerError (Invalid issuer. Expected https://tide.b2clogin.com/x/v2.0/, received https://login.tide.test/x/v2.0/)",
            ["issuer-of-the-settings-differs", "B23", "R07"]
        ),
        (
            "io.jsonwebtoken.IncorrectClaimException: Expected iss claim to be: https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/, but was: https://login.tide.test/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/.",
            ["R07", "issuer-of-the-settings-differs"]
        ),
        (
            "jose.exceptions.JWTClaimsError: Invalid issuer",
            ["issuer-of-the-settings-differs"]
        ),
        (
            "Microsoft.Identity.Web.MicrosoftIdentityWebChallengeUserException: IDW10502: An MsalUiRequiredException was thrown due to a challenge for the user. MsalUiRequiredException: No account or login hint was passed to the AcquireTokenSilent call.",
            ["tokens-lost-with-the-cache", "B31"]
        ),
        (
            "ERROR jwt.exceptions.ExpiredSignatureError: Signature has expired",
            ["token-expired"]
        ),
        (
            "Microsoft.IdentityModel.Tokens.SecurityTokenSignatureKeyNotFoundException: IDX10501: Signature validation failed. Unable to match key: kid: '[PII of type 'System.String' is hidden]'. Number of keys in TokenValidationParameters: '0'.",
            ["metadata-of-another-authority", "key-of-another-policy", "B97"]
        ),
    ]

    /// Client libraries, browsers, cookies, and what people describe in their own words.
    static let apps: [(text: String, first: [String])] = [
        (
            "TID=771 MSAL 1.2.5 iOS 15.2 [2022-03-01 08:00:00] It is not B2C authority.\nTID=771 MSAL 1.2.5 iOS 15.2 [2022-03-01 08:00:00] Trying to initialize access token when missing access token field",
            ["B59"]
        ),
        (
            "Failed to start an interactive session, MSALInternalErrorCodeKey=-42008\nlet endpoint = \"https://login.microsoftonline.com/tfp/%@/%@\"",
            ["policy-at-the-retired-host"]
        ),
        (
            "https://login.microsoftonline.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/.well-known/openid-configuration?p=b2c_1_tide\n404 Not Found",
            ["policy-at-the-retired-host"]
        ),
        (
            "IDX20807: Unable to retrieve document from: 'https://login.microsoftonline.com/tide.onmicrosoft.com/B2C_1_tide/v2.0/.well-known/openid-configuration'. StatusCode: 404",
            ["policy-at-the-retired-host"]
        ),
        (
            "Error=-25300 CredStore performQuery\nError Domain=kCFErrorDomainCFNetwork Code=311 \"(null)\"",
            ["proxy-in-the-way"]
        ),
        (
            "The operation couldn't be completed. (kCFErrorDomainCFNetwork error 310.)",
            ["proxy-in-the-way"]
        ),
        (
            "GET https://tide.test/MicrosoftIdentity/Account/Error 404 (Not Found)",
            ["error-page-hides-the-cause"]
        ),
        (
            "at Microsoft.Identity.Web.TempDataLoginErrorAccessor.SetMessage(HttpContext context, String message)",
            ["error-page-hides-the-cause"]
        ),
        (
            "Error: NG04002: Cannot match any routes. URL Segment: 'state'",
            ["router-takes-the-answer"]
        ),
        (
            "No routes matched location \"/code=eyJ&state=a\" (HashRouter)",
            ["router-takes-the-answer"]
        ),
        (
            "IDX20803: Unable to obtain configuration from: 'https://login.microsoftonline.com/tfp/tide.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration'.",
            ["policy-at-the-retired-host"]
        ),
        (
            "[Vue Router warn]: No match found for location with path \"/code=eyJ&state=a\"",
            ["router-takes-the-answer"]
        ),
        (
            "handleRedirectPromise did not detect a response hash as a result of a redirect.\nhttp://localhost:4200/#state=a&code=b",
            ["router-takes-the-answer"]
        ),
        (
            "GET https://tide.test/.auth/login/b2c 404\nhttps://tide.onmicrosoft.com.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
            ["policy-or-tenant-not-found"]
        ),
        (
            "Failed to validate data received from Authorization service - Could not validate state",
            ["state-check-of-the-server-app"]
        ),
        (
            "ionic: webView:didFailProvisionalNavigation - -1004: Could not connect to the server.",
            ["nothing-listens-at-the-redirect-uri"]
        ),
        (
            "org.springframework.security.oauth2.core.OAuth2AuthenticationException: [authorization_request_not_found]",
            ["state-check-of-the-server-app"]
        ),
        (
            "org.springframework.security.oauth2.core.OAuth2AuthenticationException: [missing_user_info_uri] Missing required UserInfo Uri in UserInfoEndpoint for Client Registration: tide",
            ["userinfo-not-offered"]
        ),
        (
            "[invalid_token_response] An error occurred while attempting to retrieve the OAuth 2.0 Access Token Response: 400 Bad Request: \"{\"error\":\"invalid_grant\",\"error_description\":\"AADB2C90088: The provided grant has not been issued for this endpoint. Actual Value : B2C_1_susi and Expected Value : B2C_1_edit\"}\"",
            ["B28"]
        ),
        (
            "{\"name\":\"AzureAD: Metadata Parser\",\"level\":50,\"msg\":\"cannot get AAD Federation metadata from endpoint you specified https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration\"}\nauthentication failed due to: In loadMetadata: Unable to fetch metadata",
            ["metadata-address-of-the-server-app"]
        ),
        (
            "ValueError: state missing from auth_code_flow",
            ["flow-not-in-the-session"]
        ),
        (
            "raise AuthSecurityError(\"Failed to match request state with session state\")\nms_identity_web.errors.AuthSecurityError: Failed to match request state with session state",
            ["flow-not-in-the-session"]
        ),
        (
            "Unable to process jwt token. Uncaught error: 2 validation errors for User\noid\n  field required (type=value_error.missing)\ntid\n  field required (type=value_error.missing)\nfastapi_azure_auth/auth.py",
            ["B34"]
        ),
        (
            "com.microsoft.identity.client.exception.MsalClientException: Provided authority is not known.  MSAL will only make requests to known authorities.",
            ["authority-not-in-the-configuration"]
        ),
        (
            "java.lang.NullPointerException: Attempt to invoke virtual method 'boolean com.microsoft.identity.common.internal.authorities.Authority.getDefault()' on a null object reference\n at com.microsoft.identity.client.PublicClientApplicationConfiguration.checkDefaultAuthoritySpecified",
            ["configuration-file-not-valid"]
        ),
        (
            "Error Domain=MSALErrorDomain Code=-50000 UserInfo={MSALErrorDescriptionKey=Non Microsoft authority is not supported yet in MSAL, MSALInternalErrorCodeKey=-42008}\nauth: { authority: 'https://tide.b2clogin.com/tfp/tide.onmicrosoft.com', knownAuthorities: ['B2C_1_susi'] }",
            ["B15"]
        ),
        (
            "[oauthproxy.go:780] Error while loading CSRF cookie: http: named cookie not present\nLogin Failed: Unable to find a valid CSRF token. Please try again.",
            ["state-check-of-the-server-app"]
        ),
        (
            "Jwks doesn't have key to match kid or alg from Jwt",
            ["metadata-of-another-authority"]
        ),
        (
            "JWKSNoMatchingKey: no applicable key found in the JSON Web Key Set code: 'ERR_JWKS_NO_MATCHING_KEY'",
            ["metadata-of-another-authority"]
        ),
        (
            "jwt.exceptions.PyJWKClientError: Unable to find a signing key that matches: \"X5eXk4xyojNFum1kl2Ytv8dlNP4-c57dO6QGTVBwaNk\"",
            ["metadata-of-another-authority"]
        ),
        (
            "SigningKeyNotFoundError: Unable to find a signing key that matches 'X5eXk4xyojNFum1kl2Ytv8dlNP4'",
            ["metadata-of-another-authority", "B97"]
        ),
        (
            "[error] openidc.lua:1483: authenticate(): request to the redirect_uri path but there's no session state found, client: 10.0.0.7",
            ["state-check-of-the-server-app"]
        ),
        (
            "logger=oauth.generic_oauth level=error msg=\"login.OAuthLogin(missing saved state)\"",
            ["state-check-of-the-server-app"]
        ),
        (
            "angular-auth-oidc-client: [ERROR] authCallback incorrect state. Autologin...",
            ["state-of-another-request"]
        ),
        (
            "authorizedCallback, token(s) validation failed, resetting. Hash: ... ValidationResult: IncorrectNonce",
            ["R08"]
        ),
        (
            "Error: No matching state found in storage at oidc-client-ts.js",
            ["state-of-another-request", "state-check-of-the-server-app"]
        ),
        (
            "The resource you are looking for has been removed, had its name changed, or is temporarily unavailable.\nhttps://tide.b2clogin.com/tide.onmicrosoft.com/oauth2/v2.0/authorize?client_id=1&response_type=code&scope=openid&state=s",
            ["no-policy-in-the-address"]
        ),
        (
            "The resource you are looking for has been removed, had its name changed, or is temporarily unavailable.\nhttps://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_sussi/oauth2/v2.0/authorize?client_id=1&response_type=code&scope=openid&state=s",
            ["policy-or-tenant-not-found"]
        ),
        (
            "The redirect URI https://app.tide.test/cb provided in the request is not registered for the client id 11111111-2222-4333-8444-555555555555",
            ["redirect-uri-not-registered"]
        ),
        (
            "This application does not have sufficient permissions against this web resource to perform the operation.",
            ["B67"]
        ),
        (
            "ERROR invalid_grant: The provided grant has been revoked",
            ["B106"]
        ),
        (
            "after my users change their password the app logs them out every hour",
            ["B106"]
        ),
        (
            "once somebody changed the password, the refresh fails and people are signed out",
            ["B106"]
        ),
        (
            "user cancels, silent call then fails with interaction_required after password reset",
            ["B106", "B28"]
        ),
        (
            "msal-browser 3.10\nauth: { clientId: '1', authority: 'https://id.tide.test/tide.onmicrosoft.com/B2C_1_susi', knownAuthorities: ['https://id.tide.test/'] }\nClientAuthError: endpoints_resolution_error: Endpoints cannot be resolved",
            ["B14"]
        ),
        (
            "const config = { auth: { clientId: \"5f\", authority: \"https://id.tide.test/tide.onmicrosoft.com/B2C_1_susi\", knownAuthorities: [\"tide.b2clogin.com\"] } }\nClientConfigurationError: untrusted_authority: The provided authority is not a trusted authority. Please include this authority in the knownAuthorities config parameter.",
            ["B14"]
        ),
        (
            "auth: { authority: 'https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_sussi', knownAuthorities: ['tide.b2clogin.com'] }\nClientAuthError: endpoints_resolution_error: Error: could not resolve endpoints. Please check network and try again. Detail: ClientAuthError: openid_config_error: Could not retrieve endpoints. Attempted to retrieve endpoints from: https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_sussi/v2.0/.well-known/openid-configuration",
            ["metadata-of-the-authority-not-found", "B25"]
        ),
        (
            "endpoints_resolution_error: Error: could not resolve endpoints. Please check network and try again.\nDetail: ClientAuthError: openid_config_error: Could not retrieve endpoints.\nCheck your authority and verify the .well-known/openid-configuration endpoint returns the required endpoints.\nAttempted to retrieve endpoints from: https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_ROPC/v2.0/.well-known/openid-configuration\n@azure/msal-node 1.14",
            ["password-policy-metadata-incomplete"]
        ),
        (
            "com.microsoft.aad.msal4j.MsalInteractionRequiredException: AADB2C90080: The provided grant has expired. Please re-authenticate and try again. Current time: 1611058466, Grant issued time: 1609762465, Grant expiration time: 1610972065",
            ["grant-expired"]
        ),
        (
            "[Report Only] Refused to run the JavaScript URL because it violates the following Content Security Policy directive: \"script-src 'strict-dynamic' 'self' 'nonce-YIzL' 'report-sample'\".",
            ["report-only-policy"]
        ),
        (
            "Error 400: redirect_uri_mismatch\nThe redirect URI in the request, https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1a_trustframeworkextensions/oauth2/authresp, does not match the ones authorized for the OAuth client.",
            ["google-redirect-or-client"]
        ),
        (
            "We're unable to complete your request\ninvalid_request: The provided value for the input parameter 'redirect_uri' is not valid. The expected value is a URI which matches a redirect URI registered for this client application.",
            ["B13"]
        ),
        (
            "[invalid_request] AADB2C99027: Policy 'B2C_1_tide' does not contain a AuthorizationTechnicalProfile with a corresponding ClientAssertionType.",
            ["R10"]
        ),
        (
            "angular-auth-oidc-client.js:178 Can not create an authorize url when authorizationEndpoint is 'undefined'",
            ["endpoints-of-the-policy-unknown"]
        ),
        (
            "ERROR ClientAuthError: Invalid state: angular-oauth2-oidc 9 and @azure/msal-angular 1.1 in one app",
            ["state-of-another-request"]
        ),
        (
            "Error Domain=MSALErrorDomain Code=-42105 \"(null)\" UserInfo={MSALErrorDescriptionKey=Token response is missing the access token",
            ["B59"]
        ),
        (
            "The request is blocked.\nAzure ref: 0aGVsbG8=\nhttps://login.tide.test/775527ff-9a37-4307-8b3d-cc311f58d925/b2c_1_susi/oauth2/v2.0/authorize",
            ["waf-blocks-the-request"]
        ),
        (
            "UnexpectedValueException: \"kid\" invalid, unable to lookup correct key",
            ["metadata-of-another-authority"]
        ),
        (
            "Laravel\\Socialite\\Two\\InvalidStateException in AbstractProvider.php",
            ["state-check-of-the-server-app"]
        ),
        (
            "social_core.exceptions.AuthStateMissing: Session value state missing.",
            ["state-check-of-the-server-app", "flow-not-in-the-session"]
        ),
        (
            "authlib.integrations.base_client.errors.MismatchingStateError: mismatching_state: CSRF Warning! State not equal in request and response.",
            ["state-check-of-the-server-app"]
        ),
        (
            "Refused to display 'https://tide.b2clogin.com/' in a frame because it set 'X-Frame-Options' to 'deny'.",
            ["B67", "B112"]
        ),
        (
            "Bad Request - Request Too Long\nHTTP Error 400. The size of the request headers is too long.",
            ["R03"]
        ),
        (
            "After a password reset by the link on the sign-in page the session expires and the user is sent to the reset password page again, msal-browser 3, setActiveAccount",
            ["B45"]
        ),
        (
            "ServerError: invalid_request: AADB2C90079: Clients must send a client_secret when redeeming a confidential grant. at @azure/msal-browser",
            ["B08"]
        ),
        (
            "https://app.tide.test/cb#error=access_denied&error_description=AADB2C90118%3a+The+user+has+forgotten+their+password.%0d%0aCorrelation+ID%3a+f0ec97ad-6aa1-433e-9b33-eb85d9d5715f&state=x",
            ["B47", "B49"]
        ),
        (
            "Caused by: java.lang.IllegalArgumentException: Unable to resolve Configuration with the provided Issuer of \"https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/\"",
            ["metadata-address-of-the-server-app"]
        ),
        (
            "{\"error\":\"unauthorized_client\",\"error_description\":\"AADB2C90057: The provided application is not configured to allow the 'OAuth' Implicit flow.\"}\nPOST .../B2C_1_ROPC/oauth2/v2.0/token grant_type=password&username=a&password=b",
            ["B102"]
        ),
        (
            "users have to log in again every hour in our mobile app",
            ["B63"]
        ),
        (
            "In our single-page app people get logged out every 24 hours although they use it all day",
            ["B105"]
        ),
        (
            "after sign out the next login needs no password at all",
            ["B78"]
        ),
        (
            "acquireTokenSilent fails in Safari with login_required, in Chrome it works: silent calls fail there",
            ["B113"]
        ),
        (
            "an administrator disabled the account and the app goes on for an hour",
            ["B107"]
        ),
        (
            "Error: state mismatch, expected 3f1c, got: 9a77\n    at Client.callback (/srv/node_modules/openid-client/lib/client.js:397:13)",
            ["state-check-of-the-server-app"]
        ),
        (
            "io.quarkus.oidc.OIDCException: OIDC Server is not available: https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_sussi/v2.0/.well-known/openid-configuration 404",
            ["policy-or-tenant-not-found"]
        ),
        (
            "ServerError: unauthorized_client: AADB2C90058: The provided application is not configured to allow public clients.\n at https://alcdn.msauth.net/browser/2.1.0/js/msal-browser.js:201:28",
            ["public-client-not-allowed"]
        ),
        (
            "MsalClientException: Authority passed to silent parameters does not match with the cloud associated to the account.",
            ["account-of-another-host"]
        ),
        (
            "Couldn't retrieve remote JWK set: ResourceAccessException: I/O error on GET request for \"https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/discovery/v2.0/keys\": PKIX path building failed: unable to find valid certification path to requested target",
            ["certificate-not-trusted"]
        ),
        (
            "Not allowed to launch 'msal1://auth?code=x' because a user gesture is required.",
            ["redirect-does-not-return-to-the-app"]
        ),
        (
            "An exception was caught when making a request to URL \"https://idp.reef.test/oauth2/token\" using method \"POST\". The exception status code was \"ProtocolError\" with the following message: {\"error\":\"invalid_grant\",\"error_description\":\"redirect_uri does not match\"}",
            ["call-to-a-service-failed"]
        ),
        (
            "PlatformException(authorize_and_exchange_code_failed, Failed to authorize: [error: null, description: User cancelled flow], null)",
            ["closed-or-cancelled-by-the-system"]
        ),
        (
            "com.auth0.jwk.SigningKeyNotFoundException: No key found in https://tide.b2clogin.com/tide.onmicrosoft.com/discovery/v2.0/keys?p=b2c_1_susi with kid X5eXk4xyojNFum1kl2Ytv8dlNP4",
            ["metadata-of-another-authority"]
        ),
        (
            "ClientAuthError: endpoints_resolution_error: Endpoints cannot be resolved. Detail: network_error\nAccess to fetch at 'https://tide.b2clogin.com/tide.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration' from origin 'http://localhost:4200' has been blocked by CORS policy",
            ["metadata-blocked-by-cors"]
        ),
    ]

    /// What has nothing to do with signing in.
    static let silent: [String] = [
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "npm ERR! code ERESOLVE unable to resolve dependency tree",
        "TypeError: Cannot read properties of undefined (reading 'map')",
        "Segmentation fault (core dumped)",
        "fatal: Authentication failed for 'https://git.tide.test/repo.git/'",
        "ORA-01017: invalid username/password; logon denied",
        "The build failed after 34 seconds",
        "java.lang.OutOfMemoryError: Java heap space",
        "User story: as a visitor I want to sign up with my e-mail address",
        "Our sign-in page is blue and the button is green",
        "Failed to fetch user/group information from the identity provider. https://tide.b2clogin.com",
    ]
}

@Suite struct FirstCauseTests {
    @Test(arguments: ErrorTexts.cases)
    func `the cause that a text shows comes first`(_ row: (text: String, first: [String])) {
        let causes = explained(row.text).causes
        #expect(
            causes.first.map { row.first.contains($0.cause.id) } == true,
            "\(row.text): \(causes.map { "\($0.cause.id) \($0.certainty) \($0.score)" })")
    }

    @Test(arguments: ErrorTexts.silent)
    func `nothing is claimed of texts about other things`(_ text: String) {
        #expect(explained(text).causes.isEmpty, "\(explained(text).causes.map(\.cause.id))")
    }

    /// A fact in the text, and causes that cannot be beside it.
    @Test(arguments: [
        (
            "endpoints_resolution_error Attempted to retrieve endpoints from: https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration",
            ["B14"]
        ),
        (
            "knownAuthorities: ['tide.b2clogin.com'], authority: 'https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi'\nendpoints_resolution_error",
            ["B14"]
        ),
        (
            "openid_config_error at https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi\nthe openid-configuration opens in a browser",
            ["metadata-of-the-authority-not-found", "B25", "B18"]
        ),
        (
            "AADB2C: Unable to connect to the metadata endpoint 'https://idp.test'. Could not create SSL/TLS secure channel.",
            ["tls-version-or-cipher", "certificate-not-trusted"]
        ),
        (
            "The claims exchange 'X' specified in step '1' returned HTTP error response with Code 'NotFound' and Reason 'Not Found'",
            ["B124"]
        ),
        (
            "com.microsoft.identity.client.exception.MsalUiRequiredException: AADB2C90080: The provided grant has expired. Current time: 1700090001, Grant issued time: 1700000000, Grant expiration time: 1700086400",
            ["B105"]
        ),
        ("[JwtBearer] ArmToken was not authenticated. IDX10231: Audience validation failed.", ["B76"]),
        (
            "MSAL 1.2.5 iOS: TID=771 It is not B2C authority. access token asked for when missing access token field",
            ["B34"]
        ),
        ("Failed to start an interactive session, MSALInternalErrorCodeKey=-42008", ["B59"]),
        (
            "GET https://login.microsoftonline.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/.well-known/openid-configuration?p=b2c_1_tide 404 Not Found",
            ["B18"]
        ),
        (
            "IDX20807: Unable to retrieve document from: 'https://login.microsoftonline.com/tide.onmicrosoft.com/B2C_1_tide/v2.0/.well-known/openid-configuration'. StatusCode: 404",
            ["B18"]
        ),
        (
            "CredStore - performQuery - Error copying matching creds. Error=-25300, query={ srvr = \"proxy.tide.test\"; }",
            ["cache-file-not-usable"]
        ),
        (
            "https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=1&response_type=id_token&scope=openid&response_mode=form_post&state=a&nonce=b",
            ["B63", "B146"]
        ),
        ("[Report Only] Refused to connect: Content Security Policy connect-src", ["R05"]),
        ("[missing_signature_verifier] OAuth2AuthenticationException: token request failed", ["code-exchange-failed"]),
    ])
    func `what contradicts a cause drops it`(_ row: (text: String, ids: [String])) {
        let named = explained(row.text).causes.map(\.cause.id)
        #expect(named.allSatisfy { !row.ids.contains($0) }, "\(named)")
    }

    @Test func `what says only that something failed is dropped for a cause`() {
        let envelope = "Validation failed: 1 validation error(s) found in policy \"B2C_1A_X\" of tenant \"tide\"."
        #expect(explained(envelope).causes.map(\.cause.id) == ["upload-refused"])
        let named = explained(envelope + "There is a duplicate key sequence 'X'").causes.map(\.cause.id)
        #expect(named == ["element-twice"])
        #expect(!Cause.all.contains { $0.cause.contains("above") || $0.fix.contains("above") })
    }
}

/// Facts that are read from texts and rank causes.
@Suite struct CallFactTests {
    private func facts(_ text: String) -> [String] { explained(text).facts.map { "\($0.label): \($0.text)" } }

    @Test(arguments: [
        ("400", "rest-service-refuses-input"), ("Unauthorized", "rest-service-refuses-the-call"),
        ("Forbidden", "rest-service-refuses-the-call"), ("NotFound", "rest-service-not-found"),
        ("MethodNotAllowed", "rest-service-not-found"), ("UnsupportedMediaType", "rest-service-refuses-input"),
        ("TooManyRequests", "rest-service-fails"), ("BadGateway", "rest-service-fails"),
        ("GatewayTimeout", "rest-service-too-slow"),
    ])
    func `the status of a REST service decides the cause`(_ row: (code: String, id: String)) {
        let text =
            "The claims exchange 'REST-Tide' specified in step '7' returned HTTP error response with Code '\(row.code)' and Reason 'x'."
        #expect(explained(text).causes.first?.cause.id == row.id, "\(explained(text).causes.map(\.cause.id))")
        #expect(facts(text).contains { $0.hasPrefix("B2C calls: REST-Tide in step 7: ") }, "\(facts(text))")
    }

    @Test(arguments: [
        ("NameResolutionFailure", "", "provider-name-not-found"), ("TrustFailure", "", "provider-tls"),
        ("Timeout", "", "provider-not-reached"), ("ConnectFailure", "", "provider-not-reached"),
        ("ProtocolError", "(404) Not Found.", "provider-not-found"),
        ("ProtocolError", "(503) Server Unavailable.", "provider-fails"),
        ("ProtocolError", "(401) Unauthorized.", "secret-at-the-provider"),
    ])
    func `how a call to a provider failed decides the cause`(_ row: (status: String, message: String, id: String)) {
        let text =
            #"An exception was caught when making a request to URL "https://idp.test/token" using method "Post". The exception status code was \#(row.status) with the following message: The remote server returned an error: \#(row.message)"#
        #expect(explained(text).causes.first?.cause.id == row.id, "\(explained(text).causes.map(\.cause.id))")
        #expect(facts(text).contains("B2C calls: https://idp.test/token"), "\(facts(text))")
    }

    @Test(arguments: [
        ("ClientAuthError at node_modules/@azure/msal-node/lib", "MSAL Node"),
        ("ClientAuthError at node_modules/@azure/msal-browser/lib", "MSAL.js"),
        ("ClientAuthError: x", "MSAL.js or MSAL Node"),
        ("com.microsoft.aad.msal4j.MsalServiceException: x", "MSAL for Java"),
        ("com.microsoft.identity.client.exception.MsalServiceException: x", "MSAL for Android"),
        ("Microsoft.Identity.Client.MsalServiceException: x", "MSAL.NET"),
    ])
    func `a class name of several libraries is that of the one that is named`(_ row: (text: String, library: String)) {
        let named = explained(row.text).facts.filter { $0.label == "library" }.map(\.text)
        #expect(named == [row.library], "\(named)")
    }

    @Test(arguments: [
        (
            "The redirect URI https://a.test/cb provided in the request is not registered for the client id 1",
            "AADB2C90006"
        ),
        ("User does not have an existing session and request prompt parameter has a value of None.", "AADB2C90077"),
        ("The provided application is not configured to allow public clients.", "AADB2C90058"),
    ])
    func `a message without its number is that of the code`(_ row: (text: String, code: String)) {
        #expect(explained(row.text).codes == [row.code])
        #expect(!explained(row.text).causes.isEmpty)
    }

    @Test func `settings that were pasted are compared`() {
        let settings = "authority: 'https://id.tide.test/tide.onmicrosoft.com/B2C_1_susi', knownAuthorities: "
        #expect(explained(settings + "['https://id.tide.test']").causes.first?.cause.id == "B14")
        #expect(explained(settings + "['tide.b2clogin.com']").causes.first?.cause.id == "B14")
        #expect(explained(settings + "['id.tide.test']").causes.isEmpty)
        // The native libraries take addresses there.
        let native =
            "MSALPublicClientApplication " + settings + "['https://id.tide.test/tide.onmicrosoft.com/B2C_1_susi']"
        #expect(!explained(native).causes.contains { $0.cause.id == "B14" && $0.isSure })
    }

    @Test func `hosts and tenants of addresses are compared`() {
        let other =
            "GET https://tide.b2clogin.com/tied.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration 404"
        #expect(facts(other).contains("compare: the host names the tenant tide, the path tied"))
        #expect(explained(other).causes.first?.cause.id == "policy-or-tenant-not-found")
        let two = """
            metadata https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0/.well-known/openid-configuration
            sign-in https://id.tide.test/tide.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/authorize?client_id=1 issuer is invalid
            """
        #expect(facts(two).contains("compare: addresses of two login hosts: tide.b2clogin.com, id.tide.test"))
        #expect(explained(two).causes.first?.cause.id == "R07")
    }

    @Test func `an issuer with the name of the tenant is not of another tenant`() {
        let text =
            "Wrong issuer from token. Got: https://tide.b2clogin.com/775527ff-9a37-4307-8b3d-cc311f58d925/v2.0/ expected: https://tide.b2clogin.com/tide.onmicrosoft.com/b2c_1_susi/v2.0"
        let causes = explained(text).causes
        #expect(causes.first?.cause.id == "issuer-of-the-settings-differs" && causes.first?.isSure == true)
        #expect(!causes.contains { $0.cause.id == "token-of-another-tenant" })
    }
}
