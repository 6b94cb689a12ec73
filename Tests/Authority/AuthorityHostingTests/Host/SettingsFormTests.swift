import AuthorityHosting
import JSON
import TenantFiles
import Testing

/// The settings of apps: texts to paste, and variables of stacks.
struct SettingsFormTests {
    private static let base = "http://localhost:9400/contoso.onmicrosoft.com/B2C_1_susi"

    @Test func `every form names the server that it is for`() throws {
        let tenant = try StarterTenant.compiled()
        for form in SettingsForm.allCases {
            let text = try #require(form.text(for: tenant, at: "http://localhost:9400"))
            #expect(text.hasSuffix("\n") && text.contains("http://localhost:9400/"), "\(form)")
        }
    }

    @Test func `MSAL for browsers gets the browser app, and says that it wants https`() throws {
        let tenant = try StarterTenant.compiled()
        let app = try #require(tenant.tenant.app(named: "spa"))
        let text = try #require(SettingsForm.msalBrowser.text(for: tenant, at: "http://localhost:9400"))
        for part in [
            app.registration.clientId, "\"localhost:9400\"", "http://localhost:3000/", "serve with --tls",
            "https://contoso.onmicrosoft.com/tasks/read",
        ] {
            #expect(text.contains(part), "\(part) is not in \(text)")
        }
        let secure = try #require(SettingsForm.msalBrowser.text(for: tenant, at: "https://localhost:9443"))
        #expect(secure.hasPrefix("export const msalConfig = {"))
    }

    @Test func `appsettings check the issuer, and take http only without TLS`() throws {
        let tenant = try StarterTenant.compiled()
        func bearer(_ origin: String) throws -> JSONValue {
            let text = try #require(SettingsForm.appsettings.text(for: tenant, at: origin))
            return try #require(JSONParser.parse(Array(text.utf8))["Authentication", "Schemes", "Bearer"])
        }
        let plain = try bearer("http://localhost:9400")
        #expect(plain["MetadataAddress"]?.stringValue == Self.base + "/v2.0/.well-known/openid-configuration")
        #expect(plain["ValidIssuer"]?.stringValue == "http://localhost:9400/\(tenant.tenant.id)/v2.0/")
        #expect(plain["RequireHttpsMetadata"] == false)
        #expect(try bearer("https://localhost:9443")["RequireHttpsMetadata"] == nil)
    }

    @Test func `a value with spaces is quoted in the environment`() throws {
        let json: JSONValue = [
            "name": "contoso", "policies": ["susi": ["id": "B2C_1_susi", "type": "signUpOrSignIn"]],
            "apis": ["tasks": ["appIdUri": "https://contoso.onmicrosoft.com/tasks", "scopes": ["read", "write"]]],
        ]
        let text = try #require(SettingsForm.env.text(for: CompiledTenant.compile(json), at: "http://localhost:9400"))
        let tasks = "https://contoso.onmicrosoft.com/tasks"
        #expect(
            text.contains("B2C_SCOPES=\"\(tasks)/read \(tasks)/write\"\n") && text.contains("B2C_POLICY=B2C_1_susi\n"))
    }

    @Test func `a directory tenant has no settings of policies`() throws {
        let tenant = try CompiledTenant.compile(["name": "fabrikam", "kind": "workforce"])
        #expect(SettingsForm.allCases.allSatisfy { $0.text(for: tenant, at: "http://localhost:9400") == nil })
    }

    @Test(
        arguments: [
            (EnvironmentPreset.dotnet, "AzureAdB2C__SignUpSignInPolicyId", "B2C_1_susi"),
            (.dotnet, "AzureAd__Instance", "http://localhost:9400"),
            (.dotnet, "Authentication__Schemes__Bearer__RequireHttpsMetadata", "false"),
            (.spring, "SPRING_SECURITY_OAUTH2_RESOURCESERVER_JWT_JWK_SET_URI", nil),
            (.spring, "SPRING_CLOUD_AZURE_ACTIVE_DIRECTORY_B2C_USER_FLOWS_SIGN_UP_OR_SIGN_IN", "B2C_1_susi"),
            (.node, "SIGN_UP_SIGN_IN_POLICY_AUTHORITY", base), (.python, "AUTHORITY", base),
        ] as [(EnvironmentPreset, String, String?)])
    func `a stack finds its settings in the environment`(preset: EnvironmentPreset, name: String, value: String?) throws
    {
        let facts = try #require(ServedFacts(StarterTenant.compiled(), at: "http://localhost:9400"))
        let found = try #require(preset.variables(facts).first { $0.0 == name }, "\(preset)")
        #expect(value == nil || found.1 == value)
    }

    @Test(arguments: [
        ("B2C_EXTENSION_ISSUER", "http://localhost:9400/extension-caller/external/ID/v2.0"),
        ("AuthenticationEvents__AuthorityUrl", "http://localhost:9400/extension-caller/external/ID"),
        ("AuthenticationEvents__AuthorizedPartyAppId", "99045fe1-7639-4a75-9d4a-577b6ca3810f"),
    ])
    func `an extension finds the issuer of its caller in the environment`(name: String, value: String) throws {
        let tenant = try StarterTenant.compiled()
        let variables = try #require(ServedFacts(tenant, at: "http://localhost:9400")).variables
        #expect(
            variables.first { $0.0 == name }?.1 == value.replacing("ID", with: "\(tenant.tenant.id)"), "\(variables)")
    }

    @Test func `audiences are a list`() throws {
        let tenant = try StarterTenant.compiled()
        let facts = try #require(ServedFacts(tenant, at: "http://localhost:9400"))
        let found = EnvironmentPreset.dotnet.variables(facts).first { $0.0.hasSuffix("ValidAudiences__0") }
        #expect(found?.1 == tenant.tenant.apis.first?.clientId)
    }
}
