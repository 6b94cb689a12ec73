import Determinism
import TrustFramework

/// Small policies for what user flows do not do.
enum CustomPolicies {
    /// Reads `email` from an ID token hint and declares a user-info endpoint.
    /// - Parameter app: The only client id that the relying party takes.
    static func hint(app: String? = nil) throws -> ResolvedPolicy {
        let metadata = app.map { #"<Metadata><Item Key="client_id">\#($0)</Item></Metadata>"# } ?? ""
        let xml = hintXML.replacing("<InputClaims><InputClaim", with: metadata + "<InputClaims><InputClaim")
        return try PolicyLibrary.link(policyID: "B2C_1A_hint", among: [("hint.xml", Array(xml.utf8))])
    }

    /// The same for apps that speak SAML, though its issuer makes JWTs.
    static func saml() throws -> ResolvedPolicy {
        let start = hintXML.firstRange(of: "<RelyingParty>")?.lowerBound ?? hintXML.endIndex
        let party = hintXML[start...].replacing("Protocol Name=\"OpenIdConnect\"", with: "Protocol Name=\"SAML2\"")
        return try PolicyLibrary.link(
            policyID: "B2C_1A_hint", among: [("saml.xml", Array((hintXML[..<start] + party).utf8))])
    }

    /// The same with a user-info endpoint that asks something of its tokens and answers with their subject.
    /// - Parameter metadata: Of the profile that checks the token.
    static func userInfo(metadata: [(key: String, value: String)]) throws -> ResolvedPolicy {
        let items = metadata.map { #"<Item Key="\#($0.key)">\#($0.value)</Item>"# }.joined()
        let xml = hintXML.replacing(
            "</TechnicalProfiles>",
            with: """
                <TechnicalProfile Id="Authorize"><DisplayName>A</DisplayName><Protocol Name="None" />
                <InputTokenFormat>JWT</InputTokenFormat><Metadata>\(items)</Metadata><OutputClaims>
                <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" /></OutputClaims></TechnicalProfile>
                <TechnicalProfile Id="Answer"><DisplayName>U</DisplayName><Protocol Name="None" />
                <OutputTokenFormat>JSON</OutputTokenFormat><InputClaims>
                <InputClaim ClaimTypeReferenceId="objectId" /></InputClaims></TechnicalProfile></TechnicalProfiles>
                """
        ).replacing(
            #"""
                <UserJourney Id="Info">
                  <OrchestrationSteps>
                    <OrchestrationStep Order="1" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
            """#,
            with: #"""
                    <UserJourney Id="Info">
                      <Authorization><AuthorizationTechnicalProfiles>
                        <AuthorizationTechnicalProfile ReferenceId="Authorize" />
                      </AuthorizationTechnicalProfiles></Authorization>
                      <OrchestrationSteps>
                        <OrchestrationStep Order="1" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="Answer" />
                """#)
        return try PolicyLibrary.link(policyID: "B2C_1A_hint", among: [("user-info.xml", Array(xml.utf8))])
    }

    private static let hintXML = """
        <?xml version="1.0" encoding="utf-8"?>
        <TrustFrameworkPolicy xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06" \
        PolicySchemaVersion="0.3.0.0" TenantId="contoso.onmicrosoft.com" PolicyId="B2C_1A_hint" \
        PublicPolicyUri="http://contoso.onmicrosoft.com/B2C_1A_hint">
          <BuildingBlocks>
            <ClaimsSchema>
              <ClaimType Id="email"><DisplayName>E-mail</DisplayName><DataType>string</DataType></ClaimType>
              <ClaimType Id="objectId"><DisplayName>Object id</DisplayName><DataType>string</DataType></ClaimType>
            </ClaimsSchema>
          </BuildingBlocks>
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Tokens</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="IdTokenHint_ExtractClaims">
                  <DisplayName>Hint</DisplayName>
                  <Protocol Name="None" />
                  <Metadata>
                    <Item Key="issuer">https://inviter.contoso.test/</Item>
                    <Item Key="IdTokenAudience">b2c, other</Item>
                  </Metadata>
                  <CryptographicKeys>
                    <Key Id="client_secret" StorageReferenceId="B2C_1A_HintSecret" />
                  </CryptographicKeys>
                  <OutputClaims><OutputClaim ClaimTypeReferenceId="email" /></OutputClaims>
                </TechnicalProfile>
                <TechnicalProfile Id="JwtIssuer">
                  <DisplayName>JWT issuer</DisplayName>
                  <Protocol Name="OpenIdConnect" />
                  <OutputTokenFormat>JWT</OutputTokenFormat>
                  <Metadata>
                    <Item Key="client_id">{service:te}</Item>
                    <Item Key="issuer_refresh_token_user_identity_claim_type">objectId</Item>
                  </Metadata>
                  <CryptographicKeys>
                    <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
                    <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_TokenEncryptionKeyContainer" />
                  </CryptographicKeys>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>
          <UserJourneys>
            <UserJourney Id="Invited">
              <OrchestrationSteps>
                <OrchestrationStep Order="1" Type="GetClaims" \
        CpimIssuerTechnicalProfileReferenceId="IdTokenHint_ExtractClaims" />
                <OrchestrationStep Order="2" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
              </OrchestrationSteps>
            </UserJourney>
            <UserJourney Id="Info">
              <OrchestrationSteps>
                <OrchestrationStep Order="1" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
              </OrchestrationSteps>
            </UserJourney>
          </UserJourneys>
          <RelyingParty>
            <DefaultUserJourney ReferenceId="Invited" />
            <Endpoints><Endpoint Id="UserInfo" UserJourneyReferenceId="Info" /></Endpoints>
            <TechnicalProfile Id="PolicyProfile">
              <DisplayName>PolicyProfile</DisplayName>
              <Protocol Name="OpenIdConnect" />
              <InputClaims><InputClaim ClaimTypeReferenceId="email" /></InputClaims>
              <OutputClaims>
                <OutputClaim ClaimTypeReferenceId="email" />
                <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" DefaultValue="nobody" />
              </OutputClaims>
              <SubjectNamingInfo ClaimType="sub" />
            </TechnicalProfile>
          </RelyingParty>
        </TrustFrameworkPolicy>
        """
}
