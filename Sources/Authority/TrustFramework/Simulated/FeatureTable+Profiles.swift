extension FeatureTable {
    /// What carries out technical profiles, by the name that traces show.
    static let profileKinds: [Feature] = [
        Feature(.profileKind, "SelfAssertedAttributeProvider"),
        Feature(
            .profileKind, "AzureActiveDirectoryProvider",
            .approximated(
                "the directory of the tenant file; writes that Microsoft Graph would refuse for reasons of its own succeed"
            )),
        Feature(
            .profileKind, "OpenIdConnect with grant_type=password",
            .approximated("asks the directory itself: no request leaves")),
        Feature(.profileKind, "ClaimsTransformationProtocolProvider"),
        Feature(.profileKind, "RestfulProvider"),
        Feature(.profileKind, "OneTimePasswordProtocolProvider"),
        Feature(
            .profileKind, "PhoneFactorProtocolProvider",
            .approximated("a call is answered at once when the page asks again")),
        Feature(
            .profileKind, "AzureMfaProtocolProvider",
            .approximated("one window of 30 seconds on either side is accepted (inferred)")),
        Feature(.profileKind, "AadSsprProtocolProvider"),
        Feature(
            .profileKind, "UserJourneyContextProvider",
            .approximated(
                "not documented: IP-Address, CorrelationId and CurrentUserJourney as published policies use them")),
        Feature(
            .profileKind, "ConditionalAccessProtocolProvider",
            .approximated(
                "no risk is computed: it is the attribute risk of the user in the tenant file; a remediation changes nothing"
            )),
        Feature(
            .profileKind, "CaptchaProvider",
            .approximated(
                "pictures; what a picture shows is in the inbox. challengeType Audio fails by name; a picture is good for five minutes and one answer (inferred)"
            )),
        Feature(.profileKind, "AzureApplicationInsightsProvider", .inert("events are in the trace; nothing is sent")),
        Feature(.profileKind, "OpenIdConnect"), Feature(.profileKind, "OAuth2"),
        Feature(
            .profileKind, "OAuth1",
            .approximated("HMAC-SHA1 signatures only; no provider is built in, its answers are stubbed")),
        Feature(.profileKind, "SAML2", .refused("SAML identity providers")),
        Feature(.profileKind, "JwtIssuer"), Feature(.profileKind, "JsonIssuer"),
        Feature(.profileKind, "OAuth2ErrorIssuer"), Feature(.profileKind, "Saml2Issuer", .refused("SAML tokens")),
        Feature(
            .profileKind, "None",
            .approximated(
                "an id_token_hint in a GetClaims step and the set-up of a refresh journey; another use fails by name")),
        Feature(
            .profileKind, "TokenAuthorization",
            .approximated(
                "the user-info endpoint checks the token with the tenant's keys, issuer and audience as the profile says"
            )),
        Feature(.profileKind, "NoopSSOSessionProvider"), Feature(.profileKind, "DefaultSSOSessionProvider"),
        Feature(.profileKind, "ExternalLoginSSOSessionProvider"), Feature(.profileKind, "OAuthSSOSessionProvider"),
        Feature(.profileKind, "SamlSSOSessionProvider", .inert("SAML only")),
        Feature(.profileKind, "WsFed", .refused("WS-Federation")),
        Feature(.profileKind, "WsTrust", .refused("WS-Trust")),
        Feature(.profileKind, "UProve11", .refused("U-Prove")),
    ]

    static let cryptographicKeys: [Feature] = [
        keys("OpenIdConnect", ["client_secret", "assertion_signing_key"]),
        keys("OAuth2", ["client_secret"]),
        keys("OAuth1", ["client_secret"]),
        keys("OpenIdConnect with grant_type=password", ["client_secret"], .inert("no request leaves")),
        keys(
            "RestfulProvider",
            ["BasicAuthenticationUsername", "BasicAuthenticationPassword", "BearerAuthenticationToken"]),
        keys(
            "RestfulProvider", ["ClientCertificate"],
            .approximated("presented by the connection; a stub sees nothing of it")),
        keys(
            "RestfulProvider", ["*"],
            .approximated(
                "a header of that name with AuthenticationType ApiKeyHeader; not read with another type")),
        keys(
            "JwtIssuer", ["issuer_secret", "issuer_refresh_token_key"],
            .approximated(
                "test keys made from the storage names; codes and refresh tokens are sealed in a form of our own")),
        keys("None", ["client_secret"]),
        keys("None", ["*"], .inert("keys of the service's own profiles")),
        keys("TokenAuthorization", ["*"], .approximated("not read: the policy's own signing keys check the token")),
        keys("AzureApplicationInsightsProvider", ["*"], .inert("nothing is sent")),
        keys("AzureActiveDirectoryProvider", ["issuer_secret"], .inert("the starter packs name it; nothing is signed")),
        keys(
            "SelfAssertedAttributeProvider", ["issuer_secret"], .inert("the starter packs name it; nothing is signed")),
        keys("PhoneFactorProtocolProvider", ["issuer_secret"], .inert("the starter packs name it; nothing is signed")),
        keys("SAML2", ["*"], .refused("SAML")),
        keys("Saml2Issuer", ["*"], .refused("SAML")),
    ].flatMap { $0 }

    private static func keys(_ owner: String, _ names: [String], _ extent: Feature.Extent = .simulated) -> [Feature] {
        names.map { Feature(.cryptographicKey, $0, extent, of: owner) }
    }

    /// Metadata keys by kind of profile. Keys of `any profile` hold for all.
    static let metadata: [Feature] = [
        group(
            "any profile",
            [
                "IncludeClaimResolvingInClaimsHandling", "ClaimTypeOnWhichToEnable", "ClaimValueOnWhichToEnable",
                "ClaimsProviderSelectionDisplayType", "UserMessageIf*", "DateTimeGreaterThan", "LookupNotFound",
                "AssertNumberError", "DefaultMessage", "ContentDefinitionReferenceId",
                "DefaultUserMessageIfRequestFailed",
            ]),
        group(
            "SelfAssertedAttributeProvider",
            [
                "SignUpTarget", "setting.forgotPasswordLinkOverride",
                "setting.forgotPasswordLinkLocation", "setting.showCancelButton", "setting.showContinueButton",
                "setting.showSignupLink", "setting.showHeading", "setting.sendHintOnSignup", "setting.enableRememberMe",
                "setting.retryLimit", "EnforceEmailVerification", "AllowGenerationOfClaimsWithNullValues",
                "setting.includePasswordRequirements", "language.button_continue", "setting.enableCaptchaChallenge",
            ]),
        group(
            "SelfAssertedAttributeProvider", ["setting.operatingMode"],
            .approximated("Email: the first field of the combined page must be an address; labels do not follow it")),
        group(
            "SelfAssertedAttributeProvider", ["setting.inputVerificationDelayTimeInMilliseconds"],
            .approximated(
                "in the page's settings for a template's script; neither our page nor the browser stand-in waits")),
        group(
            "SelfAssertedAttributeProvider", ["IpAddressClaimReferenceId"], .inert("telemetry of the service")),
        group(
            "SelfAssertedAttributeProvider", ["LocalAccountType", "LocalAccountProfile", "TokenLifeTimeInSeconds"],
            .inert("left over from older versions")),
        group(
            "AzureActiveDirectoryProvider",
            [
                "Operation", "RaiseErrorIfClaimsPrincipalDoesNotExist", "RaiseErrorIfClaimsPrincipalAlreadyExists",
            ]),
        group(
            "AzureActiveDirectoryProvider", ["ApplicationObjectId", "ClientId"],
            .approximated(
                "not compared with an app: extension attributes work where the tenant file has the extensions app")),
        group("AzureActiveDirectoryProvider", ["api-version"], .inert("there is one version")),
        group(
            "OpenIdConnect with grant_type=password",
            [
                "client_id", "IdTokenAudience", "METADATA", "authorization_endpoint", "response_types", "response_mode",
                "scope", "HttpBinding", "UsePolicyInRedirectUri", "ProviderName", "grant_type", "issuer",
                "DiscoverMetadataByTokenIssuer", "ValidTokenIssuerPrefixes", "token_endpoint",
            ], .inert("no request leaves; the directory is asked")),
        group(
            "OpenIdConnect with grant_type=password", ["AADRequestsThrottled"], .inert("the directory never throttles")),
        group(
            "RestfulProvider",
            [
                "ServiceUrl", "SendClaimsIn", "AuthenticationType", "UseClaimAsBearerToken",
                "ClaimUsedForRequestPayload",
                "ResolveJsonPathsInJsonTokens",
            ]),
        group(
            "RestfulProvider", ["AllowInsecureAuthInProduction"], .inert("a rule for uploads, not for runs")),
        group(
            "RestfulProvider", ["DebugMode"],
            .approximated(
                "code, requestId, developerMessage and moreInfo of an error follow its userMessage in parentheses (inferred)"
            )),
        group(
            "RestfulProvider", ["ClaimsFormat", "ClaimResolverUrlFormatting", "ContentType"],
            .inert("no documented effect")),
        group(
            "OneTimePasswordProtocolProvider",
            [
                "Operation", "CodeExpirationInSeconds", "CodeLength", "CharacterSet", "NumRetryAttempts",
                "NumCodeGenerationAttempts", "ReuseSameCode",
            ]),
        group(
            "OneTimePasswordProtocolProvider", ["UserMessage.*"],
            .inert("older names of the messages; the service does not read them either")),
        group("CaptchaProvider", ["Operation"]),
        group("CaptchaProvider", ["Brand"], .inert("there is one brand, HIP")),
        group(
            "PhoneFactorProtocolProvider",
            [
                "ManualPhoneNumberEntryAllowed", "setting.authenticationMode",
                "setting.enableCaptchaChallenge", "setting.showCancelButton",
            ]),
        group(
            "PhoneFactorProtocolProvider", ["setting.retryLimit"],
            .inert("three wrong codes end it whatever is written here")),
        group(
            "PhoneFactorProtocolProvider", ["setting.autodial", "setting.autosubmit"],
            .approximated(
                "in the page's settings for a template's script; our own page neither dials nor submits by itself")),
        group("AzureMfaProtocolProvider", ["Operation"]),
        group("AadSsprProtocolProvider", ["Operation"]),
        group(
            "AadSsprProtocolProvider", ["allowTestEmailAddressPassThrough"], .inert("every address gets its code")),
        group("ConditionalAccessProtocolProvider", ["Operation", "OperationType"]),
        group(
            "AzureApplicationInsightsProvider",
            ["InstrumentationKey", "DeveloperMode", "DisableTelemetry", "ConnectionString"],
            .inert("nothing is sent")),
        group(
            "OpenIdConnect",
            [
                "client_id", "METADATA", "authorization_endpoint", "issuer", "response_types", "response_mode", "scope",
                "UsePolicyInRedirectUri", "token_endpoint_auth_method", "token_endpoint", "jwks_uri",
                "ValidTokenIssuerPrefixes", "IdTokenAudience", "ReadBodyClaimsOnIdpRedirect",
                "AdditionalRequestQueryParameters", "AccessTokenEndpoint", "end_session_endpoint",
                "SingleLogoutEnabled", "ExtraParamsInAccessTokenEndpointResponse", "ResolveJsonPathsInJsonTokens",
                "ResponseErrorCodeParamName",
            ]),
        group("OpenIdConnect", ["ProviderName"], .inert("the issuer of the token is compared, not this name")),
        group("OpenIdConnect", ["HttpBinding"], .approximated("the token call is always a POST")),
        group(
            "OpenIdConnect", ["DiscoverMetadataByTokenIssuer"],
            .approximated(
                "the issuer of a token is not asked for metadata: keys are those of METADATA, and "
                    + "ValidTokenIssuerPrefixes says who passes")),
        group(
            "OpenIdConnect", ["MarkAsFailureOnStatusCode5xx"], .approximated("a 5xx answer is a failure in any case")),
        group(
            "OpenIdConnect", ["token_signing_algorithm"],
            .approximated("RS384 and RS512 are named in the header and signed as RS256; another fails by name")),
        group(
            "OAuth2",
            [
                "client_id", "authorization_endpoint", "AccessTokenEndpoint", "ClaimsEndpoint",
                "ClaimsEndpointAccessTokenName", "ClaimsEndpointFormatName", "ClaimsEndpointFormat",
                "BearerTokenTransmissionMethod", "AdditionalRequestQueryParameters",
                "ExtraParamsInAccessTokenEndpointResponse", "ExtraParamsInClaimsEndpointRequest",
                "UserAgentForClaimsExchange", "ResolveJsonPathsInJsonTokens", "ResponseErrorCodeParamName",
                "UsePolicyInRedirectUri", "scope", "response_types", "token_endpoint_auth_method",
                "end_session_endpoint", "SingleLogoutEnabled", "AccessTokenResponseFormat",
            ]),
        group(
            "OAuth2", ["response_mode"],
            .approximated("sent as the policy writes it; without it nothing is sent, and the provider's default holds")),
        group("OAuth2", ["ProviderName"], .inert("a name")),
        group("OAuth2", ["IdTokenAudience"], .inert("no ID token of such a provider is read")),
        group("OAuth2", ["HttpBinding"], .approximated("the token call is always a POST, the claims call a GET")),
        group(
            "OAuth2", ["external_user_identity_claim_id"], .inert("the output claims say which member names the user")),
        group("OAuth2", ["ClaimsResponseFormat"], .approximated("JSON only; another fails by name")),
        group("OAuth2", ["MarkAsFailureOnStatusCode5xx"], .approximated("a 5xx answer is a failure in any case")),
        group(
            "OAuth1",
            [
                "client_id", "request_token_endpoint", "authorization_endpoint", "access_token_endpoint",
                "ClaimsEndpoint", "UsePolicyInRedirectUri",
            ]),
        group("OAuth1", ["ProviderName"], .inert("a name")),
        group("OAuth1", ["ClaimsResponseFormat"], .approximated("JSON only; another fails by name")),
        group("SAML2", ["*"], .refused("SAML")), group("Saml2Issuer", ["*"], .refused("SAML")),
        group("None", ["issuer", "IdTokenAudience"]),
        group(
            "None", ["METADATA"],
            .approximated(
                "issuer and keys of an id_token_hint are fetched in the GetClaims step, at each sign-in; a REST stub or a "
                    + "host of the tenant answers")),
        group("None", ["url", "client_id", "client_assertion_type"], .inert("profiles of the service's own")),
        group("JsonIssuer", ["*"], .inert("no documented key")),
        group("OAuth2ErrorIssuer", ["*"], .inert("no documented key")),
        group(
            "TokenAuthorization", ["issuer"],
            .approximated("compared letter by letter; a mock's own address stands for the tenant's host")),
        group("TokenAuthorization", ["audience", "IdTokenAudience"]),
        group(
            "TokenAuthorization", ["client_assertion_type"],
            .inert("the call brings a bearer token and no assertion")),
        group(
            "JwtIssuer",
            [
                "issuer_refresh_token_user_identity_claim_type", "SendTokenResponseBodyWithJsonNumbers",
                "token_lifetime_secs", "id_token_lifetime_secs", "refresh_token_lifetime_secs",
                "rolling_refresh_token_lifetime_secs", "allow_infinite_rolling_refresh_token", "IssuanceClaimPattern",
                "AuthenticationContextReferenceClaimPattern", "RefreshTokenUserJourneyId",
                "ClientCredentialsUserJourneyId",
            ]),
        group("JwtIssuer", ["client_id"], .inert("{service:te} in every policy")),
        group(
            "ExternalLoginSSOSessionProvider", ["AlwaysFetchClaimsFromProvider"],
            .approximated(
                "true: the provider is asked at each sign-in; else the session's claims are used (the documents call the "
                    + "key unused)")),
        group("SamlSSOSessionProvider", ["*"], .inert("SAML only")),
        group("OAuthSSOSessionProvider", ["*"], .inert("no documented key")),
        group("content definition", ["DisplayName"]),
        group(
            "content definition", ["TemplateId", "CssFile", "BackgroundImage"],
            .inert("pages are drawn by one template")),
        group(
            "content definition", ["language.intro", "setting.bottomUnderFormClaimsProviderSelections"],
            .inert("texts of pages come from localized resources")),
        group(
            "relying party", ["*"], .refused("metadata of a relying party is for SAML")),
    ].flatMap { $0 }

    private static func group(_ owner: String, _ names: [String], _ extent: Feature.Extent = .simulated) -> [Feature] {
        names.map { Feature(.metadata, $0, extent, of: owner) }
    }

    /// The line of a metadata key for a kind of profile.
    public static func metadata(_ key: String, of owner: String) -> Feature? {
        feature(.metadata, key, of: owner) ?? feature(.metadata, key, of: "any profile")
    }
}

extension ProfileHandler {
    /// The name under which the table lists what belongs to profiles of this kind.
    public var tableName: String { self == .passwordSignIn ? "OpenIdConnect with grant_type=password" : name }
}
