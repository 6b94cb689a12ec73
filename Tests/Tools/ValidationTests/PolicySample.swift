/// A policy of three files in which nothing is wrong, and which has something of everything that rules look at.
enum PolicySample {
    static let files = [("base.xml", base), ("extensions.xml", extensions), ("susi.xml", party)]

    static let base = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Base" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Base">
          <BuildingBlocks>
            <ClaimsSchema>
              <ClaimType Id="objectId"><DataType>string</DataType></ClaimType>
              <ClaimType Id="email"><DataType>string</DataType><UserInputType>EmailBox</UserInputType></ClaimType>
              <ClaimType Id="displayName"><DataType>string</DataType><UserInputType>TextBox</UserInputType>
                <Restriction><Pattern RegularExpression="^[a-z]+$" /></Restriction></ClaimType>
              <ClaimType Id="newPassword"><DataType>string</DataType><UserInputType>Password</UserInputType>
                <PredicateValidationReference Id="strong" /></ClaimType>
              <ClaimType Id="plan"><DataType>string</DataType><UserInputType>DropdownSingleSelect</UserInputType>
                <Restriction><Enumeration Text="Free" Value="free" /></Restriction></ClaimType>
              <ClaimType Id="newUser"><DataType>boolean</DataType></ClaimType>
              <ClaimType Id="tenantId"><DataType>string</DataType></ClaimType>
              <ClaimType Id="code"><DataType>string</DataType><UserInputType>TextBox</UserInputType></ClaimType>
              <ClaimType Id="mails"><DataType>stringCollection</DataType></ClaimType>
              <ClaimType Id="extension_level"><DataType>string</DataType></ClaimType>
              <ClaimType Id="issuerUserId"><DataType>string</DataType></ClaimType>
              <ClaimType Id="passwordPolicies"><DataType>string</DataType></ClaimType>
            </ClaimsSchema>
            <Predicates>
              <Predicate Id="length" Method="IsLengthRange"><Parameters>
                <Parameter Id="Minimum">8</Parameter><Parameter \
        Id="Maximum">64</Parameter></Parameters></Predicate>
            </Predicates>
            <PredicateValidations>
              <PredicateValidation Id="strong"><PredicateGroups><PredicateGroup Id="g">
                <PredicateReferences MatchAtLeast="1"><PredicateReference Id="length" \
        /></PredicateReferences>
              </PredicateGroup></PredicateGroups></PredicateValidation>
            </PredicateValidations>
            <ClaimsTransformations>
              <ClaimsTransformation Id="AddMail" TransformationMethod="AddItemToStringCollection">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="item" />
                  <InputClaim ClaimTypeReferenceId="mails" TransformationClaimType="collection" />
                </InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="mails" \
        TransformationClaimType="collection" /></OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="IsNew" TransformationMethod="AssertBooleanClaimIsEqualToValue">
                <InputClaims><InputClaim ClaimTypeReferenceId="newUser" \
        TransformationClaimType="inputClaim" /></InputClaims>
                <InputParameters><InputParameter Id="valueToCompareTo" DataType="boolean" Value="true" \
        /></InputParameters>
              </ClaimsTransformation>
            </ClaimsTransformations>
            <ClientDefinitions><ClientDefinition Id="DefaultWeb" /></ClientDefinitions>
            <ContentDefinitions>
              <ContentDefinition \
        Id="api.signuporsignin"><LoadUri>~/tenant/templates/AzureBlue/unified.cshtml</LoadUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:unifiedssp:2.1.5</DataUri></ContentDefinition>
              <ContentDefinition \
        Id="api.selfasserted"><LoadUri>~/tenant/templates/AzureBlue/selfAsserted.cshtml</LoadUri>
                <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri>
                <LocalizedResourcesReferences MergeBehavior="Prepend">
                  <LocalizedResourcesReference Language="en" LocalizedResourcesReferenceId="page.en" />
                </LocalizedResourcesReferences></ContentDefinition>
            </ContentDefinitions>
            <Localization Enabled="true">
              <SupportedLanguages DefaultLanguage="en" MergeBehavior="Append">
                <SupportedLanguage>en</SupportedLanguage></SupportedLanguages>
              <LocalizedResources Id="page.en"><LocalizedStrings>
                <LocalizedString ElementType="UxElement" StringId="button_continue">Go</LocalizedString>
              </LocalizedStrings></LocalizedResources>
            </Localization>
            <DisplayControls>
              <DisplayControl Id="verify" UserInterfaceControlType="VerificationControl">
                <DisplayClaims><DisplayClaim ClaimTypeReferenceId="email" Required="true" />
                  <DisplayClaim ClaimTypeReferenceId="code" ControlClaimType="VerificationCode" \
        Required="true" /></DisplayClaims>
                <Actions>
                  <Action Id="SendCode"><ValidationClaimsExchange><ValidationClaimsExchangeTechnicalProfile
                    TechnicalProfileReferenceId="MakeCode" /></ValidationClaimsExchange></Action>
                  <Action Id="VerifyCode"><ValidationClaimsExchange><ValidationClaimsExchangeTechnicalProfile
                    TechnicalProfileReferenceId="CheckCode" /></ValidationClaimsExchange></Action>
                </Actions>
              </DisplayControl>
            </DisplayControls>
          </BuildingBlocks>
          <ClaimsProviders>
            <ClaimsProvider><DisplayName>Facebook</DisplayName><TechnicalProfiles>
              <TechnicalProfile Id="Facebook"><DisplayName>Facebook</DisplayName><Protocol Name="OAuth2" />
                <Metadata>
                  <Item Key="client_id">123</Item>
                  <Item Key="authorization_endpoint">https://www.facebook.com/dialog/oauth</Item>
                  <Item Key="AccessTokenEndpoint">https://graph.facebook.com/oauth/access_token</Item>
                  <Item Key="ClaimsEndpoint">https://graph.facebook.com/me</Item>
                </Metadata>
                <CryptographicKeys><Key Id="client_secret" StorageReferenceId="B2C_1A_FacebookSecret" \
        /></CryptographicKeys>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="issuerUserId" PartnerClaimType="id" />
                  <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="oid" /></OutputClaims>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
              </TechnicalProfile>
              <TechnicalProfile Id="Google"><DisplayName>Google</DisplayName><Protocol \
        Name="OpenIdConnect" />
                <Metadata>
                  <Item Key="client_id">456</Item>
                  <Item Key="METADATA">https://accounts.google.com/.well-known/openid-configuration</Item>
                  <Item Key="response_types">code</Item>
                </Metadata>
                <CryptographicKeys><Key Id="client_secret" StorageReferenceId="B2C_1A_GoogleSecret" \
        /></CryptographicKeys>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" \
        /></OutputClaims>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
              </TechnicalProfile>
              <TechnicalProfile Id="Partner"><DisplayName>Partner</DisplayName><Protocol Name="SAML2" />
                <Metadata>
                  <Item Key="PartnerEntity">https://partner.example/metadata</Item>
                  <Item Key="XmlSignatureAlgorithm">Sha256</Item>
                </Metadata>
                <CryptographicKeys><Key Id="SamlMessageSigning" StorageReferenceId="B2C_1A_Saml" \
        /></CryptographicKeys>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" \
        PartnerClaimType="assertionSubjectName" /></OutputClaims>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
              </TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider>
            <ClaimsProvider><DisplayName>Directory</DisplayName><TechnicalProfiles>
              <TechnicalProfile Id="AAD-Common"><DisplayName>Directory</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.AzureActiveDirectoryProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata><Item Key="ApplicationObjectId">00000000-0000-0000-0000-000000000001</Item>
                  <Item Key="ClientId">00000000-0000-0000-0000-000000000002</Item></Metadata>
                <IncludeInSso>false</IncludeInSso>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Write">
                <Metadata><Item Key="Operation">Write</Item>
                  <Item Key="RaiseErrorIfClaimsPrincipalAlreadyExists">true</Item></Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="email" \
        PartnerClaimType="signInNames.emailAddress" Required="true" /></InputClaims>
                <PersistedClaims>
                  <PersistedClaim ClaimTypeReferenceId="email" \
        PartnerClaimType="signInNames.emailAddress" />
                  <PersistedClaim ClaimTypeReferenceId="newPassword" PartnerClaimType="password" />
                  <PersistedClaim ClaimTypeReferenceId="displayName" DefaultValue="unknown" />
                  <PersistedClaim ClaimTypeReferenceId="extension_level" DefaultValue="1" />
                </PersistedClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" />
                  <OutputClaim ClaimTypeReferenceId="newUser" \
        PartnerClaimType="newClaimsPrincipalCreated" /></OutputClaims>
                <IncludeTechnicalProfile ReferenceId="AAD-Common" />
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Read">
                <Metadata><Item Key="Operation">Read</Item></Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="objectId" Required="true" /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="displayName" /></OutputClaims>
                <IncludeTechnicalProfile ReferenceId="AAD-Common" />
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Level">
                <Metadata><Item Key="Operation">Write</Item></Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="objectId" Required="true" /></InputClaims>
                <PersistedClaims><PersistedClaim ClaimTypeReferenceId="objectId" />
                  <PersistedClaim ClaimTypeReferenceId="extension_level" DefaultValue="2" \
        /></PersistedClaims>
                <IncludeTechnicalProfile ReferenceId="AAD-Common" />
              </TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider>
            <ClaimsProvider><DisplayName>Codes</DisplayName><TechnicalProfiles>
              <TechnicalProfile Id="MakeCode"><DisplayName>Code</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.OneTimePasswordProtocolProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata><Item Key="Operation">GenerateCode</Item><Item \
        Key="CodeLength">6</Item></Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="email" PartnerClaimType="identifier" \
        /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="code" PartnerClaimType="otpGenerated" \
        /></OutputClaims>
              </TechnicalProfile>
              <TechnicalProfile Id="CheckCode"><DisplayName>Code</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.OneTimePasswordProtocolProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata><Item Key="Operation">VerifyCode</Item></Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="email" PartnerClaimType="identifier" />
                  <InputClaim ClaimTypeReferenceId="code" PartnerClaimType="otpToVerify" /></InputClaims>
              </TechnicalProfile>
              <TechnicalProfile Id="Price"><DisplayName>Price</DisplayName>
                <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.RestfulProvider, \
        Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                <Metadata>
                  <Item Key="ServiceUrl">https://api.contoso.example/price</Item>
                  <Item Key="AuthenticationType">Bearer</Item>
                  <Item Key="SendClaimsIn">Body</Item>
                </Metadata>
                <CryptographicKeys><Key Id="BearerAuthenticationToken" StorageReferenceId="B2C_1A_Token" \
        /></CryptographicKeys>
                <InputClaims><InputClaim ClaimTypeReferenceId="objectId" /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="plan" /></OutputClaims>
                <EnabledForUserJourneys>true</EnabledForUserJourneys>
              </TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider>
            <ClaimsProvider><DisplayName>Pages</DisplayName><TechnicalProfiles>
              <TechnicalProfile Id="Page-SignIn"><DisplayName>Sign in</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata>
                  <Item Key="SignUpTarget">SignUpExchange</Item>
                  <Item Key="IncludeClaimResolvingInClaimsHandling">true</Item>
                  <Item Key="ContentDefinitionReferenceId">api.signuporsignin</Item>
                </Metadata>
                <InputClaims><InputClaim ClaimTypeReferenceId="email" DefaultValue="{OIDC:LoginHint}" \
        AlwaysUseDefaultValue="true" /></InputClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="email" Required="true" />
                  <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                  <OutputClaim ClaimTypeReferenceId="objectId" DefaultValue="none" /></OutputClaims>
              </TechnicalProfile>
              <TechnicalProfile Id="Page-SignUp"><DisplayName>Sign up</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata><Item Key="ContentDefinitionReferenceId">api.selfasserted</Item></Metadata>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="objectId" />
                  <OutputClaim ClaimTypeReferenceId="email" PartnerClaimType="Verified.Email" \
        Required="true" />
                  <OutputClaim ClaimTypeReferenceId="newPassword" Required="true" />
                  <OutputClaim ClaimTypeReferenceId="newUser" /></OutputClaims>
                <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="AddMail" \
        /></OutputClaimsTransformations>
                <ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId="AAD-Write" \
        /></ValidationTechnicalProfiles>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-AAD" />
              </TechnicalProfile>
              <TechnicalProfile Id="Page-Plan"><DisplayName>Plan</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, Web.TPEngine, Version=1.0.0.0, \
        Culture=neutral, PublicKeyToken=null" />
                <Metadata><Item Key="ContentDefinitionReferenceId">api.selfasserted</Item></Metadata>
                <DisplayClaims><DisplayClaim DisplayControlReferenceId="verify" /><DisplayClaim \
        ClaimTypeReferenceId="plan" /></DisplayClaims>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="plan" /></OutputClaims>
                <ValidationTechnicalProfiles><ValidationTechnicalProfile ReferenceId="AssertNew" \
        /></ValidationTechnicalProfiles>
              </TechnicalProfile>
              <TechnicalProfile Id="AssertNew"><DisplayName>Assert</DisplayName>
                <Protocol Name="Proprietary" \
        Handler="Web.TPEngine.Providers.ClaimsTransformationProtocolProvider, Web.TPEngine, \
        Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                <OutputClaims><OutputClaim ClaimTypeReferenceId="mails" /></OutputClaims>
                <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="IsNew" \
        /></OutputClaimsTransformations>
              </TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider>
            <ClaimsProvider><DisplayName>Sessions and tokens</DisplayName><TechnicalProfiles>
              <TechnicalProfile Id="SM-Noop"><DisplayName>Noop</DisplayName>
                <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.NoopSSOSessionProvider, \
        Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
              </TechnicalProfile>
              <TechnicalProfile Id="SM-AAD"><DisplayName>Session</DisplayName>
                <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.DefaultSSOSessionProvider, \
        Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                <PersistedClaims><PersistedClaim ClaimTypeReferenceId="objectId" /></PersistedClaims>
              </TechnicalProfile>
              <TechnicalProfile Id="SM-jwt-issuer"><DisplayName>Session of the issuer</DisplayName>
                <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.OAuthSSOSessionProvider, \
        Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
              </TechnicalProfile>
              <TechnicalProfile Id="JwtIssuer"><DisplayName>Issuer</DisplayName><Protocol \
        Name="OpenIdConnect" />
                <OutputTokenFormat>JWT</OutputTokenFormat>
                <Metadata><Item Key="client_id">{service:te}</Item>
                  <Item Key="issuer_refresh_token_user_identity_claim_type">objectId</Item>
                  <Item Key="token_lifetime_secs">3600</Item></Metadata>
                <CryptographicKeys>
                  <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                  <Key Id="issuer_refresh_token_key" \
        StorageReferenceId="B2C_1A_TokenEncryptionKeyContainer" />
                </CryptographicKeys>
                <UseTechnicalProfileForSessionManagement ReferenceId="SM-jwt-issuer" />
              </TechnicalProfile>
            </TechnicalProfiles></ClaimsProvider>
          </ClaimsProviders>
          <UserJourneys>
            <UserJourney Id="SignUpOrSignIn"><OrchestrationSteps>
              <OrchestrationStep Order="1" Type="CombinedSignInAndSignUp" \
        ContentDefinitionReferenceId="api.signuporsignin">
                <ClaimsProviderSelections>
                  <ClaimsProviderSelection TargetClaimsExchangeId="FacebookExchange" />
                  <ClaimsProviderSelection TargetClaimsExchangeId="GoogleExchange" />
                  <ClaimsProviderSelection TargetClaimsExchangeId="PartnerExchange" />
                  <ClaimsProviderSelection ValidationClaimsExchangeId="SignInExchange" />
                </ClaimsProviderSelections>
                <ClaimsExchanges><ClaimsExchange Id="SignInExchange" \
        TechnicalProfileReferenceId="Page-SignIn" /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="2" Type="ClaimsExchange">
                <Preconditions><Precondition Type="ClaimsExist" \
        ExecuteActionsIf="true"><Value>objectId</Value>
                  <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>
                <ClaimsExchanges>
                  <ClaimsExchange Id="FacebookExchange" TechnicalProfileReferenceId="Facebook" />
                  <ClaimsExchange Id="GoogleExchange" TechnicalProfileReferenceId="Google" />
                  <ClaimsExchange Id="PartnerExchange" TechnicalProfileReferenceId="Partner" />
                  <ClaimsExchange Id="SignUpExchange" TechnicalProfileReferenceId="Page-SignUp" />
                </ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="3" Type="ClaimsExchange">
                <ClaimsExchanges><ClaimsExchange Id="Read" TechnicalProfileReferenceId="AAD-Read" \
        /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="4" Type="ClaimsExchange">
                <Preconditions><Precondition Type="ClaimEquals" \
        ExecuteActionsIf="true"><Value>newUser</Value><Value>False</Value>
                  <Action>SkipThisOrchestrationStep</Action></Precondition></Preconditions>
                <ClaimsExchanges><ClaimsExchange Id="Plan" TechnicalProfileReferenceId="Page-Plan" \
        /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="5" Type="ClaimsExchange">
                <ClaimsExchanges><ClaimsExchange Id="Price" TechnicalProfileReferenceId="Price" \
        /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="6" Type="ClaimsExchange">
                <ClaimsExchanges><ClaimsExchange Id="Level" TechnicalProfileReferenceId="AAD-Level" \
        /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="7" Type="InvokeSubJourney">
                <JourneyList><Candidate SubJourneyReferenceId="Again" /></JourneyList>
              </OrchestrationStep>
              <OrchestrationStep Order="8" Type="SendClaims" \
        CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps><ClientDefinition ReferenceId="DefaultWeb" /></UserJourney>
            <UserJourney Id="Refresh"><OrchestrationSteps>
              <OrchestrationStep Order="1" Type="ClaimsExchange">
                <ClaimsExchanges><ClaimsExchange Id="Read" TechnicalProfileReferenceId="AAD-Read" \
        /></ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="2" Type="SendClaims" \
        CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps></UserJourney>
          </UserJourneys>
          <SubJourneys>
            <SubJourney Id="Again" Type="Call"><OrchestrationSteps>
              <OrchestrationStep Order="1" Type="ClaimsExchange">
                <ClaimsExchanges><ClaimsExchange Id="Read" TechnicalProfileReferenceId="AAD-Read" \
        /></ClaimsExchanges>
              </OrchestrationStep>
            </OrchestrationSteps></SubJourney>
          </SubJourneys>
        </TrustFrameworkPolicy>
        """

    static let extensions = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Extensions" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Extensions">
          <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Base</PolicyId></BasePolicy>
          <ClaimsProviders><ClaimsProvider><DisplayName>Google</DisplayName><TechnicalProfiles>
            <TechnicalProfile Id="Google"><Metadata><Item \
        Key="client_id">789</Item></Metadata></TechnicalProfile>
          </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
        </TrustFrameworkPolicy>
        """

    static let party = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0"
          TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_susi" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_susi">
          <BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>B2C_1A_Extensions</PolicyId></BasePolicy>
          <RelyingParty>
            <DefaultUserJourney ReferenceId="SignUpOrSignIn" />
            <Endpoints><Endpoint Id="Token" UserJourneyReferenceId="Refresh" /></Endpoints>
            <UserJourneyBehaviors><SessionExpiryInSeconds>900</SessionExpiryInSeconds></UserJourneyBehaviors>
            <TechnicalProfile Id="PolicyProfile"><DisplayName>Claims</DisplayName><Protocol \
        Name="OpenIdConnect" />
              <OutputClaims>
                <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
                <OutputClaim ClaimTypeReferenceId="tenantId" AlwaysUseDefaultValue="true" \
        DefaultValue="{Policy:TenantObjectId}" />
              </OutputClaims>
              <SubjectNamingInfo ClaimType="sub" />
            </TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """
}
