import LanguageService
import Testing

/// Policies of a folder as an editor has them, the last one with a cursor.
enum EditedPolicies {
    static let provider = "Web.TPEngine.Providers."
    static let assembly = ", Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"

    /// The text of a policy.
    static func policy(_ id: String, base: String? = nil, _ content: String) -> String {
        let above = base.map {
            "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>"
        }
        return """
            <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
              PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="\(id)"
              PublicPolicyUri="http://contoso.onmicrosoft.com/\(id)">
            \(above ?? "")
            \(content)
            </TrustFrameworkPolicy>
            """
    }

    /// Technical profiles in their provider.
    static func profiles(_ profiles: String) -> String {
        """
        <ClaimsProviders>
        <ClaimsProvider>
        <DisplayName>Contoso</DisplayName>
        <TechnicalProfiles>
        \(profiles)
        </TechnicalProfiles>
        </ClaimsProvider>
        </ClaimsProviders>
        """
    }

    /// Steps in their journey.
    static func journey(_ steps: String) -> String {
        """
        <UserJourneys>
        <UserJourney Id="Another">
        <OrchestrationSteps>
        \(steps)
        </OrchestrationSteps>
        </UserJourney>
        </UserJourneys>
        """
    }

    /// A sign-up: a page whose validation writes to the directory, a read, a token. Nothing writes `city`.
    static let base = policy(
        "B2C_1A_Base",
        """
        <BuildingBlocks>
          <ClaimsSchema>
            <ClaimType Id="objectId"><DisplayName>Object</DisplayName><DataType>string</DataType></ClaimType>
            <ClaimType Id="email">
              <DisplayName>Email Address</DisplayName>
              <DataType>string</DataType>
              <UserInputType>EmailBox</UserInputType>
            </ClaimType>
            <ClaimType Id="country"><DisplayName>Country</DisplayName><DataType>string</DataType></ClaimType>
            <ClaimType Id="city"><DisplayName>City</DisplayName><DataType>string</DataType></ClaimType>
          </ClaimsSchema>
          <ClaimsTransformations>
            <ClaimsTransformation Id="CopyEmail" TransformationMethod="CopyClaim">
              <InputClaims>
                <InputClaim ClaimTypeReferenceId="email" TransformationClaimType="inputClaim" />
              </InputClaims>
              <OutputClaims>
                <OutputClaim ClaimTypeReferenceId="city" TransformationClaimType="outputClaim" />
              </OutputClaims>
            </ClaimsTransformation>
          </ClaimsTransformations>
          <ContentDefinitions>
            <ContentDefinition Id="api.signup">
              <LoadUri>https://{Settings:Region}.example/signup.html</LoadUri>
            </ContentDefinition>
          </ContentDefinitions>
        </BuildingBlocks>
        <ClaimsProviders>
          <ClaimsProvider>
            <DisplayName>Contoso</DisplayName>
            <TechnicalProfiles>
              <TechnicalProfile Id="SelfAsserted-SignUp">
                <DisplayName>Sign up</DisplayName>
                <Protocol Name="Proprietary" Handler="\(provider)SelfAssertedAttributeProvider\(assembly)" />
                <Metadata>
                  <Item Key="ContentDefinitionReferenceId">api.signup</Item>
                </Metadata>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="email" Required="true" />
                </OutputClaims>
                <ValidationTechnicalProfiles>
                  <ValidationTechnicalProfile ReferenceId="AAD-Write" />
                </ValidationTechnicalProfiles>
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Common">
                <DisplayName>Directory</DisplayName>
                <Protocol Name="Proprietary" Handler="\(provider)AzureActiveDirectoryProvider\(assembly)" />
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Write">
                <Metadata>
                  <Item Key="Operation">Write</Item>
                </Metadata>
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="email" PartnerClaimType="signInNames.emailAddress" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="objectId" />
                </OutputClaims>
                <IncludeTechnicalProfile ReferenceId="AAD-Common" />
              </TechnicalProfile>
              <TechnicalProfile Id="AAD-Read">
                <Metadata>
                  <Item Key="Operation">Read</Item>
                </Metadata>
                <InputClaims>
                  <InputClaim ClaimTypeReferenceId="objectId" Required="true" />
                </InputClaims>
                <OutputClaims>
                  <OutputClaim ClaimTypeReferenceId="country" />
                </OutputClaims>
                <IncludeTechnicalProfile ReferenceId="AAD-Common" />
              </TechnicalProfile>
              <TechnicalProfile Id="JwtIssuer">
                <DisplayName>Issuer</DisplayName>
                <Protocol Name="None" />
                <OutputTokenFormat>JWT</OutputTokenFormat>
              </TechnicalProfile>
              <TechnicalProfile Id="SM-Noop">
                <DisplayName>No session</DisplayName>
                <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.NoopSSOSessionProvider\(assembly)" />
              </TechnicalProfile>
            </TechnicalProfiles>
          </ClaimsProvider>
        </ClaimsProviders>
        <UserJourneys>
          <UserJourney Id="SignUp">
            <OrchestrationSteps>
              <OrchestrationStep Order="1" Type="ClaimsExchange">
                <ClaimsExchanges>
                  <ClaimsExchange Id="SignUpExchange" TechnicalProfileReferenceId="SelfAsserted-SignUp" />
                </ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="2" Type="ClaimsExchange">
                <ClaimsExchanges>
                  <ClaimsExchange Id="ReadExchange" TechnicalProfileReferenceId="AAD-Read" />
                </ClaimsExchanges>
              </OrchestrationStep>
              <OrchestrationStep Order="3" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps>
          </UserJourney>
        </UserJourneys>
        """)

    /// The base and a policy over it, whose content has the cursor `|`.
    static func opened(_ content: String) throws -> (workspace: LanguageWorkspace, place: TextPlace) {
        let text = Array(policy("B2C_1A_Extensions", base: "B2C_1A_Base", content).utf8)
        let cursor = try #require(text.firstIndex(of: UInt8(ascii: "|")))
        var workspace = LanguageWorkspace()
        workspace.set(LanguageFile(path: "p/Base.xml", bytes: Array(base.utf8)))
        workspace.set(LanguageFile(path: "p/Extensions.xml", bytes: Array(text[..<cursor] + text[(cursor + 1)...])))
        return (workspace, TextPlace(file: "p/Extensions.xml", offset: cursor))
    }
}
