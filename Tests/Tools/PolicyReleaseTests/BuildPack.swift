import PolicyRelease
import TrustFramework

/// A small pack in the style of Microsoft's starter packs.
enum BuildPack {
    static let tenant = "contoso.onmicrosoft.com"
    static let proxy = "c805c589-d4e2-43bd-bd75-e1e88df44d2c"
    static let framework = "221dfbdb-064b-4747-a7db-a2b7e9d8865a"
    static let appID = "0428f335-4957-491e-96bb-7ce51b81d46a"
    static let objectID = "20d75341-a1e5-4ea8-a88f-7e7dfe90b9d8"

    static let organization = TenantOrganization(id: "11111111-2222-3333-4444-555555555555", domains: [tenant])

    /// A policy file.
    static func policy(
        _ id: String, base: String? = nil, tenant: String = "{Settings:Tenant}", body: String = ""
    ) -> String {
        let parent = base.map {
            "  <BasePolicy>\n    <TenantId>\(tenant)</TenantId>\n    <PolicyId>\($0)</PolicyId>\n  </BasePolicy>\n"
        }
        return """
            <?xml version="1.0" encoding="utf-8" standalone="yes"?>
            <TrustFrameworkPolicy xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
              xmlns="http://schemas.microsoft.com/online/cpim/schemas/2013/06"
              PolicySchemaVersion="0.3.0.0" TenantId="\(tenant)" PolicyId="\(id)"
              PublicPolicyUri="http://\(tenant)/\(id)">
            \(parent ?? "")\(body)</TrustFrameworkPolicy>

            """
    }

    /// Comments, an order and spaces that somebody wrote.
    static let baseBody = """
          <BuildingBlocks>
            <ClaimsSchema>
              <!-- who it is -->
              <ClaimType Id="objectId"><DisplayName>Object ID</DisplayName><DataType>string</DataType></ClaimType>
              <ClaimType   Id="email">
                <DisplayName>E-mail</DisplayName> <!-- shown -->
                <DataType>string</DataType>
              </ClaimType>
            </ClaimsSchema>
          </BuildingBlocks>
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Local</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id="AAD-Common">
                  <DisplayName>Directory</DisplayName>
                  <Metadata>
                    <Item Key="ClientId">{Settings:AADExtensionsAppId}</Item>
                    <Item Key="ApplicationObjectId">{Settings:AADExtensionsObjectId}</Item>
                  </Metadata>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>

        """

    static let extensionsBody = """
          <ClaimsProviders>
            <ClaimsProvider>
              <DisplayName>Local sign-in</DisplayName>
              <TechnicalProfiles>
                <TechnicalProfile Id='login-NonInteractive'>
                  <Metadata>
                    <Item Key="client_id">{Settings:ProxyIdentityExperienceFrameworkAppId}</Item>
                    <Item Key="IdTokenAudience">{Settings:IdentityExperienceFrameworkAppId}</Item>
                    <Item Key="service">https://{Settings:Tenant}/api?tier=a&amp;x=1</Item>
                  </Metadata>
                  <InputClaims>
                    <InputClaim ClaimTypeReferenceId="client_id" DefaultValue="{Settings:ProxyIdentityExperienceFrameworkAppId}" />
                    <InputClaim ClaimTypeReferenceId="resource_id" DefaultValue="{Settings:IdentityExperienceFrameworkAppId}" />
                  </InputClaims>
                </TechnicalProfile>
              </TechnicalProfiles>
            </ClaimsProvider>
          </ClaimsProviders>

        """

    static let signInBody = """
          <RelyingParty>
            <DefaultUserJourney ReferenceId="SignIn" />
            <TechnicalProfile Id="PolicyProfile">
              <DisplayName>PolicyProfile</DisplayName>
              <OutputClaims>
                <OutputClaim ClaimTypeReferenceId="email" />
                <OutputClaim ClaimTypeReferenceId="tier" DefaultValue="gold" />
              </OutputClaims>
            </TechnicalProfile>
          </RelyingParty>

        """

    /// The files, children before parents.
    static let files = bytes([
        ("p/A-SignIn.xml", policy("B2C_1A_SignIn", base: "B2C_1A_Extensions", body: signInBody)),
        ("p/B-Extensions.xml", policy("B2C_1A_Extensions", base: "B2C_1A_Base", body: extensionsBody)),
        ("p/C-Base.xml", "\u{FEFF}" + policy("B2C_1A_Base", body: baseBody).replacing("\n", with: "\r\n")),
    ])

    static func bytes(_ texts: [(String, String)]) -> [(path: String, bytes: [UInt8])] {
        texts.map { ($0.0, Array($0.1.utf8)) }
    }

    static let settings = Array(
        """
        {
            "Environments": [
                {
                    "Name": "Test",
                    "Production": false,
                    "Tenant": "\(tenant)",
                    "PolicySettings": {
                        "ProxyIdentityExperienceFrameworkAppId": "\(proxy)",
                        "IdentityExperienceFrameworkAppId": "\(framework)",
                        "AADExtensionsAppId": "\(appID)",
                        "AADExtensionsObjectId": "\(objectID)"
                    }
                }
            ]
        }

        """.utf8)

    static func environment(_ settings: [UInt8] = settings) throws -> PolicyEnvironments.Environment {
        try PolicyEnvironments.read(file: "appsettings.json", bytes: settings).environment("Test")
    }

    static func built(_ files: [(path: String, bytes: [UInt8])] = files) throws -> BuiltPolicies? {
        PolicyBuild.build(files, environment: try environment(), tenant: nil).policies
    }
}
