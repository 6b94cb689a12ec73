import Testing
import Validation

struct RegistrationTests {
    private func judge(_ text: String) -> [String] { placed(Validator.validate(project(("app.json", text)))) }

    private let graph = """
        "requiredResourceAccess": [ { "resourceAppId": "00000003-0000-0000-c000-000000000000", "resourceAccess": [
          { "id": "37f7f235-527c-4136-accd-4a02d197296e", "type": "Scope" },
          { "id": "7427e0e9-2fba-42fe-b0c0-848c9e6a8182", "type": "Scope" } ] } ]
        """

    @Test func `a good manifest and a good Graph application have no findings`() {
        #expect(
            judge(
                """
                { "appId": "11111111-2222-3333-4444-555555555555",
                  "signInAudience": "AzureADandPersonalMicrosoftAccount", "accessTokenAcceptedVersion": 2,
                  "replyUrlsWithType": [ { "url": "msauth.com.contoso.app://auth", "type": "InstalledClient" } ],
                  \(graph) }
                """
            ).isEmpty)
        #expect(
            judge(
                """
                { "appId": "11111111-2222-3333-4444-555555555555",
                  "signInAudience": "AzureADandPersonalMicrosoftAccount",
                  "api": { "requestedAccessTokenVersion": 2, "oauth2PermissionScopes": [
                    { "id": "21111111-2222-3333-4444-555555555555", "value": "tasks.read", "isEnabled": true } ] },
                  "identifierUris": [ "https://contoso.onmicrosoft.com/tasks" ],
                  "spa": { "redirectUris": [ "https://app.contoso.example/" ] },
                  "web": { "implicitGrantSettings": { "enableIdTokenIssuance": false } },
                  \(graph) }
                """
            ).isEmpty)
    }

    static let mistakes: [(String, [String])] = [
        ("{\n\"appId\": \"Your_Application_Id_Here\", \"web\": {} }", ["B2C-REG-001@2"]),
        ("{ \"appId\": \"ID\",\n\"signInAudience\": \"AzureADMyOrg\" }", ["B2C-REG-002@2"]),
        (
            "{ \"appId\": \"ID\", \"signInAudience\": \"AzureADandPersonalMicrosoftAccount\",\n"
                + "\"accessTokenAcceptedVersion\": null }", ["B2C-REG-003@2"]
        ),
        ("{ \"appId\": \"ID\", \"web\": {},\n\"oauth2AllowImplicitFlow\": true }", ["B2C-REG-004@2"]),
        (
            "{ \"appId\": \"ID\", \"spa\": { \"redirectUris\": [ \"https://a.example/\" ] },\n"
                + "\"passwordCredentials\": [ { \"endDateTime\": \"2030-01-01T00:00:00Z\" } ] }", ["B2C-REG-005@2"]
        ),
        (
            "{ \"appId\": \"ID\", \"web\": { \"redirectUris\": [ \"https://a.example/\" ] }, \"passwordCredentials\": [\n"
                + "{ \"endDateTime\": \"2025-12-31T00:00:00Z\" },\n{ \"endDateTime\": \"2026-01-15T00:00:00Z\" } ] }",
            ["B2C-REG-013@2", "B2C-REG-013@3"]
        ),
        (
            "{ \"appId\": \"ID\", \"identifierUris\": [ \"api://x\" ], \"oauth2Permissions\": [\n"
                + "{ \"id\": \"ID\", \"value\": \"read\" },\n{ \"id\": \"ID\", \"value\": \"read\" },\n{ \"id\": \"ID\" } ] }",
            ["B2C-REG-006@3", "B2C-REG-006@4"]
        ),
        ("{ \"appId\": \"ID\", \"spa\": {},\n\"identifierUris\": \"api://x\" }", ["B2C-REG-012@2"]),
        (
            "{ \"appId\": \"ID\", \"spa\": {\n\"redirectUris\": [ \"https://a.example/\" ] },\n"
                + "\"requiredResourceAccess\": [] }", ["B2C-REG-008@3", "B2C-REG-008@3"]
        ),
        ("{ \"appId\": \"ID\", \"web\": {},\n\"logoutUrl\": \"http://a.example/out\" }", ["B2C-REG-009@2"]),
        (
            "{ \"appId\": \"ID\", \"web\": {}, \"preAuthorizedApplications\": [\n"
                + "{ \"appId\": \"ID\", \"permissionIds\": [ \"nobody\" ] } ] }", ["B2C-REG-010@2"]
        ),
        (
            "{ \"appId\": \"ID\", \"replyUrlsWithType\": [\n{ \"url\": \"https://a.example/\", \"type\": \"web\" } ] }",
            ["B2C-REG-012@2"]
        ),
    ]

    @Test(arguments: mistakes)
    func `each mistake is found at its line`(text: String, wanted: [String]) {
        let id = "11111111-2222-3333-4444-555555555555"
        #expect(judge(text.split(separator: "\"ID\"").joined(separator: "\"\(id)\"")) == wanted)
    }
}
