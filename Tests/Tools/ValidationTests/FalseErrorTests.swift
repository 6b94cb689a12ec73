import Diagnostics
import Testing
import Validation

/// What published policies have that work, and what is near to it and wrong.
@Suite struct FalseErrorTests {
    /// A policy for apps alone: it gives no codes and no refresh tokens.
    private static let policy = """
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_Apps" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_Apps">
          <BuildingBlocks>
            <ClaimsSchema>
              <ClaimType \
        Id="kind"><DataType>string</DataType><UserInputType>Paragraph</UserInputType></ClaimType>
              <ClaimType Id="first"><DataType>dateTime</DataType></ClaimType>
              <ClaimType Id="later"><DataType>boolean</DataType></ClaimType>
            </ClaimsSchema>
            <ClaimsTransformations>
              <ClaimsTransformation Id="Now" TransformationMethod="GetCurrentDateTime">
                <OutputClaims><OutputClaim ClaimTypeReferenceId="first" \
        TransformationClaimType="currentDateTime" /></OutputClaims>
              </ClaimsTransformation>
              <ClaimsTransformation Id="Compare" TransformationMethod="DateTimeComparison">
                <InputClaims><InputClaim ClaimTypeReferenceId="first" TransformationClaimType="firstDateTime" />
                  <InputClaim ClaimTypeReferenceId="first" TransformationClaimType="secondDateTime" \
        /></InputClaims>
                <InputParameters><InputParameter Id="operator" DataType="string" Value="later than" \
        /><InputParameter Id="timeSpanInSeconds" DataType="int" Value="0" /></InputParameters>
                <OutputClaims><OutputClaim ClaimTypeReferenceId="later" TransformationClaimType="result" \
        /></OutputClaims>
              </ClaimsTransformation>
            </ClaimsTransformations>
            <ContentDefinitions>
              <ContentDefinition Id="api.page"><LoadUri>~/tenant/default/selfAsserted.cshtml</LoadUri>
                \
        <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri></ContentDefinition>
            </ContentDefinitions>
          </BuildingBlocks>
          <ClaimsProviders><ClaimsProvider><DisplayName>Apps</DisplayName><TechnicalProfiles>
            <TechnicalProfile Id="Setup"><DisplayName>Setup</DisplayName><Protocol Name="None" />
              <OutputClaims><OutputClaim ClaimTypeReferenceId="kind" DefaultValue="app" \
        AlwaysUseDefaultValue="true" /></OutputClaims>
              <OutputClaimsTransformations><OutputClaimsTransformation ReferenceId="Now" \
        /><OutputClaimsTransformation ReferenceId="Compare" /></OutputClaimsTransformations>
            </TechnicalProfile>
            <TechnicalProfile Id="ShowBlockPage"><DisplayName>Blocked</DisplayName>
              <Protocol Name="Proprietary" Handler="Web.TPEngine.Providers.SelfAssertedAttributeProvider, \
        Web.TPEngine, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
              <Metadata><Item Key="ContentDefinitionReferenceId">api.page</Item></Metadata>
              <InputClaims><InputClaim ClaimTypeReferenceId="kind" DefaultValue="blocked" /></InputClaims>
              <OutputClaims><OutputClaim ClaimTypeReferenceId="kind" /></OutputClaims>
              <UseTechnicalProfileForSessionManagement ReferenceId="SM-Noop" />
            </TechnicalProfile>
            <TechnicalProfile Id="SM-Noop"><DisplayName>Noop</DisplayName>
              <Protocol Name="Proprietary" Handler="Web.TPEngine.SSO.NoopSSOSessionProvider, Web.TPEngine, \
        Version=1.0.0.0, Culture=neutral, PublicKeyToken=null" />
            </TechnicalProfile>
            <TechnicalProfile Id="JwtIssuer"><DisplayName>Issuer</DisplayName><Protocol Name="None" \
        /><OutputTokenFormat>JWT</OutputTokenFormat>
              <Metadata><Item Key="ClientCredentialsUserJourneyId">Apps</Item></Metadata>
              <CryptographicKeys><Key Id="issuer_secret" \
        StorageReferenceId="B2C_1A_TokenSigningKeyContainer" /></CryptographicKeys>
            </TechnicalProfile>
          </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
          <UserJourneys>
            <UserJourney Id="Apps"><OrchestrationSteps>
              <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges><ClaimsExchange \
        Id="Setup" TechnicalProfileReferenceId="Setup" /></ClaimsExchanges></OrchestrationStep>
              <OrchestrationStep Order="2" Type="SendClaims" \
        CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            </OrchestrationSteps></UserJourney>
          </UserJourneys>
          <RelyingParty>
            <DefaultUserJourney ReferenceId="Apps" />
            <TechnicalProfile Id="PolicyProfile"><DisplayName>Apps</DisplayName><Protocol \
        Name="OpenIdConnect" />
              <OutputClaims><OutputClaim ClaimTypeReferenceId="kind" PartnerClaimType="sub" /></OutputClaims>
              <SubjectNamingInfo ClaimType="sub" />
            </TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """

    private func errors(_ edits: [(String, String)]) -> [String] {
        var text = Self.policy
        for (right, wrong) in edits {
            #expect(text.contains(right), "the policy has no \(right)")
            text = text.replacing(right, with: wrong)
        }
        return Validator.validate(project(("apps.xml", text))).diagnostics
            .filter { $0.severity == .error }.map(\.rule).sorted()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var right: String
        var wrong: String
        var errors: [String] = []
        var testDescription: String { what }
    }

    @Test func `a policy of client credentials alone needs nothing for refresh tokens`() {
        #expect(errors([]) == [])
    }

