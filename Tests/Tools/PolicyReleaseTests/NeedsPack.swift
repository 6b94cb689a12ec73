import Diagnostics
import PolicyRelease
import TrustFramework

/// Three policies that need something of every kind.
enum NeedsPack {
    static let files: [(file: String, text: String)] = [
        ("base.xml", base), ("extensions.xml", extensions), ("signin.xml", signIn),
    ]

    /// Builds files as a release does: settings are filled in, and places are those of the files.
    static func built(
        _ files: [(file: String, text: String)] = files, settings: [(name: String, value: String)] = []
    ) -> BuiltPolicies {
        BuiltPolicies(
            tenant: "contoso.onmicrosoft.com", environment: settings.isEmpty ? nil : "Test",
            policies: files.map { policy($0.file, $0.text, settings) }, settings: settings)
    }

    /// `base.xml:12`: the place of a text that occurs once in a file of the pack, or in another text.
    static func place(of words: String, in file: String, text: String? = nil) -> String {
        let text = text ?? files.first { $0.0 == file }?.1 ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return "\(file):\((lines.firstIndex { $0.contains(words) } ?? -1) + 1)"
    }

    static func shown(_ place: SourceLocation) -> String { "\(place.file):\(place.line ?? 0)" }

    private static func policy(
        _ file: String, _ text: String, _ settings: [(name: String, value: String)]
    ) -> BuiltPolicy {
        var bytes: [UInt8] = []
        var changes: [SourceText.Change] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{Settings:"), let end = rest[open.upperBound...].firstIndex(of: "}") {
            let after = rest.index(after: end)
            let name = rest[open.upperBound..<end]
            bytes += rest[..<open.lowerBound].utf8
            let value = Array((settings.first { $0.name == name }?.value ?? "").utf8)
            let start = text.utf8.distance(from: text.startIndex, to: open.lowerBound)
            changes.append(
                SourceText.Change(
                    range: bytes.count..<bytes.count + value.count,
                    original: start..<text.utf8.distance(from: text.startIndex, to: after)))
            bytes += value
            rest = rest[after...]
        }
        bytes += rest.utf8
        let base = text.firstMatch(of: /<PolicyId>([^<]*)<\/PolicyId>/).map { String($0.1) }
        return BuiltPolicy(
            id: PolicyReader.policyID(bytes: bytes) ?? "", base: base, file: file, bytes: bytes,
            source: SourceText(
                bytes: bytes, madeFrom: SourceText(file: file, bytes: Array(text.utf8)), changes: changes),
            isRelyingParty: text.contains("<RelyingParty>"))
    }

    static func root(_ id: String, base: String? = nil, _ content: String) -> String {
        let parent =
            base.map {
                "<BasePolicy><TenantId>contoso.onmicrosoft.com</TenantId><PolicyId>\($0)</PolicyId></BasePolicy>"
            } ?? ""
        return """
            <TrustFrameworkPolicy xmlns="\(PolicyReader.namespace)" PolicySchemaVersion="0.3.0.0"
              TenantId="contoso.onmicrosoft.com" PolicyId="\(id)"
              PublicPolicyUri="http://contoso.onmicrosoft.com/\(id)">
            \(parent)
            \(content)
            </TrustFrameworkPolicy>
            """
    }

    private static func handler(_ name: String) -> String {
        "<Protocol Name=\"Proprietary\" Handler=\"Web.TPEngine.Providers.\(name), Web.TPEngine, Version=1.0.0.0, "
            + "Culture=neutral, PublicKeyToken=null\" />"
    }

    static let base = root(
        "B2C_1A_Base",
        """
        <BuildingBlocks>
          <ClaimsSchema>
            <ClaimType Id="objectId"><DataType>string</DataType></ClaimType>
            <ClaimType Id="extension_level"><DataType>string</DataType></ClaimType>
            <ClaimType Id="signInName"><DataType>string</DataType></ClaimType>
            <ClaimType Id="grant_type"><DataType>string</DataType></ClaimType>
            <ClaimType Id="client_id"><DataType>string</DataType></ClaimType>
            <ClaimType Id="resource_id"><DataType>string</DataType></ClaimType>
          </ClaimsSchema>
          <ContentDefinitions>
            <ContentDefinition Id="api.error"><LoadUri>https://pages.contoso.example/error.html</LoadUri>
              <DataUri>urn:com:microsoft:aad:b2c:elements:contract:globalexception:1.2.0</DataUri></ContentDefinition>
            <ContentDefinition Id="api.unused"><LoadUri>https://pages.contoso.example/unused.html</LoadUri>
              <DataUri>urn:com:microsoft:aad:b2c:elements:contract:selfasserted:2.1.7</DataUri></ContentDefinition>
          </ContentDefinitions>
        </BuildingBlocks>
        <ClaimsProviders><ClaimsProvider><DisplayName>All</DisplayName><TechnicalProfiles>
          <TechnicalProfile Id="Facebook"><DisplayName>Facebook</DisplayName><Protocol Name="OAuth2" />
            <Metadata>
              <Item Key="AccessTokenEndpoint">https://graph.facebook.example/token</Item>
            </Metadata>
            <CryptographicKeys>
              <Key Id="client_secret" StorageReferenceId="B2C_1A_FacebookSecret" />
            </CryptographicKeys>
          </TechnicalProfile>
          <TechnicalProfile Id="login-NonInteractive"><DisplayName>Local</DisplayName><Protocol Name="OpenIdConnect" />
            <Metadata>
              <Item Key="METADATA">https://login.microsoftonline.com/{tenant}/.well-known/openid-configuration</Item>
            </Metadata>
            <InputClaims>
              <InputClaim ClaimTypeReferenceId="signInName" PartnerClaimType="username" />
              <InputClaim ClaimTypeReferenceId="grant_type" DefaultValue="password" />
            </InputClaims>
          </TechnicalProfile>
          <TechnicalProfile Id="AAD-Common"><DisplayName>Directory</DisplayName>
            \(handler("AzureActiveDirectoryProvider"))
            <CryptographicKeys>
              <Key Id="issuer_secret" StorageReferenceId="B2C_1A_TokenSigningKeyContainer" />
            </CryptographicKeys>
          </TechnicalProfile>
          <TechnicalProfile Id="AAD-Read">
            <Metadata><Item Key="Operation">Read</Item></Metadata>
            <InputClaims><InputClaim ClaimTypeReferenceId="objectId" Required="true" /></InputClaims>
            <OutputClaims>
              <OutputClaim ClaimTypeReferenceId="extension_level" />
            </OutputClaims>
            <IncludeTechnicalProfile ReferenceId="AAD-Common" />
          </TechnicalProfile>
          <TechnicalProfile Id="JwtIssuer"><DisplayName>Issuer</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputTokenFormat>JWT</OutputTokenFormat>
            <CryptographicKeys>
              <Key Id="issuer_secret" StorageReferenceId="TokenSigningKeyContainer" />
              <Key Id="issuer_refresh_token_key" StorageReferenceId="B2C_1A_TokenEncryptionKeyContainer" />
            </CryptographicKeys>
          </TechnicalProfile>
        </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
        <UserJourneys><UserJourney Id="SignIn"><OrchestrationSteps>
          <OrchestrationStep Order="1" Type="ClaimsExchange"><ClaimsExchanges>
            <ClaimsExchange Id="Read" TechnicalProfileReferenceId="AAD-Read" />
          </ClaimsExchanges></OrchestrationStep>
          <OrchestrationStep Order="2" Type="ClaimsExchange"><ClaimsExchanges>
            <ClaimsExchange Id="Price" TechnicalProfileReferenceId="REST-Price" />
          </ClaimsExchanges></OrchestrationStep>
          <OrchestrationStep Order="3" Type="SendClaims" CpimIssuerTechnicalProfileReferenceId="JwtIssuer" />
        </OrchestrationSteps></UserJourney></UserJourneys>
        """)

    static let extensions = root(
        "B2C_1A_Extensions", base: "B2C_1A_Base",
        """
        <ClaimsProviders><ClaimsProvider><DisplayName>All</DisplayName><TechnicalProfiles>
          <TechnicalProfile Id="AAD-Common">
            <Metadata>
              <Item Key="ClientId">00000000-0000-0000-0000-00000000000a</Item>
              <Item Key="ApplicationObjectId">00000000-0000-0000-0000-00000000000b</Item>
            </Metadata>
          </TechnicalProfile>
          <TechnicalProfile Id="login-NonInteractive">
            <Metadata>
              <Item Key="client_id">ProxyIdentityExperienceFrameworkAppId</Item>
              <Item Key="IdTokenAudience">00000000-0000-0000-0000-00000000000c</Item>
            </Metadata>
            <InputClaims>
              <InputClaim ClaimTypeReferenceId="client_id" DefaultValue="ProxyIdentityExperienceFrameworkAppId" />
              <InputClaim ClaimTypeReferenceId="resource_id" PartnerClaimType="resource"
                DefaultValue="00000000-0000-0000-0000-00000000000c" />
            </InputClaims>
          </TechnicalProfile>
          <TechnicalProfile Id="REST-Price"><DisplayName>Price</DisplayName>
            \(handler("RestfulProvider"))
            <Metadata>
              <Item Key="ServiceUrl">https://api.contoso.example:8443/price/{objectId}</Item>
              <Item Key="AuthenticationType">Basic</Item>
            </Metadata>
            <CryptographicKeys>
              <Key Id="BasicAuthenticationUsername" StorageReferenceId="B2C_1A_RestUser" />
              <Key Id="BasicAuthenticationPassword" StorageReferenceId="B2C_1A_RestPassword" />
            </CryptographicKeys>
          </TechnicalProfile>
        </TechnicalProfiles></ClaimsProvider></ClaimsProviders>
        """)

    static let signIn = root(
        "B2C_1A_SignIn", base: "B2C_1A_Extensions",
        """
        <RelyingParty>
          <DefaultUserJourney ReferenceId="SignIn" />
          <TechnicalProfile Id="PolicyProfile"><DisplayName>Claims</DisplayName><Protocol Name="OpenIdConnect" />
            <OutputClaims>
              <OutputClaim ClaimTypeReferenceId="objectId" PartnerClaimType="sub" />
            </OutputClaims>
            <SubjectNamingInfo ClaimType="sub" />
          </TechnicalProfile>
        </RelyingParty>
        """)
}
