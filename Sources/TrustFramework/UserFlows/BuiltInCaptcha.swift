/// What the captcha of user flows needs, over the base and its texts: a policy file of its own, so that flows without one
/// carry nothing of it. Ids are those of Microsoft's documentation (add-captcha, captcha-technical-profile) and of
/// recorded pages (b2c-protocol 3.10).
enum BuiltInCaptcha {
    static let file = "built-in captcha"
    static let policyID = "B2C_1A_HarnessCaptcha"
    /// The display control, whose id pages post.
    static let control = "captchaControlChallengeCode"
    static let xml = #"""
        <?xml version="1.0" encoding="utf-8"?>
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" PolicySchemaVersion="0.3.0.0" TenantId="harness.onmicrosoft.com" PolicyId="B2C_1A_HarnessCaptcha" PublicPolicyUri="http://harness.onmicrosoft.com/B2C_1A_HarnessCaptcha">
          <BasePolicy>
            <TenantId>harness.onmicrosoft.com</TenantId>
            <PolicyId>B2C_1A_HarnessTexts</PolicyId>
          </BasePolicy>
          <BuildingBlocks>
            <ClaimsSchema>
              <ClaimType Id="challengeType">
                <DisplayName>Kind of captcha</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="challengeId">
                <DisplayName>Number of the captcha</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="challengeString">
                <DisplayName>Picture of the captcha</DisplayName>
                <DataType>string</DataType>
                <UserInputType>Paragraph</UserInputType>
              </ClaimType>
              <ClaimType Id="captchaEntered">
                <DisplayName>Characters of the picture</DisplayName>
                <DataType>string</DataType>
                <UserInputType>TextBox</UserInputType>
              </ClaimType>
              <ClaimType Id="azureregion">
                <DisplayName>Where the picture was made</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
              <ClaimType Id="isCaptchaSolved">
                <DisplayName>The captcha is solved</DisplayName>
                <DataType>boolean</DataType>
              </ClaimType>
              <ClaimType Id="reason">
                <DisplayName>What became of the captcha</DisplayName>
                <DataType>string</DataType>
              </ClaimType>
            </ClaimsSchema>
            <Localization Enabled="true">
              <SupportedLanguages DefaultLanguage="en">
                <SupportedLanguage>en</SupportedLanguage>
                <SupportedLanguage>de</SupportedLanguage>
              </SupportedLanguages>
              <LocalizedResources Id="api.signuporsignin.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="DisplayControl" ElementId="captchaControlChallengeCode" StringId="title_text">Show that you are a person</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.signuporsignin.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="DisplayControl" ElementId="captchaControlChallengeCode" StringId="title_text">Zeichen im Bild</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountsignup.en">
                <LocalizedStrings>
                  <LocalizedString ElementType="DisplayControl" ElementId="captchaControlChallengeCode" StringId="title_text">Show that you are a person</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
              <LocalizedResources Id="api.localaccountsignup.de">
                <LocalizedStrings>
                  <LocalizedString ElementType="DisplayControl" ElementId="captchaControlChallengeCode" StringId="title_text">Zeichen im Bild</LocalizedString>
                </LocalizedStrings>
              </LocalizedResources>
            </Localization>
            <DisplayControls>
              <DisplayControl Id="captchaControlChallengeCode" UserInterfaceControlType="CaptchaControl" DisplayName="Show that you are a person">
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="challengeType" />
                  <InputClaim ClaimTypeReferenceId="challengeId" />
                </InputClaims>
                <DisplayClaims>
                  <DisplayClaim ClaimTypeReferenceId="challengeType" ControlClaimType="ChallengeType" />
                  <DisplayClaim ClaimTypeReferenceId="challengeId" ControlClaimType="ChallengeId" />
                  <DisplayClaim ClaimTypeReferenceId="challengeString" ControlClaimType="ChallengeString" />
                  <DisplayClaim ClaimTypeReferenceId="captchaEntered" ControlClaimType="CaptchaEntered" />
                </DisplayClaims>
                <Actions>
                  <Action Id="GetChallenge">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="HIP-GetChallenge" />
                    </ValidationClaimsExchange>
                  </Action>
                  <Action Id="VerifyChallenge">
                    <ValidationClaimsExchange>
                      <ValidationClaimsExchangeTechnicalProfile TechnicalProfileReferenceId="HIP-VerifyChallenge" />
                    </ValidationClaimsExchange>
                  </Action>
                </Actions>
              </DisplayControl>
            </DisplayControls>
          </BuildingBlocks>
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Captcha</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="HIP-GetChallenge">
                  <DisplayName>Picture</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.CaptchaProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">GetChallenge</Item>
                    <Item Key="Brand">HIP</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="challengeType" />
                  </InputClaims>
                  <DisplayClaims>
                    <DisplayClaim ClaimTypeReferenceId="challengeString" />
                  </DisplayClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="challengeId" />
                    <OutputClaim ClaimTypeReferenceId="challengeString" PartnerClaimType="ChallengeString" />
                    <OutputClaim ClaimTypeReferenceId="azureregion" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
                <TechnicalProfile Id="HIP-VerifyChallenge">
                  <DisplayName>Answer</DisplayName>
                  <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.CaptchaProvider, Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
                  <Metadata>
                    <Item Key="Operation">VerifyChallenge</Item>
                    <Item Key="Brand">HIP</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="challengeType" DefaultValue="Visual" />
                    <InputClaim ClaimTypeReferenceId="challengeId" />
                    <InputClaim ClaimTypeReferenceId="captchaEntered" PartnerClaimType="inputSolution" Required="true" />
                    <InputClaim ClaimTypeReferenceId="azureregion" />
                  </InputClaims>
                  <DisplayClaims>
                    <DisplayClaim ClaimTypeReferenceId="captchaEntered" />
                  </DisplayClaims>
                  <OutputClaims>
                    <OutputClaim ClaimTypeReferenceId="challengeId" />
                    <OutputClaim ClaimTypeReferenceId="isCaptchaSolved" PartnerClaimType="solved" />
                    <OutputClaim ClaimTypeReferenceId="reason" PartnerClaimType="reason" />
                  </OutputClaims>
                  <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>
        </TrustFrameworkPolicy>
        """#
}