    @Test(arguments: [
        Case(
            what: "no signing key", right: "<Key Id=\"issuer_secret\"", wrong: "<Key Id=\"issuer_secrets\"",
            errors: ["B2C-POL-066"]),
        Case(
            what: "people sign in", right: "<Item Key=\"ClientCredentialsUserJourneyId\">Apps</Item>",
            wrong: "<Item Key=\"client_id\">{service:te}</Item>", errors: ["B2C-POL-066", "B2C-POL-066"]),
        Case(
            what: "a page at the end", right: "CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\"",
            wrong: "CpimIssuerTechnicalProfileReferenceId=\"ShowBlockPage\""),
        Case(
            what: "something else at the end", right: "CpimIssuerTechnicalProfileReferenceId=\"JwtIssuer\"",
            wrong: "CpimIssuerTechnicalProfileReferenceId=\"SM-Noop\"", errors: ["B2C-POL-066"]),
        Case(
            what: "no time span",
            right: "<InputParameter Id=\"timeSpanInSeconds\" DataType=\"int\" Value=\"0\" />", wrong: ""),
        Case(
            what: "a misspelt time span", right: "Id=\"timeSpanInSeconds\"", wrong: "Id=\"timeSpanInSecond\"",
            errors: ["B2C-POL-044"]),
        Case(
            what: "a parameter that nothing knows",
            right: "<InputParameter Id=\"timeSpanInSeconds\" DataType=\"int\" Value=\"0\" />",
            wrong: "<InputParameter Id=\"timeZoneOfSecond\" DataType=\"int\" Value=\"0\" />"),
        Case(
            what: "a handler that does not exist", right: "SelfAssertedAttributeProvider",
            wrong: "NewPageProtocolProvider", errors: ["B2C-POL-054"]),
        Case(
            what: "another recorder", right: "PolicyId=\"B2C_1A_Apps\"",
            wrong: "PolicyId=\"B2C_1A_Apps\" UserJourneyRecorderEndpoint=\"https://recorder.contoso.example/\"",
            errors: ["B2C-POL-004"]),
        Case(
            what: "the recorder of a deployment", right: "PolicyId=\"B2C_1A_Apps\"",
            wrong: "PolicyId=\"B2C_1A_Apps\" UserJourneyRecorderEndpoint=\"{Settings:Recorder}\""),
        Case(
            what: "a misspelt handler", right: "SelfAssertedAttributeProvider", wrong: "SelfAssertedAtributeProvider",
            errors: ["B2C-POL-054"]),
        Case(
            what: "a layout of version 2 without contract", right: "contract:selfasserted:2.1.7",
            wrong: "selfasserted:2.1.0"),
        Case(what: "a layout of which nothing is known", right: "contract:selfasserted", wrong: "contract:selfhosted"),
        Case(
            what: "a misspelt layout", right: "contract:selfasserted", wrong: "contract:selfaserted",
            errors: ["B2C-POL-074"]),
        Case(
            what: "LoadUri with a claims resolver", right: "~/tenant/default/selfAsserted.cshtml",
            wrong: "https://contoso.blob.core.windows.net/{Culture:LanguageName}/page.html"),
        Case(
            what: "placeholders of the tenant", right: "contoso.onmicrosoft.com",
            wrong: "tenant-name.onmicrosoft.com"),
        Case(
            what: "a tenant's name with a hyphen", right: "contoso.onmicrosoft.com",
            wrong: "my-contoso.onmicrosoft.com", errors: ["B2C-POL-003"]),
    ]) func `errors are what the service refuses`(_ item: Case) {
        #expect(errors([(item.right, item.wrong)]) == item.errors)
    }

    /// One mistake is one finding, with the class that was probably meant.
    @Test(arguments: [
        ("SelfAssertedProvider", "Did you mean Web.TPEngine.Providers.SelfAssertedAttributeProvider?"),
        ("SelfAssertedAtributeProvider", "Did you mean Web.TPEngine.Providers.SelfAssertedAttributeProvider?"),
        (
            "ClaimsTransformProtocolProvider",
            "Did you mean Web.TPEngine.Providers.ClaimsTransformationProtocolProvider?"
        ),
        (
            "NewPageProtocolProvider",
            "Write a handler of the service, such as Web.TPEngine.Providers.SelfAssertedAttributeProvider."
        ),
    ])
    func `a handler that does not exist is reported once`(_ name: String, _ remedy: String) {
        let text = Self.policy.replacing("SelfAssertedAttributeProvider", with: name)
        let found = Validator.validate(project(("apps.xml", text))).diagnostics.filter { $0.rule == "B2C-POL-054" }
        #expect(found.map(\.message) == ["there is no handler \"Web.TPEngine.Providers.\(name)\""])
        #expect(found.map(\.remedy) == [remedy])
    }

    /// A base with one placeholder and a policy with another are of one tenant.
    @Test func `placeholders of tenants are one tenant`() {
        let base = PolicySample.base.replacing("contoso.onmicrosoft.com", with: "yourtenant.onmicrosoft.com")
        let extensions = PolicySample.extensions.replacing(
            "contoso.onmicrosoft.com", with: "your-tenant.onmicrosoft.com")
        let party = PolicySample.party.replacing("contoso.onmicrosoft.com", with: "tenant-name.onmicrosoft.com")
        let found = Validator.validate(
            project(("base.xml", base), ("extensions.xml", extensions), ("susi.xml", party))
        ).diagnostics
        #expect(found.filter { $0.severity == .error } == [])
        let placeholders = found.filter { $0.rule == "B2C-POL-012" }
        #expect(placeholders.count == 1 && placeholders[0].message.hasSuffix("to be filled in, at 3 places"))
        for file in ["base.xml:", "extensions.xml:", "susi.xml:"] {
            #expect(placeholders.first?.remedy?.contains(file) == true, "\(placeholders)")
        }
    }
}
